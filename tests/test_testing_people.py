"""The fakes for users' own tests: a person by script and a journal in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent import Guard
from assent.approval.store import Store
from assent.desk import Desk
from assent.testing import MemoryJournal, ScriptedChannel


def test_a_program_is_tested_without_a_person_and_without_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    journal, person = MemoryJournal(), ScriptedChannel(lambda asked: "later" if "deploy" in asked.command else True)
    desk = Desk(str(tmp_path / "state"), store=Store(), journal=journal)
    (tmp_path / "p/.git").mkdir(parents=True)
    with Guard(workspace=str(tmp_path / "p"), channels=[person], desk=desk) as guard:
        answers = [
            guard.authorize_sync(guard.call("Bash", {"command": command}, cwd=str(tmp_path / "p")))
            for command in ("make deploy", "make clean")
        ]
    desk.close()
    assert [(one.state, one.reason) for one in answers] == [("refused", "later"), ("approved", "approved by script")]
    assert [request.command for request in person.shown] == ["make deploy", "make clean"]
    assert sorted(journal.kinds) == sorted(["question", "shown", "answer"] * 2 + ["spent"])
