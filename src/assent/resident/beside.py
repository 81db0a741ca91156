"""The helper seen from other processes: starting it beside the inbox, and asking whether it runs and is current."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import contextmanager

from assent.launch import resident_socket
from assent.resident import client
from assent.resident.worker import PACKAGE, STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    Condition = Literal["absent", "current", "old", "silent"]

END_SECONDS = 10.0


def words(*options: str) -> list[str]:
    """The command that is the helper, isolated as a hook is."""
    return [sys.executable, "-I", "-S", os.path.join(PACKAGE, "start.py"), "resident", *options]


@contextmanager
def running(*, quiet: bool) -> Iterator[subprocess.Popen[bytes]]:
    """A helper for as long as this lasts, unless there is one already. It also ends when this process is killed."""
    silence = subprocess.DEVNULL if quiet else None
    helper = subprocess.Popen(words("--attached"), stdin=subprocess.PIPE, stdout=silence, stderr=silence)  # noqa: S603
    try:
        yield helper
    finally:
        if helper.stdin is not None:
            helper.stdin.close()
        try:
            helper.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            helper.kill()
            helper.wait()


def condition() -> Condition:
    """How a hook that starts now would find the helper."""
    path = resident_socket(os.environb)
    if not path:
        return "absent"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(client.JUDGE_SECONDS)
            line.connect(path)
            line.sendall(client.request(PACKAGE, [STATUS], b""))
            answer = line.recv(1)
    except OSError:
        return "silent"
    return "current" if answer == client.JUDGED else "old" if answer == client.YOURSELF else "silent"
