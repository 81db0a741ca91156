"""Proving the journal: whatever is done to it afterwards is found, and named with its place."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from assent.audit.reading import records
from assent.audit.verify import Problem, Verification, verify
from assent.errors import UsageError
from audit.journals import current, lines, put_lines, written

COUNT = 6
NAME = "permissions.jsonl"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("whole") / "a", COUNT)


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return copy(whole, tmp_path)


def copy(whole: Path, tmp_path: Path) -> Path:
    made = tmp_path / uuid.uuid4().hex
    shutil.copytree(whole, made)
    return made


def sealed(line: bytes, **changes: object) -> bytes:
    """A forged line: changed, and given the hash that fits."""
    table = json.loads(line) | changes
    del table["hash"]
    table["hash"] = sha256(json.dumps(table).encode()).hexdigest()
    return json.dumps(table).encode()


def test_a_whole_journal_verifies(folder: Path) -> None:
    last = json.loads(lines(folder)[-1])
    assert verify(str(folder)) == Verification(True, COUNT, 1, (), f"{COUNT}:{last['hash']}")


def test_a_journal_that_was_never_written_verifies(tmp_path: Path) -> None:
    assert verify(str(tmp_path / "none")) == Verification(True, 0, 0, (), f"0:{'0' * 64}")


# --- each kind of tampering ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(COUNT))
def test_a_changed_record_is_named(folder: Path, at: int) -> None:
    given = lines(folder)
    given[at] = given[at].replace(f"echo {at}".encode(), b"echo 9")
    put_lines(folder, given)
    problem = Problem(NAME, at + 1, at + 1, "changed: its hash is not the hash of its content")
    assert verify(str(folder)).problems == (problem,)


@pytest.mark.parametrize("at", range(COUNT))
def test_a_changed_record_with_a_fitting_hash_breaks_the_chain_behind_it(folder: Path, at: int) -> None:
    given = lines(folder)
    given[at] = sealed(given[at], command="echo 9")
    put_lines(folder, given)
    if at == COUNT - 1:
        problem = Problem(NAME, at + 1, at + 1, "not the record that the head knows")
    else:
        problem = Problem(NAME, at + 2, at + 2, "replaced, or the one before it: it does not follow that one")
    assert verify(str(folder)).problems == (problem,)


@pytest.mark.parametrize("at", range(COUNT))
def test_a_removed_record_is_named(folder: Path, at: int) -> None:
    given = lines(folder)
    del given[at]
    put_lines(folder, given)
    if at == COUNT - 1:
        problem = Problem(NAME, COUNT - 1, 0, f"record {COUNT} is missing at the end, the head knows of {COUNT}")
    else:
        problem = Problem(NAME, at + 1, at + 2, f"record {at + 1} is missing before it")
    assert verify(str(folder)).problems == (problem,)


def test_several_removed_records_are_one_problem(folder: Path) -> None:
    given = lines(folder)
    put_lines(folder, given[:1] + given[4:])
    assert verify(str(folder)).problems == (Problem(NAME, 2, 5, "records 2 to 4 are missing before it"),)


@pytest.mark.parametrize("at", range(COUNT + 1))
def test_a_line_that_was_put_in_is_named(folder: Path, at: int) -> None:
    given = lines(folder)
    given.insert(at, b"{}")
    put_lines(folder, given)
    problem = Problem(NAME, at + 1, 0, "no record: it is no record of the journal")
    assert verify(str(folder)).problems == (problem,)


@pytest.mark.parametrize("at", range(1, COUNT))
def test_a_record_that_was_written_twice_is_named(folder: Path, at: int) -> None:
    given = lines(folder)
    given.insert(at, given[0])
    put_lines(folder, given)
    assert verify(str(folder)).problems == (Problem(NAME, at + 1, 1, f"moved or put in: it stands behind record {at}"),)


def test_records_that_changed_places_are_named(folder: Path) -> None:
    given = lines(folder)
    given[2], given[3] = given[3], given[2]
    put_lines(folder, given)
    assert verify(str(folder)).problems == (
        Problem(NAME, 3, 4, "record 3 is missing before it"),
        Problem(NAME, 4, 3, "moved or put in: it stands behind record 4"),
    )


def test_a_cut_at_the_end_is_found(folder: Path) -> None:
    put_lines(folder, lines(folder)[:2])
    problem = Problem(NAME, 2, 0, "records 3 to 6 are missing at the end, the head knows of 6")
    assert verify(str(folder)).problems == (problem,)


def test_a_later_writer_does_not_cover_up_a_cut(folder: Path) -> None:
    put_lines(folder, lines(folder)[:2])
    written(folder, 2)
    assert [one.seq for one in records(str(folder))] == [1, 2, 7, 8, 9]
    assert verify(str(folder)).problems == (Problem(NAME, 3, 7, "records 3 to 6 are missing before it"),)


def test_a_later_writer_does_not_cover_up_a_forged_end(folder: Path) -> None:
    given = lines(folder)
    given[-1] = sealed(given[-1], command="echo 9")
    put_lines(folder, given)
    written(folder, 1)
    problem = Problem(NAME, COUNT + 1, COUNT + 1, "replaced, or the one before it: it does not follow that one")
    assert verify(str(folder)).problems == (problem,)


def test_a_file_that_was_removed_is_found(folder: Path) -> None:
    current(folder).unlink()
    assert verify(str(folder)).problems == (
        Problem(NAME, 0, 0, "records 1 to 6 are missing at the end, the head knows of 6"),
    )
    written(folder, 1)
    assert verify(str(folder)).problems == (Problem(NAME, 1, 7, "records 1 to 6 are missing before it"),)


def test_a_head_that_was_removed_is_found_also_later(folder: Path) -> None:
    (folder / "head").unlink()
    problem = Problem("head", 0, 0, "the file is missing: records may have been cut off at the end")
    assert verify(str(folder)).problems == (problem,)
    written(folder, 1)
    later = Problem(NAME, 7, 7, "the head was missing here: records may have been cut off before it")
    assert verify(str(folder)).problems == (later,)


@pytest.mark.parametrize("text", ["", "x", "00000000000000000006 abc\n", f"{-1:020d} {'0' * 64}\n", "٦" * 20 + " "])
def test_a_head_that_was_damaged_is_found_also_later(folder: Path, text: str) -> None:
    (folder / "head").write_text(text)
    problem = Problem("head", 0, 0, "the file is damaged: records may have been cut off at the end")
    assert verify(str(folder)).problems == (problem,)
    written(folder, 1)
    later = Problem(NAME, 7, 7, "the head was damaged here: records may have been cut off before it")
    assert verify(str(folder)).problems == (later,)


# --- rotated files -------------------------------------------------------------------------------------------------


@pytest.fixture
def rotated(tmp_path: Path) -> Path:
    """Three rotated files with three records each, and the current one."""
    return written(tmp_path / "r", 10, max_bytes=1300)


def test_rotated_files_are_one_chain(rotated: Path) -> None:
    found = verify(str(rotated))
    assert (found.problems, found.files) == ((), 4)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_rotated_file_that_is_missing_is_named(rotated: Path, number: int) -> None:
    gone = rotated / f"permissions-{number:06d}.jsonl"
    seqs = [json.loads(line)["seq"] for line in gone.read_bytes().splitlines()]
    gone.unlink()
    following = f"permissions-{number + 1:06d}.jsonl" if number < 3 else NAME
    gap = Problem(following, 1, seqs[-1] + 1, f"records {seqs[0]} to {seqs[-1]} are missing before it")
    missing = Problem(gone.name, 0, 0, "the file is missing")
    assert verify(str(rotated)).problems == ((missing, gap) if number < 3 else (gap,))


def test_a_change_in_a_rotated_file_is_named(rotated: Path) -> None:
    file = rotated / "permissions-000002.jsonl"
    file.write_bytes(file.read_bytes().replace(b"echo 3", b"echo 7"))
    [problem] = verify(str(rotated)).problems
    assert (problem.file, problem.what) == (file.name, "changed: its hash is not the hash of its content")


def test_rotated_files_that_changed_places_are_found(rotated: Path) -> None:
    one, two = rotated / "permissions-000001.jsonl", rotated / "permissions-000002.jsonl"
    one.rename(rotated / "x")
    two.rename(one)
    (rotated / "x").rename(two)
    assert {problem.file for problem in verify(str(rotated)).problems} >= {one.name, two.name}


def test_a_rotated_file_must_end_with_a_newline(rotated: Path) -> None:
    file = rotated / "permissions-000001.jsonl"
    file.write_bytes(file.read_bytes()[:-1])
    assert [(one.file, one.what) for one in verify(str(rotated)).problems] == [(file.name, "no newline ends it")]


# --- anchors -------------------------------------------------------------------------------------------------------


def rewritten(folder: Path) -> None:
    """What somebody can do who may write everything: a chain of their own, head included."""
    before, made = "0" * 64, []
    for line in lines(folder):
        made.append(sealed(line, prev_hash=before, command="echo 9"))
        before = json.loads(made[-1])["hash"]
    put_lines(folder, made)
    (folder / "head").write_text(f"{len(made):020d} {before}\n")


def test_an_anchor_noted_elsewhere_finds_a_rewritten_journal(folder: Path) -> None:
    anchors = [f"{line['seq']}:{line['hash']}" for line in map(json.loads, lines(folder))]
    assert [verify(str(folder), anchor).problems for anchor in anchors] == [()] * COUNT
    rewritten(folder)
    assert verify(str(folder)).problems == ()
    for number, anchor in enumerate(anchors, start=1):
        problem = Problem(NAME, number, number, "not the record that the anchor knows")
        assert verify(str(folder), anchor).problems == (problem,)


def test_an_anchor_finds_a_journal_that_was_removed(tmp_path: Path) -> None:
    assert verify(str(tmp_path / "none"), f"3:{'a' * 64}").problems == (
        Problem(NAME, 0, 0, "records 1 to 3 are missing at the end, the anchor knows of 3"),
    )


def cut_and_headless(folder: Path) -> None:
    put_lines(folder, lines(folder)[:-2])
    (folder / "head").unlink()


def headless(folder: Path) -> None:
    (folder / "head").unlink()


def without_a_line(folder: Path) -> None:
    put_lines(folder, [*lines(folder)[:2], *lines(folder)[3:]])


def changed_line(folder: Path) -> None:
    every = lines(folder)
    put_lines(folder, [*every[:2], every[2].replace(b"echo", b"ech0"), *every[3:]])


@pytest.mark.parametrize("tamper", [cut_and_headless, headless, without_a_line, changed_line, rewritten])
def test_an_anchor_finds_whatever_is_found_without_one(folder: Path, tamper: Callable[[Path], None]) -> None:
    anchors = [f"{line['seq']}:{line['hash']}" for line in map(json.loads, lines(folder))]
    tamper(folder)
    plain = verify(str(folder)).problems
    for anchor in anchors:
        assert set(plain) <= set(verify(str(folder), anchor).problems)


def test_an_anchor_whose_record_is_gone_from_the_middle_says_so(folder: Path) -> None:
    anchor = [f"{line['seq']}:{line['hash']}" for line in map(json.loads, lines(folder))][2]
    without_a_line(folder)
    gone = Problem(NAME, 0, 3, "the record that the anchor knows is not there")
    assert gone in verify(str(folder), anchor).problems


def test_the_beginning_is_an_anchor_and_nothing_else_with_its_number_is(folder: Path) -> None:
    assert verify(str(folder), f"0:{'0' * 64}").ok
    assert not verify(str(folder), f"0:{'a' * 64}").ok


@pytest.mark.parametrize(
    "anchor", ["x", "3", "3:abc", f":{'a' * 64}", f"-1:{'a' * 64}", f"3:{'A' * 64}", f"٣:{'a' * 64}"]
)
def test_what_is_no_anchor_is_refused(folder: Path, anchor: str) -> None:
    with pytest.raises(UsageError, match="is no anchor"):
        verify(str(folder), anchor)


# --- any tampering -------------------------------------------------------------------------------------------------

Change = Callable[[list[bytes], st.DataObject], int]
"""Changes lines in place; returns the number of the first line that is not as it was."""


def edit(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given) - 1))
    line = bytearray(given[at])
    place = data.draw(st.integers(0, len(line) - 1))
    sign = data.draw(st.integers(0, 255).filter(lambda sign: sign not in (line[place], 10)))
    line[place] = sign
    given[at] = bytes(line)
    return at + 1


def shorten(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given) - 1))
    given[at] = given[at][: data.draw(st.integers(0, len(given[at]) - 1))]
    return at + 1


def delete(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given) - 1))
    many = data.draw(st.integers(1, len(given) - at))
    del given[at : at + many]
    return at + 1


def insert(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given)))
    copied = given[data.draw(st.integers(0, len(given) - 1))]
    forged = sealed(copied, seq=data.draw(st.integers(1, 9)), command="rm -rf /")
    given.insert(at, data.draw(st.sampled_from([copied, forged, b"", b"{}", b"x", b"[1]"])))
    return at + 1


def swap(given: list[bytes], data: st.DataObject) -> int:
    one, two = sorted(data.draw(st.lists(st.integers(0, len(given) - 1), min_size=2, max_size=2, unique=True)))
    given[one], given[two] = given[two], given[one]
    return one + 1


def forge(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given) - 1))
    given[at] = sealed(given[at], decision="deny")
    return at + 1


def split(given: list[bytes], data: st.DataObject) -> int:
    at = data.draw(st.integers(0, len(given) - 1))
    place = data.draw(st.integers(0, len(given[at])))
    given[at : at + 1] = [given[at][:place], given[at][place:]]
    return at + 1


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.data(), st.sampled_from([edit, shorten, delete, insert, swap, forge, split]))
def test_any_tampering_is_found_and_located(whole: Path, tmp_path: Path, data: st.DataObject, change: Change) -> None:
    folder = copy(whole, tmp_path)
    before = lines(folder)
    given = list(before)
    first = change(given, data)
    assume(given != before)
    while first <= min(len(given), len(before)) and given[first - 1] == before[first - 1]:
        first += 1  # a copy put in before itself: what differs is the line behind it
    put_lines(folder, given)
    problems = verify(str(folder)).problems
    assert problems
    nearest = min(abs(problem.line - first) for problem in problems)
    assert nearest <= 1


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_cut_of_the_file_is_found(whole: Path, tmp_path: Path, data: st.DataObject) -> None:
    folder = copy(whole, tmp_path)
    content = current(folder).read_bytes()
    kept = data.draw(st.integers(0, len(content) - 1))
    current(folder).write_bytes(content[:kept])
    problems = verify(str(folder)).problems
    full = content[:kept].count(b"\n")
    assert [problem.line for problem in problems] == [full]
    written(folder, 1)
    only_a_newline = kept == len(content) - 1
    assert (verify(str(folder)).problems == ()) == only_a_newline
