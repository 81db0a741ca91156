"""Claude Code: `permissions` in its settings files. There, as with us, deny beats ask and ask beats allow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from assent.agents.claude_code import TITLE
from assent.agents.hosts.claude_code import MANAGED, settings_file
from assent.agents.hosts.host import Place
from assent.importing.commands import allowed, read_command, restricted
from assent.importing.imported import VERDICTS, Entry, File, Imported, entry, existing
from assent.importing.paths import allowed_path, from_ignore, restricted_path
from assent.importing.settings import at, items, line_of, read_settings, text_of
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

READS, EDITS = ("Read", "NotebookRead"), ("Edit", "Write", "MultiEdit", "NotebookEdit")
SHELLS = ("Bash", "Monitor")
LOOKS = ("Glob", "Grep", "LS")
MODES = {
    "acceptEdits": "edits are free inside the project; what you delete or move asks",
    "bypassPermissions": "everything would be free: Assent has no such mode",
    "dontAsk": "Assent asks where Claude Code refuses; answer no, or leave nobody to ask",
    "auto": "Assent lets no model decide by itself",
}


def files(place: Place) -> tuple[str, ...]:
    if place.scope == "project":
        return tuple(os.path.join(place.project, ".claude", name) for name in ("settings.json", "settings.local.json"))
    folder = os.path.dirname(MANAGED)
    return (settings_file(place), MANAGED, *existing(os.path.join(folder, "managed-settings.d"), ".json"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:
    return tuple(found for file in files for found in _read_file(file, place))


def _read_file(file: File, place: Place) -> Iterator[Imported]:
    permissions = at(read_settings(file), "permissions")
    for name in ("deny", "ask", "allow"):
        for node in items(at(permissions, name)):
            text = text_of(node)
            yield _rule(entry(file, line_of(file, node), text), VERDICTS[name], text.strip(), place)
    mode = at(permissions, "defaultMode")
    if mode is not None and text_of(mode) != "default":
        yield _mode(entry(file, line_of(file, mode), f"defaultMode {text_of(mode)}"), text_of(mode))
    for node in items(at(permissions, "additionalDirectories")):
        text = text_of(node)
        yield _folder(entry(file, line_of(file, node), f"additionalDirectories {text}"), text, place)


def _mode(given: Entry, mode: str) -> Imported:
    if mode == "plan":
        return given.sets("mode", "plan")
    if mode == "acceptEdits":
        return given.allows("Write(./**)", MODES[mode])
    return given.left_out(MODES.get(mode, "no mode of Assent"))


def _folder(given: Entry, text: str, place: Place) -> Imported:
    """Reads are free in such a folder; whether edits are depends on Claude Code's mode."""
    path = place.home + text[1:] if text.startswith("~/") else text
    if not path.startswith("/") and place.scope == "project":
        path = os.path.join(place.project, path)
    path = os.path.normpath(path) if path.startswith("/") else ""
    if len(path.strip("/")) < 1 or path in (place.home, "/") or any(sign in path for sign in "*?[") or "\\" in path:
        return given.left_out("no folder that a rule could name")
    return given.sets("paths", f"{path}/*", "reading is free there, writing asks")


def _rule(given: Entry, verdict: Verdict, text: str, place: Place) -> Imported:
    tool, bracket, body = text.partition("(")
    body = body.removesuffix(")") if bracket else ""
    if not text or (bracket and not text.endswith(")")):
        return _unreadable(given, verdict)
    if body.strip() in ("", "*", "**") and not tool.startswith("mcp__"):
        return _bare(given, verdict, tool)
    if tool in SHELLS:
        return allowed(given, read_command(body)) if verdict == Verdict.ALLOW else restricted(given, verdict, body)
    if tool in (*READS, *EDITS, *LOOKS):
        return _path(given, verdict, tool, body, place)
    for name, reads in (("WebFetch", _fetch), ("Agent", _agent), ("Task", _agent)):
        if tool == name:
            return reads(given, verdict, body)
    return _mcp(given, verdict, text) if tool.startswith("mcp__") else _other(given, verdict, tool)


