"""Setting up Cursor: three hooks that stop the tool when they fail."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.cursor import EVENTS, HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.alike import HARMLESS, missing_events, not_to_commit, other_timeout, private_key, two_canaries
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

SCOPES: tuple[Scope, ...] = ("user", "project")
UNPROVEN = "the tests of Assent do not run Cursor itself: this follows its documentation"
HOLES = (
    UNPROVEN,
    "a Cursor without the event `preToolUse` asks about shells and MCP tools alone, not about files",
    "agents in Cursor's cloud do not see hooks of a user",
)
AGAIN = "run `assent install cursor` again"


def hooks_file(place: Place) -> str:
    return os.path.join(place.project if place.scope == "project" else place.home, ".cursor/hooks.json")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {"command": hook.closed.line, "timeout": int(HOST_SECONDS), "failClosed": True}
    entries = tuple(Entry(("hooks", event), handler) for event in EVENTS)
    return (Additions(hooks_file(place), entries, fresh=(("version", 1),)),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    tried = "let Cursor try a command that your policy denies before you rely on it"
    return (UNPROVEN, tried, *not_to_commit(place))


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"file_path": private_key(home)}
    return two_canaries(_payload(folder, "Read", secret), _payload(folder, "Shell", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    fields = {"conversation_id": "assent-doctor", "generation_id": "", "workspace_roots": [folder], "cwd": folder}
    return json.dumps(fields | {"hook_event_name": EVENTS[0], "tool_name": tool, "tool_input": given})


def refused(output: Output) -> bool:
    if output.code:
        return output.code == 2
    try:
        said = json.loads(output.stdout)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("permission") == "deny"


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return False


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:  # noqa: ARG001 - the protocol
    for handler in handlers:
        if handler.value.get("failClosed") is not True:
            yield Finding("problem", f"the hook for {handler.event} lets tools run when it fails", AGAIN)
        yield from other_timeout(handler, "timeout", int(HOST_SECONDS), AGAIN)
    yield from missing_events(EVENTS, handlers, AGAIN)
