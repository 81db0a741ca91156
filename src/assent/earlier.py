"""What earlier parts of a command line have made, where the disk does not show it yet: names, links, repositories."""

from __future__ import annotations

from assent.budget import LOCATING
from assent.expansion import wide_of
from assent.globs import has_magic, match_text, name_test
from assent.policy.case import is_at_home, is_within
from assent.record import replace
from assent.resolve import ancestors, normalise
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.policy.case import Case
    from assent.trail import Trail
    from assent.types import Effect, World

    Wanted = Callable[[str], bool]

MOST_ORIGINS = 2_000
TREE_STEPS = 16
"""What it costs to look through a tree for copies of copies."""
OF_A_REPOSITORY = frozenset(("HEAD", "commondir", "objects", "refs", "config", "hooks", ".git"))


def named_origins(effect: Effect) -> tuple[str, ...]:
    origins = (effect.arguments or {}).get("from", ())
    return origins if isinstance(origins, tuple) else ()


def names_of_origins(effect: Effect, case: Case, world: World) -> tuple[list[str], bool]:
    """Where a copied or moved tree comes from, a pattern by every name it has, and whether these are all of them."""
    names: list[str] = []
    complete = True
    for origin in named_origins(effect) if effect.code == "copied" else ():
        found, whole = _standing_for(origin, case, world)
        names += found
        complete = complete and whole
    return names[:MOST_ORIGINS], complete and len(names) <= MOST_ORIGINS


def _standing_for(origin: str, case: Case, world: World) -> tuple[Iterable[str], bool]:
    """The names behind a path, a pattern, or `root/**/name` for what a search finds; outside of the project nobody
    looks for those, since that is asked about whatever they are."""
    cwd = case.call.cwd
    root, deep, only = origin.partition("/**/")
    if deep and not has_magic(root):
        here, fits = world.locate(root or "/", cwd).path, name_test(only.casefold())
        if not is_at_home(here, case):
            return (), False
        return world.below(here, lambda path: fits is None or fits(path[path.rfind("/") + 1 :]))
    names, complete = world.matching(origin, cwd) if has_magic(origin) else ((), True)
    return (origin, *names), complete  # also a name in which such signs stand for themselves


def arrivals(origin: str, target: str) -> tuple[str, str]:
    """What is copied becomes the target, or a part of it if that is a folder."""
    return target, f"{target}/{origin.rpartition('/')[2]}"


def moved_test(wanted: Wanted, root: str, arrives: str) -> Wanted:
    return lambda path: wanted(arrives + path[len(root) :])


def _inside_test(root: str, wanted: Wanted) -> Wanted:
    return lambda path: is_within(path, root) and wanted(path)


def stands_for(pattern: str, path: str) -> str:
    """How much of a path is a name that an absolute pattern, or the beginning of one, stands for; empty for nothing."""
    parts, names = normalise(pattern).split("/"), path.split("/")
    for part, name in zip(parts, names, strict=False):
        hidden = name.startswith(".") and not part.startswith((".", "["))
        if name != part and (hidden or not has_magic(part) or not match_text(wide_of(part), name)):
            return ""
    return "/".join(names[: len(parts)])


