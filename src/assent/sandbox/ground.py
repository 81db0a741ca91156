"""The machine as a profile sees it: kinds of files, links, secrets and repositories in a workspace, and sockets."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from assent import protected
from assent.digest import sha256
from assent.errors import AssentError
from assent.sandbox.deadline import Deadline
from assent.sandbox.gitcode import MOST_TEXT

MOST_ENTRIES = 200_000
MOST_HASHED = 16_000_000
PASSED_OVER = frozenset(
    "node_modules site-packages dist-packages __pycache__ .tox .nox .mypy_cache .ruff_cache .pytest_cache".split()
)
"""Folders full of other people's files, looked at last: a certificate of a package is no secret, a `.env` is one."""
HEADS = protected.SECRET_HEADS | protected.FLOOR_HEADS
BARE = frozenset(("HEAD", "objects", "refs"))
LINKED = frozenset(("HEAD", "commondir"))
"""A folder with either in it is a repository to git, whatever it is called."""


OBJECTS = re.compile(r"/objects/(?:[0-9a-f]{2}|pack)$")
"""Where git keeps objects: looked at and not counted, or a long history would leave no room for the project."""


class Survey:
    """One walk through a workspace. INVARIANT: what could not be looked at is said, never taken for empty."""

    def __init__(
        self,
        root: str,
        *,
        most: int = 0,
        deadline: Deadline | None = None,
        leave: frozenset[str] | None = None,
    ) -> None:
        """With `leave`, folders of ours that cannot be read are opened, but for those."""
        self.root, self.complete = root, True
        self._deadline = deadline or Deadline()
        self.unread: list[str] = []
        self._leave = leave
        self._most = most or MOST_ENTRIES
        self._seen = 0

    def __iter__(self) -> Iterator[tuple[str, list[os.DirEntry[str]], bool]]:
        """Every folder with its entries, and whether it is full of other people's files; those come last."""
        waiting, later = [(self.root, False)], list[tuple[str, bool]]()
        while waiting or later:
            here, foreign = waiting.pop() if waiting else later.pop()
            self._deadline.check()
            try:
                entries = self._listed(here)
            except OSError:
                self.complete = False
                self.unread.append(here)
                continue
            self._seen += len(entries) if not OBJECTS.search(here) else 0
            if self._seen > self._most:
                self.complete = False
                return
            yield here, entries, foreign
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    passed = foreign or entry.name in PASSED_OVER
                    (later if passed else waiting).append((entry.path, passed))

    def _listed(self, here: str) -> list[os.DirEntry[str]]:
        try:
            return list(os.scandir(here))
        except PermissionError:
            status = os.lstat(here)
            if self._leave is None or here in self._leave or status.st_uid != os.geteuid():
                raise
            os.chmod(here, stat.S_IMODE(status.st_mode) | stat.S_IRWXU)
            return list(os.scandir(here))


