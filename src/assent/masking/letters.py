"""The letters that texts with secrets are made of, and the masks that hide those."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
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


def skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANK:
        at += 1
    return at


def has(value: str, letters: frozenset[str]) -> bool:
    return not letters.isdisjoint(value)
