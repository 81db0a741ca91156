"""The requests that wait for a person, for programs of your own: list them, show them, answer them.

    with Inbox() as inbox:
        for waiting in inbox.pending():
            inbox.answer(waiting, approved=False, reason="not today")

INVARIANT: an answer is for the very request that was handed out; one that does not count raises and changes nothing.
"""

from __future__ import annotations

from assent.approval.display import Display, shown
from assent.desk import Desk, person
from assent.errors import InputError
from assent.questions import Answer, Scope, Ticket

VIA = "python"


class Inbox:
    """What `assent serve` shows in a browser, as Python calls. Safe for threads; close it, or use it in a `with`."""

    def __init__(self, state: str | None = None, *, desk: Desk | None = None, by: str = "") -> None:
        self.desk = desk or Desk(state)
        self.by = by or person()
        self._owns_desk = desk is None

    def close(self) -> None:
        if self._owns_desk:
            self.desk.close()

    def __enter__(self) -> Inbox:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def pending(self, session: str | None = None) -> tuple[Ticket, ...]:
        """The requests without an answer, the oldest first; of one session, or of all."""
        return tuple(self.desk.store.pending(self.desk.clock(), session))

    def find(self, request_id: str) -> Ticket | None:
        """A request by its id, whatever became of it."""
        return self.desk.ticket(request_id)

    def display(self, waiting: Ticket) -> Display:
        """The pieces of a request that are safe to show: secrets masked, nothing hidden."""
        return shown(waiting.request, home=self.desk.world.home)

    def answer(
        self,
        waiting: Ticket,
        *,
        approved: bool,
        reason: str = "",
        by: str = "",
        scope: Scope = "once",
        rules: tuple[str, ...] = (),
    ) -> Ticket:
        """Answer a request as it was handed out; gives it back decided.

        `scope` and `rules` make a lasting answer out of one of `waiting.request.choices`.
        """
        now, mark = self.desk.clock(), waiting.request.fingerprint
        refused = self.desk.answer(
            waiting.id, Answer(approved, by or self.by, VIA, now, reason, scope, rules, fingerprint=mark)
        )
        if refused:
            raise InputError(f"the answer does not count: {refused}")
        return self.desk.ticket(waiting.id) or waiting
