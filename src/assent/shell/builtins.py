"""The shell's own commands that change what later words mean, or evaluate text that looks inert."""

from __future__ import annotations

from assent.harmless import VARIABLES
from assent.shell.state import is_risky_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call

CHANGES_SHELL = frozenset(
    """alias unalias hash enable shopt set trap source . exec export declare typeset local readonly mapfile readarray
    getopts bind complete compopt compgen pushd popd dirs suspend fc history let builtin coproc jobs""".split()
)
OF_THE_SHELL = CHANGES_SHELL | frozenset("read unset wait printf test [".split())
"""All commands that the two functions below have something to say about."""
PLAIN_SETTINGS = frozenset(
    """-e -u -x +e +u +x -eu -ex -ux -eux -euo -exo -euxo -o +o pipefail errexit nounset xtrace
    -C +C noclobber emacs vi""".split()
)
"""Settings that change neither the words of later commands nor what is run; `noclobber` only prevents writing."""
OFF_BY_DEFAULT = frozenset(
    """dotglob nullglob failglob globstar extglob nocaseglob nocasematch lastpipe expand_aliases autocd cdspell
    execfail huponexit xpg_echo""".split()
)
"""Options that this reading takes to be off, as they are in a new shell."""
RESERVED = frozenset("if then else elif fi case esac for select while until do done in function time coproc".split())
"""Words of the grammar: an alias of such a name would change how later lines are read."""
READ_FLAGS = "rse"
READ_VALUES = "dnNptui"


def changes_shell(call: Call) -> str:
    """Why later words may mean something else after this call, or why it evaluates data; empty if neither."""
    program = call.program or ""
    values = [word.value for word in call.words[1:]]
    if program in CHANGES_SHELL and not _means_the_same(program, values) and not _only_shows(program, values):
        return f"{program} changes the shell"
    if program == "wait":
        plain = all(word.text == "$!" or (word.value or "-").lstrip("%").isdigit() for word in call.words[1:])
        return "" if plain else "wait with something else than plain names"
    if program in ("read", "unset") and not _names_are_plain(program, values):
        return f"{program} with something else than plain names"
    if program == "printf" and _prints_into(call) is not None and not _is_name(_prints_into(call)):
        return "printf -v with something else than a plain name"
    if program in ("test", "[") and _tests_a_variable(values):
        return f"{program} -v evaluates its operand"
    return ""


def _means_the_same(program: str, values: list[str | None]) -> bool:
    """Forms of these commands after which every later word means what it meant before."""
    if program == "set":
        return all(value in PLAIN_SETTINGS for value in values)
    if program == "shopt":
        return values[:1] == ["-u"] and all(value in OFF_BY_DEFAULT for value in values[1:])
    if program == "history":
        return len(values) == 2 and values[0] in ("-r", "-n", "-w", "-a") and (values[1] or "-")[0] != "-"
    if program == "export":
        return bool(values) and all(_exports_plainly(value or "") for value in values)
    return program == "hash" and values[:1] == ["-t"]


def _exports_plainly(value: str) -> bool:
    """A setting for later programs that no program minds, as it may stand before any of them."""
    name, equals, _ = value.partition("=")
    return bool(equals) and name in VARIABLES and not is_risky_variable(name)


def starts_plainly(call: Call) -> bool:
    """Whether `exec` or `builtin` has no option of its own, and something to start."""
    return len(call.words) > 1 and (call.words[1].value or "-")[0] != "-"


def _only_shows(program: str, values: list[str | None]) -> bool:
    """Forms of these commands that print and change nothing."""
    if program in ("alias", "hash", "jobs", "dirs", "history"):
        return not values or (program == "jobs" and all(value in ("-l", "-p", "-r", "-s") for value in values))
    if program == "compgen":
        return len(values) == 1 and values[0] in ("-k", "-b", "-a", "-c")
    shows = ("-p",) if program in ("shopt", "declare", "typeset") else ("-l", "-lr", "-r") if program == "fc" else ()
    first, rest = values[:1], values[1:]
    return bool(first) and first[0] in shows and all(_is_name(value) or value in shows for value in rest)


