"""Reading a host's JSON strictly: a field that is missing or of another kind is an error, never a guess."""

from __future__ import annotations

from assent.agents.agent import Event
from assent.errors import InputError
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ADVICE = "this host may be newer than Assent; see `assent doctor`"


def text_in(table: Mapping[str, object], name: str, missing: str | None = None) -> str:
    """A text; when `missing` is given, that instead of an absent one."""
    value = table.get(name, missing)
    if not isinstance(value, str) or (missing is None and not value):
        raise InputError(f"`{name}` is missing from what the host sent", help=ADVICE)
    return value


def object_in(table: Mapping[str, object], name: str) -> dict[str, object]:
    """A table with names for keys."""
    value = table.get(name)
    if not isinstance(value, dict):
        raise InputError(f"`{name}` is no object in what the host sent", help=ADVICE)
    return value


CALL_KEYS = ("tool_input", "toolInput", "toolArgs", "args", "tool_info", "preToolUse", "tool_call", "tool_calls")
"""Where hosts put the input of a tool that is about to run, or has run."""
AFTERWARDS = ("post", "after", "notification")


def other_event(name: str, payload: Mapping[str, object]) -> Event:
    """An event that is none of ours passes silently.

    INVARIANT: not when it carries a tool call that may still be stopped, which a newer host may ask about.
    """
    told = name.lower()
    if not (told.startswith(AFTERWARDS) or told.endswith(".after")) and any(payload.get(key) for key in CALL_KEYS):
        raise InputError(f"the event `{name}` carries a tool call, and Assent does not know it", help=ADVICE)
    return Event(name)


def chain_of(table: Mapping[str, object], *names: str) -> tuple[str, ...]:
    """The subagent that makes the call, by the first of the fields that the host filled in."""
    for name in names:
        value = table.get(name)
        if isinstance(value, str) and value:
            return ("main", value)
    return ()


def call_in(payload: Mapping[str, object], agent: str, now: float, workspace: str | None = None) -> ToolCall:
    """The call in a payload of the shape that Claude Code has and others took over."""
    given = object_in(payload, "tool_input")
    return ToolCall(
        text_in(payload, "tool_name"),
        given,
        text_in(payload, "cwd"),
        text_in(payload, "tool_use_id", missing=""),
        agent,
        text_in(payload, "session_id"),
        now,
        workspace,
        chain=chain_of(payload, "agent_type", "agent_id"),
    )


def split_by_servers(tool: str, servers: Iterable[object], mark: str) -> tuple[tuple[str, str], ...]:
    """Server and tool for each of the host's servers that the name of a tool begins with: `notes_add`.

    Hosts put `_` for what is no letter, digit, `_` or `-` in the name of a server.
    """
    found: list[tuple[str, str]] = []
    for server in servers:
        if isinstance(server, str):
            prefix = "".join([sign if sign.isascii() and (sign.isalnum() or sign in "_-") else "_" for sign in server])
            if prefix and tool.startswith(prefix + mark) and tool != prefix + mark:
                found.append((server, tool[len(prefix) + len(mark) :]))
    return tuple(found)


def described(given: Mapping[str, object]) -> str:
    """What the model says about its call."""
    description = given.get("description")
    return description if isinstance(description, str) else ""
