"""Compilers that are called with files: C and C++, assemblers and linkers, Java, Kotlin, Swift, Haskell, Zig, protobuf.

They read their sources and write what `-o` says; plugins, wrappers and option files are left as gaps.
"""

from __future__ import annotations

from assent.commands.program import Program
from assent.commands.projects import (
    both,
    defined,
    files_below,
    makes,
    only_asks,
    perhaps,
    runs,
    runs_in,
    unless,
    within,
)
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

# --- C and C++ -----------------------------------------------------------------------------------------------------

FLAGS = frozenset(
    """-c -S -E -w -v -### -P -C -CC -H -M -MM -MG -MP -MD -MMD -pedantic -pedantic-errors -pipe -static -shared -pie
    -no-pie -rdynamic -nostdlib -nostdinc -nostdinc++ -nodefaultlibs -nostartfiles -pthread -ansi -s -r -undef
    -traditional -emit-llvm --assemble --compile --preprocess --verbose -static-libgcc -static-libstdc++ -dM -dD -Q
    -Qunused-arguments --help --version -dumpversion -dumpmachine -dumpfullversion -dumpspecs -print-search-dirs
    -print-libgcc-file-name -print-multi-lib -print-sysroot --print-targets -print-targets -fsyntax-only -g -g0 -g1
    -g2 -g3 -fuse-ld=lld -fuse-ld=gold -fuse-ld=bfd -fuse-ld=mold
    -save-temps -save-temps=obj -save-temps=cwd --save-temps -ObjC -ObjC++""".split()
)
PREFIXES = tuple(
    """-O -ggdb -gdwarf -gline-tables -glldb -std= -march= -mtune= -mcpu= -mfpu= -mfloat-abi= -mabi= -msse -mavx -mno-
    -m32 -m64 -mmacosx-version-min= -mmcu= -mthumb -print-prog-name= -print-file-name= --target= -stdlib= --std=
    -fno- -fPIC -fpic -fPIE -fpie -fsanitize= -fstack-protector -fstack-clash -fvisibility -fopenmp -ffast-math
    -flto -fdiagnostics-color -fcolor-diagnostics -fomit-frame-pointer -funroll-loops -fexceptions -frtti
    -ffreestanding -fcommon -fwrapv -fstrict- -fdata-sections -ffunction-sections -fmax-errors= -fpermissive
    -fcoroutines -fconcepts -ftemplate-depth= -fsigned-char -funsigned-char -fshort-enums -fcf-protection -fanalyzer
    -fblocks -fobjc-arc""".split()
)
SAFE_LINKING = frozenset(
    """--as-needed --no-as-needed --gc-sections -O1 -O2 --start-group --end-group --no-undefined -Bstatic -Bdynamic
    --whole-archive --no-whole-archive -s --export-dynamic -E --strip-all --strip-debug -dead_strip""".split()
)
VALUES = {
    "-T": "unknown",
    **dict.fromkeys("-o --output -MF -MJ".split(), "write"),
    **dict.fromkeys("-I -L -isystem -iquote -idirafter -F -isysroot --sysroot".split(), "list"),
    **dict.fromkeys("-D -U -l -x -MT -MQ -arch -target -framework -A -u -e -z --param".split(), "text"),
    **dict.fromkeys("-include -imacros".split(), "read"),
}
ALONE = tuple(
    """-include -imacros -isystem -iquote -idirafter -isysroot -arch -target -framework -MF -MJ -MT -MQ --output
    --sysroot --param""".split()
)


def _compiles(args: Args) -> Iterator[Fact]:
    """Sorts the words by hand: the options of a C compiler are mostly beginnings of words."""
    words, at = args.operands, 0
    sources: list[Word] = []
    given: dict[str, Word] = {}
    while at < len(words):
        word = words[at]
        at += 1
        text = word.value
        if text is None or not text.startswith("-") or text == "-":
            if text is not None and text.startswith("@"):
                yield args.gap(f"`{text}` holds further options")
            sources.append(word)
            continue
        name, value = _option(text)
        if name is None:
            if text not in FLAGS and not _is_plain(text):
                yield args.gap(f"option {text} is not known")
            given[text] = word
            continue
        if value is None:
            if at == len(words):
                yield args.gap(f"option {name} needs a value")
                break
            value, at = words[at], at + 1
        given["-o" if name == "--output" else name] = value
        yield from args.act(VALUES[name], value)
    for word in sources:
        if word.value is None and not word.pattern:
            yield args.gap(f"a word is not known ({word.why})", blind=True)
        yield from args.act("read", word)
    yield from _output(args, sources, given)


