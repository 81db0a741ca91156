"""Section 2: settings, the checker, and the records it answers with."""

from __future__ import annotations

import dataclasses
import fnmatch
from typing import Any

import pytest

from assent import (
    SENSITIVE_PATH_PATTERNS,
    ApprovalResult,
    HarnessConfig,
    PathRuleConfig,
    PermissionAuditEntry,
    PermissionChecker,
    PermissionContext,
    PermissionDecision,
    PermissionMode,
    PermissionSettings,
    Verdict,
)
from assent.testing import FrozenWorld
from seeds import test_seed_004
from spec.spec_scene import FILES, HOME, MODES, PROJECT, checker, evaluate, verdict

# --- the answer ----------------------------------------------------------------------------------------------------


def test_allowed_asked_or_blocked() -> None:
    """A decision is run now, ask first, or blocked with a reason; never two of them at once."""
    subject = checker(denied_tools=["web_fetch"])
    for tool, facts, wanted in (
        ("read_file", {"file_path": "readme.md"}, (True, False)),
        ("write_file", {"file_path": "a.txt"}, (False, True)),
        ("web_fetch", {}, (False, False)),
    ):
        decision = evaluate(subject, tool, **facts)
        assert (decision.allowed, decision.requires_confirmation) == wanted
        assert decision.reason


@pytest.mark.parametrize(
    ("given", "verdict_is"),
    [
        ({"allowed": True, "requires_confirmation": False, "reason": "r"}, Verdict.ALLOW),
        ({"allowed": False, "requires_confirmation": True, "reason": "r"}, Verdict.ASK),
        ({"allowed": False, "requires_confirmation": False, "reason": "r"}, Verdict.DENY),
    ],
)
def test_a_program_makes_decisions_by_keyword(given: dict[str, Any], verdict_is: Verdict) -> None:
    """Both booleans derive from one ordered verdict, also in a decision that a program made."""
    decision = PermissionDecision(**given)
    assert (decision.verdict, decision.allowed, decision.requires_confirmation, decision.reason) == (
        verdict_is,
        given["allowed"],
        given["requires_confirmation"],
        "r",
    )
    assert {name: dataclasses.asdict(decision)[name] for name in given} == given


