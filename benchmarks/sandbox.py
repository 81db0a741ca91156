"""What the sandbox costs: the same command bare and confined, and `assent run` with and without it.

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

from assent.sandbox.capability import available, nothing_file
from assent.sandbox.ground import Machine
from assent.sandbox.profile import profile_for
from assent.sandbox.running import start

ROOT = Path(__file__).resolve().parent.parent
START = (sys.executable, "-I", "-S", str(ROOT / "src/assent/start.py"))
COMMANDS = {
    "true": ("/bin/true",),
    "git status": ("git", "status", "--short"),
    "200 processes": ("/bin/sh", "-c", "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done"),
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


def cases(folder: Path) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Pairs: bare and confined."""
    made = project(folder)
    state, home = str(folder / "home/state/assent"), str(folder / "home")
    able = available(state)
    if not able.works:
        raise SystemExit(f"no sandbox works here: {able.why_not}")
    env = {"PATH": os.defpath, "HOME": home, "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}

    def bare(words: tuple[str, ...]) -> None:
        subprocess.run(words, cwd=made, env=env, check=True, stdout=subprocess.DEVNULL)

    def confined(words: tuple[str, ...]) -> None:
        profile = profile_for(str(made), str(made), home, Machine(), env=env)
        silent = subprocess.DEVNULL
        ended = start(profile, words, program=able.how, nothing=nothing_file(state), stdout=silent, show=False).wait()
        if ended.code:
            raise SystemExit(f"{words[0]} failed inside: {ended.errors}")

    found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {}
    for name, words in COMMANDS.items():
        found[name] = functools.partial(bare, words), functools.partial(confined, words)
    run = (*START, "run", "--on-ask", "deny")
    found["assent run true"] = (lambda: bare((*run, "true"))), (lambda: bare((*run, "--sandbox", "true")))
    return found


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as scratch:
        pairs = cases(Path(scratch))
        spent: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in pairs}
        for _ in range(runs):
            for name, (bare, confined) in pairs.items():
                spent[name][0].append(timed(bare))
                spent[name][1].append(timed(confined))
    print(f"{'':24}{'bare ms':>10}{'inside ms':>11}{'ratio':>8}{'more ms':>9}")
    for name, (outside, inside) in spent.items():
        one, two = statistics.median(outside), statistics.median(inside)
        print(f"{name:24}{one:10.1f}{two:11.1f}{two / one:8.2f}{two - one:9.1f}")


if __name__ == "__main__":
    main()
