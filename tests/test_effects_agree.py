"""Descriptions of programs against the programs: what strace sees a program do is among the effects we state.

Every invocation is an example of a family file, or such an example with one more flag of its table. It runs in a
sandbox without network, in a scratch project that is made anew each time.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import scratch
from commands.agreement import unexplained
from commands.invocations import invocations
from commands.sandboxed import Sandbox
from commands.traces import events

STARTED = re.compile(r"\d+ +execve\(.* = 0\n")
MIN_PROGRAMS, MIN_INVOCATIONS = 150, 1_500


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
    todo = invocations()
    traced = [(one, run.trace) for one, run in zip(todo, sandbox.runs([one.argv for one in todo]), strict=True)]
    assert [one.argv for one, trace in traced if not STARTED.match(trace)] == []
    wrong = [
        f"{' '.join(one.argv)}: {event.kind} {event.target}"
        for one, trace in traced
        for event in unexplained(one, events(trace, scratch.PROJECT))
    ]
    assert not wrong, "\n" + "\n".join(wrong[:200])
