"""hidden-text: names and commands with characters that a person cannot see.

**What it finds.** Control characters, text-direction overrides, zero-width and other invisible characters in a path,
URL, tool name or command.

**Why.** A person approves what they see. `report\\u202efdp.sh` is shown as `reporths.pdf`, a carriage return
overwrites the line on a terminal, and a zero-width space makes two names look like one.

**Instead.** Use the plain name. Letters of any script, accents and emoji are not flagged.
"""

from __future__ import annotations

from assent.types import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Seen

ID = "hidden-text"
INVISIBLE = (
    (0x00, 0x08),
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),
    (0x61C, 0x61C),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),
    (0xFE00, 0xFE0E),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE01EF),
)
SELECTORS = (b"\xef\xb8", b"\xf3\xa0")
"""How the invisible characters that count as printable begin in UTF-8: variation selectors."""
JOINER, EMOJI = 0x200D, 0x2190


def find(analysis: Seen) -> list[Finding]:
    command = analysis.text
    if command.isascii() and command.isprintable():  # almost always, and most names stand in it
        for effect in analysis.effects:
            name = effect.target
            if not (name.isascii() and name.isprintable()) and first_hidden(name) is not None:
                break
        else:
            return []
    for text in (command, *(effect.target for effect in analysis.effects)):
        sign = first_hidden(text)
        if sign is not None:
            where = "a command" if text is command else "a name"
            return [Finding(ID, Verdict.ASK, f"{where} holds a character nobody can see (U+{sign:04X})")]
    return []


def first_hidden(text: str) -> int | None:
    """The first invisible character; a joiner between two emoji is how emoji are written."""
    prints = text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable()
    if prints and (text.isascii() or not any(begins in text.encode() for begins in SELECTORS)):
        return None
    hidden = [sign for sign in set(text) if not " " <= sign <= "~" and _is_invisible(ord(sign))]
    places = [at for sign in hidden for at in _places(text, sign) if not _joins(text, at)]
    return ord(text[min(places)]) if places else None


def _is_invisible(code: int) -> bool:
    return any(low <= code <= high for low, high in INVISIBLE)


def _places(text: str, sign: str) -> Iterator[int]:
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + 1)


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands between two emoji."""
    inside = 0 < at < len(text) - 1 and ord(text[at]) == JOINER
    return inside and ord(text[at - 1]) > EMOJI and ord(text[at + 1]) > EMOJI


EXAMPLES = {
    "src/caf\u00e9.py": False,
    "\u05e9\u05dc\u05d5\u05dd.txt": False,
    "\U0001f469\u200d\U0001f4bb.md": False,
    "two\nlines": False,
    "report\u202efdp.sh": True,
    "a\u200bb": True,
    "ls\r# safe": True,
    "\x1b[8mhidden": True,
    "tag\U000e0041": True,
}
