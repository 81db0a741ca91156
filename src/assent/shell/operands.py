"""Operands that a shell evaluates as arithmetic, in which a subscript runs commands: zsh runs `exit 'a[$(command)]'`.

Which ones do was tried with zsh 5.9 and mksh 59; `tests/shell/test_operands.py` tries zsh again where there is one.
"""

from __future__ import annotations

from assent.shell.numbers import is_number
from assent.types import JOB, PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Call, Word

EVALUATE = frozenset(("zsh", "ksh", "mksh"))
"""Shells that do. Others may be one of them by another name: there an operand counts that could do harm."""
NEVER = ("bash", "dash")
COUNTS = frozenset("exit bye logout return break continue shift ulimit limit sched".split())
"""Every operand is a number."""
FORMATS = frozenset(("printf", "print"))
TESTS = frozenset(("test", "["))
COMPARES = frozenset("-eq -ne -lt -le -gt -ge".split())
READ_NUMBERS = frozenset("tknNu")
TAKES_NUMBERS = COUNTS | FORMATS | TESTS | {"read"}
TEXTS = frozenset("sbqc%")
"""Directives of printf for texts; of all others the word is evaluated."""


def evaluates(call: Call, shell: str) -> str:
    """Why a shell may run what stands in an operand; empty for almost every call."""
    program = call.program or ""
    if shell in NEVER or program not in TAKES_NUMBERS:
        return ""
    for word in _numbers_of(program, call.words[1:]):
        if not _is_plain(word) if shell in EVALUATE else "[" in (word.value or ""):
            return f"{shell}: {program} evaluates `{word.text}`"
    return ""


def _is_plain(word: Word) -> bool:
    """A number, also with a dot, or a word that is certain to hold no more than letters and digits."""
    if word.value is not None:
        digits = word.value.lstrip("+-").replace(".", "", 1)
        return not digits or (digits.isascii() and digits.isalnum() and digits[0].isdigit())
    return is_number(word) or word.why in (PLAIN, JOB)


def _numbers_of(program: str, words: tuple[Word, ...]) -> Iterator[Word]:
    """The words that are evaluated, or may be."""
    if program in COUNTS:
        yield from (word for word in words if not (word.value or "").startswith("-") or "[" in (word.value or ""))
    elif program in FORMATS:
        yield from _formatted(program, words)
    elif program == "read":
        yield from _of_read(words)
    else:
        for before, word, behind in zip((None, *words), words, (*words[1:], None), strict=False):
            compares = [one.value for one in (before, behind) if one is not None and one.value in COMPARES]
            if (before is not None and before.value == "-t") or compares:
                yield word


def _formatted(program: str, words: tuple[Word, ...]) -> Iterator[Word]:
    """What a format takes for numbers; a format that nobody knows may take any word."""
    if program == "print":
        options = [(at, word.value) for at, word in enumerate(words) if word.value and word.value[0] == "-"]
        if any("v" in value for _at, value in options):  # a name, whose subscript is evaluated
            yield from (word for word in words if word.value is None or "[" in word.value)
        formats = [at for at, value in options if "f" in value]
        if not formats:
            return
        words = words[formats[0] + 1 :]
    if words and words[0].value == "-v":
        words = words[2:]
    form = words[0].value if words else ""
    if form is None or any(word.many and not is_number(word) for word in words):
        yield from words[1:]  # nobody knows which word is for which directive
        return
    slots = [number for piece in form.replace("%%", "").split("%")[1:] for number in _slots(piece)]
    if True in slots:
        yield from (word for at, word in enumerate(words[1:]) if slots[at % len(slots)])


def _slots(piece: str) -> list[bool]:
    """Whether each word that a directive takes is a number: one for each star, and one for itself."""
    rest = piece.lstrip("-+ #0123456789.*$'")
    before = piece[: len(piece) - len(rest)]
    return [True] * (before.count("*") + before.count("$")) + [rest[:1] not in TEXTS]


def _of_read(words: tuple[Word, ...]) -> Iterator[Word]:
    """The values of options of `read`, glued to the letter or behind it."""
    for word, following in zip(words, (*words[1:], None), strict=False):
        value = word.value or ""
        letters = value[1:] if value[:1] == "-" else ""
        found = next((at for at, sign in enumerate(letters) if sign in READ_NUMBERS), -1)
        if found < 0:
            continue
        glued = letters[found + 1 :]
        if "[" in glued:
            yield word
        elif not glued and following is not None and not (following.value or "-").isidentifier():
            yield following
