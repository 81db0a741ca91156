"""Secrets in command lines, URLs, headers, JSON and free text: what may be one, and the same text without it.

INVARIANT: a text that was masked is not changed by masking it again. No `re`: a hook may come through here, and the
parts are loaded only when a quick look finds something that may have to be masked.
"""

from __future__ import annotations

from assent.masking.glance import may_be_token, may_hide, may_hide_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TOKEN_BEGINNINGS = tuple(
    """ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk- pk_ rk_ AKIA ASIA xoxb- xoxp- xoxa- xapp- hf_ npm_ pypi- AIza
    ya29. eyJ dop_v1_ shpat_ SG. lin_api_ key- Bearer Basic""".split()
)
TELLING = ("password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "authorization", "credential")
MIN_TOKEN = 20
MIN_KNOWN = 4
"""Shorter texts are found in every sentence."""


def looks_secret(word: str) -> bool:
    """A word that may be a password, a key or a token: nothing that a rule file should hold. Rather too often."""
    folded = word.casefold()
    if any(hint in folded for hint in TELLING) or ("://" in word and "@" in word):
        return True
    pieces = word.replace("=", " ").replace(":", " ").replace("'", " ").replace('"', " ").split()
    return any(piece.startswith(TOKEN_BEGINNINGS) or _is_long_mixture(piece) for piece in pieces)


def _is_long_mixture(piece: str) -> bool:
    """Long, no path, with both letters and digits all over."""
    if len(piece) < MIN_TOKEN or "/" in piece or "." in piece:
        return False
    digits = sum(sign.isdigit() for sign in piece)
    return digits >= 3 and any(sign.isalpha() for sign in piece)


def masked(text: str) -> str:
    """The text with `‹kind, N characters›` in the place of everything that looks like a secret."""
    if not may_hide(text):
        return text
    from assent.masking.cover import cover_closely

    return cover_closely(text)


def secrets_in(text: str) -> tuple[str, ...]:
    """What masking would hide, as it stands there. A part of a text may be told from the whole of it only."""
    if not may_hide(text):
        return ()
    from assent.masking.cover import covered

    return covered(text)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text with masks in the place of secrets that are known from elsewhere, such as the command it talks about."""
    for secret in sorted(secrets, key=len, reverse=True):
        if secret in text and (len(secret) >= MIN_KNOWN or text == secret):
            from assent.masking.letters import mask

            text = text.replace(secret, mask("secret", len(secret)))
    return text


def mask_table(value: dict[str, object]) -> dict[str, object]:
    """The same table, and all tables and lists in it, with every secret masked, by its name or by its look."""
    from assent.masking.cover import cover_table

    return cover_table(value)


def mask_value(name: str, value: object) -> object:
    """What `mask_table` makes of one of its values; the value itself where nothing is to be masked."""
    if not may_hide_in(name, value):
        return value
    from assent.masking.cover import cover_value

    return cover_value(name, value)


def looks_token(word: str) -> bool:
    """Whether a word begins like the tokens of a known service."""
    if not may_be_token(word):
        return False
    from assent.masking.tokens import is_known_token

    return any(is_known_token(part) for part in word.replace(":", "/").split("/"))
