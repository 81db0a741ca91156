"""Other AI agents, and tools that talk to or store models and data: ollama, llm, hf, kaggle, wandb, dvc, mlflow."""

from __future__ import annotations

from assent.commands.config_files import NETRC, kept
from assent.commands.nested import does, nested
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SETTINGS = frozenset(
    "mcp config plugin plugins install update upgrade migrate-installer login logout auth configure extensions skills"
    " setup-token hooks".split()
)
"""First words that change how another agent works instead of starting it."""
UPDATES = frozenset(
    {("claude", "update"), ("opencode", "upgrade"), ("cursor-agent", "update"), ("goose", "update"), ("amp", "update")}
)
OPENCODE_SHOWS = frozenset(
    {("models",), ("models", "--refresh"), ("models", "--verbose"), ("stats",)}
    | {("stats", option, str(count)) for option in ("--days", "--tools") for count in range(1, 101)}
)
"""What only shows something; the plug-ins of the project are loaded before."""


VERSION_LETTERS = {"aider": "--version", "codex": "-V", "goose": "-V", "amp": "-V"}
"""The short spelling of `--version` where it is not `-v`: for aider that means to say more while it works."""
UNGUARDED = frozenset(
    """--dangerously-skip-permissions --allow-dangerously-skip-permissions --yolo -y --dangerously-bypass-hook-trust
    --dangerously-bypass-approvals-and-sandbox --allow-all-tools --allow-all --full-auto --bare --safe-mode --pure
    --approval-mode=yolo --permission-mode=bypassPermissions bypassPermissions yolo --disable-hooks""".split()
)
"""Options that start another agent without its permission checks, or without ours."""
OFF = "disableallhooks"
MOVING = frozenset(
    """HOME XDG_CONFIG_HOME CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME QWEN_HOME OPENCODE_CONFIG OPENCODE_CONFIG_DIR
    OPENCODE_CONFIG_CONTENT GEMINI_CLI_SYSTEM_SETTINGS_PATH""".split()
)
SHOWS = ("list", "ls", "get", "status", "show", "path", "--help", "-h")
SETTINGS_FILES = {
    "claude": ("~/.claude.json", "~/.claude/settings.json", ".mcp.json", ".claude/settings.json"),
    "codex": ("~/.codex/config.toml", "~/.codex/auth.json"),
    "gemini": ("~/.gemini/settings.json", ".gemini/settings.json"),
    "qwen": ("~/.qwen/settings.json", ".qwen/settings.json"),
    "opencode": ("~/.config/opencode/opencode.json", "~/.local/share/opencode/auth.json", "opencode.json"),
    "aider": ("~/.aider.conf.yml",),
    "goose": ("~/.config/goose/config.yaml",),
    "cursor-agent": ("~/.cursor/cli-config.json", ".cursor/mcp.json"),
    "amp": ("~/.config/amp/settings.json",),
    "crush": ("~/.config/crush/crush.json", "crush.json"),
}


def _agent(args: Args) -> Iterator[Fact]:
    """Another agent acts on its own: what it will do nobody can tell from its words."""
    words = tuple(word.value for word in args.operands)
    if any(word in UNGUARDED or OFF in (word or "").lower() for word in words) or _is_moved(args):
        yield args.effect("change", "start another agent without its permission checks", "assent.settings")
    if len(words) == 1 and words[0] in ("--version", VERSION_LETTERS.get(args.name, "-v"), "--help", "-h"):
        return
    first = words[0] if words else ""
    if len(words) == 2 and words[1] in ("--help", "-h") and (first or "").isalpha():
        return
    if (args.name, *words) in UPDATES:
        yield args.effect("reach", f"the makers of {args.name}", "pkg.install")
        yield args.effect("change", f"the program {args.name}", "pkg.install")
        return
    if args.name == "opencode" and words in OPENCODE_SHOWS:
        yield args.effect("run", "plug-ins of opencode", "script")
        yield args.effect("reach", "models.dev", "cloud.read")
        return
    if first in SETTINGS and (len(words) == 1 or words[1] not in SHOWS):
        yield args.effect("change", f"settings of {args.name}", "agent.settings")
        yield from kept(args, "write", *SETTINGS_FILES.get(args.name, ()))
        if any("hook" in (word or "").lower() for word in words):
            yield args.effect("change", "change the hooks that guard another agent", "assent.settings")
    yield args.effect("run", args.name, "agent")
    yield args.effect("send", "the model of another agent", "agent.prompt")
    yield args.gap("another agent does what it decides to")


