"""kill -9 at random moments of asking, answering and spending, many processes at once: nothing is lost or doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from assent.approval.store import Store
from assent.audit.reading import records
from assent.audit.verify import verify
from assent.desk import Desk

PROGRAM = Path(__file__).parent / "fault_program.py"
KILLS = int(os.environ.get("ASSENT_KILLS", "100"))
SEED = os.environ.get("ASSENT_KILLS_SEED", "7")


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def test_many_kills(tmp_path: Path) -> None:
    state, project = tmp_path / "state", tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    words = [sys.executable, str(PROGRAM), str(state), str(project), str(KILLS), SEED]
    done = subprocess.run(words, env=env, capture_output=True, text=True, cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"died by themselves": 0}

    shown = {row["id"]: row["request"] for row in json.loads((state / "grants.json").read_text())["grants"]}
    desk = Desk(str(state))  # whoever comes next finishes what was begun
    desk.store.pending(time.time())
    desk.close()
    found = verify(str(state / "audit"))
    assert found.problems == ()
    told = Told(state)
    assert told.undelivered == ()
    told.check_requests()
    told.check_grants(shown)
    effects, counted = Counter(lines(state / "effects")), Counter(lines(state / "counted"))
    assert len(effects) > KILLS // 5, "too little happened to prove anything"
    assert max(effects.values()) == 1, "an approval was spent twice"
    assert max(counted.values()) == 1, "a request was answered twice"
    for request_id in effects:
        ticket = told.decided[request_id]
        assert (ticket.state, bool(ticket.spent_at)) == ("approved", True)
    for request_id in counted:
        assert told.decided[request_id].state in ("approved", "denied")
    assert effects.keys() <= told.of("spent").keys(), "something ran that is not written down"


class Told:
    """What the store keeps and what the journal says about it."""

    def __init__(self, state: Path) -> None:
        self.records = list(records(str(state / "audit")))
        store = Store(str(state / "approvals.db"))
        self.undelivered = store.undelivered()
        self.pending = {ticket.id for ticket in store.pending(time.time())}
        self.decided = {ticket.id: ticket for ticket in store.history(limit=1_000_000)}
        self.grants = {row["id"]: row["request"] for row in map(json.loads, store.grants())}
        store.close()

    def of(self, kind: str, name: str = "request_id") -> Counter[str]:
        return Counter(record.text(name) for record in self.records if record.kind == kind)

    def check_requests(self) -> None:
        """Every request is in the journal once for each thing that happened to it, and nothing else is."""
        by_state: dict[str, set[str]] = {}
        for ticket in self.decided.values():
            by_state.setdefault(ticket.state, set()).add(ticket.id)
        assert self.of("question") == dict.fromkeys(self.pending | self.decided.keys(), 1), (
            "lost, doubled or unrecorded"
        )
        answered = by_state.get("approved", set()) | by_state.get("denied", set())
        assert self.of("answer") == dict.fromkeys(answered, 1)
        assert self.of("timeout") == dict.fromkeys(by_state.get("expired", set()), 1)
        assert self.of("cancelled") == dict.fromkeys(by_state.get("cancelled", set()), 1)
        spent = {ticket.id for ticket in self.decided.values() if ticket.spent_at and ticket.state == "approved"}
        assert self.of("spent") == dict.fromkeys(spent, 1)

    def check_grants(self, shown: Mapping[str, str]) -> None:
        """Every grant came with an answer, is in the journal once, and was shown to hooks only while it counted."""
        made, revoked = self.of("grant", "grant_id"), self.of("revoke", "grant_id")
        assert len(made) > KILLS // 10, "too little happened to prove anything"
        assert set(made.values()) | set(revoked.values()) == {1}, "doubled"
        replaced = made.keys() - revoked.keys() - self.grants.keys()
        assert (self.grants.keys() | revoked.keys()) <= made.keys(), "unrecorded"
        assert not (self.grants.keys() & revoked.keys()), "revoked and yet there"
        assert not (shown.keys() & revoked.keys()), "revoked and yet shown"
        assert shown.keys() <= self.grants.keys() | replaced
        for request in (*self.grants.values(), *shown.values()):
            assert self.decided[request].state == "approved", "live without an answer"
        assert replaced <= {record.text("grant_id") for record in self.records if record.kind == "grant"}
