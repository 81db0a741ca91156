"""Arguments nobody described: every path, URL and command found in them is something the call may touch.

INVARIANT: what a limit cuts off leaves a blind gap.
"""

from __future__ import annotations

from assent.errors import InputError
from assent.tools import verbs
from assent.tools.fields import decode, is_flat, is_nested, local_paths
from assent.tools.table import COMMAND_KEYS, HOST_KEYS, MODE_KEYS, PATH_KEYS, SOURCE_KEYS, TARGET_KEYS, URL_KEYS, fold
from assent.types import ARGUMENT, Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields
    from assent.tools.verbs import Touches

MAX_STRINGS = 5_000
MAX_DEPTH = 100
MAX_NESTED = 20_000
MAX_TEXT = 100_000
MAX_NAME = 255
BLANKS = " \t\n\r"
PATH_ENDS = ("path", "paths", "file", "files", "filename", "dir", "directory", "folder", "folders", "cwd", "workdir")
PATHS = frozenset((*PATH_KEYS, *SOURCE_KEYS, *TARGET_KEYS))
ARGS = ("args", "arguments", "argv", "parameters", "params")
PROSE = ("agent", "note", "memory")
"""Families whose texts talk to the agent or a person; a path in the middle of them opens nothing."""
TYPED = ("shell", "stdin", "code")
CUTS = dict.fromkeys(map(ord, "\"'`,;=:()[]{}<>|&\u2018\u2019\u201c\u201d\u00ab\u00bb"), " ")
USUAL_NETWORKS = ("", "loopback", "local-name")
"""Sentences name public sites and this machine all the time, and nobody goes there for that."""
SECRETS = frozenset(
    """id_rsa id_dsa id_ecdsa id_ed25519 _netrc credentials.toml credentials.tfrc.json login.keychain-db logins.json
    key3.db key4.db cookies.sqlite signons.sqlite wallet.dat""".split()
)
SECRET_ENDS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".keytab", ".ovpn")


def leftovers(family: str, fields: Fields) -> Iterator[Effect]:
    """Possible effects for what the reader of a built-in family did not look into."""
    touches = verbs.OF_FAMILY.get(family, verbs.CHANGES)
    for key, value in fields.strange if family in TYPED else ():
        if isinstance(value, str) and fold(key) not in COMMAND_KEYS:
            fields.say(value)
    yield from traces(fields, [{key: value} for key, value in fields.strange], touches)
    nested = [{key: value} for key, value in fields.nested]
    yield from traces(fields, nested, touches, words=family not in PROSE)


def traces(
    fields: Fields,
    values: object,
    touches: Touches = verbs.CHANGES,
    *,
    words: bool = True,
    commands: bool = True,
    resource: bool = False,
) -> Iterator[Effect]:
    """Possible effects for everything in `values` that looks like a path or a URL; commands go into the text.

    Without `words` only whole texts count; the URI of a `resource` names something on a server, not a site.
    """
    from assent.tools import web

    urls: dict[str, str] = {}
    named: dict[str, list[str]] = {}
    for key, text in strings(fields, values):
        named.setdefault(fold(key), []).append(text)
        if commands and fold(key) in COMMAND_KEYS:
            why = f"{fields.name} carries a command in `{key[:80]}`"
            fields.gaps.append(Gap(why, blind=True, vouchable=True))
            fields.say(text)
        if web.is_url(text) and (not resource or web.is_web(text)):
            urls[text] = ARGUMENT
        elif found := _addresses(fields, key, text, words=words):
            urls |= dict.fromkeys(found, "" if _has_blanks(text.strip()) else ARGUMENT)
        if resource or (_may_be_uri(key) and not web.is_web(text)):
            yield from (Effect("read", path, possible=True, mentioned=True) for path in behind(text))
        whole = _whole(key, text, touches, words=words)
        if not _has_blanks(text):  # else its words come first: they make the better reasons
            yield from whole
        if words:
            yield from (Effect("read", path, possible=True) for path in tokens(text) if path != text)
        yield from whole
    if touches in (verbs.COPIES, verbs.DELETES):
        yield from _arriving(named)
    for url in web.limited(fields, urls):
        yield from web.reach(url, mentioned=True, code=urls[url])


