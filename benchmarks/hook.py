"""How long Claude Code waits for us: the hook as a fresh process on an allowed `git status`, next to a peer's.

`python benchmarks/hook.py [RUNS]`, 60 unless told. Every process is measured from its start to its end, the runs are
interleaved, and the ratios are to a bare `python -I -S -c pass`: read them, not the milliseconds. Ours also writes the
decision into its journal and waits until that is on the disk. nah is installed from PyPI, once, into `.venv/bench-nah`.
"""

from __future__ import annotations

import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import NamedTuple

from assent.bundle import write_bundle

ROOT = Path(__file__).resolve().parent.parent
PEER = "nah==0.11.0"
SCRATCH = ROOT / ".venv/bench-nah"


class Case(NamedTuple):
    """One command to time, what it reads, and its home folder."""

    name: str
    words: tuple[str, ...]
    home: Path
    payload: Path

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.home)
        return {
            "PATH": os.defpath,
            "HOME": home,
            "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_STATE_HOME": f"{home}/state",
        }


def peer() -> str:
    """The program of nah, whose environment is made when it is not there."""
    python, stamp = SCRATCH / "bin/python", SCRATCH / "holds"
    wanted = f"{sys.version}\n{PEER}\n"
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {PEER} into {SCRATCH.relative_to(ROOT)}")
        venv.create(SCRATCH, clear=True, with_pip=True)
        words = [str(python), "-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check", PEER]
        if subprocess.run(words, check=False).returncode:
            raise SystemExit(f"{PEER} could not be installed (see above); the first run needs the network")
        stamp.write_text(wanted)
    return str(SCRATCH / "bin/nah")


def cases(scratch: Path, payload: Path) -> list[Case]:
    """The bare interpreter first: everything else is compared with it."""
    start = (sys.executable, "-I", "-S", str(ROOT / "src/assent/start.py"))
    console = str(Path(sys.executable).parent / "assent")
    commands = {
        "python -I -S -c pass": (sys.executable, "-I", "-S", "-c", "pass"),
        "python -c pass": (sys.executable, "-c", "pass"),
        "assent hook, as installed": (*start, "hook", "claude-code"),
        "assent hook, as a plugin": (console, "hook", "claude-code"),
        "nah 0.11": (peer(), "_claude-hook"),
    }
    found = []
    for number, (name, words) in enumerate(commands.items()):
        home = scratch / str(number)
        home.mkdir()
        found.append(Case(name, words, home, payload))
    return found


def project(folder: Path) -> Path:
    """A repository, and the payload that asks for `git status` in it."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    where = {"session_id": "bench", "transcript_path": str(folder / "t.jsonl"), "cwd": str(folder)}
    call = {"tool_name": "Bash", "tool_input": {"command": "git status", "description": "look"}, "tool_use_id": "t1"}
    payload = folder.parent / "payload.json"
    payload.write_text(json.dumps(where | {"hook_event_name": "PreToolUse", "permission_mode": "default"} | call))
    return payload


def run(case: Case, silent: int) -> float:
    """Milliseconds from spawn to exit."""
    streams: list[tuple[object, ...]] = [(os.POSIX_SPAWN_OPEN, 0, str(case.payload), os.O_RDONLY, 0)]
    streams += [(os.POSIX_SPAWN_DUP2, silent, number) for number in (1, 2)]
    begun = time.perf_counter()
    child = os.posix_spawn(case.words[0], case.words, case.environment, file_actions=streams)
    os.waitpid(child, 0)
    return (time.perf_counter() - begun) * 1000


def answers(timed: list[Case]) -> None:
    """What each of them says, so that nobody is measured at failing; it fills the caches as well."""
    for case in timed:
        with case.payload.open("rb") as payload:
            done = subprocess.run(
                case.words, check=False, env=case.environment, stdin=payload, capture_output=True, text=True
            )
        print(f"{case.name}: exit code {done.returncode}, {done.stdout.strip()[:110] or 'silence'}")


def show(spent: dict[str, list[float]]) -> None:
    medians = {name: statistics.median(times) for name, times in spent.items()}
    bare, least = next(iter(medians.values())), min(next(iter(spent.values())))
    print(f"\n{'':28}{'median ms':>11}{'ratio':>8}{'min ms':>10}{'ratio':>8}")
    for name, times in spent.items():
        print(f"{name:28}{medians[name]:11.1f}{medians[name] / bare:8.2f}{min(times):10.1f}{min(times) / least:8.2f}")


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    compileall.compile_dir(str(ROOT / "src"), quiet=1)
    write_bundle()
    with tempfile.TemporaryDirectory() as scratch:
        payload = project(Path(scratch, "project"))
        timed = cases(Path(scratch), payload)
        os.chdir(Path(scratch, "project"))
        answers(timed)
        silent = os.open(os.devnull, os.O_RDWR)
        spent: dict[str, list[float]] = {case.name: [] for case in timed}
        for _ in range(runs):
            for case in timed:
                spent[case.name].append(run(case, silent))
        os.close(silent)
        show(spent)
        os.chdir("/")


if __name__ == "__main__":
    main()
