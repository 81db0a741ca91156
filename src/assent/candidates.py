"""Every command that a text may hold, in every way to say it: what rules that hold something back are compared with.

Good for finding what is denied, not for allowing.
"""

from __future__ import annotations

from assent.budget import SUSPECTING, Budget
from assent.commands.facts import facts
from assent.commands.spelled import concerned_names, other_names, other_words, sort_words, sort_words_roughly
from assent.commands.tails import SHELLS, STARTS, assigned_command, is_described, said, tails_in, texts_in
from assent.globs import match_text
from assent.lexer import PIPE, is_assignment, normal_redirects, pieces_of
from assent.record import replace
from assent.shell.scan import scan, stages_of
from assent.types import Call, Effect, Example, Stage, ToolCall, Word, Words
from assent.understand import understand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.types import Analysis, Redirection

    Concerns = Callable[[str], bool]

MOST_DEPTH = 3
MOST_ALIKE = 3
STEPS, WORDS, SORTING = 8, 8, 8
"""What it costs to look into a command, how many words cost nothing more, and what it costs to sort its words."""
READS_COMMANDS = SHELLS | frozenset("ssh at batch crontab ed ex red gdb".split())
"""Programs that run what they read from their input."""
KEYWORDS = frozenset("then do else elif if while until ! {".split())
TIME = "time"
"""A word of the shell, which no call shows, and yet the name of a program that a rule may be about."""
UNKNOWN = "?"
APART = str.maketrans(dict.fromkeys("\"'`$(){}[]<>|&;,=!:%@#*?~^\\\n\t", " "))
"""Signs that may stand before or behind the name of a program in a text."""


def found_in_example(text: str) -> Example:
    """Every command in a text that a rule gives as an example, its lines, and its words if it is one plain command."""
    analysis = understand(ToolCall("Bash", {"command": text}), "")
    commands = commands_in(analysis)
    return Example(_plain_words(analysis), commands, lines_in(analysis, commands))


def _plain_words(analysis: Analysis) -> tuple[str, ...]:
    """The words of the only call of a text; none where there are several, or anything besides words."""
    only = analysis.calls[0] if len(analysis.calls) == 1 else None
    if only is None or only.assignments or only.redirects or any(gap.call == 0 for gap in analysis.gaps):
        return ()
    known = tuple([word.value for word in only.words if word.value is not None])
    return known if len(known) == len(only.words) else ()


def _of_any(name: str) -> bool:  # noqa: ARG001 - that is the point
    return True


def _of_none() -> list[str]:
    return []


def commands_in(
    analysis: Analysis,
    concerns: Concerns = _of_any,
    home: str = "",
    budget: Budget | None = None,
    programs: Callable[[], list[str]] = _of_none,
) -> tuple[Words, ...]:
    """Every command, those inside of others included; `concerns` says whether anybody wants to know about a program,
    and `programs` about which, for names that are patterns: `/usr/bin/ma?e`."""
    if not analysis.text:
        return ()
    finder = _Finder(concerns, home, budget or Budget())
    _add_calls(analysis, finder)
    _add_patterns(analysis, finder, programs)
    if not analysis.calls or any(gap.call == 0 for gap in analysis.gaps):
        finder.text(analysis.text, 0, 0)
    known = {one.words for one in finder.found}
    for words in (*(one.words for one in analysis.commands), *map(said, analysis.inside)):
        if words and words[0] and words not in known:
            finder.words(words, Words(words), 0)
    if "IFS" in analysis.text:  # `rm${IFS}x`
        finder.text(analysis.text.replace("${IFS}", " ").replace("$IFS", " "), 0, 0)
    for piece in pieces_of(analysis.text) if "=" in analysis.text or TIME in analysis.text else ():
        own = next((at for at, word in enumerate(piece.words) if word not in KEYWORDS), 0)
        if piece.words[own] == TIME:
            finder.add(Words(piece.words[own:], redirects=piece.redirects))
        if all(map(is_assignment, piece.words)):
            finder.add(Words(piece.words[-1:], assignments=piece.words[:-1]))
            for word in piece.words:
                for value in assigned_command(word):
                    finder.text(value, 0, 0)
    return tuple(finder.found)


def _add_calls(analysis: Analysis, finder: _Finder) -> None:
    """The calls of a text, each with what it does, and what was exported before it."""
    effects: dict[int, list[Effect]] = {}
    for effect in analysis.effects:
        effects.setdefault(effect.call, []).append(effect)
    exported: tuple[str, ...] = ()
    for number, call in enumerate(analysis.calls, 1):
        words = said(call)
        if not words or not words[0]:
            continue
        own = Words(words, call.span, number, (), (*exported, *_assigned(call)), _opened(call))
        finder.call(call, _stated(call) if "ssh" in call.via else effects.get(number, ()), own)
        if not is_described(words[0]) or _short(words[0]) in READS_COMMANDS:
            for redirect in call.redirects:
                finder.text((redirect.body or "").replace("!", ";"), number, 1)
        if words[0] == "export":
            exported += tuple(filter(is_assignment, words[1:]))


