"""What a client wants of a server, on its way there: judged, maybe asked about, then passed on or refused.

INVARIANT: what is passed on is what was judged; everything that goes wrong here is a refusal.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from typing import Literal, Protocol

from assent import wire
from assent.authorization import Authorization, failed
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.judging import fields_of
from assent.mcp import elicitation
from assent.mcp import messages as m
from assent.mcp.asking import ToolGuard, tool_name
from assent.mcp.messages import Body
from assent.mcp.offered import Offered
from assent.questions import Ticket
from assent.record import record, replace
from assent.types import ToolCall, Verdict

OnAsk = Literal["hold", "elicit", "ticket", "deny"]
ON_ASK: tuple[OnAsk, ...] = ("hold", "elicit", "ticket", "deny")
HEARTBEAT = 10.0
"""Seconds between two signs of life while a person is asked."""
LIST_SECONDS = 30.0
MOST_PAGES = 100
MOST_CONTINUED = 1_000
STATE, ANSWER = "assent.", "assent"
"""How our own `requestState` begins, and the key of our own question among the `inputRequests`."""
PARAMS = ("name", "uri", "arguments", "_meta", "task", "inputResponses", "requestState")
RESOURCES = (m.READ, m.WATCH)


class Peers(Protocol):
    """Both ends of a connection, as one call needs them."""

    async def ask_server(self, method: str, given: Mapping[str, object]) -> Body: ...
    async def tell_client(self, body: Body) -> None: ...
    def client_name(self, body: Body) -> str: ...
    def client_can(self, body: Body) -> frozenset[str]: ...
    def version(self, body: Body) -> str: ...


@record
class Asked:
    """What a client asks of the server, as rules know it. `name` is that of a tool, empty for resources and prompts."""

    tool: str
    input: Body
    name: str = ""


@record
class Passed:
    """A call that may be made: exactly these bytes, or the very bytes of the client when there are none."""

    body: Mapping[str, object] | None = None


class Calls:
    """The calls of one connection."""

    def __init__(
        self,
        guard: ToolGuard,
        offered: Offered,
        peers: Peers,
        *,
        on_ask: OnAsk,
        inbox: str = "",
        heartbeat: float = HEARTBEAT,
    ) -> None:
        self.guard, self.offered, self.peers = guard, offered, peers
        self.on_ask, self.inbox, self.heartbeat = on_ask, inbox, heartbeat
        self._listing = asyncio.Lock()
        self._continued: dict[str, int] = {}

    async def decide(self, body: Body) -> Passed | Body:
        """Whether a call may be passed on, or what the client is answered instead."""
        try:
            asked = _asked(body, self.offered.name)
        except InputError as error:
            return m.error(body["id"], m.INVALID_PARAMS, error.message)
        try:
            return await self._decide(body, asked)
        except AssentError as error:
            return self._refused(body, failed(str(error)))
        except Exception as error:  # a failure of ours must never look like a permission
            return self._refused(body, failed(f"{type(error).__name__}: {error}"))

    def decide_now(self, body: Body) -> Passed | Body | None:
        """`decide` without a wait, for what policy alone answers; None for everything else.

        Blocks the event loop while it judges and writes: a change of threads would cost more than either.
        """
        try:
            asked = _asked(body, self.offered.name)
        except InputError:
            return None
        given = m.params(body)
        if (asked.name and not self.offered.fresh) or "requestState" in given or "inputResponses" in given:
            return None
        try:
            return self._decide_now(body, asked)
        except AssentError as error:
            return self._refused(body, failed(str(error)))
        except Exception as error:  # a failure of ours must never look like a permission
            return self._refused(body, failed(f"{type(error).__name__}: {error}"))

    def _decide_now(self, body: Body, asked: Asked) -> Passed | Body | None:
        if asked.name:
            self.offered.called()
        call = self._call(body, asked)
        granted = self.guard.decide_at_once(call)
        if granted is None:
            return None
        mark = self.guard.stood(call)
        if not granted.allowed:
            return self._refused(body, granted)
        return None if asked.name and self._moved(asked.name, mark) else Passed()

    async def _decide(self, body: Body, asked: Asked) -> Passed | Body:
        if asked.name:
            await self._know_tools(body)
            self.offered.called()
        call = self._call(body, asked)
        if self._continues(body):
            return await asyncio.to_thread(self._again, body, call)
        try:
            granted = await self._authorized(body, call)
        finally:
            mark = self.guard.stood(call)
        if granted.state == "pending" and self._in_rounds(body):
            return await asyncio.to_thread(self._input_required, body, granted)
        if not granted.allowed:
            return self._refused(body, granted)
        if granted.state == "approved" and asked.name:
            await asyncio.to_thread(self.offered.accept, asked.name, mark)
        if asked.name and self._moved(asked.name, mark):
            return self._refused(body, failed("the server changed this tool while it was judged; call it again"))
        return Passed(_without_ours(body))

    def _moved(self, name: str, mark: str) -> bool:
        return self.offered.mark(name) != mark

    def _call(self, body: Body, asked: Asked) -> ToolCall:
        made = self.guard.call(asked.tool, asked.input, id=str(uuid.uuid4()))
        client = self.peers.client_name(body)
        return replace(made, chain=(client,) if client else ())

    def _refused(self, body: Body, granted: Authorization) -> Body:
        if body["method"] != m.CALL:
            return m.error(body["id"], m.REFUSED, granted.message)
        return m.result(body["id"], m.refusal(granted.message, modern=bool(m.protocol(body))))

    # --- asking ----------------------------------------------------------------------------------------------------

    def _in_rounds(self, body: Body) -> bool:
        """Whether this client asks its user and calls again, as clients without a handshake do."""
        can = self.peers.client_can(body)
        return self.on_ask == "elicit" and bool(m.protocol(body)) and bool(can if self.inbox else can & {"form"})

    async def _authorized(self, body: Body, call: ToolCall) -> Authorization:
        if self.on_ask == "ticket":
            return await self.guard.authorize(call, leave_after=0.0)
        leave: float | None = None
        if self._in_rounds(body):
            wait = await asyncio.to_thread(self._answered, body, call)
            leave = None if wait else 0.0
        token = m.meta(body).get("progressToken")
        alive = asyncio.create_task(self._signs_of_life(body, token)) if m.is_id(token) else None
        try:
            return await self.guard.authorize(call, leave_after=leave)
        finally:
            if alive is not None:
                alive.cancel()

    async def _signs_of_life(self, body: Body, token: object) -> None:
        """Progress for clients that count the time, for as long as a person is asked."""
        number = 0
        while True:
            await asyncio.sleep(self.heartbeat)
            number += 1
            given: Body = {"progressToken": token, "progress": number * 1e-6}
            if self.peers.version(body) != "2024-11-05":
                given["message"] = "waiting for a person's permission"
            await self.peers.tell_client(m.notification("notifications/progress", given))

    def _input_required(self, body: Body, granted: Authorization) -> Body:
        ticket = self.guard.desk.ticket(granted.request_id)
        if ticket is None:
            return self._refused(body, failed("the question got lost"))
        can_form = "form" in self.peers.client_can(body)
        given = elicitation.form(ticket.request) if can_form else elicitation.link(ticket.request, self.inbox)
        given.pop("elicitationId", None)
        asked = {ANSWER: {"method": elicitation.METHOD, "params": given}}
        found = {"resultType": "input_required", "inputRequests": asked, "requestState": STATE + ticket.id}
        return m.result(body["id"], found)

    def _answered(self, body: Body, call: ToolCall) -> bool:
        """Hand in what the client brought back; true when the answer is given elsewhere and must be waited for."""
        ticket = self._ticket(body, call)
        said = m.table(m.table(m.params(body).get("inputResponses")).get(ANSWER))
        if ticket is None or not said:
            return False
        if "form" not in self.peers.client_can(body):
            return said.get("action") == "accept"
        by = elicitation.user_of(self.peers.client_name(body))
        found = elicitation.answer(said, ticket.request, by, self.guard.desk.clock())
        if found is None:
            raise AssentError("the client's answer is none of those that were offered")
        why = self.guard.desk.answer(ticket.id, found)
        if why:
            raise AssentError(why)
        return False

    def _ticket(self, body: Body, call: ToolCall) -> Ticket | None:
        """The question that a client brings an answer for, if it is ours, open, and about this very call."""
        state = m.params(body).get("requestState")
        if not isinstance(state, str) or not state.startswith(STATE):
            return None
        ticket = self.guard.desk.ticket(state.removeprefix(STATE))
        if ticket is None or ticket.state != "pending" or ticket.request.session != call.session:
            return None
        same = ticket.request.tool == call.tool and ticket.request.input == wire.dumps(call.input)
        return ticket if same else None

    # --- calls that go on over several rounds ----------------------------------------------------------------------

    def interrupted(self, body: Body, found: Mapping[str, object]) -> None:
        """The server wants to know more before it ends a permitted call; the next round belongs to that call."""
        mark = _round(m.params(body), found.get("requestState"))
        while len(self._continued) >= MOST_CONTINUED:
            del self._continued[next(iter(self._continued))]
        self._continued[mark] = self._continued.get(mark, 0) + 1

    def _continues(self, body: Body) -> bool:
        given = m.params(body)
        if "requestState" not in given and "inputResponses" not in given:
            return False
        mark = _round(given, given.get("requestState"))
        left = self._continued.pop(mark, 0)
        if left > 1:
            self._continued[mark] = left - 1
        return left > 0

    def _again(self, body: Body, call: ToolCall) -> Passed | Body:
        judged = self.guard.judge.judge(call, self.guard.desk.clock())
        if judged.decision.verdict == Verdict.DENY:
            return self._refused(body, failed(f"denied since: {judged.decision.reason}"))
        told = {"request_id": call.id, "approved": True, "reason": "the next round of a call that was permitted"}
        by = {"kind": "default", "note": "a round of the same call"}
        self.guard.desk.journal.append("decision", {**fields_of(judged), **told, "decided_by": by})
        return Passed()

    # --- knowing the tools -----------------------------------------------------------------------------------------

    async def _know_tools(self, body: Body) -> None:
        """Read the server's list of tools if the client has not, or if the server said that it changed."""
        async with self._listing:
            given = {name: value for name, value in m.meta(body).items() if name in m.HEADERS}
            cursor: object = None
            for _ in range(MOST_PAGES):
                if self.offered.fresh:
                    return
                page: Body = {"cursor": cursor} if cursor is not None else {}
                page |= {"_meta": given} if given else {}
                found = await self._page(page)
                cursor = found.get("nextCursor") if found else None
                if not isinstance(cursor, str):
                    return

    async def _page(self, page: Body) -> Body | None:
        """One page; a server that does not answer leaves its tools unknown, and those are asked about."""
        try:
            return await asyncio.wait_for(self.peers.ask_server(m.LIST, page), LIST_SECONDS)
        except (AssentError, TimeoutError):
            return None


