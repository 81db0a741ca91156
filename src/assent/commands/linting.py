"""Linters and formatters of shell, YAML, Markdown and other files that belong to no one language's tool chain."""

from __future__ import annotations

from assent.commands.git_repository import from_top
from assent.commands.nested import either, nested
from assent.commands.program import Program, turns_off
from assent.commands.projects import defined, each, perhaps
from assent.commands.said import if_said, is_only
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

HERE = Word(".", ".")


@turns_off("--norc")
def _shellcheck(args: Args) -> Iterator[Fact]:
    if args.has("-x", "-P"):
        yield args.gap("it follows the files that a script names", reading=True)
    if not args.has("--norc"):
        folders = {(word.value or "").rpartition("/")[0] or "." for word in args.operands} | {"."}
        files = [f"{folder}/{name}" for folder in sorted(folders) for name in (".shellcheckrc", "shellcheckrc")]
        files += [word.value for word in args.values("--rcfile") if word.value]
        follows = args.effect("run", "shellcheck on files that a script names", "program")
        yield from if_said(args, [follows], tuple(files), "external-sources")


def _shfmt(args: Args) -> Iterator[Fact]:
    if args.has("-w"):
        yield from _rewritten(args)


def _fixing(args: Args) -> Iterator[Fact]:
    if args.has("-i"):
        yield from _rewritten(args)


def _rewritten(args: Args) -> Iterator[Fact]:
    for word in args.operands or [HERE]:
        yield from args.file("write", word, deep=True)


def _markdownlint(args: Args) -> Iterator[Fact]:
    if args.has("-f"):
        yield from _rewritten(args)
    for word in args.values("-c"):
        yield from args.act("script" if (word.value or ".js").endswith(("js", "ts")) else "read", word)


def _yaml_settings(args: Args) -> Iterator[Fact]:
    """`-d` holds settings, of which `extends` may name a file; without a colon they are that name alone."""
    for word in args.values("-d"):
        text = word.value
        if text is None or "\\" in text or "ignore-from-file" in text:
            yield args.gap("its settings may name files", reading=True)
            continue
        pieces = text.split("extends")[1:] if ":" in text else [f":{text}"]
        for piece in pieces:
            rest = piece.lstrip(" \"'").removeprefix(":")
            end = next((at for at, sign in enumerate(rest) if sign in ",}\n"), len(rest))
            name = rest[:end].strip(" \"'")
            if name not in ("default", "relaxed"):
                yield from args.file("read", Word(name, name))


CODESPELL_FILES = (".codespellrc", "setup.cfg", "pyproject.toml")


def _named(args: Args) -> tuple[str, ...]:
    """Files of settings that options name."""
    return tuple(word.value for word in args.values("--config", "--toml") if word.value)


def _codespell(args: Args) -> Iterator[Fact]:
    """Settings of the project may say `write-changes`."""
    if args.has("-w", "-i"):
        yield from _rewritten(args)
    else:
        yield from if_said(args, _rewritten(args), (*CODESPELL_FILES, *_named(args)), "write-changes", "interactive")


@turns_off("-v -h --version")
def _tflint(args: Args) -> Iterator[Fact]:
    """Runs the plug-ins that its settings name, for `--version` as well."""
    if is_only(args, "-h", "--version", "-v"):
        if not args.has("-h"):
            yield from map(perhaps, args.project("tflint", (".tflint.hcl",)))
        return
    yield from args.file("read", HERE, deep=True)
    yield from defined(args, "tflint", (".tflint.hcl", "**/.tflint.hcl"))
    if args.has("--fix"):
        yield from args.file("write", HERE, deep=True)
    if args.has("--init"):
        yield args.effect("reach", "github.com", "pkg.install")
        yield args.effect("change", "plug-ins of tflint", "pkg.install")
    if args.has("--chdir"):
        yield args.gap("it works in another folder")