def _option(text: str) -> tuple[str | None, Word | None]:
    """The name of an option that has a value, and the value if it is attached."""
    if text in VALUES:
        return text, None
    name, equals, value = text.partition("=")
    if equals and name in ("--output", "--sysroot", "--param"):
        return name, Word(value, value)
    short = text[:2]
    if (
        short in VALUES
        and not text.startswith(ALONE)
        and short not in ("-e", "-M", "-a", "-f", "-i", "-z", "-u", "-T", "-A")
    ):
        return short, Word(text[2:], text[2:])
    return None, None


def _is_plain(text: str) -> bool:
    """An option that changes how code is made and nothing else."""
    if text.startswith("-Wl,"):
        return _links_plainly(text.split(",")[1:])
    if text.startswith("-W"):
        return not text.startswith(("-Wa,", "-Wp,"))
    return text.startswith(PREFIXES)


def _links_plainly(words: list[str]) -> bool:
    """Words for the linker behind `-Wl,`; a plugin among them would be run, an output file be written."""
    at = 0
    while at < len(words):
        if words[at] in ("-rpath", "-rpath-link", "-z", "-soname"):
            at += 1
        elif words[at] not in SAFE_LINKING and not words[at].startswith(("-rpath=", "-soname=", "--build-id")):
            return False
        at += 1
    return True


def _output(args: Args, sources: list[Word], given: dict[str, Word]) -> Iterator[Fact]:
    """The files that are written without being named, and the one when no `-o` names it."""
    yield from _besides(args, sources, given)
    if (
        not sources
        or "-o" in given
        or "-fsyntax-only" in given
        or {"-E", "--preprocess", "-M", "-MM", "-###"} & set(given)
    ):
        return
    ending = ".o" if {"-c", "--compile"} & set(given) else ".s" if {"-S", "--assemble"} & set(given) else ""
    if not ending:
        yield from makes("a.out")(args)
    for word in sources if ending else ():
        stem = (word.value or word.pattern).rpartition("/")[2].rpartition(".")[0]
        yield from makes(f"{stem}{ending}")(args)


def _besides(args: Args, sources: list[Word], given: dict[str, Word]) -> Iterator[Fact]:
    """Lists of headers and intermediate files, beside the output or in the folder it runs in."""
    endings = [".d"] if {"-MD", "-MMD"} & set(given) and "-MF" not in given else []
    if any(name.startswith(("-save-temps", "--save-temps")) for name in given):
        endings += [".i", ".ii", ".s", ".o", ".bc"]
    if not endings:
        return
    folder, slash, output = (given["-o"].value or "" if "-o" in given else "").rpartition("/")
    linked = not {"-c", "--compile", "-S", "--assemble", "-E", "--preprocess"} & set(given)
    for word in sources:
        stem = (word.value or word.pattern).rpartition("/")[2].rpartition(".")[0]
        made = output.rpartition(".")[0] or output
        names = dict.fromkeys((f"{output or 'a'}-{stem}", stem, made or stem) if linked else (made or stem,))
        places = dict.fromkeys((f"{folder}{slash}", ""))
        yield from makes(*(f"{place}{name}{ending}" for ending in endings for place in places for name in names))(args)


CC = Program(operands="text*", more=_compiles, style="plain")


