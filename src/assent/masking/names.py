"""Values of telling names: `--password x`, `API_KEY=x`, `"token": "x"`, `Authorization: Basic x`."""

from __future__ import annotations

from assent.masking.letters import ALNUM, DIGIT, LOWER, NAME, QUOTES, UPPER, has, mask_end, skip_blanks
from assent.masking.values import bare_end, extent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span
    from assent.masking.text import Text

STRONG = frozenset("password passwd passphrase passcode pwd passin passout authorization cookie".split())
WEAK = frozenset("pass token secret apikey credential credentials".split())
STRONG_ENDS = ("password", "passwd", "passphrase")
WEAK_ENDS = (
    *("apikey", "secret", "accesstoken", "authtoken", "secretkey", "sshpass", "authkey", "storepass", "keypass"),
    *("requirepass", "dbpass", "userpass", "rootpass", "adminpass", "newpass", "oldpass", "ftppass", "smtppass"),
)
BEFORE_KEY = frozenset(
    "api access secret private signing encryption master account subscription auth shared storage session admin".split()
)
HARMLESS_ENDS = frozenset(
    """file files path dir stdin count name names id ids url uri endpoint length len type ttl expiry expires expiration
    policy limit min max env var fd prompt ref refs helper manager provider store version lifetime scope scopes
    keys metadata generator validator field label format regex rotation""".split()
)
MIN_NAME, MAX_NAME, MAX_SEEN = 3, 40, 2000
NO_SECRET = frozenset({"PWD", "OLDPWD", "pass-through", "cookie-jar"})
SECRET_NAMES = frozenset({"rediscli_auth", "_auth", "sshpass", "from-literal"})
IN_QUERIES = frozenset("key sig signature auth".split())
SCHEMES = frozenset("bearer basic token digest apikey negotiate hmac aws4-hmac-sha256".split())
NO_VALUES = frozenset("true false null none nil yes no undefined stdin prompt ask".split())
ELSEWHERE = ("./", "../", "~/", "op://", "vault:")
OPENSSL, SOURCES = frozenset({"pass", "passin", "passout"}), ("file:", "env:", "fd:")
MOUNTS = ("id=", "type=", "src=")
PLACEHOLDER = frozenset("*.…•")


_seen: dict[str, int] = {}


def strength(name: str) -> int:
    """2 for names whose values are secret, 1 for names whose values often are, 0 for all others."""
    if len(name) < MIN_NAME:
        return 0
    if len(name) > MAX_NAME:
        return _strength(name)
    found = _seen.get(name)
    if found is None:
        if len(_seen) >= MAX_SEEN:
            _seen.clear()
        found = _seen[name] = _strength(name)
    return found


def _strength(name: str) -> int:
    bare = name.lstrip("-")
    if bare in NO_SECRET:
        return 0
    if bare.lower() in SECRET_NAMES:
        return 1
    parts = _parts(bare)
    if not parts or parts[-1] in HARMLESS_ENDS:
        return 0
    if any(part in STRONG or part.endswith(STRONG_ENDS) for part in parts):
        return 2
    if any(part in WEAK or part.endswith(WEAK_ENDS) for part in parts):
        return 1
    if bare.endswith("_PAT"):
        return 2  # a personal access token, as `GITHUB_PAT`
    return int(any(part == "key" and parts[at - 1] in BEFORE_KEY for at, part in enumerate(parts) if at))


def _parts(name: str) -> list[str]:
    """`githubToken`, `GITHUB_TOKEN` and `github-token` are the same two words."""
    made: list[str] = []
    before = ""
    for sign in name:
        if sign in ALNUM:
            if not before or before not in ALNUM or (before in LOWER and sign in UPPER):
                made.append("")
            made[-1] += sign.lower()
        before = sign
    return made


def stands_for(value: str, name: str = "") -> bool:
    """A value that is no secret itself: nothing, a reference, or a place where the secret is."""
    if value.lower() in NO_VALUES or value.startswith(ELSEWHERE) or is_reference(value):
        return True
    bare = name.lstrip("-")
    return (bare in OPENSSL and value.startswith(SOURCES)) or (bare == "secret" and value.startswith(MOUNTS))


def is_reference(value: str) -> bool:
    """Nothing, a mask, a variable, or a placeholder."""
    if not value or mask_end(value, 0) == len(value) or PLACEHOLDER.issuperset(value):
        return True
    if value[0] == "$":
        rest = value[1:]
        if rest[:1] in ("(", "{"):
            return True
        return bool(rest) and rest[0] not in DIGIT and (UPPER | DIGIT | {"_"}).issuperset(rest)
    around = (value[0], value[-1])
    return around in (("<", ">"), ("%", "%"), ("`", "`"), ("[", "]")) or (value[:2], value[-2:]) == ("{{", "}}")


