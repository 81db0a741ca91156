"""Whether a key was meant: typing in flow, keys of the first moment and keys that meant nothing answer no question."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

GUARD_SECONDS = 0.4
"""How long a dialog must have stood still, and how long no other key may come before and after one that answers."""
WRITING_SECONDS = 1.5
"""After a letter that meant nothing somebody writes a sentence, however slowly: this long nothing counts."""


class Debounce:
    """Remembers when keys came. `deaf` drops every key, `busy` those that would answer."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._deaf_until = self._quiet_at = clock() + GUARD_SECONDS
        self._writing_until = 0.0

    @property
    def deaf(self) -> float:
        """Seconds until keys count at all."""
        return max(self._deaf_until - self._clock(), 0.0)

    @property
    def busy(self) -> bool:
        """Whether another key came a moment ago."""
        return self._clock() < self._quiet_at

    @property
    def alone(self) -> float:
        """Seconds until the last key has stood alone long enough."""
        return max(self._quiet_at - self._clock(), 0.0)

    def begin(self) -> None:
        """Something new is on the screen."""
        self._deaf_until = max(self._deaf_until, self._clock() + GUARD_SECONDS)

    def note(self) -> None:
        """A key that counted."""
        self._quiet_at = self._clock() + GUARD_SECONDS

    def stray(self, key: str) -> None:
        """A key that came too early or means nothing here; a letter begins a sentence, and any key goes on with it."""
        now = self._clock()
        if is_text(key) or now < self._writing_until:
            self._writing_until = now + WRITING_SECONDS
        self._deaf_until = max(self._deaf_until, self._writing_until, now + GUARD_SECONDS)
        self._quiet_at = now + GUARD_SECONDS


def is_text(key: str) -> bool:
    """Whether a key is something that one writes: a letter, a digit, a sign, or a paste; other keys have names."""
    return len(key) == 1 or key.startswith("paste:")
