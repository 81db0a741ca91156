"""Every program a text could start, in order. A plain command line is one call; `follow` reads all others."""

from __future__ import annotations

from assent.record import record
from assent.shell.plain import FOLLOWED, plain_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call, Gap

SHELLS = frozenset("bash sh dash ksh zsh".split())


@record
class Calls:
    """What a text could start, and what is not understood about that."""

    calls: tuple[Call, ...] = ()
    gaps: tuple[Gap, ...] = ()


def calls_of(text: str, cwd: str = "", home: str = "", shell: str = "bash") -> Calls:
    """Read a text and follow it. A refused text has no calls and one blind gap that names the construct."""
    plain = plain_call(text, (cwd,) if cwd else ()) if shell == "bash" else None
    if plain is not None:
        name = plain.words[0].text
        if name[name.rfind("/") + 1 :] not in FOLLOWED:
            return Calls((plain,))
    from assent.shell.follow import followed

    return followed(text, plain, cwd, home, shell)
