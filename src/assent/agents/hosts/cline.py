"""Setting up Cline: a script called PreToolUse in its folder of hooks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.cline import NAME, TITLE
from assent.agents.hosts.above import started_by
from assent.agents.hosts.alike import HARMLESS, private_key, two_canaries, version_found
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Canary, Change, Finding, Handler, Hook, OwnFile, Place, Run, Scope

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

TAKES_SINCE = (3, 0, 65)
SCOPES: tuple[Scope, ...] = ("user",)
HOLES = (
    "Cline waits two minutes for a hook, so nobody can be waited for longer",
    "a refusal ends the run, and Cline only says that it was aborted; `assent audit tail` says why",
    "Cline in an editor has another folder (~/Documents/Cline/Hooks): link this script there; that is not proven",
)
SCRIPT = """\
#!/bin/sh
# Written by `assent install cline`; `assent uninstall cline` removes it.
# Cline runs the tool after anything but a cancel, so whatever is no answer of Assent becomes one.
said=$({line})
case $? in 0) ;; *) said= ;; esac
case $said in
    '{{"cancel": '*) printf '%s\\n' "$said" ;;
    *) echo '{{"cancel": true, "errorMessage": "The permission check was cut off."}}' ;;
esac
"""


def script_file(place: Place) -> str:
    return os.path.join(place.env.get("CLINE_DIR") or os.path.join(place.home, ".cline"), "hooks/PreToolUse")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    file = script_file(place)
    return (OwnFile(file, SCRIPT.format(line=hook.line), (file,), executable=True),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:  # noqa: ARG001 - the protocol
    return ("sessions of Cline that are running now may go on without the hook: restart them",)


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"commands": [f"cat {private_key(home)}"]}
    return two_canaries(_payload(folder, secret), _payload(folder, {"commands": [HARMLESS["command"]]}))


def _payload(folder: str, given: dict[str, list[str]]) -> str:
    fields = {"clineVersion": "", "taskId": "assent-doctor", "workspaceRoots": [folder], "hookName": "tool_call"}
    return json.dumps(fields | {"tool_call": {"id": "canary", "name": "run_commands", "input": given}})


def refused(output: Output) -> bool:
    try:
        said = json.loads(output.stdout)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("cancel") is True


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return started_by("@cline/cli", TAKES_SINCE)


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    yield version_found("cline", TITLE, run)
    file = script_file(place)
    if handlers and read_bytes(file) is not None and not os.access(file, os.X_OK):
        yield Finding("problem", f"{file} may not be executed, so Cline skips it", f"`chmod +x {file}`")
