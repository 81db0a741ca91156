"""Compilers that are called with files: Java, Kotlin, Swift, Haskell, Zig, Nim, Crystal, protobuf."""

from __future__ import annotations

from assent.commands.c_compilers import CC
from assent.commands.program import Program, turns_off
from assent.commands.projects import (
    cut_apart,
    defined,
    files_below,
    makes,
    only_asks,
    perhaps,
    runs,
    runs_in,
    within,
)
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


@turns_off("--check")
def _zig_formats(args: Args) -> Iterator[Fact]:
    yield from files_below(args, "read", "*.zig", "")
    if not args.has("--check"):
        yield from files_below(args, "write", "*.zig", "")


BUF_FILES = ("buf.yaml", "buf.work.yaml", "**/buf.yaml", "buf.lock")


def _buf_formats(args: Args) -> Iterator[Fact]:
    if args.has("-w"):
        for word in args.operands or [Word(".", ".")]:
            yield from args.file("write", word, deep=True, only="*.proto")


@turns_off("-cp -proc:none -h -d")
def _javac(args: Args) -> Iterator[Fact]:
    """Annotation processors on the class path run, which is the current folder unless said otherwise."""
    if only_asks(args):
        return
    for word in args.operands:
        yield from args.act("read", word)
    if args.has("-cp", "--processor-path") and not args.has("-proc:none"):
        yield args.gap("annotation processors on the class path run")
    elif not args.has("-proc:none"):
        for path in args.places("META-INF/services/javax.annotation.processing.Processor"):
            yield perhaps(args.effect("run", path, "script"))
    if not args.has("-d"):
        for word in args.operands:
            folder = (word.value or "").rpartition("/")[0] or "."
            yield from args.file("write", Word(folder, folder), deep=True, only="*.class")


@turns_off("-d")
def _kotlinc(args: Args) -> Iterator[Fact]:
    if not only_asks(args) and not args.has("-d"):
        yield from makes("*.class")(args)


SWIFTC = Program(
    "-h,-help,--help -v -version,--version -o=write -O -Onone -Osize -Ounchecked -g -I=list -L=list -F=list"
    " -framework= -module-name= -emit-library -emit-module -emit-executable -parse-as-library -typecheck -parse -sdk="
    " -target= -swift-version= -D= -c -warnings-as-errors -suppress-warnings -whole-module-optimization",
    "read*",
    style="single exact response",
)


def _swiftc(given: Args) -> Iterator[Fact]:
    """`-Ifolder` is `-I folder`; but `-load-plugin-library` is not `-l oad-plugin-library`."""
    args = given.__class__(given.call, given.number, given.base, given.name, SWIFTC)
    yield from args.take(cut_apart(given.operands, "ILFD"))
    if only_asks(args):
        return
    for word in args.operands:
        yield from args.file("read", word)
    if not args.has("-o", "-typecheck", "-parse"):
        yield from makes("main", "*.o")(args)


@turns_off("--numeric-version --info")
def _haskell(args: Args) -> Iterator[Fact]:
    """`ghc -e` runs code; Template Haskell and preprocessors named in a source run too."""
    if only_asks(args) or args.has("--numeric-version", "--info"):
        return
    for word in args.operands:
        yield from args.act("read", word)
    if args.operands:
        yield from defined(args, "ghc", (word.value for word in args.operands if word.value))
        yield from makes("*.o", "*.hi")(args)


def _nim(args: Args) -> Iterator[Fact]:
    """What is compiled may run code while that happens; `a.nims` and `a.nim.cfg` are settings of `a.nim`."""
    files = [word.value for word in args.operands if word.value]
    beside = [name for file in files for name in (file, f"{file}s", f"{file}.cfg", f"{file.removesuffix('.nim')}.nims")]
    folders = dict.fromkeys(file.rpartition("/")[0] for file in files)
    settings = [name for folder in folders for name in within(folder, ("nim.cfg", "config.nims"))]
    yield from defined(args, args.name, (*beside, *settings, "nim.cfg", "config.nims"))


def _crystal(args: Args) -> Iterator[Fact]:
    """Macros of what is compiled run programs."""
    if not only_asks(args):
        named = [word.value for word in args.operands if word.value]
        yield from defined(args, args.name, (*named, "shard.yml", "shard.lock"))


