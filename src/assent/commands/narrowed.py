"""What holds for everything that an expression of `find` lets pass, wherever it stands between `-o`, `!` and `( )`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Test = tuple[str, str | None]
    Said = tuple[str, ...] | None
    """Texts of which one holds, or all, as whoever asks takes them; None where nothing is known to."""
    Leaf = Callable[[str, str | None, bool], Said]
    """What one test says, with its value, and whether it must not hold."""

OR, AND, NOT = ("-o", "-or"), ("-a", "-and"), ("!", "-not")
DEEPEST = 20


def said_of_all(tests: list[Test], acts: frozenset[str], leaf: Leaf) -> Said:
    """What is certain of each file with which something is done, of all that `leaf` reads out of one test.

    One of these texts holds for every file for which the whole does, or, where there is an action, what stands before
    that.
    """
    return _said(_Expression(tests, acts, leaf, _either, _first))


def all_said(tests: list[Test], acts: frozenset[str], leaf: Leaf) -> tuple[str, ...]:
    """As `said_of_all`, for texts that all hold."""
    return _said(_Expression(tests, acts, leaf, _common, _together)) or ()


def _said(reader: _Expression) -> Said:
    found = reader.any_of(None, 0)
    if reader.at < len(reader.tests):
        return None
    return reader.either(reader.done) if reader.done else found


def _either(parts: list[Said]) -> Said:
    known = [part for part in parts if part is not None]
    return tuple(dict.fromkeys([text for part in known for text in part])) if len(known) == len(parts) else None


def _first(parts: list[Said]) -> Said:
    known = [part for part in parts if part]
    return next((part for part in known if part != ("*",)), known[0] if known else None)


def _common(parts: list[Said]) -> Said:
    first, *others = [part or () for part in parts] or [()]
    return tuple(text for text in first if all(text in other for other in others)) or None


def _together(parts: list[Said]) -> Said:
    return tuple(dict.fromkeys([text for part in parts for text in part or ()])) or None


class _Expression:
    def __init__(
        self,
        tests: list[Test],
        acts: frozenset[str],
        leaf: Leaf,
        either: Callable[[list[Said]], Said],
        both: Callable[[list[Said]], Said],
    ) -> None:
        self.tests, self.acts, self.leaf, self.either, self.both = tests, acts, leaf, either, both
        self.at = 0
        self.done: list[Said] = []
        """What is certain where each action stands."""

    def _next(self) -> str:
        return self.tests[self.at][0] if self.at < len(self.tests) else ""

    def any_of(self, before: Said, depth: int, *, false: bool = False) -> Said:
        """Of several parts one holds; where the whole is `false`, none does."""
        parts = [self.all_of(before, depth, false=false)]
        while self._next() in OR:
            self.at += 1
            parts.append(self.all_of(before, depth, false=false))
        return (self.both if false else self.either)(parts)

    def all_of(self, before: Said, depth: int, *, false: bool) -> Said:
        parts: list[Said] = []
        while self._next() not in ("", ")", ",", *OR):
            if self._next() in AND:
                self.at += 1
            else:
                known = before if false else self.both([*parts, before])
                parts.append(self.single(known, depth, false=false))
        return (self.either if false else self.both)(parts) if parts else None

    def single(self, before: Said, depth: int, *, false: bool) -> Said:
        word, value = self.tests[self.at]
        self.at += 1
        if word in self.acts:
            self.done.append(before)
            return None
        if word in NOT:
            return self.single(before, depth, false=not false) if self._next() else None
        if word != "(":
            return self.leaf(word, value, false)
        found = self.any_of(before, depth + 1, false=false) if depth < DEEPEST else None
        if self._next() != ")":
            self.at = len(self.tests) + 1  # not understood
            self.done.append(None)
            return None
        self.at += 1
        return found
