"""The public vocabulary of modes: three workflows, six operations, and the memory of a session's denials."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from assent.errors import ModeError
from assent.policy.workflow import needs_approval, strictest


class PermissionMode(str, Enum):  # noqa: UP042 - `str()` of a StrEnum member differs
    """A mode is a workflow, not a flag. FULL_AUTO asks less; floor and deny rules hold in every mode."""

    DEFAULT = "default"
    PLAN = "plan"
    FULL_AUTO = "full_auto"


class OperationType(str, Enum):  # noqa: UP042
    """What a tool call does to the outside, as far as a mode cares."""

    READ = "read"
    LIST = "list"
    SEARCH = "search"
    WRITE = "write"
    EXECUTE = "execute"
    DELETE = "delete"


READ_ONLY_OPS = {OperationType.READ, OperationType.LIST, OperationType.SEARCH}
MUTATION_OPS = {OperationType.WRITE, OperationType.EXECUTE, OperationType.DELETE}


def requires_approval(op: OperationType, mode: PermissionMode) -> bool:
    """Whether the mode holds the operation back: asked about in DEFAULT, blocked in PLAN, never in FULL_AUTO."""
    return needs_approval(op.value, mode.value)


@dataclass
class PermissionContext:
    """What a session remembers about a person's answers; it suggests a looser mode, and only a person accepts.

    Record only answers a person gave: a rule's denial and a timeout are not opinions.
    """

    mode: PermissionMode
    consecutive_denials: int = 0
    total_denials: int = 0
    refused_suggestions: int = field(default=0, kw_only=True)

    ESCALATE_CONSECUTIVE: ClassVar[int] = 3
    ESCALATE_TOTAL: ClassVar[int] = 20
    REFUSALS_UNTIL_SILENT: ClassVar[int] = 3

    def record_denial(self) -> bool:
        """Count a person's denial and say whether to suggest a looser mode."""
        self.consecutive_denials += 1
        self.total_denials += 1
        return self.suggests_escalation

    def record_approval(self) -> None:
        """A person's approval ends the run of denials; the total only ever grows."""
        self.consecutive_denials = 0

    @property
    def suggests_escalation(self) -> bool:
        """Each refused suggestion doubles both thresholds; the third silences them for the session."""
        if self.mode is PermissionMode.FULL_AUTO or self.refused_suggestions >= self.REFUSALS_UNTIL_SILENT:
            return False
        patience: int = 2**self.refused_suggestions
        return (
            self.consecutive_denials >= self.ESCALATE_CONSECUTIVE * patience
            or self.total_denials >= self.ESCALATE_TOTAL * patience
        )

    def accept_escalation(self) -> None:
        """The person took the suggestion: FULL_AUTO, a fresh run, the same total."""
        self.mode = PermissionMode.FULL_AUTO
        self.consecutive_denials = 0

    def refuse_escalation(self) -> None:
        """The person turned the suggestion down: wait twice as long before the next one."""
        self.refused_suggestions += 1


@dataclass(frozen=True)
class ModeRequest:
    """A mode that a plugin or subagent asks for. Nothing changes until a person has seen it and said yes."""

    requester: str
    requested: PermissionMode
    parent: PermissionMode
    source: str = field(default="", kw_only=True)
    """The file that asks, as a person would write its path."""
    asked: str = field(default="", kw_only=True)
    """What stands there, in the words of the agent it is for: `permissionMode: bypassPermissions`."""

    @property
    def announcement(self) -> str:
        """What the person is told before anything is active."""
        said = f" ({self.source}: {self.asked})" if self.asked else f" ({self.source})" if self.source else ""
        asks = f"{self.requester} asks to run in {self.requested.value} mode{said}"
        if self.granted is self.requested:
            return asks
        return f"{asks}; its parent is in {self.parent.value} mode, so {self.granted.value} is the most it can get"

    @property
    def granted(self) -> PermissionMode:
        """The mode it would get: never looser than its parent's."""
        return PermissionMode(strictest(self.requested.value, self.parent.value))

    def activate(self, *, announced_to: str) -> PermissionMode:
        """The granted mode, once a named person has seen the announcement."""
        if not announced_to:
            raise ModeError(
                f"{self.requester} may not change the mode silently",
                help="show `announcement` to the user first, then name them in `announced_to`",
            )
        return self.granted
