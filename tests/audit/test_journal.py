"""Appending to the journal: what a line holds, who may write it, how it is chained, rotated, shared and refused."""

from __future__ import annotations

import json
import os
import stat
import threading
import uuid
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.audit.ends import End, find_end
from assent.audit.entries import PermissionAuditEntry, entries
from assent.audit.files import Folder, rotated_number
from assent.audit.journal import Journal, JournalError
from assent.audit.lines import KINDS, OWN, Record
from assent.audit.reading import records
from assent.audit.verify import verify
from assent.errors import AssentError, UsageError
from assent.questions import Part
from assent.types import Verdict
from audit.journals import current, lines, python, written

ZERO = "0" * 64


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(folder)]


# --- lines ---------------------------------------------------------------------------------------------------------


def test_a_line_holds_what_was_told_and_what_the_journal_knows(tmp_path: Path) -> None:
    made = Journal(str(tmp_path / "a"), clock=lambda: 12.3456789).append(
        "decision", {"tool": "Read", "decision": "deny"}
    )
    [line] = read(tmp_path / "a")
    assert line == {
        "event_id": made.event_id,
        "time": 12.345679,
        "seq": 1,
        "prev_hash": ZERO,
        "kind": "decision",
        "user": line["user"],
        "host": os.uname().nodename,
        "tool": "Read",
        "decision": "deny",
        "tool_name": "Read",
        "request_id": "",
        "approved": False,
        "reason": "",
        "timeout": False,
        "timestamp": 12.345679,
        "hash": made.hash,
    }
    assert made.table() == line
    assert uuid.UUID(made.event_id).version == 4


def test_anyone_can_check_the_hash_with_nothing_but_json(tmp_path: Path) -> None:
    written(tmp_path / "a", 3)
    before = ZERO
    for line in read(tmp_path / "a"):
        claimed = line.pop("hash")
        assert sha256(json.dumps(line).encode()).hexdigest() == claimed
        assert line["prev_hash"] == before
        before = claimed


def test_the_head_names_the_last_record(tmp_path: Path) -> None:
    written(tmp_path / "a", 3)
    last = read(tmp_path / "a")[-1]
    assert (tmp_path / "a/head").read_text() == f"{3:020d} {last['hash']}\n"


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    Journal(str(tmp_path / "state/assent/audit")).append("mode", {"mode": "plan"})
    found = [tmp_path / "state", tmp_path / "state/assent/audit", *(tmp_path / "state/assent/audit").iterdir()]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in found}
    assert modes == {"state": 0o700, "audit": 0o700, "permissions.jsonl": 0o600, "head": 0o600, "lock": 0o600}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_written(tmp_path: Path, kind: str) -> None:
    assert Journal(str(tmp_path / "a")).append(kind, {}).kind == kind
    assert verify(str(tmp_path / "a")).ok


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind `party` of event"):
        Journal(str(tmp_path / "a")).append("party", {})
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ["event_id", "time", "seq", "prev_hash", "hash", "kind", "user", "host"])
def test_what_the_journal_writes_cannot_be_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"`{name}` is written by the journal itself"):
        Journal(str(tmp_path / "a")).append("mode", {name: 1})


def test_records_and_verdicts_and_bytes_become_plain_values(tmp_path: Path) -> None:
    told: dict[str, object] = {
        "decision": Verdict.ASK,
        "parts": (Part("ls", "allow", rule="r"),),
        "raw": b"a\xff",
        "odd": float("nan"),
        "big": 2**70,
        "some": {3, 1},
        "thing": object(),
    }
    made = Journal(str(tmp_path / "a")).append("question", told)
    assert {name: made.fields[name] for name in told} == {
        "decision": "ask",
        "parts": [{"text": "ls", "verdict": "allow", "why": "", "inside": [], "rule": "r"}],
        "raw": "a\\xff",
        "odd": "nan",
        "big": str(2**70),
        "some": [1, 3],
        "thing": "‹object›",
    }


def test_what_is_too_long_or_too_deep_is_cut_and_says_so(tmp_path: Path) -> None:
    deep: object = "x"
    for _ in range(30):
        deep = [deep]
    told = {"command": "word " * 10_000, "one": "y" * 20_000, "deep": deep, "many": list(range(1000))}
    made = Journal(str(tmp_path / "a")).append("question", told)
    assert str(made.fields["command"]).endswith("word … (33621 more characters)")
    assert made.fields["one"] == " … (20000 more characters)"
    assert "… (nested too deeply)" in json.dumps(made.fields["deep"], ensure_ascii=False)
    assert str(made.fields["many"]).endswith("499, '… (500 more)']")


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.text(max_size=9).filter(lambda name: name not in OWN) | st.sampled_from(
    ['x", "hash": "0', "a\nb", "\udc80", "approved", "timeout", "timestamp"]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(NAMES, HOSTILE | st.just('"}\n{"seq": 9}'), max_size=5), st.sampled_from(KINDS))
