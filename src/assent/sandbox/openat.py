"""Reading a folder that a hostile command has filled: no link is followed, and no pipe or device is waited for.

Everything is opened from the descriptor of the folder above it, so a name can never lead out of the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader

from assent.sandbox.deadline import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Tree:
    """A folder, and what is in it by names such as `refs/heads/main`."""

    def __init__(self, path: str, deadline: Deadline | None = None) -> None:
        self._deadline = deadline or Deadline()
        self._root = os.open(path, FLAGS | os.O_DIRECTORY)

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def open(self, name: str) -> BufferedReader:
        """INVARIANT: a regular file, reached through folders alone."""
        above, _, last = name.rpartition("/")
        folder = self._folder(above)
        try:
            made = os.open(last, FLAGS, dir_fd=folder)
        finally:
            os.close(folder)
        if not stat.S_ISREG(os.fstat(made).st_mode):
            os.close(made)
            raise OSError(errno.EINVAL, "it is no file", name)
        return os.fdopen(made, "rb")

    def kind(self, name: str) -> str:
        """`file`, `folder`, `other` for all else, or nothing."""
        above, _, last = name.rpartition("/")
        try:
            folder = self._folder(above)
        except OSError:
            return ""
        try:
            mode = os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode
        except OSError:
            return ""
        finally:
            os.close(folder)
        return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"

    def names(self, folder: str = "") -> list[str]:
        """What is in a folder, sorted; an error if it is none."""
        made = self._folder(folder)
        try:
            return sorted(os.listdir(made))
        finally:
            os.close(made)

    def files(self, name: str) -> Iterator[str]:
        """The regular files at a name or anywhere below it."""
        waiting = [name]
        while waiting:
            here = waiting.pop()
            self._deadline.check()
            match self.kind(here):
                case "file":
                    yield here
                case "folder":
                    waiting += [f"{here}/{one}" for one in reversed(self.names(here))]

    def _folder(self, name: str) -> int:
        """A new descriptor, part by part: each has to be a folder."""
        here = os.dup(self._root)
        for part in name.split("/") if name else ():
            try:
                below = os.open(part, FLAGS | os.O_DIRECTORY, dir_fd=here)
            finally:
                os.close(here)
            here = below
        return here
