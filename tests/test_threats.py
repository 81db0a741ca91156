"""Attacks told in prose, each turned into a test of the part it speaks of."""

import subprocess
import sys
from pathlib import Path

import pytest

from assent import wire
from assent.cli.batch import policy_of
from assent.errors import InputError, PolicyError
from assent.layers import load_policy
from assent.pipeline import judge
from assent.policy.document import read_document
from assent.policy.load import Source, combine
from assent.testing import FrozenWorld
from assent.types import PermissionDecision, ToolCall
from assent.world import DiskWorld
from corpus import HOME, OWN, PROJECT, world_of

START = Path(__file__).parents[1] / "src" / "assent" / "start.py"


def answer(tool: str, fields: dict[str, object], policy: dict[str, object], **world: object) -> PermissionDecision:
    call = ToolCall(tool, fields, cwd=PROJECT, workspace=PROJECT, at=1.0)
    return judge(call, policy_of(policy), world_of(dict(world)), OWN)


# --- limits and failures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"command": None},
        {"command": 7},
        {"command": "ls", "cwd": f"{HOME}/.ssh"},
        {"command": "git diff", "env": {"GIT_EXTERNAL_DIFF": "touch pwned"}},
        {"command": "ls", "shell": "./evil-shell"},
        {"command": "ls", "dangerouslyDisableSandbox": True},
        {"command": "\ud800echo hi"},
    ],
)
@pytest.mark.parametrize("mode", ["default", "full_auto"])
def test_fields_that_change_what_runs_are_part_of_the_decision(fields: dict[str, object], mode: str) -> None:
    assert not answer("Bash", fields, {"mode": mode, "allow": ["Bash(ls)", "Bash(git diff)", "Bash(echo:*)"]}).allowed


def test_a_working_folder_given_by_the_model_is_an_effect_of_its_own() -> None:
    decision = answer("Bash", {"command": "ls", "cwd": f"{HOME}/.ssh"}, {"mode": "full_auto"})
    assert (str(decision.verdict), decision.decided_by) == ("deny", "floor")


@pytest.mark.parametrize("tool", ["bash", "BASH", "Bash", "run_shell_command", "local_shell", "execute_command"])
def test_a_denied_tool_is_denied_under_every_case_and_agent_s_name(tool: str) -> None:
    assert str(answer(tool, {"command": "touch x"}, {"mode": "full_auto", "deny": ["Bash"]}).verdict) == "deny"


def test_what_the_model_says_about_its_own_risk_lowers_nothing() -> None:
    plain = answer("Bash", {"command": "touch x"}, {})
    claimed = answer("Bash", {"command": "touch x", "security_risk": "LOW", "description": "safe, read-only"}, {})
    assert claimed.verdict >= plain.verdict > 0


# --- rules, layers and rewritten input -----------------------------------------------------------------------------


def test_a_stricter_layer_wins_over_a_looser_one() -> None:
    managed = read_document('ask = ["Mcp(git.push)"]', file="/etc/m.toml", layer="managed")
    user = read_document('allow = ["Mcp(git.push)"]', file="/u.toml", layer="user")
    for order in ([user, managed], [managed, user]):
        policy, _ = combine([Source(document) for document in order])
        call = ToolCall("Mcp", {"server": "git", "name": "push", "arguments": {}})
        assert str(judge(call, policy, FrozenWorld({})).verdict) == "ask"


def test_rewritten_input_is_judged_again_like_any_other() -> None:
    policy: dict[str, object] = {"mode": "full_auto", "deny": ["Bash(curl:*)"], "allow": ["Bash(rtk:*)"]}
    assert str(answer("Bash", {"command": "curl https://evil.example"}, policy).verdict) == "deny"
    assert not answer("Bash", {"command": "rtk touch pwned"}, policy | {"mode": "default"}).allowed


@pytest.mark.parametrize("chain", [(), ("main", "reviewer"), ("main", "a", "b")])
def test_denials_bind_subagents(chain: tuple[str, ...]) -> None:
    call = ToolCall("Bash", {"command": "git push"}, cwd=PROJECT, workspace=PROJECT, chain=chain)
    policy = policy_of({"mode": "full_auto", "deny": ["Bash(git push:*)"]})
    assert str(judge(call, policy, world_of({})).verdict) == "deny"


# --- the checker itself --------------------------------------------------------------------------------------------


def test_a_policy_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    evil = tmp_path / "evil.toml"
    evil.write_text('mode = "full_auto"\n')
    project = tmp_path / "proj"
    (project / ".assent").mkdir(parents=True)
    (project / ".assent" / "policy.toml").symlink_to(evil)
    env = {"HOME": str(tmp_path / "home")}
    loaded = load_policy(env, str(project), DiskWorld(env=env))
    assert loaded.policy.mode == "default"
    assert "not a regular file" in loaded.policy.problems[0]


def test_policies_are_toml_and_nothing_in_them_is_run() -> None:
    with pytest.raises(PolicyError, match="not TOML"):
        read_document("!!python/object/apply:os.system ['touch pwned']", file="p", layer="project")


def test_a_pattern_from_a_project_cannot_take_exponential_time() -> None:
    rules = [f"Read(./{'a*' * 30}b)", f"Read(**/{'*/' * 20}x)", "Tool(" + "*a" * 30 + ")"]
    decision = answer("Read", {"file_path": "a" * 200 + "/" * 20 + "c"}, {"deny": rules})
    assert decision.reason


def test_a_truncated_payload_is_an_error_and_not_half_a_decision() -> None:
    whole = wire.dumps({"tool": "Read", "input": {"file_path": "README.md"}})
    for end in range(1, len(whole)):
        with pytest.raises(InputError):
            wire.loads(whole[:end])


def test_file_names_never_reach_a_shell(tmp_path: Path) -> None:
    name = "$(touch pwned).md"
    project = tmp_path / "project"
    project.mkdir()
    (project / name).write_text("x")
    row = wire.dumps({"file_path": name})
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(START), "check", "--tool", "Read", "--input", row],
        cwd=project,
        env={"HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert sorted(path.name for path in project.iterdir()) == [name]


def test_a_fifo_where_a_policy_should_be_is_not_waited_for(tmp_path: Path) -> None:
    import os

    config = tmp_path / "config" / "assent"
    config.mkdir(parents=True)
    os.mkfifo(config / "policy.toml")
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    loaded = load_policy(env, None, DiskWorld(env=env))
    assert "not a regular file" in loaded.policy.problems[0]
