"""Requests, answers and scripted people for the tests of asking."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count

from assent.approval.channel import Inbox
from assent.questions import Answer, ApprovalRequest, State

_numbers = count(1)


def request(
    session: str = "s1", *, fingerprint: str = "", timeout: float = 300.0, at: float = 100.0
) -> ApprovalRequest:
    number = next(_numbers)
    return ApprovalRequest(
        f"request-{number}",
        "Bash",
        '{"command": "make deploy"}',
        "make deploy",
        fingerprint or f"print-{number}",
        "bot",
        session,
        workspace="/p",
        cwd="/p",
        sentence="Runs make deploy",
        asked_at=at,
        timeout=timeout,
    )


def yes(asked: ApprovalRequest, by: str = "ann", *, at: float = 101.0) -> Answer:
    return Answer(True, by, "terminal", at, fingerprint=asked.fingerprint)


def no(asked: ApprovalRequest, reason: str = "", by: str = "ann", *, at: float = 101.0) -> Answer:
    return Answer(False, by, "terminal", at, reason, fingerprint=asked.fingerprint)


class Person:
    """A channel with somebody who answers by a function; keeps what it was shown and what was taken away."""

    def __init__(self, says: Callable[[ApprovalRequest], Answer | None] = yes, name: str = "person") -> None:
        self.name = name
        self.says = says
        self.offered: list[str] = []
        self.withdrawn: list[tuple[str, State, str]] = []
        self.told: list[str] = []
        self.gone = threading.Event()

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.offered.append(request.id)
        answer = self.says(request)
        if answer is not None:
            self.told.append(inbox.answer(request.id, answer))

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        self.withdrawn.append((request_id, state, said))
        self.gone.set()
