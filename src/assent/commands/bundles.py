"""ar and jar, and programs that look into packed files: xzgrep, xzdiff, zipgrep and their kin."""

from __future__ import annotations

from assent.commands.program import Program
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

HERE = Word(".", ".")
AR_KEYS = frozenset("dmpqrstxabcDfioOPSTuUvVN")
JAR_KEYS = frozenset("ctxuvf0Mme")


def _ar(args: Args) -> Iterator[Fact]:
    """`ar [-]keys [member or count] archive file…`: one key letter says what to do."""
    words = list(args.operands)
    keys, options = "", []
    while words and (words[0].value or "").startswith("--"):
        options.append(words.pop(0).value or "")
    if words:
        keys = (words.pop(0).value or "?").removeprefix("-")
    while words and (words[0].value or "")[:1] == "-" and (words[0].value or "")[1:2] not in ("", "-"):
        keys += (words.pop(0).value or "")[1:]
    for option in options:
        if option not in ("--thin", "--version", "--help"):
            yield args.gap(f"option {option.partition('=')[0]} is not known", blind=option.startswith("--output"))
    for word in args.operands:
        if word.value is None and not word.pattern:
            yield args.gap(f"a word is not known ({word.why})", blind=True)
        elif (word.value or "").startswith("@"):
            yield args.gap("a file holds further options", blind=True)
        elif (word.value or "").startswith("--") and (word.value or "") not in options:
            yield args.gap(f"option {word.value} is not known")
    if not AR_KEYS.issuperset(keys):
        yield args.gap(f"keys {keys} are not known", blind=True)
    if any(key in keys for key in "abiN"):
        words = words[1:]
    yield from _library(args, keys, words)


def _library(args: Args, keys: str, words: list[Word]) -> Iterator[Fact]:
    archive, files = words[:1], words[1:]
    changes = any(key in keys for key in "dmqr") or set("scDUSvV").issuperset(keys)
    for word in archive:
        yield from args.file("write" if changes else "read", word)
    if "r" in keys or "q" in keys:
        for word in files:
            yield from args.file("read", word)
    if "x" in keys:
        for word in files:
            yield from args.file("write", word)
        if not files:
            yield from args.file("write", HERE, deep=True, code="extracted")


def _jar(args: Args) -> Iterator[Fact]:
    """`jar tf a.jar`: letters in a bundle like tar's, of which `f`, `m` and `e` take the words behind it in order."""
    words = list(args.operands)
    keys = (words.pop(0).value or "?") if words else ""
    keys = keys.removeprefix("-")
    if keys in ("-version", "-help", "version", "help", "h"):
        return
    if not JAR_KEYS.issuperset(keys):
        yield args.gap(f"keys {keys} are not known", blind=True)
    for word in words:
        if (word.value or "").startswith(("@", "-J", "--")) or (word.value is None and not word.pattern):
            yield args.gap(f"`{word.text}` is not understood", blind=True)
    for key in keys:
        if key in "fme" and words:
            word = words.pop(0)
            if key == "f":
                yield from args.file("write" if "c" in keys or "u" in keys else "read", word)
            elif key == "m":
                yield from args.file("read", word)
    if "x" in keys:
        yield from args.file("write", HERE, deep=True, code="extracted")
    elif "c" in keys or "u" in keys:
        yield from _packed(args, words)


def _packed(args: Args, words: list[Word]) -> Iterator[Fact]:
    """`-C folder name` takes one name from another folder."""
    while words:
        word = words.pop(0)
        if word.value == "-C" and len(words) > 1:
            folder, inner = words.pop(0), words.pop(0)
            both = folder.value is not None and inner.value is not None
            path = Word(folder.text, f"{folder.value}/{inner.value}") if both else folder
            yield from args.file("read", path, deep=True)
        else:
            yield from args.file("read", word, deep=True)


GREP = Program(
    "-a,--text -b,--byte-offset -c,--count --color[=] --colour[=] -e,--regexp= -E,--extended-regexp -F,--fixed-strings"
    " -f,--file=read -G,--basic-regexp -h,--no-filename -H,--with-filename -i,--ignore-case -I -l,--files-with-matches"
    " -L,--files-without-match -m,--max-count= -n,--line-number -o,--only-matching -P,--perl-regexp -q,--quiet,--silent"
    " -s,--no-messages -v,--invert-match -w,--word-regexp -x,--line-regexp -A,--after-context= -B,--before-context="
    " -C,--context=",
    "text read*",
    style="around",
)
ZIPGREP = replace(GREP, operands="text read? text*")


