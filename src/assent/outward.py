"""Links below a folder that lead out of it, for programs that follow them."""

from __future__ import annotations

from assent.globs import name_test
from assent.resolve import follow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.ignoring import Ignores
    from assent.resolve import Lookup

    Listing = tuple[list[tuple[str, str, int]], bool]
    Led = tuple[tuple[tuple[str, str], ...], bool]


def links_leading_out(
    folder: str,
    only: str,
    listing: Callable[[str, int], Listing],
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
        entries, whole = listing(here, left)
        left, complete = left - len(entries), complete and whole
        if ignores is not None and not ignores.enters(here, entries):
            return None
        for name, kind, _number in entries:
            path = f"{here}/{name}"
            if kind == "file" or (ignores is not None and ignores.leaves_out(name, path, kind)):
                continue
            enters = kind == "folder"
            if kind == "link":
                place, link = follow(path, lookup), path
                complete, path = complete and not place.trouble, place.path
                enters = place.entry is not None and place.entry.kind == "folder"
                if f"{path}/".startswith(f"{root}/") or not (folders if enters else fits is None or fits(name)):
                    continue
                found[link] = path
            if enters and path not in entered and not path.endswith("/.git/objects"):
                entered.add(path)
                todo.append(path)
    return tuple(found.items()), complete