def _arriving(named: dict[str, list[str]]) -> Iterator[Effect]:
    """What a tool that copies or moves may bring to a place: the files of a whole folder."""
    sources = tuple(path for key in SOURCE_KEYS for text in named.get(key, ()) for path in local_paths(text))
    for key in TARGET_KEYS if sources else ():
        for path in (path for text in named.get(key, ()) for path in local_paths(text)):
            origin = {"from": sources}
            yield Effect("write", path, deep=True, possible=True, code="copied", arguments=origin, mentioned=True)


def _whole(key: str, text: str, touches: Touches, *, words: bool) -> Iterator[Effect]:
    """A text as one path. With blanks in it and nothing that says it is a path, it is one only for readers."""
    if not _is_path(key, text, words=words):
        return
    sure = _names_path(key) or _is_rooted(text) or not _has_blanks(text)
    for path in local_paths(text):
        for kind, deep in touches if sure else verbs.READS:
            yield Effect(kind, path, deep=deep, possible=True, mentioned=True)


def _addresses(fields: Fields, key: str, text: str, *, words: bool) -> list[str]:
    """What else leads somewhere: a host without a scheme where one belongs, a private network inside a sentence."""
    from assent import urls
    from assent.tools import web

    folded = fold(key)
    url = web.bare_url(text.strip()) if folded in HOST_KEYS or folded in URL_KEYS else ""
    if url:
        return [url] if folded.endswith(("url", "urls")) or urls.parse(url).local else []
    inside = web.urls_in(fields, text) if words else []
    return [url for url in inside if urls.parse(url).local not in USUAL_NETWORKS]


# --- every text ----------------------------------------------------------------------------------------------------


def strings(fields: Fields, values: object) -> Iterator[tuple[str, str]]:
    """Every text in a JSON value with the name of its field, in the order of the document.

    The names themselves count as well (without a name), text that is JSON counts as what it says, and the words of a
    command also count as one line.
    """
    todo: list[tuple[str, object, int]] = [("", values, 0)]
    names: set[str] = set()
    seen = opened = 0
    while todo:
        key, value, depth = todo.pop()
        value = _decoded(fields, key, value) if isinstance(value, str) else value
        if isinstance(value, str):
            seen += 1
            if seen > MAX_STRINGS:
                fields.blind(f"has more than {MAX_STRINGS} texts in its arguments")
                return
            yield key, _cut(fields, key, value)
        elif is_nested(value):
            opened += 1
            if depth >= MAX_DEPTH or opened > MAX_NESTED:
                fields.blind(f"has more than {MAX_DEPTH} levels or {MAX_NESTED} lists in its arguments")
                continue
            yield from _line(key, value)
            todo += [(name, item, depth + 1) for name, item in reversed(_items(key, value, names))]


def _cut(fields: Fields, key: str, text: str) -> str:
    if len(text) > MAX_TEXT:
        fields.blind(f"has a text of {len(text)} characters in `{key[:80]}`")
    return text[:MAX_TEXT]


def _decoded(fields: Fields, key: str, text: str) -> object:
    """What JSON text says, if it is an object or a list; else the text itself."""
    if text.lstrip(BLANKS)[:1] not in ("{", "["):
        return text
    from assent.wire import loads

    try:
        return loads(text)
    except InputError:
        if "\\u" in text:  # a more lenient parser would find paths here that we cannot see
            fields.blind(f"has text in `{key[:80]}` that looks like JSON and cannot be read")
        return text


def _items(key: str, value: object, names: set[str]) -> list[tuple[str, object]]:
    if isinstance(value, (list, tuple)):
        return [(key, item) for item in value]
    found: list[tuple[str, object]] = []
    for name, item in value.items() if hasattr(value, "items") else ():
        if str(name) not in names:
            names.add(str(name))
            found.append(("", str(name)))
        found.append((_inherit(key, str(name)), item))
    return found


