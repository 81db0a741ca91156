"""The gate before every page and every call of the API: who asks, from where, and what a browser may do with answers.

INVARIANT: nothing behind the gate runs before all of its questions are answered, in this order: is the request meant
for us (Host), is it small and well formed, does it come from our own pages or from no browser (Origin), is the key
right.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent import wire
from assent.record import record
from assent.server.keys import Keys

MAX_BODY = 256_000
BODY_TOO_LARGE = f"the body is larger than {MAX_BODY} bytes"
READING = ("GET", "HEAD")
SIGNED = "/webhooks/answer"
"""Answers of a service the user named; its signature is its key."""
OPEN = ("/api/login",)
"""What a browser calls before it has a key."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@record
class Refusal:
    """Why a request is turned away, as an HTTP status and a sentence."""

    status: int
    text: str
    help: str = ""


class Gate:
    """Wraps the application. `hosts` are the exact `Host` headers it answers to."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: frozenset[str]) -> None:
        self.app = app
        self.keys = keys
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no websockets: uvicorn closes them with 403
        refusal = self.refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refusal:
            await _refuse(refusal, self.keys, _guarded(send))
            return
        await self.app(scope, _limited(receive), _guarded(send))

    def refusal(self, method: str, path: str, headers: Headers) -> Refusal | None:
        """What is wrong with a request, if anything."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return Refusal(421, "this server does not go by that name", "open the address that `assent serve` printed")
        if method not in (*READING, "POST"):
            return Refusal(405, "only GET and POST are known here")
        if path == SIGNED:
            return _shape(method, headers)
        api = path.startswith("/api/")
        if not api:
            return Refusal(405, "pages can only be read") if method == "POST" else None
        return _shape(method, headers) or _origin(method, hosts[0], headers) or self._key(path, headers)

    def _key(self, path: str, headers: Headers) -> Refusal | None:
        given = token_in(headers)
        if not given and path not in OPEN:
            return Refusal(401, "you are not signed in", "open the link that `assent serve` prints")
        if not given and not headers.get("origin"):
            return Refusal(403, "a request without Origin needs the token")
        if given and not self.keys.accepts(given):
            return Refusal(429 if self.keys.locked_for() else 401, "that key is not known here")
        return None


def token_in(headers: Headers) -> str:
    """The key that a request carries. Never in a URL or a cookie."""
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else headers.get("x-assent-token", "")


def _shape(method: str, headers: Headers) -> Refusal | None:
    if method in READING:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return Refusal(415, "changes are sent as application/json")
    size = headers.get("content-length", "0")
    if not size.isdecimal() or int(size) > MAX_BODY:
        return Refusal(413, BODY_TOO_LARGE)
    return None


def _origin(method: str, host: str, headers: Headers) -> Refusal | None:
    """A browser says where a request comes from; only our own pages are heard."""
    said, site = headers.getlist("origin"), headers.get("sec-fetch-site")
    foreign = Refusal(403, "this comes from another site")
    if said and (len(said) > 1 or said[0].lower() != f"http://{host.lower()}"):
        return foreign
    if site is not None and site != "same-origin":
        return foreign
    if method == "POST" and not said and site is not None:
        return Refusal(403, "a browser must say where it comes from")
    return None


def allowed_hosts(host: str, port: int, names: tuple[str, ...] = ()) -> frozenset[str]:
    """The `Host` headers of a server that is bound to `host`: the loopback names, its own, and what was configured."""
    bare = ["127.0.0.1", "localhost", "[::1]", *names]
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104 - compared with, not bound to
        bare.append(f"[{host}]" if ":" in host else host)
    return frozenset(f"{one.lower()}:{port}" for one in bare) | _without_port(bare, port)


def _without_port(bare: list[str], port: int) -> frozenset[str]:
    """Browsers leave out the port that http has by default."""
    return frozenset(one.lower() for one in bare) if port == 80 else frozenset()


def is_loopback(host: str) -> bool:
    return host in ("127.0.0.1", "localhost", "::1")


def link(host: str, port: int, code: str) -> str:
    """The login link. The code is in the fragment, which browsers keep to themselves."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/login#{code}"


# --- answering -----------------------------------------------------------------------------------------------------


def _guarded(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """A body that is sent in pieces cannot grow past the limit either."""
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY:
            raise TooLarge
        return message

    return receiving


class TooLarge(Exception):  # noqa: N818 - what it is called
    """More was sent than the limit, whatever Content-Length said."""


async def _refuse(refusal: Refusal, keys: Keys, send: Send) -> None:
    body = wire.dumps({"error": refusal.text, "help": refusal.help}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 429:
        headers.append((b"retry-after", str(int(keys.locked_for()) + 1).encode()))
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
