"""Effects on files, seen on the disk: where a path leads, which names a pattern has, what a folder holds."""

from __future__ import annotations

from assent import protected
from assent.budget import LOCATING
from assent.globs import folder_of, has_magic, is_narrow, is_taken_apart, longest_piece
from assent.policy.case import is_at_home, is_within
from assent.policy.lookup import PathFilter, path_is_caught
from assent.policy.restrain import NARROWED, SEEN, path_rule_matches
from assent.record import replace, setter
from assent.resolve import by_name, normalise
from assent.trail import Trail
from assent.types import REWRITTEN, SPELLED, WORDS, Effect, Gap, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.budget import Budget
    from assent.earlier import Earlier
    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Held, Skip, World

    Test = Callable[[str], bool]

put_place = setter(Effect, "at")
"""INVARIANT: only for effects of a numbered call, which were made for this decision and nobody else knows."""
ON_DISK = frozenset({"read", "list", "search", "write", "delete"})
WALKED = frozenset({"read", "search", "write", "delete"})
READS = frozenset({"read", "list", "search"})
OPENS = frozenset({"read", "search", "write"})
REPOSITORY = "git.repository"
PROJECT = "project"
NOWHERE = frozenset(("", "program", "inline", "wrapped", "privilege", "remote", "tool"))
"""Codes of effects about which the disk says no more than their kind does."""
MOST_ENDS = 100
MOST_CLOSED = 10
EFFECT_STEPS, SIGNS_PER_STEP = 5, 64
CLOSED = protected.FLOOR + protected.OWN + protected.SECRET
HANDED_ON = frozenset(("names.plain", "names.unignored", "names.bare", "names.tracked"))
HELD_BY: dict[str, Held] = {"read": "files", "search": "files", REWRITTEN: "files", "delete": "names", "mode": "trees"}
"""What counts where nothing is made that is not there yet, by the kind of an effect and the code of a write."""
HELD = "search.held"
COMMITTED = "search.committed"
"""Files that a repository holds anyway: what is called like a secret among them is none."""
STAGED = "search.staged"
"""Files that a repository holds, or will: nobody may have seen a secret among them."""
SKIPS: dict[str, Skip] = {
    "search.tracked": "all",
    "search.shown": "shown",
    COMMITTED: "all",
    STAGED: "all",
    "search.folders": "folders",
}
"""How search tools treat ignore files, by the code of the effect."""


def located(
    effects: tuple[Effect, ...], case: Case, policy: Policy, world: World, gaps: list[Gap], budget: Budget
) -> list[Effect]:
    """The same effects with their places; whatever is doubtful about a place is added to the gaps.

    INVARIANT: past the budget each effect still has the place that its own words name, for floor and deny.
    """
    trail = Trail(budget)
    spelled: list[Effect] = []
    repositories: dict[tuple[str, str, bool], list[str]] = {}
    for effect in effects:
        code = effect.code
        if code in NOWHERE and not (effect.glob or effect.arguments or trail.links):  # most of them
            if effect.kind not in ON_DISK:
                trail.add(effect)
                continue
            if not code:
                trail.add(_placed(effect, case, policy, world, gaps, trail))
                continue
        if code == SPELLED and not (effect.glob or effect.deep):
            spelled.append(effect)
            continue
        for one in _named(effect, case, world, gaps, trail) if effect.glob else (_told(effect, case, world, trail),):
            if one.kind in ON_DISK:
                _follow_links(one, case, policy, world, gaps, trail)
            else:
                trail.add(_defined(one, case, policy, world, gaps, trail.effects) if one.kind == "run" else one)
        if code in HANDED_ON:
            gaps += _handed_on(effect, case, world, trail)
        elif code.startswith(REPOSITORY):
            gaps += _repository(effect, case, world, repositories, trail)
            if trail.links or trail.wrote(effect):
                gaps += _made_repository(effect, case, world, trail)
    if spelled:
        _add_spelled(spelled, case, policy, world, gaps, trail)
    return trail.effects


def _follow_links(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap], trail: Trail) -> None:
    """An effect with its place, what it is behind links of the same line, and the links that it makes."""
    placed = _placed(effect, case, policy, world, gaps, trail)
    for other in [*_through(trail, placed, gaps)]:
        trail.add(_placed(other, case, policy, world, gaps, trail))
    if effect.code == "link":
        trail.add_links((placed,))
    elif effect.code == "copied" and effect.call < len(case.calls):
        trail.add_links([*_earlier(trail, case, world).carried(placed)])
    trail.add(placed)


