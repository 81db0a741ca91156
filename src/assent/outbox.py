"""From the store into the journal: every change that people must be able to look up, exactly once, whoever is killed.

Also shows the grants of a store in a plain file, so that a hook which needs nobody need not open the database.
"""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Protocol

from assent import folders, wire
from assent.approval.store import Event, Pen, Store
from assent.audit.fields import told_fields
from assent.audit.journal import Held, prepared_event
from assent.audit.journal import Journal as OnDisk
from assent.audit.reading import records
from assent.audit.verify import Problem
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.grants import MAX_BYTES, grants_file, store_of
from assent.questions import ApprovalRequest, Ticket, kind_of

STORE = "approvals.db"
ROOM, ROOM_FOR_THE_REST = ".room", 100_000
"""What is kept free while an answer is committed, so that what follows from it has a place."""
ROOM_PER_EVENT = 1_000
"""What the journal itself writes into a record, and then some."""


class Journal(Protocol):
    """What is needed of a journal; `assent.audit.journal.Journal` is the real one."""

    def append(self, kind: str, fields: Mapping[str, object]) -> object:
        """Write one record down for good, or raise."""


class Outbox:
    """The scribe of a store: knows the journal and the file of grants beside it."""

    def __init__(self, store: Store, journal: Journal, state: str) -> None:
        self._store, self._journal = store, journal
        self._file = grants_file(state)

    # --- the journal -----------------------------------------------------------------------------------------------

    def about(self, kind: str, ticket: Ticket) -> Mapping[str, object]:
        return of_request(ticket.request) if kind == "question" else told(ticket)

    def event(self, kind: str, fields: Mapping[str, object]) -> Event:
        return Event(str(uuid.uuid4()), kind, wire.dumps(told_fields(kind, fields)))

    def position(self) -> int:
        return self._journal.position() if isinstance(self._journal, OnDisk) else 0

    def holding(self, events: Sequence[Event], patience: float | None) -> AbstractContextManager[Pen]:
        if not isinstance(self._journal, OnDisk):
            return _plain(self._journal)
        room = sum(len(event.fields.encode()) + ROOM_PER_EVENT for event in events)
        return _held(self._journal.holding(room, patience))

    # --- the file of grants ----------------------------------------------------------------------------------------

    def publish(self, grants: Sequence[str]) -> None:
        """INVARIANT: what counts is in the store; the file says the same, or less for a moment."""
        if self._owner() not in ("", self._store.file) or not self._store.has_taken_over():
            return
        data = self._data(grants)
        if self._read() != data and (grants or os.path.lexists(self._file)):
            folders.write_atomically(self._file, data)

    def _read(self) -> bytes | None:
        try:
            return folders.read_own(self._file, MAX_BYTES)[1]
        except InputError:
            return None

    def reserve(self, grants: Sequence[str]) -> None:
        """Write something as large as the file under another name; it is removed when the room is needed."""
        if (owner := self._owner()) not in ("", self._store.file):
            raise InputError(f"the grants here are kept by `{owner}`", help="allow it once, or use that store")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            file = os.open(self._file + ROOM, flags, 0o600)
            try:
                room = len(self._data(grants)) + ROOM_FOR_THE_REST
                if os.write(file, b" " * room) != room:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(file)
        except OSError as error:
            self.release()
            advice = "nothing was changed: make room, then answer again"
            raise AssentError(f"cannot write `{self._file}`: {error.strerror}", help=advice) from error

    def release(self) -> None:
        with suppress(OSError):
            os.unlink(self._file + ROOM)

    def _data(self, grants: Sequence[str]) -> bytes:
        rows = [wire.loads(body) for body in grants]
        return wire.dumps({"store": self._store.file, "grants": rows}).encode() + b"\n"

    def _owner(self) -> str:
        """The store whose grants are in the file, as long as there is one."""
        try:
            found = store_of(self._read())
        except InputError:
            return ""
        return found if os.path.lexists(found) else ""


