"""Texts that one call prints and another takes for its commands: `echo 'drop table x' | psql`; no programs.

What such a text would do if it stood behind `<<<` is said in addition: good for finding danger only.
"""

from __future__ import annotations

from assent.commands.facts import facts
from assent.commands.inputs import input_text
from assent.commands.table import FED
from assent.record import replace
from assent.types import STOPS, Effect, Redirection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Call

PRINTING, HANDING_ON = ("echo", "printf"), ("cat", "tee")
COMMANDS = ("program", "inline")


def fed(calls: tuple[Call, ...], base: str) -> Iterator[Effect]:
    """What calls would do with the texts that others print for them; what can be undone is not certain."""
    for number, call in enumerate(calls, 1):
        name = (call.program or "").rpartition("/")[2]
        text = _printed(calls, call.reads_from) if name in FED else None
        if text is None:
            continue
        given = replace(call, redirects=(*call.redirects, Redirection("<<<", None, None, text)), reads_from=-1)
        for fact in facts(given, number, base):
            if isinstance(fact, Effect) and (fact.kind != "run" or fact.code in COMMANDS) and fact.kind != "note":
                yield fact if fact.code.endswith(STOPS) else replace(fact, possible=True, mentioned=True)


def _printed(calls: tuple[Call, ...], place: int) -> str | None:
    """The text that `echo`, `printf`, or `cat` with a heredoc prints, as far as it is known; `tee` hands it on."""
    if place < 0:
        return None
    call = calls[place]
    name, *words = [word.value for word in call.words] or [None]
    if name in HANDING_ON and (name == "tee" or not words):
        text = input_text(call)
        return _printed(calls, call.reads_from) if text is None else text
    if name not in PRINTING:
        return None
    while name == "echo" and words and words[0] in ("-n", "-e", "-ne", "-en", "-E"):
        words = words[1:]
    return " ".join(word or "" for word in words).replace("\\n", "\n") if words else None
