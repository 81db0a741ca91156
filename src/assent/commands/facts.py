"""From the calls of a shell text to their effects and gaps: finds each program's description and applies it."""

from __future__ import annotations

from assent.budget import STATING, Budget
from assent.commands.args import HARMLESS_FILES, LISTENERS, Args
from assent.commands.program import Program, options_of, roles_of
from assent.commands.table import FED, OBEYS_PROJECT, TRUSTED_FOLDERS, program_named
from assent.protected import FLOOR, OWN, SECRET, STARTED, is_own, is_plain_folder, is_plain_name, marks, on_the_floor
from assent.record import maker, once, replace
from assent.resolve import normalise
from assent.types import ACTIVE, ARGUMENT, CODE_RUNS, LINE, SPELLED, STOPS, WORDS, Call, Effect, Gap, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.commands.found import Doubt, Searches
    from assent.commands.program import Fact
    from assent.types import Follows, Kind, Span

    States = Callable[[Call, int, str], Iterator[Fact]]
    WithNames = Callable[[Call, int, Searches], tuple[Call, list[Doubt]]]
    WithLines = Callable[[Call, Searches], tuple[Call, list[Doubt]]]
    RunsWithout = Callable[[Call, int, Searches], bool]

UNKNOWN = Program()
new_effect, new_gap = maker(Effect), maker(Gap)
MAX_WORDS = 200
CALL_STEPS, FACT_STEPS = 4, 6
MOST_CLOSED, FEW_FACTS = 100, 3
MOST_MEANINGS = 20
STARTABLE = frozenset(
    """sh bash zsh dash python python3 node perl ruby php sudo env xargs touch rm mv cp dd tee chmod chown curl wget nc
    ssh scp rsync git kill shred truncate mkfs terraform tofu kubectl helm docker aws gcloud az gh npm pnpm yarn cargo
    psql mysql dropdb redis-cli""".split()
)
"""Behind a program that nobody knows, one of these names is a command that it probably starts."""
NAME_SIGNS = str.maketrans(dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."))
PATH_SIGNS = {**NAME_SIGNS, ord("/"): None}
"""What plain names, and plain paths, are made of: there is one way to read those."""
NO_LINKS: Follows = ""
TAKES_IN = ("read", "search", "write", "delete")
ENDINGS = "=,:@"
SPLITTING = frozenset(" \t\n*?[")
DOTS = frozenset({".", ".."})
PROTECTED = FLOOR | OWN | SECRET | STARTED
"""Marks of paths that count wherever they are named by something that runs code."""
LAUNCHERS = ("ssh-agent",)
"""Programs with a description that start whatever stands behind their options."""
STARTS_ALONE = frozenset("sh bash zsh dash python python3 node perl ruby php sudo".split())
DETOURS, SYSTEMS, LONGEST_SHELL = ("//", "/proc/"), ("/bin", "/usr", "/sbin", "/opt"), 5
OTHER_SHELLS = frozenset("fish csh tcsh ash mksh rbash yash elvish nu pwsh powershell xonsh rc es oil osh".split())
BUILTINS = frozenset(
    """: . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo
    enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf
    pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit
    umask unalias unset wait""".split()
)
"""What bash runs itself instead of looking for a program."""
LOOKED_UP = ("names.bare", "names.tracked")
"""Codes of effects for which a folder or an index is read, only to see what could be wrong with names."""
OURS = "assent"
"""Wherever it lies: whatever an agent calls so may be the one that guards it."""
COMPLETIONS = (
    *("install-completion", "install-autocomplete", "autocomplete-install", "completion-install"),
    *("completions-install", "setup-completion"),
)
"""Words, joined and without dashes before them, that make a program write into startup files."""
DISTRIBUTIONS = frozenset((OURS, f"{OURS}-guard"))
PACKAGES = ("pkg.install", "pkg.remove")
INSTALLERS = ("pip", "easy_install", "conda", "pixi", "rye")
"""How programs begin that nobody described and that install packages of Python: `pip3.12`."""
PACKAGE_VERBS = frozenset(
    "install uninstall remove rm un purge autoremove upgrade reinstall inject uninject erase del".split()
)
TELLING, FOLLOWED_SHELLS = STARTABLE | {OURS}, frozenset("bash sh dash ksh zsh".split())
BARE = str.maketrans({**dict.fromkeys("\"'\\$"), **dict.fromkeys("`()[]{},;|&<>=/!", " ")})
APART = str.maketrans(dict.fromkeys("\"'`()[]{},;", " "))
NEARBY = ("metadata", "link-local", "private")
ADDRESS_SIGNS = frozenset("0123456789[")
OUTWARD = frozenset(("reach", "send", "change", "run"))
"""Kinds of effects of programs that may go to an address they are given."""
KEEPS_ADDRESSES = frozenset(("remote", "config", "submodule"))
"""Subcommands of git that keep where it goes later."""
"""What addresses of machines begin with; the names under which keys are handed out hold `data`."""
ASKS_ABOUT_ITSELF = ("--help", "--version")


def facts_of(calls: tuple[Call, ...], base: str, budget: Budget | None = None) -> tuple[list[Effect], list[Gap]]:
    """What all calls of a text do, each numbered from 1; `base` is the folder the tool call runs in.

    INVARIANT: past the budget closed paths are still stated.
    """
    effects: list[Effect] = []
    gaps: list[Gap] = []
    searches: Searches | None = None
    budget, number = budget or Budget(), 0
    for given in calls:
        call = given
        number += 1
        if (call.via or call.reads_from >= 0) and _may_be_found(call):
            searches = searches or _finders()[0](calls)
            call, named = _with_found(given, number - 1, base, searches)
            effects += named
        stated = facts(call, number, base)
        if not budget.take(CALL_STEPS + FACT_STEPS * len(stated), STATING):
            stated = _affordable(stated, budget)
        for fact in stated:
            if isinstance(fact, Gap):
                gaps.append(fact)
            else:
                effects.append(fact)
    if number > 1 or (calls and calls[0].redirects):
        _add_together(calls, base, effects, gaps)
    return effects, gaps


def _add_together(calls: tuple[Call, ...], base: str, effects: list[Effect], gaps: list[Gap]) -> None:
    """What several calls, or redirects, do together."""
    redirected = sets = printed = False
    for call in calls:
        if call.reads_from >= 0 and (call.program or "").rpartition("/")[2] in FED:
            printed = True
        if call.redirects:
            redirected = True
        if call.words and call.words[0].value == "set":
            sets = True
    if redirected:
        gaps += _redirects()[1](calls)
    if sets and len(calls) > 1:
        from assent.commands.shown import traced

        effects += traced(calls)
    if printed:
        from assent.commands.fed import fed

        effects += fed(calls, base)


def _affordable(stated: list[Fact], budget: Budget) -> list[Fact]:
    """Of more facts than the budget has steps for, the first ones, and the first few closed paths among the others."""
    most = budget.left(STATING) // FACT_STEPS
    budget.take(FACT_STEPS * most, STATING)
    most = max(most, FEW_FACTS)
    closed = [fact for fact in stated[most:] if isinstance(fact, Effect) and _is_closed(f"/{fact.target}")]
    return [*stated[:most], *closed[:MOST_CLOSED]]


def _is_closed(path: str) -> bool:
    return on_the_floor(path) or is_own(path)


def _may_be_found(call: Call) -> bool:
    """Whether a word of a call is a name that another one finds, or its words are split by `xargs`."""
    if call.via and call.via[-1].endswith("xargs"):
        return True
    for word in call.words:
        if word.why:
            return True
    return bool(call.redirects) and any(word.why for word in _words_of(call))


def _words_of(call: Call) -> list[Word]:
    """Its words, and the files that it opens for reading."""
    opened = [redirect.target for redirect in call.redirects if redirect.target is not None and redirect.op == "<"]
    return [*call.words, *opened]


def _with_found(given: Call, place: int, base: str, searches: Searches) -> tuple[Call, list[Effect]]:
    """A call in which names that were found or read at run time stand as patterns, and what is said about those."""
    _, with_names, with_lines, runs_without_names = _finders()
    call = given
    effects: list[Effect] = []
    if call.reads_from >= 0 and any(word.why.startswith(LINE) for word in _words_of(call)):
        call, doubts = with_lines(call, searches)
        effects += _named_by(doubts, call, place, base)
    if call.via:
        call, doubts = with_names(call, place, searches)
        effects += _named_by(doubts, call, place, base)
    by_xargs = call is not given and call.via and call.via[-1].endswith("xargs")
    if by_xargs and runs_without_names(given, place, searches):
        effects += _without_names(given, place, base)
    if any(effect.code in LOOKED_UP for effect in effects) and not any(
        isinstance(fact, Gap) for fact in facts(given, place + 1, base)
    ):
        return given, []  # whatever the names are, as for `echo`
    return call, effects


def _without_names(call: Call, place: int, base: str) -> Iterator[Effect]:
    """What a command does that xargs starts although there is no name to hand on: `xargs grep -r x` looks everywhere.

    Where each name has a place of its own in the words (`-I {}`), it is not started then.
    """
    stated = facts(replace(call, words=call.words[:-1], reads_from=-1), place + 1, base)
    effects = [fact for fact in stated if isinstance(fact, Effect) and fact.kind != "note"]
    if not any(effect.kind == "run" for effect in effects):  # what runs code may do anything anyway
        yield from effects


def _named_by(doubts: list[tuple[str, str, str]], call: Call, place: int, base: str) -> Iterator[Effect]:
    """Where a name with a blank in it would be split by xargs, be read as another, or be an option."""
    for target, given, only in doubts:
        code = "names.plain" if given == "names.unignored" and call.cwds != (base,) else given
        for path in Args(call, place + 1, base, "xargs", UNKNOWN).places(target):
            yield Effect("list", path, only=only, code=code, possible=True, call=place + 1)


def facts(call: Call, number: int, base: str) -> list[Fact]:
    """What one call does. INVARIANT: never silent; a program that is not known says so."""
    if call.via and "ssh" in call.via:
        from assent.commands.ssh import elsewhere

        return elsewhere(call, number, base)
    found: list[Fact] = []
    if call.redirects:
        found += _redirects()[0](call, number, base)
        if any(redirect.target is not None and redirect.target.value is None for redirect in call.redirects):
            from assent.commands.shown import secrets_opened

            found += secrets_opened(call, number)
    name = call.words[0].value if call.words else ""
    if not name:
        why = f"the program is not known ({call.words[0].why or 'no name'})" if call.words else ""
        return [*found, Gap(why, blind=True, call=number, span=call.span)] if why else found
    slash, short, known = "/" in name, name, True
    if slash:
        cut = name.rfind("/") + 1
        short = name[cut:]
        known = name[:cut] in TRUSTED_FOLDERS or _is_systems(name, call.cwds)
    program = program_named(short) if known else None
    if program is None and known and short.startswith("git-"):
        git = program_named("git")
        if git is not None and short[4:] in git.commands:
            return found + described(git, "git", call, number, base, (Word(short, short[4:]), *call.words[1:]))
    if call.assignments:
        from assent.commands.variables import variable_facts

        found += variable_facts(call, number, short, base)
    if call.via and call.via[0].startswith(ACTIVE) and not slash:
        found += _from_environments(call, number, short)
    if program is None:
        stated = unknown(call, number, name, base)
        lower = short.lower()
        if (slash or lower != short) and (called := program_named(lower)) is not None:
            # it may be the one of that name after all; some disks make no difference between `RM` and `rm`
            meant = described(called, lower, call, number, base, call.words[1:])
            runs = [fact for fact in meant if isinstance(fact, Effect) and _runs_code(fact)]
            stated = [fact for fact in stated if not _is_run_instead(fact, runs)] if runs else stated
            stated += perhaps(meant)
            stated += runs
    else:
        stated = described(program, short, call, number, base, call.words[1:])
    for word in call.words:
        if word.value is None and "$" in word.text:
            stated += _shows()(call, number, stated)
            break
    return found + stated if found else stated


@once
def _redirects() -> tuple[States, Callable[[tuple[Call, ...]], list[Gap]]]:
    from assent.commands.redirects import misled, redirected

    return redirected, misled


@once
def _finders() -> tuple[type[Searches], WithNames, WithLines, RunsWithout]:
    from assent.commands.found import Searches, runs_without_names, with_lines, with_names

    return Searches, with_names, with_lines, runs_without_names


def _startup(args: Args) -> Iterator[Fact]:
    from assent.commands.config_files import SHELL_STARTUP, kept

    return kept(args, "write", *SHELL_STARTUP)


@once
def _loaded() -> Callable[[Args, Iterable[Fact]], Iterator[Fact]]:
    from assent.commands.loaded import loaded

    return loaded


@once
def _shows() -> Callable[[Call, int, list[Fact]], Iterator[Effect]]:
    from assent.commands.shown import secrets_shown

    return secrets_shown


def _is_systems(name: str, cwds: tuple[str, ...]) -> bool:
    """Whether a path is one of a program that systems bring, written in another way: `//bin/rm`, `cd /bin && ./rm`.

    INVARIANT: never through `..`, which a link before it may lead anywhere.
    """
    absolute = name[0] == "/"
    if (
        not (name.startswith(DETOURS) or "//" in name or "/." in name)
        if absolute
        else not any(cwd.startswith(SYSTEMS) for cwd in cwds)
    ):
        return False  # almost always
    places = [name] if absolute else [f"{cwd}/{name}" for cwd in cwds]
    if any("/../" in f"{place}/" for place in places):
        return False
    plain = [normalise(place.removeprefix("/proc/self/root")) for place in places]
    return bool(plain) and all(f"{place[: place.rfind('/')]}/" in TRUSTED_FOLDERS for place in plain)


def unknown(call: Call, number: int, name: str, base: str) -> list[Fact]:
    """A program that nobody described: it runs, and may touch whatever its words spell."""
    slash, short = "/" in name, name[name.rfind("/") + 1 :]
    shell = short in OTHER_SHELLS or (short.endswith("sh") and len(short) <= LONGEST_SHELL and not slash)
    if short in OTHER_SHELLS and not slash and len(call.words) == 2 and call.words[1].value in ASKS_ABOUT_ITSELF:
        return [Effect("note", name, call=number, span=call.span)]
    why = f"{name} is a shell we do not follow" if shell else f"{name} is not a program we know"
    found: list[Fact] = [
        new_effect("run", name, None, False, "", False, "script" if slash else "program", number, call.span),
        new_gap(why, shell, number, call.span, False, False, "", "script" if slash else ""),
    ]
    if len(call.words) > 1 or call.redirects:
        found += _touched(call, number, base)
        found += _reached(call, number)
    if len(call.words) > 1 and _installs_completion(call):
        found += _startup(Args(call, number, base, name, UNKNOWN))
    if short.startswith(INSTALLERS) and _replaces_ours(call):
        found.append(Effect("change", "remove or replace what guards it", code="assent.settings", call=number))
    return found


def _runs_code(effect: Effect) -> bool:
    """Whether an effect is that code runs, which somebody may read: `.venv/bin/python -c CODE`."""
    return effect.kind == "run" and effect.code in CODE_RUNS and not effect.possible


def _is_run_instead(fact: Fact, runs: list[Effect]) -> bool:
    """Whether a word that nobody knew the role of is the script of an interpreter: it is run, and not written."""
    spelled = isinstance(fact, Effect) and fact.code == SPELLED and fact.kind == "write"
    return spelled and any(run.target.split(" ", 1)[0] == fact.target for run in runs)  # type: ignore[union-attr]


def _reached(call: Call, number: int) -> list[Effect]:
    """Machines nearby that the words of a program name: it may go there. This one is named all the time."""
    found: list[Effect] = []
    for word in call.words[1:MAX_WORDS]:
        piece = word.value
        if piece is None:
            continue
        if "=" in piece:
            piece = piece.rpartition("=")[2]
        if not ("://" in piece or piece[:1] in ADDRESS_SIGNS or "data" in piece):
            continue  # most words
        from assent.urls import parse

        url = parse(piece if "://" in piece else f"http://{piece}")
        if url.local in NEARBY and ("://" in piece or url.local != "private"):
            found.append(Effect("reach", piece, url, possible=True, code=ARGUMENT, call=number, mentioned=True))
    return found


def _reached_by_text(call: Call, number: int, name: str, stated: list[Fact]) -> list[Effect]:
    """Machines nearby that a word of a described program names whose role is only text, where it goes anywhere at all.

    Texts are no addresses: what stands in a sentence is not looked at, and git is often given messages and patterns.
    """
    words = [word for word in call.words[1:] if word.value and "://" in word.value and " " not in word.value]
    if not words:
        return []  # almost always
    reaches = {fact.target for fact in stated if isinstance(fact, Effect) and fact.kind in ("reach", "send")}
    if name == "git" and not reaches and KEEPS_ADDRESSES.isdisjoint([word.value for word in call.words[:MAX_WORDS]]):
        return []
    left = [word for word in words if word.value not in reaches]
    return _reached(replace(call, words=(*call.words[:1], *left)), number) if left else []


def _started(call: Call, at: int, number: int, base: str) -> list[Effect]:
    """What a command does that stands among the words of another, which probably starts it; the rest is its words."""
    tail = call.words[at:]
    said = " ".join([one.value or one.text for one in tail])
    inner = facts(replace(call, words=tail, redirects=(), assignments=(), via=()), number, base)
    known = (call.program or "").endswith(LAUNCHERS)
    run = new_effect("run", said, None, False, "", known or at > 1, "wrapped", number, call.span)
    return [run, *perhaps(inner)]


def perhaps(stated: list[Fact]) -> Iterator[Effect]:
    """Effects that are not certain; what cannot be undone is asked about all the same."""
    for fact in stated:
        if isinstance(fact, Effect) and fact.kind not in ("note", "run"):
            yield fact if fact.code.endswith(STOPS) else replace(fact, possible=True, mentioned=True)


def _from_environments(call: Call, number: int, short: str) -> Iterator[Effect]:
    """What is found first once an environment is active: a program of its own, whatever that does."""
    around = [name for name in call.via if not name.startswith(ACTIVE)]
    if short in BUILTINS and all(name in ("$( )", ">( )") for name in around):
        return
    for name in call.via:
        if name.startswith(ACTIVE):
            path = f"{name.removeprefix(ACTIVE)}/{short}"
            yield Effect("run", path, code="script", call=number, span=call.span)


def _touched(call: Call, number: int, base: str, *, known: bool = False) -> list[Effect]:
    """Words that spell a path, of a program that may read or write what they name, so that the floor holds there, too.

    INVARIANT: every path that a word spells in any reading may be read and may be written. A `known` program starts no
    commands that we do not know of.
    """
    names = _only_names(call)
    if names is not None:
        return _plain_words(names, call, number, base)
    found = _given_as_text(call, number, base) if call.redirects else []
    inside = any(map(on_the_floor, call.cwds))  # there every word may be a name
    args: Args | None = None
    plain: list[str] = []
    starts = at = 0
    for word in call.words[1:]:
        at += 1
        value = word.value
        if value is None:
            args = args or Args(call, number, base, call.program or "", UNKNOWN)
            found += _perhaps_touched(word, args)
            continue
        name = value[value.rfind("/") + 1 :]
        if name in TELLING:
            if name == OURS:
                found += _ours(call, number, base, call.words[at + 1 :])
            elif name != value or at + 1 < len(call.words) or value in STARTS_ALONE:
                starts = starts or at
        if not value.translate(NAME_SIGNS) and value.strip("."):
            plain.append(_as_name(value))
            continue
        if not value or (at >= MAX_WORDS and not marks(value) and not inside):
            continue
        args = args or Args(call, number, base, call.program or "", UNKNOWN)
        if not known and " " in value and not TELLING.isdisjoint(value.translate(BARE).split()):
            command = value.lstrip("!").removeprefix("shell ")
            found.append(new_effect("run", command, None, False, "", True, "program", *_mentioned_by(args)))
        found += _spelled(value, args, plain)
    found += _plain_words(plain, call, number, base)
    if starts and (not known or (call.program or "").endswith(LAUNCHERS)):
        found += _started(call, starts, number, base)
    return found


def _only_names(call: Call) -> list[str] | None:
    """Its words, if they are plain names and options, as most are; else None."""
    values = [word.value for word in call.words if word.value is not None]
    if call.redirects or len(values) < len(call.words):
        return None
    del values[0]
    if "".join(values).translate(NAME_SIGNS) or not (TELLING.isdisjoint(values) and DOTS.isdisjoint(values)):
        return None
    return [_as_name(value) for value in values if value]


def _as_name(value: str) -> str:
    """The name of a file that a plain word may be: itself, or what stands behind a letter, as in `-ofile`."""
    if value[0] != "-":
        return value
    return "" if value[1:2] == "-" else value[2:]


def _plain_words(words: list[str], call: Call, number: int, base: str) -> list[Effect]:
    """Words that are names of files, if anything. Whoever knows the rules and the disk takes them apart: `WORDS`."""
    names = tuple([word for word in words if word])
    if not names:
        return []
    if call.cwds == (base,):
        rest = number, call.span, {WORDS: names}, False, NO_LINKS, True
        return [new_effect("write", names[0], None, False, "", True, SPELLED, *rest)]
    args = Args(call, number, base, call.program or "", UNKNOWN)
    places = [place for word in names[:MAX_WORDS] for place in args.places(word)]
    return [new_effect("write", place, None, False, "", True, SPELLED, *_mentioned_by(args)) for place in places]


def _spelled(value: str, args: Args, plain: list[str]) -> list[Effect]:
    """What a word may name: files that are written, and read as well, and machines that are reached."""
    addresses: list[str] = []
    if value[0] != "-" and not value.translate(PATH_SIGNS):
        paths = [value]
    else:
        paths, addresses = _spells()(value)
    found: list[Effect] = []
    for path in paths:
        if "/" not in path and path[0] != "~" and path.strip("."):
            plain.append(path)
        elif path not in HARMLESS_FILES:
            # a program of a known name is started, if anything; and ours reads what is ours
            starts = path[path.rfind("/") + 1 :] in STARTABLE
            ours = (args.call.program or "").endswith(OURS) and _care(path, args.call) & OWN
            kind: Kind = "read" if starts or ours else "write"
            for target in (path,) if path[0] in "/~" else args.places(path):
                found.append(new_effect(kind, target, None, False, "", True, SPELLED, *_mentioned_by(args)))
    for address in addresses:
        for fact in args.reach(address):
            if isinstance(fact, Effect):
                found.append(replace(fact, possible=True, mentioned=True))
    return found


def _protected_words(call: Call, number: int, base: str, *, writes: bool) -> list[Effect]:
    """Words of a described program that runs code, or is not understood as a whole, as far as they are protected."""
    found = _given_as_text(call, number, base) if call.redirects else []
    args = Args(call, number, base, call.program or "", UNKNOWN)
    usual = len(call.cwds) == 1 and is_plain_folder(call.cwds[0])
    for at, word in enumerate(call.words[1:], 2):
        value = word.value
        if value is None:
            found += _perhaps_touched(word, args)
            continue
        if value.endswith(OURS) and value[value.rfind("/") + 1 :] == OURS:
            found += _ours(call, number, base, call.words[at:])
        plain = not value.translate(PATH_SIGNS) and (value[:1] != "-" or not ("/" in value or "." in value))
        if plain and usual and value[:1] != "/" and is_plain_name(value):
            continue  # most words
        if usual and " " in value and not _names()(value):
            continue  # most code
        for path in (value,) if plain else _spells()(value)[0]:
            care = _care(path, call) if path else 0
            if care and path not in HARMLESS_FILES and (" " not in value or _is_a_name(path, care, value)):
                started = writes and " " not in value and care & STARTED
                kind: Kind = "write" if care & OWN or started else "read"
                for target in (path,) if path[0] in "/~" else args.places(path):
                    found.append(new_effect(kind, target, None, False, "", True, SPELLED, *_mentioned_by(args)))
    return found


def _is_a_name(path: str, care: int, code: str) -> bool:
    """Whether a piece of code may be a path: `data.hex()` is none."""
    return bool(care & (FLOOR | OWN)) or "/" in path or any(f"{sign}{path}" in code for sign in "\"'`")


def _mentioned_by(args: Args) -> tuple[int, Span | None, None, bool, Follows, bool]:
    """The last fields of an effect that is only mentioned."""
    return args.number, args.call.span, None, False, NO_LINKS, True


def _care(path: str, call: Call) -> int:
    """How a path is protected, by its name and seen from every folder the call may run in."""
    if path[0] in "/~":
        return marks(path) & PROTECTED
    found = 0
    for cwd in call.cwds or ("",):
        found |= marks(f"{cwd.rstrip('/')}/{path}") & PROTECTED
    return found


@once
def _names() -> Callable[[str], bool]:
    from assent.commands.path_words import names_protected

    return names_protected


@once
def _spells() -> Callable[[str], tuple[list[str], list[str]]]:
    from assent.commands.path_words import spelled_in

    return spelled_in


def _perhaps_touched(word: Word, args: Args) -> list[Effect]:
    """A word that is not known: the names that a pattern stands for; or what it spells, if that is closed anyway."""
    text = word.pattern or word.text.strip("\"'")
    if not word.pattern and not marks(text) & (FLOOR | STARTED | OWN):
        return []
    if "/**" in text:  # what a search has found
        read = [fact for fact in args.files("read", word) if isinstance(fact, Effect)]
        also = (replace(fact, kind="write", code=SPELLED, possible=True, mentioned=True, follows="") for fact in read)
        return [*read, *also]
    shown = args.number, args.call.span, None, bool(word.pattern)
    return [new_effect("write", place, None, False, "", True, SPELLED, *shown, "", True) for place in args.places(text)]


def _ours(call: Call, number: int, base: str, words: tuple[Word, ...]) -> list[Effect]:
    """What Assent itself would do, started by another program: `uvx assent mode full_auto`."""
    program = program_named(OURS)
    around = Args(call, number, base, OURS, UNKNOWN)
    stated = described(program, OURS, call, number, base, words, around) if program is not None else []
    return [fact for fact in stated if isinstance(fact, Effect) and fact.code == "assent.settings"]


def _given_as_text(call: Call, number: int, base: str) -> list[Effect]:
    """Closed paths in the code that an interpreter reads from a heredoc: as if they stood in its words.

    What a shell is given is followed instead.
    """
    found: list[Effect] = []
    for redirect in call.redirects:
        body = redirect.body or (redirect.target.text if redirect.target and redirect.op.startswith("<<") else "")
        if body and on_the_floor(body) and (call.program or "") not in FOLLOWED_SHELLS:
            for piece in body.translate(APART).split():
                if on_the_floor(piece):
                    args = Args(call, number, base, call.program or "", UNKNOWN)
                    paths = args.files("read", Word(piece, piece), possible=True)
                    found += [fact for fact in paths if isinstance(fact, Effect)]
    return found


def described(
    program: Program, name: str, call: Call, number: int, base: str, words: tuple[Word, ...], parent: Args | None = None
) -> list[Fact]:
    """Apply a description to words; a program about which nothing else is certain notes that it ran."""
    args = Args(call, number, base, name, program)
    args.parent = parent
    if len(words) == 1 and words[0].value in ASKS_ABOUT_ITSELF and not _is_started_by(program.style):
        return [args.effect("note", name), *(_loaded()(args, ()) if name in OBEYS_PROJECT else ())]
    found = _stated(args, words)
    if name in OBEYS_PROJECT:
        found += _loaded()(args, found)
    silent, unsure, runs, packages, outward = True, False, False, False, False
    for fact in found:
        if not isinstance(fact, Effect):
            unsure = True
        else:
            if not fact.possible:
                silent = False
            if fact.kind == "run":
                unsure = runs = True
            elif fact.code in PACKAGES:
                packages = True
            if fact.kind in OUTWARD:
                outward = True
    if outward and parent is None:
        found += _reached_by_text(call, number, name, found)
    if packages and parent is None and _replaces_ours(call):
        found.append(args.effect("change", "remove or replace what guards it", "assent.settings"))
    if unsure and parent is None and _installs_completion(call):
        found += _startup(args)
    if unsure and parent is None:
        found += _untold(args, found, runs=runs)
    if unsure and parent is None and any(isinstance(fact, Gap) and fact.option[:2] == "--" for fact in found):
        found += _abbreviated(args, words, found)
    if silent:
        found.append(args.effect("note", name))
    return found


def _abbreviated(args: Args, words: tuple[Word, ...], stated: list[Fact]) -> Iterator[Effect]:
    """What the options do that an unknown one may be short for: many programs take any beginning of a long name.

    INVARIANT: this only adds to what is stated; the option is still not known.
    """
    heard: list[tuple[Args, Word]] = []
    LISTENERS.append(heard)
    try:
        _stated(Args(args.call, args.number, args.base, args.name, args.program), words)
    finally:
        LISTENERS.pop()
    meant = [(word, full) for taker, word in heard[:MAX_WORDS] for full in _full_names(taker, word.value or "")]
    usual = {id(word): full for word, full in reversed(meant)}
    certain, said = len(usual) == len(meant), list(stated)
    for number, (word, full) in enumerate(meant[:MOST_MEANINGS]):
        if number and usual[id(word)] == full:
            continue  # said with the first of them
        chosen = {**usual, id(word): full}
        spelled = [chosen.get(id(one), "") for one in words]
        read = tuple([Word(text, text) if text else one for text, one in zip(spelled, words, strict=True)])
        for fact in described(args.program, args.name, args.call, args.number, args.base, read):
            if not isinstance(fact, Effect) or fact in said or (fact.kind, fact.code) == ("note", ""):
                continue
            said.append(fact)
            yield fact if certain or fact.code.endswith(STOPS) else replace(fact, possible=True, mentioned=True)


def _full_names(args: Args, text: str) -> list[str]:
    """The options that a word may stand for, one spelling of each, with the value that is attached to it."""
    name, equals, value = text.partition("=")
    table = options_of(args.program.options)
    if name in table or name[:2] != "--" or len(name) < len("--x"):
        return []
    options = {option.name: full for full, option in table.items() if full.startswith(name)}
    return [f"{full}{equals}{value}" for full in options.values()]


def _installs_completion(call: Call) -> bool:
    """Whether a program is told to put itself into the startup files of the shell: `app --install-completion`."""
    words = [(word.value or "").lstrip("-").partition("=")[0] for word in call.words[1:]]
    if not any("complet" in word for word in words):
        return False
    joined = "-".join(words)
    return any(phrase in joined for phrase in COMPLETIONS)


def _replaces_ours(call: Call) -> bool:
    """Whether a manager of packages is told to remove Assent, or to put another one in its place."""
    verb = ""
    for word in call.words:
        value = word.value or ""
        if value in PACKAGE_VERBS:
            verb = value
        elif verb and OURS in value.lower() and _package_name(value) in DISTRIBUTIONS:
            return True
    return False


def _package_name(text: str) -> str:
    """`Assent_Guard[server]==1.0` is `assent-guard`."""
    for sign in "[=<>!~@;, ":
        text = text.partition(sign)[0]
    return text.lower().replace("_", "-").replace(".", "-")


def _untold(args: Args, stated: list[Fact], *, runs: bool) -> list[Effect]:
    """What the words of a known program name besides all that is stated: for code that it runs, or a word that its
    description does not know, which may change what all the others are."""
    call, number, base = args.call, args.number, args.base
    if any(isinstance(fact, Gap) and fact.unread for fact in stated):
        touched = _touched(call, number, base, known=True)
        return touched if runs else [fact for fact in touched if not fact.glob]
    touched = _protected_words(call, number, base, writes=runs)
    launches = (call.program or "").endswith(LAUNCHERS)
    if launches:
        touched += [fact for fact in _touched(call, number, base, known=True) if fact.code != SPELLED]
    if not touched:
        return touched
    said = tuple({fact.target for fact in stated if isinstance(fact, Effect) and fact.kind in TAKES_IN})
    return [f for f in touched if (f.code != SPELLED or not _is_said(f.target, said)) and (runs or not f.glob)]


def _is_said(path: str, said: tuple[str, ...]) -> bool:
    """Whether a path is stated already, or is a word with one at its end: `IdentityFile=/home/me/.ssh/key`."""
    return any(path == one or (path.endswith(one) and path[-len(one) - 1] in ENDINGS) for one in said)


def _is_started_by(style: str) -> bool:
    """Whether even `--help` and `--version` are words like any other."""
    return "plain" in style or "starts" in style


def _stated(args: Args, words: tuple[Word, ...]) -> list[Fact]:
    program = args.program
    if program.commands:
        own = _before_subcommand(words, args)
        found = args.take(words[:own])
        if program.more is not None:
            found += program.more(args)
            if args.heard:
                found += _missing()(args, found)
        found += _subcommand(args, words[own:])
        return found
    found = args.take(words)
    for kind, target, code in program.does:
        if target[:1] in ("~", "/"):
            from assent.commands.config_files import kept

            found += kept(args, kind, target, code=code)  # type: ignore[arg-type]
        else:
            found.append(args.effect(kind, target, code))  # type: ignore[arg-type]
    found += _operands(args)
    if "around" in program.style:
        found += _opened(args, words, found)
    if program.more is not None:
        found += program.more(args)
        if args.heard and "plain" not in program.style:
            found += _missing()(args, found)
    return found


def _opened(args: Args, words: tuple[Word, ...], stated: list[Fact]) -> list[Fact]:
    """What a script may open besides its operands: it hands its words on in an order, and with quotes, of its own.

    INVARIANT: a word without a dash is a file, unless it is the pattern of a call that can be read in one way only.
    """
    table, given = options_of(args.program.options), args.options
    takes = any(table[name].takes == "=" for name in given if name in table)
    named = [word for word in words if (word.value or "")[:1] != "-" or word.value == "-"]
    certain = not takes and not any(word.value in ("-", "--") for word in words)
    opened = [] if certain else [fact for word in named for fact in args.files("read", word) if fact not in stated]
    split = [word for word in words if (word.value or "")[:1] == "-"]
    split += [value for name, values in given.items() if name != "-e" for value in values]
    if any(sign in SPLITTING for word in split for sign in word.value or ""):
        opened.append(args.gap("a word of it may become several", blind=True))
    return opened


@once
def _missing() -> Callable[[Args, list[Fact]], list[Fact]]:
    from assent.commands.reductions import missing

    return missing


def _before_subcommand(words: tuple[Word, ...], args: Args) -> int:
    """How many words stand before the subcommand: options of the program itself and their values."""
    table = options_of(args.program.options)
    at = 0
    while at < len(words):
        text = words[at].value
        if text is None or not text.startswith("-") or text == "-":
            return at
        name, equals, _ = text.partition("=")
        option = table.get(name)
        at += 2 if option is not None and option.takes == "=" and not equals else 1
    return min(at, len(words))


def _subcommand(args: Args, words: tuple[Word, ...]) -> list[Fact]:
    if not words:
        if "bare" not in args.program.style and args.program.more is None:
            unsaid = args.gap("without a subcommand it does something of its own")
            return [args.effect("run", args.name, "program"), unsaid]
        return []
    name = words[0].value
    inner = args.program.commands.get(name) if name is not None else None
    if inner is None:
        shown = words[0].text if name is None else name
        unknown = args.gap(f"subcommand {shown} is not known", blind=name is None, unread=True)
        return [args.effect("run", f"{args.name} {shown}", "program"), unknown]
    return described(inner, f"{args.name} {name}", args.call, args.number, args.base, words[1:], args)


def _operands(args: Args) -> list[Fact]:
    """Give every operand the role its place has."""
    words, otherwise = args.operands, args.program.otherwise
    if not words:
        if not otherwise:
            return []
        words = [Word(otherwise, otherwise)]
    roles, star = roles_of(args.program.operands)
    behind = len(roles) - star - 1
    found: list[Fact] = []
    if star == 0 and behind == 0:
        if roles[0] == "text":
            return found
        for word in words:
            found += args.acts(roles[0], word)
        return found
    for at, word in enumerate(words):
        if at < star:
            role = roles[at]
        elif star == len(roles):
            found.append(args.gap(f"`{word.text}` is one word too many", unread=True))
            continue
        elif at >= len(words) - behind:
            role = roles[at - len(words)]
        else:
            role = roles[star]
        found += args.acts(role, word)
        if word.many and at < star and not word.pattern:
            found.append(args.gap(f"`{word.text}` may be several words", blind=True))
    return found
