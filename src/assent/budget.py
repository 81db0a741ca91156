"""What one decision may cost: steps of work and looks at the disk. Counted, so that no answer depends on a clock.

A step is a few microseconds of work. Each stage of a decision leaves the later ones enough to judge what it has found.
"""

from __future__ import annotations

STEPS = 20_000
LOOKS = 20_000
READING, FOLLOWING, STATING, SUSPECTING, LOCATING, LOOKING = range(6)
KEPT = (12_000, 9_000, 7_000, 5_000, 0)
"""How many steps each of the first five leaves to those behind it."""
TOO_LARGE = "too large to check in full"
SHORT_OF = (
    f"{TOO_LARGE}: there is too much to read in it",
    f"{TOO_LARGE}: it starts too many programs",
    f"{TOO_LARGE}: it does too many things",
    f"{TOO_LARGE}: too much of it may be a command",
    f"{TOO_LARGE}: it touches too many files",
    f"{TOO_LARGE}: it takes too many looks at the disk",
)


class Budget:
    """Counts down for one decision.

    INVARIANT: whoever is told that nothing is left may stop where it is: the pipeline states the gap, whatever it was.
    """

    __slots__ = ("ended", "looks", "steps")

    def __init__(self, steps: int = STEPS, looks: int = LOOKS) -> None:
        self.steps, self.looks = steps, looks
        self.ended = -1
        """The first stage that has not got what it needed, -1 as long as there is none."""

    @property
    def spent(self) -> bool:
        return self.ended >= 0

    @property
    def why(self) -> str:
        """What there is too much of, for people."""
        return SHORT_OF[self.ended] if self.spent else ""

    def left(self, stage: int) -> int:
        """How many steps a stage has."""
        return max(self.steps - KEPT[stage], 0)

    def take(self, count: int, stage: int) -> bool:
        """Take so many steps, if the stage has them."""
        left = self.steps - count
        if left < KEPT[stage]:
            self._end(stage)
            return False
        self.steps = left
        return True

    def lend(self, most: int, stage: int) -> Budget:
        """A part of what a stage has, for work that only finds danger: if it ends early, nobody is asked for that."""
        count = min(most, self.left(stage))
        self.steps -= count
        return Budget(KEPT[READING] + count, 0)

    def look(self, count: int = 1) -> bool:
        """Take so many looks at the disk, if there are as many; once there are not, there are none."""
        if count > self.looks:
            self.looks = 0
            self._end(LOOKING)
            return False
        self.looks -= count
        return True

    def _end(self, stage: int) -> None:
        self.ended = stage if self.ended < 0 else self.ended
