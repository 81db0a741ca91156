"""The desk: an answer, its grants, its count and its records happen together or not at all."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.approval.store import Store
from assent.audit.files import Folder
from assent.audit.reading import records
from assent.audit.verify import verify
from assent.desk import Desk
from assent.errors import AssentError, InputError
from assent.grants import read_grants
from assent.outbox import unrecorded
from assent.questions import Answer, ApprovalRequest, Choice
from assent.world import DiskWorld

RULES = ("Bash(make test)",)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(str(tmp_path / "state"))
    made.store.add(request("r1"), "")
    yield made
    made.close()


def request(name: str, **more: Any) -> ApprovalRequest:
    facts = {"fingerprint": name, "session": "s", "workspace": "/p", "choices": (Choice(RULES),), **more}
    return ApprovalRequest(name, "Bash", '{"command": "make test"}', "make test", asked_at=time.time(), **facts)


def lasting(name: str = "r1", **more: Any) -> Answer:
    facts = {"scope": "project", "rules": RULES, "fingerprint": name, **more}
    return Answer(True, "ann", "web", time.time(), **facts)


def kinds(desk: Desk) -> list[str]:
    return [record.kind for record in records(f"{desk.state}/audit") if record.kind != "recovered"]


def shown(desk: Desk) -> list[str]:
    return [grant.id for grant in read_grants(desk.state, DiskWorld())]


def assert_nothing_happened(desk: Desk) -> None:
    ticket = desk.ticket("r1")
    assert ticket is not None
    assert (ticket.state, ticket.answer, desk.grants(), shown(desk)) == ("pending", None, (), [])
    assert desk.session("s").total == 0
    assert (kinds(desk), verify(f"{desk.state}/audit").problems) == (["question"], ())


def assert_all_happened(desk: Desk) -> None:
    assert desk.answer("r1", lasting()) == ""
    ticket = desk.ticket("r1")
    assert ticket is not None
    assert (ticket.state, len(desk.grants()), len(shown(desk))) == ("approved", 1, 1)
    assert (kinds(desk), verify(f"{desk.state}/audit").problems) == (["question", "answer", "grant"], ())


# --- what goes wrong -----------------------------------------------------------------------------------------------


def test_with_a_locked_journal_an_answer_does_not_count(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.audit.files.LOCK_SECONDS", 0.05)
    locked = pytest.raises(AssentError, match=r"is locked for more than 0\.05 seconds")
    with Folder(f"{desk.state}/audit", writing=True) as folder, folder.locked(), locked:
        desk.answer("r1", lasting())
    assert_nothing_happened(desk)
    assert_all_happened(desk)


def test_with_a_full_journal_an_answer_does_not_count(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("assent.audit.journal.os.write", full)
        with pytest.raises(AssentError, match="No space left on device") as caught:
            desk.answer("r1", lasting())
    assert "make room" in caught.value.help
    assert_nothing_happened(desk)
    assert_all_happened(desk)


def test_without_room_for_the_file_of_grants_an_answer_does_not_count(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def full(path: Any, *more: Any, **further: Any) -> int:
        if str(path).endswith(".room"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, *more, **further)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", full)
        with pytest.raises(AssentError, match="No space left on device"):
            desk.answer("r1", lasting())
    assert_nothing_happened(desk)
    assert_all_happened(desk)


def test_on_a_full_disk_an_answer_does_not_count_and_the_advice_is_true(desk: Desk) -> None:
    pages = desk.store._db.execute("PRAGMA page_count").fetchone()[0]
    desk.store._db.execute(f"PRAGMA max_page_count = {pages}")
    big = lasting(scope="once", rules=(), reason="x" * 20_000)
    with pytest.raises(AssentError, match="database or disk is full") as caught:
        desk.answer("r1", big)
    assert caught.value.help == "nothing was changed: make room on the disk or repair it, then try again"
    desk.store._db.execute("PRAGMA max_page_count = 1000000")
    assert_nothing_happened(desk)
    assert_all_happened(desk)


def test_a_journal_that_breaks_after_the_answer_is_told_later_and_grants_nothing_until_then(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr("assent.audit.journal.Journal._write", broken)
        with pytest.raises(AssentError, match="Input/output error"):
            desk.answer("r1", lasting())
    assert (shown(desk), desk.grants(), kinds(desk)) == ([], (), ["question"])
    again = Desk(desk.state)
    again.close()
    assert (kinds(desk), len(shown(desk)), len(desk.grants())) == (["question", "answer", "grant"], 1, 1)


def test_a_grant_cannot_be_revoked_without_a_record(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_all_happened(desk)
    [grant] = desk.grants()
    monkeypatch.setattr("assent.audit.files.LOCK_SECONDS", 0.05)
    with Folder(f"{desk.state}/audit", writing=True) as folder, folder.locked(), pytest.raises(AssentError):
        desk.revoke(grant.id, by="ann", via="web")
    assert [one.id for one in desk.grants()] == [grant.id]
    desk.revoke(grant.id, by="ann", via="web")
    assert (desk.grants(), shown(desk), kinds(desk)[-1]) == ((), [], "revoke")


def test_a_mode_that_cannot_be_written_down_is_not_set(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.seen("s", "bot")
    monkeypatch.setattr("assent.audit.files.LOCK_SECONDS", 0.05)
    with Folder(f"{desk.state}/audit", writing=True) as folder, folder.locked(), pytest.raises(AssentError):
        desk.set_mode("s", "full_auto", by="ann", via="web")
    assert desk.session("s").mode == ""


# --- the outbox ----------------------------------------------------------------------------------------------------


def undeliver(desk: Desk) -> sqlite3.Connection:
    """Put everything the journal has heard back into the outbox, as if each teller had been killed too early."""
    db = sqlite3.connect(f"{desk.state}/approvals.db", isolation_level=None)
    for record in records(f"{desk.state}/audit"):
        row = (record.event_id, record.kind, json.dumps(dict(record.fields)), record.seq - 1)
        db.execute("INSERT INTO outbox (id, kind, fields, after) VALUES (?, ?, ?, ?)", row)
    return db


def test_what_the_journal_has_heard_is_not_told_again(desk: Desk) -> None:
    assert_all_happened(desk)
    undeliver(desk).close()
    assert len(desk.store.undelivered()) == 3
    Desk(desk.state).close()
    assert (desk.store.undelivered(), kinds(desk)) == ((), ["question", "answer", "grant"])


def test_also_not_after_the_journal_was_rotated(desk: Desk) -> None:
    assert_all_happened(desk)
    undeliver(desk).close()
    os.rename(f"{desk.state}/audit/permissions.jsonl", f"{desk.state}/audit/permissions-000001.jsonl")
    Desk(desk.state).close()
    assert [kind for kind in kinds(desk) if kind != "rotated"] == ["question", "answer", "grant"]
    assert verify(f"{desk.state}/audit").problems == ()


def test_an_outbox_that_was_emptied_is_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unrecorded(desk.state) == ()

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr("assent.audit.journal.Journal._write", broken)
        with pytest.raises(AssentError):
            desk.answer("r1", lasting())
    assert unrecorded(desk.state) == (), "what is still to be told is not missing"
    db = sqlite3.connect(f"{desk.state}/approvals.db", isolation_level=None)
    db.execute("DELETE FROM outbox")
    db.close()
    Desk(desk.state).close()
    assert verify(f"{desk.state}/audit").problems == ()
    [grant] = desk.grants()
    assert [problem.what for problem in unrecorded(desk.state)] == [
        f"the journal has no record of grant {grant.id}",
        "the journal has no record of the answer to request r1",
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO grants (id, same, body, expires, event) VALUES ('x', 'x', '{}', 0, 'forged')",
        "UPDATE grants SET event = 'forged'",
        "UPDATE requests SET state = 'approved' WHERE id = 'r2'",
        "UPDATE requests SET state = 'denied' WHERE id = 'r2'",
    ],
)
def test_what_was_put_into_the_database_by_hand_has_no_record(desk: Desk, statement: str) -> None:
    assert_all_happened(desk)
    desk.store.add(request("r2"), "")
    assert unrecorded(desk.state) == ()
    db = sqlite3.connect(f"{desk.state}/approvals.db", isolation_level=None)
    db.execute(statement)
    db.close()
    assert len(unrecorded(desk.state)) == 1


@pytest.mark.parametrize("gone", ["answer", "grant"])
def test_an_outbox_that_was_emptied_by_hand_does_not_hide_that_a_record_is_missing(desk: Desk, gone: str) -> None:
    assert_all_happened(desk)
    journal = Path(desk.state, "audit/permissions.jsonl")
    kept = [line for line in journal.read_bytes().splitlines(keepends=True) if f'"{gone}"'.encode() not in line[:400]]
    journal.write_bytes(b"".join(kept))
    Desk(desk.state).close()
    assert verify(f"{desk.state}/audit").problems != ()


def test_an_event_that_was_put_into_the_outbox_by_hand_cannot_forge_what_the_journal_writes_itself(desk: Desk) -> None:
    db = sqlite3.connect(f"{desk.state}/approvals.db", isolation_level=None)
    forged = json.dumps({"seq": 1, "hash": "0" * 64, "prev_hash": "0" * 64, "user": "root"})
    db.execute("INSERT INTO outbox (id, kind, fields, after) VALUES ('x', 'answer', ?, 0)", (forged,))
    db.execute("INSERT INTO outbox (id, kind, fields, after) VALUES ('y', 'nonsense', '{}', 0)")
    db.execute("INSERT INTO outbox (id, kind, fields, after) VALUES ('z', 'mode', 'no JSON', 0)")
    db.close()
    Desk(desk.state).close()
    assert verify(f"{desk.state}/audit").problems == ()
    assert kinds(desk) == ["question", "error", "error", "error"], "it is seen, and does not keep the next ones"
    assert desk.answer("r1", lasting()) == ""
    assert kinds(desk)[-2:] == ["answer", "grant"]
    assert len(shown(desk)) == 1


# --- grants --------------------------------------------------------------------------------------------------------


def test_a_file_of_grants_belongs_to_its_store(desk: Desk, tmp_path: Path) -> None:
    assert_all_happened(desk)
    other = Desk(desk.state, store=Store(str(tmp_path / "other.db")))
    other.store.add(request("r9"), "")
    assert other.answer("r9", lasting("r9")) == f"the grants here are kept by `{desk.state}/approvals.db`"
    ticket = other.ticket("r9")
    assert ticket is not None
    assert (ticket.state, len(shown(desk))) == ("pending", 1)
    other.close()


def test_a_grant_without_its_store_does_not_count(desk: Desk) -> None:
    assert_all_happened(desk)
    os.rename(f"{desk.state}/approvals.db", f"{desk.state}/away.db")
    with pytest.raises(InputError, match="which is gone"):
        read_grants(desk.state, DiskWorld())
