"""Where the secrets of a text stand: the places that masking replaced, with the words it put there."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from assent.masking import mask_table
from assent.masking import masked as mask_secrets
from assent.masking.letters import mask_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Secret = tuple[int, int, str]

TOKEN = re.compile(r"[^\W_]+|.", re.DOTALL)
MASK = re.compile(r"‹[A-Za-z ]+, (\d+) characters›")


def secret_spans(text: str, name: str = "", *, masked: bool = False) -> tuple[Secret, ...]:
    """From where to where each secret reaches, and what to show instead: `‹token, 40 characters›`.

    A field whose `name` is telling is a secret as a whole. `masked` takes masks that stand there already for ours.
    """
    hidden = next(iter(mask_table({name: text}).values())) if name else mask_secrets(text)
    before = tuple(existing_masks(text)) if masked else ()
    if hidden == text or not isinstance(hidden, str):
        return before
    walked = _walked(text, hidden)
    found = tuple(_differences(text, hidden)) if walked is None else tuple(walked)
    return tuple(sorted({*found, *(one for one in before if not _overlaps(one, found))})) if before else found


def existing_masks(text: str) -> Iterator[Secret]:
    """The masks that stand in a text."""
    at = text.find("‹")
    while at >= 0:
        end = mask_end(text, at)
        if end > at:
            yield at, end, text[at:end]
        at = text.find("‹", max(end, at + 1))


def _overlaps(one: Secret, others: tuple[Secret, ...]) -> bool:
    return any(one[0] < end and start < one[1] for start, end, _ in others)


def _walked(text: str, hidden: str) -> list[Secret] | None:
    """Both texts side by side: a mask says itself how much it stands for. None where that does not come out even."""
    found: list[Secret] = []
    at = place = 0
    for mask in MASK.finditer(hidden):
        between = hidden[place : mask.start()]
        if not text.startswith(between, at):
            return None
        at, place = at + len(between), mask.end()
        if text.startswith(mask.group(), at):  # it stood there before
            at += len(mask.group())
            continue
        found.append((at, at + int(mask.group(1)), mask.group()))
        at += int(mask.group(1))
    return found if text[at:] == hidden[place:] else None


def _differences(text: str, hidden: str) -> Iterator[Secret]:
    """A secret around another one is counted with the mask inside it; then only comparing word by word helps."""
    mine, theirs = list(TOKEN.finditer(text)), [token.group() for token in TOKEN.finditer(hidden)]
    matcher = SequenceMatcher(None, [token.group() for token in mine], theirs, autojunk=len(mine) > 5_000)
    start = end = -1
    for what, low, high, *_ in matcher.get_opcodes():
        if what == "equal" or low == high:
            continue
        first, last = mine[low].start(), mine[high - 1].end()
        if end >= 0 and first - end > 2:
            yield start, end, f"‹secret, {end - start} characters›"
            start = first
        start, end = (first if start < 0 else start), last
    if end >= 0:
        yield start, end, f"‹secret, {end - start} characters›"
