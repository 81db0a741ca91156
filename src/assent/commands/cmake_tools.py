"""`cmake -E`: a box of tools that do what programs of other names do; their words are handed to those descriptions."""

from __future__ import annotations

from assent.commands.projects import inner
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SAME = {
    "rm": "rm",
    "remove": "rm -f --",
    "remove_directory": "rm -rf --",
    "make_directory": "mkdir -p --",
    **dict.fromkeys("copy copy_if_different copy_if_newer".split(), "cp -L"),
    **dict.fromkeys("copy_directory copy_directory_if_different copy_directory_if_newer".split(), "cp -rLT"),
    "rename": "mv -T --",
    "touch": "touch --",
    "touch_nocreate": "touch -c --",
    "create_symlink": "ln -sfT --",
    "create_hardlink": "ln -fT --",
    "cat": "cat --",
    "compare_files": "cmp --",
    "echo": "echo",
    "echo_append": "echo -n",
    "environment": "env",
    "tar": "tar",
    "sleep": "sleep",
    **{name: f"{name} --" for name in "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum".split()},
    **dict.fromkeys("true false capabilities".split(), "true"),
}
"""Each tool, and the beginning of a command that does the same."""
FLAGS = {
    "remove": ("-f",),
    "rename": ("--no-replace",),
    "compare_files": ("--ignore-eol",),
    "cat": ("--",),
}
"""Words of a tool that name no file."""


def tool(args: Args, words: list[Word]) -> Iterator[Fact]:
    """What the tool does that the first word names; one that starts a program is that program."""
    from assent.commands.facts import described
    from assent.commands.table import program_named

    name, rest = (words[0].value, words[1:]) if words else (None, [])
    same = SAME.get(name or "")
    if name in ("env", "time"):
        yield from _started(args, rest)
    elif name == "chdir" and len(rest) > 1:
        yield from inner(_moved(args, rest[0].value), rest[1:])
    elif same is None:
        yield args.effect("run", "cmake -E", "program")
        yield args.gap("this tool is not understood", blind=bool(words) and name is None)
    else:
        program, *flags = same.split()
        known = program_named(program)
        kept = [word for word in rest if word.value not in FLAGS.get(name or "", ())]
        if name == "tar" and kept:
            kept = _packing(kept)
        given = (*(Word(flag, flag) for flag in flags), *kept)
        if known is not None:
            yield from described(known, program, args.call, args.number, args.base, given)


def _packing(words: list[Word]) -> list[Word]:
    """Of `cmake -E tar`, the second word is the archive, whether the letters in the first one say so or not."""
    first = words[0]
    if first.value is None:
        return words
    letters = "".join(letter for letter in first.value if letter not in "-f")
    return [Word(first.text, f"-{letters}"), Word("-f", "-f"), *words[1:]]


def _moved(args: Args, folder: str | None) -> Args:
    """The same call in another folder; none when that is not known."""
    cwds = () if folder is None else tuple(f"{cwd.rstrip('/')}/{folder}" for cwd in args.call.cwds)
    if folder is not None and folder.startswith("/"):
        cwds = (folder,)
    return args.__class__(replace(args.call, cwds=cwds), args.number, args.base, args.name, args.program)


def _started(args: Args, words: list[Word]) -> Iterator[Fact]:
    """`env` sets variables first: `--unset=NAME`, `--modify`, `NAME=VALUE` and `--` stand before the program."""
    at = 0
    while at < len(words) and ((words[at].value or "").startswith("-") or "=" in (words[at].value or "")):
        at += 1
        if words[at - 1].value == "--":
            break
        yield args.gap(f"{words[at - 1].text} changes what the program is given")
    yield from inner(args, words[at:])
