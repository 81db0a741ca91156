"""Programs that start others: again and again, on a change, in a workflow, or with other versions and settings."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP, kept
from assent.commands.launchers import text_run
from assent.commands.mounts import power
from assent.commands.nested import does, nested
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import defined, spelled
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

HERE = Word(".", ".")
TOOLS = "where tools come from"
DIRENV_TRUST = "~/.local/share/direnv/allow"


def _hyperfine(args: Args) -> Iterator[Fact]:
    """Every operand is a command line for a shell, and so are the values of some options."""
    for word in (*args.operands, *args.values("-p", "-s", "-c", "-C", "-S")):
        if word.value is None:
            yield args.gap(f"a command is not known ({word.why})", blind=True)
        else:
            yield args.effect("run", word.value, "inline")
    yield args.gap("what the commands touch is not followed", blind=True)


def _repeating(args: Args) -> Iterator[Fact]:
    """`entr`, `watchexec`: a command that is run whenever files change."""
    if args.operands:
        text = args.operands[0].value or ""
        whole = len(args.operands) == 1 and " " in text
        yield args.effect("run", text if whole else spelled(args.operands), "inline" if whole else "program")
    yield args.gap("what the command touches is not followed", blind=True)


@turns_off("-l -g -n -W")
def _act(args: Args) -> Iterator[Fact]:
    """The workflows of the project, in containers; `-l` and `-g` only show them, `-n` fetches what they use."""
    for word in args.values("-W") or [Word(".github/workflows", ".github/workflows")]:
        yield from args.file("read", word, deep=True)
    if args.has("-n") and not args.has("-l", "-g"):
        yield args.effect("reach", "where actions come from", "pkg.install")
    if args.has("-l", "-g", "-n"):
        return
    workflows = (".github/workflows/*.yml", ".github/workflows/*.yaml", ".actrc")
    yield from defined(args, "act", workflows, named=[word.value for word in args.values("-W") if word.value])
    yield args.effect("change", "a container", "docker.run")
    yield args.effect("reach", "image registry", "docker.pull")
    for name in ("--privileged", "-b", "--container-options"):
        if args.has(name):
            yield power(args, name)


def _inner(args: Args) -> Iterator[Fact]:
    words = args.operands[1:] if args.name == "direnv exec" else args.operands
    while words and args.name.startswith("mise") and "@" in (words[0].value or ""):
        words = words[1:]
    yield from text_run(args, "-c")
    if words or not args.has("-c"):
        yield args.effect("run", spelled(words) or args.name, "program")
    yield args.gap("what the command touches is not followed", blind=True)


def _tasks(args: Args) -> Iterator[Fact]:
    yield from args.project(
        args.name, ("mise.toml", ".mise.toml", "mise.local.toml", ".config/mise.toml", "mise-tasks/*", ".mise/tasks/*")
    )


@turns_off("-g -u")
def _tool_versions(args: Args) -> Iterator[Fact]:
    """Which version a folder uses stands in a file there."""
    yield args.effect("change", "versions of tools", "settings.change")
    name = "mise.toml" if args.name.startswith("mise") else ".tool-versions"
    if args.name.endswith("global") or args.has("-g", "-u"):
        yield from kept(args, "write", "~/.config/mise/config.toml" if name == "mise.toml" else "~/.tool-versions")
    elif args.has("-p") and name == ".tool-versions":  # in a folder above
        yield from args.file("write", Word(f"../{name}", f"../{name}"))
    elif not args.has("-p"):
        yield from args.file("write", Word(name, name))
    if args.name.startswith("mise"):
        yield args.effect("reach", TOOLS, "pkg.install")


def _allowing(args: Args) -> Iterator[Fact]:
    """From now on the shell runs the `.envrc` by itself."""
    for word in args.operands or [Word(".envrc", ".envrc")]:
        yield from args.file("read", word)
        yield args.effect("run", word.text, "script")
    yield args.effect("change", "trust of direnv", "trust.change")
    yield from kept(args, "write", DIRENV_TRUST)


@turns_off("-d -t -n")
def _stowing(args: Args) -> Iterator[Fact]:
    """Links of a package are made or removed in the target, which is the folder above unless it is named."""
    for word in args.values("-d") or [HERE]:
        yield from args.file("list", word, deep=True)
    if args.has("-n"):
        return
    for word in args.values("-t") or [Word("..", "..")]:
        yield from args.file("write", word, deep=True)
    if args.has("--adopt"):
        yield from args.file("write", HERE, deep=True)


@turns_off("-d -s")
def _hugo(args: Args) -> Iterator[Fact]:
    """Builds a site from the folder it runs in."""
    if len(args.operands) == 1 and args.operands[0].value in ("version", "env"):
        return
    yield from args.project("hugo", ("hugo.toml", "config.toml", "layouts"))
    for word in args.values("-s") or [HERE]:
        yield from args.file("read", word, deep=True)
    if args.operands and args.operands[0].value in ("server", "serve"):
        yield args.effect("change", "a web server on this machine", "service.start")
    elif args.operands and args.operands[0].value in ("list", "config"):
        return
    elif args.operands and args.operands[0].value in ("new", "mod", "deploy", "import", "convert", "gen"):
        yield from args.file("write", HERE, deep=True)
        yield args.gap("it may fetch, send or make files")
    elif not args.has("-d"):
        yield from args.file("write", Word("public", "public"), deep=True)


def _jekyll(args: Args) -> Iterator[Fact]:
    """The site's plug-ins are programs."""
    if (
        args.operands
        and args.operands[0].value in ("help", "--version", "--help", "-v", "-h")
        and not args.operands[1:]
    ):
        return
    yield from defined(args, "jekyll", ("_config.yml", "_config.toml", "Gemfile", "_plugins/**/*.rb"))
    yield from args.file("read", HERE, deep=True)
    yield from args.file("write", Word("_site", "_site"), deep=True)