def test_no_field_can_forge_a_line(tmp_path: Path, fields: dict[str, object], kind: str) -> None:
    folder = tmp_path / uuid.uuid4().hex
    Journal(str(folder), durable=False).append("mode", {"mode": "plan"})
    made = Journal(str(folder), durable=False).append(kind, fields)
    assert [line["seq"] for line in read(folder)] == [1, 2]
    assert list(records(str(folder)))[1] == made
    assert verify(str(folder)).ok
    current(folder).read_bytes().decode("ascii")


# --- secrets -------------------------------------------------------------------------------------------------------

SECRET = "hG7kP2mQ9xR4tZ8wB3nV6c"


def test_a_secret_never_reaches_the_disk(tmp_path: Path) -> None:
    told = {
        "command": f"curl -H 'Authorization: Bearer {SECRET}' https://u:{SECRET}@example.com/?token={SECRET}",
        "reason": f"because {SECRET}",
        "parts": [{"text": f"mysql -p{SECRET}", "verdict": "ask"}],
        "input": {"password": SECRET, "env": {"X": f"API_KEY={SECRET}"}},
        "session_id": f"ghp_{SECRET}",
        SECRET: "as a name",
    }
    Journal(str(tmp_path / "a")).append("decision", told)
    assert [path.name for path in (tmp_path / "a").iterdir() if SECRET.encode() in path.read_bytes()] == []


def test_ids_stay_as_they_are(tmp_path: Path) -> None:
    told = {
        "session_id": "123e4567-e89b-12d3-a456-426614174000",
        "tool_call_id": "toolu_01A09q90qw90lq917835lq9",
        "request_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "action_digest": sha256(b"").hexdigest(),
    }
    made = Journal(str(tmp_path / "a")).append("question", told)
    assert {name: made.fields[name] for name in told} == told


# --- entries -------------------------------------------------------------------------------------------------------


def test_the_journal_can_be_read_as_permission_entries(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "a"), clock=lambda: 5.0)
    journal.append("decision", {"tool": "Bash", "decision": "ask", "request_id": "r1", "reason": "unknown program"})
    journal.append("question", {"request_id": "r1"})
    journal.append("answer", {"tool_name": "Bash", "approved": True, "request_id": "r1", "timestamp": 99})
    journal.append("timeout", {"tool": "Write", "approved": True, "request_id": "r2"})
    journal.append("cancelled", {"tool": "Write", "decision": "allow", "request_id": "r3"})
    journal.append("answer", {"tool": "Write", "approved": "yes", "request_id": "r4"})
    assert list(entries(str(tmp_path / "a"))) == [
        PermissionAuditEntry("r1", 5.0, "Bash", False, "unknown program", False),
        PermissionAuditEntry("r1", 5.0, "Bash", True, "", False),
        PermissionAuditEntry("r2", 5.0, "Write", False, "", True),
        PermissionAuditEntry("r3", 5.0, "Write", False, "", False),
        PermissionAuditEntry("r4", 5.0, "Write", False, "", False),
    ]
    six = {"request_id", "timestamp", "tool_name", "approved", "reason", "timeout"}
    assert [six <= set(line) for line in read(tmp_path / "a")] == [True, False, True, True, True, True]


# --- many writers --------------------------------------------------------------------------------------------------

WRITER = """
from assent.audit.journal import Journal
journal = Journal(sys.argv[1], durable=False, max_bytes=int(sys.argv[3]))
for number in range(int(sys.argv[2])):
    journal.append("decision", {"tool": "Bash", "decision": "allow", "command": f"echo {number}"})
"""


@pytest.mark.parametrize("max_bytes", [64_000_000, 100_000])
def test_eight_processes_write_one_chain(tmp_path: Path, max_bytes: int) -> None:
    folder = str(tmp_path / "a")
    running = [python(WRITER, folder, "200", str(max_bytes)) for _ in range(8)]
    assert [one.communicate()[0] + str(one.returncode) for one in running] == ["0"] * 8
    found = verify(folder)
    assert found.problems == ()
    rotations = sum(one.kind == "rotated" for one in records(folder))
    assert found.records == 1600 + rotations
    assert found.files == 1 + rotations
    assert (rotations > 3) == (max_bytes == 100_000)


