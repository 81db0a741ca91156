"""Words that a program prints back: a pattern shows names of files, and some variables hold secrets."""

from __future__ import annotations

from assent.commands.args import SECRET_NAMES
from assent.types import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def shown_words(args: Args) -> Iterator[Fact]:
    """What `echo` and its kin tell besides the text that stands there."""
    for word in args.operands:
        if word.pattern and word.why != PLAIN:
            yield from args.file("list", word)
        elif word.value is None and "$" in word.text and any(piece in word.text.upper() for piece in SECRET_NAMES):
            yield args.effect("note", word.text, "environment")
