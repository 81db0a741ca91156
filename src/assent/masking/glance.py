"""A quick look at a text: most hold nothing that could be a secret, and need no closer one."""

from __future__ import annotations

from assent.masking.letters import DIGIT, LOWER, TOKEN, UPPER, has
from assent.masking.tokens import AMAZON, MIN_RANDOM, MIXED_TOKENS, PLAIN_TOKENS

NAMES = tuple("pass pwd auth cookie token secret key credential sig bearer basic literal".split())
PROGRAMS = tuple("mysql maria 7z rar sshpass mongo useradd usermod sqlcmd bcp zip ldap redis login curl http".split())
BEGINNINGS = (*PLAIN_TOKENS, *MIXED_TOKENS, *AMAZON, "eyJ", "-----BEGIN ")
MIN_ALONE = 13
"""A word without anything around it is a secret only by its look, and then it is as long as the shortest token."""
SPACES = str.maketrans({chr(code): " " for code in range(128) if chr(code) not in TOKEN})


def may_hide(text: str) -> bool:
    """False only for texts in which nothing can be found. INVARIANT: no finder looks for what is not named here."""
    if len(text) < MIN_ALONE and text.isalnum():
        return False
    folded = text.lower()
    for name in NAMES:
        if name in folded:
            return True
    for beginning in BEGINNINGS:
        if beginning in text:
            return True
    return _in_place(text, folded) or _is_long(text)


def _in_place(text: str, folded: str) -> bool:
    if "://" in text and "@" in text:
        return True
    return "-" in text and any(program in folded for program in PROGRAMS)


def _is_long(text: str) -> bool:
    if len(text) < MIN_RANDOM:
        return False
    longest = [word for word in text.translate(SPACES).split() if len(word) >= MIN_RANDOM]
    return any(has(word, DIGIT) and has(word, LOWER | UPPER) for word in longest)
