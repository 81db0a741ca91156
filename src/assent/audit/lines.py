"""One line of the journal: how a record is written, sealed with its hash, and read back."""

from __future__ import annotations

from assent import wire
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = (
    *("decision", "question", "shown", "answer", "timeout", "cancelled", "spent", "grant", "revoke", "mode", "policy"),
    *("error", "result", "rotated", "recovered"),
)
ENTRY_KINDS = ("decision", "answer", "timeout", "cancelled")
"""The kinds that end a request; their lines can be read as a `PermissionAuditEntry`."""
OWN = ("event_id", "time", "seq", "prev_hash", "kind", "user", "host", "hash")
"""What the journal itself writes into a line; no caller can."""
NOTHING = "0" * 64
"""The hash before the first record."""
HEX = frozenset("0123456789abcdef")
SEAL = len(b', "hash": "' + NOTHING.encode() + b'"}')


class JournalError(AssentError):
    """The journal cannot be written or read. INVARIANT: whoever could not write down an action denies it."""


@record
class Record:
    """One line of the journal; `fields` is what the caller told, after masking."""

    seq: int
    time: float
    kind: str
    event_id: str
    prev_hash: str
    hash: str
    fields: Mapping[str, object]

    def table(self) -> dict[str, object]:
        """Everything in the line, as one table."""
        return {
            "event_id": self.event_id,
            "time": self.time,
            "seq": self.seq,
            "prev_hash": self.prev_hash,
            "kind": self.kind,
            **self.fields,
            "hash": self.hash,
        }

    def text(self, name: str) -> str:
        """A field that is text, or nothing."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


def members(told: Mapping[str, object]) -> str:
    """The members of a table as JSON, without its braces: the slow part of a line, done before the lock."""
    return wire.dumps(dict(told))[1:-1]


def write_line(own: Mapping[str, object], told: Mapping[str, object], encoded: str) -> tuple[bytes, Record]:
    """The bytes of a line without its newline, and the record in it; `encoded` is what `members` made of `told`."""
    front = wire.dumps(dict(own))[:-1]
    body = f"{front}, {encoded}" if encoded else front
    digest = sha256(f"{body}}}".encode())
    return f'{body}, "hash": "{digest}"}}'.encode(), _record({**own, **told, "hash": digest})


def read_line(line: bytes) -> Record:
    """The record of a line; an `InputError` says what is wrong. Whether its hash is right is for `is_sealed` to say."""
    table = wire.loads(line)
    if not isinstance(table, dict):
        raise InputError("it is not a table")
    return _record(table)


def is_sealed(line: bytes) -> bool:
    """Whether the hash at the end of a line is the hash of all that stands before it."""
    body, seal = line[:-SEAL] + b"}", line[-SEAL:]
    return seal == b', "hash": "' + sha256(body).encode() + b'"}'


def _record(table: dict[str, object]) -> Record:
    match table:
        case {
            "event_id": str(identity),
            "time": int() | float() as at,
            "seq": int(seq),
            "prev_hash": str(before),
            "kind": str(kind),
            "hash": str(digest),
            **fields,
        } if seq is not True and seq > 0 and is_hash(before) and is_hash(digest):
            return Record(seq, float(at), kind, identity, before, digest, fields)
    raise InputError("it is no record of the journal")


def is_hash(text: str) -> bool:
    return len(text) == 64 and HEX.issuperset(text)
