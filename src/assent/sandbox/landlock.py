"""A sandbox where no namespace can be made: Landlock, a filter of calls, and a launcher that stays with the command."""

from __future__ import annotations

import contextlib
import functools
import marshal
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

from assent.errors import AssentError
from assent.sandbox.calls import MACHINES, call_filter
from assent.sandbox.crowd import Crowd
from assent.sandbox.deadline import Deadline
from assent.sandbox.profile import Profile
from assent.sandbox.rights import OF_FILES, WRITE
from assent.sandbox.running import Confined
from assent.sandbox.walls import Rule, Walls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEEDED = 6
"""Linux 6.12. Before it a confined process can send signals to every other process of the user."""
PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAUNCH = (
    "import sys; sys.path.append(sys.argv[1]); from assent.sandbox.launcher import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)
"""INVARIANT: what lies beside the package comes after the standard library, and stands in for nothing of it."""
PRIVATE = "assent-"


def missing() -> str:
    """Why Landlock cannot confine here, or nothing."""
    if platform.system() != "Linux":
        return f"there is no Landlock on {platform.system()}"
    if platform.machine() not in MACHINES:
        return f"Landlock alone is not enough, and calls cannot be filtered on {platform.machine()}"
    from assent.sandbox.kernel import landlock_version

    found = landlock_version()
    if not found:
        return "this kernel offers no Landlock"
    if found < NEEDED:
        return f"this kernel's Landlock is too old: version {found}, and {NEEDED} is needed (Linux 6.12)"
    return ""


def start(
    profile: Profile,
    walls: Walls,
    command: Sequence[str],
    *,
    stdin: int | None = None,
    stdout: int | None = None,
    show: bool = True,
) -> Confined:
    """Start a command behind walls. With `show`, its errors go to ours as they come."""
    private = os.path.realpath(tempfile.mkdtemp(prefix=PRIVATE))
    sheet = _order(profile, walls, command, private)
    order, orders = os.pipe()
    told, tells = os.pipe()
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program, which starts exactly what was judged
            [sys.executable, "-I", "-S", "-c", LAUNCH, PACKAGES, str(order), str(tells)],
            env={},
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            pass_fds=(order, tells),
            start_new_session=True,  # Ctrl-C reaches us alone, and we hand it in
        )
    except OSError as error:
        for one in (orders, told):
            os.close(one)
        _removed(private)
        raise AssentError(f"cannot run `{sys.executable}`: {error.strerror}") from error
    finally:
        for one in (order, tells):
            os.close(one)
    return _let_go(process, profile, sheet, orders, told, show=show, private=private)


def _let_go(
    process: subprocess.Popen[bytes],
    profile: Profile,
    sheet: bytes,
    orders: int,
    told: int,
    *,
    show: bool,
    private: str,
) -> Confined:
    """Count the launcher's processes, then tell it what to do. INVARIANT: nothing runs uncounted."""
    crowd = Crowd()
    closing = functools.partial(_closed, orders, private)
    try:
        crowd.limit(process.pid, profile.processes)
        with contextlib.suppress(BrokenPipeError):  # it has ended already, and will say why
            _write(orders, sheet)
        first = _first(told)
    except BaseException:
        process.kill()
        process.communicate()
        crowd.close()
        closing(Deadline())
        raise
    finally:
        os.close(told)
    return Confined(process, first, crowd, show=show, library="", closing=closing)


def _first(told: int) -> int:
    """The number of the command's process, which runs now."""
    found = b""
    while part := os.read(told, 65_536):
        found += part
    answer: dict[str, Any] = marshal.loads(found) if found else {}  # noqa: S302 - from our own program
    if "first" in answer:
        return int(answer["first"])
    why = answer.get("error", "the launcher ended")
    if answer.get("program"):
        raise AssentError(f"cannot run `{answer['program']}` in the sandbox: {why}")
    raise AssentError(f"the sandbox could not be made: {why}")


def _order(profile: Profile, walls: Walls, command: Sequence[str], private: str) -> bytes:
    cache = os.path.join(private, "cache")
    os.mkdir(cache, 0o700)
    rules = (*walls.rules, Rule(private, WRITE))
    sheet = marshal.dumps(
        {
            "parent": os.getpid(),
            "rules": tuple(
                (os.fsencode(rule.path), rule.rights & (-1 if rule.folder else OF_FILES), rule.folder) for rule in rules
            ),
            "writable": (*walls.writable, private),
            "filter": call_filter(platform.machine(), alone=True),
            "processes": profile.processes + _running(),
            "cwd": profile.cwd,
            "command": tuple(command),
            "environment": {**dict(profile.environment), "TMPDIR": private, "XDG_CACHE_HOME": cache},
            "private": private,
        }
    )
    return len(sheet).to_bytes(8, "little") + sheet


def _running() -> int:
    """How many threads this user has already: without a namespace the kernel counts all of them against the limit."""
    found = 0
    if not os.geteuid():
        return found  # root's are not counted so, see `Crowd`
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):  # it has ended
                mine = os.stat(f"/proc/{name}").st_uid == os.geteuid()
                found += len(os.listdir(f"/proc/{name}/task")) if mine else 0
    return found


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _closed(orders: int, private: str, _deadline: Deadline) -> tuple[str, ...]:
    os.close(orders)
    _removed(private)
    return ()


def _removed(folder: str) -> None:
    """The command has ended with all it started, so nobody exchanges anything meanwhile."""

    def again(function: Callable[[str], object], path: str, _error: object) -> None:
        with contextlib.suppress(OSError):  # what cannot be removed stays in the folder for temporary files
            os.chmod(os.path.dirname(path), 0o700)
            function(path)

    shutil.rmtree(folder, onerror=again)
