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
from assent.sandbox.drafts import DRAFT
from assent.sandbox.ground import Machine
from assent.sandbox.planted import HELD
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
OF_THE_PROJECT = (
    "change .git/config",
    "add a git hook",
    "lead git elsewhere by .git/commondir",
    "add .git/config.worktree",
    "add a working tree to .git",
    "add a submodule to .git",
    "change .git/info",
    "destroy an object of git",
    "change an object of git",
    "lead git to other objects",
    "plan a command for git rebase",
    "make .git/HEAD a link",
    "lead git out of the project by its index",
    "lead git's objects elsewhere by a link",
    "put a pipe among git's objects",
    "name a program in .git/sequencer/opts",
    "replace an object of git by another",
    "remove the branch that is worked on",
    "change the settings of a repository inside",
    "plant a repository in a folder",
    "plant a repository without .git",
    "plant a repository below a folder called .git",
)
"""The command may have had a copy, or it was put away afterwards: what counts is what is there when it has ended."""
KEPT = (
    *(".git", "vendor", "sub", "tools", "scripts", "more.gitconfig", ".venv", "AGENTS.md", ".github", ".vscode"),
    *("free/planted/.git/config", "free/bare/config", "free/under/.git/deep/config", "bare.git"),
)
"""What of the workspace nobody may have changed."""
OBJECT = "e6/9de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""The object that is an empty file; here it is one of no meaning."""


SETTINGS = """[core]
\trepositoryformatversion = 0
\tbare = false
\thooksPath = tools/hooks
[include]
\tpath = ../more.gitconfig
[filter "proof"]
\tclean = sh scripts/clean %f
"""
PROJECT = {
    ".env": "TOKEN=x\n",
    "conf/production": "TOKEN=x\n",
    "twice/.env": "TOKEN=x\n",
    "node_modules/package/.env": "TOKEN=x\n",
    ".tox/env/.env": "TOKEN=x\n",
    "free/nothing": "",
    ".git/config": SETTINGS,
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/refs/heads/main": f"{'1' * 40}\n",
    ".git/.env": "TOKEN=x\n",
    ".git/hooks/sample": "",
    ".git/info/exclude": "",
    f".git/objects/{OBJECT}": "object",
    "tools/hooks/pre-commit": "#!/bin/sh\n./scripts/check.sh\n",
    "scripts/check.sh": "",
    "bare.git/HEAD": "ref: refs/heads/main\n",
    "more.gitconfig": "",
    "scripts/clean": "",
    "vendor/lib/.git/config": "",
    "vendor/lib/.git/HEAD": "ref: refs/heads/main\n",
    "sub/.git": "gitdir: ../.git/modules/sub\n",
    "AGENTS.md": "",
    ".github/workflows/test.yml": "",
    ".vscode/tasks.json": "",
    ".venv/pyvenv.cfg": "",
    ".venv/lib/site-packages/assent.py": "",
}
"""A project with secrets, settings and programs that others run."""


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
    kept: dict[str, object]
    given: dict[str, object]


def attempts(able: Capability, state: str) -> tuple[Attempt, ...]:
    """Try everything. The last judgement is made out here: what changed outside did get out, whatever was said."""
    place = os.path.join(state, "sandbox")
    before = set(os.listdir(place))
    try:
        with _outside(state) as outside:
            found = _tried(outside, able, state)
            return tuple(_judged(outside, found))
    finally:
        for name in set(os.listdir(place)) - before:
            if name.startswith((HELD, DRAFT)):  # what the attempts planted, and was put away or kept
                shutil.rmtree(os.path.join(place, name))


