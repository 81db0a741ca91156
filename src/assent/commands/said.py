"""What holds only if a file of the project says so, and calls that only ask a program about itself; no programs."""

from __future__ import annotations

from assent.record import replace
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def if_said(
    args: Args, facts: Iterable[Fact], files: tuple[str, ...], *words: str, unless: tuple[str, ...] = ()
) -> Iterator[Fact]:
    """Facts that are only possible, and certain once one of the files holds one of the words.

    Blanks, quotes and capitals make no difference. A word behind `^` begins a line; those in `unless` do not count.
    """
    settings = tuple((place, word, *unless) for file in files for place in args.places(file) for word in words)
    for fact in facts:
        if isinstance(fact, Effect):
            said = {**(fact.arguments or {}), "when": settings}
            yield replace(fact, possible=True, code=fact.code or "settings", arguments=said)
        else:
            yield fact


def is_only(args: Args, *names: str) -> bool:
    """Whether nothing is given but some of these options, each named by its first spelling."""
    return bool(args.given) and not args.operands and args.given.keys() <= set(names)
