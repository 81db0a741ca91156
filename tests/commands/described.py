"""A made-up program, described in one line, and what it does with words in one line."""

from __future__ import annotations

from assent.commands.facts import described
from assent.commands.program import Program
from assent.shell.calls import calls_of
from assent.types import Gap
from commands.rendered import FOLDER, HOME, goes_without_saying, shown_effect, shown_gap


def facts_about(program: Program, words: str, name: str = "prog") -> str:
    """`read a | gap prog: option -x is not known`, in the order it is stated.

    That a program about which nothing else is certain notes itself is left out behind other facts.
    """
    [*_, call] = calls_of(f"{name} {words}", FOLDER, HOME).calls
    stated = described(program, name, call, 1, FOLDER, call.words[1:])
    stated = [fact for fact in stated if isinstance(fact, Gap) or not goes_without_saying(fact)]
    told = [shown_gap(fact) if isinstance(fact, Gap) else shown_effect(fact) for fact in stated]
    uncertain = all(text.startswith(("gap ", "blind ", "maybe ")) for text in told[:-1])
    return " | ".join(told[:-1] if len(told) > 1 and uncertain and told[-1].startswith("note ") else told)
