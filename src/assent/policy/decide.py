"""The specification: every step adds its reasons, and the strictest reason is the answer."""

from __future__ import annotations

from assent.policy.restrain import asked, broken, denied, floor, found, planned, unjudged
from assent.policy.vouch import vouched
from assent.types import PermissionDecision, Reason, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.policy.compiled import Policy

STEPS = (
    ("policy", broken),
    ("floor", floor),
    ("deny", denied),
    ("plan", planned),
    ("ask", asked),
    ("check", found),
    ("classifier", unjudged),
    ("allow", vouched),
)
MODELS = "classifier"
"""The step that is told only where there are descriptions."""


def decide(policy: Policy, case: Case) -> PermissionDecision:
    """Allow only what nothing holds back and everything about which is vouched for."""
    judged = [(name, step(policy, case)) for name, step in STEPS]
    reasons = tuple([reason for _, found_here in judged for reason in found_here]) or (NOTHING_KNOWN,)
    verdict = max([reason.verdict for reason in reasons])
    trace = tuple([(name, _outcome(said) if said else "passes") for name, said in judged if said or name != MODELS])
    open_gaps = case.gaps if verdict > Verdict.ALLOW else ()
    return PermissionDecision(verdict, reasons, trace, case.effects, open_gaps, (), policy.digest)


NOTHING_KNOWN = Reason(Verdict.ASK, "mode", "nothing is known about this call")


def _outcome(reasons: list[Reason]) -> str:
    strictest = reasons[0]
    for reason in reasons[1:]:
        if reason.verdict > strictest.verdict:
            strictest = reason
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"{strictest.verdict!s}: {strictest.text}{more}"
