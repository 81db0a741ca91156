"""Copilot CLI: preToolUse says no, waits, or lets shells run; permissionRequest says yes where it would open a dialog.

INVARIANT: answers are flat. The nested answers of other agents are ignored here, and the tool runs.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import ADVICE, described, object_in, other_event, split_by_servers, text_in
from assent.errors import InputError
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "copilot"
TITLE = "Copilot CLI"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = "bash"
EVENTS = ("preToolUse", "permissionRequest")


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:
    name = _event(payload)
    if name not in EVENTS:
        return other_event(name, payload)
    given = _arguments(payload) if name == "preToolUse" else object_in(payload, "toolInput")
    tool, cwd = text_in(payload, "toolName"), text_in(payload, "cwd")
    call = ToolCall(
        tool,
        given,
        cwd,
        "",
        NAME,
        text_in(payload, "sessionId"),
        now,
        env.get("COPILOT_PROJECT_DIR") or None,
        servers=_servers(tool, cwd, env),
    )
    # preToolUse has asked about this call already; what is left to say is yes, no, or "ask in your own dialog".
    way: Way | None = "host" if name == "permissionRequest" else None
    return Event(name, (call,), described(given), way=way, takes=way is None)


def _servers(tool: str, cwd: str, env: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """preToolUse writes `server-tool`, permissionRequest `server/tool`."""
    server, slash, name = tool.partition("/")
    if slash:
        return ((server, name),) if server and name else ()
    if "-" not in tool:
        return ()
    from assent.agents.copilot_servers import configured_servers

    return split_by_servers(tool, configured_servers(cwd, env), "-")


def _event(payload: Mapping[str, object]) -> str:
    """preToolUse does not say its name; it is the one with arguments and without a result."""
    if "hookName" in payload:
        return text_in(payload, "hookName")
    return "postToolUse" if "toolResult" in payload else "preToolUse"


def _arguments(payload: Mapping[str, object]) -> dict[str, object]:
    """Older versions send them as text."""
    given = payload.get("toolArgs")
    if not isinstance(given, str):
        return object_in(payload, "toolArgs")
    found = wire.loads(given.encode())
    if not isinstance(found, dict):
        raise InputError("`toolArgs` is no object in what the host sent", help=ADVICE)
    return found


def write(event: Event, answer: Authorization, way: Way) -> Output:
    if answer.state == "ask" and way == "host" and event.name == "permissionRequest":
        return Output()
    if not answer.allowed:
        return _refusal(event.name, answer.message)
    if event.name == "permissionRequest":
        return _output({"behavior": "allow"})
    more = {"modifiedArgs": event.moved} if event.moved else {}
    return _output({"permissionDecision": "allow", "permissionDecisionReason": answer.reason, **more})


def refuse(why: str, payload: object) -> Output:
    """When it is not known which event this is, the answer is a refusal to both."""
    return _refusal(_event(payload) if isinstance(payload, dict) and payload.get("hookName") in EVENTS else "", why)


def _refusal(event: str, why: str) -> Output:
    tool = {"permissionDecision": "deny", "permissionDecisionReason": why}
    request = {"behavior": "deny", "message": why}
    return _output({"preToolUse": tool, "permissionRequest": request}.get(event, tool | request))


def _output(fields: Mapping[str, object]) -> Output:
    return Output(wire.dumps(fields) + "\n")
