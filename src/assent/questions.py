"""The records of asking a person: what is asked and shown, what is answered, and how it ended.

Apart from `types`, because a call that needs no question should not pay for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from assent import wire
from assent.errors import InputError
from assent.record import record

State = Literal["pending", "approved", "denied", "expired", "cancelled"]
Scope = Literal["once", "15min", "session", "project", "user"]
Danger = Literal["low", "medium", "high"]
T = TypeVar("T")

STATES: tuple[State, ...] = ("pending", "approved", "denied", "expired", "cancelled")
SCOPES: tuple[Scope, ...] = ("once", "15min", "session", "project", "user")
LASTING: tuple[Scope, ...] = SCOPES[1:]
TIMEOUT = 300.0
"""Seconds a request waits for an answer, from the moment somebody is shown it."""
KEPT_SECONDS = 86_400.0
"""How long a question stays that nobody was shown or waits for, and the answer to one whose caller had left."""


@record
class Part:
    """One part of what is asked about: a command of a command line, or the call as a whole."""

    text: str
    verdict: str
    why: str = ""
    inside: tuple[str, ...] = ()
    """What it is nested in, outermost first: `$( )`, `bash -c`."""
    rule: str = ""
    """The rule that decided about it and where that stands, or nothing."""


@record
class Choice:
    """Rules that a lasting answer would write, and examples of what they would and would not let through."""

    rules: tuple[str, ...]
    matches: tuple[str, ...] = ()
    not_matches: tuple[str, ...] = ()
    unchanged: tuple[tuple[str, str], ...] = ()
    """Commands of the project with the fingerprint of what defines them; `rules` then says so in words."""


@record
class ApprovalRequest:
    """One question to a person. Everything but `description` comes from our own analysis of the call."""

    id: str
    tool: str
    input: str
    """The whole input of the tool as JSON, exactly what would run."""
    command: str = ""
    """The raw text of a shell command, else empty."""
    fingerprint: str = ""
    """Stands for the action: an answer is good for this and nothing else."""
    agent: str = ""
    session: str = ""
    chain: tuple[str, ...] = ()
    cwd: str = ""
    workspace: str = ""
    branch: str = ""
    mode: str = "default"
    policy_digest: str = ""
    sentence: str = ""
    """What would happen, as verbs of effect with counts."""
    danger: Danger = "medium"
    undoable: bool = True
    parts: tuple[Part, ...] = ()
    targets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By effect: `("Reads", ("out.tgz",))`."""
    why: tuple[str, ...] = ()
    description: str = ""
    """The agent's own words, raw and not to be believed."""
    warnings: tuple[str, ...] = ()
    """What is odd about the text or the agent's words."""
    choices: tuple[Choice, ...] = ()
    """What a lasting answer could say, the narrowest first; empty when only "once" is possible."""
    trace: tuple[tuple[str, str], ...] = ()
    """Every step of the decision with its outcome."""
    asked_at: float = 0.0
    timeout: float = TIMEOUT
    suggest_mode: str = ""
    """A looser mode to suggest, because a person has denied so often; only ever a suggestion."""


@record
class Answer:
    """What a person said to a request, and how we know."""

    approved: bool
    by: str
    via: str
    """The channel: terminal, web, callback, webhook."""
    at: float
    reason: str = ""
    scope: Scope = "once"
    rules: tuple[str, ...] = ()
    """With a lasting scope: the rules that were shown and accepted."""
    fingerprint: str = ""
    """Of the request as the person was shown it."""


MODEL = "classifier"
"""The channel of answers that a model gave."""


def kind_of(answer: Answer) -> str:
    """Who answered, as the journal tells them apart: `human` or `classifier`."""
    return MODEL if answer.via == MODEL else "human"


@record
class Ticket:
    """A request as the store keeps it."""

    request: ApprovalRequest
    state: State = "pending"
    shown_at: float = 0.0
    """When the first channel showed it; 0 while it waits for its turn."""
    expires_at: float = 0.0
    decided_at: float = 0.0
    answer: Answer | None = None
    spent_at: float = 0.0
    """When the approved action was started; an approval is spent once."""
    note: str = ""
    """Why it ended without an answer."""
    version: int = 0
    """Grows with every change in the store."""
    broken: str = ""
    """Why the row cannot be read; `request` then only says so, and can be denied but not approved."""

    @property
    def id(self) -> str:
        return self.request.id

    @property
    def ends_at(self) -> float:
        """When it expires; one that nobody waits for is kept for a day."""
        return self.expires_at or self.request.asked_at + KEPT_SECONDS


@record
class Session:
    """What is remembered about one session of an agent: the mode a person chose for it, and the denials so far."""

    id: str
    agent: str = ""
    mode: str = ""
    """Empty while the policy's mode holds."""
    consecutive: int = 0
    total: int = 0
    refused: int = 0
    seen_at: float = 0.0
    suggests: bool = False
    """Whether to suggest a looser mode; only ever a suggestion."""


