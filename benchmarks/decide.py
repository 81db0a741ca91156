"""Microseconds per decision on a command line, in process, next to nah 0.11 in an environment of its own.

`python benchmarks/decide.py COMMANDS.jsonl [ROUNDS]`: one JSON object with a `command` per line; without a file the
commands of our own corpus. nah is installed from PyPI, once, into `.venv/bench-nah`. Both engines are processes that
answer in turn, for half a second each, so that a busy machine is busy for both; read the ratios, not the figures. Turns
are as long for one as for the other because a process that has just been woken is slower for a while: with as many
commands in each turn, the one that needs less time for them would always have just been woken. They go on until nah
has answered everything as often as is asked for.
Each command's usual time is the median of its rounds; below stand all times as they were, with what else the machine
did meanwhile. Before each round ours forgets whatever it remembers of earlier command lines, so every one is new to it.
Also prints how many commands are allowed, asked about and denied under each preset, the commonest reasons for asking,
and how much memory the process has after 100,000 decisions.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from timing import NAH, ROOT, peer

CHUNK = 500
TURN_SECONDS = 0.5
MEMORY_DECISIONS = 100_000

WORKER = """
import json, sys, time
{setup}
out = sys.stdout
sys.stdout = sys.stderr
for line in sys.stdin:
    times = []
    commands = json.loads(line)
    if not commands:
        forget()
    for command in commands:
        begun = time.perf_counter()
        try:
            decide(command)
        except Exception:  # a peer may fail on hostile text: counted and printed as `failed`
            times.append(-1.0)
            continue
        times.append(time.perf_counter() - begun)
    out.write(json.dumps(times) + "\\n")
    out.flush()
"""
OURS = """
sys.path.insert(0, {source!r})
from assent.pipeline import forget, judge
from assent.policy.compiled import compile_policy
from assent.types import ToolCall
from assent.world import DiskWorld
policy, world = compile_policy(), DiskWorld()
def decide(command):
    return judge(ToolCall("Bash", {{"command": command}}, cwd={folder!r}, workspace={folder!r}), policy, world)
"""
THEIRS = """
from nah.bash import classify_command
def forget():
    pass
def decide(command):
    return classify_command(command)