def _is_moved(args: Args) -> bool:
    """Whether a variable gives it other settings than those in which the hooks stand that guard it."""
    return any(name in MOVING for name, _ in args.call.assignments)


AGENT = Program("", "text*", more=_agent, style="plain")


# --- models --------------------------------------------------------------------------------------------------------


@turns_off("-f")
def _creating_model(args: Args) -> Iterator[Fact]:
    for word in args.values("-f") or [Word("Modelfile", "Modelfile")]:
        yield from args.file("read", word)
    yield args.effect("change", "models of ollama", "model.change")


OLLAMA = {
    "list ls ps": Program(),
    "show": Program("--license --modelfile --parameters --system --template -v,--verbose", "text"),
    "run": Program(
        "--verbose --format= --keepalive= --insecure --nowordwrap --think[=] --hidethinking",
        "text*",
        does=(("reach", "ollama.com", "pkg.install"), ("change", "models of ollama", "model.change")),
    ),
    "pull": Program(
        "--insecure",
        "text",
        does=(("reach", "ollama.com", "pkg.install"), ("change", "models of ollama", "pkg.install")),
    ),
    "push": does("send", "ollama.com", "pkg.publish", "--insecure"),
    "rm": does("change", "models of ollama", "model.destroy", ""),
    "cp stop": does("change", "models of ollama", "model.change", ""),
    "serve start": does("change", "the server of ollama", "service.start", "", ""),
    "create": Program("-f,--file= -q,--quantize=", "text", more=_creating_model),
}


def _prompt(args: Args) -> Iterator[Fact]:
    """llm: settings have their own first words; everything else is a prompt that is sent away."""
    path = tuple(word.value for word in args.operands[:2])
    if path[:1] == ("keys",) and path[1:] == ("get",):
        yield args.effect("note", "a key", "secret.print")
    elif path[:1] in (("install",), ("uninstall",)):
        yield args.effect("reach", "pypi.org", "pkg.install")
        yield args.effect("change", "plug-ins of llm", "pkg.install")
    elif path in LLM_SHOWS or path[:1] == ("plugins",):
        return
    elif path[:2] in (("keys", "set"), ("models", "default"), ("aliases", "set"), ("templates", "edit")):
        yield args.effect("change", "settings of llm", "agent.settings")
        yield from kept(args, "write", "~/.config/io.datasette.llm/keys.json")
    else:
        yield args.effect("send", "a language model", "agent.prompt")
        if path[:1] and path[0] in (
            "keys",
            "models",
            "templates",
            "aliases",
            "embed",
            "embed-multi",
            "collections",
            "logs",
        ):
            yield args.gap(f"`{path[0]}` may change settings or read files")


LLM_SHOWS = frozenset(
    {("models",), ("models", "list"), ("keys",), ("keys", "list"), ("keys", "path"), ("logs", "status")}
    | {("logs", "path"), ("templates", "list"), ("templates", "path"), ("aliases", "list"), ("aliases",), ("logs",)}
    | {("logs", "list"), ("collections", "list")}
)


