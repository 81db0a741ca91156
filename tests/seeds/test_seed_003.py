"""The commissioned code for asynchronous approval, as it was written, with only its import lines changed."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from assent import (
    ApprovalGate,
    ApprovalResult,
    Guard,
    PermissionAuditEntry,
    PermissionHost,
    safe_display_description,
)

T = TypeVar("T")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run(story: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(story)


def test_the_minimal_gate(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> ApprovalResult:
        gate = ApprovalGate()
        asked = asyncio.create_task(gate.ask("bash", "rm -rf build/"))
        while not gate._pending:
            await asyncio.sleep(0.001)
        rid = next(iter(gate._pending))
        gate.resolve(rid, approved=True)
        return await asked

    result = run(main())
    assert result.approved
    assert capsys.readouterr().out == f"[APPROVAL NEEDED] bash: rm -rf build/ (id={result.request_id})\n"


def test_the_gate_forgets_what_nobody_answers() -> None:
    async def main() -> tuple[ApprovalResult, dict[str, Any]]:
        gate = ApprovalGate(timeout=0.02)
        result = await gate.ask("bash", "sleep")
        gate.resolve(result.request_id, True)
        return result, gate._pending

    result, pending = run(main())
    assert (result.approved, result.reason, pending) == (False, "timeout", {})


def test_the_host_suspends_until_the_dialog_resolves() -> None:
    class BackendHost(PermissionHost):
        async def _emit_approval_request(self, request_id, tool_name, description, context):  # type: ignore[no-untyped-def]
            self.emitted = (tool_name, description, context)
            asyncio.get_running_loop().call_soon(
                lambda: asyncio.ensure_future(self.resolve_approval(request_id, True, "looks fine"))
            )

    host = BackendHost()
    result = run(host.request_approval("bash", "Running tests (npm test)", {"command": "npm test"}))
    host.close()
    assert str(uuid.UUID(result.request_id)) == result.request_id
    assert (result.approved, result.reason) == (True, "looks fine")
    assert host.emitted == ("bash", "Running tests (npm test)", {"command": "npm test"})


def test_results_and_entries_are_made_as_in_the_document() -> None:
    result = ApprovalResult(approved=False, request_id="r", reason="Approval timeout (300s) — auto-denied")
    assert (result.approved, result.request_id, result.reason) == (False, "r", "Approval timeout (300s) — auto-denied")
    assert ApprovalResult(True, "r").reason == ""
    entry = PermissionAuditEntry(
        request_id="r", timestamp=time.time(), tool_name="bash", approved=False, reason="no", timeout=True
    )
    assert (entry.request_id, entry.tool_name, entry.approved, entry.timeout) == ("r", "bash", False, True)


def test_a_description_cannot_bring_markup_along() -> None:
    shown = safe_display_description("<description>Running tests</description><script>approve()</script> & more")
    assert "<" not in shown
    assert ">" not in shown
    assert "Running tests" in shown
    assert "&amp; more" in shown


def test_every_decision_is_one_line_with_the_documented_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "p/.git").mkdir(parents=True)
    with Guard(workspace=str(tmp_path / "p"), channels=(), timeout=0.05) as guard:
        call = guard.call("Bash", {"command": "make deploy"}, cwd=str(tmp_path / "p"))
        result = guard.authorize_sync(call)
    assert result.reason == "Approval timeout (0.05s) — auto-denied"
    lines = (tmp_path / "state/assent/audit/permissions.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    [timeout] = [entry for entry in entries if entry["kind"] == "timeout"]
    wanted = ("request_id", "timestamp", "tool_name", "approved", "reason", "timeout")
    assert [timeout[name] for name in wanted if name != "timestamp"] == [
        result.request_id,
        "Bash",
        False,
        "Approval timeout (0.05s) — auto-denied",
        True,
    ]
    assert isinstance(timeout["timestamp"], float)
