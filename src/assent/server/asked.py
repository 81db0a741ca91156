"""One call of the API: what was asked, read strictly, and the faults it can end in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assent import wire
from assent.desk import Desk, person
from assent.errors import AssentError, InputError
from assent.questions import Ticket, unreadable
from assent.record import record, replace
from assent.server.keys import Keys
from assent.server.view import row_of

VIA = "web"
MAX_TEXT = 100_000


class Fault(AssentError):  # noqa: N818 - a page of ours says what is wrong, nothing has broken
    """A call that changes nothing, with the HTTP status that says why."""

    def __init__(self, status: int, message: str, *, help: str = "") -> None:
        super().__init__(message, help=help)
        self.status = status


class Service:
    """What every call may use."""

    def __init__(self, desk: Desk, keys: Keys, *, by: str = "") -> None:
        self.desk = desk
        self.keys = keys
        self.by = by or person()

    def now(self) -> float:
        return self.desk.clock()

    def row(self, ticket: Ticket) -> dict[str, object]:
        """What a list shows of a request. INVARIANT: one that cannot be shown is said to be that; the others are."""
        try:
            return row_of(ticket, self.desk.world.home)
        except Exception as error:
            asked, why = ticket.request, f"{type(error).__name__}: {error}"
            stand_in = unreadable(ticket.id, asked.session, asked.fingerprint, asked.asked_at, why)
            return row_of(replace(ticket, request=stand_in, broken=why), self.desk.world.home)


@record
class Asked:
    """The parts of a request that a call looks at."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, object]
    token: str = ""

    def text(self, name: str, default: str | None = None, limit: int = MAX_TEXT) -> str:
        """A text of the body; without a default it must be there."""
        found = self.body.get(name, default)
        if not isinstance(found, str):
            raise Fault(400, f"`{name}` must be a text")
        if len(found) > limit:
            raise Fault(400, f"`{name}` is longer than {limit} characters")
        return found

    def flag(self, name: str) -> bool:
        """INVARIANT: only true is yes; 1, "yes" and a missing field are errors."""
        found = self.body.get(name)
        if not isinstance(found, bool):
            raise Fault(400, f"`{name}` must be true or false")
        return found

    def only(self, *names: str) -> None:
        """Refuse fields that nobody reads: they could be a restriction that somebody counts on."""
        unknown = sorted(set(self.body) - set(names))
        if unknown:
            raise Fault(400, f"unknown field `{unknown[0]}`", help=f"known are {', '.join(names)}")

    def number(self, name: str, default: int, most: int) -> int:
        """A whole number of the query."""
        found = self.query.get(name, str(default))
        if not found.isdecimal() or len(found) > 15:
            raise Fault(400, f"`{name}` must be a number")
        return min(int(found), most)


Call = Callable[[Service, Asked], object]


def read_body(data: bytes) -> dict[str, object]:
    """The JSON object of a POST; nothing at all is an empty one."""
    if not data.strip():
        return {}
    try:
        found = wire.loads(data)
    except InputError as error:
        raise Fault(400, error.message) from error
    if not isinstance(found, dict):
        raise Fault(400, "the body must be a JSON object")
    return found


def texts(value: object, name: str) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Fault(400, f"`{name}` must be a list of texts")
    return tuple(str(one) for one in value)
