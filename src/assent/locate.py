"""Effects on files, seen on the disk: where a path leads, which names a pattern has, what a folder holds."""

from __future__ import annotations

from assent import protected
from assent.globs import has_magic, match_text
from assent.policy.case import is_within
from assent.policy.lookup import path_is_caught
from assent.policy.restrain import path_rule_matches
from assent.record import replace
from assent.resolve import normalise
from assent.types import Effect, Gap, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Skip, World

ON_DISK = frozenset({"read", "list", "search", "write", "delete"})
WALKED = frozenset({"read", "search", "write", "delete"})
READS = frozenset({"read", "list", "search"})
REPOSITORY = "git.repository"
PROJECT = "project"
MOST_ORIGINS = 200
BREAKS_WORDS = frozenset(" \t\n\"'\\")
COMMITTED = "search.committed"
"""Files that a repository holds anyway: what is called like a secret among them is none."""
SKIPS: dict[str, Skip] = {"search.tracked": "all", COMMITTED: "all", "search.folders": "folders"}
"""How search tools treat ignore files, by the code of the effect."""


def located(effects: tuple[Effect, ...], case: Case, policy: Policy, world: World, gaps: list[Gap]) -> list[Effect]:
    """The same effects with their places; whatever is doubtful about a place is added to the gaps."""
    links: list[Effect] = []
    found: list[Effect] = []
    repositories: dict[tuple[str, str], list[str]] = {}
    for effect in effects:
        if not (effect.glob or effect.code or links) and effect.kind in ON_DISK:  # most of them
            placed = _locate(effect, case, policy, world, gaps)
            found.append(placed)
            if placed.at is not None and placed.at.trouble:
                gaps.append(_trouble(effect, placed.at.trouble))
            continue
        for one in tuple(_named(effect, case, world, gaps)) if effect.glob else (_told(effect, case, world),):
            if one.kind in ON_DISK:
                placed = _placed(one, case, policy, world, gaps)
                if links:
                    found += [_placed(behind, case, policy, world, gaps) for behind in _through(links, placed, gaps)]
                if one.code == "link":
                    links.append(placed)
                found.append(placed)
            else:
                found.append(_defined(one, case, policy, world, gaps) if one.kind == "run" else one)
        if effect.code == "names.plain":
            gaps += _odd_names(effect, case, world)
        elif effect.code.startswith(REPOSITORY):
            gaps += _repository(effect, case, world, repositories)
    return found


def _told(effect: Effect, case: Case, world: World) -> Effect:
    """As its arguments say: counted from the top of a repository, or certain, if a file of the project says so."""
    given = effect.arguments
    if not given:
        return effect
    if "top" in given:
        from assent.repository import top_of

        top = top_of(str(given["top"]), case.call.cwd, world)
        effect = replace(effect, target=normalise(f"{top}/{effect.target}"))
    if effect.possible and ("when" in given or "defined_by" in given):
        from assent.defining import as_it_is

        effect = as_it_is(effect, case, world)
    return effect


def _defined(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap]) -> Effect:
    """A run of what files of the project define: with a fingerprint of them, or with what would be run instead."""
    if effect.code == PROJECT and policy.preset == "workspace":
        from assent.defining import marked

        return marked(effect, case, world)
    if effect.code == "script" and effect.possible:
        from assent.defining import shadowed

        gaps += shadowed(effect, case, world)
    return effect


def _odd_names(effect: Effect, case: Case, world: World) -> Iterator[Gap]:
    """Names that `xargs` would split or unquote, so that other files are read than those that were found."""
    root = world.locate(effect.target, case.call.cwd).path
    inside = any(is_within(root, project) for project in case.projects)
    split = inside and world.below(root, lambda path: _is_odd(path[len(root) :]))
    if not split or split[0] or not split[1]:
        yield Gap(f"a name below {effect.target} may be split into several", blind=True, call=effect.call)