PROGRAMS = {
    "javac": Program(
        "-h,--help,-help -version,--version -d=into -cp,-classpath,--class-path= -sourcepath,--source-path=list -g"
        " -g:none -nowarn -verbose -deprecation -encoding= -source,--source= -target,--target= --release= -Werror"
        " -Xlint -Xlint:all -Xlint:none -Xlint:unchecked -Xlint:deprecation -Xlint:rawtypes -Xlint:-options"
        " -Xlint:-serial -Xdiags:verbose -Xmaxerrs= -Xmaxwarns= -proc:none -parameters --enable-preview"
        " -p,--module-path= --add-modules= -s=into -h=into -implicit:none",
        "text*",
        style="single exact response",
        more=_javac,
    ),
    "kotlinc": Program(
        "-h,-help -version -d=into -cp,-classpath= -include-runtime -nowarn -verbose -Werror -jvm-target= -no-stdlib"
        " -no-reflect -language-version= -api-version=",
        "read*",
        style="single exact response",
        more=_kotlinc,
    ),
    "swiftc": Program(operands="text*", style="plain", more=_swiftc),
    "ghc": Program(
        "-h,--help -V,--version --numeric-version --info -e=code -o=write -O -O0 -O1 -O2 -Wall -Werror -c -i[=]"
        " -outputdir=into -odir=into -hidir=into -package= -threaded -j[=] -v0 -fno-code --make -dynamic -static"
        " -prof",
        "text*",
        style="single",
        more=_haskell,
    ),
    "zig": Program(
        "-h,--help",
        commands={
            **dict.fromkeys("version env help zen targets".split(), Program("", "text*")),
            "build": Program(
                "-h,--help --summary= -j[=] -p,--prefix=into -l,--list-steps --verbose --release[=]",
                "text*",
                more=runs("build.zig", "build.zig.zon", "**/build.zig", "**/build.zig.zon"),
            ),
            **dict.fromkeys(
                "run test".split(), Program("-O= -target= --test-filter=", "script text*", style="single posix")
            ),
            "fmt": Program("--check --stdin --ast-check --color=", "text*", more=_zig_formats),
            "ast-check": Program("-t --color=", "read*"),
            **dict.fromkeys(("cc", "c++"), CC),
        },
        style="bare",
    ),
    "nim": Program(
        "-h,--help -v,--version",
        commands={
            **dict.fromkeys(
                "c cc cpp compile js r doc".split(),
                Program(
                    "-h,--help -d= --define= -r,--run -o,--out,--outdir=write -f,--forceBuild",
                    "read text*",
                    style="posix",
                    more=_nim,
                ),
            ),
            **dict.fromkeys(("check",), Program("", "read*", more=_nim)),
        },
        style="bare",
    ),
    "crystal": Program(
        "-h,--help -v,--version",
        commands={
            **dict.fromkeys(
                "build spec docs".split(),
                Program("-o=write --release --no-color --error-trace -D=", "read*", more=_crystal),
            ),
            "run": Program("--release", "script text*", style="posix"),
            "eval": Program("", "code*"),
            "version": Program(""),
            "env": Program("", "text*"),
            "tool": Program("", "text*", more=_crystal),
        },
        style="bare",
    ),
    "protoc": Program(
        "-h,--help --version -I,--proto_path=list --cpp_out=into --csharp_out=into --java_out=into --kotlin_out=into"
        " --objc_out=into --php_out=into --pyi_out=into --python_out=into --ruby_out=into --rust_out=into"
        " -o,--descriptor_set_out=write --include_imports --include_source_info --experimental_allow_proto3_optional"
        " --fatal_warnings --error_format= --descriptor_set_in=read --dependency_out=write --encode= --decode="
        " --decode_raw",
        "read*",
        style="response",
    ),
    "buf": Program(
        "-h,--help --version --debug --timeout= --log-format=",
        commands={
            **dict.fromkeys(
                "lint build ls-files breaking".split(),
                Program(
                    "-h,--help --config= --error-format= --path= --exclude-path= -o,--output=write --against="
                    " --format=",
                    "tree?",
                    ".",
                    more=runs_in(*BUF_FILES, config="--config"),
                ),
            ),
            "generate": Program(
                "--template= -o,--output=into --path= --include-imports --include-wkt --config=read",
                "tree?",
                ".",
                more=runs_in("buf.gen.yaml", *BUF_FILES, config="--template"),
            ),
            "format": Program(
                "-d,--diff --exit-code -w,--write -o,--output=write --path=", "tree?", ".", more=_buf_formats
            ),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "javac Main.java": "read Main.java | maybe run META-INF/services/javax.annotation.processing.Processor #script"
    " | write ./**/*.class",
    "javac -d out Main.java": "write out/** | read Main.java"
    " | maybe run META-INF/services/javax.annotation.processing.Processor #script",
    "javac -cp lib.jar Main.java": "read Main.java | write ./**/*.class"
    " | gap javac: annotation processors on the class path run",
    "javac --version": "note javac",
    "javac -proc:none -processor X A.java": "read X | read A.java | write ./**/*.class | write ./**/*.class"
    " | blind javac: option -processor is not known",
    "javac -cp @opts A.java": "read opts | read A.java | write ./**/*.class"
    " | blind javac: @opts holds more of its words | gap javac: annotation processors on the class path run",
    "kotlinc -version": "note kotlinc",
    "swiftc -Ilib -typecheck a.swift": "list lib | read a.swift",
    "swiftc -load-plugin-library ./e.so -typecheck a.swift": "read ./e.so | read a.swift | maybe read ./e.so"
    " | blind swiftc: option -load-plugin-library is not known",
    "kotlinc a.kt -d out": "write out/** | read a.kt",
    "swiftc -typecheck -l a.swift": "read a.swift | blind swiftc: option -l is not known",
    "swiftc -o app a.swift": "write app | read a.swift",
    "ghc a.hs": "read a.hs | run ghc #project | write *.o (glob) | write *.hi (glob)",
    "ghc -i a.hs": "read a.hs | run ghc #project | write *.o (glob) | write *.hi (glob)",
    "ghc -isrc a.hs": "read a.hs | run ghc #project | write *.o (glob) | write *.hi (glob)",
    "ghc -e 1": "run ghc code #inline",
    "ghc --version": "note ghc",
    "zig build": "run zig build #project",
    "zig build -j -p out": "write out/** | run zig build #project",
    "zig fmt --check src": "read src | read src/**/*.zig",
    "zig version": "note zig version",
    "nim c a.nim": "read a.nim | run nim c #project",
    "crystal run a.cr": "read a.cr | run a.cr #script",
    "protoc --python_out=out a.proto": "write out/** | read a.proto",
    "protoc --plugin=x --x_out=y a.proto": "read a.proto | blind protoc: option --plugin is not known"
    " | gap protoc: option --x_out is not known",
    "buf lint": "read ./** | run buf lint #project",
    "buf generate --config a.yaml": "read a.yaml | read ./** | run buf generate #project",
    "zig env": "note zig env",
}
