"""Walks through a tree: for what is protected in it, for links that lead out of it, for odd names."""

from __future__ import annotations

from assent.globs import name_test
from assent.resolve import follow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.hardlinks import HardLinks, Numbers
    from assent.ignoring import Ignores
    from assent.listing import Contents
    from assent.resolve import Lookup

    Lists = Callable[[str, int], tuple[Contents, bool]]
    Led = tuple[tuple[tuple[str, str], ...], bool]


class Ground:
    """What a walk needs to know of the world it goes through."""

    __slots__ = ("closed", "leads_to", "limits", "lists", "near", "twins")

    def __init__(
        self,
        lists: Lists,
        limits: tuple[int, int],
        closed: Numbers,
        near: frozenset[str] | None,
        leads_to: Callable[[str], tuple[tuple[str, ...], bool, bool]],
        twins: Callable[[], HardLinks],
    ) -> None:
        self.lists, self.limits, self.closed, self.near = lists, limits, closed, near
        self.leads_to, self.twins = leads_to, twins


def paths_below(
    folder: str, wanted: Callable[[str], bool], only: str, ground: Ground, ignores: Ignores | None
) -> tuple[tuple[str, ...], bool, bool] | None:
    """The paths that are wanted, whether the whole tree was looked at, and whether there are links in it.

    None where nothing may be left out after all.
    """
    fits, closed, near = name_test(only.casefold()) if only else None, ground.closed, ground.near
    found: dict[str, None] = {}
    told: set[str] = set()
    """Folders in ones that were found, about which nothing else is to be said."""
    todo, left, complete, linked = [folder.rstrip("/")], ground.limits[1], True, False
    for count, here in enumerate(todo):
        if count == ground.limits[0] or not left:
            return tuple(found), False, True
        contents, whole = ground.lists(here, left)
        entries = contents.entries
        left, complete, linked = left - len(entries), complete and whole, linked or bool(contents.links)
        if ignores is not None and not ignores.enters(here, entries):
            return None
        if near is not None and here not in near and contents.numbers.isdisjoint(closed):
            if here in found or here in told:
                entries, alike = contents.unlike()
                told.update(alike)
            else:
                entries = contents.notable()
        for name, kind, number in entries:
            path = f"{here}/{name}"
            if ignores is not None and ignores.leaves_out(name, path, kind):
                continue
            named = fits is None or kind == "folder" or fits(name)
            if named and wanted(path):
                found[path] = None
            if kind == "link":
                names, leads_on, sure = ground.leads_to(path)
                if named or leads_on:  # `only` never hides a folder
                    found |= dict.fromkeys(filter(wanted, names))
                complete = complete and sure
            elif kind == "file" and number in closed and named:
                found |= dict.fromkeys(filter(wanted, ground.twins().twins(path, closed[number])))
        todo += contents.folders if ignores is None else ignores.kept(here, contents.folders)
    return tuple(found), complete, linked


def name_below(
    folder: str,
    test: Callable[[str], bool],
    only: str,
    lists: Lists,
    limits: tuple[int, int],
    ignores: Ignores | None,
) -> tuple[bool, bool] | None:
    """Whether a name anywhere below a folder passes a test, and whether all of them could be looked at.

    `only` says which files count, as in `paths_below`; folders always do.
    """
    fits = name_test(only.casefold()) if only else None
    todo, left, complete = [folder.rstrip("/")], limits[1], folder[:1] == "/"
    for count, here in enumerate(todo):
        if count == limits[0] or not left:
            return False, False
        contents, whole = lists(here, left)
        if ignores is not None and not ignores.enters(here, contents.entries):
            return None
        if contents.holds(test):
            for name, kind, _number in contents.entries:
                counts = test(name) and (fits is None or kind == "folder" or fits(name))
                if counts and not (ignores is not None and ignores.leaves_out(name, f"{here}/{name}", kind)):
                    return True, complete
        left, complete = left - len(contents.entries), complete and whole
        todo += contents.folders if ignores is None else ignores.kept(here, contents.folders)
    return False, complete


def links_leading_out(
    folder: str,
    only: str,
    lists: Lists,
    lookup: Lookup,
    limits: tuple[int, int],
    *,
    folders: bool,
    ignores: Ignores | None,
) -> Led | None:
    """Each link with its end, and whether all could be followed; None where nothing may be left out after all.

    With `folders` linked folders count, and are looked through as well, each once; else only what leads to files does.
    """
    fits, root = name_test(only.casefold()) if only else None, folder.rstrip("/")
    found: dict[str, str] = {}
    todo, entered, left, complete = [root], {root}, limits[1], folder[:1] == "/"
    for count, here in enumerate(todo):
        if count == limits[0] or not left:
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
            inside_too = ignores is None and f"{path}/".startswith(f"{root}/")  # else it may lead to what was left out
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
