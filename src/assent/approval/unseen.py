"""Characters that hide, lie or overwrite: which they are, and text with every one of them written out as `\\u{…}`."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Controls, text direction, zero width, fillers, variation selectors and tags: there, but not to be seen."""
STRIKES = re.compile("[\u0334-\u0338\u20d0-\u20ff]")
"""Marks drawn across a letter."""
BLANKS = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
OURS = frozenset("‹›")
"""What we put around counts; nobody else may."""
DASHES_AND_QUOTES = frozenset("‐‑‒–—―−‘’‚‛“”„‟′″‵⁄∕∶․‥…˗⹀﹣⧵∖ꓸ٭⁎∗∣¦ǀ\u037e\u0387\u055d\u05f3\u05f4\u05be\ua789\u02d0")
WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
LOOKALIKES = frozenset(
    "авекмнорстухьһіјѕԁԛԝүӏԍԌАВЕКМНОРСТУХІЈЅҺԚԜӀЗЬҮ"  # Cyrillic
    "αινορυκτχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧϳϲ"  # Greek
    "օոսցհլՕՍՏԼ"  # Armenian
)
CONFUSED = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "DESERET", "GLAGOLITIC")
FREE = ("GREEK",)
"""Alphabets whose other letters are ordinary beside Latin ones: `Δt`, `μs`."""
MOST_MARKS = 4
RIGHT_TO_LEFT = ("R", "AL")


def escaped(sign: str) -> str:
    """`\\u{202e}`, the one spelling for every character that is not shown as itself."""
    return f"\\u{{{ord(sign):x}}}"


def odd_places(text: str, *, prose: bool = False) -> frozenset[int]:
    """Where characters stand that must not be shown as themselves. `prose` lets typographic dashes and quotes pass."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return frozenset()
    places = {at for at, sign in enumerate(text) if sign not in "\n\t" and _odd(sign, prose=prose)}
    places.update(_stray_marks(text))
    places.update(mixed_places(text, prose=prose))
    return frozenset(places)


@lru_cache(maxsize=4096)
def _odd(sign: str, *, prose: bool) -> bool:
    if " " <= sign <= "~":
        return False
    if sign in OURS or INVISIBLE.match(sign) or STRIKES.match(sign) or BLANKS.match(sign):
        return True
    if unicodedata.category(sign) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs", "Me"):
        return True
    return not prose and (sign in DASHES_AND_QUOTES or _stands_for_ascii(sign))


def _stands_for_ascii(sign: str) -> bool:
    """Full width, mathematical and other spellings of ASCII characters, which some programs read as those."""
    plain = unicodedata.normalize("NFKC", sign)
    return plain != sign and plain.isascii()


def _stray_marks(text: str) -> Iterator[int]:
    """Combining marks without a letter under them, and piles of them."""
    pile, base = 0, False
    for at, sign in enumerate(text):
        kind = unicodedata.category(sign)[0] if sign > "\x7f" else ("L" if sign.isalnum() else "-")
        if kind == "M":
            pile += 1
            if not base or pile > MOST_MARKS:
                yield at
        else:
            pile, base = 0, kind in "LN"


# --- letters of another alphabet -----------------------------------------------------------------------------------


def mixed_places(text: str, *, prose: bool = False) -> Iterator[int]:
    """Letters that look like ASCII but are not, in words where a reader would take them for it."""
    if text.isascii():
        return
    native = {_alphabet(sign) for sign in text if sign > "\x7f" and sign.isalpha() and sign not in LOOKALIKES}
    for word in WORD.finditer(text):
        found = word.group()
        if found.isascii():
            continue
        latin = any(sign.isascii() and sign.isalpha() for sign in found)
        disguised = not prose and not latin and _is_disguise(found, native)
        for at, sign in enumerate(found, word.start()):
            if (latin and _intrudes(sign)) or (disguised and sign in LOOKALIKES):
                yield at


def _intrudes(sign: str) -> bool:
    """Whether a letter has no business in a word with Latin letters."""
    if sign.isascii() or not sign.isalnum():
        return False
    alphabet = _alphabet(sign)
    return _stands_for_ascii(sign) or (alphabet in CONFUSED and (alphabet not in FREE or sign in LOOKALIKES))


def _is_disguise(word: str, native: set[str]) -> bool:
    """A word of look-alikes only, in a text that has no other words of that alphabet."""
    letters = [sign for sign in word if sign.isalpha()]
    return bool(letters) and all(sign in LOOKALIKES and _alphabet(sign) not in native for sign in letters)


@lru_cache(maxsize=4096)
def _alphabet(sign: str) -> str:
    return unicodedata.name(sign, "").partition(" ")[0]


# --- saying so -----------------------------------------------------------------------------------------------------


def hidden_signs(text: str) -> tuple[str, ...]:
    """The invisible characters that are worth a warning, each once and in order; those inside emoji are not."""
    found: dict[str, None] = {}
    for match in INVISIBLE.finditer(text):
        at = match.start()
        if not _in_emoji(text, at) and not text.startswith("\r\n", at):
            found[match.group()] = None
    return tuple(found)


def _in_emoji(text: str, at: int) -> bool:
    """One joiner or selector between or behind pictures is how emoji are written; a row of them is not."""
    before = text[at - 1 : at] if at else ""
    if text[at] == "\ufe0f":
        return bool(before) and (unicodedata.category(before) == "So" or before in "#*0123456789")
    after = text[at + 1 : at + 2]
    joins = text[at] == "\u200d" and bool(before) and bool(after)
    return joins and ord(before) > 0x2190 and ord(after) > 0x2190


def mixed_words(text: str) -> tuple[str, ...]:
    """The words that mix alphabets, with the odd letters written out, each once."""
    places = frozenset(mixed_places(text))
    words = (word for word in WORD.finditer(text) if any(at in places for at in range(*word.span())))
    return tuple(dict.fromkeys(_spelled(word.group(), word.start(), places) for word in words))


def _spelled(word: str, start: int, places: frozenset[int]) -> str:
    return "".join(escaped(sign) if at in places else sign for at, sign in enumerate(word, start))


def runs_right_to_left(sign: str) -> bool:
    return sign > "\x7f" and unicodedata.bidirectional(sign) in RIGHT_TO_LEFT
