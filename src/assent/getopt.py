"""The words of a command sorted into options, their values and operands, by the tables of its program or by habit.

Good for finding danger: where a word can be read in several ways, all of them count.
"""

from __future__ import annotations

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    class Option(Protocol):
        """What a table says about an option: `takes` is `` for a flag, `=` for a value, `[=]` for one it may have."""

        @property
        def takes(self) -> str: ...

        @property
        def role(self) -> str: ...

    Table = Mapping[str, Option]
    Way = tuple["Given", ...]

RUNS = frozenset(("run", "shell", "unknown"))
"""Roles of values that are, or may be, commands; source text of another language is none."""
LONGEST_CLUSTER = 24
SHORTEST_ABBREVIATION = len("--x")


@record
class Given:
    """An option by all names it may have, with the values it may have."""

    names: frozenset[str]
    values: tuple[str, ...] = ()
    guessed: bool = False
    """No table knows it, so that it may also be short for a longer name."""
    runs: bool = False
    """Its value is a program or a text that runs, as far as anybody knows."""


@record
class Reading:
    """Options, each as the ways in which its word can be read, and operands, in their order."""

    options: tuple[tuple[Way, ...], ...] = ()
    operands: tuple[tuple[str, bool], ...] = ()
    """Each with whether it may also be the value of an option that no table knows."""
    fixed: int = 0
    """How many of the first operands are subcommands, which are nothing else anywhere else."""
    known: bool = False
    """Whether there are tables for the program, so that an option which is in none of them is one nobody knows."""

    def gives(self, wanted: Given) -> bool:
        """Whether an option is among those given, whatever else is."""
        return any(_is_same(wanted, given) for ways in self.options for way in ways for given in way)

    def covers(self, rule: Reading) -> bool:
        """Whether every option of a rule is given: for each, all that one of its ways asks for."""
        return all(any(all(map(self.gives, way)) for way in ways) for ways in rule.options)


class OptionReader:
    """Sorts words by tables, the innermost subcommand's first, that grow while subcommands are met."""

    def __init__(self, *, lenient: bool, exact: bool = False) -> None:
        self.exact = exact
        """Whether `-name` is never `-n ame`."""
        self.lenient = lenient
        """Whether the words are those of a command, where a value may stand behind an option that nobody knows."""
        self.tables: Sequence[Table] = ()
        self.options: list[tuple[Way, ...]] = []
        self.operands: list[tuple[str, bool]] = []
        self.loose = False
        self._read: dict[tuple[str, tuple[str, ...], int], tuple[int, bool]] = {}
        """What has been read: options are a set, so that the same words say nothing more."""

    def operand(self, word: str) -> None:
        self.operands.append((word, self.loose))
        self.loose = False

    def option(self, word: str, following: tuple[str, ...]) -> int:
        """Take an option; returns how many of the following words are its value."""
        key = word, following, id(self.tables)
        if key in self._read:
            used, self.loose = self._read[key]
            return used
        used = self._option(word, following)
        if "=" not in word:  # what stands behind it may be an operand, and those are counted
            self._read[key] = used, self.loose
        return used

    def _option(self, word: str, following: tuple[str, ...]) -> int:
        self.loose = False
        name, equals, value = word.partition("=")
        meant = self._meant(name)
        if meant:
            number = (name[1:],) if all(option is table.get("-#") for option, table in meant) else ()
            return self._known(meant, (value,) if equals else number, following)
        if word[1] == "-" or self.exact:
            self._guess(word, following)
            return 0
        return self._cluster(word, following)

    def _meant(self, name: str) -> list[tuple[Option, Table]]:
        """What a name stands for in each table; a long one may be cut short."""
        found = [(table[name], table) for table in self.tables if name in table]
        if not found and name.startswith("--") and len(name) >= SHORTEST_ABBREVIATION:
            whole = [(known, table) for table in self.tables for known in table if known.startswith(name)]
            found = [(table[known], table) for known, table in whole]
        if not found and name[1:].isdigit():
            found = [(table["-#"], table) for table in self.tables if "-#" in table]
        return found

    def _known(self, meant: list[tuple[Option, Table]], attached: tuple[str, ...], following: tuple[str, ...]) -> int:
        names = frozenset().union(*(names_of(option, table) for option, table in meant))
        takes = [option.takes == "=" for option, _ in meant]
        used = 1 if not attached and following and takes[0] else 0
        runs = any(option.role in RUNS for option, _ in meant)
        self.options.append(((Given(names, attached or following[:used], runs=runs),),))
        self.loose = self.lenient and any(takes) and not (used or attached)
        return used

    def _cluster(self, word: str, following: tuple[str, ...]) -> int:
        """Letters, of which one that takes a value takes the rest of the word, or the next word."""
        way: list[Given] = []
        number = word[1:].isdigit()
        for place in range(1, min(len(word), LONGEST_CLUSTER)):
            letter, rest = f"-{word[place]}", word[place + 1 :]
            meant = [(table[letter], table) for table in self.tables if letter in table]
            if not meant or number:
                self._guess(word, following)
                return 0
            names = frozenset().union(*(names_of(option, table) for option, table in meant))
            takes = meant[0][0].takes
            used = following[:1] if takes == "=" and not rest else ()
            runs = meant[0][0].role in RUNS
            way.append(Given(names, (rest.removeprefix("="),) if takes and rest else used, runs=runs))
            if takes and (rest or used):
                self.options.append((tuple(way),))
                return len(used)
        self.options.append((tuple(way),))
        return 0

    def _guess(self, word: str, following: tuple[str, ...]) -> None:
        """An option that no table knows: a long one, or letters, with or without a value."""
        name, equals, value = word.partition("=")
        names = {name, f"-{name}"} if word[1] != "-" and len(name) > 2 else {name}
        if name[:2] == "--" and len(name) > 3:
            names.add(name[1:])
        plain = following[:1] if self.lenient and following and following[0][:1] != "-" else ()
        values = (value,) if equals else plain
        ways: list[Way] = [(Given(frozenset(names), values, guessed=True),)]
        if word[1] != "-":
            ways += _letters(word)
        self.options.append(tuple(ways))
        self.loose = self.lenient and not equals
        if equals and self.lenient:
            self.operands.append((value, True))

    def reading(self, fixed: int = 0, *, known: bool = False) -> Reading:
        return Reading(tuple(self.options), tuple(self.operands), fixed, known)


