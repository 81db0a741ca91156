"""Gemini CLI: BeforeTool says no or waits. INVARIANT: never `ask`, which hangs a run without a person for ever.

Its `allow` skips no dialog of its own; the policy file that is installed with the hook does that where it is safe.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import described, object_in, other_event, text_in
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "gemini"
TITLE = "Gemini CLI"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = "run_shell_command"
EVENT = "BeforeTool"


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "hook_event_name")
    if name != EVENT:
        return other_event(name, payload)
    given = object_in(payload, "tool_input")
    call = ToolCall(
        _tool(payload), given, text_in(payload, "cwd"), "", NAME, text_in(payload, "session_id"), now
    )  # no id: it sends none
    return Event(name, (call,), described(given), takes=True)


def _tool(payload: Mapping[str, object]) -> str:
    """Tools of MCP servers are called `mcp_server_tool` here, which cannot be taken apart; the context can."""
    if payload.get("mcp_context") is None:
        return text_in(payload, "tool_name")
    context = object_in(payload, "mcp_context")
    return f"mcp__{text_in(context, 'server_name')}__{text_in(context, 'tool_name')}"


def write(event: Event, answer: Authorization, way: Way) -> Output:  # noqa: ARG001 - the protocol
    if not answer.allowed:
        return _decision("deny", answer.message)
    more = {"hookEventName": EVENT, "tool_input": event.moved}
    return _decision("allow", answer.reason, **({"hookSpecificOutput": more} if event.moved else {}))


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _decision("deny", why)


def _decision(verdict: str, reason: str, **more: object) -> Output:
    return Output(wire.dumps({"decision": verdict, "reason": reason, **more}) + "\n")
