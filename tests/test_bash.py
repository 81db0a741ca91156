"""The decision on one command line for Python callers."""

from __future__ import annotations

import pytest

import assent
from assent.bash import PermissionResult, bash_tool_has_permission
from assent.checker import PermissionChecker
from assent.policy.modes import PermissionMode
from assent.policy.settings import PathRuleConfig, PermissionSettings
from assent.testing import FrozenWorld
from assent.types import PermissionDecision, Verdict
from decided import FILES, PROJECT

STEPS = [
    *("0 parse", "1 sandbox", "2 exact rule", "3 classifier", "4 operators", "5 misparse gate", "6 fan-out"),
    *("7 part 1", "7 part 1: exact, prefix and wildcard rules", "7 part 1: injection checks"),
    *("7 part 1: path constraints", "7 part 1: sed constraints", "7 part 1: mode", "7 part 1: read-only", "answer"),
]


def result(command: str, settings: PermissionSettings | None = None) -> PermissionResult:
    checker = PermissionChecker(settings or PermissionSettings(workspace=PROJECT), world=FrozenWorld(FILES))
    return bash_tool_has_permission(command, checker, cwd=PROJECT)


@pytest.mark.parametrize(
    ("command", "behavior"),
    [
        ("ls", "allow"),
        ("cat a.txt | wc -l", "allow"),
        ("rm a.txt", "ask"),
        ("cat /etc/passwd", "ask"),
        ("cat ~/.ssh/id_rsa", "deny"),
        ("# a comment", "passthrough"),
        ("X=1", "passthrough"),
        ("(( 1 ))", "passthrough"),
        (":", "allow"),
        ("", "ask"),
        ("   ", "ask"),
        ("ls 'x", "ask"),
        ("> out", "ask"),
        ("X=$(rm x)", "ask"),
        ("X=$(ls)", "allow"),
        ("f() { rm x; }", "ask"),
        ("PATH=/tmp", "ask"),
        ("BASH_ENV=/tmp/x", "ask"),
        ("$x", "ask"),
    ],
)
def test_a_behaviour_is_one_of_four_and_only_what_runs_nothing_passes_through(command: str, behavior: str) -> None:
    found = result(command)
    assert found.behavior == behavior
    assert found.message == found.decision.reason


@pytest.mark.parametrize("text", ["# x", "X=1", "X=1; Y=2", "(( 1 ))", "\n# x\n"])
def test_a_rule_on_the_tool_beats_passing_through(text: str) -> None:
    assert result(text, PermissionSettings(denied_tools=["Bash"])).behavior == "deny"
    assert result(text, PermissionSettings(ask=["Bash"])).behavior == "ask"
    assert result(text, PermissionSettings(deny=["Bash"])).behavior == "deny"


def test_the_trace_has_every_step_by_name() -> None:
    assert [name for name, _ in result("sed -n 1p a.txt").trace] == STEPS


def test_the_decision_comes_along_whole() -> None:
    found = result("make test")
    assert found == PermissionResult(
        "ask",
        "runs make test: default mode asks first",
        found.decision,
        found.trace,
        ("Bash(make test)", "Bash(make test:*)"),
        (),
    )
    assert isinstance(found.decision, PermissionDecision)
    assert found.decision.verdict == Verdict.ASK
    assert result("make; foo").together == ("Bash(make)", "Bash(foo)")


@pytest.mark.parametrize(
    ("settings", "behavior"),
    [
        (PermissionSettings(allow=["Bash(make test)"]), "allow"),
        (PermissionSettings(allow=["Bash(make:*)"], deny=["Bash(make test)"]), "deny"),
        (PermissionSettings(allow=["Bash(make:*)"], ask=["Bash(make:*)"]), "ask"),
        (PermissionSettings(denied_commands=["make *"]), "deny"),
        (PermissionSettings(mode=PermissionMode.PLAN), "deny"),
        (PermissionSettings(mode=PermissionMode.PLAN, allowed_tools=["Bash"]), "allow"),
        (PermissionSettings(mode=PermissionMode.FULL_AUTO), "allow"),
        (PermissionSettings(denied_tools=["Bash"], allowed_tools=["Bash"]), "deny"),
    ],
)
def test_settings_decide(settings: PermissionSettings, behavior: str) -> None:
    assert result("make test", settings).behavior == behavior


def test_path_rules_and_the_preset_hold_for_commands() -> None:
    assert (
        result("cat a.txt", PermissionSettings(path_rules=[PathRuleConfig("*/a.txt", allow=False)])).behavior == "deny"
    )
    assert result("touch new", PermissionSettings(workspace=PROJECT, preset="workspace")).behavior == "allow"


def test_settings_checker_or_nothing_may_be_the_context() -> None:
    contexts = (None, PermissionSettings(), PermissionChecker(PermissionSettings()))
    assert [bash_tool_has_permission("true", context).behavior for context in contexts] == ["allow"] * 3


def test_it_is_part_of_the_package() -> None:
    assert assent.bash_tool_has_permission is bash_tool_has_permission
    assert assent.PermissionResult is PermissionResult


def test_a_failure_of_ours_is_a_denial_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr("assent.pipeline.understand", fail)
    found = result("ls")
    text = "the checker failed: RuntimeError: no"
    assert (found.behavior, found.message, found.trace) == ("deny", text, (("error", text),))