def _with_unpacked(args: Args) -> Iterator[Fact]:
    """A packed file alone is compared with the one that it was made from: `xzdiff a.xz` is `xzdiff a.xz a`."""
    name = args.operands[0].value if len(args.operands) == 1 else None
    if name is not None:
        unpacked = f"{name[:-2]}ar" if name.endswith((".tgz", ".txz", ".tbz")) else name.rpartition(".")[0]
        if unpacked:
            yield from args.file("read", Word(unpacked, unpacked))


DIFF = Program(
    "-q,--brief -s -u -c -i -w -b -B -y -U= -C= --color[=]", "read read?", more=_with_unpacked, style="around"
)

PROGRAMS = {
    "ar": Program(operands="text*", style="plain", more=_ar),
    "ranlib": Program("-D -U -t -v -V", "write*", style="response"),
    "jar": Program(operands="text*", style="plain", more=_jar),
    **dict.fromkeys("xzgrep xzegrep xzfgrep bzgrep bzegrep bzfgrep lzgrep zstdgrep".split(), GREP),
    "zipgrep": ZIPGREP,
    **dict.fromkeys("zcmp xzdiff xzcmp bzdiff bzcmp".split(), DIFF),
    "gzcat": Program("-f -q -v", "read*"),
    "funzip": Program("", "read"),
}

EXAMPLES = {
    "ar t lib.a": "read lib.a",
    "ar rcs lib.a a.o b.o": "write lib.a | read a.o | read b.o",
    "ar x lib.a": "read lib.a | write ./** #extracted",
    "ar x lib.a a.o": "read lib.a | write a.o",
    "ar p lib.a a.o": "read lib.a",
    "ar -s -D lib.a": "write lib.a",
    "ar --plugin ./x.so t lib.a": "read t | write lib.a | gap ar: option --plugin is not known"
    " | blind ar: keys ./x.so are not known",
    "ar --output=/tmp x lib.a": "read lib.a | write ./** #extracted | blind ar: option --output is not known",
    "ar rb a.o lib.a b.o": "write lib.a | read b.o",
    "ranlib lib.a": "write lib.a",
    "ranlib @opts": "read opts | write @opts | blind ranlib: @opts holds more of its words",
    "jar tf a.jar": "read a.jar",
    "jar xf a.jar": "read a.jar | write ./** #extracted",
    "jar cfm a.jar MANIFEST.MF -C src .": "write a.jar | read MANIFEST.MF | read src/./**",
    "jar -version": "note jar",
    "jar cf a.jar @list": "write a.jar | read @list/** | blind jar: `@list` is not understood",
    "xzgrep -n a x.xz": "read x.xz",
    "xzegrep -e a x.xz": "read a | read x.xz",
    "xzfgrep a x.xz": "read x.xz",
    "bzgrep -i a x.bz2": "read x.bz2",
    "bzegrep a x.bz2": "read x.bz2",
    "bzfgrep a x.bz2": "read x.bz2",
    "lzgrep a x.lzma": "read x.lzma",
    "zstdgrep a x.zst": "read x.zst",
    "zipgrep a x.zip 'docs/*'": "read x.zip",
    "zipgrep -- -n a .env x.zip": "read a | read .env | read x.zip",
    "zipgrep -e .env -i x.zip": "read .env | read x.zip",
    "bzgrep -e .env -i x.bz2": "read .env | read x.bz2",
    "bzgrep --color='x -e . .env' a x.bz2": "read x.bz2 | blind bzgrep: a word of it may become several",
    "zstdgrep a -e .env x": "read x | read a | read .env",
    "zstdgrep -m '1 -e . .env' a x": "read x | read 1 -e . .env | read a"
    " | blind zstdgrep: a word of it may become several",
    "xzgrep -A 3 a x.xz": "read x.xz | read 3 | read a",
    "xzdiff -C .env a b": "read a | read b | read .env",
    "zcmp a.gz b.gz": "read a.gz | read b.gz",
    "xzdiff -u a.xz b": "read a.xz | read b",
    "xzdiff a.xz": "read a.xz | read a",
    "xzcmp a.xz b": "read a.xz | read b",
    "bzdiff a.bz2 b": "read a.bz2 | read b",
    "bzcmp a.bz2 b": "read a.bz2 | read b",
    "gzcat a.gz": "read a.gz",
    "funzip a.zip": "read a.zip",
}
