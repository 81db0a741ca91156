"""awk and its kin: print what a program makes of their files; the program may read, write and run more."""

from __future__ import annotations

from assent.commands import awk_program
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LONGEST_PROGRAM = 10_000
NETWORK = "/inet"
DUMPS = {"-o": "awkprof.out", "-p": "awkprof.out", "-d": "awkvars.out"}


@turns_off("-f -e -E")
def _working(args: Args) -> Iterator[Fact]:
    """The first operand is the program, unless an option gives one; the others are files or assignments."""
    given = args.has("-f", "-e", "-E")
    programs = args.values("-e") if given else args.operands[:1]
    for word in programs:
        yield from _programmed(args, word)
    if not given and not programs:
        yield args.gap("no program is given")
    yield from _dumps(args)
    in_place = args.text("-i") == "inplace"
    if args.has("-i", "-l"):
        yield args.gap("loads a library", blind=args.has("-l") or not in_place)
    for word in args.operands if given else args.operands[1:]:
        if not _assigns(word):
            yield from _file(args, "read", word)
            if in_place:
                yield from args.file("write", word)


def _programmed(args: Args, word: Word) -> Iterator[Fact]:
    if word.value is None:
        yield args.gap(f"the program is not known ({word.why})", blind=True)
        return
    if len(word.value) > LONGEST_PROGRAM:
        yield args.gap("the program is too long to be read", blind=True)
        return
    for kind, what in awk_program.does(word.value):
        if kind == "run":
            yield args.effect("run", what, "inline")
        elif kind == "read":
            yield from _file(args, "read", Word(what, what))
        elif kind == "write":
            yield from _file(args, "write", Word(what, what))
        elif kind == "environment":
            yield args.effect("note", "the environment", "environment")
        else:
            yield args.gap(what, blind=kind != "gap", reading=kind == "unread")


def _dumps(args: Args) -> Iterator[Fact]:
    """Options of gawk that write a file, with the name it takes when none is given."""
    for option, name in DUMPS.items():
        if args.has(option):
            for word in args.values(option) or [Word(name, name)]:
                yield from args.file("write", word)


def _file(args: Args, kind: str, word: Word) -> Iterator[Fact]:
    if (word.value or "").startswith(NETWORK):
        yield args.gap(f"`{word.value}` may be a connection", blind=True)
    yield from args.act(kind, word)


def _assigns(word: Word) -> bool:
    """`name=value` sets a variable between two files."""
    name, equals, _ = (word.value or "").partition("=")
    return bool(equals) and name.isascii() and name.isidentifier()


AWK = Program(
    "-F,--field-separator= -v,--assign= -f,--file=script -e,--source= -E,--exec=script -i,--include= -l,--load="
    " -o,--pretty-print[=] -p,--profile[=] -d,--dump-variables[=] -b,--characters-as-bytes -c,--traditional"
    " -k,--csv -M,--bignum -n,--non-decimal-data -N,--use-lc-numeric -O,--optimize -P,--posix -r,--re-interval"
    " -s,--no-optimize -S,--sandbox -t,--lint-old -L,--lint[=] -C,--copyright -V,--version -h,--help",
    "text*",
    more=_working,
    style="posix",
)
PROGRAMS = dict.fromkeys(("awk", "gawk", "mawk", "nawk"), AWK)

EXAMPLES = {
    "awk '{print $1}' data.txt": "read data.txt",
    "awk -F: '{print $1, $NF}' /etc/passwd": "read /etc/passwd",
    "awk '$1 > 10' data.txt": "read data.txt",
    "awk 'NR==1{print; exit}' README.md": "read README.md",
    "awk 'NR>=10 && NR<=20' README.md": "read README.md",
    "awk '/hello/,/TODO/ {print NR\": \"$0}' README.md": "read README.md",
    'awk \'{s+=$1} END {printf "%d %s\\n", s/NR, (s > 3 ? "a" : "b")}\' data.txt': "read data.txt",
    "awk '{a[$1]++} END {for (k in a) if (a[k] > 1) print k, a[k]}' data.txt": "read data.txt",
    "awk 'function f(x) { return x * 2 }\n# twice\n{ print f($1) / 2 }' data.txt": "read data.txt",
    "awk -v n=3 -v OFS='\\t' '!seen[$0]++ { gsub(/[^a-z]/, \"\"); print length($0) > n }' data.txt": "read data.txt"
    " | blind awk: writes a file that is not known",
    "awk -v n=3 '{ print (length($0) > n) }' x=1 data.txt": "read data.txt",
    "ls -l | awk '{print $5}'": "list . | note awk",
    "awk 1 .env": "read .env",
    "awk '{print > \"out\"}' data.txt": "write out | read data.txt",
    "awk '{print $1,\n $2 >> \"out\"}' data.txt": "write out | read data.txt",
    "awk '{print $0 > \"/dev/stderr\"}' data.txt": "read data.txt",
    'awk \'{printf("%s", $1) > $2".txt"}\' data.txt': "read data.txt | blind awk: writes a file that is not known",
    "awk '{print $1 | \"sort -n\"}' data.txt": "run sort -n #inline | read data.txt",
    "awk 'BEGIN{system(\"touch pwned\")}'": "run touch pwned #inline",
    "awk -v c='touch pwned' 'BEGIN{system(c)}'": "run what it makes at run time #inline",
    "awk 'BEGIN{system (\"id\")}'": "run id #inline",
    "awk 'BEGIN{\"touch pwned\" | getline}'": "run touch pwned #inline",
    "awk 'BEGIN{while ((getline line < \".env\") > 0) print line}'": "read .env",
    "awk '{getline; print}' data.txt": "read data.txt",
    "awk '{getline x < $1; print x}' data.txt": "read data.txt | blind awk: getline reads a file that is not known",
    "awk 'BEGIN{ARGV[1]=\".env\";ARGC=2}1'": "maybe read .env | note awk"
    " | blind awk: changes or looks at ARGV, the files it reads"
    " | blind awk: changes or looks at ARGC, the files it reads",
    "awk 'BEGIN{for (k in ENVIRON) print k}'": "note the environment #environment",
    'awk \'BEGIN{if (1) /"/; system("id") #"/\n}\'': "note awk | blind awk: the program is not understood: a"
    " `/` that may divide or begin a"
    " pattern",
    "awk '/[/]/' data.txt": "read data.txt | blind awk: the program is not understood: a `/` inside of brackets",
    'awk \'BEGIN{f="system"; @f("id")}\'': "note awk | blind awk: the program is not understood: `@`",
    'awk \'BEGIN{print "x" |& "/inet/tcp/0/h/80"}\'': "run /inet/tcp/0/h/80 #inline",
    'awk "{print \\$$N}" data.txt': "read data.txt | blind awk: a word is not known (variable N) |"
    " blind awk: the program "
    "is not known (variable N)",
    "awk -f x.awk README.md": "read x.awk | run x.awk #script | read README.md",
    "awk -i inplace 1 data.txt": "read data.txt | write data.txt | gap awk: loads a library",
    "gawk -i ./lib '{print}' data.txt": "read data.txt | blind gawk: loads a library",
    "gawk -o 1 data.txt": "write awkprof.out | read data.txt",
    "gawk -e '{print}' data.txt": "read data.txt",
    "mawk 'length > 80' README.md": "read README.md",
    "nawk '{print NF}' README.md": "read README.md",
}
