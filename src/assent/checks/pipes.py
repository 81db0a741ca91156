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


class Flow:
    """Who hears from whom in a line; what was worked out once is kept. Calls are named by number, counted from 1."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        self.calls = calls
        self._heard: dict[tuple[int, bool], set[int]] = {}
        self._starters: list[int] | None = None
        self._around: tuple[list[list[int]], list[list[int]]] | None = None

    def sources(self, number: int, *, around: bool = False) -> set[int]:
        """The numbers of all calls whose output may reach a call: by pipe, or from inside its own words.

        With `around` also what it starts, which writes where it does, and what starts it or stands around it, which has
        the same input.
        """
        found = self._heard.get((number, around))
        if found is None:
            found = self._heard[number, around] = set()
            todo = [number]
            while todo:
                here = todo.pop()
                for other in self._direct(here, around=around):
                    if other not in found:
                        found.add(other)
                        todo.append(other)
                if around:
                    found.update(self.opened_around(here))
        return found

    def _direct(self, number: int, *, around: bool) -> list[int]:
        calls = self.calls
        call = calls[number - 1]
        found = list(range(call.reads_from + 2 - call.feeders, call.reads_from + 2)) if call.reads_from >= 0 else []
        written = call.via.count(WRITTEN_TO)
        for place in range(*call.inner):
            if calls[place].via.count(WRITTEN_TO) == written:
                found.append(place + 1)
        if written:
            found += self._holders()[1][number]
        if around:
            inside = (*call.via, call.program)
            end = number
            while end < len(calls) and calls[end].via[: len(inside)] == inside:
                end += 1
                found.append(end)
            found += self.started_by(number)
        return found

    def opened_around(self, number: int) -> list[int]:
        """What opens files for a whole group of calls, this one among them: `(a; b) < c`."""
        return self._holders()[0][number]

    def _holders(self) -> tuple[list[list[int]], list[list[int]]]:
        """For each call those that hold it: without words of their own, and with some."""
        if self._around is None:
            without: list[list[int]] = [[] for _ in range(len(self.calls) + 1)]
            within: list[list[int]] = [[] for _ in range(len(self.calls) + 1)]
            for number, outer in enumerate(self.calls, 1):
                for place in range(*outer.inner):
                    (within if outer.words else without)[place + 1].append(number)
            self._around = without, within
        return self._around

    def started_by(self, number: int) -> list[int]:
        """The wrappers and shells that start a call, one inside the other: `sudo env python3`."""
        if self._starters is None:
            last: dict[tuple[tuple[str, ...], str | None], int] = {}
            self._starters = [0]
            for at, call in enumerate(self.calls, 1):
                self._starters.append(last.get((call.via[:-1], call.via[-1]), 0) if call.via else 0)
                last[call.via, call.program] = at
        found: list[int] = []
        while number := self._starters[number]:
            found.append(number)
        return found


def name_of(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]


def interprets(call: Call) -> bool:
    """Whether a program would run what it is given as code."""
    return _is_interpreter(name_of(call)) or takes_a_script(call)


LANGUAGES = ("python", "pypy", "node", "perl", "ruby", "php", "lua")


def takes_data(analysis: Seen, number: int) -> bool:
    """Whether an interpreter was given all of its code, and that is proven: then what it reads is data.

    `curl … | python3 -c 'import json, sys; print(json.load(sys.stdin))'`
    """
    call = analysis.calls[number - 1]
    if not name_of(call).startswith(LANGUAGES) or any(word.value is None for word in call.words):
        return False
    return not any(one.call == number and one.kind == "run" and not one.possible for one in analysis.effects)


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
