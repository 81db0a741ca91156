"""The store: one answer for each request, spent once, whoever asks, answers or dies."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from approval.asking import no, request, yes
from assent.approval import store as store_module
from assent.approval.store import GONE, UNSPENT_SECONDS, Store
from assent.errors import AssentError, InputError
from assent.questions import KEPT_SECONDS, Answer, Choice, Part, Session, Ticket, dump, load_request
from assent.record import replace

DEAD = "4194304.1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(str(tmp_path / "state/approvals.db"), alive=lambda owner: owner != DEAD)
    yield made
    made.close()


def test_a_request_is_read_back_as_it_was_asked(store: Store) -> None:
    asked = replace(
        request(),
        parts=(Part("rm -rf x", "ask", "no rule", ("bash -c",), "Bash(rm:*) (policy.toml:3)"),),
        targets=(("Deletes", ("x/**",)),),
        choices=(Choice(("Bash(rm -rf x)",), ("rm -rf x",), ("rm -rf y",), (("make", "f1"),)),),
        trace=(("floor", "passes"),),
        description='</pre><script>"\x1b[8m\u202e',
    )
    store.add(asked)
    assert store.get(asked.id) == Ticket(asked, version=1)
    assert load_request(dump(asked)) == asked


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "deep/state/approvals.db"
    made = Store(str(file))
    made.add(request())
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file.parent, file, *file.parent.glob("approvals.db-*"))]
    made.close()
    assert modes == [0o700, *[0o600] * (len(modes) - 1)]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / "approvals.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AssentError, match="cannot open the approvals"):
        Store(str(tmp_path / "approvals.db"))


@pytest.mark.parametrize("content", [b"this is no database, only text" * 50, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_broken_file_is_an_error_that_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "approvals.db").write_bytes(content)
    with pytest.raises(AssentError, match=r"approvals\.db"):
        Store(str(tmp_path / "approvals.db"))


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "approvals.db"
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    before = file.read_bytes()
    with pytest.raises(AssentError, match="another version"):
        Store(str(file))
    assert file.read_bytes() == before


# --- answers -------------------------------------------------------------------------------------------------------


def test_the_first_answer_wins_and_the_second_hears_who_was_first(store: Store) -> None:
    asked = request()
    store.add(asked)
    decided = store.answer(asked.id, yes(asked), 101.0)
    assert decided == Ticket(asked, "approved", decided_at=101.0, answer=yes(asked), version=2)
    with pytest.raises(InputError, match="already approved by ann over terminal"):
        store.answer(asked.id, no(asked, by="bob"), 102.0)
    assert store.get(asked.id) == decided


def test_an_answer_about_something_else_does_not_count(store: Store) -> None:
    asked = request()
    store.add(asked)
    for wrong in (Answer(True, "ann", "web", 1.0), replace(yes(asked), fingerprint=asked.fingerprint + "x")):
        with pytest.raises(InputError, match="about something else"):
            store.answer(asked.id, wrong, 101.0)
    assert store.get(asked.id) == Ticket(asked, version=1)


def test_nobody_answers_a_request_that_does_not_exist(store: Store) -> None:
    with pytest.raises(InputError, match="no such request"):
        store.answer("nope", yes(request()), 101.0)
    assert store.version() == 0


def test_an_answer_after_the_end_changes_nothing(store: Store) -> None:
    asked = request(timeout=10.0)
    store.add(asked)
    assert store.show(asked.id, 100.0)
    with pytest.raises(InputError, match="already expired: nobody answered in time"):
        store.answer(asked.id, yes(asked), 110.0)
    ended = store.end(asked.id, "cancelled", "too late", 111.0)
    assert ended is not None
    assert (ended.state, ended.note) == ("expired", "nobody answered in time")


# --- the clock -----------------------------------------------------------------------------------------------------


def test_the_clock_starts_when_it_is_shown_and_not_while_it_waits(store: Store) -> None:
    first, second = request(timeout=10.0), request(timeout=10.0)
    for asked in (first, second):
        store.add(asked, "1.1")
    assert store.show(first.id, 100.0)
    assert not store.show(second.id, 105.0)
    store.answer(first.id, yes(first), 109.0)
    assert store.show(second.id, 109.0)
    assert store.show(second.id, 112.0), "being shown again starts no new clock"
    assert [(t.id, t.shown_at, t.expires_at) for t in store.pending(118.9)] == [(second.id, 109.0, 119.0)]
    assert store.pending(119.0) == ()


def test_the_clock_also_starts_when_somebody_looks_before_the_turn(store: Store) -> None:
    first, second = request(timeout=10.0), request(timeout=10.0)
    for asked in (first, second):
        store.add(asked, "1.1")
    store.show(first.id, 100.0)
    store.look(second.id, 103.0)
    store.look(second.id, 104.0)
    assert [t.shown_at for t in store.pending(104.0)] == [100.0, 103.0]


def test_the_clock_stops_when_nobody_waits_any_more_and_starts_anew_with_the_next_try(store: Store) -> None:
    asked = request(timeout=10.0)
    store.add(asked, "7.1")
    store.show(asked.id, 100.0)
    store.leave(asked.id, "7.1")
    store.look(asked.id, 105.0)
    assert [(t.shown_at, t.expires_at) for t in store.pending(5_000.0)] == [(100.0, 0.0)]
    assert store.own(asked.id, "8.1", "")
    assert store.show(asked.id, 6_000.0)
    assert [(t.shown_at, t.expires_at) for t in store.pending(6_009.0)] == [(6_000.0, 6_010.0)]
    assert store.pending(6_010.0) == ()


def test_opening_what_nobody_waits_for_starts_no_clock(store: Store) -> None:
    asked = request(timeout=10.0)
    store.add(asked, "")
    store.look(asked.id, 105.0)
    assert [(t.shown_at, t.expires_at) for t in store.pending(5_000.0)] == [(105.0, 0.0)]
    [gone] = store.pending(100.0 + KEPT_SECONDS) or store.history()
    assert (gone.state, gone.note) == ("expired", "nobody answered in time")


def test_sessions_never_wait_for_each_other(store: Store) -> None:
    asked = [request(f"s{number}") for number in range(20)]
    for one in asked:
        store.add(one, "1.1")
    assert all(store.show(one.id, 100.0) for one in reversed(asked))


def test_what_nobody_was_ever_shown_ends_after_a_day(store: Store) -> None:
    asked = request(at=100.0)
    store.add(asked)
    assert len(store.pending(100.0 + KEPT_SECONDS - 1)) == 1
    assert store.pending(100.0 + KEPT_SECONDS) == ()
    [gone] = store.history()
    assert (gone.state, gone.note) == ("expired", "nobody was shown it")


# --- spending ------------------------------------------------------------------------------------------------------


def test_an_approval_is_spent_once(store: Store) -> None:
    asked = request()
    store.add(asked)
    assert not store.spend(asked.id, asked.fingerprint, 101.0), "it is pending"
    store.answer(asked.id, yes(asked), 101.0)
    assert not store.spend(asked.id, "another action", 102.0)
    assert [store.spend(asked.id, asked.fingerprint, 102.0) for _ in range(3)] == [True, False, False]


def test_an_approval_that_nobody_comes_back_for_is_not_good_for_ever(store: Store) -> None:
    asked = request()
    store.add(asked, "7.1")
    store.answer(asked.id, yes(asked), 101.0)
    assert store.left_behind(asked.fingerprint, "s1", 100.0 + UNSPENT_SECONDS) is not None
    assert store.left_behind(asked.fingerprint, "s1", 101.0 + UNSPENT_SECONDS) is None
    assert not store.spend(asked.id, asked.fingerprint, 101.0 + UNSPENT_SECONDS)


@pytest.mark.parametrize("left_before_the_answer", [True, False])
def test_the_answer_to_a_run_that_was_suspended_is_good_for_a_day(store: Store, left_before_the_answer: bool) -> None:
    asked = request()
    store.add(asked, "7.1")
    if left_before_the_answer:
        store.leave(asked.id, "7.1")
    store.answer(asked.id, yes(asked), 101.0)
    if not left_before_the_answer:
        store.leave(asked.id, "7.1")
    found = store.left_behind(asked.fingerprint, "s1", 100.0 + KEPT_SECONDS)
    assert found is not None
    assert (found[0].id, found[0].state) == (asked.id, "approved")
    assert store.left_behind(asked.fingerprint, "s1", 101.0 + KEPT_SECONDS) is None
    assert not store.spend(asked.id, asked.fingerprint, 101.0 + KEPT_SECONDS)
    assert [store.spend(asked.id, asked.fingerprint, 100.0 + KEPT_SECONDS) for _ in range(2)] == [True, False]


def test_a_request_whose_asker_is_gone_is_withdrawn_and_cannot_be_approved(store: Store) -> None:
    mine, lost = request(), replace(request(), id="lost")
    store.add(mine, "1.1")
    store.add(lost, DEAD)
    assert store.has_orphans()
    with pytest.raises(InputError, match="nobody waits for the answer any more"):
        store.answer(lost.id, yes(lost), 101.0)
    ticket = store.get(lost.id)
    assert ticket is not None
    assert (ticket.state, ticket.note) == ("cancelled", GONE)
    assert [one.id for one in store.pending(101.0)] == [mine.id]
    assert not store.has_orphans()


def test_who_left_on_purpose_is_not_gone(store: Store) -> None:
    asked = request()
    store.add(asked, "1.1")
    store.leave(asked.id, "1.1")
    assert store.answer(asked.id, yes(asked), 101.0).state == "approved"


def test_how_long_such_an_answer_is_good_can_be_set() -> None:
    store = Store(kept=60.0, alive=lambda _: True)
    asked = request()
    store.add(asked)
    store.answer(asked.id, yes(asked), 101.0)
    assert store.left_behind(asked.fingerprint, "s1", 160.0) is not None
    assert store.left_behind(asked.fingerprint, "s1", 161.0) is None
    store.close()


def test_the_same_action_finds_the_request_that_was_left_behind(store: Store) -> None:
    asked = request(fingerprint="deploy")
    store.add(asked, "7.1")
    assert store.own(asked.id, "", "7.1")
    found = store.left_behind("deploy", "s1", 100.0)
    assert found is not None
    assert (found[0].id, found[1]) == (asked.id, "")
    assert store.left_behind("deploy", "another session", 100.0) is None
    assert store.left_behind("another action", "s1", 100.0) is None
    store.answer(asked.id, yes(asked), 101.0)
    later = store.left_behind("deploy", "s1", 102.0)
    assert later is not None
    assert later[0].state == "approved"
    assert store.spend(asked.id, "deploy", 103.0)
    assert store.left_behind("deploy", "s1", 104.0) is None


def test_only_one_of_two_takes_over_what_was_left_behind(store: Store) -> None:
    asked = request()
    store.add(asked, "")
    assert [store.own(asked.id, owner, "") for owner in ("1.1", "2.2")] == [True, False]


def test_what_was_left_behind_does_not_keep_the_line(store: Store) -> None:
    parked, later = request(), request()
    store.add(parked, "")
    store.show(parked.id, 100.0)
    store.add(later, "1.1")
    assert store.show(later.id, 101.0)


# --- hearing of changes, history, sessions -------------------------------------------------------------------------


def test_every_change_has_a_number_and_can_be_heard(store: Store) -> None:
    first, second = request(), request()
    store.add(first)
    store.add(second)
    seen = store.version()
    assert store.changes(seen) == ()
    store.answer(first.id, yes(first), 101.0)
    assert [(t.id, t.state) for t in store.changes(seen)] == [(first.id, "approved")]
    assert [t.id for t in store.changes(0)] == [second.id, first.id]


def test_two_stores_on_one_file_see_each_other(tmp_path: Path) -> None:
    here, there = (Store(str(tmp_path / "approvals.db")) for _ in range(2))
    asked = request()
    here.add(asked)
    there.answer(asked.id, no(asked, "not today"), 101.0)
    found = here.get(asked.id)
    here.close()
    there.close()
    assert found is not None
    assert (found.state, found.answer) == ("denied", no(asked, "not today"))


def test_history_is_paged_and_can_be_forgotten(store: Store) -> None:
    asked = [request() for _ in range(5)]
    for number, one in enumerate(asked):
        store.add(one)
        store.answer(one.id, yes(one), 101.0 + number)
    page = store.history(limit=2)
    assert [t.id for t in page] == [asked[4].id, asked[3].id]
    assert [t.id for t in store.history(limit=2, before=page[-1].version)] == [asked[2].id, asked[1].id]
    assert store.forget(103.5) == 3
    assert [t.id for t in store.history()] == [asked[4].id, asked[3].id]


def test_a_session_is_changed_as_one_step(store: Store) -> None:
    assert store.session("s") == Session("s")
    store.change_session("s", lambda one: replace(one, agent="bot", total=one.total + 1, seen_at=5.0))
    store.change_session("s", lambda one: replace(one, total=one.total + 1))
    assert store.sessions() == (Session("s", "bot", total=2, seen_at=5.0),)


def test_a_failing_change_leaves_nothing_behind(store: Store) -> None:
    def fails(_: Session) -> Session:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.change_session("s", fails)
    store.add(request())
    assert store.sessions() == ()


def test_a_closed_store_is_an_error_and_not_an_answer(tmp_path: Path) -> None:
    made = Store(str(tmp_path / "approvals.db"))
    made.close()
    with pytest.raises(AssentError, match="cannot be used"):
        made.spend("x", "y", 1.0)
    assert os.path.exists(tmp_path / "approvals.db")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A file somebody else reads, so that it cannot be made ours just now."""
    other = sqlite3.connect(tmp_path / "approvals.db", isolation_level=None, check_same_thread=False)
    os.chmod(tmp_path / "approvals.db", 0o600)
    other.execute("CREATE TABLE x (y)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM x").fetchall()
    yield other
    other.close()


def test_a_file_that_another_process_holds_is_waited_for(
    tmp_path: Path, held: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        held.execute("COMMIT")

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda file, **given: connect(file, **{**given, "timeout": 0}))
    monkeypatch.setattr("time.sleep", pause)
    Store(str(tmp_path / "approvals.db")).close()
    assert pauses == [store_module.BUSY_PAUSE]


def test_a_file_that_stays_held_is_an_error_that_does_not_tell_to_remove_it(
    tmp_path: Path, held: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0.0)
    with pytest.raises(AssentError, match="database is locked") as failed:
        Store(str(tmp_path / "approvals.db"))
    assert failed.value.help == "try again: another process holds it"
    assert held.in_transaction
