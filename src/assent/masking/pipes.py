"""Which command feeds which: pipes, groups, here-documents and process substitutions of a text that may be a script.

No parser: it reads any text, and where that is no shell, it finds commands that nobody feeds.
"""

from __future__ import annotations

from itertools import pairwise

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
        self.name = ""  # of the function whose body this is
        self.ticked = False  # in backticks

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
    reader = _Reader()
    inner: list[tuple[int, int]] = []
    for words, sign, bodies in _lines(source, start, end):
        reader.read(words, sign, bodies)
        inner += [body for body in bodies if body[1] < end]
    for low, high in inner if depth else ():
        reader.made += commands(source, low, high, depth - 1)
    return reader.made


class _Reader:
    """Reads commands one after the other and remembers who may feed whom."""

    def __init__(self) -> None:
        self.made: list[Command] = []
        self._frames = [_Frame(None, [])]
        self._closed: list[Command] = []
        self._pending: list[Command] = []
        self._lasting: list[Command] = []  # `exec 3<<< x`
        self._written: dict[str, Command] = {}  # `echo x > file`
        self._functions: dict[str, list[Command]] = {}
        self._name = ""

    def read(self, words: list[Word], sign: str, bodies: list[tuple[int, int]]) -> None:
        first = words[0][2] if words else ""
        if first in CLOSERS and len(self._frames) > 1:
            self._close()
        elif first in OPENERS:
            self._open(None, self._name if first == "{" else "")
        if words:
            self._add(Command(words), first)
        self._name = (
            first if sign == "(" and len(words) == 1 else self._name if sign in (")", "\n") and not words else ""
        )
        self._end(words, sign)
        for owner, body in zip(self._pending, bodies, strict=False):
            owner.bodies.append(body)
        self._pending = [] if sign == "\n" else self._pending

    def _add(self, command: Command, first: str) -> None:
        frame = self._frames[-1]
        texts = [text for _, _, text in command.words]
        stored = [self._written[text.lstrip("<")] for text in texts[1:] if text.lstrip("<") in self._written]
        command.opener = frame.opener
        command.feeders = [*frame.feeding, *self._lasting, *stored][-MOST_FEEDING:]
        for one in self._closed if first in CLOSERS or first[:1] == "<" else ():
            one.feeders.append(command)  # `{ sudo -S id; } <<< x`
        if any("COPROC" in text for text in texts):
            for one in self.made[-MOST_FEEDING:]:
                one.feeders += [command] if one.words[0][2] == "coproc" else []
        frame.add([*stored, command, *self._functions.get(first, ())])
        self.made.append(command)
        self._closed = []
        self._pending += [command] * sum(_is_here(text) for text in texts)
        if first == "exec" and any("<" in text for text in texts):
            self._lasting = [*self._lasting, command][-MOST_FEEDING:]
        for before, text in pairwise(texts):
            if before in (">", ">>", ">|"):
                self._written[text] = command

    def _end(self, words: list[Word], sign: str) -> None:
        ticked = sign == "`" and self._frames[-1].ticked
        if sign == "(" or (sign == "`" and not ticked):
            substitutes = bool(words) and (sign == "`" or words[-1][2][-1:] in ("<", "$"))
            self._open(self.made[-1] if substitutes else None)
            self._frames[-1].ticked = sign == "`"
        elif (sign == ")" or ticked) and len(self._frames) > 1:
            opener = self._frames[-1].opener
            self._close()
            if opener is not None and _reads(opener.words):
                opener.feeders += self._closed
        elif sign in ("|", ";", "&", "||") or (sign == "\n" and words):
            self._frames[-1].end(piped=sign == "|")

    def _open(self, opener: Command | None, name: str = "") -> None:
        self._frames.append(_Frame(opener, self._frames[-1].feeding))
        self._frames[-1].name = name

    def _close(self) -> None:
        inner = self._frames.pop()
        self._frames[-1].add(inner.all)
        self._closed = inner.all
        if inner.name:
            self._functions[inner.name] = inner.all


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
        if sign == "\\" and at == begin and source[at + 1 : at + 2] == "\n":
            begin = at = at + 2
            continue
        if sign == "<" and at > begin and source.startswith("<<", at) and _glued(source, begin, at):
            words.append((begin, at, source[slice(*bare(source, begin, at))]))
            begin = at
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


def _glued(source: str, begin: int, at: int) -> bool:
    """`id<<<x` is two words, `0<<<x` is one."""
    return source[at - 1] != "<" and not source[begin:at].isdigit()


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
