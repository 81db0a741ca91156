"""How long something may still take: until a moment has come, or somebody says that it is enough."""

from __future__ import annotations

import time


class TooLongError(Exception):
    """It took too long, or was told to stop."""


class Deadline:
    """Asked between the steps of a long work, which ends by an exception when its time is over."""

    def __init__(self, seconds: float = 1e9) -> None:
        self._until, self._stopped = time.monotonic() + seconds, False

    def stop(self) -> None:
        """Safe in the handler of a signal."""
        self._stopped = True

    def check(self) -> None:
        if self._stopped:
            raise TooLongError("it was told to stop")
        if time.monotonic() > self._until:
            raise TooLongError("it took too long")
