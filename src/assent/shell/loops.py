"""Bodies that run any number of times: what they change is seen at their start, too."""

from __future__ import annotations

from assent.shell.expand import expand
from assent.shell.numbers import SOME_NUMBER, assigned, inside
from assent.shell.state import is_risky_variable
from assent.shell.walk import doubts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.follow import Walker
    from assent.shell.state import State
    from assent.shell.tree import Compound

MAX_ROUNDS = 20
MAX_REPEATS = 3


def counted(walker: Walker, node: Compound, state: State) -> State:
    """What is known behind `((…))`, or the parts of `for ((…; …; …))`: which variables hold a number."""
    for word in node.words:
        for name in assigned(inside(word.text), state.variables) or ():
            if is_risky_variable(name):
                walker.gap(f"variable {name} is changed", node.span)
            state = state.knowing(name, SOME_NUMBER)
    return state


def repeated(walker: Walker, node: Compound, state: State, via: tuple[str, ...]) -> State:
    """Bodies that run any number of times: again until nothing new is learned, at last with nothing known."""
    counts = node.kind == "arithmetic for"
    before, first = counted(walker, node, state) if counts else state, len(walker.left)
    walker.rounds += 1
    for _ in range(MAX_REPEATS):
        after = before
        for place, body in enumerate(node.bodies):
            ran = walker.sequence(body, after, via)
            always = place == 0 and node.kind in ("while", "until")
            after = ran if always else ran.or_else(after)
        if counts:  # as the loop does behind each round
            for why in doubts_in([part for word in node.words[1:] for part in word.parts], after.variables):
                walker.gap(why, node.span)
            after = counted(walker, node, after)
        merged = before.or_else(or_left(walker, after, first))
        if merged == before:
            walker.rounds -= 1
            return merged
        before = merged
    before = before.forgetting().somewhere()
    for body in node.bodies:
        walker.sequence(body, before, via)
    walker.rounds -= 1
    return before


def loop(walker: Walker, node: Compound, state: State, via: tuple[str, ...]) -> State:
    """Once for each word of its list, when the list is known; else any number of times with an unknown variable."""
    words = [found for word in node.words for found in expand(word, state.variables, walker.home)]
    certain = bool(words) and len(words) <= MAX_ROUNDS and all(word.value is not None or word.pattern for word in words)
    if is_risky_variable(node.name):
        walker.gap(f"variable {node.name} is changed", node.span)
    after, first = state, len(walker.left)
    if not certain or node.kind != "for":
        inside = state.knowing("REPLY", None) if node.kind == "select" else state
        only = words[0] if len(words) == 1 and words[0].why.startswith("variable ") else None
        return repeated(walker, node, inside.knowing(node.name, only), via)
    walker.rounds += 1
    for word in words:
        for turn in range(1 if word.value is not None else MAX_REPEATS):  # a pattern may be any number of names
            before = after.knowing(node.name, None)
            lost = turn == MAX_REPEATS - 1
            inside = before.forgetting().somewhere() if lost else after.or_else(state)
            after = or_left(walker, walker.sequence(node.bodies[0], inside.knowing(node.name, word), via), first)
            after = after.or_else(inside if lost else before)
            if after.knowing(node.name, None) == before:
                break
    walker.rounds -= 1
    return after.knowing(node.name, None)


def or_left(walker: Walker, after: State, first: int) -> State:
    """What is known behind the body of a loop, which may also have been left anywhere since `first`."""
    for state in walker.left[first:]:
        after = after.or_else(state)
    return after
