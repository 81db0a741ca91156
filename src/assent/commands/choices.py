"""Which words of a call choose what it runs, with which settings and where, or make a command write that only reads.

A rule that ends in `:*` was written for the command it spells: it says nothing about these words.
"""

from __future__ import annotations

from assent.commands.args import LISTENERS
from assent.commands.facts import facts
from assent.commands.program import options_of
from assent.commands.table import program_named
from assent.record import record, replace
from assent.resolve import normalise
from assent.types import Choice, Effect, Gap, Url, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact, Option
    from assent.types import Call

CHANGES = frozenset({"write", "delete", "change", "send", "run", "call", "spawn"})
LOOKS = frozenset({"read", "list", "search"})
SEEN = LOOKS | {"write", "delete", "note"}
"""Kinds of effects that say by themselves what is touched."""
CODE = frozenset({"project", "script", "program"})
"""Codes of runs of something that is not the program itself."""

STARTING = frozenset({"run", "code", "shell", "script", "unknown", "choice"})
NAMING = frozenset({"read", "tree", "list", "search", "url", "host"})
"""Roles of values that decide what code does, if any runs."""
WRITTEN = frozenset({"write", "into", "delete", "wipe", "move"})

CHOOSING = frozenset(
    """prefix root directory dir require import shell exec command home settings server cluster context modfile overlay
    vettool extends preset presets classpath modulepath javaagent host proxy state inventory options app lib
    channel channels source sources index extraindex bootstrap globalsetup setupfiles setupfilesafterenv
    resolvepluginsrelativeto""".split()
)
"""Names of options, in small letters and without dashes, whose values choose code, settings, a folder or a machine."""
CHOOSING_ENDS = tuple(
    """config configs configuration rcfile initscript scriptshell workdir chdir cwd loader loaders plugin plugins
    toolexec executable interpreter launcher wrapper registry indexurl repositoryurl findlinks worktree nodeoptions
    toolchain preload sysroot kubecontext endpointurl overrideini file path dir folder""".split()
)
HARMLESS = tuple("exclude ignore skip omit pattern stdin output out log report coverage cache lock".split())
"""Parts of names that tell that a file or folder is only left out, or written."""
ACCOUNTS = frozenset("profile account subscription as asgroup impersonateserviceaccount".split())
"""Names of options that choose whose account is used, where nothing of the project runs."""
WIDENING = frozenset("global system user extdiff textconv privileged pyargs".split())
"""Flags with which a command works elsewhere than in the project, or starts what the repository names."""
DANGEROUS = "dangerously"
MOVING = ("-C", "-c")
"""Letters that mean another folder or other settings almost everywhere."""

PLAIN = frozenset({"", "text", "choice", "tree", "list", "into"})
HERE = (".", "./")
HARMLESS_FILES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})
BEGINS_A_PATH = ("./", "../", "/", "~")
CODE_ENDINGS = tuple(
    """.js .mjs .cjs .ts .mts .cts .py .rb .php .sh .json .jsonc .toml .yml .yaml .ini .cfg .xml .so .gradle .kts .mk
    .cmake .env .ex .exs .jl .lua .pl .pm .r .scm .hs .zig .just .nix .hcl .sql""".split()
)
LABELS = frozenset({"bazel", "bazelisk"})
"""Programs for which `//x` is no path."""
NEUTRAL = {**dict.fromkeys(("sed", "gsed"), "p"), **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), "1")}
"""Programs in a language of its own, of which one does nothing but show."""
QUIET_VARIABLES = frozenset("V Q VERBOSE DEBUG NDEBUG SILENT".split())
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")
MOST_WORDS = 200


@record
class Use:
    """One option as it is written: its places among the words, all its names, its role and its value."""

    places: tuple[int, ...]
    names: tuple[str, ...]
    role: str
    """As in the table; empty for a flag and for an option that no table has."""
    value: str | None
    """Of an option that no table has, only a path."""
    known: bool
    noted: bool
    """Whether the description of a program has read it as an option, known or not."""
    handed_on: bool
    """It goes to a program in a container or on another machine."""


def choices_of(call: Call, number: int, base: str, roots: tuple[str, ...]) -> tuple[Choice, ...]:
    """Every word that a rule must spell itself; `roots` are the folders of the project."""
    if len(call.words) < 2:
        return ()
    if len(call.words) > MOST_WORDS:
        return tuple([Choice(at) for at in range(1, len(call.words))])
    alone = replace(call, redirects=(), via=())
    stated, noted = _listened(alone, number, base)
    homes = _homes(call, roots)
    uses = tuple([use for use in _uses(alone, stated, noted) if not _is_here(use, homes)])
    found = _found(alone, number, base, stated, uses)
    outside = [Choice(at, outside=True) for at in _leaving(alone, stated, roots)]
    return (*[Choice(at) for at in sorted(found)], *outside)


