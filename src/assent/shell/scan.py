"""The permissive reading of a shell text: everything that could be a command in it. It finds danger, proves nothing.

A command found here may only raise a verdict. Missing one is possible; the strict reading is what allows.
"""

from __future__ import annotations

from assent.types import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Piece = tuple[tuple[str, ...], tuple[str, ...], bool]
    """A run of words without an operator in it, the texts that stood in quotes, and whether what it prints goes on to
    the next one."""

MAX_SUFFIXES, WHOLE_TAILS, LONG_TAIL = 200, 3, 10_000
"""So many tails of a command are looked at; the first ones whole, the others the shorter the more there are."""
TIMES_AGAIN, MOST_AGAIN = 4, 50_000
"""Texts inside a text are read until they are so many times as long as it is, and so many characters more."""
MOST_SAID = 20
WRAPPERS = frozenset(
    """env command builtin exec nohup nice time timeout stdbuf sudo doas su xargs setsid ionice chrt taskset watch
    strace ltrace script flock choom prlimit setarch setpriv unshare nsenter chroot runuser pkexec parallel busybox
    toybox start-stop-daemon systemd-run firejail bwrap proot fakeroot unbuffer rlwrap catchsegv linux64 linux32
    uv poetry pdm hatch bundle conda mamba npx bunx mise asdf direnv caffeinate nix-shell hyperfine entr watchexec
    screen tmux dbus-run-session ld-linux-x86-64.so.2 ld.so chronic xvfb-run at batch
    then do else elif if while until ! { coproc function eval ssh docker podman kubectl find fd""".split()
)
SHELLS = frozenset(
    """sh bash zsh dash ksh mksh ash fish csh tcsh rbash yash pwsh nu eval source . trap su sudo ssh xargs env watch
    flock script screen tmux
    nix-shell hyperfine entr parallel""".split()
)
SAYS = ("echo", "printf")
SEPARATORS = frozenset(";&|\n")
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:+-%@^=]"
PLAIN_IN_QUOTES = PLAIN + " \n*?[{}#~!;&|"
NOT_SIMPLE = dict.fromkeys(map(ord, PLAIN + " \t\n;&|*?[{}~!$"))
QUOTES = ("'", '"')
WINDOW = 64


def scan(text: str) -> tuple[Words, ...]:
    """Every candidate command, wrappers looked through, shell strings and substitutions opened."""
    return tuple([Words(words) for words in found_in(text)[0]])


def found_in(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, str]]]:
    """The words of every candidate, and what the text may open by a redirect: `<` or `>`, and the word behind it."""
    if _last and _last[0][0] == text:
        return [*_last[0][1]], [*_last[0][2]]
    opened: list[tuple[str, str]] = []
    found: dict[tuple[str, ...], None] = {}
    lines: list[str] = []
    texts = _collect(text, found, opened, lines)
    for line in dict.fromkeys(lines):
        texts += _collect(line, found, [], [])
    left = TIMES_AGAIN * len(text) + MOST_AGAIN
    for inner in texts:  # grows: also those inside others
        left -= len(inner)
        if left < 0:
            break
        texts += _collect(inner, found, [], [])
    if len(text) > LONG_TEXT:
        _last[:] = [(text, tuple(found), tuple(opened))]
    return [*found], opened


_last: list[tuple[str, tuple[tuple[str, ...], ...], tuple[tuple[str, str], ...]]] = []
"""The last long text: where it is too large to be read strictly, it is needed twice."""
LONG_TEXT = 10_000


def _collect(
    text: str, found: dict[tuple[str, ...], None], opened: list[tuple[str, str]], lines: list[str]
) -> list[str]:
    """Add every candidate of a text to those that were found; the texts that shells among them would read.

    `lines` are those that were not read by themselves: a quote that we misread may hide them.
    """
    texts: list[str] = []
    said: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for words, quoted, piped in _pieces(text, opened, lines):
        if words in seen and not (said or quoted or piped):
            continue
        seen.add(words)
        for candidate in _candidates(words):
            found[candidate] = None
        if any("{" in word for word in words):
            found |= dict.fromkeys(_candidates(tuple(_unbraced(words))))
        if any(word[word.rfind("/") + 1 :] in SHELLS for word in words):
            texts += (*quoted, *said)  # `echo rm x | sh`
            said = []
        said = [*said[-MOST_SAID:], " ".join(words[1:])] if piped and (said or words[0] in SAYS) else []
    return texts


def _unbraced(words: tuple[str, ...]) -> Iterator[str]:
    """Words in which braces stand for several: `{rm,x}`, `~/{.ssh,x}/id_rsa`; of one in another only the inner."""
    for word in words:
        start = word.rfind("{")
        end = word.find("}", start)
        inside = word[start + 1 : end].split(",") if 0 <= start < end else []
        if 1 < len(inside) <= MAX_SUFFIXES:
            yield from (f"{word[:start]}{one}{word[end + 1 :]}" for one in inside)
        else:
            yield word


