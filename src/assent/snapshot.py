"""Everything below some folders in one digest, made from what the file system says of each file, not from its content.

A file that is rewritten gets another change time, whoever sets its size and its time back: nothing needs to be read.
"""

from __future__ import annotations

import hashlib
import os
import time
from itertools import islice

from assent.gitindex import without_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_ENTRIES = 300_000
MOST_SECONDS = 3.0
"""What is beyond is not known, and the snapshot says so."""
TICK = 0.02
"""Seconds in which a file may be written twice and keep its change time: kernels count in steps of up to 10 ms."""
FORMAT, FILE, FOLDER, LINK = 0o170000, 0o100000, 0o040000, 0o120000
UNWALKED = frozenset({"/", "/usr", "/etc", "/var", "/home", "/opt", "/lib", "/root", "/proc", "/sys", "/dev", "/run"})
"""Folders that nobody looks through."""
SHARED = 0o1002
"""Mode bits of a folder that everybody writes to, as `/tmp`: it never stays as it is."""
SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/nix/store/")
"""What begins so belongs to the system: links to it are not followed."""
UNSETTLED = ("/var/log/", "/var/lib/", "/var/cache/", "/var/spool/", "/run/", "/proc/", "/sys/", "/dev/")
"""What begins so is written to all the time."""
MOST_INDEX = 256 << 20
GIT_PARTS = ({"HEAD", "objects", "refs"}, {"HEAD", "commondir"})
"""Names in a folder that git keeps a repository or a worktree in."""


class Snapshot:
    """Walks folders. `digest` stands for what is there; `whole` is false when not all of it could be looked at."""

    def __init__(self, home: str, left_out: Iterable[str] = ()) -> None:
        self.whole = True
        self._home = os.path.realpath(home)
        self._left_out = frozenset(map(os.path.realpath, left_out))
        self._hash = hashlib.sha256()
        self._entries = 0
        self._end = time.monotonic() + MOST_SECONDS
        self._walked: set[tuple[int, int]] = set()
        self._linked: list[str] = []
        self._fresh: list[tuple[str, str]] = []
        """Files that may be written once more without another change time, as they were seen."""
        self._since = 0

    def add(self, root: str) -> None:
        """A folder with everything below it, and the folders elsewhere that links in it lead to."""
        self._add_root(os.path.realpath(root))
        while self._linked:
            real = os.path.realpath(self._linked.pop())
            if not real.startswith(SYSTEM):
                self._add_root(real)

    def add_names(self, folder: str) -> None:
        """The files in a folder, none below."""
        self._add_folder(os.path.realpath(folder), set())

    def digest(self) -> str:
        """INVARIANT: a file that is written after this has another change time than the one in here."""
        if self._fresh:
            time.sleep(TICK * 1.5)
            for path, known in self._fresh:
                if _state(path) != known:
                    self._hash.update(f"{path}\0changing\0".encode("utf-8", "surrogateescape"))
            self._fresh.clear()
        return self._hash.hexdigest()

    def _add_root(self, real: str) -> None:
        try:
            status = os.stat(real)
        except (OSError, ValueError):
            return
        if (status.st_dev, status.st_ino) in self._walked:
            return
        around_home = f"{self._home}/".startswith(f"{real}/")
        unsettled = f"{real}/".startswith(UNSETTLED) or status.st_mode & SHARED == SHARED
        if real in UNWALKED or around_home or unsettled:
            self.whole = False
            return
        self._walked.add((status.st_dev, status.st_ino))
        self._hash.update(f"{real}\0{status.st_dev} {status.st_ino}\0\0".encode("utf-8", "surrogateescape"))
        waiting = [real]
        while waiting:
            waiting += self._add_folder(waiting.pop(), self._walked)
            if self._entries > MOST_ENTRIES or time.monotonic() > self._end:
                self.whole = False
                return

    def _add_folder(self, folder: str, walked: set[tuple[int, int]]) -> list[str]:
        """The lines of one folder; the folders in it that were not walked yet."""
        self._since = time.time_ns() - int(TICK * 1e9)
        try:
            with os.scandir(folder) as found:
                entries = sorted(islice(found, MOST_ENTRIES), key=lambda entry: entry.name)
        except (OSError, ValueError):
            self.whole = self.whole and not os.access(folder, os.X_OK)
            return []
        self._entries += len(entries) + 1
        git = _is_git(entries)
        lines, inner = [folder], []
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except (OSError, ValueError):
                lines.append(entry.name)
                continue
            kind = status.st_mode & FORMAT
            if kind == FILE:
                told = self._file(entry, status, git=git)
            elif kind == FOLDER:
                told = f"{status.st_mode} {status.st_dev} {status.st_ino}"
                if (status.st_dev, status.st_ino) not in walked and entry.path not in self._left_out:
                    walked.add((status.st_dev, status.st_ino))
                    inner.append(entry.path)
            elif kind == LINK:
                told = f"{_told(status)} {self._target(entry.path)}"
            else:
                told = f"{status.st_mode} {status.st_ino}"
            lines += [f"{entry.name}\0{told}"] if told else []
        self._hash.update("\0".join(lines).encode("utf-8", "surrogateescape") + b"\0\0")
        return inner

    def _file(self, entry: os.DirEntry[str], status: os.stat_result, *, git: bool) -> str:
        if entry.name == ".git":
            self._linked += _led_to(entry.path)
        if git or status.st_size == 0:
            kept = _kept_by_git(entry, status, git=git)
            if kept is not None:
                return kept
        return self._seen(entry.path, status)

    def _seen(self, path: str, status: os.stat_result) -> str:
        told = _told(status)
        if status.st_ctime_ns > self._since:
            self._fresh.append((path, told))
        return told

    def _target(self, path: str) -> str:
        """Where a link leads; a folder elsewhere is walked later."""
        try:
            leads, status = os.readlink(path), os.stat(path)
        except (OSError, ValueError):
            return "nowhere"
        if status.st_mode & FORMAT == FOLDER:
            if (status.st_dev, status.st_ino) not in self._walked:
                self._linked.append(path)
            return f"{leads}\0{status.st_dev} {status.st_ino}"
        if status.st_mode & FORMAT == FILE:
            return f"{leads}\0{self._seen(os.path.realpath(path), status)}"
        return leads


