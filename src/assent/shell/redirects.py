"""Blanks and comments between tokens, assignments, redirects, and the heredocs that wait for the next newline."""

from __future__ import annotations

from assent.record import maker
from assent.shell.chars import DIGITS, NAME, NAME_SIGNS, NAME_START, end_of_run
from assent.shell.tree import Assignment, Heredoc, Part, Redirect, Word
from assent.shell.words import ENDS_WORD, PLAIN_SIGNS, WordReader, new_span
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.budget import Budget

new_redirect = maker(Redirect)
MAY_REDIRECT = frozenset("0123456789{&<>")
TWICE = "$`<>("
SKIPPED = frozenset(" \t#\\")
"""Signs that bash reads again behind `>&`, even from inside single quotes: `>&'$(a)'` runs a."""
OPERATORS = {"&": ("&>>", "&>"), "<": ("<<<", "<<-", "<<", "<>", "<&", "<"), ">": (">>", ">&", ">|", ">")}
ENDS_VALUE = frozenset(" \t\n;&|()")
DELIMITER = NAME | frozenset("$.-+%@")
"""Characters of a delimiter that bash takes as they are, a `$` too."""
MOST_DIGITS = "2147483647"
"""A larger number before a redirect is a word."""
IN_BRACKETS = PLAIN_SIGNS.replace("]", "") + "!*?"


