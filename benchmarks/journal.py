"""How fast the journal is written, as a ratio to a bare write and fdatasync of the same bytes.

`python benchmarks/journal.py [ROUNDS] [FOLDER]`, 15 rounds in a folder beside this file's repository unless told.
Each round appends with the journal and without it in turn, so that a busy disk is busy for both; read the ratios.
With four processes, the bare ones share one file and take no lock: what the journal adds is its whole price.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from assent.audit.journal import Journal
from assent.audit.verify import verify

APPENDS = 40
EVENT = {
    "session_id": "123e4567-e89b-12d3-a456-426614174000",
    "request_id": "req-42",
    "tool": "Bash",
    "command": "git -C src/assent log --oneline --since 2024-01-01 | head -n 20",
    "effects": [{"kind": "read", "target": "/home/me/project/.git"}, {"kind": "run", "target": "git"}],
    "cwd": "/home/me/project",
    "decision": "allow",
    "mode": "default",
    "rule_id": "git-reads",
    "decided_by": {"kind": "rule", "id": "git-reads"},
    "policy_digest": "3f786850e387550fdab836ed7e6dc881de23001b89e6c98d92887913cadf06b2",
    "latency_ms": 1.25,
}


def with_journal(folder: str, *, durable: bool) -> None:
    journal = Journal(folder, durable=durable)
    for _ in range(APPENDS):
        journal.append("decision", EVENT)


def bare(folder: str, line: bytes, *, durable: bool) -> None:
    file = os.open(f"{folder}/bare.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for _ in range(APPENDS):
        os.write(file, line)
        if durable:
            os.fdatasync(file)
    os.close(file)


def timed(folder: str, line: bytes, processes: int, *, journal: bool, durable: bool) -> float:
    """Seconds per append, all processes together. The children wait for a byte, so that they start as one."""
    gate, start = os.pipe()
    children = []
    for _ in range(processes):
        child = os.fork()
        if not child:
            os.close(start)
            os.read(gate, 1)
            with_journal(folder, durable=durable) if journal else bare(folder, line, durable=durable)
            os._exit(0)
        children.append(child)
    os.close(gate)
    begun = time.perf_counter()
    os.close(start)
    if any(os.waitpid(child, 0)[1] for child in children):
        raise SystemExit("journal.py: a writer failed")
    return (time.perf_counter() - begun) / (APPENDS * processes)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    place = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(dir=place) as scratch:
        folder = f"{scratch}/audit"
        Journal(folder).append("decision", EVENT)
        line = Path(folder, "permissions.jsonl").read_bytes()
        print(f"{len(line)} bytes a line, {APPENDS} appends a process, medians of {rounds} rounds\n")
        print(f"{'':28}{'bare ms':>9}{'journal ms':>12}{'per second':>12}{'ratio':>8}")
        for processes, durable in ((1, True), (4, True), (1, False), (4, False)):
            spent: tuple[list[float], list[float]] = ([], [])
            for number in range(rounds + 1):
                both = [timed(folder, line, processes, journal=with_it, durable=durable) for with_it in (False, True)]
                if number:  # the first round fills the caches
                    spent[0].append(both[0])
                    spent[1].append(both[1])
            without, ours = map(statistics.median, spent)
            name = f"{processes} process{'es' if processes > 1 else ''}, {'durable' if durable else 'not synced'}"
            print(f"{name:28}{without * 1000:9.3f}{ours * 1000:12.3f}{1 / ours:12,.0f}{ours / without:8.2f}")
        found = verify(folder)
        print(f"\nverify: {found.records:,} records, {len(found.problems)} problems")


if __name__ == "__main__":
    main()
