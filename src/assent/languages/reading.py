"""What a reader says about a piece of source text: effects, commands it starts, and why it may do more than that."""

from __future__ import annotations

from assent.record import record
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Follows, Kind

MOST_EFFECTS, MOST_STARTED, MOST_SPELLED, MOST_DOUBTS = 500, 40, 2_000, 8
LONGEST_SPELLED = 20_000


@record
class Started:
    """A command that the code starts: a text for a shell, or the words of a program."""

    text: str = ""
    words: tuple[Word, ...] = ()
    cwd: str = ""
    """Where it runs, if that is another folder than the code's own."""
    shell: str = ""
    """Which shell reads the text, if that is said."""
    fed: str | None = None
    """What stands on its standard input, if the code puts something there."""


class Reading:
    """Collects what is found in one text. INVARIANT: without a doubt, the effects and commands are all there is."""

    __slots__ = ("doubts", "effects", "modules", "spelled", "started")

    def __init__(self) -> None:
        self.effects: dict[Effect, None] = {}
        self.started: dict[Started, None] = {}
        self.doubts: dict[str, None] = {}
        self.spelled: dict[str, None] = {}
        """Texts that stand in the code, for what they may mean to whatever is not understood."""
        self.modules: dict[str, None] = {}
        """What it imports, by the first part of the name."""

    def doubt(self, why: str) -> None:
        """Something is not positively known, so that the code may do anything."""
        if len(self.doubts) < MOST_DOUBTS:
            self.doubts[why] = None

    def effect(
        self,
        kind: Kind,
        target: str,
        *,
        deep: bool = False,
        only: str = "",
        code: str = "",
        possible: bool = False,
        follows: Follows = "",
    ) -> None:
        made = Effect(kind, target, deep=deep, only=only, code=code, possible=possible, follows=follows)
        if made not in self.effects and len(self.effects) >= MOST_EFFECTS:
            self.doubt("it does more than can be looked at")
        else:
            self.effects[made] = None

    def start(self, command: Started) -> None:
        if command not in self.started and len(self.started) >= MOST_STARTED:
            self.doubt("it starts more commands than can be looked at")
        else:
            self.started[command] = None

    def spell(self, text: str) -> None:
        if len(text) > 1 and len(self.spelled) < MOST_SPELLED:
            self.spelled[text[:LONGEST_SPELLED]] = None