def _add_patterns(analysis: Analysis, finder: _Finder, programs: Callable[[], list[str]]) -> None:
    """Calls whose program is a pattern of the names of files, by every name that fits."""
    for number, call in enumerate(analysis.calls, 1):
        if call.words and call.words[0].pattern:
            pattern = _short(call.words[0].pattern)
            for name in programs():
                if name and match_text(pattern, name):
                    finder.add(Words((name, *said(call)[1:]), call.span, number))


def _assigned(call: Call) -> tuple[str, ...]:
    values = [(name, value.text if value.value is None else value.value) for name, value in call.assignments]
    return tuple([f"{name}={value}" for name, value in values])


def lines_in(
    analysis: Analysis, commands: tuple[Words, ...], concerns: Concerns = _of_any
) -> tuple[tuple[Stage, ...], ...]:
    """The text as lines of parts: as it is written, as it is followed, and those that it hands to other shells."""
    found = [stages_of(text) for text in (analysis.text, *_inner_texts(analysis))]
    sorted_ = [
        tuple([replace(stage, commands=_sorted(stage.commands, concerns)) for stage in stages]) for stages in found
    ]
    return (*sorted_, _followed(analysis, commands))


def _inner_texts(analysis: Analysis) -> Iterator[str]:
    """Texts that hold a line of their own: `bash -c 'a | b'`, `frobnicate -c 'a | b'`."""
    for call in analysis.calls:
        if _short(call.program or "") in SHELLS:
            yield from (word for word in said(call)[1:] if " " in word)
    for effect in analysis.effects:
        if effect.kind == "run" and effect.code in STARTS:
            if " " in effect.target:
                yield effect.target
            if 0 < effect.call <= len(analysis.calls) and effect.target == analysis.calls[effect.call - 1].program:
                yield from (word for word in said(analysis.calls[effect.call - 1])[1:] if " " in word)


def _sorted(commands: tuple[Words, ...], concerns: Concerns) -> tuple[Words, ...]:
    found: list[Words] = []
    for words in commands:
        ways = other_words(words.words, lambda program: _is_wanted(program, concerns))
        for other, least in ((words.words, 0), *ways.items()):
            found.append(replace(words, words=other, sort=sort_words, least=least))
    return tuple(found)


def _is_wanted(program: str, concerns: Concerns) -> bool:
    return any(map(concerns, concerned_names(program)))


def _followed(analysis: Analysis, commands: tuple[Words, ...]) -> tuple[Stage, ...]:
    """The calls as parts of one line; a program and what it starts are one part."""
    stages: list[Stage] = []
    before: range = range(0)
    calls = analysis.calls
    sequence = next((one for one in ("||", "&&") if one in analysis.text), ";")
    sequence = UNKNOWN if sequence == "||" else sequence
    first = 0
    while first < len(calls):
        last = first + 1
        while last < len(calls) and calls[last].via == (*calls[last - 1].via, calls[last - 1].program):
            last += 1
        feeding = calls[first].reads_from
        piped = any(place in before for place in range(feeding - calls[first].feeders + 1, feeding + 1))
        inside = tuple([words for words in commands if first < words.call <= last])
        stages.append(Stage(inside, PIPE if piped else sequence))
        before, first = range(first, last), last
    return tuple(stages)


