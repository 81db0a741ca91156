"""A command line taken apart at its operators, without understanding it: words, redirects, and what joins the pieces.

It never fails and proves nothing: it finds what a line may hold. Rules on whole lines are read by it, too.
"""

from __future__ import annotations

from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Opened = tuple[str, str, str]

SEPARATORS = frozenset(";&|\n")
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:+-%@^=]"
PLAIN_IN_QUOTES = PLAIN + " \n*?[{}#~!;&|"
NOT_SIMPLE = dict.fromkeys(map(ord, PLAIN + " \t\n;&|*?[{}~!$"))
QUOTES = ("'", '"')
WINDOW = 64
PIPE, INSIDE = "|", "("
"""What joins a piece to the one before it: also `&&`, `||`, `;` (or a new line, or `&`) and nothing for the first."""
CLOSES = frozenset(("}", "done", "fi", "esac"))
"""Words that end what holds commands, and start none."""
MERGED = ("2", ">&", "1")
"""What `|&` adds to the command before it."""
BOTH, SIGNS = "\3", {"\1": "&&", "\2": "||"}


@record
class Piece:
    """A run of words without an operator in it, and the texts that stood in quotes."""

    words: tuple[str, ...]
    quoted: tuple[str, ...] = ()
    redirects: tuple[Opened, ...] = ()
    """Descriptor, operator and target of each: `2>x` is `("2", ">", "x")`, `&>x` is two of them."""
    joined: str = ""
    """What stands between it and the piece before it; `INSIDE` where one holds the other, as in `a $(b)`."""


def pieces_of(
    text: str, opened: list[tuple[str, str]] | None = None, lines: list[str] | None = None
) -> Iterator[Piece]:
    """The pieces in their order.

    Adds what redirects name to `opened`: `<` or `>`, and the word behind it. Adds lines that were not read by
    themselves to `lines`: a quote that we misread may hide them.
    """
    reader = _Reader(text)
    length, begun = len(text), 0
    hidden: list[str] = []
    while reader.at < length:
        if reader.is_between and (not reader.at or text[reader.at - 1] == "\n"):
            if reader.hides:
                hidden += text[begun : reader.at].split("\n")
                reader.hides = False
            end = text.find("\n", reader.at)
            begun = length if end < 0 else end + 1
            line = text[reader.at : begun]
            if not line.translate(NOT_SIMPLE):
                yield from _simple_pieces(line, reader)
                reader.at = begun
                continue
            begun = reader.at
        ended = _step(reader, text[reader.at])
        if ended is not None:
            yield ended
    if reader.quote:
        reader.quoted.append(text[reader.quote_start :])
    if reader.hides or reader.quote:
        hidden += text[begun:].split("\n")
    last = reader.end_piece("")
    if opened is not None:
        opened += reader.opened
    if lines is not None:
        lines += hidden
    if last is not None:
        yield last


def _simple_pieces(line: str, reader: _Reader) -> Iterator[Piece]:
    """The pieces of a line in which nothing is quoted, opened or substituted."""
    if SEPARATORS.isdisjoint(line.rstrip("\n")):
        reader.words = line.split()
        ended = reader.end_piece("\n")
        if ended is not None:
            yield ended
        return
    marked = line.replace("|&", f"{BOTH} |").replace("&&", ";\1").replace("||", ";\2").replace("&", ";")
    for part in marked.split(";"):
        for at, piece in enumerate(part.split(PIPE)):
            sign = PIPE if at else SIGNS.get(piece[:1], ";")
            words = piece.lstrip("\1\2").split()
            if reader.ended or reader.between:
                reader.between += sign if len(reader.between) < WINDOW else ""
            reader.redirects = [MERGED] if words[-1:] == [BOTH] else []
            reader.words = words[:-1] if reader.redirects else words
            ended = reader.end_piece("")
            if ended is not None:
                yield ended
    reader.between += "\n"


def parts_of(text: str) -> Iterator[Piece]:
    """The pieces that are commands; those that only end a loop or a group hand on what joins the next."""
    joined = ""
    for piece in pieces_of(text):
        joined = piece.joined if not joined or piece.joined == PIPE else joined
        if not CLOSES.issuperset(piece.words):
            yield replace(piece, joined=joined)
            joined = ""


def is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.rstrip("+").partition("[")[0].isidentifier()


