"""Kept decisions have not moved. `make golden` compares all of them; these are the corpus and a sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from decisions.answers import answer, digest
from decisions.lines import Asked, asked, shards

KEPT = dict(line.split() for line in (Path(__file__).parent / "decisions/digests.txt").read_text().splitlines())
SAMPLE = [name for name in shards() if name.startswith("corpus/") or name in ("fuzz/000", "fuzz/100", "fuzz/200")]


def test_every_shard_is_kept() -> None:
    assert list(KEPT) == shards()


@pytest.mark.parametrize("shard", SAMPLE)
def test_no_decision_has_moved(shard: str) -> None:
    assert digest(shard) == KEPT[shard], f"which and why: scripts/golden --only {shard} --against HEAD"


def test_the_same_lines_are_made_every_time() -> None:
    first, again = list(asked("fuzz/007")), list(asked("fuzz/007"))
    assert first == again
    assert len({one.row["input"]["command"] for one in first}) > len(first) * 0.9


def test_what_is_kept_says_more_than_the_verdict_and_no_message() -> None:
    row = {"tool": "Bash", "input": {"command": "rm -f a.txt && frob x"}}
    assert answer(Asked("x", row)).split(" | ") == [
        "ask mode",
        "delete a.txt  1",
        "run frob program 2",
        "2:,",
    ]
