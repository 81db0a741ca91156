"""What a model's judgement does to a decision: it may raise it, or answer the question that a mode left open.

INVARIANT: nothing here makes a decision looser than the rules made it, except ask by mode to allow by `allow_if`.
"""

from __future__ import annotations

from assent.policy.restrain import waits
from assent.record import replace
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import PermissionDecision, Reason


def is_unjudged(decision: PermissionDecision) -> bool:
    """Whether descriptions wait for a model, and its judgement could still change the answer."""
    return decision.verdict == Verdict.ASK and any(map(waits, decision.reasons))


def settled(decision: PermissionDecision, raised: Iterable[Reason], outcome: str) -> PermissionDecision:
    """The decision once a model has judged: the reason that it had not is gone, what it raised is there instead."""
    kept = tuple(reason for reason in decision.reasons if not waits(reason))
    reasons = (*(reason for reason in raised if reason.verdict > Verdict.ALLOW), *kept)
    if not kept:
        return decision
    verdict = max(reason.verdict for reason in reasons)
    steps = tuple((step, outcome if step == "classifier" else said) for step, said in decision.trace)
    gaps = decision.gaps if verdict > Verdict.ALLOW else ()
    return replace(decision, verdict=verdict, reasons=reasons, steps=steps, gaps=gaps)


def is_open(policy: Policy, case: Case, decision: PermissionDecision) -> bool:
    """Whether only the mode asks, about things that are understood: the one question that `allow_if` may answer."""
    asking = [reason for reason in decision.reasons if reason.verdict > Verdict.ALLOW and not waits(reason)]
    return (
        policy.mode == "default"
        and decision.verdict == Verdict.ASK
        and bool(asking)
        and all(reason.verdict == Verdict.ASK and reason.step == "mode" for reason in asking)
        and not case.gaps
        and any(not effect.possible for effect in case.effects)
    )


def answered(policy: Policy, case: Case, decision: PermissionDecision, by: Reason) -> PermissionDecision:
    """The decision with its open question answered by a model; any other decision stays as it is."""
    unjudged = any(map(waits, decision.reasons))
    if unjudged or by.verdict != Verdict.ALLOW or not is_open(policy, case, decision):
        return decision
    kept = tuple(reason for reason in decision.reasons if reason.verdict == Verdict.ALLOW)
    steps = (*decision.trace, ("classifier", f"allow: {by.text}"))
    return replace(decision, verdict=Verdict.ALLOW, reasons=(by, *kept), steps=steps, gaps=())
