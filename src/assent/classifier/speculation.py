"""A judgement begun before anybody knows that it is needed: started, looked at, taken or called off."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from assent.types import Reason


class Speculation:
    """A search for a description that allows a call, running in the background of its event loop.

    INVARIANT: whoever starts one ends it, with `consume` or `cancel`; after that nothing of it is left running.
    """

    def __init__(self, task: asyncio.Task[Reason | None]) -> None:
        self._task = task

    @classmethod
    def start(cls, search: Coroutine[Any, Any, Reason | None]) -> Speculation:
        """Begin now, in the running event loop."""
        return cls(asyncio.create_task(search))

    @property
    def done(self) -> bool:
        return self._task.done()

    def peek(self) -> Reason | None:
        """What was found so far, without waiting; None also while nothing is known."""
        return self._task.result() if self._task.done() and not self._task.cancelled() else None

    async def consume(self) -> Reason | None:
        """Wait for the end, and take what was found."""
        return await asyncio.shield(self._task)

    async def cancel(self) -> None:
        """Call it off and wait until it has let go of everything."""
        self._task.cancel()
        await asyncio.wait([self._task])
