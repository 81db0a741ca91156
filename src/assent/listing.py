"""What the disk holds: the names in folders, trees of those, and the content of files."""

from __future__ import annotations

import os

from assent.errors import InputError
from assent.protected import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.ignoring import LeftOut

    Lists = Callable[[str, int], tuple["Contents", bool]]
    Names = list[tuple[str, str, int]]
    """Name, kind (`file`, `folder` or `link`) and inode number, sorted."""

MOST_FOLDERS = 256
MOST_IN_ALL = 2_000
FORMAT, REGULAR = 0o170000, 0o100000


class Contents:
    """The entries of a folder, and which of them matter: worked out once for each listing."""

    __slots__ = (
        "_kinds",
        "_notable",
        "_numbers",
        "_shared",
        "_tested",
        "_unlike",
        "entries",
        "folders",
        "here",
        "links",
        "source",
    )

    def __init__(self, here: str, entries: Names, source: Contents | None = None) -> None:
        self.here, self.entries = here, entries
        self.source = source
        """What some of the entries were left out of, if any were."""
        self.folders = tuple([f"{here}/{name}" for name, kind, _ in entries if kind == "folder"])
        self.links = tuple([one for one in entries if one[1] == "link"])
        self._kinds: dict[str, str] | None = None
        self._numbers: frozenset[int] | None = None
        self._notable: Names | None = None
        self._unlike: tuple[Names, list[str]] | None = None
        self._tested: dict[Callable[[str], bool], bool] | None = None
        self._shared: list[str] | None = None

    def shared(self, count: Callable[[str], int], looks: list[int]) -> list[str] | None:
        """The files with several names; None where that takes more looks than are left.

        INVARIANT: who gives a file in here another name, elsewhere, makes that name: a write of its own.
        """
        if self._shared is None:
            files = [name for name, kind, _number in self.entries if kind == "file"]
            if len(files) > looks[0]:
                return None
            looks[0] -= len(files)
            self._shared = [name for name in files if count(f"{self.here}/{name}") > 1]
        return self._shared

    def numbers(self) -> frozenset[int]:
        if self._numbers is None:
            self._numbers = frozenset([number for _, kind, number in self.entries if kind == "file"])
        return self._numbers

    def without(self, left_out: LeftOut) -> Contents:
        here, entries = self.here, self.entries
        kept = [one for one in entries if not left_out.leaves_out(one[0], f"{here}/{one[0]}", one[1])]
        folders = left_out.kept(here, self.folders)
        if len(kept) == len(entries) and len(folders) == len(self.folders):
            return self
        made = Contents(here, kept, self)
        made.folders = tuple(folders)
        return made

    def kinds(self) -> dict[str, str]:
        if self._kinds is None:
            self._kinds = {name: kind for name, kind, _number in self.entries}
        return self._kinds

    def notable(self) -> Names:
        """Links, and what has a mark: all that could be protected where no rule speaks of paths."""
        if self._notable is None:
            self._notable = [one for one in self.entries if one[1] == "link" or marks(f"{self.here}/{one[0]}")]
        return self._notable

    def unlike(self) -> tuple[Names, list[str]]:
        """Of these, what has other marks than the folder itself, and the folders that have the same."""
        if self._unlike is None:
            own, paths = marks(self.here), [f"{self.here}/{one[0]}" for one in self.entries]
            other = [one for one, path in zip(self.entries, paths, strict=True) if marks(path) not in (0, own)]
            links = [one for one in self.links if one not in other]
            self._unlike = sorted(other + links), [path for path in self.folders if marks(path) == own]
        return self._unlike

    def holds(self, test: Callable[[str], bool]) -> bool:
        """Whether a name passes a test that always answers the same."""
        tested = self._tested
        if tested is None:
            tested = self._tested = {}
        if test not in tested:
            tested[test] = any(test(name) for name, _kind, _number in self.entries)
        return tested[test]


