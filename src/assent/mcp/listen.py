"""The client's end over streamable HTTP, on this machine only and behind a token, in both eras of the protocol.

INVARIANT: nothing of a request is looked at before its Host, its Origin and its token are right.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from assent.errors import AssentError
from assent.mcp import messages as m
from assent.mcp.child import Upstream
from assent.mcp.events import event
from assent.mcp.headers import NAMED, decoded
from assent.mcp.messages import Body
from assent.mcp.sessions import Exchange, Session
from assent.mcp.stdio import Connect

PING, SLOW = 15.0, 1.0
"""Seconds between signs of life on a stream, and how long an answer may take before it becomes a stream."""
MOST_SESSIONS = 100
SESSION = "mcp-session-id"
STATUS = {-32700: 400, -32600: 400, -32602: 400, -32020: 400, -32021: 400, -32022: 400, -32601: 404}
MISMATCH = -32020
Start = Callable[[], Upstream]


class Listener:
    """The application. A handshake starts a server of its own; requests without one share a server."""

    def __init__(
        self, start: Start, connect: Connect, hosts: frozenset[str], token: str, *, most: int = m.MAX_BYTES
    ) -> None:
        self._start, self._connect, self._hosts, self._token, self._most = start, connect, hosts, token, most
        self._sessions: dict[str, Session] = {}
        self._shared: Session | None = None
        self._starting = asyncio.Lock()

    def app(self) -> Starlette:
        route = Route("/mcp", self.answer, methods=["GET", "POST", "DELETE"])
        return Starlette(routes=[route], lifespan=self._life)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        del app
        yield
        await self.close()

    async def close(self) -> None:
        """End every session and its server."""
        ending = [*self._sessions.values(), *([self._shared] if self._shared else ())]
        self._sessions, self._shared = {}, None
        await asyncio.gather(*(one.close() for one in ending))

    async def answer(self, request: Request) -> Response:
        refused = self._refusal(request)
        if refused is not None:
            return refused
        try:
            if request.method == "POST":
                return await self._post(request)
            session = self._sessions.get(request.headers.get(SESSION, ""))
            if session is None:
                return _said(404 if SESSION in request.headers else 400, "there is no such session")
            if request.method == "DELETE":
                del self._sessions[session.id]
                await session.close()
                return Response(status_code=200)
            return StreamingResponse(_pinged(session.own_words()), media_type="text/event-stream")
        except AssentError as error:
            return _said(500, str(error))
        except ClientDisconnect:
            return Response(status_code=400)

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        host = headers.getlist("host")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            return _said(421, "this gateway does not go by that name")
        origin = headers.getlist("origin")
        if origin and (len(origin) > 1 or origin[0].lower() not in {f"http://{name}" for name in self._hosts}):
            return _said(403, "this comes from another site")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._token.encode()):
            return Response(status_code=401, headers={"www-authenticate": "Bearer"})
        return None

    # --- messages --------------------------------------------------------------------------------------------------

    async def _post(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _said(415, "messages are sent as application/json")
        raw = await self._body(request)
        if raw is None:
            return _said(413, f"a message has at most {self._most} bytes")
        try:
            found = m.read(raw)
        except AssentError as error:
            return JSONResponse(m.error(None, m.PARSE_ERROR, error.message), 400)
        bodies = found if isinstance(found, list) else [found]
        if isinstance(found, dict) and m.protocol(found):
            return await self._without_handshake(request, found)
        session, begun = await self._session(request, bodies)
        if session is None:
            return _said(404 if SESSION in request.headers else 400, "there is no such session")
        headers = {SESSION: session.id} if begun else {}
        asked = [m.key(one["id"]) for one in bodies if m.is_request(one)]
        if not asked:
            await session.take(raw)
            return Response(status_code=202)
        exchange = session.expect(asked, _tokens(bodies))
        await session.take(raw)
        return await _reply(exchange, headers, statuses=False)

    async def _body(self, request: Request) -> bytes | None:
        pieces, size = [], 0
        async for piece in request.stream():
            size += len(piece)
            if size > self._most:
                return None
            pieces.append(piece)
        return b"".join(pieces)

    async def _session(self, request: Request, bodies: list[Body]) -> tuple[Session | None, bool]:
        if SESSION in request.headers:
            return self._sessions.get(request.headers[SESSION]), False
        if not any(one.get("method") == "initialize" and m.is_request(one) for one in bodies):
            return None, False
        if len(self._sessions) >= MOST_SESSIONS:
            await self._make_room()
        made = await self._begin()
        self._sessions[made.id] = made
        return made, True

    async def _make_room(self) -> None:
        """End the oldest session that nobody uses."""
        for session in list(self._sessions.values()):
            if session.idle:
                del self._sessions[session.id]
                await session.close()
                return
        raise AssentError("too many sessions are open")

    async def _begin(self) -> Session:
        session = Session(secrets.token_urlsafe(24), self._start(), self._connect)
        await session.start()
        return session

    async def _without_handshake(self, request: Request, body: Body) -> Response:
        wrong = _mismatch(request, body)
        if wrong:
            return JSONResponse(m.error(body.get("id"), MISMATCH, wrong), 400)
        if not m.is_request(body):
            return Response(status_code=202)
        async with self._starting:
            if self._shared is None or self._shared.gateway.ended:
                if self._shared is not None:
                    await self._shared.close()
                self._shared = await self._begin()
        exchange = await self._shared.asked_alone(body)
        return await _reply(exchange, {}, statuses=True)


def _mismatch(request: Request, body: Body) -> str:
    """What the headers say must be what the body says, because others on the way go by the headers."""
    headers, method = request.headers, str(body.get("method", ""))
    if headers.get("mcp-protocol-version", "") != m.protocol(body):
        return "the header `MCP-Protocol-Version` is not what the body says"
    if m.is_request(body) and headers.get("mcp-method", "") != method:
        return "the header `Mcp-Method` is not what the body says"
    name = m.params(body).get(NAMED.get(method, ""))
    try:
        said = decoded(headers.get("mcp-name", ""))
    except ValueError:
        said = ""
    return "the header `Mcp-Name` is not what the body says" if isinstance(name, str) and said != name else ""


def _tokens(bodies: list[Body]) -> list[str]:
    found = [m.meta(one).get("progressToken") for one in bodies if m.is_request(one)]
    return [m.key(one) for one in found if m.is_id(one)]


async def _reply(exchange: Exchange, headers: dict[str, str], *, statuses: bool) -> Response:
    """A quick answer is plain JSON; one that takes longer, or brings other messages along, is a stream."""
    first = await exchange.next(SLOW)
    if first is not None and exchange.over:
        await exchange.close()
        code = m.table(m.table(_loaded(first)).get("error")).get("code")
        status = STATUS.get(code, 200) if statuses and isinstance(code, int) else 200
        return Response(first, status, headers, "application/json")
    return StreamingResponse(_pinged(_rest(exchange, first)), 200, headers, "text/event-stream")


async def _rest(exchange: Exchange, first: bytes | None) -> AsyncIterator[bytes | None]:
    try:
        yield first
        while not exchange.over:
            yield await exchange.next(PING)
    finally:
        await exchange.close()


async def _pinged(source: AsyncIterator[bytes | None]) -> AsyncIterator[bytes]:
    async for one in source:
        yield b": still here\n\n" if one is None else event(one)


def _loaded(raw: bytes) -> object:
    try:
        return m.read(raw)
    except AssentError:
        return None


def _said(status: int, text: str) -> Response:
    return JSONResponse({"error": text}, status)
