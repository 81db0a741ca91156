"""Reading the journal: both directions, searching, finding by id, counting."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.audit.ends import BLOCK, backwards
from assent.audit.journal import Journal, JournalError
from assent.audit.reading import Stats, find, forwards, outcome, records, search, stats
from assent.errors import InputError, UsageError
from audit.journals import current, written


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A day of a journal: two decisions, a question that was answered, one that was not."""
    now = iter(range(100, 1000, 100))
    journal = Journal(str(tmp_path / "a"), durable=False, clock=lambda: float(next(now)))
    by_rule = {"decided_by": {"kind": "rule", "id": "r"}}
    journal.append(
        "decision", {"tool": "Bash", "decision": "allow", "command": "git status", "latency_ms": 3, **by_rule}
    )
    journal.append("decision", {"tool": "Bash", "decision": "deny", "command": "rm -rf /", "latency_ms": 5, **by_rule})
    ask = {"tool": "WebFetch", "request_id": "req-1234", "session_id": "s-77"}
    journal.append("decision", {**ask, "decision": "ask", "latency_ms": 4.5})
    journal.append("answer", {**ask, "approved": True, "reason": "Fine", "decided_by": {"kind": "human", "id": "me"}})
    journal.append("timeout", {"tool": "Write", "request_id": "req-9999"})
    journal.append("mode", {"mode": "plan"})
    return str(tmp_path / "a")


def seqs(folder: str, *words: str, **conditions: object) -> list[int]:
    return [found.seq for found in search(folder, words, **conditions)]  # type: ignore[arg-type]


def test_records_come_in_both_directions_and_after_a_number(folder: str) -> None:
    assert [found.seq for found in records(folder)] == [1, 2, 3, 4, 5, 6]
    assert [found.seq for found in records(folder, newest_first=True)] == [6, 5, 4, 3, 2, 1]
    assert [found.seq for found in records(folder, after=4)] == [5, 6]
    assert [found.seq for found in records(folder, after=4, newest_first=True)] == [6, 5]
    assert list(records(folder, after=6)) == []


def test_a_journal_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert list(records(str(tmp_path / "none"))) == []
    assert not (tmp_path / "none").exists()


def test_a_journal_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(JournalError, match="is a link or no folder"):
        list(records(str(tmp_path / "a")))
    (tmp_path / "b").mkdir()
    (tmp_path / "b/permissions.jsonl").symlink_to(tmp_path / "a")
    with pytest.raises(JournalError, match=r"permissions.jsonl` is a link"):
        list(records(str(tmp_path / "b")))


def test_lines_that_are_no_records_are_passed_over(folder: str) -> None:
    with current(Path(folder)).open("ab") as file:
        file.write(b"garbage\n{}\n")
    assert [found.seq for found in records(folder)] == [1, 2, 3, 4, 5, 6]
    assert [found.seq for found in records(folder, newest_first=True)] == [6, 5, 4, 3, 2, 1]


def test_a_reader_holds_on_to_the_moment_it_began(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 3)
    reading = records(str(folder))
    assert next(reading).seq == 1
    written(folder, 4, max_bytes=10)
    assert [found.seq for found in reading] == [2, 3]


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
@pytest.mark.parametrize("every", [1, 10, 70_000])
def test_lines_are_the_same_from_both_ends(tmp_path: Path, size: int, every: int) -> None:
    content = b"".join(b"\n" if place % every == every - 1 else b"x" for place in range(size))
    (tmp_path / "file").write_bytes(content)
    with (tmp_path / "file").open("rb") as file:
        there = list(forwards(file.fileno(), size))
        back = list(backwards(file.fileno(), size))
    assert there == back[::-1] == content.split(b"\n")


def test_searching_by_words_and_conditions(folder: str) -> None:
    assert seqs(folder) == [1, 2, 3, 4, 5, 6]
    assert seqs(folder, "GIT") == [1]
    assert seqs(folder, "rm", "bash") == [2]
    assert seqs(folder, "rm", "git") == []
    assert seqs(folder, kind="decision") == [1, 2, 3]
    assert seqs(folder, tool="bash") == [1, 2]
    assert seqs(folder, session="s-7") == [3, 4]
    assert seqs(folder, verdict="allow") == seqs(folder, verdict="approved") == [1, 4]
    assert seqs(folder, verdict="deny") == [2]
    assert seqs(folder, verdict="expired") == [5]
    assert seqs(folder, since=200.0, until=400.0) == [2, 3]
    assert seqs(folder, limit=2) == [5, 6]
    assert seqs(folder, kind="decision", limit=1) == [3]


def test_outcomes_say_what_came_out(folder: str) -> None:
    assert [outcome(found) for found in records(folder)] == ["allow", "deny", "ask", "approved", "expired", ""]


def test_an_event_is_found_by_its_id_and_a_request_by_its(folder: str) -> None:
    everything = list(records(folder))
    assert find(folder, everything[1].event_id) == (everything[1],)
    assert find(folder, everything[1].event_id[:12]) == (everything[1],)
    assert find(folder, "req-1234") == (everything[2], everything[3])
    assert find(folder, "req-12") == (everything[2], everything[3])


def test_an_id_must_be_known_long_enough_and_unique(folder: str) -> None:
    with pytest.raises(InputError, match="the journal holds nothing with the id `nothing`"):
        find(folder, "nothing")
    with pytest.raises(UsageError, match="`req` is too short for an id"):
        find(folder, "req")
    with pytest.raises(UsageError, match=r"`req-` begins 2 ids \(say more: req-1234, req-9999\)"):
        find(folder, "req-")


def test_counting(folder: str) -> None:
    assert stats(folder) == Stats(
        records=6,
        first=100.0,
        last=600.0,
        kinds=(("decision", 3), ("answer", 1), ("mode", 1), ("timeout", 1)),
        outcomes=(("allow", 1), ("approved", 1), ("ask", 1), ("deny", 1), ("expired", 1)),
        tools=(("Bash", 2), ("WebFetch", 1)),
        decided_by=(("rule", 2), ("human", 1)),
        latency_ms=4.5,
    )
    assert stats(folder, since=500.0).records == 2
    assert stats(folder, since=1e9) == Stats(0, 0.0, 0.0, (), (), (), (), None)
