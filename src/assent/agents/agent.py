"""What an adapter is: it reads a host's payload, writes the host's answer, and says how the host can be asked."""

from __future__ import annotations

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol

    from assent.authorization import Authorization
    from assent.types import ToolCall

    Way = Literal["hold", "host", "suspend", "ticket", "deny"]
else:
    Protocol = object

WAYS: tuple[Way, ...] = ("hold", "host", "suspend", "ticket", "deny")
"""What happens to a question: the host waits, asks in its own dialog, is suspended, gets a ticket, or is refused."""


@record
class Event:
    """What a host wants to know. An event without calls is none of ours and passes silently."""

    name: str
    calls: tuple[ToolCall, ...] = ()
    description: str = ""
    attended: bool = True
    """Whether a person sits in front of the host; False when it runs on its own."""
    way: Way | None = None
    """The only way a question of this event can go, where the host leaves no choice."""
    takes: bool = False
    """Whether the answer to this event can hand the host another command; whether it runs that is known elsewhere."""
    instead: tuple[str, ...] = ()
    """The command to run instead of each call's own, empty for those that stay; nothing when all do."""

    @property
    def moved(self) -> dict[str, object]:
        """The input of a single call with the command to run instead; empty when it stays."""
        if not any(self.instead):
            return {}
        return {**self.calls[0].input, "command": self.instead[0]}


@record
class Output:
    """What the hook prints, and its exit code."""

    stdout: str = ""
    stderr: str = ""
    code: int = 0


class Agent(Protocol):
    """One module of this package."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - constants of a module
    @property
    def TITLE(self) -> str: ...  # noqa: N802
    @property
    def PROVEN(self) -> bool:  # noqa: N802
        """Whether the tests drive the real product; else only recorded payloads."""

    @property
    def HOST_SECONDS(self) -> float:  # noqa: N802
        """How long the host waits for the hook, as we install it."""

    @property
    def ASKS(self) -> tuple[Way, ...]:  # noqa: N802
        """The ways this host can be asked, the best for an attended run first."""

    @property
    def UNATTENDED(self) -> Way:  # noqa: N802
        """The way when nobody sits in front of it."""

    @property
    def SHELL(self) -> str:  # noqa: N802
        """The tool whose `command` can be moved into the sandbox; empty where the host takes no other command."""

    def read(self, payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:
        """What the host's JSON says; raises InputError when that is not what its contract says."""

    def write(self, event: Event, answer: Authorization, way: Way) -> Output:
        """The host's words for an answer. INVARIANT: anything but `answer.allowed` stops the tool.

        INVARIANT: with an allow, what `event.instead` names is what runs.
        """

    def refuse(self, why: str, payload: object) -> Output:
        """The host's refusal when nothing else works: `payload` may be anything, even unread.

        INVARIANT: needs nothing that can be missing, and stops the tool also when the event is not known.
        """
