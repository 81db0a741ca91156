"""Windsurf: hooks before Cascade runs, writes, reads or calls. INVARIANT: only exit code 2 stops it.

How long it waits for a hook is not known, so a question is a ticket unless somebody wants it otherwise.
"""

from __future__ import annotations

import os

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

NAME = "windsurf"
TITLE = "Windsurf"
PROVEN = False
HOST_SECONDS = 60.0
ASKS: tuple[Way, ...] = ("ticket", "hold", "deny")
UNATTENDED: Way = "ticket"
SHELL = ""
TOOLS = {"pre_run_command": "run_command", "pre_write_code": "edit_code", "pre_read_code": "view_file"}
EVENTS = (*TOOLS, "pre_mcp_tool_use")


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "agent_action_name")
    if name not in EVENTS:
        return other_event(name, payload)
    about = object_in(payload, "tool_info")
    tool, given = (TOOLS[name], about) if name in TOOLS else _mcp(about)
    call = ToolCall(
        tool,
        given,
        text_in(about, "cwd", missing="") or os.getcwd(),
        text_in(payload, "execution_id", missing=""),
        NAME,
        text_in(payload, "trajectory_id"),
        now,
    )  # it starts hooks in the folder that is open
    return Event(name, (call,))


def _mcp(about: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    name = f"mcp__{text_in(about, 'mcp_server_name')}__{text_in(about, 'mcp_tool_name')}"
    given = about.get("mcp_tool_arguments")
    if isinstance(given, str):
        given = wire.loads(given.encode())
    if not isinstance(given, dict):
        raise InputError("`mcp_tool_arguments` is no object in what the host sent", help=ADVICE)
    return name, given


def write(event: Event, answer: Authorization, way: Way) -> Output:  # noqa: ARG001 - the protocol
    return Output() if answer.allowed else _blocked(answer.message)


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _blocked(why)


def _blocked(why: str) -> Output:
    return Output("", f"{why}\n", 2)
