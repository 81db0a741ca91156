"""Somebody at a pseudo-terminal, for tests: sees what is written to it, types, resizes and walks away."""

import fcntl
import os
import pty
import re
import struct
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 10.0


class Person:
    """Holds the far end of a terminal; `path` is the near end."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.far, self.near = pty.openpty()
        self.path = os.ttyname(self.near)
        self._raw = b""
        self._news = threading.Condition()
        self._gone = threading.Event()
        self.resize(columns, lines)
        self.before = termios.tcgetattr(self.near)
        self._stop_reading, self._stop = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        import select

        while True:
            if self._stop_reading in select.select([self.far, self._stop_reading], [], [])[0]:
                return
            try:
                data = os.read(self.far, 65536)
            except OSError:
                return
            with self._news:
                self._raw += data
                self._news.notify_all()

    @property
    def raw(self) -> str:
        return self._raw.decode("utf-8", "replace")

    @property
    def seen(self) -> str:
        """Everything written so far, without escapes."""
        return ESCAPES.sub("", self.raw).replace("\r", "")

    @property
    def screen(self) -> str:
        """What was drawn last."""
        return ESCAPES.sub("", self.raw.rpartition("\x1b[H")[2]).replace("\r", "")

    def wait_for(self, text: str, *, since: int = 0) -> None:
        """Until this is written, behind the first `since` characters of `seen`."""
        with self._news:
            if not self._news.wait_for(lambda: text in self.seen[since:], SECONDS):
                raise AssertionError(f"`{text}` did not appear; the screen is:\n{self.screen}")

    def sees(self, *texts: str) -> None:
        """Until all of this is on the screen."""
        with self._news:
            if not self._news.wait_for(lambda: all(text in self.screen for text in texts), SECONDS):
                raise AssertionError(f"{texts} is not on the screen:\n{self.screen}")

    def type(self, keys: str) -> None:
        os.write(self.far, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.near, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def settings(self) -> list[object]:
        return list(termios.tcgetattr(self.near))

    def close_terminal(self) -> None:
        """The window is closed."""
        if not self._gone.is_set():
            self._gone.set()
            os.write(self._stop, b"!")
            self._reader.join()
            os.close(self.near)
            os.close(self.far)
            os.close(self._stop)
            os.close(self._stop_reading)


@contextmanager
def person(columns: int = 80, lines: int = 24) -> Iterator[Person]:
    made = Person(columns, lines)
    try:
        yield made
    finally:
        made.close_terminal()
