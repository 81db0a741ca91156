"""What is suspicious in the words a server describes a tool with: they are read by a model, and seldom by a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assent.approval.oddities import oddities

MOST_TEXT, MOST_FOUND = 100_000, 6
ORDERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern, re.IGNORECASE))
    for what, pattern in (
        (
            "speaks to the model in a tag",
            r"<\s*/?\s*(?:important|system|instructions?|critical|secret|hidden|assistant|admin|urgent)\b[^<>]{0,100}>",
        ),
        (
            "tells the model to ignore something",
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|rule|warning|prompt|previous|above"
            r"|polic|permission)",
        ),
        (
            "tells the model to keep something from people",
            r"\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|mention|inform|informing|reveal|notify|show"
            r"|alert)\w*\b.{0,30}\b(?:user|person|human|anyone|this|them)",
        ),
        (
            "tells the model what to do before or instead of other tools",
            r"\b(?:before|instead of|whenever|prior to)\b.{0,30}\b(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\b.{0,30}"
            r"\b(?:any|other|this|the)\b.{0,20}\btools?\b",
        ),
        ("names files with secrets", r"(?:^|[\s/~'\"`])\.(?:ssh|aws|env|netrc|gnupg|kube)\b|\bid_(?:rsa|ed25519)\b"),
        ("speaks of the system prompt", r"\bsystem prompt\b"),
    )
)  # fmt: skip


def suspicions(definition: object) -> tuple[str, ...]:
    """What a person should know about a tool's definition, wherever in it the words stand."""
    found: dict[str, None] = {}
    for where, words in _texts(definition, ""):
        for one in (*oddities(words[:MOST_TEXT], where), *_orders(words[:MOST_TEXT], where)):
            found[one] = None
            if len(found) >= MOST_FOUND:
                return tuple(found)
    return tuple(found)


def _orders(words: str, where: str) -> Iterator[str]:
    for what, pattern in ORDERS:
        if pattern.search(words):
            yield f"{where} {what}"


def _texts(value: object, where: str) -> Iterator[tuple[str, str]]:
    """Every text of a definition, keys included, with the place it stands at."""
    waiting: list[tuple[object, str]] = [(value, where)]
    while waiting:
        one, place = waiting.pop()
        if isinstance(one, str):
            yield f"its `{place or 'definition'}`", one
        elif isinstance(one, Mapping):
            for name, inner in one.items():
                yield "a name in its definition", str(name)
                waiting.append((inner, str(name) if name.isidentifier() and len(name) < 40 else "definition"))
        elif isinstance(one, list | tuple):
            waiting += [(inner, place) for inner in one]
