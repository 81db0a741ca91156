"""Scanners for secrets and for known holes: gitleaks, trivy, grype, syft, snyk, semgrep. They read whole trees."""

from __future__ import annotations

from assent.commands.nested import nested
from assent.commands.program import Program, turns_off
from assent.commands.said import if_said
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

HERE = Word(".", ".")
DATABASE = "the database of the scanner"
ANSWERS = (
    "table",
    "json",
    "sarif",
    "cyclonedx",
    "spdx",
    "spdx-json",
    "github",
    "text",
    "cyclonedx-json",
    "syft-json",
    "junit",
)


def _opened(args: Args, word: Word) -> Iterator[Fact]:
    """git is started in a folder, and with it what the configuration of its repository names."""
    for path in args.paths(word):
        yield args.effect("note", path, "git.repository")
    if word.value is None or not (args.call.cwds or word.value.startswith("/")):
        yield args.gap("opens the repository of a folder that is not known", blind=True)


@turns_off("-s", everything="--no-git")
def _gitleaks(args: Args) -> Iterator[Fact]:
    """Looks at the history through `git log`, unless it is given files."""
    files_only = args.has("--no-git") or args.name.endswith((" dir", " directory", " file"))
    for word in [*args.values("-s"), *args.operands] or [HERE]:
        yield from args.file("read", word, deep=True)
        yield from () if files_only else _opened(args, word)
    if args.has("--log-opts"):
        yield args.gap("--log-opts gives options to git")


@turns_off("--no-verification --no-update")
def _trufflehog(args: Args) -> Iterator[Fact]:
    """What it finds it tries out at the service it belongs to; and it replaces itself when there is a newer one."""
    for word in args.operands:
        value = word.value or ""
        local = Word(word.text, value.removeprefix("file://")) if value.startswith("file://") else word
        if "://" in (local.value or ""):
            yield from args.reach(value)
            continue
        yield from args.file("read", local, deep=True)
        if args.name.endswith(" git"):
            yield from _opened(args, local)
    if not args.has("--no-verification"):
        yield args.effect("send", "services whose secrets are found", "scan.verify")
    if not args.has("--no-update"):
        yield args.effect("reach", "where trufflehog comes from", "pkg.install")
        yield args.effect("change", "trufflehog", "pkg.install")


def _target(args: Args, word: Word) -> Iterator[Fact]:
    """A folder (`dir:x`, `./x`), an image, or a name that may be either."""
    value = word.value or ""
    scheme, colon, rest = value.partition(":")
    if colon and scheme in ("dir", "file", "sbom", "oci-dir", "docker-archive", "oci-archive"):
        yield from args.file("read", Word(word.text, rest), deep=True)
    elif colon and scheme in ("registry", "docker", "podman"):
        yield args.effect("reach", "image registry", "docker.pull")
    else:
        yield from args.file("read", word, deep=True)
        if word.value is not None and not value.startswith((".", "/")):
            yield args.effect("reach", "image registry", "docker.pull")


def _sbom(args: Args) -> Iterator[Fact]:
    """`-o` takes a format, or `format=file`; settings of the project may do so as well. Both ask for newer versions."""
    words = args.operands[1:] if args.operands and args.operands[0].value in ("scan", "packages") else args.operands
    for word in words:
        yield from _target(args, word)
    for word in args.values("-o"):
        name, equals, path = (word.value or "").partition("=")
        if equals:
            yield from args.file("write", Word(word.text, path))
        elif name not in ANSWERS:
            yield args.gap(f"output `{word.text}` is not known")
    if args.name == "grype":
        yield args.effect("reach", DATABASE, "scan.rules")
    else:
        yield args.effect("reach", "where syft comes from", "update.check")
    named = (word.value for word in args.values("-c") if word.value)
    settings = (f".{args.name}.yaml", f".{args.name}/config.yaml", *named)
    yield from if_said(args, args.file("write", HERE, deep=True), settings, "output", "file")


