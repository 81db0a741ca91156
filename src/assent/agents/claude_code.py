"""Claude Code: PreToolUse and PermissionRequest hooks, its own dialog, and `defer` for runs without a person."""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import call_in, described, other_event, text_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "claude-code"
TITLE = "Claude Code"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "host", "suspend", "ticket", "deny")
UNATTENDED: Way = "suspend"
SHELL = "Bash"
EVENTS = ("PreToolUse", "PermissionRequest")


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:
    name = text_in(payload, "hook_event_name")
    if name not in EVENTS:
        return other_event(name, payload)
    call = call_in(payload, NAME, now, env.get("CLAUDE_PROJECT_DIR") or None)
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
    # This event is Claude Code's own dialog about to open: a question of ours simply lets it open.
    way: Way | None = "host" if name == "PermissionRequest" else None
    return Event(name, (call,), described(call.input), attended, way, way is None)


def write(event: Event, answer: Authorization, way: Way) -> Output:
    if event.name == "PermissionRequest":
        if answer.state == "ask" and way == "host":
            return Output()
        allow: dict[str, object] = {"behavior": "allow"}
        return _output(
            event, {"decision": allow if answer.allowed else {"behavior": "deny", "message": answer.message}}
        )
    if answer.allowed:
        return _decision("allow", answer.reason, **({"updatedInput": event.moved} if event.moved else {}))
    if answer.state == "pending" and way == "suspend" and not _in_subagent(event):
        return _decision("defer", answer.message)
    if answer.state == "ask" and way == "host":
        return _decision("ask", answer.reason)
    return _decision("deny", answer.message)


def _in_subagent(event: Event) -> bool:
    """A subagent cannot be resumed: its run would end without a word."""
    return any(call.chain for call in event.calls)


def refuse(why: str, payload: object) -> Output:
    name = payload.get("hook_event_name") if isinstance(payload, dict) else ""
    if name == "PermissionRequest":
        return _output(Event(name), {"decision": {"behavior": "deny", "message": why}})
    return _decision("deny", why)


def _decision(verdict: str, reason: str, **more: object) -> Output:
    fields: dict[str, object] = {"permissionDecision": verdict, "permissionDecisionReason": reason, **more}
    return _output(Event("PreToolUse"), fields)


def _output(event: Event, fields: dict[str, object]) -> Output:
    return Output(wire.dumps({"hookSpecificOutput": {"hookEventName": event.name, **fields}}) + "\n")
