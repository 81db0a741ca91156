"""How often rules with a `max` were used: a small database in the state folder, exact under many processes.

Only opened where a rule has a limit.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

from assent.errors import AssentError
from assent.folders import make_folder
from assent.policy.limits import SECONDS, limit_key, limit_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from assent.types import Rule

BUSY_SECONDS = 10.0
KEPT_SECONDS = 30 * 86_400.0
"""How long a use is remembered: longer than any period, and than a session should last."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS uses (rule TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS by_rule ON uses (rule, at);
"""


def limits_file(state: str) -> str:
    return os.path.join(state, "limits.db")


def counts(state: str, rules: Iterable[Rule], session: str, now: float) -> dict[str, int]:
    """How often each rule was used in its period, by `limit_key`; nothing is written."""
    wanted = tuple(rules)
    if not os.path.exists(limits_file(state)):
        return {limit_key(rule): 0 for rule in wanted}
    try:
        with closing(_opened(state)) as db:
            return {limit_key(rule): _count(db, rule, session, now) for rule in wanted}
    except sqlite3.Error as error:
        raise _unusable(state, error) from error


def take(state: str, rules: Iterable[Rule], session: str, now: float) -> bool:
    """Count one use of every rule, or of none. INVARIANT: false when any of them is used up, whoever was faster."""
    wanted = {limit_key(rule): rule for rule in rules}
    try:
        with closing(_opened(state)) as db:
            db.execute("BEGIN IMMEDIATE")
            if any(_count(db, rule, session, now) >= limit_of(rule)[0] for rule in wanted.values()):
                db.execute("ROLLBACK")
                return False
            db.executemany("INSERT INTO uses VALUES (?, ?, ?)", [(key, session, now) for key in wanted])
            db.execute("DELETE FROM uses WHERE at < ?", (now - KEPT_SECONDS,))
            db.execute("COMMIT")
            return True
    except sqlite3.Error as error:
        raise _unusable(state, error) from error


def _count(db: sqlite3.Connection, rule: Rule, session: str, now: float) -> int:
    _, period = limit_of(rule)
    key = limit_key(rule)
    if period == "session":
        row = db.execute("SELECT COUNT(*) FROM uses WHERE rule = ? AND session = ?", (key, session)).fetchone()
    else:
        since = now - SECONDS[period]
        row = db.execute("SELECT COUNT(*) FROM uses WHERE rule = ? AND at > ?", (key, since)).fetchone()
    return int(row[0])


def _opened(state: str) -> sqlite3.Connection:
    file = limits_file(state)
    try:
        make_folder(state)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        status = os.stat(file)
    except OSError as error:
        raise AssentError(f"cannot open `{file}`: {error.strerror}") from error
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise AssentError(f"others may write `{file}`, so it counts for nothing", help="remove the file")
    db = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        db.executescript(SCHEMA)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _unusable(state: str, error: sqlite3.Error) -> AssentError:
    damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    advice = "remove the file: counting begins anew" if damaged else "make room on the disk, or wait for who holds it"
    return AssentError(f"cannot count the uses of rules in `{limits_file(state)}`: {error}", help=advice)
