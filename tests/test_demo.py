"""The demo runs on its own, answers as its script expects, and looks like its picture."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COUNTS = "6 allowed, 7 asked, 6 denied"


def demo(folder: Path, **env: str) -> tuple[int, str]:
    """Exit code and everything printed; temporary files go to `folder`."""
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    words = [sys.executable, str(ROOT / "examples/scripted_agent.py")]
    done = subprocess.run(
        words,
        env=clean | {"TMPDIR": str(folder)} | env,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_demo_answers_as_expected_and_leaves_nothing_behind(tmp_path: Path) -> None:
    start = time.monotonic()
    code, printed = demo(tmp_path)
    assert code == 0, printed
    assert COUNTS in printed
    assert str(tmp_path) not in printed
    assert max(map(len, printed.splitlines())) <= 100
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_and_for_those_who_force_it(
    tmp_path: Path, env: dict[str, str], coloured: bool
) -> None:
    code, printed = demo(tmp_path, **env)
    assert code == 0
    assert ("\x1b[" in printed) is coloured


def test_an_unexpected_verdict_is_a_loud_failure(tmp_path: Path) -> None:
    script = (ROOT / "examples/scripted_agent.py").read_text(encoding="utf-8")
    changed = tmp_path / "changed.py"
    changed.write_text(script.replace('step("Read", ASK, file_path=".env")', 'step("Read", ALLOW, file_path=".env")'))
    done = subprocess.run([sys.executable, str(changed)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == "demo: Read .env: expected allow, got ask\n"


def test_the_picture_shows_what_the_demo_prints() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/picture"), "--check"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_that_asks_is_answered_by_a_script_and_leaves_nothing_behind(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples/asking_agent.py"), "--headless"],
        env={**os.environ, "TMPDIR": str(tmp_path), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    states = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line[2:3].strip()]
    assert states[-6:] == ["allowed", "approved", "refused", "approved", "allowed", "denied"]
    assert "the chain is whole" in done.stdout
    assert list(tmp_path.iterdir()) == []
