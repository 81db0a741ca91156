"""Text filters: they read files or standard input and print; a few write a file that an option or operand names."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.shown import shown_words
from assent.commands.spread import pieces, written_by_place
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

ZERO = "-z,--zero-terminated"
MORE_CSPLIT = "the format of the names says where the pieces go"

ONLY_WORDS = Program("", "text*", style="plain", more=shown_words)
"""Programs that look at nothing but their words and standard input, and have no option that could do harm."""


def _named_in_a_file(args: Args) -> Iterator[Fact]:
    """`--files0-from`: the names of the files to read stand in another file."""
    if args.has("--files0-from"):
        yield args.gap("reads files whose names stand in another file", blind=True, reading=True)


@turns_off("-e")
def _shuffling(args: Args) -> Iterator[Fact]:
    """With `-e` the operands are the lines themselves."""
    if not args.has("-e"):
        for word in args.operands:
            yield from args.act("read", word)


def _indexing(args: Args) -> Iterator[Fact]:
    """`ptx -G input output` as on old systems, else every operand is an input."""
    for at, word in enumerate(args.operands):
        yield from args.act("write" if at and args.has("-G") else "read", word)
    if args.has("-G"):
        yield from written_by_place(args)


@turns_off("--filter -n")
def _splitting(args: Args) -> Iterator[Fact]:
    """Pieces get the names `xaa`, `xab`, … or begin with the second operand."""
    if args.has("--filter") or _prints_one_chunk(args.text("-n") or ""):
        return
    if args.operands and args.operands[0].pattern:
        yield args.gap("a second name would say what the pieces are called", blind=True)
    prefix = args.operands[1] if len(args.operands) > 1 else Word("x", "x")
    yield from pieces(args, prefix)


def _prints_one_chunk(chunks: str) -> bool:
    """`-n 2/5`, `-n l/2/5`: one chunk goes to standard output."""
    parts = chunks.split("/")
    return len(parts) == 2 + (parts[0] in ("l", "r"))


@turns_off("-f")
def _splitting_at(args: Args) -> Iterator[Fact]:
    """`csplit`: pieces are `xx00`, `xx01`, … or begin with the value of `-f`."""
    prefix = (args.values("-f") or [Word("xx", "xx")])[-1]
    yield from pieces(args, prefix)
    for word in args.values("-b"):
        if word.value is None or "/" in word.value:
            yield args.gap(MORE_CSPLIT, blind=True)


def _converting(args: Args) -> Iterator[Fact]:
    """`iconv -f ./map`: a name with a slash is a file that defines the encoding, but `//TRANSLIT` is not."""
    for word in args.values("-f", "-t"):
        if word.value is not None and "/" in word.value.partition("//")[0]:
            yield from args.act("read", word)


@turns_off("-i -n -O")
def _line_ends(args: Args) -> Iterator[Fact]:
    """`dos2unix` changes files in place; `-n` takes pairs of input and output; `-i` and `-O` only print."""
    behind = args.call.words[next((at for at, word in enumerate(args.call.words) if word in args.operands[:1]), 0) :]
    sure = not any((word.value or "")[:1] == "-" for word in behind)  # an option holds for what stands behind it
    prints = sure and args.has("-i", "-O") and not args.has("-n", "-o")
    pairs = sure and args.has("-n") and not args.has("-o") and not any(word.pattern for word in args.operands)
    for at, word in enumerate(args.operands):
        if prints or (pairs and at % 2 == 0):
            yield from args.act("read", word)
        else:
            yield from args.act("write", word)


LINE_ENDS = Program(
    "-b,--keep-bom -c,--convmode= -e,--add-eol -f,--force -F,--follow-symlink -i,--info[=] -k,--keepdate -l,--newline"
    " -m,--add-bom -n,--newfile -o,--oldfile -O,--to-stdout -q,--quiet -r,--remove-bom -R,--replace-symlink -s,--safe"
    " -S,--skip-symlink -u,--keep-utf16 -v,--verbose",
    "text*",
    more=_line_ends,
)

PROGRAMS = {
    "cat": Program(
        "-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u"
        " -v,--show-nonprinting",
        "read*",
    ),
    "tac": Program("-b,--before -r,--regex -s,--separator=", "read*"),
    "head": Program(f"-# -c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose {ZERO}", "read*"),
    "tail": Program(
        f"-# -c,--bytes= -f -F --follow[=] -n,--lines= --max-unchanged-stats= --pid= -q,--quiet,--silent -r --retry"
        f" -s,--sleep-interval= -v,--verbose {ZERO}",
        "read*",
    ),
    "wc": Program(
        "-c,--bytes -m,--chars -l,--lines --files0-from=read -L,--max-line-length -w,--words --total= --debug",
        "read*",
        more=_named_in_a_file,
    ),
    "sort": Program(
        "-# -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort"
        " -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort"
        " --random-source=read -r,--reverse --sort= -V,--version-sort --batch-size= -c --check[=] -C"
        " --compress-program=run --debug --files0-from=read -k,--key= -m,--merge -o,--output=write -s,--stable"
        f" -S,--buffer-size= -t,--field-separator= -T,--temporary-directory=into --parallel= -u,--unique {ZERO}",
        "read*",
        more=_named_in_a_file,
    ),
    "uniq": Program(
        "-# -c,--count -d,--repeated -D --all-repeated[=] -f,--skip-fields= --group[=] -i,--ignore-case"
        f" -s,--skip-chars= -u,--unique {ZERO} -w,--check-chars=",
        "read? write?",
        more=written_by_place,
        style="streams",
    ),
    "cut": Program(
        "-b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement -s,--only-delimited"
        f" --output-delimiter= {ZERO}",
        "read*",
    ),
    "paste": Program(f"-d,--delimiters= -s,--serial {ZERO}", "read*"),
    "join": Program(
        f"-a= -e= -i,--ignore-case -j= -o= -t= -v= -1= -2= --check-order --nocheck-order --header {ZERO}", "read? read?"
    ),
    "comm": Program(
        f"-1 -2 -3 -i --check-order --nocheck-order --output-delimiter= --total {ZERO}",
        "read? read?",
    ),
    "tr": ONLY_WORDS,
    "nl": Program(
        "-b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering="
        " -i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber"
        " -s,--number-separator= -v,--starting-line-number= -w,--number-width=",
        "read*",
    ),
    "fold": Program("-# -b,--bytes -s,--spaces -w,--width=", "read*"),
    "fmt": Program(
        "-# -c,--crown-margin --prefix= -s,--split-only --tagged-paragraph -u,--uniform-spacing -w,--width= -g,--goal=",
        "read*",
    ),
    "pr": Program(
        "-# -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --pages= --columns= -a,--across -c,--show-control-chars -d,--double-space"
        " -D,--date-format= -e,--expand-tabs[=] -F,-f,--form-feed -h,--header= -i,--output-tabs[=] -J,--join-lines"
        " -l,--length= -m,--merge -n,--number-lines[=] -N,--first-line-number= -o,--indent= -r,--no-file-warnings"
        " -s,--separator[=] -S,--sep-string[=] -t,--omit-header -T,--omit-pagination -v,--show-nonprinting -w,--width="
        " -W,--page-width=",
        "read*",
    ),
    "expand": Program("-# -i,--initial -t,--tabs=", "read*"),
    "unexpand": Program("-# -a,--all --first-only -t,--tabs=", "read*"),
    "rev": Program("-0,--zero -h -V", "read*"),
    "column": Program(
        "-t,--table --table-name= -O,--table-order= -N,--table-columns= -l,--table-columns-limit= -E,--table-noextreme="
        " -d,--table-noheadings -e,--table-header-repeat -H,--table-hide= -R,--table-right= -T,--table-truncate="
        " -W,--table-wrap= -L,--keep-empty-lines -J,--json -r,--tree= -i,--tree-id= -p,--tree-parent="
        " -c,--output-width= -o,--output-separator= -s,--separator= -x,--fillrows -h -V",
        "read*",
    ),
    "split": Program(
        "-# -a,--suffix-length= --additional-suffix= -b,--bytes= -C,--line-bytes= -d --numeric-suffixes[=] -x"
        " --hex-suffixes[=] -e,--elide-empty-files --filter=run -l,--lines= -n,--number= -t,--separator="
        " -u,--unbuffered --verbose",
        "read? text?",
        more=_splitting,
    ),
    "csplit": Program(
        "-b,--suffix-format= -f,--prefix= -k,--keep-files --suppress-matched -n,--digits= -s,--quiet,--silent"
        " -z,--elide-empty-files",
        "read text*",
        more=_splitting_at,
    ),
    "shuf": Program(
        f"-e,--echo -i,--input-range= -n,--head-count= -o,--output=write --random-source=read -r,--repeat {ZERO}",
        "text*",
        more=_shuffling,
    ),
    "tsort": Program("", "read?"),
    "ptx": Program(
        "-A,--auto-reference -G,--traditional -F,--flag-truncation= -M,--macro-name= -O -R,--right-side-refs"
        " -S,--sentence-regexp= -T --format= -W,--word-regexp= -b,--break-file=read -f,--ignore-case -g,--gap-size="
        " -i,--ignore-file=read -o,--only-file=read -r,--references -t,--typeset-mode -w,--width=",
        "text*",
        more=_indexing,
    ),
    "tee": Program("-a,--append -i,--ignore-interrupts -p --output-error[=]", "write*"),
    "sponge": Program("-a", "write?"),
    "iconv": Program(
        "-f,--from-code= -t,--to-code= -l,--list -c -o,--output=write -s,--silent --verbose -V -?",
        "read*",
        more=_converting,
        style="streams",
    ),
    "dos2unix": LINE_ENDS,
    "unix2dos": LINE_ENDS,
    "mac2unix": LINE_ENDS,
    "unix2mac": LINE_ENDS,
    "col": ONLY_WORDS,
    "colrm": ONLY_WORDS,
    "numfmt": ONLY_WORDS,
    "seq": ONLY_WORDS,
    "factor": ONLY_WORDS,
    "expr": ONLY_WORDS,
    "yes": ONLY_WORDS,
    "basename": ONLY_WORDS,
    "dirname": ONLY_WORDS,
    "uuidgen": ONLY_WORDS,
    "jot": ONLY_WORDS,
    "bc": Program("-i,--interactive -l,--mathlib -w,--warn -s,--standard -q,--quiet -h -v", "read*"),
}

FILES0 = "reads files whose names stand in another file"

EXAMPLES = {
    "cat a b": "read a | read b",
    "cat -n README.md": "read README.md",
    "cat": "note cat",
    "cat - < a": "read a #redirect | maybe read - | note cat",
    "cat < -": "read ./- #redirect | note cat",
    "ls > -": "write ./- #redirect | list .",
    "cat src/*.py": "read src/*.py (glob)",
    'cat "$f"': "note cat | blind cat: a word is not known (variable f) | blind cat: reads a path that"
    " is not known (variable f)",
    "cat --frobnicate a": "read a | gap cat: option --frobnicate is not known",
    "cat -- -n": "read -n",
    "tac a": "read a",
    "head -20 a": "read a",
    "head -c 100 .env": "read .env",
    "head -n -5 -q a b": "read a | read b",
    "tail -n +2 data.txt": "read data.txt",
    "tail --lines 5 a": "read a",
    "tail -n 50 a --retry": "read a",
    "wc -l a b": "read a | read b",
    "wc --files0-from=a": f"read a | blind wc: {FILES0}",
    "sort -u data.txt": "read data.txt",
    "sort -t ':' -k 2,2nr -z a": "read a",
    "sort -uo b data.txt": "write b | read data.txt",
    "sort data.txt -ob": "write b | read data.txt",
    "sort data.txt --output b": "write b | read data.txt",
    "sort data.txt --outp=b": "read data.txt | write b | blind sort: option --outp is not known, it may mean --output",
    "sort --compress-program=./x -S 1 a": "run ./x #program | read a",
    "sort -T docs a": "write docs/** | read a",
    "sort --files0-from=- -n": "maybe read - | note sort | blind sort: reads files whose names stand in another file",
    "uniq -c": "note uniq",
    "uniq data.txt": "read data.txt",
    "uniq data.txt b": "read data.txt | write b",
    "uniq -D -f 1 -- data.txt b": "read data.txt | write b",
    "uniq src/*": "read src/* (glob) | write src/* (glob)",
    "cut -d, -f1 data.txt": "read data.txt",
    "cut -c8-": "note cut",
    "paste -sd+ -": "maybe read - | note paste",
    "tee -": "write -",
    "uniq a -": "read a",
    "paste -d, a b": "read a | read b",
    "join -t: -1 2 -o 1.2,2.2 a b": "read a | read b",
    "comm -12 a b": "read a | read b",
    "tr -d '\\n'": "note tr",
    "nl -ba README.md": "read README.md",
    "fold -w 80 -s README.md": "read README.md",
    "fmt -w 72 README.md": "read README.md",
    "fmt -p x README.md": "read x | read README.md | gap fmt: option -p is not known",
    "pr -4t README.md": "read README.md",
    "expand -t4 a": "read a",
    "unexpand -a a": "read a",
    "rev a": "read a",
    "column -t -s, data.txt": "read data.txt",
    "split -l 100 data.txt": "read data.txt | write ./**/x*",
    "split -b 1k - docs/part_": "maybe read - | write docs/**/part_*",
    "split a .g": "read a | write ./**/.g* | gap split: the pieces are hidden files whose names are not known",
    "split src/*": "read src/* (glob) | write ./**/x*"
    " | blind split: a second name would say what the pieces are called",
    "split --filter='touch b' README.md": "run touch b #program | read README.md",
    "split -n 1/1 a": "read a",
    "csplit -s -f docs/p a 1": "read a | write docs/**/p*",
    "csplit -b '../%d' a 1": f"read a | write ./**/xx* | blind csplit: {MORE_CSPLIT}",
    "shuf -n 1 data.txt": "read data.txt",
    "shuf -e a b -o c": "write c",
    "shuf -i 1-10": "note shuf",
    "tsort data.txt": "read data.txt",
    "ptx a b": "read a | read b",
    "ptx -G a b": "read a | write b",
    "tee": "note tee",
    "tee -a b c": "write b | write c",
    "tee /dev/stderr": "note tee",
    "sponge b": "write b",
    "iconv -f UTF-8 -t ASCII//TRANSLIT a": "read a",
    "iconv -f ./map a -o b": "write b | read a | read ./map",
    "dos2unix a": "write a",
    "dos2unix -n a b": "read a | write b",
    "dos2unix -i a": "read a",
    "dos2unix a -i b": "write a | write b",
    "unix2dos -q a": "write a",
    "mac2unix a": "write a",
    "unix2mac a": "write a",
    "col -bx": "note col",
    "colrm 1 5": "note colrm",
    "numfmt --to=iec 2048": "note numfmt",
    'seq "$a" 10': "note seq",
    "factor 12": "note factor",
    "expr 1 + 2": "note expr",
    "yes | head -3": "note yes | note head",
    'basename "$f" .txt': "note basename",
    "dirname -- a/b": "note dirname",
    "uuidgen -r": "note uuidgen",
    "jot 5": "note jot",
    "bc -l <<< '1/3'": "note bc",
    "bc -lq a": "read a",
    'basename "$API_TOKEN"': 'note "$API_TOKEN" #environment',
    "seq $x": "note seq",
}
