"""Clients over HTTP: which of a gateway's messages belongs to which of their requests."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from assent import wire
from assent.mcp import messages as m
from assent.mcp.child import Upstream
from assent.mcp.messages import Body
from assent.mcp.stdio import Connect

MOST_KEPT = 1_000
"""Messages of the server's own that are kept for a client that does not listen."""
PING = 15.0
SUBSCRIPTION = m.META + "subscriptionId"
Alone = tuple[object, "Exchange", object]
"""A request that stands for itself: the client's own id, where it is answered, and the client's token for progress."""


class Exchange:
    """One HTTP request and the messages that are sent back on it."""

    def __init__(self, session: Session, asked: list[str], tokens: list[str]) -> None:
        self._session = session
        self.asked, self.tokens = set(asked), tokens
        self._found: asyncio.Queue[bytes] = asyncio.Queue()
        self._closed = False

    def put(self, raw: bytes) -> None:
        self._found.put_nowait(raw)

    @property
    def over(self) -> bool:
        """Whether everything that was asked is answered and read."""
        return not self.asked and self._found.empty()

    async def next(self, seconds: float) -> bytes | None:
        """The next message, None when there is none for so long."""
        try:
            return await asyncio.wait_for(self._found.get(), seconds)
        except TimeoutError:
            return None

    async def close(self) -> None:
        """The response has ended; whoever is gone before the answer does not want it any more."""
        if not self._closed:
            self._closed = True
            await self._session.leave(self)


class Session:
    """One gateway with a server of its own. Without a handshake several clients share it, and ids are made unique."""

    def __init__(self, identity: str, upstream: Upstream, connect: Connect) -> None:
        self.id = identity
        self._upstream = upstream
        self.gateway = connect(self._send, upstream.send)
        self._exchanges: list[Exchange] = []
        self._kept: deque[bytes] = deque(maxlen=MOST_KEPT)
        self._news = asyncio.Event()
        self._listening = 0
        self._alone: dict[str, Alone] = {}
        self._number = 0
        self._over = False

    async def start(self) -> None:
        await self._upstream.start(self.gateway.from_server, self.gateway.server_ended)

    @property
    def idle(self) -> bool:
        return not self._exchanges and not self._listening

    async def close(self) -> None:
        self._over = True
        self._news.set()
        await self.gateway.close()
        await self.gateway.server_ended("the session has ended")
        await self._upstream.stop()
        self.gateway.guard.close()

    # --- with a handshake ------------------------------------------------------------------------------------------

    async def take(self, raw: bytes) -> None:
        await self.gateway.from_client(raw)

    def expect(self, asked: list[str], tokens: list[str]) -> Exchange:
        """The exchange on which these requests will be answered."""
        made = Exchange(self, asked, tokens)
        self._exchanges.append(made)
        return made

    async def own_words(self) -> AsyncIterator[bytes | None]:
        """What the server says by itself; None from time to time."""
        self._listening += 1
        try:
            while not self._over:
                while self._kept:
                    yield self._kept.popleft()
                self._news.clear()
                try:
                    await asyncio.wait_for(self._news.wait(), PING)
                except TimeoutError:
                    yield None
        finally:
            self._listening -= 1

    # --- without -----------------------------------------------------------------------------------------------------

    async def asked_alone(self, body: Body) -> Exchange:
        """A request that stands for itself, sent on under an id of its own."""
        self._number += 1
        identity = f"alone-{self._number}"
        given, token = dict(m.params(body)), m.meta(body).get("progressToken")
        if m.is_id(token):
            given["_meta"] = {**m.meta(body), "progressToken": identity}
        exchange = Exchange(self, [m.key(identity)], [m.key(identity)])
        self._exchanges.append(exchange)
        self._alone[m.key(identity)] = (body["id"], exchange, token)
        await self.gateway.from_client(m.write({**body, "id": identity, "params": given}))
        return exchange

    # --- back --------------------------------------------------------------------------------------------------------

    async def _send(self, raw: bytes) -> None:
        """A message for the client: on the response it belongs to, or among the server's own words."""
        found = m.read(raw)
        if isinstance(found, list):
            self._put(raw, {m.key(one["id"]) for one in found if m.is_response(one)})
        elif m.is_response(found):
            self._respond(raw, found)
        else:
            self._tell(raw, found)

    def _respond(self, raw: bytes, body: Body) -> None:
        key = m.key(body["id"])
        alone = self._alone.pop(key, None)
        if alone is not None:
            raw = m.write(_renamed({**body, "id": alone[0]}, "result", alone))
        self._put(raw, {key})

    def _put(self, raw: bytes, keys: set[str]) -> None:
        for exchange in self._exchanges:
            if exchange.asked & keys or (keys == {"null"} and exchange is self._exchanges[-1]):
                exchange.asked = exchange.asked - keys if keys != {"null"} else set()
                exchange.put(raw)
                return

    def _tell(self, raw: bytes, body: Body) -> None:
        token = m.params(body).get("progressToken", m.meta(body).get(SUBSCRIPTION))
        key = m.key(token) if m.is_id(token) else ""
        alone = self._alone.get(key)
        if alone is not None:
            alone[1].put(m.write(_renamed(body, "params", alone)))
            return
        for exchange in self._exchanges:
            if key and key in exchange.tokens:
                exchange.put(raw)
                return
        if self._exchanges and not self._listening:
            self._exchanges[-1].put(raw)
            return
        self._kept.append(raw)
        self._news.set()

    async def leave(self, exchange: Exchange) -> None:
        if exchange in self._exchanges:
            self._exchanges.remove(exchange)
        for key in tuple(exchange.asked):
            alone = self._alone.pop(key, None)
            if alone is None:
                await self.gateway.abandoned(key)
            else:
                gone = m.notification("notifications/cancelled", {"requestId": wire.loads(key)})
                await self.gateway.from_client(m.write(gone))


def _renamed(body: Body, part: str, alone: Alone) -> Body:
    """A message with the client's own id and token in the places of ours."""
    given = dict(m.table(body.get(part)))
    about = m.table(given.get("_meta"))
    if SUBSCRIPTION in about:
        given["_meta"] = {**about, SUBSCRIPTION: alone[0]}
    if part == "params" and "progressToken" in given:
        given["progressToken"] = alone[2]
    return {**body, part: given} if part in body else body