class Machine:
    """This machine's own files."""

    unread: frozenset[str] = frozenset()
    """Folders that the last search for repositories could not read."""

    def kind(self, path: str) -> str:
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            return ""
        if stat.S_ISLNK(mode):
            return "link"
        return "folder" if stat.S_ISDIR(mode) else "file"

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def target(self, path: str) -> str:
        return os.readlink(path)

    def names(self, folder: str) -> tuple[str, ...]:
        try:
            return tuple(sorted(os.listdir(folder)))
        except OSError:
            return ()

    def text(self, path: str) -> str | None:
        """What is in a regular file; None if there is none that could be read."""
        data = self._data(path, MOST_TEXT)
        return None if data is None else data.decode(errors="surrogateescape")

    def digest(self, path: str) -> str:
        """Changes whenever the file does."""
        data = self._data(path, MOST_HASHED)
        try:
            size = os.stat(path).st_size
        except OSError:
            return ""
        return f"{size} {sha256(data or b'')}"

    def _data(self, path: str, most: int) -> bytes | None:
        try:
            source = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except OSError:
            return None
        with open(source, "rb") as stream:
            return stream.read(most) if stat.S_ISREG(os.fstat(source).st_mode) else None

    def runs(self, path: str) -> bool:
        """Whether a file may be executed."""
        try:
            return bool(os.stat(path).st_mode & 0o111)
        except OSError:
            return False

    def secrets(self, folder: str, others: tuple[str, ...] = ()) -> tuple[tuple[str, ...], bool]:
        """Files below a folder that usually hold secrets, by every name they have there; `others` may have one, too.

        A secret is the file, not its name: what a link called `.env` leads to is one, and so is its second name.
        """
        found: dict[str, None] = {}
        survey, inodes = Survey(folder), _inodes_of(others)
        for here, entries, foreign in survey:
            special = not HEADS.isdisjoint(here.casefold().split("/"))
            for entry in entries:
                if not (special or _is_notable(entry.name.casefold())) or entry.is_dir(follow_symlinks=False):
                    continue
                if _is_secret(entry, foreign=foreign):
                    path = os.path.realpath(entry.path)
                    found[path] = None
                    inodes |= _inodes_of((path,))
        if inodes:
            found |= dict.fromkeys(_with_inodes(folder, inodes))
        return tuple(sorted(found)), survey.complete

    def repositories(
        self,
        folder: str,
        most: int = 0,
        deadline: Deadline | None = None,
        leave: frozenset[str] | None = None,
    ) -> tuple[tuple[str, ...], bool]:
        """What git would take for a repository in a workspace: each `.git`, and folders that look like one."""
        found: list[str] = []
        survey = Survey(folder, most=most, deadline=deadline, leave=leave)
        for here, entries, _ in survey:
            names = {entry.name for entry in entries}
            found += [f"{here}/.git"] if ".git" in names else []
            found += [here] if names >= BARE or names >= LINKED else []
        self.unread = frozenset(survey.unread)
        found += [f"{here}/.git" for here in survey.unread if os.path.lexists(f"{here}/.git")]
        return tuple(sorted(found, key=lambda path: (path.count("/"), path))), survey.complete

    def sockets(self) -> tuple[str, ...]:
        try:
            with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as stream:
                lines = stream.read().splitlines()[1:]
        except OSError:
            return ()
        paths = (line.split(" ", 7)[-1] for line in lines if " /" in line)
        return tuple(dict.fromkeys(path[path.find("/") :] for path in paths))


def _is_notable(name: str) -> bool:
    """Quickly said: whether a name could be a secret's. INVARIANT: no for those alone that `is_secret` says no to."""
    return (
        name in protected.SECRET_NAMES
        or name in HEADS
        or name.startswith(".env")
        or name.endswith((".env", *protected.SECRET_SUFFIXES))
    )


def _is_secret(entry: os.DirEntry[str], *, foreign: bool) -> bool:
    if foreign and entry.name.casefold().endswith(protected.SECRET_SUFFIXES):
        return protected.on_the_floor(entry.path)
    return protected.is_secret(entry.path) or protected.on_the_floor(entry.path)


def _inodes_of(paths: tuple[str, ...]) -> set[tuple[int, int]]:
    """The files among them that have more than one name."""
    found = set()
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            found.add((status.st_dev, status.st_ino))
    return found


def _with_inodes(folder: str, inodes: set[tuple[int, int]]) -> Iterator[str]:
    """Every name in a workspace of these files."""
    numbers = {number for _, number in inodes}
    survey = Survey(folder)
    for _, entries, _ in survey:
        for entry in entries:
            if entry.inode() in numbers and not entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                if (status.st_dev, status.st_ino) in inodes:
                    yield entry.path
    if not survey.complete:
        raise AssentError(
            f"`{folder}` holds a secret file with a second name, and is too large to find all of them",
            help="remove the second name of the file",
        )
