"""Requests as durable rows: asked, shown, answered once, spent once. SQLite in WAL mode; survives any kill.

Beside them stand the grants that answers made, and an outbox of what the journal must hear. INVARIANT: an answer, its
grants and its records are one transaction. Knows nothing about who asks, how a person is reached or what a journal is.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Protocol

from assent.approval.asker import is_alive
from assent.approval.redaction import redacted, redacted_answer, secrets_of
from assent.errors import AssentError, InputError
from assent.questions import (
    KEPT_SECONDS,
    Answer,
    ApprovalRequest,
    Session,
    State,
    Ticket,
    dump,
    load_answer,
    load_request,
    unreadable,
)
from assent.record import record

FORMAT = 2
BUSY_SECONDS, BUSY_PAUSE, LOG_MILLISECONDS = 20.0, 0.01, 50
UNSPENT_SECONDS = 900.0
"""How long an answer stays good whose caller waited for it and then did not use it."""
HISTORY_DAYS = 90.0
"""How long what was decided can be looked up; the journal keeps its own record."""
MOST_PENDING = 200
"""How many requests of one session may wait at the same time."""
CLOCK_SKEW = 300.0
"""A clock that goes back by less was set right; by more, what it has seen cannot be trusted."""
CLOCK_STEP, PRUNE_SECONDS = 30.0, 86_400.0
SHORT_PATIENCE = 0.2
"""How long to wait for the journal with what may just as well be delivered later."""
HANDED, HANDED_SECONDS = "handed over ", 86_400.0
"""How the facts about approvals begin that were handed over, and how long they are kept: far beyond their time."""
GONE = "nobody waits for the answer any more: the agent stopped waiting, or was ended"
SET_BACK = "the clock was set back, so this answer is not good any more"

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, session TEXT NOT NULL,
    fingerprint TEXT NOT NULL, body TEXT NOT NULL, owner TEXT NOT NULL, asked_at REAL NOT NULL,
    shown_at REAL NOT NULL, expires_at REAL NOT NULL, decided_at REAL NOT NULL, spent_at REAL NOT NULL,
    answer TEXT NOT NULL, note TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS by_version ON requests (version);
CREATE INDEX IF NOT EXISTS by_state ON requests (state, session, asked_at);
CREATE INDEX IF NOT EXISTS by_end ON requests (state, expires_at, asked_at);
CREATE INDEX IF NOT EXISTS by_action ON requests (fingerprint, session, spent_at);
CREATE TABLE IF NOT EXISTS sessions (
    session TEXT PRIMARY KEY, agent TEXT NOT NULL, mode TEXT NOT NULL, consecutive INTEGER NOT NULL,
    total INTEGER NOT NULL, refused INTEGER NOT NULL, seen_at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS grants (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, same TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    expires REAL NOT NULL, event TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, fields TEXT NOT NULL,
    after INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value REAL NOT NULL) STRICT;
"""
COLUMNS = (
    "body, state, shown_at, expires_at, decided_at, answer, spent_at, note, version, id, session, fingerprint, asked_at"
)
UNSPENT = "state IN ('approved', 'denied') AND note = '' AND decided_at > CASE owner WHEN '' THEN ? ELSE ? END"
NEXT = "(SELECT COALESCE(MAX(version), 0) + 1 FROM requests)"
CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY})


@record
class Event:
    """Something the journal must hear; `fields` are JSON already. Its id is the same however often it is delivered."""

    id: str
    kind: str
    fields: str


@record
class Lasting:
    """A grant as the store keeps it. Another with the same `same` replaces it; `told` goes into the journal."""

    id: str
    same: str
    body: str
    expires: float
    told: Mapping[str, object]


class Pen(Protocol):
    """The journal, held by one writer."""

    @property
    def position(self) -> int: ...
    def write(self, event: Event) -> None: ...
    def has(self, event: Event, after: int) -> bool: ...


class Scribe(Protocol):
    """Who writes down what happens in a store, and shows its grants to those who do not open it."""

    def about(self, kind: str, ticket: Ticket) -> Mapping[str, object]:
        """What the journal keeps about a request."""

    def event(self, kind: str, fields: Mapping[str, object]) -> Event:
        """An event with a fresh id, secrets masked."""

    def position(self) -> int:
        """A record of the journal that is surely older than whatever happens next."""

    def holding(self, events: Sequence[Event], patience: float | None) -> AbstractContextManager[Pen]:
        """The journal, with room for these events; raises when that cannot be had."""

    def publish(self, grants: Sequence[str]) -> None:
        """Show the grants that count; the same again costs nothing."""

    def reserve(self, grants: Sequence[str]) -> None:
        """Keep the room that is needed to publish grants; raises when there is none."""

    def release(self) -> None:
        """Give that room back."""


