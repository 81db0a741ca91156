"""Cursor: preToolUse says yes, no or waits; the events for shells and MCP tools say it again where it is older.

INVARIANT: a yes is printed. As installed, silence is a failure of the hook, and a failure stops the tool.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import ADVICE, object_in, other_event, text_in
from assent.errors import InputError
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "cursor"
TITLE = "Cursor"
PROVEN = False
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = ""
EVENTS = ("preToolUse", "beforeShellExecution", "beforeMCPExecution")


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "hook_event_name")
    if name not in EVENTS:
        return other_event(name, payload)
    root = _root(payload)
    tool, given = _called(payload, name)
    call = ToolCall(
        tool,
        given,
        text_in(payload, "cwd", missing="") or root,
        text_in(payload, "tool_use_id", missing=""),
        NAME,
        text_in(payload, "conversation_id"),
        now,
        root,
    )
    # preToolUse has asked about this call already; what is left to say is yes, no, or "ask in your own dialog".
    return Event(name, (call,), way=None if name == "preToolUse" else "host")


def _root(payload: Mapping[str, object]) -> str:
    roots = payload.get("workspace_roots")
    if not isinstance(roots, list) or not roots or not isinstance(roots[0], str) or not roots[0]:
        raise InputError("`workspace_roots` names no folder in what the host sent", help=ADVICE)
    return roots[0]


def _called(payload: Mapping[str, object], name: str) -> tuple[str, dict[str, object]]:
    if name == "preToolUse":
        return text_in(payload, "tool_name"), object_in(payload, "tool_input")
    if name == "beforeShellExecution":
        return "Shell", {"command": text_in(payload, "command")}
    # The server is known by its address alone; this is the name that preToolUse has for the same tool.
    found = wire.loads(text_in(payload, "tool_input").encode())
    if not isinstance(found, dict):
        raise InputError("`tool_input` is no object in what the host sent", help=ADVICE)
    return f"MCP:{text_in(payload, 'tool_name')}", found


def write(event: Event, answer: Authorization, way: Way) -> Output:
    if answer.allowed:
        return Output('{"permission": "allow"}\n')
    if answer.state == "ask" and way == "host" and event.name != "preToolUse":
        return _output("ask", answer.reason)
    return _output("deny", answer.message)


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _output("deny", why)


def _output(verdict: str, why: str) -> Output:
    return Output(wire.dumps({"permission": verdict, "user_message": why, "agent_message": why}) + "\n")