def _line(key: str, value: object) -> Iterator[tuple[str, str]]:
    """The words of one command as a line: `["rm", "-rf", "x"]`, or `command` with `args` beside it."""
    from assent.tools.run import quote

    if isinstance(value, (list, tuple)):
        if fold(key) in COMMAND_KEYS and is_flat(value):
            yield key, " ".join(map(quote, value))
        return
    pairs = [(str(name), item) for name, item in value.items()] if hasattr(value, "items") else []
    tails = [item for name, item in pairs if fold(name) in ARGS]
    for name, item in pairs:
        for tail in tails if isinstance(item, str) and fold(name) in COMMAND_KEYS else ():
            if isinstance(tail, str) or is_flat(tail):
                yield name, f"{item} {tail if isinstance(tail, str) else ' '.join(map(quote, tail))}"


def _inherit(outer: str, name: str) -> str:
    """`{"path": {"value": "x"}}` names a path too."""
    return outer if _is_telling(outer) and not _is_telling(name) else name


def _is_telling(key: str) -> bool:
    return _names_path(key) or fold(key) in COMMAND_KEYS or fold(key) in MODE_KEYS


# --- paths in a text -----------------------------------------------------------------------------------------------


def tokens(text: str) -> Iterator[str]:
    """Whatever a reader of the text could cut out of it and open."""
    flat = text.replace("\0", " ").replace("://", "\0").translate(CUTS)
    for token in dict.fromkeys(flat.split()):
        for path in _readings(token):
            if path.strip("/.\\") and ("/" in path or "~" in path or _is_secret_name(path.rpartition("\\")[2])):
                yield path


def _readings(token: str) -> Iterator[str]:
    """`-i~/.ssh/x` and `@/etc/x` carry a path behind their first signs, `see .env.` a full stop behind it."""
    scheme, mark, rest = token.partition("\0")
    if mark:
        if scheme.lower() == "file":
            yield from local_paths(token.replace("\0", "://"))
        elif rest[:1] == "/" or not scheme:
            yield f"/{rest.lstrip('/')}".replace("\0", "://")
        elif ".." in rest:  # hosts that tidy a path before opening it do not care whether `x:` exists
            yield token.replace("\0", "://")
        return
    yield token
    if token[-1] in ".!?":
        yield token.rstrip(".!?")
    home = token.find("~/")
    if home > 0:
        yield token[home:]
    elif token[0] in "-@+" and "/" in token:
        yield token[token.find("/") :] if token[0] == "-" else token[1:]
    elif token[0] == "@":
        yield token[1:]


def behind(uri: str) -> Iterator[str]:
    """Every file that a server could take a URI for, whatever its scheme: with and without host, encoding and query.

    `vscode-file://x/etc/shadow` is `/etc/shadow` for one server, and `fs://etc/shadow` is for another.
    """
    from assent.tools.web import SCHEME

    scheme, colon, rest = uri.strip().partition(":")
    if not colon or len(scheme) < 2 or not scheme[0].isalpha() or not SCHEME.issuperset(scheme):
        return
    found: dict[str, None] = {}
    for said in dict.fromkeys((rest, decode(rest), decode(decode(rest)))):
        flat = said.replace("\\", "/")
        if said != rest:
            found |= dict.fromkeys(tokens(flat.partition("?")[2]))
        for text in (flat.partition("\0")[0], flat.partition("?")[0].partition("#")[0].partition("\0")[0]):
            found |= dict.fromkeys(_hostless(text))
    yield from (path for path in found if _is_path("", path, words=False))


def _hostless(text: str) -> Iterator[str]:
    if not text.startswith("//"):
        yield text
        return
    host, _, path = text[2:].partition("/")
    named = (f"{host}/{path}", f"/{host}/{path}") if host else ()
    yield from (f"/{path.lstrip('/')}", *named) if path else (host,)
    yield from (path[path.index("~") :],) if path.lstrip("/").startswith("~") else ()


