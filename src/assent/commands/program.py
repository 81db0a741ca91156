"""How a family file describes a program: its options, what their values and its operands are, and what it always does.

Options are written the way a manual's synopsis does, one word for each option, spellings joined by commas:

    -a,--all          a flag
    -n,--lines=       needs a value, which is plain text
    -o,--output=write needs a value, which is a file it writes
    --color[=]        may have a value, attached with `=` (`-i[=]`: directly behind the letter)
    -#                any number, as in `head -5`

A role says what a value or an operand is; `ROLES` lists them.
"""

from __future__ import annotations

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeVar

    from assent.commands.args import Args
    from assent.types import Effect, Gap

    Fact = Effect | Gap
    More = Callable[[Args], Iterable[Fact]]
    Stating = TypeVar("Stating", bound=Callable[..., Iterable[Fact]])

ROLES = {
    "text": "nothing but text: a pattern, a number, a name",
    "read": "a file it reads; `-` is standard input",
    "tree": "a file or folder it reads with everything below",
    "list": "a file or folder whose name, type or size it shows, not its content",
    "search": "a file or folder it looks through for a pattern",
    "write": "a file it makes, changes or overwrites; `-` is standard output",
    "into": "a folder it writes any number of files into",
    "delete": "a file it removes",
    "wipe": "a file or folder it removes with everything below",
    "move": "a file or folder that has another name afterwards: read, and removed where it was",
    "key": "a key or login that it uses and shows nothing of",
    "url": "an address it talks to",
    "host": "a machine it talks to",
    "run": "a program it starts",
    "code": "source text that an interpreter runs",
    "shell": "a text that a shell runs",
    "script": "a file that an interpreter reads and runs",
    "choice": "a text that decides which code, settings, folder or account it uses",
    "unknown": "something that can do more than we know",
}


@record
class Program:
    """Facts about one program or subcommand. An option that is not listed is a gap, an operand too many as well."""

    options: str = ""
    operands: str = ""
    """Roles of the operands in order; the one with a `*` takes as many as are left, those with a `?` may be missing."""
    otherwise: str = ""
    """The operand it assumes when none is given, such as `.` for `ls`."""
    does: tuple[tuple[str, str, str], ...] = ()
    """What every run does, whatever its words: kind, target, code. A target that begins with `~` or `/` is a file."""
    commands: Mapping[str, Program] = {}
    """Subcommands; the first operand is one of them."""
    more: More | None = None
    """What depends on several words at once. INVARIANT: whatever it states without any option it states with every
    option, unless `turns_off` says otherwise; the engine adds what is missing."""
    style: str = ""
    """Any of `posix` (options end at the first operand), `single` (`-name value`), `exact` (`single` without clusters:
    an unknown `-report` is not `-r eport`), `plain` (no options at all), `bare` (without a subcommand it only prints
    help), `response` (`@file` anywhere is more words, from a file), `starts` (even `--help` runs code of the project),
    `streams` (`-` is standard output for it, where others would write a file of that name), `lists` (whatever it is
    told, it only shows that a path exists and where it leads: an unknown word is any path), `around` (a script around
    another program, which sorts the words in a way of its own: every word without a dash may be a file that it opens,
    whatever option stands before it)."""


NO_OPTIONS: frozenset[str] = frozenset()
REDUCTIONS: dict[object, tuple[frozenset[str], frozenset[str], frozenset[str]]] = {}
"""By function: options that turn something off which the bare command does, those of them that turn off all, and those
that choose what the program does."""


def turns_off(options: str, everything: str = "", modes: str = "") -> Callable[[Stating], Stating]:
    """Declares options, by their first spelling, with which a program does less than the bare command does.

    INVARIANT: the only way in which an option may reduce what is stated. Each is proven: by a run of the real program
    where tests can have one, else by its manual. Those in `everything` also turn off what other options add. Of `modes`
    the last one given wins, or nobody knows which: two of them turn nothing off (`xz -t -z` compresses).
    """

    def declare(more: Stating) -> Stating:
        whole = frozenset(everything.split())
        REDUCTIONS[more] = frozenset(options.split()) | whole, whole, frozenset(modes.split())
        return more

    return declare


def passes_on(more: Stating, *parts: object) -> Stating:
    """Declares that a function turns off what those do that it is made of."""
    known = [REDUCTIONS[part] for part in (more, *parts) if part in REDUCTIONS]
    if known:
        less, whole, modes = zip(*known, strict=True)
        REDUCTIONS[more] = NO_OPTIONS.union(*less), NO_OPTIONS.union(*whole), NO_OPTIONS.union(*modes)
    return more


def changes(code: str, target: str, *files: str) -> tuple[tuple[str, str, str], ...]:
    """A program that always changes something, and the files in which that is kept, if it is kept in files:
    `does=changes("pkg.login", "the login of cargo", "~/.cargo/credentials.toml")`."""
    return (("change", target, code), *(("write", file, "") for file in files))


@record
class Option:
    """One option: `takes` is `` for a flag, `=` for a value, `[=]` for an attached value that may be missing."""

    name: str
    takes: str
    role: str


TABLES: dict[str, dict[str, Option]] = {}
"""What has been read so far, for those who ask for every word."""
_ROLES: dict[str, tuple[tuple[str, ...], int]] = {}


def roles_of(operands: str) -> tuple[tuple[str, ...], int]:
    """The roles of operands in order, and the place of the one that takes as many as are left; read once."""
    found = _ROLES.get(operands)
    if found is None:
        roles = operands.split()
        star = next((at for at, role in enumerate(roles) if role.endswith("*")), len(roles))
        found = _ROLES[operands] = tuple(role.rstrip("*?") for role in roles), star
    return found


def options_of(text: str) -> dict[str, Option]:
    """The options of a synopsis by every spelling; read once."""
    table = TABLES.get(text)
    if table is None:
        table = {}
        for item in text.split():
            spellings, equals, role = item.partition("=")
            takes = ""
            if equals:
                optional = spellings.endswith("[")
                takes = "[=]" if optional else "="
                spellings, role = spellings.removesuffix("["), role.removeprefix("]")
            names = spellings.split(",")
            option = Option(names[0], takes, role or "text")
            for name in names:
                table[name] = option
        TABLES[text] = table
    return table