def _add_spelled(
    effects: list[Effect], case: Case, policy: Policy, world: World, gaps: list[Gap], trail: Trail
) -> None:
    """What words may spell is read and written; nothing, where nobody could have anything to say about it.

    Most words of an unknown program are no files at all. INVARIANT: where anything could be allowed, a word that names
    something here is looked at, since it may lead elsewhere.
    """
    ruled, folder = policy.speaks_of_paths(), f"{case.call.cwd.rstrip('/')}/"
    looks = policy.mode == "full_auto" or policy.vouches
    plain = not ruled and not trail.links and _holds_nothing(folder, case)
    keeps = ruled or (len(case.calls) > 1 and bool(trail.writes))  # a check may want to know
    for effect in effects:
        words = (effect.arguments or {}).get(WORDS)
        if not isinstance(words, tuple):
            _add_spelled_path(effect, case, policy, world, gaps, trail, keeps=keeps)
            continue
        if plain and not looks:
            words = [word for word in words if not protected.is_plain_name(word)]
        for word in words:
            if plain and protected.is_plain_name(word) and not _is_there(folder + word, world):
                continue
            named = replace(effect, target=word, arguments=None)
            _add_spelled_path(named, case, policy, world, gaps, trail, keeps=keeps)


def _add_spelled_path(
    effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap], trail: Trail, *, keeps: bool
) -> None:
    placed = _placed(effect, case, policy, world, gaps, trail)
    behind = [_placed(other, case, policy, world, gaps, trail) for other in _through(trail, placed, gaps)]
    for one in (*behind, placed):
        if not keeps and isinstance(one.at, Place) and not one.at.device and _concerns_nobody(one.at, case, policy):
            continue
        if one.kind == "write":
            trail.add(replace(one, kind="read"))
        trail.add(one)


def _concerns_nobody(at: Place, case: Case, policy: Policy) -> bool:
    """Whether no name of a place is cared about; an allow rule is about what lies in the project only."""
    return all(_is_nothing(name, case) and (not policy.vouches or is_at_home(name, case)) for name in at.names)


def _holds_nothing(folder: str, case: Case) -> bool:
    """Whether a plain name in a folder is nothing; remembered, since most calls are made in the same few."""
    about = folder, case.home, case.projects, case.own
    known = _plain_folders.get(about)
    if known is None:
        if len(_plain_folders) >= MOST_ENDS:
            _plain_folders.clear()
        known = _plain_folders[about] = _is_nothing(f"{folder}-", case)
    return known


_plain_folders: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], bool] = {}


def _is_there(path: str, world: World) -> bool:
    try:
        return world.look(path) is not None
    except OSError:
        return True


def _is_nothing(path: str, case: Case) -> bool:
    """Whether neither the floor nor any built-in care is about a path."""
    marks = protected.marks(path)
    if marks > protected.NOTABLE or (case.own and any(is_within(path, own) for own in case.own)):
        return False
    return not marks or not (protected.is_started(path, case.home, case.projects) or protected.is_compiled(path))


def _earlier(trail: Trail, case: Case, world: World) -> Earlier:
    from assent.earlier import Earlier

    return Earlier(trail, case, world)


def _handed_on(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    from assent.handed import doubts

    return doubts(effect, case, world, trail)


def _told(effect: Effect, case: Case, world: World, trail: Trail) -> Effect:
    """As its arguments say: counted from the home folder or the top of a repository, or certain, if a file says so.

    INVARIANT: it stays possible where an earlier part of the line may write such a file.
    """
    given = effect.arguments
    if not given:
        return effect
    if "home" in given and effect.target[:1] == "~" and case.home:
        return replace(effect, target=case.home.rstrip("/") + effect.target[1:], arguments=None)
    if "top" in given:
        from assent.repository import top_of

        top = top_of(str(given["top"]), case.call.cwd, world)
        if top != case.call.cwd:
            effect = replace(effect, target=normalise(f"{top}/{effect.target}"))
    if effect.possible and ("when" in given or "defined_by" in given):
        from assent.defining import as_it_is

        effect = as_it_is(effect, case, world)
        if effect.possible and not trail.wrote(effect):
            effect = replace(effect, mentioned=True)
    return effect


def _defined(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap], found: list[Effect]) -> Effect:
    """A run of what files of the project define: with a fingerprint of them, or with what would be run instead."""
    if effect.code == PROJECT and policy.preset == "workspace":
        from assent.defining import marked

        return marked(effect, case, world)
    if effect.code == "script" and effect.possible and not effect.mentioned:
        from assent.defining import shadowed

        gaps += shadowed(effect, case, world, found)
        if not any(one.kind == "write" and one.call != effect.call and one.code != SPELLED for one in found):
            return replace(effect, mentioned=True)  # else it may be there by then
    return effect


