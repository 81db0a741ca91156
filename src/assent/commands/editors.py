"""Editors: they change the files they are given, and their keys, commands and settings can do anything else."""

from __future__ import annotations

from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Gap

INTERACTIVE = "an editor runs whatever is typed into it"
COMMANDED = "its options or its input may hold commands of the editor"


def _editing(args: Args) -> Iterator[Fact]:
    yield from _opening(args, "read", "write")
    yield _typed(args)


def _viewing(args: Args) -> Iterator[Fact]:
    yield from _opening(args, "read")
    yield _typed(args)


def _in_a_window(args: Args) -> Iterator[Fact]:
    """An editor with windows of its own; its options choose files and windows."""
    yield from _opening(args, "read", "write")
    yield args.gap(INTERACTIVE)


def _opening(args: Args, *roles: str) -> Iterator[Fact]:
    """Whoever edits a file sees what is in it."""
    yield args.effect("run", args.name, "program")
    for word in args.operands:
        for role in roles:
            yield from args.act(role, word)


def _typed(args: Args) -> Gap:
    """Options and `+` words can hold commands such as `:!touch x`, and so can what is piped into it."""
    commanded = args.has_input or any((word.value or "-")[:1] in ("-", "+") for word in args.call.words[1:])
    return args.gap(COMMANDED if commanded else INTERACTIVE, blind=commanded)


def _renaming(args: Args) -> Iterator[Fact]:
    """`vidir` shows the names of a folder in an editor, then moves and removes files as they were edited."""
    yield args.effect("run", "an editor", "program")
    for word in args.operands or [Word(".", ".")]:
        yield from args.file("write", word, deep=True)
    yield args.gap("moves and removes files as somebody types", blind=True)


EDITOR = Program("", "text*", more=_editing)
WINDOW = Program("", "text*", more=_in_a_window)
IN_TERMINALS = """vi vim nvim gvim mvim rvim vimx vimdiff ex ed red nano rnano pico micro joe jmacs jpico jed emacs
emacsclient mg zile hx helix kak mcedit ne"""
IN_WINDOWS = """code code-insiders codium subl zed atom mate bbedit gedit gnome-text-editor kate kwrite mousepad pluma
xed leafpad featherpad geany nedit idea pycharm webstorm goland clion cursor windsurf"""

PROGRAMS = {
    **dict.fromkeys(IN_TERMINALS.split(), EDITOR),
    **dict.fromkeys(IN_WINDOWS.split(), WINDOW),
    "view": Program("", "text*", more=_viewing),
    "rview": Program("", "text*", more=_viewing),
    "vidir": Program("-v,--verbose", "text*", more=_renaming),
}

EXAMPLES = {
    **{
        f"{name} a": f"run {name} #program | read a | write a | gap {name}: {INTERACTIVE}"
        for name in (*IN_TERMINALS.split(), *IN_WINDOWS.split())
    },
    "vim --version": "note vim",
    "vim -c 'w! b' a": f"run vim #program | read w! b | write w! b | read a | write a"
    f" | gap vim: option -c is not known | blind vim: {COMMANDED}",
    "vim '+!touch b' a": f"run vim #program | read +!touch b | write +!touch b | read a | write a"
    f" | blind vim: {COMMANDED}",
    "vimdiff a b": f"run vimdiff #program | read a | write a | read b | write b | gap vimdiff: {INTERACTIVE}",
    "ex -s a": f"run ex #program | read a | write a | gap ex: option -s is not known | blind ex: {COMMANDED}",
    "cat b | ed a": f"read b | run ed #program | read a | write a | blind ed: {COMMANDED}",
    "code --diff a b": f"run code #program | read a | write a | read b | write b"
    f" | gap code: option --diff is not known | gap code: {INTERACTIVE}",
    "rview a": f"run rview #program | read a | gap rview: {INTERACTIVE}",
    "view a": f"run view #program | read a | gap view: {INTERACTIVE}",
    "vidir": "run an editor #program | write ./** | blind vidir: moves and removes files as somebody types",
}