def _formats(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.file("read", word)
        if args.has("-i"):
            yield from args.file("write", word)


def _tidies(args: Args) -> Iterator[Fact]:
    """Checks files as the database of compile commands of the project says."""
    if only_asks(args):
        return
    for word in args.operands:
        if args.has("--fix", "--fix-errors", "--fix-notes"):
            yield from args.file("write", word)
    folders = [(word.value or "").rpartition("/")[0] for word in args.operands]
    settings = [file for folder in dict.fromkeys(folders) for file in within(folder, (".clang-tidy",))]
    database = ("compile_commands.json", "compile_flags.txt")
    named = (*settings, *within(args.text("-p"), database))
    yield from defined(args, "clang-tidy", (*database, ".clang-tidy", "**/.clang-tidy"), named=named)


def _zig_formats(args: Args) -> Iterator[Fact]:
    yield from files_below(args, "read", "*.zig", "")
    if not args.has("--check"):
        yield from files_below(args, "write", "*.zig", "")


BUF_FILES = ("buf.yaml", "buf.work.yaml", "**/buf.yaml", "buf.lock")


def _buf_formats(args: Args) -> Iterator[Fact]:
    if args.has("-w"):
        for word in args.operands or [Word(".", ".")]:
            yield from args.file("write", word, deep=True, only="*.proto")


CLANG_FORMAT = Program(
    "-h,--help,-help --version,-version -i --style,-style= --fallback-style,-fallback-style= --dry-run,-n --Werror"
    " --verbose -lines,--lines= -offset,--offset= -length,--length= -sort-includes,--sort-includes"
    " --assume-filename,-assume-filename= --dump-config,-dump-config --files=unknown --ferror-limit=",
    "text*",
    more=_formats,
    style="single",
)
CLANG_TIDY = Program(
    "-h,--help --version,-version -checks,--checks= -p= --fix,-fix --fix-errors,-fix-errors --fix-notes"
    " --quiet,-quiet --header-filter,-header-filter= --list-checks,-list-checks"
    " --warnings-as-errors,-warnings-as-errors= --config= --config-file=read --format-style= --export-fixes=write"
    " --dump-config --explain-config --use-color --system-headers --extra-arg=unknown --extra-arg-before=unknown"
    " --load=run",
    "read*",
    more=_tidies,
    style="single",
)


def _no_lists(args: Args) -> Iterator[Fact]:
    """A word such as `@file` stands for the options in a file."""
    for word in args.operands:
        if word.value is not None and word.value.startswith("@"):
            yield args.gap(f"`{word.value}` holds further options")


# --- the others ----------------------------------------------------------------------------------------------------


def _javac(args: Args) -> Iterator[Fact]:
    """Annotation processors on the class path run, which is the current folder unless said otherwise."""
    if only_asks(args):
        return
    for word in args.operands:
        if word.value is not None and word.value.startswith("@"):
            yield args.gap(f"`{word.value}` holds further options")
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
    **dict.fromkeys("gcc g++ cc c++ clang clang++".split(), CC),
    "clang-format": CLANG_FORMAT,
    "clang-tidy": CLANG_TIDY,
    "ld": Program(
        "--help -v,--version -V -o,--output=write -L,--library-path=list -l,--library= -e,--entry= -m="
        " -T,--script=unknown -r,--relocatable -s,--strip-all -S,--strip-debug -shared -static -Bstatic -Bdynamic"
        " -rpath,--rpath= -soname,-h= --gc-sections --as-needed --no-as-needed --start-group --end-group"
        " --whole-archive --no-whole-archive -Map=write --nostdlib -nostdlib -z= -n,--nmagic -N,--omagic -pie -no-pie"
        " --dynamic-linker,-dynamic-linker= -Ttext= -Tdata= --oformat=",
        "read*",
        style="single",
        more=both(_no_lists, unless("-o", makes("a.out"))),
    ),
    "as": Program(
        "--help --version -v -o=write -g --gen-debug -I=list --32 --64 --x32 -W,--no-warn --warn --fatal-warnings -f"
        " -L,--keep-locals -R --defsym=",
        "read*",
        more=both(_no_lists, unless("-o", makes("a.out"))),
    ),
    "nasm": Program(
        "-h -v,--version -f= -o=write -l=write -g -F= -D= -d= -U= -I=list -i=list -P=read -p=read -E -e -a -M"
        " -MD=write -O= -w= -W= -X=",
        "read",
        style="single",
        more=unless("-o", unless("-E", makes("*.o"))),
    ),
    "javac": Program(
        "-h,--help,-help -version,--version -d=into -cp,-classpath,--class-path= -sourcepath,--source-path=list -g"
        " -g:none -nowarn -verbose -deprecation -encoding= -source,--source= -target,--target= --release= -Werror"
        " -Xlint -Xlint:all -Xlint:unchecked -Xlint:deprecation -proc:none -parameters --enable-preview"
        " -p,--module-path= --add-modules= -s=into -h=into -implicit:none",
        "text*",
        style="single",
        more=_javac,
    ),
    "kotlinc": Program(
        "-h,-help -version -d=into -cp,-classpath= -include-runtime -nowarn -verbose -Werror -jvm-target= -no-stdlib"
        " -no-reflect -language-version= -api-version=",
        "read*",
        style="single",
        more=both(_no_lists, unless("-d", makes("*.class"))),
    ),
    "swiftc": Program(
        "-h,-help,--help -v -version,--version -o=write -O -Onone -g -I=list -L=list -l= -F=list -framework="
        " -module-name= -emit-library -emit-module -emit-executable -parse-as-library -typecheck -parse -sdk="
        " -target= -swift-version= -D= -c -warnings-as-errors -suppress-warnings -whole-module-optimization",
        "read*",
        style="single",
        more=both(_no_lists, unless("-o", unless("-typecheck", unless("-parse", makes("main", "*.o"))))),
    ),
    "ghc": Program(
        "-h,--help -V,--version --numeric-version --info -e=code -o=write -O -O0 -O1 -O2 -Wall -Werror -c -i="
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
                "-h,--help --summary= -j= -p,--prefix=into -l,--list-steps --verbose --release[=]",
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
        more=_no_lists,
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
    "gcc -MD a.c -o src/a": "write src/a | read a.c | write src/a-a.d | write src/a.d | write a-a.d | write a.d",
    "gcc -E -MD a.c": "read a.c | write a.d",
    "gcc -MD -c a.c -o src/a.o": "write src/a.o | read a.c | write src/a.d | write a.d",
    "gcc -fsyntax-only -MMD -MF out a.c": "write out | read a.c",
    "gcc -save-temps -c a.c": "read a.c | write a.i | write a.ii | write a.s | write a.o | write a.bc | write a.o",
    "clang -fsyntax-only -MJ out a.c": "write out | read a.c",
    "gcc a.c": "read a.c | write a.out",
    "gcc -o app a.c b.c -lm -Wall -O2 -std=c11": "write app | read a.c | read b.c",
    "gcc -c src/a.c": "read src/a.c | write a.o",
    "gcc -E a.c": "read a.c",
    "gcc -fsyntax-only -Iinclude a.c": "list include | read a.c",
    "gcc -fplugin=./x.so a.c": "read a.c | write a.out | gap gcc: option -fplugin=./x.so is not known",
    "gcc -B./x a.c": "read a.c | write a.out | gap gcc: option -B./x is not known",
    "gcc -wrapper ./x a.c": "read ./x | read a.c | write a.out | gap gcc: option -wrapper is not known",
    "gcc @opts": "read @opts | write a.out | gap gcc: `@opts` holds further options",
    "gcc -specs=x a.c": "read a.c | write a.out | gap gcc: option -specs=x is not known",
    "gcc -oout a.c": "write out | read a.c",
    "gcc --version": "note gcc",
    "gcc -dumpmachine": "note gcc",
    "gcc $X": "write a.out | blind gcc: a word is not known (variable X)"
    " | blind gcc: reads a path that is not known (variable X)",
    "gcc -MMD -c a.c": "read a.c | write a.d | write a.o",
    "g++ -std=c++17 *.cpp": "read *.cpp (glob) | write a.out",
    "cc -Wl,-rpath,. a.c": "read a.c | write a.out",
    "cc -Wl,-plugin,x a.c": "read a.c | write a.out | gap cc: option -Wl,-plugin,x is not known",
    "c++ --version": "note c++",
    "clang -S a.c": "read a.c | write a.s",
    "clang++ a.cpp --output app": "write app | read a.cpp",
    "clang -Xclang -load a.c": "read a.c | write a.out | gap clang: option -Xclang is not known",
    "clang-format -i a.c": "read a.c | write a.c",
    "clang-format --dry-run a.c": "read a.c",
    "clang-tidy a.c": "read a.c | run clang-tidy #project",
    "ld -o app a.o": "write app | read a.o",
    "as -o a.o a.s": "write a.o | read a.s",
    "nasm -f elf64 -o a.o a.asm": "write a.o | read a.asm",
    "javac Main.java": "read Main.java | maybe run META-INF/services/javax.annotation.processing.Processor #script"
    " | write ./**/*.class",
    "javac -d out Main.java": "write out/** | read Main.java"
    " | maybe run META-INF/services/javax.annotation.processing.Processor #script",
    "javac -cp lib.jar Main.java": "read Main.java | write ./**/*.class"
    " | gap javac: annotation processors on the class path run",
    "javac --version": "note javac",
    "kotlinc a.kt -d out": "write out/** | read a.kt",
    "swiftc -o app a.swift": "write app | read a.swift",
    "ghc a.hs": "read a.hs | run ghc #project | write *.o (glob) | write *.hi (glob)",
    "ghc -e 1": "run ghc code #inline",
    "ghc --version": "note ghc",
    "zig build": "run zig build #project",
    "zig fmt --check src": "read src | read src/**/*.zig",
    "zig version": "note zig version",
    "nim c a.nim": "read a.nim | run nim c #project",
    "crystal run a.cr": "read a.cr | run a.cr #script",
    "protoc --python_out=out a.proto": "write out/** | read a.proto",
    "protoc --plugin=x --x_out=y a.proto": "read a.proto | gap protoc: option --plugin is not known"
    " | gap protoc: option --x_out is not known",
    "buf lint": "read ./** | run buf lint #project",
    "buf generate --config a.yaml": "read a.yaml | read ./** | run buf generate #project",
    "clang-tidy -p out --config-file=a a.c": "read a | read a.c | run clang-tidy #project",
    "gcc -Wl,--as-needed,-plugin,./x a.c": "read a.c | write a.out"
    " | gap gcc: option -Wl,--as-needed,-plugin,./x is not known",
    "gcc -gcc-toolchain x a.c": "read x | read a.c | write a.out | gap gcc: option -gcc-toolchain is not known",
    "zig env": "note zig env",
}
