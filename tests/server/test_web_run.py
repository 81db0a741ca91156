"""From an agent's command to the person in the inbox and back: `assent run` waits for what the API answers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from server.web_scene import Web

PATIENCE = 30.0


class Waiting:
    """`assent run 'touch made'` in a project, as a process that waits for an answer."""

    def __init__(self, web: Web) -> None:
        self.web, self.project = web, web.home / "shop"
        (self.project / ".git").mkdir(parents=True)
        words = [sys.executable, "-m", "assent", "run", "--session", "s1", "--agent", "bot", "touch made"]
        self.process = subprocess.Popen(
            words,
            cwd=self.project,
            env={"HOME": str(web.home), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # no terminal to ask in
        )

    def request(self) -> Any:
        """What it asks, as soon as it is asked."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            rows = self.web.get("/api/requests").body["requests"]
            if rows:
                return rows[0]
            time.sleep(0.02)
        raise AssertionError(self.process.communicate(timeout=5))

    def end(self) -> tuple[int, bool]:
        """Its exit code, and whether the command ran."""
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, (self.project / "made").exists()


@pytest.fixture
def waiting(web: Web) -> Iterator[Waiting]:
    made = Waiting(web)
    yield made
    if made.process.poll() is None:
        made.process.kill()
    made.process.communicate()


def answer(web: Web, row: Any, *, approved: bool) -> int:
    body = {"approved": approved, "fingerprint": row["fingerprint"]}
    return web.post(f"/api/requests/{row['id']}/answer", body).status


def test_an_approval_in_the_inbox_lets_the_command_run(web: Web, waiting: Waiting) -> None:
    row = waiting.request()
    assert (row["agent"], row["session"], row["head"]) == ("bot", "s1", "touch made")
    assert answer(web, row, approved=True) == 200
    assert waiting.end() == (0, True)


def test_a_denial_in_the_inbox_keeps_it_from_running(web: Web, waiting: Waiting) -> None:
    assert answer(web, waiting.request(), approved=False) == 200
    assert waiting.end() == (4, False)


def test_an_approval_does_not_run_once_the_session_is_in_plan_mode(web: Web, waiting: Waiting) -> None:
    row = waiting.request()
    assert web.post("/api/sessions/mode", {"session": "s1", "mode": "plan"}).status == 200
    answer(web, row, approved=True)
    assert waiting.end() == (4, False)
