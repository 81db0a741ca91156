"""Walks through a tree: for what is protected in it, for links that lead out of it, for odd names."""

from __future__ import annotations

from assent.budget import LOOKS
from assent.globs import name_test
from assent.resolve import follow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.hardlinks import HardLinks, Numbers
    from assent.ignoring import Ignores, LeftOut
    from assent.listing import Contents, Lists, Tree
    from assent.resolve import Entry, Lookup
    from assent.types import Held

    Led = tuple[tuple[tuple[str, str], ...], bool]


class Ground:
    """What a walk needs to know of the world it goes through."""

    __slots__ = ("closed", "leads_to", "look", "near", "twins")

    def __init__(
        self,
        closed: Numbers,
        near: frozenset[str] | None,
        leads_to: Callable[[str], tuple[tuple[str, ...], bool, bool]],
        twins: Callable[[], HardLinks],
        look: Callable[[int], bool],
    ) -> None:
        self.closed, self.near, self.leads_to, self.twins, self.look = closed, near, leads_to, twins, look

    def behind(self, path: str, kind: str, number: int, *, named: bool) -> tuple[Iterable[str], bool]:
        """What a link, or a file of such a number, is besides, and whether that is certain. No glob hides a folder."""
        if kind == "link":
            names, leads_on, sure = self.leads_to(path)
            return names if named or leads_on else (), sure
        return self.twins().twins(path, self.closed[number]) if named and kind == "file" else (), True


class Unignored:
    """A tree without what is left out; ignore files become known on the way through it."""

    def __init__(self, root: str, lists: Lists, ignores: Ignores | LeftOut) -> None:
        self._root, self._lists, self._ignores = root, lists, ignores
        self.complete = self.readable = self.linked = True
        """Whether it was whole so far, whether anything may be left out at all, and whether links may be in it."""
        self.leaves_out = ignores.leaves_out
        self._seen: list[Contents] | None = None

    @property
    def contents(self) -> Iterator[Contents]:
        """All folders in the order of a walk; who comes again is told what was seen then."""
        if self._seen is not None:
            yield from self._seen
            return
        seen: list[Contents] = []
        for contents in self._walked():
            seen.append(contents)
            yield contents
        self._seen = seen

    def _walked(self) -> Iterator[Contents]:
        todo, left, self.complete = [self._root], LOOKS, True
        for here in todo:
            if not left:
                self.complete = False
                return
            contents, whole = self._lists(here, left)
            left, self.complete = left - len(contents.entries), self.complete and whole
            self.readable = self._ignores.enters(here, contents.entries)
            if not self.readable:
                return
            yield contents
            todo += self._ignores.kept(here, contents.folders)

    def is_quiet(self, near: frozenset[str], closed: Numbers) -> bool:  # noqa: ARG002
        return False

    def holding(self, test: Callable[[str], bool]) -> Iterator[Contents]:
        return (one for one in self.contents if one.holds(test))


def _fitting(only: str) -> Callable[[str], bool] | None:
    """Which names of files count, None if all do; the folders behind `//` are left out of the tree itself."""
    glob = only.partition("//")[0] if only else ""
    return name_test(glob.casefold()) if glob and glob != "*" else None


def names_fit(only: str, name: str) -> bool:
    """Whether a file or folder has one of the names that count; also where nobody knows which do."""
    glob = only.partition("//")[0].rstrip("/")
    fits = name_test(glob.casefold()) if glob and glob != "*" else None
    return fits is None or fits(name)


def is_entered(root: str, way: list[str], only: str, *, file: bool) -> bool:
    """Whether a walk from a root comes to the file at the end of these names, or into the folder: none is left out."""
    from assent.ignoring import LeftOut

    leaving, here = LeftOut(root, only.partition("//")[2]), root.rstrip("/")
    for name in way[:-1] if file else way:
        if not leaving.kept(here, (f"{here}/{name}",)):
            return False
        here = f"{here}/{name}"
    return not file or not leaving.leaves_out(way[-1], f"{here}/{way[-1]}", "file")


