"""Starting a confined command and waiting for it: signals reach it, its errors are seen, its processes are counted."""

from __future__ import annotations

import contextlib
import os
import platform
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from assent import wire
from assent.errors import AssentError, InputError
from assent.record import record
from assent.sandbox.bubblewrap import Wiring, argv
from assent.sandbox.calls import call_filter
from assent.sandbox.crowd import Crowd
from assent.sandbox.deadline import Deadline
from assent.sandbox.doorway import Doorway
from assent.sandbox.drafts import Draft, carry_back
from assent.sandbox.mounted import verify
from assent.sandbox.profile import Profile

KEPT_BYTES = 65_536
LIBRARY = "bwrap: "
BEGINS_SECONDS, POLL_SECONDS = 5.0, 0.001
"""How long a signal waits for the command it is for, and how often it looks."""
GRACE_SECONDS, END_SECONDS = 10.0, 2.0
CLOSING_SECONDS = 120.0
"""How long each thing may take that is done when a command has ended."""
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals after which a command has to end; when it does not in the time of grace, it is ended."""
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


@record
class Ended:
    """How a confined command ended, and the end of what it wrote as errors."""

    code: int
    errors: str
    notes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    """Hosts that it wanted and that nobody named."""


class Confined:
    """One command inside. Use `start`, then `wait`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        first: int,
        crowd: Crowd,
        door: Doorway | None = None,
        *,
        show: bool,
        library: str = LIBRARY,
        closing: Callable[[Deadline], tuple[str, ...]] | None = None,
    ) -> None:
        """`library` begins what the program that makes the sandbox says itself; `closing` is called at the end."""
        self.closing = [closing] if closing else []
        self._deadline, self._told = Deadline(), False
        self.process, self.first, self._crowd, self._door = process, first, crowd, door
        self._library = library
        self._tail = bytearray()
        self._ending: threading.Timer | None = None
        self._reader = threading.Thread(target=self._read, args=(show,), daemon=True)
        self._reader.start()

    def send(self, number: int) -> None:
        """Hand a signal to the command and everything in its process group; after its end, stop what is left to do."""
        if self.process.returncode is not None:
            self._told = self._told or number in (*ENDING, signal.SIGINT)
            if self._told:
                self._deadline.stop()
            return
        until = time.monotonic() + BEGINS_SECONDS
        while self._library and _is_waiting(self.first) and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
        with contextlib.suppress(ProcessLookupError):  # it ended first
            os.killpg(self.first, number)
        if number in ENDING and self._ending is None:
            self._ending = threading.Timer(GRACE_SECONDS, self.end)
            self._ending.daemon = True
            self._ending.start()

    def end(self) -> None:
        """End it now, with all that it started. INVARIANT: nothing inside can hold this back."""
        for one in (self.first, self.process.pid):
            if self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
                if self._is_ended():
                    return

    def _is_ended(self) -> bool:
        """What keeps a command is told that it ended, and ends then; if not, it is ended itself."""
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def wait(self) -> Ended:
        """Its own exit code, 128 and the signal if one ended it."""
        code = self.process.wait()
        if self._ending is not None:
            self._ending.cancel()
        self._reader.join()
        self._crowd.close()
        if self._door is not None:
            self._door.close()
        notes = [note for close in self.closing for note in self._closed(close)]
        errors = bytes(self._tail).decode(errors="replace")
        if self._library:
            _raise_ours(errors)
        refused = tuple(sorted(self._door.refused)) if self._door else ()
        return Ended(code if code >= 0 else 128 - code, errors, (*self._crowd.notes, *notes), refused)

    def _closed(self, close: Callable[[Deadline], tuple[str, ...]]) -> tuple[str, ...]:
        self._deadline = Deadline(CLOSING_SECONDS)
        if self._told:
            self._deadline.stop()
        return close(self._deadline)

    def _read(self, show: bool) -> None:
        stream = self.process.stderr
        if stream is None:
            return
        with stream:
            while part := os.read(stream.fileno(), KEPT_BYTES):
                self._tail += part
                del self._tail[:-KEPT_BYTES]
                if show and not (self._library and part.startswith(self._library.encode())):
                    _write(part)