@turns_off("--skip-db-update --offline-scan")
def _trivy(args: Args) -> Iterator[Fact]:
    verb = args.name.rpartition(" ")[2]
    if verb in ("config", "conf") or not (args.has("--skip-db-update") and args.has("--offline-scan")):
        yield args.effect("reach", DATABASE, "scan.rules")
    for word in args.operands:
        if verb in ("fs", "filesystem", "config", "conf", "rootfs", "sbom", "vm"):
            yield from args.file("read", word, deep=True)
        elif verb in ("repo", "repository") and "://" in (word.value or ""):
            yield from args.reach(word.value or "")
        elif verb in ("repo", "repository"):
            yield from args.file("read", word, deep=True)
        else:
            yield args.effect("reach", "image registry", "docker.pull")


@turns_off("--metrics -c")
def _semgrep(args: Args) -> Iterator[Fact]:
    """Rules come from files or, for `auto`, `p/name` and `r/name`, from its service; git says which files count."""
    words = args.operands[1:] if args.operands and args.operands[0].value in ("scan", "ci") else args.operands
    for word in words or [HERE]:
        yield from args.file("read", word, deep=True)
        if not args.has("--no-git-ignore"):
            yield from _opened(args, word)
        if args.has("-a"):
            yield from args.file("write", word, deep=True)
    configs = args.values("-c")
    for word in configs:
        if "://" in (word.value or ""):
            yield from args.reach(word.value or "")
        elif word.value != "auto" and not (word.value or "").startswith(("p/", "r/", "s/")):
            yield from args.file("read", word, deep=True)
    if args.text("--metrics") != "off" or not all((word.value or "").startswith((".", "/")) for word in configs):
        yield args.effect("reach", "semgrep.dev", "scan.rules")
    if args.operands and args.operands[0].value == "ci":
        yield args.effect("send", "semgrep.dev", "scan.upload")


def _snyk(args: Args) -> Iterator[Fact]:
    """What the project uses is sent to its service; finding that out may run the project's package manager."""
    words = [word for word in args.operands if word.value not in ("test", "monitor", "code", "iac", "container")]
    for word in words or [HERE]:
        yield from args.file("read", word, deep=True)
    yield args.effect("send", "snyk.io", "scan.upload")
    yield args.gap("it may run the package manager of the project")


LEAKS = Program(
    "-c,--config=read -s,--source= -r,--report-path=write --report=write -f,--report-format= --redact[=] -v,--verbose"
    " --no-git"
    " --no-banner --no-color --exit-code= -l,--log-level= --log-opts= -b,--baseline-path=read"
    " -i,--gitleaks-ignore-path=read"
    " --max-target-megabytes= --enable-rule= --staged --pre-commit --follow-symlinks",
    "text*",
    more=_gitleaks,
)
TRIVY_OWN = "-c,--config=read -d,--debug -q,--quiet --cache-dir=into --timeout= --insecure"
TRIVY = Program(
    TRIVY_OWN
    + " -f,--format= -o,--output=write -s,--severity= --scanners= --security-checks= --vuln-type= --pkg-types="
    " --ignore-unfixed --exit-code= --skip-dirs= --skip-files= --skip-db-update --offline-scan --no-progress"
    " --ignorefile=read --dependency-tree --list-all-pkgs --include-dev-deps --report= --platform= --input=read",
    "text*",
    more=_trivy,
)
SBOM = (
    "-o,--output= -q,--quiet -v,--verbose --scope= --exclude= -c,--config=read --platform= --only-fixed"
    " --fail-on= -f= --file=write --by-cve --name= --add-cpes-if-none"
)