DOTFILES = "files in the home folder"
YADM = {
    "list status ls-files introspect version": Program("-a --oneline -n= --stat --short -s --cached", "text*"),
    "add rm commit checkout reset stash merge clone init pull push alt perms encrypt decrypt config": does(
        "change", DOTFILES, "dotfiles.change", "-m= -a -f -w= --bootstrap --no-bootstrap", files=SHELL_STARTUP
    ),
    "bootstrap enter git-crypt transcrypt gitconfig": Program("", "text*", more=_inner),
}


def _templates(args: Args) -> Iterator[Fact]:
    yield args.gap("templates of dotfiles may run programs")


def _other_dotfiles(args: Args) -> Iterator[Fact]:
    """Which files are managed is a template, too; those of another folder may be anybody's."""
    if args.has("-S") or (args.parent is not None and args.parent.has("-S")):
        yield from _templates(args)
    if args.name.endswith(" doctor"):
        yield from args.reach("https://api.github.com/")


CHEZMOI_OWN = (
    "-v,--verbose --no-pager --color= -n,--dry-run -S,--source= -D,--destination= -i,--include= -x,--exclude="
    " --force -R,--refresh-externals[=]"
)
CHEZMOI = {
    "managed unmanaged ignored source-path target-path doctor cat-config": Program(
        CHEZMOI_OWN, "text*", more=_other_dotfiles
    ),
    "license help": Program(CHEZMOI_OWN, "text*"),
    "status diff cat dump data verify": Program(CHEZMOI_OWN + " --format= -r", "text*", more=_templates),
    "add re-add edit forget chattr merge import unmanage": does(
        "change", DOTFILES, "dotfiles.change", CHEZMOI_OWN, files=("~/.local/share/chezmoi",)
    ),
    "apply init update": Program(
        CHEZMOI_OWN + " --apply --ssh --branch= -k,--keep-going",
        "text*",
        does=(*changes("dotfiles.change", DOTFILES, *SHELL_STARTUP), ("run", "scripts of dotfiles", "program")),
    ),
    "destroy purge": does("change", DOTFILES, "dotfiles.destroy", CHEZMOI_OWN, files=("~/.local/share/chezmoi",)),
}
INSTALL = (("reach", TOOLS, "pkg.install"), ("change", "tools of this user", "pkg.install"))


