"""From the calls of a shell text to their effects and gaps: finds each program's description and applies it."""

from __future__ import annotations

from assent.commands.args import Args
from assent.commands.found import split_names, with_names
from assent.commands.program import Program, options_of
from assent.commands.redirects import redirected
from assent.commands.table import TRUSTED_FOLDERS, program_named
from assent.commands.variables import variable_gaps
from assent.protected import is_secret, on_the_floor
from assent.record import replace
from assent.types import Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.program import Fact, Option
    from assent.types import Call, Word

UNKNOWN = Program()
MAX_WORDS = 200
MAX_EFFECTS = 2_000
REMOTE = frozenset({"ssh"})
STARTABLE = frozenset(
    """sh bash zsh dash python python3 node perl ruby php sudo env xargs touch rm mv cp dd tee chmod chown curl wget nc
    ssh scp rsync git kill""".split()
)
"""Behind a program that nobody knows, one of these names is a command that it probably starts."""
OTHER_SHELLS = frozenset("fish csh tcsh ash mksh rbash yash elvish nu pwsh powershell xonsh rc es oil osh".split())
LONGEST_SHELL = 5
ASKS_ABOUT_ITSELF = ("--help", "--version")


def facts_of(calls: tuple[Call, ...], base: str) -> tuple[list[Effect], list[Gap]]:
    """What all calls of a text do, each numbered from 1; `base` is the folder the tool call runs in.

    INVARIANT: past the limit closed paths are still stated; the rest of what is left out is a gap.
    """
    effects: list[Effect] = []
    gaps: list[Gap] = []
    left_out = False
    for place, call in enumerate(calls):
        if call.via:
            effects += _split(call, place, calls, base)
        for fact in facts(with_names(call, place, calls) if call.via else call, place + 1, base):
            if isinstance(fact, Gap):
                gaps.append(fact)
            elif len(effects) < MAX_EFFECTS or (len(effects) < 2 * MAX_EFFECTS and on_the_floor(fact.target)):
                effects.append(fact)
            else:
                left_out = True
    if left_out:
        gaps.append(Gap(f"would do more than {MAX_EFFECTS} things", blind=True))
    return effects, gaps


def _split(call: Call, place: int, calls: tuple[Call, ...], base: str) -> Iterator[Effect]:
    """Where a name with a blank in it would be split by xargs."""
    for root in split_names(call, place, calls):
        for path in Args(call, place + 1, base, "xargs", UNKNOWN).places(root):
            yield Effect("list", path, code="names.plain", possible=True, call=place + 1)


def facts(call: Call, number: int, base: str) -> Iterator[Fact]:
    """What one call does. INVARIANT: never silent; a program that is not known says so."""
    if not REMOTE.isdisjoint(call.via):
        yield Effect("run", "a command on another machine", code="remote", call=number, span=call.span)
        return
    if call.redirects:
        yield from redirected(call, number, base)
    if not call.words:
        return
    name = call.program
    if name is None:
        yield Gap(f"the program is not known ({call.words[0].why})", blind=True, call=number, span=call.span)
        return
    folder, slash, short = name.rpartition("/")
    program = program_named(short) if not slash or f"{folder}/" in TRUSTED_FOLDERS else None
    if call.assignments:
        yield from variable_gaps(call, number, short)
    if program is None:
        yield Effect("run", name, code="program" if not slash else "script", call=number, span=call.span)
        shell = short in OTHER_SHELLS or (short.endswith("sh") and len(short) <= LONGEST_SHELL and not slash)
        why = f"{name} is a shell we do not follow" if shell else f"{name} is not a program we know"
        yield Gap(why, blind=shell, call=number, span=call.span)
        yield from _touched(call, number, base)
        if len(call.words) > 1 and call.words[1].value in STARTABLE:
            yield Effect("run", str(call.words[1].value), code="wrapped", call=number, span=call.span)
        return
    yield from described(program, short, call, number, base, call.words[1:])


def _touched(call: Call, number: int, base: str, *, closed: bool = False) -> Iterator[Fact]:
    """Words that spell a path, of a program that may read what they name, so that the floor holds there, too.

    With `closed` only paths that are secret by their names.
    """
    args = Args(call, number, base, call.program or "", UNKNOWN)
    for word in call.words[1 : MAX_WORDS + 1]:
        value = word.value or ""
        path = value.rpartition("=")[2].lstrip("@") if value.startswith(("-", "@")) else value
        spelled = ("/" in path and "://" not in path) or path.startswith(".")
        if spelled and (not closed or on_the_floor(path) or is_secret(path)):
            for fact in args.file("read", replace(word, value=path)):
                if isinstance(fact, Effect):
                    yield replace(fact, possible=True)


