"""Requests as the pages get them: plain JSON in which every text that an agent chose is made safe to look at."""

from __future__ import annotations

from functools import lru_cache

from assent.approval.display import Display, shown
from assent.approval.fragments import Line, one_line
from assent.approval.home import short
from assent.desk import Desk
from assent.grants import end_of, grants_file
from assent.questions import LASTING, Answer, ApprovalRequest, Choice, Ticket, table_of
from assent.record import record

HEAD = 2_000
"""How much of its input a row of a list holds; what is longer has to be opened to be approved."""


def row_of(ticket: Ticket, home: str = "") -> dict[str, object]:
    """What a row of a list shows."""
    request, brief = ticket.request, _brief(ticket.request, home)
    return {
        "id": request.id,
        "version": ticket.version,
        "state": ticket.state,
        "fingerprint": request.fingerprint,
        "tool": brief.tool,
        "head": brief.head,
        "cut": brief.cut,
        "agent": " › ".join(_safe(name) for name in (*request.chain, request.agent) if name),
        "session": _safe(request.session),
        "workspace": short(_safe(request.workspace or request.cwd), home),
        "branch": _safe(request.branch),
        "sentence": brief.sentence,
        "danger": request.danger,
        "undoable": request.undoable,
        "warned": brief.warned,
        "asked_at": request.asked_at,
        "shown_at": ticket.shown_at,
        "expires_at": ticket.expires_at,
        "decided_at": ticket.decided_at,
        "spent_at": ticket.spent_at,
        "note": _safe(ticket.note),
        "broken": _safe(ticket.broken),
        "answer": _answer(ticket.answer),
    }


@record
class Brief:
    """What a row needs of a request's display; requests never change, so it is made once."""

    tool: str
    head: str
    cut: int
    sentence: str
    warned: int


@lru_cache(maxsize=512)
def _brief(request: ApprovalRequest, home: str) -> Brief:
    display = shown(request, home=home)
    head = " ⏎ ".join(
        f"{section.name}: {line.text}" if section.name and not number else line.text
        for section in display.sections
        for number, line in enumerate(section.lines)
    )
    cut = max(len(head) - HEAD, 0 if display.complete else 1)
    return Brief(display.tool, head[:HEAD], cut, display.sentence, len(display.warnings))


def _answer(answer: Answer | None) -> object:
    if answer is None:
        return None
    table = table_of(answer)
    assert isinstance(table, dict)  # noqa: S101 - narrows for the type checker
    return {**table, "reason": _safe(answer.reason), "by": _safe(answer.by), "via": _safe(answer.via)}


# --- one request ---------------------------------------------------------------------------------------------------


def whole(ticket: Ticket, desk: Desk, *, uncut: bool) -> dict[str, object]:
    """Everything the page of one request shows; `uncut` also what would be left out for its size."""
    request = ticket.request
    display = shown(request, home=desk.world.home, whole=uncut)
    return {
        **row_of(ticket, desk.world.home),
        **_details(display),
        "cwd": short(_safe(request.cwd), desk.world.home),
        "choices": [_choice(raw, safe) for raw, safe in zip(request.choices, display.choices, strict=False)],
        "scopes": _scopes(request, desk),
        "policy_digest": request.policy_digest,
    }


def _details(display: Display) -> dict[str, object]:
    return {
        "sections": [
            {"name": section.name, "lines": [_line(line) for line in section.lines]} for section in display.sections
        ],
        "complete": display.complete,
        "parts": table_of(display.parts),
        "targets": table_of(display.targets),
        "why": list(display.why),
        "mode": display.mode,
        "warnings": list(display.warnings),
        "description": display.description,
        "trace": table_of(display.trace),
        "suggestion": display.suggestion,
    }


def _line(line: Line) -> dict[str, object]:
    fragments = [[fragment.text, fragment.kind] for fragment in line.fragments]
    return {"number": line.number, "mark": line.mark, "fragments": fragments}


def _choice(raw: Choice, safe: Choice) -> dict[str, object]:
    """`rules` go back with the answer, exactly; `shown` is what a person reads."""
    return {
        "rules": list(raw.rules),
        "shown": list(safe.rules),
        "matches": list(safe.matches),
        "not_matches": list(safe.not_matches),
        "unchanged": bool(raw.unchanged),
    }


def _scopes(request: ApprovalRequest, desk: Desk) -> list[dict[str, object]]:
    """The lasting scopes that this request can have, each with how long it lasts and where it is written."""
    missing = {"session": not request.session, "project": not request.workspace}
    file, now = short(grants_file(desk.state), desk.world.home), desk.clock()
    return [
        {"scope": scope, "seconds": max(end_of(scope, now) - now, 0), "file": file}
        for scope in LASTING
        if not missing.get(scope)
    ]


def _safe(text: str) -> str:
    return one_line(text, prose=False)
