"""What is in a folder of the disk, remembered for as long as nobody has touched the folder."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    Names = list[tuple[str, str, int]]
    """Name, kind (`file`, `folder` or `link`) and inode number, sorted."""

MOST_FOLDERS = 64
MOST_NAMES = 200
SETTLED_NS = 3_000_000_000


class Folders:
    """Listings by folder, each with the marks that the folder had before it was read."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, ...], Names]] = {}

    def entries(self, folder: str, most: int) -> tuple[Names, bool]:
        """At most so many names, and whether these are all of them.

        INVARIANT: only a file system on a disk is trusted to leave a mark; `/proc`, the network and programs are not.
        """
        facts = os.stat(folder)
        mark = (facts.st_dev, facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns)
        known = self._known.get(folder)
        if known is not None and known[0] == mark and len(known[1]) <= most:
            return known[1], True
        names, whole = _scanned(folder, most)
        if whole and len(names) <= MOST_NAMES and os.major(facts.st_dev) and _is_settled(facts.st_ctime_ns):
            if len(self._known) >= MOST_FOLDERS:
                self._known.clear()
            self._known[folder] = mark, names
        return names, whole


def _is_settled(changed: int) -> bool:
    """INVARIANT: what is added in the same tick of the clock leaves no other mark, so a young folder is not kept."""
    import time

    return time.time_ns() - changed > SETTLED_NS


def _scanned(folder: str, most: int) -> tuple[Names, bool]:
    names: Names = []
    with os.scandir(folder) as found:
        for entry in found:
            if len(names) == most:
                return sorted(names), False
            kind = "link" if entry.is_symlink() else "folder" if entry.is_dir() else "file"
            names.append((entry.name, kind, entry.inode()))
    names.sort()
    return names, True
