"""What every channel keeps to: it passes on what a person did, exactly that, and nothing after it was withdrawn."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count

import pytest

from approval.terminal_person import Person, person
from approval.terminal_program import PLAIN
from approval.webhook_service import SECRET, Service, service
from assent.approval.channel import Channel, Inbox
from assent.approval.channels.callback import CallbackChannel, Given
from assent.approval.channels.terminal import TerminalChannel
from assent.approval.channels.webhook import WebhookChannel
from assent.questions import Answer, ApprovalRequest, State, Ticket
from assent.record import replace

SECONDS = 20.0
OTHER = replace(PLAIN, id="r2", fingerprint="f2", command="ls -l")


class KeptInbox:
    """Keeps every answer it is handed."""

    def __init__(self, *requests: ApprovalRequest) -> None:
        self.requests = {request.id: request for request in requests}
        self.answers: list[tuple[str, Answer]] = []
        self.came = threading.Event()

    def answer(self, request_id: str, answer: Answer) -> str:
        self.answers.append((request_id, replace(answer, at=0.0)))
        self.came.set()
        return ""

    def ticket(self, request_id: str) -> Ticket | None:
        return Ticket(self.requests[request_id])

    def waiting(self, session: str) -> int:
        return 1

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        return ""


class Reach:
    """A channel with somebody at its other end."""

    channel: Channel

    def wait_until_shown(self, request: ApprovalRequest) -> None: ...
    def say_yes(self, request: ApprovalRequest, inbox: Inbox) -> None: ...
    def say_no(self, request: ApprovalRequest, inbox: Inbox, reason: str) -> None: ...
    def break_off(self) -> None: ...


class ScriptedChannel:
    """The plainest channel there can be: the test says what the person does."""

    name = "scripted"

    def __init__(self) -> None:
        self.shown: queue.Queue[str] = queue.Queue()
        self._said: dict[str, queue.Queue[Answer | None]] = {}
        self._lock = threading.Lock()

    def said(self, request_id: str) -> "queue.Queue[Answer | None]":
        with self._lock:
            return self._said.setdefault(request_id, queue.Queue())

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.shown.put(request.id)
        answer = self.said(request.id).get()
        if answer is not None:
            inbox.answer(request.id, answer)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        self.said(request_id).put(None)


class Scripted(Reach):
    def __init__(self) -> None:
        self.channel: ScriptedChannel = ScriptedChannel()

    def wait_until_shown(self, request: ApprovalRequest) -> None:
        assert self.channel.shown.get(timeout=SECONDS) == request.id

    def say_yes(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.channel.said(request.id).put(Answer(True, "ann", "scripted", 0.0, fingerprint=request.fingerprint))

    def say_no(self, request: ApprovalRequest, inbox: Inbox, reason: str) -> None:
        answer = Answer(False, "ann", "scripted", 0.0, reason, fingerprint=request.fingerprint)
        self.channel.said(request.id).put(answer)

    def break_off(self) -> None:
        self.channel.said(PLAIN.id).put(None)


class OnTerminal(Reach):
    def __init__(self, whom: Person) -> None:
        self.whom = whom
        self.channel: TerminalChannel = TerminalChannel(
            whom.path, by="ann", home="/home/ann", env={"TERM": "xterm"}, clock=count(0.0, 10.0).__next__
        )

    def wait_until_shown(self, request: ApprovalRequest) -> None:
        self.whom.sees(request.command, "[y] once")

    def say_yes(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.whom.type("y\r")

    def say_no(self, request: ApprovalRequest, inbox: Inbox, reason: str) -> None:
        self.whom.type(f"r\r{reason}\r")

    def break_off(self) -> None:
        self.whom.close_terminal()


class InCallback(Reach):
    def __init__(self) -> None:
        self.shown: queue.Queue[str] = queue.Queue()
        self.said: queue.Queue[Given | Exception] = queue.Queue()
        self.channel: CallbackChannel = CallbackChannel(self.ask, by="ann")

    def ask(self, request: ApprovalRequest) -> Given:
        self.shown.put(request.id)
        said = self.said.get(timeout=SECONDS)
        if isinstance(said, Exception):
            raise said
        return said

    def wait_until_shown(self, request: ApprovalRequest) -> None:
        assert self.shown.get(timeout=SECONDS) == request.id

    def say_yes(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.said.put(True)

    def say_no(self, request: ApprovalRequest, inbox: Inbox, reason: str) -> None:
        self.said.put((False, reason))

    def break_off(self) -> None:
        self.said.put(RuntimeError("the dialog crashed"))


class OverWebhook(Reach):
    def __init__(self, other: Service) -> None:
        self.other = other
        self.channel: WebhookChannel = WebhookChannel(other.url, SECRET, delays=())

    def wait_until_shown(self, request: ApprovalRequest) -> None:
        assert self.other.next_message()["type"] == "approval.requested"

    def say_yes(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.other.answer(inbox, request.id, approved=True, by="ann")

    def say_no(self, request: ApprovalRequest, inbox: Inbox, reason: str) -> None:
        self.other.answer(inbox, request.id, approved=False, reason=reason, by="ann")

    def break_off(self) -> None:
        self.other.status = 400


@contextmanager
def on_terminal() -> Iterator[Reach]:
    with person() as whom:
        yield OnTerminal(whom)


@contextmanager
def over_webhook() -> Iterator[Reach]:
    with service() as other:
        yield OverWebhook(other)


@contextmanager
def alone(make: Callable[[], Reach]) -> Iterator[Reach]:
    yield make()


WAYS = {
    "scripted": lambda: alone(Scripted),
    "terminal": on_terminal,
    "callback": lambda: alone(InCallback),
    "webhook": over_webhook,
}


@pytest.fixture(params=sorted(WAYS))
def reach(request: pytest.FixtureRequest) -> Iterator[Reach]:
    with ExitStack() as stack:
        yield stack.enter_context(WAYS[request.param]())


@contextmanager
def offered(reach: Reach, inbox: KeptInbox, request: ApprovalRequest = PLAIN) -> Iterator[threading.Thread]:
    """The request is offered in a thread, as the host does it; at the end it is withdrawn and the thread returns."""
    errors: list[Exception] = []

    def offer() -> None:
        try:
            reach.channel.offer(request, inbox)
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=offer, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        reach.channel.withdraw(request.id, "cancelled", "the test is over")
        thread.join(SECONDS)
    assert not thread.is_alive(), "withdrawing must make `offer` return"
    inbox.errors = errors  # type: ignore[attr-defined]


def answered(reach: Reach, *, approved: bool, reason: str = "") -> Answer:
    return Answer(approved, "ann", reach.channel.name, 0.0, reason, fingerprint="f1")


def test_a_yes_approves_this_request_once(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN)
    with offered(reach, inbox):
        reach.wait_until_shown(PLAIN)
        assert inbox.answers == []
        reach.say_yes(PLAIN, inbox)
        assert inbox.came.wait(SECONDS)
    assert inbox.answers == [("r1", answered(reach, approved=True))]


def test_a_no_carries_its_reason(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN)
    with offered(reach, inbox):
        reach.wait_until_shown(PLAIN)
        reach.say_no(PLAIN, inbox, "not today")
        assert inbox.came.wait(SECONDS)
    assert inbox.answers == [("r1", answered(reach, approved=False, reason="not today"))]


def test_who_says_nothing_has_answered_nothing(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN)
    with offered(reach, inbox):
        reach.wait_until_shown(PLAIN)
    assert inbox.answers == []


def test_what_was_withdrawn_before_is_not_answered_any_more(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN)
    reach.channel.withdraw(PLAIN.id, "expired", "nobody answered in time")
    with offered(reach, inbox) as thread:
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert inbox.answers == []


def test_after_a_withdrawal_the_next_request_is_offered_as_ever(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN, OTHER)
    with offered(reach, inbox):
        reach.wait_until_shown(PLAIN)
    if isinstance(reach, InCallback):
        reach.said.put(True)  # too late: nobody listens to it
    if isinstance(reach, OverWebhook):
        assert reach.other.next_message()["type"] == "approval.resolved"
    with offered(reach, inbox, OTHER):
        reach.wait_until_shown(OTHER)
        reach.say_yes(OTHER, inbox)
        assert inbox.came.wait(SECONDS)
    assert inbox.answers == [("r2", replace(answered(reach, approved=True), fingerprint="f2"))]


def test_a_channel_that_breaks_approves_nothing(reach: Reach) -> None:
    inbox = KeptInbox(PLAIN)
    if isinstance(reach, OverWebhook):
        reach.break_off()
    with offered(reach, inbox) as thread:
        if not isinstance(reach, OverWebhook):
            reach.wait_until_shown(PLAIN)
            reach.break_off()
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert inbox.answers == []


# --- only the callback ---------------------------------------------------------------------------------------------


def ask(function: Callable[[ApprovalRequest], object]) -> list[Answer]:
    inbox = KeptInbox(PLAIN)
    CallbackChannel(function, by="ann").offer(PLAIN, inbox)  # type: ignore[arg-type]
    return [answer for _, answer in inbox.answers]


def test_a_coroutine_is_awaited() -> None:
    async def yes(_request: ApprovalRequest) -> bool:
        return True

    assert ask(yes) == [Answer(True, "ann", "callback", 0.0, fingerprint="f1")]


def test_a_coroutine_is_cancelled_when_the_request_is_withdrawn() -> None:
    import asyncio

    began, cancelled = threading.Event(), threading.Event()

    async def wait(_request: ApprovalRequest) -> bool:
        began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return True

    channel, inbox = CallbackChannel(wait), KeptInbox(PLAIN)
    thread = threading.Thread(target=channel.offer, args=(PLAIN, inbox), daemon=True)
    thread.start()
    assert began.wait(SECONDS)
    channel.withdraw("r1", "expired", "")
    assert cancelled.wait(SECONDS)
    thread.join(SECONDS)
    assert inbox.answers == []


def test_none_is_no_answer() -> None:
    assert ask(lambda _: None) == []


def test_a_whole_answer_is_passed_on_with_the_channels_name() -> None:
    given = Answer(True, "bob", "elsewhere", 0.0, scope="session", rules=("Bash(ls)",))
    assert ask(lambda _: given) == [replace(given, via="callback", fingerprint="f1")]


@pytest.mark.parametrize("given", [1, "yes", [True], (True,), (1, "why"), ("yes", ""), object()])
def test_what_only_looks_like_true_is_an_error(given: object) -> None:
    from assent.errors import InputError

    with pytest.raises(InputError, match="gave"):
        ask(lambda _: given)


def test_what_the_function_raises_is_raised_by_the_offer() -> None:
    def broken(_request: ApprovalRequest) -> bool:
        raise LookupError("no dialog")

    with pytest.raises(LookupError, match="no dialog"):
        ask(broken)