class Store:
    """The requests of one machine. Safe for many threads and many processes; every method is one transaction.

    `kept` is how many seconds a question without a waiting caller, and its answer, stay; `history_days` how long what
    was decided can be looked up, else what `keep_history` was told last, and `most_pending` how many requests of a
    session may wait. `alive` tells of an owner whether it still waits.
    """

    def __init__(
        self,
        file: str = ":memory:",
        *,
        kept: float = KEPT_SECONDS,
        history_days: float | None = None,
        most_pending: int = MOST_PENDING,
        alive: Callable[[str], bool] = is_alive,
    ) -> None:
        self.file, self._kept, self._alive = file, kept, alive
        self._history_days, self._most = history_days, most_pending
        self._lock = threading.RLock()
        self._events: list[Event] = []
        self._granted = False
        self._redacted = False
        """Whether the log of the database may still hold what was redacted."""
        self.scribe: Scribe | None = None
        """Without one, nothing is written down: that is then for the caller to do."""
        try:
            if file != ":memory:":
                _private(file)
            self._db = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.text_factory = _text
            self._prepare()
        except sqlite3.Error as error:
            raise AssentError(f"cannot open the approvals in `{file}`: {error}", help=_advice(error)) from error

    def close(self) -> None:
        with self._lock:
            with suppress(sqlite3.Error):  # closed before
                self._empty_log()
            self._db.close()

    # --- asking ----------------------------------------------------------------------------------------------------

    def add(self, request: ApprovalRequest, owner: str = "") -> None:
        """Keep a new request, pending and not shown yet."""
        row = (request.id, request.session, request.fingerprint, dump(request), owner, request.asked_at)
        with self._writing(request.asked_at, strict=True) as db:
            self._refuse_more(db, request.session)
            db.execute(
                f"INSERT INTO requests VALUES (?1, {NEXT}, 'pending', ?2, ?3, ?4, ?5, ?6, 0, 0, 0, 0, '', '')", row
            )
            self._tell(db, "question", request.id)

    def _refuse_more(self, db: sqlite3.Connection, session: str) -> None:
        query = "SELECT COUNT(*) FROM requests WHERE state = 'pending' AND session = ?"
        if db.execute(query, (session,)).fetchone()[0] >= self._most:
            raise InputError(
                f"{self._most} requests of this session wait for an answer already, so no more are taken",
                help="answer some of them in the inbox first",
            )

    def place(self, request_id: str) -> int:
        """Where a request stands among all: the requests of a session are shown in this order. 0 for none."""
        with self._reading() as db:
            found = db.execute("SELECT rowid FROM requests WHERE id = ?", (request_id,)).fetchone()
        return int(found[0]) if found else 0

    def show(self, request_id: str, now: float) -> bool:
        """Note that the request is on a screen now, if it is its turn: one at a time for a session.

        Starts its clock. False while an older request of the session is open on a screen or before it in the queue.
        """
        with self._writing(now) as db:
            self._expire(db, now)
            found = db.execute(
                "SELECT session, expires_at, body, rowid FROM requests WHERE id = ? AND state = 'pending'",
                (request_id,),
            ).fetchone()
            if found is None or found[1]:
                return found is not None
            earlier = db.execute(
                "SELECT 1 FROM requests WHERE state = 'pending' AND session = ? AND id != ?"
                " AND (shown_at > 0 OR rowid < ?) AND owner != '' LIMIT 1",
                (found[0], request_id, found[3]),
            ).fetchone()
            if earlier is None:
                self._note_shown(db, request_id, now, now + _timeout(found[2]))
        return earlier is None

    def look(self, request_id: str, now: float) -> None:
        """A person opened the request before its turn came: its clock starts too, if anybody waits for the answer."""
        with self._writing() as db:
            found = db.execute(
                "SELECT body, owner FROM requests WHERE id = ? AND state = 'pending' AND shown_at = 0", (request_id,)
            ).fetchone()
            if found:
                self._note_shown(db, request_id, now, now + _timeout(found[0]) if found[1] else 0.0)

    # --- ending ----------------------------------------------------------------------------------------------------

    def answer(
        self,
        request_id: str,
        answer: Answer,
        now: float,
        remember: Callable[[Session], Session] | None = None,
        grants: Sequence[Lasting] = (),
    ) -> Ticket:
        """Record a person's answer. INVARIANT: the first valid one wins; every other finds the request decided.

        `remember` changes what is known about the session and `grants` are what the answer allows for longer, in the
        same step: whoever sees the answer sees those too, and without it they are not there.
        Raises InputError, with what is wrong, when this answer does not count.
        """
        with self._writing(now, strict=True) as db:
            self._expire(db, now)
            ticket = self._one(db, request_id)
            wrong = _unfit(ticket, answer)
            if not wrong and ticket is not None:
                state = "approved" if answer.approved else "denied"
                self._decide(db, ticket.id, state, now, answer=answer)
                self._tell(db, "answer", ticket.id)
                self._keep_grants(db, grants)
                if remember:
                    self._keep_session(db, remember(self._session(db, ticket.request.session)))
                ticket = self._one(db, ticket.id)
        if wrong or ticket is None:
            raise InputError(wrong)
        return ticket

    def end(self, request_id: str, state: State, note: str, now: float) -> Ticket | None:
        """Expire or cancel a request that nobody has answered; gives it as it is now, None when unknown."""
        with self._writing(now) as db:
            if self._decide(db, request_id, state, now, note=note):
                self._tell(db, "timeout" if state == "expired" else "cancelled", request_id)
            return self._one(db, request_id)

    def spend(self, request_id: str, fingerprint: str, now: float, told: Mapping[str, object] | None = None) -> bool:
        """Use up an answer that was given for exactly this action. INVARIANT: true once in the life of a request.

        `told` is what the journal hears of it, in the same step.
        """
        with self._writing(now, strict=True) as db:
            changed = db.execute(
                f"UPDATE requests SET spent_at = ?, version = {NEXT} WHERE id = ? AND fingerprint = ?"
                f" AND spent_at = 0 AND {UNSPENT}",
                (now, request_id, fingerprint, now - self._kept, now - UNSPENT_SECONDS),
            )
            if changed.rowcount == 1 and told is not None and self.scribe is not None:
                self._events.append(self.scribe.event("spent", told))
            return changed.rowcount == 1

    def hand_over(self, fits: Callable[[Ticket], bool], now: float, within: float) -> Ticket | None:
        """A spent approval of the last seconds whose call comes by once more on its way, if one fits.

        INVARIANT: each is handed over once, whoever asks for it and however often.
        """
        with self._writing(now) as db:
            rows = db.execute(
                f"SELECT {COLUMNS} FROM requests WHERE state = 'approved' AND spent_at BETWEEN ? AND ?"
                " AND NOT EXISTS (SELECT 1 FROM facts WHERE name = ? || id) ORDER BY spent_at",
                (now - within, now, HANDED),
            ).fetchall()
            found = next((one for one in map(_ticket, rows) if not one.broken and fits(one)), None)
            if found is not None:
                db.execute("DELETE FROM facts WHERE name LIKE ? AND value < ?", (f"{HANDED}%", now - HANDED_SECONDS))
                self._note(db, HANDED + found.id, now)
        return found

    def _decide(
        self,
        db: sqlite3.Connection,
        request_id: str,
        state: str,
        now: float,
        *,
        answer: Answer | None = None,
        note: str = "",
    ) -> bool:
        """End a pending request. INVARIANT: from then on its secrets are not kept."""
        found = db.execute("SELECT body FROM requests WHERE id = ? AND state = 'pending'", (request_id,)).fetchone()
        if found is None:
            return False
        body, said = _redacted(found[0], answer)
        db.execute(
            f"UPDATE requests SET state = ?, body = ?, answer = ?, note = ?, decided_at = ?, version = {NEXT}"
            " WHERE id = ?",
            (state, body, said, note, now, request_id),
        )
        self._redacted = True
        return True

    # --- coming back -----------------------------------------------------------------------------------------------

    def left_behind(self, fingerprint: str, session: str, now: float) -> tuple[Ticket, str] | None:
        """The request for this very action that somebody asked before and did not wait for, with who asked.

        Its answer may be there already; it is not spent yet.
        """
        with self._writing(now) as db:
            self._expire(db, now)
            found = db.execute(
                f"SELECT {COLUMNS}, owner FROM requests WHERE fingerprint = ? AND session = ? AND spent_at = 0"
                f" AND (state = 'pending' OR {UNSPENT}) ORDER BY state = 'pending', version DESC LIMIT 1",
                (fingerprint, session, now - self._kept, now - UNSPENT_SECONDS),
            ).fetchone()
        ticket = _ticket(found[:-1]) if found else None
        return (ticket, found[-1]) if ticket and not ticket.broken else None

    def own(self, request_id: str, owner: str, before: str) -> bool:
        """Wait for a request instead of `before`, who is gone; an empty owner only says that nobody does."""
        with self._writing() as db:
            changed = db.execute(
                f"UPDATE requests SET owner = ?, version = {NEXT} WHERE id = ? AND owner = ?",
                (owner, request_id, before),
            )
            return changed.rowcount == 1

    def leave(self, request_id: str, owner: str) -> None:
        """Leave a request behind for a later try: nobody waits any more, so its clock stops."""
        with self._writing() as db:
            db.execute(
                f"UPDATE requests SET owner = '', expires_at = 0, version = {NEXT} WHERE id = ? AND owner = ?",
                (request_id, owner),
            )

    # --- looking ---------------------------------------------------------------------------------------------------

    def get(self, request_id: str) -> Ticket | None:
        with self._reading() as db:
            return self._one(db, request_id)

    def pending(
        self, now: float, session: str | None = None, *, limit: int = -1, after: str = ""
    ) -> tuple[Ticket, ...]:
        """What waits for an answer, the oldest first: all of it, or so many behind the request `after`."""
        with self._writing(now) as db:
            self._expire(db, now)
            rows = db.execute(
                f"SELECT {COLUMNS} FROM requests WHERE state = 'pending' AND (?1 IS NULL OR session = ?1)"
                " AND rowid > COALESCE((SELECT rowid FROM requests WHERE id = ?2), 0) ORDER BY rowid LIMIT ?3",
                (session, after, limit),
            ).fetchall()
        return tuple(_ticket(row) for row in rows)

    def waiting(self, now: float) -> dict[str, int]:
        """How many requests of each session wait."""
        with self._writing(now) as db:
            self._expire(db, now)
            rows = db.execute("SELECT session, COUNT(*) FROM requests WHERE state = 'pending' GROUP BY session")
            return dict(rows.fetchall())

    def next_end(self, now: float) -> float:
        """When the next request expires, once those that are overdue have; 0 when none will."""
        with self._writing(now) as db:
            self._expire(db, now)
            query = "SELECT COALESCE(MIN(expires_at), 0) FROM requests WHERE state = 'pending' AND expires_at > 0"
            return float(db.execute(query).fetchone()[0])

    def has_orphans(self) -> bool:
        """Whether somebody who waited is gone, so that looking at what waits would withdraw a request."""
        with self._reading() as db:
            return bool(self._orphans(db))

    def history(self, limit: int = 100, before: int | None = None) -> tuple[Ticket, ...]:
        """What is decided, the latest first; `before` is the version of the last one already seen."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT {COLUMNS} FROM requests WHERE state != 'pending' AND (?1 IS NULL OR version < ?1)"
                " ORDER BY version DESC LIMIT ?2",
                (before, limit),
            ).fetchall()
        return tuple(_ticket(row) for row in rows)

    def changes(self, after: int, limit: int = 1_000) -> tuple[Ticket, ...]:
        """What changed since a version, in order: how other processes hear about it."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT {COLUMNS} FROM requests WHERE version > ? ORDER BY version LIMIT ?", (after, limit)
            ).fetchall()
        return tuple(_ticket(row) for row in rows)

    def endings(self, after: int) -> tuple[int, tuple[str, ...]]:
        """The version now, and what has ended since `after`: all that a waiting host needs to hear.

        Whatever is pending ends with a later version, so nothing up to this one needs to be looked at again.
        """
        query = "SELECT id FROM requests WHERE version > ? AND version <= ? AND state != 'pending' ORDER BY version"
        with self._reading() as db:
            now = int(db.execute("SELECT COALESCE(MAX(version), 0) FROM requests").fetchone()[0])
            rows = db.execute(query, (after, now)).fetchall() if now > after else []
            unheard = rows and db.execute("SELECT 1 FROM outbox LIMIT 1").fetchone()
        if unheard:  # whoever hears of an answer also finds its record and its grants
            self._deliver_soon()
        return now, tuple(row[0] for row in rows)

    def version(self) -> int:
        with self._reading() as db:
            return int(db.execute("SELECT COALESCE(MAX(version), 0) FROM requests").fetchone()[0])

    def owners(self, session: str) -> tuple[tuple[str, str], ...]:
        """Who waits for each pending request of a session."""
        query = "SELECT id, owner FROM requests WHERE state = 'pending' AND session = ?"
        with self._reading() as db:
            return tuple(db.execute(query, (session,)).fetchall())

    def keep_history(self, days: float) -> None:
        """Choose, for everybody who opens this file, how long what was decided can be looked up."""
        with self._writing() as db:
            self._note(db, "history_days", days)
            self._note(db, "pruned", 0.0)

    def forget(self, before: float) -> int:
        """Remove what was decided before a time; says how many. The journal keeps its own record."""
        with self._writing() as db:
            return self._forget(db, before)

    def _forget(self, db: sqlite3.Connection, before: float) -> int:
        """INVARIANT: the latest change stays, so that versions only grow."""
        db.execute("DELETE FROM sessions WHERE seen_at > 0 AND seen_at < ?", (before,))
        gone = db.execute(
            "DELETE FROM requests WHERE state != 'pending' AND decided_at < ?"
            " AND version < (SELECT MAX(version) FROM requests)",
            (before,),
        )
        return gone.rowcount

    # --- grants ----------------------------------------------------------------------------------------------------

    def grants(self) -> tuple[str, ...]:
        """The grants that count, in the order in which they were made."""
        with self._reading() as db:
            return self._live(db)

    def keep_grant(self, grant: Lasting) -> None:
        """Keep a grant that a person made without a request."""
        with self._writing(strict=True) as db:
            self._keep_grants(db, (grant,))

    def take_over(self, grants: Sequence[Lasting]) -> None:
        """Keep grants that an earlier version wrote elsewhere; they are in the journal already. Done once."""
        with self._writing() as db:
            if self._fact(db, "grants"):
                return
            for grant in grants:
                row = (grant.id, grant.same, grant.body, grant.expires, "")
                db.execute("INSERT OR IGNORE INTO grants (id, same, body, expires, event) VALUES (?, ?, ?, ?, ?)", row)
            self._note(db, "grants", 1.0)
            self._granted = True

    def has_taken_over(self) -> bool:
        """Whether the grants of an earlier version are here."""
        with self._reading() as db:
            return bool(self._fact(db, "grants"))

    def revoke(self, grant_id: str, told: Callable[[str], Mapping[str, object]]) -> str | None:
        """Take a grant back; gives it, None when there is none. INVARIANT: it does not count before this is certain."""
        with self._writing(strict=True) as db:
            found = db.execute("SELECT body FROM grants WHERE id = ?", (grant_id,)).fetchone()
            if found is None:
                return None
            self._remove_grants(db, "id = ?", grant_id)
            if self.scribe is not None:
                self._events.append(self.scribe.event("revoke", told(found[0])))
                self.scribe.publish(self._live(db))
            return str(found[0])

    def _keep_grants(self, db: sqlite3.Connection, grants: Sequence[Lasting]) -> None:
        for grant in grants:
            event = self.scribe.event("grant", grant.told) if self.scribe is not None else None
            if event:
                self._events.append(event)
            row = (grant.id, grant.same, grant.body, grant.expires, event.id if event else "")
            db.execute("INSERT OR REPLACE INTO grants (id, same, body, expires, event) VALUES (?, ?, ?, ?, ?)", row)
        if grants and self.scribe is not None:
            self._granted = True
            bodies = [row[0] for row in db.execute("SELECT body FROM grants ORDER BY number").fetchall()]
            self.scribe.reserve(bodies)

    def _remove_grants(self, db: sqlite3.Connection, which: str, value: str | float) -> None:
        self._granted = True
        db.execute(f"DELETE FROM grants WHERE {which}", (value,))

    def _live(self, db: sqlite3.Connection) -> tuple[str, ...]:
        """INVARIANT: a grant counts once the journal has heard of it."""
        query = "SELECT body FROM grants WHERE event NOT IN (SELECT id FROM outbox) ORDER BY number"
        return tuple(row[0] for row in db.execute(query).fetchall())

    # --- the outbox ------------------------------------------------------------------------------------------------

    def undelivered(self) -> tuple[Event, ...]:
        """What the journal has not heard yet."""
        with self._reading() as db:
            rows = db.execute("SELECT id, kind, fields FROM outbox ORDER BY number").fetchall()
        return tuple(Event(*row) for row in rows)

    def promised(self) -> tuple[dict[str, str], frozenset[str]]:
        """What the journal must have: the events of grants, with the grant of each, and requests with an answer.

        What is still in the outbox is not missing, and what an earlier version decided was not promised.
        """
        with self._reading() as db:
            heard = "NOT IN (SELECT id FROM outbox)"
            grants = db.execute(f"SELECT event, id FROM grants WHERE event != '' AND event {heard}").fetchall()
            told = db.execute("SELECT fields FROM outbox WHERE kind = 'answer'").fetchall()
            since = self._fact(db, "promised_from")
            query = "SELECT id FROM requests WHERE state IN ('approved', 'denied') AND version > ?"
            answered = [row[0] for row in db.execute(query, (since,)).fetchall()]
        return dict(grants), frozenset(one for one in answered if not any(one in row[0] for row in told))

    def deliver(self, patience: float | None = None) -> None:
        """Tell the journal what it has not heard yet. INVARIANT: each event once, whoever was killed while telling."""
        scribe = self.scribe
        with self._reading() as db:
            rows = db.execute("SELECT id, kind, fields, after FROM outbox ORDER BY number").fetchall()
        if not rows or scribe is None:
            return
        events = [(Event(*row[:3]), row[3]) for row in rows]
        with scribe.holding([event for event, _ in events], patience) as pen:
            for event, after in events:
                if not pen.has(event, after):
                    pen.write(event)
        self._delivered([event for event, _ in events])
        self._publish()

    def catch_up(self) -> None:
        """Finish what somebody who was killed has begun: tell the journal, and show the grants that count."""
        self._deliver_soon()
        self._publish()

    def _deliver_soon(self) -> None:
        with suppress(AssentError):  # then the next one will, and until then nothing counts that is not written down
            self.deliver(SHORT_PATIENCE)

    def _publish(self) -> None:
        """INVARIANT: inside a transaction, so that nobody shows grants that another has just taken back."""
        if self.scribe is not None:
            with self._writing() as db:
                self.scribe.publish(self._live(db))

    def _delivered(self, events: Sequence[Event]) -> None:
        """The journal has these on the disk. A kill before this is kept costs one look into the journal, no more."""
        with self._lock, _told(self.file):
            self._db.execute("PRAGMA synchronous = NORMAL")
            try:
                with self._writing() as db:
                    db.executemany("DELETE FROM outbox WHERE id = ?", [(event.id,) for event in events])
            finally:
                self._db.execute("PRAGMA synchronous = FULL")

    def _tell(self, db: sqlite3.Connection, kind: str, request_id: str) -> None:
        ticket = self._one(db, request_id) if self.scribe is not None else None
        if ticket is not None and self.scribe is not None:
            self._events.append(self.scribe.event(kind, self.scribe.about(kind, ticket)))

    def _promise(self, db: sqlite3.Connection, held: ExitStack, *, strict: bool) -> Pen | None:
        """Keep the events of this transaction, and in a strict one take the journal first."""
        if not self._events or self.scribe is None:
            return None
        pen = held.enter_context(self.scribe.holding(self._events, None)) if strict else None
        after = pen.position if pen else self.scribe.position()
        rows = [(event.id, event.kind, event.fields, after) for event in self._events]
        db.executemany("INSERT INTO outbox (id, kind, fields, after) VALUES (?, ?, ?, ?)", rows)
        return pen

    # --- sessions --------------------------------------------------------------------------------------------------

    def session(self, session: str) -> Session:
        """What is remembered about a session; a fresh record for one that was never seen."""
        with self._reading() as db:
            return self._session(db, session)

    def sessions(self, limit: int = 200) -> tuple[Session, ...]:
        """The sessions, the most recently seen first."""
        with self._reading() as db:
            rows = db.execute("SELECT * FROM sessions ORDER BY seen_at DESC LIMIT ?", (limit,)).fetchall()
        return tuple(Session(*row) for row in rows)

    def change_session(self, session: str, change: Callable[[Session], Session]) -> Session:
        """Read, change and keep a session as one step that no other process can come between."""
        with self._writing() as db:
            made = change(self._session(db, session))
            self._keep_session(db, made)
        return made

    def _keep_session(self, db: sqlite3.Connection, made: Session) -> None:
        row = (made.id, made.agent, made.mode, made.consecutive, made.total, made.refused, made.seen_at)
        db.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _session(self, db: sqlite3.Connection, session: str) -> Session:
        row = db.execute("SELECT * FROM sessions WHERE session = ?", (session,)).fetchone()
        return Session(*row) if row else Session(session)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        db = self._db
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, 1, FORMAT):
            db.close()
            raise AssentError(f"`{self.file}` was written by another version of Assent", help="move it away")
        self._use_wal()
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA secure_delete = ON")
        if found == FORMAT:
            return
        with self._writing():
            for statement in SCHEMA.split(";"):
                db.execute(statement)
            for request_id, body in db.execute("SELECT id, body FROM requests WHERE state != 'pending'").fetchall():
                db.execute("UPDATE requests SET body = ? WHERE id = ?", (_redacted(body, None)[0], request_id))
            self._redacted = True
            self._note(db, "promised_from", float(db.execute("SELECT MAX(version) FROM requests").fetchone()[0] or 0))
            db.execute(f"PRAGMA user_version = {FORMAT}")

    def _use_wal(self) -> None:
        """SQLite does not wait by itself here: several processes may be the first, or one of them was just killed."""
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.Error as error:
                if not _is_busy(error) or time.monotonic() >= until:
                    raise
            time.sleep(BUSY_PAUSE)

    @contextmanager
    def _writing(self, now: float | None = None, *, strict: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction, and what the journal hears of it.

        INVARIANT: a strict one happens only when the journal can be written; of any other it hears soon, and surely.
        """
        with self._lock:
            pen = None
            with _told(self.file), ExitStack() as held:
                self._begin()
                try:
                    if now is not None:
                        self._tick(self._db, now)
                    yield self._db
                    pen = self._promise(self._db, held, strict=strict)
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    self._release()
                    raise
                events, granted, self._events = self._events, self._granted, []
                try:
                    if pen is not None:
                        for event in events:
                            pen.write(event)
                finally:
                    self._release()
                    self._granted = False
            self._after(events, told=pen is not None, granted=granted)

    def _release(self) -> None:
        if self._granted and self.scribe is not None:
            self.scribe.release()

    def _begin(self) -> None:
        self._events, self._granted = [], False
        self._db.execute("BEGIN IMMEDIATE")

    def _after(self, events: Sequence[Event], *, told: bool, granted: bool) -> None:
        """What follows from what is certain by now; where it fails, whoever opens the store next does it."""
        with suppress(AssentError):
            if events and told:
                self._delivered(events)
            elif events:
                self._deliver_soon()
            if granted:
                self._publish()
            with _told(self.file):
                self._empty_log()

    def _empty_log(self) -> None:
        """Overwrite the log of the database: until then it holds what a request said before it was redacted.

        Where somebody reads just now it stays, and the next transaction tries again.
        """
        if not self._redacted or self._db.in_transaction:
            return
        self._db.execute(f"PRAGMA busy_timeout = {LOG_MILLISECONDS}")
        try:
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as error:
            if not _is_busy(error):
                raise
            busy = 1
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1_000)}")
        self._redacted = bool(busy)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(self.file):
            yield self._db

    def _note_shown(self, db: sqlite3.Connection, request_id: str, now: float, ends: float) -> None:
        db.execute(
            f"UPDATE requests SET shown_at = ?, expires_at = ?, version = {NEXT} WHERE id = ?",
            (now, ends, request_id),
        )

    def _expire(self, db: sqlite3.Connection, now: float) -> None:
        due = db.execute(
            "SELECT id, shown_at FROM requests WHERE state = 'pending' AND expires_at > 0 AND expires_at <= ?1"
            " UNION ALL"
            " SELECT id, shown_at FROM requests WHERE state = 'pending' AND expires_at = 0 AND asked_at <= ?2",
            (now, now - self._kept),
        ).fetchall()
        for request_id, shown_at in due:
            note = "nobody answered in time" if shown_at else "nobody was shown it"
            self._decide(db, request_id, "expired", now, note=note)
            self._tell(db, "timeout", request_id)
        for request_id in self._orphans(db):
            self._decide(db, request_id, "cancelled", now, note=GONE)
            self._tell(db, "cancelled", request_id)

    def _orphans(self, db: sqlite3.Connection) -> list[str]:
        """Pending requests whose asker was ended while it waited. Who left on purpose is no owner any more."""
        owners = db.execute("SELECT DISTINCT owner FROM requests WHERE state = 'pending' AND owner != ''").fetchall()
        query = "SELECT id FROM requests WHERE state = 'pending' AND owner = ?"
        gone = [db.execute(query, (owner,)).fetchall() for (owner,) in owners if not self._alive(owner)]
        return [request_id for rows in gone for (request_id,) in rows]

    def _tick(self, db: sqlite3.Connection, now: float) -> None:
        """Remember how late it has been, and once a day forget what is old."""
        seen = self._fact(db, "clock")
        if now < seen - CLOCK_SKEW:
            self._set_back(db, seen, now)
        if now > seen + CLOCK_STEP or now < seen - CLOCK_SKEW:
            self._note(db, "clock", now)
        if abs(now - self._fact(db, "pruned")) > PRUNE_SECONDS:
            self._note(db, "pruned", now)
            days = self._history_days or self._fact(db, "history_days") or HISTORY_DAYS
            self._forget(db, now - days * 86_400.0)
            self._remove_grants(db, "expires > 0 AND expires < ?", now - days * 86_400.0)

    def _set_back(self, db: sqlite3.Connection, seen: float, now: float) -> None:
        """INVARIANT: a clock that goes back gives no answer and no grant a second life."""
        db.execute(
            f"UPDATE requests SET note = ? WHERE spent_at = 0 AND {UNSPENT.partition(' AND decided_at')[0]}",
            (SET_BACK,),
        )
        db.execute(
            "UPDATE requests SET expires_at = MAX(?1, expires_at - ?2) WHERE state = 'pending' AND expires_at > 0",
            (now, seen - now),
        )
        self._remove_grants(db, "expires > ?", 0.0)

    def _fact(self, db: sqlite3.Connection, name: str) -> float:
        row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return float(row[0]) if row else 0.0

    def _note(self, db: sqlite3.Connection, name: str, value: float) -> None:
        db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _one(self, db: sqlite3.Connection, request_id: str) -> Ticket | None:
        row = db.execute(f"SELECT {COLUMNS} FROM requests WHERE id = ?", (request_id,)).fetchone()
        return _ticket(row) if row else None


def _text(stored: bytes) -> str:
    """INVARIANT: a row is text, whatever somebody put there; what is no UTF-8 is seen to be wrong where it is read."""
    return stored.decode("utf-8", "replace")


def _unfit(ticket: Ticket | None, answer: Answer) -> str:
    """Why an answer does not count, or nothing."""
    if ticket is None:
        return "there is no such request"
    if ticket.state != "pending":
        return already(ticket)
    if ticket.broken and answer.approved:
        return f"this request cannot be read ({ticket.broken}), so it can only be denied"
    if answer.fingerprint != ticket.request.fingerprint:
        return "this answer is about something else than what is asked: look at the request again"
    return ""


def already(ticket: Ticket) -> str:
    """What a late answer is told."""
    if ticket.answer is None:
        return f"already {ticket.state}: {ticket.note}"
    return f"already {ticket.state} by {ticket.answer.by} over {ticket.answer.via}"


def _ticket(row: tuple[str, State, float, float, float, str, float, str, int, str, str, str, float]) -> Ticket:
    """INVARIANT: a row that cannot be read is a broken ticket, never an error for everybody who reads the others."""
    body, state, shown_at, expires_at, decided_at, answer, spent_at, note, version, known, session, mark, asked = row
    broken = ""
    try:
        request, said = load_request(body), load_answer(answer) if answer else None
        if (request.id, request.fingerprint) != (known, mark):
            raise InputError("it is about something else than its row says")
    except Exception as error:
        broken = error.message if isinstance(error, AssentError) else f"{type(error).__name__}: {error}"
        request, said = unreadable(known, session, mark, asked, broken), None
    return Ticket(request, state, shown_at, expires_at, decided_at, said, spent_at, note, version, broken)


def _redacted(body: str, answer: Answer | None) -> tuple[str, str]:
    """A body and the answer to it without secrets; a body that cannot be read is not kept at all."""
    try:
        request = load_request(body)
        kept, secrets = dump(redacted(request)), secrets_of(request)
    except Exception:
        kept, secrets = "", set()
    return kept, dump(redacted_answer(answer, secrets)) if answer else ""


def _timeout(body: str) -> float:
    try:
        return load_request(body).timeout
    except Exception:
        return 0.0


def _private(file: str) -> None:
    """The file for its owner alone, before SQLite makes it for everybody; what others could have changed is refused."""
    folder = os.path.dirname(file)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _refuse_others(folder, os.stat(folder))
        opened = os.open(file, flags, 0o600)
        try:
            status = os.fstat(opened)
            _refuse_others(file, status)
            if status.st_mode & 0o077:
                os.fchmod(opened, 0o600)
        finally:
            os.close(opened)
    except OSError as error:
        raise AssentError(f"cannot open the approvals in `{file}`: {error.strerror}") from error


def _refuse_others(path: str, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise AssentError(f"`{path}` belongs to user {status.st_uid}, so no approval in it counts")
    if status.st_mode & 0o022:
        advice = f"if nobody has changed it, take the permission away: chmod go-rwx {path}"
        raise AssentError(f"others may write to `{path}`, so no approval in it counts", help=advice)


@contextmanager
def _told(file: str) -> Iterator[None]:
    """A failure of the database is ours, in our words: callers deny then."""
    try:
        yield
    except sqlite3.Error as error:
        raise AssentError(f"the approvals in `{file}` cannot be used: {error}", help=_advice(error)) from error


def _advice(error: sqlite3.Error) -> str:
    """What helps. INVARIANT: nobody is told to remove what only has no room."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if _is_busy(error):
        return "try again: another process holds it"
    if code in NO_ROOM:
        return "nothing was changed: make room on the disk or repair it, then try again"
    if code in CORRUPT:
        return "move the file away: open requests and grants are lost with it, and people are asked again"
    return ""


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else holds the file at this moment."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