def _letters(word: str) -> list[Way]:
    """The ways to read a word as letters: none takes a value, or one of them takes the rest."""
    letters = word[1:LONGEST_CLUSTER]
    flags = [Given(frozenset((f"-{letter}",)), (), guessed=True) for letter in letters]
    ways: list[Way] = [tuple(flags)]
    for place in range(len(letters) - 1):
        value = Given(flags[place].names, (word[place + 2 :],), guessed=True)
        ways.append((*flags[:place], value))
    return ways


def _is_same(wanted: Given, given: Given) -> bool:
    if not _is_named(wanted, given):
        return False
    return not wanted.values or any(is_same_word(want, value) for want in wanted.values for value in given.values)


def _is_named(wanted: Given, given: Given) -> bool:
    if not wanted.names.isdisjoint(given.names):
        return True
    if given.guessed and any(
        len(name) > SHORTEST_ABBREVIATION and name[:2] == "--" and longer.startswith(name)
        for name in given.names
        for longer in wanted.names
    ):
        return True
    patterns = [name for name in wanted.names if "*" in name or "?" in name]
    return bool(patterns) and any(is_same_word(pattern, name) for pattern in patterns for name in given.names)


def names_of(option: Option, table: Table) -> frozenset[str]:
    """Every spelling of an option in its table; a bare number is also what `-n` takes, as in `head -5`."""
    found = _names.get(id(option))
    if found is None:
        names = {name for name, known in table.items() if known is option}
        if "-#" in names and "-n" in table:
            names |= {name for name, known in table.items() if known is table["-n"]}
        found = _names[id(option)] = frozenset(names)
    return found


_names: dict[int, frozenset[str]] = {}
"""By the identity of options, which live as long as the tables that hold them."""


def read_by_habit(words: Iterable[str], *, lenient: bool) -> Reading:
    """Sort the words behind a program that nobody described."""
    reader = OptionReader(lenient=lenient)
    every = tuple(words)
    ended = False
    for at, word in enumerate(every):
        if ended or word in ("", "-") or word[0] != "-":
            reader.operand(word)
        elif word == "--":
            ended, reader.loose = True, False
        else:
            reader.option(word, every[at + 1 : at + 2])
    return reader.reading()


def is_same_word(wanted: str, word: str) -> bool:
    """Whether a word is what a rule writes: by its pattern, or as another spelling of the same path."""
    from assent.globs import match_text

    if wanted == word or match_text(wanted, word):
        return True
    return ("/" in wanted or "/" in word) and match_text(_plain_path(wanted), _plain_path(word))


def _plain_path(word: str) -> str:
    """A path without what says nothing: `./a//b/` is `a/b`."""
    if "://" in word:
        return word
    parts: list[str] = []
    for home in ("$HOME/", "${HOME}/"):
        word = f"~/{word[len(home) :]}" if word.startswith(home) else word
    for part in word.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if word[:1] == "/" else "") + "/".join(parts)
