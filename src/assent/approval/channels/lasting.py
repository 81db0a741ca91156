"""The second screen: how long and what exactly a lasting answer would allow, before it is given."""

from __future__ import annotations

import time

from assent.approval.channels.pages import Ink, Page, Row, row, rule
from assent.approval.columns import padded, width, wrapped
from assent.approval.fragments import one_line
from assent.questions import LASTING
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.approval.display import Display
    from assent.questions import ApprovalRequest, Scope

NAMES: dict[str, str] = {
    "15min": "15 minutes",
    "session": "this session",
    "project": "this project",
    "user": "everywhere",
}
MINUTES = 15
EXAMPLES = 2
MOST = 60


@record
class Pick:
    """What is selected: a scope and the place of one of the request's choices."""

    scope: Scope
    choice: int = 0


def scopes_of(request: ApprovalRequest) -> tuple[Scope, ...]:
    """The scopes that mean something for this request, the shortest first."""
    missing = {"session": not request.session, "project": not request.workspace}
    return tuple(scope for scope in LASTING if not missing.get(scope))


def lasting_page(display: Display, request: ApprovalRequest, pick: Pick, file: str, now: float, columns: int) -> Page:
    """Both lists, and below them literally what would be written, where, until when, and what that means."""
    scopes = scopes_of(request)
    choice = display.choices[pick.choice]
    body = [row(" For how long", "bold")]
    body += [_option(number, NAMES[scope], columns, on=scope == pick.scope) for number, scope in enumerate(scopes, 1)]
    body.append(row(" What exactly", "bold"))
    for place, one in enumerate(display.choices):
        body += _choice(one.rules, columns, on=place == pick.choice)
    body.append(rule(columns))
    body += _field("allows", choice.rules, columns, "ok")
    body += _field("where", (_where(pick.scope, request),), columns)
    body += _field("ends", (_end(pick.scope, now),), columns)
    body += _field("kept in", (file or "your grants: `assent grants list`",), columns)
    body += _field("lets through", choice.matches[:EXAMPLES] or ("nothing but this",), columns)
    body += _field("still asks for", choice.not_matches[:EXAMPLES] or ("everything else",), columns)
    head = (_badge(columns), rule(columns))
    return Page(head, tuple(body))


def _badge(columns: int) -> Row:
    said = " More than once: a rule that answers for you"
    return (Ink(" ASK ", "badge"), Ink(said if width(said) + 5 <= columns else " More than once", "bold"))


def _option(number: int, name: str, columns: int, *, on: bool) -> Row:
    return (
        Ink(f"   {'>' if on else ' '} ", "ok"),
        Ink(padded(f"{number}  {name}", columns - 6).rstrip(), "bold" if on else ""),
    )


def _choice(rules: tuple[str, ...], columns: int, *, on: bool) -> Iterator[Row]:
    for number, line in enumerate(wrapped(" and ".join(rules), columns - 6)):
        yield (Ink(f"   {'>' if on and not number else ' '} ", "ok"), Ink(line, "bold" if on else ""))


def _field(name: str, values: tuple[str, ...], columns: int, style: str = "") -> Iterator[Row]:
    label = f"   {name:<14}  "
    for place, value in enumerate(values):
        for number, line in enumerate(wrapped(value, columns - width(label))):
            start = label if not place and not number else " " * width(label)
            yield (Ink(start, "dim"), Ink(line, "ok" if style == "ok" else ""))


def _where(scope: Scope, request: ApprovalRequest) -> str:
    place = one_line(request.workspace, prose=False) if scope != "user" else ""
    place = f"in {place}" if place else "in every project, for every agent of yours"
    return f"session {one_line(request.session, MOST, prose=False)}, {place}" if scope == "session" else place


def _end(scope: Scope, now: float) -> str:
    if scope == "15min":
        return f"{time.strftime('%H:%M', time.localtime(now + MINUTES * 60))}, in {MINUTES} minutes"
    if scope == "session":
        return "with the session, or when you revoke it"
    return "never by itself; `assent grants revoke` ends it"
