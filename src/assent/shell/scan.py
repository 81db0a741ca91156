"""The permissive reading of a shell text: everything that could be a command in it. It finds danger, proves nothing.

A command found here may only raise a verdict. Missing one is possible; the strict reading is what allows.
"""

from __future__ import annotations

from assent.lexer import PIPE, is_assignment, parts_of, pieces_of
from assent.record import replace
from assent.types import Stage, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.lexer import Piece

    Candidate = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str, str], ...]]
    """The words of a command, what is set for it and what it opens."""

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


def scan(text: str) -> tuple[Words, ...]:
    """Every candidate command, wrappers looked through, shell strings and substitutions opened."""
    return _words_of(_found(text, []))


def found_in(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, str]]]:
    """The words of every candidate, and what the text may open by a redirect: `<` or `>`, and the word behind it."""
    opened: list[tuple[str, str]] = []
    return [*dict.fromkeys([candidate[0] for candidate in _found(text, opened)])], opened


def stages_of(text: str) -> tuple[Stage, ...]:
    """The parts of a line in their order, each with every command it may be."""
    return tuple([Stage(_words_of(_candidates(piece)), piece.joined) for piece in parts_of(text)])


def _words_of(candidates: Iterable[Candidate]) -> tuple[Words, ...]:
    return tuple([Words(words, None, 0, (), assigned, redirects) for words, assigned, redirects in candidates])


def _found(text: str, opened: list[tuple[str, str]]) -> dict[Candidate, None]:
    if _last and _last[0][0] == text:
        opened += _last[0][2]
        return _last[0][1]
    found: dict[Candidate, None] = {}
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
        _last[:] = [(text, found, tuple(opened))]
    return found


_last: list[tuple[str, dict[Candidate, None], tuple[tuple[str, str], ...]]] = []
"""The last long text: where it is too large to be read strictly, it is needed twice."""
LONG_TEXT = 10_000


def _collect(text: str, found: dict[Candidate, None], opened: list[tuple[str, str]], lines: list[str]) -> list[str]:
    """Add every candidate of a text to those that were found; the texts that shells among them would read.

    `lines` are those that were not read by themselves: a quote that we misread may hide them.
    """
    texts: list[str] = []
    said: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for piece in pieces_of(text, opened, lines):
        words, said = piece.words, said if piece.joined == PIPE else []
        if words in seen and not (said or piece.quoted or piece.redirects or words[0] in SAYS):
            continue
        seen.add(words)
        found |= dict.fromkeys(_candidates(piece))
        if any("{" in word for word in words):
            found |= dict.fromkeys(_candidates(replace(piece, words=tuple(_unbraced(words)))))
        if any(word[word.rfind("/") + 1 :] in SHELLS for word in words):
            texts += (*piece.quoted, *said)  # `echo rm x | sh`
            said = []
        said = [*said[-MOST_SAID:], " ".join(words[1:])] if said or words[0] in SAYS else []
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


def _candidates(piece: Piece) -> Iterator[Candidate]:
    """The command itself, and every tail of it behind a wrapper; what is assigned before it is no word of it."""
    words, redirects = piece.words, piece.redirects
    start = _behind_assignments(words, 0)
    if start >= len(words) or not words[start]:
        return
    yield words[start:], words[:start], redirects
    program = words[start][words[start].rfind("/") + 1 :]
    if program in WRAPPERS:
        for tail in range(start + 1, min(len(words), start + MAX_SUFFIXES)):
            if words[tail] and not words[tail].startswith("-"):
                long = len(words) if tail - start <= WHOLE_TAILS else LONG_TAIL // (tail - start)
                own = _behind_assignments(words, tail)
                yield words[own : own + max(long, MAX_SUFFIXES)], (*words[:start], *words[tail:own]), redirects


def _behind_assignments(words: tuple[str, ...], start: int) -> int:
    while start < len(words) - 1 and is_assignment(words[start]):
        start += 1
    return start
