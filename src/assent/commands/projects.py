"""Sentences that build tools, test runners and package managers share; describes no program itself."""

from __future__ import annotations

from assent.commands.program import passes_on, turns_off
from assent.commands.reductions import only_asks as only_asks
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact, Program
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]


def both(*parts: More) -> More:
    """All of several sentences."""

    def more(args: Args) -> Iterator[Fact]:
        for part in parts:
            yield from part(args)

    return passes_on(more, *parts)


def unless(option: str, part: More) -> More:
    """A sentence that does not hold when an option, named by its first spelling, is given."""

    def more(args: Args) -> Iterator[Fact]:
        if not args.has(option):
            yield from part(args)

    return passes_on(turns_off(option)(more), part)


def when(option: str, part: More) -> More:
    """A sentence that holds only when an option is given."""

    def more(args: Args) -> Iterator[Fact]:
        if args.has(option):
            yield from part(args)

    return passes_on(more, part)


PLAIN_ROLES = ("text", "choice")
NAMES_A_FILE = frozenset({"read", "tree", "list", "search", "script"})
"""Roles of options whose values may say what runs."""


CODE_ENDINGS = tuple(".js .mjs .cjs .ts .mts .cts .py .rb .php .json .jsonc .toml .yml .yaml .ini .cfg .xml".split())


def chosen(args: Args, *besides: str) -> Iterator[str]:
    """Files that options name, those before a subcommand too; `besides` are options whose values have no role.

    Text that is written like a file counts as well: a reporter or a formatter may be one of the project's.
    """
    from assent.commands.program import options_of

    at: Args | None = args
    while at is not None:
        table = options_of(at.program.options)
        for name, words in at.given.items():
            role = table[name].role if name in table else ""
            for word in words:
                value, last = word.value or "", (word.value or "").rpartition("=")[2]
                if name in besides or role in NAMES_A_FILE:
                    yield from (value,) if value else ()
                elif role in PLAIN_ROLES and (last.endswith(CODE_ENDINGS) or last.startswith(("./", "../", "/"))):
                    yield last
        at = at.parent


def within(folder: str | None, files: Iterable[str]) -> tuple[str, ...]:
    """The same names in another folder; `.` and nothing stand for the one it runs in."""
    if not folder or folder in (".", "./"):
        return tuple(files)
    return tuple(file if file.startswith("/") else f"{folder.rstrip('/')}/{file}" for file in files)


def defined(
    args: Args, target: str, files: Iterable[str], config: str = "", folder: str = "", named: Iterable[str] = ()
) -> Iterator[Fact]:
    """Runs what `files` define, where the option `folder` moves them, `named` files and those that options name.

    `config` is an option whose value has no role, but is such a file.
    """
    for word in args.values(config):
        yield from args.file("read", word)
    for word in args.values(folder):
        if word.value is None:
            yield args.gap(f"the folder it works in is not known ({word.why})", blind=True)
    moved = args.text(folder) if folder else None
    options = (file for file in chosen(args, config) if file != moved)
    yield from args.project(target, tuple(dict.fromkeys((*options, *named, *within(moved, files)))))


def each(stem: str, endings: str = "js mjs cjs ts mts cts") -> tuple[str, ...]:
    """The names of a file of settings that may be written in several languages: `vite.config.js`, `vite.config.ts`."""
    return tuple(f"{stem}.{ending}" for ending in endings.split())


def unmarked(args: Args, target: str) -> Iterator[Fact]:
    """Runs code of the project, and the words do not say which files define it: a person is asked every time."""
    yield args.effect("run", target, "program")


def including(words: tuple[str, ...], facts: Iterable[Fact]) -> Iterator[Fact]:
    """The same commands of the project; one of `words` in a file that defines them brings in further files."""
    from assent.record import replace

    for fact in facts:
        if words and isinstance(fact, Effect) and fact.code == "project":
            yield replace(fact, arguments={**(fact.arguments or {}), "includes": words})
        else:
            yield fact


def runs(*files: str, config: str = "", folder: str = "") -> More:
    """Runs what these files define; `config` is the option that names another one, `folder` one that moves there."""

    def more(args: Args) -> Iterator[Fact]:
        if not only_asks(args):
            yield from defined(args, args.name, files, config, folder)

    return more


