"""unresolved-delete: everything below a folder is removed, and which folder is not known.

**What it finds.** `rm -r` and its kin with a word that is only known when the command runs: a variable, the output of
another command, names read from a pipe.

Not where a search hands over folders of a certain name: `find . -name __pycache__ | xargs rm -rf`.

**Why.** `rm -rf "$DIR/"` removes the whole disk when `DIR` is empty. It is the classic accident, and no allow rule and
no mode should let it happen unseen.

**Instead.** Write the folder down.
"""

from __future__ import annotations

from assent.checks import REMOVERS
from assent.globs import is_narrow
from assent.types import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call, Seen

ID = "unresolved-delete"
HANDED = frozenset(("{}", "'{}'", '"{}"', "…"))
"""How a word is written for which `find` or `xargs` puts names."""


def find(analysis: Seen) -> list[Finding]:
    found: list[Finding] = []
    removed: dict[int, bool] | None = None
    for number, call in enumerate(analysis.calls, 1):
        name = call.words[0].value if call.words else None
        if name is None or name[name.rfind("/") + 1 :] not in REMOVERS or not _goes_deep(call):
            continue
        unknown = [word.text for word in call.words[1:] if word.value is None and not word.pattern]
        if unknown and HANDED.issuperset(unknown):
            removed = _removed(analysis) if removed is None else removed
            unknown = [] if removed.get(number) else unknown
        if unknown:
            text = " ".join(word.text for word in call.words)
            found.append(Finding(ID, Verdict.ASK, f"removes everything below a folder that is not known: {text}"))
    return found


def _removed(analysis: Seen) -> dict[int, bool]:
    """For each call that removes something, whether all of that has a name that the command says."""
    found: dict[int, bool] = {}
    for effect in analysis.effects:
        if effect.kind == "delete":
            found[effect.call] = found.get(effect.call, True) and is_narrow(effect.only)
    return found


def _goes_deep(call: Call) -> bool:
    options = [word.value or "" for word in call.words[1:]]
    return any(
        option == "--recursive" or (option[:1] == "-" != option[1:2] and ("r" in option or "R" in option))
        for option in options
    )


COMMANDS = {
    "rm -rf $DIR": True,
    'rm -rf "$DIR/build"': True,
    "rm -rf $(cat list)": True,
    "find . | xargs rm -r": True,
    "find . -name '*' | xargs rm -r": True,
    "find . -name '*e*' | xargs rm -r": True,
    "find . -name '*[a-z]*' | xargs rm -r": True,
    "find . -name __pycache__ | xargs rm -r": False,
    "find . -name __pycache__ | xargs rm -r src $DIR": True,
    "find . -name __pycache__ -exec rm -rf {} $DIR +": True,
    "rm -rf build": False,
    "rm $FILE": False,
    "DIR=build; rm -rf $DIR": False,
}
