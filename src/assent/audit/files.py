"""The files of a journal: where they are, who may own them, the lock, and the head that remembers the last record.

INVARIANT: nothing is written through a link, into somebody else's file or into one that others may write.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time

from assent.audit.lines import NOTHING, JournalError, is_hash
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

CURRENT, HEAD, LOCK = "permissions.jsonl", "head", "lock"
DIGITS = 6
SAFE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
LOCK_SECONDS = 10.0
SHORT_PAUSE, LONG_PAUSE = 0.0002, 0.005


@record
class Head:
    """The last record that was written."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"


START = Head(0, NOTHING)


def rotated_name(number: int) -> str:
    return f"permissions-{number:0{DIGITS}d}.jsonl"


def rotated_number(name: str) -> int:
    """The number in the name of a rotated file; 0 for any other name."""
    digits = name.removeprefix("permissions-").removesuffix(".jsonl")
    right = digits.isascii() and digits.isdecimal() and len(digits) >= DIGITS
    return int(digits) if right and name == rotated_name(int(digits)) else 0


class Folder:
    """The folder of a journal while it is open; everything in it is named from here, never by a path."""

    def __init__(self, path: str, *, writing: bool) -> None:
        self.path = path
        self._writing = writing
        self._folder = -1

    def __enter__(self) -> Self:
        if self._writing:
            make_private(self.path)
        try:
            self._folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | SAFE)
        except NotADirectoryError as error:
            raise JournalError(f"`{self.path}` is a link or no folder", help="the journal needs a real one") from error
        if self._writing:
            try:
                self._owned(os.fstat(self._folder), self.path)
            except BaseException:
                os.close(self._folder)
                raise
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._folder)

    def names(self) -> tuple[str, ...]:
        """The files with records, oldest first."""
        found = os.listdir(self._folder)
        current = [CURRENT] if CURRENT in found else []
        return (*map(rotated_name, sorted(filter(None, map(rotated_number, found)))), *current)

    def open(self, name: str, flags: int = os.O_RDONLY) -> int:
        """A regular file of this folder; links and what others may write are refused."""
        try:
            file = os.open(name, flags | SAFE, 0o600, dir_fd=self._folder)
        except OSError as error:
            if self._is_link(name):
                raise JournalError(f"`{self.path}/{name}` is a link", help="put the file itself there") from error
            raise
        try:
            self._checked(os.fstat(file), name)
        except BaseException:
            os.close(file)
            raise
        return file

    def rotate(self) -> str:
        """Put the current file behind the rotated ones; returns its new name."""
        numbers = [rotated_number(name) for name in self.names()]
        name = rotated_name(max(numbers, default=0) + 1)
        os.rename(CURRENT, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        return name

    def sync(self) -> None:
        os.fsync(self._folder)

    def read_head(self) -> Head | None:
        """The last record that was noted; None if the file is not there. A damaged one counts as being there."""
        try:
            file = self.open(HEAD)
        except FileNotFoundError:
            return None
        try:
            text = os.read(file, 200).decode(errors="replace")
        finally:
            os.close(file)
        seq, _, digest = text.removesuffix("\n").partition(" ")
        if len(seq) == 20 and seq.isascii() and seq.isdecimal() and is_hash(digest):
            return Head(int(seq), digest)
        return Head(-1, NOTHING)

    def write_head(self, head: Head) -> None:
        """Always the same number of bytes in the same place: nothing to lose when the plug is pulled."""
        file = self.open(HEAD, os.O_WRONLY | os.O_CREAT)
        try:
            os.pwrite(file, f"{head.seq:020d} {head.hash}\n".encode(), 0)
        finally:
            os.close(file)

    def locked(self, *, shared: bool = False, patience: float | None = None) -> Lock:
        """`with folder.locked():` keeps every other process and thread out."""
        return Lock(self, shared=shared, patience=patience)

    def _is_link(self, name: str) -> bool:
        try:
            return stat.S_ISLNK(os.lstat(name, dir_fd=self._folder).st_mode)
        except OSError:
            return False

    def _checked(self, found: os.stat_result, name: str) -> None:
        path = f"{self.path}/{name}"
        if not stat.S_ISREG(found.st_mode):
            raise JournalError(f"`{path}` is not a regular file")
        if self._writing and found.st_nlink > 1:
            raise JournalError(f"`{path}` has a second name somewhere", help="remove the hard link")
        if self._writing:
            self._owned(found, path)

    def _owned(self, found: os.stat_result, path: str) -> None:
        if found.st_uid != os.geteuid():
            raise JournalError(f"`{path}` belongs to user {found.st_uid}, not to you")
        if found.st_mode & 0o022:
            raise JournalError(f"others may write to `{path}`", help="take the permission away with chmod go-w")


class Lock:
    """A `flock` on the lock file. Each holder opens the file itself, so threads exclude each other too."""

    def __init__(self, folder: Folder, *, shared: bool, patience: float | None) -> None:
        self._folder = folder
        self._shared = shared
        self._patience = LOCK_SECONDS if patience is None else patience
        self._file = -1

    def __enter__(self) -> None:
        try:
            self._file = self._folder.open(LOCK, os.O_RDONLY if self._shared else os.O_RDWR | os.O_CREAT)
        except FileNotFoundError:  # only a reader can come here: nobody has ever written
            return
        try:
            self._wait(fcntl.LOCK_SH if self._shared else fcntl.LOCK_EX)
        except BaseException:
            os.close(self._file)
            self._file = -1
            raise

    def __exit__(self, *_error: object) -> None:
        if self._file < 0:
            return
        file, self._file = self._file, -1
        try:
            fcntl.flock(file, fcntl.LOCK_UN)  # a child forked meanwhile shares the lock: closing is not enough
        finally:
            os.close(file)

    def _wait(self, wanted: int) -> None:
        end, pause = time.monotonic() + self._patience, SHORT_PAUSE
        while not self._try(wanted):
            if time.monotonic() >= end:
                raise JournalError(
                    f"the journal in `{self._folder.path}` is locked for more than {self._patience:g} seconds",
                    help="find out which process holds it: `fuser lock` in that folder",
                )
            time.sleep(pause)
            pause = min(pause * 2, LONG_PAUSE)

    def _try(self, wanted: int) -> bool:
        try:
            fcntl.flock(self._file, wanted | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def make_private(folder: str) -> None:
    """Make a folder and what is missing above it, for the owner alone; existing folders stay as they are."""
    if os.path.isdir(folder) or os.path.islink(folder):
        return
    parent = os.path.dirname(os.path.abspath(folder))
    if parent != folder:
        make_private(parent)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
