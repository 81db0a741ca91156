"""Infrastructure as code: terraform and its kin, pulumi, packer, vagrant, and machines told what to be.

What such a tool does stands in files of the project; even a rehearsal runs what they name.
"""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.nested import does, either, nested
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import defined, runs
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CLOUD = "cloud resources of the project"
STATE = "terraform state"


# --- terraform -----------------------------------------------------------------------------------------------------


def _folder(args: Args) -> str:
    """Where terraform works: `-chdir` of the command it belongs to."""
    above = args.parent
    while above is not None:
        chosen = above.values("-chdir")
        if chosen:
            return chosen[-1].value or ""
        above = above.parent
    return "."


def _inside(args: Args, name: str) -> str:
    folder = _folder(args)
    return name if folder == "." else f"{folder.rstrip('/')}/{name}"


def _reading(args: Args) -> Iterator[Fact]:
    """The configuration, which lies in the folder terraform works in."""
    folder = _folder(args)
    yield from args.file("read", Word(folder, folder or None, "a word of -chdir"), deep=True)


def _run(args: Args) -> Iterator[Fact]:
    """Providers are programs that the configuration names; whoever needs to know what they can do starts them."""
    files = ("main.tf", "**/*.tf", "**/*.tf.json", ".terraform.lock.hcl", "*.tfvars", "terragrunt.hcl", "root.hcl")
    yield from defined(args, args.name, [_inside(args, file) for file in files])


def _grunt(args: Args) -> Iterator[Fact]:
    """terragrunt runs what its file says before it hands any command on."""
    yield from defined(args, args.name, ("terragrunt.hcl", "root.hcl", "**/*.hcl"))


def _everywhere(args: Args) -> Iterator[Fact]:
    """`terragrunt run-all destroy`, `run --all destroy`: a command of terraform in every folder below."""
    said = [args.name, *(word.value or "" for word in args.operands)]
    yield from args.file("read", Word(".", "."), deep=True)
    yield args.effect("send", CLOUD, "cloud.destroy" if any("destroy" in text for text in said) else "cloud.change")
    yield args.gap("what it hands on to terraform is not described")


GRUNT_ALL = Program(operands="text*", style="plain", more=_everywhere)


def _moved(args: Args) -> Iterator[Fact]:
    """With `-chdir` the files that options name lie in that folder."""
    if _folder(args) != "." and args.has(
        "-out", "-state", "-var-file", "-generate-config-out", "-state-out", "-backup"
    ):
        yield args.gap("files are named from the folder of -chdir")


def _validating(args: Args) -> Iterator[Fact]:
    yield from _reading(args)
    yield from _run(args)


def _versions(args: Args) -> Iterator[Fact]:
    """It may ask its maker whether there is a newer one: nobody chooses that address, and nothing is sent along."""
    for fact in args.reach("https://checkpoint-api.hashicorp.com/"):
        yield mention(fact)