"""


def worker(python: str | Path, setup: str, folder: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(python), "-c", WORKER.format(setup=setup)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env={**os.environ, "HOME": str(Path(folder).parent), "PYTHONDONTWRITEBYTECODE": ""},
    )


def measure(commands: list[str], rounds: int, folder: str) -> dict[str, list[float]]:
    """Seconds of every decision, round after round; -1 for one that failed."""
    setup = OURS.format(source=str(ROOT / "src"), folder=folder)
    theirs = peer("nah", NAH)
    if theirs is None:
        raise SystemExit("there is nobody to compare with; the first run needs the network")
    engines = {"assent": worker(sys.executable, setup, folder), "nah 0.11": worker(theirs / "python", THEIRS, folder)}
    times: dict[str, list[float]] = {name: [] for name in engines}
    done = dict.fromkeys(engines, 0)
    chunks = [[], *(commands[at : at + CHUNK] for at in range(0, len(commands), CHUNK))]
    while done["nah 0.11"] < (rounds + 1) * len(chunks):
        for name, engine in engines.items():
            until = time.perf_counter() + TURN_SECONDS
            while time.perf_counter() < until:
                answer = _answered(engine, chunks[done[name] % len(chunks)])
                if done[name] >= len(chunks):  # the first round warms up
                    times[name] += answer
                done[name] += 1
    for engine in engines.values():
        engine.communicate()
    return times


def _answered(engine: subprocess.Popen[str], chunk: list[str]) -> list[float]:
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(json.dumps(chunk) + "\n")
    engine.stdin.flush()
    found: list[float] = json.loads(engine.stdout.readline())
    return found


def report(times: dict[str, list[float]], commands: int) -> None:
    print(f"{'':<10} {'median':>9} {'p99':>9} {'failed':>7}   µs per decision")
    by_command = {
        name: [statistics.median(found[at::commands]) for at in range(commands)] for name, found in times.items()
    }
    for figures, what in ((by_command, "the usual time of each command"), (times, "every single decision")):
        ours, theirs = (_shown(name, found) for name, found in figures.items())
        print(f"nah / assent: median {theirs[0] / ours[0]:.1f}, p99 {theirs[1] / ours[1]:.1f} ({what})")


def _shown(name: str, found: list[float]) -> tuple[float, float]:
    good = sorted(second * 1e6 for second in found if second >= 0)
    median, last = statistics.median(good), good[int(len(good) * 0.99)]
    print(f"{name:<10} {median:9.1f} {last:9.1f} {len(found) - len(good):7}")
    return median, last


def survey(rows: list[dict[str, str]], folder: str) -> None:
    """What is answered, under each preset."""
    from assent.pipeline import judge
    from assent.policy.compiled import compile_policy
    from assent.types import ToolCall, Verdict
    from assent.world import DiskWorld

    world = DiskWorld(env={**os.environ, "HOME": str(Path(folder).parent)})
    for preset in ("careful", "workspace"):
        policy = compile_policy(preset=preset)
        verdicts: Counter[str] = Counter()
        reasons: Counter[str] = Counter()
        for row in rows:
            call = ToolCall("Bash", {"command": row["command"]}, cwd=folder, workspace=folder)
            decision = judge(call, policy, world)
            verdicts[str(decision.verdict)] += 1
            if decision.verdict == Verdict.ASK:
                reasons[decision.reason.replace(folder, ".")[:70]] += 1
        shares = ", ".join(f"{name} {count} ({count / len(rows):.1%})" for name, count in sorted(verdicts.items()))
        print(f"\n{preset}: {shares}")
        for text, count in reasons.most_common(10):
            print(f"  {count:>5}  {text}")


def memory(commands: list[str], folder: str) -> None:
    """What the process holds after many decisions, and what a bare interpreter holds."""
    code = (
        OURS.format(source=str(ROOT / "src"), folder=folder).replace("sys.path", "import sys, json; sys.path", 1)
        + f"commands = json.load(sys.stdin)\nfor n in range({MEMORY_DECISIONS}): decide(commands[n % len(commands)])\n"
        + "print(open('/proc/self/status').read())"
    )
    for name, text in (("bare interpreter", "print(open('/proc/self/status').read())"), ("assent", code)):
        done = subprocess.run(
            [sys.executable, "-c", text], input=json.dumps(commands), capture_output=True, text=True, check=True
        )
        line = next(line for line in done.stdout.splitlines() if line.startswith("VmRSS"))
        print(f"memory of {name}: {int(line.split()[1]) / 1024:.1f} MB")


def load(words: list[str]) -> list[dict[str, str]]:
    if words and not words[0].isdigit():
        return [json.loads(line) for line in Path(words[0]).read_text().splitlines()]
    rows = [json.loads(line) for file in sorted((ROOT / "corpus").glob("*.jsonl")) for line in file.open()]
    texts = [row.get("text") or row.get("input", {}).get("command") for row in rows]
    return [{"command": text} for text in texts if isinstance(text, str) and text.strip()]


def main(words: list[str]) -> None:
    sys.path.insert(0, str(ROOT / "src"))
    rows = load(words)
    rounds = int(words[-1]) if words and words[-1].isdigit() else 5
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "project"
        for name in ("src/app.py", "src/util.py", "tests/test_app.py", "docs/design.md", "README.md", "Makefile"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("x\n")
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        begun = time.perf_counter()
        commands = [row["command"] for row in rows]
        print(f"{len(rows)} commands, {rounds} rounds")
        report(measure(commands, rounds, str(folder)), len(commands))
        if "--no-memory" not in words:
            memory([command for command in commands if len(command) < 2_000], str(folder))
        survey(rows, str(folder))
        print(f"\n{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
