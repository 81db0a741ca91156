"""Patterns with operators in them, compared with every stretch of a command line that could be a command of its own.

`:(){ :|:& };:` is no list of words. It is found in `true; :(){ :|:& };:`, whatever blanks stand around its operators.
"""

from __future__ import annotations

from assent import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OPERATORS = frozenset(";&|(){}<>\n")
OPENS = frozenset(";&|({)\n!`")
"""Signs behind which a command may begin; `)` because a case and a function have one before theirs."""
CLOSES = frozenset(";&|)}\n`")
ENDS = frozenset(")}")
"""Signs that may also be the last of a command."""
BEGINS = frozenset("then do else elif if while until time coproc !".split())
"""Words behind which a command begins."""
SHELLS = frozenset("sh bash zsh dash ksh mksh ash fish eval trap source su sudo ssh xargs env watch".split())


def has_operators(pattern: str) -> bool:
    """Whether no list of words could match it."""
    return not OPERATORS.isdisjoint(pattern)


def is_somewhere(pattern: str, text: str, commands: Iterable[tuple[str, ...]]) -> bool:
    """Whether a pattern with operators matches a stretch of a text that begins and ends where a command may.

    Good for finding what is denied, not for allowing. Text in quotes counts where a shell may read it.
    """
    inner = any(word[word.rfind("/") + 1 :] in SHELLS for words in commands for word in words)
    wanted, given = squeezed(pattern), squeezed(text)
    starts, ends = _borders(given, inner=inner)
    head, star, rest = wanted.partition("*")
    middle, _, tail = rest.rpartition("*")
    first, last = globs.width(head), globs.width(tail)
    begins = [at + first for at in starts if globs.match_text(head, given[at : at + first])]
    if not star:
        return not set(begins).isdisjoint(ends)
    stops = [at - last for at in ends if at >= last and globs.match_text(tail, given[at - last : at])]
    # Between the first beginning and the last end lies every other stretch, so one comparison does for all of them.
    fits = bool(begins and stops) and min(begins) <= max(stops)
    return fits and globs.match_text(f"*{middle}*", given[min(begins) : max(stops)])


def squeezed(text: str) -> str:
    """The text with one blank for several and none around operators; a newline ends a command as `;` does."""
    made: list[str] = []
    for sign in "\n".join(" ".join(line.split()) for line in text.replace("\\\n", "").split("\n")):
        before = made[-1] if made else ";"
        if sign in " \n" and before in OPERATORS:
            continue
        if sign in OPERATORS and before == " ":
            made.pop()
        made.append(";" if sign == "\n" else sign)
    return "".join(made).strip(" ")


def _borders(text: str, *, inner: bool) -> tuple[list[int], list[int]]:
    """Where a command may begin, and where one may end."""
    starts, ends, quote, word = [0], [len(text)], "", 0
    for at, sign in enumerate(text):
        if sign in "'\"" and (not quote or quote == sign):
            quote = "" if quote else sign
            if inner:
                starts.append(at + 1)
                ends.append(at)
        elif quote and not inner:
            continue
        elif sign in CLOSES or sign in OPENS:
            word = at + 1
            starts += [at + 1] if sign in OPENS else []
            ends += [at] if sign in CLOSES else []
            ends += [at + 1] if sign in ENDS else []
        elif sign == " ":
            starts += [at + 1] if text[word:at] in BEGINS else []
            word = at + 1
    return starts, ends
