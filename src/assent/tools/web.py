"""Calls that leave the machine: fetching URLs, searching the web, steering a browser."""

from __future__ import annotations

from assent.tools.fields import HEX, local_paths
from assent.tools.table import BODY_KEYS, PATH_KEYS, TARGET_KEYS, URL_KEYS, fold
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.tools.fields import Fields
    from assent.types import Kind

MAX_URLS = 1_000
MAX_URL_TEXT = 200_000
WEB = ("http", "https", "ftp", "ws", "wss")
SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
READING = ("GET", "HEAD", "")
SENDING = ("post", "put", "patch", "delete")
SAVE_KEYS = (*PATH_KEYS, *TARGET_KEYS, "output", "saveas", "out")
BLANKS = dict.fromkeys(map(ord, "\t\n\r"))
OPENING = ("navigate", "launch", "goto", "open")
PASSIVE = (
    *OPENING,
    *("screenshot", "takescreenshot", "back", "goback", "forward", "goforward", "close"),
    *("scroll", "scrollup", "scrolldown"),
)
"""What steers a browser without doing anything to the page."""
ACTION_OF = {
    **dict.fromkeys(("browsernavigate", "navigatebrowser", "openbrowserurl", "opensimplebrowser"), "navigate"),
    "browserpreview": "open",
    "capturebrowserscreenshot": "screenshot",
    "previouswebpage": "back",
}


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call of a web family. A text that is nothing but a URL is reached, whatever its field."""
    if family == "web_search":
        yield Effect("reach", "web search", code="web.search")
        for url in _bare_urls(fields):
            yield from reach(url)
    elif family == "browser":
        yield from _browser(fields)
    else:
        yield from _fetch(fields)


def reach(text: str, *, kind: Kind = "reach", mentioned: bool = False, code: str = "") -> Iterator[Effect]:
    """Reaching a URL, and those it carries in its query: whoever answers may go there."""
    from assent import urls

    url = urls.parse(text)
    yield Effect(kind, text, at=url, possible=mentioned, mentioned=mentioned, code=code)
    for inner in urls.embedded(url):
        yield Effect("reach", inner.text, at=inner, possible=mentioned, mentioned=mentioned, code=code)


def _fetch(fields: Fields) -> Iterator[Effect]:
    given = fields.texts(URL_KEYS)
    bodies = fields.take(BODY_KEYS)
    fields.strange += bodies
    kind: Kind = "send" if _sends(fields, bodies) else "reach"
    for key, value in fields.take(("headers", "header", "cookies", "auth", "proxy")):
        fields.gap("sets headers or credentials of the request")
        fields.nested.append((key, value))
    for url in dict.fromkeys([*given, *_bare_urls(fields, apart="prompt")]):
        yield from reach(url, kind=kind)
    yield from _from_prompt(fields, kind, given)
    for path in uploads(fields, bodies):
        yield Effect("read", path)
    yield from _saved(fields)


def _saved(fields: Fields) -> Iterator[Effect]:
    """Where an answer is kept; a download always writes somewhere."""
    downloads = "download" in fold(fields.name)
    found = fields.paths(SAVE_KEYS if downloads else PATH_KEYS)
    if downloads and not found:
        fields.blind("downloads a file: where it writes is not known")
    for path in found:
        yield Effect("write", path)


def uploads(fields: Fields, bodies: list[tuple[str, object]]) -> Iterator[str]:
    """The files a body brings along: everything under `files`, and `@path` as curl writes it."""
    from assent.tools import arguments

    for key, value in bodies:
        for name, text in arguments.strings(fields, {key: value}):
            if not name:
                continue
            if fold(key) == "files":
                yield from local_paths(text)
            if text.strip()[:1] == "@":
                yield from local_paths(text.strip()[1:])
            for piece in text.split("=@")[1:]:
                yield from local_paths("".join(piece.replace("&", " ").replace(";", " ").split()[:1]))


def _bare_urls(fields: Fields, apart: str = "") -> list[str]:
    """Every text of the call that is a URL and nothing else."""
    from assent.tools import arguments

    values = {key: value for key, value in fields.values.items() if fold(str(key)) != apart}
    return limited(fields, (text for _, text in arguments.strings(fields, values) if is_url(text)))


def limited(fields: Fields, urls: Iterable[str]) -> list[str]:
    """The different URLs, as many as can be looked at in good time."""
    found: dict[str, None] = {}
    length = 0
    for url in urls:
        length += 0 if url in found else len(url)
        if (url not in found and len(found) == MAX_URLS) or length > MAX_URL_TEXT:
            fields.blind(f"carries more than {MAX_URLS} URLs or {MAX_URL_TEXT} characters of them")
            break
        found[url] = None
    return list(found)


def _from_prompt(fields: Fields, kind: Kind, given: list[str]) -> Iterator[Effect]:
    """Gemini's `web_fetch` takes its URLs from the prompt; elsewhere a prompt only talks about the page."""
    prompts = fields.texts(("prompt",))
    found = limited(fields, [url for text in prompts for url in urls_in(fields, text) if url not in given])
    obeyed = not given and fields.agent in ("", "gemini")
    fields.need("url", given or (found if obeyed else ()))
    for url in found:
        yield from reach(url, kind=kind, mentioned=not obeyed)