def _agreeing(args: Args) -> Iterator[Fact]:
    if args.has("-y"):
        yield args.gap("it trusts the settings of the project, which may run programs")


def _asks_for_versions(args: Args) -> Iterator[Fact]:
    """Which versions there are is known where the tools come from; `asdf list all` asks there, too."""
    yield from _agreeing(args)
    first = args.operands[0].value if args.operands else ""
    if not args.name.endswith(" list") or first is None or first == "all":
        yield args.effect("reach", TOOLS, "pkg.install")


MISE_OWN = "-q,--quiet -v,--verbose -y,--yes -C,--cd=unknown -E,--env="
MISE_SHOWS = MISE_OWN + " -J,--json -c,--current -i,--installed --missing -m --no-header --prefix="
MISE = {
    "ls list current where which version bin-paths registry plugins/ls plugins/list settings/ls settings/get config/ls"
    " tasks/ls tasks/info alias/ls": Program(MISE_SHOWS, "text*", more=_agreeing),
    "outdated latest ls-remote doctor": Program(MISE_SHOWS, "text*", more=_asks_for_versions),
    "env": does("note", "environment variables", "environment", MISE_OWN + " -s,--shell= -J,--json -D,--dotenv"),
    "install upgrade up plugins/install self-update": Program(
        MISE_OWN + " -f,--force -j,--jobs= -n,--dry-run -l,--bump", "text*", does=INSTALL
    ),
    "use set unset": Program(
        MISE_OWN + " -g,--global -p,--path=write -f,--force --pin --fuzzy", "text*", more=_tool_versions
    ),
    "uninstall prune implode": does("change", "tools of this user", "pkg.remove", MISE_OWN + " -a,--all -n,--dry-run"),
    "trust": does(
        "change",
        "trust of mise",
        "trust.change",
        MISE_OWN + " -a,--all --show --untrust",
        files=("~/.local/state/mise/trusted-configs",),
    ),
    "settings/set settings/add settings/unset config/set alias/set alias/unset": does(
        "change", "settings of mise", "settings.change", MISE_OWN + " -l,--local", files=("~/.config/mise/config.toml",)
    ),
    "activate": Program(MISE_OWN + " --shims --status", "text?"),
    "run r tasks/run": Program(MISE_OWN + " -j,--jobs= -n,--dry-run -f,--force", "text*", more=_tasks, style="posix"),
    "exec x": Program(MISE_OWN + " -c,--command= -j,--jobs=", "text*", more=_inner),
}
ASDF = {
    "current where which info version help plugin-list": Program("--no-header", "text*"),
    "list latest list-all plugin/list": Program("--no-header --urls --refs --all", "text*", more=_asks_for_versions),
    "install plugin/add plugin/update plugin-add update": Program("--all", "text*", does=INSTALL),
    "set global local": Program("-u,--home -p,--parent", "text*", more=_tool_versions),
    "uninstall plugin/remove": does("change", "tools of this user", "pkg.remove", ""),
    "reshim": does("change", "tools of this user", "pkg.install", ""),
    "exec env": Program("", "text*", more=_inner, style="posix"),
}
DIRENV = {
    "status version help show_dump stdlib hook": Program("--json", "text*"),
    "allow permit grant": Program("", "text?", more=_allowing),
    "deny block revoke reload prune": does("change", "trust of direnv", "trust.change", "", files=(DIRENV_TRUST,)),
    "export dump": does("note", "environment variables", "environment", ""),
    "exec edit": Program("", "text*", more=_inner, style="posix"),
}