def test_an_impossible_decision_cannot_be_made() -> None:
    """Allowed and asked about at the same time raises, however it is said."""
    with pytest.raises(ValueError, match="never both"):
        PermissionDecision(allowed=True, requires_confirmation=True, reason="r")
    asked = PermissionDecision(allowed=False, requires_confirmation=True, reason="r")
    with pytest.raises(ValueError, match="never both"):
        dataclasses.replace(asked, allowed=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        PermissionDecision(reason="r")  # type: ignore[call-overload]


def test_changing_a_decision_keeps_the_rest() -> None:
    """`dataclasses.replace` changes one thing about a decision that the checker made, and nothing else."""
    made = evaluate(checker(), "exec", command="rm -rf build; ls")
    other = dataclasses.replace(made, reason="because")  # type: ignore[call-arg]
    assert (other.reason, other.verdict, other.effects) == ("because", made.verdict, made.effects)
    loosened = dataclasses.replace(made, allowed=True, requires_confirmation=False)  # type: ignore[call-arg]
    assert (loosened.verdict, loosened.effects) == (Verdict.ALLOW, made.effects)
    assert dataclasses.replace(made) == made


@pytest.mark.parametrize(
    ("record", "names"),
    [
        (PermissionDecision(allowed=True), {"allowed", "requires_confirmation", "reason"}),
        (ApprovalResult(approved=True, request_id="r", reason=""), {"approved", "request_id", "reason"}),
        (
            PermissionAuditEntry("r", 1.0, "bash", approved=False, reason="", timeout=True),
            {"request_id", "timestamp", "tool_name", "approved", "reason", "timeout"},
        ),
        (
            PermissionSettings(),
            {"mode", "allowed_tools", "denied_tools", "path_rules", "denied_commands"},
        ),
        (PathRuleConfig("*", allow=True), {"pattern", "allow"}),
        (PermissionContext(PermissionMode.PLAN), {"mode", "consecutive_denials", "total_denials"}),
        (HarnessConfig(), {"permissions"}),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, set) else "",
)
def test_public_records_are_dataclasses_to_their_users(record: Any, names: set[str]) -> None:
    """Every public record works with `is_dataclass`, `fields`, `asdict` and `replace`."""
    assert names <= {field.name for field in dataclasses.fields(record)}
    assert names <= set(dataclasses.asdict(record))
    assert dataclasses.replace(record) == record
    assert dataclasses.is_dataclass(record)


@pytest.mark.parametrize(
    ("settings", "tool", "facts", "words"),
    [
        ({"denied_tools": ["exec"]}, "exec", {"command": "ls"}, "exec is explicitly denied"),
        (
            {},
            "read_file",
            {"file_path": f"{HOME}/.ssh/id_rsa"},
            f"Access denied: {HOME}/.ssh/id_rsa is a sensitive credential path",
        ),
        (
            {"path_rules": [PathRuleConfig("**/*.csv", allow=False)]},
            "read_file",
            {"file_path": "/srv/data.csv"},
            "/srv/data.csv matches deny rule: **/*.csv",
        ),
    ],
)
def test_wording_that_callers_test_for(settings: dict[str, Any], tool: str, facts: dict[str, Any], words: str) -> None:
    """Denied tools, credentials and path rules are refused in the documented words."""
    assert evaluate(checker(**settings), tool, **facts).reason == words


def test_plan_says_plan_mode() -> None:
    """A refusal by PLAN contains "Plan mode"."""
    assert "Plan mode" in evaluate(checker(mode=PermissionMode.PLAN), "write_file", file_path="a").reason


def test_sensitive_patterns_are_a_public_tuple() -> None:
    """The patterns of credential files are a tuple that fnmatch understands."""
    assert isinstance(SENSITIVE_PATH_PATTERNS, tuple)
    for path in ("/home/user/.ssh/id_rsa", "/home/x/.aws/credentials", "/x/.kube/config"):
        assert any(fnmatch.fnmatch(path, pattern) for pattern in SENSITIVE_PATH_PATTERNS)


# --- workspaces ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/srv/data.csv", f"{HOME}/notes.txt", "/opt/x/readme"])
def test_without_a_workspace_reads_are_free(path: str) -> None:
    """A checker made of settings alone has no workspace: reads are free wherever they point."""
    assert verdict(checker(), "read_file", file_path=path) == "allow"
    assert verdict(checker(), "exec", command=f"cat {path}") == "allow"


def test_with_a_workspace_content_outside_asks_in_default() -> None:
    """With a workspace, reading content outside of it asks in DEFAULT and is free in FULL_AUTO."""
    subject = checker(workspace=PROJECT)
    assert verdict(subject, "read_file", file_path="src/cart.py") == "allow"
    assert verdict(subject, "read_file", file_path=f"{HOME}/notes.txt") == "ask"
    assert verdict(subject, "exec", command=f"grep x {HOME}/notes.txt") == "ask"
    free = checker(workspace=PROJECT, mode=PermissionMode.FULL_AUTO)
    assert verdict(free, "read_file", file_path=f"{HOME}/notes.txt") == "allow"


OTHER = f"{HOME}/shop-feature"
LINKED = {
    f"{OTHER}/.git": f"gitdir: {PROJECT}/.git/worktrees/feature\n",
    f"{PROJECT}/.git/worktrees/feature/gitdir": f"{OTHER}/.git\n",
    f"{PROJECT}/.git/worktrees/feature/commondir": "../..\n",
    f"{PROJECT}/.git/worktrees/feature/HEAD": "ref: refs/heads/feature\n",
    f"{OTHER}/a.py": "",
}


def test_a_linked_worktree_counts_as_the_project() -> None:
    """A linked worktree of the project is read like the project itself, from either side."""
    world = FrozenWorld({**FILES, **LINKED}, home=HOME)
    subject = checker(world=world, workspace=PROJECT)
    assert verdict(subject, "read_file", file_path=f"{OTHER}/a.py") == "allow"
    assert verdict(subject, "exec", command=f"cat {OTHER}/a.py") == "allow"
    assert verdict(subject, "exec", command=f"cd {OTHER} && grep -n x a.py") == "allow"
    back = checker(world=world, workspace=OTHER)
    assert verdict(back, "read_file", file_path=f"{PROJECT}/src/cart.py", cwd=OTHER) == "allow"
    assert verdict(back, "read_file", file_path=f"{HOME}/notes.txt", cwd=OTHER) == "ask"


@pytest.mark.parametrize(
    "change",
    [
        {f"{OTHER}/.git": "gitdir: /somewhere/else\n"},
        {f"{OTHER}/.git": ""},
        {f"{PROJECT}/.git/worktrees/feature/gitdir": f"{HOME}/other/.git\n"},
    ],
)
def test_a_worktree_that_only_one_end_names_does_not_count(change: dict[str, str]) -> None:
    """Both ends must name each other: one forged file makes no folder part of the project."""
    subject = checker(world=FrozenWorld({**FILES, **LINKED, **change}, home=HOME), workspace=PROJECT)
    assert verdict(subject, "read_file", file_path=f"{OTHER}/a.py") == "ask"


def test_no_worktree_makes_the_home_folder_part_of_the_project() -> None:
    """A repository of dotfiles, whose working tree is the home folder, widens nothing."""
    files = {
        **FILES,
        f"{HOME}/.git": f"gitdir: {PROJECT}/.git/worktrees/dots\n",
        f"{PROJECT}/.git/worktrees/dots/gitdir": f"{HOME}/.git\n",
    }
    subject = checker(world=FrozenWorld(files, home=HOME), workspace=PROJECT)
    assert verdict(subject, "read_file", file_path=f"{HOME}/notes.txt") == "ask"


# --- the caller's claim --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["read_file", "glob", "web_search", "exec", "my_tool", "web_fetch"])
def test_a_claim_of_mutation_is_believed(tool: str) -> None:
    """A tool that its caller calls mutating asks in DEFAULT, whatever it is, and is blocked in PLAN."""
    assert verdict(checker(), tool, is_read_only=False) == "ask"
    assert verdict(checker(mode=PermissionMode.PLAN), tool, is_read_only=False) == "deny"
    assert verdict(checker(mode=PermissionMode.FULL_AUTO), tool, is_read_only=False) == "allow"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("tool", "facts"),
    [
        ("read_file", {"file_path": "/srv/data.csv"}),
        ("glob", {"file_path": f"{PROJECT}/src"}),
        ("grep", {"file_path": f"{PROJECT}/src"}),
        ("exec", {"command": "npm install"}),
        ("exec", {"command": "frobnicate x"}),
        ("exec", {}),
        ("my_tool", {"input": {"query": "x"}}),
        ("write_file", {"file_path": "/srv/x"}),
    ],
)
def test_a_claim_of_read_only_is_believed_for_the_mode(mode: PermissionMode, tool: str, facts: dict[str, Any]) -> None:
    """A tool that its caller calls read-only neither asks in DEFAULT nor is blocked in PLAN."""
    assert verdict(checker(mode=mode), tool, is_read_only=True, **facts) == "allow"


