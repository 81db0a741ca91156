"""Writers that die and disks that are full: the journal stays provable, and nobody believes what was not written."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
from pathlib import Path
from typing import Any

import pytest

from assent.audit.journal import Journal, JournalError
from assent.audit.reading import records
from assent.audit.verify import Problem, verify
from assent.digest import sha256
from audit.journals import current, lines, put_lines, python, written

# --- torn lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [1, 10, 200, -2, -1])
def test_a_torn_line_is_ended_and_accounted_for(tmp_path: Path, kept: int) -> None:
    folder = written(tmp_path / "a", 3)
    noted = (folder / "head").read_bytes()
    written(folder, 1)
    whole = current(folder).read_bytes()
    last = lines(folder)[-1]
    torn = (last + b"\n")[:kept]
    current(folder).write_bytes(whole[: -len(last) - 1] + torn)
    (folder / "head").write_bytes(noted)
    assert verify(str(folder)).problems == ()

    written(folder, 1)
    found = list(records(str(folder)))
    assert [one.kind for one in found] == ["decision"] * 3 + ["recovered", "decision"]
    assert {name: found[3].fields[name] for name in ("torn_bytes", "torn_sha256")} == {
        "torn_bytes": len(torn),
        "torn_sha256": sha256(torn),
    }
    assert [one.seq for one in found] == [1, 2, 3, 4, 5]
    assert [one.seq for one in records(str(folder), newest_first=True)] == [5, 4, 3, 2, 1]
    assert verify(str(folder)).problems == ()
    assert len(lines(folder)) == 6


def torn(folder: Path) -> Path:
    written(folder, 2)
    with current(folder).open("ab") as file:
        file.write(b'{"event_id": "12')
    return written(folder, 1)


def test_only_exactly_the_torn_bytes_are_accepted(tmp_path: Path) -> None:
    folder = torn(tmp_path / "a")
    assert verify(str(folder)).problems == ()
    given = lines(folder)
    given[2] += b"3"
    put_lines(folder, given)
    assert [(one.line, one.what[:9]) for one in verify(str(folder)).problems] == [(3, "no record")]


def test_a_torn_line_that_was_removed_leaves_a_valid_chain(tmp_path: Path) -> None:
    folder = torn(tmp_path / "a")
    given = lines(folder)
    put_lines(folder, given[:2] + given[3:])
    assert verify(str(folder)).problems == ()  # nothing that was ever said is gone


def test_a_torn_line_is_not_rotated_away(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 2)
    with current(folder).open("ab") as file:
        file.write(b"{")
    written(folder, 2, max_bytes=10)
    assert verify(str(folder)).problems == ()
    assert [one.kind for one in records(str(folder))] == [
        *("decision", "decision", "recovered", "decision", "rotated", "decision")
    ]


def test_a_cut_that_looks_like_a_crash_is_found_by_the_head(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 4)
    current(folder).write_bytes(current(folder).read_bytes()[:-20])
    missing = Problem("permissions.jsonl", 3, 0, "record 4 is missing at the end, the head knows of 4")
    assert verify(str(folder)).problems == (missing,)
    written(folder, 1)  # a later writer does not cover it up
    [later] = verify(str(folder)).problems
    assert (later.line, later.what[:19]) == (4, "no record: not JSON")


def test_a_last_record_without_its_newline_is_kept(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 2)
    current(folder).write_bytes(current(folder).read_bytes()[:-1])
    written(folder, 1)
    kinds = ["decision", "decision", "recovered", "recovered", "decision"]  # the newline, and the head that was ahead
    assert [one.kind for one in records(str(folder))] == kinds
    assert [one.kind for one in records(str(folder), newest_first=True)] == kinds[::-1]
    assert verify(str(folder)).problems == ()


# --- killed writers ------------------------------------------------------------------------------------------------

KILLED = """
from assent.audit.journal import Journal
journal = Journal(sys.argv[1], durable=False, max_bytes=20_000)
print("go", flush=True)
while True:
    journal.append("decision", {"tool": "Bash", "decision": "allow", "command": "x" * 300})
