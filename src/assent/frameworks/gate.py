"""What the adapters share: a framework's tool call as ours, asked about without blocking, and never open by accident.

INVARIANT: whatever goes wrong between a framework and the guard, the answer is a refusal that says so.
"""

from __future__ import annotations

import asyncio
import difflib
import re
import threading
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context

from assent import wire
from assent.authorization import Authorization, Refused, failed
from assent.errors import UsageError
from assent.guard import Guard
from assent.masking import mask_table, masked
from assent.policy.rules import TOOLS, fold_name
from assent.questions import Ticket, plain
from assent.record import record, replace
from assent.types import ToolCall

KINDS = "a kind is one of Bash, Read, Write, Delete, Glob, Grep, WebFetch, WebSearch, or mcp__SERVER__TOOL"
_above: ContextVar[tuple[str, ...]] = ContextVar("assent_agents_above", default=())
"""The agents whose tools are running right now, outermost first: a subagent is called by a tool of another agent."""


@record
class Wanted:
    """A tool call as a framework describes it."""

    tool: str
    given: object
    id: str = ""
    agent: str = ""
    """The agent in the framework's own words, if it has a name."""
    session: str = ""
    """The framework's conversation; it becomes a session of its own."""
    above: tuple[str, ...] = ()
    """The agents that called this one, where the framework itself says so."""
    kind: str = ""
    """What the tool is, where the framework itself says so: `Bash` for its own shell tool."""
    cwd: str = ""
    """Where the call would be made, where the framework itself says so."""


class Gate:
    """One guard in front of the tools of a framework's agents.

    `tools` says which function is really which kind of tool: `{"run_shell": "Bash"}`; any other function is a tool of
    its own, `Tool(name)` in rules. With `suspend_after` a question that nobody has answered after so many seconds
    suspends the run, in the framework's own way; without it the call waits for the person.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        suspend_after: float | None = None,
    ) -> None:
        if not hasattr(guard, "authorize"):
            raise UsageError(f"`{type(guard).__name__}` is no guard", help="from assent.guard import Guard")
        self.guard, self.tools, self.cwd, self.suspend_after = guard, dict(tools or {}), cwd, suspend_after
        for name, kind in self.tools.items():
            _check_entry(name, kind)
        self._seen: set[frozenset[str]] = set()

    def check_names(self, known: Collection[str]) -> None:
        """Refuse names in `tools` that no tool has; for frameworks that say beforehand which tools there are."""
        for name in self.tools:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                advice = (
                    f"did you mean `{close[0]}`?" if close else f"the tools are {', '.join(sorted(known)) or 'none'}"
                )
                raise UsageError(f"`tools` names `{name}`, and no tool has that name", help=advice)

    def see(self, known: Iterable[object], *, whole: bool = True) -> None:
        """Refuse names in `tools` that were meant for one of an agent's tools, at the first sight of them.

        A name that is like none of them may belong to another agent with the same gate: that is a warning, and
        nothing at all unless these are the `whole` tools.
        """
        names = frozenset(map(str, known))
        if not self.tools or not names or names in self._seen:
            return
        for name in self.tools:
            if name not in names and (meant := _meant(name, names - self.tools.keys())):
                raise UsageError(f"`tools` names `{name}`, and no tool has that name", help=f"did you mean `{meant}`?")
        missing = [name for name in self.tools if name not in names.union(*self._seen)]
        if missing and whole:
            warnings.warn(f"`tools` names `{missing[0]}`, and this agent has no such tool", stacklevel=2)
        self._seen.add(names)

    def question(self, wanted: Wanted, answer: Authorization) -> dict[str, object]:
        """What a suspended run tells about its question: enough for a screen of your own, secrets masked."""
        ticket = self.guard.desk.ticket(answer.request_id)
        given = plain(wanted.given)
        why = answer.decision.reason if answer.decision else answer.reason
        return {
            "type": "assent",
            "request_id": answer.request_id,
            "tool": wanted.tool,
            "tool_call_id": wanted.id,
            "arguments": mask_table(given if isinstance(given, dict) else {"input": given}),
            "reason": masked(why),
            "expires_at": ticket.ends_at if ticket else 0.0,
        }

    def suspends(self, answer: Authorization) -> bool:
        """Whether to suspend the run: a person was asked and has not answered yet."""
        return answer.state == "pending" and self.suspend_after is not None

    async def permit(self, wanted: Wanted, *, hold: bool = False, look: bool = False) -> Authorization:
        """Whether a call may be made now. `hold` waits even if this gate suspends; `look` does not wait at all.

        Raises the end of the task, and `UsageError` for a name in `tools` that is spelt in another way: a mistake in
        the program, which no model should be told instead of its author.
        """
        self.check_spelling(wanted.tool)
        try:
            leave = 0.0 if look else None if hold else self.suspend_after
            return await self.guard.authorize(self._call(wanted), leave_after=leave)
        except Refused as refused:
            return refused.authorization
        except Exception as error:
            return failed(f"{type(error).__name__}: {error}")

    def permit_sync(self, wanted: Wanted) -> Authorization:
        """`permit` for frameworks that call back without awaiting. Blocks this thread, also one with an event loop."""
        if not _has_loop():
            return asyncio.run(self.permit(wanted))
        self.check_spelling(wanted.tool)  # an error of the thread below would be nobody's
        found: list[Authorization] = []
        here = copy_context()
        thread = threading.Thread(
            target=lambda: found.append(here.run(asyncio.run, self.permit(wanted))), name="assent-permit"
        )
        thread.start()
        thread.join()
        return found[0] if found else failed("nobody answered")

    @contextmanager
    def inside(self, agent: str) -> Iterator[None]:
        """While a tool of this agent runs: agents that the tool calls are its subagents."""
        token = _above.set(_named(_above.get(), agent))
        try:
            yield
        finally:
            _above.reset(token)

    def check_spelling(self, tool: str) -> None:
        """A name in `tools` that differs from a tool's in case or separators only was meant for it."""
        if tool not in self.tools and (meant := _same_but_for_spelling(tool, self.tools)):
            raise UsageError(
                f"`tools` names `{meant}`, and the tool is called `{tool}`", help=f"did you mean `{tool}`?"
            )

    def _call(self, wanted: Wanted) -> ToolCall:
        given = plain(wanted.given)
        fields = given if isinstance(given, dict) else {"input": given}
        mapped = self.tools.get(wanted.tool) or wanted.kind
        made = self.guard.call(mapped or wanted.tool, fields, cwd=wanted.cwd or self.cwd, id=wanted.id)
        session = f"{self.guard.agent}:{wanted.session}" if wanted.session else made.session
        # INVARIANT: a function that nobody mapped may do anything, even if a tool of some agent has the same name.
        claim = None if mapped or made.tool.startswith("mcp__") else False
        chain = _named((*_above.get(), *wanted.above), wanted.agent)
        return replace(made, session=session, chain=chain, read_only=claim)