@pytest.mark.parametrize("mode", MODES)
def test_a_claim_of_read_only_lifts_neither_floor_nor_deny(mode: PermissionMode) -> None:
    """A claim of read-only never opens the floor and never lifts a deny of any kind."""
    subject = checker(
        mode=mode,
        denied_tools=["browser_action"],
        denied_commands=["rm *"],
        path_rules=[PathRuleConfig("**/secrets/*", allow=False)],
        deny=["Bash(git push:*)"],
    )
    for tool, facts in (
        ("read_file", {"file_path": f"{HOME}/.aws/credentials"}),
        ("exec", {"command": "cat ~/.ssh/id_rsa"}),
        ("browser_action", {}),
        ("exec", {"command": "rm a"}),
        ("exec", {"command": "git push"}),
        ("read_file", {"file_path": "/srv/secrets/a"}),
    ):
        assert verdict(subject, tool, is_read_only=True, **facts) == "deny"


def test_without_a_claim_the_effects_decide() -> None:
    """Left out, the call is analysed: the same tool reads freely and asks before it changes something."""
    subject = checker()
    assert verdict(subject, "exec", command="git log -1") == "allow"
    assert verdict(subject, "exec", command="git commit -m x") == "ask"


# --- lists of tools ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_denied_tools_beat_allowed_tools(mode: PermissionMode) -> None:
    """A tool in both lists is denied, in every mode."""
    subject = checker(mode=mode, allowed_tools=["exec", "write_file"], denied_tools=["exec"])
    assert evaluate(subject, "exec", command="ls").reason == "exec is explicitly denied"
    assert verdict(subject, "write_file", file_path="a.txt", is_read_only=False) == "allow"


def test_allowed_tools_beat_plan_and_rules_do_not() -> None:
    """A whole tool that is allowed runs in PLAN; rules never lift PLAN."""
    plan = PermissionMode.PLAN
    assert verdict(checker(mode=plan, allowed_tools=["write_file"]), "write_file", file_path="a.txt") == "allow"
    assert verdict(checker(mode=plan, allow=["Write(/**)", "Tool(*)"]), "write_file", file_path="a.txt") == "deny"
    assert verdict(checker(mode=plan, allow=["Bash"]), "exec", command="make test") == "deny"


