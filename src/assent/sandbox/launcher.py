"""Starts one command behind Landlock and sees it out. Runs in a process of its own, which stays around the command.

It reads what to do, holds itself back so far that its signals reach nobody but what it starts, starts the command
behind the rest of the walls, does its errands, and at its end ends all that is left. Whoever started it may die before.
"""

from __future__ import annotations

import errno
import fcntl
import marshal
import os
import resource
import select
import signal
import stat
import struct
import sys
from _socket import AF_UNIX, CMSG_SPACE, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket, socketpair

from assent.sandbox import kernel
from assent.sandbox.errands import Errands
from assent.sandbox.rights import ALL, IOCTL_DEV, READ_FILE, TRUNCATE, WRITE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_STARTED = 125


def main(order: int, told: int) -> None:
    """Never returns. INVARIANT: whatever fails before the command runs is told, and nothing runs."""
    try:
        for one in (order, told):
            os.set_inheritable(one, False)
        given = _order(order)
        _hold_back(given["parent"])
        first, listener = _started(given)
        os.write(told, marshal.dumps({"first": first}))
    except BaseException as error:
        os.write(told, marshal.dumps(_why(error)))
        os._exit(NOT_STARTED)
    os.close(told)
    try:
        code = _see_out(first, Errands(listener, given["writable"]), order, given["private"])
    except BaseException as error:
        _end_all(first)
        sys.stderr.write(f"assent: the sandbox ended: {error!r}\n")
        sys.stderr.flush()
        code = NOT_STARTED
    os._exit(code)


def _order(order: int) -> dict[str, Any]:
    """What to do. It comes when this process is counted, and the pipe stays open as long as somebody waits for us."""
    length = int.from_bytes(_exactly(order, 8), "little")
    found: dict[str, Any] = marshal.loads(_exactly(order, length))  # noqa: S302 - from the process that started us
    return found


def _exactly(order: int, length: int) -> bytes:
    found = b""
    while len(found) < length:
        part = os.read(order, length - len(found))
        if not part:
            raise OSError(errno.EPIPE, "nobody says what to do")
        found += part
    return found


def _hold_back(parent: int) -> None:
    """INVARIANT: from here on no signal of ours can reach a process that we did not start; `_end_all` relies on it."""
    kernel.option(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.drop_rights()
    kernel.restrict(kernel.new_ruleset(0, 0, kernel.SCOPED))
    try:
        os.kill(parent, 0)
    except PermissionError:
        return
    raise OSError(errno.ENOTSUP, "signals are not held back")


def _why(error: BaseException) -> dict[str, str]:
    if isinstance(error, FailedError):
        return error.why
    return {"error": getattr(error, "strerror", None) or str(error) or type(error).__name__}


class FailedError(Exception):
    """The command did not start; with what it said."""

    def __init__(self, why: dict[str, str]) -> None:
        super().__init__()
        self.why = why


# --- the command ---------------------------------------------------------------------------------------------------


def _started(given: dict[str, Any]) -> tuple[int, int]:
    """The number of the command, and where its errands are told."""
    ours, theirs = socketpair(AF_UNIX, SOCK_STREAM)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _become(given, theirs, writing)
    os.close(writing)
    theirs.close()
    listener = _received(ours)
    failed = b""
    while part := os.read(reading, 65_536):
        failed += part
    os.close(reading)
    if failed:
        raise FailedError(marshal.loads(failed))  # noqa: S302 - from our own fork
    if listener < 0:
        raise OSError(errno.EPIPE, "the command ended before it began")
    return child, listener


def _received(ours: socket) -> int:
    _, ancillary, _, _ = ours.recvmsg(1, CMSG_SPACE(4))
    ours.close()
    for _, _, data in ancillary:
        listener: int = struct.unpack("=i", data)[0]
        os.set_inheritable(listener, False)
        return listener
    return -1


def _become(given: dict[str, Any], theirs: socket, failed: int) -> None:
    """Turn this fork into the command. Never returns."""
    program = ""
    try:
        os.setsid()
        kernel.option(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python ignores them, and a command would inherit that
        for name, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_NPROC, given["processes"])):
            hard = resource.getrlimit(name)[1]
            limit = most if hard < 0 else min(most, hard)
            resource.setrlimit(name, (limit, limit))
        os.chdir(given["cwd"])
        _restrict(given["rules"])
        listener = kernel.install_filter(given["filter"])
        theirs.sendmsg([b"1"], [(SOL_SOCKET, SCM_RIGHTS, struct.pack("=i", listener))])
        os.close(listener)
        program = given["command"][0]
        _execute(given["command"], given["environment"])
    except BaseException as error:
        os.write(failed, marshal.dumps({**_why(error), "program": program}))
    finally:
        os._exit(NOT_STARTED)


