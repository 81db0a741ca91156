"""From where to where a value reaches: a quoted one, one that a shell reads, one in JSON or in a header."""

from __future__ import annotations

from assent.masking.letters import BLANK, QUOTES, mask_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.masking.text import Text

WORD_ENDS = BLANK | QUOTES | frozenset("|;&()<>`{}[],")


def extent(text: Text, begin: int, how: str, *, url: bool = False) -> tuple[int, int]:
    """From where to where a value reaches."""
    source = text.text
    outer = text.enclosing(begin)
    for quote in ('\\"', "\\'"):
        if source.startswith(quote, begin):
            end = source.find(quote, begin + 2)
            return begin + 2, end if end >= 0 else len(source)
    if source[begin : begin + 1] in QUOTES:
        quote = source[begin]
        if quote != outer or (source[begin + 1 : begin + 2] or " ") not in BLANK:
            return _quoted_extent(source, begin, how)
    return begin, bare_end(source, begin, how, outer, url=url)


def _quoted_extent(text: str, begin: int, how: str) -> tuple[int, int]:
    """A quoted value; where a shell reads it, what is glued to it belongs to it."""
    end = _closing(text, begin)
    if how in ("json", ":") or end >= len(text) or text[end] in WORD_ENDS - QUOTES:
        return begin + 1, max(begin + 1, end - 1 if text[end - 1] == text[begin] else end)
    while end < len(text) and text[end] not in WORD_ENDS - QUOTES:
        end = _closing(text, end) if text[end] in QUOTES else end + (2 if text[end] == "\\" else 1)
    return begin, min(end, len(text))


def _closing(text: str, begin: int) -> int:
    """Behind the quote that closes the one at `begin`; the end of the text if none does."""
    quote, at = text[begin], begin + 1
    while at < len(text):
        if text[at] == quote:
            return at + 1
        at += 2 if text[at] == "\\" and quote == '"' else 1
    return len(text)


def bare_end(text: str, begin: int, how: str, outer: str, *, url: bool) -> int:
    ends = set(BLANK) | ({outer} if outer else set("|;&()<>`"))
    if url:
        ends |= {"&", "#", "'", '"'}
    if how in (":", "json"):
        ends |= set(",}]")
    at = begin
    while at < len(text) and text[at] not in ends:
        mask = mask_end(text, at)
        if mask > 0:
            at = mask
        elif not outer and how not in (":", "json") and text[at] in QUOTES and at > begin:
            at = _closing(text, at)
        elif text[at] == "\\" and not (outer and text.startswith("\\" + outer, at)):
            at += 2
        elif text[at] == "\\":
            return at
        else:
            at += 1
    return min(at, len(text))