def runs_in(*files: str, config: str = "") -> More:
    """Like `runs`, and an operand may be the folder of the project: `vite build web`."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        moved = [file for word in args.operands if word.value for file in within(word.value, files)]
        yield from defined(args, args.name, files, config, named=moved)

    return more


def runs_named(*files: str, config: str = "", folder: str = "") -> More:
    """Like `runs`, and the operands are files with code of the project: `pytest tests/test_a.py::test_b`.

    What lies in the folders of these, or above them, counts as well.
    """

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        named: list[str] = []
        for word in args.operands:
            path = (word.value or "").partition("::")[0]
            if word.value is None:
                yield from args.file("read", word, deep=True)
            elif path:
                is_file = _names_file(path)
                named += [path] if is_file else []
                named += within(path.rpartition("/")[0] if is_file else path, files)
                yield from args.file("read", Word(path, path), deep=not is_file)
        yield from defined(args, args.name, files, config, folder, named)

    return more


def runs_target(*files: str, config: str = "", folder: str = "", includes: tuple[str, ...] = ()) -> More:
    """Like `runs`, and the operands name what to run: `rake db:migrate`."""

    def more(args: Args) -> Iterator[Fact]:
        if only_asks(args):
            return
        for word in args.operands:
            if word.value is None:
                yield args.gap(f"what it runs is not known ({word.why})", blind=True)
        target = " ".join([args.name, *(word.text for word in args.operands)])
        yield from including(includes, defined(args, target, files, config, folder))

    return more


def runs_words(*files: str, includes: tuple[str, ...] = ()) -> More:
    """Like `runs_target` for a program without a table of options: each word that may be a file counts as well."""

    def more(args: Args) -> Iterator[Fact]:
        for word in args.operands:
            if word.value is None:
                yield args.gap(f"what it runs is not known ({word.why})", blind=True)
        values = [(word.value or "").rpartition("=")[2] for word in args.operands]
        paths = [value for value in values if ("." in value or "/" in value) and "//" not in value]
        target = " ".join([args.name, *(word.text for word in args.operands)])
        yield from including(includes, args.project(target, tuple(dict.fromkeys((*paths, *files)))))

    return more


TAKES_CODE = {
    "rails": ("runner r", "", "ruby"),
    "manage.py": ("shell", "-c --command", "python3"),
    "console": ("tinker", "--execute", "php"),
    "artisan": ("tinker", "--execute", "php"),
    "mix": ("run eval", "-e --eval --expr", "elixir"),
}
"""Commands of projects that are given source text: the subcommand, the options before it, and its language."""


def code_given(args: Args, name: str, words: list[Word]) -> Iterator[Fact]:
    """Source text among the words of a project's own command: `rails runner CODE`, `manage.py shell -c CODE`."""
    commands, options, language = TAKES_CODE.get(name, ("", "", ""))
    values = [word.value or "" for word in words]
    if not values or values[0] not in commands.split():
        return
    named = options.split()
    for at, word in enumerate(words[1:], 1):
        option, equals, rest = values[at].partition("=")
        if equals and option in named:
            yield _code(args, rest, f"{language} in {name}")
            continue
        bare = not named and values[at][:1] != "-" and not values[at].endswith(".rb")
        if values[at - 1] in named or (values[0] == "eval" and at == 1) or bare:
            yield _code(args, word.value, f"{language} in {name}")


def _code(args: Args, text: str | None, language: str) -> Effect:
    source = {"source": text, "language": language}
    shown = f"{language} code"
    return Effect("run", shown, code="inline", call=args.number, span=args.call.span, arguments=source)


DATABASE_GONE = ("drop", "reset", "purge", "setup", "truncate", "schema:load", "replant")


def changes_database(args: Args) -> Iterator[Fact]:
    """`rails db:drop`, `rake db:drop` and their kin change the database, some without a way back."""
    for word in args.operands:
        name = word.value or ""
        if name.startswith("db:"):
            gone = any(piece in name for piece in DATABASE_GONE)
            yield args.effect("change", "the database", "db.drop" if gone else "db.change")


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


HERE = Word(".", ".")


def packs(args: Args, folder: Word = HERE) -> Iterator[Fact]:
    """Packs, uploads or serves a folder: all that lies below leaves it under another name.

    INVARIANT: every packer and every server of files says so here, whether or not its words name the folder.
    """
    yield from args.file("read", folder, deep=True)


def packs_here(args: Args) -> Iterator[Fact]:
    """Packs the folder that it runs in."""
    if not only_asks(args):
        yield from packs(args)


def wipes(*names: str) -> More:
    """Removes these files or folders with everything below."""

    def more(args: Args) -> Iterator[Fact]:
        for name in names:
            yield from args.act("wipe", Word(name, name))

    return more


def _names_file(path: str) -> bool:
    """Whether a path looks like a file of code: `src/app.py`, but not `src`, `.` or `..`."""
    return "." in path.rpartition("/")[2].strip(".")


def files_below(args: Args, kind: Kind, only: str, otherwise: str, code: str = "") -> Iterator[Fact]:
    """Each operand, and of a folder the files that match `only`."""
    for word in args.operands or ([Word(otherwise, otherwise)] if otherwise else []):
        if word.value is None or word.value.strip("./"):
            yield from args.file(kind, word)
        if word.value is not None and not _names_file(word.value):
            yield from args.file(kind, word, deep=True, only=only, code=code, follows="files" if code else None)


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
        yield from defined(args, args.name, files)
        yield from inner(args, args.operands)

    return more


def undescribed(args: Args) -> Iterator[Fact]:
    """All that is stated of a program which nobody described, for one of which only a part is described."""
    from assent.commands.facts import unknown

    yield args.effect("run", spelled((Word(args.name, args.name), *args.operands))[:200], "program")
    for fact in unknown(args.call, args.number, args.name, args.base):
        if isinstance(fact, Effect) and (fact.kind, fact.target) != ("run", args.name):
            yield fact


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

    return passes_on(more, otherwise)


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
