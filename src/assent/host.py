"""The commissioned way to ask: a tool, the agent's description of it and a context in; a person's answer out.

What the person sees comes from our own analysis of the call in its context, and every answer is written down, timeouts
included. Which calls need an answer is decided elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from functools import partial

from assent import wire
from assent.approval.broker import Broker, Event
from assent.approval.channel import Channel
from assent.approval.display import Display, shown
from assent.approval.store import Store
from assent.describe import question
from assent.desk import Desk
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.folders import own_folders
from assent.outbox import of_request
from assent.pipeline import examine
from assent.policy.settings import PermissionSettings
from assent.questions import TIMEOUT, Answer, ApprovalRequest, ApprovalResult, Ticket, plain
from assent.record import replace
from assent.types import PermissionDecision, ToolCall, Verdict

ABOUT = frozenset({"agent", "session", "cwd", "workspace"})
"""Fields of a context that are about the call; the others are its arguments."""
ARGUMENTS = ("input", "tool_input", "arguments", "args")
"""Fields under which a context may hold the arguments in a table of their own."""


class PermissionHost(Broker):
    """Asks people about calls that a program describes, and waits.

    Without a `desk` the requests live in memory, and the journal is the one in Assent's state folder. `settings` say by
    which rules the parts of a command are shown; they never answer.
    """

    def __init__(
        self,
        channels: Iterable[Channel] = (),
        *,
        settings: PermissionSettings | None = None,
        desk: Desk | None = None,
        store: Store | None = None,
        timeout: float = TIMEOUT,
        on_event: Event | None = None,
        log: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.desk = desk or Desk(store=store or Store(), clock=clock)
        self.settings = settings or PermissionSettings()
        self._policy = self.settings.compile()
        self._closed_by: dict[str, str] = {}
        """What is closed whatever a person says, by the id of the request that wants it."""
        self._places: dict[str, Future[None]] = {}
        """The last request of each session that has not joined the line yet."""
        event = partial(_write_down, self.desk, on_event)
        store, clock = self.desk.store, self.desk.clock
        super().__init__(channels, store=store, inbox=self.desk, timeout=timeout, on_event=event, log=log, clock=clock)

    async def request_approval(self, tool_name: str, description: str, context: Mapping[str, object]) -> ApprovalResult:
        """Ask about a tool call. `context` holds its arguments and, if known, `session`, `cwd`, `workspace`, `agent`.

        INVARIANT: an answer never opens what is closed in every mode.
        """
        before, mine = self._take_a_place(str(context.get("session", "")))
        try:
            request, closed = await asyncio.to_thread(self._described, tool_name, description, context)
            await asyncio.shield(asyncio.wrap_future(before))
        except AssentError as error:
            return ApprovalResult(False, str(uuid.uuid4()), f"the request could not be described: {error}", "cancelled")
        finally:
            mine.set_result(None)
        if closed:
            self._closed_by[request.id] = closed
        try:
            result = await self.ask(request)
        finally:
            self._closed_by.pop(request.id, None)
        return replace(result, approved=False, reason=closed, state="denied") if closed and result.approved else result

    def _take_a_place(self, session: str) -> tuple[Future[None], Future[None]]:
        """Requests of a session keep the order in which they came, however long it takes to look at each.

        The first future is done when the request before this one has joined the line, the second says so of this one.
        """
        mine: Future[None] = Future()
        with self._lock:
            before = self._places.get(session)
            self._places[session] = mine
        if before is None:
            before = Future()
            before.set_result(None)
        mine.add_done_callback(lambda _: self._leave_place(session, mine))
        return before, mine

    def _leave_place(self, session: str, mine: Future[None]) -> None:
        with self._lock:
            if self._places.get(session) is mine:
                del self._places[session]

    def request_approval_sync(self, tool_name: str, description: str, context: Mapping[str, object]) -> ApprovalResult:
        """The same for callers without an event loop."""
        return asyncio.run(self.request_approval(tool_name, description, context))

    def answer(self, request_id: str, answer: Answer) -> str:
        closed = self._closed_by.get(request_id)
        return f"no answer opens this: {closed}" if closed and answer.approved else super().answer(request_id, answer)

    def display(self, request_id: str) -> Display:
        """What a person should see of a request, in pieces that are safe to show: for a dialog of your own."""
        ticket = self.store.get(request_id)
        if ticket is None:
            raise InputError("there is no such request")
        return shown(ticket.request, home=self.desk.world.home, whole=True)

    def _described(
        self, tool_name: str, description: str, context: Mapping[str, object]
    ) -> tuple[ApprovalRequest, str]:
        """The request with everything that is known about the call, and what closes it in every mode, if anything."""
        given = wire.dumps(plain(context))
        call = self._call(tool_name, context)
        case, decision = examine(call, self._policy, self.desk.world, own_folders(os.environ, self.desk.world.home))
        identity = str(uuid.uuid4())
        if case is None:
            made = self._unknown(identity, call, decision)
        else:
            made = question(identity, self._policy, case, decision, self.desk.world, description)
        mark = sha256(f"{tool_name}\0{given}".encode("utf-8", "surrogatepass"))
        closed = _floor(decision)
        warnings = (*made.warnings, *(("closed in every mode: a yes would not count",) if closed else ()))
        why = made.why or ("the program that runs this asks for your answer",)
        facts = {"why": why, "warnings": warnings, "choices": (), "timeout": self.timeout}
        return replace(made, input=given, fingerprint=mark, **facts), closed

    def _call(self, tool_name: str, context: Mapping[str, object]) -> ToolCall:
        fields = {str(name): plain(value) for name, value in context.items() if name not in ABOUT}
        for name in ARGUMENTS:
            inner = fields.get(name)
            if isinstance(inner, dict):
                fields = {**{key: value for key, value in fields.items() if key != name}, **inner}
        workspace = context.get("workspace") or self.settings.workspace
        return ToolCall(
            tool_name,
            fields,
            cwd=os.path.abspath(str(context.get("cwd") or workspace or os.getcwd())),
            agent=str(context.get("agent", "")),
            session=str(context.get("session", "")),
            at=self.desk.clock(),
            workspace=str(workspace) if workspace else None,
        )

    def _unknown(self, identity: str, call: ToolCall, decision: PermissionDecision) -> ApprovalRequest:
        """A request about which we found out nothing: it is shown as the worst it could be."""
        command = call.input.get("command")
        return ApprovalRequest(
            identity,
            call.tool,
            "{}",
            command if isinstance(command, str) else "",
            agent=call.agent,
            session=call.session,
            cwd=call.cwd,
            sentence=f"Calls {call.tool}, which could not be analysed",
            danger="high",
            undoable=False,
            why=(decision.reason,),
            asked_at=call.at,
        )


def _floor(decision: PermissionDecision) -> str:
    closed = (reason.text for reason in decision.reasons if reason.step == "floor" and reason.verdict == Verdict.DENY)
    return next(closed, "")


def _write_down(desk: Desk, also: Event | None, kind: str, ticket: Ticket) -> None:
    """INVARIANT: what cannot be written down is not asked; the store tells the journal whatever changes in it."""
    if kind == "shown":
        desk.journal.append(kind, of_request(ticket.request))
    if also is not None:
        also(kind, ticket)
