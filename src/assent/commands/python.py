"""Python: code on the command line, from a file, from standard input, and modules started with `-m`."""

from __future__ import annotations

from assent.commands.interpreters import from_input, script
from assent.commands.program import Program, changes, options_of, turns_off
from assent.commands.projects import only_asks, perhaps, reaches, runs_named, sources
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PYPI = "https://pypi.org/"

# --- the interpreter -----------------------------------------------------------------------------------------------

OPTIONS = (
    "-b -B -d -E -h,--help,-? -i -I -O -P -q -R -s -S -u -v -V,--version -x -W= -X= -c=code -m=choice"
    " --check-hash-based-pycs= --help-env --help-xoptions --help-all"
)
INTERPRETER = Program(OPTIONS)
SAFE_X = (
    "dev utf8 importtime faulthandler tracemalloc frozen_modules int_max_str_digits no_debug_ranges showrefcount"
    " warn_default_encoding perf cpu_count gil"
).split()


def _python(args: Args) -> Iterator[Fact]:
    """Everything behind `-c CODE`, `-m MODULE` or the script belongs to what runs: cut it off first."""
    words = tuple(args.operands)
    own = _own_words(words)
    rest = list(words[own:])
    args.operands = []
    if own:
        yield from _own(args, words[:own])
    if rest and rest[0].value == "--" and not args.has("-c", "-m"):
        rest = rest[1:]
    if args.has("-m"):
        yield from _module(args, args.values("-m")[-1], tuple(rest))
    elif not args.has("-c") and not (not rest and args.given and {"-V", "-h"}.issuperset(args.given)):
        yield from script(args, rest)
    if args.has("-i") and rest:
        yield from from_input(args)


def _own(args: Args, words: tuple[Word, ...]) -> Iterator[Fact]:
    """What the interpreter's own options do by themselves."""
    own = type(args)(args.call, args.number, args.base, args.name, INTERPRETER)
    yield from own.take(words)
    args.given, args.operands = own.given, own.operands
    for word in args.values("-X"):
        if (word.value or "").partition("=")[0] not in SAFE_X:
            yield args.gap(f"option -X {word.text} is not known")
    for word in args.values("-W"):
        if word.value is None or "." in word.value:
            yield args.gap("a warning filter may load code")


def _own_words(words: tuple[Word, ...]) -> int:
    """How many words are the interpreter's: up to the script, or up to the value of `-c` or `-m`."""
    table = options_of(OPTIONS)
    at = 0
    while at < len(words):
        text = words[at].value
        if text is None or len(text) < 2 or text[0] != "-" or text == "--":
            return at
        at += 1
        if text.startswith("--"):
            option = table.get(text)
            at += option is not None and option.takes == "="
            continue
        for place in range(1, len(text)):
            option = table.get(f"-{text[place]}")
            if option is not None and option.takes == "=":
                at += place == len(text) - 1
                if option.name in ("-c", "-m"):
                    return min(at, len(words))
                break
    return min(at, len(words))


def _module(args: Args, module: Word, words: tuple[Word, ...]) -> Iterator[Fact]:
    """`python -m MODULE`: the facts of the module we know; a file of that name in this folder is run instead."""
    from assent.commands.facts import described
    from assent.commands.table import program_named

    name = module.value
    if name is None:
        yield args.gap(f"module is not known ({module.why})", blind=True)
        return
    program = MODULES.get(name)
    shown = f"{args.name} -m {name}"
    if program is None and name in SAME_AS:
        shown = SAME_AS[name]
        program = program_named(shown)
    if program is None:
        yield args.effect("run", shown, "script")
        yield replace(args.gap(f"{name} is not a module we know"), about="script")
    else:
        yield from described(program, shown, args.call, args.number, args.base, words)
    if not args.has("-I", "-P"):
        for path in args.places(f"{name.partition('.')[0]}.py"):
            yield perhaps(Effect("run", path, code="script", call=args.number, span=args.call.span))


# --- modules of the standard library -------------------------------------------------------------------------------


def _caches(args: Args) -> Iterator[Fact]:
    """`py_compile` writes beside each file."""
    for word in args.operands:
        if word.value == "-":
            yield args.gap("the files are named on standard input")
        folder, slash, _ = (word.value or word.pattern).rpartition("/")
        cache = f"{folder}{slash}__pycache__"
        yield from args.act("into", Word(cache, cache))


def _compiles(args: Args) -> Iterator[Fact]:
    yield from sources("*.py")(args)
    for word in args.operands:
        yield from args.act("into", word)
    if not args.operands:
        yield args.gap("compiles everything that can be imported")


def _serves(args: Args) -> Iterator[Fact]:
    if not args.has("-d"):
        yield from args.act("tree", Word(".", "."))


