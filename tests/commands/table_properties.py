"""What holds for every call that the tables can make: no option or word loosens what is said about the rest."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from assent.commands.facts import facts_of
from assent.commands.program import Option, options_of
from assent.commands.reductions import QUESTIONS, covers
from assent.pipeline import judge
from assent.policy.compiled import Policy
from assent.types import USED, Call, Effect, Gap, ToolCall, Verdict, Word
from commands.table_calls import OPERANDS, Argv, Node, declared, option_words
from decided import HOME, PROJECT, WORLD, policy_of

POLICIES = {
    "default": policy_of(),
    "plan": policy_of(mode="plan"),
    "workspace": policy_of(preset="workspace"),
    "full_auto": policy_of(mode="full_auto"),
}
CLOSED = (f"{HOME}/.ssh/id_rsa", f"{HOME}/.aws/credentials", f"{HOME}/.assent/policy.toml")
"""Paths on the floor: a call that names one in a role that is not text is never allowed, in any mode."""


OF_THE_SHELL = frozenset({"hash"})
"""Followed by the shell's own analysis: `hash -t` prints, whatever other letters say."""
FILES = frozenset({"read", "search", "write", "delete"})
OBEYED = "settings"
"""Code of what files of the project may make a program run; said only where nothing else asks."""


class Broken(NamedTuple):
    """A call for which a property does not hold."""

    what: str
    argv: Argv
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {shlex.join(self.argv)}: {self.why}"


def facts(argv: Argv) -> tuple[list[Effect], list[Gap]]:
    return facts_of((Call(tuple(Word(text, text) for text in argv), cwds=(PROJECT,)),), PROJECT)


def broken(node: Node, chance: random.Random, tries: int) -> Iterator[Broken]:
    """Every property for some calls of one program or subcommand."""
    for _ in range(min(tries, 4 + 2 * len(node.options))):
        operands = tuple(chance.choice(OPERANDS) for _ in range(chance.choice((0, 1, 1, 2, 3))))
        options = chance.sample(node.options, min(len(node.options), chance.choice((1, 2, 2, 3))))
        yield from _only_adds(node, options, operands, chance)
        yield from _keeps_operands(node, options, operands, chance)
        yield from _closed_stays_closed(node, options, operands, chance)


def _words(node: Node, options: list[Argv], operands: Argv) -> Argv:
    return (*node.path, *(word for words in options for word in words), *operands)


def is_sorted_by_table(node: Node) -> bool:
    """Not a program that sorts its words itself: there an option more may take the next word for its value."""
    return "plain" not in node.program.style and node.path[0] not in OF_THE_SHELL


@cache
def _questions(options: str) -> frozenset[str]:
    table = options_of(options)
    return frozenset(table[name].name for name in QUESTIONS if name in table)


def _may_reduce(node: Node, option: Option, others: list[Option], operands: Argv) -> bool:
    """Declared to turn something off, or a question to the program that stands alone."""
    if option.name in declared(node):
        return True
    return not operands and _questions(node.program.options).issuperset(one.name for one in (option, *others))


def _only_adds(node: Node, options: list[Option], operands: Argv, chance: random.Random) -> Iterator[Broken]:
    """One option more never takes an effect away, and never loosens a verdict."""
    if not options or not is_sorted_by_table(node) or _may_reduce(node, options[0], options[1:], operands):
        return
    spelled = [option_words(option, chance) for option in options]
    more, less = _words(node, spelled, operands), _words(node, spelled[1:], operands)
    with_it, without = facts(more), facts(less)
    if any(gap.blind or gap.unread for gap in with_it[1]):
        return
    for effect in without[0]:
        counts = effect.kind != "note" and not effect.mentioned and effect.code != OBEYED
        if counts and not any(covers(other, effect) for other in with_it[0]):
            yield Broken("an option takes away", more, f"{spelled[0]}: {effect.kind} {effect.target} #{effect.code}")
            return
    for name, policy in POLICIES.items():
        if verdict(more, policy) < verdict(less, policy):
            yield Broken(f"an option loosens {name}", more, str(spelled[0]))


def _keeps_operands(node: Node, options: list[Option], operands: Argv, chance: random.Random) -> Iterator[Broken]:
    """An operand that means a file without options means one with them, or the call is not understood."""
    if not operands or not is_sorted_by_table(node) or any(option.name in declared(node) for option in options):
        return
    argv = _words(node, [option_words(option, chance) for option in options], operands)
    stated, gaps = facts(argv)
    named = {effect.target for effect in stated}
    meant = {effect.target for effect in facts((*node.path, *operands))[0] if not effect.mentioned}
    for operand in operands:
        if operand in meant and operand not in named and not gaps:
            yield Broken("an operand is forgotten", argv, operand)


def _closed_stays_closed(node: Node, options: list[Option], operands: Argv, chance: random.Random) -> Iterator[Broken]:
    """A path on the floor is never allowed in full_auto, in the place of any operand or value that is not text."""
    closed = chance.choice(CLOSED)
    spelled = [option_words(option, chance) for option in options]
    places = [at for at, option in enumerate(options) if option.takes and option.role != "text"]
    if places:
        at = chance.choice(places)
        spelled[at] = option_words(options[at], chance, closed)
    elif operands and _names_files(node, operands):
        at = chance.randrange(len(operands))
        operands = (*operands[:at], closed, *operands[at + 1 :])
        if closed not in {effect.target for effect in facts((*node.path, *operands))[0] if effect.kind in FILES}:
            return
    else:
        return
    if any(option.name in declared(node) for option in options):
        return
    argv = _words(node, spelled, operands)
    if not any(closed in word for word in argv):
        return
    own = closed == CLOSED[-1]
    changes = any(effect.target == closed and effect.kind in ("write", "delete") for effect in facts(argv)[0])
    if verdict(argv, POLICIES["full_auto"]) == Verdict.ALLOW and (not own or changes) and _opens(argv, closed):
        yield Broken("a closed path passes", argv, closed)


def _opens(argv: Argv, path: str) -> bool:
    """Whether it does more with a path than to show that it is there, or to use what it never shows."""
    stated = [effect for effect in facts(argv)[0] if effect.target == path]
    return not stated or any(effect.kind != "list" and effect.code != USED for effect in stated)


def _names_files(node: Node, operands: Argv) -> bool:
    stated = [effect for effect in facts((*node.path, *operands))[0] if effect.kind in FILES and not effect.mentioned]
    return is_sorted_by_table(node) and any(effect.target in operands for effect in stated)


def verdict(argv: Argv, policy: Policy) -> Verdict:
    call = ToolCall("Bash", {"command": shlex.join(argv)}, cwd=PROJECT, workspace=PROJECT)
    return judge(call, policy, WORLD).verdict
