"""The specification: every step adds its reasons, and the strictest reason is the answer."""

from __future__ import annotations

from assent.policy.restrain import asked, broken, denied, floor, found, is_unremarkable, planned, unjudged
from assent.policy.vouch import vouched
from assent.types import PermissionDecision, Reason, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.policy.case import Case
    from assent.policy.compiled import Policy

HOLDING = (
    ("policy", broken),
    ("floor", floor),
    ("deny", denied),
    ("plan", planned),
    ("ask", asked),
    ("check", found),
    ("classifier", unjudged),
)
MODELS, LAST = "classifier", "allow"
BUILT_IN = tuple(one for one in HOLDING if one[0] in ("floor", "deny", "ask", "check"))
"""The steps that can hold something back where nobody has said a word about it."""
CHECKS = tuple(one for one in HOLDING if one[0] == "check")
"""And the one that can where none of the effects is of note by itself."""
PASSED = tuple((name, "passes") for name, _step in HOLDING if name != MODELS)
"""What the trace says of steps that hold nothing back; models are told of only where there are descriptions."""
ALLOW = Verdict.ALLOW
NAMES = {verdict: str(verdict) for verdict in Verdict}


def decide(policy: Policy, case: Case) -> PermissionDecision:
    """Allow only what nothing holds back and everything about which is vouched for."""
    held: list[tuple[str, list[Reason]]] = []
    for name, step in HOLDING if policy.holds_back else _built_in(case):
        said = step(policy, case)
        if said:
            held.append((name, said))
    allowed = vouched(policy, case)
    last = (LAST, _outcome(allowed) if allowed else "passes")
    reasons, trace = _told(held, allowed, last) if held else (tuple(allowed) or (NOTHING_KNOWN,), (*PASSED, last))
    verdict = ALLOW
    for reason in reasons:
        if reason.verdict > verdict:
            verdict = reason.verdict
    open_gaps = case.gaps if verdict > ALLOW else ()
    return PermissionDecision(verdict, reasons, trace, case.effects, open_gaps, (), policy.digest)


def _built_in(case: Case) -> tuple[tuple[str, Callable[[Policy, Case], list[Reason]]], ...]:
    """The steps that could hold a call back although nobody has said a word; most calls are harmless to all of them."""
    for effect in case.effects:
        if not is_unremarkable(effect):
            return BUILT_IN
    return CHECKS if case.findings else ()


def _told(
    held: list[tuple[str, list[Reason]]], allowed: list[Reason], last: tuple[str, str]
) -> tuple[tuple[Reason, ...], tuple[tuple[str, str], ...]]:
    """All reasons in the order of the steps, and the trace."""
    reasons: list[Reason] = []
    outcomes = dict(PASSED)
    for name, said in held:
        reasons += said
        outcomes[name] = _outcome(said)
    return (*reasons, *allowed), (*outcomes.items(), last)


NOTHING_KNOWN = Reason(Verdict.ASK, "mode", "nothing is known about this call")


def _outcome(reasons: list[Reason]) -> str:
    strictest = reasons[0]
    for reason in reasons[1:]:
        if reason.verdict > strictest.verdict:
            strictest = reason
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"{NAMES[strictest.verdict]}: {strictest.text}{more}"