@contextmanager
def _held(holding: Held) -> Iterator[Pen]:
    with holding as held:
        yield _Ink(held)


class _Ink:
    """The journal on the disk, held."""

    def __init__(self, held: Held) -> None:
        self._held = held

    @property
    def position(self) -> int:
        return self._held.position

    def write(self, event: Event) -> None:
        """INVARIANT: what is no event is written down as that, and does not keep the ones behind it."""
        try:
            made = prepared_event(event.kind, _table(event.fields), event.id)
        except AssentError as error:
            digest = sha256(event.fields.encode("utf-8", "surrogatepass"))
            told: dict[str, object] = {"reason": f"the outbox held no event: {error.message}", "args_sha256": digest}
            made = prepared_event("error", told)
        self._held.write(made)

    def has(self, event: Event, after: int) -> bool:
        return self._held.has(event.id, after)


@contextmanager
def _plain(journal: Journal) -> Iterator[Pen]:
    yield _Pencil(journal)


class _Pencil:
    """A journal of somebody's own: it can be told, and that is all."""

    position = 0

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def write(self, event: Event) -> None:
        self._journal.append(event.kind, _table(event.fields))

    def has(self, event: Event, after: int) -> bool:  # noqa: ARG002
        return False


def _table(fields: str) -> dict[str, object]:
    found = wire.loads(fields)
    if not isinstance(found, dict):
        raise InputError("it is not a table")
    return found


def unrecorded(state: str) -> tuple[Problem, ...]:
    """Answers and grants of the store that the journal knows nothing of: its chain may be whole, and yet too short."""
    file = os.path.join(state, STORE)
    if not os.path.lexists(file):
        return ()
    store = Store(file)
    try:
        grants, answered = store.promised()
    finally:
        store.close()
    missing = set(answered)
    for record in records(os.path.join(state, "audit")):
        grants.pop(record.event_id, None)
        if record.kind == "answer":
            missing.discard(record.text("request_id"))
    found = [f"the journal has no record of grant {identity}" for identity in sorted(grants.values())]
    found += [f"the journal has no record of the answer to request {identity}" for identity in sorted(missing)]
    return tuple(Problem(STORE, 0, 0, what) for what in found)


# --- what the journal keeps ----------------------------------------------------------------------------------------


def told(ticket: Ticket) -> dict[str, object]:
    """A request that ended, as the journal keeps it."""
    request, answer = ticket.request, ticket.answer
    reason = answer.reason if answer else ticket.note
    by = (
        {**human(answer.by, answer.via), "kind": kind_of(answer)}
        if answer
        else {"kind": "timeout" if ticket.state == "expired" else "error"}
    )
    return {
        **of_request(request),
        "approved": ticket.state == "approved",
        "reason": reason or f"{ticket.state} by {answer.by}" if answer else reason,
        "timeout": ticket.state == "expired",
        "decision": ticket.state,
        "decided_by": by,
        "shown_at": ticket.shown_at,
        "decided_at": ticket.decided_at,
        "scope": answer.scope if answer else "",
        "rules": list(answer.rules) if answer else [],
    }


def of_request(request: ApprovalRequest) -> dict[str, object]:
    """The fields of a journal record that say what was asked."""
    return {
        "request_id": request.id,
        "session_id": request.session,
        "agent": request.agent,
        "agent_chain": list(request.chain),
        "tool": request.tool,
        "tool_name": request.tool,
        "command": request.command,
        "cwd": request.cwd,
        "action_digest": request.fingerprint,
        "mode": request.mode,
        "policy_digest": request.policy_digest,
        "parts": [{"text": part.text, "verdict": part.verdict, "rule": part.rule} for part in request.parts],
        "requested_at": request.asked_at,
    }


def human(by: str, via: str) -> dict[str, object]:
    """A person, as the journal names them."""
    return {"kind": "human", "id": by, "via": via}
