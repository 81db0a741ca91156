"""The smallest permission system there is, in terms of ours: modes by tool name, a count of denials, a config.

For code that was written against the documents' recipe; `PermissionChecker` also looks at what a call would do.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assent.policy.modes import OperationType, PermissionContext, PermissionMode, requires_approval
from assent.policy.settings import PermissionSettings
from assent.tools.analyse import family_of

Mode = PermissionMode
LOOKING = {
    **dict.fromkeys(("read", "read_many"), OperationType.READ),
    "list": OperationType.LIST,
    **dict.fromkeys(("glob", "grep"), OperationType.SEARCH),
}
"""Families of tools that change nothing."""


def needs_approval(tool_name: str, mode: Mode) -> bool:
    """Whether a mode holds a tool back, by its name alone; in `PLAN` that means blocked.

    A name that nobody knows counts as one that changes something.
    """
    return requires_approval(LOOKING.get(family_of(tool_name), OperationType.EXECUTE), Mode(mode))


class DenialTracker:
    """Counts a person's answers and says when to suggest a looser mode."""

    def __init__(self) -> None:
        self._context = PermissionContext(PermissionMode.DEFAULT)

    @property
    def consecutive(self) -> int:
        return self._context.consecutive_denials

    @property
    def total(self) -> int:
        return self._context.total_denials

    def deny(self) -> bool:
        """Count a denial; true when a looser mode should be suggested."""
        return self._context.record_denial()

    def approve(self) -> None:
        """An approval ends the run of denials, and leaves the total."""
        self._context.record_approval()

    def refuse(self) -> None:
        """The person turned the suggestion down: the next one comes later, and after the third none."""
        self._context.refuse_escalation()


@dataclass(frozen=True)
class HarnessConfig:
    """What a harness is configured with, as far as permissions go."""

    permissions: PermissionSettings = field(default_factory=PermissionSettings)
