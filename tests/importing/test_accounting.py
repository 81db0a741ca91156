"""Every value of a file stands in exactly one line of the report, whatever the file holds; and no verdict is looser."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.importing import claude_code, codex, gemini, opencode
from assent.importing.account import read_document
from assent.importing.document import File
from assent.importing.imported import Reader
from import_scene import Imports, as_text

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
VERDICTS = ("allow", "ask", "deny")

NAMES: dict[Reader, str] = {
    claude_code: """permissions deny ask allow defaultMode additionalDirectories disableBypassPermissionsMode sandbox
    filesystem denyRead denyWrite network deniedDomains allowedDomains hooks env model allowedTools disallowedTools
    ignorePatterns disabledMcpjsonServers enableAllProjectMcpServers deniedMcpServers serverName allowedMcpServers
    odd""",
    codex: """mcp_servers gh tools list enabled disabled_tools enabled_tools default_tools_approval_mode approval_mode
    permissions work filesystem /etc :root :project_roots . network domains evil.com web_search apps _default features
    shell_tool profiles profile approval_policy sandbox_mode sandbox_workspace_write writable_roots network_access
    default_permissions model command env odd""",
    gemini: """mcpServers gh trust includeTools excludeTools mcp allowed excluded admin enabled config security auth
    disableYoloMode autoAccept includeDirectories context general defaultApprovalMode tools core exclude
    confirmationRequired allowedTools hooks model ui command env odd""",
    opencode: """permission bash edit read git* *.env mymcp_* mymcp_get external_directory skill doom_loop webfetch
    agent build plan mode tools mcp gone enabled disable command model plugin odd *""",
}
TEXTS = """allow ask deny none read write prompt approve disable plan default never workspace-write list git* Bash(
Bash(rm:*) Read(.env) Bash(git|sh) write_file run_shell_command(git) mcp__gh__list /etc ~/x ./y *.example.com
disabled gh""".split()
AGENTS: dict[Reader, str] = {
    claude_code: "settings.json",
    codex: "config.toml",
    gemini: "settings.json",
    opencode: "o.json",
}
READERS = pytest.mark.parametrize("reader", AGENTS, ids=lambda reader: reader.__name__.rpartition(".")[2])
LEAST = {"allow": 0, "ask": 1, "deny": 2}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Imports:
    return Imports(tmp_path_factory.mktemp("accounts"))


def documents(reader: Reader) -> st.SearchStrategy[dict[str, object]]:
    names = st.sampled_from(NAMES[reader].split())
    plain = st.one_of(st.sampled_from(TEXTS), st.booleans(), st.integers(0, 9))
    inner = st.recursive(
        plain,
        lambda child: st.one_of(st.lists(child, max_size=3), st.dictionaries(names, child, max_size=4)),
        max_leaves=8,
    )
    return st.dictionaries(names, inner, max_size=5)


def as_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(map(as_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def written(reader: Reader, document: dict[str, object]) -> str:
    if reader is not codex:
        return json.dumps(document)
    return "".join(f"{json.dumps(key)} = {as_toml(value)}\n" for key, value in document.items())


def accounted(here: Imports, reader: Reader, text: str, name: str) -> None:
    whole = read_document(File(f"/settings/{name}", name, text))
    leaves = [keys for keys in whole.leaves if keys]
    told = Counter(keys for line in here.lines(reader, text, name) for keys in line.keys)
    assert told == Counter(leaves)
    here.policy(reader, text, name)


@READERS
@FEW
@given(st.data())
def test_every_value_stands_in_one_line(here: Imports, reader: Reader, data: st.DataObject) -> None:
    accounted(here, reader, written(reader, data.draw(documents(reader))), AGENTS[reader])


fields = "toolName mcpName commandPrefix commandRegex argsPattern decision priority modes subagent odd".split()
rows = st.dictionaries(
    st.sampled_from(fields),
    st.one_of(
        st.sampled_from(TEXTS), st.integers(0, 9), st.lists(st.one_of(st.sampled_from(TEXTS), st.integers(0, 9)))
    ),
    max_size=6,
)


@FEW
@given(st.dictionaries(st.sampled_from(("rule", "other", "safety_checker")), st.lists(rows, max_size=3)))
def test_every_field_of_a_policy_of_gemini_stands_in_one_line(here: Imports, tables: dict[str, object]) -> None:
    accounted(here, gemini, written(codex, tables), "policies.toml")


STATEMENTS = (
    'prefix_rule(pattern=["git", ["a", "b"]], decision="forbidden")',
    'host_executable(name="git", paths=["/usr/bin/git"])',
    'network_rule(host="x.example", protocol="https", decision="deny")',
    '"a comment"',
    "x = 1",
    "prefix_rule(5)",
)


@FEW
@given(st.lists(st.sampled_from(STATEMENTS), max_size=5))
def test_every_statement_of_codex_stands_in_one_line(here: Imports, statements: list[str]) -> None:
    accounted(here, codex, "\n".join(statements), "default.rules")


@READERS
def test_what_nobody_reads_is_not_known(here: Imports, reader: Reader) -> None:
    text = written(reader, {"brandNew": {"deep": ["a", "b"], "on": True}})
    told = [(line.text, line.fate, line.note) for line in here.lines(reader, text, AGENTS[reader])]
    assert told == [
        ('brandNew.deep = ["a", "b"]', "not known", "nothing taken"),
        ("brandNew.on = true", "not known", "nothing taken"),
    ]


@READERS
def test_a_report_shows_no_secret(here: Imports, reader: Reader) -> None:
    secret = "hunter2-" + "a1B2" * 6
    held: dict[str, object] = {
        "odd": {"apiKey": secret, "env": {"X": secret}, "headers": {"Authorization": f"Bearer {secret}"}}
    }
    assert secret not in repr(here.lines(reader, written(reader, held), AGENTS[reader]))


def test_a_file_that_assent_wrote_is_one_line(here: Imports) -> None:
    (line,) = here.lines(codex, "# Written by `assent export codex`\nprefix_rule(pattern=['a'])\n", "assent.rules")
    assert (line.fate, line.note, line.rules) == ("same", "Assent wrote this file from its own policy", ())


# --- what each of these means at its agent, on calls ---------------------------------------------------------------

Call = tuple[str, dict[str, object], str]
LIST, DROP = "mcp__gh__list", "mcp__gh__drop"
MEANT: list[tuple[Reader, dict[str, object], list[Call]]] = [
    (
        gemini,
        {"mcpServers": {"gh": {"trust": True, "includeTools": ["list"]}}},
        [(LIST, {}, "allow"), (DROP, {}, "deny")],
    ),
    (gemini, {"mcpServers": {"gh": {"trust": True, "excludeTools": ["drop(x)"]}}}, [(DROP, {}, "deny")]),
    (gemini, {"mcp": {"allowed": ["gh"]}}, [(LIST, {}, "ask"), ("mcp__evil__x", {}, "deny")]),
    (gemini, {"admin": {"mcp": {"enabled": False}}}, [(LIST, {}, "deny")]),
    (claude_code, {"permissions": {"deny": ["Bash(git push --force*)"]}}, [
        ("Bash", {"command": "git push --force"}, "deny"),
        ("Bash", {"command": "git push --force-with-lease"}, "deny"),
        ("Bash", {"command": "git push --force origin main"}, "deny"),
    ]),
    (claude_code, {"permissions": {"deny": ["Bash(* | sh)"]}}, [
        ("Bash", {"command": "cat x | sh"}, "deny"),
        ("Bash", {"command": "ls"}, "ask"),
    ]),
    (claude_code, {"permissions": {"deny": ["Write(/etc/**)"]}}, [
        ("Write", {"file_path": "/etc/hosts", "content": ""}, "deny"),
        ("Write", {"file_path": "etc/hosts", "content": ""}, "deny"),
    ]),
    (claude_code, {"disabledMcpjsonServers": ["gh"]}, [(LIST, {}, "deny")]),
    (claude_code, {"deniedMcpServers": [{"serverName": "gh"}]}, [(LIST, {}, "deny")]),
    (claude_code, {"sandbox": {"filesystem": {"denyRead": ["/srv/x"]}, "network": {"deniedDomains": ["evil.com"]}}}, [
        ("Read", {"file_path": "/srv/x/y"}, "deny"),
        ("WebFetch", {"url": "https://evil.com/"}, "deny"),
    ]),
    (codex, {"mcp_servers": {"gh": {"disabled_tools": ["drop"]}}}, [(DROP, {}, "deny")]),
    (codex, {"mcp_servers": {"gh": {"enabled_tools": ["list"]}}}, [(DROP, {}, "deny"), (LIST, {}, "ask")]),
    (codex, {"mcp_servers": {"gh": {"enabled": False}}}, [(LIST, {}, "deny")]),
    (codex, {"mcp_servers": {"gh": {"default_tools_approval_mode": "prompt"}}}, [(LIST, {}, "ask")]),
    (codex, {"mcp_servers": {"gh": {"tools": {"list": {"approval_mode": "prompt"}}}}}, [(LIST, {}, "ask")]),
    (codex, {"permissions": {"w": {"filesystem": {"/etc": "none"}, "network": {"domains": {"evil.com": "deny"}}}}}, [
        ("Read", {"file_path": "/etc/hosts"}, "deny"),
        ("Write", {"file_path": "/etc/hosts", "content": ""}, "deny"),
        ("WebFetch", {"url": "https://evil.com/"}, "deny"),
    ]),
    (codex, {"permissions": {"w": {"filesystem": {":project_roots": {".": "write", "**/*.key": "none"}}}}}, [
        ("Read", {"file_path": "a/b.key"}, "deny"),
    ]),
    (codex, {"web_search": "disabled"}, [("WebSearch", {"query": "x"}, "deny")]),
    (codex, {"features": {"shell_tool": False}}, [("Bash", {"command": "ls"}, "deny")]),
    (codex, {"apps": {"mail": {"enabled": False}}}, [("mcp__codex_apps__mail_send", {}, "deny")]),
    (opencode, {"tools": {"bash": False}}, [("Bash", {"command": "ls"}, "deny")]),
    (opencode, {"agent": {"build": {"tools": {"bash": False}}}}, [("Bash", {"command": "ls"}, "deny")]),
    (opencode, {"mode": {"old": {"tools": {"bash": False}}}}, [("Bash", {"command": "ls"}, "deny")]),
    (opencode, {"mcp": {"gone": {"enabled": False}}}, [("mcp__gone__x", {}, "deny"), ("gone_x", {}, "deny")]),
    (opencode, {"permission": {"mymcp_*": "deny", "mymcp_get": "allow"}}, [
        ("mymcp_get", {}, "allow"),
        ("mymcp_drop", {}, "deny"),
    ]),
    (opencode, {"permission": {"mymcp_get": "allow", "mymcp_*": "deny"}}, [("mymcp_get", {}, "deny")]),
    (opencode, {"permission": {"external_directory": "deny"}}, [
        ("Read", {"file_path": "/srv/x"}, "deny"),
        ("Write", {"file_path": "/srv/x", "content": ""}, "deny"),
        ("Read", {"file_path": "x"}, "allow"),
    ]),
    (opencode, {"permission": {"read": {"/srv/*": "allow"}, "external_directory": "ask"}}, [
        ("Read", {"file_path": "/srv/x"}, "ask"),
    ]),
    (opencode, {"permission": {"webfetch": {"https://evil.com/*": "deny", "https://x.com/a/*": "deny"}}}, [
        ("WebFetch", {"url": "https://evil.com/y"}, "deny"),
        ("WebFetch", {"url": "https://x.com/a/b"}, "deny"),
        ("WebFetch", {"url": "https://x.com/b"}, "ask"),
    ]),
    (opencode, {"permission": {"skill": "deny"}}, [("skill", {"name": "x"}, "deny")]),
    (opencode, {"permission": {"skill": {"x-*": "deny"}}}, [
        ("skill", {"name": "x-y"}, "deny"),
        ("Skill", {"skill": "y"}, "ask"),
    ]),
    (opencode, {"permission": {"*": "deny", "my_get": "allow", "bash": {"git status": "allow"}}}, [
        ("my_drop", {}, "deny"),
        ("deploy", {}, "deny"),
        ("todowrite", {"todos": []}, "deny"),
        ("Skill", {"skill": "x"}, "deny"),
        ("my_get", {}, "allow"),
        ("Bash", {"command": "git status"}, "allow"),
        ("Bash", {"command": "git push"}, "deny"),
    ]),
    (opencode, {"permission": {"my_get": "allow", "*": "ask"}}, [("my_get", {}, "ask")]),
    (opencode, {"agent": {"plan": {"permission": {"bash": {"*": "deny", "git status": "allow"}}}}}, [
        ("Bash", {"command": "git status"}, "allow"),
        ("Bash", {"command": "npm test"}, "deny"),
    ]),
    (opencode, {"agent": {"plan": {"permission": {"bash": {"rm -rf*": "deny"}}}}}, [
        ("Bash", {"command": "rm -rf x"}, "deny"),
    ]),
    (claude_code, {"permissions": {"deny": ["Skill(deploy)"]}}, [
        ("Skill", {"skill": "deploy"}, "deny"),
        ("SlashCommand", {"command": "/deploy prod"}, "deny"),
        ("Skill", {"skill": "review"}, "ask"),
    ]),
    (claude_code, {"allowedMcpServers": [{"serverName": "gh"}]}, [(LIST, {}, "ask"), ("mcp__evil__x", {}, "deny")]),
    (claude_code, {"allowedMcpServers": [{"serverUrl": "https://x"}]}, [(LIST, {}, "deny")]),
    (claude_code, {"deniedMcpServers": [{"serverUrl": "https://x"}]}, [(LIST, {}, "deny")]),
    (codex, {"apps": {"mail": {"destructive_enabled": False}}}, [("mcp__codex_apps__mail_send", {}, "deny")]),
    (codex, {"profiles": {"x": {"features": {"shell_tool": False}}}}, [("Bash", {"command": "ls"}, "deny")]),
    (codex, {"default_permissions": "v", "permissions": {"w": {"filesystem": {"/etc": "none"}}}}, [
        ("Read", {"file_path": "/etc/hosts"}, "deny"),
    ]),
    (codex, {"permissions": {"w": {"filesystem": {":root": "none", ":project_roots": "write"}}}}, [
        ("Read", {"file_path": "/srv/x"}, "deny"),
        ("Read", {"file_path": "x"}, "allow"),
    ]),
    (gemini, {"tools": {"allowed": ["run_shell_command(git status)"]}}, [
        ("Bash", {"command": "git status"}, "allow"),
        ("Bash", {"command": "ls"}, "deny"),
    ]),
    (gemini, {"tools": {"core": ["run_shell_command(git status)", "read_file"]}}, [
        ("Bash", {"command": "git status"}, "allow"),
        ("Bash", {"command": "npm test"}, "deny"),
        (LIST, {}, "deny"),
    ]),
    (gemini, {"admin": {"skills": {"enabled": False}}}, [("activate_skill", {"name": "x"}, "deny")]),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "document", "calls"), MEANT, ids=[json.dumps(row[1])[:60] for row in MEANT])
def test_the_verdict_is_the_one_that_the_agent_meant(
    here: Imports, reader: Reader, document: dict[str, object], calls: list[Call]
) -> None:
    policy = here.policy(reader, written(reader, document), AGENTS[reader])
    said = [(tool, given, here.answer(policy, tool, **given)) for tool, given, _ in calls]
    assert said == calls


SILENT: list[tuple[Reader, dict[str, object], str]] = [
    (gemini, {"security": {"folderTrust": {"enabled": True}}}, "left out"),
    (gemini, {"autoAccept": True}, "left out"),
    (gemini, {"security": {"disableYoloMode": True}}, "same"),
    (gemini, {"includeDirectories": ["/srv/data"]}, "stricter"),
    (claude_code, {"permissions": {"disableBypassPermissionsMode": "disable"}}, "same"),
    (claude_code, {"permissions": {"brandNew": 1}}, "not known"),
    (claude_code, {"allowedTools": ["Bash"]}, "left out"),
    (claude_code, {"sandbox": {"enabled": True}}, "left out"),
    (claude_code, {"enableAllProjectMcpServers": True}, "left out"),
    (claude_code, {"hooks": {"Stop": [{"hooks": []}]}}, "left out"),
    (codex, {"profiles": {"x": {"approval_policy": "never"}}}, "left out"),
    (codex, {"features": {"shiny": True}}, "left out"),
    (codex, {"sandbox_workspace_write": {"writable_roots": ["/srv"]}}, "left out"),
    (codex, {"web_search": "live"}, "left out"),
    (codex, {"mcp_servers": {"gh": {"tools": {"list": {"approval_mode": "approve"}}}}}, "left out"),
]


@pytest.mark.parametrize(("reader", "document", "fate"), SILENT, ids=[json.dumps(row[1])[:60] for row in SILENT])
def test_nothing_is_passed_over_in_silence(
    here: Imports, reader: Reader, document: dict[str, object], fate: str
) -> None:
    (line,) = here.lines(reader, written(reader, document), AGENTS[reader])
    assert (line.fate, bool(line.note)) == (fate, True)


def test_trust_allows_only_the_tools_that_are_included(here: Imports) -> None:
    servers = {"gh": {"trust": True, "includeTools": ["list"]}}
    told = [line.rules for line in here.lines(gemini, json.dumps({"mcpServers": servers}), "settings.json")]
    assert told == [("deny Mcp(gh.*) unless Mcp(gh.list)",), ("allow Mcp(gh.list)",)]


def test_a_deny_of_gemini_in_the_default_mode_stays_one(here: Imports) -> None:
    row = '[[rule]]\ntoolName = "my_tool"\npriority = 1\ndecision = "deny"\nmodes = ["default"]\n'
    (line,) = here.lines(gemini, row, "policies.toml")
    assert (line.rules, line.fate, line.note) == (("deny Tool(my_tool)",), "stricter", "in every mode")


def test_an_outside_deny_of_one_agent_leaves_the_project_alone(here: Imports) -> None:
    held = {"agent": {"build": {"permission": {"external_directory": "deny"}}}}
    policy = here.policy(opencode, json.dumps(held), "opencode.json")
    assert [here.answer(policy, "Read", file_path=path) for path in ("x", "/srv/x")] == ["allow", "deny"]


def test_a_table_of_gemini_that_is_no_rule_is_not_known(here: Imports) -> None:
    (line,) = here.lines(gemini, "[[other]]\ndeny = true\n", "policies.toml")
    assert (line.text, line.fate) == ("other[0].deny = true", "not known")


def test_an_unknown_field_takes_an_allow_of_gemini_and_leaves_a_deny(here: Imports) -> None:
    row = '[[rule]]\ntoolName = "my_tool"\npriority = 1\nbrandNew = 1\ndecision = '
    told = {
        decision: [(line.rules, line.fate) for line in here.lines(gemini, f'{row}"{decision}"\n', "policies.toml")]
        for decision in ("allow", "deny")
    }
    assert told == {
        "allow": [((), "left out"), ((), "not known")],
        "deny": [(("deny Tool(my_tool)",), "same"), ((), "not known")],
    }


# --- MCP servers and texts, at random ------------------------------------------------------------------------------

TOOLS = ("list", "drop", "get")
some_tools = st.none() | st.lists(st.sampled_from(TOOLS), unique=True, max_size=2)


@FEW
@given(st.booleans(), some_tools, some_tools, st.sampled_from(TOOLS))
def test_servers_of_gemini(
    here: Imports, trust: bool, only: list[str] | None, without: list[str] | None, tool: str
) -> None:
    table = {"trust": trust, "includeTools": only, "excludeTools": without}
    held = {key: value for key, value in table.items() if value is not None}
    policy = here.policy(gemini, json.dumps({"mcpServers": {"gh": held}}), "settings.json")
    gone = (only is not None and tool not in only) or tool in (without or ())
    meant = "deny" if gone else "allow" if trust else "ask"
    assert here.answer(policy, f"mcp__gh__{tool}") == meant


@FEW
@given(some_tools, some_tools, st.none() | st.sampled_from(("prompt", "approve", "auto")), st.sampled_from(TOOLS))
def test_servers_of_codex(
    here: Imports, only: list[str] | None, without: list[str] | None, mode: str | None, tool: str
) -> None:
    table = {"enabled_tools": only, "disabled_tools": without, "default_tools_approval_mode": mode}
    held = {key: value for key, value in table.items() if value is not None}
    policy = here.policy(codex, written(codex, {"mcp_servers": {"gh": held}}), "config.toml")
    gone = (only is not None and tool not in only) or tool in (without or ())
    assert here.answer(policy, f"mcp__gh__{tool}") == ("deny" if gone else "ask")


@FEW
@given(st.dictionaries(st.sampled_from(("my_*", "my_get", "my_g*", "my_drop")), st.sampled_from(VERDICTS), max_size=4))
def test_tools_of_opencode(here: Imports, rules: dict[str, str]) -> None:
    policy = here.policy(opencode, json.dumps({"permission": rules}), "opencode.json")
    for tool in ("my_get", "my_drop", "my_gone"):
        said = [
            verdict
            for name, verdict in rules.items()
            if tool == name or (name[-1] == "*" and tool.startswith(name[:-1]))
        ]
        meant = said[-1] if said else "ask"
        assert LEAST[here.answer(policy, tool)] >= LEAST[meant]


DENIED = ("rm -rf*", "git push --force*", "* --hard", "curl * | sh", "npm run x:*", "git -C*", "$X", "mk*fs", "a ~/b *")
LINES = (
    *("rm -rf x", "rm -rfv", "git push --force", "git push --force-with-lease", "git reset --hard", "curl x | sh"),
    *("npm run x", "npm run x y", "git -C x push", "$X", "mkxfs", "mk a fs", "a ~/b c", "a ~/b"),
)


@FEW
@given(st.sampled_from(DENIED), st.sampled_from(LINES), st.booleans())
def test_what_a_text_denied_stays_denied(here: Imports, text: str, line: str, opens: bool) -> None:
    if opens:
        document: dict[str, object] = {"permission": {"bash": {text: "deny"}}}
        policy = here.policy(opencode, json.dumps(document), "opencode.json")
    else:
        policy = here.policy(claude_code, json.dumps({"permissions": {"deny": [f"Bash({text})"]}}), "settings.json")
    if as_text(text, colon=not opens).fullmatch(line):
        assert here.answer(policy, "Bash", command=line) == "deny"
