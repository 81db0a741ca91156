"""Which agents are driven for real: those that say so, and all of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from agents.hooking import ADAPTERS
from assent.agents import AGENTS, agent_named

HERE = Path(__file__).parent
SCRIPT = HERE.parent.parent / "scripts/agents"


def test_proven_agents_are_installed_and_driven() -> None:
    proven = {name for name in ADAPTERS if agent_named(name).PROVEN}
    listed = subprocess.run([str(SCRIPT), "--list"], check=True, capture_output=True, text=True).stdout.split()
    driven = {name for name, module in AGENTS.items() if (HERE / f"test_real_{module}.py").exists()}
    assert (set(listed), driven) == (proven, proven)


def test_an_unknown_agent_is_not_installed() -> None:
    done = subprocess.run([str(SCRIPT), "clippy"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("agents: unknown agent clippy; one of: claude-code codex")
