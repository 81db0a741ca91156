"""The decision on one command line for Python callers: a behaviour, a message, and every step by name."""

from __future__ import annotations

import os
import time

from assent.checker import PermissionChecker
from assent.pipeline import examine
from assent.policy.settings import PermissionSettings
from assent.policy.steps import bash_steps
from assent.record import record
from assent.types import PermissionDecision, ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Behavior = Literal["allow", "ask", "deny", "passthrough"]

__all__ = ["PermissionResult", "bash_tool_has_permission"]


@record
class PermissionResult:
    """`passthrough` means that the text starts no program at all, so there is nothing to allow or refuse."""

    behavior: Behavior
    message: str
    decision: PermissionDecision
    trace: tuple[tuple[str, str], ...] = ()
    """The steps of the decision by name, each with its outcome."""
    suggestions: tuple[str, ...] = ()
    """Rules of which each alone would allow the whole command."""
    together: tuple[str, ...] = ()
    """Rules that allow the whole command only all together."""


def bash_tool_has_permission(
    command: str,
    context: PermissionSettings | PermissionChecker | None = None,
    *,
    cwd: str | None = None,
    shell: str = "bash",
) -> PermissionResult:
    """Whether a command line may run, judged part by part.

    >>> bash_tool_has_permission("echo hello | wc -c").behavior
    'allow'
    """
    checker = context if isinstance(context, PermissionChecker) else PermissionChecker(context or PermissionSettings())
    call = ToolCall(
        "Bash",
        {"command": command},
        cwd=cwd or checker.settings.workspace or os.getcwd(),
        at=time.time(),
        workspace=checker.settings.workspace,
        shell=shell,
    )
    case, decision = examine(call, checker.policy, checker.world, checker.own)
    if case is None:
        return PermissionResult("deny", decision.reason, decision, (("error", decision.reason),))
    runs_nothing = not case.calls and not case.gaps and decision.allowed
    behavior: Behavior = "passthrough" if runs_nothing else str(decision.verdict)  # type: ignore[assignment]
    steps = bash_steps(checker.policy, case, decision)
    return PermissionResult(behavior, decision.reason, decision, steps, decision.suggestions, decision.together)
