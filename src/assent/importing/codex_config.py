"""Codex's config.toml: what it says about asking, its sandbox, MCP servers, apps and named permissions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assent.importing.document import File, Part, at, items, members, read_settings, shown, text_of, texts_of
from assent.importing.imported import Entry, Imported, Ranked, entry, named_entry, only_tools, with_exceptions
from assent.importing.paths import from_ignore, restricted_path
from assent.types import Verdict

FREE = ("on-request", "on-failure", "never")
LAYERED = ("profile", "permissions", "default_permissions")
ROOTS = "sandbox_workspace_write"
STARTS = "how the server is started; what its tools do asks here"
STARTED = frozenset(
    """command args env env_vars cwd url bearer_token_env_var http_headers env_http_headers startup_timeout_sec
    startup_timeout_ms tool_timeout_sec scopes oauth_resource required""".split()
)
LEFT = {
    "profile": "settings of that profile count as well, and which of them is not imported",
    "default_permissions": "it names the permissions that count",
    "projects": "which folders Codex trusts; Assent asks with `assent policy trust`",
    "hooks": "programs of yours that Codex keeps running; they are no rules",
    "shell_environment_policy": "which variables commands see; Assent's sandbox has its own settings",
    "allow_login_shell": "how commands are started",
    "approvals_reviewer": "who answers Codex's questions; Assent has its own channels",
    "plugins": "plugins; what their tools do asks here",
    "skills": "skills; what they do asks here",
}
INERT = frozenset(
    """model model_provider model_providers model_reasoning_effort model_reasoning_summary model_verbosity personality
    model_context_window model_auto_compact_token_limit model_supports_reasoning_summaries review_model tui history
    notify notice file_opener hide_agent_reasoning show_raw_agent_reasoning disable_response_storage otel analytics
    project_doc_max_bytes project_doc_fallback_filenames preferred_auth_method forced_login_method log_dir feedback
    check_for_update_on_startup disable_paste_burst cli_auth_credentials_store mcp_oauth_credentials_store service_tier
    chatgpt_base_url instructions developer_instructions model_instructions_file compact_prompt
    plan_mode_reasoning_effort project_root_markers sqlite_home suppress_unstable_features_warning""".split()
)
NO_RULE = "not about what an agent may do"
APPS = "codex_apps"
PROJECTS = (":project_roots", ":workspace_roots", ":cwd")
NOT_ALWAYS = "in force only if these permissions are chosen"


def read_config(file: File) -> Iterator[Imported]:
    data = read_settings(file)
    yield from _asking(data)
    for name, part in members(at(data, "mcp_servers")):
        yield from _server(name, part)
    for name, part in members(at(data, "apps")):
        yield from _app(name, part)
    for name, part in members(at(data, "permissions")):
        yield from _permissions(name, part, in_force=text_of(at(data, "default_permissions")) in ("", name))
    for name, part in members(at(data, "profiles")):
        yield from _profile(name, part)
    yield from _tools(data)
    for name, part in members(data):
        if name in LEFT:
            yield (entry(part, name) if part.children else named_entry(part)).left_out(LEFT[name])
    inert = [part for name, part in members(data) if name in INERT]
    if inert:
        yield entry(inert[0], ", ".join(part.name for part in inert), inert).left_out(NO_RULE)


def _leaves(part: Part) -> Iterator[Part]:
    if part.kind == "object" and part.children:
        for child in part.children:
            yield from _leaves(child)
    else:
        yield part


def _profile(name: str, table: Part) -> Iterator[Imported]:
    """Settings that count with `--profile`: what they forbid is forbidden always, the rest is left out."""
    only = f"it counts only with `--profile {name}`"
    found = [*_tools(table), *(one for key, part in members(at(table, "mcp_servers")) for one in _server(key, part))]
    strict = [one for one in found if one.rule is not None and one.rule.verdict > Verdict.ALLOW]
    yield from (one.made_wider(only) for one in strict)
    taken = {keys for one in strict for keys in one.keys}
    for part in _leaves(table):
        if taken.isdisjoint(part.leaves):
            yield named_entry(part).left_out(only)


# --- asking and the sandbox ----------------------------------------------------------------------------------------


def _asking(data: Part) -> Iterator[Imported]:
    layered = [name for name in LAYERED if at(data, name) is not None]
    policy, sandbox = at(data, "approval_policy"), at(data, "sandbox_mode")
    asks, mode = text_of(policy) if policy else "on-request", text_of(sandbox)
    for part in (policy, sandbox):
        if part is not None:
            given = named_entry(part)
            if layered:
                yield given.left_out(f"`{layered[0]}` may change it")
            else:
                yield _approval(given, asks, mode) if part is policy else _sandbox(given, asks, mode)
    free = mode == "workspace-write" and asks in FREE and not layered
    yield from _roots(at(data, ROOTS), free=free)


def _approval(given: Entry, asks: str, sandbox: str) -> Imported:
    if asks == "never" and sandbox == "read-only":
        return given.holds("see `sandbox_mode`")
    if asks == "never":
        return given.left_out("what nobody is asked about in Codex asks with Assent")
    if asks in (*FREE, "untrusted"):
        return given.holds("Assent asks about everything that no rule allows")
    return given.left_out("Assent asks about everything that no rule allows")


def _sandbox(given: Entry, asks: str, sandbox: str) -> Imported:
    if sandbox == "read-only" and asks == "never":
        return given.sets("mode", "plan")
    if sandbox == "workspace-write" and asks in FREE:
        return given.means(Verdict.ALLOW).sets(
            "extends", "workspace", "commands that only the sandbox holds ask, and so does .git"
        )
    if sandbox == "read-only":
        return given.left_out("writing asks anyway")
    return given.left_out("no preset of Assent is as wide")


def _roots(table: Part | None, *, free: bool) -> Iterator[Imported]:
    for part in items(at(table, "writable_roots")):
        root, given = text_of(part), entry(part, f"writable_roots {shown(part)}")
        if not free:
            yield given.left_out("without the sandbox `workspace-write` in force it says nothing; writing there asks")
        elif not root.startswith("/") or not root.strip("/") or any(sign in root for sign in "*?[]{}\\"):
            yield given.left_out("no folder that a rule could name")
        else:
            yield given.allows(f"Write({root.rstrip('/')}/**)", "writing is free there, deleting asks")
    network = at(table, "network_access")
    if network is not None and isinstance(network.value, bool):
        given = named_entry(network)
        yield given.left_out("every host: name the hosts that you mean") if network.value else given.holds("it asks")
    for name in ("exclude_slash_tmp", "exclude_tmpdir_env_var"):
        excluded = at(table, name)
        if excluded is not None and isinstance(excluded.value, bool):
            yield named_entry(excluded).holds("no rule is made for temporary folders")


# --- MCP servers and apps ------------------------------------------------------------------------------------------


def _server(name: str, table: Part) -> Iterator[Imported]:
    """Modes of single tools are stronger than the server's; what is disabled stays so."""
    enabled = at(table, "enabled")
    if enabled is not None and isinstance(enabled.value, bool):
        given = named_entry(enabled)
        yield given.left_out(STARTS) if enabled.value else given.denies(_all(name), "Mcp")
    for part in items(at(table, "disabled_tools")):
        given = entry(part, f"mcp_servers.{name}.disabled_tools {shown(part)}")
        known = f"Mcp({name}.{text_of(part)})" if text_of(part) else _all(name)
        yield given.denies(known, "Mcp")
    only = at(table, "enabled_tools")
    if only is not None:
        yield only_tools(entry(only, f"mcp_servers.{name}.enabled_tools"), name, texts_of(only))
    modes = [(at(table, "default_tools_approval_mode"), "*", 0)]
    modes += [(at(tool, "approval_mode"), known, 1) for known, tool in members(at(table, "tools"))]
    ranked = [
        Ranked(float(rank), _approval_mode(named_entry(part), f"Mcp({name}.{known})", part))
        for part, known, rank in modes
        if part is not None and part.kind == "scalar"
    ]
    yield from with_exceptions(ranked)
    inert = [part for key, part in members(table) if key in STARTED]
    if inert:
        yield entry(inert[0], f"mcp_servers.{name}", inert).left_out(STARTS)


