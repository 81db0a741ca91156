"""Setting up Qwen Code: one PreToolUse hook for every tool."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.hosts.alike import (
    HARMLESS,
    all_hooks_off,
    not_to_commit,
    nothing_behind,
    other_timeout,
    private_key,
    two_canaries,
    version_found,
)
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope
from assent.agents.qwen import EVENT, HOST_SECONDS, NAME, TITLE

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = (
    "in a run without a person Qwen refuses shells and writes before it asks a hook, unless started with `--yolo`",
)
AGAIN = "run `assent install qwen` again"
MILLISECONDS = int(HOST_SECONDS * 1000)
"""Older versions count in milliseconds, newer ones too when the number is this large."""


def settings_file(place: Place) -> str:
    if place.scope == "project":
        return os.path.join(place.project, ".qwen/settings.json")
    return os.path.join(place.env.get("QWEN_HOME") or os.path.join(place.home, ".qwen"), "settings.json")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {"type": "command", "name": "assent", "command": hook.closed.line, "timeout": MILLISECONDS}
    return (Additions(settings_file(place), (Entry(("hooks", EVENT), {"matcher": "*", "hooks": [handler]}),)),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    found = ["sessions of Qwen that are running now may go on without the hook: restart them"]
    if place.scope == "project":
        found += (*not_to_commit(place), "Qwen runs hooks of a project only when you trust its folder")
    return tuple(found)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"absolute_path": private_key(home)}
    return two_canaries(_payload(folder, "read_file", secret), _payload(folder, "run_shell_command", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    fields = {"session_id": "assent-doctor", "transcript_path": "", "cwd": folder, "permission_mode": "default"}
    call = {"hook_event_name": EVENT, "tool_name": tool, "tool_input": given, "tool_use_id": "canary"}
    return json.dumps(fields | call)


def refused(output: Output) -> bool:
    if output.code:
        return output.code == 2
    try:
        return bool(json.loads(output.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny")
    except (ValueError, KeyError, TypeError):
        return False


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return False


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    yield version_found("qwen", TITLE, run)
    for handler in handlers:
        yield from other_timeout(handler, "timeout", MILLISECONDS, AGAIN)
        yield from nothing_behind(handler, AGAIN)
        if handler.value.get("async"):
            yield Finding("problem", f"the hook for {handler.event} runs beside the tool and cannot stop it", AGAIN)
    user = Place("user", place.home, place.project, place.env)
    for file in dict.fromkeys((settings_file(user), os.path.join(place.project, ".qwen/settings.json"))):
        yield from all_hooks_off(file, "hook")