def spellings(call: Call) -> tuple[str, ...]:
    """Every other way to write the options of a call: `-f` is `--force`, and `--forc` may be. For finding"
    " danger only."""
    name = call.program or ""
    program = program_named(name[name.rfind("/") + 1 :])
    values = [word.value for word in call.words[1:] if word.value is not None]
    tables = []
    while program is not None:
        tables.append(options_of(program.options))
        program = next((program.commands[value] for value in values if value in program.commands), None)
    found: dict[str, None] = {}
    for value in values:
        if value.startswith("-") and value not in ("-", "--"):
            for table in tables:
                found |= dict.fromkeys(_same_options(value.partition("=")[0], table))
    return tuple(spelling for spelling in found if spelling not in values)


def _same_options(name: str, table: dict[str, Option]) -> list[str]:
    if name.startswith("--"):
        meant = [option for spelling, option in table.items() if spelling.startswith(name)]
    elif name in table:
        meant = [table[name]]
    else:
        meant = [table[f"-{letter}"] for letter in name[1:] if f"-{letter}" in table]
    return [spelling for spelling, option in table.items() if option in meant]


def described(
    program: Program, name: str, call: Call, number: int, base: str, words: tuple[Word, ...], parent: Args | None = None
) -> Iterator[Fact]:
    """Apply a description to words; a program about which nothing else is certain notes that it ran."""
    args = Args(call, number, base, name, program)
    args.parent = parent
    silent, starts = True, False
    if len(words) == 1 and words[0].value in ASKS_ABOUT_ITSELF and not _is_started_by(program.style):
        yield args.effect("note", name)
        return
    for fact in _stated(args, words):
        silent = silent and (isinstance(fact, Gap) or fact.possible)
        starts = starts or (isinstance(fact, Effect) and fact.kind == "run" and parent is None)
        yield fact
    if starts:
        yield from _touched(call, number, base, closed=True)
    if silent:
        yield args.effect("note", name)


def _is_started_by(style: str) -> bool:
    """Whether even `--help` and `--version` are words like any other."""
    return "plain" in style or "starts" in style


def _stated(args: Args, words: tuple[Word, ...]) -> Iterator[Fact]:
    program = args.program
    if program.commands:
        own = _before_subcommand(words, args)
        yield from args.take(words[:own])
        if program.more is not None:
            yield from program.more(args)
        yield from _subcommand(args, words[own:])
        return
    yield from args.take(words)
    for kind, target, code in program.does:
        yield args.effect(kind, target, code)  # type: ignore[arg-type]
    yield from _operands(args)
    if program.more is not None:
        yield from program.more(args)


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


def _subcommand(args: Args, words: tuple[Word, ...]) -> Iterator[Fact]:
    if not words:
        if "bare" not in args.program.style and args.program.more is None:
            yield args.effect("run", args.name, "program")
            yield args.gap("without a subcommand it does something of its own")
        return
    name = words[0].value
    inner = args.program.commands.get(name) if name is not None else None
    if inner is None:
        shown = words[0].text if name is None else name
        yield args.effect("run", f"{args.name} {shown}", "program")
        yield args.gap(f"subcommand {shown} is not known", blind=name is None)
        return
    yield from described(inner, f"{args.name} {name}", args.call, args.number, args.base, words[1:], args)


def _operands(args: Args) -> Iterator[Fact]:
    """Give every operand the role its place has."""
    roles = args.program.operands.split()
    words = args.operands
    if not words and args.program.otherwise:
        from assent.types import Word

        words = [Word(args.program.otherwise, args.program.otherwise)]
    star = next((at for at, role in enumerate(roles) if role.endswith("*")), len(roles))
    behind = len(roles) - star - 1
    for at, word in enumerate(words):
        if at < star:
            role = roles[at]
        elif star == len(roles):
            yield args.gap(f"`{word.text}` is one word too many")
            continue
        elif at >= len(words) - behind:
            role = roles[at - len(words)]
        else:
            role = roles[star]
        yield from args.act(role.rstrip("*?"), word)
        if word.many and at < star and not word.pattern:
            yield args.gap(f"`{word.text}` may be several words", blind=True)
