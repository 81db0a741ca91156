"""Manuals: shown pages are harmless, but a page can be any file and a pager any program."""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


CHOOSING = ("-m", "-S", "-s", "-e", "-L", "-E")
"""Options that name a part of the manuals, and lead out of them when they hold a path."""


def _elsewhere(args: Args) -> Iterator[Fact]:
    for word in args.values(*CHOOSING):
        if word.value is None or "/" in word.value or ".." in word.value:
            yield args.gap(f"`{word.text}` leads to pages that are formatted like a program")


def _page(args: Args) -> Iterator[Fact]:
    """`man ls`; a name with a slash is a file, whose text can ask for more files and filters."""
    yield from _elsewhere(args)
    if args.has("-P", "-H"):
        yield args.gap("shows pages with another program")
    for word in args.operands:
        if "/" in (word.value or "/") and not args.has("-k", "-f"):
            yield from args.file("read", word)
            yield args.gap(f"`{word.text}` is a file that is formatted like a program")


def _topic(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if "/" in (word.value or "/"):
            yield from args.file("read", word)


def _online(args: Args) -> Iterator[Fact]:
    yield from args.reach("https://tldr.sh", shown="tldr.sh")


WORDS = Program(
    "-d,--debug -v,--verbose -e,--exact -r,--regex -w,--wildcard -a,--and -l,--long -L,--locale= -m,--systems="
    " -s,--sections,--section= -V",
    "text*",
    more=_elsewhere,
)

PROGRAMS = {
    "man": Program(
        "-d,--debug -f,--whatis -k,--apropos -K,--global-apropos -w,--where,--path,--location -W,--where-cat -a,--all"
        " -i,--ignore-case -I,--match-case --regex --wildcard --names-only --no-subpages -S,-s,--sections="
        " -e,--extension="
        " -L,--locale= -m,--systems= -7,--ascii -E,--encoding= --no-hyphenation,--nh --no-justification,--nj -V"
        " -P,--pager=run -H,--html[=]run",
        "text*",
        more=_page,
    ),
    "apropos": WORDS,
    "whatis": WORDS,
    "info": Program(
        "-a,--all -k,--apropos= -n,--node= -f,--file=read -o,--output=write -O,--show-options,--usage --subnodes"
        " -w,--where"
        " --index-search= --strict-node-location -R,--raw-escapes -h",
        "text*",
        more=_topic,
    ),
    "tldr": Program(
        "-p,--platform= -L,--language= -l,--list -u,--update -c,--clear-cache -r,--raw -m,--markdown --render=read"
        " -q -v"
        " -s,--search= --short-options --long-options",
        "text*",
        more=_online,
    ),
}

EXAMPLES = {
    "man ls": "note man",
    "man -k copy": "note man",
    "man 3 printf": "note man",
    "man --where ls": "note man",
    "man ./a": "read ./a | gap man: `./a` is a file that is formatted like a program",
    "man -m ./x ls": "note man | gap man: `./x` leads to pages that are formatted like a program",
    "man -L de ls": "note man",
    "man -S /tmp/x ls": "note man | gap man: `/tmp/x` leads to pages that are formatted like a program",
    "man -P 'touch b' ls": "run touch b #program | gap man: shows pages with another program",
    "man -l a": "note man | gap man: option -l is not known",
    "man --html=ls ls": "run ls #program | gap man: shows pages with another program",
    "man -H ls": "note man | gap man: shows pages with another program",
    "apropos copy": "note apropos",
    "apropos -m ../x copy": "note apropos | gap apropos: `../x` leads to pages that are formatted like a program",
    "whatis ls": "note whatis",
    "whatis -m ../x ls": "note whatis | gap whatis: `../x` leads to pages that are formatted like a program",
    "info ls": "note info",
    "info -o out ls": "write out",
    "tldr tar": "reach tldr.sh",
}