"""


def test_killed_writers_leave_a_journal_that_verifies(tmp_path: Path) -> None:
    folder = str(tmp_path / "a")
    chance = random.Random(7)
    for _ in range(3):
        writers = [python(KILLED, folder) for _ in range(3)]
        for writer in writers:
            assert writer.stdout
            assert writer.stdout.readline() == "go\n"
        seen = sum(1 for _ in records(folder))
        goal = seen + chance.randrange(5, 60)
        while sum(1 for _ in records(folder)) < goal:
            assert [writer.poll() for writer in writers] == [None] * 3
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            writer.communicate()
        Journal(folder, durable=False).append("mode", {})
        assert verify(folder).problems == ()


HALF = """
import os
from assent.audit import journal
whole = os.write
def half(file, data):
    whole(file, data[: int(sys.argv[2])])
    os.kill(os.getpid(), 9)
os.write = half
journal.Journal(sys.argv[1]).append("mode", {"mode": "plan"})
"""


@pytest.mark.parametrize("written_bytes", [0, 1, 100, 250])
def test_a_writer_killed_in_the_middle_of_a_line_is_recovered_from(tmp_path: Path, written_bytes: int) -> None:
    folder = written(tmp_path / "a", 2)
    done = python(HALF, str(folder), str(written_bytes))
    done.communicate()
    assert done.returncode == -signal.SIGKILL
    assert verify(str(folder)).problems == ()
    written(folder, 1)
    kinds = ["decision", "decision", *(["recovered"] if written_bytes else []), "decision"]
    assert [one.kind for one in records(str(folder))] == kinds
    assert verify(str(folder)).problems == ()


def test_a_head_that_is_behind_is_fine_and_catches_up(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 2)
    noted = (folder / "head").read_bytes()
    written(folder, 1)
    (folder / "head").write_bytes(noted)
    assert verify(str(folder)).problems == ()
    written(folder, 1)
    assert (folder / "head").read_text().startswith(f"{4:020d} ")
    assert verify(str(folder)).problems == ()


# --- disks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_disk_that_refuses_is_an_error_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    folder = written(tmp_path / "a", 2)
    before = current(folder).read_bytes()

    def refuse(file: int, data: Any) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(JournalError) as caught:
            Journal(str(folder)).append("mode", {})
    assert caught.value.message == f"the journal in `{folder}` cannot be written: {os.strerror(number)}"
    assert "nothing runs that cannot be written down" in caught.value.help
    assert current(folder).read_bytes() == before
    assert verify(str(folder)).problems == ()


def test_a_short_write_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "a", 2)
    before = current(folder).read_bytes()
    whole = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda file, data: whole(file, data[:7]))
        with pytest.raises(JournalError, match=r"the disk took 7 of \d+ bytes of the journal"):
            Journal(str(folder)).append("mode", {})
    assert current(folder).read_bytes() == before
    written(folder, 1)
    assert verify(str(folder)).problems == ()


def test_a_short_write_that_cannot_be_taken_back_is_recovered_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "a", 2)
    whole = os.write

    def stuck(file: int, size: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda file, data: whole(file, data[:7]))
        patched.setattr(os, "ftruncate", stuck)
        with pytest.raises(JournalError):
            Journal(str(folder)).append("mode", {})
    written(folder, 1)
    assert [one.kind for one in records(str(folder))] == ["decision", "decision", "recovered", "decision"]
    assert verify(str(folder)).problems == ()


def test_a_sync_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "a", 2)

    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", fail)
        with pytest.raises(JournalError, match="cannot be written: Input/output error"):
            Journal(str(folder)).append("mode", {})
    assert verify(str(folder)).problems == ()


FULL = """
import resource, signal
from assent.audit.journal import Journal, JournalError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
journal = Journal(sys.argv[1])
try:
    while True:
        journal.append("mode", {"mode": "plan"})
except JournalError as error:
    print(error.message)
"""


@pytest.mark.parametrize("limit", [2000, 2100, 2222])
def test_a_file_that_may_not_grow_stays_whole(tmp_path: Path, limit: int) -> None:
    folder = tmp_path / "a"
    done = python(FULL, str(folder), str(limit))
    out, _ = done.communicate()
    assert done.returncode == 0
    assert "of the journal" in out or "cannot be written: File too large" in out
    assert current(folder).read_bytes().endswith(b"}\n")
    assert current(folder).stat().st_size <= limit
    found = verify(str(folder))
    assert (found.problems, found.records) == ((), len(lines(folder)))


def test_a_writer_that_may_open_no_more_files_is_told(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 1)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        with pytest.raises(JournalError, match="Too many open files"):
            Journal(str(folder)).append("mode", {})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert verify(str(folder)).problems == ()
