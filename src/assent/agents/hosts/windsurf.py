"""Setting up Windsurf: a hook before each kind of action of Cascade."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.hosts.alike import HARMLESS, missing_events, not_to_commit, nothing_behind, private_key, two_canaries
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope
from assent.agents.windsurf import EVENTS, NAME, TITLE

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

SCOPES: tuple[Scope, ...] = ("user", "project")
UNPROVEN = "the tests of Assent do not run Windsurf itself: this follows its documentation"
HOLES = (
    UNPROVEN,
    "Windsurf has hooks for commands, files and MCP tools alone; what it does on the web reaches none of them",
    "how long Windsurf waits for a hook is not documented",
)


def hooks_file(place: Place) -> str:
    if place.scope == "project":
        return os.path.join(place.project, ".windsurf/hooks.json")
    return os.path.join(place.home, ".codeium/windsurf/hooks.json")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {"command": hook.closed.line, "show_output": True}
    return (Additions(hooks_file(place), tuple(Entry(("hooks", event), handler) for event in EVENTS)),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    tried = "let Cascade try a command that your policy denies before you rely on it"
    return (UNPROVEN, tried, *not_to_commit(place))


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"file_path": private_key(home)}
    harmless = {"command_line": HARMLESS["command"], "cwd": folder}
    return two_canaries(_payload("pre_read_code", secret), _payload("pre_run_command", harmless))


def _payload(event: str, about: dict[str, str]) -> str:
    fields = {"agent_action_name": event, "trajectory_id": "assent-doctor", "execution_id": "canary", "timestamp": ""}
    return json.dumps(fields | {"tool_info": about})


def refused(output: Output) -> bool:
    return output.code == 2


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return False


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:  # noqa: ARG001 - the protocol
    again = "run `assent install windsurf` again"
    for handler in handlers:
        yield from nothing_behind(handler, again)
    yield from missing_events(EVENTS, handlers, again)