@turns_off("--cache-dir --local-dir")
def _hub_download(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", "huggingface.co", "pkg.install")
    if not args.has("--local-dir", "--cache-dir"):
        yield args.effect("change", "cache of models", "pkg.install")


def _hub_upload(args: Args) -> Iterator[Fact]:
    yield args.effect("send", "huggingface.co", "pkg.publish")
    for word in args.operands[1:2] or [Word(".", ".")]:
        yield from args.file("read", word, deep=True)


HUB = "--repo-type= --revision= --token= -q,--quiet --include= --exclude= --cache-dir=into --format="
HF = {
    "whoami auth/whoami repo/list models/ls datasets/ls": does("reach", "huggingface.co", "cloud.read", HUB),
    "env version scan-cache cache/scan cache/ls auth/list": Program("--dir=list -v,--verbose"),
    "download": Program(
        HUB + " --local-dir=into --force-download --max-workers= --local-dir-use-symlinks= --resume-download",
        "text*",
        more=_hub_download,
    ),
    "upload upload-large-folder": Program(
        HUB + " --private --commit-message= --commit-description= --create-pr --delete=", "text*", more=_hub_upload
    ),
    "repo/create repo-files": does("send", "huggingface.co", "cloud.change", HUB + " --private -y --type="),
    "repo/delete delete-cache cache/delete cache/rm cache/prune": does(
        "change", "huggingface.co and its cache", "model.destroy", HUB + " -y --yes"
    ),
    "login logout auth/login auth/logout auth/switch": does(
        "change",
        "login of huggingface.co",
        "cloud.login",
        HUB + " --add-to-git-credential",
        files=("~/.cache/huggingface/token",),
    ),
}


@turns_off("-p")
def _kaggle_download(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", "kaggle.com", "cloud.read")
    if not args.has("-p"):
        yield from args.file("write", Word(".", "."), deep=True)


@turns_off("-f -p")
def _kaggle_upload(args: Args) -> Iterator[Fact]:
    yield args.effect("send", "kaggle.com", "pkg.publish")
    if not args.has("-p", "-f"):
        yield from args.file("read", Word(".", "."), deep=True)


KAGGLE = {
    "competitions/list competitions/files competitions/submissions competitions/leaderboard datasets/list"
    " datasets/files"
    " datasets/status kernels/list kernels/files kernels/status models/list models/get": does(
        "reach",
        "kaggle.com",
        "cloud.read",
        "-s,--search= -m,--mine -v,--csv --page= -p= --sort-by= --user= --page-size= -c=",
    ),
    "competitions/download datasets/download kernels/pull kernels/output": Program(
        "-p,--path=into -f,--file= -w --unzip -o,--force -q,--quiet -c= -d= -m", "text?", more=_kaggle_download
    ),
    "competitions/submit datasets/create datasets/version kernels/push models/create": Program(
        "-f,--file=read -m,--message= -p,--path=tree -q,--quiet -c= -u,--public -r= -t", "text?", more=_kaggle_upload
    ),
    "config/view": Program(),
    "config/set config/unset": does(
        "change", "settings of kaggle", "cloud.login", "-n,--name= -v,--value=", files=("~/.config/kaggle/kaggle.json",)
    ),
}
WANDB = {
    "status": Program(),
    "login": does(
        "change",
        "login of wandb",
        "cloud.login",
        "--relogin --host= --verify --cloud --anonymously",
        files=(NETRC,),
    ),
    "offline online enabled disabled init": does(
        "change",
        "settings of wandb",
        "settings.change",
        "-p,--project= -e,--entity=",
        files=("~/.config/wandb/settings",),
    ),
    "sync": Program(
        "--include-offline --include-online --sync-all -p,--project= -e,--entity= --clean --view",
        "tree*",
        does=(("send", "wandb.ai", "cloud.change"),),
    ),
    "artifact/ls artifact/get pull restore": Program(
        "-t,--type= -p,--project= -e,--entity= --root=into -a",
        "text*",
        does=(("reach", "wandb.ai", "cloud.read"), ("change", "files of a run", "pkg.install")),
    ),
    "artifact/put": Program(
        "-n,--name= -d,--description= -t,--type= -a,--alias=", "tree", does=(("send", "wandb.ai", "cloud.change"),)
    ),
}


# --- data and experiments ------------------------------------------------------------------------------------------


def _repro(args: Args) -> Iterator[Fact]:
    """Stages of dvc.yaml are commands."""
    named = [(word.value or "").partition(":")[0] for word in args.operands]
    files = [name for name in named if name.endswith((".yaml", ".yml", ".dvc"))]
    yield from args.project(args.name, (*files, "dvc.yaml", "**/dvc.yaml", "params.yaml", ".dvc/config"))
    yield args.effect("change", "data of the project", "dvc.change")


DVC_OWN = "-q,--quiet -v,--verbose"
DVC_SYNC = (
    DVC_OWN + " -r,--remote= -j,--jobs= -a,--all-branches -T,--all-tags -A,--all-commits -d,--with-deps -R,--recursive"
    " -f,--force --run-cache"
)
DVC_SHOWS = (
    DVC_OWN + " --json --md --show-md -a,--all -T -A -R --targets=read --project --local --global --show-json"
    " --no-pager"
)


def _dvc_status(args: Args) -> Iterator[Fact]:
    if args.has("-c"):
        yield args.effect("reach", "a dvc remote", "dvc.pull")


def _dvc_experiments(args: Args) -> Iterator[Fact]:
    """Those of a git remote, if one is named."""
    for word in args.operands:
        if "://" in (word.value or ""):
            yield from args.act("url", word)
        else:
            yield args.effect("reach", f"the git remote {word.text}")


def _dvc_cache(args: Args) -> Iterator[Fact]:
    """With a folder it says where the cache shall be."""
    if args.operands:
        yield from _dvc_settings(args)


def _dvc_settings(args: Args) -> Iterator[Fact]:
    """Where data comes from and goes to, with the passwords for that."""
    yield args.effect("change", "settings of dvc", "dvc.settings")
    if args.has("--global", "--system"):
        yield from kept(args, "write", "~/.config/dvc/config" if args.has("--global") else "/etc/xdg/dvc/config")
    else:
        name = ".dvc/config.local" if args.has("--local") else ".dvc/config"
        yield from args.file("write", Word(name, name))


DVC = {
    "diff dag version doctor root data/status stage/list exp/show remote/list check-ignore": Program(
        DVC_SHOWS, "text*"
    ),
    "metrics/show metrics/diff params/diff": Program(DVC_SHOWS, "read*"),
    "status": Program(DVC_SHOWS + " -c,--cloud", "text*", more=_dvc_status),
    "exp/list": Program(DVC_SHOWS, "text*", more=_dvc_experiments),
    "cache/dir": Program(DVC_SHOWS, "text*", more=_dvc_cache),
    "add commit checkout move unprotect freeze unfreeze init install": does(
        "change",
        "data of the project",
        "dvc.change",
        DVC_OWN + " -f,--force -R,--recursive --no-commit --no-scm --subdir -q",
    ),
    "pull fetch": Program(
        DVC_SYNC, "text*", does=(("reach", "a dvc remote", "dvc.pull"), ("change", "data of the project", "dvc.change"))
    ),
    "push": does("send", "a dvc remote", "dvc.push", DVC_SYNC),
    "get import get-url import-url": Program(
        DVC_OWN + " -o,--out=write --rev= -f,--force",
        "url text?",
        does=(("change", "data of the project", "dvc.change"),),
    ),
    "repro exp/run": Program(
        DVC_OWN
        + " -f,--force -s,--single-item --dry -S,--set-param= -p,--pipeline -P,--all-pipelines -n,--name= --queue",
        "text*",
        more=_repro,
    ),
    "gc remove destroy exp/remove": does(
        "change",
        "data of the project",
        "dvc.destroy",
        DVC_OWN
        + " -w,--workspace -a,--all-branches -T,--all-tags -A,--all-commits -c,--cloud -f,--force -r,--remote= --outs",
    ),
    "config remote/add remote/modify remote/default remote/remove remote/rename": Program(
        DVC_OWN + " --global --local --project --system -d,--default -f,--force -u,--unset", "text*", more=_dvc_settings
    ),
}


def _mlflow_run(args: Args) -> Iterator[Fact]:
    """The project's MLproject says which command runs; it may also be fetched."""
    for word in args.operands:
        yield from args.reach(word.value or "") if "://" in (word.value or "") else args.file("read", word, deep=True)
    yield from args.project("mlflow run", ("MLproject",))
    yield args.effect("run", "mlflow run", "program")


@turns_off("--mask-envs")
def _mlflow_doctor(args: Args) -> Iterator[Fact]:
    if not args.has("--mask-envs"):
        yield args.effect("note", "the environment", "environment")


MLFLOW = {
    "experiments/search experiments/list runs/list runs/describe experiments/csv": does(
        "reach", "the mlflow server", "cloud.read", "--view= -x,--experiment-id= --experiment-id= --run-id= -v="
    ),
    "doctor": Program("--mask-envs", more=_mlflow_doctor),
    "ui server": does(
        "change", "the mlflow server", "service.start", "-h,--host= -p,--port= --backend-store-uri= --workers="
    ),
    "experiments/create experiments/rename experiments/restore runs/restore": does(
        "change", "the mlflow server", "cloud.change", "-n,--experiment-name= -x,--experiment-id= --run-id="
    ),
    "experiments/delete runs/delete gc": does(
        "change", "the mlflow server", "cloud.destroy", "-x,--experiment-id= --run-id="
    ),
    "run": Program(
        "-P,--param-list= -e,--entry-point= -v,--version= --experiment-name= --env-manager=", "text*", more=_mlflow_run
    ),
}

HUGGING = Program("", commands=nested(HF), style="bare")
PROGRAMS = {
    **dict.fromkeys("claude codex gemini opencode aider goose cursor-agent amp qwen crush".split(), AGENT),
    "ollama": Program("", commands=nested(OLLAMA)),
    "llm": Program(
        "-m,--model= -s,--system= -o,--option= --no-stream -n,--no-log -c,--continue --cid= -x,--extract -q,--query="
        " --json --options --schemas",
        "text*",
        more=_prompt,
    ),
    "hf": HUGGING,
    "huggingface-cli": HUGGING,
    "kaggle": Program("", commands=nested(KAGGLE), style="bare"),
    "wandb": Program("", commands=nested(WANDB), style="bare"),
    "dvc": Program(DVC_OWN, commands=nested(DVC), style="bare"),
    "mlflow": Program("", commands=nested(MLFLOW), style="bare"),
}

EXAMPLES = {
    "claude --version": "note claude",
    "claude -p 'fix it'": "run claude #agent | send the model of another agent #agent.prompt"
    " | gap claude: another agent does what it decides to",
    "claude mcp add x -- ./server": "change settings of claude #agent.settings | write ~/.claude.json | write"
    " ~/.claude/settings.json | write .mcp.json | write .claude/settings.json | run claude #agent | send the"
    " model of another agent #agent.prompt | gap claude: another agent does what it decides to",
    "claude --dangerously-skip-permissions": "change start another agent without its permission checks #assent.settings"
    " | run claude #agent | send the model of another agent #agent.prompt"
    " | gap claude: another agent does what it decides to",
    "codex exec 'do it'": "run codex #agent | send the model of another agent #agent.prompt"
    " | gap codex: another agent does what it decides to",
    "gemini -p x": "run gemini #agent | send the model of another agent #agent.prompt"
    " | gap gemini: another agent does what it decides to",
    "opencode run x": "run opencode #agent | send the model of another agent #agent.prompt"
    " | gap opencode: another agent does what it decides to",
    "aider -v": "run aider #agent | send the model of another agent #agent.prompt"
    " | gap aider: another agent does what it decides to",
    "aider --version": "note aider",
    "codex -V": "note codex",
    "aider --yes a": "run aider #agent | send the model of another agent #agent.prompt"
    " | gap aider: another agent does what it decides to",
    "goose run": "run goose #agent | send the model of another agent #agent.prompt"
    " | gap goose: another agent does what it decides to",
    "cursor-agent": "run cursor-agent #agent | send the model of another agent #agent.prompt"
    " | gap cursor-agent: another agent does what it decides to",
    "amp": "run amp #agent | send the model of another agent #agent.prompt"
    " | gap amp: another agent does what it decides to",
    "qwen": "run qwen #agent | send the model of another agent #agent.prompt"
    " | gap qwen: another agent does what it decides to",
    "crush": "run crush #agent | send the model of another agent #agent.prompt"
    " | gap crush: another agent does what it decides to",
    "ollama list": "note ollama list",
    "ollama run llama3 'hi'": "reach ollama.com #pkg.install | change models of ollama #model.change",
    "ollama rm x": "change models of ollama #model.destroy",
    "ollama create m -f a": "read a | change models of ollama #model.change",
    "llm 'hi'": "send a language model #agent.prompt",
    "llm models": "note llm",
    "llm keys get openai": "note a key #secret.print",
    "llm install x": "reach pypi.org #pkg.install | change plug-ins of llm #pkg.install",
    "hf download x/y": "reach huggingface.co #pkg.install | change cache of models #pkg.install",
    "hf upload me/x docs": "send huggingface.co #pkg.publish | read docs/**",
    "huggingface-cli whoami": "reach huggingface.co #cloud.read",
    "huggingface-cli login": "change login of huggingface.co #cloud.login | write ~/.cache/huggingface/token",
    "kaggle datasets list": "reach kaggle.com #cloud.read",
    "kaggle datasets download x/y": "reach kaggle.com #cloud.read | write ./**",
    "wandb status": "note wandb status",
    "wandb sync docs": "send wandb.ai #cloud.change | read docs/**",
    "dvc status": "note dvc status",
    "dvc status -c": "reach a dvc remote #dvc.pull",
    "dvc exp list": "note dvc exp list",
    "dvc exp list https://a.example/r": "reach https://a.example/r",
    "dvc exp list origin": "reach the git remote origin",
    "dvc metrics show a": "read a",
    "dvc cache dir": "note dvc cache dir",
    "dvc cache dir docs": "change settings of dvc #dvc.settings | write .dvc/config",
    "dvc repro": "run dvc repro #project | change data of the project #dvc.change",
    "dvc push": "send a dvc remote #dvc.push",
    "dvc gc -w -f": "change data of the project #dvc.destroy",
    "mlflow doctor": "note the environment #environment",
    "mlflow doctor --mask-envs": "note mlflow doctor",
    "mlflow ui": "change the mlflow server #service.start",
    "mlflow run docs": "read docs/** | run mlflow run #project | run mlflow run #program",
    "claude update": "reach the makers of claude #pkg.install | change the program claude #pkg.install",
    "opencode models --help": "note opencode",
    "opencode stats --tools 10": "run plug-ins of opencode #script | reach models.dev #cloud.read",
    "claude mcp add x": "change settings of claude #agent.settings | write ~/.claude.json | write"
    " ~/.claude/settings.json | write .mcp.json | write .claude/settings.json | run claude #agent | send the"
    " model of another agent #agent.prompt | gap claude: another agent does what it decides to",
}
