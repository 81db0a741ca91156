"""What changed in a tool's definition, as lines for the person who is asked about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from assent import wire
from assent.mcp.pins import Definition

PARTS = {
    "description": "description",
    "inputSchema": "input schema",
    "outputSchema": "output schema",
    "annotations": "annotations",
}
MOST_LINES, MOST_SIGNS, MOST_WORDS = 12, 300, 4_000


def differences(before: Definition, after: Definition) -> tuple[str, ...]:
    """What is different: first which parts, then the changed lines of each."""
    if len(before) != 1 or len(after) != 1:
        return (f"the server lists this name {len(after)} times",)
    old, new = before[0], after[0]
    names = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    changed = ", ".join(PARTS.get(name, name) for name in names)
    lines = [line for name in names for line in _lines(name, old.get(name), new.get(name))]
    more = len(lines) - MOST_LINES
    return (f"changed: {changed}", *lines[:MOST_LINES], *((f"and {more} more changed lines",) if more > 0 else ()))


def _lines(name: str, old: object, new: object) -> Iterator[str]:
    shown = PARTS.get(name, name)
    before, after = _pieces(old), _pieces(new)
    for line in difflib.ndiff(before, after):
        if line.startswith(("- ", "+ ")):
            yield f"{shown} {line[0]} {line[2:][:MOST_SIGNS]}"


def _pieces(value: object) -> list[str]:
    """Sentences of a text, or the values inside a schema, one for each line."""
    if value is None:
        return []
    if isinstance(value, str):
        return [line.strip() for line in value[:MOST_WORDS].replace(". ", ".\n").splitlines() if line.strip()]
    return list(_flat(value, ""))[:MOST_WORDS]


def _flat(value: object, place: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _flat(inner, f"{place}.{name}" if place else name)
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for number, inner in enumerate(value):
            yield from _flat(inner, f"{place}[{number}]")
    else:
        yield f"{place}: {wire.dumps(value)}"
