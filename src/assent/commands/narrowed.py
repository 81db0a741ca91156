"""What holds for everything that an expression of `find` lets pass, wherever it stands between `-o`, `!` and `( )`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Test = tuple[str, str | None]
    Said = tuple[str, ...] | None
    """Texts one of which holds; None where nothing is known to."""

OR, AND, NOT = ("-o", "-or"), ("-a", "-and"), ("!", "-not")
DEEPEST = 20


def said_of_all(tests: list[Test], acts: frozenset[str], leaf: Callable[[str, str | None], Said]) -> Said:
    """What is certain of each file with which something is done, of all that `leaf` reads out of one test.

    That is every file for which the whole holds, or, where there is an action, for which what stands before it does.
    """
    reader = _Expression(tests, acts, leaf)
    found = reader.any_of(None, 0)
    if reader.at < len(tests):
        return None
    return _either(reader.done) if reader.done else found


def _either(parts: list[Said]) -> Said:
    known = [part for part in parts if part is not None]
    return tuple(dict.fromkeys([text for part in known for text in part])) if len(known) == len(parts) else None


class _Expression:
    def __init__(self, tests: list[Test], acts: frozenset[str], leaf: Callable[[str, str | None], Said]) -> None:
        self.tests, self.acts, self.leaf = tests, acts, leaf
        self.at = 0
        self.done: list[Said] = []
        """What is certain where each action stands."""

    def _next(self) -> str:
        return self.tests[self.at][0] if self.at < len(self.tests) else ""

    def any_of(self, before: Said, depth: int) -> Said:
        parts = [self.all_of(before, depth)]
        while self._next() in OR:
            self.at += 1
            parts.append(self.all_of(before, depth))
        return _either(parts)

    def all_of(self, before: Said, depth: int) -> Said:
        found: Said = None
        while self._next() not in ("", ")", ",", *OR):
            if self._next() in AND:
                self.at += 1
            else:
                one = self.single(found or before, depth)
                found = found or one
        return found

    def single(self, before: Said, depth: int) -> Said:
        word, value = self.tests[self.at]
        self.at += 1
        if word in self.acts:
            self.done.append(before)
            return None
        if word in NOT:
            if self._next():
                self.single(before, depth)
            return None
        if word != "(":
            return self.leaf(word, value)
        found = self.any_of(before, depth + 1) if depth < DEEPEST else None
        if self._next() != ")":
            self.at = len(self.tests) + 1  # not understood
            self.done.append(None)
            return None
        self.at += 1
        return found
