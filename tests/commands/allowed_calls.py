"""Calls made from the tables that would be allowed without a question, and what became of them when they really ran."""

from __future__ import annotations

import random
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assent.pipeline import examine
from assent.policy.compiled import Policy
from assent.testing import FrozenWorld
from assent.types import SPELLED, Effect, ToolCall
from commands.agreement import unexplained
from commands.invocations import HEAVY, NEVER_RUN, SHELL_OWN, Invocation, is_cut_off
from commands.sandboxed import Run, Sandbox
from commands.scratch import HOME, PROJECT, SECRET
from commands.table_calls import Argv, Node, declared_calls, nodes, random_call, text_calls
from commands.traces import events

FOLDERS = ("usr/sbin", "usr/bin", "sbin", "bin")
"""Of the system; what stands elsewhere may be anybody's program of the same name."""
PART = 400
"""So many calls are judged and run at a time."""


class Wrong(NamedTuple):
    """Something that an allowed call did and never said."""

    argv: Argv
    what: str


def installed(root: str) -> list[str]:
    """Programs of the tables that a system has, other than those whose run would say nothing."""
    places = ":".join(f"{root.rstrip('/')}/{folder}" for folder in FOLDERS)
    names = dict.fromkeys(node.path[0] for node in nodes() if len(node.path) == 1)
    left_out = NEVER_RUN | SHELL_OWN
    return [name for name in names if name not in left_out and shutil.which(name, path=places)]


def world_of(template: Path) -> FrozenWorld:
    """The home that programs find in the sandbox, as our pipeline sees it."""
    files = {
        f"{HOME}/{file.relative_to(template)}": file.read_bytes().decode("latin-1")
        for file in template.rglob("*")
        if file.is_file()
    }
    empty = {f"{HOME}/{folder.relative_to(template)}/": "" for folder in template.rglob("*") if folder.is_dir()}
    return FrozenWorld(files | empty, HOME)


def chance_of(node: Node, seed: int) -> random.Random:
    """Chance of its own for each program and subcommand: its calls do not depend on what else is installed."""
    return random.Random(f"{seed} {' '.join(node.path)}")


def calls_of(found: Sequence[Node], seed: int, each: int) -> Iterator[Argv]:
    """So many calls of each node, no two the same."""
    seen: set[Argv] = set()
    for node in found:
        chance = chance_of(node, seed)
        for _ in range(each):
            argv = random_call(node, chance)
            if argv not in seen and not is_cut_off(argv):
                seen.add(argv)
                yield argv


def allowed(calls: Iterable[Argv], policy: Policy, world: FrozenWorld) -> Iterator[Invocation]:
    """Those that a policy lets pass, with everything that is stated about them."""
    for argv in calls:
        call = ToolCall("Bash", {"command": shlex.join(argv)}, cwd=PROJECT, workspace=PROJECT)
        case, decision = examine(call, policy, world, suggest=False)
        if case is not None and decision.allowed:
            stated = tuple(effect for effect in case.effects if not effect.mentioned or _is_another_name(effect))
            yield Invocation(argv, stated, tuple(other.program or "" for other in case.calls[1:]))


def _is_another_name(effect: Effect) -> bool:
    """Whether a description states it, as what a copy or a backup may be called; words alone state nothing."""
    return effect.kind in ("write", "delete") and effect.code != SPELLED


def wrong(todo: Sequence[Invocation], runs: Sequence[Run]) -> Iterator[Wrong]:
    """What was done and not stated, and secrets that were printed."""
    for one, run in zip(todo, runs, strict=True):
        for event in unexplained(one, events(run.trace, PROJECT)):
            yield Wrong(one.argv, f"{event.kind} {event.target}")
        if SECRET in run.output:
            at = run.output.index(SECRET)
            yield Wrong(one.argv, f"prints {run.output[at : at + 20]!r}")


def tried_declared(
    sandbox: Sandbox, policy: Policy, seed: int, programs: Sequence[str], workers: int
) -> tuple[int, list[Wrong]]:
    """How many allowed calls ran with an option that is declared to turn something off, and what was wrong."""
    made = {argv for node in nodes(programs) for argv in declared_calls(node, chance_of(node, seed))}
    return _tried_all(sandbox, policy, made, workers)


def tried_texts(sandbox: Sandbox, policy: Policy, programs: Sequence[str], workers: int) -> tuple[int, list[Wrong]]:
    """The same for allowed calls in which a name of a file is the value of an option that is said to be text."""
    light = [name for name in programs if name not in HEAVY]
    return _tried_all(sandbox, policy, {argv for node in nodes(light) for argv in text_calls(node)}, workers)


def _tried_all(sandbox: Sandbox, policy: Policy, made: set[Argv], workers: int) -> tuple[int, list[Wrong]]:
    calls = sorted(argv for argv in made if not is_cut_off(argv))
    todo = list(allowed(calls, policy, world_of(sandbox.template)))
    return len(todo), _tried(sandbox, todo, workers, 2.0)


def tried(
    sandbox: Sandbox, policy: Policy, seed: int, each: int, programs: Sequence[str], workers: int
) -> Iterator[tuple[int, list[Wrong]]]:
    """Part by part: how many allowed calls ran, and what was wrong with them."""
    world = world_of(sandbox.template)
    heavy = [name for name in programs if name in HEAVY]
    for names, seconds in (([name for name in programs if name not in heavy], 2.0), (heavy, 8.0)):
        waiting: list[Invocation] = []
        calls = calls_of(list(nodes(names)), seed, each if names is not heavy else max(1, each // 10))
        for one in allowed(calls, policy, world):
            waiting.append(one)
            if len(waiting) == PART:
                yield len(waiting), _tried(sandbox, waiting, workers, seconds)
                waiting = []
        if waiting:
            yield len(waiting), _tried(sandbox, waiting, workers, seconds)


def _tried(sandbox: Sandbox, todo: Sequence[Invocation], workers: int, seconds: float) -> list[Wrong]:
    return list(wrong(todo, sandbox.runs([one.argv for one in todo], workers, seconds)))
