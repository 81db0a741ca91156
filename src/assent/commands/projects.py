"""Sentences that build tools, test runners and package managers share; describes no program itself."""

from __future__ import annotations

from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact, Program
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]

QUESTIONS = ("--version", "--help", "-version", "-help")


def only_asks(args: Args) -> bool:
    """Whether nothing is given but options that have `--version` or `--help` as another spelling.

    INVARIANT: decided by the table, since `-v` is the version here and verbose there.
    """
    from assent.commands.program import options_of

    if "starts" in args.program.style:
        return False
    table = options_of(args.program.options)
    asking = {table[name].name for name in QUESTIONS if name in table}
    return bool(args.given) and not args.operands and asking.issuperset(args.given)


def both(*parts: More) -> More:
    """All of several sentences."""

    def more(args: Args) -> Iterator[Fact]:
        for part in parts:
            yield from part(args)

    return more


def unless(option: str, part: More) -> More:
    """A sentence that does not hold when an option, named by its first spelling, is given."""

    def more(args: Args) -> Iterator[Fact]:
        if not args.has(option):
            yield from part(args)

    return more


def when(option: str, part: More) -> More:
    """A sentence that holds only when an option is given."""

    def more(args: Args) -> Iterator[Fact]:
        if args.has(option):
            yield from part(args)

    return more


def runs(*files: str, config: str = "", folder: str = "") -> More:
    """Runs what these files define; `config` is the option that names another one, `folder` one that moves there."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        named = tuple(word.value for word in args.values(config) if word.value)
        for word in args.values(config):
            yield from args.file("read", word)
        moved = args.text(folder) if folder else None
        defined = tuple(f"{moved.rstrip('/')}/{file}" for file in files) if moved else files
        yield from args.project(args.name, named + defined)

    return more


def runs_named(*files: str) -> More:
    """Like `runs`, and the operands are files with code of the project: `pytest tests/test_a.py::test_b`."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        named: list[str] = []
        for word in args.operands:
            path = (word.value or "").partition("::")[0]
            if word.value is None:
                yield from args.file("read", word, deep=True)
            elif path:
                named.append(path)
                yield from args.file("read", Word(path, path), deep=not _names_file(path))
        yield from args.project(args.name, (*named, *files))

    return more


def runs_target(*files: str) -> More:
    """Like `runs`, and the operands name what to run: `rake db:migrate`."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        for word in args.operands:
            if word.value is None:
                yield args.gap(f"what it runs is not known ({word.why})", blind=True)
        yield from args.project(" ".join([args.name, *(word.text for word in args.operands)]), files)

    return more


def reaches(*urls: str) -> More:
    """Talks to these addresses."""

    def more(args: Args) -> Iterator[Fact]:
        for url in urls:
            yield from args.reach(url)

    return more


def sends(*urls: str) -> More:
    """Hands data to these addresses, or changes something there."""

    def more(args: Args) -> Iterator[Fact]:
        for url in urls:
            yield from args.reach(url, kind="send")

    return more


def makes(*names: str) -> More:
    """Writes these files; a name that ends in a slash is a folder it fills, one with a star a pattern."""

    def more(args: Args) -> Iterator[Fact]:
        for name in names:
            role, path = ("into", name[:-1]) if name.endswith("/") else ("write", name)
            yield from args.act(role, Word(path, None, "names of files", path) if "*" in path else Word(path, path))

    return more


def wipes(*names: str) -> More:
    """Removes these files or folders with everything below."""

    def more(args: Args) -> Iterator[Fact]:
        for name in names:
            yield from args.act("wipe", Word(name, name))

    return more


def _names_file(path: str) -> bool:
    """Whether a path looks like a file of code: `src/app.py`, but not `src`, `.` or `..`."""
    return "." in path.rpartition("/")[2].strip(".")


def files_below(args: Args, kind: Kind, only: str, otherwise: str) -> Iterator[Fact]:
    """Each operand, and of a folder the files that match `only`."""
    for word in args.operands or ([Word(otherwise, otherwise)] if otherwise else []):
        if word.value is None or word.value.strip("./"):
            yield from args.file(kind, word)
        if word.value is not None and not _names_file(word.value):
            yield from args.file(kind, word, deep=True, only=only)


def sources(only: str, otherwise: str = "") -> More:
    """Reads each operand, and of a folder the files that match `only`."""

    def more(args: Args) -> Iterator[Fact]:
        yield from files_below(args, "read", only, otherwise)

    return more


def rewrites(only: str, otherwise: str = "") -> More:
    """Like `sources`, and writes the same files."""

    def more(args: Args) -> Iterator[Fact]:
        yield from files_below(args, "read", only, otherwise)
        yield from files_below(args, "write", only, otherwise)

    return more


def perhaps(fact: Fact) -> Fact:
    """A fact that may hold."""
    from assent.record import replace

    return replace(fact, possible=True) if isinstance(fact, Effect) else fact


def spelled(words: Iterable[Word]) -> str:
    """A command as it is written, for rules that name what a launcher starts."""
    return " ".join(word.text for word in words)


def wraps(*files: str) -> More:
    """Prepares the project, then runs the command that its words are: `uv run pytest -q`."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        yield from args.project(args.name, files)
        yield from inner(args, args.operands)

    return more


STARTERS = ("wrappers", "launchers", "find", "ssh")
"""Families of programs that start others: the shell's analysis follows those only where it sees them itself."""


def inner(args: Args, words: list[Word]) -> Iterator[Fact]:
    """What the command that these words are would do."""
    from assent.commands.facts import described
    from assent.commands.table import FAMILIES, program_named

    if not words:
        yield args.gap("what it runs is not said")
        return
    name = words[0].value
    yield args.effect("run", spelled(words), "program")
    if name is None:
        yield args.gap(f"what it runs is not known ({words[0].why})", blind=True)
        return
    program = program_named(name)
    if any(name in FAMILIES.get(family, "").split() for family in STARTERS):
        yield args.gap(f"what {name} starts is not followed here", blind=True)
    elif program is None:
        if "/" in name or name.endswith(".py"):
            yield from args.act("script", words[0])
        yield args.gap(f"{name} is not a program we know")
    else:
        yield from described(program, name, args.call, args.number, args.base, tuple(words[1:]))


def choices(table: Mapping[str, Program], otherwise: More) -> More:
    """The first operand is a subcommand; a word that is none of them names a script of the project."""

    def more(args: Args) -> Iterator[Fact]:
        from assent.commands.facts import described

        name = args.operands[0].value if args.operands else None
        program = table.get(name or "")
        if name is None or program is None:
            yield from otherwise(args)
            return
        words = tuple(args.operands[1:])
        yield from described(program, f"{args.name} {name}", args.call, args.number, args.base, words, args)

    return more


def cut_apart(words: list[Word], letters: str) -> tuple[Word, ...]:
    """Words in which `-DNAME=VALUE` became `-D` and `NAME=VALUE`, for tables in the style `single`."""
    cut: list[Word] = []
    for word in words:
        text = word.value
        if text is not None and len(text) > 2 and text[0] == "-" and text[1] in letters:
            cut += [Word(text[:2], text[:2]), Word(text[2:], text[2:])]
        else:
            cut.append(word)
    return tuple(cut)
