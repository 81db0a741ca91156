"""Gemini CLI: its policy files, where the highest priority wins, and the lists of tools in its settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from assent.agents.gemini import TITLE
from assent.agents.hosts.gemini import settings_file
from assent.agents.hosts.host import Place
from assent.importing.commands import Command, allowed, beginning, restricted, words_of
from assent.importing.imported import (
    VERDICTS,
    Entry,
    File,
    Imported,
    Ranked,
    entry,
    existing,
    is_ours,
    read_toml,
    texts_in,
    with_exceptions,
)
from assent.importing.settings import Node, at, items, line_of, members, read_settings, text_of
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

ADMIN = "/etc/gemini-cli/policies"
SHELLS = ("run_shell_command", "ShellTool")
USES = {
    "read_file": "Read(./**)",
    "read_many_files": "Read(./**)",
    "list_directory": "Glob(./**)",
    "glob": "Glob(./**)",
    "grep_search": "Grep(./**)",
    "search_file_content": "Grep(./**)",
    "write_file": "Write(./**)",
    "replace": "Write(./**)",
    "google_web_search": "WebSearch",
    "invoke_agent": "Agent",
}
"""What an allow of a whole tool vouches for; its tools stay inside the project by themselves."""
NOTHING = ("write_todos", "update_topic", "complete_task", "ask_user", "enter_plan_mode", "exit_plan_mode")
CONDITIONS = ("subagent", "toolAnnotations", "interactive")
CORE = (*USES, "web_fetch", "save_memory", "activate_skill")
NAME = re.compile(r"[A-Za-z0-9_.-]+")
NARROWED = re.compile(r"([A-Za-z0-9_-]+)\((.*)\)", re.DOTALL)
USER, ADMINS = 4.0, 5.0
EXCLUDED, CONFIRMED, ALLOWED, ENFORCED, TRUSTED = 4.4, 4.35, 4.3, 4.29, 4.2
MCP_EXCLUDED = 4.9

Row = tuple[float, Imported]


def files(place: Place) -> tuple[str, ...]:
    """Policies of a project are switched off in Gemini CLI; its settings count where it trusts the folder."""
    if place.scope == "project":
        return (os.path.join(place.project, ".gemini/settings.json"),)
    folder = os.path.dirname(settings_file(place))
    return (*existing(os.path.join(folder, "policies"), ".toml"), settings_file(place), *existing(ADMIN, ".toml"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:  # noqa: ARG001 - the protocol
    ranked: list[Row] = []
    for file in files:
        if not is_ours(file):
            ranked += _policies(file) if file.path.endswith(".toml") else _settings(file)
    return with_exceptions([Ranked(strength, one) for strength, one in ranked])


# --- policy files --------------------------------------------------------------------------------------------------


def _policies(file: File) -> Iterator[Row]:
    data, line = read_toml(file)
    rows = data.get("rule")
    tier = ADMINS if file.path.startswith(ADMIN) else USER
    for number, row in enumerate(rows if isinstance(rows, list) else ()):
        if isinstance(row, dict):
            priority = row.get("priority")
            rank = tier + (priority if isinstance(priority, int) else 0) / 1000
            for name in texts_in(row.get("toolName")) or ("*",):
                given = entry(file, line(("rule", number)), _shown(row, name))
                for found in _rule(given, row, name):
                    yield rank, found
    checkers = data.get("safety_checker")
    for number, _ in enumerate(checkers if isinstance(checkers, list) else ()):
        given = entry(file, line(("safety_checker", number)), "safety_checker")
        yield tier, given.left_out("a checker only makes Gemini stricter; Assent has its own")


def _shown(row: Mapping[str, object], name: str) -> str:
    fields = [f"{key}={row[key]}" for key in ("mcpName", "commandPrefix", "commandRegex", "argsPattern") if key in row]
    return " ".join([name, *fields, str(row.get("decision", ""))])


def _rule(given: Entry, row: Mapping[str, object], name: str) -> Iterator[Imported]:
    verdict = VERDICTS.get(str(row.get("decision")))
    if verdict is None:
        yield given.left_out("no decision, neither for Gemini")
        return
    conditions = [key for key in CONDITIONS if key in row]
    modes = texts_in(row.get("modes"))
    conditions += ["modes"] if "modes" in row and "default" not in modes else []
    if verdict == Verdict.ALLOW and conditions:
        yield given.left_out(f"`{conditions[0]}` says when it holds, which no rule of Assent can")
        return
    for found in _matches(given, row, name, verdict):
        conditional = conditions or ("modes" in row and verdict > Verdict.ALLOW)
        rule = found.rule
        if conditional and rule is not None:
            yield given.widened(rule.text, "Tool", "it holds only sometimes")
        else:
            yield found


def _matches(given: Entry, row: Mapping[str, object], name: str, verdict: Verdict) -> Iterator[Imported]:
    if "argsPattern" in row:
        yield _by_arguments(given, row, name, verdict)
    elif "commandRegex" in row:
        yield _by_expression(given, str(row["commandRegex"]), verdict)
    elif "commandPrefix" in row:
        for prefix in texts_in(row["commandPrefix"]):
            yield _prefix(given, prefix, verdict)
    elif isinstance(row.get("mcpName"), str):
        yield _server(given, str(row["mcpName"]), name, verdict)
    else:
        yield _tool(given, name, verdict)


def _by_arguments(given: Entry, row: Mapping[str, object], name: str, verdict: Verdict) -> Imported:
    if verdict == Verdict.ALLOW:
        return given.left_out("`argsPattern` is an expression over all arguments; name paths, hosts or `args`")
    server = row.get("mcpName")
    known = _server(given, server, name, Verdict.ASK) if isinstance(server, str) else _tool(given, name, Verdict.ASK)
    text = known.rule.text if known.rule else "Tool"
    return given.widened(text, "Tool", "`argsPattern` is an expression over all arguments")


def _by_expression(given: Entry, expression: str, verdict: Verdict) -> Imported:
    if verdict == Verdict.ALLOW:
        return given.left_out("`commandRegex` is an expression; name the commands word by word")
    return beginning(given, _certain(expression.removeprefix("^")), "`commandRegex` is an expression")


def _certain(expression: str) -> str:
    """The whole words that every match begins with."""
    depth = 0
    for sign in re.sub(r"\\.|\[[^]]*\]", "", expression):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            return ""
    found = re.match(r"(?:[A-Za-z0-9_/:,@%-]+(?: |\\s)(?![*?{]))*", expression.replace("\\s+", "\\s"))
    return found[0].replace("\\s", " ") if found else ""


def _prefix(given: Entry, prefix: str, verdict: Verdict) -> Imported:
    """Whole words that a command begins with."""
    if "*" in prefix:
        head = beginning(given, prefix.partition("*")[0], "`*` is no wildcard there")
        return given.left_out("`*` is no wildcard there") if verdict == Verdict.ALLOW else head
    words = words_of(prefix)
    if verdict > Verdict.ALLOW:
        return restricted(given, verdict, f"{prefix.strip()}:*")
    return allowed(given, Command(words, tail=True) if words else None)


def _server(given: Entry, server: str, name: str, verdict: Verdict) -> Imported:
    rule = "Mcp" if server == "*" and name == "*" else f"Mcp({server}.{name})"
    if verdict > Verdict.ALLOW:
        return given.restricts(verdict, rule, "Mcp")
    if not NAME.fullmatch(server) or not (name == "*" or NAME.fullmatch(name)) or "." in server:
        return given.left_out("not one server")
    return given.allows(rule)


def _tool(given: Entry, name: str, verdict: Verdict) -> Imported:
    if name in SHELLS:
        if verdict == Verdict.ALLOW:
            return given.left_out("every command: name the commands that you mean")
        return given.restricts(verdict, "Bash", "Bash")
    if verdict > Verdict.ALLOW:
        if name.startswith("mcp_"):
            return _mcp_name(given, name, verdict)
        return given.restricts(verdict, "Tool" if name == "*" else f"Tool({name})", "Tool")
    if name in USES:
        return given.allows(USES[name])
    if name == "*" or name == "web_fetch" or not NAME.fullmatch(name):
        return given.left_out("every host: name the hosts that you mean" if name == "web_fetch" else "not one tool")
    if name in NOTHING:
        return given.left_out("free with Assent anyway")
    if name.startswith("mcp_"):
        return given.left_out("where the server's name ends is not certain: write `Mcp(server.tool)`")
    return given.allows(f"Tool({name})")


def _mcp_name(given: Entry, name: str, verdict: Verdict) -> Imported:
    """`mcp_server_tool`: where the server's name ends is not certain, so every way to read it counts."""
    inner = name[len("mcp_") :]
    if inner == "*":
        return given.restricts(verdict, "Mcp", "Mcp")
    ways = [
        f"{inner[:at]}.{inner[at + 1 :]}" for at, sign in enumerate(inner) if sign == "_" and 0 < at < len(inner) - 1
    ]
    if not ways:
        return given.restricts(verdict, f"Mcp({inner})", "Mcp")
    return given.restricts(verdict, f"Mcp({{{','.join(ways)}}})" if len(ways) > 1 else f"Mcp({ways[0]})", "Mcp")


