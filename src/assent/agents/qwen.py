"""Qwen Code: PreToolUse says yes, no, waits, or lets its own dialog open, which without a person is a refusal."""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import call_in, described, other_event, text_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "qwen"
TITLE = "Qwen Code"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "host", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = ""
EVENT = "PreToolUse"


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:
    name = text_in(payload, "hook_event_name")
    if name != EVENT:
        return other_event(name, payload)
    call = call_in(payload, NAME, now, env.get("QWEN_PROJECT_DIR") or None)
    return Event(name, (call,), described(call.input))


def write(event: Event, answer: Authorization, way: Way) -> Output:  # noqa: ARG001 - the protocol
    if answer.allowed:
        return _decision("allow", answer.reason)
    if answer.state == "ask" and way == "host":
        return _decision("ask", answer.reason)
    return _decision("deny", answer.message)


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _decision("deny", why)


def _decision(verdict: str, reason: str) -> Output:
    fields = {"hookEventName": EVENT, "permissionDecision": verdict, "permissionDecisionReason": reason}
    return Output(wire.dumps({"hookSpecificOutput": fields}) + "\n")
