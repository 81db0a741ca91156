"""Plays the scenarios, each in the environment of its framework, and says what every framework must show."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from assent.desk import Desk
from assent.questions import Answer

ROOT = Path(__file__).parent.parent.parent
SCENARIOS = Path(__file__).parent / "scenarios"
SECONDS = 240
INSTEAD = "Do not try to reach the same effect another way; say what you need and let the person decide."
REFUSED = f"A person refused this. {INSTEAD}"
BROKEN = "The permission check failed, so this was not done: RuntimeError: out of order"

FRAMEWORKS = (
    *("claude_agent_sdk", "crewai", "fastmcp", "google_adk", "langchain", "openai_agents", "pydantic_ai", "strands"),
)
SERVED = ("claude_agent_sdk", "fastmcp")
"""Where the tools belong to an MCP server."""
CHAINS = {
    "claude_agent_sdk": ["main", "reviewer"],
    "crewai": ["reviewer"],
    "google_adk": ["lead", "reviewer"],
    "langchain": ["lead", "reviewer"],
    "openai_agents": ["clerk", "reviewer"],
    "pydantic_ai": ["lead", "reviewer"],
    "strands": ["reviewer"],
}
REPEATABLE = ("fastmcp", "langchain", "openai_agents", "pydantic_ai")
"""Where a call that ran can be made again from what was kept; it must be asked about again."""


def interpreter(framework: str) -> str:
    """The Python of a framework's own environment, made on first use."""
    done = subprocess.run([str(ROOT / "scripts/frameworks"), framework], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return str(ROOT / ".venv/frameworks" / framework / "bin/python")


def play(framework: str, folder: Path, step: str) -> list[dict[str, Any]]:
    """The lines that one process of a scenario prints."""
    script = SCENARIOS / f"with_{framework}.py"
    done = start([interpreter(framework), str(script), step], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def start(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a home and a stage of its own."""
    home, stage = folder / "home", folder / "stage"
    (home / ".ssh").mkdir(parents=True, exist_ok=True)
    stage.mkdir(exist_ok=True)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ASSENT_STAGE": str(stage),
        "CREWAI_DISABLE_TELEMETRY": "true",
        "CREWAI_TRACING_ENABLED": "false",
        "OTEL_SDK_DISABLED": "true",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        words, cwd=stage, env=env, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL
    )


def answer(folder: Path, *, approved: bool, most: int = 1) -> int:
    """Answer what waits in a suspended scenario, as a person at the inbox would; says how many were answered."""
    desk = Desk(str(folder / "stage/suspended"))
    try:
        waiting = desk.store.pending(desk.clock())[:most]
        for ticket in waiting:
            said = Answer(approved, "ada", "inbox", desk.clock(), fingerprint=ticket.request.fingerprint)
            assert desk.answer(ticket.id, said) == ""
        return len(waiting)
    finally:
        desk.close()


def expected(framework: str, home: Path) -> dict[str, dict[str, Any]]:
    """What the scenes of one process must show, by name."""
    served = framework in SERVED
    drop = ("shop.drop_table", "Mcp(shop.drop_table)") if served else ("drop_table", "Tool(drop_table)")
    dropped = f"Refused by the permission policy (settings): {drop[0]} matches deny rule: {drop[1]}. {INSTEAD}"
    key = f"{home}/.ssh/id_rsa is a sensitive credential path"
    stolen = f"Refused by the permission policy: Access denied: {key}. {INSTEAD}"
    return {
        "allow": _shown(framework, ["read_note a"], ["done"]),
        "deny": _shown(framework, [], [dropped], tool="drop_table"),
        "approve": _shown(framework, ["delete_user 7"], ["done"], 1),
        "reject": _shown(framework, [], [REFUSED], 1, tool="delete_user"),
        "fail": _shown(framework, [], [BROKEN], tool="read_note"),
        "shell": _shown(framework, ["run_shell ls"], ["done"]),
        "steal": _shown(framework, [], [stolen], tool="run_shell"),
        "replay": _shown(framework, ["delete_user 7"], ["done", REFUSED], 2, tool="delete_user"),
    }


def _shown(framework: str, ran: list[str], told: list[str], asked: int = 0, tool: str = "") -> dict[str, Any]:
    """A refusal reaches the model in our words, behind whatever its framework puts before them."""
    lead = {"strands": "DENIED: ", "claude_agent_sdk": f"PreToolUse:mcp__shop__{tool} hook error: "}.get(framework, "")
    return {"ran": ran, "told": [one if one == "done" else lead + one for one in told], "asked": asked}