def _sends(fields: Fields, bodies: list[tuple[str, object]]) -> bool:
    """Whether more than an address leaves: a method that writes, or a body."""
    methods = [value for _, value in fields.take(("method", "httpmethod"))]
    asked = any(not isinstance(method, str) or method.strip().upper() not in READING for method in methods)
    return asked or fold(fields.name).endswith(SENDING) or any(value not in (False, 0, "") for _, value in bodies)


def _browser(fields: Fields) -> Iterator[Effect]:
    """Going somewhere is reaching it; whatever touches a page is a call."""
    urls = list(dict.fromkeys([*fields.texts(URL_KEYS), *_bare_urls(fields)]))
    for url in urls:
        yield from reach(url)
    name = fold(fields.name)
    actions = [fold(action) for action in fields.texts(("action",))] or [ACTION_OF.get(name, "")]
    typed = [text for text in fields.texts(("text", "key")) if not is_url(text)]
    if name == "computer" or typed or any(action not in PASSIVE for action in actions):
        yield Effect("call", fields.name, code="tool", arguments=fields.values)
    elif not urls and any(action in OPENING for action in actions):
        fields.need("url", urls)
    elif not urls:
        yield Effect("reach", "the page in the browser", code="browser")


def is_url(text: str) -> bool:
    """Whether a text is a URL and nothing else; a `file:` URL is a path."""
    bare = text.translate(BLANKS).strip()
    scheme, _, rest = bare.partition(":")
    if not scheme[:1].isalpha() or not SCHEME.issuperset(scheme) or " " in bare or scheme.lower() == "file":
        return False
    return (rest[:2] == "//" and len(scheme) > 1) or (scheme.lower() in WEB and rest[:1] in ("/", "\\"))


def is_web(text: str) -> bool:
    """Whether a URL is one that a browser or an HTTP client would follow."""
    return text.strip().partition(":")[0].lower() in WEB


def bare_url(text: str) -> str:
    """The URL that a client makes of a host, with or without port and path: `10.0.0.1/x`. Empty for other texts."""
    if not text or any(sign.isspace() for sign in text) or "://" in text or text[0] in "/\\.~":
        return ""
    scheme, colon, rest = text.partition(":")
    if colon and scheme.lower() in WEB:
        return text if bare_url(rest) else ""
    host = text.replace("\\", "/").partition("/")[0].rpartition("@")[2]
    if host.count(":") > 1 and HEX.issuperset(host.replace(":", "").replace(".", "")):
        return f"http://[{host}]{text[len(host) :]}" if text.startswith(host) else ""
    name = host.partition(":")[0]
    known = "." in name or name.lower() == "localhost" or name[:1] == "[" or _is_number(name)
    return f"http://{text}" if known else ""


