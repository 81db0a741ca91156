"""Whether a key was meant: keys of the first moment and letters in the flow of typing answer no question."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

GUARD_SECONDS = 0.4
"""How long a dialog must have stood still, and how long no other key may come before a letter."""


class Debounce:
    """Remembers when keys came. `deaf` drops every key, `busy` letters."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._deaf_until = self._quiet_at = clock() + GUARD_SECONDS

    @property
    def deaf(self) -> float:
        """Seconds until keys count at all."""
        return max(self._deaf_until - self._clock(), 0.0)

    @property
    def busy(self) -> bool:
        """Whether another key came a moment ago."""
        return self._clock() < self._quiet_at

    def begin(self) -> None:
        """Something new is on the screen, or a key came too early."""
        self._deaf_until = max(self._deaf_until, self._clock() + GUARD_SECONDS)

    def note(self) -> None:
        """A key came."""
        self._quiet_at = self._clock() + GUARD_SECONDS


class Entry:
    """The line that somebody types: one letter and Enter count, a line with anything else in it never does.

    INVARIANT: no time clears it. However slowly a sentence is typed, its last letters do not become a new line.
    """

    def __init__(self) -> None:
        self.letter = ""
        """The only letter of the line, if it means something; Enter makes it count."""
        self.spoiled = False
        """Whether the line holds something else; Enter or Backspace clears it."""
        self.refused = ""
        """A letter that it begins with and that does not count yet: a second one makes a sentence of it."""

    @property
    def begun(self) -> bool:
        return self.spoiled or self.letter != ""

    def begin(self, letter: str) -> None:
        self.letter = letter

    def refuse(self, letter: str) -> None:
        self.refused = letter

    def spoil(self) -> None:
        self.letter, self.spoiled = "", True

    def clear(self) -> None:
        self.letter, self.spoiled, self.refused = "", False, ""


def is_text(key: str) -> bool:
    """Whether a key is something that one writes: a letter, a digit, a sign, or a paste; other keys have names."""
    return len(key) == 1 or key.startswith("paste:")
