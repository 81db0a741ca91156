"""write-then-run: a file is written and run by the same command line.

**What it finds.** A file that one part of the command line writes and another part runs: by its name, through a shell
or an interpreter, or after `chmod +x`.

**Why.** What will run is decided by the command itself, so no earlier look at the file says anything about it, and an
allow rule for the interpreter would run whatever was just written.

**Instead.** Write the file first, then run it in a call of its own.
"""

from __future__ import annotations

from assent.checks.pipes import sources
from assent.globs import match_text
from assent.types import Finding, Place, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Effect, Seen

ID = "write-then-run"
RUNS = frozenset({"script", "project", "program", "stdin", "inline"})


def find(analysis: Seen) -> Iterator[Finding]:
    written = {name: effect.call for effect in analysis.effects for name in _written(effect)}
    trees = [(name, effect.call) for effect in analysis.effects if effect.deep for name in _written(effect)]
    if not written:
        return
    for effect in analysis.effects:
        if effect.kind == "run" and effect.code in RUNS:
            for name in _run_names(effect, analysis):
                inside = any(call != effect.call and name.startswith(f"{tree}/") for tree, call in trees)
                if inside or written.get(name, effect.call) != effect.call:
                    yield Finding(ID, Verdict.ASK, f"runs {effect.target}, which this command line writes")
                    return
            if any(call != effect.call and _defines(effect, name) for name, call in written.items()):
                yield Finding(ID, Verdict.ASK, f"runs {effect.target}, and this command line writes what defines it")
                return


def _defines(effect: Effect, path: str) -> bool:
    """Whether a file is called like one that defines a command: it may lie in another folder, above or below."""
    defined = (effect.arguments or {}).get("defined_by", ())
    name = path[path.rfind("/") + 1 :]
    return any(
        match_text(str(file)[str(file).rfind("/") + 1 :], name)
        for file in (defined if isinstance(defined, tuple) else ())
    )


def _written(effect: Effect) -> tuple[str, ...]:
    if effect.kind != "write" or effect.code == "mode" or not isinstance(effect.at, Place):
        return ()
    return effect.at.names


def _run_names(effect: Effect, analysis: Seen) -> Iterator[str]:
    """What a run names: its own file as the same call reads it, and the files that define it."""
    reading = {effect.call}
    if effect.code in ("stdin", "inline") and effect.call:
        reading |= sources(analysis, effect.call)
    for other in analysis.effects:
        if other.call in reading and other.kind == "read" and isinstance(other.at, Place):
            yield from other.at.names
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
