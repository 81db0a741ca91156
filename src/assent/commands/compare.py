"""Comparing files: diff, cmp and their kin read what they are given."""

from __future__ import annotations

from assent.commands.program import Program
from assent.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows


def _comparing(args: Args) -> Iterator[Fact]:
    """Also without `-r` the files of two folders are compared; links are opened, and with it linked folders entered."""
    follows: Follows = "" if args.has("--no-dereference") else "all" if args.has("-r") else "files"
    for word in (*args.values("--from-file", "--to-file"), *args.operands):
        yield from args.acts("tree", word, follows=follows)


def _merging(args: Args) -> Iterator[Fact]:
    """`sdiff -o` asks what to do with each difference and starts an editor when told to."""
    for word in args.operands[:2]:
        yield from args.acts("tree", word, follows="files")
    if args.has("-o"):
        yield args.gap("may start an editor")


DIFF = Program(
    "-# --normal -q,--brief -s,--report-identical-files -c -C= --context[=] -u -U= --unified[=] -e,--ed -f,--forward-ed"
    " -n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines -p,--show-c-function"
    " -F,--show-function-line= -L,--label= -t,--expand-tabs -T,--initial-tab --tabsize= --suppress-blank-empty"
    " -r,--recursive --no-dereference -N,--new-file -P,--unidirectional-new-file --ignore-file-name-case"
    " --no-ignore-file-name-case -x,--exclude= -X,--exclude-from=read -S,--starting-file= --from-file="
    " --to-file= -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change"
    " -w,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text --strip-trailing-cr"
    " -D,--ifdef= --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format="
    " --line-format= --old-line-format= --new-line-format= --unchanged-line-format= -d,--minimal -H,--speed-large-files"
    " --horizon-lines= --color[=] --palette= -v",
    "text*",
    more=_comparing,
)

PROGRAMS = {
    "diff": DIFF,
    "colordiff": DIFF,
    "zdiff": replace(DIFF, style="around"),
    "cmp": Program(
        "-b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent -v",
        "read? read? text? text?",
    ),
    "sdiff": Program(
        "-o,--output=write -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space"
        " -b,--ignore-space-change -W,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines="
        " --strip-trailing-cr -a,--text -w,--width= -l,--left-column -s,--suppress-common-lines -t,--expand-tabs"
        " --tabsize= -d,--minimal -H,--speed-large-files --diff-program=run -v",
        "text? text?",
        more=_merging,
    ),
    "diff3": Program(
        "-A,--show-all -e,--ed -E,--show-overlap -3,--easy-only -x,--overlap-only -X -i -m,--merge -a,--text"
        " --strip-trailing-cr -T,--initial-tab --diff-program=run -L,--label= -v",
        "read? read? read?",
    ),
    "wdiff": Program(
        "-1,--no-deleted -2,--no-inserted -3,--no-common -i,--ignore-case -n,--avoid-wraps -s,--statistics"
        " -w,--start-delete= -x,--end-delete= -y,--start-insert= -z,--end-insert=",
        "read? read?",
    ),
}

EXAMPLES = {
    "diff a b": "read a/** | read b/**",
    "diff -u a -": "read a/** | maybe read -/**",
    "diff -ENwbur src docs": "read src/** | read docs/**",
    "diff -U 0 a b": "read a/** | read b/**",
    "diff -qr --exclude=.git src docs": "read src/** | read docs/**",
    "diff --from-file=a b": "read a/** | read b/**",
    "diff -l a b": "read a/** | read b/** | gap diff: option -l is not known",
    "diff <(sort a) <(sort b)": "read a | read b | note diff",
    "diff --old-line-format='%L' --unchanged-line-format= a b": "read a/** | read b/**",
    "colordiff -i a b": "read a/** | read b/**",
    "zdiff -u a b": "read a/** | read b/**",
    "zdiff --label .env a b": "read .env | read a | read b | read a/** | read b/**",
    "cmp -s a b": "read a | read b",
    "cmp a b 10 20": "read a | read b",
    "sdiff -w 100 a b": "read a/** | read b/**",
    "sdiff -o c a b": "write c | read a/** | read b/** | gap sdiff: may start an editor",
    "sdiff --diff-program=./x a b": "run ./x #program | read a/** | read b/**",
    "diff3 -m a b c": "read a | read b | read c",
    "wdiff -3 a b": "read a | read b",
}
