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
SQL_WORDS, MAX_SQL = ("identified", "password"), 100
HOOKS = (
    *("hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "webhook.office.com/"),
    *(
        "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/",
        "hooks.zapier.com/hooks/",
        "outlook.office.com/webhook/",
    ),
    *("api.telegram.org/bot",),
)
"""Addresses at which whoever knows the rest may post."""
URL_ENDS = BLANK | QUOTES | frozenset("<>\\`")


def in_urls(text: str) -> Iterator[Span]:
    """The password in `scheme://user:password@host`, and a token that stands there for the user."""
    at = text.find("://")
    while at >= 0:
        begin = end = at + 3
        while end < len(text) and (text[end] not in URL_ENDS or mask_end(text, end) > 0):
            end = max(end + 1, mask_end(text, end))
        yield from _userinfo(text, begin, end)
        for hook in HOOKS:
            if 0 <= (found := text.find(hook, begin, end)) < end - len(hook) and not is_reference(
                text[found + len(hook) : end]
            ):
                yield found + len(hook), end, "secret"
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


def in_sql(text: str) -> Iterator[Span]:
    """`IDENTIFIED BY 'x'`, `PASSWORD 'x'`, `SET PASSWORD FOR me = 'x'`."""
    folded = text.lower()
    yield from _unquoted(text, folded)
    for word in SQL_WORDS if "'" in text or '"' in text else ():
        at = folded.find(word)
        while at >= 0:
            quote = _sql_value(folded, at + len(word), by=word == "identified")
            end = text.find(text[quote], quote + 1) if quote > 0 else -1
            if end > 0 and not is_reference(text[quote + 1 : end]):
                yield quote + 1, end, "password"
            at = folded.find(word, at + len(word))


def _unquoted(text: str, folded: str) -> Iterator[Span]:
    """`ALTER USER me IDENTIFIED BY x`, as Oracle takes it."""
    at = folded.find("identified by ")
    while at >= 0:
        begin = at + len("identified by ")
        end = begin
        while end < len(text) and text[end] not in URL_ENDS and text[end] not in ";,)":
            end += 1
        statement = any(word in folded[max(0, at - MAX_SQL) : at] for word in ("user ", "role ", "grant "))
        said = folded[begin:end] not in ("", "values", "password") and mask_end(text, begin) < 0
        if statement and said and not is_reference(text[begin:end]):
            yield begin, end, "password"
        at = folded.find("identified by ", end)


def _sql_value(folded: str, at: int, *, by: bool) -> int:
    """The quote with which the value begins, behind `BY`, `=`, `(` or nothing but blanks; -1 if none does."""
    if by:
        found = folded.find(" by ", at, at + MAX_SQL)
        at = found + 4 if found >= 0 else len(folded)
    elif folded.startswith(" for ", at):
        found = folded.find("=", at, at + MAX_SQL)
        at = found if found >= 0 else len(folded)
    elif folded[at : at + 1] not in (" ", "=", "("):
        return -1
    while at < len(folded) and folded[at] in " =(\t\n":
        at += 1
    at += len("password(") if folded.startswith("password(", at) else 0
    at += len("password (") if folded.startswith("password (", at) else 0
    if folded[at : at + 1] == "\\":  # a quote inside of quotes
        return at + 1 if folded[at + 1 : at + 2] in ("'", '"') else -1
    return at if folded[at : at + 1] in ("'", '"') and folded[at - 1] in " =(\t\n" else -1


KUBERNETES = (" secret ", " secrets ", "secret/", "kind: secret", '"kind":"secret"', '"kind": "secret"')


def in_code(text: str) -> Iterator[Span]:
    """`auth=("me", "x")`, `HTTPBasicAuth("me", "x")`, and the values of a Kubernetes secret."""
    folded = text.lower()
    for opening in ("auth=(", "auth = (", "auth(", "auth=aiohttp.basicauth("):
        at = folded.find(opening)
        while at >= 0:
            yield from _second_text(text, at + len(opening))
            at = folded.find(opening, at + 1)
    if any(sign in folded for sign in KUBERNETES):
        for name in ("stringdata", "data") if "stringdata" in folded or "kubectl" in folded else ():
            at = folded.find(name)
            while at >= 0:
                yield from _values_in(text, at + len(name))
                at = folded.find(name, at + len(name))


def _second_text(text: str, at: int) -> Iterator[Span]:
    """The second text in quotes of a pair, which may be quoted itself."""
    for turn in range(2):
        while at < len(text) and text[at] in " \t\n,\\":
            at += 1
        quote = text[at : at + 1]
        end = text.find(quote, at + 1) if quote in QUOTES and quote else -1
        if end < 0:
            return
        last = end - 1 if text[end - 1] == "\\" else end
        if turn and not is_reference(text[at + 1 : last]):
            yield at + 1, last, "password"
        at = end + 1


def _values_in(text: str, at: int) -> Iterator[Span]:
    """The texts behind colons in `": {"a": "x"}`, or on the indented lines behind `stringData:`."""
    at = at + 1 if text[at : at + 1] in QUOTES else at + 2 if text[at : at + 2] == '\\"' else at
    at = skip_blanks(text, at)
    if text[at : at + 1] != ":":
        return
    begin = skip_blanks(text, at + 1)
    if text[begin : begin + 1] == "{":
        stop = text.find("}", begin)
        yield from _quoted_values(text, begin, stop if stop >= 0 else len(text))
    elif "\n" in text[at + 1 : begin]:
        yield from _indented_values(text, text.index("\n", at) + 1)


def _quoted_values(text: str, at: int, end: int) -> Iterator[Span]:
    while (at := text.find(":", at, end)) >= 0:
        at = skip_blanks(text, at + 1)
        at += text[at : at + 1] == "\\"
        quote = text[at : at + 1]
        stop = text.find(quote, at + 1, end) if quote in QUOTES and quote else -1
        if stop > 0:
            last = stop - 1 if text[stop - 1] == "\\" else stop
            if not is_reference(text[at + 1 : last]):
                yield at + 1, last, "secret"
            at = stop + 1


def _indented_values(text: str, at: int) -> Iterator[Span]:
    while at < len(text) and text[at] in " \t":
        stop = text.find("\n", at)
        end = stop if stop >= 0 else len(text)
        colon = text.find(": ", at, end)
        begin = skip_blanks(text, colon + 1) if colon >= 0 else end
        if begin < end and not is_reference(text[begin:end]) and text[begin] not in "|>":
            yield begin, end, "secret"
        at = end + 1


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
