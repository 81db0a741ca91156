"""Setting up Codex CLI: PreToolUse and PermissionRequest in hooks.json. Trusting them is left to the user."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.codex import EVENTS, HOST_SECONDS, NAME, TITLE
from assent.agents.hosts.above import started_by
from assent.agents.hosts.alike import (
    HARMLESS,
    WAITING,
    missing_events,
    not_to_commit,
    other_timeout,
    private_key,
    two_canaries,
)
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Additions, Canary, Change, Entry, Finding, Handler, Hook, Place, Run, Scope

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

TAKES_SINCE = (0, 166)
SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = ("typing into a shell that already runs (`write_stdin`) reaches no hook",)
TRUST = "start `codex` and type `/hooks` to review and trust the two hooks; until then Codex skips them silently"
AGAIN = "run `assent install codex` again"
LIST_ID = 2


def hooks_file(place: Place) -> str:
    if place.scope == "project":
        return os.path.join(place.project, ".codex/hooks.json")
    return os.path.join(_codex_home(place), "hooks.json")


def _codex_home(place: Place) -> str:
    return place.env.get("CODEX_HOME") or os.path.join(place.home, ".codex")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    handler = {
        "type": "command",
        "command": hook.closed.line,
        "timeout": int(HOST_SECONDS),
        "statusMessage": WAITING,
    }
    entries = tuple(Entry(("hooks", event), {"matcher": ".*", "hooks": [handler]}) for event in EVENTS)
    return (Additions(hooks_file(place), entries),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    return (TRUST, "`assent doctor codex` says whether they are trusted", *not_to_commit(place))


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    return two_canaries(_payload(folder, {"command": f"cat {private_key(home)}"}), _payload(folder, HARMLESS))


def _payload(folder: str, given: dict[str, str]) -> str:
    fields = {"session_id": "assent-doctor", "turn_id": "1", "transcript_path": None, "cwd": folder, "model": ""}
    call = {"hook_event_name": "PreToolUse", "permission_mode": "default", "tool_name": "Bash", "tool_input": given}
    return json.dumps(fields | call | {"tool_use_id": "canary"})


def refused(output: Output) -> bool:
    if output.code == 2:
        return bool(output.stderr.strip())
    try:
        said = json.loads(output.stdout)["hookSpecificOutput"]
        return output.code == 0 and said["permissionDecision"] == "deny" and bool(said["permissionDecisionReason"])
    except (ValueError, KeyError, TypeError):
        return False


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return started_by("@openai/codex", TAKES_SINCE)


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    code, version = run(("codex", "--version"))
    if code:
        said = "`codex` is not on the PATH, so neither its version nor its trust is known"
        yield Finding("warning", said, TRUST, absent=True)
    else:
        yield Finding("ok", version.strip())
    for handler in handlers:
        yield from other_timeout(handler, "timeout", int(HOST_SECONDS), f"{AGAIN}, and trust it again")
    yield from missing_events(EVENTS, handlers, AGAIN)
    yield from _config(place)
    if not code and handlers:
        yield from _trust(place, handlers, run)


def _config(place: Place) -> Iterator[Finding]:
    import tomllib

    file = os.path.join(_codex_home(place), "config.toml")
    data = read_bytes(file)
    try:
        table = tomllib.loads((data or b"").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield Finding("problem", f"{file} cannot be read: {error}", "repair it")
        return
    features = table.get("features")
    if isinstance(features, dict) and features.get("hooks") is False:
        yield Finding("problem", f"`features.hooks = false` in {file} switches all hooks off", "take it out")


def _trust(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
    """Codex itself says which hooks it would run."""
    asked = (
        {
            "id": 1,
            "method": "initialize",
            "params": {"clientInfo": {"name": "assent", "title": "Assent", "version": "0"}},
        },
        {"method": "initialized"},
        {"id": LIST_ID, "method": "hooks/list", "params": {"cwds": [place.project]}},
    )
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    code, text = run(("codex", "app-server"), stdin=lines, until=f'"id":{LIST_ID}')
    listed = _listed(text)
    if code or listed is None:
        yield Finding("warning", "Codex did not say which hooks it trusts", TRUST)
        return
    for handler in handlers:
        state = listed.get((handler.file, handler.event.lower()), "unknown")
        if state in ("trusted", "managed"):
            yield Finding("ok", f"Codex trusts the hook for {handler.event}")
        else:
            yield Finding("problem", f"Codex does not run the hook for {handler.event}: it is {state}", TRUST)


def _listed(text: str) -> dict[tuple[str, str], str] | None:
    """The state of each hook by file and event, from the answer of the app server."""
    for line in text.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if isinstance(said, dict) and said.get("id") == LIST_ID and "result" in said:
            rows = [hook for row in said["result"].get("data", []) for hook in row.get("hooks", [])]
            return {
                (str(row.get("sourcePath")), str(row.get("eventName")).replace("_", "").lower()): _state(row)
                for row in rows
            }
    return None


def _state(row: dict[str, object]) -> str:
    return str(row.get("trustStatus")) if row.get("enabled", True) else "disabled"
