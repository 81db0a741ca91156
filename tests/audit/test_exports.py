"""Exports: rows that no spreadsheet runs, OpenTelemetry logs and OCSF events with everything their schemas ask for."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assent.audit.exports import BATCH, COLUMNS, as_ocsf, as_otel, export
from assent.audit.journal import Journal
from assent.audit.lines import KINDS, Record
from assent.audit.reading import records
from audit.journals import lines, written

ANY_VALUE = {
    "type": "object",
    "maxProperties": 1,
    "additionalProperties": False,
    "properties": {
        "stringValue": {"type": "string"},
        "boolValue": {"type": "boolean"},
        "intValue": {"type": "string", "pattern": "^-?[0-9]+$"},
        "doubleValue": {"type": "number"},
        "arrayValue": {
            "type": "object",
            "required": ["values"],
            "additionalProperties": False,
            "properties": {"values": {"type": "array", "items": {"$ref": "#/$defs/any"}}},
        },
        "kvlistValue": {
            "type": "object",
            "required": ["values"],
            "additionalProperties": False,
            "properties": {"values": {"$ref": "#/$defs/pairs"}},
        },
    },
}
PAIRS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["key", "value"],
        "additionalProperties": False,
        "properties": {"key": {"type": "string", "minLength": 1}, "value": {"$ref": "#/$defs/any"}},
    },
}
NANOSECONDS = {"type": "string", "pattern": "^[0-9]{1,20}$"}


def closed(**properties: object) -> dict[str, object]:
    """An object with exactly these members."""
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
    }


def listed(items: object) -> dict[str, object]:
    return {"type": "array", "minItems": 1, "items": items}


LOG_RECORD = closed(
    timeUnixNano=NANOSECONDS,
    observedTimeUnixNano=NANOSECONDS,
    severityNumber={"type": "integer", "minimum": 1, "maximum": 24},
    severityText={"type": "string"},
    eventName={"type": "string"},
    body={"$ref": "#/$defs/any"},
    attributes={"$ref": "#/$defs/pairs"},
)
SCOPE = closed(name={"type": "string"}, version={"type": "string"})
OTLP = {
    "$defs": {"any": ANY_VALUE, "pairs": PAIRS},
    **closed(
        resourceLogs=listed(
            closed(
                resource=closed(attributes={"$ref": "#/$defs/pairs"}),
                scopeLogs=listed(closed(scope=SCOPE, logRecords=listed(LOG_RECORD))),
            )
        )
    ),
}
"""The JSON mapping of opentelemetry-proto 1.5, logs, as far as we use it, and nothing else."""


def need(*names: str, **properties: object) -> dict[str, object]:
    return {"type": "object", "required": [*names, *properties], "properties": properties}


OCSF = need(
    activity_id={"enum": [0, 1, 2, 3, 4, 99]},
    actor={**need(user=need("name")), "minProperties": 1},
    api=need(operation={"type": "string", "minLength": 1}),
    category_uid={"const": 6},
    class_uid={"const": 6003},
    metadata=need(
        version={"const": "1.6.0"}, product=need("vendor_name", "name"), profiles={"const": ["security_control"]}
    ),
    severity_id={"enum": [0, 1, 2, 3, 4, 5, 6, 99]},
    src_endpoint={**need("hostname"), "minProperties": 1},
    time={"type": "integer"},
    type_uid={"enum": [600300, 600301, 600302, 600303, 600304, 600399]},
    status_id={"enum": [0, 1, 2, 99]},
    action_id={"enum": [0, 1, 2, 3, 4]},
)
"""What API Activity of OCSF 1.6.0 requires, with the profile Security Control."""
FIELDS = st.dictionaries(
    st.sampled_from(["tool", "command", "reason", "effects", "session_id", "agent", "x", "approved", "decided_by"]),
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9)
    | st.lists(
        st.text(max_size=5) | st.dictionaries(st.sampled_from(["kind", "target"]), st.text(max_size=5)), max_size=2
    )
    | st.dictionaries(st.sampled_from(["kind", "id"]), st.text(max_size=5)),
    max_size=5,
)
RECORDS = st.builds(
    lambda seq, kind, fields: Record(seq, 1.5, kind, "id", "0" * 64, "f" * 64, {"user": "me", "host": "h", **fields}),
    st.integers(1, 99),
    st.sampled_from(KINDS),
    FIELDS,
)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    journal = Journal(str(tmp_path / "a"), durable=False, clock=lambda: 1_700_000_000.5)
    told = {
        "tool": "Bash",
        "decision": "deny",
        "command": "=cmd|' /C calc'!A0",
        "reason": "two\nlines",
        "request_id": "r1",
        "policy_digest": "p1",
    }
    journal.append(
        "decision", {**told, "effects": [{"kind": "delete", "target": "/x"}], "session_id": "s", "agent": "a"}
    )
    journal.append("result", {"tool": "Bash", "executed": True, "exit_code": 1})
    return str(tmp_path / "a")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_has_a_row_per_event_and_nothing_to_run(folder: str) -> None:
    made = list(export(records(folder), "csv", "1"))
    assert len(made) == 3
    first, second = rows("".join(made))
    told = {name: first[name] for name in ("seq", "time", "kind", "outcome", "command", "reason", "request_id")}
    assert told == {
        "seq": "1",
        "time": "2023-11-14T22:13:20.500000Z",
        "kind": "decision",
        "outcome": "deny",
        "command": "'=cmd|' /C calc'!A0",
        "reason": "two\\u{a}lines",
        "request_id": "r1",
    }
    assert (second["executed"], second["exit_code"], second["outcome"]) == ("true", "1", "")


@settings(deadline=None)
@given(st.lists(st.sampled_from(list("=+-@\t\r\n ,\"'＝a1")) | st.characters(), max_size=8).map("".join))
def test_no_cell_is_a_formula(text: str) -> None:
    one = Record(1, 1.5, "decision", "id", "0" * 64, "f" * 64, {"command": text, "reason": f" {text}"})
    made = "".join(export([one], "csv", "1"))
    [row] = rows(made)
    assert tuple(row) == COLUMNS
    assert [cell for cell in row.values() if cell.lstrip()[:1] in tuple("=+-@\t\r＝＋－＠") and cell.strip()] == []
    assert made.count("\r\n") == 2


def test_jsonl_is_the_journal_as_it_was_written(folder: str) -> None:
    made = "".join(export(records(folder), "jsonl", "1"))
    assert made.encode() == b"".join(line + b"\n" for line in lines(Path(folder)))


def test_an_event_as_an_opentelemetry_log(folder: str) -> None:
    [payload] = map(json.loads, export(records(folder), "otel", "9.9"))
    Draft202012Validator(OTLP).validate(payload)
    [resource] = payload["resourceLogs"]
    [scope] = resource["scopeLogs"]
    assert scope["scope"] == {"name": "assent.audit", "version": "9.9"}
    first: dict[str, Any] = scope["logRecords"][0]
    attributes = {pair["key"]: pair["value"] for pair in first.pop("attributes")}
    assert first == {
        "timeUnixNano": "1700000000500000000",
        "observedTimeUnixNano": "1700000000500000000",
        "severityNumber": 13,
        "severityText": "WARN",
        "eventName": "assent.decision",
        "body": {"stringValue": "decision deny Bash =cmd|' /C calc'!A0 two\nlines"},
    }
    assert {name: value for name, value in attributes.items() if name.startswith("gen_ai.")} == {
        "gen_ai.operation.name": {"stringValue": "execute_tool"},
        "gen_ai.tool.name": {"stringValue": "Bash"},
        "gen_ai.conversation.id": {"stringValue": "s"},
        "gen_ai.agent.name": {"stringValue": "a"},
    }
    assert attributes["assent.seq"] == {"intValue": "1"}
    assert attributes["assent.approved"] == {"boolValue": False}
    assert attributes["assent.effects"] == {
        "arrayValue": {
            "values": [
                {
                    "kvlistValue": {
                        "values": [
                            {"key": "kind", "value": {"stringValue": "delete"}},
                            {"key": "target", "value": {"stringValue": "/x"}},
                        ]
                    }
                }
            ]
        }
    }


def test_opentelemetry_payloads_come_in_batches(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", BATCH + 1)
    made = [json.loads(line) for line in export(records(str(folder)), "otel", "1")]
    assert [len(one["resourceLogs"][0]["scopeLogs"][0]["logRecords"]) for one in made] == [BATCH, 1]


def test_an_event_as_ocsf(folder: str) -> None:
    first, second = map(json.loads, export(records(folder), "ocsf", "9.9"))
    for one in (first, second):
        Draft202012Validator(OCSF).validate(one)
    unnamed = ("message", "metadata", "src_endpoint", "unmapped")
    assert {name: value for name, value in first.items() if name not in unnamed} == {
        "category_uid": 6,
        "category_name": "Application Activity",
        "class_uid": 6003,
        "class_name": "API Activity",
        "type_name": "API Activity: Delete",
        "status": "Failure",
        "status_detail": "two\nlines",
        "action_id": 2,
        "action": "Denied",
        "policy": {"uid": "p1"},
        "activity_id": 4,
        "activity_name": "Delete",
        "type_uid": 600304,
        "time": 1700000000500,
        "severity_id": 3,
        "status_id": 2,
        "actor": {"user": first["actor"]["user"], "session": {"uid": "s"}, "app_name": "a"},
        "api": {"operation": "Bash", "service": {"name": "assent"}, "request": {"uid": "r1"}},
    }
    assert (second["activity_id"], second["type_uid"], second["status_id"]) == (99, 600399, 0)
    assert (second["action_id"], second["action"]) == (0, "Unknown")
    assert {"policy", "status_detail"} & second.keys() == set()


@settings(deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=3))
def test_whatever_was_told_the_exports_fit_their_schemas(found: list[Record]) -> None:
    Draft202012Validator(OTLP).validate(json.loads(json.dumps(as_otel(found, "1"))))
    for one in found:
        event = json.loads(json.dumps(as_ocsf(one, "1")))
        Draft202012Validator(OCSF).validate(event)
        assert event["type_uid"] == event["class_uid"] * 100 + event["activity_id"]
