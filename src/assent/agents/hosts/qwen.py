"""Setting up Qwen Code: one PreToolUse hook for every tool."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from assent.agents.agent import Output
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope
from assent.agents.hosts.json_text import plain, read_text
from assent.agents.qwen import EVENT, HOST_SECONDS, NAME, TITLE
from assent.errors import InputError

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine", "refused"]

SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = (
    "`qwen --bare` and `qwen --safe-mode` run no hooks at all",
    "Qwen runs the tool when a hook outlives its time; Assent answers long before",
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
        found.append("do not commit this file: it names an interpreter of this machine")
        found.append("Qwen runs hooks of a project only when you trust its folder")
    return tuple(found)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"absolute_path": os.path.join(home, ".ssh/id_rsa")}
    return (
        Canary("reading ~/.ssh/id_rsa", _payload(folder, "read_file", secret), refused=True),
        Canary("a harmless command", _payload(folder, "run_shell_command", {"command": "echo assent"}), refused=False),
    )


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


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    code, version = run(("qwen", "--version"))
    if code:
        yield Finding("note", "`qwen` is not on the PATH, so its version is not known")
    else:
        yield Finding("ok", f"Qwen Code {version.strip()}")
    for handler in handlers:
        if handler.value.get("timeout") != MILLISECONDS:
            yield Finding("problem", f"the hook for {handler.event} has another `timeout` than Assent relies on", AGAIN)
        if handler.words[:1] != ("/bin/sh",):
            yield Finding("problem", f"the hook for {handler.event} lets tools run when it is killed", AGAIN)
        if handler.value.get("async"):
            yield Finding("problem", f"the hook for {handler.event} runs beside the tool and cannot stop it", AGAIN)
    user = Place("user", place.home, place.project, place.env)
    for file in dict.fromkeys((settings_file(user), os.path.join(place.project, ".qwen/settings.json"))):
        yield from _switches(file)


def _switches(file: str) -> Iterator[Finding]:
    data = read_bytes(file)
    if data is None or not data.strip():
        return
    try:
        settings = plain(read_text(data.decode()))
    except (InputError, UnicodeDecodeError) as error:
        yield Finding("problem", f"{file} cannot be read: {error}", "repair it")
        return
    if isinstance(settings, dict) and settings.get("disableAllHooks"):
        yield Finding("problem", f"`disableAllHooks` in {file} switches the hook off", "take it out")
