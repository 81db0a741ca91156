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
BREAKS = frozenset("|&;\n\t")
NO_WORD = BREAKS | {"#"}
OPERATORS = frozenset(("|", "&&", "||", ";", "&"))
BEHIND_QUOTES = BREAKS | {" "}
EXPANDED = frozenset(PLAIN_SIGNS[:63] + "({[@*#?-$!")
"""What makes more than itself of a `$` before it, between double quotes."""
LITERAL = {"{}": "{}", "!": "!", "\\;": ";", "\\(": "(", "\\)": ")", "\\!": "!"}
"""Words that `find` needs and that stand for themselves."""
ENDS = frozenset((";", "&", "\n"))
OPENS = frozenset("012<>&")
REDIRECTS = {
    f"{fd}{op}": (op, int(fd) if fd else None)
    for fd in ("", "0", "1", "2")
    for op in (">", ">>", "<", ">&", "&>")
    if not (fd and op == "&>")
}


def plain_calls(text: str, cwds: tuple[str, ...], home: str = "") -> Plain | None:
    """The calls of a text of plain and quoted words, patterns, operators and redirects; None for any other text.

    No backtick, substitution or heredoc comes further than this, wherever it stands.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    if text.strip(SIGNS):
        return None if "$(" in text or "`" in text or "<<" in text else _listed(text, cwds, home)
    pieces = text.split()
    if not pieces or "=" in pieces[0] or pieces[0] in RESERVED:
        return None
    words = tuple([new_word(piece, piece) for piece in pieces])
    return [(new_call(words, (), (), cwds, -1, (), new_span(text.find(pieces[0]), len(text))), "")]


def _call(
    words: list[Word], redirects: tuple[Redirection, ...], cwds: tuple[str, ...], source: int, span: Span
) -> Call | None:
    """None where there is no word, or the first may be more than the name of a program."""
    if not words:
        return None
    name = words[0].text
    if name != words[0].value or "=" in name or name in RESERVED:
        return None
    return new_call(tuple(words), (), redirects, cwds, source, (), span)


def _listed(text: str, cwds: tuple[str, ...], home: str) -> Plain | None:
    """Words up to an operator are one call. A redirect stands behind a word and has its target in it or in the next."""
    found: Plain = []
    words: list[Word] = []
    redirects: list[Redirection] = []
    redirect, begun, start, source, at, length, padded = "", 0, 0, -1, 0, len(text), text + " "
    while at < length:
        end = padded.find(" ", at)
        piece = text[at:end]
        word = None
        if piece not in OPERATORS and not piece.strip(PLAIN_SIGNS):
            if not piece:  # between two blanks
                at = end + 1
                continue
            word = new_word(piece, piece)
        if word is not None:
            if not redirect:
                start = start if words else at
                words.append(word)
                at = end + 1
                continue
        elif not redirect and piece[0] in OPENS and words and (redirect := _redirect(piece)):
            begun, end = at, at + len(redirect)
        elif piece[0] in NO_WORD or piece[:2] == "\\\n":
            operator, end = (piece, end) if piece in OPERATORS else _operator(text, at)
            if end < 0 or (operator and redirect):
                return None
            if operator and (words or operator != "\n"):
                if (call := _call(words, tuple(redirects), cwds, source, new_span(start, at))) is None:
                    return None
                found.append((call, operator))
                words, redirects, source = [], [], len(found) - 1 if operator == "|" else -1
        elif (word := _word(text, at, piece, home)) is None:
            return None
        else:
            end = at + len(word.text)
        if word is not None:
            if not redirect:
                start = start if words else at
                words.append(word)
            elif (made := _opened(redirect, word, new_span(begun, end))) is None:
                return None
            else:
                redirects.append(made)
                redirect = ""
        at = end + (padded[end] == " ")
    if not words:
        return None if redirect or not found or found[-1][1] not in ENDS else found
    last = None if redirect else _call(words, tuple(redirects), cwds, source, new_span(start, length))
    return [*found, (last, "")] if last is not None else None


def _operator(text: str, at: int) -> tuple[str, int]:
    """The operator that stands here and where it ends; none for a blank or a comment; -1 for what is not read here."""
    sign, two = text[at], text[at : at + 2]
    if two in ("&&", "||"):
        return two, at + 2
    if sign == "#":
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        return "", end if text[at:end].isprintable() else -1
    if sign == "\\":
        return "", at + 2 if two == "\\\n" else -1
    return "" if sign == "\t" else sign, at + 1


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
    if operator == ">&" and (not (value.isdigit() and value == target.text) or value == "0" or descriptor == 0):
        return None
    if operator == "<" and value.startswith(("/dev/", "/proc/")) and value != "/dev/null":
        return None  # may be what it reads anyway, by another name
    if operator == "&>" and "[" in target.text:
        return None  # as for `=`, the grammar takes no chances with what looks like an assignment
    return Redirection(operator, descriptor, target, None, span)


def _word(text: str, at: int, piece: str, home: str) -> Word | None:
    """A word quoted as a whole or from some place on, a pattern, or one at home; None for any other."""
    rest = piece.lstrip(PLAIN_SIGNS)
    sign = rest[0]
    if sign in QUOTES:
        return _quoted(text, at, at + len(piece) - len(rest))
    if not BREAKS.isdisjoint(piece) and piece not in LITERAL:
        for sign in BREAKS:
            piece = piece.partition(sign)[0]
        sign = piece.lstrip(PLAIN_SIGNS)[:1]
    if not sign:
        return new_word(piece, piece)
    if piece in LITERAL:
        return Word(piece, LITERAL[piece])
    if not piece.strip(GLOB_SIGNS):
        known = "[" not in piece or _closes(piece)
        return Word(piece, None, "names of files", piece, True) if known else None
    value = _escaped(piece) if sign == "\\" else _at_home(piece, home) if sign == "~" else ""
    if sign == "$" and not piece[:-1].strip(PLAIN_SIGNS):
        value = piece
    return new_word(piece, value) if value else None


def _quoted(text: str, at: int, opens: int) -> Word | None:
    """A word that ends with the quote that opens in it."""
    quote = text[opens]
    close = text.find(quote, opens + 1)
    while close > 0 and quote == '"' and text[close - 1] == "\\":
        close = text.find(quote, close + 1)
    value = text[opens + 1 : close]
    if close < 0 or (close + 1 < len(text) and text[close + 1] not in BEHIND_QUOTES):
        return None
    if not (value.isprintable() or value.replace("\n", "").isprintable()):
        return None
    if quote == '"' and ("\\" in value or "$" in value):
        known = _unescaped(value)
        if known is None:
            return None
        value = known
    return new_word(text[at : close + 1], text[at:opens] + value)


def _unescaped(value: str) -> str | None:
    """What stands between double quotes, where nothing is expanded; None for more than that."""
    if "\\\\" in value or "\\\n" in value:
        return None
    bare = value.replace("\\$", "")
    if "$" in bare:
        *before, last = bare.split("$")[1:]
        if last[:1] in EXPANDED or not all(part and part[0] not in EXPANDED for part in before):
            return None
    return value.replace('\\"', '"').replace("\\$", "$")


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
