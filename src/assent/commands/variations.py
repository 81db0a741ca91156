"""The same command with its options written in every other way, and with one of them left out: examples for people.

Whether a rule matches them is for the rule to say.
"""

from __future__ import annotations

from assent.commands.spelled import Tables, is_option, other_words, tables_of
from assent.commands.table import program_named
from assent.getopt import OptionReader, names_of
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.getopt import Given

    Said = tuple[str, ...]


SHORTEST = len("--abcd")
MOST_NAMES = 2


@record
class Shape:
    """A command taken apart: what comes first, its options with their names and value, and its other words."""

    head: Said
    options: tuple[tuple[tuple[str, ...], str | None], ...] = ()
    rest: Said = ()
    unknown: Said = ()
    """Options that no table of its program has."""


def variations(words: Said) -> Iterator[Said]:
    """Options in clusters, apart, by long and short names, cut short, behind the operands; then other names."""
    shape = shape_of(words)
    short = [_short(option) for option in shape.options]
    long = [_long(option) for option in shape.options]
    letters = "".join([word[0][1] for word in short if len(word) == 1 and len(word[0]) == 2 and word[0][0] == "-"])
    separate = [word for word in short if not (len(word) == 1 and len(word[0]) == 2)]
    for clustered in (letters, letters[::-1]) if len(letters) > 1 else ():
        yield _said(shape, [(f"-{clustered}",), *separate])
    yield _said(shape, short)
    yield _said(shape, long)
    yield _said(shape, [_cut(option, words) for option in shape.options])
    yield (*shape.head, *shape.rest, *(word for option in short for word in option))
    others = [other for other in other_words(words, bool) if other[0] == words[0]]
    yield from others[:MOST_NAMES]


def without_an_option(words: Said) -> Iterator[Said]:
    """The same command with one option less, and with none."""
    shape = shape_of(words)
    every = [_short(option) for option in shape.options]
    for at in range(len(every)):
        yield _said(shape, every[:at] + every[at + 1 :])
    yield _said(shape, [])


def shape_of(words: Said) -> Shape:
    """The parts of a command, as the tables of its program see them."""
    known = tables_of(words)
    reader = OptionReader(lenient=False, exact=known.exact)
    at, ended = 1, False
    operands: list[str] = []
    while at < len(words):
        reader.tables = known.tables[::-1] if len(operands) >= known.fixed else known.tables
        word = words[at]
        at += 1
        if ended or not is_option(word, known):
            operands.append(word)
        elif word == "--":
            ended = True
        else:
            at += reader.option(word, words[at : at + 1])
    first = [_first(ways, known) for ways in reader.options]
    options = tuple([(_names(given, known), (given.values or (None,))[0]) for way in first for given in way])
    unknown = [max(given.names, key=len) for way in first for given in way if given.guessed and known.tables]
    return Shape((words[0], *operands[: known.fixed]), options, tuple(operands[known.fixed :]), tuple(unknown))


def unknown_options(words: Said) -> list[tuple[str, str]]:
    """Options that a program does not have, as far as anybody knows, each with the one that was probably meant."""
    known = {name for table in tables_of(words).tables for name in table}
    return [(option, _nearest(option, known)) for option in shape_of(words).unknown]


def unknown_subcommands(words: Said) -> list[tuple[str, str]]:
    """A word in the place of a subcommand that its program does not have, with the one that was probably meant."""
    program = program_named(words[0][words[0].rfind("/") + 1 :])
    shape = shape_of(words)
    first = (*shape.head[1:], *shape.rest)[:1]
    if program is None or not program.commands or not first or program.commands.get(first[0]) is not None:
        return []
    meant = _nearest(first[0], set(program.commands))
    return [(first[0], meant)] if meant else []


def _nearest(word: str, known: set[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, sorted(known), n=1, cutoff=0.7)), "")


def _first(ways: tuple[tuple[Given, ...], ...], known: Tables) -> tuple[Given, ...]:
    """Of the ways to read a word by habit, letters for a short one."""
    return ways[1] if len(ways) > 1 and not known.exact and len(max(ways[0][0].names, key=len)) <= 5 else ways[0]


def _names(given: Given, known: Tables) -> tuple[str, ...]:
    """The names of an option in the innermost table that has it, in their order there."""
    for table in known.tables[::-1]:
        for name in table:
            if name in given.names:
                return tuple(other for other in table if other in names_of(table[name], table) and other != "-#")
    return tuple(sorted(given.names, key=len))


def _short(option: tuple[tuple[str, ...], str | None]) -> Said:
    names, value = option
    name = min(names, key=len)
    if value is None:
        return (name,)
    return (name, value) if name[:2] != "--" else (f"{name}={value}",)


def _long(option: tuple[tuple[str, ...], str | None]) -> Said:
    names, value = option
    long = [name for name in names if name[:2] == "--"]
    if not long:
        return _short(option)
    return (long[0],) if value is None else (f"{long[0]}={value}",)


def _cut(option: tuple[tuple[str, ...], str | None], words: Said) -> Said:
    """A long name, as short as it can be and still be nothing else."""
    name = _long(option)[0].partition("=")[0]
    known = {other for table in tables_of(words).tables for other in table if other not in option[0]}
    for end in range(SHORTEST, len(name)):
        if name[:2] == "--" and not any(other.startswith(name[:end]) for other in known):
            rest = _long(option)[0].partition("=")[2]
            return (f"{name[:end]}={rest}" if rest else name[:end],)
    return _long(option)


def _said(shape: Shape, options: list[Said]) -> Said:
    return (*shape.head, *(word for option in options for word in option), *shape.rest)
