"""What a command does without its options stays stated with them, unless an option is declared to turn it off."""

from __future__ import annotations

from assent.commands.program import NO_OPTIONS, REDUCTIONS, options_of
from assent.types import STOPS, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

QUESTIONS = ("--version", "--help", "-version", "-help")
STRENGTH = {"list": 0, "search": 1, "read": 1, "write": 2, "delete": 2}
TALKS = ("reach", "send")
MOST_ALONE = 20
"""So many options are looked at one by one."""
FEW_PAIRS, MOST_ALIKE = 400, 20


def only_asks(args: Args) -> bool:
    """Whether nothing is given but options that have `--version` or `--help` as another spelling.

    INVARIANT: decided by the table, since `-v` is the version here and verbose there.
    """
    if "starts" in args.program.style or args.operands or not args.options:
        return False
    table = options_of(args.program.options)
    return {table[name].name for name in QUESTIONS if name in table}.issuperset(args.given)


def missing(args: Args, stated: list[Fact]) -> list[Fact]:
    """What the words would do without their options, or with any one of them, and is not stated with all of them.

    INVARIANT: a flag can only add. One that is declared to turn something off spares what the bare command does, and
    not what other options add, unless it is declared to turn off everything; then the others still only add to it.
    """
    more, given = args.program.more, args.options
    less, whole, modes = REDUCTIONS.get(more, (NO_OPTIONS, NO_OPTIONS, NO_OPTIONS))
    if len(modes.intersection(given)) > 1:
        less, whole = less - modes, whole - modes
    kept = whole.intersection(given) if whole else whole
    if more is None or len(kept) == len(given):
        return []
    heard = [name for name in given if name in args.heard and name not in kept]
    unheard = args.with_options([name for name in given if name not in heard])
    bare = without = list(more(unheard))  # nobody asks for them, almost always, so that they make no difference
    differs = len(unheard.options) > len(kept) and not kept.issuperset(unheard.heard)
    if differs:
        bare = list(more(args.with_options(kept)))
    spares = less.intersection(heard)
    lost = [] if spares else _lost(bare, stated)
    if differs:
        lost += _lost(without, [*stated, *lost, *bare])
    if len(heard) > 1 or (heard and differs):
        for name in heard[:MOST_ALONE]:
            alone = _lost(more(args.with_options((*kept, name))), [*stated, *lost])
            lost += _lost(alone, bare) if alone and spares - {name} else alone
        if len(heard) > MOST_ALONE:
            lost.append(args.gap("so many options are not compared with each other"))
    return [] if not lost or only_asks(args) else lost


def _lost(facts: Iterable[Fact], stated: list[Fact]) -> list[Fact]:
    """Those that nothing stated covers. INVARIANT: only what shares a place can, so many words cost little each."""
    facts = list(facts)
    if len(facts) * len(stated) <= FEW_PAIRS:
        return [fact for fact in facts if not any(covers(other, fact) for other in stated)]
    by_place: dict[str, list[Fact]] = {}
    for other in stated:
        near = by_place.setdefault(_place(other), [])
        if other not in near[-MOST_ALIKE:]:
            near.append(other)
    return [
        fact
        for fact in facts
        if not any(covers(other, fact) for place in _places(fact) for other in by_place.get(place, ())[:MOST_ALIKE])
    ]


def _place(fact: Fact) -> str:
    if not isinstance(fact, Effect):
        return f"gap {fact.why}"
    return f"at {fact.target}" if fact.kind in STRENGTH else fact.kind


def _places(fact: Fact) -> Iterator[str]:
    """Where facts may be that cover this one: at its place or above it, or of its kind."""
    yield _place(fact)
    if isinstance(fact, Effect) and fact.kind in STRENGTH:
        path, slash, _ = fact.target.rpartition("/")
        while slash:
            yield f"at {path}"
            path, slash, _ = path.rpartition("/")
        yield "at ."
    elif isinstance(fact, Effect) and fact.kind in TALKS:
        yield "send"


def covers(new: Fact, old: Fact) -> bool:
    """Whether a fact says at least as much as another one."""
    if not isinstance(old, Effect) or not isinstance(new, Effect):
        return old == new or (isinstance(old, Effect) and old.kind == "note" and not old.code)
    if old.possible < new.possible or old.mentioned < new.mentioned:
        return False
    strength = STRENGTH.get(old.kind)
    if strength is not None:
        same = new.target == old.target or (new.deep and not new.only and _lies_in(old.target, new.target))
        wide = new.deep >= old.deep and (not new.deep or new.only in ("", old.only, f"{old.only}/"))
        return (
            same
            and new.glob == old.glob
            and wide
            and STRENGTH.get(new.kind, -1) >= strength
            and (strength < 2 or new.kind == old.kind)
        )
    if old.kind in TALKS:
        return new.kind == "send" or new.kind == old.kind
    hard = old.code.endswith(STOPS)
    return new.kind == old.kind and (not hard or new.code.endswith(STOPS))


def _lies_in(path: str, folder: str) -> bool:
    """Whether words alone say that a path lies in a folder."""
    if f"/{path}/".find("/../") >= 0:
        return False
    return path[:1] not in "/~" if folder == "." else path.startswith(f"{folder}/")
