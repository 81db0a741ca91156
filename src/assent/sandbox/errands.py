"""Changing rights, owners and times of files for a confined process, where it may change files. Runs in the launcher.

Landlock does not look at these calls. So the kernel stops them and tells us; we find the file ourselves, look where it
is and do it, or not. The process never gets to do it: what it exchanges meanwhile changes nothing for us.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct

from assent.sandbox import kernel
from assent.sandbox.calls import ASKED, MACHINES, SET_ID

RECEIVE, SEND, IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
NOTICE, ANSWER = struct.Struct("=QII iIQ 6Q"), struct.Struct("=QqiI")
HERE, NO_FOLLOW, EMPTY_PATH = -100, 0x100, 0x1000
MAX_PATH, PAGE = 4_096, 4_096
OWN_HANDLES = (b"/proc/self/fd/", b"/dev/fd/", b"/proc/thread-self/fd/")
"""How a C library names an open file."""


class Errands:
    """Serves one listener, for files in some folders."""

    def __init__(self, listener: int, folders: tuple[str, ...]) -> None:
        self.listener = listener
        self._folders = tuple(folder.rstrip("/") for folder in folders)
        column = MACHINES[os.uname().machine][1]
        self._names = {row[column]: name for name, row in ASKED.items() if row[column] >= 0}

    def run(self) -> None:
        """One call that waits for its answer."""
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(self.listener, RECEIVE, notice)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EINTR):
                return  # whoever asked has gone, or it is told again
            raise
        number, process, _, call, _, _, *arguments = NOTICE.unpack(notice)
        try:
            self._do(number, process, self._names[call], arguments)
            code = 0
        except OSError as error:
            code = error.errno or errno.EPERM
        except (KeyError, ValueError, OverflowError):
            code = errno.EPERM
        except struct.error:
            code = errno.EFAULT  # less could be read than was said to be there
        self._answer(number, code)

    def _answer(self, number: int, code: int) -> None:
        while True:
            try:
                fcntl.ioctl(self.listener, SEND, ANSWER.pack(number, 0, -code, 0))
                return
            except InterruptedError:
                continue
            except FileNotFoundError:
                return  # whoever asked has gone

    def _do(self, number: int, process: int, name: str, given: list[int]) -> None:
        wanted = Wanted(process, name, given)
        file = wanted.file()
        try:
            # INVARIANT: the process that was looked at is the one that asked, and the file is where it may write
            fcntl.ioctl(self.listener, IS_VALID, struct.pack("=Q", number))
            self._permit(file)
            wanted.act(file)
        finally:
            os.close(file)

    def _permit(self, file: int) -> None:
        path = os.readlink(f"/proc/self/fd/{file}")
        if not any(path == folder or path.startswith(folder + "/") for folder in self._folders):
            raise OSError(errno.EPERM, "outside")


class Wanted:
    """What a call is about: the file, and what is to be done to it."""

    def __init__(self, process: int, name: str, given: list[int]) -> None:
        self.process, self.name, self.given = process, name, given
        self._at = name in ("fchmodat", "fchmodat2", "fchownat", "futimesat", "utimensat")
        self._handle = name in ("fchmod", "fchown")
        self._rest = given[2:] if self._at else given[1:]
        self._flags = {"fchmodat2": given[3], "fchownat": given[4], "utimensat": given[3]}.get(name, 0)
        if name == "lchown":
            self._flags = NO_FOLLOW

    def file(self) -> int:
        """A handle on the file."""
        if self._handle:
            return self._opened(_signed(self.given[0]))
        folder = _signed(self.given[0]) if self._at else HERE
        address = self.given[1] if self._at else self.given[0]
        if not address and self._at and folder != HERE:
            return self._opened(folder)
        path = self._text(address)
        if not path and self._flags & EMPTY_PATH:
            return self._folder(folder)
        handle = next((path[len(one) :] for one in OWN_HANDLES if path.startswith(one)), b"")
        if handle.isdigit():
            return self._opened(int(handle))
        base = HERE if path.startswith(b"/") else self._folder(folder)
        try:
            follow = 0 if not self._flags & NO_FOLLOW else os.O_NOFOLLOW
            return kernel.open_path(path, within=base, resolve=kernel.NO_MAGIC_LINKS, flags=follow)
        finally:
            if base != HERE:
                os.close(base)

    def act(self, file: int) -> None:
        if "chmod" in self.name:
            if self._rest[0] & SET_ID:
                raise OSError(errno.EPERM, "it would run as its owner")
            os.chmod(f"/proc/self/fd/{file}", self._rest[0] & 0o7777)
        elif "chown" in self.name:
            owner, group = (ctypes.c_uint32(one) for one in self._rest[:2])
            kernel.checked(kernel.libc.fchownat(file, b"", owner, group, EMPTY_PATH))
        else:
            kernel.checked(kernel.libc.utimensat(file, b"", self._times(self._rest[0]), EMPTY_PATH))

    def _times(self, address: int) -> bytes | None:
        """Two times in seconds and nanoseconds, whatever the call wrote them in; nothing for now."""
        if not address:
            return None
        if self.name == "utime":
            seconds = struct.unpack("=2q", kernel.memory(self.process, address, 16))
            return struct.pack("=4q", seconds[0], 0, seconds[1], 0)
        one, more, two, rest = struct.unpack("=4q", kernel.memory(self.process, address, 32))
        if self.name != "utimensat":
            more, rest = more * 1000, rest * 1000
        return struct.pack("=4q", one, more, two, rest)

    def _folder(self, number: int) -> int:
        if number != HERE:
            return self._opened(number)
        return os.open(f"/proc/{self.process}/cwd", os.O_PATH | os.O_CLOEXEC)

    def _opened(self, number: int) -> int:
        try:
            return os.open(f"/proc/{self.process}/fd/{number}", os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF)) from error

    def _text(self, address: int) -> bytes:
        """A path that ends with a zero byte; what lies behind the end may not be readable."""
        found = b""
        while len(found) < MAX_PATH:
            start = address + len(found)
            found += kernel.memory(self.process, start, PAGE - start % PAGE)
            if b"\0" in found:
                return found[: found.index(b"\0")]
        raise OSError(errno.ENAMETOOLONG, "too long")


def _signed(value: int) -> int:
    return ctypes.c_int32(value & 0xFFFFFFFF).value