def names_read(call: Call) -> list[str]:
    """The variables a call sets to something unknown."""
    values = [word.value for word in call.words[1:]]
    if call.program == "read":
        return [value for value in _operands(values) if value is not None] or ["REPLY"]
    if call.program == "unset":
        return [value for value in values if value and not value.startswith("-")]
    if call.program == "export":
        return [(value or "").partition("=")[0] for value in values]
    into = _prints_into(call) if call.program == "printf" else None
    return [into] if into else []


def _prints_into(call: Call) -> str | None:
    """The variable that `printf -v name` sets, empty when that is not known, None when it only prints."""
    if len(call.words) < 2:
        return None
    first, following = call.words[1], call.words[2:3]
    if first.value is None:
        begins = first.text.lstrip("\"'")[:1]
        return None if begins.isalnum() or (begins in ("%", "\\", " ", "[", "=") and not first.many) else ""
    if first.value == "-v":
        return (following[0].value or "") if following else ""
    return first.value[2:] if first.value.startswith("-v") else None


def _names_are_plain(program: str, values: list[str | None]) -> bool:
    if program == "unset":
        return all(value in ("-v", "-f") or _is_name(value) for value in values)
    return all(_is_name(value) for value in _operands(values))


def _operands(values: list[str | None]) -> list[str | None]:
    """What is left of the arguments of `read` without its options and their values; an unknown option is left, too."""
    found: list[str | None] = []
    skip = False
    for value in values:
        if skip:
            skip = False
        elif value is not None and value.startswith("-"):
            letters = value[1:].lstrip(READ_FLAGS)
            skip = len(letters) == 1 and letters in READ_VALUES
            if (letters and letters[0] not in READ_VALUES) or len(value) == 1 or found:
                found.append(value)
        else:
            found.append(value)
    return found


def line_read(call: Call) -> str:
    """The variable in which `read` keeps a whole line of what feeds it; empty when it does anything else."""
    values = [word.value for word in call.words[1:]]
    if call.program != "read" or call.redirects or any(name != "IFS" or word.value for name, word in call.assignments):
        return ""
    if values[:1] == ["-r"] or values[:1] == ["-rd"]:
        values = values[1:] if values[0] == "-r" else ["-d", *values[1:]]
    if values[:2] == ["-d", ""]:
        values = values[2:]
    return values[0] or "" if len(values) == 1 and _is_name(values[0]) else ""


def aliases_of(call: Call) -> tuple[str, ...]:
    """The names that `alias name=text …` defines, if that is all it does."""
    values = [word.value for word in call.words[1:]]
    if call.program != "alias" or None in values:
        return ()
    pairs = [(value or "").partition("=") for value in values]
    plain = all(equals and name not in RESERVED and _names_an_alias(name) for name, equals, _ in pairs)
    return tuple(name for name, _, _ in pairs) if plain else ()


def _names_an_alias(name: str) -> bool:
    return name[:1].isalnum() and all(sign.isalnum() or sign in "._-+" for sign in name)


def activated_by(call: Call) -> str:
    """The folder whose programs `source FOLDER/bin/activate` puts in front of all others; empty for other scripts.

    Only below the folder of the shell: an environment elsewhere is not the project's.
    """
    file = call.words[1].value or "" if len(call.words) == 2 and call.program in (".", "source") else ""
    folder, slash, name = file.rpartition("/")
    here = not file.startswith(("/", "~")) or all(file.startswith(f"{cwd.rstrip('/')}/") for cwd in call.cwds)
    known = slash and name == "activate" and folder.rpartition("/")[2] in ("bin", "Scripts")
    return folder if known and here and ".." not in file.split("/") else ""


def _tests_a_variable(values: list[str | None]) -> bool:
    """`[ -v name ]` evaluates subscripts in the name."""
    if None in values and any("[" in (value or "")[1:] for value in values):
        return True
    follows = [values[at + 1] if at + 1 < len(values) else None for at, value in enumerate(values) if value == "-v"]
    return any(not _is_name(operand) for operand in follows)


def _is_name(text: str | None) -> bool:
    return text is not None and text.isascii() and text.isidentifier()
