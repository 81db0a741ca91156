"""Passwords by their place: in URLs, and behind the letters that some programs have for them."""

from __future__ import annotations

from assent.masking.letters import BLANK, DIGIT, NAME, QUOTES, has, mask_end, skip_blanks
from assent.masking.names import is_reference
from assent.masking.tokens import is_known_token, is_random
from assent.masking.values import extent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span
    from assent.masking.text import Text

MIN_USER = 20
URL_ENDS = BLANK | QUOTES | frozenset("<>\\`")


def in_urls(text: str) -> Iterator[Span]:
    """The password in `scheme://user:password@host`, and a token that stands there for the user."""
    at = text.find("://")
    while at >= 0:
        begin = end = at + 3
        while end < len(text) and (text[end] not in URL_ENDS or mask_end(text, end) > 0):
            end = max(end + 1, mask_end(text, end))
        yield from _userinfo(text, begin, end)
        at = text.find("://", at + 3)


def _userinfo(text: str, begin: int, end: int) -> Iterator[Span]:
    slash = min((place for place in (text.find(sign, begin, end) for sign in "/?#") if place >= 0), default=end)
    at = text.rfind("@", begin, slash)
    colon = text.find(":", begin, slash)
    if at < 0 and colon >= 0 and text[begin] != "[" and not DIGIT.issuperset(text[colon + 1 : slash]):
        at = text.rfind("@", begin, end)
    if at < 0:
        return
    user = text[begin : colon if 0 <= colon < at else at]
    if 0 <= colon < at and not is_reference(text[colon + 1 : at]):
        yield colon + 1, at, "password"
    if is_known_token(user) or is_random(user) or (len(user) >= MIN_USER and has(user, DIGIT)):
        yield begin, begin + len(user), "token"


# --- programs with letters for passwords ---------------------------------------------------------------------------

ATTACHED = dict.fromkeys(
    "mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump 7z 7za 7zz rar unrar".split(), "p"
)
SEPARATE = {
    "redis-cli": "a",
    "login": "p",
    **dict.fromkeys("sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport".split(), "p"),
    **dict.fromkeys("useradd usermod".split(), "p"),
    **dict.fromkeys("sqlcmd bcp zip unzip".split(), "P"),
    **dict.fromkeys("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami".split(), "w"),
}
PAIRS = {"curl": ("-u", "-U", "--user", "--proxy-user"), "http": ("-a", "--auth"), "https": ("-a", "--auth")}
LOGINS = frozenset("docker podman nerdctl helm skopeo buildah oras az".split())
COMMAND_ENDS = frozenset("|;&\n")


def by_program(text: Text) -> Iterator[Span]:
    """`mysql -pSECRET`, `curl -u user:SECRET`, `docker login -p SECRET` and their like."""
    program, before = "", 0
    for start, end in text.runs(NAME | frozenset("/:@%")):
        if not COMMAND_ENDS.isdisjoint(text.text[before:start]):
            program = ""
        before = end
        word = text.text[start:end]
        name = word[word.rfind("/") + 1 :]
        if name in ATTACHED or name in PAIRS or name in LOGINS or (name in SEPARATE and name != "login"):
            program = name
        elif name == "login" and program in LOGINS:
            program = "login"
        elif program and word[0] == "-":
            yield from _option_value(text, program, start, end)


def _option_value(text: Text, program: str, start: int, end: int) -> Iterator[Span]:
    word = text.text[start:end]
    letter = ATTACHED.get(program, "") or SEPARATE.get(program, "")
    pair = next((one for one in PAIRS.get(program, ()) if word == one or (len(one) == 2 and word.startswith(one))), "")
    if letter and word.startswith(f"-{letter}") and not word.startswith("--"):
        separate = word == f"-{letter}" and text.text[end : end + 1] in BLANK
        if separate and program in ATTACHED:
            return
        begin = skip_blanks(text.text, end) if separate else start + 2
    elif program == "curl" and word == "-b":
        first, last = extent(text, skip_blanks(text.text, end), "option")
        if "=" in text.text[first:last]:  # else it is a file
            yield first, last, "secret"
        return
    elif pair:
        begin = start + 2 if word != pair else skip_blanks(text.text, end + text.text.startswith("=", end))
    else:
        return
    first, last = extent(text, begin, "option")
    colon = text.text.find(":", first, last) if pair else first - 1
    value = text.text[colon + 1 : last]
    is_port = all(DIGIT.issuperset(part) for part in value.split(":")) and ":" in value
    if colon >= first - 1 and value and not is_reference(value) and not is_port and not (pair and colon < first):
        yield colon + 1, last, "password"