def paths_below(
    tree: Tree | Unignored, wanted: Callable[[str], bool], only: str, ground: Ground
) -> tuple[tuple[str, ...], bool]:
    """The paths that are wanted, and whether the whole tree was looked at."""
    fits, closed, near = _fitting(only), ground.closed, ground.near
    found: dict[str, None] = {}
    told: set[str] = set()
    """Folders in ones that were found, about which nothing else is to be said."""
    sure, leaves_out = True, tree.leaves_out
    quiet = near is not None and tree.is_quiet(near, closed)
    for contents in tree.contents:
        here = contents.here
        if quiet or (near is not None and here not in near and contents.numbers().isdisjoint(closed)):
            if here in found or here in told:
                entries, alike = contents.unlike()
                told.update(alike)
            else:
                entries = contents.notable()
        else:
            entries = contents.entries
            if not ground.look(len(entries)):  # each is compared with everything that is wanted
                return tuple(found), False
        for name, kind, number in entries:
            path = f"{here}/{name}"
            if leaves_out is not None and leaves_out(name, path, kind):
                continue
            named = fits is None or kind == "folder" or fits(name)
            if named and wanted(path):
                found[path] = None
            if kind == "link" or number in closed:
                names, known = ground.behind(path, kind, number, named=named)
                found |= dict.fromkeys(filter(wanted, names))
                sure = sure and known
    return tuple(found), sure and tree.complete


def held_below(
    tree: Tree | Unignored, wanted: Callable[[str], bool], only: str, ground: Ground, held: Held
) -> tuple[tuple[str, ...], bool]:
    """As `paths_below`, for what has one of the names: nothing is made in a folder that is not there yet.

    Only `files`, or also folders as `names`, or `trees` with everything in such folders, which a slash at the end of a
    glob always means.
    """
    glob = only.partition("//")[0]
    trees, files = held == "trees" or glob[-1:] == "/", held == "files" and glob[-1:] != "/"
    fits, closed, near = name_test(glob.rstrip("/").casefold()), ground.closed, ground.near
    if fits is None:
        return paths_below(tree, wanted, only, ground)
    found: dict[str, None] = {}
    inside: set[str] = set()
    sure, leaves_out = True, tree.leaves_out
    quiet = near is not None and tree.is_quiet(near, closed)  # else the name tells faster what counts
    for contents in tree.contents:
        here = contents.here
        meant = here in inside
        if trees:
            inside.update([path for path in contents.folders if meant or fits(path[len(here) + 1 :])])
        for name, kind, number in contents.notable() if quiet else contents.entries:
            named = meant or fits(name)
            if not named and kind != "link":
                continue
            path = f"{here}/{name}"
            if leaves_out is not None and leaves_out(name, path, kind):
                continue
            if named and wanted(path) and not (files and kind == "folder"):
                found[path] = None
            if kind == "link" or number in closed:
                names, known = ground.behind(path, kind, number, named=named)
                found |= dict.fromkeys(filter(wanted, names))
                sure = sure and known
    return tuple(found), sure and tree.complete


def name_below(tree: Tree | Unignored, test: Callable[[str], bool], only: str) -> tuple[bool, bool]:
    """Whether a name anywhere in a tree passes a test, and whether all of them could be looked at.

    `only` says which files count, as in `paths_below`; folders always do.
    """
    holding = tree.holding(test)
    if not holding:
        return False, tree.complete
    fits, leaves_out = _fitting(only), tree.leaves_out
    for contents in holding:
        for name, kind, _number in contents.entries:
            counts = test(name) and (fits is None or kind == "folder" or fits(name))
            if counts and not (leaves_out is not None and leaves_out(name, f"{contents.here}/{name}", kind)):
                return True, tree.complete
    return False, tree.complete


def files_below(tree: Tree | Unignored, only: str) -> Iterator[str]:
    """Every file with one of the names, and every link."""
    fits = _fitting(only)
    for contents in tree.contents:
        for name, kind, _number in contents.entries:
            if kind != "folder" and (fits is None or fits(name)):
                yield f"{contents.here}/{name}"


