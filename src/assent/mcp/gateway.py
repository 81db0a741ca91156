"""One client and one server, and everything that passes between them.

INVARIANT: what cannot be read strictly is not passed on; calls of tools, reading of resources and filled-in prompts
reach the server only through `Calls`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping

from assent import wire
from assent.errors import AssentError, InputError
from assent.mcp import elicitation
from assent.mcp import messages as m
from assent.mcp.asking import ToolGuard
from assent.mcp.batches import Batches
from assent.mcp.calls import Calls, OnAsk, Passed
from assent.mcp.hiding import Hiding
from assent.mcp.messages import Body
from assent.mcp.offered import Offered

ToClient = Callable[[bytes], Awaitable[None]]
ToServer = Callable[[bytes, Body], Awaitable[None]]
Log = Callable[[str], None]
MOST_AT_ONCE = 16_384
"""Bytes of a request that may be judged while nothing else is done."""
MOST_OPEN = 10_000
"""Requests of one client that may wait for an answer at the same time."""


class Open:
    """A request of the client that has no answer yet."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.task: asyncio.Task[None] | None = None
        """Set while the call is judged, which is before the server hears of it."""


class Gateway:
    """The relay of one connection. Its transports call `from_client`, `from_server`, `server_ended` and `close`."""

    def __init__(
        self,
        guard: ToolGuard,
        offered: Offered,
        to_client: ToClient,
        to_server: ToServer,
        *,
        on_ask: OnAsk = "hold",
        inbox: str = "",
        hide: bool = False,
        log: Log,
        heartbeat: float | None = None,
    ) -> None:
        self.guard, self.offered = guard, offered
        self._to_client, self._to_server, self._log = to_client, to_server, log
        more = {} if heartbeat is None else {"heartbeat": heartbeat}
        self.calls = Calls(guard, offered, self, on_ask=on_ask, inbox=inbox, **more)
        self._hiding = Hiding(guard, offered) if hide else None
        self._open: dict[str, Open] = {}
        self._batches = Batches()
        self._ours = f"assent-{secrets.token_hex(8)}-"
        self._number = 0
        self._asked: dict[str, asyncio.Future[Body]] = {}
        self._listed: dict[str, Body] = {}
        self._client: Body = {}
        self._version = ""
        self.at_once = False
        """Whether this connection has its event loop for itself."""
        self.ended = ""
        """Why the server is gone, once it is."""

    # --- from the client -------------------------------------------------------------------------------------------

    async def from_client(self, raw: bytes) -> None:
        """Take one line or HTTP body of the client."""
        try:
            found = m.read(raw)
        except InputError as error:
            self._log(f"a message of the client is not passed on: {error.message}")
            await self._answer(m.error(None, m.PARSE_ERROR, error.message))
            return
        if isinstance(found, dict):
            await self._client_said(found, raw)
            return
        self._batches.begin([m.key(one["id"]) for one in found if m.is_request(one)])
        for one in found:
            await self._client_said(one, m.write(one))

    async def _client_said(self, body: Body, raw: bytes) -> None:
        if m.is_request(body):
            await self._client_asked(body, raw)
        elif m.is_response(body) and m.key(body["id"]) in self._asked:
            self._settle(m.key(body["id"]), body)
        elif body.get("method") == "notifications/cancelled":
            await self._client_cancelled(body, raw)
        elif not m.is_response(body) and m.is_judged(body):
            self._log(f"`{body['method']}` without an id is not passed on")
        else:
            await self._to_server(raw, body)

    async def _client_asked(self, body: Body, raw: bytes) -> None:
        key = m.key(body["id"])
        if self.ended:
            await self._reply(m.error(body["id"], m.CLOSED, self.ended))
            return
        if key in self._open or key.startswith(f'"{self._ours}') or len(self._open) >= MOST_OPEN:
            await self._answer(m.error(None, m.INVALID_REQUEST, f"a request with the id {key} is open already"))
            return
        waiting = self._open[key] = Open(body)
        if body["method"] == "initialize":
            self._client = m.params(body)
        if m.is_judged(body):
            ready = self.calls.decide_now(body) if self._is_quick(raw) else None
            if ready is not None:
                await self._decided(waiting, raw, ready)
                return
            waiting.task = asyncio.create_task(self._call(key, waiting, raw))
        else:
            await self._to_server(raw, body)

    def _is_quick(self, raw: bytes) -> bool:
        """Whether nobody is kept waiting while this short request, the only one, is judged in our own thread."""
        return self.at_once and len(self._open) == 1 and len(raw) <= MOST_AT_ONCE

    async def _call(self, key: str, waiting: Open, raw: bytes) -> None:
        outcome = await self.calls.decide(waiting.body)
        waiting.task = None
        if self._open.get(key) is waiting:
            await self._decided(waiting, raw, outcome)

    async def _decided(self, waiting: Open, raw: bytes, outcome: Passed | Body) -> None:
        try:
            if not isinstance(outcome, Passed):
                await self._reply(outcome)
            elif outcome.body is None:
                await self._to_server(raw, waiting.body)
            else:
                waiting.body = dict(outcome.body)
                await self._to_server(m.write(outcome.body), waiting.body)
        except Exception as error:  # of a transport; the task has nobody who would hear of it
            self._log(f"a call got lost: {type(error).__name__}: {error}")
            await self._reply(m.error(waiting.body["id"], m.INTERNAL_ERROR, f"the call got lost: {error}"))

    async def _client_cancelled(self, body: Body, raw: bytes) -> None:
        """INVARIANT: a call that is cancelled while a person is asked is not made, whatever they answer."""
        identity = m.params(body).get("requestId")
        waiting = self._open.get(m.key(identity)) if m.is_id(identity) else None
        if waiting is None or waiting.task is None:
            await self._to_server(raw, body)
        else:
            await self.abandoned(m.key(identity))

    async def abandoned(self, key: str) -> None:
        """Nobody can hear the answer to a request any more: one that is still judged is not made."""
        waiting = self._open.get(key)
        if waiting is not None and waiting.task is not None:
            waiting.task.cancel()
            del self._open[key]
            await self._batched(key, None)

    # --- from the server -------------------------------------------------------------------------------------------

    async def from_server(self, raw: bytes) -> None:
        """Take one line or HTTP event of the server."""
        try:
            found = m.read(raw)
        except InputError as error:
            await self._unreadable(raw, error.message)
            return
        for one in found if isinstance(found, list) else [found]:
            await self._server_said(one, raw if one is found else m.write(one))

    async def _server_said(self, body: Body, raw: bytes) -> None:
        if not m.is_response(body):
            if body["method"] == "notifications/tools/list_changed":
                self.offered.changed()
            await self._to_client(raw)
            return
        key = m.key(body["id"])
        asked = self._listed.pop(key, None)
        if asked is not None:
            await self._heard(body, m.params(asked))
            self._settle(key, body)
            return
        waiting = self._open.get(key)
        if waiting is None or waiting.task is not None:
            self._log("a response of the server is not passed on: nobody asked for it")
            return
        await self._answered(key, waiting, body, raw)

    async def _answered(self, key: str, waiting: Open, body: Body, raw: bytes) -> None:
        method, found = waiting.body["method"], m.table(body.get("result"))
        if method == m.LIST and "result" in body:
            try:
                m.exact_keys(found, ("tools", "nextCursor"), "the list of tools")
            except InputError as error:
                await self._reply(m.error(body["id"], m.INTERNAL_ERROR, error.message))
                return
            await self._heard(body, m.params(waiting.body))
            shown = await self._hiding.shown(body) if self._hiding else None
            raw = raw if shown is None else m.write(shown)
        elif method in m.JUDGED and found.get("resultType") == "input_required":
            self.calls.interrupted(waiting.body, found)
        elif method == "initialize" and isinstance(found.get("protocolVersion"), str):
            self._version = str(found["protocolVersion"])
        del self._open[key]
        await self._batched(key, raw)

    async def _heard(self, body: Body, given: Body) -> None:
        if "result" in body:
            await asyncio.to_thread(self.offered.heard, m.table(body["result"]), given.get("cursor"))

    async def _unreadable(self, raw: bytes, why: str) -> None:
        """INVARIANT: words about tools that we cannot read are not shown to the model either."""
        self._log(f"a message of the server is not passed on: {why}")
        identity = _lenient_id(raw)
        if identity is None:
            return
        key = m.key(identity)
        if key in self._listed:
            del self._listed[key]
            self._settle(key, m.error(identity, m.INTERNAL_ERROR, why))
        elif key in self._open and self._open[key].task is None:
            await self._reply(m.error(identity, m.INTERNAL_ERROR, f"the server's answer cannot be read: {why}"))

    # --- answering -------------------------------------------------------------------------------------------------

    async def _reply(self, body: Body) -> None:
        """Answer a request of the client ourselves."""
        key = m.key(body["id"])
        self._open.pop(key, None)
        await self._batched(key, m.write(body))

    async def _batched(self, key: str, raw: bytes | None) -> None:
        ready = self._batches.put(key, raw)
        if ready:
            await self._to_client(ready)

    async def _answer(self, body: Body) -> None:
        await self._to_client(m.write(body))

    # --- our own requests ------------------------------------------------------------------------------------------

    async def ask_client(self, method: str, given: Mapping[str, object]) -> Body:
        """Ask the client something ourselves; taken back when nobody waits for it any more."""
        body = m.request(self._next(), method, given)
        try:
            return await self._result(body, self._to_client(m.write(body)))
        except asyncio.CancelledError:
            gone = {"requestId": body["id"], "reason": "the question was answered elsewhere"}
            await self._answer(m.notification("notifications/cancelled", gone))
            raise

    async def ask_server(self, method: str, given: Mapping[str, object]) -> Body:
        """Ask the server for its tools."""
        body = m.request(self._next(), method, given)
        self._listed[m.key(body["id"])] = body
        return await self._result(body, self._to_server(m.write(body), body))

    def _next(self) -> str:
        self._number += 1
        return f"{self._ours}{self._number}"

    async def _result(self, body: Body, sent: Awaitable[None]) -> Body:
        key = m.key(body["id"])
        waiting = self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            await sent
            said = await waiting
        finally:
            self._asked.pop(key, None)
        if "error" in said:
            raise AssentError(f"`{body['method']}` failed: {m.text(m.table(said['error']).get('message'), 300)}")
        return m.table(said["result"])

    def _settle(self, key: str, body: Body) -> None:
        waiting = self._asked.get(key)
        if waiting is not None and not waiting.done():
            waiting.set_result(body)

    # --- what is known about the client ----------------------------------------------------------------------------

    async def tell_client(self, body: Body) -> None:
        await self._answer(body)

    def client_name(self, body: Body) -> str:
        """What the client calls itself; shown to people, believed by nobody."""
        said = m.meta(body).get(m.META + "clientInfo") if m.protocol(body) else self._client.get("clientInfo")
        return m.text(m.table(said).get("name"))

    def client_can(self, body: Body) -> frozenset[str]:
        said = m.meta(body).get(m.META + "clientCapabilities") if m.protocol(body) else self._client.get("capabilities")
        return elicitation.ways(m.table(said))

    def version(self, body: Body) -> str:
        return m.protocol(body) or self._version

    # --- ending ----------------------------------------------------------------------------------------------------

    async def server_ended(self, why: str) -> None:
        """The server is gone: nothing waits for it any longer, and nothing is asked for it."""
        self.ended = why
        for key, waiting in list(self._open.items()):
            if waiting.task is not None:
                waiting.task.cancel()
            if key in self._open:
                await self._reply(m.error(waiting.body["id"], m.CLOSED, why))
        self._stop_asking(why)

    async def close(self) -> None:
        """The client sends nothing more: take back every question; what the server does already may still end."""
        held = {key: waiting.task for key, waiting in self._open.items() if waiting.task is not None}
        tasks = list(held.values())
        for key, task in held.items():
            del self._open[key]
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._stop_asking("the client is gone")

    def _stop_asking(self, why: str) -> None:
        for key, waiting in list(self._asked.items()):
            if not waiting.done():
                waiting.set_result(m.error(wire.loads(key), m.CLOSED, why))


def _lenient_id(raw: bytes) -> object:
    """The id of a response that is not JSON as we read it, so that whoever waits can be told."""
    import json

    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    identity = found.get("id") if isinstance(found, dict) else None
    return identity if m.is_id(identity) and "method" not in found else None
