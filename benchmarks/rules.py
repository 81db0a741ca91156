"""Microseconds per decision in process, for policies of 50, 500 and 5,000 rules, and the ratio to the smallest."""

from __future__ import annotations

import statistics
import sys
import time

from assent.pipeline import judge
from assent.policy.compiled import Policy, compile_policy
from assent.testing import FrozenWorld
from assent.types import Rule, ToolCall, Verdict

PROJECT = "/home/dev/proj"
ROUNDS = 60
CALLS = (
    ("Read", {"file_path": "src/app.py"}),
    ("Write", {"file_path": "src/pkg7/new.py", "content": "x"}),
    ("Write", {"file_path": "elsewhere/new.py", "content": "x"}),
    ("WebFetch", {"url": "https://docs.host7.example/page"}),
    ("WebFetch", {"url": "https://unknown.example/page"}),
    ("Mcp", {"server": "server7", "name": "get", "arguments": {"id": 1}}),
    ("Bash", {"command": "git status && make test"}),
)
FORMS = (
    (Verdict.ALLOW, "Write(./src/pkg{n}/**)"),
    (Verdict.DENY, "Read(**/private{n}/**)"),
    (Verdict.ASK, "Write(./config/env{n}/*.toml)"),
    (Verdict.ALLOW, "WebFetch(domain:*.host{n}.example)"),
    (Verdict.DENY, "WebFetch(domain:bad{n}.example)"),
    (Verdict.ALLOW, "Mcp(server{n}.get)"),
    (Verdict.DENY, "Mcp(server{n}.delete_*)"),
    (Verdict.DENY, "Bash(tool{n} destroy:*)"),
    (Verdict.ASK, "Read(/srv/data{n}/**)"),
    (Verdict.DENY, "Write(**/*.lock{n})"),
)


def policy_of(size: int) -> Policy:
    rules = [FORMS[number % len(FORMS)] for number in range(size)]
    return compile_policy(Rule(verdict, text.format(n=number)) for number, (verdict, text) in enumerate(rules))


def measure(policy: Policy, world: FrozenWorld) -> float:
    """Median microseconds per decision over one round of the calls."""
    calls = [ToolCall(tool, fields, cwd=PROJECT, workspace=PROJECT) for tool, fields in CALLS]
    start = time.perf_counter()
    for call in calls:
        judge(call, policy, world)
    return (time.perf_counter() - start) / len(calls) * 1e6


def main() -> int:
    world = FrozenWorld({f"{PROJECT}/src/app.py": "x", f"{PROJECT}/.git/HEAD": ""})
    policies = {size: policy_of(size) for size in (50, 500, 5_000)}
    times: dict[int, list[float]] = {size: [] for size in policies}
    for _ in range(ROUNDS):
        for size, policy in policies.items():
            times[size].append(measure(policy, world))
    smallest = statistics.median(times[50])
    print(f"{len(CALLS)} calls, median of {ROUNDS} interleaved rounds")
    print(f"{'rules':>6} {'median µs':>10} {'ratio':>6}")
    for size, seen in times.items():
        print(f"{size:>6} {statistics.median(seen):>10.0f} {statistics.median(seen) / smallest:>6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
