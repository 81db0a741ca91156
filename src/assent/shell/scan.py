"""The permissive reading of a shell text: everything that could be a command in it. It finds danger, proves nothing.

A command found here may only raise a verdict. Missing one is possible; the strict reading is what allows.
"""

from __future__ import annotations

from assent.record import record
from assent.types import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXTS = 2_000
MAX_SUFFIXES = 200
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
QUOTES = ("'", '"')
WINDOW = 64


@record
class Piece:
    """A run of words without an operator in it, and the texts that stood in quotes."""

    words: tuple[str, ...]
    quoted: tuple[str, ...]
    piped: bool
    """Whether what it prints goes on to the next one."""


def scan(text: str) -> tuple[Words, ...]:
    """Every candidate command, wrappers looked through, shell strings and substitutions opened."""
    return tuple([Words(words) for words in found_in(text)[0]])


def found_in(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, str]]]:
    """The words of every candidate, and what the text may open by a redirect: `<` or `>`, and the word behind it."""
    opened: list[tuple[str, str]] = []
    found: dict[tuple[str, ...], None] = {}
    texts = [*(text.split("\n")[::-1] if "\n" in text else ()), text]  # the whole first, whatever the limit leaves out
    done = 0
    while texts and done < MAX_TEXTS:
        done += 1
        said: list[str] = []
        for piece in _pieces(texts.pop(), opened if done == 1 else []):
            for words in _candidates(piece.words):
                found[words] = None
            if any("{" in word for word in piece.words):
                found |= dict.fromkeys(_candidates(tuple(_unbraced(piece.words))))
            if any(word[word.rfind("/") + 1 :] in SHELLS for word in piece.words):
                texts += (*piece.quoted, *said)  # `echo rm x | sh`
            said = [*said, " ".join(piece.words[1:])] if piece.piped and (said or piece.words[0] in SAYS) else []
    return [*found], opened


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
                yield words[tail:]


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

    def end_word(self) -> None:
        if self.begun and self.opens:
            self.opened.append((self.opens, "".join(self.word)))  # the file behind `>` is no word of the command
            self.opens = ""
        elif self.begun:
            self.words.append("".join(self.word))
        self.word, self.begun = [], False

    def end_piece(self, sign: str = "") -> Piece | None:
        self.end_word()
        self.opens = ""
        words, quoted = tuple(self.words), tuple(self.quoted)
        self.words, self.quoted = [], []
        piped = sign == "|" != self.text[self.at : self.at + 1]
        return Piece(words, quoted, piped) if words else None


def _pieces(text: str, opened: list[tuple[str, str]]) -> Iterator[Piece]:
    reader = _Reader(text)
    while reader.at < len(text):
        ended = _step(reader, text[reader.at])
        if ended is not None:
            yield ended
    if reader.quote:
        reader.quoted.append(text[reader.quote_start :])
    last = reader.end_piece()
    opened += reader.opened
    if last is not None:
        yield last


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
