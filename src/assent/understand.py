"""What a tool call would do: the agents' own tools, and for a shell everything its text would start."""

from __future__ import annotations

from assent.budget import FOLLOWING, Budget
from assent.record import maker, replace
from assent.types import Analysis, Effect, Gap, ToolCall, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.shell.calls import Calls
    from assent.types import Call

    ReadsCalls = Callable[[str, str, str, str, Budget], Calls]
    ReadsFacts = Callable[[tuple[Call, ...], str, Budget], tuple[list[Effect], list[Gap]]]


new_analysis = maker(Analysis)
PLAIN_FIELDS = frozenset({"command", "description", "timeout"})


def understand(call: ToolCall, home: str, budget: Budget | None = None) -> Analysis:
    """Effects and gaps of a call; a caller may also describe its tool by nothing but a claim that it changes things."""
    given, budget = call.input, budget or Budget()
    command = given.get("command") if call.tool == "Bash" and type(given) is dict and len(given) == 1 else None
    if not (type(command) is str and command.strip()):
        command = _plain_command(call)
    if command:
        return _read(command, call, call.cwd, home, call.shell, budget)
    from assent.tools.analyse import analyse, shell_text

    analysis = analyse(call, budget)
    texts = shell_text(call)
    if texts:
        return _with_commands(analysis, call, texts, home, budget)
    if call.read_only is None or call.input:
        return analysis
    claim = Effect("note" if call.read_only else "call", call.tool, code="tool")
    return Analysis((*analysis.effects, claim))


def _plain_command(call: ToolCall) -> str:
    """The text of the usual call of a shell, in which nothing changes how it runs; empty for any other call."""
    if call.tool not in ("Bash", "shell") or not hasattr(call.input, "get") or not PLAIN_FIELDS.issuperset(call.input):
        return ""
    command, said = call.input.get("command"), call.input.get("description", "")
    plain = isinstance(said, str) and isinstance(call.input.get("timeout", 0), (int, float))
    return command if plain and isinstance(command, str) and command.strip() else ""


def _with_commands(analysis: Analysis, call: ToolCall, texts: tuple[str, ...], home: str, budget: Budget) -> Analysis:
    """Several texts are read as one: whatever the first does to the shell, the others may meet."""
    from assent.tools.analyse import shell_folder, shell_name
    from assent.tools.run import NOT_READ

    gaps = [gap for gap in analysis.gaps if gap.why != NOT_READ]
    text, folder = "\n".join(texts), shell_folder(call) or call.cwd
    made = _read(text, call, folder, home, shell_name(call), budget, analysis.effects, tuple(gaps))
    if len(texts) > 1 and any(inner.program == "cd" for inner in made.calls):
        return replace(made, gaps=(*made.gaps, Gap("several commands that change their folder", blind=True)))
    return made


def _read(
    text: str,
    call: ToolCall,
    folder: str,
    home: str,
    shell: str,
    budget: Budget,
    effects: tuple[Effect, ...] = (),
    gaps: tuple[Gap, ...] = (),
) -> Analysis:
    """What the tool does by itself, and everything that its text would start."""
    calls_of, facts_of = _readers[0] if _readers else _load_readers()
    found = calls_of(text, folder, home, shell, budget)
    more, doubts = facts_of(found.calls, call.cwd, budget)
    unread = -1 < budget.ended <= FOLLOWING
    if unread or (found.gaps and (not found.calls or any(UNREAD in gap.why for gap in found.gaps))):
        more += _closed(text, call.cwd, home, budget)
    texts: list[str] = []
    for effect in more:
        if effect.kind == "run" and effect.code in TEXTS and " " in effect.target and _starts(effect, found.calls):
            texts.append(effect.target)
    if texts:
        more += _closed("\n".join(texts[:MOST_TEXTS]), call.cwd, home, budget)
        doubts += [Gap(f"starts more than {MOST_TEXTS} commands", blind=True)] if len(texts) > MOST_TEXTS else []
    commands: tuple[Words, ...] = ()
    if _may_carry(text, found, more, doubts):
        suspected, commands = _suspected(text, found, folder, call.cwd, home, shell, budget)
        said = {(effect.kind, effect.target, effect.deep) for effect in more}
        more += [effect for effect in suspected if (effect.kind, effect.target, effect.deep) not in said]
    effects = (*effects, *more)
    gaps = (*gaps, *found.gaps, *doubts)
    if budget.ended >= 0:
        gaps = (Gap(budget.why, blind=True), *gaps)
    if len(gaps) > 1 and len({gap.why for gap in gaps}) < len(gaps):
        gaps = tuple(dict.fromkeys(gaps))
    if not effects and not gaps:
        effects = (Effect("note", call.tool),)
    return new_analysis(effects, gaps, commands, text, found.calls)


