"""What a channel is, and the inbox that its answers go to."""

from __future__ import annotations

from typing import Protocol

from assent.questions import Answer, ApprovalRequest, State, Ticket


class Inbox(Protocol):
    """Where channels put answers. Safe to call from any thread."""

    def answer(self, request_id: str, answer: Answer) -> str:
        """Hand in an answer. The empty string when it counts, else why it does not: `already denied by …`."""

    def ticket(self, request_id: str) -> Ticket | None:
        """The request as it stands now."""

    def waiting(self, session: str) -> int:
        """How many requests of a session wait, this one included."""

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        """What the person says to the suggested mode. The empty string when it counts, else why it does not."""


class Channel(Protocol):
    """One way to reach a person. INVARIANT: a channel never answers by itself; it only passes on what a person did."""

    @property
    def name(self) -> str: ...

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        """Show a request. Called in a thread of its own, which may block until the person answers.

        An exception means that this channel could not show it; the others go on.
        """

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        """Take a request off the screen: it is decided elsewhere, expired or cancelled; `said` is a sentence about it.

        Called for every request that was offered, once, whatever happened. Must make `offer` return.
        """
