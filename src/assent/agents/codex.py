"""Codex CLI: PreToolUse says no or waits, PermissionRequest says yes. INVARIANT: silence is its only word for "go on".

Codex runs the tool when an answer has a key it does not know, an empty reason, `ask` or a bare `allow`.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import call_in, described, other_event, text_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "codex"
TITLE = "Codex CLI"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
EVENTS = ("PreToolUse", "PermissionRequest")
SHELL = "Bash"
NO_REASON = "Refused by the permission policy."


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "hook_event_name")
    if name not in EVENTS:
        return other_event(name, payload)
    call = call_in(payload, NAME, now)
    # PreToolUse has asked about this call already; what is left to say is yes, no, or "ask in your own dialog".
    way: Way | None = "host" if name == "PermissionRequest" else None
    return Event(name, (call,), described(call.input), way=way, takes=way is None)


def write(event: Event, answer: Authorization, way: Way) -> Output:
    if event.name == "PermissionRequest":
        if answer.state == "ask" and way == "host":
            return Output()
        return _request({"behavior": "allow"} if answer.allowed else _denied(answer.message))
    if answer.allowed and event.moved:
        fields = {"permissionDecision": "allow", "updatedInput": event.moved}
        return _output({"hookEventName": "PreToolUse", **fields})
    return Output() if answer.allowed else _deny(answer.message)


def refuse(why: str, payload: object) -> Output:
    """Exit code 2 with a reason stops both events, so it is the answer when it is not known which one this is."""
    name = payload.get("hook_event_name") if isinstance(payload, dict) else ""
    if name not in EVENTS:
        return Output("", f"{why.strip() or NO_REASON}\n", 2)
    return _request(_denied(why)) if name == "PermissionRequest" else _deny(why)


def _denied(why: str) -> dict[str, object]:
    return {"behavior": "deny", "message": why.strip() or NO_REASON}


def _request(decision: dict[str, object]) -> Output:
    return _output({"hookEventName": "PermissionRequest", "decision": decision})


def _deny(why: str) -> Output:
    fields = {"permissionDecision": "deny", "permissionDecisionReason": why.strip() or NO_REASON}
    return _output({"hookEventName": "PreToolUse", **fields})


def _output(fields: dict[str, object]) -> Output:
    return Output(wire.dumps({"hookSpecificOutput": fields}) + "\n")