def _all(server: str) -> str:
    return f"Mcp({server}.*)"


def _approval_mode(given: Entry, rule: str, part: Part) -> Imported:
    match part.value:
        case "prompt":
            return given.asks(rule, "Mcp")
        case "auto" | "writes":
            return given.left_out("Codex asks about some calls; Assent asks about all of them")
        case "approve":
            return given.left_out(f"Codex lets it run: write `{rule}` into `allow` if you want that for every agent")
        case _:
            return given.denies(rule, "Mcp", "a mode that Assent does not know, so it may forbid")


def _app(name: str, table: Part) -> Iterator[Imported]:
    """Apps are tools of one server; which of its tools belong to an app shows only in the beginning of their names."""
    rule = f"Mcp({APPS}.*)" if name == "_default" else f"Mcp({APPS}.{name}*)"
    for part in _leaves(table):
        given = named_entry(part)
        last = part.keys[-1]
        if last == "enabled" and part.value is False and len(part.keys) == 3:
            yield given.denies(rule, "Mcp")
        elif part.value is False or part.value == "prompt":
            yield given.means(_switched(part)).widened(rule, "Mcp", "about some of its tools")
        elif part.value is True or part.value in ("auto", "approve", "writes"):
            yield given.left_out("Codex lets it run; what an app does asks here")