def _starts(effect: Effect, calls: tuple[Call, ...]) -> bool:
    """Whether a text that a program starts is a command of its own, so that what that touches counts in every mode."""
    text = effect.target
    if text.endswith(" code") or text.split(" ", 1)[0] == calls[effect.call - 1].program:
        return False
    from assent.commands.closed import names_programs

    return names_programs(text)


def _closed(text: str, cwd: str, home: str, budget: Budget) -> list[Effect]:
    """What a text that was not understood as a whole may do, for what is closed or denied whatever else it does."""
    from assent.commands.closed import closed_by
    from assent.shell.scan import found_in

    commands, opened = found_in(text)
    for sign, name in opened:
        commands.append(("cat", name) if sign == "<" else ("tee", name))
    return closed_by(commands, cwd, home, budget)


def _words_in(text: str) -> Iterator[str]:
    """The words of a text that nobody could read, without their quotes."""
    from assent.shell.scan import found_in

    commands, opened = found_in(text)
    return (word for words in (*commands, *opened) for word in words)


def _may_carry(text: str, found: Calls, effects: list[Effect], doubts: list[Gap]) -> bool:
    """Whether one part of a text may hand something to another that is not understood."""
    if found.gaps:
        return True
    several = len(found.calls) > 1
    if doubts:
        return not (HOLDS if several else CARRIES).isdisjoint(text)
    carries = not CARRIES.isdisjoint(text) or (several and ">" in text)
    return carries and any(effect.kind == "run" for effect in effects)


def _suspected(
    text: str, found: Calls, folder: str, base: str, home: str, shell: str, budget: Budget
) -> tuple[list[Effect], tuple[Words, ...]]:
    """What a text may do and start by ways on which the strict reading loses what words hold; for denials only."""
    from assent.commands.closed import spelled_by, suspected
    from assent.shell.simulate import simulate

    simulated = simulate(text, folder, home, shell, budget)
    effects = suspected((*simulated.calls, *simulated.pieces), found.calls, base, budget)
    effects += spelled_by(dict.fromkeys(piece for one in simulated.unread for piece in (one, *_words_in(one))), home)
    written = [tuple([word.value or word.text for word in call.words]) for call in simulated.calls if call.words]
    if simulated.unread:
        from assent.shell.scan import scan

        quoted = "\n".join(simulated.unread).replace("'", '"')  # what shells evaluate may stand in any quotes
        written += [found.words for found in scan(quoted)]
    return effects, tuple([Words(words) for words in dict.fromkeys(written)])


CARRIES = frozenset("$`|<")
"""Signs by which one part of a text hands something to another."""
HOLDS = CARRIES | frozenset("\"'\\>(){}")
"""And those of texts that one part keeps for another: in quotes, in a file or in a function."""
_readers: list[tuple[ReadsCalls, ReadsFacts]] = []
"""Loaded by the first command line: an import inside a function costs time on every one of them."""


def _load_readers() -> tuple[ReadsCalls, ReadsFacts]:
    from assent.commands.facts import facts_of
    from assent.shell.calls import calls_of

    _readers.append((calls_of, facts_of))
    return _readers[0]


MOST_TEXTS = 20
UNREAD = "(inside "
"""Stands in the gaps of texts that another shell would read and we do not."""
TEXTS = ("program", "inline")
