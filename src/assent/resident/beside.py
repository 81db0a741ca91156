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

    Condition = Literal["absent", "current", "old", "silent", "stranger"]

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
            secret, nonce = client.secret_beside(path), client.new_nonce()
            line.sendall(client.request(PACKAGE, [STATUS], b"", nonce))
            answer = line.recv(1)
            proof = line.recv(client.PROOF_BYTES, socket.MSG_WAITALL) if answer == client.JUDGED else b""
    except (OSError, ValueError):
        return "silent"
    if answer == client.JUDGED:
        return "current" if proof == client.proof(secret, nonce, answer) else "stranger"
    return "old" if answer == client.YOURSELF else "silent"
