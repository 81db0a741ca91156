"""Section 1: modes, escalation, and modes that somebody else asks for."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path

import pytest

import assent.policy.workflow
from approval.asking import Person, no, yes
from approval.terminal_person import person
from assent import (
    MUTATION_OPS,
    READ_ONLY_OPS,
    Answer,
    ApprovalRequest,
    Authorization,
    Guard,
    ModeError,
    ModeRequest,
    OperationType,
    PermissionChecker,
    PermissionContext,
    PermissionHost,
    PermissionMode,
    PermissionSettings,
    requires_approval,
)
from assent.approval.channels.terminal import TerminalChannel
from assent.testing import FrozenWorld
from spec.spec_scene import FILES, HOME, MODES, PROJECT, behavior, checker, evaluate, verdict


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "p/.git").mkdir(parents=True)


def test_exactly_three_modes() -> None:
    """There are three modes, each of them a string with the documented value."""
    assert issubclass(PermissionMode, str)
    assert issubclass(PermissionMode, Enum)
    values = {mode.name: mode.value for mode in PermissionMode}
    assert values == {"DEFAULT": "default", "PLAN": "plan", "FULL_AUTO": "full_auto"}


def test_six_operations_in_two_sets() -> None:
    """Six operations; reading, listing and searching change nothing, the other three do."""
    assert {op.name for op in OperationType} == {"READ", "LIST", "SEARCH", "WRITE", "EXECUTE", "DELETE"}
    assert {OperationType.READ, OperationType.LIST, OperationType.SEARCH} == READ_ONLY_OPS
    assert {OperationType.WRITE, OperationType.EXECUTE, OperationType.DELETE} == MUTATION_OPS


@pytest.mark.parametrize("op", list(OperationType))
def test_which_operations_a_mode_holds_back(op: OperationType) -> None:
    """FULL_AUTO holds nothing back, PLAN every mutation, DEFAULT whatever is not read-only."""
    assert requires_approval(op, PermissionMode.FULL_AUTO) is False
    assert requires_approval(op, PermissionMode.PLAN) is (op in MUTATION_OPS)
    assert requires_approval(op, PermissionMode.DEFAULT) is (op not in READ_ONLY_OPS)


def test_a_new_mode_without_a_branch_does_not_type_check(tmp_path: Path) -> None:
    """The match over modes is exhaustive: the type checker refuses a mode that has no branch."""
    source = Path(assent.policy.workflow.__file__).read_text(encoding="utf-8")
    old = "    from assent.types import Effect, Kind, Mode, Operation\n"
    assert old in source
    new = (
        "    from typing import Literal\n    from assent.types import Effect, Kind, Operation\n"
        '    Mode = Literal["default", "plan", "full_auto", "brand_new"]\n'
    )
    (tmp_path / "widened.py").write_text(source.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "widened.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert 'Argument 1 to "assert_never" has incompatible type' in done.stdout


def test_plan_blocks_and_no_approval_lifts_it(tmp_path: Path) -> None:
    """In PLAN a mutation is blocked, not asked about: nobody is shown a question that a yes could answer."""
    someone = Person(yes)
    settings = PermissionSettings(mode=PermissionMode.PLAN, allow=["Write(/**)", "Bash"])
    with Guard(workspace=str(tmp_path / "p"), settings=settings, channels=[someone]) as guard:
        answer = guard.authorize_sync(guard.call("Write", {"file_path": "a.txt", "content": "x"}))
    assert (answer.allowed, answer.state, someone.offered) == (False, "denied", [])
    assert "Plan mode" in answer.reason


def test_mode_and_approval_do_not_know_each_other() -> None:
    """The approval flow asks whatever it is handed, also what the mode in its settings would let pass."""
    someone = Person(yes)
    host = PermissionHost([someone], settings=PermissionSettings(mode=PermissionMode.FULL_AUTO))
    assert host.request_approval_sync("read_file", "look", {"file_path": "/srv/data.csv"}).approved
    host.close()
    assert len(someone.offered) == 1


def test_full_auto_is_not_anything_goes() -> None:
    """The floor and deny rules come first in FULL_AUTO as well."""
    subject = checker(mode=PermissionMode.FULL_AUTO, deny=["Bash(git push --force:*)"], denied_tools=["web_fetch"])
    assert verdict(subject, "read_file", file_path=f"{HOME}/.ssh/id_rsa") == "deny"
    assert verdict(subject, "exec", command="cd x && git push -f") == "deny"
    assert verdict(subject, "web_fetch", input={"url": "https://example.com"}) == "deny"
    assert verdict(subject, "exec", command="make deploy") == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "echo x > f",
        "echo x >> f",
        "tee f < readme.md",
        "cat readme.md | tee f",
        "sed -i s/a/b/ readme.md",
        'python3 -c \'open("f", "w")\'',
        "bash -c 'touch f'",
        "find . -name '*.js' -delete",
        "xargs touch < readme.md",
        "git checkout -- .",
        "curl -o f https://example.com",
        "dd of=f",
        "ls; rm readme.md",
        "$(touch f)",
        ": > f",
        "make test",
        "awk 'BEGIN { print > \"f\" }'",
    ],
)
def test_plan_holds_against_detours_through_a_shell(command: str) -> None:
    """Whatever writes, deletes or executes through a shell is blocked in PLAN."""
    subject = checker(mode=PermissionMode.PLAN, workspace=PROJECT)
    for tool in ("bash", "exec", "run_shell_command"):
        decision = evaluate(subject, tool, command=command)
        assert (decision.allowed, decision.requires_confirmation) == (False, False)
        assert "Plan mode" in decision.reason


@pytest.mark.parametrize("command", ["ls -la", "git status", "grep -rn total src | head -5", "cat readme.md"])
def test_plan_lets_an_agent_read(command: str) -> None:
    """In PLAN an agent can still look around."""
    assert behavior(command, mode=PermissionMode.PLAN) == "allow"


def test_the_memory_of_a_session() -> None:
    """Three denials in a row or twenty in all suggest a looser mode; an approval ends the run and keeps the total."""
    context = PermissionContext(PermissionMode.DEFAULT)
    facts = {"mode": PermissionMode.DEFAULT, "consecutive_denials": 0, "total_denials": 0}
    assert {name: value for name, value in dataclasses.asdict(context).items() if name in facts} == facts
    assert (PermissionContext.ESCALATE_CONSECUTIVE, PermissionContext.ESCALATE_TOTAL) == (3, 20)
    assert [context.record_denial() for _ in range(3)] == [False, False, True]
    context.record_approval()
    assert (context.consecutive_denials, context.total_denials) == (0, 3)
    for _ in range(16):
        assert not context.record_denial()
        context.record_approval()
    assert context.record_denial()
    assert context.total_denials == 20


def test_accepting_the_suggestion() -> None:
    """It is only a suggestion. Accepting sets FULL_AUTO, ends the run and keeps the total."""
    context = PermissionContext(PermissionMode.DEFAULT)
    for _ in range(4):
        context.record_denial()
    assert context.mode is PermissionMode.DEFAULT
    context.accept_escalation()
    assert (context.mode, context.consecutive_denials, context.total_denials) == (PermissionMode.FULL_AUTO, 0, 4)
    assert not any(context.record_denial() for _ in range(30))


def test_turning_the_suggestion_down() -> None:
    """Each refusal doubles the thresholds, and the third silences the suggestion for the session."""
    context = PermissionContext(PermissionMode.DEFAULT)
    suggested = []
    for number in range(1, 101):
        if context.record_denial():
            suggested.append(number)
            context.refuse_escalation()
    assert suggested == [3, 6, 12]


def test_only_denials_by_a_person_count(tmp_path: Path) -> None:
    """A rule's denial and a timeout are not counted; a person's no is."""
    settings = PermissionSettings(deny=["Bash(make drop:*)"])
    with Guard(workspace=str(tmp_path / "p"), settings=settings, channels=[], session="s", timeout=0.02) as guard:
        for _ in range(4):
            guard.authorize_sync(guard.call("Bash", {"command": "make deploy"}))
            guard.authorize_sync(guard.call("Bash", {"command": "make drop"}))
        assert guard.desk.session("s").total == 0
    with Guard(workspace=str(tmp_path / "p"), channels=[Person(no)], session="s") as guard:
        guard.authorize_sync(guard.call("Bash", {"command": "make deploy"}))
        assert (guard.desk.session("s").consecutive, guard.desk.session("s").total) == (1, 1)


def test_thirty_denials_in_a_terminal_bring_the_suggestion_three_times(tmp_path: Path) -> None:
    """Whoever answers without taking the suggestion has turned it down: it comes later, and then not at all."""
    shown: list[int] = []
    someone = Person(no)
    with Guard(workspace=str(tmp_path / "p"), channels=[someone], session="s") as guard:
        for number in range(1, 31):
            someone.says = _denies(shown, number)
            guard.authorize_sync(guard.call("Bash", {"command": f"make deploy{number}"}))
    assert shown == [4, 7, 13]


def _denies(shown: list[int], number: int) -> Callable[[ApprovalRequest], Answer]:
    """Somebody who says no, and notes when a looser mode was suggested."""

    def says(asked: ApprovalRequest) -> Answer:
        shown.extend([number] if asked.suggest_mode else [])
        return no(asked)

    return says


@pytest.mark.parametrize(("key", "refused", "mode"), [("n", 1, ""), ("Y", 0, "full_auto")])
def test_a_person_at_a_terminal_takes_the_suggestion_or_turns_it_down(
    tmp_path: Path, key: str, refused: int, mode: str
) -> None:
    """In a terminal the suggestion has a screen of its own; the request itself still waits for its answer."""
    with person(100, 40) as someone:
        channel = TerminalChannel(someone.path, by="ann", home=str(tmp_path))
        with Guard(workspace=str(tmp_path / "p"), channels=[channel], session="s") as guard:
            desk = guard.desk
            desk.store.change_session("s", lambda one: dataclasses.replace(one, consecutive=3, total=3))
            asking = guard.call("Bash", {"command": "make deploy"})
            answers: list[Authorization] = []
            thread = threading.Thread(target=lambda: answers.append(guard.authorize_sync(asking)))
            thread.start()
            someone.sees("[f] full auto…", "make deploy")
            someone.type("f\r")
            someone.sees("Full auto for this session?", "[n] not now")
            someone.type(f"{key}\r")
            someone.sees("[y] once")
            assert (desk.session("s").refused, desk.session("s").mode) == (refused, mode)
            someone.type("n\r")
            thread.join(20)
    assert [answer.state for answer in answers] == ["refused"]


@pytest.mark.parametrize("mode", [PermissionMode.FULL_AUTO, PermissionMode.PLAN])
def test_no_looser_mode_is_suggested_where_that_makes_no_sense(tmp_path: Path, mode: PermissionMode) -> None:
    """Who is in FULL_AUTO already is not told to go there, and who plans is not told to stop."""
    shown: list[int] = []
    settings = PermissionSettings(mode=mode)
    (tmp_path / "p/.env").write_text("A=1")
    with Guard(workspace=str(tmp_path / "p"), settings=settings, channels=[], session="s") as guard:
        guard.host.channels = (Person(_denies(shown, 1)),)
        for _ in range(5):
            call = guard.call("Bash", {"command": "cat .env"}, cwd=str(tmp_path / "p"))
            assert guard.authorize_sync(call).state == "refused"
    assert shown == []


MANIFEST = "---\nname: rev\ndescription: reviews\npermissionMode: {}\n---\nReview.\n"


@pytest.mark.parametrize("asked", ["bypassPermissions", "acceptEdits"])
@pytest.mark.parametrize("place", [f"{PROJECT}/.claude/agents/rev.md", f"{HOME}/.claude/agents/rev.md"])
def test_a_looser_mode_in_a_manifest_is_announced(place: str, asked: str) -> None:
    """A subagent whose manifest asks for a looser mode is not started silently, whatever rule allows subagents."""
    world = FrozenWorld({**FILES, place: MANIFEST.format(asked)}, home=HOME)
    subject = checker(world=world, allow=["Agent"], workspace=PROJECT)
    decision = evaluate(subject, "Task", input={"subagent_type": "rev", "prompt": "go", "description": "x"})
    assert decision.requires_confirmation
    assert asked in decision.reason
    assert ".claude/agents/rev.md" in decision.reason


def test_a_requested_mode_is_never_looser_than_the_parent_s() -> None:
    """What a plugin or subagent gets is the stricter of its wish and its parent's mode, once it was announced."""
    for wanted in MODES:
        for parent in MODES:
            request = ModeRequest("rev", wanted, parent)
            order = [PermissionMode.FULL_AUTO, PermissionMode.DEFAULT, PermissionMode.PLAN]
            assert order.index(request.activate(announced_to="ann")) == max(order.index(wanted), order.index(parent))
            with pytest.raises(ModeError):
                request.activate(announced_to="")
            assert wanted.value in request.announcement


def test_an_untrusted_repository_can_start_in_plan(tmp_path: Path) -> None:
    """One setting starts repositories in PLAN that nobody has trusted yet."""
    settings = PermissionSettings(workspace=str(tmp_path / "p"), untrusted=PermissionMode.PLAN)
    decision = PermissionChecker(settings).evaluate("write_file", file_path=str(tmp_path / "p/a.txt"))
    assert "Plan mode" in decision.reason
