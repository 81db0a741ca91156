"""Claude Code: `permissions` in its settings files. There, as with us, deny beats ask and ask beats allow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from assent.agents.claude_code import TITLE
from assent.agents.hosts.claude_code import MANAGED, settings_file
from assent.agents.hosts.host import Place
from assent.importing.commands import allowed, read_command, restricted
from assent.importing.document import File, Part, at, items, members, read_settings, shown, text_of
from assent.importing.imported import NAME, VERDICTS, Entry, Imported, entry, existing, named_entry
from assent.importing.paths import allowed_path, free_folder, from_ignore, restricted_ignore
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

READS, EDITS = ("Read", "NotebookRead"), ("Edit", "Write", "MultiEdit", "NotebookEdit")
SHELLS = ("Bash", "Monitor")
SKILLS = ("Skill", "SlashCommand")
LOOKS = ("Glob", "Grep", "LS")
MODES = {
    "acceptEdits": "edits are free inside the project; what you delete or move asks",
    "bypassPermissions": "everything would be free: Assent has no such mode",
    "dontAsk": "Assent asks where Claude Code refuses; answer no, or leave nobody to ask",
    "auto": "Assent lets no model decide by itself",
}
LISTS = (
    ("disallowedTools", Verdict.DENY, "{}"),
    ("ignorePatterns", Verdict.DENY, "Read({})"),
)
"""Old names of lists that only restrict."""
LEFT = {
    "allowedTools": "an old name that Claude Code no longer reads: write the rules into `permissions.allow`",
    "enableAllProjectMcpServers": "it starts servers; what their tools do asks here",
    "enabledMcpjsonServers": "it starts servers; what their tools do asks here",
    "hooks": "programs of yours that Claude Code keeps running; they are no rules",
    "disableAllHooks": "Claude Code then runs no hook, and so not Assent",
    "allowManagedHooksOnly": "Claude Code then runs only hooks of managed settings: install Assent there",
    "allowManagedPermissionRulesOnly": "Claude Code then reads no other rules; Assent reads every policy file",
    "skipDangerousModePermissionPrompt": "Assent has no mode in which everything is free",
}
INERT = frozenset(
    """$schema model theme statusLine env apiKeyHelper cleanupPeriodDays includeCoAuthoredBy outputStyle language
    verbose attribution spinnerTipsEnabled alwaysThinkingEnabled forceLoginMethod autoUpdatesChannel awsAuthRefresh
    effortLevel awsCredentialExport otelHeadersHelper companyAnnouncements fileSuggestion terminalProgressBarEnabled
    editorMode preferredNotifChannel autoUpdates numStartups tipsHistory availableModels fastMode""".split()
)
"""Settings about how it looks, talks and signs in."""
NO_RULE = "not about what an agent may do"
NO_TEXT = "not a text, so no rule for Claude Code either"
SLASH = "Claude Code does not read `/x` from the root (that is `//x`): here it counts from there, too"


def files(place: Place) -> tuple[str, ...]:
    if place.scope == "project":
        return tuple(os.path.join(place.project, ".claude", name) for name in ("settings.json", "settings.local.json"))
    folder = os.path.dirname(MANAGED)
    return (settings_file(place), MANAGED, *existing(os.path.join(folder, "managed-settings.d"), ".json"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:
    return tuple(found for file in files for found in _read_file(file, place))


def _read_file(file: File, place: Place) -> Iterator[Imported]:
    settings = read_settings(file)
    yield from _permissions(at(settings, "permissions"), place)
    for name, verdict, form in LISTS:
        for part in items(at(settings, name)):
            given = entry(part, f"{name} {shown(part)}")
            text = form.format(text_of(part))
            yield from _rule(given.means(verdict), text, place) if text_of(part) else (given.left_out(NO_TEXT),)
    yield from _servers(settings)
    yield from _sandbox(at(settings, "sandbox"))
    for name, part in members(settings):
        if name in LEFT:
            note = LEFT[name]
            yield entry(part, name if part.children else f"{name} {shown(part)}").left_out(note)
    inert = [part for name, part in members(settings) if name in INERT]
    if inert:
        yield entry(inert[0], ", ".join(part.name for part in inert), inert).left_out(NO_RULE)


def _permissions(permissions: Part | None, place: Place) -> Iterator[Imported]:
    for name in ("deny", "ask", "allow"):
        for part in items(at(permissions, name)):
            given, text = entry(part), text_of(part).strip()
            yield from _rule(given.means(VERDICTS[name]), text, place) if text else (given.left_out(NO_TEXT),)
    mode = at(permissions, "defaultMode")
    if mode is not None and mode.kind == "scalar":
        yield _mode(entry(mode, f"defaultMode {shown(mode)}"), text_of(mode))
    for name in ("disableBypassPermissionsMode", "disableAutoMode"):
        closed = at(permissions, name)
        if closed is not None and closed.value == "disable":
            yield entry(closed, f"{name} {shown(closed)}").holds("Assent has no such mode")
    for part in items(at(permissions, "additionalDirectories")):
        given = entry(part, f"additionalDirectories {shown(part)}")
        yield free_folder(given, text_of(part), place)


def _servers(settings: Part) -> Iterator[Imported]:
    for part in items(at(settings, "disabledMcpjsonServers")):
        given = entry(part, f"disabledMcpjsonServers {shown(part)}")
        known = text_of(part)
        yield given.denies(f"Mcp({known}.*)", "Mcp") if known else given.left_out(NO_TEXT)
    for part in items(at(settings, "deniedMcpServers")):
        given, name = entry(part, f"deniedMcpServers {shown(part)}").means(Verdict.DENY), _server_name(part)
        if name:
            yield given.restricts(f"Mcp({name}.*)", "Mcp")
        else:
            yield given.widened("Mcp", "Mcp", "a server that is not denied by its name")
    only = at(settings, "allowedMcpServers")
    if only is not None:
        yield _only_servers(entry(only, "allowedMcpServers").means(Verdict.DENY), only)


def _server_name(part: Part) -> str:
    """The name of a server that is known by nothing else."""
    return text_of(at(part, "serverName")) if len(part.children) == 1 else ""


def _only_servers(given: Entry, only: Part) -> Imported:
    """Claude Code starts only these servers: the tools of all others are denied."""
    names = [_server_name(part) for part in items(only)]
    if only.kind == "list" and all(map(NAME.fullmatch, names)):
        unless = tuple(dict.fromkeys(f"Mcp({name}.*)" for name in names))
        return given.restricts("Mcp(*.*)" if unless else "Mcp", "Mcp", unless=unless)
    return given.widened("Mcp", "Mcp", "Claude Code starts only the servers named there, and not all have a name")


def _sandbox(sandbox: Part | None) -> Iterator[Imported]:
    """What a sandbox of Claude Code keeps out is a deny here; what it lets through asks, or is free anyway."""
    for name, tool in (("denyRead", "Read"), ("denyWrite", "Write")):
        for part in items(at(sandbox, "filesystem", name)):
            given, text = entry(part, f"sandbox.filesystem.{name} {shown(part)}"), text_of(part)
            pattern = text if text.startswith(("/", "~/")) else f"**/{text.removeprefix('./')}"
            yield restricted_ignore(given.means(Verdict.DENY), tool, pattern) if text else given.left_out(NO_TEXT)
    for part in items(at(sandbox, "network", "deniedDomains")):
        given = entry(part, f"sandbox.network.deniedDomains {shown(part)}")
        yield _fetch(given.means(Verdict.DENY), f"domain:{text_of(part)}") if text_of(part) else given.left_out(NO_TEXT)
    taken = (at(sandbox, "filesystem", "denyRead"), at(sandbox, "filesystem", "denyWrite"))
    yield from _rest(sandbox, (*taken, at(sandbox, "network", "deniedDomains")))


def _rest(part: Part | None, taken: Sequence[Part | None]) -> Iterator[Imported]:
    if part is None or any(part is one for one in taken):
        return
    if part.kind == "object" and part.children:
        for _, child in members(part):
            yield from _rest(child, taken)
    else:
        yield named_entry(part).left_out("about Claude Code's sandbox; `assent sandbox` has its own settings")


def _mode(given: Entry, mode: str) -> Imported:
    if mode == "default":
        return given.holds("Assent's own")
    if mode == "plan":
        return given.sets("mode", "plan")
    if mode == "acceptEdits":
        return given.allows("Write(./**)", MODES[mode])
    return given.left_out(MODES.get(mode, "no mode of Assent"))


def _rule(given: Entry, text: str, place: Place) -> tuple[Imported, ...]:
    tool, bracket, body = text.partition("(")
    body = body.removesuffix(")") if bracket else ""
    if not text or (bracket and not text.endswith(")")):
        return (_unreadable(given, tool),)
    if body.strip() in ("", "*", "**") and not tool.startswith("mcp__"):
        return (_bare(given, tool),)
    if tool in SHELLS:
        return (_allowed(given, body),) if given.meant == Verdict.ALLOW else restricted(given, body)
    if tool in (*READS, *EDITS, *LOOKS):
        return _path(given, tool, body, place)
    for names, reads in ((("WebFetch",), _fetch), (("Agent", "Task"), _agent), (SKILLS, _skill)):
        if tool in names:
            return (reads(given, body),)
    return (_mcp(given, text) if tool.startswith("mcp__") else _other(given, tool),)


def _allowed(given: Entry, body: str) -> Imported:
    """`:*` is ` *`. Behind another wildcard that takes one more word, as ` *` does; a deny does not insist on it."""
    spaced = f"{body[:-2]} *" if body.endswith(":*") else body
    return allowed(given, read_command(spaced, colon=False))


def _unreadable(given: Entry, tool: str) -> Imported:
    """A bracket without its end: about the whole tool, if it begins with the name of one."""
    name = re.match(r"\w*", tool.strip())
    if given.meant == Verdict.ALLOW or not name or not name[0]:
        return given.says_nothing("not a rule, neither for Claude Code")
    return given.widened(_whole(name[0]), "Tool", "a bracket is missing")


def _whole(tool: str) -> str:
    names = (
        dict.fromkeys(SHELLS, "Bash")
        | dict.fromkeys(("Agent", "Task"), "Agent")
        | {"WebFetch": "WebFetch", "Skill": "Skill"}
    )
    return names.get(tool, f"Tool({tool})")


def _bare(given: Entry, tool: str) -> Imported:
    if given.meant != Verdict.ALLOW:
        return given.restricts(_whole(tool), "Tool")
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
    return _other(given, tool, bare=True)


def _path(given: Entry, tool: str, body: str, place: Place) -> tuple[Imported, ...]:
    ours = "Read" if tool in READS else "Write" if tool in EDITS else tool
    if given.meant != Verdict.ALLOW:
        if body.startswith("/") and not body.startswith("//") and place.scope != "project":
            return tuple(_anyhow(given, ours, body))
        return (restricted_ignore(given, ours, _rooted(body)),)
    if tool not in ("Read", "Edit"):
        return (given.left_out("Claude Code documents only `Read(…)` and `Edit(…)` for paths"),)
    certain = place.scope == "project" or body.startswith("//") or not body.startswith("/")
    return (allowed_path(given, ours, from_ignore(_rooted(body)) if certain else None),)


def _rooted(body: str) -> str:
    """`//x` is from the root, `/x` from the project, which only settings of a project make certain."""
    if body.startswith("//"):
        return body[1:]
    return f"./{body.lstrip('/')}" if body.startswith("/") else body


def _anyhow(given: Entry, tool: str, body: str) -> Iterator[Imported]:
    """`/x` in your own settings: from the project, beside the settings, or, as many people mean it, from the root."""
    for root in (".", "~/.claude", ""):
        made = restricted_ignore(given, tool, f"{root}{body}")
        yield made if made.note else made.noted(SLASH)


def _fetch(given: Entry, body: str) -> Imported:
    if not body.startswith("domain:"):
        known = given.meant == Verdict.ALLOW
        return given.left_out("no `domain:`") if known else given.widened("WebFetch", "WebFetch", "no `domain:`")
    if given.meant == Verdict.ALLOW:
        return given.allows(f"WebFetch({body})")
    wider = "the host itself as well" if body.startswith("domain:*.") else ""
    return given.restricts(f"WebFetch({body.replace('domain:*.', 'domain:')})", "WebFetch", wider)


def _agent(given: Entry, body: str) -> Imported:
    text = f"Agent({body})"
    return given.allows(text) if given.meant == Verdict.ALLOW else given.restricts(text, "Agent")


def _skill(given: Entry, body: str) -> Imported:
    """`Skill(name)`, and `Skill(name *)` with any arguments; `SlashCommand(/name:*)` is the older form."""
    name, _, rest = body.removeprefix("/").removesuffix(":*").partition(" ")
    text, any_arguments = f"Skill({name})", rest == "*" or body.endswith(":*")
    if given.meant == Verdict.ALLOW:
        return (
            given.allows(text)
            if any_arguments
            else given.left_out(f"an allow of Assent, `{text}`, takes any arguments")
        )
    if rest in ("", "*"):
        return given.restricts(text, "Skill", "" if any_arguments else "with any arguments")
    return given.widened(text, "Skill", "conditions on arguments")


def _mcp(given: Entry, text: str) -> Imported:
    """`mcp__server__tool`; a name with arguments in brackets is a rule on the tool without them."""
    name, bracket, _ = text.partition("(")
    server, _, tool = name[len("mcp__") :].partition("__")
    rule = f"Mcp({server}.{tool or '*'})"
    if given.meant != Verdict.ALLOW:
        return given.widened(rule, "Mcp", "conditions on arguments") if bracket else given.restricts(rule, "Mcp")
    if bracket or "*" in server or any(sign in server + tool for sign in "?[{."):
        return given.left_out("not one server or one tool")
    return given.allows(rule)


def _other(given: Entry, tool: str, *, bare: bool = False) -> Imported:
    """Tools that Assent has no rules for; a deny is about the whole tool, then."""
    if given.meant == Verdict.ALLOW:
        return given.allows(f"Tool({tool})") if bare and tool.isidentifier() else given.left_out("unknown to Assent")
    return given.widened(f"Tool({tool})", "Tool", "Assent does not know what stands in the brackets")