def _through(trail: Trail, effect: Effect, gaps: list[Gap]) -> Iterator[Effect]:
    """A path through a link that the same command line makes leads where the disk does not show it yet."""
    if not trail.links or not isinstance(effect.at, Place):
        return
    names = effect.at.names
    behind = [(link, rest) for link, rest in trail.links_above(names) if link.call != effect.call]
    if behind or (effect.follows and any(_leads_in(trail, effect, name) for name in names)):
        gaps.append(Gap(f"{effect.target} leads through a link made just before", blind=True, call=effect.call))
    seen: set[str] = set()
    for link, rest in behind:
        origins = (link.arguments or {}).get("from", ())
        for origin in origins if isinstance(origins, tuple) else ():
            if f"{origin}{rest}" not in seen and trail.budget.take(EFFECT_STEPS, LOCATING):
                seen.add(f"{origin}{rest}")
                yield replace(effect, target=f"{origin}{rest}", possible=True, mentioned=True, at=None)


def _leads_in(trail: Trail, effect: Effect, folder: str) -> bool:
    return any(link.call != effect.call for link, _name in trail.links_below(folder))


def _placed(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap], trail: Trail) -> Effect:
    budget, steps = trail.budget, EFFECT_STEPS + len(effect.target) // SIGNS_PER_STEP
    if not budget.take(steps, LOCATING) or not budget.looks:
        return replace(effect, at=by_name(effect.target, case.call.cwd, world.home))
    placed = _locate(effect, case, policy, world, gaps, trail)
    at = placed.at
    if effect.code == "missing" and isinstance(at, Place) and at.exists:
        placed = replace(placed, possible=True, mentioned=True)  # what is there is not made
    if at is not None and at.trouble:
        gaps.append(_trouble(effect, at.trouble))
    return placed


def _trouble(effect: Effect, trouble: str) -> Gap:
    why = f"{effect.target}: {trouble}"
    return Gap(why, blind=not effect.possible, call=effect.call, reading=effect.kind in READS)


def _named(effect: Effect, case: Case, world: World, gaps: list[Gap], trail: Trail) -> Iterator[Effect]:
    """One effect for each name a pattern stands for now; the pattern itself when there is none, as bash does."""
    cwd = case.call.cwd
    names, complete = world.once(("matching", effect.target), lambda: world.matching(effect.target, cwd))
    if not complete:
        why = f"{effect.target} stands for more names than can be looked at"
        gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    before, splits = _folder_of(effect, case), effect.code == "names.split"
    words = [name[len(before) :] for name in names]
    if trail.links or trail.wrote(effect):
        behind, more = _made_names(effect, before, case, world, gaps, trail)
        words += more
        yield from behind
    if any(word.startswith("-") for word in words):
        gaps.append(Gap(f"{effect.target} holds a name that begins with a dash", blind=True, call=effect.call))
    if splits and any(is_taken_apart(word) or has_magic(word) for word in words):
        gaps.append(Gap(f"{effect.target} holds a name that is taken apart", blind=True, call=effect.call))
    if effect.kind == "delete" and effect.deep and effect.code != "move" and _is_everything(effect, names, case, world):
        yield replace(effect, target=folder_of(effect.target), deep=False, possible=True, mentioned=True, glob=False)
    for name in _affordable(names, effect, world, trail) or (effect.target,):
        yield replace(effect, target=name, glob=False)


