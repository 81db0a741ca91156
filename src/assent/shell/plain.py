"""Command lines of nothing but plain and quoted words, as most are: read at once into the call the grammar would find.

INVARIANT: a text is left to the grammar or read here exactly as there; `tests/shell/test_plain.py` compares them.
"""

from __future__ import annotations

from assent.types import Call, Span, Word

MAX_CHARACTERS = 2_000
PLAIN_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:+-%@^=]"
RESERVED = frozenset(
    "if then elif else fi for while until do done case esac in select function { } ! [[ ]] time coproc".split()
)
"""Both as in the grammar, which is not loaded for them: it costs more than everything else about a plain line."""
FOLLOWED = frozenset(
    """. [ alias bash bind builtin busybox cd chrt command compgen complete compopt coproc dash declare dirs doas enable
    env eval exec export fc find flock getopts hash history ionice jobs ksh let local mapfile nice nohup popd printf
    pushd read readarray readonly set setsid sh shopt source ssh stdbuf sudo suspend taskset test time timeout trap
    typeset unalias unset wait watch xargs zsh""".split()
)
"""Programs that change the shell or start others, as in `follow`: a plain call of any other is all there is."""
SIGNS = PLAIN_SIGNS + " "
SPECIAL_IN_QUOTES = frozenset("$`\\")


def plain_call(text: str, cwds: tuple[str, ...]) -> Call | None:
    """The only call of a text in which nothing but quotes around whole words is special; None for any other text."""
    if len(text) > MAX_CHARACTERS:
        return None
    words = _quoted_words(text) if text.strip(SIGNS) else _bare_words(text)
    if not words:
        return None
    name = words[0].text
    if "=" in name or name in RESERVED or name[0] in "'\"":
        return None
    return Call(tuple(words), (), (), cwds, -1, (), Span(text.index(name), len(text)))


def _bare_words(text: str) -> list[Word]:
    words: list[Word] = []
    at = 0
    for piece in text.split(" "):
        end = at + len(piece)
        if piece:
            words.append(Word(piece, piece, "", "", False, Span(at, end)))
        at = end + 1
    return words


def _quoted_words(text: str) -> list[Word]:
    """Nothing where a word is neither plain nor quoted as a whole, or a quote holds what does not print as it is."""
    words: list[Word] = []
    at, length = 0, len(text)
    while at < length:
        sign = text[at]
        if sign == " ":
            at += 1
            continue
        if sign in "'\"":
            end = text.find(sign, at + 1) + 1
            value = text[at + 1 : end - 1]
            if not end or text[end : end + 1] not in ("", " ") or not (value.isascii() and value.isprintable()):
                return []
            if sign == '"' and not SPECIAL_IN_QUOTES.isdisjoint(value):
                return []
        else:
            end = text.find(" ", at)
            end = length if end < 0 else end
            value = text[at:end]
            if value.strip(PLAIN_SIGNS):
                return []
        words.append(Word(text[at:end], value, "", "", False, Span(at, end)))
        at = end
    return words