# --- settings ------------------------------------------------------------------------------------------------------


def _settings(file: File) -> Iterator[Row]:
    settings = read_settings(file)
    for node in (*items(at(settings, "tools", "exclude")), *items(at(settings, "excludeTools"))):
        given = entry(file, line_of(file, node), f"tools.exclude {text_of(node)}")
        yield EXCLUDED, _listed(given, text_of(node), Verdict.DENY)
    for node in items(at(settings, "tools", "confirmationRequired")):
        given = entry(file, line_of(file, node), f"tools.confirmationRequired {text_of(node)}")
        yield CONFIRMED, _listed(given, text_of(node), Verdict.ASK)
    yield from _free(file, settings)
    for core in (at(settings, "tools", "core"), at(settings, "coreTools")):
        if core is not None and core.kind == "list":
            yield from _core(file, core)
    yield from _servers(file, settings)
    mode = at(settings, "general", "defaultApprovalMode")
    if mode is not None and text_of(mode) != "default":
        given = entry(file, line_of(file, mode), f"general.defaultApprovalMode {text_of(mode)}")
        yield USER, _mode(given, text_of(mode))


def _mode(given: Entry, mode: str) -> Imported:
    if mode == "plan":
        return given.sets("mode", "plan")
    if mode in ("auto_edit", "autoEdit"):
        return given.allows("Write(./**)", "edits are free inside the project; what is deleted or moved asks")
    return given.left_out("no mode of Assent")


