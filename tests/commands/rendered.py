"""Effects and gaps of a command line as the one-line text that `EXAMPLES` are written in."""

from __future__ import annotations

from assent.commands.facts import facts_of
from assent.protected import NOTABLE, marks
from assent.shell.calls import calls_of
from assent.types import SPELLED, WORDS, Effect, Gap

FOLDER, HOME = "/p", "/home/u"


def rendered(command: str) -> str:
    """`read a | write b/** #code | maybe write c | gap why | blind why`, in the order they are stated."""
    found = calls_of(command, FOLDER, HOME)
    effects, gaps = facts_of(found.calls, FOLDER)
    shown = [effect for effect in effects if not goes_without_saying(effect)]
    return " | ".join([*map(shown_effect, shown), *map(shown_gap, (*found.gaps, *gaps))])


def goes_without_saying(effect: Effect) -> bool:
    """What the engine says of every word whose role is not known: that it may name a file. `test_path_words.py` is
    about that."""
    words = (effect.arguments or {}).get(WORDS)
    if isinstance(words, tuple):
        return not any(marks(f"{FOLDER}/{word}") > NOTABLE for word in words)
    told = "/" in effect.target or effect.target[0] in ".~" or marks(f"{FOLDER}/{effect.target}") > NOTABLE
    return effect.code == SPELLED and not told


def shown_effect(effect: Effect) -> str:
    deep = f"/**{'/' + effect.only if effect.only else ''}" if effect.deep else ""
    glob = " (glob)" if effect.glob else ""
    code = f" #{effect.code}" if effect.code not in ("", SPELLED) else ""
    kind = "read" if effect.code == SPELLED else effect.kind  # or written, as for every such word
    return f"{'maybe ' if effect.possible else ''}{kind} {effect.target}{deep}{glob}{code}"


def shown_gap(gap: Gap) -> str:
    return f"{'blind' if gap.blind else 'gap'} {gap.why}"
