"""A text with its quotes and the masks that are in it already, read piece by piece."""

from __future__ import annotations

from _bisect import bisect_right

from assent.masking.letters import QUOTES, mask_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


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
