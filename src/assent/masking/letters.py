"""The letters that texts with secrets are made of, the masks that hide those, and a text with its quotes."""

from __future__ import annotations

from _bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

MASKS = ("secret", "password", "token", "JWT", "private key")
BLANK = frozenset(" \t\r\n")
QUOTES = frozenset("'\"")
LOWER, UPPER, DIGIT = (
    frozenset(letters) for letters in ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
)
ALNUM = LOWER | UPPER | DIGIT
NAME = ALNUM | frozenset("_-.")
TOKEN = ALNUM | frozenset("_-.+/~%=")
HEX = frozenset("0123456789abcdefABCDEF")


def mask(kind: str, length: int) -> str:
    return f"‹{kind}, {length} characters›"


def mask_end(text: str, at: int) -> int:
    """Where the mask that begins here ends; -1 if none begins here."""
    if not text.startswith("‹", at):
        return -1
    for kind in MASKS:
        head = f"‹{kind}, "
        if text.startswith(head, at):
            end = at + len(head)
            while end < len(text) and text[end] in DIGIT:
                end += 1
            if end > at + len(head) and text.startswith(" characters›", end):
                return end + len(" characters›")
    return -1


class Text:
    """A text, the quote that is open at each of its places, and the masks that are in it already."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._open: list[str] = []
        self.masks: list[tuple[int, int]] = []
        at = text.find("‹")
        while at >= 0:
            end = mask_end(text, at)
            if end > 0:
                self.masks.append((at, end))
            at = text.find("‹", at + 1)

    def enclosing(self, at: int) -> str:
        """The quote in which a place stands, or nothing."""
        if not self._open:
            self._open = _open_quotes(self.text)
        return self._open[at] if at < len(self._open) else ""

    def in_mask(self, at: int) -> bool:
        """Masks stand in order and none holds another, so the last that begins before a place is the one to look at."""
        before = bisect_right(self.masks, (at, len(self.text) + 1))
        return before > 0 and at < self.masks[before - 1][1]

    def runs(self, letters: frozenset[str]) -> Iterator[tuple[int, int]]:
        """The longest pieces made of these letters, outside of masks."""
        start = -1
        for at, sign in enumerate(self.text):
            if sign in letters:
                start = at if start < 0 else start
            elif start >= 0:
                if not (self.masks and self.in_mask(start)):
                    yield start, at
                start = -1
        if start >= 0 and not (self.masks and self.in_mask(start)):
            yield start, len(self.text)


def _open_quotes(text: str) -> list[str]:
    states: list[str] = []
    quote, escaped = "", False
    for sign in text:
        states.append(quote)
        if escaped:
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif sign in QUOTES and quote in ("", sign):
            quote = "" if quote else sign
    return states


def skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANK:
        at += 1
    return at


def has(value: str, letters: frozenset[str]) -> bool:
    return not letters.isdisjoint(value)
