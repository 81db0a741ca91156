"""Gemini CLI: its policy files, where the highest priority wins, and the lists of tools in its settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from assent.agents.gemini import TITLE
from assent.agents.hosts.gemini import settings_file
from assent.agents.hosts.host import Place
from assent.importing.commands import Command, allowed, beginning, restricted, words_of
from assent.importing.document import File, Part, at, items, members, read_settings, shown, text_of, texts_of
from assent.importing.imported import (
    TEXT,
    VERDICTS,
    Entry,
    Imported,
    Ranked,
    entry,
    existing,
    named_entry,
    only_tools,
    with_exceptions,
)
from assent.importing.paths import free_folder
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

COMMAND = '"command":"'
"""What arguments of a shell tool begin with, as Gemini writes them before it compares."""
EXPRESSION = "`commandRegex` is an expression"
ONLY_SOME = "only some commands are left"
FIELDS = frozenset(
    """toolName mcpName commandPrefix commandRegex argsPattern decision priority modes subagent toolAnnotations
    interactive denyMessage deny_message allowRedirection name description""".split()
)
STARTS = "how the server is started; what its tools do asks here"
STARTED = frozenset(
    """command args env cwd url httpUrl headers tcp type timeout description oauth authProviderType targetAudience
    targetServiceAccount extension""".split()
)
HELD: tuple[tuple[tuple[str, ...], bool, str], ...] = (
    (("security", "disableYoloMode"), True, "Assent has no such mode"),
    (("admin", "secureModeEnabled"), True, "Assent has no mode in which everything is free"),
    (("tools", "autoAccept"), False, "Assent asks by itself"),
    (("autoAccept",), False, "Assent asks by itself"),
)
AUTO = "Gemini runs what it takes for safe; Assent looks at what each call does"
LEFT: dict[tuple[str, ...], str] = {
    ("security", "disableYoloMode"): "Assent has no such mode",
    (
        "security",
        "disableAlwaysAllow",
    ): "nobody may approve for longer in Gemini; approvals of Assent end by themselves",
    ("security", "enablePermanentToolApproval"): "Gemini's own questions; approvals of Assent end by themselves",
    ("security", "autoAddToPolicyByDefault"): "Gemini's own questions; Assent writes no rule by itself",
    ("security", "folderTrust"): "which folders Gemini trusts; Assent asks with `assent policy trust`",
    ("security", "auth"): "how you sign in to Gemini",
    ("security", "environmentVariableRedaction"): "which variables commands of Gemini see",
    ("security", "blockGitExtensions"): "which extensions Gemini installs",
    ("security", "allowedExtensions"): "which extensions Gemini installs",
    ("security", "toolSandboxing"): "Gemini's sandbox; `assent sandbox` has its own settings",
    ("tools", "sandbox"): "Gemini's sandbox; `assent sandbox` has its own settings",
    ("tools", "autoAccept"): AUTO,
    ("autoAccept",): AUTO,
    ("sandbox",): "Gemini's sandbox; `assent sandbox` has its own settings",
    ("admin", "secureModeEnabled"): "Assent has no mode in which everything is free",
    ("admin", "extensions"): "which extensions Gemini installs",
    ("admin", "mcp", "config"): "which servers Gemini may start; what their tools do asks here",
    ("admin", "mcp", "requiredConfig"): "which servers Gemini has to start; what their tools do asks here",
    ("mcp", "serverCommand"): STARTS,
    ("hooks",): "programs of yours that Gemini keeps running; they are no rules",
    ("hooksConfig",): "Gemini's hooks; with `enabled` off it does not run Assent either",
    ("policyPaths",): "more policy files: name them with --file",
    ("adminPolicyPaths",): "more policy files: name them with --file",
}
INERT = frozenset(
    """$schema ui theme model modelConfigs telemetry ide privacy output billing selectedAuthType checkpointing
    preferredEditor vimMode usageStatisticsEnabled hideBanner hideTips contextFileName bugCommand""".split()
)

Row = tuple[float, Imported]


def files(place: Place) -> tuple[str, ...]:
    """Policies of a project are switched off in Gemini CLI; its settings count where it trusts the folder."""
    if place.scope == "project":
        return (os.path.join(place.project, ".gemini/settings.json"),)
    folder = os.path.dirname(settings_file(place))
    return (*existing(os.path.join(folder, "policies"), ".toml"), settings_file(place), *existing(ADMIN, ".toml"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:
    ranked: list[Row] = []
    for file in files:
        ranked += _policies(file) if file.path.endswith(".toml") else _settings(file, place)
    return with_exceptions([Ranked(strength, one) for strength, one in ranked])


# --- policy files --------------------------------------------------------------------------------------------------


def _policies(file: File) -> Iterator[Row]:
    data = read_settings(file)
    tier = ADMINS if file.path.startswith(ADMIN) else USER
    for part in items(at(data, "rule")):
        if part.kind == "object" and part.children:
            row = {name: field.plain for name, field in members(part)}
            priority = row.get("priority")
            rank = tier + (priority if isinstance(priority, int) else 0) / 1000
            parts = [field for name, field in members(part) if name in FIELDS and _is_plain(field)]
            for name in texts_of(at(part, "toolName")) or ("*",):
                given = entry(part, _shown(row, name), parts or [part])
                for found in _rule(given, row, name):
                    yield rank, found
    for part in items(at(data, "safety_checker")):
        yield tier, entry(part, "safety_checker").left_out("a checker only makes Gemini stricter; Assent has its own")


def _is_plain(part: Part) -> bool:
    """A value of a kind that is looked at; a number in a list of names is not."""
    if part.keys[-1] in ("toolName", "modes", "commandPrefix"):
        return len(texts_of(part)) == max(1, len(part.children))
    return part.kind == "scalar" or part.keys[-1] == "toolAnnotations"


def _shown(row: Mapping[str, object], name: str) -> str:
    fields = [f"{key}={row[key]}" for key in ("mcpName", "commandPrefix", "commandRegex", "argsPattern") if key in row]
    return " ".join([name, *fields, str(row.get("decision", ""))])


def _rule(given: Entry, row: Mapping[str, object], name: str) -> Iterator[Imported]:
    verdict = VERDICTS.get(str(row.get("decision")))
    if verdict is None:
        yield given.says_nothing("no decision, neither for Gemini")
        return
    conditions = [key for key in CONDITIONS if key in row]
    conditions += ["modes"] if "modes" in row and "default" not in _texts_in(row["modes"]) else []
    odd = [key for key in row if key not in FIELDS]
    given = given.means(verdict)
    if verdict == Verdict.ALLOW and odd:
        yield given.left_out(f"`{odd[0]}` may say when it holds, and Assent does not know it")
    elif verdict == Verdict.ALLOW and conditions:
        yield given.left_out(f"`{conditions[0]}` says when it holds, which no rule of Assent can")
    elif conditions:
        note = f"your rule holds only with its `{'` and `'.join(conditions)}`"
        yield from (found.made_wider(note) for found in _matches(given, row, name))
    else:
        restricts = "modes" in row and verdict > Verdict.ALLOW
        for found in _matches(given, row, name):
            yield found.noted("in every mode") if restricts and not found.note else found


def _matches(given: Entry, row: Mapping[str, object], name: str) -> Iterator[Imported]:
    if "argsPattern" in row:
        yield from _by_arguments(given, row, name)
    elif "commandRegex" in row:
        yield from _by_expression(given, str(row["commandRegex"]))
    elif "commandPrefix" in row:
        prefixes = _texts_in(row["commandPrefix"])
        for prefix in prefixes:
            yield from _prefix(given, prefix)
        if not prefixes:
            yield _tool(given, name)
    elif isinstance(row.get("mcpName"), str):
        yield _server(given, str(row["mcpName"]), name)
    else:
        yield _tool(given, name)


def _by_arguments(given: Entry, row: Mapping[str, object], name: str) -> Iterator[Imported]:
    """An expression over the arguments as JSON. One that begins with a command is an expression over commands."""
    server, expression = row.get("mcpName"), row["argsPattern"]
    if given.meant == Verdict.ALLOW:
        yield given.left_out("`argsPattern` is an expression over all arguments; name paths, hosts or `args`")
    elif name in SHELLS and isinstance(expression, str) and expression.startswith(COMMAND):
        yield from _by_expression(given, expression.removeprefix(COMMAND))
    else:
        known = _server(given, server, name) if isinstance(server, str) else _tool(given, name)
        yield known.made_wider("`argsPattern` is an expression over all arguments")


def _by_expression(given: Entry, expression: str) -> Iterator[Imported]:
    """An expression that commands begin with: by their first words where all of it is plain, else by their text."""
    if given.meant == Verdict.ALLOW:
        yield given.left_out("`commandRegex` is an expression; name the commands word by word")
        return
    for text in _alternatives(expression.removeprefix("^")):
        plain = re.fullmatch(r"[A-Za-z0-9_/:,@%-]+( [A-Za-z0-9_/:,@%-]+)*", text)
        if plain:
            yield from restricted(given, f"{text}*")
        elif given.meant == Verdict.DENY and _as_text(text).strip("*? "):
            yield given.sets("commands", _as_text(text), f"{EXPRESSION}; {TEXT}, where `*` is wider")
        else:
            yield beginning(given, _certain(text), EXPRESSION)


def _alternatives(expression: str) -> tuple[str, ...]:
    """`git (push|reset)` as `git push` and `git reset`; what is not as plain as that stays whole."""
    found = re.fullmatch(r"([^\\\[\](){}|*+?.^$]*)\((?:\?:)?([^\\\[\](){}*+?.^$]*)\)", expression)
    if found:
        return tuple(dict.fromkeys(found[1] + one for one in found[2].split("|")))
    if set(expression).isdisjoint("\\[](){}*+?.^$"):
        return tuple(dict.fromkeys(expression.split("|")))
    return (expression,)


def _as_text(expression: str) -> str:
    """A text with wildcards for at least what an expression finds; empty where nobody can say that simply."""
    text, pieces = "", re.findall(r"(\\.|.)([*+?]?)", expression, re.DOTALL)
    for sign, times in pieces:
        if sign in tuple("|[](){}^$\"'\\") or (sign[0] == "\\" and sign[1:].isalnum() and sign not in ("\\s", "\\b")):
            return ""
        text += "*" if times or sign in (".", "\\s", "\\b") else "?" if sign[0] == "\\" else sign
    return re.sub(r"\*+", "*", f"{text}*")


def _certain(expression: str) -> str:
    """The whole words that every match begins with."""
    depth = 0
    for sign in re.sub(r"\\.|\[[^]]*\]", "", expression):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            return ""
    found = re.match(r"(?:[A-Za-z0-9_/:,@%-]+(?: |\\s)(?![*?{]))*", expression.replace("\\s+", "\\s"))
    return found[0].replace("\\s", " ") if found else ""


def _prefix(given: Entry, prefix: str) -> tuple[Imported, ...]:
    """Whole words that a command begins with."""
    if "*" in prefix:
        head, why = prefix.partition("*")[0], "`*` is no wildcard there"
        return (given.left_out(why) if given.meant == Verdict.ALLOW else beginning(given, head, why),)
    words = words_of(prefix)
    if given.meant != Verdict.ALLOW:
        return restricted(given, f"{prefix.strip()}:*")
    return (allowed(given, Command(words, tail=True) if words else None),)


def _texts_in(value: object) -> tuple[str, ...]:
    """The texts of a list, or one text."""
    if isinstance(value, str):
        return (value,)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _server(given: Entry, server: str, name: str) -> Imported:
    rule = "Mcp" if server == "*" and name == "*" else f"Mcp({server}.{name})"
    if given.meant != Verdict.ALLOW:
        return given.restricts(rule, "Mcp")
    if not NAME.fullmatch(server) or not (name == "*" or NAME.fullmatch(name)) or "." in server:
        return given.left_out("not one server")
    return given.allows(rule)


def _tool(given: Entry, name: str) -> Imported:
    if given.meant != Verdict.ALLOW:
        if name in SHELLS:
            return given.restricts("Bash", "Bash")
        if name.startswith("mcp_"):
            return _mcp_name(given, name)
        return given.restricts("Tool" if name == "*" else f"Tool({name})", "Tool")
    if name in SHELLS:
        return given.left_out("every command: name the commands that you mean")
    if name in USES:
        return given.allows(USES[name])
    if name == "*" or name == "web_fetch" or not NAME.fullmatch(name):
        return given.left_out("every host: name the hosts that you mean" if name == "web_fetch" else "not one tool")
    if name in NOTHING:
        return given.left_out("free with Assent anyway")
    if name.startswith("mcp_"):
        return given.left_out("where the server's name ends is not certain: write `Mcp(server.tool)`")
    return given.allows(f"Tool({name})")


def _mcp_name(given: Entry, name: str) -> Imported:
    """`mcp_server_tool`: where the server's name ends is not certain, so every way to read it counts."""
    inner = name[len("mcp_") :]
    if inner == "*":
        return given.restricts("Mcp", "Mcp")
    ways = [
        f"{inner[:at]}.{inner[at + 1 :]}" for at, sign in enumerate(inner) if sign == "_" and 0 < at < len(inner) - 1
    ]
    if not ways:
        return given.restricts(f"Mcp({inner})", "Mcp")
    return given.restricts(f"Mcp({{{','.join(ways)}}})" if len(ways) > 1 else f"Mcp({ways[0]})", "Mcp")