def _may_be_uri(key: str) -> bool:
    return _names_path(key) or fold(key) in URL_KEYS


def _names_path(key: str) -> bool:
    folded = fold(key)
    return folded in PATHS or folded.endswith(PATH_ENDS)


def _is_path(key: str, text: str, *, words: bool) -> bool:
    from assent.tools import web

    if not text or (not text.strip("/.\\") and not _names_path(key)):
        return False
    if web.is_url(text):
        return _names_path(key) and ".." in text
    if _names_path(key):
        return True
    if _has_blanks(text):
        return words and _is_worth_a_look(key, text)
    return _is_rooted(text) or _has_separator(text) or _is_secret_name(text) or _is_file_name(text)


def _is_worth_a_look(key: str, text: str) -> bool:
    """`my dir/.env`, but not a paragraph: one line in which no name is longer than a name can be."""
    if "\n" in text or fold(key) in COMMAND_KEYS or ("://" in text and text[:5].lower() != "file:"):
        return False
    if not (_is_rooted(text) or _has_separator(text)):
        return False
    return all(len(part) <= MAX_NAME for part in text.split("/"))


def _is_rooted(text: str) -> bool:
    return text.startswith(("/", "~", "./", "../")) or text[:5].lower() == "file:"


def _has_separator(text: str) -> bool:
    return "/" in text or "~" in text or "\\" in text


def _has_blanks(text: str) -> bool:
    return text != "" and text.split(None, 1) != [text]


def _is_secret_name(text: str) -> bool:
    """`.env`, `id_rsa`, `server.key`: names that mean a file even in the middle of a sentence."""
    name = text.lower()
    return (name[:1] == "." and name[1:2].isalpha()) or name in SECRETS or name.endswith(SECRET_ENDS)


def _is_file_name(text: str) -> bool:
    """`notes.md`: one word with a dot before a short ending."""
    stem, dot, ending = text.rpartition(".")
    return bool(dot) and 0 < len(ending) <= 20 and (not stem or not ending.isdigit()) and len(text) <= MAX_NAME


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("frobnicate", {"x": ".env"}, "call frobnicate | possible read .env | possible write .env"),
    ("frobnicate", {"x": "version 1.2"}, "call frobnicate"),
    ("frobnicate", {"x": "/"}, "call frobnicate"),
    ("frobnicate", {"path": "/"}, "call frobnicate | possible read / | possible write /"),
    ("frobnicate", {"script": "ls"}, "call frobnicate | blind: frobnicate carries a command in `script`"),
    (
        "frobnicate",
        {"cmd": "cat ~/a"},
        "call frobnicate | possible read ~/a | blind: frobnicate carries a command in `cmd`",
    ),
    ("frobnicate", {"file": {"value": "k"}}, "call frobnicate | possible read k | possible write k"),
    ("frobnicate", {"x": ["http://a.example/"]}, "call frobnicate | possible reach http://a.example/"),
    ("frobnicate", {"x": ["see http://a.example/ now"]}, "call frobnicate"),
    ("frobnicate", {"x": "see http://localhost/ now"}, "call frobnicate"),
    ("frobnicate", {"x": "see http://10.0.0.1/a now"}, "call frobnicate | possible reach http://10.0.0.1/a"),
    ("frobnicate", {"host": "169.254.169.254"}, "call frobnicate | possible reach http://169.254.169.254"),
    ("frobnicate", {"host": "db"}, "call frobnicate"),
    ("frobnicate", {"host": "a.example"}, "call frobnicate | possible read a.example | possible write a.example"),
    ("frobnicate", {"files": {"a/b": ""}}, "call frobnicate | possible read a/b | possible write a/b"),
    ("frobnicate", {"x": "fix id_rsa, then quit"}, "call frobnicate | possible read id_rsa"),
    ("frobnicate", {"x": '{"path": "k"}'}, "call frobnicate | possible read k | possible write k"),
)
