"""Deploying what a project describes (serverless, sam, cdk, amplify), AWS clusters, and stores that speak S3."""

from __future__ import annotations

from assent.commands.config_files import AWS, KUBECONFIG, kept, kept_unless
from assent.commands.nested import does, nested
from assent.commands.program import Program, changes
from assent.commands.projects import defined, each, packs, unmarked
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


# --- stores --------------------------------------------------------------------------------------------------------


def _copying(args: Args) -> Iterator[Fact]:
    """s3cmd and mc: a word with `s3://` is in the cloud, a word without is a file here."""
    words = args.operands
    verb = args.name.rpartition(" ")[2]
    up = bool(words) and _is_remote(args, words[-1])
    erases = args.has("--delete-removed", "--remove") or verb == "mv"
    yield args.effect(
        "send" if up else "reach",
        "an object store",
        "cloud.destroy" if erases else "cloud.change" if up else "cloud.read",
    )
    for at, word in enumerate(words):
        if _is_remote(args, word):
            continue
        last = at == len(words) - 1 and verb != "put"
        yield from args.file("write" if last else "read", word, deep=True)
        if erases and (last or verb == "mv"):
            yield from args.file("delete", word, deep=True)


def _is_remote(args: Args, word: Word) -> bool:
    """mc names a store by an alias, which looks like a folder: only what begins with a dot or slash is surely here."""
    value = word.value or ""
    return (
        value.startswith("s3://") if args.name.startswith("s3cmd") else bool(value) and not value.startswith((".", "/"))
    )


