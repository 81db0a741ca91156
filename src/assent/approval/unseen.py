"""Characters that hide, lie or overwrite: which they are, and text with every one of them written out as `\\u{…}`."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from assent.approval.confusables import SKELETONS
from assent.urls import looked_up

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
TYPOGRAPHIC = frozenset("‐‑‒–—―−‘’‚‛“”„‟′″‵⁄∕∶․‥…˗⹀﹣⧵∖ꓸ٭⁎∗∣¦ǀ\u037e\u0387\u055d\u05f3\u05f4\u05be\ua789\u02d0\u00b4")
"""Signs that prose may hold and a command may not."""
WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
TOKEN = re.compile(r"[^\s\"'`()<>|;&,]+")
HOST = re.compile(
    r"(?:(?<=://)|(?<=@)|(?<![\w.@/-]))(?:[^\s/\"'`()<>|;&,@:]*@)?([\w-]+(?:[.\u3002\uff0e\uff61][\w-]+)*)"
)
DOTS = frozenset(".\u3002\uff0e\uff61")
NO_HOSTS: frozenset[str] = frozenset()
NEARLY = frozenset("вкмнтһүԍԌЗҮκτΚΤγոսցհլԼ")
"""Look like ASCII in many fonts, but are no skeletons of it."""
MIXES = frozenset(
    """CJK HIRAGANA KATAKANA KATAKANA-HIRAGANA HALFWIDTH IDEOGRAPHIC HANGUL BOPOMOFO THAI LAO KHMER MYANMAR
    TIBETAN ARABIC HEBREW DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA
    MALAYALAM SINHALA GREEK MICRO""".split()
)
"""Scripts whose letters are ordinary beside Latin ones, as long as they do not look like them: `Δt`, `Gitを`."""
LATIN = "LATIN"
SPECIAL = frozenset("æœøðþđħłŋßĳÆŒØÐÞĐĦŁŊẞəƏơưƠƯŧŦ")
"""Letters of living Latin alphabets that are no ASCII letter with an accent."""
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
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs", "Me"):
        return True
    if prose:
        return kind[0] in "PS" and SKELETONS.get(sign, "").isalnum()
    return sign in TYPOGRAPHIC or _stands_for_ascii(sign) or (kind[0] in "PS" and sign in SKELETONS)


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
    turkish = prose and any(sign in "ğşĞŞİ" for sign in text)
    spoken = {_alphabet(sign) for sign in text if sign > "\x7f" and sign.isalpha() and not _looks_ascii(sign)}
    for token in TOKEN.finditer(text):
        found = token.group()
        if found.isascii():
            continue
        here = {_alphabet(sign) for sign in found if sign > "\x7f" and sign.isalpha() and not _looks_ascii(sign)}
        latin = any(sign.isascii() and sign.isalpha() for sign in found)
        for word in WORD.finditer(found):
            for at in _intruders(word.group(), here if latin else spoken):
                if not (turkish and word.group()[at] == "ı"):
                    yield token.start() + word.start() + at
        yield from (token.start() + at for at in _marks_beside_ascii(found))


def _intruders(word: str, spoken: set[str]) -> Iterator[int]:
    """The letters of a word that have no business in it; `spoken` are the alphabets that are written around it."""
    if word.isascii():
        return
    ascii_letters = any(sign.isascii() and sign.isalpha() for sign in word)
    own = {_alphabet(sign) for sign in word if sign > "\x7f" and sign.isalpha() and not _looks_ascii(sign)}
    disguise = all(sign.isascii() or not sign.isalnum() or _looks_ascii(sign) for sign in word)
    for at, sign in enumerate(word):
        if sign.isascii() or not sign.isalnum():
            continue
        alphabet = _alphabet(sign)
        if alphabet == LATIN:
            intrudes = not _is_ordinary_latin(sign)
        elif ascii_letters:
            intrudes = _stands_for_ascii(sign) or _mixes_badly(sign, alphabet, own)
        else:
            intrudes = disguise and alphabet not in spoken
        if intrudes:
            yield at


def _mixes_badly(sign: str, alphabet: str, own: set[str]) -> bool:
    """Whether a letter in a word with ASCII letters is a stranger there."""
    if _looks_ascii(sign):
        return alphabet not in MIXES or alphabet not in own or alphabet == "GREEK"
    return sign.isalpha() and alphabet not in MIXES


@lru_cache(maxsize=4096)
def _looks_ascii(sign: str) -> bool:
    return sign in SKELETONS or sign in NEARLY or _stands_for_ascii(sign)


@lru_cache(maxsize=4096)
def _is_ordinary_latin(sign: str) -> bool:
    """Letters with accents and those of living alphabets; phonetic, small capital and medieval ones are not."""
    if sign in SPECIAL:
        return True
    base = unicodedata.normalize("NFD", sign)[0]
    return not _looks_ascii(sign) and base.isascii()


def _marks_beside_ascii(token: str) -> Iterator[int]:
    """Marks of other scripts that look like punctuation, directly behind ASCII."""
    for at, sign in enumerate(token):
        if sign in SKELETONS and unicodedata.category(sign)[0] == "M" and at and token[at - 1].isascii():
            yield at


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


def skeleton(text: str) -> str:
    """What a text looks like: every character that has one replaced by its ASCII double."""
    if text.isascii():
        return text
    plain = (SKELETONS.get(sign) or unicodedata.normalize("NFKC", sign) for sign in text)
    return "".join(plain)


def named_hosts(text: str, reached: frozenset[str] = NO_HOSTS) -> tuple[tuple[int, int, str], ...]:
    """Host names with letters outside ASCII: where each stands, and the name that is really looked up.

    A word by itself may be a file as well as a host. `reached` are the hosts that the analysis found: those are hosts.
    """
    if text.isascii():
        return ()
    odd: frozenset[int] | None = None
    found: list[tuple[int, int, str]] = []
    for host in HOST.finditer(text):
        start, end = host.span(1)
        if host.group(1).isascii():
            continue
        name = looked_up(host.group(1))
        dotted = not DOTS.isdisjoint(host.group(1))
        if not (name in reached or text.endswith("://", 0, start) or (dotted and text.endswith("@", 0, start))):
            odd = frozenset(mixed_places(text)) if odd is None else odd
            if not dotted or not any(at in odd for at in range(start, end)):
                continue  # a file name, as far as anybody can tell
        found.append((start, end, name))
    return tuple(found)


def _spelled(word: str, start: int, places: frozenset[int]) -> str:
    return "".join(escaped(sign) if at in places else sign for at, sign in enumerate(word, start))


def runs_right_to_left(sign: str) -> bool:
    return sign > "\x7f" and unicodedata.bidirectional(sign) in RIGHT_TO_LEFT
