"""Broker and host: a dialog at a time for a session, a clock that starts when it is shown, and nothing left behind."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from approval.asking import Person, no, request, yes
from assent import PermissionHost
from assent.approval.broker import Broker
from assent.approval.store import GONE, Store
from assent.approval.waiting import Line, Waiter
from assent.questions import Answer, ApprovalRequest, ApprovalResult, State, Ticket
from assent.record import replace

SOON = 20.0


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(str(tmp_path / "approvals.db"))
    yield made
    made.close()


def fresh(session: str = "s1", **more: Any) -> ApprovalRequest:
    return replace(request(session, **more), asked_at=time.time())


async def until(condition: Any) -> None:
    """Wait for something that another thread will do."""
    for _ in range(int(SOON / 0.005)):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never happened")


def left(host: Broker) -> tuple[object, ...]:
    """Everything that must be empty when nobody asks any more."""
    return host.store.pending(time.time()), dict(host._pending), set(host._open), dict(host._line._queues)


NOTHING: tuple[object, ...] = ((), {}, set(), {})


# --- the commissioned interface ------------------------------------------------------------------------------------


def test_a_person_approves_and_the_caller_goes_on() -> None:
    person = Person()
    host = PermissionHost([person])

    async def story() -> ApprovalResult:
        return await host.request_approval("bash", "rm -rf build/", {"command": "rm -rf build/"})

    result = asyncio.run(story())
    host.close()
    assert person.gone.wait(SOON)
    assert uuid.UUID(result.request_id).version == 4
    assert (result.approved, result.state, result.reason) == (True, "approved", "approved by ann")
    assert person.withdrawn == [(result.request_id, "approved", "approved by ann")]
    assert left(host) == NOTHING


def test_a_program_resolves_by_the_identifier_it_was_shown() -> None:
    shown: list[dict[str, Any]] = []

    class Dialog(PermissionHost):
        async def _emit_approval_request(self, **facts: Any) -> None:
            shown.append(facts)
            await self.resolve_approval(facts["request_id"], approved=False, reason="not now")

    async def story(host: PermissionHost) -> ApprovalResult:
        return await host.request_approval("bash", "deploy", {"command": "make deploy", "n": 1})

    host = Dialog()
    result = asyncio.run(story(host))
    host.close()
    assert (result.approved, result.reason, result.state) == (False, "not now", "denied")
    assert shown == [
        {
            "request_id": result.request_id,
            "tool_name": "bash",
            "description": "deploy",
            "context": {"command": "make deploy", "n": 1},
        }
    ]


def test_without_an_answer_it_is_denied_in_the_commissioned_words() -> None:
    host = PermissionHost(timeout=0.05)
    result = asyncio.run(host.request_approval("bash", "x", {}))
    host.close()
    assert (result.approved, result.state) == (False, "expired")
    assert result.reason == "Approval timeout (0.05s) — auto-denied"
    assert PermissionHost(timeout=300.0).timeout == 300.0
    expired = Ticket(request(timeout=300.0), "expired", note="nobody answered in time")
    assert host.result_of(expired).reason == "Approval timeout (300s) — auto-denied"


def test_a_late_a_repeated_and_an_unknown_answer_change_nothing() -> None:
    host = PermissionHost([Person()])

    async def story() -> ApprovalResult:
        result = await host.request_approval("bash", "x", {})
        await host.resolve_approval(result.request_id, approved=False)
        await host.resolve_approval(str(uuid.uuid4()), approved=True)
        return result

    result = asyncio.run(story())
    assert host.resolve(result.request_id, approved=False) == "already approved by ann over terminal"
    assert host.resolve("nope", approved=True) == "there is no such request"
    ticket = host.ticket(result.request_id)
    host.close()
    assert ticket is not None
    assert ticket.state == "approved"


def test_callers_without_an_event_loop_ask_too() -> None:
    host = PermissionHost([Person(lambda asked: no(asked, "because"))])
    result = host.request_approval_sync("bash", "x", {"session": "s", "agent": "a", "cwd": "/p", "odd": object})
    host.close()
    assert (result.approved, result.reason) == (False, "because")


# --- one at a time -------------------------------------------------------------------------------------------------


def test_one_dialog_at_a_time_for_a_session_in_the_order_they_came(store: Store) -> None:
    silent = Person(lambda asked: None)
    host = Broker([silent], store=store)
    asked = [fresh() for _ in range(4)]

    async def story() -> list[ApprovalResult]:
        tasks = []
        for one in asked:
            tasks.append(asyncio.create_task(host.ask(one)))
            await until(lambda one=one: store.get(one.id))
        for number, one in enumerate(asked, 1):
            await until(lambda number=number: len(silent.offered) == number)
            assert [bool(t.shown_at) for t in store.pending(time.time())] == [True] + [False] * (4 - number)
            assert host.answer(one.id, yes(one)) == ""
        return await asyncio.gather(*tasks)

    assert [result.state for result in asyncio.run(story())] == ["approved"] * 4
    host.close()
    assert silent.offered == [one.id for one in asked]
    assert left(host) == NOTHING


def test_sessions_do_not_wait_for_each_other(store: Store) -> None:
    silent = Person(lambda asked: None)
    host = Broker([silent], store=store)
    asked = [fresh(f"s{number}") for number in range(12)]

    async def story() -> list[str]:
        tasks = [asyncio.create_task(host.ask(one)) for one in asked]
        await until(lambda: len(silent.offered) == len(asked))
        for one in asked:
            host.answer(one.id, yes(one))
        return [result.state for result in await asyncio.gather(*tasks)]

    assert asyncio.run(story()) == ["approved"] * 12
    host.close()


def test_the_clock_of_a_queued_request_has_not_started(store: Store) -> None:
    """Ten callers at once and a person who needs longer for one than the time of one: the last is still asked."""
    offers: list[str] = []

    def slow(asked: ApprovalRequest) -> Answer:
        offers.append(asked.id)
        time.sleep(0.08)
        return yes(asked)

    host = Broker([Person(slow)], store=store)
    asked = [fresh(timeout=0.4) for _ in range(10)]

    async def story() -> list[State]:
        return [result.state for result in await asyncio.gather(*(host.ask(one) for one in asked))]

    assert asyncio.run(story()) == ["approved"] * 10
    host.close()
    assert len(offers) == 10


def test_another_process_keeps_the_line_and_one_that_died_does_not(store: Store) -> None:
    ahead = fresh()
    store.add(ahead, f"{2**22 + 1}.1")
    store.show(ahead.id, time.time())
    person = Person()
    host = Broker([person], store=store)
    mine = fresh()
    assert asyncio.run(host.ask(mine)).state == "approved"
    host.close()
    left_over = store.get(ahead.id)
    assert left_over is not None
    assert (left_over.state, left_over.note) == ("cancelled", GONE)


# --- whatever fails ------------------------------------------------------------------------------------------------


def test_a_cancelled_caller_leaves_nothing_pending(store: Store) -> None:
    silent = Person(lambda asked: None)
    told: list[tuple[str, str]] = []
    host = Broker([silent], store=store, on_event=lambda kind, ticket: told.append((kind, ticket.id)))
    asked = [fresh() for _ in range(3)]

    async def story() -> None:
        tasks = [asyncio.create_task(host.ask(one)) for one in asked]
        await until(lambda: silent.offered)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in ended] == [asyncio.CancelledError] * 3

    asyncio.run(story())
    host.close()
    assert left(host) == NOTHING
    assert [ticket.state for ticket in store.history()] == ["cancelled"] * len(store.history())
    assert sorted(identity for kind, identity in told if kind == "cancelled") == sorted(t.id for t in store.history())
    assert host.answer(asked[0].id, yes(asked[0])) == "already cancelled: the caller stopped waiting"


def test_cancelled_before_anything_happened(store: Store) -> None:
    host = Broker([Person()], store=store)

    async def story() -> None:
        task = asyncio.create_task(host.ask(fresh()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for _ in range(20):
        asyncio.run(story())
    host.close()
    assert left(host) == NOTHING


def test_showing_it_raises() -> None:
    class Broken(PermissionHost):
        async def _emit_approval_request(self, **facts: Any) -> None:
            raise RuntimeError("no screen")

    said: list[str] = []
    host = Broken(log=said.append)
    result = asyncio.run(host.request_approval("bash", "x", {}))
    host.close()
    assert (result.approved, result.state) == (False, "cancelled")
    assert result.reason == "the request could not be shown: no screen"
    assert said == [f"request {result.request_id}: RuntimeError: no screen"]
    assert left(host) == NOTHING


class Faulty(Person):
    """A channel that cannot show anything."""

    def offer(self, request: ApprovalRequest, inbox: object) -> None:
        raise OSError("the wire is cut")

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        super().withdraw(request_id, state, said)
        raise OSError("still cut")


def test_a_broken_channel_is_written_down_and_decides_nothing(store: Store) -> None:
    said: list[str] = []
    faulty, person = Faulty(name="faulty"), Person()
    host = Broker([faulty, person], store=store, log=said.append)
    assert asyncio.run(host.ask(fresh())).state == "approved"
    host.close()
    assert faulty.gone.wait(SOON)
    assert "channel faulty: OSError: the wire is cut" in said


def test_when_every_channel_is_broken_nobody_waits_in_vain() -> None:
    host = PermissionHost([Faulty(name="a"), Faulty(name="b")], log=lambda text: None)
    result = asyncio.run(host.request_approval("bash", "x", {}))
    host.close()
    assert (result.approved, result.state) == (False, "cancelled")
    assert result.reason.startswith("no channel could show the request (")
    assert left(host) == NOTHING


def test_a_channel_that_hangs_holds_up_neither_the_answer_nor_the_others(store: Store) -> None:
    release = threading.Event()

    def hangs(_: ApprovalRequest) -> Answer | None:
        release.wait(SOON)
        return None

    host = Broker([Person(hangs, name="hangs"), Person()], store=store)
    result = asyncio.run(host.ask(fresh()))
    release.set()
    host.close()
    assert result.state == "approved"


def test_nothing_is_written_down_on_the_event_loop(store: Store) -> None:
    threads: dict[str, str] = {}

    def note(kind: str, _: Ticket) -> None:
        threads[kind] = threading.current_thread().name

    host = Broker([Person()], store=store, on_event=note)
    asyncio.run(host.ask(fresh()))
    host.close()
    assert set(threads) == {"question", "shown"}
    assert threading.main_thread().name not in threads.values()


def test_a_journal_that_cannot_be_written_stops_the_question(store: Store) -> None:
    def full(kind: str, ticket: Ticket) -> None:
        raise OSError("no space left on device")

    person = Person()
    host = Broker([person], store=store, on_event=full, log=lambda text: None)
    result = asyncio.run(host.ask(fresh()))
    host.close()
    assert (result.approved, result.state) == (False, "cancelled")
    assert result.reason == "the request could not be shown: no space left on device"
    assert (person.offered, store.pending(time.time())) == ([], ())


def test_a_closed_store_denies(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "approvals.db"))
    host = Broker([Person()], store=store, log=lambda text: None)
    store.close()
    result = asyncio.run(host.ask(fresh()))
    host.close()
    assert (result.approved, result.state) == (False, "cancelled")
    assert "cannot be used" in result.reason


# --- other processes, leaving and coming back ----------------------------------------------------------------------


def test_an_answer_given_in_another_process_is_heard(tmp_path: Path, store: Store) -> None:
    there = Store(str(tmp_path / "approvals.db"))
    silent = Person(lambda asked: None)
    host = Broker([silent], store=store)
    asked = fresh()

    async def story() -> ApprovalResult:
        task = asyncio.create_task(host.ask(asked))
        await until(lambda: silent.offered)
        there.answer(asked.id, no(asked, "no", by="bob"), time.time())
        return await asyncio.wait_for(task, SOON)

    result = asyncio.run(story())
    host.close()
    there.close()
    assert (result.state, result.answer) == ("denied", no(asked, "no", by="bob"))
    assert silent.gone.wait(SOON)


def test_who_has_to_go_leaves_the_request_and_finds_it_again(store: Store) -> None:
    silent = Person(lambda asked: None)
    host = Broker([silent], store=store)
    asked = fresh()
    gone = asyncio.run(host.ask(asked, leave_after=0.0))
    assert (gone.approved, gone.state) == (False, "pending")
    found = store.left_behind(asked.fingerprint, "s1", time.time())
    assert found is not None
    assert (found[0].state, found[1]) == ("pending", "")
    assert host.answer(asked.id, yes(asked)) == ""
    back = asyncio.run(host.ask(asked, again=True))
    host.close()
    assert (back.approved, back.state) == (True, "approved")


def test_many_threads_with_loops_of_their_own_share_a_host(store: Store) -> None:
    host = Broker([Person()], store=store)
    states: list[str] = []

    def caller(number: int) -> None:
        states.append(host.ask_sync(fresh(f"s{number % 3}")).state)

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    host.close()
    assert states == ["approved"] * 12
    assert left(host) == NOTHING


def test_closing_ends_what_waits(store: Store) -> None:
    silent = Person(lambda asked: None)
    host = Broker([silent], store=store)

    async def story() -> ApprovalResult:
        task = asyncio.create_task(host.ask(fresh()))
        await until(lambda: silent.offered)
        host.close()
        return await asyncio.wait_for(task, SOON)

    result = asyncio.run(story())
    assert (result.state, result.reason) == ("cancelled", "the host was closed")
    assert silent.withdrawn == [(result.request_id, "cancelled", "the host was closed")]
    assert left(host) == NOTHING


def test_closing_leaves_no_thread_behind(store: Store) -> None:
    before = set(threading.enumerate())
    host = Broker([Person(), Person(lambda asked: None, name="silent")], store=store)

    async def story() -> list[ApprovalResult]:
        return await asyncio.gather(*(host.ask(fresh(f"s{number}")) for number in range(20)))

    assert [result.state for result in asyncio.run(story())] == ["approved"] * 20
    assert set(threading.enumerate()) - before, "there is nothing to let go of"
    host.close()
    assert set(threading.enumerate()) - before == set()


def test_who_asks_a_closed_host_is_told_and_nothing_is_kept(store: Store) -> None:
    person = Person()
    host = Broker([person], store=store, log=lambda text: None)
    host.close()
    host.close()
    result = asyncio.run(host.ask(fresh()))
    assert (result.approved, result.state) == (False, "cancelled")
    assert (person.offered, store.history(), left(host)) == ([], (), NOTHING)


def test_the_line_of_a_session_keeps_the_order_of_the_store() -> None:
    """Callers in loops of their own join in any order; the store shows the older request first."""

    async def joined() -> tuple[bool, bool]:
        loop, line = asyncio.get_running_loop(), Line()
        later, earlier = Waiter(fresh("s"), loop), Waiter(fresh("s"), loop)
        later.place, earlier.place = 2, 1
        line.join(later)
        line.join(earlier)
        await asyncio.sleep(0)
        first = earlier.turn.done()
        third = Waiter(fresh("s"), loop)
        third.place = 3
        line.join(third)
        line.leave(earlier)
        line.leave(later)
        await asyncio.sleep(0)
        return first, third.turn.done()

    assert asyncio.run(joined()) == (True, True)
