"""The journal as plain permission entries: its six keys are in every line that ends a request."""

from __future__ import annotations

from assent.audit.lines import ENTRY_KINDS, Record
from assent.audit.reading import records
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@record
class PermissionAuditEntry:
    """How one request ended; `timestamp` is in seconds since 1970, `timeout` says that nobody answered in time."""

    request_id: str
    timestamp: float
    tool_name: str
    approved: bool
    reason: str = ""
    timeout: bool = False


def entries(folder: str) -> Iterator[PermissionAuditEntry]:
    """Every decision, answer, timeout and cancellation in a journal, oldest first."""
    return (entry_of(found) for found in records(folder) if found.kind in ENTRY_KINDS)


def entry_of(found: Record) -> PermissionAuditEntry:
    """INVARIANT: only a plain true approves."""
    return PermissionAuditEntry(
        found.text("request_id"),
        found.time,
        found.text("tool_name"),
        found.fields.get("approved") is True,
        found.text("reason"),
        found.fields.get("timeout") is True,
    )