def _tried(outside: Outside, able: Capability, state: str) -> tuple[Attempt, ...]:
    master, slave = os.openpty()
    try:
        ours = tuple(f"{outside.workspace}/.venv/{name}" for name in ("bin", "pyvenv.cfg", "lib/site-packages"))
        tools = Settings(read=(sys.base_prefix, os.path.realpath(sys.executable)))
        env = {"PATH": os.defpath, "ASSENT_PROOF_SECRET": "x"}
        made = profile_for(
            outside.workspace,
            outside.workspace,
            outside.home,
            Machine(),
            settings=tools,
            own=(state,),
            running=ours,
            env=env,
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
    changed = sorted(path for path, _ in outside.kept.items() ^ _kept(outside.workspace).items())
    for one in found:
        if one.name in OF_THE_PROJECT:
            text = f"`{changed[0]}` has changed" if changed else one.text
            private = "went to a copy that is gone" if not one.held else text
            yield Attempt(one.name, not changed, text if changed else private)
        elif one.name in OF_THE_WITNESS:
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
    workspace = os.path.realpath(tempfile.mkdtemp(prefix="assent-doctor-"))
    mark = f"assent-proof-{secrets.token_hex(4)}"
    words, known = ["/bin/sh", "-c", "read -r line", mark], {"ASSENT_PROOF_SECRET": "x"}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, env=known)  # noqa: S603 - a process to be found
    try:
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as hidden:
            hidden.bind("\0" + mark)
            hidden.listen()
            with _named_socket(mark) as named, _shared_memory() as memory:
                number = port.getsockname()[1]
                more = {"process": process.pid, "port": number, "socket": named, "memory": memory}
                yield _filled(folder, workspace, state, mark, **more)
    finally:
        process.communicate()
        for one in (folder, workspace):
            shutil.rmtree(one, ignore_errors=True)


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


def _filled(folder: str, workspace: str, state: str, mark: str, **more: object) -> Outside:
    """`more` is what there is besides files."""
    word = secrets.token_hex()
    home, witness = f"{folder}/home", f"{folder}/witness"
    private = os.path.join(state, "sandbox", "private")
    texts = {f"{home}/.ssh/id_proof": word, witness: word, private: word}
    texts |= {f"{workspace}/{name}": text for name, text in PROJECT.items()}
    for path, text in texts.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as stream:
            stream.write(text)
    for folder in (".venv/bin", "bare.git/objects", "bare.git/refs", "vendor/lib/.git/objects", "vendor/lib/.git/refs"):
        os.makedirs(f"{workspace}/{folder}")
    os.chmod(f"{workspace}/tools/hooks/pre-commit", 0o700)
    os.symlink("production", f"{workspace}/conf/.env")
    os.symlink(sys.executable, f"{workspace}/.venv/bin/python")
    os.link(f"{workspace}/twice/.env", f"{workspace}/free/harmless")
    for name in ("notes",) if os.stat(home).st_dev == os.stat(workspace).st_dev else ():
        os.link(f"{home}/.ssh/id_proof", f"{workspace}/free/{name}")
    given: dict[str, object] = {
        "secret": f"{home}/.ssh/id_proof",
        "witness": witness,
        "state": private,
        "word": word,
        "abstract": mark,
        "object": OBJECT,
        "mark": mark,
        "processes": FEW,
        **more,
    }
    return Outside(folder, workspace, home, witness, _facts(witness), _kept(workspace), given)


def _kept(workspace: str) -> dict[str, object]:
    """All that is in the places that nobody may change."""
    found: dict[str, object] = {}
    waiting = [f"{workspace}/{name}" for name in KEPT]
    while waiting:
        path = waiting.pop()
        if os.path.islink(path):
            found[path] = os.readlink(path)
        elif os.path.isdir(path):
            found[path] = os.stat(path).st_mode
            waiting += [f"{path}/{name}" for name in os.listdir(path)]
        elif os.path.exists(path):
            with open(path, "rb") as stream:
                found[path] = (os.stat(path).st_mode, stream.read())
    return found


def _facts(witness: str) -> tuple[object, ...]:
    """All that could be changed about a file."""
    status = os.stat(witness)
    with open(witness, encoding="ascii") as stream:
        return stream.read(), status.st_mode, status.st_mtime_ns, status.st_uid, os.listxattr(witness)