def _told(status: os.stat_result) -> str:
    return f"{status.st_mode} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _state(path: str) -> str:
    try:
        return _told(os.lstat(path))
    except (OSError, ValueError):
        return ""


# --- what git keeps --------------------------------------------------------------------------------------------------


def _is_git(entries: list[os.DirEntry[str]]) -> bool:
    names = {entry.name for entry in entries if entry.name in ("HEAD", "objects", "refs", "commondir")}
    return any(parts <= names for parts in GIT_PARTS)


def _kept_by_git(entry: os.DirEntry[str], status: os.stat_result, *, git: bool) -> str | None:
    """What stands for a file that git rewrites without changing what it says; empty for one that says nothing.

    `git status` writes the times of files into the index, with an empty lock beside it; every fetch writes FETCH_HEAD.
    """
    try:
        if git and entry.name == "index" and status.st_size < MOST_INDEX:
            with open(entry.path, "rb") as source:
                return f"{status.st_mode} {without_times(source.read())}"
        if git and entry.name == "FETCH_HEAD" and status.st_size < MOST_INDEX:
            with open(entry.path, "rb") as source:
                return f"{status.st_mode} {hashlib.sha256(source.read()).hexdigest()}"
    except OSError:
        return None
    silent = (git and entry.name == "index.lock") or entry.path.endswith(f"/fsmonitor--daemon/cookies/{entry.name}")
    return "" if silent and status.st_size == 0 else None


def _led_to(path: str) -> list[str]:
    """The folders of a repository that is kept elsewhere: a worktree's own, and the one it shares with others."""
    own = _pointed(path, "gitdir:")
    shared = _pointed(os.path.join(own, "commondir"), "") if own else ""
    return [folder for folder in (own, shared) if folder]


def _pointed(path: str, before: str) -> str:
    try:
        with open(path, "rb") as source:
            text = source.read(10_000).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
    leads = text[len(before) :].strip() if text.startswith(before) else ""
    return os.path.normpath(os.path.join(os.path.dirname(path), leads)) if leads and "\0" not in leads else ""


def repository_above(folder: str) -> list[str]:
    """The folders that git keeps the repository around a folder in."""
    here = folder
    while True:
        kept = os.path.join(here, ".git")
        if os.path.isfile(kept):
            return _led_to(kept)
        if os.path.isdir(kept):
            return [kept]
        if os.path.dirname(here) == here:
            return []
        here = os.path.dirname(here)
