"""Cline: a PreToolUse script that answers `cancel`. INVARIANT: every refusal is that word; no exit code stops a tool.

A cancelled call ends the run, and Cline says no more than that it was aborted. The reason is in the journal.
"""

from __future__ import annotations

from assent import wire
from assent.agents.agent import Event, Output
from assent.agents.reading import ADVICE, chain_of, object_in, other_event, text_in
from assent.errors import InputError
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.agents.agent import Way
    from assent.authorization import Authorization

NAME = "cline"
TITLE = "Cline"
PROVEN = True
HOST_SECONDS = 120.0
ASKS: tuple[Way, ...] = ("hold", "ticket", "deny")
UNATTENDED: Way = "hold"
SHELL = "run_commands"
EVENTS = ("tool_call", "PreToolUse")
"""What the program on the command line calls the event, and what the editors call it."""


def read(payload: Mapping[str, object], env: Mapping[str, str], now: float) -> Event:  # noqa: ARG001 - the protocol
    name = text_in(payload, "hookName")
    if name not in EVENTS:
        return other_event(name, payload)
    tool, given, number = _called(payload, name)
    cwd = _cwd(payload)
    chain = chain_of(payload, "agent_id") if payload.get("parent_agent_id") else ()
    session = _session(payload)
    calls = tuple(ToolCall(tool, one, cwd, number, NAME, session, now, cwd, chain=chain) for one in _each(tool, given))
    return Event(name, calls, takes=name == "tool_call" and set(given) == {"commands"})


def _called(payload: Mapping[str, object], name: str) -> tuple[str, dict[str, object], str]:
    if name == "tool_call":
        call = object_in(payload, "tool_call")
        return text_in(call, "name"), object_in(call, "input"), text_in(call, "id", missing="")
    call = object_in(payload, "preToolUse")
    return text_in(call, "toolName"), object_in(call, "parameters"), ""


def _each(tool: str, given: dict[str, object]) -> tuple[dict[str, object], ...]:
    """It runs several commands at once; each is a question of its own."""
    commands = given.get("commands")
    if tool != "run_commands" or set(given) != {"commands"} or not isinstance(commands, list) or not commands:
        return (given,)
    if not all(isinstance(one, str) for one in commands):
        return (given,)
    return tuple({"command": one} for one in commands)


def _cwd(payload: Mapping[str, object]) -> str:
    roots = payload.get("workspaceRoots")
    if not isinstance(roots, list) or not roots or not isinstance(roots[0], str) or not roots[0]:
        raise InputError("`workspaceRoots` names no folder in what the host sent", help=ADVICE)
    return roots[0]


def _session(payload: Mapping[str, object]) -> str:
    """The one that `cline --id` resumes; editors know only the task."""
    if payload.get("sessionContext") is not None:
        context = object_in(payload, "sessionContext")
        if "rootSessionId" in context:
            return text_in(context, "rootSessionId")
    return text_in(payload, "taskId")


def write(event: Event, answer: Authorization, way: Way) -> Output:  # noqa: ARG001 - the protocol
    if not answer.allowed:
        return _cancel(answer.message)
    if not any(event.instead):
        return Output('{"cancel": false}\n')
    commands = [moved or call.input["command"] for moved, call in zip(event.instead, event.calls, strict=True)]
    return Output(wire.dumps({"cancel": False, "overrideInput": {"commands": commands}}) + "\n")


def refuse(why: str, payload: object) -> Output:  # noqa: ARG001 - the protocol
    return _cancel(why)


def _cancel(why: str) -> Output:
    return Output(wire.dumps({"cancel": True, "errorMessage": why}) + "\n")