@turns_off("-d -f")
def _checkov(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", "the checkov service", "lint.rules")
    if not args.has("-d", "-f"):
        yield from args.file("read", HERE, deep=True)


@turns_off("--offline -h --version")
def _ansible_lint(args: Args) -> Iterator[Fact]:
    """`--version` asks whether there is a newer one."""
    if is_only(args, "-h"):
        return
    if args.has("--version") and is_only(args, "--version", "--offline", "--nocolor", "-q"):
        yield from args.reach("https://api.github.com/")
        return
    for word in args.operands or [HERE]:
        yield from args.file("read", word, deep=True)
    yield from defined(args, "ansible-lint", (".ansible-lint", ".config/ansible-lint.yml", "requirements.yml"))
    if not args.has("--offline"):
        yield args.effect("reach", "galaxy.ansible.com", "pkg.install")
    if args.has("--fix"):
        yield from _rewritten(args)


@turns_off("--check --diff")
def _taplo(args: Args) -> Iterator[Fact]:
    formats = args.name.endswith(("fmt", "format"))
    for word in args.operands or [HERE]:
        yield from args.file("read", word, deep=True)
    if formats and not args.has("--check", "--diff"):
        yield from _rewritten(args)
    if not formats and not args.has("--no-schema"):
        yield args.effect("reach", "the schema store", "lint.rules")


def _prek(args: Args) -> Iterator[Fact]:
    """The hooks of the project, which may change any of its files."""
    verb = args.name.rpartition(" ")[2]
    files = tuple(word.value for word in args.values("-c") if word.value) or (".pre-commit-config.yaml",)
    if verb in ("install", "uninstall", "install-hooks"):
        yield args.effect("change", "hooks of the repository", "git.hooks")
        yield from from_top(args, "write", ".git/hooks/pre-commit")
    if verb not in ("install", "uninstall"):
        yield from defined(args, args.name, files)
        yield args.effect("reach", "repositories of the hooks", "pkg.install")


def _cspell(args: Args) -> Iterator[Fact]:
    """Its settings may be a script."""
    for word in args.operands or [HERE]:
        yield from args.file("read", word, deep=True)
    yield from args.project(
        "cspell", (*each("cspell.config", "js mjs cjs json yaml yml"), "cspell.json", ".cspell.json", "package.json")
    )


def _vale(args: Args) -> Iterator[Fact]:
    if args.text("--output") not in (None, "CLI", "line", "JSON"):
        for word in args.values("--output"):
            yield from args.file("read", word)
    if args.operands and args.operands[0].value == "sync":
        yield args.effect("reach", "packages of vale", "pkg.install")
        yield args.effect("change", "packages of vale", "pkg.install")


@turns_off("--offline --dump")
def _lychee(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if (word.value or "").startswith(("http://", "https://")):
            yield from args.reach(word.value or "")
        else:
            yield from args.file("read", word, deep=True)
    if not args.has("--offline", "--dump"):
        yield args.effect("reach", "every address in the files", "lint.links")


SHFMT = (
    "-version,--version -l,--list -w,--write -d,--diff -s,--simplify -mn,--minify -ln,--language-dialect= -p,--posix"
    " -filename,--filename= -i,--indent= -bn,--binary-next-line -ci,--case-indent -sr,--space-redirects"
    " -kp,--keep-padding"
    " -fn,--func-next-line -f,--find -tojson,--to-json -apply-ignore,--apply-ignore"
)
CODESPELL = (
    "-w,--write-changes -i,--interactive= -L,--ignore-words-list= -S,--skip= -I,--ignore-words=read"
    " -x,--exclude-file=read"
    " -D,--dictionary= -q,--quiet-level= -f,--check-filenames -H,--check-hidden -d,--disable-colors -c,--enable-colors"
    " -C,--context= -A,--after-context= -B,--before-context= -s,--summary --count --builtin= --ignore-regex="
    " --uri-ignore-words-list= --config=read --toml=read --stdin-single-line --ignore-multiline-regex="
)
PREK = Program(
    "-a,--all-files -c,--config=read -v,--verbose --files= --from-ref= --to-ref= --hook-stage= --show-diff-on-failure"
    " -t,--hook-type= -f,--overwrite -q,--quiet",
    "text*",
    more=_prek,
)

PROGRAMS = {
    "shellcheck": Program(
        "-a,--check-sourced -C,--color[=] -i,--include= -e,--exclude= --extended-analysis= -f,--format= --list-optional"
        " --norc --rcfile=read -o,--enable= -P,--source-path= -s,--shell= -S,--severity= -V,--version"
        " -W,--wiki-link-count= -x,--external-sources --help",
        "read*",
        more=_shellcheck,
    ),
    "shfmt": Program(SHFMT, "tree*", more=_shfmt, style="single"),
    "hadolint": Program(
        "-c,--config=read -f,--format= --no-fail --no-color --nocolor -t,--failure-threshold= --ignore="
        " --trusted-registry="
        " --require-label= --strict-labels --error= --warning= --info= --style= -V,--verbose -v,--version"
        " --disable-ignore-pragma",
        "read*",
    ),
    "yamllint": Program(
        "-c,--config-file=read -d,--config-data= -f,--format= -s,--strict --no-warnings --list-files -v,--version",
        "tree*",
        more=_yaml_settings,
    ),
    "jsonlint": Program("-q,--quiet -i,--in-place --version", "read*", more=_fixing),
    "markdownlint": Program(
        "-c,--config= -f,--fix -i,--ignore= -j,--json -o,--output=write -p,--ignore-path=read -q,--quiet"
        " -r,--rules=script"
        " -s,--stdin -d,--dot --enable= --disable= -V,--version",
        "tree*",
        more=_markdownlint,
    ),
    "actionlint": Program(
        either(
            "-color -config-file=read -format= -ignore= -no-color -oneline -pyflakes=run -shellcheck=run -verbose"
            " -version -stdin-filename="
        ),
        "tree*",
        ".github/workflows",
        style="single",
    ),
    "tflint": Program(
        "--init --chdir= --recursive --format= -f= -c,--config=read --fix --minimum-failure-severity= --var-file=read"
        " --no-color --color --force --only= --enable-rule= --disable-rule= --version -v -h,--help",
        more=_tflint,
        style="starts",
    ),
    "checkov": Program(
        "-d,--directory=tree -f,--file=read --framework= --skip-framework= -o,--output= --quiet --compact -c,--check="
        " --skip-check= -s,--soft-fail --output-file-path=into -v,--version -l,--list --skip-path= --var-file=read"
        " --baseline=read",
        more=_checkov,
    ),
    "ansible-lint": Program(
        "-q -v -p,--parseable --profile= -f,--format= --offline --strict -x,--skip-list= -w,--warn-list= -t,--tags="
        " --nocolor"
        " --exclude= -L,--list-rules -T,--list-tags --fix[=] -c,--config-file=read --version -h,--help"
        " --project-dir=list",
        "text*",
        more=_ansible_lint,
        style="starts",
    ),
    "taplo": Program(
        "--colors= --verbose --log-spans",
        commands=nested(
            {
                "fmt format lint check": Program(
                    "--check --diff -c,--config=read --no-schema -o,--option= -f,--force --no-auto-config",
                    "text*",
                    more=_taplo,
                )
            }
        ),
        style="bare",
    ),
    "prek": Program("--version", commands=nested({"run install uninstall install-hooks": PREK})),
    "cspell": Program(
        "--no-progress --no-summary -q,--quiet -w,--words-only -u,--unique --no-color --color --show-context"
        " --locale= -e,--exclude="
        " --gitignore --no-gitignore --dot --show-suggestions --no-must-find-files --language-id=",
        "text*",
        more=_cspell,
    ),
    "codespell": Program(CODESPELL, "tree*", ".", more=_codespell),
    "vale": Program(
        "--config=read --output= --glob= --ext= --minAlertLevel= --no-wrap --no-exit --ignore-syntax --no-global"
        " --filter= -v,--version",
        "tree*",
        more=_vale,
    ),
    "lychee": Program(
        "-v,--verbose -q,--quiet -n,--no-progress --offline --dump -c,--config=read --exclude= --include="
        " --exclude-path="
        " -t,--timeout= -r,--max-retries= --max-concurrency= -a,--accept= -f,--format= -o,--output=write -i,--insecure"
        " --include-fragments --no-ignore --hidden -m,--max-redirects= --root-dir= -b,--base=",
        "text*",
        more=_lychee,
    ),
}

EXAMPLES = {
    "shellcheck --rcfile=b a": "read b | read a | maybe run shellcheck on files that a script names #program",
    "tflint --version": "maybe run tflint #project | note tflint",
    "tflint --help": "note tflint",
    "ansible-lint --version": "reach https://api.github.com/",
    "ansible-lint --help": "maybe run what ansible.cfg names #settings | note ansible-lint",
    "codespell --config b docs": "read b | read docs/** | maybe write docs/** #settings",
    "prek": "run prek #program | gap prek: without a subcommand it does something of its own",
    "shellcheck a": "read a | maybe run shellcheck on files that a script names #program",
    "shellcheck -f gcc -S warning a b": "read a | read b | maybe run shellcheck on files that a script names #program",
    "shellcheck -x a": "read a | maybe run shellcheck on files that a script names #program"
    " | gap shellcheck: it follows the files that a script names",
    "shfmt -d -i 4 src": "read src/**",
    "shfmt -w src": "read src/** | write src/**",
    "shfmt -l -w a": "read a/** | write a/**",
    "hadolint Dockerfile": "read Dockerfile",
    "yamllint -s docs": "read docs/**",
    "yamllint -d relaxed a.yml": "read a.yml/**",
    "yamllint -d '{extends: default, rules: {line-length: disable}}' a.yml": "read a.yml/**",
    "yamllint -d '{extends: ../.env}' a.yml": "read a.yml/** | read ../.env",
    "yamllint -d ../.env a.yml": "read a.yml/** | read ../.env",
    "jsonlint -q a": "read a",
    "jsonlint -i a": "read a | write a/**",
    "markdownlint docs": "read docs/**",
    "markdownlint --fix docs": "read docs/** | write docs/**",
    "markdownlint -r b docs": "read b | run b #script | read docs/**",
    "markdownlint -c x.cjs docs": "read docs/** | read x.cjs | run x.cjs #script",
    "actionlint": "read .github/workflows/**",
    "actionlint -shellcheck=./x a": "run ./x #program | read a/**",
    "tflint": "read ./** | run tflint #project",
    "tflint --init": "read ./** | run tflint #project | reach github.com #pkg.install"
    " | change plug-ins of tflint #pkg.install",
    "checkov -d docs": "read docs/** | reach the checkov service #lint.rules",
    "checkov -d docs --external-checks-dir src": "read docs/** | reach the checkov service #lint.rules"
    " | gap checkov: option --external-checks-dir is not known | gap checkov: `src` is one word too many",
    "ansible-lint --offline docs": "read docs/** | run ansible-lint #project",
    "taplo fmt a": "read a/** | write a/**",
    "taplo fmt --check a": "read a/**",
    "taplo lint a": "read a/** | reach the schema store #lint.rules",
    "prek run --all-files": "run prek run #project | reach repositories of the hooks #pkg.install",
    "prek install": "change hooks of the repository #git.hooks | write .git/hooks/pre-commit",
    "cspell docs": "read docs/** | run cspell #project",
    "codespell docs": "read docs/** | maybe write docs/** #settings",
    "codespell -w docs": "read docs/** | write docs/**",
    "codespell -i 3 docs": "read docs/** | write docs/**",
    "vale --output=JSON docs": "read docs/**",
    "vale sync": "read sync/** | reach packages of vale #pkg.install | change packages of vale #pkg.install",
    "lychee docs": "read docs/** | reach every address in the files #lint.links",
    "lychee --offline README.md": "read README.md/**",
}
