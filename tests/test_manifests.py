"""A subagent's manifest never gets it a looser mode without a word: starting it asks and says which file wants what."""

from __future__ import annotations

import pytest

from assent import ModeError, ModeRequest, PermissionChecker, PermissionDecision, PermissionMode, PermissionSettings
from assent.manifests import asked_for, front_matter
from assent.testing import FrozenWorld

PROJECT = "/home/dev/shop"
BYPASS = "---\nname: rev\ndescription: reviews\npermissionMode: bypassPermissions\n---\nYou review.\n"


def started(
    files: dict[str, str],
    name: str = "rev",
    *,
    mode: str = "default",
    tool: str = "Task",
    field: str = "subagent_type",
    cwd: str = PROJECT,
    links: dict[str, str] | None = None,
) -> PermissionDecision:
    world = FrozenWorld({f"{PROJECT}/a.py": "", **files}, home="/home/dev", links=links or {})
    settings = PermissionSettings(mode=PermissionMode(mode), allow=["Agent"], workspace=PROJECT)
    checker = PermissionChecker(settings, world=world)
    return checker.evaluate(tool, input={field: name, "prompt": "go", "description": "x"}, cwd=cwd)


def test_a_looser_mode_is_announced_with_its_file_although_agents_are_allowed() -> None:
    decision = started({f"{PROJECT}/.claude/agents/rev.md": BYPASS})
    assert (str(decision.verdict), decision.decided_by) == ("ask", "ask")
    assert decision.reason == (
        "Task asks for another permission mode: rev asks to run in full_auto mode"
        " (.claude/agents/rev.md: permissionMode: bypassPermissions);"
        " its parent is in default mode, so default is the most it can get"
    )


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        (f"{PROJECT}/.claude/agents/deep/er/other.md", BYPASS, "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", BYPASS.replace("name: rev\n", ""), "REV"),
        (f"{PROJECT}/.claude/agents/x.md", BYPASS.replace("name: rev", "name: 'rev'  # mine"), "rev"),
        ("/home/dev/.claude/agents/rev.md", BYPASS, "rev"),
        ("/home/dev/.claude/plugins/cache/market/tools/1.0/agents/rev.md", BYPASS, "tools:rev"),
        (f"{PROJECT}/.claude/agents/rev.md", BYPASS.replace("bypassPermissions", "acceptEdits"), "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", BYPASS.replace("bypassPermissions", '"auto"'), "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", BYPASS.replace("bypassPermissions", "brandNew"), "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", BYPASS.replace("\n---\nYou", "\nYou"), "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", "---\nname: rev\n{permissionMode: bypassPermissions}\n---\n", "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", '---\nname: rev\n"permission\\u004dode": x\n---\n', "rev"),
        (f"{PROJECT}/.claude/agents/rev.md", "---\nname: rev\n? permissionMode\n: bypassPermissions\n---\n", "rev"),
        (f"{PROJECT}/.opencode/agent/rev.md", "---\npermission:\n  edit: deny\n  bash: allow\n---\n", "rev"),
        (f"{PROJECT}/.opencode/agents/rev.md", "---\npermission: {bash: allow}\n---\n", "rev"),
        ("/home/dev/.config/opencode/agent/rev.md", "---\npermission:\n  bash:\n    '*': allow\n---\n", "rev"),
        (f"{PROJECT}/.qwen/agents/rev.md", "---\nname: rev\napprovalMode: yolo\n---\n", "rev"),
        (f"{PROJECT}/.codex/agents/rev.toml", 'name = "rev"\napproval_policy = "never"\n', "rev"),
        (f"{PROJECT}/.codex/agents/rev.toml", 'sandbox_mode = "danger-full-access"\n', "rev"),
        (f"{PROJECT}/.github/agents/rev.agent.md", "---\npermissionMode: bypassPermissions\n---\n", "rev"),
        (f"{PROJECT}/.gemini/agents/rev.md", "---\nname: rev\napproval_mode: yolo\n---\n", "rev"),
    ],
)
def test_it_is_found_wherever_agents_keep_their_manifests(file: str, text: str, name: str) -> None:
    decision = started({file: text}, name)
    assert (str(decision.verdict), decision.decided_by) == ("ask", "ask"), decision.reasons
    assert "asks to run in full_auto mode" in decision.reason
    assert file.rpartition("/")[2] in decision.reason