PROGRAMS = {
    "gitleaks": Program(
        "--no-banner -v,--verbose",
        commands=nested({"detect protect git dir directory file": LEAKS, "version": Program()}),
        style="bare",
    ),
    "trufflehog": Program(
        "",
        commands=nested(
            {
                "filesystem git": Program(
                    "-j,--json --json-legacy --only-verified --no-verification --results= --no-update --fail"
                    " --since-commit="
                    " --branch= --max-depth= -x,--exclude-paths=read -i,--include-paths=read --concurrency= --debug",
                    "text*",
                    more=_trufflehog,
                )
            }
        ),
    ),
    "trivy": Program(
        TRIVY_OWN,
        commands=nested(
            {
                "fs filesystem config conf rootfs sbom vm repo repository image i": TRIVY,
                "version": Program("-f,--format="),
            }
        ),
        style="bare",
    ),
    "grype": Program(SBOM, "text*", more=_sbom),
    "syft": Program(SBOM, "text*", more=_sbom),
    "snyk": Program(
        "--json --sarif --severity-threshold= --all-projects -d --dev --org= --file=read", "text*", more=_snyk
    ),
    "semgrep": Program(
        "-c,-f,--config= -e,--pattern= -l,--lang= --json --sarif --text --junit-xml -o,--output=write -q,--quiet"
        " -v,--verbose"
        " --error --severity= --exclude= --include= --metrics= --no-git-ignore -j,--jobs= --timeout="
        " --max-target-bytes="
        " --dryrun -a,--autofix --disable-version-check --no-rewrite-rule-ids --strict --validate --time",
        "text*",
        more=_semgrep,
    ),
}

EXAMPLES = {
    "gitleaks git": "read ./** | note . #git.repository",
    "gitleaks dir docs": "read docs/**",
    "gitleaks detect --no-git -s docs": "read docs/**",
    "trufflehog git file:///tmp/x --no-verification --no-update": "read /tmp/x/** | note /tmp/x #git.repository",
    "trivy fs --skip-db-update --offline-scan docs": "read docs/**",
    "trivy fs --skip-db-update docs": "reach the database of the scanner #scan.rules | read docs/**",
    "syft dir:docs": "read docs/** | reach where syft comes from #update.check | maybe write ./** #settings",
    "gitleaks detect --source docs --report-path a": "write a | read docs/** | note docs #git.repository",
    "gitleaks detect -v": "read ./** | note . #git.repository",
    "gitleaks git --log-opts=--output=x": "read ./** | note . #git.repository"
    " | gap gitleaks git: --log-opts gives options to git",
    "trufflehog filesystem docs --no-verification": "read docs/** | reach where trufflehog comes from #pkg.install"
    " | change trufflehog #pkg.install",
    "trufflehog git https://example.com/x.git": "reach https://example.com/x.git"
    " | send services whose secrets are found #scan.verify | reach where trufflehog comes from #pkg.install"
    " | change trufflehog #pkg.install",
    "trivy fs --scanners vuln,misconfig docs": "reach the database of the scanner #scan.rules | read docs/**",
    "trivy image nginx": "reach the database of the scanner #scan.rules | reach image registry #docker.pull",
    "trivy config -o a docs": "write a | reach the database of the scanner #scan.rules | read docs/**",
    "grype dir:docs": "read docs/** | reach the database of the scanner #scan.rules | maybe write ./** #settings",
    "syft dir:docs -o spdx-json=a": "read docs/** | write a | reach where syft comes from #update.check"
    " | maybe write ./** #settings",
    "syft nginx": "read nginx/** | reach image registry #docker.pull | reach where syft comes from #update.check"
    " | maybe write ./** #settings",
    "snyk test": "read ./** | send snyk.io #scan.upload | gap snyk: it may run the package manager of the project",
    "semgrep --config auto src": "read src/** | note src #git.repository | reach semgrep.dev #scan.rules",
    "semgrep scan --metrics off -c ./rules src": "read src/** | note src #git.repository | read ./rules/**",
    "semgrep -a -c p/python src": "read src/** | note src #git.repository | write src/**"
    " | reach semgrep.dev #scan.rules",
}
