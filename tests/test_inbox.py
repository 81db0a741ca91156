"""Listing and answering requests from Python: what counts, what does not, and that nothing is answered unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assent import Inbox, InputError, Ticket
from assent.record import replace
from guarding import Scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


def ask(scene: Scene, *commands: str) -> None:
    guard, _ = scene.guard(None, on_ask="park")
    for command in commands:
        assert scene.bash(guard, command).state == "pending"


def test_what_waits_is_listed_and_an_answer_reaches_the_call(scene: Scene) -> None:
    ask(scene, "make deploy", "make clean")
    inbox = Inbox(desk=scene.desk, by="ada")
    first, second = inbox.pending()
    assert [one.request.command for one in (first, second)] == ["make deploy", "make clean"]
    assert inbox.display(first).sections[0].lines[0].text == "make deploy"
    done = inbox.answer(first, approved=True)
    assert (done.state, done.answer and (done.answer.by, done.answer.via)) == ("approved", ("ada", "python"))
    inbox.answer(second, approved=False, reason="not today", by="bob")
    assert inbox.pending() == ()
    guard, _ = scene.guard(None, on_ask="park")
    answers = [scene.bash(guard, command) for command in ("make deploy", "make clean")]
    assert [(one.state, "not today" in one.message) for one in answers] == [("approved", False), ("refused", True)]


def test_an_answer_that_does_not_count_changes_nothing(scene: Scene) -> None:
    ask(scene, "make deploy")
    inbox = Inbox(desk=scene.desk)
    (waiting,) = inbox.pending()
    other = Ticket(replace(waiting.request, fingerprint="other"))
    unknown = Ticket(replace(waiting.request, id="nobody"))
    for wrong in (other, unknown):
        with pytest.raises(InputError, match="the answer does not count"):
            inbox.answer(wrong, approved=True)
    with pytest.raises(InputError, match="the answer does not count"):
        inbox.answer(waiting, approved=True, scope="project", rules=("Bash(*)",))
    assert [one.id for one in inbox.pending()] == [waiting.id]
    inbox.answer(waiting, approved=False)
    with pytest.raises(InputError, match="the answer does not count"):
        inbox.answer(waiting, approved=True)


def test_one_session_and_one_request_can_be_looked_for(scene: Scene) -> None:
    ask(scene, "make deploy")
    with Inbox(desk=scene.desk) as inbox:
        (waiting,) = inbox.pending()
        assert inbox.pending(waiting.request.session) == (waiting,)
        assert inbox.pending("another") == ()
        assert inbox.find(waiting.id) == waiting
        assert inbox.find("nobody") is None
    with Inbox(str(scene.desk.state)) as own:
        assert own.find(waiting.id) is not None