def _affordable(names: tuple[str, ...], effect: Effect, world: World, trail: Trail) -> tuple[str, ...]:
    """All names, or as many as the budget has steps for and those among the others that are closed."""
    most = trail.budget.left(LOCATING) // EFFECT_STEPS
    if not trail.budget.take(EFFECT_STEPS * len(names), LOCATING):
        trail.budget.take(EFFECT_STEPS * most, LOCATING)
        closed = world.once(
            ("closed", effect.target), lambda: [name for name in names if protected.marks(f"/{name}") & CLOSED]
        )
        names = tuple(dict.fromkeys((*names[:most], *closed[:MOST_CLOSED])))
    return names


def _is_everything(effect: Effect, names: tuple[str, ...], case: Case, world: World) -> bool:
    """Whether a pattern leaves nothing of a folder but hidden names: `rm -rf *` is to wipe it, name by name."""
    folder = folder_of(effect.target)
    if has_magic(folder):
        return False
    kinds, whole = world.kinds_in(world.locate(folder, case.call.cwd).path)
    taken = {name.rstrip("/").rpartition("/")[2] for name in names}
    return not whole or all(name in taken for name in kinds if name[:1] != ".")


def _folder_of(effect: Effect, case: Case) -> str:
    """What stands before a pattern only because its program runs in another folder: the shell does not write it."""
    if effect.target[0] == "/" and effect.call:
        for word in case.calls[effect.call - 1].words:
            if word.pattern and word.pattern[0] != "/" and effect.target.endswith(f"/{word.pattern}"):
                return effect.target[: -len(word.pattern)]
    return ""


def _made_names(
    effect: Effect, before: str, case: Case, world: World, gaps: list[Gap], trail: Trail
) -> tuple[list[Effect], list[str]]:
    """What a pattern stands for once earlier parts have run: ways through links they made, and odd words."""
    from assent.earlier import stands_for

    target = effect.target
    start = before or ("" if target[0] == "/" else f"{case.call.cwd.rstrip('/')}/")
    pattern = start + target[len(before) :]
    behind: list[Effect] = []
    for link in trail.links:
        for name in link.at.names if isinstance(link.at, Place) and trail.budget.take(1, LOCATING) else ():
            if stands_for(pattern, name) == name:
                rest = "/".join(normalise(pattern).split("/")[name.count("/") + 1 :])
                way = f"{name}/{rest}".rstrip("/")
                behind.append(replace(effect, target=way, glob=False))
    earlier = _earlier(trail, case, world)
    bare = target[len(before) : len(before) + 1] in ("*", "?", "[", "-")  # behind `./` nothing is an option

    def is_odd(path: str) -> bool:
        word = stands_for(pattern, path)[len(start) :]
        return (bare and word[:1] == "-") or is_taken_apart(word) or has_magic(word)

    made = [stands_for(pattern, path)[len(start) :] for path in earlier.made(effect.call, is_odd)]
    if not earlier.complete:
        gaps.append(Gap(f"{target} may stand for names made just before", blind=True, call=effect.call))
    return behind, made if bare else [f"./{word}" for word in made]


def _repository(
    effect: Effect, case: Case, world: World, known: dict[tuple[str, str, bool], list[str]], trail: Trail
) -> Iterator[Gap]:
    """What is wrong with a repository; several parts of a command line may use the same."""
    changed = len(case.calls) > 1 and trail.changed_git(effect)
    place = effect.target, effect.code, changed
    if place not in known:
        from assent.repository import dangers

        hooks = effect.code.endswith(".hooks")
        known[place] = [*dangers(effect.target, case.call.cwd, world, hooks=hooks, entering=changed)]
    for why in known[place]:
        yield Gap(why, blind=True, call=effect.call)


def _made_repository(effect: Effect, case: Case, world: World, trail: Trail) -> Iterator[Gap]:
    """A repository that earlier parts of the line make, or lead to: its configuration is not on the disk yet."""
    here = normalise(effect.target if effect.target[0] == "/" else f"{case.call.cwd}/{effect.target}")
    if any(trail.links_above((here,))) or _earlier(trail, case, world).makes_repository(effect):
        yield Gap("git would use a repository that was made just before", blind=True, call=effect.call)


