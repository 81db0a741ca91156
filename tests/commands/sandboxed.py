"""A place to run programs in under strace: a home of their own, no network, no rights over the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from commands import scratch
from commands.traces import CALLS

DRIVER = Path(__file__).parent / "trace_driver.py"
WORKERS = 3
SECONDS = 2.0
Argv = tuple[str, ...]


class Run(NamedTuple):
    """What became of one command."""

    trace: str
    output: str
    status: int


class Sandbox:
    """`root` is the system whose programs run; `secrets` puts canaries where credentials usually lie."""

    def __init__(self, folder: Path, root: str = "/", *, secrets: bool = False) -> None:
        self.folder, self.root = folder, root
        self.template = folder / "template"
        self.template.mkdir()
        scratch.build(self.template)
        if secrets:
            scratch.add_secrets(self.template)

    def runs(self, todo: Sequence[Argv], workers: int = WORKERS, seconds: float = SECONDS) -> list[Run]:
        """Every command, in the order they were given."""
        with ThreadPoolExecutor(workers) as pool:
            parts = [todo[start::workers] for start in range(workers)]
            answers = list(pool.map(lambda part, number: list(self._run(part, number, seconds)), parts, range(workers)))
        found: list[Run | None] = [None] * len(todo)
        for start, answer in enumerate(answers):
            found[start::workers] = answer
        return [run for run in found if run is not None]

    def _run(self, part: Sequence[Argv], number: int, seconds: float) -> Iterator[Run]:
        given = {"seconds": seconds, "environment": scratch.ENVIRONMENT}
        asked = "".join(json.dumps({"argv": argv, **given}) + "\n" for argv in part)
        done = subprocess.run(self.driver(number), input=asked, capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(part), done.stderr[-2000:]
        for answer in answers:
            yield Run(answer["trace"], answer["output"], answer["status"])

    def driver(self, number: int) -> list[str]:
        python = os.path.realpath(sys.executable) if self.root == "/" else "/usr/bin/python3"
        return [*self.command(number), python, "-I", "-S", "-c", DRIVER.read_text(), *CALLS.split()]

    def command(self, number: int) -> list[str]:
        """INVARIANT: without rights over the machine. A described program may set clocks, kernels and file flags."""
        home, traces = self.folder / f"home{number}", self.folder / f"traces{number}"
        home.mkdir(exist_ok=True)
        traces.mkdir(exist_ok=True)
        return [
            *("bwrap", "--ro-bind", self.root, "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
            *("--ro-bind-try", "/proc/sys", "/proc/sys", "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"),
            *("--ro-bind-try", "/proc/irq", "/proc/irq", "--ro-bind-try", "/proc/bus", "/proc/bus"),
            *("--ro-bind-try", "/etc/hosts", "/etc/hosts"),  # a program that asks for its own name asks no server
            *("--tmpfs", "/run", "--tmpfs", "/home", "--tmpfs", "/var/tmp"),
            *("--bind", str(home), "/home/dev", "--ro-bind", str(self.template), "/run/template"),
            *("--bind", str(traces), "/run/traces", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
            *("--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--unshare-cgroup-try"),
            *("--die-with-parent", "--new-session", "--chdir", "/home/dev"),
        ]
