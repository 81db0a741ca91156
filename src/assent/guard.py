"""The door for agents: decide, ask a person when that is the answer, write everything down, and say why.

INVARIANT: `allowed` is true only for what the policy allows, or what a person approved and nothing has changed since.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar, overload

from assent.approval.asker import is_alive, owner_name
from assent.approval.broker import Broker
from assent.approval.channel import Channel
from assent.authorization import Authorization, Refused, as_answered, as_decided, failed, unasked
from assent.classifier.bench import Bench, Judging
from assent.classifier.speculation import Speculation
from assent.describe import question
from assent.desk import Desk, person
from assent.errors import AssentError
from assent.fingerprint import Fingerprint, fingerprint
from assent.grants import count_use, grants_file
from assent.judging import Judge, Judged, fields_of, grants_used, rule_id
from assent.outbox import of_request
from assent.pipeline import is_known_tool, suggest_rules
from assent.policy.settings import PermissionSettings
from assent.policy.settling import answered, is_open, is_unjudged, settled
from assent.questions import MODEL, TIMEOUT, Answer, ApprovalRequest, ApprovalResult, Ticket, kind_of, plain
from assent.record import replace
from assent.types import Reason, ToolCall, Verdict
from assent.world import DiskWorld

OnAsk = Literal["wait", "park", "deny", "fail"]
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
TRIES = 3
"""How often a person is asked about one call whose circumstances keep changing while they answer."""
ONCE = (
    "this could run more files than Assent can check: your approval counts only while the agent waits for it,"
    " not for a later try"
)


class UsedUp(AssentError):  # noqa: N818 - what happened
    """A rule with a limit that another call was faster to use."""


class Guard:
    """Pipeline, people and journal together. One for a program; safe for threads and event loops.

    Without `settings` the policy files of the workspace decide. `on_ask` says what happens to a question: wait for a
    person, park it (leave it in the inbox and go on), deny, or fail with an exception. `classifier`, a function or a
    provider, stands in for the model that `[classifier]` names. `sandbox` is `inside` where this program runs every
    shell command in the sandbox, or says why none works.
    """

    def __init__(
        self,
        *,
        workspace: str | None = None,
        settings: PermissionSettings | None = None,
        agent: str = "python",
        session: str | None = None,
        channels: Iterable[Channel] | None = None,
        desk: Desk | None = None,
        timeout: float = TIMEOUT,
        on_ask: OnAsk = "wait",
        env: Mapping[str, str] | None = None,
        classifier: Judging | None = None,
        sandbox: str = "",
    ) -> None:
        self.env = os.environ if env is None else env
        self.world = DiskWorld(env=self.env) if env is not None else DiskWorld()
        self.workspace = os.path.abspath(workspace) if workspace else self.world.workspace(os.getcwd())
        self.agent, self.timeout, self.on_ask = agent, timeout, on_ask
        self.session = session if session is not None else str(uuid.uuid4())
        self.desk = desk or Desk(world=self.world)
        self._owns_desk = desk is None
        self.host = Broker(
            terminal_channels(self.desk) if channels is None else channels,
            store=self.desk.store,
            inbox=self.desk,
            timeout=timeout,
            on_event=self._event,
            clock=self.desk.clock,
        )
        self.judge = Judge(
            self.env,
            world=self.world,
            state=self.desk.state,
            settings=settings.compile() if settings else None,
            untrusted=settings.untrusted_mode if settings else None,
            sandbox=sandbox,
        )
        self.bench = Bench(self.env, os.path.join(self.desk.state, "classifier.db"), self.desk.clock, classifier)
        self._kept: dict[str, Callable[[], object]] = {}
        """Who wants to know that a request is in the store, by its id."""

    def close(self) -> None:
        """End what still waits and close what this guard opened."""
        self.host.close()
        self.bench.close()
        if self._owns_desk:
            self.desk.close()

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- asking for permission -------------------------------------------------------------------------------------

    def call(self, tool: str, input: Mapping[str, object], *, cwd: str | None = None, id: str = "") -> ToolCall:
        """A tool call of this guard's agent and session."""
        return ToolCall(
            *(tool, dict(input), os.path.abspath(cwd or os.getcwd()), id, self.agent, self.session),
            at=self.desk.clock(),
            workspace=self.workspace,
        )

    @staticmethod
    def knows_tool(name: str) -> bool:
        """Whether a name alone tells what the tool does."""
        return is_known_tool(name)

    async def authorize(
        self, call: ToolCall, description: str = "", *, leave_after: float | None = None
    ) -> Authorization:
        """Whether a call may be made. Asks a person if the policy says so, and waits for the answer.

        With `leave_after` the wait ends after so many seconds: the request stays, and the same call made again finds
        its answer. INVARIANT: every failure of ours is a refusal that says so.
        """
        begun = time.perf_counter()
        try:
            for _ in range(TRIES):
                try:
                    judged, mark, ready = await asyncio.to_thread(self._judge_at_once, call, begun)
                except UsedUp:
                    continue
                if ready is not None:
                    return ready
                judged, guess = await self._consulted(judged)
                try:
                    if judged.decision.verdict != Verdict.ASK or mark is None:
                        return await asyncio.to_thread(self._decided, judged, begun)
                    answer = await self._ask(judged, mark, description, leave_after, guess)
                except UsedUp:
                    continue
                finally:
                    await _called_off(guess)
                if answer is not None:
                    return answer
            return failed(
                "what this call would do, or the project it would run in, kept changing while a person was asked"
            )
        except Refused:
            raise
        except AssentError as error:
            return failed(str(error))

    def decide_at_once(self, call: ToolCall) -> Authorization | None:
        """The answer where neither a person nor a model has a say, in this thread; None where `authorize` is needed.

        Written down like every other. Blocks for as long as reading the policy and writing the journal take.
        """
        begun = time.perf_counter()
        judged = self.judge.judge(call, self.desk.clock())
        heard = judged.case is not None and judged.policy.table["descriptions"]
        if heard or judged.decision.verdict == Verdict.ASK:
            return None
        try:
            return self._decided(judged, begun)
        except UsedUp:
            return None

    def authorize_sync(
        self, call: ToolCall, description: str = "", *, leave_after: float | None = None
    ) -> Authorization:
        """`authorize` for callers without an event loop."""
        return asyncio.run(self.authorize(call, description, leave_after=leave_after))

    async def run(self, call: ToolCall, action: Callable[[], Awaitable[T] | T], description: str = "") -> T:
        """Do something only if it is allowed or approved; raises `Refused` otherwise."""
        granted = await self.authorize(call, description)
        if not granted.allowed:
            raise Refused(granted)
        done = action()
        return await done if inspect.isawaitable(done) else done

    @overload
    def tool(self, function: F) -> F: ...
    @overload
    def tool(self, *, name: str = "", read_only: bool | None = None) -> Callable[[F], F]: ...
    def tool(self, function: Any = None, *, name: str = "", read_only: bool | None = None) -> Any:
        """Protect a Python function: it runs when its call is allowed, and raises `Refused` when it is not.

        >>> @guard.tool
        ... def delete_user(user_id: int) -> None: ...
        """
        if function is None:
            return lambda wanted: self._protected(wanted, name, read_only=read_only)
        return self._protected(function, name, read_only=read_only)

    def _protected(self, function: Callable[..., Any], name: str, *, read_only: bool | None) -> Callable[..., Any]:
        signature = inspect.signature(function)

        def described(args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolCall:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = {key: plain(value) for key, value in bound.arguments.items()}
            return replace(self.call(name or function.__name__, given), read_only=read_only)

        @functools.wraps(function)
        async def later(*args: Any, **kwargs: Any) -> Any:
            return await self.run(described(args, kwargs), lambda: function(*args, **kwargs))

        @functools.wraps(function)
        def now(*args: Any, **kwargs: Any) -> Any:
            granted = self.authorize_sync(described(args, kwargs))
            if not granted.allowed:
                raise Refused(granted)
            return function(*args, **kwargs)

        return later if inspect.iscoroutinefunction(function) else now

    # --- what models say -------------------------------------------------------------------------------------------

    async def consult(self, call: ToolCall) -> Judged:
        """The judgement with the models' part in it. No person is asked, and nothing is written down."""
        judged = await asyncio.to_thread(self.judge.judge, call, self.desk.clock())
        judged, guess = await self._consulted(judged)
        return await self._guessed(judged, guess)

    async def _consulted(self, judged: Judged) -> tuple[Judged, Speculation | None]:
        """What ask and deny descriptions make of a judgement; an allow description that may answer it is searched on.

        The search is begun before anybody knows that it is needed: its time hides behind the other judgements.
        """
        case, policy, decision = judged.case, judged.policy, judged.decision
        if case is None or not policy.table["descriptions"]:
            return judged, None
        panel, subject = self.bench.panel(policy.table["classifier"]), self.bench.subject(case.call, case.text)
        guess = panel.start(subject, policy.described(Verdict.ALLOW)) if is_open(policy, case, decision) else None
        try:
            if is_unjudged(decision):
                raised, told = await panel.held_back(subject, policy.described(Verdict.ASK, Verdict.DENY))
                judged = replace(judged, decision=settled(decision, raised, told))
            if guess is None or is_open(policy, case, judged.decision):
                return judged, guess
        except BaseException:
            await _called_off(guess)
            raise
        await _called_off(guess)
        return judged, None

    async def _guessed(self, judged: Judged, guess: Speculation | None) -> Judged:
        """The judgement after the search for an allow description has come to its end."""
        try:
            found = await guess.consume() if guess else None
        finally:
            await _called_off(guess)
        if found is None or judged.case is None:
            return judged
        return replace(judged, decision=answered(judged.policy, judged.case, judged.decision, found))

    async def _raced(
        self, request: ApprovalRequest, again: bool, wait: float | None, guess: Speculation | None
    ) -> ApprovalResult:
        """Ask people while a model is still judging; whoever answers first is heard, and the other is called off."""
        kept, loop = asyncio.Event(), asyncio.get_running_loop()
        self._kept[request.id] = lambda: loop.call_soon_threadsafe(kept.set)
        judging = asyncio.create_task(self._answer_once(request, kept, guess)) if guess else None
        try:
            return await self.host.ask(request, again=again, leave_after=wait)
        finally:
            self._kept.pop(request.id, None)
            if judging:
                judging.cancel()
                await asyncio.wait([judging])

    async def _answer_once(self, request: ApprovalRequest, kept: asyncio.Event, guess: Speculation) -> None:
        """Hand in a model's yes like a channel would. A no, and any failure, is no answer at all."""
        found = await guess.consume()
        await kept.wait()
        if found is not None:
            await asyncio.to_thread(self.host.answer, request.id, self._yes(request, found))

    def _yes(self, request: ApprovalRequest, found: Reason) -> Answer:
        now = self.desk.clock()
        return Answer(True, found.subject, MODEL, now, found.text, fingerprint=request.fingerprint)

    # --- deciding --------------------------------------------------------------------------------------------------

    def _judge(self, call: ToolCall, attempt: str) -> tuple[Judged, Fingerprint | None]:
        """The judgement of this moment and, for a question, the fingerprint its answer will be bound to."""
        judged = self.judge.judge(call, self.desk.clock())
        if judged.case is None or judged.decision.verdict != Verdict.ASK:
            return judged, None
        return judged, fingerprint(judged.case, judged.policy.digest, self.world, self.env, attempt)

    def _judge_at_once(self, call: ToolCall, begun: float) -> tuple[Judged, Fingerprint | None, Authorization | None]:
        """The judgement, and the answer where neither a person nor a model has a say: one change of threads."""
        judged, mark = self._judge(call, str(uuid.uuid4()))
        asks = judged.decision.verdict == Verdict.ASK and mark is not None
        heard = judged.case is not None and judged.policy.table["descriptions"]
        return judged, mark, None if asks or heard else self._decided(judged, begun)

    def _decided(self, judged: Judged, begun: float) -> Authorization:
        """A decision that needs nobody; it counts once it is written down."""
        answer = as_decided(judged.decision)
        if answer.allowed and not self.judge.claim(judged, self.desk.clock()):
            raise UsedUp("a rule was used up by another call at the same moment", help="try again")
        by = {"kind": answer.decided_by, "id": rule_id(judged.decision)}
        took = {"latency_ms": round((time.perf_counter() - begun) * 1000, 3)}
        self._write("decision", judged, answer, by, took)
        used = grants_used(judged.decision)
        if used and answer.allowed:
            count_use(self.desk.state, used, self.desk.clock())
        return answer

    def _write(
        self, kind: str, judged: Judged, answer: Authorization, by: Mapping[str, object], more: Mapping[str, object]
    ) -> None:
        """INVARIANT: what cannot be written down does not happen."""
        self.desk.journal.append(kind, {**_ended(judged, answer), "decided_by": by, **more})

    async def _ask(
        self,
        judged: Judged,
        mark: Fingerprint,
        description: str,
        leave_after: float | None,
        guess: Speculation | None = None,
    ) -> Authorization | None:
        """Ask about one judgement; None when the answer does not fit any more and everything starts over."""
        if self.on_ask in ("deny", "fail"):
            judged = await self._guessed(judged, guess)
            ends = self._settled if judged.decision.allowed else self._unasked
            return await asyncio.to_thread(ends, judged)
        wait = 0.0 if self.on_ask == "park" and leave_after is None else leave_after
        request, again, ready = await asyncio.to_thread(self._request, judged, mark, description)
        if ready is None and guess is not None and (guess.done or self._leaves_early(judged, wait)):
            guessed = await self._guessed(judged, guess)
            if guessed.decision.allowed and not again:
                return await asyncio.to_thread(self._settled, guessed)
            if guessed.decision.allowed:
                ready = await asyncio.to_thread(self._answer_left, request, guessed.decision.decisive)
            guess = None
        result = ready or await self._raced(request, again, wait, guess)
        return await asyncio.to_thread(self._answered, judged, mark, result)

    def _leaves_early(self, judged: Judged, wait: float | None) -> bool:
        """Whether the caller would be gone before a model has had its time."""
        return wait is not None and wait < self.bench.panel(judged.policy.table["classifier"]).timeout

    def _answer_left(self, request: ApprovalRequest, found: Reason) -> ApprovalResult | None:
        """A model's yes to a request that an earlier try left behind, unless somebody was first."""
        self.host.answer(request.id, self._yes(request, found))
        ticket = self.desk.store.get(request.id)
        return self.host.result_of(ticket) if ticket and ticket.state != "pending" else None

    def _settled(self, judged: Judged) -> Authorization:
        return self._decided(judged, time.perf_counter())

    def _request(
        self, judged: Judged, mark: Fingerprint, description: str
    ) -> tuple[ApprovalRequest, bool, ApprovalResult | None]:
        """A new request, or the one that an earlier try of the very same action left behind, maybe with its answer."""
        call, now = judged.call, self.desk.clock()
        self.desk.seen(call.session, call.agent, judged.policy.mode)
        found = self.desk.store.left_behind(mark.text, call.session, now)
        if found is not None:
            ticket, owner = found
            if ticket.state != "pending":
                return ticket.request, True, self.host.result_of(ticket)
            if not (owner and is_alive(owner)) and self.desk.store.own(ticket.id, owner_name(), owner):
                return ticket.request, True, None
        if judged.case is None:
            raise AssentError("nothing is known about this call")
        decision = suggest_rules(judged.case, judged.decision)
        made = question(str(uuid.uuid4()), judged.policy, judged.case, decision, self.world, description)
        looser = "full_auto" if self.desk.session(call.session).suggests else ""
        made = replace(made, fingerprint=mark.text, asked_at=now, timeout=self.timeout, suggest_mode=looser)
        if not mark.whole:
            made = replace(made, warnings=(*made.warnings, ONCE))
        return made, False, None

    def _answered(self, judged: Judged, mark: Fingerprint, result: ApprovalResult) -> Authorization | None:
        """INVARIANT: an approval is spent once, and only while the action has the fingerprint it was given for."""
        if result.state == "denied":
            self.desk.store.spend(result.request_id, mark.text, self.desk.clock())
        if not result.approved:
            return as_answered(judged.decision, result)
        again, now_mark = self._judge(judged.call, mark.once)
        if again.decision.verdict == Verdict.DENY:
            return self._decided(again, time.perf_counter())
        if now_mark != mark and again.decision.verdict == Verdict.ASK:
            return None
        answer, said = as_answered(judged.decision, result), result.answer
        by = {"kind": kind_of(said) if said else "human", "id": said.by if said else ""}
        fields = {**_ended(judged, answer), "decided_by": by, "action_digest": mark.text}
        if not self.desk.store.spend(result.request_id, mark.text, self.desk.clock(), fields):
            return failed("the approval was used already")
        self.judge.claim(judged, self.desk.clock())
        return answer

    def _unasked(self, judged: Judged) -> Authorization:
        """No person is there to be asked: that is never an allow."""
        answer = unasked(judged.decision)
        self._write("decision", judged, answer, {"kind": "default", "note": f"on_ask = {self.on_ask}"}, {})
        if self.on_ask == "fail":
            raise Refused(answer)
        return answer

    def _event(self, kind: str, ticket: Ticket) -> None:
        """What the store does not tell the journal itself."""
        if kind == "shown":
            self.desk.journal.append(kind, of_request(ticket.request))
        if kind == "question" and (kept := self._kept.get(ticket.id)):
            kept()


def _ended(judged: Judged, answer: Authorization) -> dict[str, object]:
    """A judgement and how it ended, as the journal keeps it."""
    return {
        **fields_of(judged),
        "request_id": answer.request_id or str(uuid.uuid4()),
        "approved": answer.allowed,
        "reason": answer.reason,
        "timeout": answer.state == "expired",
    }


async def _called_off(guess: Speculation | None) -> None:
    if guess is not None:
        await guess.cancel()


def terminal_channels(desk: Desk) -> tuple[Channel, ...]:
    """The terminal this program was started from, if there is one."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return ()
    from assent.approval.channels.terminal import TerminalChannel

    return (TerminalChannel(by=person(), home=desk.world.home, grants_file=grants_file(desk.state)),)