def _is_odd(name: str) -> bool:
    """Whether a name would be taken apart, or is no text, so that `grep` answers with a sentence instead of it."""
    return not BREAKS_WORDS.isdisjoint(name) or (
        not name.isascii() and any("\udc80" <= sign <= "\udcff" for sign in name)
    )


def _through(links: list[Effect], effect: Effect, gaps: list[Gap]) -> Iterator[Effect]:
    """A path through a link that the same command line makes leads where the disk does not show it yet."""
    names = effect.at.names if isinstance(effect.at, Place) else ()
    for link in links:
        made = link.at.names if isinstance(link.at, Place) and link.call != effect.call else ()
        behind = [name[len(other) :] for name in names for other in made if is_within(name, other)]
        if behind:
            why = f"{effect.target} leads through a link made just before"
            gaps.append(Gap(why, blind=True, call=effect.call))
            for origin in _named_origins(link):
                yield from (replace(effect, target=f"{origin}{rest}", possible=True, at=None) for rest in behind)


def _named_origins(effect: Effect) -> tuple[str, ...]:
    origins = (effect.arguments or {}).get("from", ())
    return origins if isinstance(origins, tuple) else ()


def _placed(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap]) -> Effect:
    placed = _locate(effect, case, policy, world, gaps)
    at = placed.at
    if effect.code == "missing" and isinstance(at, Place) and at.exists:
        placed = replace(placed, possible=True)  # what is there is not made
    if at is not None and at.trouble:
        gaps.append(_trouble(effect, at.trouble))
    return placed


def _trouble(effect: Effect, trouble: str) -> Gap:
    why = f"{effect.target}: {trouble}"
    return Gap(why, blind=not effect.possible, call=effect.call, reading=effect.kind in READS)


def _named(effect: Effect, case: Case, world: World, gaps: list[Gap]) -> Iterator[Effect]:
    """One effect for each name a pattern stands for now; the pattern itself when there is none, as bash does."""
    names, complete = world.matching(effect.target, case.call.cwd)
    if not complete:
        why = f"{effect.target} stands for more names than can be looked at"
        gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    if any(name.startswith("-") for name in names):
        gaps.append(Gap(f"{effect.target} holds a name that begins with a dash", blind=True, call=effect.call))
    if effect.code == "names.split" and any(_is_odd(name) or has_magic(name) for name in names):
        gaps.append(Gap(f"{effect.target} holds a name that is taken apart", blind=True, call=effect.call))
    for name in names or (effect.target,):
        yield replace(effect, target=name, glob=False)


def _repository(effect: Effect, case: Case, world: World, known: dict[tuple[str, str], list[str]]) -> Iterator[Gap]:
    """What is wrong with a repository; several parts of a command line may use the same."""
    place = effect.target, effect.code
    if place not in known:
        from assent.repository import dangers

        known[place] = [*dangers(effect.target, case.call.cwd, world, hooks=effect.code.endswith(".hooks"))]
    for why in known[place]:
        yield Gap(why, blind=True, call=effect.call)


def _locate(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap]) -> Effect:
    place, code = world.locate(effect.target, case.call.cwd), effect.code
    if not (effect.deep or place.folder or place.links > 1 or code == "copied"):
        kind, only, possible, arguments = effect.kind, effect.only, effect.possible, effect.arguments
        return Effect(
            kind, effect.target, place, False, only, possible, code, effect.call, effect.span, arguments, effect.glob
        )  # as `replace` would, in half the time
    origins = _origins(effect, case, world)
    if effect.deep and (not place.folder if place.exists else bool(origins) and not any(one.folder for one in origins)):
        effect = replace(effect, deep=False)
    walked = effect.kind in WALKED and (place.folder or (effect.deep and bool(origins)))
    wanted = _protects(policy, case, effect, place) if walked else None
    if wanted is not None and _asks_anyway(policy, case, effect, place):
        why = f"{effect.target} lies outside the project and was not looked through"
        gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    elif wanted is not None:
        skip = SKIPS.get(effect.code, "")
        found, complete = ((), True) if origins else world.below(place.path, wanted, effect.only, skip_ignored=skip)
        place = replace(place, below=(*found, *_arriving(origins, place, wanted, world)))
        effect = replace(effect, deep=effect.deep or bool(place.below))
        if not (complete or effect.possible):
            why = f"{effect.target} could not be looked through completely"
            gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    if effect.kind == "write" and place.links > 1 and not effect.possible:
        why = f"{effect.target} has {place.links} names; another one may lie outside the project"
        gaps.append(Gap(why, blind=True, call=effect.call))
    return replace(effect, at=place)


