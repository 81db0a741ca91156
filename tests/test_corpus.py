"""Every row of corpus/: a verdict may become stricter than the row says, never looser without editing the row."""

from typing import Any

import pytest

from assent.policy import decide
from assent.types import Verdict
from corpus import answer, rows, subjects

ROWS = [pytest.param(row, id=f"{subject}:{row['id']}") for subject in subjects() for row in rows(subject)]
KEYS = {"id", "tool", "input", "verdict", "by", "why"}
OPTIONAL = {"policy", "links", "hard_links", "devices", "files", "cwd", "workspace"}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_answered_as_it_says(row: dict[str, Any]) -> None:
    decision = answer(row)
    expected = Verdict[row["verdict"].upper()]
    told = f"{row['why']} Got {decision.verdict} by {decision.decided_by}: {decision.reason}"
    if expected == Verdict.ALLOW:
        assert decision.verdict == Verdict.ALLOW, told
    else:
        assert decision.verdict >= expected, told
    if decision.verdict == expected:
        assert decision.decided_by == row["by"], told


def test_rows_are_complete_and_named_once() -> None:
    every = [(subject, row) for subject in subjects() for row in rows(subject)]
    assert len(every) > 200
    for subject, row in every:
        assert set(row) >= KEYS, (subject, row["id"])
        assert set(row) <= KEYS | OPTIONAL, (subject, row["id"])
        assert row["why"].endswith("."), (subject, row["id"])
    names = [(subject, row["id"]) for subject, row in every]
    assert len(names) == len(set(names))


def test_an_allowed_row_shows_no_gap_and_every_row_has_a_reason() -> None:
    for subject in subjects():
        for row in rows(subject):
            decision = answer(row)
            assert decision.reason
            assert not (decision.allowed and decision.gaps), row["id"]


def test_no_row_is_answered_otherwise_when_every_step_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for subject in subjects():
        for row in rows(subject):
            short = answer(row)
            with monkeypatch.context() as patch:
                patch.setattr(decide, "_built_in", lambda _case: decide.HOLDING)
                assert answer(row) == short, row["id"]
