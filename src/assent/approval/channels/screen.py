"""A terminal taken over for a dialog and given back as it was, whatever happens; one dialog at a time on each."""

from __future__ import annotations

import array
import atexit
import contextlib
import errno
import fcntl
import os
import select
import signal
import stat
import termios
import threading
from collections.abc import Iterable, Iterator, Mapping

from assent.approval.channels.pages import Row, Style
from assent.errors import AssentError

SGR: dict[Style, str] = {
    "": "",
    "bold": "1",
    "dim": "2",
    "badge": "1;7;33",
    "low": "32",
    "medium": "1;33",
    "high": "1;31",
    "ok": "32",
    "ask": "1;33",
    "deny": "1;31",
    "odd": "1;7;31",
    "count": "1;36",
    "warn": "1;31",
}
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?2004h", "\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l"
REAL_DEVICE = 0x80045432
"""TIOCGDEV of Linux: which device `/dev/tty` stands for."""
LOCK_SECONDS = 0.1
FATAL = (signal.SIGTERM, signal.SIGHUP)


class ClosedError(AssentError):
    """The terminal is gone."""


class Screen:
    """An open terminal in raw mode. Use it in a `with`; leaving it restores everything."""

    def __init__(self, fd: int, env: Mapping[str, str]) -> None:
        self.fd = fd
        self.plain = env.get("TERM", "dumb") in ("dumb", "")
        self.colour = not self.plain and not env.get("NO_COLOR")
        self._saved: list[object] | None = None
        self._once = threading.Lock()
        self._last: list[str] = []

    def __enter__(self) -> Screen:
        try:
            self._saved = termios.tcgetattr(self.fd)
            raw = termios.tcgetattr(self.fd)
            raw[0] &= ~(termios.ICRNL | termios.INLCR | termios.IXON | termios.ISTRIP)
            raw[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
            raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
            _open.add(self)
            termios.tcsetattr(self.fd, termios.TCSAFLUSH, raw)
        except termios.error as error:
            raise AssentError(f"cannot use the terminal: {error}") from error
        self._write("" if self.plain else ENTER)
        return self

    def __exit__(self, *_error: object) -> None:
        self.restore()

    def restore(self) -> str:
        """Give the terminal back; says what went wrong, for there is nobody left to tell. May be called twice."""
        with self._once:
            saved, self._saved = self._saved, None
            _open.discard(self)
        if saved is None:
            return ""
        try:
            with undisturbed():
                self._write("" if self.plain else LEAVE)
                termios.tcsetattr(self.fd, termios.TCSAFLUSH, saved)  # type: ignore[arg-type]
        except (termios.error, ClosedError) as error:
            return str(error)
        return ""

    def size(self) -> tuple[int, int]:
        """Columns and lines; a terminal that does not know its size has the usual one."""
        try:
            columns, lines = os.get_terminal_size(self.fd)
        except OSError:
            return 80, 24
        return columns or 80, lines or 24

    def drain(self) -> None:
        """Forget what was typed before."""
        with contextlib.suppress(termios.error):  # a terminal that is gone says so at the next read
            termios.tcflush(self.fd, termios.TCIFLUSH)

    def read(self) -> bytes:
        """What was typed; raises when there is no terminal any more."""
        try:
            data = os.read(self.fd, 4096)
        except OSError as error:
            raise ClosedError(f"the terminal was closed: {error.strerror}") from error
        if not data:
            raise ClosedError("the terminal was closed")
        return data

    def draw(self, rows: Iterable[Row]) -> None:
        """Show rows from the top; on a terminal that can do nothing, print them one below the other."""
        lines = ["".join(self._inked(ink.text, ink.style) for ink in row) for row in rows]
        if lines == self._last:
            return
        self._last = lines
        if self.plain:
            self._write("\n" + "\n".join(lines) + "\n")
        else:
            self._write("\x1b[H" + "\r\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")

    def forget(self) -> None:
        """Draw everything again next time."""
        self._last = []

    def say(self, text: str) -> None:
        """A line that stays in the scrollback, once the dialog is gone."""
        self._write(f"{text}\n")

    def _inked(self, text: str, style: Style) -> str:
        return f"\x1b[{SGR[style]}m{text}\x1b[0m" if self.colour and style else text

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(self.fd, data) :]
        except OSError as error:
            raise ClosedError(f"the terminal was closed: {error.strerror}") from error


# --- opening -------------------------------------------------------------------------------------------------------


def open_terminal(path: str) -> int:
    """The terminal, if it is there and ours to use: a job in the background may not ask."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise AssentError(f"there is no terminal: {error.strerror}") from error
    try:
        if not os.isatty(fd):
            raise AssentError(f"`{path}` is no terminal")
        if _foreground(fd) not in (None, os.getpgrp()):
            raise AssentError("the terminal is used by another program: this one runs in the background")
    except AssentError:
        os.close(fd)
        raise
    return fd


def _foreground(fd: int) -> int | None:
    """The process group a terminal listens to; None for a terminal that controls nobody of us."""
    try:
        return os.tcgetpgrp(fd)
    except OSError:
        return None


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """A thread that loses the terminal to another job gets an error instead of stopping the whole program."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTTOU, signal.SIGTTIN))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- one dialog at a time ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def turn_on(fd: int, folder: str, wake: int) -> Iterator[bool]:
    """Wait until no other dialog, of any process, is on the terminal. False when something wakes us up first."""
    lock = os.open(_lock_path(fd, folder), os.O_RDWR | os.O_CREAT | os.O_NOCTTY | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield _take(lock, wake)
    finally:
        os.close(lock)


def _take(lock: int, wake: int) -> bool:
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                raise AssentError(f"cannot wait for the terminal: {error.strerror}") from error
        else:
            return True
        if select.select([wake], [], [], LOCK_SECONDS)[0]:
            return False


def _lock_path(fd: int, folder: str) -> str:
    """A file in the folder for locks, or the device itself."""
    device = _device(fd)
    if folder:
        return os.path.join(folder, f"terminal-{os.major(device)}-{os.minor(device)}.lock")
    for path in (f"/dev/pts/{os.minor(device)}", os.ttyname(fd)):
        with contextlib.suppress(OSError):
            found = os.stat(path)
            if stat.S_ISCHR(found.st_mode) and found.st_rdev == device:
                return path
    return os.ttyname(fd)


def _device(fd: int) -> int:
    """The number of the real device, also behind `/dev/tty`."""
    number = array.array("I", [0])
    try:
        fcntl.ioctl(fd, REAL_DEVICE, number)
    except OSError:
        return os.fstat(fd).st_rdev
    return number[0]


# --- whatever happens ----------------------------------------------------------------------------------------------

_open: set[Screen] = set()


def restore_all() -> None:
    """Give every terminal back."""
    for screen in tuple(_open):
        screen.restore()


atexit.register(restore_all)


def restore_on_signals() -> None:
    """Let a program that is told to end give its terminals back first. Handlers that somebody set stay."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in FATAL:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    restore_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
