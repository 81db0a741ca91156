"""The callback channel: a function of the program that uses Assent asks its own people, in its own way."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable

from assent.approval.channel import Inbox
from assent.errors import AssentError, InputError
from assent.questions import Answer, ApprovalRequest, State
from assent.record import replace

Given = bool | Answer | tuple[bool, str] | None
Function = Callable[[ApprovalRequest], Given | Awaitable[Given]]
REMEMBERED = 1_000


class Run:
    """One call of the function, in a thread of its own, so that a withdrawn request does not wait for it."""

    def __init__(self, function: Function, request: ApprovalRequest) -> None:
        self.given: object = None
        self.error: BaseException | None = None
        self.withdrawn = False
        self.ended = threading.Event()
        self._task: asyncio.Task[object] | None = None
        self._thread = threading.Thread(target=self._call, args=(function, request), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop waiting. A coroutine is cancelled; a plain function runs on and is not heard."""
        self.withdrawn = True
        task = self._task
        if task is not None and not task.done():
            task.get_loop().call_soon_threadsafe(task.cancel)
        self.ended.set()

    def _call(self, function: Function, request: ApprovalRequest) -> None:
        try:
            given = function(request)
            self.given = asyncio.run(self._awaited(given)) if inspect.isawaitable(given) else given
        except BaseException as error:  # raised again where the request was offered
            self.error = error
        self.ended.set()

    async def _awaited(self, given: Awaitable[object]) -> object:
        self._task = asyncio.ensure_future(given)
        if self.withdrawn:
            self._task.cancel()
        return await self._task


class CallbackChannel:
    """Calls `function` with each request. True and False answer it, a pair adds a reason, None gives no answer."""

    def __init__(
        self, function: Function, *, name: str = "callback", by: str = "", now: Callable[[], float] = time.time
    ) -> None:
        self.function, self.name, self.by = function, name, by or name
        self._now = now
        self._lock = threading.Lock()
        self._runs: dict[str, Run] = {}
        self._ended: dict[str, None] = {}

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        """Ask the function; whatever it raises is raised here."""
        run = Run(self.function, request)
        with self._lock:
            if request.id in self._ended:
                return
            self._runs[request.id] = run
        run.start()
        run.ended.wait()
        with self._lock:
            self._runs.pop(request.id, None)
            withdrawn = request.id in self._ended
        if withdrawn:
            return
        if run.error is not None:
            raise run.error
        self._answer(run.given, request, inbox)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        """INVARIANT: after this the function's result is not an answer any more."""
        del state, said
        with self._lock:
            self._ended[request_id] = None
            while len(self._ended) > REMEMBERED:
                del self._ended[next(iter(self._ended))]
            run = self._runs.get(request_id)
        if run is not None:
            run.stop()

    def _answer(self, given: object, request: ApprovalRequest, inbox: Inbox) -> None:
        answer = self._read(given, request)
        refused = inbox.answer(request.id, answer) if answer else ""
        ticket = inbox.ticket(request.id) if refused else None
        if ticket is not None and ticket.state == "pending":
            raise AssentError(f"the answer of `{self.name}` does not count: {refused}")

    def _read(self, given: object, request: ApprovalRequest) -> Answer | None:
        """INVARIANT: only True itself approves, not what Python would take for it."""
        match given:
            case None:
                return None
            case bool():
                approved, reason = given, ""
            case (bool() as approved, str() as reason):
                pass
            case Answer():
                return replace(given, via=self.name, fingerprint=given.fingerprint or request.fingerprint)
            case _:
                raise InputError(
                    f"the function of `{self.name}` gave `{type(given).__name__}`",
                    help="give True, False, (bool, reason), an Answer or None",
                )
        return Answer(approved, self.by, self.name, self._now(), reason, fingerprint=request.fingerprint)
