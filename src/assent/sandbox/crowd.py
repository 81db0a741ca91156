"""How many processes root may have inside: the kernel does not count root's against a limit, a control group does."""

from __future__ import annotations

import os

GROUPS = "/sys/fs/cgroup"
NAME = "assent-"


class Crowd:
    """A control group for one confined command; nothing at all for anybody but root."""

    def __init__(self, groups: str = GROUPS) -> None:
        self._groups = groups
        self._folder = ""
        self.notes: tuple[str, ...] = ()

    def limit(self, process: int, most: int) -> None:
        """Put a process and all it will start into a group that holds so many."""
        if os.geteuid():
            return
        for parent in (f"{self._groups}/pids", self._groups):
            if not _counts(parent, v1=parent.endswith("/pids")):
                continue
            try:
                _sweep(parent)
                folder = f"{parent}/{NAME}{process}"
                os.mkdir(folder)
                self._folder = folder
                _put(f"{folder}/pids.max", str(most))
                _put(f"{folder}/cgroup.procs", str(process))
                return
            except OSError:
                self.close()
        self.notes = ("the number of processes is not limited: they belong to root, and no control group can be made",)

    def close(self) -> None:
        if self._folder:
            folder, self._folder = self._folder, ""
            _removed(folder)


def _sweep(parent: str) -> None:
    """Remove groups of commands that have ended: the kernel may need longer for their processes than we wait."""
    for name in os.listdir(parent):
        process = name.removeprefix(NAME)
        if process != name and process.isdigit() and not os.path.exists(f"/proc/{process}"):
            _removed(f"{parent}/{name}")


def _removed(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except OSError:
        return False  # somebody is still in it; the next command tries again
    return True


def _counts(parent: str, *, v1: bool) -> bool:
    if v1:
        return os.path.exists(f"{parent}/cgroup.procs")
    try:
        with open(f"{parent}/cgroup.subtree_control", encoding="ascii") as stream:
            return "pids" in stream.read().split()
    except OSError:
        return False


def _put(file: str, text: str) -> None:
    with open(file, "w", encoding="ascii") as stream:
        stream.write(text)
