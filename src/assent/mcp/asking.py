"""The guard in front of one server: the policy decides, and what is doubtful about a tool makes it ask.

INVARIANT: nothing here turns an ask or a deny into an allow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from assent import wire
from assent.authorization import Authorization
from assent.digest import sha256
from assent.fingerprint import Fingerprint
from assent.guard import Guard
from assent.judging import Judge, Judged
from assent.mcp.offered import Offered, Standing
from assent.questions import MODEL, Ticket
from assent.record import replace
from assent.types import Reason, ToolCall, Verdict

HOOK_SECONDS = 30.0
"""How long after the hook's answer the agent may take to make the call."""
MASK = "\\u2039"
"""How a mask begins in the stored input, which is ASCII."""


class ToolJudge(Judge):
    """The usual judgement, raised to a question by what is known about the tool."""

    def __init__(self, inner: Judge, offered: Offered) -> None:
        super().__init__(inner.env, world=inner.world, state=inner.state, settings=inner.settings)
        self.offered = offered

    def judge(self, call: ToolCall, now: float) -> Judged:
        judged = super().judge(call, now)
        if judged.case is None or judged.decision.verdict == Verdict.DENY:
            return judged
        standing = standing_of(call, self.offered)
        added = tuple(_doubts(judged, call, standing))
        if not added:
            return judged
        decision = judged.decision
        return replace(judged, decision=replace(decision, verdict=Verdict.ASK, reasons=(*added, *decision.reasons)))


def _doubts(judged: Judged, call: ToolCall, standing: Standing) -> Iterator[Reason]:
    for text in standing.doubts:
        yield Reason(Verdict.ASK, "check", text, subject=call.tool)
    twins = _same_but_for_case(call.input)
    if twins:
        yield Reason(Verdict.ASK, "check", f"the arguments `{twins}` differ only in case", subject=call.tool)
    by_mode = any(reason.step == "mode" for reason in judged.decision.reasons)
    if standing.destructive and judged.decision.allowed and by_mode:
        text = "the server says that this tool may destroy something, and no rule allows it"
        yield Reason(Verdict.ASK, "check", text, subject=call.tool)


def _same_but_for_case(value: object) -> str:
    """Two names in one object that some servers take for the same argument."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            seen: dict[str, str] = {}
            for name in one:
                twin = seen.setdefault(str(name).casefold(), str(name))
                if twin != name:
                    return f"{twin}, {name}"
            waiting += list(one.values())
        elif isinstance(one, list | tuple):
            waiting += list(one)
    return ""


class ToolGuard(Guard):
    """A guard whose questions are bound to what the tool was when they were asked."""

    offered: Offered
    _stood: dict[str, str]

    def watch(self, offered: Offered) -> ToolGuard:
        """Judge with what is known about this server's tools."""
        self.offered, self._stood = offered, {}
        self.judge = ToolJudge(self.judge, offered)
        return self

    def stood(self, call: ToolCall) -> str:
        """What stood for the tool when this call was judged last."""
        return self._stood.pop(call.id, "")

    def decide_at_once(self, call: ToolCall) -> Authorization | None:
        """INVARIANT: the tool is looked at before it is judged, so that a change in between shows."""
        before = mark_of(call, self.offered)
        found = super().decide_at_once(call)
        if found is not None:
            self._stood[call.id] = before
        return found

    async def _ask(self, judged: Judged, mark: Fingerprint, *more: Any, **named: Any) -> Authorization | None:
        ready = await asyncio.to_thread(self._approved_by_hook, judged, mark)
        return ready or await super()._ask(judged, mark, *more, **named)

    def _approved_by_hook(self, judged: Judged, mark: Fingerprint) -> Authorization | None:
        """A person said yes to this very call a moment ago, when the agent's hook asked: that yes counts here, once.

        INVARIANT: not where the gateway knows more than the person was shown: what is doubtful about the tool.
        """
        call, standing = judged.call, standing_of(judged.call, self.offered)
        if standing.doubts or standing.destructive or _same_but_for_case(call.input):
            return None
        found = self.desk.store.hand_over(lambda one: _is_same(one, call), self.desk.clock(), HOOK_SECONDS)
        if found is None or found.answer is None:
            return None
        reason = "a person approved this call when the agent's hook asked"
        answer = Authorization(True, "allowed", reason, "", "human", found.id, judged.decision)
        by = {"kind": "human", "id": found.answer.by, "note": f"through the hook of {found.request.agent}"}
        self._write("decision", judged, answer, by, {"action_digest": mark.text})
        self.judge.claim(judged, self.desk.clock())
        return answer

    def _judge(self, call: ToolCall, attempt: str) -> tuple[Judged, Fingerprint | None]:
        """INVARIANT: an answer for one definition of a tool is never spent for another."""
        before = mark_of(call, self.offered)
        judged, mark = super()._judge(call, attempt)
        self._stood[call.id] = before
        return judged, replace(mark, text=sha256(f"{mark.text}\0{before}".encode())) if mark else None


def _is_same(ticket: Ticket, call: ToolCall) -> bool:
    """Whether a person's approval was for this call, at another point of its way.

    INVARIANT: a stored input in which something was masked is equal to nothing.
    """
    asked, said = ticket.request, ticket.answer
    if said is None or not said.approved or said.via == MODEL or asked.agent == call.agent:
        return False
    where = (asked.tool, asked.cwd, asked.workspace) == (call.tool, call.cwd, call.workspace or "")
    return where and MASK not in asked.input and _canonical(wire.loads(asked.input)) == _canonical(call.input)


def _canonical(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{wire.dumps(str(key))}:{_canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_canonical, value)) + "]"
    return wire.dumps(value)


def tool_name(server: str, tool: str) -> str:
    """How rules and people know a tool of a server."""
    return f"mcp__{server}__{tool}"


def mark_of(call: ToolCall, offered: Offered) -> str:
    """The digest of `standing_of`."""
    prefix = tool_name(offered.name, "")
    return offered.mark(call.tool[len(prefix) :]) if call.tool.startswith(prefix) else ""


def standing_of(call: ToolCall, offered: Offered) -> Standing:
    """How the tool of a call stands; a server pins no definitions of resources and prompts."""
    prefix = tool_name(offered.name, "")
    return offered.standing(call.tool[len(prefix) :]) if call.tool.startswith(prefix) else Standing("")
