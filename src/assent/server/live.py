"""News over one long answer: server-sent events about requests, for every open tab.

Other processes change the store too, so there is nothing to subscribe to: each tab's answer looks at its version, which
costs one row of an index.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from assent import wire
from assent.server.asked import Service

LOOK_SECONDS = 0.15
BEAT_SECONDS = 15.0
IDLE_SECONDS = 60.0
MOST_TABS = 64


class Feed:
    """What open tabs are told, in order."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.closing = asyncio.Event()
        self.tabs = 0
        self._due = 0.0

    async def events(self, after: int | None) -> AsyncIterator[str]:
        """Everything that changes after a version; without one, after now."""
        self.tabs += 1
        try:
            version = await run_in_threadpool(self.service.desk.store.version) if after is None else after
            yield event("hello", {"version": version, "now": self.service.now()})
            quiet = 0.0
            while not self.closing.is_set():
                rows, version = await run_in_threadpool(self._news, version)
                if rows:
                    yield event("changes", {"version": version, "now": self.service.now(), "requests": rows})
                quiet = 0.0 if rows else quiet + LOOK_SECONDS
                if quiet >= BEAT_SECONDS:
                    quiet = 0.0
                    yield ": still here\n\n"
                await self._pause()
        finally:
            self.tabs -= 1

    def _news(self, after: int) -> tuple[list[dict[str, object]], int]:
        store, now = self.service.desk.store, self.service.now()
        if store.version() == after and now < self._due:
            return [], after
        open_ones = store.pending(now)  # lets what is overdue expire, so that it is among the changes
        self._due = min((one.expires_at for one in open_ones if one.expires_at), default=now + IDLE_SECONDS)
        found = store.changes(after)
        return [self.service.row(ticket) for ticket in found], found[-1].version if found else after

    async def _pause(self) -> None:
        try:
            await asyncio.wait_for(self.closing.wait(), LOOK_SECONDS)
        except TimeoutError:
            return


def event(name: str, data: dict[str, object]) -> str:
    """One event; the data is one line, because our JSON is."""
    return f"event: {name}\ndata: {wire.dumps(data)}\n\n"