def _creates(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if args.has("--clear"):
            yield from args.act("wipe", word)
        yield from args.act("into", word)
    if args.has("--upgrade-deps"):
        yield from args.reach(PYPI)


def _times(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.act("code", word)


@turns_off("-e -c")
def _zips(args: Args) -> Iterator[Fact]:
    """`-e ARCHIVE FOLDER` unpacks, `-c ARCHIVE FILES` packs, the others look."""
    words = args.operands
    if args.has("-e"):
        for word in words or [Word(".", ".")]:
            yield from args.act("into", word, code="extracted")
        if args.name.endswith("tarfile"):
            yield args.gap("an archive may hold paths that leave the folder")
    elif args.has("-c"):
        for word in words:
            yield from args.act("tree", word)
    else:
        for word in words:
            yield args.gap(f"`{word.text}` is one word too many")


def _tests(args: Args) -> Iterator[Fact]:
    """Operands are modules, classes or files; `discover` has options of its own."""
    for word in args.operands:
        if word.value is None:
            yield args.gap(f"what it runs is not known ({word.why})", blind=True)
    named = tuple(word.value for word in args.operands if word.value and word.value.endswith(".py"))
    yield from args.project("python -m unittest", (*named, "tests"))


ARCHIVE = "-l,--list=read -t,--test=read -v,--verbose --metadata-encoding="
PRINTS = Program("-h --help", "text*")

MODULES = {
    "json.tool": Program(
        "-h,--help --sort-keys --json-lines --indent= --tab --no-indent --compact --no-ensure-ascii", "read? write?"
    ),
    "py_compile": Program("-q,--quiet", "read*", more=_caches),
    "compileall": Program(
        "-l -r= -f -q -b -d= -s= -p= -x= -j,--workers= -o= --invalidation-mode=", "text*", more=_compiles
    ),
    "http.server": Program(
        "-b,--bind= -d,--directory=tree -p,--protocol=",
        "text?",
        does=changes("net.listen", "a web server"),
        more=_serves,
    ),
    "venv": Program(
        "-h,--help --system-site-packages --symlinks --copies --clear --upgrade --without-pip --prompt= --upgrade-deps"
        " --without-scm-ignore-files",
        "text*",
        more=_creates,
    ),
    "unittest": Program(
        "-h,--help -v,--verbose -q,--quiet --locals -f,--failfast -c,--catch -b,--buffer -k= --durations="
        " -s,--start-directory=tree -p,--pattern= -t,--top-level-directory=tree",
        "text*",
        more=_tests,
    ),
    "doctest": Program("-v,--verbose -o,--option= -f,--fail-fast", "script*"),
    "timeit": Program(
        "-n,--number= -r,--repeat= -s,--setup=code -p,--process -u,--unit= -v,--verbose", "text*", more=_times
    ),
    "cProfile": Program("-o,--outfile=write -s,--sort= -m=run", "script? text*", style="posix"),
    "pdb": Program("-c,--command=code -m=run", "script? text*", style="posix"),
    "trace": Program(
        "-t,--trace -c,--count -l,--listfuncs -T,--trackcalls -f,--file=write -C,--coverdir=into -m,--missing"
        " -s,--summary"
        " -g,--timing --ignore-module= --ignore-dir=list --module=run",
        "script? text*",
        style="posix",
    ),
    "ast": Program("-h,--help -m,--mode= --no-type-comments -a,--include-attributes -i,--indent=", "read?"),
    "dis": Program("-h,--help -C,--show-caches -O,--show-offsets", "read?"),
    "tokenize": Program("-h,--help -e,--exact", "read?"),
    "tabnanny": Program("-q -v", more=sources("*.py"), operands="text*"),
    "base64": Program("-h -d -e -u -t", "read?"),
    "zipfile": Program(f"{ARCHIVE} -e,--extract=read -c,--create=write", "text*", more=_zips),
    "tarfile": Program(f"{ARCHIVE} -e,--extract=read -c,--create=write --filter=", "text*", more=_zips),
    "sysconfig": Program("--help"),
    "platform": Program("--terse --nonaliased", "text*"),
    "site": Program("--user-base --user-site --help"),
    "calendar": PRINTS,
    "this": PRINTS,
    "ensurepip": Program(
        "--version -v,--verbose -U,--upgrade --user --altinstall --default-pip", does=changes("pkg.install", "pip")
    ),
    "pyflakes": Program("--version", "text*", more=sources("*.py", ".")),
    "pycodestyle": Program(
        "--version -v,--verbose -q,--quiet --first --exclude= --filename= --select= --ignore= --show-source --show-pep8"
        " --statistics --count --max-line-length= --max-doc-length= --indent-size= --hang-closing --format="
        " --config=read"
        " --diff",
        "text*",
        more=sources("*.py", "."),
    ),
    "pip_audit": Program("-r,--requirement=read -l,--local -s= -f= --desc[=] --strict", more=reaches(PYPI)),
    "ptpython": Program("--version", "script?", does=(("run", "python code", "stdin"),)),
    "pytest_watch": Program(
        "", "text*", more=runs_named("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "**/conftest.py")
    ),
}

SAME_AS = {
    "assent": "assent",
    "pip": "pip",
    "pytest": "pytest",
    "py.test": "pytest",
    "pipx": "pipx",
    "uv": "uv",
    "poetry": "poetry",
    "pdm": "pdm",
    "hatch": "hatch",
    "build": "pyproject-build",
    "twine": "twine",
    "flit": "flit",
    "maturin": "maturin",
    "virtualenv": "virtualenv",
    "tox": "tox",
    "nox": "nox",
    "mypy": "mypy",
    "pyright": "pyright",
    "ruff": "ruff",
    "black": "black",
    "isort": "isort",
    "flake8": "flake8",
    "pylint": "pylint",
    "autopep8": "autopep8",
    "yapf": "yapf",
    "bandit": "bandit",
    "pre_commit": "pre-commit",
    "coverage": "coverage",
    "sphinx": "sphinx-build",
    "mkdocs": "mkdocs",
    "jupyter": "jupyter",
    "IPython": "ipython",
    "streamlit": "streamlit",
    "uvicorn": "uvicorn",
    "gunicorn": "gunicorn",
    "flask": "flask",
    "django": "django-admin",
    "celery": "celery",
    "alembic": "alembic",
}
"""Modules that are the program of this name."""

PYTHON = Program(operands="text*", more=_python, style="plain")
NAMES = (
    "python python2 python2.7 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy"
    " pypy3"
).split()
PROGRAMS = {
    **dict.fromkeys(NAMES, PYTHON),
    "ipython": Program(
        "--version,-V -h,--help -c=code --no-banner --no-confirm-exit --simple-prompt --quick",
        "text*",
        more=lambda args: script(args, args.operands) if not args.has("-c") and not only_asks(args) else iter(()),
        style="posix",
    ),
}

EXAMPLES = {
    "python --version": "note python",
    "python3 -V": "note python3",
    "python3 a.py --version": "read a.py | run a.py #script",
    "python3 -c 'print(1)' -m pip": "run python3 code #inline",
    "python3 -uc 'print(1)'": "run python3 code #inline",
    "python3 -cprint": "run python3 code #inline",
    "python3": "run python3 code #stdin",
    "python3 - <<'PY'": "run python3 code #stdin",
    "print(1)": "blind parenthesis in a command",
    "PY": "run PY #program | gap PY is not a program we know",
    "python3 manage.py flush": "read manage.py | run manage.py #script | change the database #db.drop",
    "python3 setup.py sdist upload": "read setup.py | run setup.py #script | change a package #pkg.publish",
    "python3 -u a.py": "read a.py | run a.py #script",
    "python3 -i a.py": "read a.py | run a.py #script | run python3 code #stdin",
    "python3 $X": "note python3 | blind python3: script is not known (variable X)",
    "python3 -m $X": "note python3 | blind python3: a word is not known (variable X) | blind python3: modul"
    "e is not known (variable X)",
    "python3 -X presite=a -V": "run python3 code #stdin | gap python3: option -X presite=a is not known",
    "python3 -m json.tool data.json": "read data.json | maybe run json.py #script",
    "python3 -I -m json.tool a b": "read a | write b",
    "python3 -m json.tool < data.json": "read data.json #redirect | note python3 -m json.tool"
    " | maybe run json.py #script",
    "python3 -m py_compile src/app.py": "read src/app.py | write src/__pycache__/** | maybe run py_compile.py #script",
    "python3 -m compileall -q src": "read src | read src/**/*.py | write src/** | maybe run compileall.py #script",
    "python3 -m http.server 8000": "change a web server #net.listen | read ./** | maybe run http.py #script",
    "python3 -m venv .venv": "write .venv/** | maybe run venv.py #script",
    "python3 -m venv --clear .venv": "delete .venv/** | write .venv/** | maybe run venv.py #script",
    "python3 -m unittest discover -s tests": "read tests/** | run python -m unittest #project"
    " | maybe run unittest.py #script",
    "python3 -m timeit 'x=1'": "run python3 -m timeit code #inline | maybe run timeit.py #script",
    "python3 -m trace --trace a.py": "read a.py | run a.py #script | maybe run trace.py #script",
    "python3 -m zipfile -l a.zip": "read a.zip | maybe run zipfile.py #script",
    "python3 -m zipfile -e a.zip out": "read a.zip | write out/** #extracted | maybe run zipfile.py #script",
    "python3 -m strange x": "run python3 -m strange #script | maybe run strange.py #script"
    " | gap python3: strange is not a module we know",
    "python2 a.py": "read a.py | run a.py #script",
    "python2.7 -V": "note python2.7",
    "python3.8 -V": "note python3.8",
    "python3.9 -V": "note python3.9",
    "python3.10 -V": "note python3.10",
    "python3.11 -V": "note python3.11",
    "python3.12 -V": "note python3.12",
    "python3.13 -V": "note python3.13",
    "python3.14 -V": "note python3.14",
    "pypy a.py": "read a.py | run a.py #script",
    "pypy3 a.py": "read a.py | run a.py #script",
    "ipython -c 1": "run ipython code #inline",
}
