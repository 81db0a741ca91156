"""Modes, the memory of denials with its back-off, and modes that plugins and subagents ask for."""

import subprocess
import sys
from pathlib import Path

import pytest

from assent import ModeError, ModeRequest, PermissionContext, PermissionMode
from assent.policy.workflow import strictest

SRC = Path(__file__).parents[2] / "src"


def denials_until_suggested(context: PermissionContext, limit: int = 500) -> int | None:
    return next((count for count in range(1, limit) if context.record_denial()), None)


def test_a_refused_suggestion_doubles_the_next_threshold_and_the_third_silences() -> None:
    context = PermissionContext(PermissionMode.DEFAULT)
    assert denials_until_suggested(context) == 3
    context.refuse_escalation()
    assert denials_until_suggested(context) == 3  # six in a row
    assert context.consecutive_denials == 6
    context.refuse_escalation()
    assert denials_until_suggested(context) == 6  # twelve in a row
    context.refuse_escalation()
    assert denials_until_suggested(context) is None


def test_the_total_threshold_doubles_too() -> None:
    context = PermissionContext(PermissionMode.DEFAULT, total_denials=19, refused_suggestions=1)
    for _ in range(20):
        assert context.record_denial() is False
        context.record_approval()
    assert context.record_denial() is True
    assert context.total_denials == 40


def test_accepting_sets_full_auto_resets_the_run_and_keeps_the_total() -> None:
    context = PermissionContext(PermissionMode.DEFAULT, consecutive_denials=3, total_denials=7)
    context.accept_escalation()
    assert context == PermissionContext(PermissionMode.FULL_AUTO, consecutive_denials=0, total_denials=7)


def test_full_auto_has_nothing_looser_to_suggest() -> None:
    context = PermissionContext(PermissionMode.FULL_AUTO)
    assert denials_until_suggested(context, 50) is None


def test_counting_alone_never_changes_the_mode() -> None:
    context = PermissionContext(PermissionMode.PLAN)
    for _ in range(30):
        context.record_denial()
    assert context.mode is PermissionMode.PLAN


@pytest.mark.parametrize("parent", list(PermissionMode))
@pytest.mark.parametrize("wanted", list(PermissionMode))
def test_a_child_is_never_looser_than_its_parent(parent: PermissionMode, wanted: PermissionMode) -> None:
    request = ModeRequest("deploy-tool", wanted, parent)
    assert request.granted.value == strictest(wanted.value, parent.value)
    assert request.activate(announced_to="kim") is request.granted


def test_a_requested_mode_is_announced_and_never_silent() -> None:
    request = ModeRequest("deploy-tool", PermissionMode.FULL_AUTO, PermissionMode.DEFAULT)
    assert request.announcement == (
        "deploy-tool asks to run in full_auto mode; its parent is in default mode, so default is the most it can get"
    )
    with pytest.raises(ModeError, match="may not change the mode silently"):
        request.activate(announced_to="")


def test_a_mode_without_a_branch_does_not_type_check(tmp_path: Path) -> None:
    package = tmp_path / "assent"
    (package / "policy").mkdir(parents=True)
    for name in ("__init__.py", "record.py", "types.py", "policy/__init__.py", "policy/workflow.py"):
        text = (SRC / "assent" / name).read_text() if not name.endswith("__init__.py") else '"""."""\n'
        text = text.replace(
            'Mode = Literal["default", "plan", "full_auto"]', 'Mode = Literal["default", "plan", "full_auto", "new"]'
        )
        (package / name).write_text(text)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "assent/policy/workflow.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert 'has incompatible type "Literal[\'new\']"; expected "Never"' in run.stdout