class Earlier:
    """Looks through the located effects of a command line so far; made only where a later part depends on them."""

    def __init__(self, trail: Trail, case: Case, world: World) -> None:
        self._trail, self._case, self._world = trail, case, world
        self.complete = True
        """Whether what was said so far is all there is."""

    def _can_go_on(self, steps: int) -> bool:
        """Whether the budget has so many steps; without them nothing is complete."""
        if not self._trail.budget.take(steps, LOCATING):
            self.complete = False
            return False
        return True

    def made(self, call: int, wanted: Wanted) -> dict[str, None]:
        """The wanted paths that other parts have written, copied or moved to, each once."""
        return dict.fromkeys(self._made(call, len(self._trail.writes), wanted))

    def _made(self, call: int, end: int, wanted: Wanted) -> Iterator[str]:
        for at, effect in enumerate(self._trail.writes[:end]):
            place = effect.at
            if effect.call == call or not isinstance(place, Place):
                continue
            if not self._can_go_on(1):
                return
            if not effect.code.startswith("git."):  # git makes no repository that starts something
                yield from filter(wanted, place.names)
            names, complete = names_of_origins(effect, self._case, self._world)
            self.complete = self.complete and complete
            for name in names:
                if not self._can_go_on(1):
                    return
                origin = self._world.locate(name, self._case.call.cwd)
                for arrives in arrivals(origin.path, place.path):
                    yield from (arrives + path for path in self._in_copy(origin.path, arrives, effect.call, at, wanted))

    def _in_copy(self, root: str, arrives: str, call: int, at: int, wanted: Wanted) -> Iterator[str]:
        """Wanted paths of a copy, seen from its root: what is on the disk, and what was made there before."""
        if not self._can_go_on(TREE_STEPS):
            return
        moved = moved_test(wanted, root, arrives)
        paths, complete = self._world.below(root, moved)
        self.complete = self.complete and complete
        yield from ("",) if moved(root) else ()
        yield from (path[len(root) :] for path in paths if is_within(path, root))
        before = self._made(call, at, _inside_test(root, moved))
        yield from (path[len(root) :] for path in before)

    def arriving(self, effect: Effect, origins: list[Place], target: Place, wanted: Wanted) -> Iterator[str]:
        """Wanted names that earlier parts have made in a tree, where that arrives."""
        for origin in origins:
            root = origin.path
            if not self._can_go_on(1):
                return
            for arrives in arrivals(root, target.path):
                inside = self.made(effect.call, _inside_test(root, moved_test(wanted, root, arrives)))
                yield from (arrives + path[len(root) :] for path in inside)

    def carried(self, effect: Effect) -> Iterator[Effect]:
        """Links that a copied or moved tree takes along: each leads elsewhere from its new place."""
        target, world, cwd = effect.at, self._world, self._case.call.cwd
        if not isinstance(target, Place):
            return
        names, whole = names_of_origins(effect, self._case, world)
        self.complete = self.complete and whole
        for name in names:
            written = normalise(name if name.startswith("/") else f"{cwd}/{name}")
            folder, _, last = written.rpartition("/")
            origin, here = world.locate(written, "/"), f"{world.locate(folder or '/', '/').path.rstrip('/')}/{last}"
            found, complete = world.leading(origin.path, folders=True) if origin.folder else ((), True)
            taken = [link for link, _end in found if is_within(link, origin.path)]
            taken += [] if complete and here == origin.path else [here]
            for root in dict.fromkeys((written, here, origin.path)):
                made = [link for _effect, link in self._trail.links_below(root)]
                for link in dict.fromkeys((*taken, *made)):
                    if not self._can_go_on(1):
                        return
                    if is_within(link, root):
                        there = tuple(arrives + link[len(root) :] for arrives in arrivals(written, target.path))
                        yield replace(effect, at=Place(there[0], there), arguments={"from": (link,)})

    def makes_repository(self, effect: Effect) -> bool:
        """Whether git would find, above a folder, a repository or a part of one that the same line has made."""
        cwd, world = self._case.call.cwd, self._world
        made = self.made(effect.call, lambda path: not OF_A_REPOSITORY.isdisjoint(path.split("/")))
        written = normalise(effect.target if effect.target.startswith("/") else f"{cwd}/{effect.target}")
        others = [one for one in self._trail.writes if one.code == "extracted" and one.call != effect.call]
        unpacked = [one.at.path for one in others if isinstance(one.at, Place)]  # whatever an archive holds

        def there(path: str) -> bool:
            return any(is_within(name, path) for name in made) or world.locate(path, "/").exists

        for here in dict.fromkeys((written, world.locate(written, "/").path)) if made or unpacked else ():
            for folder in ancestors(here):
                inside = folder.rstrip("/")
                if any(is_within(name, f"{inside}/.git") for name in made):
                    return True
                if world.locate(f"{inside}/.git", "/").exists:
                    break
                if any(is_within(folder, path) for path in unpacked):
                    return True
                parts = [name for name in made if is_within(name, folder) and name != folder]
                whole = there(f"{inside}/objects") and there(f"{inside}/refs")
                if parts and there(f"{inside}/HEAD") and (whole or there(f"{inside}/commondir")):
                    return True
        return not self.complete
