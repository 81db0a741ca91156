"""A quick look at texts and tables: most hold nothing that could be a secret, and need no closer one."""

from __future__ import annotations

from assent.masking.letters import DIGIT, LOWER, TOKEN, UPPER, has

NAMES = tuple("pass pwd auth cookie token secret key credential sig bearer basic literal".split())
PROGRAMS = tuple("mysql maria 7z rar sshpass mongo useradd usermod sqlcmd bcp zip ldap redis login curl http".split())
PLAIN_TOKENS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "hf_", "dop_v1_", "shpat_", "lin_api_")
MIXED_TOKENS = (
    *("github_pat_", "glpat-", "sk-", "pk_", "rk_", "sk_", "xoxb-", "xoxp-", "xoxa-", "xapp-", "pypi-", "AIza"),
    *("ya29.", "SG.", "key-", "AGE-SECRET-KEY-"),
)
AMAZON = ("AKIA", "ASIA")
BEGINNINGS = (*PLAIN_TOKENS, *MIXED_TOKENS, *AMAZON, "eyJ", "-----BEGIN ")
MIN_ALONE, MIN_RANDOM = 13, 20
"""A word without anything around it is a secret only by its look, and then it is as long as the shortest token."""
SPACES = str.maketrans({chr(code): " " for code in range(128) if chr(code) not in TOKEN})


def may_hide(text: str) -> bool:
    """False only for texts in which nothing can be found. INVARIANT: no finder looks for what is not named here."""
    return not (len(text) < MIN_ALONE and text.isalnum()) and _may_hide(text)


def may_hide_in(name: str, value: object) -> bool:
    """The same for the value of a name. All its texts are looked at as one: a list may be the words of a command.

    INVARIANT: a telling name holds one of `NAMES`, and what is found in some of the texts is found in all of them.
    """
    texts = [name]
    _collect(value, texts)
    return _may_hide(" ".join(texts))


def may_be_token(word: str) -> bool:
    """False only for words in which no token of a known service begins."""
    for beginning in BEGINNINGS:  # noqa: SIM110 - `any` would cost more than all of it
        if beginning in word:
            return True
    return False


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for name, one in value.items():
            texts.append(str(name))
            _collect(one, texts)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, texts)


def _may_hide(text: str) -> bool:
    folded = text.lower()
    for name in NAMES:
        if name in folded:
            return True
    return may_be_token(text) or _in_place(text, folded) or _is_long(text)


def _in_place(text: str, folded: str) -> bool:
    if "://" in text and "@" in text:
        return True
    return "-" in text and any(program in folded for program in PROGRAMS)


def _is_long(text: str) -> bool:
    if len(text) < MIN_RANDOM:
        return False
    longest = [word for word in text.translate(SPACES).split() if len(word) >= MIN_RANDOM and not _is_path(word)]
    return any(has(word, DIGIT) and has(word, LOWER | UPPER) for word in longest)


def _is_path(word: str) -> bool:
    """The folders of a path are ordinary names; those of a URL are not, and behind a `=` something else begins."""
    return word[0] == "/" != word[1] and "=" not in word and word.isascii()