def _switched(part: Part) -> Verdict:
    return Verdict.ASK if part.value == "prompt" else Verdict.DENY


def _tools(data: Part) -> Iterator[Imported]:
    """Tools that are switched off are denied; those that are switched on ask, as all others."""
    switches = [(at(data, "web_search"), "WebSearch"), (at(data, "tools", "web_search"), "WebSearch")]
    switches += [(part, FEATURES.get(name, "")) for name, part in members(at(data, "features"))]
    for part, rule in switches:
        if part is None or (part.kind != "scalar" and "features" in part.keys):
            continue
        given = entry(part, part.name) if part.children else named_entry(part)
        if part.value in (False, "disabled") and rule:
            yield given.denies(rule, "Tool")
        elif part.value is False:
            yield given.left_out("a part of Codex that is switched off; no rule names it")
        else:
            yield given.left_out("a part of Codex that is switched on; what it does asks here")


FEATURES = {
    "shell_tool": "Bash",
    "unified_exec": "",
    "web_search": "WebSearch",
    "web_search_request": "WebSearch",
    "web_search_cached": "WebSearch",
    "apps": f"Mcp({APPS}.*)",
    "connectors": f"Mcp({APPS}.*)",
    "multi_agent": "Agent",
    "collab": "Agent",
}


# --- named permissions ---------------------------------------------------------------------------------------------


def _permissions(name: str, table: Part, *, in_force: bool) -> Iterator[Imported]:
    """A table of paths and hosts. What it forbids is denied, also where another one is in force by default."""
    found = [*_filesystem(at(table, "filesystem"))]
    for host, part in members(at(table, "network", "domains")):
        if part.kind == "scalar":
            found.append(_domain(named_entry(part), host, part.value))
    yield from found if in_force else (one.made_wider(NOT_ALWAYS) if one.rule else one for one in found)
    for other in (at(table, "network", "enabled"), at(table, "extends"), at(table, "description")):
        if other is not None and other.kind == "scalar":
            yield named_entry(other).left_out(f"Codex's sandbox under the permissions `{name}`; Assent asks anyway")


def _filesystem(table: Part | None) -> Iterator[Imported]:
    rows = [
        (f"{path}/{below}" if below != "." else path, access)
        for path, part in members(table)
        for below, access in members(part)
    ]
    rows += list(members(table))
    open_to = {path: access.value for path, access in rows if path in PROJECTS}
    for path, access in rows:
        yield from _access(access, path, open_to)


def _access(part: Part, path: str, open_to: Mapping[str, object]) -> Iterator[Imported]:
    given = named_entry(part)
    if part.kind != "scalar" or isinstance(part.value, int):
        return
    if part.value == "write":
        yield given.left_out("writing is free in Codex's sandbox; with Assent, write an allow of your own")
        return
    pattern = _pattern(path)
    if part.value == "read" and pattern is None:
        yield given.left_out("reading is free in Codex's sandbox; with Assent, write an allow of your own")
        return
    if part.value == "read":
        yield restricted_path(given.means(Verdict.ASK), "Write", pattern).noted("not to be written, so writing asks")
        return
    for tool, enough in (("Read", ("read", "write")), ("Write", ("write",))):
        yield _closed(given.means(Verdict.DENY), tool, path, spares=any(open_to.get(one) in enough for one in PROJECTS))


def _closed(given: Entry, tool: str, path: str, *, spares: bool) -> Imported:
    """A folder that is closed; of the whole disk, the project is spared if it has an access of its own."""
    if path in (":root", "/") and spares:
        return given.restricts(f"{tool}(/**)", tool, unless=(f"{tool}(./**)",))
    return restricted_path(given, tool, "/**" if path in (":root", "/") else _pattern(path))


def _pattern(path: str) -> str | None:
    for name in PROJECTS:
        if path == name or path.startswith(f"{name}/"):
            return from_ignore(f"./{path[len(name) :].strip('/') or '**'}")
    if path == ":slash_tmp" or path.startswith(":slash_tmp/"):
        return f"/tmp{path[len(':slash_tmp') :]}"  # noqa: S108 - a pattern
    if path.startswith(("/", "~/")) and path.strip("~/"):
        return from_ignore(path.rstrip("/"))
    return None


def _domain(given: Entry, host: str, value: object) -> Imported:
    if value == "allow":
        return given.left_out("hosts of Codex's sandbox: write `WebFetch(domain:…)` into `allow` if you want that")
    bare = re.sub(r"^\*+\.", "", host)
    if host == "*":
        return given.denies("WebFetch", "WebFetch")
    if "*" in bare or not bare:
        return given.means(Verdict.DENY).widened("WebFetch", "WebFetch", "a wildcard that Assent does not have")
    return given.denies(f"WebFetch(domain:{bare})", "WebFetch", "" if bare == host else "the host, too")
