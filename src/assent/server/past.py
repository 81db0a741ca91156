"""What was decided, and what still follows from it: history, grants and the modes of sessions."""

from __future__ import annotations

from assent.approval.fragments import one_line
from assent.approval.home import short
from assent.errors import InputError
from assent.grants import Grant, as_table, grants_file
from assent.questions import Session, Ticket
from assent.server.asked import VIA, Asked, Fault, Service

MODES = ("default", "plan", "full_auto")
PAGE = 50
MOST_READ = 5_000
"""How many decided requests one search looks through."""


def history(service: Service, asked: Asked) -> object:
    """Decided requests, the latest first; `search` finds words anywhere in them, `state` one way to end."""
    limit = asked.number("limit", PAGE, 200)
    before = asked.number("before", 0, 10**15) or None
    home = service.desk.world.home
    words = [_spelled(word, home) for word in asked.query.get("search", "").lower().split()]
    state = asked.query.get("state", "")
    live: dict[str, list[str]] = {}
    for grant in service.desk.grants():
        live.setdefault(grant.request, []).append(grant.id)
    found: list[Ticket] = []
    read, more = 0, True
    while len(found) < limit and read < MOST_READ and more:
        page = service.desk.store.history(PAGE, before)
        for ticket in page:
            before, read = ticket.version, read + 1
            if state in ("", ticket.state) and _has_all(_words(ticket), words):
                found.append(ticket)
            if len(found) == limit:
                break
        more = len(page) == PAGE
    rows = [{**service.row(ticket), "grants": live.get(ticket.id, [])} for ticket in found]
    return {"now": service.now(), "requests": rows, "next": before if more or len(found) == limit else None}


def _words(ticket: Ticket) -> str:
    request, said = ticket.request, ticket.answer
    given = (said.by, said.via, said.reason, said.scope) if said else (ticket.note,)
    about = (request.id, request.tool, request.command or request.input, request.agent, request.session)
    return " ".join((*about, request.workspace, request.sentence, ticket.state, *given)).lower()


def _spelled(word: str, home: str) -> tuple[str, ...]:
    """What a word that somebody reads on the page may be in a request, where paths are whole."""
    return (word, home.lower() + word[1:]) if word.startswith("~/") else (word,)


def _has_all(text: str, words: list[tuple[str, ...]]) -> bool:
    return all(any(spelling in text for spelling in word) for word in words)


# --- grants --------------------------------------------------------------------------------------------------------


def grants(service: Service, _asked: Asked) -> object:
    """What is allowed for longer than once, the latest first."""
    found = sorted(service.desk.grants(), key=lambda grant: -grant.made)
    home = service.desk.world.home
    file = short(grants_file(service.desk.state), home)
    return {"now": service.now(), "file": file, "grants": [_grant(one, home) for one in found]}


def revoke(service: Service, asked: Asked) -> object:
    """Take a grant back."""
    asked.only()
    try:
        gone: Grant = service.desk.revoke(asked.path["id"], by=service.by, via=VIA)
    except InputError as error:
        raise Fault(404, error.message) from error
    return {"now": service.now(), "revoked": as_table(gone)}


def _grant(grant: Grant, home: str) -> dict[str, object]:
    safe = {name: one_line(str(getattr(grant, name)), prose=False) for name in ("command", "workspace", "origin")}
    rules = [one_line(rule, prose=False) for rule in grant.rules]
    return {**as_table(grant), **safe, "workspace": short(safe["workspace"], home), "rules": rules}


# --- sessions ------------------------------------------------------------------------------------------------------


def sessions(service: Service, _asked: Asked) -> object:
    """The sessions of agents, the latest first, with how many requests of each wait."""
    waiting = service.desk.store.waiting(service.now())
    found = sorted(service.desk.sessions(), key=lambda session: -session.seen_at)
    rows = [{**_session(one), "waiting": waiting.get(one.id, 0)} for one in found]
    return {"now": service.now(), "sessions": rows}


def set_mode(service: Service, asked: Asked) -> object:
    """Choose the mode of a session."""
    asked.only("session", "mode")
    mode = asked.text("mode")
    if mode not in MODES:
        raise Fault(400, f"unknown mode `{mode}`", help=f"one of {', '.join(MODES)}")
    made = service.desk.set_mode(_known(service, asked), mode, by=service.by, via=VIA)
    return {"now": service.now(), "session": _session(made)}


def not_now(service: Service, asked: Asked) -> object:
    """The person does not want the looser mode that was suggested."""
    asked.only("session")
    made = service.desk.refuse_escalation(_known(service, asked), by=service.by, via=VIA)
    return {"now": service.now(), "session": _session(made)}


def _known(service: Service, asked: Asked) -> str:
    """INVARIANT: only a session that has been seen gets a mode; a forged name must not wait for its agent."""
    wanted = asked.text("session")
    if not any(one.id == wanted for one in service.desk.sessions()):
        raise Fault(404, "there is no such session")
    return wanted


def _session(made: Session) -> dict[str, object]:
    """A session; `id` goes back with a change, exactly, the shown names are safe to look at."""
    table = {name: getattr(made, name) for name in Session.__slots__}  # type: ignore[attr-defined]
    return {
        **table,
        "shown_id": one_line(made.id, 80, prose=False),
        "shown_agent": one_line(made.agent, 80, prose=False),
    }
