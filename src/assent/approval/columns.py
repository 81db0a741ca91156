"""How many columns text takes on a terminal, and cutting and wrapping by columns instead of characters."""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def width(text: str) -> int:
    """Columns of a text without control characters; Chinese characters and emoji take two, accents none."""
    return len(text) if text.isascii() else sum(map(sign_width, text))


def sign_width(sign: str) -> int:
    if sign < "\x7f":
        return 1
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """The text in at most so many columns; `…` stands for what is left out."""
    if width(text) <= columns:
        return text
    return _head(text, columns - 1) + "…" if columns > 0 else ""


def padded(text: str, columns: int) -> str:
    """The text cut or filled to exactly so many columns."""
    short = cut(text, columns)
    return short + " " * (columns - width(short))


def pieces(text: str, columns: int, first: int | None = None) -> Iterator[str]:
    """The text in pieces of at most so many columns, nothing lost; the first one gets `first` columns.

    Broken before a blank where one is near, so that the next piece shows that there was one.
    """
    room = columns if first is None else first
    while text:
        head = _head(text, max(room, 0))
        if not head and room >= columns:
            head = text[0]
        blank = head.rfind(" ")
        if len(head) < len(text) and text[len(head)] != " " and blank > len(head) * 2 // 3:
            head = head[:blank]
        yield head
        text, room = text[len(head) :], columns


def wrapped(text: str, columns: int) -> list[str]:
    """The text broken between words where it can be, nothing lost but the blank at a break."""
    rows: list[str] = []
    row = ""
    for word in text.split(" "):
        longer = f"{row} {word}" if row else word
        if width(longer) <= columns:
            row = longer
            continue
        if row:
            rows.append(row)
        *full, row = list(pieces(word, columns)) or [""]
        rows.extend(full)
    return [*rows, row]


def _head(text: str, columns: int) -> str:
    if text.isascii():
        return text[:columns]
    taken = 0
    for at, sign in enumerate(text):
        taken += sign_width(sign)
        if taken > columns:
            return text[:at]
    return text
