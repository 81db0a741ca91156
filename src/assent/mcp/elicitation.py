"""Asking through the client's own dialog. Weaker than the other ways: whoever runs the agent also shows the question.

INVARIANT: only a person's explicit choice of "allow once" in a form approves; opening a link approves nothing.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Protocol

from assent.approval.channel import Inbox
from assent.approval.display import shown
from assent.approval.fragments import one_line
from assent.errors import AssentError
from assent.mcp.messages import Body, table
from assent.questions import Answer, ApprovalRequest, State

ALLOW, DENY = "allow once", "deny"
METHOD, NAME = "elicitation/create", "elicitation"
MOST_INPUT = 2_000


MOST_WITHDRAWN = 1_000


class Client(Protocol):
    """The client of a connection, as far as it can be asked; an empty body stands for the handshake."""

    def ask_client(self, method: str, given: Mapping[str, object]) -> Coroutine[None, None, Body]: ...
    def client_can(self, body: Body) -> frozenset[str]: ...
    def client_name(self, body: Body) -> str: ...


def user_of(client: str) -> str:
    """Who answered in a client's dialog, as far as anybody knows."""
    return f"the user of {client or 'the client'}"


def ways(capabilities: Mapping[str, object]) -> frozenset[str]:
    """How a client can ask its user: `form`, `url`, both or not at all."""
    said = capabilities.get("elicitation")
    if not isinstance(said, dict):
        return frozenset()
    return frozenset(said) & {"form", "url"} or frozenset({"form"})


def question(request: ApprovalRequest) -> str:
    """The whole question as plain lines in which nothing can hide."""
    pieces = shown(request)
    lines = [
        f"Permission for {pieces.tool or 'a command'}",
        f"{pieces.sentence}.",
        f"Arguments: {one_line(request.input, MOST_INPUT, prose=False)}",
        *(f"Why: {text}" for text in pieces.why),
        *(f"Careful: {text}" for text in pieces.warnings),
        f"Danger: {pieces.danger_label}",
    ]
    return "\n".join(lines)


def form(request: ApprovalRequest) -> Body:
    """The parameters of a question with two answers."""
    choice = {"type": "string", "title": "May this tool be called?", "enum": [DENY, ALLOW]}
    schema = {"type": "object", "properties": {"decision": choice}, "required": ["decision"]}
    return {"mode": "form", "message": question(request), "requestedSchema": schema}


def link(request: ApprovalRequest, url: str) -> Body:
    """The parameters that send a person to the inbox, where the question is answered."""
    return {"mode": "url", "message": question(request), "url": url, "elicitationId": request.id}


def answer(said: Mapping[str, object], request: ApprovalRequest, by: str, at: float) -> Answer | None:
    """What a client's answer to a form means; None for something that is no answer."""
    action = said.get("action")
    if action not in ("accept", "decline", "cancel"):
        return None
    chosen = table(said.get("content")).get("decision")
    if action == "accept" and chosen not in (ALLOW, DENY):
        return None
    reason = {"cancel": "the dialog was closed", "decline": "declined"}.get(str(action), "")
    return Answer(
        action == "accept" and chosen == ALLOW, by, NAME, at, reason, fingerprint=request.fingerprint
    )  # fmt: skip


class Elicitation:
    """The channel for clients of the era with a handshake, where a server may ask the client at any time."""

    name = NAME

    def __init__(self, clock: Callable[[], float], url: str) -> None:
        self._clock, self._url = clock, url
        self._client: Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: dict[str, concurrent.futures.Future[Body]] = {}
        self._withdrawn: set[str] = set()
        """Requests that were over before their dialog was open: offering takes place in another thread."""
        self._lock = threading.Lock()

    def attach(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        """Who is asked, and where the connection to them lives."""
        self._client, self._loop = client, loop

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        """Show the dialog; a client that cannot leaves the question to the other ways to ask."""
        if self._client is None or self._loop is None:
            return
        can = self._client.client_can({})
        if not (can if self._url else can & {"form"}):
            return
        given = form(request) if "form" in can else link(request, self._url)
        waiting = asyncio.run_coroutine_threadsafe(self._client.ask_client(METHOD, given), self._loop)
        with self._lock:
            self._open[request.id] = waiting
            over = request.id in self._withdrawn
        if over:
            self.withdraw(request.id, "cancelled", "")
        try:
            said = waiting.result()
        except concurrent.futures.CancelledError:
            return
        by = user_of(self._client.client_name({}))
        found = answer(said, request, by, self._clock()) if "form" in can else None
        if "form" in can and found is None:
            raise AssentError("the client's answer is none of those that were offered")
        if found is not None:
            inbox.answer(request.id, found)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        del state, said
        with self._lock:
            waiting = self._open.pop(request_id, None)
            if waiting is None:
                if len(self._withdrawn) >= MOST_WITHDRAWN:
                    self._withdrawn.clear()
                self._withdrawn.add(request_id)
        if waiting is not None:
            waiting.cancel()