def _locate(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap], trail: Trail) -> Effect:
    place, code = world.locate(effect.target, case.call.cwd), effect.code
    alone = not place.folder or effect.kind == "list"
    if alone and effect.call and not (effect.deep or place.links > 1 or code == "copied"):
        put_place(effect, place)
        return effect
    origins, seen = _origins(effect, case, world) if code == "copied" else ([], True)
    flat = not place.folder if place.exists else bool(origins) and seen and not _has_tree(origins, case, world)
    if effect.deep and flat and not trail.touched(effect):
        effect = replace(effect, deep=False)
    walked = effect.kind in WALKED and (place.folder or (effect.deep and bool(origins)))
    walked = walked and not _is_closed_anyway(effect, place, case)
    wanted = _protects(policy, case, effect, place, world) if walked else None
    follows = effect.follows != "" and effect.deep and place.folder
    above = bool(origins) and place.path in protected.holding(case.homes, case.moved)  # then nothing else tells
    if effect.only and effect.kind in READS and (walked or effect.deep):
        effect, place = _narrowed(effect, place, case, world)
    outside = (follows or wanted is not None) and not above and _asks_anyway(policy, case, effect, place.path)
    if outside:
        why = f"{effect.target} lies outside the project and was not looked through"
        gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    elif effect.code in (HELD, STAGED) and (seen_names := _held(effect, place, wanted, case, world, trail)) is not None:
        place = seen_names
    elif follows or wanted is not None:
        places = [world.locate(name, case.call.cwd) for name in origins]
        found, complete = _looked_through(effect, place, places, wanted, policy, case, world, trail)
        place = replace(place, below=tuple(dict.fromkeys((*place.below, *found)))) if found else place
        complete = complete and seen
        if follows:
            place, sure = _followed(effect, place, wanted, case, policy, world, trail)
            complete = complete and sure
        if place.below and not effect.deep:
            effect = replace(effect, deep=True)
        if above and complete and all(one.exists and not one.trouble for one in places):
            effect = replace(effect, arguments={**(effect.arguments or {}), SEEN: True})
        if not (complete or effect.possible):
            why = f"{effect.target} could not be looked through completely"
            gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    if effect.kind in OPENS and not outside and (place.links > 1 or (wanted is not None and effect.deep)):
        place = _with_other_names(effect, place, wanted, case, world, gaps, trail)
    if effect.kind == "write" and not effect.possible and (place.links > 1 or _is_shared(effect, place, policy, world)):
        names = f"{effect.target} has {place.links}" if place.links > 1 else f"a file in {effect.target} has several"
        gaps.append(Gap(f"{names} names; another one may lie outside the project", blind=True, call=effect.call))
    if effect.call:
        put_place(effect, place)
        return effect
    return replace(effect, at=place)


def _narrowed(effect: Effect, place: Place, case: Case, world: World) -> tuple[Effect, Place]:
    """Some files of a tree above the floor are read: with those of the floor's that are among them. Where only names
    are told, none of the floor's may be among them.

    INVARIANT: where not all could be looked at, the tree counts as a whole.
    """
    closed = protected.holding(case.homes, case.moved)
    names = {name.rstrip("/") for name in place.names}
    if closed.isdisjoint(names):
        return effect, place
    kept = [inner for home in case.homes for inner in protected.home_places(home)]
    places = [inner for inner in (*kept, *case.moved) if any(is_within(inner, name) for name in names)]
    reached: dict[str, None] = {}
    for inner in dict.fromkeys(places):
        root = next(name for name in names if is_within(inner, name))
        found, complete = world.reached(root, inner, effect.only)
        if not complete:
            return effect, place
        reached |= dict.fromkeys(found)
    if effect.kind == "list" and (reached or not is_narrow(effect.only)):
        return effect, place
    arguments = {**(effect.arguments or {}), NARROWED: True}
    return replace(effect, arguments=arguments), replace(place, below=(*place.below, *reached))


def _with_other_names(
    effect: Effect, place: Place, wanted: Test | None, case: Case, world: World, gaps: list[Gap], trail: Trail
) -> Place:
    """A tree with what files in it are besides, under another name: they are opened like any other.

    What a single file is besides is known by now, unless it has a name that lies neither in the project nor at home.
    """
    if not place.folder and (effect.kind == "write" or not any(is_within(place.path, root) for root in case.projects)):
        return place  # asked about anyway
    held = effect.code in (HELD, STAGED)
    skip = "untracked" if held else _skipped(effect, case, trail) if effect.code in SKIPS else ""
    only, roots = effect.only, case.projects
    found, elsewhere = world.other_names(place.path, wanted or _nothing, only, skip_ignored=skip, roots=roots)
    if elsewhere and not effect.possible:
        why = f"{elsewhere} has another name that was not found"
        gaps.append(Gap(why, blind=True, call=effect.call, reading=effect.kind in READS))
    return replace(place, below=tuple(dict.fromkeys((*place.below, *found)))) if found else place


