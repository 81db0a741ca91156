"""How long Claude Code waits for us: the hook on an allowed `git status`, and peers.

`python benchmarks/hook.py [RUNS]`, 60 unless told. Every process is measured from its start to its end, the runs are
interleaved, and the ratios are to a bare `python -I -S -c pass`: read them, not the milliseconds. Ours also writes the
decision into its journal and waits until that is on the disk. Peers are installed once, into `.venv/bench-NAME`; one
that cannot be had is named and left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import BARE, NAH, START, Case, measure, peer, prepare, project, show

HOOK = (*START, "hook", "claude-code")
OPENHARNESS = """
import json, sys
from openharness.config.settings import PermissionSettings
from openharness.permissions.checker import PermissionChecker
call = json.load(sys.stdin)
found = PermissionChecker(PermissionSettings()).evaluate(
    "bash", is_read_only=False, command=call["tool_input"]["command"]
)
print(json.dumps({"allowed": found.allowed, "asks": found.requires_confirmation}))
"""
PEERS = {
    "nah 0.11": ("nah", NAH, ("nah", "_claude-hook")),
    "Dippy": ("dippy", "git+https://github.com/ldayton/Dippy", ("dippy",)),
    "OpenHarness 0.1.9, its checker": ("openharness", "openharness-ai==0.1.9", ("python", "-c", OPENHARNESS)),
}
"""By name: the environment, what pip installs, and the program in it. OpenHarness has no hook, only what decides."""


def commands() -> dict[str, tuple[str, ...]]:
    """What is timed. The bare interpreter first: everything else is compared with it."""
    found = {
        "python -I -S -c pass": BARE,
        "python -c pass": (sys.executable, "-c", "pass"),
        "assent hook": HOOK,
        "assent hook, as a plugin": (str(Path(sys.executable).parent / "assent"), "hook", "claude-code"),
    }
    for name, (environment, requirement, words) in PEERS.items():
        if programs := peer(environment, requirement):
            found[name] = (str(programs / words[0]), *words[1:])
    return found


def cases(scratch: Path, payload: Path) -> list[Case]:
    """Each in a home of its own."""
    found = []
    for number, (name, words) in enumerate(commands().items()):
        home = scratch / str(number)
        home.mkdir()
        found.append(Case(name, words, home, payload))
    return found


def payload_for(folder: Path) -> Path:
    """What Claude Code sends before `git status` in this folder."""
    where = {"session_id": "bench", "transcript_path": str(folder / "t.jsonl"), "cwd": str(folder)}
    call = {"tool_name": "Bash", "tool_input": {"command": "git status", "description": "look"}, "tool_use_id": "t1"}
    payload = folder.parent / "payload.json"
    payload.write_text(json.dumps(where | {"hook_event_name": "PreToolUse", "permission_mode": "default"} | call))
    return payload


def answers(timed: list[Case]) -> None:
    """What each of them says, so that nobody is measured at failing; it fills the caches as well."""
    for case in timed:
        with case.payload.open("rb") as payload:
            done = subprocess.run(
                case.words, check=False, env=case.environment, stdin=payload, capture_output=True, text=True
            )
        print(f"{case.name}: exit code {done.returncode}, {done.stdout.strip()[:110] or 'silence'}")


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    prepare()
    with tempfile.TemporaryDirectory() as scratch:
        folder = project(Path(scratch, "project"))
        timed = cases(Path(scratch), payload_for(folder))
        os.chdir(folder)
        answers(timed)
        show(measure(timed, runs))
        os.chdir("/")


if __name__ == "__main__":
    main()
