"""What is known about a value in a program: a constant, a text with gaps, a path that was found, a function …

Values are never run: only texts, numbers and bytes that stand in the code are put together, within limits.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

CONST, TEXT, DATA, FOUND, NAME, PATH, FILE = "const", "text", "data", "found", "name", "path", "file"
MEMBER, METHOD, FUNCTION, ANY, CHOICE = "member", "method", "function", "any", "choice"
SIMPLE = (CONST, TEXT, FOUND, NAME)
"""Nothing but data, whatever they hold."""
HASHED = frozenset((CONST, TEXT, FOUND, NAME, MEMBER))
"""Their values can be compared as they are."""
MOST_CHOICES, MOST_ITEMS, LONGEST_FOLD = 16, 256, 200_000
MOST_LEVELS = 6
UNKNOWN = "*"
"""Stands for what is not known where a text is shown as a pattern."""


class Value:
    """`kind` says what the other fields hold.

    CONST a constant; TEXT pieces of a text, None for each that is not known; DATA something of Python's own types, its
    `items` or the value of `each` if known; FOUND a path somewhere below a folder, and which names; NAME one name in a
    listing; PATH an object of pathlib around one of these; FILE an open file; MEMBER a module or what it holds, by its
    full name; METHOD an attribute of another value; FUNCTION one that the code defines; CHOICE one of `items`.
    """

    __slots__ = ("each", "items", "kind", "loose", "value")

    def __init__(
        self,
        kind: str,
        value: Any = None,
        items: list[Value] | None = None,
        each: Value | None = None,
        loose: bool = False,
    ) -> None:
        self.kind = kind
        self.value = value
        self.items = items
        self.each = each
        self.loose = loose
        """More, fewer or other items are possible."""

    def __repr__(self) -> str:
        return f"{self.kind}({self.value!r}, {self.items!r}, {self.each!r})"


SOME_DATA, SOMETHING, NOTHING = Value(DATA), Value(ANY), Value(CONST, None)


def const(value: object) -> Value:
    return Value(CONST, value)


def text_of(pieces: Iterable[str | None]) -> Value:
    """A text of pieces, joined as far as they are known."""
    joined: list[str | None] = []
    for piece in pieces:
        if joined and piece is None and joined[-1] is None:
            continue
        if joined and piece is not None and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    if sum(len(piece or "") for piece in joined) > LONGEST_FOLD:
        return SOME_DATA
    if not joined:
        return const("")
    return const(joined[0]) if len(joined) == 1 and joined[0] is not None else Value(TEXT, tuple(joined))


def listed(items: Iterable[Value]) -> Value:
    """A list, tuple or set of these, in this order."""
    found = list(items)
    if len(found) > MOST_ITEMS:
        return Value(DATA, each=choice(found))
    return Value(DATA, items=found)


def several(each: Value) -> Value:
    """Any number of such values."""
    return Value(DATA, each=each)


def same(one: Value, other: Value, depth: int = 0) -> bool:
    """Whether nothing tells two values apart."""
    if one is other:
        return True
    if one.kind != other.kind or one.loose != other.loose or depth > MOST_LEVELS:
        return False
    if (one.each is None) != (other.each is None) or (one.items is None) != (other.items is None):
        return False
    if one.each is not None and other.each is not None and not same(one.each, other.each, depth + 1):
        return False
    items, others = one.items or (), other.items or ()
    if len(items) != len(others) or not all(same(*pair, depth + 1) for pair in zip(items, others, strict=True)):
        return False
    return _is_equal(one.value, other.value, depth)


def _is_equal(one: Any, other: Any, depth: int) -> bool:
    if isinstance(one, Value) and isinstance(other, Value):
        return same(one, other, depth + 1)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key], depth + 1) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(_is_equal(part, others, depth + 1) for part, others in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def choice(values: Iterable[Value]) -> Value:
    """One of several; so many that it is not worth to tell them apart are data, or anything."""
    found: list[Value] = []
    known: set[object] = set()
    for value in values:
        for one in alternatives(value):
            if one.kind in HASHED:
                key = (one.kind, type(one.value), one.value)
                if key not in known:
                    known.add(key)
                    found.append(one)
            elif not any(same(one, other) for other in found):
                found.append(one)
    if len(found) == 1:
        return found[0]
    if not found:
        return SOME_DATA
    if len(found) > MOST_CHOICES:
        return SOME_DATA if all(map(is_inert, found)) else SOMETHING
    return Value(CHOICE, items=found)


def alternatives(value: Value) -> list[Value]:
    return value.items or [] if value.kind == CHOICE else [value]


def is_inert(value: Value, depth: int = 0) -> bool:
    """Whether a value is nothing but data of Python's own types, all the way down."""
    if value.kind in SIMPLE:
        return True
    if value.kind not in (DATA, CHOICE) or depth > 20:
        return False
    if value.each is not None and not is_inert(value.each, depth + 1):
        return False
    held: Iterable[Value] = value.value.values() if isinstance(value.value, dict) else ()
    return all(is_inert(item, depth + 1) for item in (*(value.items or ()), *held))


