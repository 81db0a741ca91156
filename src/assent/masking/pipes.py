"""Which command feeds which: pipes, groups, here-documents and process substitutions of a text that may be a script.

No parser: it reads any text, and where that is no shell, it finds commands that nobody feeds.
"""

from __future__ import annotations

from assent.masking.letters import BLANK, QUOTES, mask_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND_ENDS = frozenset("|;&\n()`")
MOST_WORDS, MOST_FEEDING, MOST_OPEN, DEPTH = 20_000, 24, 8, 4
OPENERS = frozenset("{ for while until if case select".split())
CLOSERS = frozenset("} done fi esac".split())
Word = tuple[int, int, str]
"""From where to where, and the text without quotes around it."""


class Command:
    """The words of a command, its here-documents, and the commands that may write what it reads."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self.bodies: list[tuple[int, int]] = []
        self.feeders: list[Command] = []
        self.opener: Command | None = None
        """The command in which this one is substituted: `cat <(echo x)`."""


class _Frame:
    """A list of commands in brackets, or the whole text."""

    def __init__(self, opener: Command | None, upstream: list[Command]) -> None:
        self.opener, self.outer = opener, upstream
        self.upstream: list[Command] = []
        self.stage: list[Command] = []
        self.all: list[Command] = []

    @property
    def feeding(self) -> list[Command]:
        return [*self.outer, *self.upstream][-MOST_FEEDING:]

    def add(self, commands: list[Command]) -> None:
        self.stage = [*self.stage, *commands][-MOST_FEEDING:]
        self.all = [*self.all, *commands][-MOST_FEEDING:]

    def end(self, *, piped: bool) -> None:
        self.upstream = [*self.upstream, *self.stage][-MOST_FEEDING:] if piped else []
        self.stage = []


def commands(source: str, start: int, end: int, depth: int = DEPTH) -> list[Command]:
    """The commands of a text, each with what feeds it; those in here-documents come last."""
    inner: list[tuple[int, int]] = []
    made: list[Command] = []
    frames = [_Frame(None, [])]
    closed: list[Command] = []
    pending: list[Command] = []
    last: Command | None = None
    for words, sign, bodies in _lines(source, start, end):
        command = Command(words)
        first = words[0][2] if words else ""
        if first in CLOSERS and len(frames) > 1:
            closed = _close(frames)
        elif first in OPENERS:
            frames.append(_Frame(None, frames[-1].feeding))
        if words:
            frame = frames[-1]
            command.opener = frame.opener
            command.feeders = frame.feeding
            for one in closed if first in CLOSERS or first[:1] == "<" else ():
                one.feeders.append(command)  # `{ sudo -S id; } <<< x`
            frame.add([command])
            made.append(command)
            last, closed = command, []
            pending += [command] * sum(_is_here(text) for _, _, text in words)
        if sign == "(":
            substitutes = last is not None and bool(words) and words[-1][2][-1:] in ("<", "$")
            frames.append(_Frame(last if substitutes else None, frames[-1].feeding))
        elif sign == ")" and len(frames) > 1:
            opener = frames[-1].opener
            closed = _close(frames)
            if opener is not None and _reads(opener.words):
                opener.feeders += closed
        elif sign in ("|", ";", "&", "||") or (sign == "\n" and words):
            frames[-1].end(piped=sign == "|")
        for owner, body in zip(pending, bodies, strict=False):
            owner.bodies.append(body)
        inner += [body for body in bodies if body[1] < end]
        pending = [] if sign == "\n" else pending
    for low, high in inner if depth else ():
        made += commands(source, low, high, depth - 1)
    return made


def _close(frames: list[_Frame]) -> list[Command]:
    inner = frames.pop()
    frames[-1].add(inner.all)
    return inner.all


def _is_here(word: str) -> bool:
    at = word.find("<<")
    return at >= 0 and word[at : at + 3] != "<<<" and (at == 0 or word[:at].isdigit())


def _reads(words: list[Word]) -> bool:
    """Whether a substitution behind these words is what the command reads: `< <(…)`, `<<< $(…)`, `<<< "$(…)"`."""
    before = words[-2][2] if len(words) > 1 else ""
    text = words[-1][2]
    return before in ("<", "<<<", "0<") or text.startswith(("<<<", "<<(")) or text in ("<<", "0<<")


def _lines(source: str, start: int, end: int) -> Iterator[tuple[list[Word], str, list[tuple[int, int]]]]:
    """The words of each command, the sign behind it, and behind a newline the here-documents that were announced."""
    words: list[Word] = []
    heres: list[str] = []
    opened = 0
    at = begin = start
    quote = alone = ""  # a quote that nothing closes is a sign like any other
    while at <= end:
        sign = source[at] if at < end else "\n"
        if quote and at < end:
            mask = mask_end(source, at) if sign == "‹" else -1
            quote = "" if sign == quote else quote
            at = mask if mask > 0 else at + (2 if sign == "\\" and quote == '"' else 1)
            continue
        if sign in BLANK or (sign in COMMAND_ENDS and not _joins(source, at, begin, sign)):
            if at > begin and len(words) < MOST_WORDS:
                words.append((begin, at, source[slice(*bare(source, begin, at))]))
            begin = at = at + 1
            if sign not in COMMAND_ENDS:
                continue
            if sign in "|&" and source[at : at + 1] == sign and at < end:
                sign, begin, at = "||", at + 1, at + 1
            elif sign == "|" and source[at : at + 1] == "&" and at < end:
                begin = at = at + 1  # `|&`
            heres += _announced(words)
            bodies: list[tuple[int, int]] = []
            if sign == "\n" and heres and at < end:
                bodies, begin, opened = _bodies(source, at, end, heres, opened)
                heres, at = [], begin
            yield words, sign, bodies
            words = []
        elif sign in QUOTES and sign not in alone:
            quote = sign if source.find(sign, at + 1, end) > 0 else ""
            alone += "" if quote else sign
            at += 1
        else:
            mask = mask_end(source, at) if sign == "‹" else -1
            at = mask if mask > 0 else at + (2 if sign == "\\" else 1)
    if words:
        yield words, "", []


def _joins(source: str, at: int, begin: int, sign: str) -> bool:
    """`2>&1`, `&>`, `<&3`: an ampersand that ends nothing."""
    return sign == "&" and (source[at + 1 : at + 2] == ">" or (at > begin and source[at - 1] in "<>"))


def _announced(words: list[Word]) -> list[str]:
    """The words that end the here-documents of a command."""
    found: list[str] = []
    for place, (_, _, text) in enumerate(words):
        if _is_here(text):
            rest = text[text.index("<<") + 2 :].removeprefix("-")
            rest = rest or (words[place + 1][2] if place + 1 < len(words) else "")
            found.append("".join([sign for sign in rest if sign not in "'\"\\"]))
    return found


def _bodies(source: str, at: int, end: int, heres: list[str], opened: int) -> tuple[list[tuple[int, int]], int, int]:
    """Where here-documents stand, where the text goes on, and how many were never closed; of those only some count."""
    found: list[tuple[int, int]] = []
    for here in heres:
        close, after = _closing_line(source, at, end, here) if opened < MOST_OPEN else (-1, end)
        if close < 0:
            return [*found, *([(at, end)] if opened < MOST_OPEN else [])], at, opened + 1
        found.append((at, max(at, close - 1)))
        at = after
    return found, at, opened


def _closing_line(source: str, at: int, end: int, here: str) -> tuple[int, int]:
    """Where the line begins and ends that closes a here-document; -1 if none does."""
    while at < end:
        stop = source.find("\n", at, end)
        line_end = stop if stop >= 0 else end
        if source[at:line_end].strip("\t\r ") == here:
            return at, min(line_end + 1, end)
        at = line_end + 1
    return -1, end


def bare(source: str, start: int, end: int) -> tuple[int, int]:
    """A word without the quotes around it."""
    if end - start > 1 and source[start] in QUOTES and source[end - 1] == source[start]:
        return start + 1, end - 1
    return start, end
