"""The machine as a profile sees it: kinds of files, links, secrets in a workspace, and sockets that somebody hears."""

from __future__ import annotations

import os
import stat

from assent import protected

MOST_ENTRIES = 20_000
PASSED_OVER = frozenset(
    "node_modules site-packages dist-packages .git __pycache__ .tox .mypy_cache .ruff_cache .pytest_cache".split()
)
"""Folders full of other people's files: a certificate of a package is no secret."""


class Machine:
    """This machine's own files."""

    def kind(self, path: str) -> str:
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            return ""
        if stat.S_ISLNK(mode):
            return "link"
        return "folder" if stat.S_ISDIR(mode) else "file"

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def target(self, path: str) -> str:
        return os.readlink(path)

    def names(self, folder: str) -> tuple[str, ...]:
        try:
            return tuple(sorted(os.listdir(folder)))
        except OSError:
            return ()

    def secrets(self, folder: str) -> tuple[tuple[str, ...], bool]:
        """INVARIANT: what could not be looked at is said, never taken for empty."""
        found: list[str] = []
        waiting, seen, complete = [folder], 0, True
        while waiting:
            here = waiting.pop()
            try:
                entries = list(os.scandir(here))
            except OSError:
                complete = False
                continue
            seen += len(entries)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in PASSED_OVER:
                        waiting.append(entry.path)
                elif not entry.is_symlink() and protected.is_secret(entry.path):
                    found.append(entry.path)
            if seen > MOST_ENTRIES:
                return tuple(sorted(found)), False
        return tuple(sorted(found)), complete

    def sockets(self) -> tuple[str, ...]:
        try:
            with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as stream:
                lines = stream.read().splitlines()[1:]
        except OSError:
            return ()
        paths = (line.split(" ", 7)[-1] for line in lines if " /" in line)
        return tuple(dict.fromkeys(path[path.find("/") :] for path in paths))
