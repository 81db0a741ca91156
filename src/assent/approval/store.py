"""Requests as durable rows: asked, shown, answered once, spent once. SQLite in WAL mode; survives any kill.

Knows nothing about who asks or how a person is reached.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assent.errors import AssentError, InputError
from assent.questions import Answer, ApprovalRequest, Session, State, Ticket, dump, load_answer, load_request

FORMAT = 1
BUSY_SECONDS, BUSY_PAUSE = 20.0, 0.01
UNSPENT_SECONDS = 900.0
"""How long an answer stays good whose caller waited for it and then did not use it."""
KEPT_SECONDS = 86_400.0
"""How long a question stays that nobody was shown or waits for, and the answer to one whose caller had left."""

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
"""
COLUMNS = "body, state, shown_at, expires_at, decided_at, answer, spent_at, note, version"
UNSPENT = "state IN ('approved', 'denied') AND decided_at > CASE owner WHEN '' THEN ? ELSE ? END"
NEXT = "(SELECT COALESCE(MAX(version), 0) + 1 FROM requests)"


class Store:
    """The requests of one machine. Safe for many threads and many processes; every method is one transaction.

    `kept` is how many seconds a question without a waiting caller, and its answer, stay.
    """

    def __init__(self, file: str = ":memory:", *, kept: float = KEPT_SECONDS) -> None:
        self.file, self._kept = file, kept
        self._lock = threading.RLock()
        try:
            if file != ":memory:":
                _private(file)
            self._db = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._prepare()
        except sqlite3.Error as error:
            advice = "try again: another process holds it" if _is_busy(error) else "remove the file"
            raise AssentError(f"cannot open the approvals in `{file}`: {error}", help=advice) from error

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # --- asking ----------------------------------------------------------------------------------------------------

    def add(self, request: ApprovalRequest, owner: str = "") -> None:
        """Keep a new request, pending and not shown yet."""
        row = (request.id, request.session, request.fingerprint, dump(request), owner, request.asked_at)
        with self._writing() as db:
            db.execute(
                f"INSERT INTO requests VALUES (?1, {NEXT}, 'pending', ?2, ?3, ?4, ?5, ?6, 0, 0, 0, 0, '', '')", row
            )

    def show(self, request_id: str, now: float) -> bool:
        """Note that the request is on a screen now, if it is its turn: one at a time for a session.

        Starts its clock. False while an older request of the session is open on a screen or before it in the queue.
        """
        with self._writing() as db:
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
                self._note_shown(db, request_id, now, now + load_request(found[2]).timeout)
        return earlier is None

    def look(self, request_id: str, now: float) -> None:
        """A person opened the request before its turn came: its clock starts too, if anybody waits for the answer."""
        with self._writing() as db:
            found = db.execute(
                "SELECT body, owner FROM requests WHERE id = ? AND state = 'pending' AND shown_at = 0", (request_id,)
            ).fetchone()
            if found:
                self._note_shown(db, request_id, now, now + load_request(found[0]).timeout if found[1] else 0.0)

    # --- ending ----------------------------------------------------------------------------------------------------

    def answer(
        self, request_id: str, answer: Answer, now: float, remember: Callable[[Session], Session] | None = None
    ) -> Ticket:
        """Record a person's answer. INVARIANT: the first valid one wins; every other finds the request decided.

        `remember` changes what is known about the session, in the same step: whoever sees the answer sees that too.
        Raises InputError, with what is wrong, when this answer does not count.
        """
        with self._writing() as db:
            self._expire(db, now)
            wrong = _unfit(self._one(db, request_id), answer)
            if not wrong:
                db.execute(
                    f"UPDATE requests SET state = ?, answer = ?, decided_at = ?, version = {NEXT} WHERE id = ?",
                    ("approved" if answer.approved else "denied", dump(answer), now, request_id),
                )
            ticket = self._one(db, request_id)
            if remember and not wrong and ticket is not None:
                self._keep_session(db, remember(self._session(db, ticket.request.session)))
        if wrong or ticket is None:
            raise InputError(wrong)
        return ticket

    def end(self, request_id: str, state: State, note: str, now: float) -> Ticket | None:
        """Expire or cancel a request that nobody has answered; gives it as it is now, None when unknown."""
        with self._writing() as db:
            db.execute(
                f"UPDATE requests SET state = ?, note = ?, decided_at = ?, version = {NEXT}"
                " WHERE id = ? AND state = 'pending'",
                (state, note, now, request_id),
            )
            return self._one(db, request_id)

    def spend(self, request_id: str, fingerprint: str, now: float) -> bool:
        """Use up an answer that was given for exactly this action. INVARIANT: true once in the life of a request."""
        with self._writing() as db:
            changed = db.execute(
                f"UPDATE requests SET spent_at = ?, version = {NEXT} WHERE id = ? AND fingerprint = ?"
                f" AND spent_at = 0 AND {UNSPENT}",
                (now, request_id, fingerprint, now - self._kept, now - UNSPENT_SECONDS),
            )
            return changed.rowcount == 1

    # --- coming back -----------------------------------------------------------------------------------------------

    def left_behind(self, fingerprint: str, session: str, now: float) -> tuple[Ticket, str] | None:
        """The request for this very action that somebody asked before and did not wait for, with who asked.

        Its answer may be there already; it is not spent yet.
        """
        with self._writing() as db:
            self._expire(db, now)
            found = db.execute(
                f"SELECT {COLUMNS}, owner FROM requests WHERE fingerprint = ? AND session = ? AND spent_at = 0"
                f" AND (state = 'pending' OR {UNSPENT}) ORDER BY state = 'pending', version DESC LIMIT 1",
                (fingerprint, session, now - self._kept, now - UNSPENT_SECONDS),
            ).fetchone()
        return (_ticket(found[:-1]), found[-1]) if found else None

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

    def pending(self, now: float, session: str | None = None) -> tuple[Ticket, ...]:
        """What waits for an answer, the oldest first."""
        with self._writing() as db:
            self._expire(db, now)
            rows = db.execute(
                f"SELECT {COLUMNS} FROM requests WHERE state = 'pending' AND (?1 IS NULL OR session = ?1)"
                " ORDER BY rowid",
                (session,),
            ).fetchall()
        return tuple(_ticket(row) for row in rows)

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
        return now, tuple(row[0] for row in rows)

    def version(self) -> int:
        with self._reading() as db:
            return int(db.execute("SELECT COALESCE(MAX(version), 0) FROM requests").fetchone()[0])

    def owners(self, session: str) -> tuple[tuple[str, str], ...]:
        """Who waits for each pending request of a session."""
        query = "SELECT id, owner FROM requests WHERE state = 'pending' AND session = ?"
        with self._reading() as db:
            return tuple(db.execute(query, (session,)).fetchall())

    def forget(self, before: float) -> int:
        """Remove what was decided before a time; says how many. The journal keeps its own record."""
        with self._writing() as db:
            return db.execute("DELETE FROM requests WHERE state != 'pending' AND decided_at < ?", (before,)).rowcount

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
        if found not in (0, FORMAT):
            db.close()
            raise AssentError(f"`{self.file}` was written by another version of Assent", help="move it away")
        self._use_wal()
        db.execute("PRAGMA synchronous = FULL")
        with self._writing():
            for statement in SCHEMA.split(";"):
                db.execute(statement)
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
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(self.file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

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
            db.execute(
                f"UPDATE requests SET state = 'expired', note = ?, decided_at = ?, version = {NEXT} WHERE id = ?",
                (note, now, request_id),
            )

    def _one(self, db: sqlite3.Connection, request_id: str) -> Ticket | None:
        row = db.execute(f"SELECT {COLUMNS} FROM requests WHERE id = ?", (request_id,)).fetchone()
        return _ticket(row) if row else None


def _unfit(ticket: Ticket | None, answer: Answer) -> str:
    """Why an answer does not count, or nothing."""
    if ticket is None:
        return "there is no such request"
    if ticket.state != "pending":
        return already(ticket)
    if answer.fingerprint != ticket.request.fingerprint:
        return "this answer is about something else than what is asked: look at the request again"
    return ""


def already(ticket: Ticket) -> str:
    """What a late answer is told."""
    if ticket.answer is None:
        return f"already {ticket.state}: {ticket.note}"
    return f"already {ticket.state} by {ticket.answer.by} over {ticket.answer.via}"


def _ticket(row: tuple[str, State, float, float, float, str, float, str, int]) -> Ticket:
    body, state, shown_at, expires_at, decided_at, answer, spent_at, note, version = row
    said = load_answer(answer) if answer else None
    return Ticket(load_request(body), state, shown_at, expires_at, decided_at, said, spent_at, note, version)


def _private(file: str) -> None:
    """The file for its owner alone, before SQLite makes it for everybody."""
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        os.close(os.open(file, flags, 0o600))
    except OSError as error:
        raise AssentError(f"cannot open the approvals in `{file}`: {error.strerror}") from error


@contextmanager
def _told(file: str) -> Iterator[None]:
    """A failure of the database is ours, in our words: callers deny then."""
    try:
        yield
    except sqlite3.Error as error:
        raise AssentError(f"the approvals in `{file}` cannot be used: {error}") from error


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else holds the file at this moment."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