def _planning(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", CLOUD, "cloud.read")
    yield from _reading(args)
    yield from _run(args)
    yield from _moved(args)


def _applying(args: Args) -> Iterator[Fact]:
    destroys = args.has("-destroy") or args.name.endswith("destroy")
    yield args.effect("send", CLOUD, "cloud.destroy" if destroys else "cloud.change")
    yield from _reading(args)
    yield from _run(args)
    yield from _moved(args)
    for word in args.operands:
        yield from args.file("read", word)


def _initialising(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", "terraform registry", "pkg.install")
    yield args.effect("change", "providers and modules of the project", "pkg.install")
    yield from _reading(args)
    for name in (".terraform", ".terraform.lock.hcl"):
        yield from args.file("write", Word(name, _inside(args, name)), deep=name == ".terraform")
    if args.has("-migrate-state", "-force-copy"):
        yield args.effect("send", STATE, "cloud.change")
    for word in args.values("-backend-config"):
        if "=" not in (word.value or ""):
            yield from args.file("read", word)


@turns_off("-check")
def _formatting(args: Args) -> Iterator[Fact]:
    """Rewrites the files unless it only checks."""
    only_looks = args.has("-check") or args.text("-write") == "false"
    folder = _folder(args)
    for word in args.operands or [Word(folder, folder or None, "a word of -chdir")]:
        if word.value == "-":
            continue
        yield from args.file("read", word, deep=True)
        if not only_looks:
            yield from args.file("write", word, deep=True, only="*.tf*" if args.name.startswith("t") else "")


def _printing(args: Args) -> Iterator[Fact]:
    """`output` and `show`: the state in plain text, unless secrets in it are masked."""
    named = args.name.endswith("output") and args.operands
    secret = args.has("-json", "-raw") or named or args.name.endswith("pull")
    yield args.effect("reach", STATE, "secret.print" if secret else "cloud.read")
    yield from _moved(args)
    if args.name.endswith("show"):
        yield from _run(args)
    if args.name.endswith("show") and not args.name.endswith("state show"):
        for word in args.operands:
            yield from args.file("read", word)


def _go(
    options: str,
    operands: str = "",
    *,
    does: tuple[tuple[str, str, str], ...] = (),
    more: Callable[[Args], Iterator[Fact]] | None = None,
) -> Program:
    return Program(either(options), operands, does=does, more=more, style="single")


PLAN = (
    "-destroy -refresh-only -refresh[=] -replace= -target= -exclude= -var= -var-file=read -compact-warnings"
    " -detailed-exitcode -generate-config-out=write -input[=] -lock[=] -lock-timeout= -no-color -out=write"
    " -parallelism= -state=read -json"
)
APPLY = (
    "-auto-approve -backup=write -compact-warnings -destroy -lock[=] -lock-timeout= -input[=] -no-color -parallelism="
    " -state=write -state-out=write -var= -var-file=read -refresh[=] -refresh-only -replace= -target= -json"
)
INIT = (
    "-backend[=] -backend-config= -force-copy -from-module=unknown -get[=] -input[=] -lock[=] -lock-timeout="
    " -no-color -json -plugin-dir=unknown -reconfigure -migrate-state -upgrade -lockfile= -ignore-remote-version"
    " -test-directory="
)
STATES = (
    " -lock[=] -lock-timeout= -state=read -id= -dry-run -no-color -ignore-remote-version -backup= -state-out="
    " -allow-missing"
)
TERRAFORM_LOGIN = "~/.terraform.d/credentials.tfrc.json"
TERRAFORM = {
    "version": _go("-json", more=_versions),
    "validate": _go("-json -no-color -no-tests -test-directory=", more=_validating),
    "graph": _go("-type= -plan=read -draw-cycles", more=_validating),
    "fmt": _go("-list[=] -write[=] -diff -check -no-color -recursive", "text*", more=_formatting),
    "plan refresh": _go(PLAN, more=_planning),
    "show output": _go("-no-color -json -raw -state=read", "text?", more=_printing),
    "state/pull state/show": _go("-state=read", "text?", more=_printing),
    "state/list": _go(STATES, "text*", does=(("reach", STATE, "cloud.read"),)),
    "providers metadata/functions modules": _go("-json", more=_reading),
    "workspace/list workspace/show": Program("", does=(("reach", STATE, "cloud.read"),)),
    "workspace/new workspace/select": _go(
        "-or-create -state=read -lock[=]", "text", does=(("change", STATE, "cloud.change"),)
    ),
    "workspace/delete": _go("-force", "text", does=(("send", STATE, "cloud.destroy"),)),
    "apply destroy": _go(APPLY, "text?", more=_applying),
    "import taint untaint": _go(
        APPLY + " -config=list -allow-missing", "text*", does=(("send", STATE, "cloud.change"),), more=_run
    ),
    "state/mv": _go(STATES, "text*", does=(("send", STATE, "cloud.change"),)),
    "state/rm": _go(STATES, "text*", does=(("send", STATE, "cloud.destroy"),)),
    "state/push": _go("-force -lock[=]", "read", does=(("send", STATE, "cloud.destroy"),)),
    "force-unlock": _go("-force", "text", does=(("send", STATE, "cloud.unlock.force"),)),
    "init": _go(INIT, "", more=_initialising),
    "get": _go("-update -no-color", "", more=_initialising),
    "login logout": _go("", "host?", does=changes("cloud.login", "the login of terraform", TERRAFORM_LOGIN)),
    "test": _go("-filter= -json -no-color -test-directory= -var= -var-file=read -verbose", more=_applying),
}
"""`console` is not here: nothing certain can be said of it."""


# --- pulumi --------------------------------------------------------------------------------------------------------


PULUMI_DOWN = ("destroy", " down", " dn")


def _pulumi(args: Args) -> Iterator[Fact]:
    """Any of them runs the program that describes the resources."""
    if args.name.endswith("preview"):
        yield args.effect("reach", CLOUD, "cloud.read")
    else:
        yield args.effect("send", CLOUD, "cloud.destroy" if args.name.endswith(PULUMI_DOWN) else "cloud.change")
    yield from defined(args, args.name, ("Pulumi.yaml", "Pulumi.*.yaml"))
    if args.has("--remove"):
        yield from args.file("delete", Word("Pulumi.*.yaml", None, "the name of the stack", "Pulumi.*.yaml"))


def _pulumi_project(args: Args) -> Iterator[Fact]:
    """Everything in the folder may be run by the installers, or be published."""
    yield from args.file("read", Word(".", "."), deep=True)
    yield from defined(args, args.name, ("Pulumi.yaml", "PulumiPolicy.yaml"))


def _pulumi_values(args: Args) -> Iterator[Fact]:
    secret = args.has("--show-secrets") or args.name.endswith(("config get", "stack export"))
    yield args.effect("reach", "pulumi state", "secret.print" if secret else "cloud.read")


PULUMI_OWN = (
    "-s,--stack= --non-interactive --color= --emoji -v,--verbose= --logtostderr -j,--json --disable-integrity-checking"
)
PULUMI_RUN = (
    PULUMI_OWN
    + " -y,--yes -f,--skip-preview --diff --refresh[=] -t,--target= --target-dependents --replace= -p,--parallel="
    " -m,--message= --show-config --show-reads --show-replacement-steps --show-sames --suppress-outputs"
    " --suppress-progress --expect-no-changes -c,--config= --policy-pack=unknown --debug -r"
)
PULUMI_STATE = "pulumi state"
PULUMI_LOGIN = changes("cloud.login", "settings for pulumi", "~/.pulumi/credentials.json")
PULUMI = {
    "install": Program(
        PULUMI_OWN + " --no-dependencies --no-plugins --reinstall --parallel=",
        does=(
            ("reach", "package registries", "pkg.install"),
            ("change", "plugins and packages of the project", "pkg.install"),
        ),
        more=_pulumi_project,
    ),
    "login": Program(
        PULUMI_OWN + " -c,--cloud-url=url -l,--local --default-org=",
        "url?",
        does=(("reach", PULUMI_STATE, ""), *PULUMI_LOGIN),
    ),
    "logout": Program(PULUMI_OWN + " --all -c,--cloud-url=url -l,--local", "url?", does=PULUMI_LOGIN),
    "org/get-default policy/ls policy/group/ls": does("reach", PULUMI_STATE, "cloud.read", PULUMI_OWN),
    "policy/enable policy/disable": does(
        "send", PULUMI_STATE, "cloud.change", PULUMI_OWN + " --config=read --policy-group= --version="
    ),
    "policy/publish": Program(PULUMI_OWN, "text?", does=(("send", PULUMI_STATE, "pkg.publish"),), more=_pulumi_project),
    "version": Program(PULUMI_OWN),
    "whoami about": Program(PULUMI_OWN, does=(("reach", PULUMI_STATE, "cloud.read"),), more=runs("Pulumi.yaml")),
    "stack/ls stack/history stack/tag logs": does(
        "reach", "pulumi state", "cloud.read", PULUMI_OWN + " -a,--all -f,--follow --since= -u"
    ),
    "stack/output stack/export config/get": Program(
        PULUMI_OWN + " --show-secrets --file=write --path", "text?", more=_pulumi_values
    ),
    "preview up update refresh import watch": Program(PULUMI_RUN, "text*", more=_pulumi),
    "destroy down dn": Program(PULUMI_RUN + " --remove", "text*", more=_pulumi),
    "stack/rm": does("send", "pulumi state", "cloud.destroy", PULUMI_OWN + " -y,--yes -f,--force --preserve-config"),
    "stack/init stack/select cancel config/set config/rm": does(
        "change", "pulumi state", "cloud.change", PULUMI_OWN + " --secret --plaintext --path -c,--create -y,--yes"
    ),
}
PULUMI_COMMANDS = nested(PULUMI, PULUMI_OWN, style="")
PULUMI_COMMANDS["config"] = Program(
    PULUMI_OWN + " --show-secrets", commands=PULUMI_COMMANDS["config"].commands, more=_pulumi_values
)


# --- the others ----------------------------------------------------------------------------------------------------


def _vagrant(args: Args) -> Iterator[Fact]:
    """The Vagrantfile is a program; every command runs it."""
    verb = args.name.rpartition(" ")[2]
    yield from args.project(args.name, ("Vagrantfile",))
    if verb == "init":
        yield from args.file("write", Word("Vagrantfile", "Vagrantfile"))
    elif verb not in VAGRANT_LOOKS:
        yield args.effect(
            "change", "virtual machines of the project", "vm.destroy" if verb == "destroy" else "vm.change"
        )
    if verb in ("ssh", "up", "provision", "reload", "rsync"):
        yield args.effect("run", f"{args.name} (in the machine)", "program")


VAGRANT_LOOKS = ("status", "global-status", "version", "port", "ssh-config", "validate", "list")
VAGRANT = (
    "-f,--force --provision --no-provision --provider= --parallel --machine-readable --prune -c,--command="
    " --host= --guest="
)


def _packer(args: Args) -> Iterator[Fact]:
    """A template names plug-ins, which are programs, and even a check starts them."""
    verb = args.name.rpartition(" ")[2]
    for word in args.operands:
        yield from args.file("read", word, deep=True)
    if verb == "build":
        yield args.effect("send", CLOUD, "cloud.change")
    yield from defined(args, args.name, [word.value for word in args.operands if word.value])
    if verb == "init":
        yield args.effect("reach", "packer plugins", "pkg.install")
        yield args.effect("change", "packer plugins", "pkg.install")


PACKER = (
    "-var= -var-file=read -only= -except= -syntax-only -machine-readable -force -color= -on-error="
    " -parallel-builds= -upgrade"
)


def _converging(args: Args) -> Iterator[Fact]:
    """chef, puppet and salt make a machine what files say it should be."""
    for word in args.operands:
        yield from args.act("script", word) if (word.value or "").endswith((".rb", ".pp")) else ()
    yield args.effect("change", "the machine or those it manages", "system.change")
    yield args.effect("run", args.name, "program")
    yield args.gap("what it does stands in files we do not read")


def _facts(args: Args) -> Iterator[Fact]:
    """`puppet facts` shows what is known about this machine; it can also tell a server."""
    verb = args.operands[0].value if args.operands else "show"
    if verb not in ("show", "find", "diff"):
        yield args.effect("send", "the puppet server", "cloud.change")
    if verb not in ("show", "find", "diff", "upload"):
        yield args.gap(f"`{verb or args.operands[0].text}` is not a command we know")


PUPPET = {
    "apply agent": Program(
        "-t,--test --noop -v,--verbose -d,--debug --modulepath= --detailed-exitcodes", "text*", more=_converging
    ),
    "parser": Program("", "text read*"),
    "module": does("change", "puppet modules", "pkg.install", "--version="),
    "facts": Program("", "text*", more=_facts),
    "help": Program("", "text*"),
}
TERRAFORM_OWN = either("-chdir= -version -v -help -h")
TERRAFORM_PROGRAM = Program(TERRAFORM_OWN, commands=nested(TERRAFORM), style="single bare")

PROGRAMS = {
    "terraform": TERRAFORM_PROGRAM,
    "tofu": TERRAFORM_PROGRAM,
    "terragrunt": Program(
        TERRAFORM_OWN,
        commands=nested(TERRAFORM) | dict.fromkeys("run-all run destroy-all apply-all".split(), GRUNT_ALL),
        more=_grunt,
        style="single",
    ),
    "pulumi": Program(PULUMI_OWN, commands=PULUMI_COMMANDS, style="bare"),
    "packer": Program(
        "",
        commands=nested(
            {
                "version": Program(),
                "validate inspect build init": _go(PACKER, "text*", more=_packer),
                "fmt": _go("-check -diff -write[=] -recursive", "text*", more=_formatting),
            }
        ),
        style="bare",
    ),
    "vagrant": Program(
        "",
        commands=nested(
            {
                "status global-status version port ssh-config validate box/list plugin/list up halt reload suspend"
                " resume destroy provision ssh rsync": Program(VAGRANT, "text*", more=_vagrant),
                "box/update plugin/update": Program(
                    VAGRANT + " --box= --architecture= --local",
                    "text*",
                    does=(("reach", "vagrant registry", "pkg.install"), ("change", "vagrant", "pkg.install")),
                    more=_vagrant,
                ),
                "upload": Program("--temporary --compress --compression-type=", "tree text*", more=_vagrant),
                "init": Program("-m,--minimal -f,--force --box-version= --output=write", "text*", more=_vagrant),
            }
        ),
    ),
    "chef-client": Program(
        "-z,--local-mode -o,--override-runlist= -W,--why-run -l,--log_level=", "text*", more=_converging
    ),
    "puppet": Program("", commands=nested(PUPPET), style="bare"),
    "salt": Program("--out= -t,--timeout= -L,--list -G,--grain -E,--pcre -C,--compound", "text*", more=_converging),
}

EXAMPLES = {
    "pulumi down": "send cloud resources of the project #cloud.destroy | run pulumi down #project",
    "terraform version": "maybe reach https://checkpoint-api.hashicorp.com/ | note terraform version",
    "terraform graph": "read ./** | run terraform graph #project",
    "terraform fmt -check -recursive": "read ./**",
    "terraform fmt": "read ./** | write ./**/*.tf*",
    "terraform validate": "read ./** | run terraform validate #project",
    "tofu validate": "read ./** | run tofu validate #project",
    "terragrunt version": "run terragrunt #project | maybe reach https://checkpoint-api.hashicorp.com/"
    " | note terragrunt version",
    "terragrunt --version": "note terragrunt",
    "pulumi whoami": "reach pulumi state #cloud.read | run pulumi whoami #project",
    "pulumi version": "note pulumi version",
    "puppet facts": "note puppet facts",
    "puppet facts upload": "send the puppet server #cloud.change",
    "packer version": "note packer version",
    "terraform plan": "reach cloud resources of the project #cloud.read | read ./** | run terraform plan #project",
    "terraform plan -var 'a=b' -var-file=a -out=b": "read a | write b"
    " | reach cloud resources of the project #cloud.read | read ./** | run terraform plan #project",
    "terraform -chdir=docs plan -out=b": "write b | reach cloud resources of the project #cloud.read | read docs/**"
    " | run terraform plan #project | gap terraform plan: files are named from the folder of -chdir",
    "terraform apply --auto-approve": "send cloud resources of the project #cloud.change | read ./**"
    " | run terraform apply #project",
    "terraform fmt -write false": "read false/** | write false/**/*.tf*",
    "terraform apply -auto-approve": "send cloud resources of the project #cloud.change | read ./**"
    " | run terraform apply #project",
    "terraform apply -destroy": "send cloud resources of the project #cloud.destroy | read ./**"
    " | run terraform apply #project",
    "terraform destroy -target=x": "send cloud resources of the project #cloud.destroy | read ./**"
    " | run terraform destroy #project",
    "terraform init -input=false": "reach terraform registry #pkg.install"
    " | change providers and modules of the project #pkg.install | read ./** | write .terraform/**"
    " | write .terraform.lock.hcl",
    "terraform init -from-module=x": "reach terraform registry #pkg.install"
    " | change providers and modules of the project #pkg.install | read ./** | write .terraform/**"
    " | write .terraform.lock.hcl | gap terraform init: `x` is not understood",
    "terraform show": "reach terraform state #cloud.read | run terraform show #project",
    "terraform show -json a": "reach terraform state #secret.print | run terraform show #project | read a",
    "terraform output": "reach terraform state #cloud.read",
    "terraform output -raw password": "reach terraform state #secret.print",
    "terraform state list": "reach terraform state #cloud.read",
    "terraform state pull": "reach terraform state #secret.print",
    "terraform state rm x": "send terraform state #cloud.destroy",
    "terraform workspace list": "reach terraform state #cloud.read",
    "terraform import x y": "send terraform state #cloud.change | run terraform import #project",
    "terraform force-unlock 1": "send terraform state #cloud.unlock.force",
    "terraform console": "run terraform console #program | gap terraform: subcommand console is not known",
    "terraform providers mirror a": "read ./** | gap terraform providers: `mirror` is one word too many"
    " | gap terraform providers: `a` is one word too many",
    "terraform providers": "read ./**",
    "tofu plan": "reach cloud resources of the project #cloud.read | read ./** | run tofu plan #project",
    "terragrunt run-all destroy": "run terragrunt #project | read ./**"
    " | send cloud resources of the project #cloud.destroy"
    " | gap terragrunt run-all: what it hands on to terraform is not described",
    "terragrunt plan": "run terragrunt #project | reach cloud resources of the project #cloud.read | read ./**"
    " | run terragrunt plan #project",
    "pulumi preview": "reach cloud resources of the project #cloud.read | run pulumi preview #project",
    "pulumi up --yes": "send cloud resources of the project #cloud.change | run pulumi up #project",
    "pulumi destroy -y": "send cloud resources of the project #cloud.destroy | run pulumi destroy #project",
    "pulumi destroy --remove": "send cloud resources of the project #cloud.destroy | run pulumi destroy #project"
    " | delete Pulumi.*.yaml (glob)",
    "pulumi config": "reach pulumi state #cloud.read",
    "pulumi config --show-secrets": "reach pulumi state #secret.print",
    "pulumi install --no-dependencies": "reach package registries #pkg.install"
    " | change plugins and packages of the project #pkg.install | read ./** | run pulumi install #project",
    "pulumi login": "reach pulumi state | change settings for pulumi #cloud.login | write ~/.pulumi/credentials.json",
    "pulumi org --help": "note pulumi org",
    "pulumi policy publish x": "send pulumi state #pkg.publish | read ./** | run pulumi policy publish #project",
    "pulumi policy enable x/y latest": "send pulumi state #cloud.change",
    "vagrant box update --box x": "reach vagrant registry #pkg.install | change vagrant #pkg.install"
    " | run vagrant box update #project | change virtual machines of the project #vm.change",
    "vagrant plugin update": "reach vagrant registry #pkg.install | change vagrant #pkg.install"
    " | run vagrant plugin update #project | change virtual machines of the project #vm.change",
    "vagrant upload --temporary docs /x name": "read docs/** | run vagrant upload #project"
    " | change virtual machines of the project #vm.change",
    "vagrant init x": "run vagrant init #project | write Vagrantfile",
    "pulumi stack ls": "reach pulumi state #cloud.read",
    "pulumi stack output --show-secrets": "reach pulumi state #secret.print",
    "pulumi config get x": "reach pulumi state #cloud.read | reach pulumi state #secret.print",
    "packer validate docs": "read docs/** | run packer validate #project",
    "packer build a": "read a/** | send cloud resources of the project #cloud.change | run packer build #project",
    "packer fmt -check=true docs": "read docs/** | gap packer fmt: option -check takes no value",
    "vagrant status": "run vagrant status #project",
    "vagrant destroy -f": "run vagrant destroy #project | change virtual machines of the project #vm.destroy",
    "vagrant ssh -c 'ls'": "run vagrant ssh #project | change virtual machines of the project #vm.change"
    " | run vagrant ssh (in the machine) #program",
    "chef-client -z": "change the machine or those it manages #system.change | run chef-client #program"
    " | gap chef-client: what it does stands in files we do not read",
    "puppet apply a.pp": "read a.pp | run a.pp #script | change the machine or those it manages #system.change"
    " | run puppet apply #program | gap puppet apply: what it does stands in files we do not read",
    "salt '*' test.ping": "change the machine or those it manages #system.change | run salt #program"
    " | gap salt: what it does stands in files we do not read",
}
