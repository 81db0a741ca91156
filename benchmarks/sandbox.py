"""What the sandboxes cost: the same command bare and in each of them, and `assent run` with and without the best.

`python benchmarks/sandbox.py [RUNS]`, 40 unless told. The runs are interleaved; read the ratios, not the milliseconds.
"""

from __future__ import annotations

import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK, Capability, available
from assent.sandbox.ground import Machine
from assent.sandbox.profile import profile_for

BARE, KINDS = "bare", (BUBBLEWRAP, LANDLOCK)
ROOT = Path(__file__).resolve().parent.parent
START = (sys.executable, "-I", "-S", str(ROOT / "src/assent/start.py"))
COMMANDS = {
    "true": ("/bin/true",),
    "git status": ("git", "status", "--short"),
    "200 processes": ("/bin/sh", "-c", "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done"),
    "200 changes of rights": ("/usr/bin/perl", "-e", "chmod 0644, 'src/0/0.py' for 1..200"),
    "40 MB through a pipe": ("/bin/sh", "-c", "head -c 40000000 /dev/zero | cat > /dev/null"),
}


def project(folder: Path) -> Path:
    """A repository of 400 files."""
    made = folder / "home/project"
    for number in range(400):
        file = made / f"src/{number % 20}/{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1\n")
    subprocess.run(["git", "init", "-q", str(made)], check=True)
    return made


def timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * 1000


def cases(folder: Path) -> dict[str, dict[str, Callable[[], object]]]:
    """For each command the ways to run it: bare, and in each sandbox that works here."""
    made = project(folder)
    state, home = str(folder / "home/state/assent"), str(folder / "home")
    able = {kind: one for kind in KINDS if (one := available(state, only=kind)).works}
    if not able:
        raise SystemExit(f"no sandbox works here: {available(state).why_not}")
    env = {"PATH": os.defpath, "HOME": home, "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}

    def bare(words: tuple[str, ...]) -> None:
        subprocess.run(words, cwd=made, env=env, check=True, stdout=subprocess.DEVNULL)

    def confined(by: Capability, words: tuple[str, ...]) -> None:
        profile = profile_for(str(made), str(made), home, Machine(), env=env)
        ended = by.start(profile, words, state, stdout=subprocess.DEVNULL, show=False).wait()
        if ended.code:
            raise SystemExit(f"{words[0]} failed inside: {ended.errors}")

    found: dict[str, dict[str, Callable[[], object]]] = {}
    for name, words in COMMANDS.items():
        inside = {kind: functools.partial(confined, by, words) for kind, by in able.items()}
        found[name] = {BARE: functools.partial(bare, words), **inside}
    run = (*START, "run", "--on-ask", "deny")
    best = next(iter(able))
    found["assent run true"] = {
        BARE: functools.partial(bare, (*run, "true")),
        best: functools.partial(bare, (*run, "--sandbox", "true")),
    }
    return found


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as scratch:
        ways = cases(Path(scratch))
        spent: dict[str, dict[str, list[float]]] = {name: {way: [] for way in by} for name, by in ways.items()}
        for _ in range(runs):
            for name, by in ways.items():
                for way, action in by.items():
                    spent[name][way].append(timed(action))
    print(f"{'':24}{'':12}{'ms':>8}{'ratio':>8}{'more ms':>9}")
    for name, found in spent.items():
        bare = statistics.median(found[BARE])
        for way, times in found.items():
            middle = statistics.median(times)
            print(f"{name:24}{way:12}{middle:8.1f}{middle / bare:8.2f}{middle - bare:9.1f}")


if __name__ == "__main__":
    main()
