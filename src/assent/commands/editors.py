"""Editors: they change the files they are given, and their keys, commands and settings can do anything else."""

from __future__ import annotations

from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

INTERACTIVE = "an editor runs whatever is typed into it"
COMMANDED = "its options or its input may hold commands of the editor"


def _editing(args: Args) -> Iterator[Fact]:
    yield from _opening(args, "write")


def _viewing(args: Args) -> Iterator[Fact]:
    yield from _opening(args, "read")


def _opening(args: Args, role: str) -> Iterator[Fact]:
    """Options and `+` words can hold commands such as `:!touch x`, and so can what is piped into it."""
    yield args.effect("run", args.name, "program")
    for word in args.operands:
        yield from args.act(role, word)
    commanded = args.has_input or any((word.value or "-")[:1] in ("-", "+") for word in args.call.words[1:])
    yield args.gap(COMMANDED if commanded else INTERACTIVE, blind=commanded)


def _renaming(args: Args) -> Iterator[Fact]:
    """`vidir` shows the names of a folder in an editor, then moves and removes files as they were edited."""
    yield args.effect("run", "an editor", "program")
    for word in args.operands or [Word(".", ".")]:
        yield from args.file("write", word, deep=True)
    yield args.gap("moves and removes files as somebody types", blind=True)


EDITOR = Program("", "text*", more=_editing)

PROGRAMS = {
    "vi": EDITOR,
    "vim": EDITOR,
    "nvim": EDITOR,
    "vimdiff": EDITOR,
    "ex": EDITOR,
    "ed": EDITOR,
    "red": EDITOR,
    "nano": EDITOR,
    "pico": EDITOR,
    "micro": EDITOR,
    "joe": EDITOR,
    "emacs": EDITOR,
    "emacsclient": EDITOR,
    "hx": EDITOR,
    "kak": EDITOR,
    "view": Program("", "text*", more=_viewing),
    "vidir": Program("-v,--verbose", "text*", more=_renaming),
}

EXAMPLES = {
    "vi a": f"run vi #program | write a | gap vi: {INTERACTIVE}",
    "vim --version": "note vim",
    "vim -c 'w! b' a": f"run vim #program | write w! b | write a"
    f" | gap vim: option -c is not known | blind vim: {COMMANDED}",
    "vim '+!touch b' a": f"run vim #program | write +!touch b | write a | blind vim: {COMMANDED}",
    "nvim a": f"run nvim #program | write a | gap nvim: {INTERACTIVE}",
    "vimdiff a b": f"run vimdiff #program | write a | write b | gap vimdiff: {INTERACTIVE}",
    "ex -s a": f"run ex #program | write a | gap ex: option -s is not known | blind ex: {COMMANDED}",
    "cat b | ed a": f"read b | run ed #program | write a | blind ed: {COMMANDED}",
    "red a": f"run red #program | write a | gap red: {INTERACTIVE}",
    "nano a": f"run nano #program | write a | gap nano: {INTERACTIVE}",
    "pico a": f"run pico #program | write a | gap pico: {INTERACTIVE}",
    "micro a": f"run micro #program | write a | gap micro: {INTERACTIVE}",
    "joe a": f"run joe #program | write a | gap joe: {INTERACTIVE}",
    "emacs a": f"run emacs #program | write a | gap emacs: {INTERACTIVE}",
    "emacsclient a": f"run emacsclient #program | write a | gap emacsclient: {INTERACTIVE}",
    "hx a": f"run hx #program | write a | gap hx: {INTERACTIVE}",
    "kak a": f"run kak #program | write a | gap kak: {INTERACTIVE}",
    "view a": f"run view #program | read a | gap view: {INTERACTIVE}",
    "vidir": "run an editor #program | write ./** | blind vidir: moves and removes files as somebody types",
}
