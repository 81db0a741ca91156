"""OpenCode: `permission` in opencode.json, where the last entry that matches wins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from assent.agents.hosts.host import Place
from assent.agents.opencode import TITLE
from assent.importing.commands import allowed, read_command, restricted
from assent.importing.imported import VERDICTS, Entry, File, Imported, Ranked, entry, with_exceptions
from assent.importing.paths import allowed_text, restricted_text
from assent.importing.settings import Node, at, line_of, members, read_settings, text_of
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

PATHS = {"read": "Read", "edit": "Write", "list": "Glob"}
QUERIES = {"glob": "Glob", "grep": "Grep"}
"""Their patterns are about what is looked for, not about where."""
WHOLE = {"webfetch": "WebFetch", "websearch": "WebSearch", "codesearch": "WebSearch", "task": "Agent"}
EVERYTHING = ("bash", *PATHS, *QUERIES, "webfetch", "websearch", "task")
QUIET = ("todoread", "todowrite", "question", "doom_loop", "lsp", "skill", "plan_enter", "plan_exit")
"""What Assent does not judge, or judges by itself."""
URL = re.compile(r"https://([A-Za-z0-9.-]+)(/[A-Za-z0-9._~/-]*)?/?\*?")
TOOLS = {"write": "edit", "patch": "edit", "multiedit": "edit"}
NAMES = ("opencode.json", "opencode.jsonc")


def files(place: Place) -> tuple[str, ...]:
    if place.scope == "project":
        folders = (place.project, os.path.join(place.project, ".opencode"))
        return tuple(os.path.join(folder, name) for folder in folders for name in NAMES)
    config = place.env.get("XDG_CONFIG_HOME") or os.path.join(place.home, ".config")
    named = place.env.get("OPENCODE_CONFIG")
    found = tuple(os.path.join(config, "opencode", name) for name in ("config.json", *NAMES))
    return (*found, named) if named and os.path.isabs(named) else found


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:  # noqa: ARG001 - the protocol
    rows: list[Ranked] = []
    for file in files:
        for name, one in _read_file(file):
            rows.append(Ranked(float(len(rows)), one, name))
    return with_exceptions(rows)


def _read_file(file: File) -> Iterator[tuple[str, Imported]]:
    """What each entry became, with the name of the permission it is about."""
    settings = read_settings(file)
    for name, value in members(at(settings, "tools")):
        if value.value is False:
            given = entry(file, line_of(file, value), f"tools {name} false")
            known = TOOLS.get(name, name)
            yield from ((known, one) for one in _entry(given, known, "*", Verdict.DENY))
    yield from _permission(file, at(settings, "permission"))
    for agent, table in members(at(settings, "agent")):
        yield from ((agent, _for_one_agent(one, agent)) for _, one in _permission(file, at(table, "permission")))


def _for_one_agent(one: Imported, agent: str) -> Imported:
    """A rule of Assent does not know which of OpenCode's agents calls: an allow goes, a deny becomes an ask for all."""
    made = Entry(one.source, one.line, f"agent {agent}: {one.text}")
    if one.rule is None or one.rule.verdict == Verdict.ALLOW:
        return made.left_out("for one of the agents only")
    return made.widened(one.rule.text, "Tool", "for one of the agents only")


def _permission(file: File, node: Node | None) -> Iterator[tuple[str, Imported]]:
    if node is not None and node.kind == "scalar":
        yield from _named(entry(file, line_of(file, node), f"permission {text_of(node)}"), "*", "*", text_of(node))
    for name, value in members(node):
        if value.kind == "scalar":
            given = entry(file, line_of(file, value), f"{name}: {text_of(value)}")
            yield from _named(given, name, "*", text_of(value))
        for pattern, action in members(value):
            given = entry(file, line_of(file, action), f"{name} {pattern}: {text_of(action)}")
            yield from _named(given, name, pattern, text_of(action))


