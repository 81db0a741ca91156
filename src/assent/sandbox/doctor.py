"""The proof that the sandbox holds: every way out is tried inside, and what matters is looked at from outside."""

from __future__ import annotations

import contextlib
import ctypes
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
from assent.sandbox.capability import Capability
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Settings, profile_for

ATTEMPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attempts.py")
FEW = 64
OF_THE_WITNESS = (
    "write a file outside",
    "change the rights of a file outside",
    "change the times of a file outside",
    "change an attribute of a file outside",
)
"""A sandbox may show a private folder in its place. What counts is the file itself."""


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
    facts: tuple[object, ...]
    given: dict[str, object]


def attempts(able: Capability, state: str) -> tuple[Attempt, ...]:
    """Try everything. The last judgement is made out here: what changed outside did get out, whatever was said."""
    with _outside(state) as outside:
        found = _tried(outside, able, state)
        return tuple(_judged(outside, found))


def _tried(outside: Outside, able: Capability, state: str) -> tuple[Attempt, ...]:
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
        with open(reading, encoding="utf-8") as answers:
            try:
                few = replace(made, processes=FEW)
                running = able.start(few, words, state, stdin=slave, stdout=writing, show=False)
            finally:
                os.close(writing)
            rows = [json.loads(line) for line in answers]
        ended = running.wait()
    finally:
        os.close(master)
        os.close(slave)
    if ended.code or not rows:
        raise AssentError(f"the attempts ended with {ended.code}: {ended.errors.strip()[-300:]}")
    return tuple(Attempt(row["name"], row["held"], row["text"]) for row in rows)


def _judged(outside: Outside, found: tuple[Attempt, ...]) -> Iterator[Attempt]:
    unchanged = _facts(outside.witness) == outside.facts
    alive = os.waitpid(int(str(outside.given["process"])), os.WNOHANG) == (0, 0)
    for one in found:
        if one.name in OF_THE_WITNESS:
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
    words, known = ["/bin/sh", "-c", "read -r line", mark], {"ASSENT_PROOF_SECRET": "x"}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, env=known)  # noqa: S603 - a process to be found
    try:
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as hidden:
            hidden.bind("\0" + mark)
            hidden.listen()
            with _named_socket(mark) as named, _shared_memory() as memory:
                number = port.getsockname()[1]
                yield _filled(folder, state, mark, process=process.pid, port=number, socket=named, memory=memory)
    finally:
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _named_socket(mark: str) -> Iterator[str]:
    """In a folder with a short name, wherever TMPDIR is: the path of a socket may have about a hundred bytes."""
    short = "/tmp"  # noqa: S108 - the folder in it is made for this user alone
    with tempfile.TemporaryDirectory(prefix="assent-", dir=short) as folder, socket.socket(socket.AF_UNIX) as named:
        named.bind(path := f"{folder}/{mark}")
        named.listen()
        yield path


@contextlib.contextmanager
def _shared_memory() -> Iterator[int]:
    """Memory of the old kind, which everybody of the same user finds by its number."""
    libc = ctypes.CDLL(None)
    number: int = libc.shmget(0, 4_096, 0o600)
    try:
        yield number
    finally:
        libc.shmctl(number, 0, None)


def _filled(folder: str, state: str, mark: str, **more: object) -> Outside:
    """`more` is what there is besides files."""
    word = secrets.token_hex()
    home, workspace, witness = f"{folder}/home", f"{folder}/workspace", f"{folder}/witness"
    private = os.path.join(state, "sandbox", "private")
    texts = {
        f"{home}/.ssh/id_proof": word,
        f"{workspace}/.env": "TOKEN=x\n",
        witness: word,
        private: word,
        f"{workspace}/free/nothing": "",
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
        "abstract": mark,
        "mark": mark,
        "processes": FEW,
        **more,
    }
    return Outside(folder, workspace, home, witness, _facts(witness), given)


def _facts(witness: str) -> tuple[object, ...]:
    """All that could be changed about a file."""
    status = os.stat(witness)
    with open(witness, encoding="ascii") as stream:
        return stream.read(), status.st_mode, status.st_mtime_ns, status.st_uid, os.listxattr(witness)
