"""Every other way to write the options of a call."""

from __future__ import annotations

from assent.commands.program import options_of
from assent.commands.table import program_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.commands.program import Option
    from assent.types import Call


def spellings(call: Call) -> tuple[str, ...]:
    """Every other way to write the options of a call: `-f` is `--force`, and `--forc` may be. For finding"
    " danger only."""
    name = call.program or ""
    program = program_named(name[name.rfind("/") + 1 :])
    values = [word.value for word in call.words[1:] if word.value is not None]
    tables = []
    while program is not None:
        tables.append(options_of(program.options))
        inner = (program.commands.get(value) for value in values)
        program = next((found for found in inner if found is not None), None)
    found: dict[str, None] = {}
    for value in values:
        if value.startswith("-") and value not in ("-", "--"):
            for table in tables:
                found |= dict.fromkeys(_same_options(value.partition("=")[0], table))
    return tuple(spelling for spelling in found if spelling not in values)


def written_out(call: Call) -> tuple[tuple[str, ...], ...]:
    """The words of a call with other names of its subcommand that begin as it does: `npm pub` may be `npm publish`."""
    name = call.program or ""
    program = program_named(name[name.rfind("/") + 1 :])
    words = tuple(word.text if word.value is None else word.value for word in call.words)
    if program is None or not program.commands:
        return ()
    at = next((at for at, word in enumerate(words[1:], 1) if program.commands.get(word) is not None), 0)
    if not at:
        return ()
    meant, short = program.commands.get(words[at]), words[at]
    names = [other for other, inner in program.commands.items() if inner is meant and other.startswith(short)]
    return tuple((*words[:at], other, *words[at + 1 :]) for other in names if other != short)


def _same_options(name: str, table: dict[str, Option]) -> list[str]:
    if name.startswith("--"):
        meant = [option for spelling, option in table.items() if spelling.startswith(name)]
    elif name in table:
        meant = [table[name]]
    else:
        meant = [table[f"-{letter}"] for letter in name[1:] if f"-{letter}" in table]
    return [spelling for spelling, option in table.items() if option in meant]
