"""Requests passed on to a service of the user's, and its signed answers taken in: the webhook channel of the inbox."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from functools import partial

from assent.approval.channel import Channel
from assent.approval.channels.webhook import read_answer
from assent.approval.crew import Crew
from assent.approval.store import already
from assent.desk import Desk
from assent.errors import AssentError, InputError, UsageError
from assent.folders import write_atomically
from assent.questions import Ticket
from assent.server.asked import Fault

LOOK_SECONDS = 0.2
log = logging.getLogger("assent.webhook")


def webhook_secret(state: str) -> str:
    """The secret that signs both ways: from ASSENT_WEBHOOK_SECRET, else made on first use and kept for its owner."""
    given = os.environ.get("ASSENT_WEBHOOK_SECRET", "")
    if given:
        return given
    file = os.path.join(state, "webhook-secret")
    if not os.path.lexists(file):
        import base64

        write_atomically(file, b"whsec_" + base64.b64encode(os.urandom(32)) + b"\n")
    status = os.lstat(file)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise UsageError(f"`{file}` is not a file for you alone", help="remove it; a new one is made on the next start")
    with open(file, encoding="ascii", errors="replace") as source:
        return source.read(200).strip()


class Forwarder:
    """Offers to a channel whatever is shown to anybody, from any process, and takes it back when it has ended."""

    def __init__(self, desk: Desk, channel: Channel) -> None:
        self.desk, self.channel = desk, channel
        self._stopped = threading.Event()
        self._offered: set[str] = set()
        self._crew = Crew()
        self._thread = threading.Thread(target=self._run, name="assent-forwarder", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=5)
        self._crew.close()

    def _run(self) -> None:
        seen = 0
        while not self._stopped.is_set():
            try:
                for ticket in self.desk.store.changes(seen):
                    seen = ticket.version
                    self._pass_on(ticket)
            except AssentError as error:
                log.warning("the store cannot be read: %s", error)
            self._stopped.wait(LOOK_SECONDS)

    def _pass_on(self, ticket: Ticket) -> None:
        if ticket.state == "pending" and ticket.shown_at and ticket.id not in self._offered:
            self._offered.add(ticket.id)
            self._crew.do(partial(self._offer, ticket))
        elif ticket.state != "pending" and ticket.id in self._offered:
            self._offered.discard(ticket.id)
            self._crew.do(partial(self._withdraw, ticket))

    def _offer(self, ticket: Ticket) -> None:
        """INVARIANT: a service that cannot be reached is written down and decides nothing."""
        try:
            self.channel.offer(ticket.request, self.desk)
        except Exception as error:
            log.warning("request %s was not delivered: %s", ticket.id, error)

    def _withdraw(self, ticket: Ticket) -> None:
        try:
            self.channel.withdraw(ticket.id, ticket.state, already(ticket))
        except Exception as error:
            log.warning("the end of request %s was not delivered: %s", ticket.id, error)


def take_answer(desk: Desk, secret: str, headers: Mapping[str, str], body: bytes) -> object:
    """A signed answer. INVARIANT: a fault means that nothing has changed."""
    try:
        request_id, answer = read_answer(headers, body, secret, desk.clock())
    except InputError as error:
        raise Fault(401 if "sign" in error.message else 400, error.message, help=error.help) from error
    refused = desk.answer(request_id, answer)
    if refused:
        raise Fault(409, refused)
    return {"counts": True}
