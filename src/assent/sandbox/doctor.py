"""The proof that the sandbox holds: every way out is tried inside, and what matters is looked at from outside."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from assent.errors import AssentError
from assent.record import record, replace
from assent.sandbox.capability import nothing_file
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Settings, profile_for
from assent.sandbox.running import start

ATTEMPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attempts.py")
FEW = 64


@record
class Attempt:
    """One way out: whether it was held back, and what happened."""

    name: str
    held: bool
    text: str


@record
class Outside:
    """What is put outside for the attempts to find."""

    folder: str
    workspace: str
    home: str
    witness: str
    process: int
    given: dict[str, object]


def attempts(program: str, state: str) -> tuple[Attempt, ...]:
    """Try everything. The last judgement is made out here: what changed outside did get out, whatever was said."""
    with _outside(state) as outside:
        found = _tried(outside, program, state)
        return tuple(_judged(outside, found))


def _tried(outside: Outside, program: str, state: str) -> tuple[Attempt, ...]:
    master, slave = os.openpty()
    try:
        tools = Settings(read=(sys.base_prefix, os.path.realpath(sys.executable)))
        env = {"PATH": os.defpath, "ASSENT_PROOF_SECRET": "x"}
        made = profile_for(
            outside.workspace, outside.workspace, outside.home, Machine(), settings=tools, own=(state,), env=env
        )
        with open(ATTEMPTS, encoding="utf-8") as stream:
            words = [os.path.realpath(sys.executable), "-I", "-S", "-c", stream.read(), json.dumps(outside.given)]
        reading, writing = os.pipe()
        running = start(
            replace(made, processes=FEW),
            words,
            program=program,
            nothing=nothing_file(state),
            stdin=slave,
            stdout=writing,
            show=False,
        )
        os.close(writing)
        with open(reading, encoding="utf-8") as answers:
            rows = [json.loads(line) for line in answers]
        ended = running.wait()
    finally:
        os.close(master)
        os.close(slave)
    if ended.code or not rows:
        raise AssentError(f"the attempts ended with {ended.code}: {ended.errors.strip()[-300:]}")
    return tuple(Attempt(row["name"], row["held"], row["text"]) for row in rows)


def _judged(outside: Outside, found: tuple[Attempt, ...]) -> Iterator[Attempt]:
    with open(outside.witness, encoding="ascii") as stream:
        unchanged = stream.read() == outside.given["word"]
    alive = os.waitpid(outside.process, os.WNOHANG) == (0, 0)
    for one in found:
        if one.name == "write a file outside":
            private = "went to a private copy that is gone" if not one.held else one.text
            yield Attempt(one.name, unchanged, private if unchanged else "the file outside has changed")
        elif one.name == "end every process":
            yield Attempt(one.name, one.held and alive, one.text if alive else "ended a process outside")
        else:
            yield one


@contextlib.contextmanager
def _outside(state: str) -> Iterator[Outside]:
    """A home with secrets, a workspace, a listener of each kind and a process, all of them thrown away."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="doctor-", dir=os.path.join(state, "sandbox")))
    mark = f"assent-proof-{secrets.token_hex(4)}"
    process = subprocess.Popen(["/bin/sh", "-c", "read -r line", mark], stdin=subprocess.PIPE)  # noqa: S603
    try:
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as hidden:
            hidden.bind("\0" + mark)
            hidden.listen()
            with _named_socket(mark) as named:
                yield _filled(folder, state, process.pid, port.getsockname()[1], mark, named)
    finally:
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _named_socket(mark: str) -> Iterator[str]:
    """In a folder with a short name: the name of a socket may have about a hundred bytes."""
    with tempfile.TemporaryDirectory(prefix="assent-") as folder, socket.socket(socket.AF_UNIX) as named:
        named.bind(path := f"{folder}/{mark}")
        named.listen()
        yield path


def _filled(folder: str, state: str, process: int, port: int, mark: str, named: str) -> Outside:
    word = secrets.token_hex()
    home, workspace, witness = f"{folder}/home", f"{folder}/workspace", f"{folder}/witness"
    private = os.path.join(state, "sandbox", "private")
    texts = {
        f"{home}/.ssh/id_proof": word,
        f"{workspace}/.env": "TOKEN=x\n",
        witness: word,
        private: word,
        f"{workspace}/.git/config": "",
        f"{workspace}/.git/hooks/sample": "",
    }
    for path, text in texts.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as stream:
            stream.write(text)
    given: dict[str, object] = {
        "secret": f"{home}/.ssh/id_proof",
        "witness": witness,
        "state": private,
        "word": word,
        "port": port,
        "abstract": mark,
        "mark": mark,
        "socket": named,
        "process": process,
        "processes": FEW,
    }
    return Outside(folder, workspace, home, witness, process, given)