def _telling(words: tuple[str, ...], places: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """Of many tails that begin with the same word, the longest have all words and the shortest the fewest others."""
    by_program: dict[str, list[int]] = {}
    for place in places:
        by_program.setdefault(words[place], []).append(place)
    for same in by_program.values():
        for place in dict.fromkeys((same[0], *same[: -MOST_ALIKE - 1 : -1], *same[1:MOST_ALIKE])):
            yield words[place:]


class _Finder:
    """Collects commands; each with the part that holds it.

    INVARIANT: past the budget the calls themselves are still found; what may be inside of them is not, and a gap.
    """

    def __init__(self, concerns: Concerns, home: str, budget: Budget) -> None:
        self.concerns = concerns
        self.home = home.rstrip("/")
        self.budget = budget
        self.found: dict[Words, None] = {}
        self.looked: dict[tuple[str, ...], int] = {}
        """What was looked into, and how deep inside of others it stood."""
        self.wanted: dict[str, bool] = {}
        self.others: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}

    def call(self, call: Call, effects: Iterable[Effect], own: Words, depth: int = 0) -> None:
        """A call, other words for it, and what it may start."""
        self.add(own)
        started = [effect for effect in effects if effect.kind == "run"]
        if depth >= MOST_DEPTH or not (started or self.mentions(own)) or not self.look(own, depth):
            return
        words = said(call)
        for tail in _telling(words, tails_in(words, started, self.wants)):
            if not self.budget.take(max(len(tail) - WORDS, 0), SUSPECTING):
                break
            self.add(replace(own, words=tail))
        sure = is_described(own.words[0])
        for text in texts_in(call, started, self.wants):
            self.text(text, own.call, depth + 1 if sure else MOST_DEPTH)
        for effect in started:
            if effect.code in STARTS and (effect.possible or _is_written(effect.target, call, own)):
                self.text(effect.target, own.call, depth + 1)

    def look(self, own: Words, depth: int) -> bool:
        """Whether to look into a command: once, and as long as there is a budget."""
        key = (*own.assignments, *own.words)
        if self.looked.get(key, MOST_DEPTH) <= depth or not self.budget.take(STEPS + len(key) // WORDS, SUSPECTING):
            return False
        self.looked[key] = depth
        return True

    def words(self, words: tuple[str, ...], around: Words, depth: int) -> None:
        """A command of nothing but words."""
        call = Call(tuple([Word(word, word) for word in words]), cwds=("/",))
        looks = depth < MOST_DEPTH and any(map(self.wants, words[1:]))
        effects = _stated(call) if looks and self.budget.take(STEPS + len(words), SUSPECTING) else ()
        self.call(call, effects, replace(around, words=words), depth)

    def text(self, text: str, number: int, depth: int) -> None:
        """The commands of a text, as far as anybody wants to know about them."""
        if not self.spells(text):
            return
        for inner in scan(text):
            if self.wants(inner.words[0]) or (depth < MOST_DEPTH and self.mentions(inner)):
                self.words(inner.words, replace(inner, call=number), depth)

    def add(self, own: Words) -> None:
        """A command, from home, and in other words; roughly, once there is no budget to sort its words exactly."""
        known = own.words in self.others
        exactly = known or not self.wants(own.words[0]) or self.budget.take(SORTING + len(own.words), SUSPECTING)
        sort = sort_words if exactly else sort_words_roughly
        self.found[replace(own, sort=sort)] = None
        if self.home and any(word.startswith(self.home) for word in (*own.words, *(one[2] for one in own.redirects))):
            opened = tuple([(fd, operator, self.from_home(target)) for fd, operator, target in own.redirects])
            own = replace(own, words=tuple(map(self.from_home, own.words)), redirects=opened, written=own.words)
            self.found[replace(own, sort=sort)] = None
        others = self.others.get(own.words)
        if others is None:
            others = other_words(own.words, self.wants) if exactly else dict.fromkeys(other_names(own.words), 0)
            self.others[own.words] = others
        for other, least in others.items():
            if not self.budget.take(max(len(other) - WORDS, 0), SUSPECTING):
                break
            self.found[replace(own, words=other, written=own.words, sort=sort, least=least)] = None

    def from_home(self, word: str) -> str:
        """A path as rules write it: `~/x`."""
        below = word == self.home or word.startswith(f"{self.home}/")
        return f"~{word[len(self.home) :]}" if below else word

    def mentions(self, own: Words) -> bool:
        """Whether a name that anybody wants to know about stands anywhere behind the program; most of the time none."""
        return any(map(self.spells, (*own.words[1:], *own.assignments)))

    def spells(self, text: str) -> bool:
        attached = (text[2:],) if text[:1] == "-" and len(text) > 2 else ()
        return any(map(self.wants, (*text.translate(APART).split(), *attached)))

    def wants(self, program: str) -> bool:
        known = self.wanted.get(program)
        if known is None:
            known = self.wanted[program] = _is_wanted(program, self.concerns)
        return known


def _is_written(target: str, call: Call, own: Words) -> bool:
    """Whether what is started stands somewhere in the call; else it is only described: `what it makes at run time`."""
    first = target.split(" ", 1)[0]
    given = (*own.words, *own.assignments, *(redirect.body or "" for redirect in call.redirects))
    return any(first in text for text in given)


def _stated(call: Call) -> list[Effect]:
    """What a command does by itself, wherever it runs."""
    return [fact for fact in facts(replace(call, via=(), redirects=()), 0, "/") if isinstance(fact, Effect)]


def _short(program: str) -> str:
    return program[program.rfind("/") + 1 :]


def _opened(call: Call) -> tuple[tuple[str, str, str], ...]:
    """The redirects of a call as the lexer writes them."""
    return tuple([one for redirect in call.redirects for one in _as_written(redirect)])


def _as_written(redirect: Redirection) -> Iterator[tuple[str, str, str]]:
    if redirect.target is None and redirect.body is None:
        return
    target = redirect.target
    text = (
        (redirect.body or "").removesuffix("\n")
        if target is None
        else target.text
        if target.value is None
        else target.value
    )
    number = "" if redirect.fd is None else str(redirect.fd)
    yield from normal_redirects(number, redirect.op, text)
