"""Compilers for C and C++, with their formatter, checker, assemblers and linker.

They read their sources, and whatever those name, and write what `-o` says; plugins and wrappers are left as gaps.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.projects import defined, makes, only_asks, unless, within
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

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
    yield from _takes_in(args, sources if "-x" in given else [word for word in sources if not _is_made(word)])
    yield from _output(args, sources, given)


def _is_made(word: Word) -> bool:
    """Whether a file is no source, but something that only is put together with others."""
    return (word.value or word.pattern).endswith((".o", ".a", ".so", ".obj", ".lib", ".dylib"))


def _takes_in(args: Args, sources: list[Word]) -> Iterator[Fact]:
    """`#include`, `.incbin` and their kin put any file into what is made, printed or complained about."""
    named = [word for word in sources if word.value not in ("-", "/dev/stdin", "/dev/null")]
    if len(named) < len(sources) and not _reads_nothing(args):
        yield args.gap("takes in files that the source names", blind=True, reading=True)
    elif named:
        files = tuple(word.value or word.pattern for word in named if word.value or word.pattern)
        yield from defined(args, f"{args.name} with all that its sources name", files)


def _reads_nothing(args: Args) -> bool:
    """`gcc -dM -E - < /dev/null` shows what the compiler itself defines."""
    files = [redirect.target for redirect in args.call.redirects if redirect.op == "<" and redirect.fd in (None, 0)]
    return args.call.reads_from < 0 and bool(files) and all(file and file.value == "/dev/null" for file in files)


@turns_off("-o -E")
def _assembles(args: Args) -> Iterator[Fact]:
    if only_asks(args):
        return
    yield from _takes_in(args, args.operands or [Word("-", "-")])
    if not args.has("-o", "-E"):
        yield from makes("a.out" if args.name == "as" else "*.o")(args)


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
        not (sources or "-l" in given)
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


CC = Program(operands="text*", more=_compiles, style="plain response")


def _formats(args: Args) -> Iterator[Fact]:
    for word in args.values("--style"):
        name, colon, path = (word.value or "file:").partition(":")
        if colon and name == "file":
            yield from args.file("read", Word(word.text, path) if word.value else word)
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


CLANG_FORMAT = Program(
    "-h,--help,-help --version,-version -i --style,-style= --fallback-style,-fallback-style= --dry-run,-n --Werror"
    " --verbose -lines,--lines= -offset,--offset= -length,--length= -sort-includes,--sort-includes"
    " --assume-filename,-assume-filename= --dump-config,-dump-config --files=unknown --ferror-limit=",
    "text*",
    more=_formats,
    style="single response",
)
CLANG_TIDY = Program(
    "-h,--help --version,-version -checks,--checks= -p= --fix,-fix --fix-errors,-fix-errors --fix-notes"
    " --quiet,-quiet --header-filter,-header-filter= --list-checks,-list-checks"
    " --warnings-as-errors,-warnings-as-errors= --config= --config-file=read --format-style= --export-fixes=write"
    " --dump-config --explain-config --use-color --system-headers --extra-arg=unknown --extra-arg-before=unknown"
    " --load=run",
    "read*",
    more=_tidies,
    style="single response",
)

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
        style="single response",
        more=unless("-o", makes("a.out")),
    ),
    "as": Program(
        "--help --version -v -o=write -g --gen-debug -I=list --32 --64 --x32 -W,--no-warn --warn --fatal-warnings -f"
        " -L,--keep-locals -R --defsym=",
        "read*",
        style="response",
        more=_assembles,
    ),
    "nasm": Program(
        "-h -v,--version -f= -o=write -l=write -g -F= -D= -d= -U= -I=list -i=list -P=read -p=read -E -e -a -M"
        " -MD=write -O= -w= -W= -X=",
        "read",
        style="single",
        more=_assembles,
    ),
}

EXAMPLES = {
    "gcc -MD a.c -o src/a": "write src/a | read a.c | run gcc with all that its sources name #project"
    " | write src/a-a.d | write src/a.d | write a-a.d | write a.d",
    "gcc -E -MD a.c": "read a.c | run gcc with all that its sources name #project | write a.d",
    "gcc -MD -c a.c -o src/a.o": "write src/a.o | read a.c | run gcc with all that its sources name #project"
    " | write src/a.d | write a.d",
    "gcc -fsyntax-only -MMD -MF out a.c": "write out | read a.c | run gcc with all that its sources name #project",
    "gcc -save-temps -c a.c": "read a.c | run gcc with all that its sources name #project | write a.i"
    " | write a.ii | write a.s | write a.o | write a.bc | write a.o",
    "clang -fsyntax-only -MJ out a.c": "write out | read a.c | run clang with all that its sources name #project",
    "gcc a.c": "read a.c | run gcc with all that its sources name #project | write a.out",
    "gcc -o app a.c b.c -lm -Wall -O2 -std=c11": "write app | read a.c | read b.c"
    " | run gcc with all that its sources name #project",
    "gcc -c src/a.c": "read src/a.c | run gcc with all that its sources name #project | write a.o",
    "gcc -E a.c": "read a.c | run gcc with all that its sources name #project",
    "gcc -E - <<< x": "maybe read - | note gcc | blind gcc: takes in files that the source names",
    "gcc -dM -E - < /dev/null": "maybe read - | note gcc",
    "gcc a.o b.a": "read a.o | read b.a | write a.out",
    "gcc -I @opts a.c": "read opts | list @opts | read a.c | run gcc with all that its sources name #project"
    " | write a.out | blind gcc: @opts holds more of its words",
    "clang-format --style=file:b a.c": "read b | read a.c",
    "nasm -v": "note nasm",
    "gcc -fsyntax-only -Iinclude a.c": "list include | read a.c | run gcc with all that its sources name #project",
    "gcc -fplugin=./x.so a.c": "read a.c | run gcc with all that its sources name #project | write a.out"
    " | gap gcc: option -fplugin=./x.so is not known",
    "gcc -B./x a.c": "read a.c | run gcc with all that its sources name #project | write a.out"
    " | gap gcc: option -B./x is not known",
    "gcc -wrapper ./x a.c": "read ./x | read a.c | run gcc with all that its sources name #project | write a.out"
    " | gap gcc: option -wrapper is not known",
    "gcc @opts": "read opts | read @opts | run gcc with all that its sources name #project | write a.out"
    " | blind gcc: @opts holds more of its words",
    "gcc -specs=x a.c": "read a.c | run gcc with all that its sources name #project | write a.out"
    " | gap gcc: option -specs=x is not known",
    "gcc -oout a.c": "write out | read a.c | run gcc with all that its sources name #project",
    "gcc --version": "note gcc",
    "gcc -dumpmachine": "note gcc",
    "gcc $X": "run gcc with all that its sources name #project | write a.out"
    " | blind gcc: a word is not known (variable X) | blind gcc: reads a path that is not known (variable X)",
    "gcc -MMD -c a.c": "read a.c | run gcc with all that its sources name #project | write a.d | write a.o",
    "g++ -std=c++17 *.cpp": "read *.cpp (glob) | run g++ with all that its sources name #project | write a.out",
    "cc -Wl,-rpath,. a.c": "read a.c | run cc with all that its sources name #project | write a.out",
    "cc -Wl,-plugin,x a.c": "read a.c | run cc with all that its sources name #project | write a.out"
    " | gap cc: option -Wl,-plugin,x is not known",
    "c++ --version": "note c++",
    "clang -S a.c": "read a.c | run clang with all that its sources name #project | write a.s",
    "clang++ a.cpp --output app": "write app | read a.cpp | run clang++ with all that its sources name #project",
    "clang -Xclang -load a.c": "read a.c | run clang with all that its sources name #project | write a.out"
    " | gap clang: option -Xclang is not known",
    "clang-format -i a.c": "read a.c | write a.c",
    "clang-format --dry-run a.c": "read a.c",
    "clang-tidy a.c": "read a.c | run clang-tidy #project",
    "ld -o app a.o": "write app | read a.o",
    "as -o a.o a.s": "write a.o | read a.s | run as with all that its sources name #project",
    "nasm -f elf64 -o a.o a.asm": "write a.o | read a.asm | run nasm with all that its sources name #project",
    "clang-tidy -p out --config-file=a a.c": "read a | read a.c | run clang-tidy #project",
    "gcc -Wl,--as-needed,-plugin,./x a.c": "read a.c | run gcc with all that its sources name #project"
    " | write a.out | gap gcc: option -Wl,--as-needed,-plugin,./x is not known",
    "gcc -gcc-toolchain x a.c": "read x | read a.c | run gcc with all that its sources name #project"
    " | write a.out | gap gcc: option -gcc-toolchain is not known",
}