def _candidates(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The command itself without leading assignments, and every tail of it behind a wrapper."""
    start = 0
    while start < len(words) - 1 and _is_assignment(words[start]):
        start += 1
    if start >= len(words) or not words[start]:
        return
    yield words[start:]
    program = words[start][words[start].rfind("/") + 1 :]
    if program in WRAPPERS:
        for tail in range(start + 1, min(len(words), start + MAX_SUFFIXES)):
            if words[tail] and not words[tail].startswith("-"):
                long = len(words) if tail - start <= WHOLE_TAILS else LONG_TAIL // (tail - start)
                yield words[tail : tail + max(long, MAX_SUFFIXES)]


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.rstrip("+").partition("[")[0].isidentifier()


class _Reader:
    """One pass over a text; `stack` remembers the quote each substitution was opened in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.quote = ""
        self.stack: list[str] = []
        self.words: list[str] = []
        self.word: list[str] = []
        self.begun = False
        self.opens = ""
        self.opened: list[tuple[str, str]] = []
        self.quoted: list[str] = []
        self.quote_start = 0
        self.hides = False
        """Whether a line since the last place between lines began inside of something."""

    def end_word(self) -> None:
        if self.begun and self.opens:
            self.opened.append((self.opens, "".join(self.word)))  # the file behind `>` is no word of the command
            self.opens = ""
        elif self.begun:
            self.words.append("".join(self.word))
        self.word, self.begun = [], False

    @property
    def is_between(self) -> bool:
        """Whether nothing is open, so that what follows may stand alone."""
        return not (self.quote or self.stack or self.begun or self.words or self.opens)

    def end_piece(self, sign: str = "") -> Piece | None:
        self.end_word()
        self.opens = ""
        if sign == "\n" and self.stack:
            self.hides = True
        words, quoted = tuple(self.words), tuple(self.quoted)
        self.words, self.quoted = [], []
        piped = sign == "|" != self.text[self.at : self.at + 1]
        return (words, quoted, piped) if words else None


def _pieces(text: str, opened: list[tuple[str, str]], lines: list[str]) -> Iterator[Piece]:
    reader = _Reader(text)
    length, begun = len(text), 0
    while reader.at < length:
        if reader.is_between and (not reader.at or text[reader.at - 1] == "\n"):
            if reader.hides:
                lines += text[begun : reader.at].split("\n")
                reader.hides = False
            end = text.find("\n", reader.at)
            begun = length if end < 0 else end + 1
            line = text[reader.at : begun]
            if not line.translate(NOT_SIMPLE):
                yield from _simple_pieces(line)
                reader.at = begun
                continue
            begun = reader.at
        ended = _step(reader, text[reader.at])
        if ended is not None:
            yield ended
    if reader.quote:
        reader.quoted.append(text[reader.quote_start :])
    if reader.hides or reader.quote:
        lines += text[begun:].split("\n")
    last = reader.end_piece()
    opened += reader.opened
    if last is not None:
        yield last


def _simple_pieces(line: str) -> Iterator[Piece]:
    """The pieces of a line in which nothing is quoted, opened or substituted."""
    for part in line.replace("|&", "|").replace("&", ";").rstrip("\n").split(";"):
        if "|" not in part:
            words = tuple(part.split())
            if words:
                yield words, (), False
            continue
        pieces = part.split("|")
        for at, piece in enumerate(pieces):
            words = tuple(piece.split())
            if words:
                yield words, (), at + 1 < len(pieces) and (pieces[at + 1] != "" or at + 2 == len(pieces))


def _step(reader: _Reader, sign: str) -> Piece | None:
    """Consume one character, or one construct, and return the piece it ends."""
    following = reader.text[reader.at + 1 : reader.at + 2]
    reader.at += 1
    if reader.quote == "'":
        _close_or_take(reader, sign, "'")
        return None
    if sign == "\\":
        reader.at += 1
        if following != "\n":
            _take(reader, following)
        return None
    if sign in "$<>" and following == "(" and (sign == "$" or not reader.quote):
        reader.at += 1
        reader.stack.append(reader.quote)
        reader.quote = ""
        return reader.end_piece()
    if sign == "`":
        return _backtick(reader)
    if reader.quote == '"':
        _close_or_take(reader, sign, '"')
        return None
    return _unquoted(reader, sign)


def _unquoted(reader: _Reader, sign: str) -> Piece | None:
    if sign == "$" and reader.text[reader.at : reader.at + 1] in QUOTES:
        return None  # `$'rm'`
    if sign in QUOTES:
        reader.quote, reader.begun, reader.quote_start = sign, True, reader.at
        return None
    if sign == "&" and reader.opens and not reader.begun:
        return None  # `>&2`
    if sign in SEPARATORS:
        return reader.end_piece(sign)
    if sign == "(":
        reader.stack.append("")
        return reader.end_piece()
    if sign == ")":
        piece = reader.end_piece()
        reader.quote = reader.stack.pop() if reader.stack else ""
        return piece
    if sign in "<>":
        if reader.begun and "".join(reader.word).isdigit():
            reader.word, reader.begun = [], False
        reader.end_word()
        reader.opens = sign
    elif sign in " \t":
        reader.end_word()
    elif sign == "#" and not reader.begun:
        end = reader.text.find("\n", reader.at)
        reader.at = len(reader.text) if end < 0 else end
    else:
        _take(reader, sign, PLAIN)
    return None


def _take(reader: _Reader, sign: str, plain: str = "") -> None:
    """This sign, and of those that are plain here as many as follow at once."""
    run = reader.text[reader.at : reader.at + WINDOW] if plain else ""
    taken = len(run) - len(run.lstrip(plain)) if run else 0
    reader.word.append(sign + run[:taken])
    reader.at += taken
    reader.begun = True


def _close_or_take(reader: _Reader, sign: str, quote: str) -> None:
    if sign == quote:
        reader.quote = ""
        reader.quoted.append(reader.text[reader.quote_start : reader.at - 1])
        reader.hides = reader.hides or "\n" in reader.quoted[-1]
    else:
        _take(reader, sign, PLAIN_IN_QUOTES)


def _backtick(reader: _Reader) -> Piece | None:
    if reader.stack and reader.stack[-1].startswith("`"):
        piece = reader.end_piece()
        reader.quote = reader.stack.pop()[1:]
        return piece
    reader.stack.append("`" + reader.quote)
    reader.quote = ""
    return reader.end_piece()
