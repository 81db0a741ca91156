"""Typed reading of the tables of a policy file: a wrong field is noted with its place and read as "not given"."""

from __future__ import annotations

from assent.errors import PolicyError
from assent.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from assent.policy.positions import Path, Positions
    from assent.types import Layer, Rule

    Table = Mapping[str, object]
    Validate = Callable[[Rule], None]
    Prove = Callable[[tuple[Rule, ...]], Iterable[tuple[str, int, PolicyError]]]
    Placed = tuple[str, tuple[int, int]]

HIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]|\r(?!\n)"
"""Characters that a person reading the file would not see: controls, direction marks, lone surrogates."""

PROSE = ("message", "match", "not_match")
"""Fields that may have several lines."""

SHOWN = 80
MAX_ADVICE = 100
"""Past so many errors nobody reads advice, and finding it is the costly part."""

KINDS = {
    "str": "a string",
    "int": "an integer",
    "float": "a float",
    "bool": "a boolean",
    "datetime": "a date-time",
    "date": "a date",
    "time": "a time",
    "list": "an array",
    "dict": "a table",
}


class Fields:
    """Reads fields and keeps the errors, so that one run tells a person all of them."""

    def __init__(
        self, file: str, layer: Layer, places: Positions, validate: Validate | None, prove: Prove | None = None
    ) -> None:
        self.file = file
        self.layer = layer
        self.places = places
        self.validate = validate
        self.prove = prove
        self.errors: list[PolicyError] = []

    def fail(self, message: str, place: tuple[int, int], help: str = "") -> None:
        self.errors.append(PolicyError(message, file=self.file, line=place[0], column=place[1], help=help))

    def wrong_type(self, path: Path, wanted: str, value: object, help: str = "") -> None:
        name = next(part for part in reversed(path) if isinstance(part, str))
        verb = "must hold" if isinstance(path[-1], int) else "must be"
        kind = KINDS.get(type(value).__name__, type(value).__name__)
        self.fail(f"{show(name)} {verb} {wanted}, not {kind}", self.places.value(path), help)

    def known_keys(self, table: Table, path: Path, known: Collection[str]) -> None:
        for name in table:
            if name not in known:
                known_here = f"known here: {listed(known)}"
                advice = (nearest(name, known) or known_here) if len(self.errors) < MAX_ADVICE else known_here
                self.fail(f"unknown key {show(name)}", self.places.key((*path, name)), advice)

    def table(self, data: Table, name: str) -> Table:
        """A `[name]` table, or nothing."""
        value = data.get(name, {})
        if isinstance(value, dict):
            return value
        advice = f"write `[{name}]` with one bracket" if isinstance(value, list) else ""
        self.wrong_type((name,), "a table", value, advice)
        return {}

    def tables(self, data: Table, name: str) -> list[tuple[Path, Table]]:
        """The `[[name]]` tables with their paths."""
        value = data.get(name, [])
        if not isinstance(value, list):
            advice = f"write `[[{name}]]` with two brackets" if isinstance(value, dict) else ""
            self.wrong_type((name,), "an array of tables", value, advice)
            return []
        found: list[tuple[Path, Table]] = []
        for index, item in enumerate(value):
            if isinstance(item, dict):
                found.append(((name, index), item))
            else:
                self.wrong_type((name, index), "tables", item)
        return found

    def choice(self, data: Table, name: str, noun: str, allowed: Collection[str]) -> str:
        """One of a few words, or the empty string."""
        word = self.string(data, (), name)
        if word and word not in allowed:
            advice = nearest(word, allowed) or f"one of {listed(allowed)}"
            self.fail(f"unknown {noun} {show(word)}", self.places.value((name,)), advice)
            return ""
        return word

    def string(self, table: Table, path: Path, name: str) -> str:
        """A text that says something, or the empty string."""
        return self._text(table[name], (*path, name), name, "a string") if name in table else ""

    def strings(self, table: Table, path: Path, name: str) -> tuple[str, ...]:
        return tuple(text for text, _ in self.placed_strings(table, path, name))

    def placed_strings(self, table: Table, path: Path, name: str, *, single: bool = False) -> list[Placed]:
        """Texts and where each starts; with `single` a lone string counts as a list of one, and none is an error."""
        value, path = table.get(name, []), (*path, name)
        if single and isinstance(value, str):
            text = self._text(value, path, name, "a string")
            return [(text, self.places.value(path))] if text else []
        if not isinstance(value, list):
            advice = f'write `{name} = ["…"]`' if isinstance(value, str) else ""
            self.wrong_type(path, "a string or an array of strings" if single else "an array of strings", value, advice)
            return []
        if single and not value:
            self.fail(f"{show(name)} must not be empty", self.places.value(path))
        texts = [(self._text(item, (*path, index), name, "strings"), index) for index, item in enumerate(value)]
        return [(text, self.places.value((*path, index))) for text, index in texts if text]

    def rule(self, rule: Rule, place: tuple[int, int]) -> list[Rule]:
        """The rule with its origin filled in, or nothing if its text is not valid."""
        complete = replace(rule, file=self.file, layer=self.layer, line=place[0])
        return [complete] if self.valid(complete, place) else []

    def valid(self, rule: Rule, place: tuple[int, int]) -> bool:
        try:
            if self.validate is not None:
                self.validate(rule)
        except PolicyError as error:
            self.fail(error.message, place, error.help)
            return False
        return True

    def _text(self, value: object, path: Path, name: str, wanted: str) -> str:
        if not isinstance(value, str):
            self.wrong_type(path, wanted, value)
        elif not value.strip():
            holds = "must not hold an empty string" if isinstance(path[-1], int) else "must not be empty"
            self.fail(f"{show(name)} {holds}", self.places.value(path))
        elif hidden := hidden_character(value, lines=name in PROSE):
            self.fail(f"{show(name)} contains the control character {hidden}", self.places.value(path), "remove it")
        else:
            return value
        return ""


def hidden_character(text: str, *, lines: bool = False) -> str:
    """The first character that must not be in a text, as `U+001B`, or the empty string."""
    import re

    found = re.search(HIDDEN if lines else f"[\t\n\r]|{HIDDEN}", text)
    return f"U+{ord(found.group()):04X}" if found else ""


def show(text: str) -> str:
    """Input in backticks, safe to print."""
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return f"`{safe}`"


def listed(words: Collection[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def nearest(word: str, known: Collection[str]) -> str:
    """`did you mean …?`, or the empty string."""
    import difflib

    found = difflib.get_close_matches(word[:SHOWN].lower(), known, n=1)
    return f"did you mean `{found[0]}`?" if found else ""
