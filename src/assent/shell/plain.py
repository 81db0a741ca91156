"""Command lines of nothing but plain and quoted words, as most are: read at once into the calls the grammar would find.

INVARIANT: a text is left to the grammar or read here exactly as there; `tests/shell/test_plain.py` compares them.
"""

from __future__ import annotations

from assent.record import maker
from assent.types import Call, Redirection, Span, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    Plain = list[tuple[Call, str]]
    """Calls, and the operator behind each."""

MAX_CHARACTERS = 2_000
new_call, new_span, new_word = maker(Call), maker(Span), maker(Word)
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
GLOB_SIGNS = PLAIN_SIGNS + "*?["
ESCAPED = frozenset(PLAIN_SIGNS + "*?[{}()!;$&|<>#~")
"""What may stand behind a backslash here; blanks, quotes and backslashes are left to the grammar."""
QUOTES = ("'", '"')
SPECIAL_IN_QUOTES = frozenset("$`")
LITERAL = {"{}": "{}", "!": "!", "\\;": ";", "\\(": "(", "\\)": ")", "\\!": "!"}
"""Words that `find` needs and that stand for themselves."""
OPERATORS = frozenset(("|", "||", "&&", ";", "&"))
ENDS = frozenset((";", "&"))
OPENS = frozenset("012<>&")
REDIRECTS = {
    f"{fd}{op}": (op, int(fd) if fd else None)
    for fd in ("", "0", "1", "2")
    for op in (">", ">>", "<", ">&", "&>")
    if not (fd and op == "&>")
}


def plain_calls(text: str, cwds: tuple[str, ...], home: str = "") -> Plain | None:
    """The calls of a text of plain and quoted words, patterns, operators and redirects; None for any other text."""
    if len(text) > MAX_CHARACTERS:
        return None
    if text.strip(SIGNS):
        return None if "$(" in text or "`" in text or "<<" in text else _listed(text, cwds, home)
    words = [new_word(piece, piece) for piece in text.split()]
    call = _call(words, (), cwds, -1, new_span(text.index(words[0].text), len(text))) if words else None
    return None if call is None else [(call, "")]


def _call(
    words: list[Word], redirects: tuple[Redirection, ...], cwds: tuple[str, ...], source: int, span: Span
) -> Call | None:
    """None where the first word may be more than the name of a program."""
    name = words[0].text
    if name != words[0].value or "=" in name or name in RESERVED:
        return None
    return new_call(tuple(words), (), redirects, cwds, source, (), span)


def _listed(text: str, cwds: tuple[str, ...], home: str) -> Plain | None:
    """Words up to an operator are one call. A redirect stands behind a word and has its target in it or in the next."""
    found: Plain = []
    words: list[Word] = []
    redirects: list[Redirection] = []
    redirect, begun, start, source, at, length = "", 0, 0, -1, 0, len(text)
    while at < length:
        end = text.find(" ", at)
        end = length if end < 0 else end
        piece = text[at:end]
        word = None
        if not piece.strip(PLAIN_SIGNS):  # most are plain words, or nothing between two blanks
            word = new_word(piece, piece) if piece else None
        elif not redirect and (operator := _operator(piece)):
            if len(piece) > len(operator):
                start = at if not words else start
                words.append(new_word(piece[:-1], piece[:-1]))
            span = new_span(start, end - len(operator))
            call = _call(words, tuple(redirects), cwds, source, span) if words else None
            if call is None:
                return None
            source = len(found) if operator == "|" else -1
            found.append((call, operator))
            words, redirects = [], []
        elif not redirect and piece[0] in OPENS and words and (redirect := _redirect(piece)):
            begun = at
            end = at + len(redirect)
        elif (word := _word(text, at, piece, home)) is None:
            return None
        else:
            end = at + len(word.text)
        if word is not None:
            if not redirect:
                start = at if not words else start
                words.append(word)
            elif (made := _opened(redirect, word, new_span(begun, end))) is None:
                return None
            else:
                redirects.append(made)
                redirect = ""
        at = end + (text[end : end + 1] == " ")
    if redirect or (found and not words and found[-1][1] not in ENDS):
        return None
    if words:
        call = _call(words, tuple(redirects), cwds, source, new_span(start, length))
        if call is None:
            return None
        found.append((call, ""))
    return found or None


def _operator(piece: str) -> str:
    """The operator that a piece is, or the `;` at its end."""
    if piece in OPERATORS:
        return piece
    return ";" if piece[-1] == ";" and not piece[:-1].strip(PLAIN_SIGNS) else ""


def _redirect(piece: str) -> str:
    """The descriptor and the operator at the beginning of a piece; empty if there is none that is read here."""
    for size in (3, 2, 1):
        if piece[:size] in REDIRECTS:
            return piece[:size]
    return ""


def _opened(redirect: str, target: Word, span: Span) -> Redirection | None:
    """None for a target that may be several words or an assignment, or a name behind `>&`, which bash reads twice."""
    operator, descriptor = REDIRECTS[redirect]
    value = target.value
    if value is None or "=" in value:
        return None
    if operator == ">&" and not (value.isdigit() and value == target.text):
        return None
    if operator == "&>" and "[" in target.text:
        return None  # as for `=`, the grammar takes no chances with what looks like an assignment
    return Redirection(operator, descriptor, target, None, span)


def _word(text: str, at: int, piece: str, home: str) -> Word | None:
    """A word quoted as a whole or from some place on, a pattern, or one at home; None for any other."""
    quote, start = piece[0], at + 1
    if quote not in QUOTES:
        if piece in LITERAL:
            return Word(piece, LITERAL[piece])
        if not piece.strip(GLOB_SIGNS):
            known = "[" not in piece or _closes(piece)
            return Word(piece, None, "names of files", piece, True) if known else None
        quote = piece.lstrip(PLAIN_SIGNS)[0]
        if quote not in QUOTES:
            value = _escaped(piece) if quote == "\\" else _at_home(piece, home) if quote == "~" else ""
            return new_word(piece, value) if value else None
        start = text.index(quote, at) + 1
    close = text.find(quote, start)
    value = text[start:close]
    if close < 0 or text[close + 1 : close + 2] not in ("", " "):
        return None
    if not (value.isascii() and (value.isprintable() or value.replace("\n", "").isprintable())):
        return None
    if quote == '"' and not _stands_for_itself(value):
        return None
    return new_word(text[at : close + 1], text[at : start - 1] + value)


def _closes(piece: str) -> bool:
    """Whether the one bracket of a pattern is closed behind something; any other is left to the grammar."""
    return piece.count("[") == 1 and piece.find("]", piece.index("[") + 2) > 0


def _escaped(piece: str) -> str:
    """A word in which each backslash stands before a sign that it makes plain; empty for any other."""
    first, *others = piece.split("\\")
    for other in others:
        if other[:1] not in ESCAPED or other[1:].strip(PLAIN_SIGNS):
            return ""
    return first + "".join(others)


def _at_home(piece: str, home: str) -> str:
    """`~` and `~/folder`; empty for any other, and where home is not known."""
    plain = piece[:2] in ("~", "~/") and not piece[1:].strip(PLAIN_SIGNS) and ":" not in piece
    return home + piece[1:] if plain and home else ""


def _stands_for_itself(value: str) -> bool:
    """Whether nothing between double quotes is expanded, and every backslash is kept."""
    if "\\" in value and (value[-1] == "\\" or "\\\\" in value or "\\\n" in value):
        return False
    return SPECIAL_IN_QUOTES.isdisjoint(value)
