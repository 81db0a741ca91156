"""Variables set for one program: those nobody minds, and those that may change what the program does."""

from __future__ import annotations

from assent.commands.args import Args
from assent.commands.program import Program
from assent.commands.table import ignores_variables
from assent.harmless import VARIABLES
from assent.protected import on_the_floor
from assent.types import Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.program import Fact
    from assent.types import Call, Kind, Word

UNKNOWN = Program()
OPENS: tuple[Kind, ...] = ("read", "write")
MOST_PATHS = 50

ALSO_HARMLESS = frozenset(
    """LC_COLLATE LC_MESSAGES LC_NUMERIC LC_MONETARY COLUMNS LINES CLICOLOR CLICOLOR_FORCE PYTHONHASHSEED CI
    DEBIAN_FRONTEND""".split()
)
RISKY_PIECES = tuple(
    """PATH HOME PRELOAD LIBRARY OPT CONFIG PAGER EDIT COMMAND CMD SHELL PROXY HOST URL HOOK PROGRAM HELPER ASKPASS
    FLAGS ARGS INIT RSH EXEC DIR TMP FILE ENV IFS LESS MORE BROWSER DEBUG TRACE MALLOC LOAD MODULE PLUGIN DEFAULT
    STARTUP RC USER KEY TOKEN SECRET CERT SSL GIT_ LD_ DYLD BASH POSIXLY PS4 PROMPT GCONV LOCPATH NLSPATH TERMINFO
    TERMCAP RESOLV GETCONF GETTEXT GMON COLUMN_ POSIX LIB LIST PERL PYTHON RUBY NODE JAVA""".split()
)


USED_BY = {
    "KUBECONFIG": ("/.kube/config", ("kubectl", "helm", "oc", "flux", "stern", "istioctl", "k9s")),
    "AWS_CONFIG_FILE": ("/.aws/config", ("aws",)),
    "AWS_SHARED_CREDENTIALS_FILE": ("/.aws/credentials", ("aws",)),
    "GNUPGHOME": ("/.gnupg", ("gpg", "gpg2")),
}
"""Variables that name a login, where it usually lies, and the programs that show none of it but where they say so."""
PAGERS_OFF = ("", "cat")
SAFE_VALUES = {"GIT_OPTIONAL_LOCKS": ("0", "1"), "GIT_TERMINAL_PROMPT": ("0", "1")}


def variable_facts(call: Call, number: int, program: str, base: str) -> Iterator[Fact]:
    """One gap for each variable that may change what a program does, and what it may make it open or start."""
    for name, value in call.assignments:
        if (name == "IFS" and program == "read") or is_safe_value(name, value.value):
            continue
        if not is_harmless(name) and not (ignores_variables(program) and is_neutral(name)):
            yield Gap(f"sets the variable {name}", call=number, span=call.span)
            if not _is_usual(name, value.value, program):
                yield from _told(value, call, number, base)


def _is_usual(name: str, value: str | None, program: str) -> bool:
    """Whether a program is told to use the login that it uses anyway: `KUBECONFIG=~/.kube/config kubectl get pods`."""
    usual, programs = USED_BY.get(name, ("", ()))
    return value is not None and program in programs and value.endswith(usual) and ":" not in value


def _told(value: Word, call: Call, number: int, base: str) -> Iterator[Effect]:
    """A command, as in `GIT_EDITOR='vi -e'`, or paths, as in `GIT_TRACE=/tmp/log`: nobody knows which."""
    text = value.value if value.value is not None else value.text
    if " " in text:
        yield Effect("run", text, possible=True, code="program", call=number, span=call.span, mentioned=True)
    if value.value is not None or on_the_floor(text):
        args = Args(call, number, base, call.program or "", UNKNOWN)
        for piece in text.split(":")[:MOST_PATHS]:
            for path in args.places(piece) if "/" in piece or piece[:1] == "." else ():
                for kind in OPENS:
                    yield Effect(kind, path, possible=True, call=number, span=call.span, mentioned=True)


def is_harmless(name: str) -> bool:
    return name in VARIABLES or name in ALSO_HARMLESS


def is_safe_value(name: str, value: str | None) -> bool:
    """A setting that starts no program and asks nobody: no pager, no question on the terminal, a width."""
    if value is None:
        return False
    if name.endswith("PAGER"):
        return value in PAGERS_OFF
    return value in SAFE_VALUES.get(name, ()) or (name == "MANWIDTH" and value.isascii() and value.isdigit())


def is_neutral(name: str) -> bool:
    """A name of nobody's that simple programs do not look at."""
    upper = name.upper()
    return not any(piece in upper for piece in RISKY_PIECES)
