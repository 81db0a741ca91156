"""Warnings about a text: characters that hide, alphabets that mix, padding that pushes things out of sight."""

from __future__ import annotations

import re
import unicodedata

from assent.approval.unseen import NO_HOSTS, hidden_signs, mixed_words, named_hosts, skeleton

GAP, COMMENTS, EMPTY = 80, 10, 20
PADDING = re.compile(rf"(?:(?<![ \t])[ \t]{{{GAP},}}+|(?<=\S)\t[ \t]{{5,}}+)(?=\S)")
NAMES = {
    "\r": "a carriage return, which overwrites a line",
    "\x1b": "a terminal escape",
    "\x9b": "a terminal escape",
}
DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def oddities(text: str, what: str, reached: frozenset[str] = NO_HOSTS) -> tuple[str, ...]:
    """What a person should know about a text before reading it; `what` is how to call it."""
    found = dict.fromkeys(f"{what} holds {_called(sign)} (U+{ord(sign):04X})" for sign in hidden_signs(text)[:4])
    words = mixed_words(text)
    if words:
        found[f"{what} holds letters of another alphabet that look alike: {', '.join(words[:3])}"] = None
    for start, end, name in named_hosts(text, reached)[:3]:
        found[f"{what} {_host(text[start:end], name, mixed=bool(words))}"] = None
    if PADDING.search(text):
        found[f"{what} has something far to the right, behind a long gap"] = None
    lines = text.split("\n")
    comments = _leading(lines)
    if comments >= COMMENTS:
        found[f"{what} begins with {comments} lines that do nothing; the rest comes after them"] = None
    if "\n" * EMPTY in text.strip():
        found[f"{what} has something below many empty lines"] = None
    return tuple(found)


def _host(written: str, name: str, *, mixed: bool) -> str:
    """What to say about a host that is written with characters outside ASCII, `github。com` among them."""
    if "xn--" not in name:
        return f"writes the host {name} with characters outside ASCII"
    like = skeleton(written).lower()
    doubt = f", not {like}" if like.isascii() and like != name and mixed else ""
    return f"names a host with letters outside ASCII: it is {name}{doubt}"


def _called(sign: str) -> str:
    if sign in NAMES:
        return NAMES[sign]
    if sign in DIRECTIONS:
        return "a character that turns the direction of text"
    if unicodedata.category(sign) == "Cc":
        return "a control character"
    return "a character nobody can see"


def _leading(lines: list[str]) -> int:
    """How many comments and empty lines come before something else, 0 when nothing does."""
    for count, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith(("#", "//", "--")):
            return count
    return 0
