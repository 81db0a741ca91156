"""Which parts of a command line hear from which: through pipes, substitutions and files in between."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call, Seen

INTERPRETERS = frozenset(
    """sh bash zsh dash ksh fish python python2 python3 node nodejs deno bun ruby perl php lua Rscript osascript
    pwsh powershell tclsh julia awk gawk source . eval xargs parallel ssh sudo""".split()
)

WRITTEN_TO = ">( )"
"""How the way to a call names a part of a line that reads what another writes to a file."""


def sources(analysis: Seen, number: int, *, around: bool = False) -> set[int]:
    """The numbers of all calls whose output may reach a call: by pipe, or from inside its own words.

    With `around` also what it starts, which writes where it does, and what starts it or stands around it, which has the
    same input.
    """
    calls = analysis.calls
    found: set[int] = set()
    todo = [number]
    while todo:
        here = todo.pop()
        for other in _direct(calls, here, around=around):
            if other not in found:
                found.add(other)
                todo.append(other)
        if around:
            found.update(opened_around(calls, here))
    return found


def _direct(calls: tuple[Call, ...], number: int, *, around: bool) -> list[int]:
    call = calls[number - 1]
    found = list(range(call.reads_from + 2 - call.feeders, call.reads_from + 2)) if call.reads_from >= 0 else []
    written = call.via.count(WRITTEN_TO)
    for place in range(*call.inner):
        if calls[place].via.count(WRITTEN_TO) == written:
            found.append(place + 1)
    if written:
        found += [place for place, outer in enumerate(calls, 1) if outer.words and _holds(outer, number)]
    if around:
        inside = (*call.via, call.program)
        end = number
        while end < len(calls) and calls[end].via[: len(inside)] == inside:
            end += 1
            found.append(end)
        found += started_by(calls, number)
    return found


def opened_around(calls: tuple[Call, ...], number: int) -> list[int]:
    """What opens files for a whole group of calls, this one among them: `(a; b) < c`."""
    return [place for place, outer in enumerate(calls, 1) if not outer.words and _holds(outer, number)]


def _holds(outer: Call, number: int) -> bool:
    return outer.inner[0] <= number - 1 < outer.inner[1]


def started_by(calls: tuple[Call, ...], number: int) -> list[int]:
    """The wrappers and shells that start a call, one inside the other: `sudo env python3`."""
    found: list[int] = []
    call = calls[number - 1]
    for place in range(number - 1, 0, -1):
        outer = calls[place - 1]
        if call.via and outer.via == call.via[:-1] and outer.program == call.via[-1]:
            found.append(place)
            call = outer
    return found


def name_of(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]


def interprets(call: Call) -> bool:
    """Whether a program would run what it is given as code."""
    return _is_interpreter(name_of(call)) or takes_a_script(call)


def _is_interpreter(name: str) -> bool:
    return name in INTERPRETERS or (name.startswith("python") and name[6:].replace(".", "").isdigit())


def takes_a_script(call: Call) -> bool:
    """Whether a program reads its script from the pipe: `sed -f -`."""
    values = [word.value for word in call.words]
    return name_of(call) in ("sed", "gsed", "awk", "gawk", "mawk", "nawk") and (
        "-f-" in values or "--file=-" in values or any(values[at : at + 2] == ["-f", "-"] for at in range(len(values)))
    )


def reading_code(analysis: Seen) -> set[int]:
    """The numbers of calls that run what they read, or start what probably does: `valgrind bash`."""
    return {
        effect.call
        for effect in analysis.effects
        if effect.kind == "run"
        and (
            effect.code == "stdin"
            or (effect.code == "wrapped" and _is_interpreter(effect.target.split(" ", 1)[0].rpartition("/")[2]))
        )
    }