def squeeze(text: str) -> str:
    """A text with one blank where several stand outside quotes, none at its ends, and all else as it is."""
    out: list[str] = []
    quote = ""
    signs = iter(text.strip(" \t"))
    for sign in signs:
        if sign == "\\" and quote != "'":
            out.append(sign + next(signs, ""))
            continue
        if quote:
            quote = "" if sign == quote else quote
        elif sign in QUOTES:
            quote = sign
        elif sign in " \t":
            if out and out[-1] != " ":
                out.append(" ")
            continue
        out.append(sign)
    return "".join(out)


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
        self.descriptor = ""
        self.redirects: list[Opened] = []
        self.opened: list[tuple[str, str]] = []
        self.between = ""
        self.ended = False
        self.quoted: list[str] = []
        self.quote_start = 0
        self.hides = False
        """Whether a line since the last place between lines began inside of something."""

    def end_word(self) -> None:
        if self.begun and self.opens:
            target = "".join(self.word)  # the file behind `>` is no word of the command
            self.opened.append(("<" if self.opens[0] == "<" else ">", target))
            self.redirects += normal_redirects(self.descriptor, self.opens, target)
            self.opens = ""
        elif self.begun:
            self.words.append("".join(self.word))
        self.word, self.begun = [], False

    @property
    def is_between(self) -> bool:
        """Whether nothing is open, so that what follows may stand alone."""
        return not (self.quote or self.stack or self.begun or self.words or self.opens)

    def begin_redirect(self, sign: str) -> None:
        written = "".join(self.word)
        self.descriptor = written if self.begun and written.isdigit() and sign != "&" else ""
        if self.descriptor:
            self.word, self.begun = [], False
        self.end_word()
        self.opens = sign

    def end_piece(self, sign: str) -> Piece | None:
        self.end_word()
        self.opens = ""
        if sign == "\n" and self.stack:
            self.hides = True
        if not self.words:
            if len(self.between) < WINDOW:
                self.between += sign
            return None
        joined = _joint(self.between) if self.ended else ""
        piece = Piece(tuple(self.words), tuple(self.quoted), tuple(self.redirects), joined)
        self.words, self.quoted, self.redirects, self.ended = [], [], [], True
        self.between = sign
        return piece


def normal_redirects(descriptor: str, operator: str, target: str) -> list[Opened]:
    """A redirect with its descriptor written out; one that opens a file for two of them is two."""
    if operator[0] == "<":
        return [(descriptor or "0", operator, target)]
    appends = operator.endswith(">>")
    copies = operator == ">&" and (target.isdigit() or target == "-")
    if copies:
        return [(descriptor or "1", operator, target)]
    both = operator[0] == "&" or (operator == ">&" and not descriptor)
    return [(one, ">>" if appends else ">", target) for one in (("1", "2") if both else (descriptor or "1",))]


def _joint(between: str) -> str:
    """The operator among the signs that stand between two pieces."""
    if not between:
        return ""
    if "$" in between or "`" in between or "<" in between or ">" in between:
        return INSIDE
    for operator in ("||", "&&", PIPE):
        if operator in between:
            return operator
    return ";" if not SEPARATORS.isdisjoint(between) else INSIDE


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
        return reader.end_piece(sign)
    if sign == "`":
        return _backtick(reader)
    if reader.quote == '"':
        _close_or_take(reader, sign, '"')
        return None
    return _unquoted(reader, sign, following)


def _unquoted(reader: _Reader, sign: str, following: str) -> Piece | None:
    if sign == "$" and following in QUOTES:
        return None  # `$'rm'`
    if sign in QUOTES:
        reader.quote, reader.begun, reader.quote_start = sign, True, reader.at
        return None
    if sign in "&|<>" and reader.opens and not reader.begun:
        reader.opens += sign  # `>>`, `>&2`, `>|`
        return None
    if sign in "<>" or (sign == "&" and following == ">"):
        reader.begin_redirect(sign)
        return None
    if sign in SEPARATORS:
        return _separated(reader, sign, following)
    if sign == "(":
        reader.stack.append("")
        return reader.end_piece(sign)
    if sign == ")":
        piece = reader.end_piece(sign)
        reader.quote = reader.stack.pop() if reader.stack else ""
        return piece
    if sign in " \t":
        reader.end_word()
    elif sign == "#" and not reader.begun:
        end = reader.text.find("\n", reader.at)
        reader.at = len(reader.text) if end < 0 else end
    else:
        _take(reader, sign, PLAIN)
    return None


def _separated(reader: _Reader, sign: str, following: str) -> Piece | None:
    if sign == PIPE and following == "&":
        reader.end_word()
        reader.redirects.append(MERGED)
        reader.at += 1
    return reader.end_piece(sign)


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
        piece = reader.end_piece("`")
        reader.quote = reader.stack.pop()[1:]
        return piece
    reader.stack.append("`" + reader.quote)
    reader.quote = ""
    return reader.end_piece("`")
