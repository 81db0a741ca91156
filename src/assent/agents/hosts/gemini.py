"""Setting up Gemini CLI: a BeforeTool hook, and a policy file for the runs where no hook is called.

INVARIANT: the policy file only denies. A project can switch hooks off in its own settings; whatever we allowed there
would then be open.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.gemini import EVENT, HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.above import started_by
from assent.agents.hosts.alike import (
    HARMLESS,
    nothing_behind,
    other_timeout,
    private_key,
    settings_in,
    two_canaries,
    version_found,
)
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import (
    Additions,
    Canary,
    Change,
    Entry,
    Finding,
    Handler,
    Hook,
    OwnFile,
    Place,
    Run,
    Scope,
)
from assent.protected import SENSITIVE_PATH_PATTERNS

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

TAKES_SINCE = (0, 61)
SCOPES: tuple[Scope, ...] = ("user",)
HOLES = (
    "`gemini --acp`, which editors start, calls no hooks: there only Gemini's own questions and the policy file stand",
    "Gemini opens its own dialog also for what Assent allows, except with `--yolo`",
    "in a run without a person Gemini refuses most tools before it asks a hook, unless started with `--yolo`",
    "a project's `.gemini/settings.json` can switch hooks off: then Gemini is as open as without Assent, no more",
)
AGAIN = "run `assent install gemini` again"
MILLISECONDS = int(HOST_SECONDS * 1000)
POLICY = """\
# Written by `assent install gemini`; `assent uninstall gemini` removes it.

# In --acp mode, or with hooks switched off, no hook is called. What must never be touched is closed here as well.
[[rule]]
toolName = "*"
argsPattern = {pattern}
decision = "deny"
priority = 999
denyMessage = "Access denied: a sensitive credential path. Do not try to reach it another way."
"""
KEYS = r'"(command|[a-z_]*path|paths|include)":'
"""The fields of its tools that name files; the text of a new file may speak of any path."""


def settings_file(place: Place) -> str:
    return os.path.join(_folder(place), "settings.json")


def policy_file(place: Place) -> str:
    return os.path.join(_folder(place), "policies/assent.toml")


def _folder(place: Place) -> str:
    return os.path.join(place.env.get("GEMINI_CLI_HOME") or place.home, ".gemini")


def policy_text() -> str:
    parts = [re.escape(one.strip("*")).replace("/", r"[\\/]+") for one in SENSITIVE_PATH_PATTERNS]
    pattern = rf'{KEYS}("|\[")[^"]*({"|".join(parts)})'
    return POLICY.format(pattern=f"'{pattern}'")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {"type": "command", "name": "assent", "command": hook.closed.line, "timeout": MILLISECONDS}
    entry = Entry(("hooks", EVENT), {"matcher": ".*", "hooks": [handler]})
    return (Additions(settings_file(place), (entry,)), OwnFile(policy_file(place), policy_text(), ()))


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:  # noqa: ARG001 - the protocol
    return ("sessions of Gemini that are running now go on without the hook: restart them",)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"file_path": private_key(home)}
    return two_canaries(_payload(folder, "read_file", secret), _payload(folder, "run_shell_command", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    fields = {"session_id": "assent-doctor", "transcript_path": "", "cwd": folder, "timestamp": ""}
    return json.dumps(fields | {"hook_event_name": EVENT, "tool_name": tool, "tool_input": given})


def refused(output: Output) -> bool:
    """It reads the answer before the exit code, and takes standard error for it when standard output is empty."""
    text = output.stdout.strip() or output.stderr.strip()
    try:
        said = json.loads(text)
    except ValueError:
        return output.code not in (0, 1) and bool(text)
    return isinstance(said, dict) and said.get("decision") in ("deny", "block")


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return started_by("@google/gemini-cli", TAKES_SINCE)


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    yield version_found("gemini", TITLE, run)
    for handler in handlers:
        yield from other_timeout(handler, "timeout", MILLISECONDS, AGAIN)
        yield from nothing_behind(handler, AGAIN)
    if read_bytes(policy_file(place)) != policy_text().encode():
        yield Finding("problem", f"{policy_file(place)} is missing or changed: `--acp` mode is open", AGAIN)
    for file in (settings_file(place), os.path.join(place.project, ".gemini/settings.json")):
        yield from _switches(file)


def _switches(file: str) -> Iterator[Finding]:
    settings, wrong = settings_in(file, "repair it; Gemini does not start with it")
    yield from wrong
    table = settings.get("hooksConfig")
    if not isinstance(table, dict):
        return
    if table.get("enabled") is False:
        yield Finding("problem", f"`hooksConfig.enabled` in {file} switches all hooks off", "take it out")
    off = table.get("disabled")
    if isinstance(off, list) and "assent" in off:
        yield Finding("problem", f"`hooksConfig.disabled` in {file} switches the hook off", "`/hooks enable assent`")