class RedirectReader(WordReader):
    """Reads what stands between the words of a command."""

    def __init__(self, text: str, budget: Budget, depth: int = 0) -> None:
        super().__init__(text, budget, depth)
        self.pending: list[Heredoc] = []
        self.substitutions = 0
        """How many `$(` and `<(` are open: bash writes those anew before it runs them, with faults of its own."""
        self.substituted = 0
        """The depth at which the innermost of them began."""
        self.ends_here = False
        """A heredoc was read in the innermost of them: bash garbles what would follow it there."""
        self.cases = 0
        """How many `case` are open, where bash looks for `in` and `esac` in other places too."""

    # --- blanks ----------------------------------------------------------------------------------------------------

    def skip_blanks(self) -> str:
        """Blanks, and a comment if one begins here; the character behind them, empty at the end."""
        text, at = self.text, self.at
        while (sign := text[at : at + 1]) in SKIPPED:
            if sign == " " or sign == "\t":
                at += 1
            elif sign == "#":
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("\\\n", at):
                at += 2
            else:
                break
        self.at = at
        return sign

    def skip_lines(self) -> str:
        """Blanks, comments and newlines; a newline brings the bodies of waiting heredocs."""
        while (sign := self.skip_blanks()) == "\n":
            self.at += 1
            if self.pending:
                self.finish_heredocs()
        return sign

    def skip_lines_inside(self, start: int) -> None:
        """The same inside a construct, where a newline must not bring the body of a heredoc."""
        self.skip_blanks()
        if self.pending and self.peek() == "\n":
            raise self.refuse("newline inside a construct before the body of a heredoc", start)
        self.skip_lines()

    def skip_to_token(self) -> None:
        self.skip_lines()

    # --- assignments -----------------------------------------------------------------------------------------------

    def assignment(self) -> Assignment | None:
        """`name=value` if one stands here, else nothing is taken."""
        if self.peek() not in NAME_START:
            return None
        start = self.at
        end = end_of_run(self.text, start, NAME_SIGNS)
        if self.text[end : end + 1] not in ("=", "+", "[", "\\"):
            return None
        name = self.name()
        if self.peek() == "[":
            name += self._element(start)
        append = self.follows("+=")
        if not (self.take("+=") if append else self.take("=")):
            self.at = start
            return None
        sign = self.peek()
        if sign == "(":
            if name[-1] == "]":
                raise self.refuse("assignment to an element", start)
            items = tuple(self._array())
            return Assignment(name, None, Span(start, self.at), append, items)
        if not sign or sign in ENDS_VALUE or (sign in "<>" and not self.opens_process(sign)):
            return Assignment(name, Word("", Span(self.at, self.at)), Span(start, self.at), append)
        self.assigning = True
        value = self.word()
        self.assigning = False
        return Assignment(name, value, Span(start, self.at), append)

    def _element(self, start: int) -> str:
        """`[number]`: any other subscript is evaluated."""
        self.at += 1
        number = self.digits()
        if not number or not self.take("]"):
            raise self.refuse("assignment to an element", start)
        return f"[{number}]"

    def _array(self) -> list[Word]:
        start = self.at
        self.take("(")
        words: list[Word] = []
        while True:
            self.skip_lines_inside(start)
            if self.take(")"):
                self.heredoc_guard(start)
                if self.peek() and self.peek() not in ENDS_WORD:
                    raise self.refuse("text glued to an array", start)
                if self.substitutions and "\\" in self.text[start : self.at].replace("\\\n", ""):
                    raise self.refuse("backslash in an array inside a substitution", start)
                return words
            if not self.peek() or self.peek() in ";&|(":
                raise self.refuse("array is never closed", start)
            if self.peek() == "[" and not self._bracket_is_plain():
                raise self.refuse("array with subscripts", start)
            words.append(self.word())

    def _bracket_is_plain(self) -> bool:
        """Whether the `[…]` that begins an item is a pattern, or a number before `=`; all else is evaluated."""
        text, start = self.text, self.at + 1
        level, end = 1, start
        while level:
            end = end_of_run(text, end, IN_BRACKETS)
            if text[end : end + 1] not in ("[", "]"):
                return False
            level += 1 if text[end] == "[" else -1
            end += 1
        return text[end : end + 1] not in ("=", "+", "\\") or DIGITS.issuperset(text[start : end - 1])

    # --- redirects -------------------------------------------------------------------------------------------------

    def redirect(self, before: list[Redirect]) -> Redirect | None:
        """The redirect that stands here, with the number or `{name}` before it, else nothing is taken.

        `before` are those of the same command.
        """
        start = self.at
        if self.peek() not in MAY_REDIRECT:
            return None
        fd = self._descriptor()
        sign = self.peek()
        if sign not in OPERATORS or (sign == "&" and fd is not None) or self.opens_process(sign):
            self.at = start
            return None
        for operator in OPERATORS[sign]:
            if self.take(operator):
                break
        else:
            self.at = start
            return None
        self.spend()
        if operator in ("<<", "<<-"):
            return self._heredoc(operator, fd, start)
        if fd == 1 and operator == "<>" and self.substitutions:
            raise self.refuse("1<> inside a substitution", start)
        self.skip_blanks_in_redirect()
        target = self._target(operator)
        if operator == ">&" and any(
            sign in part.text for part in target.parts for sign in TWICE if part.kind == "text"
        ):
            raise self.refuse(">& to a name that bash expands twice", start)
        if before and sign == "&" and (is_assignment(target.text) or "[" in target.text):
            raise self.refuse("redirect to what looks like an assignment", target.span.start)
        return new_redirect(operator, target, new_span(start, self.at), fd)

    def _target(self, operator: str) -> Word:
        """A word; but `-` after `<&` and `>&` stands alone, whatever is glued to it."""
        if operator in ("<&", ">&") and self.peek() == "-":
            self.at += 1
            return Word("-", Span(self.at - 1, self.at), (Part("text", "-"),))
        word = self.word()
        plain = word.text.replace("\\\n", "")
        if operator not in ("<&", ">&"):
            self.number_guard(word)
        elif self.peek() in ("<", ">") and plain[-1] == "}":
            raise self.refuse("a descriptor where a name must stand", word.span.start)
        elif plain[-1] == "-" and not DIGITS.issuperset(plain[:-1]):
            raise self.refuse("descriptor to move", word.span.start)
        if plain == "{":
            raise self.refuse("redirect to {", word.span.start)
        return word

    def number_guard(self, word: Word) -> None:
        """bash takes `1` and `{x}` right before another redirect for its descriptor, also where a name must stand."""
        text = word.text.replace("\\\n", "")
        if self.peek() in ("<", ">") and (DIGITS.issuperset(text) or (text[0] == "{" and text[-1] == "}")):
            raise self.refuse("a descriptor where a name must stand", word.span.start)

    def skip_blanks_in_redirect(self) -> None:
        while (sign := self.peek()) and sign in " \t":
            self.at += 1
        if sign in ("#", ""):
            raise self.refuse("redirect without a target")

    def _descriptor(self) -> int | str | None:
        sign, start = self.peek(), self.at
        if sign and sign in DIGITS:
            number = self.digits().lstrip("0")
            sign = self.peek()
            if sign and sign in "<>" and len(number) <= len(MOST_DIGITS) and int(number or 0) <= int(MOST_DIGITS):
                return int(number or 0)
            self.at = start
        elif sign == "{":
            self.at += 1
            name = self.name() if self.peek() and self.peek() in NAME_START else ""
            if name and self.take("}") and self.peek() and self.peek() in "<>":
                return name
            self.at = start
        return None

    # --- heredocs --------------------------------------------------------------------------------------------------

    def _heredoc(self, operator: str, fd: int | str | None, start: int) -> Redirect:
        """Its body begins after the next newline and is filled in then."""
        self.skip_blanks_in_redirect()
        word = self.word()
        self.number_guard(word)
        delimiter = word.text.replace("\\\n", "")
        if not DELIMITER.issuperset(delimiter):
            if word.value is None or "$" in word.text or "`" in word.text or not word.value.isprintable():
                raise self.refuse("delimiter of a heredoc", start)
            delimiter = word.value
        if self.substitutions and (self.depth > self.substituted or not NAME.issuperset(delimiter) or not delimiter):
            raise self.refuse("heredoc inside more than a substitution", start)
        quoted = any(part.quoted for part in word.parts)
        heredoc = Heredoc(delimiter, quoted=quoted, strips_tabs=operator == "<<-")
        self.pending.append(heredoc)
        return Redirect(operator, None, Span(start, self.at), fd, heredoc)

    def finish_heredocs(self) -> None:
        """Read the bodies that wait; called at every newline and at the end, where bash takes what there is."""
        waiting, self.pending = self.pending, []
        self.ends_here = self.ends_here or bool(waiting and self.substitutions)
        for heredoc in waiting:
            self._read_body(heredoc)
            goes_on = not heredoc.quoted and self.text.endswith(("\\", "\\\n"))
            if not heredoc.terminated and (self.depth or goes_on):
                raise self.refuse("heredoc without its end")
            if not heredoc.quoted:
                heredoc.parts = self.parts_of(heredoc.body)

    def _read_body(self, heredoc: Heredoc) -> None:
        joins = not heredoc.quoted and self.text.find("\\", self.at) >= 0
        if heredoc.delimiter and not (joins or heredoc.strips_tabs or self.substitutions):
            self._read_plain_body(heredoc)
        else:
            self._read_lines(heredoc)

    def _read_plain_body(self, heredoc: Heredoc) -> None:
        """As line by line, where no line goes on and none is changed; `at` is at the beginning of one, or the end."""
        text, start, delimiter = self.text, self.at, heredoc.delimiter
        last = text.find(f"\n{delimiter}\n", start - 1)
        if last < 0 and text.endswith(f"\n{delimiter}") and len(text) - len(delimiter) >= start:
            last = len(text) - len(delimiter) - 1
        heredoc.terminated = last >= 0
        body = text[start : last + 1] if heredoc.terminated else text[start:]
        self.at = min(last + len(delimiter) + 2, len(text)) if heredoc.terminated else len(text)
        heredoc.body = f"{body}\n" if body and body[-1] != "\n" else body

    def _read_lines(self, heredoc: Heredoc) -> None:
        lines: list[str] = []
        while self.at < len(self.text):
            line = self._line(joined=not heredoc.quoted)
            if heredoc.strips_tabs:
                line = line.lstrip("\t")
            if line == heredoc.delimiter:
                heredoc.terminated = True
                break
            if self.substitutions and line.startswith(heredoc.delimiter):
                raise self.refuse("line that begins like the end of a heredoc inside a substitution")
            lines.append(line)
        heredoc.body = "".join([line + "\n" for line in lines])

    def _line(self, *, joined: bool) -> str:
        """The next line without its newline; `joined` lines go on behind a backslash, as bash reads them."""
        start = self.at
        while True:
            end = self.text.find("\n", self.at)
            if end < 0:
                self.at = len(self.text)
                return _without_continuations(self.text[start:]) if joined else self.text[start:]
            self.at = end + 1
            if not joined or not _ends_in_backslash(self.text, start, end):
                line = self.text[start:end]
                return _without_continuations(line) if joined else line

    def parts_of(self, body: str) -> tuple[Part, ...]:
        """What is expanded in the body of an unquoted heredoc."""
        raise NotImplementedError

    def heredoc_guard(self, start: int) -> None:
        """A newline inside something while the line still waits for a body is not read."""
        if self.pending and "\n" in self.text[start : self.at]:
            raise self.refuse("newline inside a construct before the body of a heredoc", start)


def is_assignment(text: str) -> bool:
    """Whether bash would take an unquoted word for one."""
    name, equals, _ = text.replace("\\\n", "").partition("=")
    return bool(equals) and name[:1] in NAME_START and ("[" in name or NAME.issuperset(name.removesuffix("+")))


def _ends_in_backslash(text: str, start: int, end: int) -> bool:
    count = 0
    while end - count > start and text[end - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _without_continuations(line: str) -> str:
    return line.replace("\\\n", "") if "\\\n" in line else line
