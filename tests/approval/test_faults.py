"""kill -9 at random moments of asking, answering and spending, many processes at once: nothing is lost or doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from assent.approval.store import Store
from assent.audit.reading import records
from assent.audit.verify import verify

PROGRAM = Path(__file__).parent / "fault_program.py"
KILLS = 100


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def test_a_hundred_kills(tmp_path: Path) -> None:
    state, project = tmp_path / "state", tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    words = [sys.executable, str(PROGRAM), str(state), str(project), str(KILLS), "7"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"died by themselves": 0}

    found = verify(str(state / "audit"))
    assert found.problems == ()
    journal = list(records(str(state / "audit")))
    store = Store(str(state / "approvals.db"))
    pending = {ticket.id: ticket for ticket in store.pending(time.time())}
    decided = {ticket.id: ticket for ticket in store.history(limit=1_000_000)}
    store.close()

    asked = {record.text("request_id") for record in journal if record.kind == "question"}
    assert asked <= pending.keys() | decided.keys(), "a request that was asked is lost"
    effects, counted = Counter(lines(state / "effects")), Counter(lines(state / "counted"))
    assert len(effects) > 20, "too little happened to prove anything"
    assert max(effects.values()) == 1, "an approval was spent twice"
    assert max(counted.values()) == 1, "a request was answered twice"
    for request_id in effects:
        ticket = decided[request_id]
        assert (ticket.state, bool(ticket.spent_at)) == ("approved", True)
    for request_id in counted:
        assert decided[request_id].state in ("approved", "denied")
    answers = Counter(record.text("request_id") for record in journal if record.kind == "answer")
    spent = Counter(record.text("request_id") for record in journal if record.kind == "spent")
    assert max(answers.values()) == max(spent.values()) == 1
    assert effects.keys() <= spent.keys(), "something ran that is not written down"