# --- settings ------------------------------------------------------------------------------------------------------


def _settings(file: File, place: Place) -> Iterator[Row]:
    settings = read_settings(file)
    for part in (*items(at(settings, "tools", "exclude")), *items(at(settings, "excludeTools"))):
        yield from ((EXCLUDED, one) for one in _listed(_named(part).means(Verdict.DENY), part))
    for part in items(at(settings, "tools", "confirmationRequired")):
        yield from ((CONFIRMED, one) for one in _listed(_named(part).means(Verdict.ASK), part))
    yield from _free(settings)
    for core in (at(settings, "tools", "core"), at(settings, "coreTools")):
        if core is not None and core.kind == "list":
            yield from _core(core)
    yield from _servers(settings)
    mode = at(settings, "general", "defaultApprovalMode")
    if mode is not None and mode.kind == "scalar":
        yield USER, _mode(named_entry(mode), text_of(mode))
    for folders in (at(settings, "context", "includeDirectories"), at(settings, "includeDirectories")):
        for part in items(folders):
            yield USER, free_folder(_named(part), text_of(part), place)
    yield from ((USER, one) for one in _others(settings))


def _named(part: Part) -> Entry:
    """`tools.exclude write_file`"""
    name = ".".join(key for key in part.keys if isinstance(key, str))
    return entry(part, f"{name} {shown(part)}")