def _is_number(host: str) -> bool:
    """An address in one number, as `2852039166` or `0xa9fea9fe`; shorter ones are more likely something else."""
    return len(host) >= 8 and host[0].isdigit() and all(sign in HEX for sign in host.lower().removeprefix("0x"))


def urls_in(fields: Fields, text: str) -> list[str]:
    """Every URL that somebody could find in a text: from each scheme to the next blank."""
    return limited(fields, _found_in(text)) if ":/" in text else []


def _found_in(text: str) -> Iterator[str]:
    for token in text.split():
        place = token.find(":/")
        while place >= 0:
            start = place
            while start and token[start - 1] in SCHEME and place - start < 20:
                start -= 1
            scheme = token[start:place].lower()
            if scheme in WEB or (token[place : place + 3] == "://" and len(scheme) > 1):
                yield token[start:].rstrip(".,;:!?)]}>'\"`")
            place = token.find(":/", place + 1)


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("WebFetch", {"url": "https://a.example/x", "prompt": "what?"}, "reach https://a.example/x"),
    (
        "WebFetch",
        {"url": ["https://a.example/", 3]},
        "reach https://a.example/ | blind: WebFetch needs `url` as text: it is a number",
    ),
    ("WebFetch", {}, "blind: WebFetch needs `url`: missing"),
    (
        "web_fetch",
        {"prompt": "compare https://a.example/, https://b.example/x."},
        "reach https://a.example/ | reach https://b.example/x",
    ),
    ("web_fetch", {"prompt": "compare them"}, "blind: web_fetch needs `url`: missing"),
    (
        "web_fetch",
        {"url": "https://a.example/", "prompt": "see https://b.example/"},
        "reach https://a.example/ | possible reach https://b.example/",
    ),
    (
        "WebFetch",
        {"url": "https://a.example/", "prompt": "see https://b.example/"},
        "reach https://a.example/ | possible reach https://b.example/",
    ),
    ("http_request", {"url": "https://a.example/", "method": "POST", "body": "x"}, "send https://a.example/"),
    ("requests_post", {"url": "https://a.example/"}, "send https://a.example/"),
    (
        "fetch",
        {"url": "https://a.example/", "headers": {"Cookie": "x"}},
        "reach https://a.example/ | gap: fetch sets headers or credentials of the request",
    ),
    ("download_file", {"url": "https://a.example/x", "output_path": "x.sh"}, "reach https://a.example/x | write x.sh"),
    (
        "download_file",
        {"url": "https://a.example/x"},
        "reach https://a.example/x | blind: download_file downloads a file: where it writes is not known",
    ),
    (
        "http_request",
        {"url": "https://a.example/", "method": "post", "files": {"f": "k"}, "data": "@b"},
        "send https://a.example/ | read b | read k | possible write k",
    ),
    (
        "WebFetch",
        {"url": "https://a.example/", "proxy": "http://10.0.0.1/"},
        "reach https://a.example/ | reach http://10.0.0.1/ | gap: WebFetch sets headers or credentials of the request",
    ),
    ("WebSearch", {"query": "x"}, "reach web search"),
    (
        "WebSearch",
        {"query": "x", "url": "http://10.0.0.1/"},
        "reach web search | reach http://10.0.0.1/ | blind: WebSearch has an unknown field `url`",
    ),
    ("browser_action", {"action": "launch", "url": "https://a.example/"}, "reach https://a.example/"),
    ("browser_action", {"action": "click", "coordinate": "1,2"}, "call browser_action"),
    (
        "browser_action",
        {"action": "type", "text": "x", "url": "https://a.example/"},
        "reach https://a.example/ | call browser_action",
    ),
    ("browser_action", {"action": "scroll_down"}, "reach the page in the browser"),
    ("browser_action", {"action": "launch"}, "blind: browser_action needs `url`: missing"),
    ("browser_action", {"action": "launch", "text": "http://10.0.0.1/"}, "reach http://10.0.0.1/"),
    ("computer", {"action": "screenshot"}, "call computer"),
    (
        "browser_navigate",
        {"to": "http://10.0.0.1/"},
        "reach http://10.0.0.1/ | blind: browser_navigate has an unknown field `to`",
    ),
)
