"""The decision on one command line for Python callers: a behaviour, a message, and every step by name."""

from __future__ import annotations

import os
import time

from assent.checker import PermissionChecker
from assent.classifier.pending import PendingClassifierCheck
from assent.pipeline import examine
from assent.policy.settings import PermissionSettings
from assent.policy.settling import is_open, is_unjudged
from assent.policy.steps import bash_steps
from assent.record import record
from assent.types import PermissionDecision, ToolCall, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from assent.policy.case import Case

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
    pending_classifier_check: PendingClassifierCheck | None = None
    """With an ask, where the settings hold `allow_if`: what a model may still say while a person is asked."""


def bash_tool_has_permission(
    command: str,
    context: PermissionSettings | PermissionChecker | None = None,
    command_prefix: Callable[[str], str | None] | None = None,
    *,
    cwd: str | None = None,
    shell: str = "bash",
) -> PermissionResult:
    """Whether a command line may run, judged part by part.

    `command_prefix` says which words of a command a suggested prefix rule should name, in the place of ours.

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
    case, decision = examine(call, checker.policy, checker.world, checker.own, prefix=command_prefix)
    if case is None:
        return PermissionResult("deny", decision.reason, decision, (("error", decision.reason),))
    runs_nothing = not case.calls and not case.gaps and decision.allowed
    behavior: Behavior = "passthrough" if runs_nothing else str(decision.verdict)  # type: ignore[assignment]
    steps = bash_steps(checker.policy, case, decision)
    pending = _pending(checker, case, decision) if behavior == "ask" else None
    return PermissionResult(
        behavior, decision.reason, decision, steps, decision.suggestions, decision.together, pending
    )


def _pending(checker: PermissionChecker, case: Case, decision: PermissionDecision) -> PendingClassifierCheck | None:
    """The check that a person's answer races, on every ask; a match answers only what the mode alone asks."""
    rules = tuple(checker.policy.described(Verdict.ALLOW))
    if not rules:
        return None
    may_answer = is_open(checker.policy, case, decision) and not is_unjudged(decision)
    return PendingClassifierCheck(case.text, case.call.cwd, rules, checker.policy.table["classifier"], may_answer)