PROGRAMS = {
    "hyperfine": Program(
        "-w,--warmup= -m,--min-runs= -M,--max-runs= -r,--runs= -s,--setup= -p,--prepare= -C,--conclude= -c,--cleanup="
        " -P,--parameter-scan= -D,--parameter-step-size= -L,--parameter-list= -S,--shell= -N -i,--ignore-failure"
        " --style="
        " --sort= -u,--time-unit= --export-asciidoc=write --export-csv=write --export-json=write"
        " --export-markdown=write"
        " --export-orgmode=write --show-output --input=read -n,--command-name=",
        "text*",
        more=_hyperfine,
    ),
    "watchexec": Program(
        "-w,--watch=list -e,--exts= -f,--filter= -i,--ignore= -r,--restart -c,--clear[=] -q,--quiet -n -d,--debounce="
        " -1",
        "text*",
        more=_repeating,
        style="posix",
    ),
    "entr": Program("-a -c -d -n -p -r -s -x -z", "text*", more=_repeating, style="posix"),
    "act": Program(
        "-l,--list -g,--graph -n,--dryrun -j,--job= -W,--workflows= -e,--eventpath=read -s,--secret= --secret-file=read"
        " --env= --env-file=read --var= --var-file=read --input= -P,--platform= --container-architecture="
        " -v,--verbose -q"
        " -r,--reuse --rm -b,--bind --privileged --container-options= --matrix= --pull[=] --json",
        "text?",
        more=_act,
    ),
    "direnv": Program("", commands=nested(DIRENV), style="bare"),
    "mise": Program(MISE_OWN, commands=nested(MISE), more=_agreeing, style="bare"),
    "asdf": Program("", commands=nested(ASDF), style="bare"),
    "stow": Program(
        "-d,--dir= -t,--target= -S,--stow -D,--delete -R,--restow -n,--no,--simulate -v,--verbose[=] --adopt"
        " --no-folding"
        " --dotfiles --ignore= --defer= --override= -V,--version",
        "text*",
        more=_stowing,
    ),
    "yadm": Program("", commands=nested(YADM), style="bare"),
    "chezmoi": Program(CHEZMOI_OWN, commands=nested(CHEZMOI), style="bare"),
    "hugo": Program(
        "-D,--buildDrafts -F,--buildFuture -E,--buildExpired -d,--destination=into -s,--source= --minify --gc"
        " -b,--baseURL="
        " -p,--port= --bind= -v,--verbose --quiet --disableFastRender --navigateToChanged -w,--watch -t,--theme= -e="
        " --environment="
        " --cleanDestinationDir --logLevel= --panicOnWarning --noHTTPCache",
        "text*",
        more=_hugo,
    ),
    "jekyll": Program(
        "-d,--destination=into -s,--source=tree --config=read --drafts --future -w,--watch --incremental -P,--port="
        " -H,--host="
        " -l,--livereload -V,--verbose -t,--trace --baseurl= -q,--quiet",
        "text*",
        more=_jekyll,
    ),
}

