"""Waiting for people: a waiter for each request, a line for each session, an ear on the store for other processes."""

from __future__ import annotations

import asyncio
import threading
from bisect import insort
from collections.abc import Callable

from assent.approval.channel import Channel
from assent.approval.store import Store
from assent.errors import AssentError
from assent.questions import ApprovalRequest, Ticket

LISTEN_SECONDS = 0.03


class Waiter:
    """Somebody in an event loop who waits for the turn and then for the end of a request."""

    def __init__(self, request: ApprovalRequest, loop: asyncio.AbstractEventLoop) -> None:
        self.request = request
        self.place = 0
        """In the store: requests of a session are shown in that order, whoever was first to wait."""
        self.loop = loop
        self.turn: asyncio.Future[None] = loop.create_future()
        self.end: asyncio.Future[None] = loop.create_future()
        self.ticket: Ticket | None = None
        """The request as it ended."""
        self.offered: tuple[Channel, ...] = ()
        self.broken: list[str] = []

    @property
    def ended(self) -> bool:
        return self.end.done()

    def wake(self, future: asyncio.Future[None]) -> None:
        """From any thread; waking twice, or after the loop is gone, does nothing."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(_done, future)

    async def reaches(self, future: asyncio.Future[None], leaves: float | None, within: float | None = None) -> bool:
        """Whether it happens before the end of the request, before the caller leaves and within so many seconds."""
        limits = [
            limit for limit in (within, None if leaves is None else leaves - self.loop.time()) if limit is not None
        ]
        await asyncio.wait({future, self.end}, timeout=max(0.0, min(limits)) if limits else None, return_when=FIRST)
        return future.done()

    def late(self, leaves: float | None) -> bool:
        """Whether the caller has to go."""
        return leaves is not None and self.loop.time() >= leaves


FIRST = asyncio.FIRST_COMPLETED


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class Line:
    """Requests of one session wait for each other, in the order of the store; sessions never do.

    INVARIANT: who stands first here is not behind another of this line in the store, or both would wait for ever.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[str, list[Waiter]] = {}

    def join(self, waiter: Waiter) -> None:
        with self._lock:
            queue = self._queues.setdefault(waiter.request.session, [])
            insort(queue, waiter, key=lambda one: one.place)
            first = queue[0]
        first.wake(first.turn)

    def leave(self, waiter: Waiter) -> None:
        """Go, from any place in the line; the next one is woken up."""
        with self._lock:
            queue = self._queues.get(waiter.request.session)
            if queue is None or waiter not in queue:
                return
            queue.remove(waiter)
            if not queue:
                del self._queues[waiter.request.session]
                return
            first = queue[0]
        first.wake(first.turn)


class Watcher:
    """A thread that hears of answers given in other processes, for as long as somebody waits."""

    def __init__(self, store: Store, heard: Callable[[str], None], log: Callable[[str], None]) -> None:
        self._store, self._heard, self._log = store, heard, log
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self._stopped.set()
        self._waiting = 0

    def start(self) -> None:
        """One more who waits."""
        with self._lock:
            self._waiting += 1
            if self._stopped.is_set():
                words = (stopped := threading.Event(), self._store.version())
                self._thread = threading.Thread(target=self._listen, args=words, name="assent-watcher", daemon=True)
                self._thread.start()
                self._stopped = stopped

    def stop(self) -> None:
        """One less."""
        with self._lock:
            self._waiting -= 1
            if self._waiting == 0:
                self._stopped.set()

    def close(self) -> None:
        """Stop hearing, whoever waits, and let go of the thread."""
        with self._lock:
            self._stopped.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _listen(self, stopped: threading.Event, seen: int) -> None:
        while not stopped.wait(LISTEN_SECONDS):
            try:
                seen, ended = self._store.endings(seen)
                for request_id in ended:
                    self._heard(request_id)
            except AssentError as error:
                self._log(f"the store cannot be heard: {error}")
