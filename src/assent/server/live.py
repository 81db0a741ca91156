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
ALIVE_SECONDS = 1.0
MOST_TABS = 64


class Feed:
    """What open tabs are told, in order."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.closing = asyncio.Event()
        self.tabs = 0
        self._due = 0.0
        self._checked = 0.0

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
                    stand = await run_in_threadpool(self._stand)
                    yield event("changes", {"version": version, **stand, "requests": rows})
                quiet = 0.0 if rows else quiet + LOOK_SECONDS
                if quiet >= BEAT_SECONDS:
                    quiet = 0.0
                    yield ": still here\n\n"
                await self._pause()
        finally:
            self.tabs -= 1

    def _news(self, after: int) -> tuple[list[dict[str, object]], int]:
        store, now = self.service.desk.store, self.service.now()
        if store.version() == after and now < self._due and not self._somebody_left(now):
            return [], after
        self._due = store.next_end(now) or now + IDLE_SECONDS  # what is overdue expires, and is among the changes
        found = store.changes(after)
        return [self.service.row(ticket) for ticket in found], found[-1].version if found else after

    def _somebody_left(self, now: float) -> bool:
        """Whether an agent that waited was ended, which changes nothing in the store by itself."""
        if now < self._checked + ALIVE_SECONDS:
            return False
        self._checked = now
        return self.service.desk.store.has_orphans()

    def _stand(self) -> dict[str, object]:
        """What time it is and how many wait, which is more than a page may show."""
        now = self.service.now()
        return {"now": now, "total": sum(self.service.desk.store.waiting(now).values())}

    async def _pause(self) -> None:
        try:
            await asyncio.wait_for(self.closing.wait(), LOOK_SECONDS)
        except TimeoutError:
            return


def event(name: str, data: dict[str, object]) -> str:
    """One event; the data is one line, because our JSON is."""
    return f"event: {name}\ndata: {wire.dumps(data)}\n\n"