def _listed(given: Entry, text: str, verdict: Verdict) -> Imported:
    """`run_shell_command(git status)` or the name of a tool."""
    narrowed = NARROWED.fullmatch(text.strip())
    if narrowed and narrowed[1] in SHELLS:
        return _prefix(given, narrowed[2], verdict)
    if narrowed and verdict == Verdict.ALLOW and narrowed[1] not in USES:
        return given.left_out("conditions on arguments")
    if narrowed and verdict > Verdict.ALLOW:
        return given.widened(f"Tool({narrowed[1]})", "Tool", "conditions on arguments")
    return _tool(given, text.strip(), verdict)


def _free(file: File, settings: Node) -> Iterator[Row]:
    """Tools that run without a question; once a command is named there, Gemini refuses every other one."""
    narrows: Entry | None = None
    for node in (*items(at(settings, "tools", "allowed")), *items(at(settings, "allowedTools"))):
        given = entry(file, line_of(file, node), f"tools.allowed {text_of(node)}")
        yield ALLOWED, _listed(given, text_of(node), Verdict.ALLOW)
        if text_of(node).startswith(tuple(f"{name}(" for name in SHELLS)):
            narrows = narrows or given
    if narrows is not None:
        yield ENFORCED, narrows.widened("Bash", "Bash", "Gemini refuses every command that is not named there")


def _core(file: File, core: Node) -> Iterator[Row]:
    """The only tools there are. Whatever else Assent knows of Gemini's tools is denied by name."""
    names = [text_of(node) for node in items(core)]
    line = line_of(file, core)
    for name in sorted({*CORE} - {one.partition("(")[0] for one in names}):
        given = entry(file, line, f"tools.core without {name}")
        yield ENFORCED, given.restricts(Verdict.DENY, f"Tool({name})", "Tool")
    shells = [name for name in names if name.startswith(SHELLS)]
    given = entry(file, line, "tools.core")
    if not shells:
        yield ENFORCED, given.restricts(Verdict.DENY, "Bash", "Bash")
    elif not any(name in SHELLS for name in shells):
        yield ENFORCED, given.widened("Bash", "Bash", "only some commands are left")
    yield ENFORCED, given.widened("Mcp", "Mcp", "tools of servers are there only by name")


def _servers(file: File, settings: Node) -> Iterator[Row]:
    for node in items(at(settings, "mcp", "excluded")):
        given = entry(file, line_of(file, node), f"mcp.excluded {text_of(node)}")
        yield MCP_EXCLUDED, _server(given, text_of(node), "*", Verdict.DENY)
    for node in items(at(settings, "mcp", "allowed")):
        given = entry(file, line_of(file, node), f"mcp.allowed {text_of(node)}")
        yield TRUSTED, given.left_out("which servers there are; in some versions also that they may do anything")
    for name, table in members(at(settings, "mcpServers")):
        for node in items(at(table, "excludeTools")):
            given = entry(file, line_of(file, node), f"mcpServers.{name}.excludeTools {text_of(node)}")
            yield MCP_EXCLUDED, _server(given, name, text_of(node), Verdict.DENY)
        trust = at(table, "trust")
        if trust is not None and trust.value is True:
            given = entry(file, line_of(file, trust), f"mcpServers.{name}.trust")
            yield TRUSTED, _server(given, name, "*", Verdict.ALLOW)