def _others(settings: Part) -> Iterator[Imported]:
    """What says something about permissions without being a rule, and what does not."""
    for keys, value, note in HELD:
        part = at(settings, *keys)
        if part is not None and part.value is value:
            yield named_entry(part).holds(note)
    for path, note in LEFT.items():
        part = at(settings, *path)
        held = part is not None and any(known == path and part.value is value for known, value, _ in HELD)
        if part is not None and not held:
            yield (entry(part, part.name) if part.children else named_entry(part)).left_out(note)
    enabled = at(settings, "admin", "mcp", "enabled")
    if enabled is not None and enabled.value is False:
        yield named_entry(enabled).denies("Mcp", "Mcp")
    elif enabled is not None and enabled.value is True:
        yield named_entry(enabled).left_out("it lets servers start; what their tools do asks here")
    skills = at(settings, "admin", "skills", "enabled")
    if skills is not None and skills.value is False:
        yield named_entry(skills).denies("Skill", "Tool")
    elif skills is not None and skills.value is True:
        yield named_entry(skills).left_out("it lets Gemini use skills; what they do asks here")
    inert = [part for name, part in members(settings) if name in INERT]
    if inert:
        yield entry(inert[0], ", ".join(part.name for part in inert), inert).left_out("not about what an agent may do")