EXAMPLES = {
    "act -n": "read .github/workflows/** | reach where actions come from #pkg.install",
    "chezmoi managed -S docs": "note chezmoi managed | gap chezmoi managed: templates of dotfiles may run programs",
    "chezmoi -S docs managed": "note chezmoi managed | gap chezmoi managed: templates of dotfiles may run programs",
    "chezmoi doctor": "reach https://api.github.com/",
    "mise ls -y": "note mise ls | gap mise ls: it trusts the settings of the project, which may run programs",
    "mise -y ls": "note mise ls | gap mise: it trusts the settings of the project, which may run programs",
    "mise outdated": "reach where tools come from #pkg.install",
    "mise ls-remote node": "reach where tools come from #pkg.install",
    "asdf latest python": "reach where tools come from #pkg.install",
    "asdf list all python": "reach where tools come from #pkg.install",
    "asdf list-all python": "reach where tools come from #pkg.install",
    "asdf plugin list": "note asdf plugin list",
    "hyperfine 'ls -la' 'rm -rf x'": "run ls -la #inline | run rm -rf x #inline"
    " | blind hyperfine: what the commands touch is not followed",
    "hyperfine --prepare 'make clean' -r 3 make": "run make #inline | run make clean #inline"
    " | blind hyperfine: what the commands touch is not followed",
    'hyperfine "$X"': "note hyperfine | blind hyperfine: a word is not known (variable X) | blind hyperfine:"
    " a command is not known (variable X) | blind hyperfine: what the commands touch is no"
    "t followed",
    "watchexec -e py pytest": "run pytest #program | blind watchexec: what the command touches is not followed",
    "ls | entr make": "list . | run make #program | blind entr: what the command touches is not followed",
    "act -l": "read .github/workflows/**",
    "act push -j test": "read .github/workflows/** | run act #project | change a container #docker.run"
    " | reach image registry #docker.pull",
    "direnv exec . rm x": "run rm x #program | blind direnv exec: what the command touches is not followed",
    "mise exec node@20 -- rm x": "run rm x #program | blind mise exec: what the command touches is not followed",
    "mise exec -c 'rm x'": "run rm x #inline | blind mise exec: what the command touches is not followed",
    "hyperfine 'cat /home/u/.ssh/id_rsa'": "run cat /home/u/.ssh/id_rsa #inline | maybe read /home/u/.ssh/id_rsa"
    " | blind hyperfine: what the commands touch is not followed",
    "ls | entr -s 'rm x'": "list . | run rm x #inline | blind entr: what the command touches is not followed",
    "asdf exec rm x": "run rm x #program | blind asdf exec: what the command touches is not followed",
    "direnv status": "note direnv status",
    "direnv allow": "read .envrc | run .envrc #script | change trust of direnv #trust.change | write"
    " ~/.local/share/direnv/allow",
    "direnv export bash": "note environment variables #environment",
    "direnv dump": "note environment variables #environment",
    "mise ls": "note mise ls",
    "mise install node@20": "reach where tools come from #pkg.install | change tools of this user #pkg.install",
    "mise trust": "change trust of mise #trust.change | write ~/.local/state/mise/trusted-configs",
    "mise run build": "run mise run #project",
    "mise x -- node a.js": "run node a.js #program | blind mise x: what the command touches is not followed",
    "mise use node@20": "change versions of tools #settings.change | write mise.toml"
    " | reach where tools come from #pkg.install",
    "asdf list": "note asdf list",
    "asdf install python 3.11": "reach where tools come from #pkg.install | change tools of this user #pkg.install",
    "asdf local python 3.11": "change versions of tools #settings.change | write .tool-versions",
    "stow docs": "list ./** | write ../**",
    "stow -n docs": "list ./**",
    "stow -t /tmp/x docs": "list ./** | write /tmp/x/**",
    "yadm status": "note yadm status",
    "yadm bootstrap": "run yadm bootstrap #program | blind yadm bootstrap: what the command touches is not followed",
    "chezmoi diff": "note chezmoi diff | gap chezmoi diff: templates of dotfiles may run programs",
    "chezmoi apply": "change files in the home folder #dotfiles.change | write ~/.bashrc | write ~/.zshrc | write"
    " ~/.profile | write ~/.config/fish/config.fish | run scripts of dotfiles #program",
    "chezmoi managed": "note chezmoi managed",
    "hugo version": "note hugo",
    "hugo": "run hugo #project | read ./** | write public/**",
    "hugo server -D": "run hugo #project | read ./** | change a web server on this machine #service.start",
    "jekyll build": "run jekyll #project | read ./** | write _site/**",
}
