"""Calls that leave the machine: fetching URLs, searching the web, steering a browser."""

from __future__ import annotations

from assent.tools.table import BODY_KEYS, PATH_KEYS, URL_KEYS, fold
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields
    from assent.types import Kind

MAX_URLS = 50
WEB = ("http", "https", "ftp", "ws", "wss")
SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
READING = ("GET", "HEAD", "get", "head", "")
SENDING = ("post", "put", "patch", "delete")


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call of a web family."""
    if family == "web_search":
        yield Effect("reach", "web search", code="web.search")
    elif family == "browser":
        yield from _browser(fields)
    else:
        yield from _fetch(fields)


def reach(text: str, *, kind: Kind = "reach", possible: bool = False) -> Iterator[Effect]:
    """Reaching a URL, and those it carries in its query: whoever answers may go there."""
    from assent import urls

    url = urls.parse(text)
    yield Effect(kind, text, at=url, possible=possible)
    for inner in urls.embedded(url):
        yield Effect("reach", inner.text, at=inner, possible=possible)


def _fetch(fields: Fields) -> Iterator[Effect]:
    given = fields.texts(URL_KEYS)
    kind: Kind = "send" if _sends(fields) else "reach"
    for _ in fields.take(("headers", "header", "cookies", "auth", "proxy")):
        fields.gap("sets headers or credentials of the request")
    for url in given:
        yield from reach(url, kind=kind)
    yield from _from_prompt(fields, kind, given)
    for path in fields.paths(PATH_KEYS):
        yield Effect("write", path)


def _from_prompt(fields: Fields, kind: Kind, given: list[str]) -> Iterator[Effect]:
    """Gemini's `web_fetch` takes its URLs from the prompt; elsewhere a prompt only talks about the page."""
    prompts = fields.texts(("prompt",))
    found = [url for prompt in prompts for url in urls_in(fields, prompt) if url not in given]
    fields.need("url", given or found)
    obeyed = not given or (fields.name == "web_fetch" and fields.agent in ("", "gemini"))
    for url in found:
        yield from reach(url, kind=kind, possible=not obeyed)


def _sends(fields: Fields) -> bool:
    """Whether more than an address leaves: a method that writes, or a body."""
    methods = [value for _, value in fields.take(("method", "httpmethod"))]
    body = fields.flag(BODY_KEYS)
    return body or fold(fields.name).endswith(SENDING) or any(method not in READING for method in methods)


def _browser(fields: Fields) -> Iterator[Effect]:
    given = fields.texts(URL_KEYS)
    for url in given:
        yield from reach(url)
    if not given:
        yield Effect("call", fields.name, code="browser", arguments=fields.values)


def urls_in(fields: Fields, text: str) -> list[str]:
    """Every URL that somebody could find in a text: from each scheme to the next blank."""
    found: dict[str, None] = {}
    for token in text.split() if ":/" in text else ():
        place = token.find(":/")
        while place >= 0:
            start = place
            while start and token[start - 1] in SCHEME and place - start < 20:
                start -= 1
            scheme = token[start:place].lower()
            if scheme in WEB or (token[place : place + 3] == "://" and len(scheme) > 1):
                found[token[start:].rstrip(".,;:!?)]}>'\"`")] = None
            if len(found) >= MAX_URLS:
                fields.gap(f"carries more than {MAX_URLS} URLs")
                return list(found)
            place = token.find(":/", place + 1)
    return list(found)


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
        "reach https://a.example/ | reach https://b.example/",
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
    ("WebSearch", {"query": "x"}, "reach web search"),
    ("browser_action", {"action": "launch", "url": "https://a.example/"}, "reach https://a.example/"),
    ("browser_action", {"action": "click", "coordinate": "1,2"}, "call browser_action"),
)
