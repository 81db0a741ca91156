"""Pending requests over HTTP: the list, one with everything about it, and a person's answers."""

from __future__ import annotations

from assent.errors import AssentError
from assent.questions import LASTING, SCOPES, Answer, Scope, Ticket
from assent.server.asked import VIA, Asked, Fault, Service, texts
from assent.server.view import whole

MAX_REASON = 2_000
PAGE, MOST_ROWS = 100, 500
MOST_AT_ONCE = 200


def waiting(service: Service, asked: Asked) -> object:
    """What waits for an answer, the oldest first, in pages: `cursor` is the `next` of the page before."""
    now, store = service.now(), service.desk.store
    limit = max(1, asked.number("limit", PAGE, MOST_ROWS))
    version = store.version()
    found = store.pending(now, limit=limit + 1, after=asked.query.get("cursor", ""))
    rows, more = found[:limit], len(found) > limit
    return {
        "now": now,
        "version": version,
        "requests": [service.row(ticket) for ticket in rows],
        "total": sum(store.waiting(now).values()),
        "next": rows[-1].id if more else None,
    }


def one(service: Service, asked: Asked) -> object:
    """One request with everything that is known about it."""
    ticket, uncut = _ticket(service, asked.path["id"]), asked.query.get("whole") == "1"
    grants = [grant.id for grant in service.desk.grants() if grant.request == ticket.id]
    return {"now": service.now(), "request": whole(ticket, service.desk, uncut=uncut), "grants": grants}


def look(service: Service, asked: Asked) -> object:
    """A person has it on their screen now: its clock starts."""
    asked.only()
    ticket = _ticket(service, asked.path["id"])
    service.desk.store.look(ticket.id, service.now())
    return {"now": service.now(), "request": service.row(_ticket(service, ticket.id))}


def answer(service: Service, asked: Asked) -> object:
    """A person's answer to one request."""
    asked.only("approved", "fingerprint", "reason", "scope", "rules")
    scope = _scope(asked.text("scope", "once"))
    rules = texts(asked.body.get("rules", []), "rules")
    if scope in LASTING and not rules:
        raise Fault(400, "a lasting answer names the rules that were shown")
    said = Answer(
        asked.flag("approved"),
        service.by,
        VIA,
        service.now(),
        asked.text("reason", "", MAX_REASON),
        scope,
        rules,
        asked.text("fingerprint"),
    )
    return _give(service, asked.path["id"], said)


def answer_many(service: Service, asked: Asked) -> object:
    """The same answer, good once, to several requests that were on the screen; each counts or not for itself."""
    asked.only("approved", "answers", "reason")
    approved, reason = asked.flag("approved"), asked.text("reason", "", MAX_REASON)
    results: list[object] = []
    for request_id, fingerprint in _pairs(asked.body.get("answers")):
        said = Answer(approved, service.by, VIA, service.now(), reason, fingerprint=fingerprint)
        try:
            _give(service, request_id, said)
        except AssentError as error:
            status = error.status if isinstance(error, Fault) else 500
            results.append({"id": request_id, "counts": False, "error": error.message, "status": status})
        else:
            results.append({"id": request_id, "counts": True})
    return {"now": service.now(), "results": results}


def _give(service: Service, request_id: str, said: Answer) -> object:
    """Hand an answer in. INVARIANT: a fault means that nothing has changed."""
    ticket = _ticket(service, request_id)
    why_not = service.desk.answer(request_id, said)
    now = _ticket(service, request_id)
    if why_not:
        raise Fault(410 if now.state == "expired" else 409, why_not)
    grants = [grant.id for grant in service.desk.grants() if grant.request == ticket.id]
    return {"now": service.now(), "request": service.row(now), "grants": grants}


def _ticket(service: Service, request_id: str) -> Ticket:
    found = service.desk.ticket(request_id)
    if found is None:
        raise Fault(404, "there is no such request")
    return found


def _scope(text: str) -> Scope:
    for known in SCOPES:
        if known == text:
            return known
    raise Fault(400, f"unknown scope `{text}`", help=f"one of {', '.join(SCOPES)}")


def _pairs(value: object) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for row in value if isinstance(value, list) else [None]:
        match row:
            case {"id": str(request_id), "fingerprint": str(fingerprint), **more} if not more:
                found.append((request_id, fingerprint))
            case _:
                raise Fault(400, "`answers` must be a list of objects with `id` and `fingerprint`")
    if not found or len(found) > MOST_AT_ONCE:
        raise Fault(400, f"answer between 1 and {MOST_AT_ONCE} requests at once")
    return found
