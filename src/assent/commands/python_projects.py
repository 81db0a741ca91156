"""Managers of Python projects and environments: poetry, pdm, hatch and conda."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP, kept
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, inner, makes, packs_here, perhaps, reaches, runs, sends, when, wraps
from assent.commands.python_packages import INSTALLS, PYPI, REMOVES, asks_interpreter
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CONDA = "https://conda.anaconda.org/"

# --- poetry, pdm, hatch --------------------------------------------------------------------------------------------

QUIET = (
    " -h,--help -q,--quiet -V,--version --ansi --no-ansi -n,--no-interaction -v,--verbose -vv -vvv --no-cache"
    " --no-plugins"
)
GROUPS = (
    " --with= --without= --only= --all-groups --all-extras -E,--extras= --only-root --no-root --sync --dry-run"
    " --compile --no-dev --no-directory"
)
POETRY_FILES = ("pyproject.toml", "poetry.lock")
POETRY_CHANGES = both(runs(*POETRY_FILES), reaches(PYPI), makes(*POETRY_FILES))


HARMLESS_KEYS = ("virtualenvs", "installer", "cache-dir", "data-dir", "solver", "system-git", "requests", "keyring.")
CONFIG = {
    "poetry": ("poetry.toml", ("~/.config/pypoetry/config.toml", "~/.config/pypoetry/auth.toml")),
    "pdm": ("pdm.toml", ("~/.config/pdm/config.toml",)),
    "hatch": ("hatch.toml", ("~/.config/hatch/config.toml",)),
}
"""Where each keeps the settings of the project, and those of the user."""


def _plugged(args: Args) -> Iterator[Fact]:
    """poetry and pdm load the plugins they find in the project, whatever they are asked."""
    folder = ".poetry/plugins" if args.name == "poetry" else ".pdm-plugins"
    yield from map(perhaps, args.project(f"plugins of {args.name}", (folder,)))


POETRY_ITSELF = changes("pkg.install", "poetry and its plugins")
POETRY_SOURCES = changes("pkg.settings", "where packages of the project come from")
POETRY = Program(
    QUIET,
    commands={
        "install": Program(f"{QUIET}{GROUPS}", does=INSTALLS, more=POETRY_CHANGES),
        "sync": Program(f"{QUIET}{GROUPS}", does=INSTALLS, more=POETRY_CHANGES),
        "update": Program(f"{QUIET}{GROUPS} --lock", "text*", does=INSTALLS, more=POETRY_CHANGES),
        "add": Program(
            f"{QUIET} -G,--group= -D,--dev -e,--editable -E,--extras= --optional[=] --python= --platform= --source="
            " --allow-prereleases --dry-run --lock",
            "text*",
            does=INSTALLS,
            more=POETRY_CHANGES,
        ),
        "remove": Program(f"{QUIET} -G,--group= -D,--dev --dry-run --lock", "text*", does=REMOVES, more=POETRY_CHANGES),
        "lock": Program(f"{QUIET} --no-update --regenerate --check", more=POETRY_CHANGES),
        "show": Program(
            f"{QUIET}{GROUPS} -t,--tree -l,--latest -o,--outdated -a,--all -T,--top-level --why",
            "text*",
            more=both(when("-l", reaches(PYPI)), when("-o", reaches(PYPI)), asks_interpreter),
        ),
        "check": Program(f"{QUIET} --lock --strict"),
        "version": Program(f"{QUIET} -s,--short --dry-run --next-phase", "text?", more=makes("pyproject.toml")),
        "env": Program(
            QUIET,
            commands={
                "info": Program(f"{QUIET} -p,--path -e,--executable", "text*", more=asks_interpreter),
                "list": Program(f"{QUIET} --full-path", more=asks_interpreter),
                "use": Program(
                    QUIET,
                    "run",
                    does=changes("pkg.environment", "the environment", "~/.cache/pypoetry/virtualenvs/envs.toml"),
                ),
            },
            style="bare",
        ),
        "build": Program(
            f"{QUIET} -f,--format= -o,--output=into --clean",
            more=both(runs("pyproject.toml", "build.py"), packs_here, makes("dist/")),
        ),
        "publish": Program(
            f"{QUIET} -r,--repository= --build --dry-run --skip-existing",
            does=changes("pkg.publish", "a Python package"),
            more=both(when("--build", packs_here), sends("https://upload.pypi.org/")),
        ),
        "run": Program(QUIET, "text*", style="posix", more=wraps("pyproject.toml")),
        "export": Program(
            f"{QUIET}{GROUPS} -f,--format= -o,--output=write --without-hashes --without-urls",
            more=runs("pyproject.toml"),
        ),
        "init": Program(
            f"{QUIET} --name= --description= --author= --python= --dependency= --dev-dependency= -l,--license=",
            more=both(reaches(PYPI), makes("pyproject.toml")),
        ),
        "debug": Program(
            QUIET,
            commands={
                "info": Program(QUIET, more=asks_interpreter),
                "resolve": Program(
                    f"{QUIET} -E,--extras= --python= --tree --install",
                    "text*",
                    more=both(runs(*POETRY_FILES), reaches(PYPI)),
                ),
            },
            style="bare",
        ),
        "self": Program(
            QUIET,
            commands={
                "show": Program(f"{QUIET} -t,--tree --addons", "text*"),
                **dict.fromkeys(
                    ("sync", "install", "update", "lock"),
                    Program(f"{QUIET} --dry-run --sync --preview", "text*", does=POETRY_ITSELF, more=reaches(PYPI)),
                ),
                "add": Program(f"{QUIET} -E,--extras= --dry-run", "text*", does=POETRY_ITSELF, more=reaches(PYPI)),
                "remove": Program(f"{QUIET} --dry-run", "text*", does=POETRY_ITSELF),
            },
            style="bare",
        ),
        "source": Program(
            QUIET,
            commands={
                "show": Program(QUIET, "text*"),
                "add": Program(
                    f"{QUIET} -p,--priority=", "text text?", does=POETRY_SOURCES, more=makes("pyproject.toml")
                ),
                "remove": Program(QUIET, "text", does=POETRY_SOURCES, more=makes("pyproject.toml")),
            },
            style="bare",
        ),
        "search": Program(QUIET, "text*", more=reaches(PYPI)),
        "about": Program(QUIET),
        "list": Program(QUIET),
        "help": Program(QUIET, "text*"),
        "cache": Program(
            QUIET,
            commands={
                "list": Program(QUIET),
                "clear": Program(f"{QUIET} --all", "text*", does=changes("pkg.cache", "the cache of poetry")),
            },
            style="bare",
        ),
        "config": Program(
            f"{QUIET} --list --local --unset --migrate", "text*", more=lambda args: _configured(args, "poetry")
        ),
    },
    more=_plugged,
    style="bare starts",
)


def _configured(args: Args, name: str) -> Iterator[Fact]:
    """A key without a value is shown, and may be a token; a key with a value is set."""
    shown = (args.operands[0].value or "") if args.operands else ""
    if len(args.operands) > 1 or args.has("--unset", "--migrate", "-d", "-e"):
        yield args.effect("change", f"settings of {name}", "pkg.settings")
        local, home = CONFIG[name]
        yield from args.file("write", Word(local, local)) if args.has("--local") else kept(args, "write", *home)
    elif args.operands and not shown.startswith(HARMLESS_KEYS):
        yield args.effect("note", f"a setting of {name}", "secret.print")


def _pdm_interpreter(args: Args) -> Iterator[Fact]:
    """The interpreter of the environment, or the one whose path stands in `.pdm-python`."""
    yield from asks_interpreter(args)
    yield from map(perhaps, args.project("the interpreter of .pdm-python", (".pdm-python",)))


PDM = Program(
    "-h,--help -V,--version -q,--quiet -v,--verbose -n,--non-interactive",
    commands={
        "install": Program(
            "-d,--dev -G,--group= --no-lock --frozen-lockfile --check --prod --no-self -v,--verbose --dry-run",
            does=INSTALLS,
            more=both(runs("pyproject.toml"), reaches(PYPI), makes(".venv/", "pdm.lock")),
        ),
        "add": Program(
            "-d,--dev -G,--group= -e,--editable= --no-sync -v,--verbose",
            "text*",
            does=INSTALLS,
            more=both(runs("pyproject.toml"), reaches(PYPI), makes("pyproject.toml", "pdm.lock")),
        ),
        "remove": Program(
            "-d,--dev -G,--group= --no-sync -v,--verbose",
            "text*",
            does=REMOVES,
            more=both(runs("pyproject.toml"), makes("pyproject.toml", "pdm.lock")),
        ),
        "lock": Program(
            "-d,--dev -G,--group= --check --refresh -v,--verbose",
            more=both(runs("pyproject.toml"), reaches(PYPI), makes("pdm.lock")),
        ),
        "run": Program("-v,--verbose", "text*", style="posix", more=wraps("pyproject.toml")),
        "list": Program(
            "--tree --graph -r,--reverse --freeze --json --csv --markdown --fields= --sort=",
            "text*",
            more=_pdm_interpreter,
        ),
        "info": Program("--python --where --packages --env --json", more=_pdm_interpreter),
        "build": Program(
            "--no-sdist --no-wheel -d,--dest=into", more=both(runs("pyproject.toml"), packs_here, makes("dist/"))
        ),
        "publish": Program(
            "--no-build --skip-existing",
            does=changes("pkg.publish", "a Python package"),
            more=sends("https://upload.pypi.org/"),
        ),
        "config": Program(
            "-l,--local -d,--delete -e,--edit -v,--verbose", "text*", more=lambda args: _configured(args, "pdm")
        ),
        "use": Program(
            "-f,--first -i,--ignore-remembered -v,--verbose --skip --venv= --auto-install-min --auto-install-max",
            "run?",
            does=changes("pkg.environment", "the environment"),
            more=makes(".pdm-python"),
        ),
    },
    more=_plugged,
    style="starts",
)
HATCH = Program(
    "-e,--env= -p,--project=unknown -v,--verbose -q,--quiet -h,--help --version --no-color --color",
    commands={
        "run": Program("", "text*", style="posix", more=wraps("pyproject.toml", "hatch.toml")),
        "test": Program(
            "-c,--cover -a,--all -p,--parallel -py,--python= -r,--randomize",
            "text*",
            more=runs("pyproject.toml", "hatch.toml"),
        ),
        "fmt": Program(
            "-c,--check -l,--linter -f,--formatter",
            "text*",
            more=runs("pyproject.toml", "hatch.toml"),
        ),
        "build": Program(
            "-t,--target= -c,--clean",
            "into?",
            more=both(runs("pyproject.toml", "hatch.toml"), packs_here, makes("dist/")),
        ),
        "version": Program("", "text?", more=runs("pyproject.toml", "hatch.toml")),
        "publish": Program(
            "-n,--no-prompt -y,--yes",
            "read*",
            does=changes("pkg.publish", "a Python package"),
            more=sends("https://upload.pypi.org/"),
        ),
        "status": Program(""),
        "config": Program(
            "",
            commands={
                "set": Program("", "text*", more=lambda args: _configured(args, "hatch")),
                "find": Program(),
                "explore": Program("", does=(("run", "the file manager", "program"),)),
                "show": Program("-a,--all", does=(("note", "the settings of hatch", "secret.print"),)),
            },
            style="bare",
        ),
    },
    style="bare",
)


def _in_environment(args: Args) -> Iterator[Fact]:
    """A command that is found in the environment first, so it may be another one than its name says."""
    yield from inner(args, args.operands)


# --- conda ---------------------------------------------------------------------------------------------------------

IN_ENVIRONMENT = " -n,--name= -p,--prefix=tree -h,--help --json -q,--quiet -v,--verbose --offline --debug"
CHANGES_ENVIRONMENT = IN_ENVIRONMENT.replace("--prefix=tree", "--prefix=into")
DROPS_ENVIRONMENT = IN_ENVIRONMENT.replace("--prefix=tree", "--prefix=wipe")
FETCHES = (
    f"{CHANGES_ENVIRONMENT} -y,--yes -c,--channel= --override-channels --dry-run -d --file=read --no-deps --solver="
    " --strict-channel-priority --no-channel-priority --download-only --freeze-installed -S,--satisfied-skip-solve"
    " --copy --use-local --insecure -k --clone= --no-default-packages"
)
CONDA_CHANGES = Program(
    f"{FETCHES} --all -a --update-all --force-reinstall --prune --revision=",
    "text*",
    does=INSTALLS,
    more=reaches(CONDA),
)
CONDA_REMOVES = Program(
    f"{DROPS_ENVIRONMENT} -y,--yes --all -a --force --dry-run -d --file=read -c,--channel=", "text*", does=REMOVES
)


def _channels(args: Args) -> Iterator[Fact]:
    if args.has("--unsafe-channels"):
        yield args.effect("note", "addresses of channels with their passwords", "secret.print")


def _conda_settings(args: Args) -> Iterator[Fact]:
    """Channels and proxies of every later call."""
    if args.has("--add", "--append", "--prepend", "--set", "--remove", "--remove-key", "--write-default", "--stdin"):
        yield args.effect("change", "settings of conda", "pkg.settings")
        for word in args.values("--file"):
            yield from args.file("write", word)
        if not args.has("--file"):
            yield from kept(args, "write", "~/.condarc")


@turns_off("-u -w")
def _packs(args: Args) -> Iterator[Fact]:
    """Puts files of the environment that no package owns into a package here, unless it only asks."""
    if not args.has("-u", "-w"):
        yield from makes("*.tar.bz2")(args)


CONDA_PROGRAM = Program(
    "-h,--help -V,--version -v,--verbose --no-plugins",
    commands={
        "install": CONDA_CHANGES,
        "create": CONDA_CHANGES,
        "update": CONDA_CHANGES,
        "upgrade": CONDA_CHANGES,
        "remove": CONDA_REMOVES,
        "uninstall": CONDA_REMOVES,
        "list": Program(
            f"{IN_ENVIRONMENT} -f,--full-name -c,--canonical -e,--export --explicit --md5 -r,--revisions --no-pip"
            " --show-channel-urls",
            "text*",
        ),
        "info": Program(
            f"{IN_ENVIRONMENT} -a,--all --base -e,--envs -s,--system --unsafe-channels", "text*", more=_channels
        ),
        "search": Program(
            f"{IN_ENVIRONMENT} -c,--channel= --override-channels --info -i --subdir= --envs",
            "text*",
            more=reaches(CONDA),
        ),
        "repoquery": Program(
            "",
            commands={
                "search": Program("-c,--channel= --json -q,--quiet", "text*", more=reaches(CONDA)),
                "depends": Program("-c,--channel= --tree -t --recursive", "text*", more=reaches(CONDA)),
                "whoneeds": Program("-c,--channel= --tree -t --recursive", "text*", more=reaches(CONDA)),
            },
            style="bare",
        ),
        "activate": Program(
            "--stack --no-stack", "text?", does=changes("shell.environment", "the environment of the shell")
        ),
        "deactivate": Program("", does=changes("shell.environment", "the environment of the shell")),
        "run": Program(
            "-n,--name= -p,--prefix=tree --no-capture-output --live-stream -v,--verbose --cwd=unknown",
            "text*",
            style="posix",
            more=_in_environment,
        ),
        "clean": Program(
            f"{IN_ENVIRONMENT} -a,--all -i,--index-cache -t,--tarballs --packages -l,--logfiles -y,--yes -f"
            " --force-pkgs-dirs",
            does=changes("pkg.cache", "the cache of conda"),
        ),
        "config": Program(
            f"{IN_ENVIRONMENT} --show[=] --show-sources --get[=] --describe[=] --validate --system --env --file="
            " --add= --append= --prepend= --set= --remove= --remove-key= --write-default --stdin --force",
            "text*",
            more=_conda_settings,
        ),
        "compare": Program(IN_ENVIRONMENT, "read"),
        "package": Program(
            f"{IN_ENVIRONMENT} -u,--untracked -w,--which= --pkg-name= --pkg-version= --pkg-build=", more=_packs
        ),
        "env": Program(
            "-h,--help",
            commands={
                "list": Program(IN_ENVIRONMENT),
                "export": Program(
                    f"{IN_ENVIRONMENT} -f,--file=write --from-history --no-builds --ignore-channels -c,--channel="
                ),
                "create": Program(
                    f"{CHANGES_ENVIRONMENT} -f,--file=read -y,--yes --force -d,--dry-run --solver=",
                    "text*",
                    does=INSTALLS,
                    more=reaches(CONDA, PYPI),
                ),
                "update": Program(
                    f"{CHANGES_ENVIRONMENT} -f,--file=read --prune --solver=",
                    "text*",
                    does=INSTALLS,
                    more=reaches(CONDA, PYPI),
                ),
                "remove": Program(f"{DROPS_ENVIRONMENT} -y,--yes", does=REMOVES),
                "config": Program(
                    "-h,--help",
                    commands={
                        "vars": Program(
                            "-h,--help",
                            commands={
                                "list": Program(IN_ENVIRONMENT),
                                **dict.fromkeys(
                                    ("set", "unset"),
                                    Program(
                                        IN_ENVIRONMENT,
                                        "text*",
                                        does=changes("shell.startup", "variables of the environment", "~/.conda"),
                                    ),
                                ),
                            },
                            style="bare",
                        )
                    },
                    style="bare",
                ),
            },
            style="bare",
        ),
        "shell": Program(
            "-s,--shell= -r,--root-prefix=into -p,--prefix=into",
            "text*",
            does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP),
        ),
        "init": Program(
            "-a,--all -d,--dry-run --reverse --user --no-user --system --help",
            "text*",
            does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP),
        ),
    },
    style="bare",
)

PROGRAMS = {
    "poetry": POETRY,
    "pdm": PDM,
    "hatch": HATCH,
    "conda": CONDA_PROGRAM,
    "mamba": CONDA_PROGRAM,
    "micromamba": CONDA_PROGRAM,
}

EXAMPLES = {
    "conda env remove -p out": "delete out/** | change Python packages #pkg.remove",
    "poetry": "maybe run plugins of poetry #project | note poetry",
    "poetry --version": "maybe run plugins of poetry #project | note poetry",
    "poetry env list": "maybe run plugins of poetry #project | note poetry env list"
    " | maybe run .venv/bin/python #script | maybe run /.venv/bin/python #script",
    "poetry about": "maybe run plugins of poetry #project | note poetry about",
    "pdm --version": "maybe run plugins of pdm #project | note pdm",
    "pdm list": "maybe run plugins of pdm #project | note pdm list | maybe run .venv/bin/python #script"
    " | maybe run /.venv/bin/python #script | maybe run the interpreter of .pdm-python #project",
    "pdm info --help": "maybe run plugins of pdm #project | note pdm info",
    "hatch -p ../x status": "note hatch status | maybe read ../x | gap hatch: `../x` is not understood",
    "conda list -p ../x": "read ../x/**",
    "conda info": "note conda info",
    "conda info --unsafe-channels": "note addresses of channels with their passwords #secret.print",
    "conda install -p out x": "write out/** | change Python packages #pkg.install | reach https://conda.anaconda.org/",
    "conda env config vars set a=b": "change variables of the environment #shell.startup | write ~/.conda",
    "conda env config vars list": "note conda env config vars list",
    "conda package --untracked": "note conda package",
    "conda package --pkg-build 1": "write *.tar.bz2 (glob)",
    "conda package --reset": "write *.tar.bz2 (glob) | gap conda package: option --reset is not known",
    "poetry init --help": "maybe run plugins of poetry #project | note poetry init",
    "poetry init --name a": "maybe run plugins of poetry #project | reach https://pypi.org/ | write pyproject.toml",
    "poetry debug resolve": "maybe run plugins of poetry #project | run poetry debug resolve #project"
    " | reach https://pypi.org/",
    "poetry self sync": "maybe run plugins of poetry #project | change poetry and its plugins #pkg.install"
    " | reach https://pypi.org/",
    "poetry source remove x": "maybe run plugins of poetry #project"
    " | change where packages of the project come from #pkg.settings | write pyproject.toml",
    "pdm --help": "maybe run plugins of pdm #project | note pdm",
    "conda run -n a rm x": "run rm x #program | delete x",
    "poetry install": "maybe run plugins of poetry #project | change Python packages #pkg.install"
    " | run poetry install #project | reach https://pypi.org/ | write pyproject.toml | write poetry.lock",
    "poetry add -G dev pytest": "maybe run plugins of poetry #project | change Python packages #pkg.install"
    " | run poetry add #project | reach https://pypi.org/ | write pyproject.toml | write poetry.lock",
    "poetry show --tree": "maybe run plugins of poetry #project | note poetry show"
    " | maybe run .venv/bin/python #script | maybe run /.venv/bin/python #script",
    "poetry run pytest": "maybe run plugins of poetry #project | run poetry run #project | run pytest #program"
    " | run pytest #project",
    "poetry run rm -rf src": "maybe run plugins of poetry #project | run poetry run #project"
    " | run rm -rf src #program | delete src/**",
    "poetry publish --build": "maybe run plugins of poetry #project | change a Python package #pkg.publish | read"
    " ./** | send https://upload.pypi.org/",
    "poetry config --list": "maybe run plugins of poetry #project | note poetry config",
    "poetry config pypi-token.pypi x": "maybe run plugins of poetry #project | change settings of poetry"
    " #pkg.settings | write ~/.config/pypoetry/config.toml | write ~/.config/pypoetry/auth.toml",
    "poetry check": "maybe run plugins of poetry #project | note poetry check",
    "pdm install": "maybe run plugins of pdm #project | change Python packages #pkg.install"
    " | run pdm install #project | reach https://pypi.org/ | write .venv/** | write pdm.lock",
    "pdm run pytest": "maybe run plugins of pdm #project | run pdm run #project | run pytest #program"
    " | run pytest #project",
    "hatch run test": "run hatch run #project | run test #program | note test",
    "hatch build": "run hatch build #project | read ./** | write dist/**",
    "conda list": "note conda list",
    "conda env list": "note conda env list",
    "conda install -c conda-forge numpy -y": "change Python packages #pkg.install | reach https://conda.anaconda.org/",
    "conda create -n x python=3.10 -y": "change Python packages #pkg.install | reach https://conda.anaconda.org/",
    "conda activate x": "change the environment of the shell #shell.environment",
    "conda env create -f environment.yml": "read environment.yml | change Python packages #pkg.install"
    " | reach https://conda.anaconda.org/ | reach https://pypi.org/",
    "conda run -n x ls": "run ls #program | list .",
    "conda init zsh": "change the startup files of the shell #shell.startup | write ~/.bashrc | write ~/.zshrc | write"
    " ~/.profile | write ~/.config/fish/config.fish",
    "conda config --add channels x": "change settings of conda #pkg.settings | write ~/.condarc",
    "mamba update --all": "change Python packages #pkg.install | reach https://conda.anaconda.org/",
    "micromamba list": "note micromamba list",
}