def start(
    profile: Profile,
    command: Sequence[str],
    *,
    program: str,
    nothing: str,
    stdin: int | None = None,
    stdout: int | None = None,
    show: bool = True,
    door: Doorway | None = None,
    drafts: tuple[Draft, ...] = (),
) -> Confined:
    """Start a command inside. With `show`, its errors go to ours as they come; `door` stands in for the usual proxy.

    `drafts` stand in for repositories that it may change; at its end they are carried back.
    """
    door = door or (Doorway(profile.network) if profile.network else None)
    told, tells = os.pipe()
    wait, go = os.pipe()
    rules = _filter()
    wiring = Wiring(program, nothing, rules, tells, wait, tuple((draft.git, draft.folder) for draft in drafts))
    inherited = [one for one in (rules, tells, wait) if one >= 0]
    try:
        process = subprocess.Popen(  # noqa: S603 - exactly what was judged, inside
            argv(profile, command, wiring),
            env=dict(profile.environment),
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            pass_fds=inherited,
            process_group=0,  # Ctrl-C reaches us alone, and we hand it in; else the outer half would end at once
        )
    except OSError as error:
        for one in (told, go):
            os.close(one)
        raise AssentError(f"cannot run `{program}`: {error.strerror}") from error
    finally:
        for one in inherited:
            os.close(one)
    confined = _let_go(process, told, go, profile, door, show=show)
    confined.closing.append(lambda deadline: carry_back(drafts, deadline))
    return confined


def _let_go(
    process: subprocess.Popen[bytes], told: int, go: int, profile: Profile, door: Doorway | None, *, show: bool
) -> Confined:
    """Limit the first process while it waits, then let it run. INVARIANT: it does not run unlimited."""
    crowd, first = Crowd(), 0
    try:
        first = _first(told)
        if first:
            resource.prlimit(first, resource.RLIMIT_NPROC, (profile.processes, profile.processes))
            resource.prlimit(first, resource.RLIMIT_CORE, (0, 0))
            crowd.limit(first, profile.processes)
            verify(first, profile)
            if door is not None:
                door.open_in(first)
            os.write(go, b"1")
    except (BrokenPipeError, FileNotFoundError, ProcessLookupError):
        first = 0  # it has ended already, and will say why
    except (OSError, ValueError, AssentError) as error:
        if first:
            with contextlib.suppress(ProcessLookupError):  # it may have ended by itself meanwhile
                os.kill(first, signal.SIGKILL)  # INVARIANT: before `go` is closed, which it would take for a go
        process.kill()
        process.communicate()
        crowd.close()
        raise AssentError(f"the sandbox is not as it should be: {error}") from error
    finally:
        os.close(told)
        os.close(go)
    return Confined(process, first or process.pid, crowd, door, show=show)


def _first(told: int) -> int:
    """The number of the first process inside, or 0 when there will be none."""
    parts: list[bytes] = []
    while part := os.read(told, 4_096):
        parts.append(part)
    try:
        found = wire.loads(b"".join(parts)) if parts else None
    except InputError:
        found = None
    number = found.get("child-pid") if isinstance(found, dict) else None
    return number if isinstance(number, int) else 0


def _is_waiting(first: int) -> bool:
    """Whether the first process of a namespace, which hears no signals itself, has not started the command yet."""
    try:
        with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as stream:
            return not stream.read()
    except OSError:
        return False  # it has ended, or this kernel does not tell


def _filter() -> int:
    data = call_filter(platform.machine())
    if not data:
        return -1
    made = os.memfd_create("calls", 0)
    os.write(made, data)
    os.lseek(made, 0, os.SEEK_SET)
    return made


def _write(data: bytes) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(2, rest) :]
    except OSError:
        return  # nobody listens to our errors; the command's own fate does not hang on that


def _raise_ours(errors: str) -> None:
    """An error of the sandbox itself is no exit code of the command."""
    if not errors.startswith(LIBRARY):
        return
    text = errors.splitlines()[0].removeprefix(LIBRARY)
    if text.startswith("execvp "):
        name, _, why = text.removeprefix("execvp ").rpartition(": ")
        raise AssentError(f"cannot run `{name}` in the sandbox: {why}")
    raise AssentError(f"the sandbox could not be made: {text}")