def _mode(given: Entry, mode: str) -> Imported:
    if mode == "default":
        return given.holds("Assent's own")
    if mode == "plan":
        return given.sets("mode", "plan")
    if mode in ("auto_edit", "autoEdit"):
        return given.allows("Write(./**)", "edits are free inside the project; what is deleted or moved asks")
    return given.left_out("no mode of Assent")


def _listed(given: Entry, part: Part) -> tuple[Imported, ...]:
    """`run_shell_command(git status)` or the name of a tool."""
    text = text_of(part).strip()
    narrowed = NARROWED.fullmatch(text)
    if not text:
        return (given.says_nothing("not a text, so no tool for Gemini either"),)
    if narrowed and narrowed[1] in SHELLS:
        return _prefix(given, narrowed[2])
    if narrowed and given.meant == Verdict.ALLOW:
        return (given.left_out("conditions on arguments"),)
    if narrowed:
        return (given.widened(f"Tool({narrowed[1]})", "Tool", "conditions on arguments"),)
    return (_tool(given, text),)


def _free(settings: Part) -> Iterator[Row]:
    """Tools that run without a question; once a command is named there, Gemini refuses every other one."""
    narrows: Entry | None = None
    for part in (*items(at(settings, "tools", "allowed")), *items(at(settings, "allowedTools"))):
        given = _named(part)
        yield from ((ALLOWED, one) for one in _listed(given.means(Verdict.ALLOW), part))
        if text_of(part).startswith(tuple(f"{name}(" for name in SHELLS)):
            narrows = narrows or given
    if narrows is not None:
        yield ENFORCED, narrows.denies("Bash", "Bash", "Gemini refuses every command that is not named there")


