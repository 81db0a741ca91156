"""Qwen Code: PreToolUse says yes, no, waits, or lets its own dialog open, which without a person is a refusal."""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import chain_of, object_in, text_in
from assent.types import ToolCall

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
EVENT = "PreToolUse"


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:
    name = text_in(payload, "hook_event_name")
    if name != EVENT:
        return Event(name)
    given = object_in(payload, "tool_input")
    description = given.get("description")
    call = ToolCall(
        text_in(payload, "tool_name"),
        given,
        text_in(payload, "cwd"),
        text_in(payload, "tool_use_id", missing=""),
        NAME,
        text_in(payload, "session_id"),
        now,
        env.get("QWEN_PROJECT_DIR") or None,
        chain=chain_of(payload, "agent_type", "agent_id"),
    )
    return Event(name, (call,), description if isinstance(description, str) else "")


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
