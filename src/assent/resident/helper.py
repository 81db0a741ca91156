"""The helper itself: loads what hooks load, listens in the state folder, and keeps a few workers ready.

A worker is a process that answers one hook after the other; after some hundred, or when one takes too long, it ends and
the helper forks another. The helper does nothing else, so that it neither grows nor hangs.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import time
from contextlib import contextmanager, suppress
from mmap import mmap
from struct import pack

from assent import launch
from assent.errors import AssentError
from assent.folders import make_folder
from assent.resident import client
from assent.resident.sources import LOADED
from assent.resident.worker import attend, leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORKERS, MOST = 4, 16
"""How many workers wait for hooks, and how many there are at most, those that not even the kernel can end included."""
SERVES = 500
"""How many hooks a worker answers: whatever it gathers, it does not gather more of it."""
MOST_FAILURES = 20
BACKLOG = 256
LOOK_SECONDS = 5
"""How often a worker without a hook looks whether the helper lives and the code is still the same."""
KILL_NANOSECONDS = int((client.JUDGE_SECONDS + client.WRITE_SECONDS) * 1e9)
FOLDERS = ("agents", "audit", "checks", "commands", "masking", "policy", "shell", "tools")
MODULES = ("cli.hook", "grants", "limits", "repository", "gitconfig", "expansion", "resident.worker")
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(state: str, ready: Callable[[], None], *, attached: bool) -> None:
    """Answer hooks until a signal comes, or, when `attached`, until standard input ends."""
    preload()
    with listening(state) as (line, lock, secret):
        Helper(line, lock, secret, attached=attached).run(ready)


# --- where it listens ----------------------------------------------------------------------------------------------


@contextmanager
def listening(state: str) -> Iterator[tuple[socket.socket, int, bytes]]:
    """The socket, in a folder of its own, the lock that says there is one helper, and what proves that we are it."""
    folder = private_folder(state)
    lock = _locked(folder)
    path = os.path.join(folder, launch.SOCKET)
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove(path)
        secret = _new_secret(folder)
        before = os.umask(0o077)
        try:
            line.bind(path)
        finally:
            os.umask(before)
        try:
            line.listen(BACKLOG)
            yield line, lock, secret
        finally:
            _remove(path)
    except OSError as error:
        raise AssentError(f"cannot listen on `{path}`: {error.strerror or error}") from error
    finally:
        line.close()
        os.close(lock)


def private_folder(state: str) -> str:
    """The folder of the socket. INVARIANT: it belongs to us, and nobody else can look into it."""
    folder = os.path.join(state, launch.FOLDER)
    make_folder(folder)
    facts = os.lstat(folder)
    mode = facts.st_mode & (launch.KIND | launch.RIGHTS)
    if mode != launch.PRIVATE_FOLDER or facts.st_uid != os.geteuid():
        raise AssentError(f"`{folder}` is not a folder of yours alone", help="remove it; it is made again")
    return folder


def _locked(folder: str) -> int:
    import fcntl

    file = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise AssentError("a resident helper runs already", help="`assent doctor` says whether it is current") from None
    return file


def _new_secret(folder: str) -> bytes:
    """Written before anybody can connect. INVARIANT: another one for every helper."""
    path = os.path.join(folder, os.fsdecode(client.KEY))
    _remove(path)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    secret = os.urandom(client.SECRET_BYTES)
    try:
        os.write(file, secret)
    finally:
        os.close(file)
    return secret


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


# --- what it loads -------------------------------------------------------------------------------------------------


def preload() -> None:
    """Load everything that a hook may load, and let the garbage collector forget about it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    names = [f"{folder}.{name[:-3]}" for folder in FOLDERS for name in _python_files(f"{package}/{folder}")]
    for name in (*names, *MODULES):
        __import__(f"assent.{name}")
    for name in ("_json", "fcntl", "json.decoder", "pwd", "tomllib"):
        __import__(name)
    LOADED.remember()
    gc.collect()
    gc.freeze()
    gc.disable()


def _python_files(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".py") and name != "__init__.py")


# --- its workers ---------------------------------------------------------------------------------------------------


