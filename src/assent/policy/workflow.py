"""Which operations a mode lets through: the one place where modes are told apart. No enum, no import."""

from __future__ import annotations

from assent.record import assert_never

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Effect, Kind, Mode, Operation

READ_ONLY = frozenset({"read", "list", "search"})
MUTATIONS = frozenset({"write", "execute", "delete"})

OPERATIONS: dict[Kind, Operation] = {
    "read": "read",
    "list": "list",
    "search": "search",
    "write": "write",
    "delete": "delete",
    "run": "execute",
    "send": "execute",
    "call": "execute",
    "change": "execute",
}
"""Kinds that stand for an operation of SPEC; the others (`reach`, `spawn`, `note`) change nothing by themselves."""

KINDS: tuple[Kind, ...] = (*OPERATIONS, "reach", "spawn", "note")
STRICTNESS: dict[Mode, int] = {"full_auto": 0, "default": 1, "plan": 2}


def needs_approval(operation: Operation, mode: Mode) -> bool:
    """Whether a mode holds an operation back; in `plan` that means blocked."""
    match mode:
        case "full_auto":
            return False
        case "plan":
            return operation in MUTATIONS
        case "default":
            return operation not in READ_ONLY
        case _:
            assert_never(mode)


HELD_BACK: dict[Mode, frozenset[Kind]] = {
    mode: frozenset(kind for kind in KINDS if kind not in OPERATIONS or needs_approval(OPERATIONS[kind], mode))
    for mode in STRICTNESS
}
"""The kinds of effects that are no operation, or one that a mode holds back."""


def needs_permission(effect: Effect) -> bool:
    """Whether somebody must vouch for an effect: for all that is certain, and for any change or reach that may be."""
    return not effect.possible or (not effect.mentioned and effect.kind in HELD_BACK["default"])


def strictest(first: Mode, second: Mode) -> Mode:
    return first if STRICTNESS[first] >= STRICTNESS[second] else second
