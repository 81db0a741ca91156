"""The tables as a whole: for calls made from them, no option takes anything away and nothing closed passes.

`scripts/table-fuzz` does the same for many more calls, and runs what is allowed for real.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assent.commands.args import Args
from assent.commands.facts import described
from assent.commands.program import REDUCTIONS, Program, options_of, turns_off
from assent.commands.table import FAMILIES
from assent.types import Call, Effect, Word
from commands.allowed_calls import installed, tried, tried_declared
from commands.described import facts_about
from commands.invocations import HEAVY
from commands.sandboxed import Sandbox
from commands.table_calls import nodes
from commands.table_properties import broken
from decided import policy_of

if TYPE_CHECKING:
    from assent.commands.program import Fact, More
    from assent.types import Kind

FAMILY_NAMES = sorted(FAMILIES)
MIN_RUN, MIN_DECLARED = 300, 50
SEEDS = (7, 502, 504)
"""Fixed: `scripts/table-fuzz --real` is the one that looks for what nobody has seen."""
ANY = "any program"
"""Stands for functions that others are made of, which serve several tables."""


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_no_call_of_a_table_breaks_a_property(family: str) -> None:
    chance = random.Random(family)
    found = [one for node in nodes(FAMILIES[family].split()) for one in broken(node, chance, 2)]
    assert not found, "\n" + "\n".join(map(str, found[:30]))


def test_what_is_declared_is_an_option_of_somebody() -> None:
    """A declaration that names no option protects nobody: it is a slip of the pen."""
    known: dict[object, set[str]] = {}
    for node in nodes():
        for more in (node.program.more, ANY):
            names = {option.name for option in options_of(node.program.options).values()}
            known.setdefault(more, set()).update(names)
    strange = {
        f"{getattr(more, '__qualname__', more)} {name}"
        for more, (less, _, _) in REDUCTIONS.items()
        if getattr(more, "__module__", "").startswith("assent.")
        for name in less - known.get(more if "<locals>" not in getattr(more, "__qualname__", "") else ANY, known[ANY])
    }
    assert strange == set()


# --- the engine, with descriptions that try to forget ----------------------------------------------------------------

TABLE = "-l,--list -n,--dry-run -f,--force -o,--output=write -x -h,--help"


def _forgets(args: Args) -> list[Fact]:
    return [] if args.has("-l") else [fact for word in args.operands for fact in args.file("delete", word)]


def _chooses(args: Args) -> list[Fact]:
    if args.has("-l"):
        return [args.effect("reach", "a server")]
    if args.has("-f"):
        return [args.effect("change", "everything", "x.wipe")]
    return []


def _weakens(args: Args) -> list[Fact]:
    kind: Kind = "list" if args.has("-l") else "write"
    return [fact for word in args.operands for fact in args.file(kind, word, deep=not args.has("-x"))]


@turns_off("-l")
def _lists(args: Args) -> list[Fact]:
    found = [] if args.has("-l") else _forgets(args)
    return found if args.has("-l") or not args.has("-f") else [*found, args.effect("change", "more", "x")]


@turns_off("", everything="-n")
def _rehearses(args: Args) -> list[Fact]:
    if args.has("-n"):
        return []
    return [*_forgets(args), *([args.effect("change", "more", "x")] if args.has("-f") else [])]


@pytest.mark.parametrize(
    ("more", "words", "expected"),
    [
        (_forgets, "a", "delete a"),
        (_forgets, "-l a", "delete a"),
        (_forgets, "--list a b", "delete a | delete b"),
        (_forgets, "a -l", "delete a"),
        (_forgets, "-xl a", "delete a"),
        (_forgets, "-l -l a", "delete a"),
        (_forgets, "-l -- a", "delete a"),
        (_forgets, "-o -l a", "write -l | delete a"),
        (_forgets, "-l", "note prog"),
        (_chooses, "-l", "reach a server"),
        (_chooses, "-f", "change everything #x.wipe"),
        (_chooses, "-l -f", "reach a server | change everything #x.wipe"),
        (_chooses, "-f -l", "reach a server | change everything #x.wipe"),
        (_weakens, "-l a", "list a/** | write a/**"),
        (_weakens, "-x a", "write a | write a/**"),
        (_weakens, "-x -l a", "list a | write a/**"),
        (_lists, "-l a", "note prog"),
        (_lists, "-f a", "delete a | change more #x"),
        (_lists, "-l -f a", "change more #x"),
        (_rehearses, "-n a", "note prog"),
        (_rehearses, "-n -f a", "note prog"),
        (_rehearses, "-f a", "delete a | change more #x"),
    ],
)
def test_an_option_takes_nothing_away_unless_that_is_declared(more: More, words: str, expected: str) -> None:
    assert facts_about(Program(TABLE, "text*", more=more), words) == expected


def test_a_question_that_stands_alone_asks_and_does_nothing() -> None:
    def asks(args: Args) -> list[Fact]:
        return [] if args.has("-h") else [args.effect("change", "everything", "x")]

    program = Program(TABLE, "text*", more=asks)
    assert facts_about(program, "-h") == "note prog"
    assert facts_about(program, "-h a") == "change everything #x"
    assert facts_about(program, "-h -x") == "change everything #x"


def test_options_before_a_subcommand_take_nothing_away() -> None:
    def globally(args: Args) -> list[Fact]:
        return [] if args.has("-l") else [args.effect("change", "everything", "x")]

    program = Program(TABLE, commands={"go": Program("", "read*")}, more=globally)
    call = Call(tuple(Word(text, text) for text in ("prog", "-l", "go", "a")), cwds=("/p",))
    stated = described(program, "prog", call, 1, "/p", call.words[1:])
    told = [(fact.kind, fact.target) for fact in stated if isinstance(fact, Effect)]
    assert told == [("change", "everything"), ("read", "a")]


# --- what is allowed, for real ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sample_of_what_is_allowed_does_what_it_says(seed: int, tmp_path: Path) -> None:
    for tool in ("strace", "bwrap"):
        assert shutil.which(tool), f"{tool} is missing: run scripts/oracle, or install it"
    programs = [name for name in installed("/") if name not in HEAVY]
    sandbox = Sandbox(tmp_path, secrets=True)
    count, found = 0, []
    for number, wrong in tried(sandbox, policy_of(), seed, 2, programs, 2):
        count += number
        found += [f"{' '.join(one.argv)}: {one.what}" for one in wrong]
    assert not found, "\n" + "\n".join(found[:50])
    assert count >= MIN_RUN


def test_options_that_are_declared_to_turn_something_off_really_do(tmp_path: Path) -> None:
    programs = [name for name in installed("/") if name not in HEAVY]
    count, wrong = tried_declared(Sandbox(tmp_path, secrets=True), policy_of(), 11, programs, 2)
    assert not wrong, "\n" + "\n".join(f"{' '.join(one.argv)}: {one.what}" for one in wrong[:50])
    assert count >= MIN_DECLARED
