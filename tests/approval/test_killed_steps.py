"""A kill before every single step of asking, answering, granting, revoking and spending: all of it, or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parent / "steps_program.py"
NOTHING, ANSWERED = ["question"], ["question", "answer", "grant"]
BEFORE = {"states": ["pending"], "spent": False, "granted": 0, "told": NOTHING}
GRANTED = {"states": ["approved"], "spent": False, "granted": 1, "told": ANSWERED}
LIVES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ask": (BEFORE, {**BEFORE, "states": ["pending", "pending"], "told": ["question", "question"]}),
    "answer": (BEFORE, GRANTED),
    "end": (BEFORE, {**BEFORE, "states": ["cancelled"], "told": ["question", "cancelled"]}),
    "revoke": (GRANTED, {**GRANTED, "granted": 0, "told": [*ANSWERED, "revoke"]}),
    "spend": (GRANTED, {**GRANTED, "spent": True, "told": [*ANSWERED, "spent"]}),
}


@pytest.mark.parametrize("act", LIVES)
def test_a_kill_before_any_step_leaves_all_or_nothing(act: str, tmp_path: Path) -> None:
    env = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, PROGRAM, tmp_path, act], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    before, after = LIVES[act]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) > 5, "too few steps to prove anything"
    happened = [False]
    for row in found:
        facts = {name: row[name] for name in ("states", "spent", "told")} | {"granted": len(row["grants"])}
        assert facts in (before, after)
        happened.append(facts == after)
        assert (row["undelivered"], row["problems"]) == (0, [])
        assert set(row["shown"]) <= set(row["grants"]) or facts == before == GRANTED, (
            "shown to hooks, and yet not there"
        )
    assert happened == sorted(happened), "what has happened stays"
    assert happened[-1]
    assert found[-1]["shown"] == found[-1]["grants"]
