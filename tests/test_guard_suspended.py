"""Runs that are suspended and resumed hours later: the answer is still there, and everything is looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from approval.asking import yes
from assent.guard import Guard
from guarding import Scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


def approved(scene: Scene, guard: Guard, command: str) -> str:
    """Suspend a call, and approve it two hours later; gives the request."""
    gone = scene.bash(guard, command, leave_after=0.0)
    scene.now += 2 * 3600
    ticket = scene.desk.ticket(gone.request_id)
    assert ticket is not None
    assert scene.desk.answer(ticket.id, yes(ticket.request)) == ""
    return gone.request_id


def test_a_run_that_was_suspended_is_approved_at_noon_and_resumed_at_three(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    request = approved(scene, guard, "make deploy")
    scene.now += 3 * 3600
    back = [scene.bash(guard, "make deploy", leave_after=0.0) for _ in range(2)]
    assert [(answer.state, answer.request_id == request) for answer in back] == [("approved", True), ("pending", False)]


def test_a_run_that_is_resumed_two_days_later_is_asked_about_again(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    request = approved(scene, guard, "make deploy")
    scene.now += 48 * 3600
    back = scene.bash(guard, "make deploy", leave_after=0.0)
    assert (back.state, back.request_id == request) == ("pending", False)


def test_what_is_denied_by_now_is_denied(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    approved(scene, guard, "make deploy")
    scene.now += 3 * 3600
    scene.policy('deny = ["Bash(make deploy)"]')
    assert scene.bash(guard, "make deploy", leave_after=0.0).state == "denied"


def test_what_would_do_something_else_by_now_is_asked_about_again(scene: Scene) -> None:
    (scene.project / "run.sh").write_text("make\n")
    guard, _ = scene.guard(None)
    approved(scene, guard, "sh run.sh")
    (scene.project / "run.sh").write_text("touch other\n")
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "pending"
