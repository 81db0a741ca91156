"""The end of the story of one call: may it be made, who said so, and what the model is told."""

from __future__ import annotations

from assent.errors import AssentError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.questions import ApprovalResult
    from assent.types import PermissionDecision

INSTEAD = "Do not try to reach the same effect another way; say what you need and let the person decide."
STEP_KINDS = {
    "error": "error",
    "policy": "error",
    "grant": "grant",
    "mode": "default",
    "check": "rule",
    "classifier": "classifier",
    "sandbox": "sandbox",
}


@record
class Authorization:
    """Whether a call may be made. `state` tells apart what looks alike: refused, expired, pending, failed."""

    allowed: bool
    state: str
    """allowed, approved, denied (by a rule), refused (by people), unasked, expired, cancelled, pending, failed, ask."""
    reason: str
    message: str
    """What the model is told: who said no, why, and what to do instead."""
    decided_by: str
    """rule, grant, human, classifier, timeout, error or default."""
    request_id: str = ""
    decision: PermissionDecision | None = None


class Refused(AssentError):  # noqa: N818 - a refusal is an answer
    """A protected call that may not be made."""

    def __init__(self, authorization: Authorization) -> None:
        super().__init__(authorization.message)
        self.authorization = authorization


def as_decided(decision: PermissionDecision) -> Authorization:
    """A decision that needed nobody."""
    reason = decision.decisive
    by = "grant" if reason.rule and reason.rule.layer == "grant" else STEP_KINDS.get(reason.step, "rule")
    if decision.allowed:
        return Authorization(True, "allowed", reason.text, "", by, decision=decision)
    if reason.step == "error":
        return failed(reason.text)
    source = f" ({reason.rule.where})" if reason.rule else ""
    advice = reason.rule.message if reason.rule and reason.rule.message not in reason.text else ""
    lead = f"Refused by the permission policy{source}: {reason.text}."
    return Authorization(False, "denied", reason.text, _joined(lead, advice, INSTEAD), by, decision=decision)


def as_answered(decision: PermissionDecision, result: ApprovalResult) -> Authorization:
    """What came of asking a person."""
    about = {"request_id": result.request_id, "decision": decision}
    if result.approved:
        from assent.questions import kind_of

        by = kind_of(result.answer) if result.answer else "human"
        return Authorization(True, "approved", result.reason, "", by, **about)  # type: ignore[arg-type]
    state, by, text = _ending(result)
    return Authorization(False, state, result.reason, text, by, **about)  # type: ignore[arg-type]


def _ending(result: ApprovalResult) -> tuple[str, str, str]:
    match result.state:
        case "denied":
            said = f": {result.answer.reason}" if result.answer and result.answer.reason else ""
            return "refused", "human", _joined(f"A person refused this{said}.", INSTEAD)
        case "expired":
            text = f"{result.reason}. Nobody has refused it: go on with other work, and try again later if you need it."
            return "expired", "timeout", text
        case "pending":
            text = f"A person has been asked and has not answered yet (request {result.request_id})."
            return "pending", "timeout", f"{text} Go on with other work; making the same call again finds the answer."
        case _:
            return "cancelled", "error", f"A person could not be asked, so this was not done: {result.reason}"


def asked(decision: PermissionDecision) -> Authorization:
    """A question that the host is left to ask in its own dialog."""
    return Authorization(False, "ask", decision.reason, f"A person has to decide: {decision.reason}", "default")


def unasked(decision: PermissionDecision) -> Authorization:
    """A question where nobody is asked: a person is needed, and that is what the model is told."""
    why = f"this needs a person, and nobody is asked here: {decision.reason}"
    text = _joined(f"This needs a person, and nobody is asked here, so it was not done: {decision.reason}", INSTEAD)
    return Authorization(False, "unasked", why, text, "default", decision=decision)


def failed(why: str) -> Authorization:
    """A failure of ours: the call is not made, and nobody is blamed for it."""
    text = f"The permission check failed, so this was not done: {why}"
    return Authorization(False, "failed", why, text, "error", decision=None)


def _joined(*sentences: str) -> str:
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in sentences if text)
