"""Bytes as text and back: dumps, encodings, the strings of a binary."""

from __future__ import annotations

from assent.commands.program import Program, options_of
from assent.commands.spread import written_by_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

VALUE_SIGNS = frozenset("0123456789x+-")
BASE = "-d,-D,--decode -i,--ignore-garbage -w,--wrap="


def _reading_options(args: Args) -> Iterator[Fact]:
    """`xxd` compares only the first letters of an option: `-as 5 f` is `-a`, and then 5 and f are files."""
    table = options_of(args.program.options)
    for word in args.call.words[1:]:
        text = word.value or ""
        if len(text) < 3 or text[0] != "-" or text in table:
            continue
        option = table.get(text[:2])
        if option is None or not option.takes or not VALUE_SIGNS.issuperset(text[2:]):
            yield args.gap(f"option {text} can be read in two ways", blind=True)
    yield from written_by_place(args)


HEXDUMP = Program(
    "-b,--one-byte-octal -c,--one-byte-char -C,--canonical -d,--two-bytes-decimal -o,--two-bytes-octal"
    " -x,--two-bytes-hex -X,--one-byte-hex -L,--color[=] -e,--format= -f,--format-file=read -n,--length= -s,--skip="
    " -v,--no-squeezing -h -V",
    "read*",
)

PROGRAMS = {
    "od": Program(
        "-A,--address-radix= --endian= -j,--skip-bytes= -N,--read-bytes= -S= --strings[=] -t,--format="
        " -v,--output-duplicates -w,--width[=] --traditional -a -b -c -d -f -i -l -o -s -x -h -H -X -O -D -e -F -L",
        "read*",
    ),
    "hexdump": HEXDUMP,
    "hd": HEXDUMP,
    "xxd": Program(
        "-a,-autoskip -b,-bits -C,-capitalize -c,-cols= -d -E,-EBCDIC -e -g,-group,-groupsize= -h,-help -i,-include"
        " -l,-len= -n,-name= -o= -p,-ps,-plain,-postscript -r,-revert -R= -s,-seek,-skip= -u,-upper -v,-version",
        "read? write?",
        more=_reading_options,
        style="single posix streams",
    ),
    "strings": Program(
        "-# -a,--all -d,--data -f,--print-file-name -n,--bytes= -t,--radix= -w,--include-all-whitespace -o -T,--target="
        " -e,--encoding= --unicode= -U= -s,--output-separator= -h -v -V",
        "read*",
        style="response",
    ),
    "base64": Program(BASE, "read*"),
    "base32": Program(BASE, "read*"),
    "basenc": Program(
        f"{BASE} --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 --base58",
        "read?",
    ),
    "shasum": Program(
        "-a,--algorithm= -b,--binary --tag -t,--text -U,--UNIVERSAL -0,--01 --ignore-missing -q,--quiet -s,--status"
        " --strict -w,--warn -h -v",
        "read*",
    ),
    "crc32": Program("", "read*"),
}

EXAMPLES = {
    "od -c .env": "read .env",
    "od -An -tx1 -N 16 a": "read a",
    "od -A x -t c -v a": "read a",
    "hexdump -C a": "read a",
    "hexdump -f b a": "read b | read a",
    "hd a": "read a",
    "xxd a": "read a",
    "xxd -l 64 -s +8 a": "read a",
    "xxd -c8 -g1 a": "read a",
    "xxd -r -p": "note xxd",
    "xxd -r -p a b": "read a | write b",
    "xxd a b": "read a | write b",
    "xxd -as 5 a": "read a | blind xxd: option -as can be read in two ways",
    "xxd a -r": "read a | write -r",
    "xxd src/*": "read src/* (glob) | write src/* (glob)",
    "strings -n 8 a": "read a",
    "strings -8 a": "read a",
    "strings @b": "read b | read @b | blind strings: @b holds more of its words",
    "strings -n @b a": "read b | read a | blind strings: @b holds more of its words",
    "base64 -d a": "read a",
    "base64 -w0 a": "read a",
    "base32 a": "read a",
    "basenc --base16 a": "read a",
    "shasum -a 256 a": "read a",
    "shasum -c a": "read a | gap shasum: option -c is not known",
    "crc32 a b": "read a | read b",
}