@pytest.mark.parametrize("tool", ["Task", "Agent", "spawn_agent", "delegate_to_agent", "runSubagent"])
@pytest.mark.parametrize("field", ["subagent_type", "agent_name", "agent"])
def test_it_is_found_whichever_tool_starts_it(tool: str, field: str) -> None:
    assert started({f"{PROJECT}/.claude/agents/rev.md": BYPASS}, tool=tool, field=field).requires_confirmation


def test_a_manifest_of_a_folder_below_and_one_behind_a_link_count() -> None:
    below = started({f"{PROJECT}/web/.claude/agents/rev.md": BYPASS}, cwd=f"{PROJECT}/web/src")
    assert "(web/.claude/agents/rev.md: " in below.reason
    linked = started(
        {f"{PROJECT}/hidden.txt": BYPASS}, links={f"{PROJECT}/.claude/agents/rev.md": f"{PROJECT}/hidden.txt"}
    )
    assert linked.requires_confirmation


@pytest.mark.parametrize("asked", ["plan", "default", "dontAsk"])
def test_a_mode_that_is_not_looser_is_told_and_asks_nobody(asked: str) -> None:
    decision = started({f"{PROJECT}/.claude/agents/rev.md": BYPASS.replace("bypassPermissions", asked)})
    assert decision.allowed
    assert any(f"permissionMode: {asked}" in effect.target for effect in decision.effects)


def test_who_runs_in_full_auto_already_is_not_asked_for_it() -> None:
    assert started({f"{PROJECT}/.claude/agents/rev.md": BYPASS}, mode="full_auto").allowed


def test_in_plan_mode_the_default_mode_is_looser() -> None:
    files = {f"{PROJECT}/.claude/agents/rev.md": BYPASS.replace("bypassPermissions", "default")}
    assert started(files, mode="plan").requires_confirmation


@pytest.mark.parametrize(
    "files",
    [
        {},
        {f"{PROJECT}/.claude/agents/other.md": BYPASS.replace("rev", "other")},
        {f"{PROJECT}/.claude/agents/rev.md": "---\nname: rev\ntools: Read\n---\nNever set permissionMode: x.\n"},
        {f"{PROJECT}/.claude/agents/rev.md": "permissionMode: bypassPermissions\n"},
        {f"{PROJECT}/docs/rev.md": BYPASS},
        {f"{PROJECT}/.opencode/agent/rev.md": "---\nmode: subagent\npermission:\n  edit: deny\n---\n"},
    ],
)
def test_where_nothing_is_asked_for_nobody_is_asked(files: dict[str, str]) -> None:
    assert started(files).allowed


def test_a_manifest_that_cannot_be_read_counts_as_the_loosest() -> None:
    linked = started({}, links={f"{PROJECT}/.claude/agents/rev.md": f"{PROJECT}/nowhere"})
    assert linked.requires_confirmation
    assert "a mode that cannot be read" in linked.reason


def test_many_manifests_are_looked_through_and_then_no_more() -> None:
    files = {f"{PROJECT}/.claude/agents/a{n}.md": BYPASS.replace("rev", f"a{n}") for n in range(300)}
    assert started(files, "a299").requires_confirmation


def test_front_matter_is_what_stands_between_the_dashes() -> None:
    assert front_matter("---\na: 1\n---\nb: 2") == "a: 1"
    assert front_matter("a: 1") == ""
    assert asked_for("permissionMode: plan") == ("permissionMode: plan", "plan")


def test_a_request_says_who_wants_what_and_is_never_granted_silently() -> None:
    request = ModeRequest("rev", PermissionMode.FULL_AUTO, PermissionMode.PLAN, source="a.md", asked="yolo: true")
    assert request.announcement == (
        "rev asks to run in full_auto mode (a.md: yolo: true);"
        " its parent is in plan mode, so plan is the most it can get"
    )
    assert request.activate(announced_to="ann") is PermissionMode.PLAN
    with pytest.raises(ModeError):
        request.activate(announced_to="")
