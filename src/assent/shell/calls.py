"""Every program a text could start, in order. A plain command line is one call; `follow` reads all others."""

from __future__ import annotations

from assent.record import maker, once, record
from assent.shell.plain import FOLLOWED, plain_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.budget import Budget
    from assent.shell.plain import Plain
    from assent.types import Call, Gap

SHELLS = frozenset("bash sh dash ksh zsh".split())
FIND_STARTS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


@record
class Calls:
    """What a text could start, and what is not understood about that."""

    calls: tuple[Call, ...] = ()
    gaps: tuple[Gap, ...] = ()


new_calls = maker(Calls)


def calls_of(text: str, cwd: str = "", home: str = "", shell: str = "bash", budget: Budget | None = None) -> Calls:
    """Read a text and follow it. A refused text has no calls and one blind gap that names the construct."""
    plain = plain_calls(text, (cwd,) if cwd else (), home) if shell == "bash" else None
    if plain is not None and len(plain) == 1:
        call = plain[0][0]
        name = call.words[0].text
        if "/" in name:
            name = name[name.rfind("/") + 1 :]
        if name not in FOLLOWED or (name == "find" and not _starts_others(call)):
            return new_calls((call,))
    elif plain is not None:
        for call, _operator in plain:
            name = call.words[0].text
            name = name[name.rfind("/") + 1 :]
            if name in FOLLOWED and (name != "find" or _starts_others(call)):
                break
        else:
            return new_calls(tuple([call for call, _operator in plain]))
    if budget is None:
        from assent.budget import Budget

        budget = Budget()
    return _follow()(text, plain, cwd, home, shell, budget)


@once
def _follow() -> Callable[[str, Plain | None, str, str, str, Budget], Calls]:
    from assent.shell.follow import followed

    return followed


def _starts_others(call: Call) -> bool:
    """Whether `find` runs programs on what it finds; most of the time it only looks."""
    return not FIND_STARTS.isdisjoint([word.value for word in call.words])
