"""Threads for what may hang: showing a request on a channel, and taking it off again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from assent.errors import AssentError

KEPT = 4
"""How many threads stay for the next piece of work when they have none."""
CLOSE_SECONDS = 2.0
"""How long closing waits for what is still at work. A screen that hangs must not keep a program from ending."""


class Crew:
    """As many threads as are at work at once, used again and again.

    Not bounded: a channel may wait for its person as long as it likes, and the next one must be shown all the same.
    INVARIANT: after `close` nothing begins, and no thread is left but those whose channel hangs.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._closed = False

    def do(self, work: Callable[[], object]) -> None:
        """Begin a piece of work, which must not raise, now."""
        with self._lock:
            if self._closed:
                raise AssentError("nothing can be shown any more: this host is closed")
            if self._idle:
                self._idle -= 1
            else:
                thread = threading.Thread(target=self._run, name="assent-crew", daemon=True)
                self._threads.add(thread)
                thread.start()
            self._jobs.put(work)

    def close(self) -> None:
        """Let all threads go, and wait a moment for those that are at work."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._jobs.put(None)
            threads = tuple(self._threads - {threading.current_thread()})
        end = time.monotonic() + CLOSE_SECONDS
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _run(self) -> None:
        while (work := self._jobs.get()) is not None:
            work()
            with self._lock:
                if self._closed or self._idle >= KEPT:
                    break
                self._idle += 1
        with self._lock:
            self._threads.discard(threading.current_thread())
