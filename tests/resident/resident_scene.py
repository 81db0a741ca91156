"""A home, a project and a resident helper of their own, and hooks that are sent there or stay away from it.

The folders have short names: a path of a socket has room for a hundred letters.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assent import launch
from assent.resident import client

PACKAGE = Path(__file__).parents[2] / "src/assent"
OWN = ("event_id", "time", "timestamp", "seq", "prev_hash", "hash", "latency_ms", "tool_call_id")
"""What differs between two records of the same decision."""
GREETING = b"hooks are answered from here; Ctrl-C ends it\n"
SELF = 77
TRIES = 5
SECRET = bytes(range(client.SECRET_BYTES))
NONCE = b"0123456789abcdef" * 2
AWAY = ("--seconds", "600")
"""With this a hook does not ask the helper."""
ONLY_HELPER = f"""
import posix, sys
sys.argv = sys.argv[1:]
from _frozen_importlib_external import SourceFileLoader
launch = type(sys)("launch")
SourceFileLoader("launch", sys.argv[0] + "/launch.py").exec_module(launch)
path = launch.resident_socket(posix.environ)
code = launch.loaded(sys.argv[0], "resident/client.py").answered(path, sys.argv[0], sys.argv[1:]) if path else None
posix._exit({SELF} if code is None else code)
"""


class Done(NamedTuple):
    """How a hook ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def verdict(self) -> str:
        return str(json.loads(self.out)["hookSpecificOutput"]["permissionDecision"])


class House:
    """Home, project and the hooks in it."""

    def __init__(self, folder: Path, package: Path = PACKAGE) -> None:
        self.home, self.project, self.package = folder / "home", folder / "project", package
        self.state = self.home / "s/assent"
        self.socket = self.state / launch.FOLDER / launch.SOCKET
        self.home.mkdir()
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git/HEAD").write_text("ref: refs/heads/main\n")
        (self.project / ".git/config").write_text("[core]\n\tbare = false\n")
        self.env = {"HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "s"), "PATH": os.defpath}

    def policy(self, text: str) -> None:
        file = self.home / ".config/assent/policy.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def payload(self, tool: str, input: dict[str, Any], id: str = "t1") -> bytes:
        call = {"tool_name": tool, "tool_input": input, "tool_use_id": id}
        where = {"session_id": "s", "cwd": str(self.project), "hook_event_name": "PreToolUse"}
        return json.dumps(where | call).encode()

    def command(self, text: str, id: str = "t1") -> bytes:
        return self.payload("Bash", {"command": text}, id)

    def hook(self, payload: bytes, *words: str, agent: str = "claude-code", **env: str) -> Done:
        """The hook as an agent starts it; nobody is asked."""
        return self.run([str(self.package / "start.py"), "hook", agent, "--on-ask", "deny", *words], payload, env)

    def resident(self, payload: bytes, *words: str, agent: str = "claude-code", **env: str) -> Done:
        """Only what the helper answers; `SELF` when the hook would have to do it itself."""
        rest = ["-c", ONLY_HELPER, str(self.package), "hook", agent, "--on-ask", "deny", *words]
        return self.run(rest, payload, env)

    def answered(self, payload: bytes, *words: str, agent: str = "claude-code", **env: str) -> Done:
        """As `resident`, asked again when a busy machine left the helper no time."""
        tries = (self.resident(payload, *words, agent=agent, **env) for _ in range(TRIES))
        return next((done for done in tries if done.code != SELF), Done(SELF, "", ""))

    def verb(self, *words: str) -> Done:
        return self.run([str(self.package / "start.py"), *words], b"", {})

    def run(self, words: list[str], payload: bytes, env: Mapping[str, str] = {}) -> Done:
        done = subprocess.run(
            [sys.executable, "-I", "-S", *words],
            cwd=self.project,
            env={**self.env, **env},
            input=payload,
            capture_output=True,
            timeout=60,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def records(self) -> list[dict[str, Any]]:
        file = self.state / "audit/permissions.jsonl"
        text = file.read_text() if file.exists() else ""
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]  # another may be writing one

    def recorded(self, id: str) -> list[dict[str, Any]]:
        """What the journal says about a call, without what differs each time."""
        found = [row for row in self.records() if row["tool_call_id"] == id]
        return [{name: value for name, value in row.items() if name not in OWN} for row in found]

    def request(self, payload: bytes, *words: str, **changed: bytes) -> bytes:
        """What the client sends, with fields exchanged."""
        fields = {
            "protocol": client.PROTOCOL,
            "nonce": NONCE,
            "interpreter": client.interpreter(),
            "package": os.fsencode(self.package),
            "place": client.place(),
            "folder": os.fsencode(self.project),
        } | changed
        given = [b"hook", b"claude-code", *(os.fsencode(word) for word in words)]
        around = [f"{name}={value}".encode() for name, value in self.env.items()]
        head = b"\0".join([*fields.values(), b"%d" % len(given), *given, *around])
        return b"%10d%10d" % (len(head), len(payload)) + head + payload

    @property
    def key(self) -> Path:
        return self.socket.with_name(client.KEY.decode())

    def judged(self, line: socket.socket) -> bool:
        """Whether the helper says that it is ready, and proves that it is the helper."""
        said = line.recv(1 + client.PROOF_BYTES, socket.MSG_WAITALL)
        return said == client.JUDGED + client.proof(self.key.read_bytes(), NONCE, client.JUDGED)

    def line(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(30)
        made.connect(str(self.socket))
        return made


@contextmanager
def house(package: Path = PACKAGE) -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="as-", dir="/tmp"))
    try:
        yield House(folder, package)
    finally:
        shutil.rmtree(folder)


@contextmanager
def helper(home: House, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """`assent resident` until the end of the block, however it comes to it."""
    words = [sys.executable, "-I", "-S", str(home.package / "start.py"), "resident", *options]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, env=home.env, cwd="/", stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first == GREETING, process.communicate()[1]
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    tasks = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(word) for word in tasks.split()]


@contextmanager
def impostor(home: House, behave: Callable[[socket.socket], None], key: bytes = SECRET) -> Iterator[list[int]]:
    """Something else at the place of the helper, with a key beside it; counts who came."""
    home.socket.parent.mkdir(parents=True, mode=0o700)
    home.socket.parent.chmod(0o700)
    home.key.write_bytes(key)
    came: list[int] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listens:
        listens.bind(str(home.socket))
        listens.listen()

        def serve() -> None:
            line = listens.accept()[0]
            with line:
                came.append(1)
                behave(line)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield came
        thread.join(30)
        assert not thread.is_alive()
