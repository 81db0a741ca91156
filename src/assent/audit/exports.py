"""The journal for other programs: rows for spreadsheets, OpenTelemetry logs, OCSF events."""

from __future__ import annotations

from assent import wire
from assent.audit.reading import outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.audit.lines import Record

FORMATS = ("csv", "jsonl", "otel", "ocsf")
COLUMNS = (
    *("seq", "time", "kind", "outcome", "tool", "command", "reason", "decided_by", "session_id", "request_id"),
    *("agent", "user", "host", "cwd", "mode", "rule_id", "executed", "exit_code", "event_id", "hash"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BATCH = 500
OCSF_VERSION = "1.6.0"
OTEL = {"allow": 9, "approved": 9, "ask": 10, "deny": 13, "denied": 13, "expired": 13, "cancelled": 10, "error": 17}
"""Severity numbers: INFO, INFO2, WARN, ERROR."""
OTEL_NAMES = {9: "INFO", 10: "INFO2", 13: "WARN", 17: "ERROR"}
OCSF_SEVERITY = {9: 1, 10: 1, 13: 3, 17: 4}
"""Informational, medium, high."""
OCSF_ACTIVITY = (("delete", 4), ("write", 3), ("change", 3), ("read", 2), ("list", 2), ("search", 2))
OCSF_ACTIVITY_NAMES = {2: "Read", 3: "Update", 4: "Delete", 99: "Other"}
OCSF_STATUS, OCSF_ACTION = ("Unknown", "Success", "Failure"), ("Unknown", "Allowed", "Denied")
SUCCESS, FAILURE = ("allow", "approved"), ("deny", "denied", "expired", "cancelled")
GEN_AI = {
    "tool": "gen_ai.tool.name",
    "tool_call_id": "gen_ai.tool.call.id",
    "session_id": "gen_ai.conversation.id",
    "agent": "gen_ai.agent.name",
}
"""Our fields that OpenTelemetry's conventions for generative AI have names for."""


def export(found: Iterable[Record], format: str, version: str) -> Iterator[str]:
    """The lines of an export, newlines included."""
    if format == "csv":
        yield _row(COLUMNS)
        yield from (_row([_cell(_column(one, name)) for name in COLUMNS]) for one in found)
    elif format == "jsonl":
        yield from (wire.dumps(one.table()) + "\n" for one in found)
    elif format == "ocsf":
        yield from (wire.dumps(as_ocsf(one, version)) + "\n" for one in found)
    elif format == "otel":
        yield from (wire.dumps(as_otel(some, version)) + "\n" for some in _batches(found))


def _batches(found: Iterable[Record]) -> Iterator[list[Record]]:
    some: list[Record] = []
    for one in found:
        some.append(one)
        if len(some) == BATCH:
            yield some
            some = []
    if some:
        yield some


# --- CSV -----------------------------------------------------------------------------------------------------------


def _column(found: Record, name: str) -> object:
    if name == "time":
        return iso(found.time)
    if name == "outcome":
        return outcome(found)
    if name == "decided_by":
        by = found.fields.get("decided_by")
        parts = [by.get("kind"), by.get("id")] if isinstance(by, dict) else [by]
        return " ".join(str(part) for part in parts if part)
    if name in ("seq", "kind", "event_id", "hash"):
        return getattr(found, name)
    return found.fields.get(name)


def _cell(value: object) -> str:
    """One line, and nothing that a spreadsheet would run."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else wire.dumps(value)
    if text.lstrip().startswith(FORMULA) or text.startswith(FORMULA):
        text = "'" + text
    return "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in text)


def _row(cells: Iterable[str]) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\r\n"


def iso(at: float) -> str:
    """A moment in UTC, to the microsecond."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# --- OpenTelemetry -------------------------------------------------------------------------------------------------


def as_otel(found: Iterable[Record], version: str) -> dict[str, object]:
    """An OTLP/JSON logs payload, as the body of a request to `/v1/logs` or a line of an OTLP file."""
    by_host: dict[str, list[Record]] = {}
    for one in found:
        by_host.setdefault(one.text("host"), []).append(one)
    return {
        "resourceLogs": [
            {
                "resource": {"attributes": _pairs({"service.name": "assent", "host.name": host})},
                "scopeLogs": [
                    {
                        "scope": {"name": "assent.audit", "version": version},
                        "logRecords": [_log_record(one) for one in some],
                    }
                ],
            }
            for host, some in by_host.items()
        ]
    }


def _log_record(found: Record) -> dict[str, object]:
    severity = _severity(found)
    nanoseconds = str(round(found.time * 1_000_000) * 1000)
    told = {name: value for name, value in found.table().items() if name not in ("time", "timestamp", "host")}
    return {
        "timeUnixNano": nanoseconds,
        "observedTimeUnixNano": nanoseconds,
        "severityNumber": severity,
        "severityText": OTEL_NAMES[severity],
        "eventName": f"assent.{found.kind}",
        "body": {"stringValue": sentence(found)},
        "attributes": _pairs({**_gen_ai(found), **{f"assent.{name}": value for name, value in told.items()}}),
    }


def _gen_ai(found: Record) -> dict[str, object]:
    named: dict[str, object] = {name: found.text(ours) for ours, name in GEN_AI.items() if found.text(ours)}
    return {"gen_ai.operation.name": "execute_tool", **named} if GEN_AI["tool"] in named else named


def _severity(found: Record) -> int:
    return OTEL.get(outcome(found) or found.kind, 9)


def _pairs(table: dict[str, object]) -> list[object]:
    return [{"key": name, "value": _any_value(value)} for name, value in table.items() if value is not None]


def _any_value(value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": _pairs(value)}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_any_value(one) for one in value]}}
    return {} if value is None else {"stringValue": str(value)}


def sentence(found: Record) -> str:
    """The event in one line."""
    parts = (found.kind, outcome(found), found.text("tool"), found.text("command"), found.text("reason"))
    return " ".join(dict.fromkeys(part for part in parts if part))


# --- OCSF ----------------------------------------------------------------------------------------------------------


def as_ocsf(found: Record, version: str) -> dict[str, object]:
    """An event of the class API Activity (6003): an agent asked for an operation, and this is what became of it.

    The profile Security Control adds what Assent did about it and under which policy.
    """
    activity, came_out = _activity(found), outcome(found)
    status = 1 if came_out in SUCCESS else 2 if came_out in FAILURE else 0
    request_id, session, agent = found.text("request_id"), found.text("session_id"), found.text("agent")
    reason, policy = found.text("reason"), found.text("policy_digest")
    return {
        "category_uid": 6,
        "category_name": "Application Activity",
        "class_uid": 6003,
        "class_name": "API Activity",
        "activity_id": activity,
        "activity_name": OCSF_ACTIVITY_NAMES[activity],
        "type_uid": 600_300 + activity,
        "type_name": f"API Activity: {OCSF_ACTIVITY_NAMES[activity]}",
        "time": round(found.time * 1000),
        "severity_id": OCSF_SEVERITY[_severity(found)],
        "status_id": status,
        "status": OCSF_STATUS[status],
        **({"status_detail": reason} if reason else {}),
        "action_id": status,
        "action": OCSF_ACTION[status],
        **({"policy": {"uid": policy}} if policy else {}),
        "message": sentence(found),
        "metadata": {
            "version": OCSF_VERSION,
            "profiles": ["security_control"],
            "uid": found.event_id,
            "sequence": found.seq,
            "event_code": found.kind,
            "log_name": "assent.audit",
            "original_time": iso(found.time),
            "product": {"name": "assent", "vendor_name": "assent", "version": version},
        },
        "actor": {
            "user": {"name": found.text("user") or "unknown"},
            **({"session": {"uid": session}} if session else {}),
            **({"app_name": agent} if agent else {}),
        },
        "api": {
            "operation": found.text("tool") or found.kind,
            "service": {"name": "assent"},
            **({"request": {"uid": request_id}} if request_id else {}),
        },
        "src_endpoint": {"hostname": found.text("host") or "unknown"},
        "unmapped": found.table(),
    }


def _activity(found: Record) -> int:
    effects = found.fields.get("effects")
    kinds = {_effect_kind(one) for one in effects} if isinstance(effects, list) else set()
    return next((number for kind, number in OCSF_ACTIVITY if kind in kinds), 99)


def _effect_kind(effect: object) -> str:
    told = effect.get("kind", "") if isinstance(effect, dict) else effect
    return str(told).partition(" ")[0]
