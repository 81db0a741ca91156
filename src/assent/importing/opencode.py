"""OpenCode: `permission` in opencode.json, where the last entry that matches wins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from assent.agents.hosts.host import Place
from assent.agents.opencode import TITLE
from assent.importing.commands import allowed, read_command, restricted
from assent.importing.document import File, Part, at, members, read_settings, shown, text_of
from assent.importing.imported import VERDICTS, Entry, Imported, Ranked, entry, named_entry, with_exceptions
from assent.importing.paths import allowed_text, restricted_text
from assent.record import replace
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

PATHS = {"read": "Read", "edit": "Write", "list": "Glob"}
QUERIES = {"glob": "Glob", "grep": "Grep"}
"""Their patterns are about what is looked for, not about where."""
WHOLE = {"webfetch": "WebFetch", "websearch": "WebSearch", "codesearch": "WebSearch", "task": "Agent", "skill": "Skill"}
QUIET = ("todoread", "todowrite", "question", "lsp", "plan_enter", "plan_exit")
"""What Assent does not judge, or judges by itself."""
EVERYTHING = ("bash", *PATHS, *QUERIES, *WHOLE, *QUIET)
URL = re.compile(r"https://([A-Za-z0-9.-]+)(/[A-Za-z0-9._~/-]*)?/?\*?")
TOOLS = {"write": "edit", "patch": "edit", "multiedit": "edit"}
KNOWN = frozenset(("bash", "external_directory", *PATHS, *QUERIES, *WHOLE))
NAMES = ("opencode.json", "opencode.jsonc")
STARTED = frozenset("type command environment url headers oauth timeout cwd".split())
OF_AN_AGENT = frozenset(
    """model variant prompt description mode temperature top_p color hidden maxSteps steps options name""".split()
)
LEFT = {
    "plugin": "programs of yours that OpenCode keeps running; they are no rules",
    "share": "whether OpenCode publishes sessions; no call of a tool",
    "autoshare": "whether OpenCode publishes sessions; no call of a tool",
    "command": "texts that you send with a short name; what comes of them is judged",
    "formatter": "programs that OpenCode itself runs after edits; no call of a tool",
    "lsp": "programs that OpenCode itself runs; no call of a tool",
    "skills": "skills; what they do is judged",
}
INERT = frozenset(
    """$schema theme keybinds tui model small_model default_agent username provider instructions layout watcher logLevel
    disabled_providers enabled_providers snapshot compaction autoupdate server enterprise""".split()
)
ONE_AGENT = "for one of the agents only"
NO_RULE = "not about what an agent may do"


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
    yield from _switches(at(settings, "tools"))
    yield from _permission(at(settings, "permission"))
    for kind in ("agent", "mode"):
        for name, table in members(at(settings, kind)):
            yield from ((f"{kind} {name}", one) for one in _agent(kind, name, table))
    for name, table in members(at(settings, "mcp")):
        yield from (("mcp", one) for one in _server(name, table))
    for name, part in members(settings):
        if name in LEFT:
            yield "", (entry(part, name) if part.children else named_entry(part)).left_out(LEFT[name])
    inert = [part for name, part in members(settings) if name in INERT]
    if inert:
        yield "", entry(inert[0], ", ".join(part.name for part in inert), inert).left_out(NO_RULE)


def _switches(table: Part | None) -> Iterator[tuple[str, Imported]]:
    """`tools`: what is switched off is denied."""
    for name, part in members(table):
        given = named_entry(part)
        known = TOOLS.get(name, name)
        if part.value is False:
            yield from _each(given.means(Verdict.DENY), known, "*")
        elif part.value is True:
            yield "", given.holds("it is there; whether it asks is said by `permission`")


def _agent(kind: str, name: str, table: Part) -> Iterator[Imported]:
    found = (*_switches(at(table, "tools")), *_permission(at(table, "permission")))
    ranked = [Ranked(float(rank), one, group) for rank, (group, one) in enumerate(found)]
    yield from (_for_one_agent(one, f"{kind} {name}") for one in with_exceptions(ranked))
    disabled = at(table, "disable")
    if disabled is not None and disabled.value is True:
        yield named_entry(disabled).denies(f"Agent({name})", "Agent")
    inert = [part for key, part in members(table) if key in OF_AN_AGENT or (part is disabled and not part.value)]
    if inert:
        yield entry(inert[0], f"{kind}.{name}", inert).left_out("how the agent is run")


def _server(name: str, table: Part) -> Iterator[Imported]:
    """OpenCode calls the tools of a server `server_tool`."""
    enabled = at(table, "enabled")
    if enabled is not None and enabled.value is False:
        given = named_entry(enabled)
        yield given.denies(f"Mcp({name}.*)", "Mcp")
        yield given.denies(f"Tool({name}_*)", "Tool")
    inert = [part for key, part in members(table) if key in STARTED or (part is enabled and part.value is True)]
    if inert:
        yield entry(inert[0], f"mcp.{name}", inert).left_out("how the server is started; what its tools do asks here")


def _for_one_agent(one: Imported, agent: str) -> Imported:
    """A rule of Assent does not know which of OpenCode's agents calls: an allow goes, a deny or ask is for all."""
    text = one.text if one.text.startswith(agent.replace(" ", ".", 1)) else f"{agent}: {one.text}"
    if one.meant == Verdict.ALLOW:
        return Entry(one.source, one.line, text, one.keys, one.meant).left_out(one.note or ONE_AGENT)
    return replace(one, text=text).made_wider(ONE_AGENT) if one.rule or one.setting else replace(one, text=text)


