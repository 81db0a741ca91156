"""What an approval is bound to: a digest of the action as it would really happen, made anew before it is spent.

A changed command, folder, program, variable, link, mode or policy gives another one, and so does any change in the
project when something of it would run; the person is asked again.
"""

from __future__ import annotations

import hashlib
import os
import time

from assent import wire
from assent.codefiles import CodeFiles, is_harmless
from assent.digest import sha256
from assent.folders import state_folder
from assent.record import record
from assent.snapshot import Snapshot
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.policy.case import Case
    from assent.types import Call, Effect
    from assent.world import DiskWorld

CHANGES = frozenset({"write", "delete"})
CHUNK = 1 << 20
MOST_BYTES = 256 << 20
"""So much content is read; of what is beyond, size, inode and times must do."""
FRESH = 3.0
"""Seconds in which a file may be written again without another time."""
MOST_WORDS = 2_000


@record
class Fingerprint:
    """`text` stands for the action. `whole` is false when not every file could be looked at: then it is good for the
    one attempt that `once` names, and a later one never has the same."""

    text: str
    whole: bool = True
    once: str = ""


def fingerprint(case: Case, policy_digest: str, world: DiskWorld, env: Mapping[str, str], once: str) -> Fingerprint:
    """One digest for: who, which tool with which input, where, under which policy, with which programs and files."""
    call = case.call
    files = CodeFiles(case, world, env)
    files.collect()
    contents = Contents()
    parts = [
        *("assent action 3", call.agent, call.session, *call.chain, call.tool, call.shell, call.cwd),
        *(call.workspace or "", policy_digest, wire.dumps(call.input), contents.identity(call.cwd)),
    ]
    parts += [f"sandbox {case.sandbox}"] if case.sandbox else []
    if case.calls or files.starts:
        parts += [f"{name}={env[name]}" for name in sorted(env) if not is_harmless(name)]
    parts += _programs(case, env, contents)
    for effect in case.effects:
        parts += _object(effect)
    parts += [f"file {path} {contents.state(path)}" for path in sorted(files.paths)]
    tree = _tree(files, world, env)
    parts.append(f"tree {tree.digest()}")
    whole = files.whole and tree.whole
    parts += [] if whole else [f"only {once}"]
    text = "\0".join(part.replace("\0", "\0\0") for part in parts).encode("utf-8", "surrogatepass")
    return Fingerprint(sha256(text), whole, once)


def _tree(files: CodeFiles, world: DiskWorld, env: Mapping[str, str]) -> Snapshot:
    """What lies where something would run. Assent's own state is left out: it changes with every question."""
    tree = Snapshot(world.home, [state_folder(env, world.home)])
    for root in files.trees:
        tree.add(root)
    for folder in files.folders:
        tree.add_names(folder)
    return tree


def _object(effect: Effect) -> Iterator[str]:
    """What an effect would change, where links lead now."""
    if isinstance(effect.at, Place) and effect.kind in CHANGES:
        yield f"{effect.kind} {effect.at.path}"


class Contents:
    """Files by their content and by what changes with it: rewriting one and setting its time back shows."""

    def __init__(self) -> None:
        self._left = MOST_BYTES
        self._now = time.time()
        self._real: dict[str, str] = {}

    def state(self, path: str) -> str:
        known = self.identity(path)
        try:
            status = os.stat(path)
            if self._is_settled(status):
                return known
            self._left -= status.st_size
            return f"{known} {_digest(path)}"
        except (OSError, ValueError) as error:
            return f"{known} unreadable {type(error).__name__}"

    def _is_settled(self, status: os.stat_result) -> bool:
        """Whether size, inode and times must do: for what is too much to read, and was not written just now."""
        return self._left < status.st_size and abs(self._now - status.st_ctime) > FRESH

    def identity(self, path: str) -> str:
        """The very object behind a path: replacing it, or pointing a link elsewhere, changes this."""
        try:
            status = os.stat(path)
            folder, name = os.path.split(path)
            if folder not in self._real:
                self._real[folder] = os.path.realpath(folder)
            real = os.path.realpath(path) if os.path.islink(path) else os.path.join(self._real[folder], name)
        except (OSError, ValueError) as error:
            return f"missing {type(error).__name__}"
        found = f"{real} {status.st_dev} {status.st_ino}"
        if os.path.isdir(path):
            return found
        return f"{found} {status.st_mode:o} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _digest(path: str) -> str:
    """The content of a regular file, of any size; a device or a pipe is never opened."""
    if not os.path.isfile(path):
        return "no file"
    found = hashlib.sha256()
    with open(path, "rb") as source:
        while data := source.read(CHUNK):
            found.update(data)
    return found.hexdigest()


def _programs(case: Case, env: Mapping[str, str], contents: Contents) -> Iterator[str]:
    """Which file each program name stands for now, and every other word that may be one: `xargs tool`, `env tool`."""
    folders = env.get("PATH", os.defpath).split(os.pathsep)
    names = dict.fromkeys(call.program or "?" for call in case.calls)
    words = dict.fromkeys(word for call in case.calls for word in _plain_words(call))
    for name in (*names, *[word for word in list(words)[:MOST_WORDS] if word not in names]):
        path = name if "/" in name else _found(name, folders, case.call.cwd)
        path = os.path.join(case.call.cwd, path) if path else ""
        if path or name in names:
            yield f"{name} {path} {contents.state(path) if path else 'built in or missing'}"


def _plain_words(call: Call) -> Iterator[str]:
    return (w.value for w in call.words[1:] if w.value and "/" not in w.value and w.value[:1] not in "-.")


def _found(name: str, folders: list[str], cwd: str) -> str:
    for folder in folders:
        path = os.path.join(cwd, folder, name)
        if "\0" not in path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""
