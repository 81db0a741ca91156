"""What judging remembers: judgements for a day, what was spent, which model keeps failing. For its owner alone."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assent import wire
from assent.classifier.judgement import Judgement, Settings, Trouble
from assent.record import replace

FORMAT = 1
BUSY_SECONDS = 5.0
MOST_KEPT = 1_000
KEPT_SECONDS = 86_400.0
FAILURES = 3
"""After so many in a row a model is left alone"""
PAUSE_SECONDS = 60.0
"""for so long, or as long as it asks for."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS spent (scope TEXT PRIMARY KEY, calls INTEGER NOT NULL, cost REAL NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS failing (model TEXT PRIMARY KEY, failures INTEGER NOT NULL, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS judged (key TEXT PRIMARY KEY, at REAL NOT NULL, judgement TEXT NOT NULL);
"""


class Memory:
    """Safe for threads, and for processes when it has a file."""

    def __init__(self, file: str = ":memory:", clock: Callable[[], float] = time.time) -> None:
        self.file, self._clock = file, clock
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._recent: dict[str, tuple[float, Judgement]] = {}

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    # --- judgements ------------------------------------------------------------------------------------------------

    def recall(self, key: str, settings: Settings) -> Judgement | None:
        """A judgement that was made before, not longer ago than a day."""
        now = self._clock()
        kept = self._recent.get(key)
        if kept is None and settings.cache == "disk":
            with self._writing() as db:
                row = db.execute("SELECT at, judgement FROM judged WHERE key = ?", (key,)).fetchone()
            kept = (row[0], _loaded(row[1])) if row else None
        if kept is None or not 0 <= now - kept[0] < KEPT_SECONDS:
            return None
        return replace(kept[1], cached=True, cost=0.0)

    def keep(self, key: str, judgement: Judgement, settings: Settings) -> None:
        now = self._clock()
        with self._lock:
            while len(self._recent) >= MOST_KEPT:
                del self._recent[next(iter(self._recent))]
            self._recent[key] = (now, judgement)
        if settings.cache == "disk":
            with self._writing() as db:
                db.execute("INSERT OR REPLACE INTO judged VALUES (?, ?, ?)", (key, now, _dumped(judgement)))
                db.execute(
                    "DELETE FROM judged WHERE at <= ? OR key IN"
                    " (SELECT key FROM judged ORDER BY at DESC LIMIT -1 OFFSET ?)",
                    (now - KEPT_SECONDS, MOST_KEPT),
                )

    # --- spending --------------------------------------------------------------------------------------------------

    def begin(self, model: str, session: str, settings: Settings) -> None:
        """Count one more call before it is made. Raises `Trouble` when the model pauses or nothing is left to spend."""
        now = self._clock()
        limits = {
            _day(now): ("today", settings.day_calls, settings.day_cost),
            f"session {session}": ("in this session", settings.session_calls, settings.session_cost),
        }
        with self._writing() as db:
            paused = db.execute("SELECT until FROM failing WHERE model = ? AND until > ?", (model, now)).fetchone()
            if paused:
                raise Trouble(f"{model} keeps failing and is left alone for {paused[0] - now:.0f} more seconds")
            for scope, (when, calls, cost) in limits.items():
                row = db.execute("SELECT calls, cost FROM spent WHERE scope = ?", (scope,)).fetchone() or (0, 0.0)
                if 0 <= calls <= row[0]:
                    raise Trouble(f"the budget of {calls} calls {when} is used up")
                if 0 <= cost <= row[1]:
                    raise Trouble(f"the budget of {cost:g} {when} is used up")
            for scope in limits:
                _add(db, scope, 1, 0.0, now)
            db.execute("DELETE FROM spent WHERE at < ?", (now - 7 * KEPT_SECONDS,))

    def succeeded(self, model: str, session: str, cost: float) -> None:
        now = self._clock()
        with self._writing() as db:
            db.execute("DELETE FROM failing WHERE model = ?", (model,))
            for scope in (_day(now), f"session {session}"):
                _add(db, scope, 0, cost, now)

    def failed(self, model: str, pause: float) -> None:
        """One more failure in a row; the model may ask for a pause itself."""
        now = self._clock()
        with self._writing() as db:
            row = db.execute("SELECT failures FROM failing WHERE model = ?", (model,)).fetchone() or (0,)
            failures = row[0] + 1
            until = now + (pause or PAUSE_SECONDS) if pause or failures >= FAILURES else 0.0
            db.execute("INSERT OR REPLACE INTO failing VALUES (?, ?, ?)", (model, failures, until))

    def spent(self, session: str) -> dict[str, tuple[int, float]]:
        """Calls and money, today and in a session."""
        scopes = {"day": _day(self._clock()), "session": f"session {session}"}
        with self._writing() as db:
            rows = {
                name: db.execute("SELECT calls, cost FROM spent WHERE scope = ?", (scope,)).fetchone()
                for name, scope in scopes.items()
            }
        return {name: tuple(row) if row else (0, 0.0) for name, row in rows.items()}

    # --- the file --------------------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. INVARIANT: a memory that cannot be used is `Trouble`, never an empty one."""
        try:
            with self._lock:
                if self._db is None:
                    self._db = self._opened()
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                except BaseException:
                    self._db.execute("ROLLBACK")
                    raise
                self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
            advice = "remove the file" if damaged else "make room on the disk, or wait for who holds it"
            raise Trouble(f"`{self.file}` cannot be used: {error}", help=advice) from error

    def _opened(self) -> sqlite3.Connection:
        if self.file != ":memory:":
            _private(self.file)
        db = sqlite3.connect(self.file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                raise Trouble(f"`{self.file}` was written by another version of Assent", help="remove the file")
            db.executescript(SCHEMA)
            db.execute(f"PRAGMA user_version = {FORMAT}")
        except BaseException:
            db.close()
            raise
        return db


def _private(file: str) -> None:
    """Make the file if it is not there; refuse one that others may write to."""
    inside = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        status = os.fstat(inside)
    finally:
        os.close(inside)
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise Trouble(f"`{file}` is open to others", help="remove the file")


def _add(db: sqlite3.Connection, scope: str, calls: int, cost: float, now: float) -> None:
    db.execute(
        "INSERT INTO spent VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (scope) DO UPDATE SET calls = calls + ?2, cost = cost + ?3, at = ?4",
        (scope, calls, cost, now),
    )


def _day(now: float) -> str:
    return "day " + time.strftime("%Y-%m-%d", time.gmtime(now))


def _dumped(judgement: Judgement) -> str:
    return wire.dumps([judgement.matches, judgement.confidence, judgement.description, judgement.model])


def _loaded(text: str) -> Judgement:
    match wire.loads(text):
        case [bool(matches), float() | int() as confidence, str(description), str(model)]:
            return Judgement(matches, float(confidence), description, model)
    raise Trouble("a kept judgement has the wrong shape", help="remove the file of kept judgements")