@record
class ApprovalResult:
    """How a request ended, told to whoever waits for it."""

    approved: bool
    request_id: str
    reason: str = ""
    state: State = "denied"
    answer: Answer | None = None

    @staticmethod
    def _translate(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """INVARIANT: what is approved is in the state `approved`, and nothing else is, whoever made the record."""
        fields = {**dict(zip(("approved", "request_id", "reason", "state"), args, strict=False)), **kwargs}
        if len(args) < 4 and "approved" in fields and fields["approved"] != (fields.get("state") == "approved"):
            kwargs = {**kwargs, "state": "approved" if fields["approved"] else "denied"}
        return args, kwargs


# --- as JSON -------------------------------------------------------------------------------------------------------

DEEPEST = 50


def plain(value: Any, depth: int = 0) -> object:
    """An argument that a program gave, as rules and people can look at it: the same in every process where it can be.

    INVARIANT: nothing is left out; what JSON does not know is told in Python's own words.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if depth == DEEPEST:
        raise InputError(f"the arguments are nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        return {str(name): plain(one, depth + 1) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [plain(one, depth + 1) for one in value]
    dump = getattr(value, "model_dump", None)
    return plain(dump(mode="json"), depth + 1) if callable(dump) and not isinstance(value, type) else repr(value)


BODY = 1
"""The version of a stored request; one without a version was written before there were any, and is the same."""


def dump(made: object) -> str:
    """A record of this file as JSON text; a request says which version of it this is."""
    table = table_of(made)
    return wire.dumps(
        {"body": BODY, **table} if isinstance(table, dict) and isinstance(made, ApprovalRequest) else table
    )


def table_of(made: object) -> object:
    """A record of this file as a plain table, records inside it too."""
    if isinstance(made, tuple):
        return [table_of(one) for one in made]
    names = getattr(made, "__slots__", None)
    return {name: table_of(getattr(made, name)) for name in names} if names else made


def load_request(text: str | bytes) -> ApprovalRequest:
    """Read back what `dump` wrote. INVARIANT: an unknown or missing field is an error, never a default."""
    table = wire.loads(text)
    found = table.pop("body", BODY) if isinstance(table, dict) else BODY
    if found != BODY:
        raise InputError(f"it is in version {found}, this Assent reads {BODY}", help=OTHER)
    fields = _fields(table, ApprovalRequest)
    fields["parts"] = tuple(_checked(_made(Part, one)) for one in _rows(fields["parts"]))
    fields["choices"] = tuple(_checked(_made(Choice, one)) for one in _rows(fields["choices"]))
    return _checked(ApprovalRequest(**{name: _frozen(value) for name, value in fields.items()}))  # type: ignore[arg-type]


def unreadable(id: str, session: str, fingerprint: str, asked_at: float, why: str) -> ApprovalRequest:
    """What stands for a stored request that cannot be read: the worst it could be."""
    return ApprovalRequest(
        id,
        "unreadable",
        "{}",
        fingerprint=fingerprint,
        session=session,
        sentence="This request cannot be read",
        danger="high",
        undoable=False,
        why=(f"what is stored cannot be read: {why}",),
        asked_at=asked_at,
    )


def load_answer(text: str | bytes) -> Answer:
    return _checked(_made(Answer, wire.loads(text)))


OTHER = "it was written by another version of Assent"


def _checked(made: T) -> T:
    """INVARIANT: what was read has the types that it would have had, however deep, so that whoever shows it need not
    look."""
    cls: Any = type(made)
    for name, wanted in _hints(cls).items():
        if not _fits(getattr(made, name), wanted):
            raise InputError(f"`{name}` is not what it should be", help=OTHER)
    return made


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return {name: wanted for name, wanted in get_type_hints(cls).items() if name in cls.__slots__}


def _fits(value: object, wanted: Any) -> bool:
    kind, inner = get_origin(wanted), get_args(wanted)
    if kind is Literal:
        return value in inner
    if kind is tuple:
        if not isinstance(value, tuple):
            return False
        if inner[-1] is Ellipsis:
            return all(_fits(one, inner[0]) for one in value)
        return len(value) == len(inner) and all(map(_fits, value, inner))
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool)


def _made(cls: type[T], table: object) -> T:
    return cls(**{name: _frozen(value) for name, value in _fields(table, cls).items()})


def _fields(table: object, cls: type) -> dict[str, object]:
    names = cls.__slots__  # type: ignore[attr-defined]
    if not isinstance(table, dict) or set(table) != set(names):
        raise InputError(f"this is no stored {cls.__name__}", help=OTHER)
    return dict(table)


def _rows(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _frozen(value: object) -> object:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