def _execute(command: tuple[str, ...], environment: dict[str, str]) -> None:
    """As `os.execvpe` does, which would import something first that is behind the walls by now."""
    folders = [""] if "/" in command[0] else environment.get("PATH", os.defpath).split(":")
    failed: OSError = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    for folder in folders:
        try:
            os.execve(f"{folder}/{command[0]}" if folder else command[0], command, environment)  # noqa: S606 - judged
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed = error
    raise failed


def _restrict(rules: tuple[tuple[bytes, int, bool], ...]) -> None:
    ruleset = kernel.new_ruleset(ALL, kernel.TCP, kernel.SCOPED)
    for path, rights, folder in rules:
        _grant(ruleset, path, rights, folder=folder)
    for stream in (0, 1):
        _grant_stream(ruleset, stream)
    kernel.restrict(ruleset)


def _grant(ruleset: int, path: bytes, rights: int, *, folder: bool) -> None:
    """INVARIANT: a link is never followed; somebody may have put it there since the plan was made."""
    try:
        place = kernel.open_path(path)
    except FileNotFoundError:
        return  # it has gone since: nothing to grant
    except OSError as error:
        shown = os.fsdecode(path)
        raise OSError(error.errno, f"`{shown}` is not what it was when the sandbox was planned") from error
    try:
        if stat.S_ISDIR(os.fstat(place).st_mode) == folder:
            kernel.add_rule(ruleset, place, rights)
    finally:
        os.close(place)


def _grant_stream(ruleset: int, stream: int) -> None:
    """What the command has open already it may open by name, as in `> /dev/stdout`: no more than it has."""
    try:
        mode, flags = os.fstat(stream).st_mode, fcntl.fcntl(stream, fcntl.F_GETFL)
    except OSError:
        return  # closed
    if not stat.S_ISREG(mode) and not stat.S_ISCHR(mode):
        return
    reads, writes = flags & os.O_ACCMODE != os.O_WRONLY, flags & os.O_ACCMODE != os.O_RDONLY
    rights = (READ_FILE if reads else 0) | (WRITE_FILE | TRUNCATE if writes else 0)
    kernel.add_rule(ruleset, stream, rights | (IOCTL_DEV if stat.S_ISCHR(mode) else 0))


# --- to its end ----------------------------------------------------------------------------------------------------


def _see_out(first: int, errands: Errands, order: int, private: str) -> int:
    """Its exit code, after it has ended and nothing is left of it."""
    woken = _signals()
    _let_go_of_streams()
    poll = select.poll()
    for one in (woken, order, errands.listener):
        poll.register(one, select.POLLIN)
    code, wanted, watched = _reaped(first), True, True
    while code is None and wanted and watched:
        for one, event in poll.poll():
            if one == errands.listener and event & select.POLLIN:
                errands.run()
            elif one == errands.listener:
                poll.unregister(one)
            elif one == order:
                watched = False
            else:
                wanted = not set(os.read(woken, 4_096)) - {signal.SIGCHLD}
        code = _reaped(first)
    last = _end_all(first)
    if not watched:
        _empty(private)
    return _exit_code(last if code is None else code)


def _signals() -> int:
    """Where the numbers of signals can be read: a child has ended, or we are to end."""
    woken, wakes = os.pipe()
    for one in (woken, wakes):
        os.set_blocking(one, False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    return woken


def _let_go_of_streams() -> None:
    """They are the command's: whoever is at the other end sees when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    os.close(nothing)


def _reaped(first: int) -> int | None:
    """Let go of everything that has ended; how the command ended, if it has."""
    found = None
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if not child:
            return found
        if child == first:
            found = status


def _end_all(first: int) -> int:
    """End all that the command started and is left; how the command itself ended."""
    found = int(signal.SIGKILL)
    while True:
        _kill_everybody()
        try:
            child, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return found
        if child == first:
            found = status


def _kill_everybody() -> None:
    """INVARIANT: reaches what the command started and nothing else, see `_hold_back`; and all of it, at one moment."""
    try:
        os.kill(-1, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left, or nobody within reach


def _exit_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _empty(folder: str) -> None:
    """Nobody else is left to do it."""
    for _, folders, files, here in os.fwalk(folder, topdown=False):
        for name in (*files, *folders):
            is_folder = stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)
            (os.rmdir if is_folder else os.unlink)(name, dir_fd=here)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
