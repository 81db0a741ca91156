"""A file system as the pipeline sees it, worked out from a few primitives: where a path leads, what lies below it."""

from __future__ import annotations

from time import monotonic

from assent.budget import LOOKS, TOO_LARGE
from assent.errors import InputError
from assent.resolve import (
    FOLDER,
    MOST_CHARACTERS,
    Entry,
    Found,
    ancestors,
    by_name,
    follow,
    is_ordinary,
    is_straight,
    normalise,
    peek,
    placed,
    resolve,
    straight,
    usual_names,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Self, TypeVar

    from assent.budget import Budget
    from assent.hardlinks import HardLinks, Numbers, Remembered
    from assent.ignoring import Ignores, LeftOut
    from assent.listing import Contents, Tree
    from assent.types import Held, Place, Skip
    from assent.walks import SharedFiles, Unignored

    T = TypeVar("T")
    Listing = tuple[list[tuple[str, str, int]], bool]
    Pairs = tuple[tuple[str, str], ...]
    Stamps = tuple[tuple[str, tuple[int, ...]], ...]

MOST_ENTRIES = LOOKS
FOLDER_LOOKS, BYTES_PER_LOOK = 6, 512
"""What it costs to open a folder, besides the names in it, and how much of a file is read for one look."""
MOST_ROOTS = 64
MOST_LINKED = 300


class TreeWorld:
    """Answers the pipeline's questions from a few primitives, `look` to `stamp`, which subclasses supply."""

    __slots__ = (
        *("_budget", "_closed", "_folding", "_listed", "_looked", "_moved", "_noted", "_ordinary", "_pairs"),
        *("_roots", "_straight", "_trees", "_watched", "configures_searches", "elsewhere", "folds_always", "home"),
        "windows",
    )
    moment = 0.0
    """For so many seconds home is taken to be as it was last seen."""
    adds = True
    """Whether a subclass has attributes of its own."""
    _looked: dict[str, Entry | None] | None
    """What `now` has looked at so far; None in a world that lasts, where every look is a new one. So the others."""
    _listed: dict[str, Contents] | None
    _straight: dict[str, bool] | None
    _noted: dict[object, Any] | None
    _pairs: Pairs | None
    _trees: dict[str, Tree | None] | None
    _budget: Budget | None

    def __init__(self) -> None:
        self.home = ""
        self.windows = self.folds_always = False
        self.configures_searches = False  # by a file that may take back what ignore files say
        self.elsewhere: Pairs = ()  # what a variable moves away from home, by its usual name there
        self._looked = self._listed = self._straight = self._trees = self._noted = self._pairs = self._budget = None
        self._roots: dict[str, tuple[str, ...]] = {}
        self._folding: dict[str, bool] = {}
        self._ordinary: dict[str, bool] = {}
        self._moved: list[tuple[Stamps, Pairs]] = []  # at most one; a list, so that every `now` shares it
        self._watched = [0.0]  # when that was last seen to be so
        self._closed: Remembered = []

    def now(self, budget: Budget | None = None) -> Self:
        """This world for the time of one decision: what was looked at once is not looked at again.

        INVARIANT: when the looks of the budget are spent, nothing more is seen, and everything says so.
        """
        made = object.__new__(self.__class__)
        made._budget = budget
        made.home, made.windows, made.folds_always = self.home, self.windows, self.folds_always
        made.configures_searches, made._roots, made._folding = self.configures_searches, self._roots, self._folding
        made.elsewhere = self.elsewhere
        made._ordinary, made._moved, made._watched = self._ordinary, self._moved, self._watched
        made._closed = self._closed
        made._looked, made._listed, made._straight, made._trees = {}, {}, {}, {}
        made._noted = made._pairs = None
        if self.adds:
            made.__dict__ |= self.__dict__
        return made

    def look(self, path: str) -> Entry | None:
        """What is at an absolute path whose parents are no links; None if nothing, OSError if it cannot be known."""
        raise NotImplementedError

    def read_file(self, path: str, limit: int) -> bytes | None:
        """The content of a regular file, None if there is none; an `InputError` if it cannot be read."""
        raise NotImplementedError

    def entries(self, folder: str, most: int) -> Listing:
        """At most so many names in a folder, sorted, with kind and inode number, and whether these are all of them."""
        raise NotImplementedError

    def contents(self, folder: str, most: int) -> tuple[Contents, bool]:
        """The same, with what walks through a tree make of it."""
        from assent.listing import Contents

        entries, whole = self.entries(folder or "/", most)
        return Contents(folder, entries), whole

    def tree(self, root: str, left_out: str = "") -> Tree | None:
        """The contents of all folders below one, None if they are too many."""
        from assent.listing import grown

        lists = self._without(root, left_out) if left_out else self._inside
        return grown(root, lists)

    def _without(self, root: str, left_out: str) -> Callable[[str, int], tuple[Contents, bool]]:
        from assent.ignoring import LeftOut

        leaving = LeftOut(root, left_out)

        def lists(folder: str, most: int) -> tuple[Contents, bool]:
            contents, whole = self._inside(folder, most)
            return contents.without(leaving), whole

        return lists

    def same(self, path: str, other: str) -> bool:
        """Whether something that exists is also known by another name."""
        raise NotImplementedError

    def is_public(self, path: str) -> bool:
        """Whether everybody may read what is at a path without links, or what only root could put there."""
        raise NotImplementedError

    def stamp(self, folder: str) -> tuple[int, ...]:  # noqa: ARG002
        """Changes whenever a name in a folder does; empty for one that is not there, or that never changes."""
        return ()

    def read(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """The content of a regular file, None if there is none; an `InputError` if it cannot be read."""
        budget = self._budget
        if budget is None:
            return self.read_file(path, limit)
        if not budget.look():
            raise InputError(f"cannot read `{path}`: {TOO_LARGE}")
        content = self.read_file(path, min(limit, budget.looks * BYTES_PER_LOOK))
        budget.look(len(content or b"") // BYTES_PER_LOOK)
        return content

    def _look_at(self, count: int) -> bool:
        """Whether so many looks may be taken."""
        return self._budget is None or self._budget.look(count)

    def locate(self, path: str, cwd: str) -> Place:
        """Resolve a path as the kernel would, for files that exist and for files that do not yet."""
        if self._budget is not None and self._budget.looks <= 0:
            return by_name(path, cwd, self.home, windows=self.windows)
        if self.windows or not is_ordinary(path):
            return self._resolved(path, cwd)
        start, rest, known = cwd, path, self._straight
        if path[0] == "/":
            if not self._is_ordinary(cwd):
                return self._resolved(path, cwd)
            cut = path.rfind("/")
            if known and path[:cut] in known and known[path[:cut]] and path[cut + 1 :]:
                start, rest = path[:cut], path[cut + 1 :]  # several paths often lie in one folder
        elif not self._is_straight(cwd):
            return self._resolved(path, cwd)
        found = straight(rest, start, self._look)
        if found is None:
            return self._resolved(path, cwd)
        here, deepest, entry = found
        if entry is FOLDER and known is not None:
            known[here] = True
        folded = self.folds_always or (deepest != "" and self._folds_at(deepest))
        moved = self.moved() if self._pairs is None else self._pairs
        names = tuple(dict.fromkeys((here, *usual_names((here,), moved, folded=folded)))) if moved else (here,)
        return placed(here, names, entry, folded=folded)

    def _is_straight(self, folder: str) -> bool:
        known = {} if self._straight is None else self._straight
        if folder not in known:
            usable = self._is_ordinary(folder)
            known[folder] = usable and (self._is_here(folder) or is_straight(folder, self._look))
        return known[folder]

    def _is_ordinary(self, folder: str) -> bool:
        """Whether nothing is special about the name of a folder; almost every decision asks about the same."""
        known = self._ordinary.get(folder)
        if known is None:
            known = is_ordinary(folder) and folder[0] == "/"
            self._ordinary.clear()
            self._ordinary[folder] = known
        return known

    def _is_here(self, folder: str) -> bool:  # noqa: ARG002
        """Whether a folder is where this process is: then the kernel itself knows its straight name."""
        return False

    def _resolved(self, path: str, cwd: str) -> Place:
        found = resolve(path, cwd, self.home, self._look, windows=self.windows)
        names, entry = found.names, found.entry
        folded = self.folds_always or self._folds(found.path, entry)
        for shared, facts in found.shared:
            names += tuple(self._hard_links(shared, facts.inode, cwd))
        if moved := self.moved():
            names += tuple(usual_names(names, moved, folded=folded))
        if names is not found.names:
            names = tuple(dict.fromkeys(names))
        return placed(found.path, names, entry, folded=folded, trouble=found.trouble)

    def roots(self, folder: str) -> tuple[str, ...]:
        """A folder as written and resolved. Remembered: one that moves later no longer holds what it held."""
        found = self._roots.get(folder)
        if found is None:
            if len(self._roots) >= MOST_ROOTS:
                self._roots.clear()
            found = self._roots[folder] = tuple(dict.fromkeys((normalise(folder), self._real(folder))))
        return found

    def moved(self) -> Pairs:
        """What home keeps elsewhere behind a link, as dotfile managers do: the usual place and the real one.

        Looked up again when a folder that could hold such a link has changed. To see that may take a moment: only a
        person makes such a change. INVARIANT: to an agent the floor denies it, in every mode.
        """
        if self._pairs is not None:
            return self._pairs
        now = monotonic()
        if not self._moved or now - self._watched[0] >= self.moment:
            if not self._moved or any(self.stamp(folder) != stamp for folder, stamp in self._moved[0][0]):
                self._moved[:] = [self._find_moved()]
            self._watched[0] = now
        pairs = self._moved[0][1]
        if self._looked is not None:
            self._pairs = pairs
        return pairs

    def workspace(self, cwd: str) -> str:
        """The project a folder belongs to: the nearest that holds `.assent` or `.git`, else the folder itself.

        Empty, because there is no project, when that would be home, a folder above it, or the root.
        """
        if cwd[:1] != "/":
            return cwd
        cwd = normalise(cwd)
        return self._marked(cwd) or ("" if self._is_too_wide(cwd) else cwd)

    def below(
        self,
        folder: str,
        wanted: Callable[[str], bool],
        only: str = "",
        *,
        skip_ignored: Skip = "",
        twins: bool = False,
        near: frozenset[str] | None = None,
        held: Held = "",
    ) -> tuple[tuple[str, ...], bool]:
        """The paths under a folder for which `wanted` holds, and whether the whole tree could be looked at.

        A link stands for what it leads to: every wanted name of its target is among the paths.
        """
        if folder[:1] != "/":
            return (), False
        from assent.walks import Ground, held_below, paths_below

        closed = self._closed_files() if twins else {}
        ground = Ground(closed, near, self._leads_to, self._twins, self._look_at)
        if skip_ignored and (tree := self._unignored(folder, only, skip_ignored)) is not None:
            found = paths_below(tree, wanted, only, ground)
            if tree.readable:
                return found
        if held and only != "*" and (only[:2] != "*/" or held == "files") and only:
            return held_below(self._tree(folder, only), wanted, only, ground, held)
        return paths_below(self._tree(folder, only), wanted, only, ground)

    def reached(self, root: str, inner: str, only: str) -> tuple[tuple[str, ...], bool]:
        """The files in a folder or file `inner` that a search from `root` may open, and whether these are all."""
        from assent.globs import is_narrow
        from assent.walks import is_entered, names_fit

        way, entry = inner[len(root) :].strip("/").split("/"), follow(inner, self._look).entry
        file, narrow = entry is not None and entry.kind != "folder", is_narrow(only)
        whole = only.partition("//")[0][-1:] == "/" and any(names_fit(only, name) for name in way)
        if not whole and not is_entered(root, way, only, file=file):
            return (), True
        if whole or not narrow or entry is None:  # what is not there yet has no name that could be compared
            return (inner,) if entry is not None or not narrow else (), True
        if file:
            return (inner,) if names_fit(only, way[-1]) else (), True
        return self.below(inner, lambda _path: True, only, held="files")

    def leading(
        self, folder: str, only: str = "", *, folders: bool, skip_ignored: Skip = ""
    ) -> tuple[tuple[tuple[str, str], ...], bool]:
        """The links below a folder that lead out of it, each with its end, and whether all could be followed."""
        if not skip_ignored and folder[:1] == "/" and not self._tree(folder, only).linked:
            return (), True
        from assent.walks import links_leading_out

        ignores = self._ignores(folder, only, skip_ignored)
        found = links_leading_out(folder, only, self._inside, self._look, folders=folders, ignores=ignores)
        return found if found is not None else self.leading(folder, only, folders=folders)

    def name_below(
        self, folder: str, test: Callable[[str], bool], only: str = "", *, skip_ignored: Skip = ""
    ) -> tuple[bool, bool]:
        """Whether a name anywhere below a folder passes a test, and whether all of them could be looked at."""
        if folder[:1] != "/":
            return False, False
        from assent.walks import name_below

        if skip_ignored and (tree := self._unignored(folder, only, skip_ignored)) is not None:
            found = name_below(tree, test, only)
            if tree.readable:
                return found
        return name_below(self._tree(folder, only), test, only)

    def matching(self, pattern: str, cwd: str) -> tuple[tuple[str, ...], bool]:
        """The names that a shell would put in the place of a pattern, and whether these are all of them."""
        from assent.expansion import names_matching

        return names_matching(pattern, cwd, lambda folder: self._listing(folder, MOST_ENTRIES))

    def other_names(
        self,
        path: str,
        wanted: Callable[[str], bool],
        only: str = "",
        *,
        skip_ignored: Skip = "",
        roots: tuple[str, ...] = (),
    ) -> tuple[tuple[str, ...], str]:
        """What a file, or files below a folder, are besides, if that is wanted; and one that has a name elsewhere."""
        from assent.hardlinks import is_stored
        from assent.walks import SharedFiles

        shared = SharedFiles(self._twins(), wanted)
        root = next((root for root in roots if f"{path}/".startswith(f"{root.rstrip('/')}/")), path)
        entry = self._peek(path)
        if entry is not None and entry.kind == "file":
            shared.counted += [] if is_stored(path, root) else [(path, entry)]
        else:
            self._count_names(shared, self._walk(path, only, skip_ignored), only, root)
        return shared.names(roots)

    def _walk(self, folder: str, only: str, skip: Skip) -> Tree | Unignored:
        """The tree that `below` goes through."""
        tree = self._unignored(folder, only, skip) if skip else None
        if tree is not None and [*tree.contents] and tree.readable:
            return tree
        return self._tree(folder, only)

    def _count_names(self, shared: SharedFiles, tree: Tree | Unignored, only: str, root: str) -> None:
        """Files that have several names, or may: within the looks of one decision each is counted."""
        from assent.hardlinks import MOST_COUNTED, OBJECTS, is_stored
        from assent.walks import names_fit

        looks = self.once("names to count", lambda: [MOST_COUNTED])
        spare = looks[0] if self._budget is None else min(looks[0], self._budget.looks // 2)
        left = [spare]
        leaves_out = tree.leaves_out
        for contents in tree.contents:
            here = contents.here
            if OBJECTS in here:
                continue
            names = None if is_stored(here, root) else contents.shared(self.count_names, left)
            if names is None:
                files = [(name, number) for name, kind, number in contents.entries if kind == "file"]
                shared.others += [(f"{here}/{name}", number) for name, number in files if names_fit(only, name)]
                continue
            for name in names:
                path = f"{here}/{name}"
                if names_fit(only, name) and not (leaves_out is not None and leaves_out(name, path, "file")):
                    entry = self._look(path)
                    shared.counted += [] if entry is None else [(path, entry)]
        looks[0] -= spare - left[0]
        self._look_at(spare - left[0])

    def count_names(self, path: str) -> int:
        """How many hard links a file has."""
        entry = self.look(path)
        return 1 if entry is None else entry.links

    def shared_below(self, folder: str, only: str) -> bool:
        """Whether a file with one of the names may have others, anywhere."""
        from assent.walks import files_below

        files = files_below(self._tree(folder, only), only)
        for path in files:
            found = follow(path, self._look)
            if found.trouble or (found.entry is not None and found.entry.links > 1):
                return True
        return False

    def kinds_in(self, folder: str) -> tuple[Mapping[str, str], bool]:
        """Everything in a folder by its name, a `file`, a `folder` or a `link`, and whether this is all of it."""
        if folder[:1] != "/":
            return {}, False
        contents, whole = self._inside(folder, MOST_ENTRIES)
        return contents.kinds(), whole

    def once(self, about: object, work: Callable[[], T]) -> T:
        """What was worked out about something; in a world for one decision that is done once."""
        if self._looked is None:
            return work()
        noted = self._noted
        if noted is None:
            noted = self._noted = {}
        if about not in noted:
            noted[about] = work()
        return noted[about]  # type: ignore[no-any-return]

    def _ignores(self, folder: str, only: str, skip: Skip) -> Ignores | LeftOut | None:
        from assent.ignoring import Ignores, LeftOut

        if not skip:
            return LeftOut(folder, only.partition("//")[2]) if "//" in only else None
        trusted = skip not in ("all", "shown") or not self.configures_searches
        return Ignores(folder, skip, self.read, self._peek) if trusted else None

    def _unignored(self, folder: str, only: str, skip: Skip) -> Unignored | None:
        return self.once(("unignored", folder, only, skip), lambda: self._made_unignored(folder, only, skip))

    def _made_unignored(self, folder: str, only: str, skip: Skip) -> Unignored | None:
        from assent.walks import Unignored

        ignores = self._ignores(folder, only, skip)
        return None if ignores is None else Unignored(folder.rstrip("/"), self._inside, ignores)

    def _tree(self, folder: str, only: str = "") -> Tree | Unignored:
        """Everything below a folder without what is left out, at least what has one of these names."""
        root, left_out, trees = folder.rstrip("/"), only.partition("//")[2] if only else "", self._trees
        if trees is None:
            found = self.tree(root, left_out)
        else:
            name = f"{root}//{left_out}" if left_out else root
            if name not in trees:
                trees[name] = self._known_tree(root, left_out, trees) or self.tree(root, left_out)
            found = trees[name]
        if found is not None:
            return found
        return self.once(("large", root, left_out), lambda: self._large_tree(root, left_out))

    def _large_tree(self, root: str, left_out: str) -> Unignored:
        from assent.ignoring import LeftOut
        from assent.walks import Unignored

        return Unignored(root, self._inside, LeftOut(root, left_out))

    def _known_tree(self, root: str, left_out: str, trees: dict[str, Tree | None]) -> Tree | None:
        """The same tree, or a part of another, as it was seen before."""
        for above in ancestors(root or "/"):
            tree = trees.get(above.rstrip("/"))
            if tree is not None and (part := tree if above == root else tree.part(root)) is not None:
                return part if not left_out or part.has_none_of(left_out) else None
        return None

    def _leads_to(self, link: str) -> tuple[tuple[str, ...], bool, bool]:
        """Every name of what a link means, whether that is a folder, and whether it is certain."""
        place = follow(link, self._look)
        usual = usual_names(place.names, self.moved(), folded=self.folds_always)
        return (*place.names, *usual), place.entry is not None and place.entry.kind == "folder", not place.trouble

    def _look(self, path: str) -> Entry | None:
        looked = self._looked
        if looked is None:
            return self.look(path)
        if path not in looked:
            if not self._look_at(1):
                raise OSError(None, TOO_LARGE)
            looked[path] = self.look(path)
        return looked[path]

    def _listing(self, folder: str, most: int) -> Listing:
        contents, whole = self._inside(folder, most)
        return contents.entries, whole

    def _inside(self, folder: str, most: int) -> tuple[Contents, bool]:
        """What is in a folder, with whatever walks want to know about it; nothing where there is none."""
        listed = self._listed
        if listed is not None and folder in listed and len(listed[folder].entries) <= most:
            return listed[folder], True
        from assent.listing import Contents

        if not self._look_at(FOLDER_LOOKS):
            return Contents(folder, []), False
        most = most if self._budget is None else min(most, self._budget.looks)
        try:
            found, whole = self.contents(folder, most)
            self._look_at(len(found.entries))
        except (OSError, ValueError) as error:
            found, whole = Contents(folder, []), isinstance(error, (FileNotFoundError, NotADirectoryError))
        if whole and listed is not None:
            listed[folder] = found
        return found, whole

    def _peek(self, path: str) -> Entry | None:
        return peek(path, self._look, [])

    def _real(self, path: str) -> str:
        return follow(path, self._look).path

    def _folds(self, path: str, entry: Entry | None) -> bool:
        """Ask for the deepest existing name with its case swapped: is it the same object? A folder keeps its answer."""
        for here in ancestors(path[:MOST_CHARACTERS]):
            if entry or self._peek(here):
                return self._folds_at(here)
            entry = None
        return False

    def _folds_at(self, path: str) -> bool:
        """As `_folds`, for something that exists, and every folder above it, too."""
        while path and path != "/":
            cut = path.rfind("/")
            folder = path[: cut + 1]
            known = self._folding.get(folder)
            if known is None and (swapped := folder + path[cut + 1 :].swapcase()) != path:
                if len(self._folding) >= MOST_ROOTS:
                    self._folding.clear()
                known = self._folding[folder] = self.same(path, swapped)
            if known is not None:
                return known
            path = path[:cut]
        return False

    def _find_moved(self) -> tuple[Stamps, Pairs]:
        """The moved places, and the folders to watch for changes, home first."""
        from assent.protected import HOLDERS, moved_places

        stamps = [(folder, self.stamp(folder)) for folder in (self.home, *(f"{self.home}/{name}" for name in HOLDERS))]
        pairs, watched = moved_places(normalise(self.home), self._real, self._links_in)
        pairs += tuple([(f"{normalise(self.home)}/{usual}", self._real(place)) for usual, place in self.elsewhere])
        stamps += [(place, self.stamp(place)) for place in dict.fromkeys((*(usual for usual, _ in pairs), *watched))]
        # A folder that is missing cannot appear without a change to the one it appears in.
        return (stamps[0], *(one for one in stamps[1:] if one[1])), pairs

    def _links_in(self, folder: str) -> list[str]:
        entry = self._peek(folder)
        entries = self._listing(folder, MOST_LINKED)[0] if entry is not None and entry.kind == "folder" else ()
        return [name for name, kind, _number in entries if kind == "link"]

    def _marked(self, cwd: str) -> str:
        """The nearest folder that says it is a project, empty if there is none."""
        folders = ancestors(cwd) if len(cwd) <= MOST_CHARACTERS else ()
        real, found = "", ""
        for folder in [*folders][-2::-1]:
            real = self._step(f"{real}/{folder[folder.rfind('/') + 1 :]}").path.rstrip("/")
            marked = any(self._step(f"{real}/{mark}").entry for mark in (".assent", ".git"))
            if marked and not self._is_too_wide(folder):
                found = folder
        return found

    def _step(self, path: str) -> Found:
        """Follow a path whose parents are no links: one look where `follow` would begin at the root again."""
        entry = self._peek(path)
        return follow(path, self._look) if entry is not None and entry.kind == "link" else Found(path, (), entry, "")

    def _is_too_wide(self, folder: str) -> bool:
        """Whether a folder is home, above it, or the root, however it is spelled."""
        wide = {*ancestors(normalise(self.home)), *ancestors(self._real(self.home))}
        names = (folder, self._real(folder))
        if self.folds_always or self._folds(folder, None):
            return not {one.casefold() for one in wide}.isdisjoint(one.casefold() for one in names)
        return not wide.isdisjoint(names)

    def _hard_links(self, path: str, inode: tuple[int, int], cwd: str) -> Iterator[str]:
        """Protected files that are the same object, and every name it has in the project."""
        here = self._real(cwd) if cwd[:1] == "/" else "/"
        return self._twins().names(path, inode, here, self._marked(here))

    def _closed_files(self) -> Numbers:
        """The floor's files at home; looked up again after `moved` was, or when one of their folders has changed."""
        from assent.hardlinks import closed_files

        self.moved()
        return closed_files(self._closed, self._twins(), self.stamp, self._moved[0])

    def _twins(self) -> HardLinks:
        from assent.hardlinks import HardLinks

        return HardLinks(self.home, self._look, self._listing)
