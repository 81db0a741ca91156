"""Who waits for an answer: a name for the asking process, and whether it is still there.

INVARIANT: only a process that is certainly gone counts as gone; of one on another machine, or in another namespace, we
cannot know.
"""

from __future__ import annotations

import os

NAMESPACE = "/proc/self/ns/pid"
SHELLS = frozenset({"sh", "dash", "bash", "zsh", "ash", "ksh", "busybox"})
MOST_SHELLS = 8


def owner_name() -> str:
    """This process, told apart from a later one with the same number and from those elsewhere."""
    return f"{os.getpid()}.{_born(os.getpid())}.{_here()}"


def is_alive(owner: str) -> bool:
    """Whether the process that waits for a request may still be there; false only where it is certainly gone."""
    number, _, rest = owner.partition(".")
    born, _, where = rest.partition(".")
    if not number.isdecimal() or (where and where != _here()):
        return True
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    now = _born(int(number))
    return not now or now == born


def _here() -> str:
    """Where process numbers mean what they mean to us: this namespace of this machine."""
    try:
        space = os.readlink(NAMESPACE).strip("pid:[]")
    except OSError:
        space = ""
    return f"{space}@{os.uname().nodename}"


def _stat(process: int) -> list[str]:
    with open(f"/proc/{process}/stat", "rb") as source:
        return source.read().rpartition(b")")[2].decode().split()


def _born(process: int) -> str:
    """When a process was started, in ticks since the machine was; empty where the system does not say."""
    try:
        state, *rest = _stat(process)
        return "dead" if state in ("Z", "X") else rest[18]
    except (OSError, IndexError, ValueError):
        return ""


class Host:
    """The program that started this hook, behind the shells between. Remembers it at once, to notice when it goes."""

    def __init__(self) -> None:
        self._parent = os.getppid()
        self._chain: list[tuple[int, str]] = []
        process = self._parent
        while process > 1 and len(self._chain) < MOST_SHELLS:
            self._chain.append((process, _born(process)))
            if _name(process) not in SHELLS:
                break
            process = _parent(process)

    @property
    def is_gone(self) -> bool:
        """Whether nobody hears our answer any more: it ended, a shell between was killed, or it closed the pipe."""
        if os.getppid() != self._parent or _is_closed(1):
            return True
        return any(born and _born(process) != born for process, born in self._chain)


def _name(process: int) -> str:
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as source:
            return source.read().strip()
    except OSError:
        return ""


def _parent(process: int) -> int:
    try:
        return int(_stat(process)[1])
    except (OSError, IndexError, ValueError):
        return 0


def _is_closed(descriptor: int) -> bool:
    """Whether the other end of a pipe is closed."""
    import select

    try:
        poll = select.poll()
        poll.register(descriptor, 0)
        return any(found & (select.POLLERR | select.POLLNVAL) for _, found in poll.poll(0))
    except (OSError, AttributeError):
        return False