def _core(core: Part) -> Iterator[Row]:
    """The only tools there are. Whatever else Assent knows of Gemini's tools is denied, and every other one."""
    names = [text_of(part) for part in items(core)]
    given = entry(core, f"{core.name} {shown(core)}").means(Verdict.DENY)
    for name in sorted({*CORE} - {one.partition("(")[0] for one in names}):
        yield ENFORCED, given.restricts(f"Tool({name})", "Tool")
    shells = [name for name in names if name.startswith(SHELLS)]
    if not shells:
        yield ENFORCED, given.restricts("Bash", "Bash")
    elif not any(name in SHELLS for name in shells):
        named = [_prefix(given.means(Verdict.ALLOW), one.partition("(")[2].removesuffix(")"))[0] for one in shells]
        unless = tuple(dict.fromkeys(one.rule.text for one in named if one.rule))
        yield ENFORCED, given.restricts("Bash(*:*)" if unless else "Bash", "Bash", ONLY_SOME, unless=unless)
    yield ENFORCED, given.restricts("Mcp", "Mcp", "tools of servers are there only by name")


def _servers(settings: Part) -> Iterator[Row]:
    for part in items(at(settings, "mcp", "excluded")):
        yield MCP_EXCLUDED, _server(_named(part).means(Verdict.DENY), text_of(part) or "*", "*")
    only = at(settings, "mcp", "allowed")
    if only is not None and only.kind == "list":
        yield MCP_EXCLUDED, _only_servers(entry(only, f"mcp.allowed {shown(only)}"), texts_of(only))
    for name, table in members(at(settings, "mcpServers")):
        for part in items(at(table, "excludeTools")):
            given = _named(part).means(Verdict.DENY)
            yield MCP_EXCLUDED, _server(given, name, text_of(part).partition("(")[0] or "*")
        yield from _included(name, table)
        inert = [part for key, part in members(table) if key in STARTED]
        if inert:
            yield USER, entry(inert[0], f"mcpServers.{name}", inert).left_out(STARTS)


def _only_servers(given: Entry, names: tuple[str, ...]) -> Imported:
    if not all(NAME.fullmatch(name) and "." not in name for name in names):
        return given.means(Verdict.DENY).widened("Mcp", "Mcp", "only these servers are there")
    return given.denies("Mcp(*.*)", "Mcp", unless=tuple(f"Mcp({name}.*)" for name in names))


def _included(name: str, table: Part) -> Iterator[Row]:
    """`includeTools` are the only tools of a server, and `trust` is about no other."""
    trust, only = at(table, "trust"), at(table, "includeTools")
    names = tuple(dict.fromkeys(text.partition("(")[0] for text in texts_of(only)))
    if only is not None and only.kind == "list":
        given = entry(only, f"{only.name} {shown(only)}")
        if len(texts_of(only)) == len(only.children):
            yield MCP_EXCLUDED, only_tools(given, name, names)
        else:
            odd = given.means(Verdict.DENY)
            yield MCP_EXCLUDED, odd.widened(f"Mcp({name}.*)", "Mcp", "only some of its tools are there")
    if trust is not None and trust.value is True:
        given = named_entry(trust)
        for tool in names if only is not None else ("*",):
            yield TRUSTED, _server(given.means(Verdict.ALLOW), name, tool)
        if only is not None and not names:
            yield TRUSTED, given.left_out("no tool of it is there")
    elif trust is not None and trust.value is False:
        yield TRUSTED, named_entry(trust).holds("its tools ask")