def _asked(body: Body, server: str) -> Asked:
    method, given = str(body["method"]), body.get("params")
    if not isinstance(given, dict):
        raise InputError(f"`{method}` needs `params` as an object")
    m.exact_keys(given, PARAMS, "`params`")
    if not isinstance(given.get("_meta", {}), dict):
        raise InputError("`_meta` is an object")
    if method not in m.JUDGED:
        _check_unknown(method, given)
    if method in RESOURCES or (method not in m.JUDGED and "uri" in given):
        return Asked("read_mcp_resource", {"server": server, "uri": _needed(given, "uri", method)})
    name, arguments = _needed(given, "name", method), given.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise InputError(f"the `arguments` of `{method}` are an object")
    if method == m.PROMPT:
        return Asked("get_mcp_prompt", {"server": server, "name": name, "arguments": arguments or {}})
    return Asked(tool_name(server, name), arguments or {}, name)


def _check_unknown(method: str, given: Body) -> None:
    """A method that we do not know is judged as what it carries, if that is one thing."""
    if m.buries(given) or ("uri" in given and "name" in given):
        raise InputError(f"`{method}` is no method that Assent knows, and what it would read or call cannot be told")


def _needed(given: Body, key: str, method: str) -> str:
    found = given.get(key)
    if not isinstance(found, str) or not found:
        raise InputError(f"`{method}` needs `{key}` as a text")
    return found


def _without_ours(body: Body) -> Body | None:
    """The call as the server may see it: without our question and its answer."""
    given = m.params(body)
    state = given.get("requestState")
    if not isinstance(state, str) or not state.startswith(STATE):
        return None
    others = {name: one for name, one in m.table(given.get("inputResponses")).items() if name != ANSWER}
    kept = {name: one for name, one in given.items() if name not in ("requestState", "inputResponses")}
    return {**body, "params": {**kept, **({"inputResponses": others} if others else {})}}


def _round(given: Mapping[str, object], state: object) -> str:
    asked = [given.get("name"), given.get("uri"), given.get("arguments") or {}]
    said = wire.dumps([*asked, state if isinstance(state, str) else None])
    return sha256(said.encode())
