"""Words that look like tokens: by how they begin, or because they are long and random."""

from __future__ import annotations

from assent.masking.glance import AMAZON, BEGIN_TOKENS, MIN_RANDOM, MIXED_TOKENS, PLAIN_TOKENS
from assent.masking.letters import ALNUM, DIGIT, HEX, LOWER, TOKEN, UPPER, has

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span
    from assent.masking.text import Text

HASH_LENGTHS = (40, 56, 64, 96, 128)
HASHES = ("sha1-", "sha256-", "sha384-", "sha512-")
MIN_REST, MIN_BASE64, MIN_OPAQUE = 10, 32, 16


def tokens(text: Text) -> Iterator[Span]:
    for start, end in text.runs(TOKEN):
        if end - start >= MIN_REST + 2:
            yield from _pieces(text.text, start, end)


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """A run of letters, taken apart where a name, a folder or a parameter may end."""
    if (
        text.startswith("AA", start)
        and end - start >= 33
        and text[start - 1 : start] == ":"
        and text[start - 2] in DIGIT
    ):
        yield start, end, "token"  # `123456789:AA…` steers a bot of Telegram
        return
    bare = text[start:end].rstrip("=")
    begin = start
    for piece in bare.split("="):
        last = begin + len(piece)
        stop = end if last == start + len(bare) else last
        kind = _kind(piece)
        if kind:
            yield begin, stop, kind
        elif "/" in piece:
            yield from _segments(piece, begin)
        begin = last + 1


def _kind(piece: str) -> str:
    if piece.startswith("eyJ") and len(piece) >= MIN_RANDOM:
        return "JWT" if "." in piece else "token"
    if is_known_token(piece) or _is_shaped(piece):
        return "token"
    if "/" in piece:
        return "secret" if _is_base64(piece) else ""
    return "secret" if is_random(piece) else ""


def _segments(piece: str, begin: int) -> Iterator[Span]:
    """The folders of a path are ordinary names unless a token stands among them; those of a URL may also be random."""
    of_url = piece.startswith("//")
    for part in piece.split("/"):
        if is_known_token(part) or (part.startswith("eyJ") and len(part) >= MIN_RANDOM):
            yield begin, begin + len(part), "token"
        elif of_url and is_random(part):
            yield begin, begin + len(part), "secret"
        begin += len(part) + 1


def is_known_token(word: str) -> bool:
    for beginning in PLAIN_TOKENS:
        if word.startswith(beginning):
            rest = word[len(beginning) :]
            return len(rest) >= MIN_REST and ALNUM.issuperset(rest) and (has(rest, DIGIT) or has(rest, UPPER))
    for beginning in MIXED_TOKENS:
        if word.startswith(beginning):
            rest = word[len(beginning) :]
            return len(rest) >= MIN_REST and has(rest, DIGIT) and has(rest, LOWER | UPPER) and "/" not in rest
    if word.startswith(BEGIN_TOKENS):
        return _is_opaque(word)
    return word.startswith(AMAZON) and len(word) >= 16 and (UPPER | DIGIT).issuperset(word)


def _is_opaque(word: str) -> bool:
    """Whether a long piece of a word is made of letters and digits that spell nothing; a UUID is one."""
    runs = "".join([sign if sign in ALNUM else " " for sign in word]).split()
    if len(runs) > 4 and all(HEX.issuperset(run) for run in runs[-5:]) and len("".join(runs[-5:])) == 32:
        return True
    return any(
        len(run) >= MIN_OPAQUE and sum(sign in DIGIT for sign in run) > 1 and has(run, LOWER | UPPER) for run in runs
    )


def _is_shaped(word: str) -> bool:
    """Tokens that a short beginning and a certain length give away."""
    if word.startswith("pat") and word[17:18] == "." and len(word) >= 40:
        return True
    if len(word) == 17 and word.startswith("key") and ALNUM.issuperset(word):
        return _is_scrambled(word) or _changes_case(word[3:])
    rest = word[4:] if word.startswith("dapi") else word[2:] if word.startswith("SK") else ""
    if len(rest) >= 32 and HEX.issuperset(rest[:32]):
        return True
    if (word.startswith("s.") and len(word) == 26) or ".atlasv1." in word or word.startswith("1//0"):
        return _is_opaque(word)
    least = {"EAA": 40, "cio": 35, "oy2": 44}.get(word[:3], 0)
    return bool(least) and len(word) >= least and _is_opaque(word)


def _changes_case(rest: str) -> bool:
    """Letters whose case changes nearly everywhere; the humps of a name, as in `keyToValueMapItem`, are longer."""
    changes = sum((sign in UPPER) != (rest[at - 1] in UPPER) for at, sign in enumerate(rest) if at)
    return changes * 10 >= len(rest) * 6 and sum(sign in UPPER for sign in rest) >= 5


def is_random(word: str) -> bool:
    """Long, and letters and digits change places all over; hashes, UUIDs, names and dates do not look like that."""
    if len(word) < MIN_RANDOM or word.startswith(HASHES):
        return False
    if "." in word:
        *front, last = word.split(".")
        return len(last) > 5 and any(is_random(part) for part in (*front, last))
    runs = word.replace("-", " ").replace("_", " ").replace("+", " ").replace("~", " ").replace("%", " ").split()
    if any(len(run) >= MIN_RANDOM and not _is_hash(run) and _is_scrambled(run) for run in runs):
        return True
    mixed = sum(sign in UPPER for sign in word) >= 3 and sum(sign in LOWER for sign in word) >= 3
    return len(word) >= MIN_RANDOM + 4 and mixed and _is_scrambled(word)


def _is_hash(run: str) -> bool:
    return len(run) in HASH_LENGTHS and HEX.issuperset(run)


def _is_base64(word: str) -> bool:
    if len(word) < MIN_BASE64 or word[0] in "/~." or "." in word or "%" in word:
        return False
    return all(has(word, letters) for letters in (LOWER, UPPER, DIGIT)) and _is_scrambled(word)


def _is_scrambled(word: str) -> bool:
    kinds = [1 if sign in LOWER else 2 if sign in UPPER else 3 if sign in DIGIT else 4 for sign in word]
    changes = sum(kind != kinds[at - 1] for at, kind in enumerate(kinds) if at) / (len(word) - 1)
    digits = kinds.count(3)
    if 1 in kinds and 2 in kinds:
        return digits >= 1 and changes >= 0.4
    return digits >= 4 and changes >= 0.25 and digits < len(word)