def _nothing(_path: str) -> bool:
    return False


def _is_shared(effect: Effect, place: Place, policy: Policy, world: World) -> bool:
    found = effect.code == REWRITTEN or (effect.code == "mode" and effect.only != "")
    free = found and effect.deep and (policy.mode != "default" or policy.in_workspace)  # else it asks anyway
    return free and place.folder and world.shared_below(place.path, effect.only)


def _held(effect: Effect, place: Place, wanted: Test | None, case: Case, world: World, trail: Trail) -> Place | None:
    from assent.handed import held, staged

    if effect.code == STAGED:
        return staged(effect, place, wanted, case, world, trail)
    return held(effect, place, wanted, case, world)


def _origins(effect: Effect, case: Case, world: World) -> tuple[list[str], bool]:
    from assent.earlier import names_of_origins

    return names_of_origins(effect, case, world)


def _has_tree(origins: list[str], case: Case, world: World) -> bool:
    """Whether a folder is among them; one that is not there may have been made by an earlier part of the line."""
    places = (world.locate(name, case.call.cwd) for name in origins)
    return any(one.folder or (len(case.calls) > 1 and not one.exists) for one in places)


def _looked_through(
    effect: Effect,
    place: Place,
    origins: list[Place],
    wanted: Test | None,
    policy: Policy,
    case: Case,
    world: World,
    trail: Trail,
) -> tuple[tuple[str, ...], bool]:
    """What is protected in a tree, or will be where a copied one arrives, and whether all of it was seen.

    A tree is walked once for what must not be changed: what must not be read is among that.
    """
    if wanted is None or (not origins and effect.possible and effect.code == "copied"):
        return (), True
    if not origins:
        ruled, _reading, changing = _tests(policy, case, world, folded=place.folded)
        walked = wanted if wanted is ruled else changing
        near = None if policy.speaks_of_paths() else protected.holding(case.homes, case.moved)
        skip = _skipped(effect, case, trail) if effect.code in SKIPS else ""
        held = HELD_BY.get(effect.code if effect.kind == "write" else effect.kind, "")
        found, complete = world.once(
            ("below", place.path, walked, effect.only, skip, held if effect.only[-1:] != "/" else held != ""),
            lambda: world.below(place.path, walked, effect.only, skip_ignored=skip, twins=True, near=near, held=held),
        )
        return tuple(found) if walked is wanted else tuple(filter(wanted, found)), complete
    arriving = tuple(_arriving(origins, place, wanted, world))
    if not trail.wrote(effect):
        return arriving, True
    before = _earlier(trail, case, world)
    return (*arriving, *before.arriving(effect, origins, place, wanted)), before.complete


def _skipped(effect: Effect, case: Case, trail: Trail) -> Skip:
    """Git shows what it holds, whether that is ignored or not; other search tools do as ignore files say.

    Nothing is left out where an earlier part of the line may have changed such a file.
    """
    if trail.touched_ignores(effect):
        return ""
    program = (case.calls[effect.call - 1].program or "") if effect.call else ""
    return "untracked" if program[program.rfind("/") + 1 :] == "git" else SKIPS[effect.code]


def _followed(
    effect: Effect,
    place: Place,
    wanted: Test | None,
    case: Case,
    policy: Policy,
    world: World,
    trail: Trail,
) -> tuple[Place, bool]:
    """A tree in which links are followed is known by where these lead, too, and holds what is protected there."""
    skip = _skipped(effect, case, trail) if effect.code in SKIPS else ""
    found, complete = world.leading(place.path, effect.only, folders=effect.follows == "all", skip_ignored=skip)
    ends = sorted(
        dict.fromkeys([end for _link, end in found]),
        key=lambda end: any(is_within(end, root) for root in case.projects),
    )
    below = dict.fromkeys(place.below)
    for end in ends[:MOST_ENDS]:
        if effect.follows == "all" and wanted is not None and not _asks_anyway(policy, case, effect, end):
            inside, whole = world.below(end, wanted, effect.only.partition("//")[0])
            below |= dict.fromkeys(inside)
            complete = complete and whole
    names = dict.fromkeys((*place.names, *[name for end in ends[:MOST_ENDS] for name in world.locate(end, "/").names]))
    return replace(place, names=tuple(names), below=tuple(below)), complete and len(ends) <= MOST_ENDS


