"""write-then-run: a file is written and run by the same command line.

**What it finds.** A file that one part of the command line writes and another part runs: by its name, through a shell
or an interpreter, or after `chmod +x`.

**Why.** What will run is decided by the command itself, so no earlier look at the file says anything about it, and an
allow rule for the interpreter would run whatever was just written.

**Instead.** Write the file first, then run it in a call of its own.
"""

from __future__ import annotations

from assent.checks.pipes import Flow
from assent.globs import match_text
from assent.types import SPELLED, Finding, Place, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Effect, Seen

ID = "write-then-run"
RUNS = frozenset({"script", "project", "program", "stdin", "inline"})


def find(analysis: Seen) -> Iterator[Finding]:
    written: dict[str, set[int]] = {}
    for effect in analysis.effects:
        for name in _written(effect):
            written.setdefault(name, set()).add(effect.call)
    if not written:
        return
    trees = {name: effect.call for effect in analysis.effects if effect.deep for name in _written(effect)}
    reads: dict[int, list[str]] = {}
    for effect in analysis.effects:
        if effect.kind == "read" and isinstance(effect.at, Place) and _may_be_script(effect):
            reads.setdefault(effect.call, []).extend(effect.at.names)
    flow, defining = Flow(analysis.calls), _Defining(written)
    for effect in analysis.effects:
        if effect.kind == "run" and effect.code in RUNS:
            for name in _run_names(effect, analysis, reads, flow):
                if not written.get(name, set()) <= {effect.call} or _is_inside(name, trees, effect.call):
                    yield Finding(ID, Verdict.ASK, f"runs {effect.target}, which this command line writes")
                    return
            if defining.calls(effect) - {effect.call}:
                yield Finding(ID, Verdict.ASK, f"runs {effect.target}, and this command line writes what defines it")
                return


def _is_inside(path: str, trees: dict[str, int], call: int) -> bool:
    """Whether a path lies in a tree that another call writes."""
    if not trees:
        return False
    *above, _itself = [path[:at] for at, sign in enumerate(path) if sign == "/"] or [""]
    return any(trees.get(folder, call) != call for folder in above)


class _Defining:
    """Which calls write a file that is called like one that defines a command: it may lie above or below."""

    def __init__(self, written: dict[str, set[int]]) -> None:
        self._names = {(path[path.rfind("/") + 1 :], call) for path, calls in written.items() for call in calls}
        self._known: dict[object, set[int]] = {}

    def calls(self, effect: Effect) -> set[int]:
        defined = (effect.arguments or {}).get("defined_by", ())
        if not isinstance(defined, tuple) or not defined:
            return set()
        if defined not in self._known:
            files = {str(file)[str(file).rfind("/") + 1 :] for file in defined}
            self._known[defined] = {call for name, call in self._names if any(match_text(file, name) for file in files)}
        return self._known[defined]


def _written(effect: Effect) -> tuple[str, ...]:
    if effect.kind != "write" or effect.code in ("mode", SPELLED) or not isinstance(effect.at, Place):
        return ()
    return effect.at.names


def _may_be_script(effect: Effect) -> bool:
    """Not a bare word of an unknown program: `frobnicate -input data.txt`."""
    return effect.code != SPELLED or "/" in effect.target


def _run_names(effect: Effect, analysis: Seen, reads: dict[int, list[str]], flow: Flow) -> Iterator[str]:
    """What a run names: its own file as the same call reads it, and the files that define it."""
    reading = {effect.call}
    if effect.code in ("stdin", "inline") and effect.call:
        reading |= flow.sources(effect.call)
    for number in sorted(reading):
        yield from reads.get(number, ())
    defined = (effect.arguments or {}).get("defined_by", ())
    folder = analysis.calls[effect.call - 1].cwds
    for path in (effect.target, *(defined if isinstance(defined, tuple) else ())):
        for cwd in folder:
            yield path if path.startswith("/") else f"{cwd.rstrip('/')}/{path.removeprefix('./')}"


COMMANDS = {
    "echo 1 > q.py; python3 < q.py": True,
    "echo 1 > q.py; cat q.py | python3": True,
    "echo 1 > q.txt; cat p.py | python3": False,
    "echo ls > x.sh; sh x.sh": True,
    "echo ls > x.sh && chmod +x x.sh && ./x.sh": True,
    "cp a x.py; python3 x.py": True,
    "echo x > sub/common.mk && make": True,
    "cd src; echo x > ../Makefile; make": True,
    "echo x > notes.txt && make": False,
    "echo ls > x.sh; cat x.sh": False,
    "sh x.sh > out.txt": False,
}