def _named(given: Entry, name: str, pattern: str, action: str) -> Iterator[tuple[str, Imported]]:
    verdict = VERDICTS.get(action) if action in ("allow", "ask", "deny") else None
    if verdict is None:
        yield name, given.left_out("not `allow`, `ask` or `deny`")
    elif name == "*" and verdict == Verdict.ALLOW:
        yield name, given.left_out("everything: name what you mean")
    else:
        for one in EVERYTHING if name == "*" else (TOOLS.get(name, name),):
            yield from ((one, found) for found in _entry(given, one, pattern, verdict))


def _entry(given: Entry, name: str, pattern: str, verdict: Verdict) -> Iterator[Imported]:
    if name == "bash":
        yield _command(given, pattern, verdict)
    elif name in PATHS:
        if verdict == Verdict.ALLOW:
            yield allowed_text(given, PATHS[name], pattern)
        else:
            yield from restricted_text(given, verdict, PATHS[name], pattern)
    elif name == "external_directory":
        yield from _outside(given, pattern, verdict)
    elif name in QUERIES:
        yield _query(given, QUERIES[name], pattern, verdict)
    elif name in WHOLE:
        yield _use(given, WHOLE[name], pattern, verdict)
    else:
        yield _other(given, name, pattern, verdict)


def _command(given: Entry, pattern: str, verdict: Verdict) -> Imported:
    if verdict == Verdict.ALLOW:
        return allowed(given, read_command(pattern, colon=False))
    return restricted(given, verdict, pattern, colon=False)


def _outside(given: Entry, pattern: str, verdict: Verdict) -> Iterator[Imported]:
    """Files outside of the project, which ask with Assent unless a rule names them."""
    if verdict == Verdict.ALLOW:
        known = pattern.startswith(("/", "~/")) and pattern.strip("~/*")
        yield allowed_text(given, "Read", pattern) if known else given.left_out("no folder that a rule could name")
    elif pattern.strip("*/") in ("", "~"):
        yield given.left_out("what lies outside of the project asks anyway")
    else:
        for tool in ("Read", "Write"):
            yield from restricted_text(given, verdict, tool, pattern)


def _query(given: Entry, tool: str, pattern: str, verdict: Verdict) -> Imported:
    if pattern == "*":
        return given.allows(f"{tool}(./**)") if verdict == Verdict.ALLOW else given.restricts(verdict, tool, tool)
    if verdict == Verdict.ALLOW:
        return given.left_out("about what is looked for; Assent minds where")
    return given.widened(tool, tool, "about what is looked for; Assent minds where")


def _use(given: Entry, tool: str, pattern: str, verdict: Verdict) -> Imported:
    if tool == "Agent" and "/" not in pattern:
        text = tool if pattern == "*" else f"Agent({pattern})"
        return given.allows(text) if verdict == Verdict.ALLOW else given.restricts(verdict, text, tool)
    url = URL.fullmatch(pattern)
    if verdict > Verdict.ALLOW:
        if pattern == "*":
            return given.restricts(verdict, tool, tool)
        if url and tool == "WebFetch":
            return given.widened(f"WebFetch(domain:{url[1]})", tool, "the whole host")
        return given.widened(tool, tool, "no host that Assent can read")
    if tool == "WebSearch" and pattern == "*":
        return given.allows(tool)
    if tool == "WebFetch" and url and url[2] and pattern.endswith("/*"):
        return given.allows(f"WebFetch({pattern}*)")
    return given.left_out(
        "every host: name the hosts that you mean" if pattern == "*" else "no host that Assent can read"
    )


def _other(given: Entry, name: str, pattern: str, verdict: Verdict) -> Imported:
    """Tools of plugins and MCP servers, by the name that OpenCode gives them."""
    if name in QUIET:
        return given.left_out("not judged by rules of Assent")
    if verdict > Verdict.ALLOW:
        if pattern == "*":
            return given.restricts(verdict, f"Tool({name})", "Tool")
        return given.widened(f"Tool({name})", "Tool", "conditions on arguments")
    if pattern != "*" or not re.fullmatch(r"[A-Za-z0-9_-]+\*?", name):
        return given.left_out("conditions on arguments" if pattern != "*" else "not the name of a tool")
    return given.allows(f"Tool({name})")
