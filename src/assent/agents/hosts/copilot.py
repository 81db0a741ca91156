"""Setting up Copilot CLI: preToolUse and permissionRequest in a hooks file of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.copilot import EVENTS, HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.above import since
from assent.agents.hosts.alike import (
    HARMLESS,
    all_hooks_off,
    missing_events,
    not_to_commit,
    other_timeout,
    private_key,
    two_canaries,
    version_found,
)
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

TAKES_SINCE = (1, 0, 102)
SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = ("what Copilot's cloud agent and VS Code make of these hooks is not proven",)
AGAIN = "run `assent install copilot` again"


def hooks_file(place: Place) -> str:
    """Every JSON file in the folder is read, so ours stands alone."""
    if place.scope == "project":
        return os.path.join(place.project, ".github/hooks/assent.json")
    return os.path.join(_folder(place), "hooks/assent.json")


def _folder(place: Place) -> str:
    return place.env.get("COPILOT_HOME") or os.path.join(place.home, ".copilot")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {"type": "command", "bash": hook.line, "timeoutSec": int(HOST_SECONDS)}
    entries = tuple(Entry(("hooks", event), handler) for event in EVENTS)
    return (Additions(hooks_file(place), entries, fresh=(("version", 1),)),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    return ("sessions of Copilot that are running now go on without the hook: restart them", *not_to_commit(place))


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"path": private_key(home)}
    return two_canaries(_payload(folder, "view", secret), _payload(folder, "bash", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    return json.dumps(
        {"sessionId": "assent-doctor", "timestamp": 0, "cwd": folder, "toolName": tool, "toolArgs": given}
    )


def refused(output: Output) -> bool:
    if output.code:
        return True
    try:
        said = json.loads(output.stdout)
        return isinstance(said, dict) and "deny" in (said.get("permissionDecision"), said.get("behavior"))
    except ValueError:
        return False


def takes(env: Mapping[str, str]) -> bool:
    return since(env.get("COPILOT_CLI_BINARY_VERSION", ""), TAKES_SINCE)


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    yield version_found("copilot", "", run)
    for handler in handlers:
        yield from other_timeout(handler, "timeoutSec", int(HOST_SECONDS), AGAIN)
    yield from missing_events(EVENTS, handlers, AGAIN)
    for file in (os.path.join(_folder(place), "settings.json"), hooks_file(place)):
        yield from all_hooks_off(file, "hooks")
