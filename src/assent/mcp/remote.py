"""A server that is reached over streamable HTTP, in both eras of the protocol.

INVARIANT: whatever happens to a request on the network, whoever asked gets an answer; redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from assent.errors import AssentError
from assent.mcp import messages as m
from assent.mcp.child import Ended, Heard
from assent.mcp.events import events
from assent.mcp.headers import headers_of
from assent.mcp.messages import Body
from assent.mcp.pins import Definition

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS, PAUSE, TRIES = 30.0, 1.0, 3
SESSION = "mcp-session-id"
Tools = Callable[[], Mapping[str, Definition]]


class Remote:
    """One URL. Each request is a POST whose answer is JSON or a stream of events."""

    def __init__(self, url: str, headers: Mapping[str, str], tools: Tools, *, most: int = m.MAX_BYTES) -> None:
        self._url, self._given, self._tools, self._most = url, dict(headers), tools, most
        self._http: httpx.AsyncClient | None = None
        self._heard: Heard | None = None
        self._session = ""
        self._version = ""
        self._posts: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, heard: Heard, ended: Ended) -> None:
        del ended  # a connection that breaks is the end of requests, never of the server
        try:
            import httpx
        except ImportError as error:
            raise AssentError("`--url` needs httpx", help="pip install 'assent[mcp]'") from error
        limits = httpx.Timeout(CONNECT_SECONDS, read=None)
        self._http = httpx.AsyncClient(timeout=limits, follow_redirects=False, headers=self._given, trust_env=True)
        self._heard = heard

    async def stop(self) -> int:
        """End the session as the protocol wants it."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._http is not None:
            if self._session:
                await self._goodbye(self._http)
            await self._http.aclose()
        return 0

    async def _goodbye(self, http: httpx.AsyncClient) -> None:
        import httpx

        try:
            await http.delete(self._url, headers=self._headers({}), timeout=2.0)
        except httpx.HTTPError:
            self._session = ""

    # --- sending ---------------------------------------------------------------------------------------------------

    async def send(self, raw: bytes, body: Body) -> None:
        if body.get("method") == "initialize":
            self._session = self._version = ""
        if body.get("method") == "notifications/cancelled" and self._cancelled(body):
            return
        task = asyncio.create_task(self._post(raw, body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if m.is_request(body):
            key = m.key(body["id"])
            self._posts[key] = task
            task.add_done_callback(lambda done: self._posts.pop(key, None) if self._posts.get(key) is done else None)
        else:
            await asyncio.wait({task})
        if body.get("method") == "notifications/initialized" and self._session:
            stream = asyncio.create_task(self._listen())
            self._tasks.add(stream)
            stream.add_done_callback(self._tasks.discard)

    def _cancelled(self, body: Body) -> bool:
        """Without a handshake, to close a request's stream is to cancel it."""
        identity = m.params(body).get("requestId")
        post = self._posts.get(m.key(identity)) if m.is_id(identity) else None
        if self._version or self._session:
            return False
        if post is not None:
            post.cancel()
        return True

    def _headers(self, body: Body) -> dict[str, str]:
        made = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        if self._version:
            made["mcp-protocol-version"] = self._version
        if self._session:
            made[SESSION] = self._session
        return made | headers_of(body, self._tools())

    async def _post(self, raw: bytes, body: Body) -> None:
        try:
            await self._exchange(raw, body)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of the network, of TLS, of the server's bytes: the request has failed
            await self._fail(body, f"the server could not be asked: {type(error).__name__}: {error}")

    async def _exchange(self, raw: bytes, body: Body) -> None:
        if self._http is None:
            raise AssentError("not connected")
        async with self._http.stream("POST", self._url, content=raw, headers=self._headers(body)) as response:
            if response.status_code >= 300:
                await self._refused(response, body)
                return
            if body.get("method") == "initialize":
                self._session = response.headers.get(SESSION, "")
            if not m.is_request(body):
                return
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == "application/json":
                await self._said(await self._whole(response), body)
            elif kind == "text/event-stream":
                await self._stream(response, body)
            else:
                await self._fail(body, f"the server answered with status {response.status_code} and `{kind}`")

    async def _refused(self, response: httpx.Response, body: Body) -> None:
        """A status that is no success may still carry an answer to the request."""
        data = await self._whole(response)
        try:
            found = m.read(data)
        except AssentError:
            found = []
        if isinstance(found, dict) and "error" in found and m.is_request(body):
            await self._said(m.write({**found, "id": body["id"]}), body)
            return
        gone = response.status_code == 404 and self._session
        await self._fail(body, "the session has ended" if gone else f"the server answered {response.status_code}")

    async def _whole(self, response: httpx.Response) -> bytes:
        pieces, size = [], 0
        async for piece in response.aiter_bytes():
            size += len(piece)
            if size > self._most:
                raise AssentError(f"the server's answer has more than {self._most} bytes")
            pieces.append(piece)
        return b"".join(pieces)

    # --- hearing ---------------------------------------------------------------------------------------------------

    async def _said(self, data: bytes, asked: Body) -> bool:
        """Pass a message on; true when it is the answer to what was asked."""
        try:
            found = m.read(data)
        except AssentError:
            found = []
        answers = [one for one in (found if isinstance(found, list) else [found]) if m.is_response(one)]
        if asked.get("method") == "initialize" and answers:
            self._version = m.text(m.table(answers[0].get("result")).get("protocolVersion"))
        if self._heard is not None:
            await self._heard(data)
        return any(m.is_request(asked) and one.get("id") == asked["id"] for one in answers)

    async def _stream(self, response: httpx.Response, body: Body) -> None:
        """A stream that breaks before the answer is taken up again where the server can do that."""
        last, pause, done = await self._follow(response, body)
        tries = 0
        while not done and last and tries < TRIES and self._http is not None:
            tries += 1
            await asyncio.sleep(pause)
            headers = self._headers({}) | {"last-event-id": last}
            async with self._http.stream("GET", self._url, headers=headers) as again:
                if again.status_code != 200:
                    break
                found, pause, done = await self._follow(again, body)
                tries = 0 if found and found != last else tries
                last = found or last
        if not done:
            await self._fail(body, "the server's stream ended without an answer")

    async def _follow(self, response: httpx.Response, body: Body) -> tuple[str, float, bool]:
        """Read events up to the answer: the last event's id, how long to wait before asking again, whether it came."""
        import httpx

        last, pause = "", PAUSE
        try:
            async for one in events(response.aiter_bytes(), self._most):
                last = one.id or last
                pause = one.retry if one.retry >= 0 else pause
                if one.data and await self._said(one.data, body):
                    return last, pause, True
        except httpx.TransportError:
            return last, pause, False
        return last, pause, False

    async def _listen(self) -> None:
        """What the server says by itself, in the era with a handshake."""
        last, tries = "", 0
        while tries < TRIES and self._http is not None:
            headers = self._headers({}) | ({"last-event-id": last} if last else {})
            pause = PAUSE
            try:
                async with self._http.stream("GET", self._url, headers=headers) as response:
                    if response.status_code != 200:
                        return  # the server has nothing to say by itself
                    found, pause, _ = await self._follow(response, {})
                    last, tries = found or last, 0 if found else tries + 1
            except Exception:  # of the network: try again, a few times
                tries += 1
            await asyncio.sleep(pause)

    async def _fail(self, body: Body, why: str) -> None:
        if m.is_request(body) and self._heard is not None:
            code = -32601 if body.get("method") == "server/discover" else m.INTERNAL_ERROR
            await self._heard(m.write(m.error(body["id"], code, why)))
