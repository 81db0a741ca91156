"""The journal over HTTP: search, one record, and whether the chain is whole."""

from __future__ import annotations

import os

from assent import wire
from assent.approval.fragments import one_line
from assent.audit import reading, verify
from assent.audit.lines import KINDS, Record
from assent.errors import InputError, UsageError
from assent.outbox import unrecorded
from assent.questions import table_of
from assent.record import replace
from assent.server.asked import Asked, Fault, Service

PAGE = 50


def search(service: Service, asked: Asked) -> object:
    """Records, the latest first; `search` finds words anywhere in them."""
    kind, limit, skip = (
        asked.query.get("kind", ""),
        asked.number("limit", PAGE, 200),
        asked.number("skip", 0, 1_000_000),
    )
    if kind and kind not in KINDS:
        raise Fault(400, f"unknown kind `{kind}`", help=f"one of {', '.join(KINDS)}")
    found = reading.search(
        _folder(service),
        asked.query.get("search", "").split(),
        kind=kind,
        verdict=asked.query.get("verdict", ""),
        session=asked.query.get("session", ""),
        limit=skip + limit + 1,
    )
    latest = found[::-1][skip:]
    return {
        "now": service.now(),
        "kinds": list(KINDS),
        "records": [_row(one) for one in latest[:limit]],
        "next": skip + limit if len(latest) > limit else None,
    }


def one(service: Service, asked: Asked) -> object:
    """The record of an event, or all records of one request; every field as text that is safe to look at."""
    try:
        found = reading.find(_folder(service), asked.path["id"])
    except (InputError, UsageError) as error:
        raise Fault(404, error.message, help=error.help) from error
    return {
        "now": service.now(),
        "records": [{**_row(record), "fields": _fields(record), "raw": record.table()} for record in found],
    }


def verified(service: Service, _asked: Asked) -> object:
    """Whether every record follows the one before it."""
    found = verify.verify(_folder(service))
    missing = unrecorded(service.desk.state)
    found = replace(found, ok=found.ok and not missing, problems=(*found.problems, *missing))
    return {"now": service.now(), **_table(found)}


def _folder(service: Service) -> str:
    return os.path.join(service.desk.state, "audit")


def _table(made: object) -> dict[str, object]:
    table = table_of(made)
    assert isinstance(table, dict)  # noqa: S101 - narrows for the type checker
    return table


def _row(found: Record) -> dict[str, object]:
    said = reading.subject(found) or found.text("tool")
    by = found.fields.get("decided_by")
    return {
        "id": found.event_id,
        "seq": found.seq,
        "time": found.time,
        "kind": found.kind,
        "outcome": one_line(reading.outcome(found), 40),
        "said": one_line(said, 300, prose=False, masked=True),
        "agent": one_line(found.text("agent"), 80, prose=False),
        "session": one_line(found.text("session_id"), 80, prose=False),
        "by": one_line(_who(by), 80),
    }


def _who(by: object) -> str:
    match by:
        case {"kind": "human", "id": str(name), "via": str(via)}:
            return f"{name} over {via}"
        case {"kind": str(kind), **rest}:
            return " ".join([kind, *(str(value) for value in rest.values() if isinstance(value, str))])
    return ""


def _fields(found: Record) -> list[tuple[str, str]]:
    return [
        (one_line(name), one_line(value if isinstance(value, str) else wire.dumps(value), prose=False, masked=True))
        for name, value in found.table().items()
    ]