class Tree:
    """The contents of all folders of a tree, in the order of a walk, and what is true of the whole."""

    __slots__ = ("_numbers", "_places", "_tested", "complete", "contents", "leaves_out", "linked")

    def __init__(self, contents: list[Contents], *, complete: bool) -> None:
        self.contents, self.complete = contents, complete
        self.linked = not complete or any(one.links for one in contents)
        self.leaves_out = None
        self._numbers: frozenset[int] | None = None
        self._places: frozenset[str] | None = None
        self._tested: dict[Callable[[str], bool], list[Contents]] = {}

    @property
    def size(self) -> int:
        return sum([len(one.entries) for one in self.contents]) + len(self.contents)

    @property
    def places(self) -> frozenset[str]:
        if self._places is None:
            self._places = frozenset([one.here for one in self.contents])
        return self._places

    def part(self, root: str) -> Tree | None:
        """The tree below one of the folders; None if that is not in here."""
        if not self.complete or root not in self.places:
            return None
        inside = f"{root}/"
        return Tree([one for one in self.contents if one.here == root or one.here.startswith(inside)], complete=True)

    def has_none_of(self, names: str) -> bool:
        """Whether no folder has a name that is left out."""
        left_out = {name.lstrip("/") for name in names.split(",")}
        return left_out.isdisjoint((".", "*")) and left_out.isdisjoint(
            [path[path.rfind("/") + 1 :] for path in self.places]
        )

    def is_quiet(self, near: frozenset[str], closed: dict[int, list[tuple[str, str]]]) -> bool:
        """Whether none of the folders is one of those near, and none of the files has a number of those closed."""
        if not self.places.isdisjoint(near):
            return False
        if self._numbers is None:
            numbers = [number for one in self.contents for _, kind, number in one.entries if kind == "file"]
            self._numbers = frozenset(numbers)
        return self._numbers.isdisjoint(closed)

    def holding(self, test: Callable[[str], bool]) -> list[Contents]:
        """Those with a name that passes a test, which must always answer the same."""
        known = self._tested.get(test)
        if known is None:
            known = self._tested[test] = [one for one in self.contents if one.holds(test)]
        return known


def grown(root: str, lists: Lists) -> Tree | None:
    """The tree below a folder; None for one of more folders or names than should be held at a time."""
    todo, left, complete = [root], MOST_IN_ALL, True
    contents: list[Contents] = []
    for here in todo:
        if len(contents) == MOST_FOLDERS or not left:
            return None
        found, whole = lists(here, left)
        if len(found.entries) == left and not whole:
            return None
        left, complete = left - len(found.entries), complete and whole
        contents.append(found)
        todo += found.folders
    return Tree(contents, complete=complete)


def scan_folder(folder: str, most: int) -> tuple[Names, bool]:
    """At most so many names in a folder, sorted, and whether these are all of them."""
    names: Names = []
    with os.scandir(folder) as found:
        for entry in found:
            if len(names) == most:
                return sorted(names), False
            kind = "link" if entry.is_symlink() else "folder" if entry.is_dir() else "file"
            names.append((entry.name, kind, entry.inode()))
    names.sort()
    return names, True


def read_regular(path: str, limit: int) -> bytes:
    """The content of a file that was seen to be a regular one."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    file = os.open(path, flags)
    try:
        # The name may have changed hands since it was looked at; the descriptor cannot.
        facts = os.fstat(file)
        if facts.st_mode & FORMAT != REGULAR:
            raise InputError(f"cannot read `{path}`: not a regular file")
        content, size = b"", max(min(facts.st_size, limit) + 1, 4_096)
        while len(content) <= limit and (more := os.read(file, size)):
            content += more
    finally:
        os.close(file)
    if len(content) > limit:
        raise InputError(f"cannot read `{path}`: larger than {limit} bytes")
    return content


def home_of_user() -> str:
    """What the system says, for processes without HOME."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_dir or "/"
    except (ImportError, KeyError):
        return "/"
