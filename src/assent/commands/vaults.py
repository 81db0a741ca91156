"""Password managers and secret stores, and the HashiCorp servers beside them: what shows a secret says so."""

from __future__ import annotations

from assent.commands.nested import does, either, nested
from assent.commands.program import Program, changes
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

STORE = "the password store"


def _shows(options: str, target: str = STORE) -> Program:
    return Program(options, "text*", does=(("reach", target, "secret.print"),))


def _starting(args: Args) -> Iterator[Fact]:
    """`op run`, `vault ssh`, `consul exec`: a program that gets secrets or runs elsewhere."""
    words = " ".join(word.text for word in args.operands)
    yield args.effect("run", words or args.name, "program")
    yield args.gap("it starts a program and may hand it secrets")


def _from_files(args: Args) -> Iterator[Fact]:
    """`@FILE` and `key=@FILE` send what a file holds; `-` is standard input."""
    for word in args.operands:
        key, at, path = (word.value or "").partition("@")
        if at and (not key or key.endswith("=")):
            yield from args.file("read", Word(word.text, path))


RUNS = Program("--env-file=read --no-masking -n", "text*", does=(("reach", STORE, "secret.print"),), more=_starting)
OP_OWN = "--account= --format= --vault= --session= --iso-timestamps --no-color --cache --debug --encoding="
OP = {
    "whoami account/list account/get vault/list vault/get user/list user/get group/list group/get item/list"
    " item/template/list"
    " document/list": does(
        "reach", STORE, "cloud.read", OP_OWN + " --categories= --tags= --favorite --long --include-archive"
    ),
    "item/get": _shows(OP_OWN + " --fields= --reveal --otp --share-link --include-archive"),
    "read": _shows(OP_OWN + " -n,--no-newline -o,--out-file=write --file-mode= -f,--force"),
    "document/get": _shows(OP_OWN + " -o,--out-file=write --force"),
    "inject": _shows(OP_OWN + " -i,--in-file=read -o,--out-file=write -f,--force"),
    "item/create item/edit item/move item/share document/create vault/create": does(
        "send", STORE, "cloud.change", OP_OWN + " --category= --title= --generate-password[=] --tags= --url="
    ),
    "item/delete document/delete vault/delete user/delete": does("send", STORE, "cloud.destroy", OP_OWN + " --archive"),
    "signin signout account/add account/forget": does(
        "change", STORE, "cloud.login", OP_OWN + " -f,--force --raw --all --forget", files=("~/.config/op/config",)
    ),
    "run": RUNS,
}
BW_OWN = "--pretty --raw --response --quiet --nointeraction --session="
BW = {
    "status sync": does("reach", STORE, "cloud.read", BW_OWN),
    "list get export": _shows(BW_OWN + " --search= --folderid= --organizationid= --output=write --format= --itemid="),
    "unlock login": _shows(BW_OWN + " --check --method= --code= --apikey --sso"),
    "create edit restore move confirm import": does("send", STORE, "cloud.change", BW_OWN),
    "delete": does("send", STORE, "cloud.destroy", BW_OWN + " -p,--permanent"),
    "lock logout": does("change", STORE, "cloud.login", BW_OWN, files=("~/.config/Bitwarden CLI/data.json",)),
    "generate encode": Program("-u,--uppercase -l,--lowercase -n,--number -s,--special -p,--passphrase --length="),
}
LPASS = {
    "status ls": does("reach", STORE, "cloud.read", "-q,--quiet -l,--long --color= --sync= --format="),
    "show export": _shows("--password --username --all --notes --url --field= --sync= -j,--json -c,--clip -q -G -x"),
    "add edit mv duplicate import generate": does("send", STORE, "cloud.change", "--sync= --non-interactive"),
    "rm": does("send", STORE, "cloud.destroy", "--sync="),
    "login logout": does(
        "change", STORE, "cloud.login", "--trust -f,--force", files=("~/.local/share/lpass/username",)
    ),
}
VAULT_OWN = either(
    "-address=url -namespace= -ns= -format= -field= -header= -ca-cert=read -client-cert=read -client-key=read -mount="
    " -version= -output-curl-string -non-interactive"
)
VAULT_SERVER = "the vault server"


def _vault(kind: str, code: str, more: str = "") -> Program:
    return Program(
        VAULT_OWN + " " + either(more), "text*", does=((kind, VAULT_SERVER, code),), more=_from_files, style="single"
    )


VAULT = {
    "version": Program(),
    "status list kv/list kv/metadata/get secrets/list auth/list policy/list policy/read audit/list token/lookup"
    " path-help operator/members operator/raft/list-peers lease/lookup": _vault(
        "reach", "cloud.read", "-detailed -accessor"
    ),
    "read kv/get unwrap token/create print/token": _vault(
        "reach", "secret.print", "-ttl= -policy= -period= -wrap-ttl="
    ),
    "login": replace(
        _vault("reach", "secret.print", "-method= -path= -no-store -no-print -token-only"),
        does=(("reach", VAULT_SERVER, "secret.print"), *changes("cloud.login", VAULT_SERVER, "~/.vault-token")),
    ),
    "write patch kv/put kv/patch secrets/enable secrets/tune auth/enable policy/write token/renew operator/unseal"
    " audit/enable": _vault("send", "cloud.change", "-force -f -path= -cas= -description="),
    "delete kv/delete kv/destroy kv/metadata/delete kv/undelete kv/rollback secrets/disable auth/disable policy/delete"
    " token/revoke lease/revoke operator/seal audit/disable operator/step-down": _vault(
        "send", "cloud.destroy", "-versions= -prefix -force -self -mode="
    ),
}


