"""A question ends with the agent that has it: whatever is killed, nobody is asked in vain, and nothing lingers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from agents.hooking import POLICY, recorded
from approval.asking import yes
from assent.agents.hosts.host import Hook
from assent.approval.store import GONE
from assent.desk import Desk
from assent.questions import Ticket
from assent.world import DiskWorld
from scene import LAUNCHER, Scene

PATIENCE = 15.0
HOST = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdin=sys.stdin).returncode)"


class Asking:
    """A host, the shell that stays behind and the hook, while a question waits."""

    def __init__(self, scene: Scene) -> None:
        self.desk = Desk(str(scene.state), world=DiskWorld(env=scene.env))
        hook = Hook((*LAUNCHER, "hook", "codex", "--on-ask", "hold")).closed
        self.host = subprocess.Popen(
            [sys.executable, "-c", HOST, *hook.words],
            cwd=scene.project,
            env=scene.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.host.stdin is not None
        self.host.stdin.write(recorded("codex", "asked", scene).text.encode())
        self.host.stdin.close()
        self.ticket = self._waits()
        [(_, owner)] = self.desk.store.owners(self.ticket.request.session)
        self.hook = int(owner.partition(".")[0])
        self.shell = _parent(self.hook)
        assert _parent(self.shell) == self.host.pid

    def _waits(self) -> Ticket:
        assert within(lambda: bool(self.desk.store.pending(time.time())))
        return self.desk.store.pending(time.time())[0]

    def close(self) -> None:
        for process in (self.hook, self.shell, self.host.pid):
            if there(process):
                os.kill(process, signal.SIGKILL)
        if self.host.stdout is not None:
            self.host.stdout.close()
        self.host.wait()
        self.desk.close()


def within(happens: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if happens():
            return True
        time.sleep(0.05)
    return False


def there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    scene = Scene(tmp_path, monkeypatch)
    scene.write(scene.user_file, POLICY)
    made = Asking(scene)
    yield made
    made.close()


def kill_hook(asking: Asking) -> None:
    os.kill(asking.hook, signal.SIGKILL)


def kill_shell(asking: Asking) -> None:
    os.kill(asking.shell, signal.SIGKILL)


def kill_host(asking: Asking) -> None:
    os.kill(asking.host.pid, signal.SIGKILL)


def end_hook(asking: Asking) -> None:
    os.kill(asking.hook, signal.SIGTERM)


def interrupt_all(asking: Asking) -> None:
    for process in (asking.host.pid, asking.shell, asking.hook):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGINT)


WAYS = (kill_hook, kill_shell, kill_host, end_hook, interrupt_all)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_question_ends_with_who_asked(asking: Asking, way: Callable[[Asking], None]) -> None:
    way(asking)
    assert within(lambda: not asking.desk.store.pending(time.time())), "still asked"
    assert within(lambda: not there(asking.hook)), "the hook lingers"
    said = asking.desk.answer(asking.ticket.id, yes(asking.ticket.request))
    assert said.startswith("already cancelled: ")
    ticket = asking.desk.ticket(asking.ticket.id)
    assert ticket is not None
    assert ticket.note in (GONE, "the caller stopped waiting")


def test_a_host_that_waits_gets_its_answer(asking: Asking) -> None:
    time.sleep(1.2)  # longer than the hook takes to look at its host
    assert asking.desk.answer(asking.ticket.id, yes(asking.ticket.request)) == ""
    assert asking.host.wait(PATIENCE) == 0
