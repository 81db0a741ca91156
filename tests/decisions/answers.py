"""What is kept of a decision: the verdict and who decided, every effect and the kinds of gaps, but no message."""

from __future__ import annotations

import hashlib
import json
from functools import cache, lru_cache

from assent.cli.batch import policy_of
from assent.pipeline import examine
from assent.policy.compiled import Policy
from assent.testing import FrozenWorld
from assent.types import Effect, Gap, ToolCall
from corpus import OWN, PROJECT, world_of
from decisions.lines import Asked, asked

WORLD_KEYS = frozenset(("files", "links", "hard_links", "devices"))


def answer(one: Asked) -> str:
    """The decision on a call in one line."""
    row = one.row
    workspace = row.get("workspace", PROJECT)
    call = ToolCall(row["tool"], row["input"], cwd=row.get("cwd", PROJECT), workspace=workspace, at=1.0)
    world = world_of(row) if WORLD_KEYS.intersection(row) else _usual_world()
    policy = _policy(json.dumps(row.get("policy", {})))
    case, decision = examine(call, policy, world, OWN, suggest=False)
    effects = sorted({_effect(effect) for effect in case.effects}) if case is not None else ["no case"]
    gaps = sorted({_gap(gap) for gap in decision.gaps})
    return f"{decision.verdict} {decision.decided_by} | {' | '.join(effects)} | {' '.join(gaps)}"


@cache
def _usual_world() -> FrozenWorld:
    return world_of({})


@lru_cache(64)
def _policy(given: str) -> Policy:
    return policy_of(json.loads(given))


def _effect(effect: Effect) -> str:
    sure = "mentioned " if effect.mentioned else "maybe " if effect.possible else ""
    deep = f"/**{effect.only}" if effect.deep else ""
    return f"{sure}{effect.kind} {effect.target}{deep} {effect.code} {effect.call}".replace("\n", "\\n")


def _gap(gap: Gap) -> str:
    marks = {"blind": gap.blind, "reading": gap.reading, "vouchable": gap.vouchable, "unread": gap.unread}
    given = [name for name, is_so in marks.items() if is_so]
    return f"{gap.call}:{','.join([*given, gap.about, gap.option])}"


def digest(shard: str) -> str:
    """One short digest for all decisions of a shard."""
    total = hashlib.sha256()
    for one in asked(shard):
        total.update(f"{one.name}\t{answer(one)}\n".encode("utf-8", "surrogatepass"))
    return total.hexdigest()[:16]
