"""Programs that show files a page at a time or nicely: less, more, bat, zcat. Editors are in `editors.py`."""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

PLAIN_JUMPS = ("+G", "+g", "+F")
STARTS = "begins with a command that is not known to be harmless"
NUMBER_SIGNS = frozenset("0123456789.,-")
LESS_NUMBERS = (
    "-b",
    "-h",
    "-j",
    "-x",
    "-y",
    "-z",
    "--shift",
    "--line-num-width",
    "--status-col-width",
    "--wheel-lines",
)


def _paging(args: Args) -> Iterator[Fact]:
    """`less`: `+command` is typed for the user when a file is shown, and `!` in it would start a program."""
    for word in args.operands:
        if word.value is not None and word.value.startswith("+"):
            yield from _jump(args, word.value)
        else:
            yield from args.act("read", word)
    for word in args.values("-p", "-P", "-D", "-o"):
        if not _is_inert(word):
            yield args.gap("a value that may end early and go on with other options")
    for word in args.values(*LESS_NUMBERS):
        if word.value is None or not NUMBER_SIGNS.issuperset(word.value):
            yield args.gap("a number with other options behind it")


def _jump(args: Args, command: str) -> Iterator[Fact]:
    """`+20`, `+G`, `+F` and `+/pattern` only move."""
    moves = command in PLAIN_JUMPS or command[1:].rstrip("gGp%").isdigit()
    if not moves and not (command.startswith("+/") and command.isprintable()):
        yield args.gap(STARTS, blind=True)


def _is_inert(word: Word) -> bool:
    """`less` ends a value at `$` and reads what follows as options; a line end in a pattern ends the search."""
    return word.value is not None and "$" not in word.value and word.value.isprintable()


def _more(args: Args) -> Iterator[Fact]:
    """`more`: `+20` and `+/pattern` say where to begin; on some systems it is `less` by another name."""
    for word in args.operands:
        if word.value is not None and word.value.startswith("+"):
            yield from _jump(args, word.value)
        else:
            yield from args.act("read", word)


def _unpacking(args: Args) -> Iterator[Fact]:
    """`zcat` prints what compressed files hold, with `-r` those below folders."""
    for word in args.operands:
        yield from args.act("tree" if args.has("-r") else "read", word)


def _decorating(args: Args) -> Iterator[Fact]:
    """`bat`: with `--diff` it asks the repository; `bat cache` is another command."""
    if args.operands and args.operands[0].value == "cache":
        yield args.gap("subcommand cache is not known")


LESS = Program(
    "-# -a,--search-skip-screen -A,--SEARCH-SKIP-SCREEN -b,--buffers= -B,--auto-buffers -c,--clear-screen"
    " -C,--CLEAR-SCREEN -d,--dumb -D,--color= -e,--quit-at-eof -E,--QUIT-AT-EOF -f,--force -F,--quit-if-one-screen"
    " -g,--hilite-search -G,--HILITE-SEARCH -h,--max-back-scroll= -i,--ignore-case -I,--IGNORE-CASE -j,--jump-target="
    " -J,--status-column -K,--quit-on-intr -L,--no-lessopen -m,--long-prompt -M,--LONG-PROMPT -n,--line-numbers"
    " -N,--LINE-NUMBERS -o,-O,--log-file,--LOG-FILE=write -p,--pattern= -P,--prompt= -q,--quiet,--silent"
    " -Q,--QUIET,--SILENT -r,--raw-control-chars -R,--RAW-CONTROL-CHARS -s,--squeeze-blank-lines -S,--chop-long-lines"
    " -u,--underline-special -U,--UNDERLINE-SPECIAL -V -w,--hilite-unread -W,--HILITE-UNREAD -x,--tabs= -X,--no-init"
    " -y,--max-forw-scroll= -z,--window= -~,--tilde --shift= --file-size --follow-name --incsearch --line-num-width="
    " --mouse --MOUSE --no-keypad --no-histdups --status-col-width= --use-color --wheel-lines=",
    "text*",
    more=_paging,
)
MORE = Program(
    "-# -d,--silent -f,--logical -l,--no-pause -c,--print-over -p,--clean-print -e,--exit-on-eof -s,--squeeze"
    " -u,--plain -n,--lines= -h -V",
    "text*",
    more=_more,
)
BAT = Program(
    "-A,--show-all --nonprintable-notation= --binary= -p,--plain -l,--language= -H,--highlight-line= --file-name="
    " -d,--diff --diff-context= --tabs= --wrap= -S,--chop-long-lines --terminal-width= -n,--number --color="
    " --italic-text= --decorations= -f,--force-colorization --paging= -P,--no-paging --pager=run -m,--map-syntax="
    " --ignored-suffix= --theme= --theme-dark= --theme-light= --list-themes -s,--squeeze-blank --squeeze-limit="
    " --strip-ansi= --style= -r,--line-range= -L,--list-languages -u,--unbuffered -h -V --no-config",
    "read*",
    more=_decorating,
)

PROGRAMS = {
    "less": LESS,
    "zless": LESS,
    "more": MORE,
    "zmore": Program("", "read*"),
    "most": Program("", "read*"),
    "zcat": Program(
        "-c -d -f,--force -l,--list -n,--no-name -q,--quiet -r,--recursive -S,--suffix= --synchronous -t,--test"
        " -v,--verbose",
        "text*",
        more=_unpacking,
    ),
    "bat": BAT,
    "batcat": BAT,
    "look": Program("-a,--alternative -d,--alphanum -f,--ignore-case -t,--terminate= -b -h -V", "text? read?"),
    "ul": Program("-t,-T,--terminal= -i,--indicated -h -V", "read*"),
    "hexyl": Program(
        "-n,-c,--length,--bytes= -s,--skip= --block-size= -v,--no-squeezing --color= --border= -p,--plain"
        " --no-characters -C,--characters --character-table= -P,--no-position -o,--display-offset= --panels="
        " -g,--group-size,--groupsize= --endianness= -b,--base= --terminal-width= -h -V",
        "read?",
    ),
}

EXAMPLES = {
    "less a": "read a",
    "less": "note less",
    "less -FRX -p regex a b": "read a | read b",
    "less +G a": "read a",
    "less +/TODO README.md": "read README.md",
    "less -N +20 a": "read a",
    "less -o b a": "write b | read a",
    "less '+!touch b' a": f"read a | blind less: {STARTS}",
    "less '-px$ob' a": "read a | gap less: a value that may end early and go on with other options",
    "less -j5ob a": "read a | gap less: a number with other options behind it",
    "less -k a b": "read a | read b | gap less: option -k is not known",
    "zless a": "read a",
    "more +10 a": "read a",
    "more -s a": "read a",
    "zmore a": "read a",
    "most a": "read a",
    "zcat a": "read a",
    "zcat -rf docs": "read docs/**",
    "zcat src/*.gz": "read src/*.gz (glob)",
    "bat -pp --paging=never --line-range 1:20 README.md": "read README.md",
    "bat --pager 'touch b' a": "run touch b #program | read a",
    "bat cache --build": "read cache | gap bat: option --build is not known | gap bat: subcommand cache is not known",
    "batcat -n a": "read a",
    "look he a": "read a",
    "ul a": "read a",
    "hexyl -n 64 a": "read a",
}
