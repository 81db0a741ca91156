"""The broker that asks: it shows a request on every channel at once and waits for the first valid answer, or the clock.

INVARIANT: whatever fails, nothing stays pending that nobody waits for, and nothing but a person's answer approves.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from assent import wire
from assent.approval.asker import owner_name
from assent.approval.channel import Channel, Inbox
from assent.approval.crew import Crew
from assent.approval.store import Store
from assent.approval.waiting import Line, Waiter, Watcher
from assent.errors import AssentError, InputError
from assent.questions import TIMEOUT, Answer, ApprovalRequest, ApprovalResult, State, Ticket

TURN_SECONDS = 0.05
Event = Callable[[str, Ticket], None]
T = TypeVar("T")


class Broker:
    """Asks people and waits. Works in any event loop and from threads; `ask_sync` is for callers without a loop.

    Programs use `PermissionHost`, which also finds out what a call would do.
    """

    def __init__(
        self,
        channels: Iterable[Channel] = (),
        *,
        store: Store | None = None,
        inbox: Inbox | None = None,
        timeout: float = TIMEOUT,
        on_event: Event | None = None,
        log: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.channels = tuple(channels)
        self.store = store or Store()
        self.inbox: Inbox = inbox or StoreInbox(self.store, clock)
        self.timeout = timeout
        self._event = on_event
        self._log = log or logging.getLogger("assent.approval").warning
        self._clock = clock
        self._line = Line()
        self._pending: dict[str, Waiter] = {}
        self._work = ThreadPoolExecutor(1, thread_name_prefix="assent-store")
        self._crew = Crew()
        self._lock = threading.Lock()
        self._closed = False
        self._watcher = Watcher(self.store, self._heard, self._log)
        self._open: set[str] = set()
        """Requests of this host that have not been told to have ended."""

    def close(self) -> None:
        """End what still waits and let go of all threads; the store stays open for whoever gave it."""
        with self._lock:
            waiting = () if self._closed else tuple(self._pending.values())
            self._closed = True
            for waiter in waiting:
                self._work.submit(self._stop, waiter)
            self._work.shutdown(wait=False)
        self._work.shutdown(wait=True)
        self._watcher.close()
        self._crew.close()

    def _stop(self, waiter: Waiter) -> None:
        self._clean_up(waiter, "the host was closed")
        waiter.wake(waiter.end)  # even when the store could not be told

    # --- answers from a program -------------------------------------------------------------------------------------

    async def resolve_approval(self, request_id: str, approved: bool, reason: str = "") -> None:
        """Answer from a program of the user's own. A late, repeated or unknown answer changes nothing."""
        await asyncio.wrap_future(self._work.submit(self.resolve, request_id, approved=approved, reason=reason))

    def resolve(self, request_id: str, *, approved: bool, reason: str = "", by: str = "the program") -> str:
        """Answer from any thread; the empty string when it counts, else why it does not."""
        ticket = self.store.get(request_id)
        if ticket is None:
            return "there is no such request"
        answer = Answer(approved, by, "program", self._clock(), reason, fingerprint=ticket.request.fingerprint)
        return self.answer(request_id, answer)

    # --- asking ----------------------------------------------------------------------------------------------------

    async def ask(
        self, request: ApprovalRequest, *, again: bool = False, leave_after: float | None = None
    ) -> ApprovalResult:
        """Show a request, one at a time for its session, and wait for its end.

        `again` waits for a request that is in the store already. With `leave_after` the caller goes away after so many
        seconds and the request stays, to be found by the next try of the same action.
        """
        waiter = Waiter(request, asyncio.get_running_loop())
        leaves = None if leave_after is None else waiter.loop.time() + leave_after
        left = False
        with self._lock:
            self._pending[request.id] = waiter
        try:
            self._watcher.start()
            waiter.place = await self._do(self._keep, request, again)
            self._line.join(waiter)
            if await self._turn(waiter, leaves):
                await self._answered(waiter, leaves)
            left = not waiter.ended
            if left:
                return await self._do(self._leave, request)
            return self.result_of(waiter.ticket) if waiter.ticket else await self._do(self._result, request)
        except Exception as error:
            self._log(f"request {request.id}: {type(error).__name__}: {error}")
            return ApprovalResult(False, request.id, f"the request could not be shown: {error}", "cancelled")
        finally:
            self._line.leave(waiter)
            self._watcher.stop()
            with self._lock:
                self._pending.pop(request.id, None)
                if not self._closed:  # else `close` does it
                    self._work.submit(self._clean_up, waiter, "" if left else "the caller stopped waiting")

    def _keep(self, request: ApprovalRequest, again: bool) -> int:
        """Put a request into the store; gives its place there."""
        if not again:
            self.store.add(request, owner_name())
        self._open.add(request.id)
        self._tell("question", self.store.get(request.id))
        return self.store.place(request.id)

    def ask_sync(
        self, request: ApprovalRequest, *, again: bool = False, leave_after: float | None = None
    ) -> ApprovalResult:
        """`ask` for callers without an event loop."""
        return asyncio.run(self.ask(request, again=again, leave_after=leave_after))

    async def _turn(self, waiter: Waiter, leaves: float | None) -> bool:
        """Wait until no other request of the session is on a screen, in this process or another. Starts the clock."""
        if not await waiter.reaches(waiter.turn, leaves):
            return False
        while not await self._do(self._may_show, waiter):
            if not await waiter.reaches(waiter.end, leaves, TURN_SECONDS) and waiter.late(leaves):
                return False
        return True

    def _may_show(self, waiter: Waiter) -> bool:
        """Whether there is nothing to wait for any more: it is this request's turn, or it has ended already."""
        if waiter.ended or self.store.show(waiter.request.id, self._clock()):
            return True
        ticket = self.store.get(waiter.request.id)
        return ticket is None or ticket.state != "pending"

    async def _show(self, request: ApprovalRequest) -> None:
        await self._do(lambda: self._tell("shown", self.store.get(request.id)))
        context = wire.loads(request.input)
        await self._emit_approval_request(
            request_id=request.id,
            tool_name=request.tool,
            description=request.description,
            context=context if isinstance(context, dict) else {},
        )

    async def _emit_approval_request(
        self, *, request_id: str, tool_name: str, description: str, context: Mapping[str, object]
    ) -> None:
        """Offer a request to every channel. A program with a dialog of its own overrides this."""
        del tool_name, description, context  # a channel is handed the whole request
        with self._lock:
            if self._closed:
                raise AssentError("the host was closed")
            waiter = self._pending[request_id]
            waiter.offered = self.channels
        for channel in waiter.offered:
            self._crew.do(partial(self._offer, channel, waiter))

    def _offer(self, channel: Channel, waiter: Waiter) -> None:
        """INVARIANT: a broken channel is written down and decides nothing."""
        try:
            channel.offer(waiter.request, self)
        except Exception as error:
            self._log(f"channel {channel.name}: {type(error).__name__}: {error}")
            waiter.broken.append(f"{channel.name}: {error}")
            if len(waiter.broken) == len(waiter.offered) and self.store.file == ":memory:":
                note = f"no channel could show the request ({'; '.join(waiter.broken)})"
                self._settle(self._end(waiter.request, "cancelled", note))

    async def _answered(self, waiter: Waiter, leaves: float | None) -> None:
        ticket = await self._do(self.store.get, waiter.request.id)
        if ticket is None or ticket.state != "pending":
            waiter.wake(waiter.end)
            await waiter.end
            return
        await self._show(waiter.request)
        remaining = ticket.expires_at - self._clock()
        if not await waiter.reaches(waiter.end, leaves, remaining) and not waiter.late(leaves):
            note = f"Approval timeout ({waiter.request.timeout:g}s) — auto-denied"
            await self._do(self._end, waiter.request, "expired", note)
            waiter.wake(waiter.end)
            await waiter.end

    # --- answers: this host is the inbox of its channels -----------------------------------------------------------

    def answer(self, request_id: str, answer: Answer) -> str:
        """Hand in an answer from a channel; the empty string when it counts, else why it does not."""
        refused = self.inbox.answer(request_id, answer)
        self._settle(self.store.get(request_id))
        return refused

    def ticket(self, request_id: str) -> Ticket | None:
        return self.store.get(request_id)

    def waiting(self, session: str) -> int:
        return self.store.waiting(self._clock()).get(session, 0)

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        return self.inbox.settle_suggestion(session, accepted=accepted, by=by, via=via)

    # --- ending ----------------------------------------------------------------------------------------------------

    def _settle(self, ticket: Ticket | None) -> None:
        """Wake up whoever waits for a request that has ended; safe from any thread."""
        waiter = self._pending.get(ticket.id) if ticket is not None and ticket.state != "pending" else None
        if waiter is not None:
            waiter.ticket = ticket
            waiter.wake(waiter.end)

    def _heard(self, request_id: str) -> None:
        """Something has ended, maybe through another process."""
        if request_id in self._pending:
            self._settle(self.store.get(request_id))

    def _end(self, request: ApprovalRequest, state: State, note: str) -> Ticket | None:
        """End a request that nobody has answered; what has ended already stays as it is."""
        ticket = self.store.end(request.id, state, note, self._clock())
        if ticket is not None and ticket.state == state and ticket.note == note and ticket.id in self._open:
            self._open.discard(ticket.id)
            self._tell("timeout" if state == "expired" else "cancelled", ticket)
        return ticket

    def _leave(self, request: ApprovalRequest) -> ApprovalResult:
        self.store.leave(request.id, owner_name())
        return ApprovalResult(False, request.id, "a person has not answered yet", "pending")

    def _result(self, request: ApprovalRequest) -> ApprovalResult:
        ticket = self.store.get(request.id)
        if ticket is None:
            return ApprovalResult(False, request.id, "the request was never kept", "cancelled")
        return self.result_of(ticket)

    def result_of(self, ticket: Ticket) -> ApprovalResult:
        """How a request ended, or that it has not."""
        said = ticket.answer.reason if ticket.answer else ticket.note
        by = f"{ticket.state} by {ticket.answer.by}" if ticket.answer else ""
        if ticket.state == "expired":
            said = f"Approval timeout ({ticket.request.timeout:g}s) — auto-denied"
        if ticket.broken and ticket.state == "approved":
            return ApprovalResult(False, ticket.id, f"the approval cannot be read: {ticket.broken}", "cancelled")
        return ApprovalResult(ticket.state == "approved", ticket.id, said or by, ticket.state, ticket.answer)

    def _clean_up(self, waiter: Waiter, note: str) -> None:
        """Take a request off every screen. Without a note it stays pending, for a later try to find.

        INVARIANT: runs after everything else about this request, whatever happened before.
        """
        try:
            if note:
                self._settle(self._end(waiter.request, "cancelled", note))
            result = self._result(waiter.request)
        except Exception as error:
            self._log(f"request {waiter.request.id}: {error}")
            result = ApprovalResult(False, waiter.request.id, str(error), "cancelled")
        self._open.discard(waiter.request.id)
        for channel in waiter.offered:
            self._crew.do(partial(self._withdraw, channel, result))

    def _withdraw(self, channel: Channel, result: ApprovalResult) -> None:
        try:
            channel.withdraw(result.request_id, result.state, result.reason)
        except Exception as error:
            self._log(f"channel {channel.name}: {type(error).__name__}: {error}")

    def _tell(self, kind: str, ticket: Ticket | None) -> None:
        """What happened, for the journal. A journal that cannot be written stops a question from being asked."""
        if ticket is None:
            raise InputError("the request is not in the store")
        if self._event is not None:
            self._event(kind, ticket)

    async def _do(self, work: Callable[..., T], *args: object) -> T:
        """Everything about the store happens in one thread and in order."""
        return await asyncio.wrap_future(self._work.submit(work, *args))


class StoreInbox:
    """The plainest inbox: answers go into the store and nowhere else."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def answer(self, request_id: str, answer: Answer) -> str:
        try:
            self._store.answer(request_id, answer, self._clock())
        except InputError as error:
            return error.message
        return ""

    def ticket(self, request_id: str) -> Ticket | None:
        return self._store.get(request_id)

    def waiting(self, session: str) -> int:
        return self._store.waiting(self._clock()).get(session, 0)

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:  # noqa: ARG002
        return "no modes are kept here"
