"""Setting up Claude Code: one PreToolUse hook for every tool, which blocks when it fails.

PermissionRequest is left alone: it fires when Claude Code itself opens a dialog, and that question is the person's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.claude_code import HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.above import since
from assent.agents.hosts.alike import HARMLESS, WAITING, private_key, two_canaries
from assent.agents.hosts.changing import handlers_in, read_bytes
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope
from assent.agents.hosts.json_text import plain, read_text
from assent.errors import InputError

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

TAKES_SINCE = (2, 1, 325)
SCOPES: tuple[Scope, ...] = ("user", "project", "managed")
HOLES = ("only managed settings keep people from switching hooks off (`allowManagedHooksOnly`)",)
BLOCKS_SINCE = (2, 1, 295)
MANAGED = "/etc/claude-code/managed-settings.json"


def settings_file(place: Place) -> str:
    """Project settings go into the file that is not shared: the hook names an interpreter of this machine."""
    if place.scope == "managed":
        return MANAGED
    if place.scope == "project":
        return os.path.join(place.project, ".claude/settings.local.json")
    return os.path.join(_user_folder(place), "settings.json")


def _user_folder(place: Place) -> str:
    return place.env.get("CLAUDE_CONFIG_DIR") or os.path.join(place.home, ".claude")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {
        "type": "command",
        "command": hook.words[0],
        "args": list(hook.words[1:]),
        "timeout": int(HOST_SECONDS),
        "onFailure": "block",
        "statusMessage": WAITING,
    }
    entry = Entry(("hooks", "PreToolUse"), {"matcher": "*", "hooks": [handler]})
    return (Additions(settings_file(place), (entry,)),)


def elsewhere(place: Place) -> tuple[Handler, ...]:
    """The hook of the plugin, where that is installed and switched on."""
    if place.scope != "user":
        return ()
    known = _table(os.path.join(_user_folder(place), "plugins/installed_plugins.json")).get("plugins")
    enabled = _table(settings_file(place)).get("enabledPlugins")
    found: list[Handler] = []
    for name, copies in known.items() if isinstance(known, dict) else ():
        if name.startswith("assent@") and isinstance(enabled, dict) and enabled.get(name) and isinstance(copies, list):
            for copy in copies:
                file = os.path.join(str(copy.get("installPath")), "hooks/hooks.json")
                found += handlers_in(file, (read_bytes(file) or b"").decode(errors="replace"), NAME)
    return tuple(found)


def _table(file: str) -> dict[str, object]:
    data = read_bytes(file)
    found = plain(read_text(data.decode(errors="replace"))) if data and data.strip() else {}
    return found if isinstance(found, dict) else {}


def advice(place: Place) -> tuple[str, ...]:
    found = ["sessions of Claude Code that are running now go on without the hook: restart them"]
    if place.scope == "project":
        found.append("this is for you alone, in this project; for others there is the plugin (docs/agents.md)")
    return tuple(found)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"file_path": private_key(home)}
    return two_canaries(_payload(folder, "Read", secret), _payload(folder, "Bash", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    fields = {"session_id": "assent-doctor", "transcript_path": "", "cwd": folder, "permission_mode": "default"}
    call = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "canary"}
    return json.dumps(fields | call)


def refused(output: Output) -> bool:
    if output.code == 2:
        return True
    try:
        said = json.loads(output.stdout)["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError):
        return False
    return said in ("deny", "defer")


def takes(env: Mapping[str, str]) -> bool:
    """It says which version it is: `claude-code_2-1-325_harness`."""
    name, _, rest = env.get("AI_AGENT", "").partition("_")
    return name == NAME and since(rest.partition("_")[0].replace("-", "."), TAKES_SINCE)


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    yield from _version(run)
    for handler in handlers:
        yield from _handler(handler)
    for file in _all_settings(place):
        yield from _switches(file, managed=file == MANAGED, ours=place.scope == "managed")


def _version(run: Run) -> Iterator[Finding]:
    code, text = run(("claude", "--version"))
    word = text.split(" ")[0].strip()
    parts = word.split(".")
    if code or len(parts) != 3 or not all(part.isdecimal() for part in parts):
        yield Finding("note", "`claude` is not on the PATH, so its version is not known")
    elif tuple(map(int, parts)) < BLOCKS_SINCE:
        least = ".".join(map(str, BLOCKS_SINCE))
        text = f"Claude Code {word} lets tools run when a hook fails; {least} and later block"
        yield Finding("problem", text, "update Claude Code: `claude update`")
    else:
        yield Finding("ok", f"Claude Code {word} blocks when a hook fails")


def _handler(handler: Handler) -> Iterator[Finding]:
    where = f"{handler.event} in {handler.file}"
    if handler.event != "PreToolUse":
        yield Finding("warning", f"a hook for {where} is not needed", "run `assent install claude-code` again")
        return
    if handler.value.get("onFailure") != "block":
        yield Finding("problem", f"the hook for {where} lets tools run when it fails", "run `assent install` again")
    if handler.value.get("timeout") != int(HOST_SECONDS):
        yield Finding(
            "problem", f"the hook for {where} has another `timeout` than Assent relies on", "run `assent install` again"
        )
    if any(handler.value.get(name) for name in ("async", "asyncRewake", "once", "if")):
        yield Finding("problem", f"the hook for {where} does not see every call", "run `assent install` again")


def _all_settings(place: Place) -> tuple[str, ...]:
    project = os.path.join(place.project, ".claude")
    named = ("settings.json", "settings.local.json")
    return (MANAGED, os.path.join(_user_folder(place), named[0]), *(os.path.join(project, name) for name in named))


def _switches(file: str, *, managed: bool, ours: bool) -> Iterator[Finding]:
    data = read_bytes(file)
    if data is None:
        return
    try:
        settings = plain(read_text(data.decode()))
    except (InputError, UnicodeDecodeError) as error:
        yield Finding("problem", f"{file} cannot be read: {error}", "repair it; a broken file switches its hooks off")
        return
    if not isinstance(settings, dict):
        yield Finding("problem", f"{file} is no JSON object", "repair it")
    elif settings.get("disableAllHooks"):
        yield Finding("problem", f"`disableAllHooks` in {file} switches the hook off", "take it out")
    elif managed and settings.get("allowManagedHooksOnly") and not ours:
        advice = "install as administrator: `assent install claude-code --managed`"
        yield Finding("problem", f"`allowManagedHooksOnly` in {file} switches the hook off", advice)