def links_leading_out(
    folder: str,
    only: str,
    lists: Lists,
    lookup: Lookup,
    *,
    folders: bool,
    ignores: Ignores | LeftOut | None,
) -> Led | None:
    """Each link with its end, and whether all could be followed; None where nothing may be left out after all.

    With `folders` linked folders count, and are looked through as well, each once; else only what leads to files does.
    """
    fits, root = _fitting(only), folder.rstrip("/")
    found: dict[str, str] = {}
    walked = ignores is None and not only.endswith("/")
    todo, entered, left, complete = [root], {root}, LOOKS, folder[:1] == "/"
    for here in todo:
        if not left:
            return tuple(found.items()), False
        contents, whole = lists(here, left)
        left, complete = left - len(contents.entries), complete and whole
        if ignores is not None and not ignores.enters(here, contents.entries):
            return None
        inside = contents.folders if ignores is None else ignores.kept(here, contents.folders)
        for name, kind, _number in contents.links:
            link = f"{here}/{name}"
            if ignores is not None and ignores.leaves_out(name, link, kind):
                continue
            place = follow(link, lookup)
            complete, path = complete and not place.trouble, place.path
            enters = place.entry is not None and place.entry.kind == "folder"
            inside_too = walked and f"{path}/".startswith(f"{root}/")  # else it may lead to what was left out
            if inside_too or not (folders if enters else fits is None or fits(name)):
                continue
            found[link] = path
            if enters:
                inside = [*inside, path]
        for path in inside:
            if path not in entered:
                entered.add(path)
                todo.append(path)
    return tuple(found.items()), complete


class SharedFiles:
    """Files below a folder that have several names: what they are besides, and which of them have one elsewhere."""

    def __init__(self, links: HardLinks, wanted: Callable[[str], bool]) -> None:
        self.links, self.wanted = links, wanted
        self.counted: list[tuple[str, Entry]] = []
        """Of ordinary folders, each with several names."""
        self.others: list[tuple[str, int]] = []
        """Of folders in which nobody counts names, by their numbers."""

    def names(self, roots: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """Wanted names of the files below `roots` and at home, and one file of which not all names were found."""
        self._leave_whole()
        if not (self.counted or self.others):
            return (), ""
        near = [file for root in roots for file in self.links.files(root)]
        kept = self._kept(near)
        found: dict[str, None] = {}
        for path, number in (*((path, entry.inode[1]) for path, entry in self.counted), *self.others):
            if number in kept:
                found |= dict.fromkeys(self.links.twins(path, [one for one in kept[number] if one[1] != path]))
        return tuple(found), self._unnamed(near, kept)

    def _leave_whole(self) -> None:
        """Of a file of which every name is among those counted, each is seen as what it is."""
        seen: dict[tuple[int, int], int] = {}
        for _path, entry in self.counted:
            seen[entry.inode] = seen.get(entry.inode, 0) + 1
        self.counted = [one for one in self.counted if seen[one[1].inode] < one[1].links]

    def _kept(self, near: list[tuple[str, int]]) -> Numbers:
        """Everything wanted, by its number."""
        kept: Numbers = {}
        for usual, real in self.links.home_secrets():
            entry = self.links.entry(real) if self.wanted(usual) else None
            if entry is not None:
                kept.setdefault(entry.inode[1], []).append((usual, real))
        for path, number in near:
            if self.wanted(path):
                kept.setdefault(number, []).append((path, path))
        return kept

    def _unnamed(self, near: list[tuple[str, int]], kept: Numbers) -> str:
        """The first file that has more names than were found anywhere."""
        known = {entry.inode[1]: {path} for path, entry in self.counted}
        for path, number in (*near, *((real, number) for number, names in kept.items() for _usual, real in names)):
            if number in known:
                known[number].add(path)
        for path, entry in self.counted:
            same = [one for one in known[entry.inode[1]] if self.links.is_object(one, entry.inode)]
            if len(same) < entry.links:
                return path
        return ""