def element(value: Value) -> Value:
    """What a loop over a value, or a place in it, gives."""
    found: list[Value] = []
    for one in alternatives(value):
        if one.kind == DATA:
            if isinstance(one.value, dict):
                found += [const(key) for key in one.value]
            found += one.items or ()
            found += [one.each] if one.each is not None else []
            if one.loose or (one.items is None and one.each is None):
                found.append(SOME_DATA)
        elif one.kind == CONST and isinstance(one.value, (list, tuple, set, frozenset)):
            found += map(const, one.value)
        elif one.kind in SIMPLE or one.kind == FILE:
            found.append(SOME_DATA)
        else:
            found.append(SOMETHING)
    return choice(found)


def pieces_of(value: Value) -> list[str | None]:
    """A value as the pieces of a text, None for what is not known."""
    if value.kind == PATH:
        return pieces_of(value.value)
    if value.kind == TEXT:
        return list(value.value)
    if value.kind == FOUND:
        return [f"{value.value[0].rstrip('/')}/", None]
    if value.kind == CONST:
        held = value.value
        if isinstance(held, bytes):
            return [held.decode("utf-8", "replace")]
        return [held] if isinstance(held, str) else [str(held)] if isinstance(held, (int, float, bool)) else [None]
    return [None]


def spelled(value: Value) -> str:
    """A text as it would be shown, with a star for what is not known."""
    return "".join(UNKNOWN if piece is None else piece for piece in pieces_of(value))


def texts_in(value: Value, depth: int = 0) -> Iterator[str]:
    """Every text that a value holds and of which at least a part is known."""
    if depth > 6:
        return
    if value.kind in (TEXT, PATH) or (value.kind == CONST and isinstance(value.value, (str, bytes))):
        text = spelled(value)
        if text.strip(UNKNOWN):
            yield text
    for item in value.items or ():
        yield from texts_in(item, depth + 1)
    if isinstance(value.value, dict):
        for item in value.value.values():
            yield from texts_in(item, depth + 1)


# --- putting constants together -----------------------------------------------------------------------------------


def added(one: Value, other: Value) -> Value | None:
    """`one + other` for texts and lists; None where that is something else."""
    if one.kind == CONST and other.kind == CONST:
        return _folded_sum(one.value, other.value)
    begins = one.kind == TEXT or (one.kind == CONST and isinstance(one.value, str))
    if begins and other.kind in (CONST, TEXT, FOUND, NAME, DATA):
        return text_of([*pieces_of(one), *pieces_of(other)])
    if other.kind in (CONST, TEXT) and one.kind in (DATA, NAME, FOUND) and one.items is None:
        tail = spelled(other)
        if one.kind == FOUND and other.kind == CONST and "/" not in tail:
            return one
        return text_of([*pieces_of(one), *pieces_of(other)]) if isinstance(other.value, (str, tuple)) else None
    if one.kind == DATA and other.kind == DATA and one.items is not None and other.items is not None:
        return Value(DATA, items=[*one.items, *other.items][:MOST_ITEMS], loose=one.loose or other.loose)
    return None


def _folded_sum(one: Any, other: Any) -> Value | None:
    if isinstance(one, str) and isinstance(other, str):
        return const(one + other) if len(one) + len(other) <= LONGEST_FOLD else SOME_DATA
    if isinstance(one, bytes) and isinstance(other, bytes):
        return const(one + other) if len(one) + len(other) <= LONGEST_FOLD else SOME_DATA
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return const(one + other) if numbers and abs(one) < 1e15 and abs(other) < 1e15 else None


def formatted(template: Value, given: list[Value]) -> Value:
    """`template % given`, as far as that puts whole texts in the place of `%s` and `%d`."""
    if template.kind != CONST or not isinstance(template.value, str):
        return SOME_DATA
    pieces: list[str | None] = []
    rest, at = template.value, 0
    while "%" in rest:
        before, _, rest = rest.partition("%")
        pieces.append(before)
        if rest[:1] == "%":
            pieces.append("%")
        elif rest[:1] in ("s", "d") and at < len(given):
            pieces += pieces_of(given[at])
            at += 1
        else:
            pieces.append(None)
            rest = rest.lstrip("0123456789.-+# ")
        rest = rest[1:]
    return text_of([*pieces, rest])


def filled(template: Value, given: list[Value], named: dict[str, Value]) -> Value:
    """`template.format(…)` with `{}`, `{0}` and `{name}`; anything finer is a piece that is not known."""
    if template.kind != CONST or not isinstance(template.value, str):
        return SOME_DATA
    pieces: list[str | None] = []
    rest, count = template.value.replace("{{", "\0").replace("}}", "\1"), 0
    while "{" in rest:
        before, _, rest = rest.partition("{")
        field, closed, rest = rest.partition("}")
        pieces.append(before)
        if not closed:
            return SOME_DATA
        place = count if field == "" else int(field) if field.isdigit() and len(field) < 4 else -1
        count += field == ""
        value = given[place] if 0 <= place < len(given) else named.get(field)
        pieces += [None] if value is None else pieces_of(value)
    whole = [*pieces, rest]
    return text_of([None if p is None else p.replace("\0", "{").replace("\1", "}") for p in whole])