def _unreadable(given: Entry, verdict: Verdict) -> Imported:
    tool = given.text.partition("(")[0]
    if verdict == Verdict.ALLOW or not tool.isidentifier():
        return given.left_out("not a rule")
    whole = "Bash" if tool in SHELLS else f"Tool({tool})"
    return given.widened(whole, "Tool", "a bracket is missing")


def _bare(given: Entry, verdict: Verdict, tool: str) -> Imported:
    if verdict > Verdict.ALLOW:
        names = dict.fromkeys(SHELLS, "Bash") | dict.fromkeys(("Agent", "Task"), "Agent") | {"WebFetch": "WebFetch"}
        return given.restricts(verdict, names.get(tool, f"Tool({tool})"), "Tool")
    if tool in SHELLS:
        return given.left_out("every command: name the commands that you mean")
    if tool == "WebFetch":
        return given.left_out("every host: name the hosts that you mean")
    if tool == "NotebookEdit":
        return given.allows("Write(**/*.ipynb)", "inside the project")
    if tool in EDITS:
        return given.allows("Write(./**)", "inside the project")
    if tool in (*READS, *LOOKS, "WebSearch", "Agent", "Task"):
        return given.allows("Read" if tool in READS else "Agent" if tool == "Task" else tool)
    return _other(given, verdict, tool)


def _path(given: Entry, verdict: Verdict, tool: str, body: str, place: Place) -> Imported:
    ours = "Read" if tool in READS else "Write" if tool in EDITS else tool
    pattern = _anchored(body, place, strict=verdict == Verdict.ALLOW)
    if verdict > Verdict.ALLOW:
        return restricted_path(given, verdict, ours, pattern)
    if tool not in ("Read", "Edit"):
        return given.left_out("Claude Code documents only `Read(…)` and `Edit(…)` for paths")
    return allowed_path(given, ours, pattern)


def _anchored(body: str, place: Place, *, strict: bool) -> str | None:
    """`//x` is from the root, `/x` from the project, which only settings of a project make certain."""
    if body.startswith("//"):
        found = from_ignore(body[1:].rstrip("/") or "/")
        return None if found is None else found + "/" * body.endswith("/")
    if body.startswith("/"):
        if place.scope != "project":
            return None if strict else from_ignore(f"**{body}")
        return from_ignore(f"./{body.lstrip('/')}")
    return from_ignore(body)


def _fetch(given: Entry, verdict: Verdict, body: str) -> Imported:
    if not body.startswith("domain:"):
        known = given.left_out("no `domain:`")
        return known if verdict == Verdict.ALLOW else given.widened("WebFetch", "WebFetch", "no `domain:`")
    if verdict == Verdict.ALLOW:
        return given.allows(f"WebFetch({body})")
    return given.restricts(verdict, f"WebFetch({body.replace('domain:*.', 'domain:')})", "WebFetch")


def _agent(given: Entry, verdict: Verdict, body: str) -> Imported:
    return (
        given.allows(f"Agent({body})")
        if verdict == Verdict.ALLOW
        else given.restricts(verdict, f"Agent({body})", "Agent")
    )


def _mcp(given: Entry, verdict: Verdict, text: str) -> Imported:
    """`mcp__server__tool`; a name with arguments in brackets is a rule on the tool without them."""
    name, bracket, _ = text.partition("(")
    server, _, tool = name[len("mcp__") :].partition("__")
    rule = f"Mcp({server}.{tool or '*'})"
    if verdict > Verdict.ALLOW:
        if bracket:
            return given.widened(rule, "Mcp", "conditions on arguments")
        return given.restricts(verdict, rule, "Mcp")
    if bracket or "*" in server or any(sign in server + tool for sign in "?[{."):
        return given.left_out("not one server or one tool")
    return given.allows(rule)


def _other(given: Entry, verdict: Verdict, tool: str) -> Imported:
    """Tools that Assent has no rules for, such as `Skill(name)`; a deny holds for the whole tool, then."""
    if verdict == Verdict.ALLOW:
        bare = "(" not in given.text
        return given.allows(f"Tool({tool})") if bare and tool.isidentifier() else given.left_out("unknown to Assent")
    return given.widened(f"Tool({tool})", "Tool", "what stands in the brackets is unknown to Assent")