def _permission(part: Part | None) -> Iterator[tuple[str, Imported]]:
    if part is not None and part.kind == "scalar":
        yield from _named(entry(part, f"permission {shown(part)}"), "*", "*", text_of(part))
    for name, value in members(part):
        if value.kind == "scalar":
            yield from _named(entry(value, f"{name}: {shown(value)}"), name, "*", text_of(value))
        for pattern, action in members(value):
            if action.kind == "scalar":
                yield from _named(entry(action, f"{name} {pattern}: {shown(action)}"), name, pattern, text_of(action))


def _named(given: Entry, name: str, pattern: str, action: str) -> Iterator[tuple[str, Imported]]:
    verdict = VERDICTS.get(action) if action in ("allow", "ask", "deny") else None
    if verdict is None:
        yield name, given.left_out("not `allow`, `ask` or `deny`")
    elif name == "*" and verdict == Verdict.ALLOW:
        yield name, given.left_out("everything: name what you mean")
    else:
        yield from _each(given.means(verdict), TOOLS.get(name, name), pattern)


def _each(given: Entry, name: str, pattern: str) -> Iterator[tuple[str, Imported]]:
    """A tool, or each of them; `Mcp` is also about every tool that nobody knows."""
    for one in EVERYTHING if name == "*" else (name,):
        yield from ((_group(one), found) for found in _entry(given, one, pattern))
    if name == "*":
        yield _group(""), given.restricts("Mcp", "Mcp")


def _group(name: str) -> str:
    """Entries of one group may be exceptions to each other; names of other tools may hold wildcards."""
    return name if name in KNOWN else "other tools"


def _entry(given: Entry, name: str, pattern: str) -> Iterator[Imported]:
    if name == "bash":
        yield from _command(given, pattern)
    elif name in PATHS:
        if given.meant == Verdict.ALLOW:
            yield allowed_text(given, PATHS[name], pattern)
        else:
            yield from restricted_text(given, PATHS[name], pattern)
    elif name == "external_directory":
        yield from _outside(given, pattern)
    elif name in QUERIES:
        yield _query(given, QUERIES[name], pattern)
    elif name in WHOLE:
        yield _use(given, WHOLE[name], pattern)
    else:
        yield _other(given, name, pattern)


def _command(given: Entry, pattern: str) -> tuple[Imported, ...]:
    if given.meant == Verdict.ALLOW:
        return (allowed(given, read_command(pattern, colon=False)),)
    return restricted(given, pattern, colon=False)


def _outside(given: Entry, pattern: str) -> Iterator[Imported]:
    """Files outside of the project, which ask with Assent unless a rule names them."""
    if given.meant == Verdict.ALLOW:
        known = pattern.startswith(("/", "~/")) and pattern.strip("~/*")
        yield allowed_text(given, "Read", pattern) if known else given.left_out("no folder that a rule could name")
    elif pattern.strip("*/") in ("", "~"):
        for tool in ("Read", "Write"):
            yield given.restricts(f"{tool}(/**)", tool, unless=(f"{tool}(./**)",))
    else:
        for tool in ("Read", "Write"):
            yield from restricted_text(given, tool, pattern)


def _query(given: Entry, tool: str, pattern: str) -> Imported:
    if pattern == "*":
        return given.allows(f"{tool}(./**)") if given.meant == Verdict.ALLOW else given.restricts(tool, tool)
    if given.meant == Verdict.ALLOW:
        return given.left_out("about what is looked for; Assent minds where")
    return given.widened(tool, tool, "about what is looked for; Assent minds where")


def _use(given: Entry, tool: str, pattern: str) -> Imported:
    if tool in ("Agent", "Skill") and "/" not in pattern:
        text = tool if pattern == "*" else f"{tool}({pattern})"
        return given.allows(text) if given.meant == Verdict.ALLOW else given.restricts(text, tool)
    return _fetched(given, tool, pattern) if given.meant == Verdict.ALLOW else _refused(given, tool, pattern)


def _refused(given: Entry, tool: str, pattern: str) -> Imported:
    url = URL.fullmatch(pattern.replace("http://", "https://", 1))
    if pattern == "*":
        return given.restricts(tool, tool)
    if tool != "WebFetch" or url is None or "/" not in pattern[len("https://") :]:
        return given.widened(tool, tool, "no host that Assent can read")
    if (url[2] or "/") == "/":
        return given.restricts(f"WebFetch(domain:{url[1]})", tool, "the whole host, by every protocol")
    if pattern.startswith("https://") and pattern.endswith("/*"):
        return given.restricts(f"WebFetch({pattern}*)", tool)
    return given.widened(f"WebFetch(domain:{url[1]})", tool, "the whole host")


def _fetched(given: Entry, tool: str, pattern: str) -> Imported:
    url = URL.fullmatch(pattern)
    if tool == "WebSearch" and pattern == "*":
        return given.allows(tool)
    if tool == "WebFetch" and url and url[2] and pattern.endswith("/*"):
        return given.allows(f"WebFetch({pattern}*)")
    return given.left_out(
        "every host: name the hosts that you mean" if pattern == "*" else "no host that Assent can read"
    )


def _other(given: Entry, name: str, pattern: str) -> Imported:
    """Tools of plugins and MCP servers, by the name that OpenCode gives them."""
    if name == "doom_loop":
        return given.says_nothing("about calls that repeat, which no rule names: see `max` and limits")
    if name in QUIET and given.meant == Verdict.ALLOW:
        return given.left_out("not judged by rules of Assent")
    if given.meant != Verdict.ALLOW:
        if pattern == "*":
            return given.restricts(f"Tool({name})", "Tool")
        return given.widened(f"Tool({name})", "Tool", "conditions on arguments")
    if pattern != "*" or not re.fullmatch(r"[A-Za-z0-9_-]+\*?", name):
        return given.left_out("conditions on arguments" if pattern != "*" else "not the name of a tool")
    return given.allows(f"Tool({name})")
