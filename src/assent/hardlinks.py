"""The other names of a file that has several: as one of the protected files, or anywhere in the project."""

from __future__ import annotations

from assent.protected import AGENT_FOLDERS, DEEP_FOLDERS, HOLDERS, HOME_FOLDERS, SECRET, STARTED, marks
from assent.resolve import ancestors, follow, normalise, peek

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.resolve import Entry, Lookup

    Numbers = dict[int, list[tuple[str, str]]]
    Remembered = list[tuple[object, list[tuple[str, tuple[int, ...]]], Numbers]]
    Lists = Callable[[str, int], tuple[list[tuple[str, str, int]], bool]]

STORES = frozenset(
    """node_modules .venv venv .tox .nox site-packages dist-packages __pycache__ .pnpm-store .pnpm .yarn .bun .conda
    envs .cache .ccache .hg""".split()
)
"""Folders whose files are often names of what a package manager keeps elsewhere, once for all projects."""
OBJECTS = "/.git/objects"
"""What clones of a repository share; nobody puts anything there without a question."""
MOST_COUNTED = 2_000
"""Of so many files a decision counts the names; of others it sees whether one has the number of a protected file."""
MOST_SECRETS = 300
MOST_COMPARED = 5_000
MOST_NEAR = 500
HEIGHT = 5
CLOSED = (*DEEP_FOLDERS, ".kube", ".docker", ".azure", ".agent-harness")
"""Where the floor's files lie; what else is protected at home changes too often to be remembered."""


class HardLinks:
    """Compares files by their inode, in a world that is looked at through `lookup` and `listing`."""

    def __init__(self, home: str, lookup: Lookup, listing: Lists) -> None:
        self.home, self._lookup, self._listing = home, lookup, listing

    def names(self, path: str, inode: tuple[int, int], here: str, project: str) -> Iterator[str]:
        """Protected files that are the same object, and every name it has in the project."""
        near = (*self._project_secrets(path), *self._project_secrets(f"{here}/x"))
        for name, real in (*self.home_secrets(), *zip(near, near, strict=True)):
            if self.is_object(real, inode):
                yield name
        if project:
            for name, number in self.files(project):
                if number == inode[1] and self.is_object(name, inode):
                    yield name

    def is_object(self, path: str, inode: tuple[int, int]) -> bool:
        entry = self.entry(path)
        return entry is not None and entry.inode == inode

    def entry(self, path: str) -> Entry | None:
        """What is at a path, or where a link there leads."""
        entry = peek(path, self._lookup, [])
        return follow(path, self._lookup).entry if entry is not None and entry.kind == "link" else entry

    def home_secrets(self) -> Iterator[tuple[str, str]]:
        """The usual name of each file, and where it really is."""
        for folder in (*HOME_FOLDERS, *AGENT_FOLDERS):
            usual = f"{self.home}/{folder}"
            real = follow(usual, self._lookup).path.rstrip("/")
            for path, _number in self._files(real, MOST_SECRETS, levels=3 if folder in DEEP_FOLDERS else 1):
                yield usual + path[len(real) :], path
        for path in self._names_in(self.home):
            if marks(path) & (SECRET | STARTED):
                yield path, path

    def closed(self) -> tuple[Numbers, list[str]]:
        """The floor's files at home by inode number, each with its usual name, and the folders they were found in."""
        numbers: Numbers = {}
        folders: list[str] = []
        for folder in CLOSED:
            usual = f"{self.home}/{folder}"
            real = follow(usual, self._lookup).path.rstrip("/")
            for path, number in self._files(real, MOST_SECRETS, 3 if folder in DEEP_FOLDERS else 1, folders):
                numbers.setdefault(number, []).append((usual + path[len(real) :], path))
        return numbers, folders

    def twins(self, path: str, names: list[tuple[str, str]]) -> Iterator[str]:
        """The usual names of what a file is, among those that share its number."""
        entry = peek(path, self._lookup, [])
        for usual, real in names if entry is not None else ():
            if entry is not None and self.is_object(real, entry.inode):
                yield usual

    def _project_secrets(self, path: str) -> Iterator[str]:
        for folder in list(ancestors(normalise(path)))[1 : HEIGHT + 1]:
            for path_in in self._names_in(folder.rstrip("/")):
                if marks(path_in) & (SECRET | STARTED):
                    yield path_in
            yield f"{folder}/.git/config"
            yield from self._names_in(f"{folder}/.git/hooks")

    def _names_in(self, folder: str) -> list[str]:
        return [f"{folder}/{name}" for name, _kind, _number in self._listing(folder, MOST_NEAR)[0]]

    def files(self, root: str) -> Iterator[tuple[str, int]]:
        """The nearest files below a folder, with inode numbers; no git objects, no installed packages."""
        return self._files(root, MOST_COMPARED)

    def _files(
        self, root: str, most: int, levels: int = MOST_COMPARED, folders: list[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """What is under a folder with inode numbers, the nearest first; no git objects, no installed packages."""
        todo = [(root, 1)]
        for here, level in todo:
            if folders is not None:
                folders.append(here)
            if most <= 0:
                return
            entries, _whole = self._listing(here, most)
            most -= len(entries)
            for name, kind, number in entries:
                path = f"{here}/{name}"
                if kind != "folder":
                    yield path, number
                elif level < levels and name not in STORES and not path.endswith(OBJECTS):
                    todo.append((path, level + 1))


def is_stored(folder: str, root: str) -> bool:
    """Whether a folder belongs to a package manager, seen from the root of the project."""
    return not STORES.isdisjoint(folder[len(root.rstrip("/")) :].split("/"))


def closed_files(
    known: Remembered, links: HardLinks, stamp: Callable[[str], tuple[int, ...]], since: object
) -> Numbers:
    """As `closed`, looked up again when one of the folders has changed, or what is said about home `since` then."""
    if known and known[0][0] is since:
        for folder, mark in known[0][1]:
            if stamp(folder) != mark:
                break
        else:
            return known[0][2]
    numbers, folders = links.closed()
    watched = {f"{links.home}/{name}" for name in HOLDERS}  # by whoever looks at home
    marks = [(folder, stamp(folder)) for folder in folders if folder not in watched]
    known[:] = [(since, [one for one in marks if one[1]], numbers)]
    return numbers
