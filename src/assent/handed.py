"""Names that a search hands to another program: whether each arrives there as the one word that it is."""

from __future__ import annotations

from assent.globs import is_taken_apart
from assent.policy.case import is_within
from assent.record import replace
from assent.repository import tracked
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.case import Case
    from assent.trail import Trail
    from assent.types import Effect, Place, Skip, World

PLAIN: dict[str, Skip] = {"names.plain": "", "names.unignored": "shown"}
"""Codes of effects for names that must be no more than one word, and how the search that finds them leaves some out."""
SAFE_BYTES = frozenset(range(0x21, 0x7F)) - frozenset(b"\"'\\")


def doubts(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    """What may be wrong with names, on the disk and after whatever earlier parts of the line do."""
    if effect.code in PLAIN:
        return _split(effect, case, world, trail)
    return _bare(effect, case, world, trail) if effect.code == "names.bare" else _tracked(effect, case, world, trail)


def _split(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    """Names that `xargs` would split or unquote, so that other files are read than those that were found."""
    root = world.locate(effect.target, case.call.cwd).path
    inside = any(is_within(root, project) for project in case.projects)
    skip = PLAIN[effect.code]
    split, complete = (
        world.name_below(root, is_taken_apart, effect.only, skip_ignored=skip) if inside else (False, False)
    )
    odd = split or not complete or is_taken_apart(effect.target)
    if odd or _makes_odd(root, effect, case, world, trail):
        yield Gap(f"a name below {effect.target} may be split into several", blind=True, call=effect.call)


def _bare(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    """Names that stand there without a folder before them, where one that begins with a dash would be an option."""
    kinds, whole = world.kinds_in(world.locate(effect.target, case.call.cwd).path)
    made = trail.wrote(effect) or trail.made_anything(effect)
    if made or not whole or any(name.startswith("-") for name in kinds):
        yield Gap(f"a name in {effect.target} may begin with a dash", blind=True, call=effect.call)


def _tracked(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    """Names in the index of a repository, where one may begin with a dash, or be written so that xargs unquotes it."""
    names = None
    if not (trail.wrote(effect) or trail.made_anything(effect) or trail.changes_anything()):
        names = tracked(effect.target, case.call.cwd, world)
    if names is None or any(map(_is_unsafe, names)) or not _are_here(names, effect, case, world):
        yield Gap("git names a file that may be taken for something else", blind=True, call=effect.call)


def held(effect: Effect, place: Place, wanted: Callable[[str], bool] | None, case: Case, world: World) -> Place | None:
    """A folder of which only what git holds is opened: with what of that is wanted, and where links among it lead.

    None where the names are not certain, so that everything counts.
    """
    names = tracked(effect.target, case.call.cwd, world)
    if names is None:
        return None
    below: dict[str, None] = {}
    ends: dict[str, None] = dict.fromkeys(place.names)
    here, kinds, whole = "", world.kinds_in(place.path)[0], True
    for name in names:
        path = f"{place.path}/{name.decode('utf-8', 'surrogateescape')}"
        folder, _, last = path.rpartition("/")
        if folder != here:  # an index is sorted, so each folder is listed once
            here, (kinds, whole) = folder, world.kinds_in(folder)
        if not whole:
            return None
        if wanted is not None and wanted(path):
            below[path] = None
        if kinds.get(last) == "link":
            there = world.locate(path, "/")
            if there.trouble:
                return None
            ends |= dict.fromkeys(there.names)
            below |= dict.fromkeys(there.names if wanted is None else filter(wanted, there.names))
    return replace(place, names=tuple(ends), below=tuple(below))


def staged(
    effect: Effect,
    place: Place,
    wanted: Callable[[str], bool] | None,
    case: Case,
    world: World,
    trail: Trail,
) -> Place | None:
    """A folder of which git shows what its index holds, whether that is still on the disk or not.

    None where the names are not certain: an earlier part of the line may have changed them.
    """
    names = None if trail.changed(effect) else tracked(effect.target, case.call.cwd, world)
    if names is None:
        return None
    paths = (f"{place.path}/{name.decode('utf-8', 'surrogateescape')}" for name in names)
    return replace(place, below=tuple(path for path in paths if wanted is None or wanted(path)))


def _are_here(names: list[bytes], effect: Effect, case: Case, world: World) -> bool:
    """Whether no folder that git names is a link by now, which would lead elsewhere."""
    root = world.locate(effect.target, case.call.cwd).path
    folders = {name[: name.rfind(b"/")] for name in names if b"/" in name}
    return all(world.locate(path, "/").path == path for path in (f"{root}/{folder.decode()}" for folder in folders))


def _is_unsafe(name: bytes) -> bool:
    """Whether a name that git prints may be an option, lead out of the tree, or be unquoted by whoever reads it."""
    return name[:1] in (b"-", b"/") or b".." in name or not SAFE_BYTES.issuperset(name)


def _makes_odd(root: str, effect: Effect, case: Case, world: World, trail: Trail) -> bool:
    if trail.made_anything(effect):
        return True
    if not trail.wrote(effect):
        return False
    from assent.earlier import Earlier

    earlier = Earlier(trail, case, world)
    made = earlier.made(effect.call, lambda path: is_within(path, root) and is_taken_apart(path[len(root) :]))
    return bool(made) or not earlier.complete