def essential_words(call: Call, number: int, base: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The words that make a command the one it is: without options that change neither what is run nor how or where."""
    if len(call.words) < 2 or len(call.words) > MOST_WORDS:
        return tuple([word.value or word.text for word in call.words])
    alone = replace(call, redirects=(), via=())
    stated, noted = _listened(alone, number, base)
    runs, opaque, homes = _runs_code(stated), _is_opaque(stated), _homes(call, roots)
    dropped: set[int] = set()
    kept: set[int] = set()
    for use in _uses(alone, stated, noted):
        chooses = _chooses(use, runs=runs, opaque=opaque, described=True) and not _is_here(use, homes)
        plain = use.known and use.role in ("", "text") and not chooses
        (dropped if plain else kept).update(use.places)
    return tuple([word.value or word.text for at, word in enumerate(call.words) if at in kept or at not in dropped])


def _homes(call: Call, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The folders for which a rule was written."""
    return (*call.cwds, *roots) if len(call.cwds) == 1 else ()


def _found(call: Call, number: int, base: str, stated: list[Fact], uses: tuple[Use, ...]) -> set[int]:
    found: set[int] = set()
    runs, opaque = _runs_code(stated), _is_opaque(stated)
    described = program_named(_name(call)) is not None
    for use in uses:
        if _chooses(use, runs=runs, opaque=opaque, described=described):
            found.add(use.places[0])
    if runs:
        found |= {at for at, word in enumerate(call.words) if at and _sets_variable(word)} - _values(uses)
        found |= {1} if (call.words[1].value or "").startswith("+") else set()  # `cargo +nightly`
    found |= _adding(call, number, base, stated, uses)
    return found


def _values(uses: tuple[Use, ...]) -> set[int]:
    return {at for use in uses for at in use.places[1:]}


# --- reading the words ---------------------------------------------------------------------------------------------


def _listened(call: Call, number: int, base: str) -> tuple[list[Fact], dict[int, Args]]:
    """What a call does, and for each of its options who has read it, by the identity of the word."""
    heard: list[tuple[Args, Word]] = []
    LISTENERS.append(heard)
    try:
        stated = facts(call, number, base)
    finally:
        LISTENERS[:] = [other for other in LISTENERS if other is not heard]
    return stated, {id(word): args for args, word in heard}


def _uses(call: Call, stated: list[Fact], noted: dict[int, Args]) -> Iterator[Use]:
    touched = {fact.target for fact in stated if isinstance(fact, Effect) and fact.kind in SEEN and not fact.mentioned}
    runs, elsewhere = _runs_code(stated), any(map(_is_elsewhere, stated))
    words, at, behind = call.words, 1, False
    while at < len(words):
        text = words[at].value
        args = noted.get(id(words[at]))
        behind = behind or text == "--"
        if text is None or text[:1] != "-" or text in ("-", "--") or (behind and not runs):
            at += 1
            continue
        following = words[at + 1].value if at + 1 < len(words) else None
        options, value, takes_next = _options(args, text) if args is not None else ((), None, False)
        places = (at, at + 1) if takes_next and at + 1 < len(words) else (at,)
        if takes_next:
            value = following
        if not options:
            path = _path_behind(text, following, touched)
            yield Use(
                places,
                (text.partition("=")[0],),
                "",
                path,
                known=False,
                noted=args is not None,
                handed_on=args is None and elsewhere,
            )
        for option, names in options:
            yield Use(
                places, names, option.role if option.takes else "", value, known=True, noted=True, handed_on=False
            )
        at += len(places)


def _options(args: Args, text: str) -> tuple[tuple[tuple[Option, tuple[str, ...]], ...], str | None, bool]:
    """The options that a word stands for, with all their names; the value in it; whether the next word is the value."""
    table, style = options_of(args.program.options), args.program.style
    name, equals, value = text.partition("=")
    option = table.get(name) if not text[1:].isdigit() else table.get("-#")
    if option is not None and option.name == "-#":
        return ((option, ("-#",)),), text[1:], False
    long = text[1] == "-" or "single" in style
    if long and option is None and (text[1] == "-" or equals or "exact" in style):
        return (), None, False
    if long and option is not None:
        return ((option, _names(option, table)),), value if equals else None, option.takes == "=" and not equals
    found: list[tuple[Option, tuple[str, ...]]] = []
    for place in range(1, len(text)):
        option = table.get(f"-{text[place]}")
        if option is None:
            return ((), None, False) if text[place] not in "0123456789" else (tuple(found), None, False)
        found.append((option, _names(option, table)))
        if option.takes:
            rest = text[place + 1 :]
            return tuple(found), rest or None, option.takes == "=" and not rest
    return tuple(found), None, False


def _path_behind(text: str, following: str | None, touched: set[str]) -> str | None:
    """The path that stands in or behind an option of which nobody knows whether it takes a value."""
    _, equals, value = text.partition("=")
    if equals:
        return value if "/" in value or value.startswith((".", "~")) or value.endswith(CODE_ENDINGS) else None
    if following is None or following in touched:
        return None
    return following if following.startswith(BEGINS_A_PATH) or following.endswith(CODE_ENDINGS) else None


def _names(option: Option, table: dict[str, Option]) -> tuple[str, ...]:
    return tuple([name for name, other in table.items() if other is option])


# --- what the words mean -------------------------------------------------------------------------------------------


def _is_elsewhere(fact: Fact) -> bool:
    """Whether something runs in a container or on another machine."""
    return isinstance(fact, Effect) and fact.kind == "run" and (fact.target.endswith(")") or fact.code == "remote")


def _runs_code(stated: list[Fact]) -> bool:
    return any(
        isinstance(fact, Effect)
        and fact.kind == "run"
        and not (fact.possible or _is_elsewhere(fact))
        and fact.code in CODE
        for fact in stated
    )


def _is_opaque(stated: list[Fact]) -> bool:
    """Whether the effects do not say what is touched: something runs, or changes that is no file."""
    return any(
        isinstance(fact, Gap)
        or (fact.possible and fact.kind in CHANGES)
        or (fact.kind not in SEEN and not (fact.kind == "reach" and isinstance(fact.at, Url)))
        for fact in stated
    )


def _chooses(use: Use, *, runs: bool, opaque: bool, described: bool) -> bool:
    """Whether an option chooses what is run, with which settings and where."""
    if use.handed_on:
        return False
    if use.role in STARTING or (runs and use.role in NAMING):
        return True
    if not opaque or use.role in WRITTEN:
        return False
    if not use.known:
        return _may_choose(use, runs=runs) or (described and use.value is not None)
    if use.role:
        begins = runs and use.role == "text" and (use.value or "").startswith(BEGINS_A_PATH)
        return begins or any(_is_choosing(name, runs=runs) for name in use.names)
    return any(map(_is_widening, use.names))


def _may_choose(use: Use, *, runs: bool) -> bool:
    """The same for an option that no table has."""
    name = use.names[0]
    if name in MOVING or (use.noted and name.startswith("-D")):
        return True
    return _is_choosing(name, runs=runs) or _is_widening(name)


def _is_here(use: Use, homes: tuple[str, ...]) -> bool:
    """`pip install -e .`, `git -C /the/project`: the folder that the rule was written for."""
    value = (use.value or "").partition("[")[0]
    if not use.known or use.role not in PLAIN:
        return False
    return value in HERE or (value[:1] == "/" and normalise(value) in homes)


def _is_choosing(name: str, *, runs: bool) -> bool:
    plain = _plain(name)
    if plain in CHOOSING or (not runs and plain in ACCOUNTS):
        return True
    return plain.endswith(CHOOSING_ENDS) and not any(word in plain for word in HARMLESS)


def _is_widening(name: str) -> bool:
    plain = _plain(name)
    return plain in WIDENING or plain.startswith(DANGEROUS)


def _plain(name: str) -> str:
    return "".join([sign for sign in name.lower() if sign.isalnum()])


def _sets_variable(word: Word) -> bool:
    """`CC=./x` behind a program that runs what a file says: a variable of that file."""
    name, equals, value = (word.value or "").partition("=")
    if not equals or not name or value.startswith("=") or not NAME.issuperset(name.rstrip(":?+!")) or name[0].isdigit():
        return False
    return name not in QUIET_VARIABLES or not value.isalnum()


# --- what an option adds -------------------------------------------------------------------------------------------


def _adding(call: Call, number: int, base: str, stated: list[Fact], uses: tuple[Use, ...]) -> set[int]:
    """The options without which a call would be understood, reach nothing else, or only read."""
    places = {at for use in uses for at in use.places}
    plain = _without(call, number, base, places) if places else stated
    kinds = _minded(plain, stated)
    found: set[int] = set()
    missing = _notable(stated, kinds) - _notable(plain, kinds)
    for use in uses if missing else ():
        if not missing <= _notable(_without(call, number, base, set(use.places)), kinds):
            found.add(use.places[0])
    if missing and not found:
        found = {use.places[0] for use in uses}
    if kinds >= CHANGES:
        found |= {use.places[0] for use in uses if use.noted and not use.known}
    return found | _scripts(call, number, base, stated) | _written(call, number, base, stated, places)


def _written(call: Call, number: int, base: str, stated: list[Fact], options: set[int]) -> set[int]:
    """An operand that is written by a program which only reads its first one: `uniq a b`."""
    program = program_named(_name(call))
    operands = [at for at in range(1, len(call.words)) if at not in options]
    kinds = {(fact.kind, fact.target) for fact in stated if isinstance(fact, Effect) and not fact.deep}
    if program is None or program.commands or not operands or ("read", call.words[operands[0]].value) not in kinds:
        return set()
    found = {at for at in operands[1:] if ("write", call.words[at].value) in kinds}
    first = _without(call, number, base, {*options, *operands[1:]}) if found else ()
    return set() if any(map(_is_change, first)) else found


def _minded(plain: list[Fact], stated: list[Fact]) -> frozenset[str]:
    """The kinds of effects that an option must not add to what a command does without it.

    To one that only reads, no change at all; to any, none that sends or runs something for the first time; and to one
    that runs code, no further files to look at, which may be more of it.
    """
    if not any(map(_is_change, plain)):
        return CHANGES
    does = {fact.kind for fact in plain if isinstance(fact, Effect)}
    files = LOOKS if _runs_code(stated) else frozenset()
    return frozenset({"send", "run"} - does) | files


def _is_change(fact: Fact) -> bool:
    """Whether a fact keeps a command from being one that only reads."""
    return isinstance(fact, Gap) or (fact.kind in CHANGES and not fact.possible)


def _notable(stated: list[Fact], kinds: frozenset[str]) -> set[object]:
    """What an option must not add: doubts, other machines, and effects of these kinds."""
    found: set[object] = set()
    for fact in stated:
        if isinstance(fact, Gap):
            if not fact.option:
                found.add(fact.why)
            continue
        if isinstance(fact.at, Url):
            found.add(fact.at.host)
        if fact.kind in kinds and not fact.possible:
            found.add((fact.kind, fact.target))
    return found


def _without(call: Call, number: int, base: str, places: set[int]) -> list[Fact]:
    return facts(replace(call, words=tuple([w for at, w in enumerate(call.words) if at not in places])), number, base)


def _scripts(call: Call, number: int, base: str, stated: list[Fact]) -> set[int]:
    """The script of `sed` or `awk`, if it does more than show."""
    shows = NEUTRAL.get(_name(call))
    if shows is None or not any(_is_change(fact) for fact in stated):
        return set()
    found: set[int] = set()
    for at, word in enumerate(call.words):
        if at and word.value is not None and not word.value.startswith("-"):
            words = (*call.words[:at], Word(shows, shows), *call.words[at + 1 :])
            less = facts(replace(call, words=words), number, base)
            if not _notable(stated, CHANGES) <= _notable(less, CHANGES) and not _is_file(word, stated):
                found.add(at)
    return found


def _is_file(word: Word, stated: list[Fact]) -> bool:
    return any(isinstance(fact, Effect) and fact.target == word.value and fact.kind in SEEN for fact in stated)


# --- paths that lead out of the project ----------------------------------------------------------------------------


def _leaving(call: Call, stated: list[Fact], roots: tuple[str, ...]) -> Iterator[int]:
    """Words that spell a path outside the project, where the effects do not say what happens there."""
    runs, opaque = _runs_code(stated), _is_opaque(stated)
    labels = _name(call) in LABELS
    for at, word in enumerate(call.words):
        if not at or not opaque or word.value is None or " " in word.value or (labels and "//" in word.value):
            continue
        for piece in _pieces(word.value):
            climbs = ".." in piece.split("/")
            absolute = piece[:1] in ("/", "~")
            if (climbs or (absolute and runs)) and _is_outside(piece, call.cwds, roots):
                yield at
                break


def _pieces(value: str) -> Iterator[str]:
    """The texts in a word that may be paths: `--out=/x`, `-I../x`, `a:/b`."""
    if "://" in value:
        if value.partition("=")[2].startswith("file:") or value.startswith("file:"):
            yield value.partition("://")[2]
        return
    for piece in value.replace("=", ":").replace(",", ":").split(":"):
        yield piece.lstrip("@")
        if piece[:1] == "-" and "/" in piece and not piece.startswith("--"):
            yield piece[2:]
        elif piece[:1] == "-" and piece.endswith(".."):
            yield ".."


def _is_outside(path: str, cwds: tuple[str, ...], roots: tuple[str, ...]) -> bool:
    if path[0] == "~" or path in HARMLESS_FILES:
        return path[0] == "~"
    places = [path] if path[0] == "/" else [f"{cwd}/{path}" for cwd in cwds]
    return not places or any(not _is_in(normalise(place), roots) for place in places)


def _is_in(path: str, roots: tuple[str, ...]) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _name(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]
