"""What bash started against what we reported: every argument list must fit one of our simple commands."""

from __future__ import annotations

from collections.abc import Iterable

from assent.shell.tree import Script, Simple, Word
from assent.shell.walk import simple_commands


def unreported(script: Script, executions: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The executions that none of our commands explains."""
    commands = list(simple_commands(script))
    return [argv for argv in sorted(executions) if not any(fits(command, argv) for command in commands)]


def fits(command: Simple, argv: tuple[str, ...]) -> bool:
    """Exact words must be equal, a quoted unknown is any one word, any other unknown any number of words."""
    reached = {0}
    for word in command.words:
        reached = {after for at in reached for after in _after(word, argv, at)}
    return len(argv) in reached


def _after(word: Word, argv: tuple[str, ...], at: int) -> Iterable[int]:
    value = word.value
    if value is not None:
        return (at + 1,) if argv[at : at + 1] == (value,) else ()
    if word.is_one_word:
        return (at + 1,) if at < len(argv) else ()
    return range(at, len(argv) + 1)
