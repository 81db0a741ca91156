"""What the store keeps, how long and for whom: no secrets, no history for ever, no second life by the clock."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from assent.approval.redaction import redacted
from assent.approval.store import CLOCK_SKEW, HISTORY_DAYS, Lasting, Store
from assent.errors import AssentError, InputError
from assent.questions import Answer, ApprovalRequest, Choice, Part, dump
from assent.record import replace

DAY = 86_400.0
NOW = 1_000 * DAY
SECRET = "hunter2hunter2"
COMMAND = f"mysql -uroot -p{SECRET} -e 'select 1'"
LEAKY = ApprovalRequest(
    "r1",
    "Bash",
    f'{{"command": "{COMMAND}", "env": {{"DB_PASSWORD": "{SECRET}"}}}}',
    COMMAND,
    fingerprint="f1",
    session="s",
    parts=(Part(COMMAND, "ask", why=f"runs {COMMAND}"),),
    targets=(("Runs", (COMMAND,)),),
    why=(f"`{SECRET}` stands alone here",),
    description=f"log in with {SECRET}",
    warnings=(f"odd: {COMMAND}",),
    choices=(Choice(("Bash(mysql:*)",), (COMMAND,)),),
    trace=(("deny", COMMAND),),
    asked_at=NOW,
)


def store_in(tmp_path: Path, **more: Any) -> Store:
    return Store(str(tmp_path / "approvals.db"), **more)


def yes(mark: str = "f1", approved: bool = True) -> Answer:
    return Answer(approved, "ann", "web", NOW, fingerprint=mark)


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


# --- secrets -------------------------------------------------------------------------------------------------------


def test_a_request_is_redacted_wherever_the_secret_stands() -> None:
    made = redacted(LEAKY)
    assert SECRET not in dump(made)
    assert (made.id, made.fingerprint, made.session, made.asked_at) == ("r1", "f1", "s", NOW)
    assert "mysql -uroot" in made.command
    assert redacted(made) == made


@pytest.mark.parametrize("how", ["approved", "denied", "cancelled", "expired"])
def test_whatever_is_settled_keeps_no_secret(tmp_path: Path, how: str) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "me")
    assert SECRET in dump(store.pending(NOW)[0].request), "a person decides about what would run"
    if how in ("approved", "denied"):
        store.answer("r1", yes(approved=how == "approved"), NOW)
    elif how == "cancelled":
        store.end("r1", "cancelled", "gone", NOW)
    else:
        store.pending(NOW + 2 * DAY)
    [ticket] = store.history()
    assert (ticket.state, ticket.broken, SECRET in dump(ticket.request)) == (how, "", False)
    store.close()
    assert SECRET.encode() not in bytes_in(tmp_path), "not in free pages and not in the log either"


@pytest.mark.parametrize("how", ["approved", "expired"])
def test_nothing_is_left_in_the_log_while_the_store_is_open(tmp_path: Path, how: str) -> None:
    store, other = store_in(tmp_path), store_in(tmp_path)
    store.add(LEAKY, "me")
    if how == "approved":
        other.answer("r1", yes(), NOW)
    else:
        other.pending(NOW + 2 * DAY)
    assert SECRET.encode() not in bytes_in(tmp_path)
    store.close()
    other.close()


def test_what_somebody_reads_meanwhile_is_overwritten_by_the_next_step(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "me")
    reader = sqlite3.connect(tmp_path / "approvals.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM requests").fetchone()
    store.answer("r1", yes(), NOW)
    reader.close()
    store.pending(NOW + 1)
    assert SECRET.encode() not in bytes_in(tmp_path)
    store.close()


def test_an_answer_keeps_no_secret_that_its_request_showed(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "me")
    told = store.answer("r1", replace(yes(approved=False), reason=f"why is {SECRET} in there?"), NOW)
    assert told.answer is not None
    assert (told.answer.reason[:7], SECRET in told.answer.reason) == ("why is ", False)
    store.close()
    assert SECRET.encode() not in bytes_in(tmp_path)


def test_an_approval_can_still_be_spent_after_it_was_redacted(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "")
    store.answer("r1", yes(), NOW)
    found = store.left_behind("f1", "s", NOW + 1)
    assert found is not None
    assert store.spend("r1", "f1", NOW + 1)
    store.close()


def test_what_an_earlier_version_kept_is_redacted_when_it_is_opened(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "")
    store.answer("r1", yes(), NOW)
    store.close()
    db = sqlite3.connect(tmp_path / "approvals.db", isolation_level=None)
    old = dump(LEAKY).replace('{"body": 1, ', "{")
    db.execute("UPDATE requests SET body = ?", (old,))
    for table in ("grants", "outbox", "facts"):
        db.execute(f"DROP TABLE {table}")
    db.execute("PRAGMA user_version = 1")
    db.close()
    store = store_in(tmp_path)
    [ticket] = store.history()
    assert (ticket.state, ticket.broken, SECRET in dump(ticket.request)) == ("approved", "", False)
    store.close()


# --- pruning -------------------------------------------------------------------------------------------------------


def settled(store: Store, name: str, now: float) -> None:
    store.add(ApprovalRequest(name, "Bash", "{}", fingerprint=name, session="s", asked_at=now), "")
    store.answer(name, yes(name), now)


@pytest.mark.parametrize(("days", "kept"), [(HISTORY_DAYS - 3, 2), (HISTORY_DAYS + 1, 1)])
def test_history_is_forgotten_by_itself(tmp_path: Path, days: float, kept: int) -> None:
    store = store_in(tmp_path)
    settled(store, "old", NOW)
    settled(store, "new", NOW + days * DAY)
    store.pending(NOW + (days + 2) * DAY)
    assert len(store.history()) == kept
    store.close()


def test_how_long_can_be_chosen_and_what_waits_is_never_forgotten(tmp_path: Path) -> None:
    store = store_in(tmp_path, history_days=2.0, kept=100 * DAY)
    settled(store, "old", NOW)
    store.add(ApprovalRequest("waits", "Bash", "{}", fingerprint="w", session="s", asked_at=NOW), "")
    settled(store, "new", NOW + 5 * DAY)
    assert [ticket.id for ticket in store.history()] == ["new"]
    assert [ticket.id for ticket in store.pending(NOW + 5 * DAY)] == ["waits"]
    store.close()


def test_how_long_can_be_chosen_for_everybody(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.keep_history(2)
    store.close()
    store = store_in(tmp_path)
    settled(store, "old", NOW)
    settled(store, "new", NOW + 5 * DAY)
    store.pending(NOW + 6.5 * DAY)
    assert [ticket.id for ticket in store.history()] == ["new"]
    store.close()


def test_versions_grow_even_when_everything_is_forgotten(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    settled(store, "old", NOW)
    before = store.version()
    assert store.forget(NOW + DAY) == 0
    assert store.version() == before
    settled(store, "new", NOW)
    assert store.forget(NOW + DAY) == 1
    assert store.version() > before
    store.close()


# --- how many ------------------------------------------------------------------------------------------------------


def test_a_session_may_not_have_too_many_requests_waiting(tmp_path: Path) -> None:
    store = store_in(tmp_path, most_pending=3)
    for number in range(3):
        store.add(ApprovalRequest(f"r{number}", "Bash", "{}", fingerprint="f", session="s", asked_at=NOW), "")
    more = ApprovalRequest("r9", "Bash", "{}", fingerprint="f", session="s", asked_at=NOW)
    with pytest.raises(InputError, match="3 requests of this session wait for an answer already") as caught:
        store.add(more, "")
    assert "answer some of them" in caught.value.help
    store.add(ApprovalRequest("t1", "Bash", "{}", fingerprint="f", session="t", asked_at=NOW), "")
    store.end("r0", "cancelled", "gone", NOW)
    store.add(more, "")
    assert store.waiting(NOW) == {"s": 3, "t": 1}
    store.close()


# --- the clock -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("back", [CLOCK_SKEW + 1, DAY, 10 * DAY])
@pytest.mark.parametrize("owner", ["", "me"])
def test_a_clock_that_is_set_back_revives_no_approval(tmp_path: Path, back: float, owner: str) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, owner)
    store.answer("r1", yes(), NOW)
    later = NOW + 2 * DAY
    assert not store.spend("r1", "f1", later)
    assert store.left_behind("f1", "s", later - back) is None
    assert not store.spend("r1", "f1", NOW + 1)
    store.close()
    again = store_in(tmp_path)
    assert not again.spend("r1", "f1", NOW + 1), "also not after a restart"
    again.close()


def test_a_clock_that_is_set_right_takes_nothing_away(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "")
    store.answer("r1", yes(), NOW)
    assert store.spend("r1", "f1", NOW - CLOCK_SKEW + 1)
    store.close()


def test_after_the_clock_was_set_back_new_approvals_count_and_end_in_time(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(LEAKY, "me")
    store.look("r1", NOW)
    early = NOW - 10 * DAY
    settled(store, "new", early)
    assert store.spend("new", "new", early + 1)
    [ticket] = store.pending(early + 1)
    assert ticket.expires_at <= early + LEAKY.timeout, "its clock does not run ten days longer"
    store.close()


def test_a_clock_that_is_set_back_ends_grants_that_end_by_it(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.pending(NOW)
    store.keep_grant(Lasting("g1", "a", '{"id": "g1"}', NOW + 900, {}))
    store.keep_grant(Lasting("g2", "b", '{"id": "g2"}', 0.0, {}))
    store.pending(NOW - DAY)
    assert store.grants() == ('{"id": "g2"}',)
    store.close()


# --- other people --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o602, 0o620, 0o666])
def test_a_file_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    store_in(tmp_path).close()
    file = tmp_path / "approvals.db"
    file.chmod(mode)
    with pytest.raises(AssentError, match="others may write to") as caught:
        store_in(tmp_path)
    assert caught.value.help == f"if nobody has changed it, take the permission away: chmod go-rwx {file}"


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o722])
def test_a_folder_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(AssentError, match="others may write to"):
        Store(str(folder / "approvals.db"))
    assert not (folder / "approvals.db").exists()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_may_read_is_closed(tmp_path: Path, mode: int) -> None:
    store_in(tmp_path).close()
    file = tmp_path / "approvals.db"
    file.chmod(mode)
    store_in(tmp_path).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_in(tmp_path).close()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(AssentError, match=f"belongs to user {os.getuid()}, so no approval in it counts"):
        store_in(tmp_path)
