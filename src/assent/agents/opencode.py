"""OpenCode: the plugin that `assent install opencode` writes asks this. Only `allow` lets a tool run.

INVARIANT: the plugin throws at everything else: silence, another exit code, text, a hook that does not start or end.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import described, object_in, other_event, split_by_servers, text_in
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "opencode"
TITLE = "OpenCode"
PROVEN = True
HOST_SECONDS = 600.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = "bash"
EVENT = "tool.execute.before"


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "hookName")
    if name != EVENT:
        return other_event(name, payload)
    given = object_in(payload, "args")
    tool, servers = text_in(payload, "tool"), payload.get("servers")
    call = ToolCall(
        tool,
        given,
        text_in(payload, "directory"),
        text_in(payload, "callID", missing=""),
        NAME,
        text_in(payload, "sessionID"),
        now,
        servers=split_by_servers(tool, servers, "_") if isinstance(servers, list) else (),
    )
    return Event(name, (call,), described(given), takes=payload.get("takes") is True)


def write(event: Event, answer: Authorization, way: Way) -> Output:  # noqa: ARG001 - the protocol
    if not answer.allowed:
        return _answer("deny", answer.message)
    return _answer("allow", answer.reason, **({"args": event.moved} if event.moved else {}))


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _answer("deny", why)


def _answer(verdict: str, reason: str, **more: object) -> Output:
    return Output(wire.dumps({"permission": verdict, "reason": reason, **more}) + "\n")
