"""Setting up Copilot CLI: preToolUse and permissionRequest in a hooks file of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from assent.agents.agent import Output
from assent.agents.copilot import EVENTS, HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope
from assent.agents.hosts.json_text import plain, read_text
from assent.errors import InputError

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine", "refused"]

SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = (
    "Copilot runs the tool when a hook outlives its time; Assent answers long before",
    "what Copilot's cloud agent and VS Code make of these hooks is not proven",
)
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
    found = ["sessions of Copilot that are running now go on without the hook: restart them"]
    if place.scope == "project":
        found.append("do not commit this file: it names an interpreter of this machine")
    return tuple(found)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"path": os.path.join(home, ".ssh/id_rsa")}
    return (
        Canary("reading ~/.ssh/id_rsa", _payload(folder, "view", secret), refused=True),
        Canary("a harmless command", _payload(folder, "bash", {"command": "echo assent"}), refused=False),
    )


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


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    code, version = run(("copilot", "--version"))
    if code:
        yield Finding("note", "`copilot` is not on the PATH, so its version is not known")
    else:
        yield Finding("ok", version.strip().partition("\n")[0])
    for handler in handlers:
        if handler.value.get("timeoutSec") != int(HOST_SECONDS):
            text = f"the hook for {handler.event} has another `timeoutSec` than Assent relies on"
            yield Finding("problem", text, AGAIN)
    missing = [event for event in EVENTS if event not in [handler.event for handler in handlers]]
    if handlers and missing:
        yield Finding("problem", f"no hook for {', '.join(missing)}", AGAIN)
    yield from _switches(os.path.join(_folder(place), "settings.json"))
    yield from _switches(hooks_file(place))


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
        yield Finding("problem", f"`disableAllHooks` in {file} switches the hooks off", "take it out")
