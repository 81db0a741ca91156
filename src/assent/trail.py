"""What the parts of a command line do before the one that is looked at: their located effects, and links they make."""

from __future__ import annotations

from assent.budget import LOCATING
from assent.resolve import ancestors
from assent.types import SPELLED, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.budget import Budget
    from assent.types import Effect

    Calls = tuple[int, ...]

IGNORE_NAMES = (".gitignore", ".ignore", ".rgignore", "info/exclude")
LINK_STEPS = 4
NOBODY: Calls = ()
SISTERS = 2
"""So many equal links of different calls are kept: for each call there is one of another."""


class Trail:
    """Grows with every effect that is located. Which calls write, run or change something is seen at once."""

    __slots__ = (
        *("_by_name", "_changing", "_changing_git", "_ignoring", "_known", "_making", "_running", "_touching"),
        *("_writing", "budget", "effects", "links", "writes"),
    )

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.effects: list[Effect] = []
        self.writes: list[Effect] = []
        self.links: list[Effect] = []
        self._by_name: dict[str, list[Effect]] = {}
        self._known: dict[tuple[tuple[str, ...], object], int] = {}
        self._writing = self._touching = self._running = self._changing = NOBODY
        self._changing_git = self._making = self._ignoring = NOBODY

    def add(self, effect: Effect) -> None:
        kind, call, code = effect.kind, effect.call, effect.code
        self.effects.append(effect)
        if code == SPELLED:
            return
        if kind in ("write", "delete"):
            self._touching = _with(self._touching, call)
            names = (effect.target, *(effect.at.names if isinstance(effect.at, Place) else ()))
            if effect.deep or code == "copied" or any(name.endswith(IGNORE_NAMES) for name in names):
                self._ignoring = _with(self._ignoring, call)
        if kind == "write":
            self.writes.append(effect)
            self._writing = _with(self._writing, call)
            if (effect.deep or code == "extracted") and code != "copied":
                self._making = _with(self._making, call)
        elif kind == "run":
            self._running = _with(self._running, call)
        elif kind == "change":
            self._changing = _with(self._changing, call)
            if code.startswith("git."):
                self._changing_git = _with(self._changing_git, call)

    # --- what other calls have done --------------------------------------------------------------------------------

    def wrote(self, effect: Effect) -> bool:
        """Whether another part writes anything: most lines only look."""
        return _others(self._writing, effect)

    def touched(self, effect: Effect) -> bool:
        """Whether another part writes or removes anything, so that a file may be a folder by now."""
        return _others(self._touching, effect)

    def changed(self, effect: Effect) -> bool:
        """Whether another part writes, runs or changes anything."""
        return _others(self._writing, effect) or _others(self._running, effect) or _others(self._changing, effect)

    def changed_git(self, effect: Effect) -> bool:
        """Whether another part changes something about a repository."""
        return _others(self._changing_git, effect)

    def changes_anything(self) -> bool:
        """Whether any part changes what is no file."""
        return bool(self._changing)

    def made_anything(self, effect: Effect) -> bool:
        """Whether another part may have made files of any name: it runs something, or unpacks an archive."""
        return (
            _others(self._running, effect)
            or _others(self._changing, effect)
            or (bool(self._making) and _others(self._making, effect))
        )

    def touched_ignores(self, effect: Effect) -> bool:
        """Whether another part may have changed a file that says what is ignored."""
        return _others(self._ignoring, effect)

    # --- links -----------------------------------------------------------------------------------------------------

    def add_links(self, links: Iterable[Effect]) -> None:
        """Remember links; those that lead from the same names to the same place once for each call."""
        for link in links:
            if not isinstance(link.at, Place):
                continue
            key = link.at.names, (link.arguments or {}).get("from", ())
            if self._known.get(key, 0) == SISTERS or not self.budget.take(LINK_STEPS, LOCATING):
                continue
            self._known[key] = self._known.get(key, 0) + 1
            self.links.append(link)
            for name in link.at.names:
                self._by_name.setdefault(name, []).append(link)

    def links_above(self, names: tuple[str, ...]) -> Iterator[tuple[Effect, str]]:
        """Every link that one of the names is, or leads through, with what stands behind it."""
        for name in names if self.links else ():
            if not self.budget.take(name.count("/") // LINK_STEPS, LOCATING):
                return
            for above in ancestors(name):
                for link in self._by_name.get(above, ()):
                    yield link, name[len(above) :]

    def links_below(self, folder: str) -> Iterator[tuple[Effect, str]]:
        """Every link in a folder, or that is it, with its name."""
        if not self.budget.take(len(self._by_name) // LINK_STEPS, LOCATING):
            return
        inside = folder.rstrip("/") + "/"
        for name, links in self._by_name.items():
            if name.startswith(inside) or name == folder:
                yield from ((link, name) for link in links)


def _with(calls: Calls, call: int) -> Calls:
    """Calls of which the last two that were not the same are kept: for each call there is one of another."""
    return calls if call in calls else (*calls[-1:], call)


def _others(calls: Calls, effect: Effect) -> bool:
    return bool(calls) and (len(calls) > 1 or effect.call not in calls)