def _origins(effect: Effect, case: Case, world: World) -> list[Place]:
    """Where a copied or moved tree comes from; a pattern stands for every name it has."""
    if effect.code != "copied":
        return []
    cwd = case.call.cwd
    named = [name for origin in _named_origins(effect) for name in _standing_for(origin, cwd, world)]
    return [world.locate(name, cwd) for name in named[:MOST_ORIGINS]]


def _standing_for(origin: str, cwd: str, world: World) -> tuple[str, ...]:
    """The names behind a path, a pattern, or `root/**/name` for what a search finds."""
    root, deep, only = origin.partition("/**/")
    if deep and not has_magic(root):
        here = world.locate(root or "/", cwd).path
        return tuple(world.below(here, lambda path: match_text(only, path.rpartition("/")[2]))[0])
    return world.matching(origin, cwd)[0] if has_magic(origin) else (origin,)


def _arriving(origins: list[Place], target: Place, wanted: Callable[[str], bool], world: World) -> Iterator[str]:
    """Protected names that a copied tree will have where it arrives."""
    for origin in origins:
        inside = f"{target.path}/{origin.path.rpartition('/')[2]}"
        if not origin.folder:
            yield from (inside,) if wanted(inside) else ()
            continue
        for arrives in (target.path, inside):
            moved = _moved_test(wanted, origin.path, arrives)
            yield from (arrives + path[len(origin.path) :] for path in world.below(origin.path, moved)[0])


def _moved_test(wanted: Callable[[str], bool], root: str, arrives: str) -> Callable[[str], bool]:
    return lambda path: wanted(arrives + path[len(root) :])


def _asks_anyway(policy: Policy, case: Case, effect: Effect, place: Place) -> bool:
    """Whether a tree outside the project is asked about whatever it holds; walking it would cost time for nothing.

    INVARIANT: only where no rule of any kind speaks about paths, so that nothing in there could be denied by one.
    """
    if policy.mode != "default" or effect.possible or policy.speaks_of_paths():
        return False
    return bool(case.projects) and not any(is_within(place.path, root) for root in case.projects)


def _protects(policy: Policy, case: Case, effect: Effect, place: Place) -> Callable[[str], bool] | None:
    """Which files below a folder matter to floor, deny or ask; None when there is no need to look."""
    changes = effect.kind in ("write", "delete")
    denied = [pattern for pattern, allow in policy.table["path_rules"] if not allow]
    closed = protected.holding(case.homes, case.moved)
    rules = bool(denied) or policy.has_path_rules()

    longest, marks_of = max(map(len, closed), default=0), protected.marks
    special = protected.FLOOR + protected.SECRET + (protected.OWN + protected.STARTED) * changes
    home, projects = case.home, case.projects

    def ruled(path: str) -> bool:
        return rules and (
            any(path_rule_matches(pattern, path, case) for pattern in denied)
            or path_is_caught(policy, path, case, folded=place.folded)
        )

    def wanted(path: str) -> bool:
        marks = marks_of(path)
        if marks and (marks & special or (changes and protected.is_started(path, home, projects))):
            return True
        return (path in closed and len(path) < longest) or (rules and ruled(path))

    if (effect.possible and effect.code != "copied") or effect.code == COMMITTED:
        return ruled if rules else None
    return wanted if effect.deep else None


def forget() -> None:
    """Empty what is remembered about configurations, for measurements."""
    from assent import repository

    repository.forget()