def _server(table: dict[str, tuple[str, str]], target: str, options: str) -> dict[str, Program]:
    """Commands of a HashiCorp server, by what they do to it."""
    return nested(
        {
            paths: Program(either(options), "text*", does=((kind, target, code),), more=_from_files, style="single")
            for paths, (kind, code) in table.items()
        }
    )


CONSUL = _server(
    {
        "members info catalog/datacenters catalog/nodes catalog/services operator/raft/list-peers config/list"
        " config/read"
        " intention/list acl/policy/list validate version rtt": ("reach", "cloud.read"),
        "kv/get kv/export acl/token/list acl/token/read": ("reach", "secret.print"),
        "kv/put kv/import join reload maint config/write acl/token/create acl/policy/create services/register": (
            "send",
            "cloud.change",
        ),
        "kv/delete leave force-leave config/delete acl/token/delete services/deregister snapshot/restore": (
            "send",
            "cloud.destroy",
        ),
    },
    "the consul server",
    "-http-addr= -token= -recurse -detailed -keys -format= -separator= -datacenter= -wan -tags -meta",
)
NOMAD = _server(
    {
        "status job/status job/history job/inspect node/status alloc/status alloc/logs alloc/fs server/members"
        " agent-info"
        " eval/status deployment/list deployment/status namespace/list system/status version volume/status ui": (
            "reach",
            "cloud.read",
        ),
        "var/get acl/token/self": ("reach", "secret.print"),
        "job/restart job/scale job/dispatch job/periodic/force job/promote deployment/promote node/eligibility"
        " alloc/restart"
        " var/put system/reconcile/summaries": ("send", "cloud.change"),
        "job/stop stop node/drain alloc/stop system/gc deployment/fail job/revert var/purge namespace/delete": (
            "send",
            "cloud.destroy",
        ),
    },
    "the nomad server",
    "-address=url -region= -namespace= -token= -json -verbose -short -stderr -tail -n= -f -t= -purge -detach -yes"
    " -allocs -self",
)
BOUNDARY = _server(
    {
        "version": ("note", ""),
        "targets/list targets/read scopes/list scopes/read hosts/list sessions/list users/list": (
            "reach",
            "cloud.read",
        ),
        "authenticate": ("reach", "secret.print"),
    },
    "the boundary server",
    "-addr=url -format= -scope-id= -recursive -id= -filter=",
)
JOB_FILE = Program(
    either("-check-index= -detach -verbose -var= -var-file=read -json -output -diff"),
    "read",
    style="single",
    does=(("send", "the nomad server", "cloud.change"),),
)

PROGRAMS = {
    "op": Program(OP_OWN, commands=nested(OP, OP_OWN), style="bare"),
    "bw": Program(BW_OWN, commands=nested(BW), style="bare"),
    "lpass": Program("", commands=nested(LPASS), style="bare"),
    "vault": Program("", commands=nested(VAULT, VAULT_OWN), style="bare"),
    "consul": Program("", commands=CONSUL, style="bare"),
    "nomad": Program("", commands=NOMAD | {"run": JOB_FILE, "plan": JOB_FILE, "validate": JOB_FILE}, style="bare"),
    "boundary": Program("", commands=BOUNDARY, style="bare"),
}

EXAMPLES = {
    "op whoami": "reach the password store #cloud.read",
    "op item list": "reach the password store #cloud.read",
    "op item get x --fields password": "reach the password store #secret.print",
    "op read op://v/i/f": "reach the password store #secret.print",
    "op read op://v/i/f -o a": "write a | reach the password store #secret.print",
    "op run -- env": "reach the password store #secret.print | run env #program"
    " | gap op run: it starts a program and may hand it secrets",
    "op item delete x": "send the password store #cloud.destroy",
    "bw status": "reach the password store #cloud.read",
    "bw get password x": "reach the password store #secret.print",
    "bw delete item x": "send the password store #cloud.destroy",
    "lpass show --password x": "reach the password store #secret.print",
    "lpass ls": "reach the password store #cloud.read",
    "vault status": "reach the vault server #cloud.read",
    "vault kv get -field=x secret/a": "reach the vault server #secret.print",
    "vault kv list secret": "reach the vault server #cloud.read",
    "vault write secret/a b=@data.txt": "send the vault server #cloud.change | read data.txt",
    "vault write secret/a b=c": "send the vault server #cloud.change",
    "vault delete secret/a": "send the vault server #cloud.destroy",
    "vault read -address=https://192.0.2.1 secret/a": "reach https://192.0.2.1 | reach the vault server #secret.print",
    "vault ssh x": "run vault ssh #program | gap vault: subcommand ssh is not known",
    "consul members": "reach the consul server #cloud.read",
    "consul kv get x": "reach the consul server #secret.print",
    "consul exec ls": "run consul exec #program | gap consul: subcommand exec is not known",
    "nomad status": "reach the nomad server #cloud.read",
    "nomad job stop x": "send the nomad server #cloud.destroy",
    "nomad run a": "send the nomad server #cloud.change | read a",
    "boundary version": "note the boundary server",
    "boundary authenticate password": "reach the boundary server #secret.print",
}
