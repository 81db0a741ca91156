"""Tools for Python code: test runners, type checkers, linters and formatters.

Most of them load settings of the project that name plugins, so they run what the project says.
"""

from __future__ import annotations

from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import (
    both,
    files_below,
    inner,
    makes,
    only_asks,
    reaches,
    rewrites,
    runs,
    runs_named,
    runs_target,
    sources,
    wipes,
)
from assent.commands.said import if_said, is_only
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CODE = "*.py*"
ASKS = " -h,--help --version"

# --- tests ---------------------------------------------------------------------------------------------------------

PYTEST_FILES = (
    *("pyproject.toml", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg", "tox.ini"),
    *("conftest.py", "**/conftest.py"),
)


def _pytest(args: Args) -> Iterator[Fact]:
    yield from runs_named(*PYTEST_FILES)(args)
    if args.has("--pastebin"):
        yield from args.reach("https://bpa.st/", kind="send")
    if args.has("--debug"):
        written = args.text("--debug") or "pytestdebug.log"
        yield from args.act("write", Word(written, written))
    for word in args.values("--cov-report"):
        kind, _, path = (word.value or "").partition(":")
        if word.value is None:
            yield args.gap(f"where the report goes is not known ({word.why})", blind=True)
        elif path and kind in ("html", "annotate"):
            yield from args.act("into", Word(path, path))
        elif path and kind != "term-missing":
            yield from args.act("write", Word(path, path))


PYTEST = Program(
    f"{ASKS} -V -k= -m= --markers -x,--exitfirst --maxfail= --strict-config --strict-markers --strict"
    " --lf,--last-failed --ff,--failed-first --nf,--new-first --cache-show[=] --cache-clear"
    " --lfnf,--last-failed-no-failures= --sw,--stepwise --sw-skip,--stepwise-skip --durations= --durations-min="
    " -v,--verbose --no-header --no-summary --no-fold-skipped -q,--quiet --verbosity= -r="
    " --disable-warnings,--disable-pytest-warnings -l,--showlocals --no-showlocals --tb= --xfail-tb --show-capture="
    " --full-trace --color= --code-highlight= --junit-xml,--junitxml=write --junit-prefix= -W,--pythonwarnings="
    " --continue-on-collection-errors --rootdir=list --collect-only,--co --pyargs --ignore= --ignore-glob="
    " --deselect= --confcutdir= --noconftest --keep-duplicates --collect-in-virtualenv --import-mode="
    " --doctest-modules --doctest-report= --doctest-glob= --doctest-ignore-import-errors"
    " --doctest-continue-on-failure --basetemp=wipe -p=run -c,--config-file=read --trace-config --assert="
    " --setup-only --setup-show --setup-plan --log-level= --log-format= --log-date-format= --log-cli-level="
    " --log-cli-format= --log-file=write --log-file-level= --log-auto-indent= -s --capture= --runxfail"
    " --fixtures,--funcargs --fixtures-per-test --pdb --trace -n,--numprocesses= --dist= --maxprocesses= --cov[=]"
    " --cov-report= --cov-config=read --no-cov --cov-append --cov-branch --cov-fail-under= --no-cov-on-fail"
    " --timeout= --timeout-method= --asyncio-mode= --reruns= --reruns-delay= --benchmark-only --benchmark-skip"
    " --benchmark-disable --hypothesis-seed= --hypothesis-show-statistics --hypothesis-profile= --randomly-seed="
    " --pastebin= --pdbcls=run --debug[=] --snapshot-update --count= --forked --reuse-db --create-db",
    "text*",
    more=_pytest,
    style="starts",
)

COVERAGE_FILES = (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml")
COVERAGE = f"{ASKS} --rcfile=read --debug= --data-file=read -q,--quiet"
REPORTS = (
    f"{COVERAGE} --contexts= --fail-under= -i,--ignore-errors --include= --omit= --precision= --skip-covered"
    " --skip-empty --no-skip-covered --sort= -m,--show-missing --format="
)


@turns_off("-m")
def _coverage_run(args: Args) -> Iterator[Fact]:
    yield from runs(*COVERAGE_FILES)(args)
    yield from makes(".coverage")(args)
    if args.has("-m"):
        yield from inner(args, [Word("python", "python"), Word("-m", "-m"), *args.operands])
    elif args.operands:
        yield from args.act("script", args.operands[0])


COVERAGE_PROGRAM = Program(
    COVERAGE,
    commands={
        "run": Program(
            f"{COVERAGE} -a,--append --branch --concurrency= --context= --include= -L,--pylib -m,--module --omit="
            " -p,--parallel-mode --source= --timid",
            "text*",
            style="posix",
            more=_coverage_run,
        ),
        "report": Program(REPORTS, "text*", more=runs(*COVERAGE_FILES)),
        "html": Program(
            f"{REPORTS} -d,--directory=into --show-contexts --title=",
            "text*",
            more=both(runs(*COVERAGE_FILES), makes("htmlcov/")),
        ),
        "xml": Program(f"{REPORTS} -o=write", "text*", more=both(runs(*COVERAGE_FILES), makes("coverage.xml"))),
        "json": Program(
            f"{REPORTS} -o=write --pretty-print --show-contexts",
            "text*",
            more=both(runs(*COVERAGE_FILES), makes("coverage.json")),
        ),
        "lcov": Program(f"{REPORTS} -o=write", "text*", more=both(runs(*COVERAGE_FILES), makes("coverage.lcov"))),
        "combine": Program(
            f"{COVERAGE} -a,--append --keep", "read*", more=both(runs(*COVERAGE_FILES), makes(".coverage"))
        ),
        "erase": Program(COVERAGE, more=wipes(".coverage")),
    },
    style="bare",
)
TOX = Program(
    f"{ASKS} -e= -c,--conf=read -r,--recreate -v,--verbose -q,--quiet -l,--listenvs -a,--listenvs-all"
    " -p,--parallel[=] -o,--parallel-live --notest --skip-missing-interpreters[=] -f= -m= --develop --sitepackages"
    " --workdir=into --result-json=write --skip-pkg-install --skip-env= --override=unknown -x=unknown",
    "text*",
    does=changes("pkg.install", "Python packages"),
    more=both(runs("tox.ini", "tox.toml", "pyproject.toml", "setup.cfg", "toxfile.py", config="-c"), makes(".tox/")),
    style="starts",
)
NOX = Program(
    f"{ASKS} -s,-e,--session,--sessions= -f,--noxfile= -l,--list,--list-sessions -r,--reuse-existing-virtualenvs -R"
    " -k,--keywords= -t,--tags= -p,--pythons= -v,--verbose -x,--stop-on-first-error --no-venv --no-install"
    " --envdir=into --report=write --non-interactive --json",
    "text*",
    does=changes("pkg.install", "Python packages"),
    more=both(runs("noxfile.py", config="-f"), makes(".nox/")),
)

# --- type checkers -------------------------------------------------------------------------------------------------

MYPY = Program(
    f"{ASKS} -V -v,--verbose -O,--output= --config-file= --warn-unused-configs --no-namespace-packages"
    " --namespace-packages --ignore-missing-imports --follow-imports= --follow-untyped-imports --no-site-packages"
    " --no-silence-site-packages --python-version= --platform= --always-true= --always-false="
    " --disallow-any-unimported --disallow-any-expr --disallow-any-decorated --disallow-any-explicit"
    " --disallow-any-generics --disallow-subclassing-any --disallow-untyped-calls --disallow-untyped-defs"
    " --disallow-incomplete-defs --check-untyped-defs --no-check-untyped-defs --disallow-untyped-decorators"
    " --implicit-optional --no-implicit-optional --strict-optional --no-strict-optional --warn-redundant-casts"
    " --warn-unused-ignores --no-warn-unused-ignores --no-warn-no-return --warn-return-any --warn-unreachable"
    " --report-deprecated-as-note --allow-untyped-globals --allow-redefinition --implicit-reexport"
    " --no-implicit-reexport --strict-equality --strict-bytes --extra-checks --strict --disable-error-code="
    " --enable-error-code= --show-error-context --show-column-numbers --show-error-end --hide-error-codes"
    " --show-error-codes --show-error-code-links --pretty --no-pretty --no-color-output --no-error-summary"
    " --show-absolute-path --no-incremental --cache-dir=into --sqlite-cache --cache-fine-grained"
    " --skip-version-check --skip-cache-mtime-checks --pdb --show-traceback,--tb --raise-exceptions"
    " --junit-xml=write --any-exprs-report=into --cobertura-xml-report=into --html-report=into"
    " --linecount-report=into --txt-report=into --xml-report=into --scripts-are-modules -c,--command= -m,--module="
    " -p,--package= --exclude= --exclude-gitignore --explicit-package-bases --fast-module-lookup"
    " --python-executable=run --no-warn-unused-configs --no-strict-equality",
    "text*",
    more=both(
        sources(CODE),
        runs("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg", config="--config-file"),
        makes(".mypy_cache/"),
    ),
)
PYRIGHT = Program(
    f"{ASKS} --outputjson -p,--project= --pythonpath=run --pythonplatform= --pythonversion= --level= --stats"
    " --verbose --warnings --skipunannotated --threads[=] --dependencies -v,--venvpath=list --typeshedpath=tree"
    " --verifytypes= --ignoreexternal",
    "text*",
    more=both(sources(CODE), runs("pyrightconfig.json", "pyproject.toml", config="-p")),
)

# --- linters and formatters ----------------------------------------------------------------------------------------

RUFF = " -h,--help -V,--version -v,--verbose -q,--quiet -s,--silent --config= --isolated --color="
RUFF_FILES = (
    f"{RUFF} --preview --no-preview --exclude= --respect-gitignore --no-respect-gitignore --force-exclude"
    " --no-force-exclude -n,--no-cache --cache-dir=into --stdin-filename= --target-version= --line-length="
    " --extension="
)


def _settings(args: Args) -> Iterator[Fact]:
    """`--config` names a file or is a piece of one, which can move the cache."""
    for word in args.values("--config"):
        if word.value is not None and "=" in word.value:
            yield args.gap("settings on the command line are not understood")
        else:
            yield from args.file("read", word)
    if not args.has("-n", "--cache-dir"):
        yield from makes(".ruff_cache/")(args)


RUFF_SETTINGS = ("pyproject.toml", "ruff.toml", ".ruff.toml")
RUFF_FIXES = ("fix = true", "fix-only", "extend = ", "\\u")
"""Whatever is written in another file, or as numbers of letters, may be that."""


@turns_off("-n --cache-dir --no-fix --diff")
def _ruff_check(args: Args) -> Iterator[Fact]:
    """Without `--fix` or `--no-fix` the settings of the project say whether it writes."""
    yield from _settings(args)
    if args.has("--fix", "--fix-only", "--add-noqa") and not args.has("--diff"):
        yield from rewrites(CODE, ".")(args)
        return
    yield from sources(CODE, ".")(args)
    if not args.has("--no-fix", "--diff"):
        named = (word.value for word in args.values("--config") if word.value and "=" not in word.value)
        yield from if_said(args, files_below(args, "write", CODE, "."), (*RUFF_SETTINGS, *named), *RUFF_FIXES)


@turns_off("-n --cache-dir --check --diff")
def _ruff_format(args: Args) -> Iterator[Fact]:
    yield from _settings(args)
    yield from (sources if args.has("--check", "--diff") else rewrites)(CODE, ".")(args)


RUFF_PROGRAM = Program(
    RUFF,
    commands={
        "check": Program(
            f"{RUFF_FILES} --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff"
            " -w,--watch --fix-only --no-fix-only --ignore-noqa --output-format= -o,--output-file=write --statistics"
            " --add-noqa[=] --show-files --show-settings --select= --ignore= --extend-select= --extend-ignore="
            " --per-file-ignores= --extend-per-file-ignores= --fixable= --unfixable= --extend-fixable="
            " --extend-exclude= -e,--exit-zero --exit-non-zero-on-fix",
            "text*",
            more=_ruff_check,
        ),
        "format": Program(
            f"{RUFF_FILES} --check --diff --range= --exit-non-zero-on-format --output-format=",
            "text*",
            more=_ruff_format,
        ),
        "rule": Program(f"{RUFF} --all --output-format=", "text?"),
        "config": Program(f"{RUFF} --output-format=", "text?"),
        "linter": Program(f"{RUFF} --output-format="),
        "version": Program(f"{RUFF} --output-format="),
        "help": Program("", "text*"),
        "clean": Program(RUFF, more=wipes(".ruff_cache")),
    },
    style="bare",
)


@turns_off("-c --check --diff --show-config --show-files")
def _formats(args: Args) -> Iterator[Fact]:
    """Writes its files unless it only looks."""
    if only_asks(args):
        return
    only = "*" if args.has("--include") else CODE
    looks = args.has("--check", "--diff", "-c", "-d", "--show-config", "--show-files")
    yield from (sources if looks else rewrites)(only)(args)


AUTOPEP8_SETTINGS = ("pyproject.toml", "setup.cfg", "tox.ini", ".pep8", ".flake8")


def _formats_if_told(args: Args) -> Iterator[Fact]:
    """`autopep8` and `yapf` print unless `-i`."""
    if args.has("-i"):
        yield from rewrites(CODE)(args)
        return
    yield from sources(CODE)(args)
    if args.name == "autopep8":  # settings of the project may say `in_place`
        yield from if_said(args, files_below(args, "write", CODE, ""), AUTOPEP8_SETTINGS, "in_place", "in-place")


BLACK = Program(
    f"{ASKS} -c,--code= -l,--line-length= -t,--target-version= --pyi --ipynb --python-cell-magics="
    " -x,--skip-source-first-line -S,--skip-string-normalization -C,--skip-magic-trailing-comma --preview --unstable"
    " --enable-unstable-feature= --check --diff --color --no-color --line-ranges= --fast --safe --required-version="
    " --exclude= --extend-exclude= --force-exclude= --include= --stdin-filename= -W,--workers= -q,--quiet"
    " -v,--verbose --config=read",
    "text*",
    more=_formats,
)
ISORT = Program(
    f"{ASKS} -V -v,--verbose -q,--quiet --only-modified -c,--check,--check-only --diff,-d --show-config --show-files"
    " --profile= --py,--python-version= -l,--line-length= -w,--wl= --sp,--settings-path,--settings-file=read"
    " --filter-files -s,--skip= --sg,--skip-glob= --extend-skip= --gitignore,--skip-gitignore -j,--jobs= --color"
    " --ff,--from-first --fss,--force-sort-within-sections --sl,--force-single-line-imports --ca,--combine-as"
    " -a,--add-import= --af,--float-to-top -p,--project= -o,--thirdparty= -m,--multi-line= --tc,--trailing-comma"
    " --up,--use-parentheses --src= -e,--balanced --atomic --stdout",
    "text*",
    more=_formats,
)
FLAKE8_FILES = (".flake8", "setup.cfg", "tox.ini")
PYLINT_LOADS = ("init-hook", "init_hook", "load-plugins", "load_plugins")
PYLINT_FILES = (".pylintrc", "pylintrc", "pyproject.toml", "setup.cfg")


@turns_off("-h --version")
def _flake8(args: Args) -> Iterator[Fact]:
    """Plugins of the project are imported before any option is looked at, even `--version`."""
    if is_only(args, "-h", "--version"):
        yield from if_said(args, args.project(args.name, ()), FLAKE8_FILES, "local-plugins")
        return
    yield from sources(CODE, ".")(args)
    yield from runs(*FLAKE8_FILES, config="--config")(args)


@turns_off("-h --version")
def _pylint(args: Args) -> Iterator[Fact]:
    """Settings of the project hold code that runs before `--help` is answered; `--version` alone needs none."""
    if is_only(args, "-h", "--version"):
        if args.has("-h"):
            yield from if_said(args, args.project(args.name, ()), PYLINT_FILES, *PYLINT_LOADS)
        return
    yield from sources(CODE)(args)
    yield from runs(*PYLINT_FILES, config="--rcfile")(args)


FLAKE8 = Program(
    f"{ASKS} -v,--verbose -q,--quiet --count --color= --exclude= --extend-exclude= --filename= --stdin-display-name="
    " --format= --hang-closing --ignore= --extend-ignore= --per-file-ignores= --max-line-length= --max-doc-length="
    " --indent-size= --select= --extend-select= --disable-noqa --show-source --no-show-source --statistics"
    " --exit-zero -j,--jobs= --output-file=write --tee --benchmark --bug-report --max-complexity= --config="
    " --append-config=read --isolated --builtins= --doctests",
    "text*",
    more=_flake8,
    style="starts",
)
PYLINT = Program(
    f"{ASKS} --rcfile= --errors-only,-E --disable,-d= --enable,-e= --output-format,-f= --output=write --reports,-r="
    " --score,-s= --jobs,-j= --fail-under= --fail-on= --ignore= --ignore-patterns= --ignore-paths="
    " --max-line-length= --init-hook=code --load-plugins=run --msg-template= --recursive= --list-msgs"
    " --list-msgs-enabled --list-extensions --help-msg= --verbose,-v --exit-zero --py-version= --persistent="
    " --extension-pkg-allow-list=run --source-roots= --good-names= --from-stdin --generate-rcfile --confidence=",
    "text*",
    more=_pylint,
    style="starts",
)
AUTOPEP8 = Program(
    f"{ASKS} -v,--verbose -d,--diff -i,--in-place -r,--recursive -a,--aggressive -j,--jobs= -p,--pep8-passes="
    " --exclude= --select= --ignore= --list-fixes --max-line-length= --line-range= --hang-closing --exit-code"
    " --experimental --global-config=read --ignore-local-config --indent-size=",
    "text*",
    more=_formats_if_told,
)
YAPF = Program(
    f"{ASKS} -v --verbose -d,--diff -i,--in-place -q,--quiet -r,--recursive -p,--parallel -e,--exclude= --style="
    " --style-help --no-local-style -l,--lines= -m,--print-modified",
    "text*",
    more=_formats_if_told,
)
BANDIT = Program(
    f"{ASKS} -r,--recursive -a,--aggregate= -n,--number= -c,--configfile=read -p,--profile= -t,--tests= -s,--skip="
    " -l,--level -i,--confidence --severity-level= --confidence-level= -f,--format= --msg-template="
    " -o,--output=write -v,--verbose -d,--debug -q,--quiet,--silent --ignore-nosec -x,--exclude= -b,--baseline=read"
    " --ini=read --exit-zero",
    "text*",
    more=sources(CODE),
)
HOOKS = ".pre-commit-config.yaml"
PRE_COMMIT = f"{ASKS} -c,--config= --color="
PRE_COMMIT_PROGRAM = Program(
    PRE_COMMIT,
    commands={
        "run": Program(
            f"{PRE_COMMIT} -a,--all-files --files= -v,--verbose --show-diff-on-failure --hook-stage="
            " -s,--from-ref,--source= -o,--to-ref,--origin= --fail-fast",
            "text*",
            more=both(runs(HOOKS, config="-c"), reaches("https://github.com/")),
        ),
        "install": Program(
            f"{PRE_COMMIT} -f,--overwrite --install-hooks -t,--hook-type= --allow-missing-config",
            does=changes("git.hooks", "the hooks of the repository"),
            more=makes(".git/hooks/"),
        ),
        "uninstall": Program(
            f"{PRE_COMMIT} -t,--hook-type=",
            does=changes("git.hooks", "the hooks of the repository"),
            more=makes(".git/hooks/"),
        ),
        "autoupdate": Program(
            f"{PRE_COMMIT} --bleeding-edge --freeze --repo= -j,--jobs=",
            more=both(reaches("https://github.com/"), makes(HOOKS)),
        ),
        "validate-config": Program(f"{PRE_COMMIT}", "read*", HOOKS),
        "sample-config": Program(PRE_COMMIT),
        "clean": Program(PRE_COMMIT, does=changes("pkg.cache", "the cache of pre-commit")),
        "gc": Program(PRE_COMMIT, does=changes("pkg.cache", "the cache of pre-commit")),
    },
)

PROGRAMS = {
    "pytest": PYTEST,
    "py.test": PYTEST,
    "coverage": COVERAGE_PROGRAM,
    "tox": TOX,
    "nox": NOX,
    "mypy": MYPY,
    "pyright": PYRIGHT,
    "basedpyright": PYRIGHT,
    "pyre": Program(
        f"{ASKS} --noninteractive --output= --source-directory=tree --strict",
        "text*",
        more=runs_target(".pyre_configuration"),
    ),
    "ruff": RUFF_PROGRAM,
    "black": BLACK,
    "isort": ISORT,
    "flake8": FLAKE8,
    "pylint": PYLINT,
    "autopep8": AUTOPEP8,
    "yapf": YAPF,
    "bandit": BANDIT,
    "pre-commit": PRE_COMMIT_PROGRAM,
}

EXAMPLES = {
    "flake8 --version": "maybe run flake8 #project | note flake8",
    "flake8 --help": "maybe run flake8 #project | note flake8",
    "pylint --help": "maybe run pylint #project | note pylint",
    "pylint --version": "note pylint",
    "pytest": "run pytest #project",
    "pytest --version": "run pytest #project",
    "pytest --help": "run pytest #project",
    "tox --version": "change Python packages #pkg.install | run tox #project | write .tox/**",
    "pre-commit": "run pre-commit #program | gap pre-commit: without a subcommand it does something of its own",
    "pytest -q -x tests/test_app.py::test_a -k name": "read tests/test_app.py | run pytest #project",
    "pytest --cov=src --cov-report=html:out -n auto": "run pytest #project | write out/**",
    "pytest --basetemp=src": "delete src/** | run pytest #project",
    "pytest -p evil": "run evil #program | run pytest #project",
    "pytest --pastebin=all": "run pytest #project | send https://bpa.st/",
    "pytest $X": "run pytest #project | blind pytest: a word is not known (variable X)"
    " | blind pytest: reads a path that is not known (variable X)",
    "py.test tests": "read tests/** | run py.test #project",
    "coverage run -m pytest": "run coverage run #project | write .coverage | run python -m pytest #program"
    " | run pytest #project | maybe run pytest.py #script",
    "coverage report": "run coverage report #project",
    "coverage html": "run coverage html #project | write htmlcov/**",
    "tox -e py311": "change Python packages #pkg.install | run tox #project | write .tox/**",
    "nox -s tests": "change Python packages #pkg.install | run nox #project | write .nox/**",
    "mypy --strict src": "read src | read src/**/*.py* | run mypy #project | write .mypy_cache/**",
    "mypy --config-file x.ini src": "read src | read src/**/*.py* | read x.ini | run mypy #project"
    " | write .mypy_cache/**",
    "mypy --install-types": "run mypy #project | write .mypy_cache/** | gap mypy: option --install-types is not known",
    "pyright src": "read src | read src/**/*.py* | run pyright #project",
    "basedpyright": "run basedpyright #project",
    "pyre check": "run pyre check #project",
    "ruff check": "write .ruff_cache/** | read ./**/*.py* | maybe write ./**/*.py* #settings",
    "ruff check --no-fix src": "write .ruff_cache/** | read src | read src/**/*.py*",
    "ruff check --fix src": "write .ruff_cache/** | read src | read src/**/*.py* | write src | write src/**/*.py*",
    "ruff check --output-file a src": "write a | write .ruff_cache/** | read src | read src/**/*.py*"
    " | maybe write src #settings | maybe write src/**/*.py* #settings",
    "ruff check --config 'cache-dir=\"/x\"'": "write .ruff_cache/** | read ./**/*.py*"
    " | maybe write ./**/*.py* #settings | gap ruff check: settings on the command line are not understood",
    "ruff format .": "write .ruff_cache/** | read ./**/*.py* | write ./**/*.py*",
    "ruff format --check src": "write .ruff_cache/** | read src | read src/**/*.py*",
    "ruff --version": "note ruff",
    "ruff rule E501": "note ruff rule",
    "ruff .": "run ruff . #program | maybe read . | gap ruff: subcommand . is not known",
    "black src": "read src | read src/**/*.py* | write src | write src/**/*.py*",
    "black --check .": "read ./**/*.py*",
    "black --diff a.py": "read a.py",
    "black -c 'print (1)'": "note black",
    "isort --check-only src": "read src | read src/**/*.py*",
    "isort .": "read ./**/*.py* | write ./**/*.py*",
    "flake8 src": "read src | read src/**/*.py* | run flake8 #project",
    "pylint src": "read src | read src/**/*.py* | run pylint #project",
    "pylint --init-hook='import os' src": "run pylint code #inline | read src | read src/**/*.py*"
    " | run pylint #project",
    "autopep8 -i a.py": "read a.py | write a.py",
    "autopep8 a.py": "read a.py | maybe write a.py #settings",
    "yapf -d a.py": "read a.py",
    "bandit -r src": "read src | read src/**/*.py*",
    "pre-commit run --all-files": "run pre-commit run #project | reach https://github.com/",
    "pre-commit install": "change the hooks of the repository #git.hooks | write .git/hooks/**",
    "ruff clean": "delete .ruff_cache/**",
    "pytest -v": "run pytest #project",
}
