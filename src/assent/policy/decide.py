"""The specification: every step adds its reasons, and the strictest reason is the answer."""

from __future__ import annotations

from assent.policy.restrain import asked, broken, denied, floor, found, is_unremarkable, planned, unjudged
from assent.policy.vouch import vouched
from assent.record import maker
from assent.types import PermissionDecision, Reason, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.policy.case import Case
    from assent.policy.compiled import Policy

HOLDING = (broken, floor, denied, planned, asked, found, unjudged)
BUILT_IN = (floor, denied, asked, found)
"""The steps that can hold something back where nobody has said a word about it."""
CHECKS = (found,)
"""And the one that can where none of the effects is of note by itself."""
ALLOW = Verdict.ALLOW
new_decision = maker(PermissionDecision)
NOTHING_KNOWN = Reason(Verdict.ASK, "mode", "nothing is known about this call")


def decide(policy: Policy, case: Case) -> PermissionDecision:
    """Allow only what nothing holds back and everything about which is vouched for."""
    said: list[Reason] = []
    for step in HOLDING if policy.holds_back else _built_in(case):
        said += step(policy, case)
    said += vouched(policy, case)
    reasons, verdict = tuple(said) or (NOTHING_KNOWN,), ALLOW
    for reason in reasons:
        if reason.verdict > verdict:
            verdict = reason.verdict
    open_gaps = case.gaps if verdict > ALLOW else ()
    return new_decision(verdict, reasons, None, case.effects, open_gaps, (), policy.digest)


def _built_in(case: Case) -> tuple[Callable[[Policy, Case], list[Reason]], ...]:
    """The steps that could hold a call back although nobody has said a word; most calls are harmless to all of them."""
    for effect in case.effects:
        if (effect.code or effect.at is not None) and not is_unremarkable(effect):
            return BUILT_IN
    return CHECKS if case.findings else ()
