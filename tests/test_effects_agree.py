"""Descriptions of programs against the programs: what strace sees a program do is among the effects we state.

Every invocation is an example of a family file, or such an example with one more flag of its table. It runs in a
sandbox without network, in a scratch project that is made anew each time.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from commands import scratch
from commands.agreement import unexplained
from commands.invocations import Invocation, invocations
from commands.traces import CALLS, events

DRIVER = Path(__file__).parent / "commands" / "trace_driver.py"
WORKERS = 3
STARTED = re.compile(r"\d+ +execve\(.* = 0\n")
MIN_PROGRAMS, MIN_INVOCATIONS = 150, 1_500


class Sandbox:
    """A place to run programs in: a home of their own, no network, no rights."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.template = folder / "template"
        self.template.mkdir()
        scratch.build(self.template)

    def traced(self, todo: Sequence[Invocation]) -> list[tuple[Invocation, str]]:
        """Every invocation with its trace."""
        slices = [todo[start::WORKERS] for start in range(WORKERS)]
        with ThreadPoolExecutor(WORKERS) as pool:
            answers = list(pool.map(self._run, slices, range(WORKERS)))
        return [pair for answer in answers for pair in answer]

    def _run(self, part: Sequence[Invocation], number: int) -> list[tuple[Invocation, str]]:
        asked = "".join(json.dumps({"argv": one.argv}) + "\n" for one in part)
        done = subprocess.run(self.driver(number), input=asked, capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(part), done.stderr[-2000:]
        return [(one, answer["trace"]) for one, answer in zip(part, answers, strict=True)]

    def driver(self, number: int) -> list[str]:
        python = os.path.realpath(sys.executable)
        return [*self.command(number), python, "-I", "-S", "-c", DRIVER.read_text(), *CALLS.split()]

    def command(self, number: int) -> list[str]:
        """INVARIANT: without rights over the machine. A described program may set clocks, kernels and file flags."""
        home, traces = self.folder / f"home{number}", self.folder / f"traces{number}"
        home.mkdir()
        traces.mkdir()
        return [
            *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
            *("--ro-bind-try", "/proc/sys", "/proc/sys", "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"),
            *("--ro-bind-try", "/proc/irq", "/proc/irq", "--ro-bind-try", "/proc/bus", "/proc/bus"),
            *("--tmpfs", "/run", "--tmpfs", "/home", "--tmpfs", "/var/tmp"),
            *("--bind", str(home), "/home/dev", "--ro-bind", str(self.template), "/run/template"),
            *("--bind", str(traces), "/run/traces", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
            *("--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--unshare-cgroup-try"),
            *("--die-with-parent", "--new-session", "--chdir", "/home/dev"),
        ]


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    for tool in ("strace", "bwrap"):
        assert shutil.which(tool), f"{tool} is missing: run scripts/oracle, or install it"
    return Sandbox(tmp_path)


def test_the_sandbox_has_no_rights_over_the_machine(sandbox: Sandbox) -> None:
    probe = (
        "cat /proc/self/status; for f in /etc/x /proc/sys/vm/swappiness /dev/sda; do test -w $f && echo open $f; done"
    )
    said = subprocess.run([*sandbox.command(0), "sh", "-c", probe], capture_output=True, text=True).stdout
    assert "CapEff:\t0000000000000000" in said
    assert "open" not in said


def test_enough_was_measured() -> None:
    todo = invocations()
    programs = {one.argv[0].rpartition("/")[2] for one in todo}
    print(f"{len(programs)} programs, {len(todo)} invocations")
    assert len(programs) >= MIN_PROGRAMS
    assert len(todo) >= MIN_INVOCATIONS


def test_whatever_a_program_does_is_among_its_effects(sandbox: Sandbox) -> None:
    traced = sandbox.traced(invocations())
    assert [one.argv for one, trace in traced if not STARTED.match(trace)] == []
    wrong = [
        f"{' '.join(one.argv)}: {event.kind} {event.target}"
        for one, trace in traced
        for event in unexplained(one, events(trace, scratch.PROJECT))
    ]
    assert not wrong, "\n" + "\n".join(wrong[:200])