def _arriving(origins: list[Place], target: Place, wanted: Test, world: World) -> Iterator[str]:
    """Protected names that a copied tree will have where it arrives."""
    from assent.earlier import arrivals, moved_test

    for origin in origins:
        there, inside = arrivals(origin.path, target.path)
        if not origin.folder:
            yield from (inside,) if wanted(inside) else ()
            continue
        for arrives in (there, inside):
            moved = moved_test(wanted, origin.path, arrives)
            yield from (arrives + path[len(origin.path) :] for path in world.below(origin.path, moved)[0])


def _asks_anyway(policy: Policy, case: Case, effect: Effect, path: str) -> bool:
    """Whether a tree outside the project is asked about whatever it holds; walking it would cost time for nothing.

    INVARIANT: only where no rule of any kind speaks about paths, so that nothing in there could be denied by one.
    """
    if policy.mode != "default" or (effect.possible and effect.code != SPELLED) or policy.speaks_of_paths():
        return False
    return bool(case.projects) and not any(is_within(path, root) for root in case.projects)


def _is_closed_anyway(effect: Effect, place: Place, case: Case) -> bool:
    """Whether a whole tree holds a place that is closed whatever else it holds, so that nobody needs to look at that.

    INVARIANT: as the floor says, which denies it by the name of the tree alone.
    """
    if not effect.deep or effect.possible or effect.only or effect.code == "copied":
        return False
    return place.path.rstrip("/") in protected.holding(case.homes, case.moved)


def _protects(policy: Policy, case: Case, effect: Effect, place: Place, world: World) -> Test | None:
    """Which files below a folder matter to floor, deny or ask; None when there is no need to look."""
    rules_only = (effect.possible and effect.code != "copied") or effect.code == COMMITTED
    if not (rules_only or effect.deep):
        return None
    ruled, reading, changing = _tests(policy, case, world, folded=place.folded)
    return ruled if rules_only else changing if effect.kind in ("write", "delete") else reading


def _tests(policy: Policy, case: Case, world: World, *, folded: bool) -> tuple[Test | None, Test, Test]:
    return world.once(("tests", folded), lambda: _made_tests(policy, case, folded=folded))


def _made_tests(policy: Policy, case: Case, *, folded: bool) -> tuple[Test | None, Test, Test]:
    """Whether a rule speaks about a path, None if none does about any; whether anything speaks against reading it, and
    against changing it. INVARIANT: what holds for reading holds for changing."""
    denied = [(longest_piece(pattern), pattern) for pattern, allow in policy.table["path_rules"] if not allow]
    closed = protected.holding(case.homes, case.moved)
    rules = bool(denied) or policy.has_path_rules()
    marks_of, secret = protected.marks, protected.FLOOR + protected.SECRET
    special = secret + protected.OWN + protected.STARTED
    home, projects, owned = case.home, case.projects, case.own
    may_be_caught = PathFilter(policy, case, folded=folded).may_be_caught if policy.has_path_rules() else None

    def ruled(path: str) -> bool:
        for piece, pattern in denied:
            if piece in path and path_rule_matches(pattern, path, case):
                return True
        return may_be_caught is not None and may_be_caught(path) and path_is_caught(policy, path, case, folded=folded)

    def reading(path: str) -> bool:
        return bool(marks_of(path) & secret) or path in closed or (rules and ruled(path))

    def changing(path: str) -> bool:
        marks = marks_of(path)
        if marks and (marks & special or protected.is_started(path, home, projects)):
            return True
        if owned and any(is_within(path, own) for own in owned):
            return True
        return path in closed or (rules and ruled(path))

    return ruled if rules else None, reading, changing


def forget() -> None:
    """Empty what is remembered about configurations, for measurements."""
    from assent import repository

    _plain_folders.clear()
    repository.forget()