def test_threads_share_a_journal(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "a"), durable=False)
    threads = [threading.Thread(target=lambda: [journal.append("mode", {}) for _ in range(25)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (verify(str(tmp_path / "a")).problems, verify(str(tmp_path / "a")).records) == ((), 100)


def test_a_forked_child_goes_on_with_the_chain(tmp_path: Path) -> None:
    program = """
import os
from assent.audit.journal import Journal
journal = Journal(sys.argv[1], durable=False)
journal.append("mode", {})
children = []
for _ in range(3):
    child = os.fork()
    if not child:
        for _ in range(20):
            journal.append("mode", {})
        os._exit(0)
    children.append(child)
for _ in range(20):
    journal.append("mode", {})
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""
    done = python(program, str(tmp_path / "a"))
    assert (done.communicate()[0], done.returncode) == ("", 0)
    found = verify(str(tmp_path / "a"))
    assert (found.problems, found.records) == ((), 81)


def test_the_end_is_read_again_only_when_somebody_else_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def counted(folder: Folder, file: int) -> End:
        looks.append(1)
        return find_end(folder, file)

    monkeypatch.setattr("assent.audit.journal.find_end", counted)
    one, two = Journal(str(tmp_path / "a"), durable=False), Journal(str(tmp_path / "a"), durable=False)
    seen = []
    for journal in (one, one, one, two, two, one, one):
        journal.append("mode", {})
        seen.append(len(looks))
    assert seen == [1, 1, 1, 2, 2, 3, 3]
    assert verify(str(tmp_path / "a")).ok


def test_a_journal_that_is_locked_for_long_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "a", 1)
    monkeypatch.setattr("assent.audit.files.LOCK_SECONDS", 0.05)
    with (
        Folder(str(tmp_path / "a"), writing=True) as folder,
        folder.locked(),
        pytest.raises(JournalError, match=r"is locked for more than 0.05 seconds"),
    ):
        Journal(str(tmp_path / "a")).append("mode", {})
    Journal(str(tmp_path / "a")).append("mode", {})
    assert verify(str(tmp_path / "a")).records == 2


# --- rotation ------------------------------------------------------------------------------------------------------


def test_a_full_file_is_rotated_and_the_chain_goes_on(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 6, max_bytes=1200)
    first, second = folder / "permissions-000001.jsonl", folder / "permissions-000002.jsonl"
    assert sorted(path.name for path in folder.glob("*.jsonl")) == [
        "permissions-000001.jsonl",
        "permissions-000002.jsonl",
        "permissions.jsonl",
    ]
    last = json.loads(first.read_bytes().splitlines()[-1])
    begin = json.loads(second.read_bytes().splitlines()[0])
    told = {name: begin[name] for name in ("kind", "file", "seq", "prev_hash")}
    assert told == {"kind": "rotated", "file": first.name, "seq": last["seq"] + 1, "prev_hash": last["hash"]}
    assert [one.seq for one in records(str(folder))] == list(range(1, 9))
    assert [one.seq for one in records(str(folder), newest_first=True)] == list(range(8, 0, -1))
    assert verify(str(folder)).problems == ()


def test_a_writer_that_died_while_rotating_leaves_no_gap(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", 3)
    current(folder).rename(folder / "permissions-000001.jsonl")
    assert verify(str(folder)).ok
    current(folder).touch(mode=0o600)
    assert verify(str(folder)).ok
    written(folder, 1)
    assert [one.kind for one in records(str(folder))] == ["decision"] * 3 + ["rotated", "decision"]
    assert verify(str(folder)).problems == ()


@pytest.mark.parametrize(
    ("name", "number"),
    [("permissions-000012.jsonl", 12), ("permissions-1000000.jsonl", 1_000_000), ("permissions.jsonl", 0)]
    + [(f"permissions-{odd}.jsonl", 0) for odd in ("12", "00000x", "0000012", "٠٠٠٠٠١", "-00001", "")],
)
def test_only_our_own_names_are_rotated_files(name: str, number: int) -> None:
    assert rotated_number(name) == number


# --- what cannot be written ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["permissions.jsonl", "head", "lock"])
@pytest.mark.parametrize("linked", ["symbolic", "hard"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str, linked: str) -> None:
    folder = written(tmp_path / "a", 1)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (folder / name).unlink()
    (folder / name).symlink_to(victim) if linked == "symbolic" else (folder / name).hardlink_to(victim)
    with pytest.raises(JournalError, match="is a link" if linked == "symbolic" else "has a second name"):
        Journal(str(folder)).append("mode", {})
    assert victim.read_text() == "precious"


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "a").symlink_to(tmp_path / "real")
    with pytest.raises(JournalError, match="is a link or no folder"):
        Journal(str(tmp_path / "a")).append("mode", {})
    assert list((tmp_path / "real").iterdir()) == []


@pytest.mark.parametrize("name", ["", "permissions.jsonl", "head", "lock"])
def test_what_others_may_write_is_refused(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / "a", 1)
    (folder / name).chmod(0o777)
    with pytest.raises(JournalError, match="others may write to"):
        Journal(str(folder)).append("mode", {})
    assert len(lines(folder)) == 1


def test_what_belongs_to_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "a", 1)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(JournalError, match=f"belongs to user {owner}, not to you"):
        Journal(str(folder)).append("mode", {})


@pytest.mark.parametrize("name", ["permissions.jsonl", "head"])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / "a", 1)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(JournalError):
        Journal(str(folder)).append("mode", {})


def test_a_folder_that_cannot_be_made_is_an_error_of_the_journal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"the journal in `.*` cannot be written: File exists"):
        Journal(str(tmp_path / "file/audit")).append("mode", {})
    assert issubclass(JournalError, AssentError)


def test_a_record_of_the_journal_is_what_append_returns(tmp_path: Path) -> None:
    made = Journal(str(tmp_path / "a")).append("mode", {"mode": "plan"})
    assert isinstance(made, Record)
    assert list(records(str(tmp_path / "a"))) == [made]