class Helper:
    """Keeps workers at work, and ends those that take too long."""

    def __init__(self, line: socket.socket, lock: int, secret: bytes, *, attached: bool) -> None:
        self._line = line
        self._lock = lock
        self._secret = secret
        self._watched = [0] if attached else []
        self._workers: dict[int, int] = {}
        """By process, the number of its place in `_since`."""
        self._lost: set[int] = set()
        """Those that were ended and do not end."""
        self._since = memoryview(mmap(-1, 8 * MOST)).cast("q")
        """Shared by all: since when the worker in a place has its hook, 0 when it has none."""
        self._failures = 0
        self._ends = False
        self._wakes, self._wake = os.pipe()

    def run(self, ready: Callable[[], None]) -> None:
        """Until a signal comes or standard input ends."""
        for end in (self._wakes, self._wake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in ENDING:
            signal.signal(number, self._end)
        try:
            self._fill()
            ready()
            while not self._ends and self._failures < MOST_FAILURES:
                self._turn()
        finally:
            signal.set_wakeup_fd(-1)
            self._stop_all()
            for end in (self._wakes, self._wake):
                os.close(end)
        if self._failures >= MOST_FAILURES:
            raise AssentError("the workers of the resident helper end before they begin", help="please report it")

    def _end(self, *_: object) -> None:
        self._ends = True

    def _fill(self) -> None:
        while len(self._workers) < WORKERS and len(self._workers) + len(self._lost) < MOST:
            self._fork()

    def _turn(self) -> None:
        ready, _, _ = select.select([self._wakes, *self._watched], [], [], LOOK_SECONDS)
        if self._wakes in ready:
            os.read(self._wakes, 65_536)
        if 0 in ready and not os.read(0, 1_000):
            self._ends = True
        self._reap()
        self._end_the_late()
        self._fill()

    def _reap(self) -> None:
        while self._workers or self._lost:
            worker, status = os.waitpid(-1, os.WNOHANG)
            if not worker:
                return
            if worker in self._workers:
                began = self._since[self._workers.pop(worker)]
                self._failures = self._failures + 1 if status and not began else 0
            self._lost.discard(worker)

    def _end_the_late(self) -> None:
        latest = time.monotonic_ns() - KILL_NANOSECONDS
        for worker, place in tuple(self._workers.items()):
            if 0 < self._since[place] < latest:
                os.kill(worker, signal.SIGKILL)
                del self._workers[worker]
                self._lost.add(worker)

    def _stop_all(self) -> None:
        """Who has a hook may finish it."""
        for worker in self._workers:
            os.kill(worker, signal.SIGTERM)
        until = time.monotonic() + LOOK_SECONDS
        while self._workers and time.monotonic() < until:
            self._reap()
            time.sleep(0.01)
        for worker in self._workers:
            os.kill(worker, signal.SIGKILL)

    # --- in the worker ---------------------------------------------------------------------------------------------

    def _fork(self) -> None:
        """INVARIANT: signals wait until the worker can hear them; Python forgets those that come right after a fork."""
        place = next(number for number in range(MOST) if number not in self._workers.values())
        self._since[place] = 0
        parent = os.getpid()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        worker = os.fork()
        if worker:
            self._workers[worker] = place
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            return
        code = 1
        try:
            self._settle(place)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            self._work(parent, place)
            code = 0
        finally:
            os._exit(code)

    def _work(self, parent: int, place: int) -> None:
        for _ in range(SERVES):
            line = self._accepted(parent)
            if line is None:
                return
            self._since[place] = time.monotonic_ns()
            with line, suppress(OSError):
                attend(line, self._secret)
            leave()
            self._since[place] = 0

    def _settle(self, place: int) -> None:
        def end(*_: object) -> None:
            if not self._since[place]:
                os._exit(0)
            self._ends = True

        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, end)
        for number in (signal.SIGHUP, signal.SIGCHLD, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the helper, which then ends us
        os.close(self._lock)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, pack("ll", LOOK_SECONDS, 0))

    def _accepted(self, parent: int) -> socket.socket | None:
        """The next hook, None when the helper is gone. Waits in the kernel, which wakes one worker for each hook."""
        while os.getppid() == parent and not self._ends:
            try:
                return self._line.accept()[0]
            except BlockingIOError:
                LOADED.look()
        return None
