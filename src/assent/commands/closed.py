"""What commands that may stand in a text could do, for a text that nobody could read as a whole."""

from __future__ import annotations

from assent.commands.args import GLOB_SIGNS
from assent.commands.facts import BARE, MAX_EFFECTS, MAX_WORDS, OURS, facts, perhaps
from assent.commands.table import is_described, program_named
from assent.record import replace
from assent.types import Call, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Effect


def closed_by(commands: list[tuple[str, ...]], base: str, home: str) -> list[Effect]:
    """What commands that may stand in a text would do, none of it certain: for what is closed or denied.

    A program that nobody described touches what its words spell: without a path in any, it is left out.
    """
    found: dict[tuple[str, str, str], Effect] = {}
    for words in commands:
        known = program_named(words[0][words[0].rfind("/") + 1 :]) is not None
        if not known and not any("/" in word or word[0] in ".~" or word == OURS for word in words if word):
            continue
        given = [home + word[1:] if home and word[:2] in ("~", "~/") else word for word in words[:MAX_WORDS]]
        call = Call(tuple([_as_pattern(word) for word in given]), cwds=(base,) if base else ())
        for fact in perhaps(facts(call, 0, base)):
            found.setdefault((fact.kind, fact.target, fact.code), replace(fact, span=None))
        if len(found) > MAX_EFFECTS:
            break
    return [*found.values()]


def names_programs(text: str) -> bool:
    """Whether a text may be a command of which `closed_by` knows anything; many only say what is started."""
    if "/" in text or "~" in text or " ." in text:
        return True
    return any(name == OURS or is_described(name) for name in text.translate(BARE).split())


def _as_pattern(word: str) -> Word:
    """A word of a text that was not understood: with signs of a pattern it may be one."""
    magic = not GLOB_SIGNS.isdisjoint(word) and word[:1] != "-"
    return Word(word, None, "names of files", word, True) if magic else Word(word, word)