def _maybe_local(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if not _is_remote(args, word):
            yield from args.file("read", word, deep=True)
        elif not args.name.startswith("s3cmd"):
            yield args.gap(f"`{word.text}` may be a file or a store")


STORE = "an object store"
S3CMD = {
    "ls la info du": does("reach", STORE, "cloud.read", "-r,--recursive -H,--human-readable-sizes -l,--long-listing"),
    "put get sync cp mv": Program(
        "-r,--recursive -f,--force --delete-removed -n,--dry-run --exclude= --include= -P,--acl-public --skip-existing",
        "text*",
        more=_copying,
    ),
    "del rm rb": does("send", STORE, "cloud.destroy", "-r,--recursive -f,--force"),
    "mb setacl setpolicy": does("send", STORE, "cloud.change", "-P,--acl-public"),
}


def _aliases(args: Args) -> Iterator[Fact]:
    """Names of stores with their keys, which even the list shows."""
    if not args.operands or args.operands[0].value in ("list", "ls"):
        yield args.effect("note", "keys of the stores", "secret.print")
        yield from kept(args, "read", "~/.mc/config.json")
    else:
        yield args.effect("change", "settings of mc", "cloud.login")
        yield from kept(args, "write", "~/.mc/config.json")


MC = {
    "ls stat du find tree cat head": Program(
        "-r,--recursive --json --name= --versions --summarize",
        "text*",
        does=(("reach", STORE, "cloud.read"),),
        more=_maybe_local,
    ),
    "cp mv mirror": Program(
        "-r,--recursive --overwrite --remove --json -q,--quiet",
        "text*",
        does=(("send", STORE, "cloud.change"),),
        more=_maybe_local,
    ),
    "rm rb": does("send", STORE, "cloud.destroy", "-r,--recursive --force --dangerous --incomplete"),
    "mb": does("send", STORE, "cloud.change", "-p,--ignore-existing --region="),
    "alias": Program("", "text*", more=_aliases),
    "admin/info ping ready": does("reach", STORE, "cloud.read", "--json"),
}


# --- tools that deploy what a project describes ---------------------------------------------------------------------


def _deploying(args: Args) -> Iterator[Fact]:
    """Rehearsals too run what the project defines."""
    verb = args.name.rpartition(" ")[2]
    tool = args.name.partition(" ")[0]
    if tool == "copilot" and args.operands:
        verb = args.operands[0].value or ""
    if verb in ("remove", "delete", "destroy", "rollback"):
        yield args.effect("send", "cloud resources of the project", "cloud.destroy")
    elif verb in ("list", "ls", "info", "logs", "metrics", "status", "diff", "show", "describe"):
        yield args.effect("reach", "cloud resources of the project", "cloud.read")
    elif verb not in ("synth", "synthesize", "validate", "build", "package", "doctor", "print"):
        yield args.effect("send", "cloud resources of the project", "cloud.change")
    if verb == "configure":
        yield from kept(args, "write", *AWS)
    if verb in UPLOADING:
        yield from packs(args)
    command = tool == "cdk" and args.has("--app")
    yield from unmarked(args, args.name) if command else defined(args, args.name, DEFINED_BY[tool])


UPLOADING = ("deploy", "package", "build", "publish", "sync", "synth", "synthesize", "up", "push", "bootstrap", "watch")
DEFINED_BY = {
    "serverless": (*each("serverless", "yml yaml json js cjs mjs ts"), "package.json"),
    "sam": ("template.yaml", "template.yml", "template.json", *each("samconfig", "toml yaml yml")),
    "cdk": ("cdk.json", "cdk.context.json", "package.json"),
    "amplify": ("amplify",),
    "copilot": ("copilot",),
}
STACKS = (
    "-s,--stage= -r,--region= -f,--function= --stack-name= --profile= -t,--template= --guided --no-confirm-changeset"
    " --all --require-approval= --force --verbose -v -y,--yes --no-color --json -q,--quiet -n,--name= -e,--env="
    " --app= --follow"
    " --tail --output= -c,--context= --capabilities= --parameter-overrides= --resolve-s3"
)


def _project_tool(verbs: str) -> Program:
    return Program("", commands=nested({verbs: Program(STACKS, "text*", more=_deploying)}))


def _writes_kubeconfig(args: Args) -> Iterator[Fact]:
    yield from kept_unless(args, "--kubeconfig", "write", KUBECONFIG)


def _new_cluster(args: Args) -> Iterator[Fact]:
    """A cluster that is made becomes the current one of kubectl."""
    made = args.name.endswith(" create") and any(word.value in (None, "cluster") for word in args.operands[:1])
    if made and args.text("--write-kubeconfig") != "false":
        yield from _writes_kubeconfig(args)


EKS = Program(
    "",
    commands=nested(
        {
            "get version info utils/describe-stacks": does(
                "reach", "AWS account", "cloud.read", "-o,--output= --cluster= --region= -n,--name= -A"
            ),
            "create scale upgrade set enable": Program(
                "--cluster= -f,--config-file=read -n,--name= --region= --nodes= --version= --node-type="
                " --write-kubeconfig[=] --kubeconfig=",
                "text*",
                does=(("send", "AWS account", "cloud.change"),),
                more=_new_cluster,
            ),
            "utils/write-kubeconfig": Program(
                "-c,--cluster= -n,--name= --region= --kubeconfig= --set-kubeconfig-context[=] --auto-kubeconfig",
                does=changes("cloud.login", "kubernetes settings of this user"),
                more=_writes_kubeconfig,
            ),
            "delete drain": Program(
                "--cluster= -f,--config-file=read -n,--name= --region= --wait --force --approve",
                "text*",
                does=(("send", "AWS account", "cloud.destroy"),),
            ),
        }
    ),
    style="bare",
)
ECS = Program(
    "",
    commands=nested(
        {
            "ps logs images": does(
                "reach", "AWS account", "cloud.read", "--cluster= -c= --task-id= --follow --region="
            ),
            "up push scale": does("send", "AWS account", "cloud.change", "--cluster= -c= --size= --region="),
            "down": does("send", "AWS account", "cloud.destroy", "--force -f --cluster= --region="),
            "configure": does(
                "change",
                "settings of ecs-cli",
                "cloud.login",
                "--cluster= --region= --config-name= --access-key= --secret-key= --profile-name="
                " --default-launch-type=",
                files=("~/.ecs/credentials", "~/.ecs/config"),
            ),
        }
    ),
    style="bare",
)

PROGRAMS = {
    "s3cmd": Program("-q,--quiet -v,--verbose --no-progress", commands=nested(S3CMD), style="bare"),
    "mc": Program("-q,--quiet --json --no-color", commands=nested(MC)),
    "serverless": _project_tool("deploy remove info logs metrics package print rollback invoke doctor"),
    "sam": _project_tool("build deploy delete validate list logs package publish sync local"),
    "cdk": _project_tool("deploy destroy diff synth synthesize list ls bootstrap doctor import watch"),
    "amplify": _project_tool("status push pull publish delete add remove update init configure"),
    "copilot": _project_tool("app svc env job pipeline deploy init"),
    "eksctl": EKS,
    "ecs-cli": ECS,
}

EXAMPLES = {
    "s3cmd ls s3://b": "reach an object store #cloud.read",
    "s3cmd put a s3://b": "send an object store #cloud.change | read a/**",
    "s3cmd get s3://b/a b": "reach an object store #cloud.read | write b/**",
    "s3cmd del s3://b/a": "send an object store #cloud.destroy",
    "mc ls x/b": "reach an object store #cloud.read | gap mc ls: `x/b` may be a file or a store",
    "mc cp ./a x/b": "send an object store #cloud.change | read ./a/** | gap mc cp: `x/b` may be a file or a store",
    "mc rm --recursive --force x/b": "send an object store #cloud.destroy",
    "serverless deploy": "send cloud resources of the project #cloud.change | read ./** | run serverless deploy"
    " #project",
    "sam validate": "run sam validate #project",
    "cdk synth --app x": "read ./** | run cdk synth #program",
    "cdk diff": "reach cloud resources of the project #cloud.read | run cdk diff #project",
    "cdk destroy": "send cloud resources of the project #cloud.destroy | run cdk destroy #project",
    "amplify status": "reach cloud resources of the project #cloud.read | run amplify status #project",
    "copilot svc ls": "reach cloud resources of the project #cloud.read | run copilot svc #project",
    "eksctl get cluster": "reach AWS account #cloud.read",
    "eksctl delete cluster -n x": "send AWS account #cloud.destroy",
    "ecs-cli ps": "reach AWS account #cloud.read",
}