def questions(guard: Guard, session: str = "") -> list[dict[str, object]]:
    """What waits for a person in a framework's session, or in the guard's own, like `Gate.question` says it."""
    wanted = f"{guard.agent}:{session}" if session else guard.session
    tickets = guard.desk.store.pending(guard.desk.clock(), wanted)
    return [_described(ticket) for ticket in tickets]


def _described(ticket: Ticket) -> dict[str, object]:
    given = wire.loads(ticket.request.input)
    return {
        "type": "assent",
        "request_id": ticket.id,
        "tool": ticket.request.tool,
        "tool_call_id": "",
        "arguments": mask_table(given if isinstance(given, dict) else {"input": given}),
        "reason": masked("; ".join(ticket.request.why)),
        "expires_at": ticket.ends_at,
    }


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _named(above: tuple[str, ...], agent: str) -> tuple[str, ...]:
    return above if not agent or above[-1:] == (agent,) else (*above, agent)


def _check_entry(name: object, kind: object) -> None:
    """INVARIANT: a kind that means nothing to the analysis is an error, not the name of a tool of its own."""
    if not isinstance(name, str) or not name:
        raise UsageError(f"`tools` has {name!r} as a name", help='write `{"run_shell": "Bash"}`')
    if not isinstance(kind, str):
        raise UsageError(f"`tools` gives `{name}` the kind {kind!r}", help=f"{KINDS}, or leave `{name}` out")
    if Guard.knows_tool(kind) or fold_name(kind) in map(fold_name, TOOLS):
        return
    folded = {known.casefold(): known for known in TOOLS}
    close = difflib.get_close_matches(kind.casefold(), list(folded), n=1)
    raise UsageError(f"`{kind}` is no kind of tool", help=f"did you mean `{folded[close[0]]}`?" if close else KINDS)


def _meant(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    return _same_but_for_spelling(name, known) or (close[0] if close else "")


def _same_but_for_spelling(tool: str, names: Collection[str]) -> str:
    return next((name for name in names if fold_name(name) == fold_name(tool)), "")


def mcp_tool(server: str, tool: str) -> str:
    """The name under which agents know a tool of an MCP server; rules say `Mcp(server.tool)`."""
    return f"mcp__{re.sub('[^A-Za-z0-9-]+', '_', server).strip('_') or 'server'}__{tool}"
