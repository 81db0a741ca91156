"""Effects and gaps of a command line as the one-line text that `EXAMPLES` are written in."""

from __future__ import annotations

from assent.commands.facts import facts_of
from assent.shell.calls import calls_of
from assent.types import Effect, Gap

FOLDER, HOME = "/p", "/home/u"


def rendered(command: str) -> str:
    """`read a | write b/** #code | maybe write c | gap why | blind why`, in the order they are stated."""
    found = calls_of(command, FOLDER, HOME)
    effects, gaps = facts_of(found.calls, FOLDER)
    return " | ".join([*map(shown_effect, effects), *map(shown_gap, (*found.gaps, *gaps))])


def shown_effect(effect: Effect) -> str:
    deep = f"/**{'/' + effect.only if effect.only else ''}" if effect.deep else ""
    glob = " (glob)" if effect.glob else ""
    code = f" #{effect.code}" if effect.code else ""
    return f"{'maybe ' if effect.possible else ''}{effect.kind} {effect.target}{deep}{glob}{code}"


def shown_gap(gap: Gap) -> str:
    return f"{'blind' if gap.blind else 'gap'} {gap.why}"