@pytest.mark.parametrize(
    "deny",
    [
        {"denied_tools": ["write_file"]},
        {"path_rules": [PathRuleConfig("**/a.txt", allow=False), PathRuleConfig("**", allow=True)]},
        {"deny": ["Write(**/a.txt)"]},
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_deny_of_any_kind_beats_every_allow(mode: PermissionMode, deny: dict[str, Any]) -> None:
    """Tool, path and rule denials beat allowed tools, allow rules and modes."""
    subject = checker(mode=mode, allowed_tools=["write_file"], allow=["Write(/**)"], **deny)
    assert verdict(subject, "write_file", file_path=f"{PROJECT}/a.txt") == "deny"


# --- path rules ----------------------------------------------------------------------------------------------------

TOUCHING = [
    ("read_file", {"file_path": "/srv/closed/a.txt"}),
    ("write_file", {"file_path": "/srv/closed/a.txt"}),
    ("exec", {"command": "cat /srv/closed/a.txt"}),
    ("exec", {"command": "ls > /srv/closed/a.txt"}),
    ("exec", {"command": "rm -rf /srv/closed"}),
    ("exec", {"command": "tar c /srv/closed/sub"}),
    ("exec", {"command": "cd /srv/closed && cat a.txt"}),
    ("exec", {"command": "ls /srv/closed/sub"}),
    ("exec", {"command": "ls /srv/closed"}),
    ("list_dir", {"input": {"path": "/srv/closed/sub"}}),
    ("glob", {"input": {"pattern": "*", "path": "/srv/closed/sub"}}),
    ("grep", {"input": {"pattern": "x", "path": "/srv/closed"}}),
    ("mcp__files__read", {"input": {"path": "/srv/closed/a.txt"}}),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("tool", "facts"), TOUCHING)
def test_a_denied_path_is_blocked_whichever_tool_touches_it(
    mode: PermissionMode, tool: str, facts: dict[str, Any]
) -> None:
    """A matching rule with `allow=False` blocks reading, writing, searching and listing in every mode."""
    world = FrozenWorld({**FILES, "/srv/closed/a.txt": "", "/srv/closed/sub/b": ""}, home=HOME)
    subject = checker(world=world, mode=mode, path_rules=[PathRuleConfig("/srv/closed/*", allow=False)])
    decision = evaluate(subject, tool, **facts)
    assert (decision.allowed, decision.requires_confirmation) == (False, False)
    if mode is not PermissionMode.PLAN:
        assert "matches deny rule: /srv/closed/*" in decision.reason


def test_an_allowing_path_rule_widens_the_workspace_for_reads_only() -> None:
    """With `allow=True` reads need no question there; a mutation asks as before."""
    subject = checker(workspace=PROJECT, path_rules=[PathRuleConfig("/workspace/safe/**", allow=True)])
    assert verdict(subject, "read_file", file_path="/workspace/safe/readme.md") == "allow"
    assert verdict(subject, "exec", command="cat /workspace/safe/readme.md") == "allow"
    assert verdict(subject, "write_file", file_path="/workspace/safe/output.txt", is_read_only=False) == "ask"
    assert verdict(subject, "write_file", file_path="/workspace/safe/output.txt") == "ask"


# --- denied commands -----------------------------------------------------------------------------------------------

BOMB = ":(){ :|:& };:"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /*",
        "rm -rf /",
        "true; rm -rf /*",
        "cd x && rm -rf /etc",
        "FOO=1 dd if=/dev/zero",
        "sudo dd x",
        "ls | xargs dd x",
        "bash -c 'dd x'",
        "echo $(dd x)",
        "if true; then dd x; fi",
        "  dd   x ",
        BOMB,
        f"true; {BOMB}",
        f"cd /tmp && {BOMB} && ls",
        f"bash -c '{BOMB}'",
        f"x=1\n{BOMB}\nls",
        f"( {BOMB} )",
        ": ( ) { : | : & } ; :",
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_denied_commands_are_found_in_the_whole_line_and_in_every_command(mode: PermissionMode, command: str) -> None:
    """Patterns are compared with the full text and with every command in it, compound ones included."""
    subject = checker(mode=mode, denied_commands=["rm -rf /*", "rm -rf /", "dd *", BOMB])
    decision = evaluate(subject, "exec", command=command)
    assert (decision.allowed, decision.requires_confirmation) == (False, False)
    assert any("matches deny rule: " in reason.text for reason in decision.reasons)


@pytest.mark.parametrize("command", ["add x", "echo 'dd x'", f"echo '{BOMB}'", "ls", "rm -rf build"])
def test_denied_commands_leave_everything_else_alone(command: str) -> None:
    """Text that is no such command is not denied."""
    subject = checker(mode=PermissionMode.FULL_AUTO, denied_commands=["rm -rf /*", "dd *", BOMB])
    assert verdict(subject, "exec", command=command) != "deny"


def test_the_document_s_config_holds_settings() -> None:
    """The harness's configuration is a record around the settings."""
    config = HarnessConfig(permissions=PermissionSettings(denied_tools=["exec"]))
    assert PermissionChecker(config.permissions).evaluate("exec").reason == "exec is explicitly denied"


@pytest.mark.parametrize("name", [name for name in dir(test_seed_004) if name.startswith("test_")])
def test_the_document_s_own_example_and_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The document's complete example and its six tests pass as written, import line aside."""
    test = getattr(test_seed_004, name)
    test(**{"capsys": capsys} if "capsys" in test.__annotations__ else {})
