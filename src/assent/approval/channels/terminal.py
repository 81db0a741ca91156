"""The terminal channel: a dialog on the terminal of the program that asks, apart from its input and output."""

from __future__ import annotations

import os
import pwd
import select
import threading
import time
from collections.abc import Callable, Mapping

from assent.approval.channel import Inbox
from assent.approval.channels.dialog import Dialog, Said
from assent.approval.channels.keys import ESCAPE_SECONDS, Keys
from assent.approval.channels.screen import ClosedError, Screen, open_terminal, restore_on_signals, turn_on, undisturbed
from assent.approval.columns import cut
from assent.approval.fragments import one_line
from assent.questions import Answer, ApprovalRequest, State

POLL_SECONDS = 0.25
"""How often the size of the terminal and the number of waiting requests are looked at."""
REMEMBERED = 1_000
SETTLES_MODE = ("escalate", "not now")
"""What is said about a suggested mode; the request itself stays open."""


class Bell:
    """Wakes up a dialog that waits for keys, with what to say."""

    def __init__(self) -> None:
        self.read_end, self._write_end = os.pipe()
        self.said = ""
        self._lock = threading.Lock()
        self._rung = self._closed = False

    def ring(self, said: str) -> None:
        with self._lock:
            if not self._rung and not self._closed:
                self._rung, self.said = True, said
                os.write(self._write_end, b"!")

    @property
    def rung(self) -> bool:
        return self._rung

    def close(self) -> None:
        with self._lock:
            self._closed = True
            os.close(self.read_end)
            os.close(self._write_end)


class TerminalChannel:
    """Asks on a terminal. `locks` is a folder for lock files; without it the terminal itself is locked."""

    name = "terminal"

    def __init__(
        self,
        tty: str = "/dev/tty",
        *,
        by: str = "",
        locks: str = "",
        home: str | None = None,
        grants_file: str = "",
        env: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.tty, self.by, self.locks = tty, by or _user(), locks
        self.home = os.path.expanduser("~") if home is None else home
        self.grants_file = grants_file
        self.env = os.environ if env is None else env
        self._clock, self._now = clock, now
        self._lock = threading.Lock()
        self._bells: dict[str, Bell] = {}
        self._ended: dict[str, None] = {}
        restore_on_signals()

    # --- the channel -----------------------------------------------------------------------------------------------

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        """Show the dialog and wait; returns without an answer when the person wants that, or the terminal goes."""
        bell = self._begin(request.id)
        if bell is None:
            return
        try:
            fd = open_terminal(self.tty)
            try:
                with turn_on(fd, self.locks, bell.read_end) as ours:
                    ticket = inbox.ticket(request.id) if ours else None
                    if ours and (ticket is None or ticket.state == "pending"):
                        with undisturbed():
                            self._ask(Screen(fd, self.env), request, inbox, bell)
            finally:
                os.close(fd)
        finally:
            with self._lock:
                self._bells.pop(request.id, None)
            bell.close()

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        """Take the dialog off the screen and say why."""
        with self._lock:
            self._ended[request_id] = None
            while len(self._ended) > REMEMBERED:
                del self._ended[next(iter(self._ended))]
            bell = self._bells.get(request_id)
        if bell is not None:
            how = "decided elsewhere" if state in ("approved", "denied") else "no answer needed any more"
            bell.ring(f"{how}: {state}{f', {said}' if said else ''}")

    def _begin(self, request_id: str) -> Bell | None:
        """None for a request that was withdrawn before it could be shown."""
        with self._lock:
            if request_id in self._ended:
                return None
            self._bells[request_id] = Bell()
            return self._bells[request_id]

    # --- the dialog ------------------------------------------------------------------------------------------------

    def _ask(self, screen: Screen, request: ApprovalRequest, inbox: Inbox, bell: Bell) -> None:
        try:
            with screen:
                said = self._talk(screen, request, inbox, bell)
                outcome = self._hand_in(said, request, inbox) if said else bell.said
            subject = one_line(request.command or request.tool, prose=False)
            screen.say(cut(f"assent: {one_line(outcome)} · {subject}", screen.size()[0] - 1))
        except ClosedError:
            return  # INVARIANT: a terminal that goes away answers nothing; the request stays for the other channels

    def _talk(self, screen: Screen, request: ApprovalRequest, inbox: Inbox, bell: Bell) -> Said | None:
        """Draw and read until the person has said something; None when the request was withdrawn."""
        dialog = Dialog(request, home=self.home, grants_file=self.grants_file, clock=self._clock, now=self._now)
        dialog.redraws = not screen.plain
        keys = Keys()
        screen.drain()
        dialog.guard()
        size = (0, 0)
        while not bell.rung:
            dialog.waiting = inbox.waiting(request.session) if request.session else 1
            before, size = size, screen.size()
            if size != before:
                screen.forget()
            screen.draw(dialog.view(*size))
            ready = select.select([screen.fd, bell.read_end], [], [], _patience(dialog, keys))[0]
            if bell.read_end in ready:
                return None
            for key in keys.feed(screen.read()) if screen.fd in ready else keys.settle():
                said = dialog.press(key)
                if said is not None and said.verb in SETTLES_MODE:
                    dialog.settle_mode(self._settle_mode(said, request, inbox))
                elif said is not None:
                    return said
        return None

    def _settle_mode(self, said: Said, request: ApprovalRequest, inbox: Inbox) -> str:
        """Pass on what the person says to the suggested mode; gives the sentence about it."""
        accepted = said.verb == "escalate"
        refused = inbox.settle_suggestion(request.session, accepted=accepted, by=self.by, via=self.name)
        if refused:
            return f"That does not count: {refused}."
        return "This session runs in full auto from its next action on." if accepted else "Not now."

    def _hand_in(self, said: Said, request: ApprovalRequest, inbox: Inbox) -> str:
        """Pass on what the person said; gives the sentence about it."""
        if said.verb in ("later", "interrupt"):
            return "left pending: nothing is approved until it is answered elsewhere"
        answer = Answer(
            said.verb == "approve",
            self.by,
            self.name,
            self._now(),
            said.reason,
            said.scope,
            said.rules,
            request.fingerprint,
        )
        refused = inbox.answer(request.id, answer)
        if refused:
            return f"your answer does not count: {refused}"
        if not answer.approved:
            return f"denied{f', because: {answer.reason}' if answer.reason else ''}"
        return "approved once" if answer.scope == "once" else f"approved, {answer.scope}: {' and '.join(answer.rules)}"


def _patience(dialog: Dialog, keys: Keys) -> float:
    """How long to wait for a key before looking at everything else again."""
    if keys.unfinished:
        return ESCAPE_SECONDS
    return min(dialog.guarded, POLL_SECONDS) or POLL_SECONDS


def _user() -> str:
    """The name of whoever runs this; a number where there is none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"
