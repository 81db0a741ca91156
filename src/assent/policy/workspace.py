"""The preset `workspace`: what agents may change inside the project without a question, and what they still may not."""

from __future__ import annotations

from assent.policy.case import is_within
from assent.types import FROM_FILE, INLINE, REWRITTEN, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.types import Effect

NAMED_BY_THE_COMMAND = frozenset({"mode", "copied", "move", REWRITTEN})
"""Codes of changes to a whole tree in which every name is known before the command runs."""


TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")  # noqa: S108 - names to compare with


def strays(effect: Effect, case: Case) -> bool:
    """Whether code that was read as a whole does more than look, and change files of the project or temporary ones."""
    given = effect.arguments or {}
    if not (INLINE in given or FROM_FILE in given) or effect.kind in ("note", "list"):
        return False
    if effect.kind not in ("read", "search", "write", "delete") or not isinstance(effect.at, Place):
        return True
    roots = (*(case.projects or (case.call.cwd,)), *TEMPORARY)
    return not all(any(is_within(name, root) for root in roots) for name in effect.at.names)


def is_free(effect: Effect, case: Case) -> bool:
    """A write, rename or delete of the project's own files; never git's, and no names that only an archive knows."""
    if effect.kind not in ("write", "delete") or not isinstance(effect.at, Place) or effect.at.trouble:
        return False
    if not all(any(is_within(name, root) for root in case.projects) for name in effect.at.names):
        return False
    below = [
        name[len(root.rstrip("/")) :] for name in effect.at.names for root in case.projects if is_within(name, root)
    ]
    if any("/.git/" in f"{path}/".casefold() for path in below):
        return False
    return not (effect.kind == "write" and effect.deep and effect.code not in NAMED_BY_THE_COMMAND)


def is_granted(effect: Effect, case: Case) -> bool:
    """A command of the project that a person allowed, while the files that define it are the same as then.

    Not where another part of the line writes a whole tree: that may change them first.
    """
    mark = (effect.arguments or {}).get("fingerprint")
    if effect.code != "project" or not isinstance(mark, str) or mark not in case.grants:
        return False
    return not any(other.kind == "write" and other.deep and other.call != effect.call for other in case.effects)