def named(text: Text) -> Iterator[Span]:
    for start, end in text.runs(NAME):
        name = text.text[start:end]
        telling = strength(name)
        if not telling and text.text[end : end + 1] == "=" and name.lower() in IN_QUERIES:
            telling = int(text.text[start - 1 : start] in ("?", "&"))
        if telling:
            yield from _value_of(text, start, end, telling)
        elif name.lower() in ("bearer", "basic"):
            yield from _after_scheme(text, end)


def _value_of(text: Text, start: int, end: int, telling: int) -> Iterator[Span]:
    how, begin = _separator(text.text, start, end)
    if not how:
        return
    name = text.text[start:end]
    if strength(name) == 1 and name.lstrip("-") == "from-literal":
        begin = _behind_equals(text.text, begin)
    first, last = extent(text, begin, how, url=_in_query(text.text, start))
    if "authorization" in name.lower() or "cookie" in name.lower():
        first, last = _header_value(text, first, last)
    value = text.text[first:last]
    if not stands_for(value, name) and _counts(
        name, value, how, telling, quoted=text.text[first - 1 : first] in QUOTES
    ):
        yield first, last, "password" if "pass" in name.lower() else "secret"


def _separator(text: str, start: int, end: int) -> tuple[str, int]:
    """How a name is tied to a value, and where that begins."""
    after = end
    quoted = False
    for quote in ('\\"', "\\'", '"', "'"):
        if text.startswith(quote, end) and text.endswith(quote, 0, start):
            after, quoted = end + len(quote), True
            break
    if text[after : after + 1] == "[" and (closed := text.find("]=", after, after + MAX_NAME)) > 0:
        return "=", closed + 2  # `password[concealed]=x`
    sign = text[after : after + 1]
    blanks = skip_blanks(text, after)
    if sign == "=" and text[after + 1 : after + 2] != "=":
        return "=", after + (2 if text.startswith("=>", after) else 1)
    if sign == ":" and text[after + 1 : after + 2] not in (":", "/", "="):
        return ("json" if quoted else ":"), skip_blanks(text, after + 1)
    if blanks == after:
        return "", 0
    spaced = text[blanks : blanks + 1]
    if spaced == "=" and text[blanks + 1 : blanks + 2] not in ("=", "~"):
        return " =", skip_blanks(text, blanks + (2 if text.startswith("=>", blanks) else 1))
    if spaced == ":" and quoted:
        return "json", skip_blanks(text, blanks + 1)
    if text[start] == "-":
        return "option", blanks
    if text.endswith("/:", 0, start) and text[start] == "_":
        return "option", blanks  # `//registry/:_password x`
    return ("word", blanks) if "_" in text[start:end] else ("", 0)


def _behind_equals(text: str, at: int) -> int:
    while at < len(text) and text[at] in NAME:
        at += 1
    return at + 1 if text[at : at + 1] == "=" else at


def _in_query(text: str, start: int) -> bool:
    return text[start - 1 : start] in ("?", "&") if start else False


def _counts(name: str, value: str, how: str, telling: int, *, quoted: bool) -> bool:
    """Whether a value behind a telling name is to be hidden; ordinary prose and code are not."""
    if how in ("option", "word") and value.startswith("-"):
        return False
    if telling == 1 and DIGIT.issuperset(value):
        return False
    if _parts(name)[-2:] == ["private", "key"] and value.startswith("/"):
        return False
    if how == "word":
        return len(value) >= 8 and has(value, DIGIT) and has(value, LOWER | UPPER)
    if how == " =" and not quoted:
        return "(" not in value and (telling == 2 or has(value, DIGIT))
    if how == ":" and telling == 1 and not quoted:
        return not value.replace("-", "").replace("'", "").isalpha()
    return True


def _header_value(text: Text, first: int, last: int) -> tuple[int, int]:
    """Behind the scheme of an `Authorization` header, and up to the quote that ends it."""
    source, outer = text.text, text.enclosing(first)
    word = first
    while word < len(source) and source[word] in NAME:
        word += 1
    if source[first:word].lower() in SCHEMES and source[word : word + 1] == " ":
        first = skip_blanks(source, word)
        last = max(last, bare_end(source, first, "=", outer, url=False))
    if outer:
        closing, line = source.find(outer, first), source.find("\n", first)
        end = min(place for place in (closing, line, len(source)) if place >= 0)
        if source[end - 1 : end] == "\\" and end == closing:
            end -= 1
        last = max(last, end)
    return first, last


def _after_scheme(text: Text, end: int) -> Iterator[Span]:
    begin = skip_blanks(text.text, end)
    if begin == end:
        return
    last = bare_end(text.text, begin, ":", text.enclosing(begin), url=False)
    value = text.text[begin:last]
    if len(value) >= 8 and not stands_for(value) and not value.replace("-", "").isalpha():
        yield begin, last, "secret"
