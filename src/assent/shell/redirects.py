"""Blanks and comments between tokens, assignments, redirects, and the heredocs that wait for the next newline."""

from __future__ import annotations

from assent.shell.tree import Assignment, Heredoc, Part, Redirect, Word
from assent.shell.words import DIGITS, ENDS_WORD, NAME, NAME_START, WordReader
from assent.types import Span

MAY_REDIRECT = frozenset("0123456789{&<>")
OPERATORS = ("&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">&", ">|", ">")


class RedirectReader(WordReader):
    """Reads what stands between the words of a command."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self.pending: list[Heredoc] = []
        self.commands = 0
        self.substitutions = 0
        """How many `$(` and `<(` are open: bash writes those anew before it runs them, with faults of its own."""
        self.substituted = 0
        """The depth at which the innermost of them began."""
        self.ends_here = False
        """A heredoc was read in the innermost of them: bash garbles what would follow it there."""
        self.cases = 0
        """How many `case` are open, where bash looks for `in` and `esac` in other places too."""

    # --- blanks ----------------------------------------------------------------------------------------------------

    def skip_blanks(self) -> None:
        """Blanks, and a comment if one begins here."""
        while (sign := self.peek()) and sign in " \t":
            self.at += 1
        if sign == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def skip_lines(self) -> None:
        """Blanks, comments and newlines; a newline brings the bodies of waiting heredocs."""
        while True:
            self.skip_blanks()
            if self.peek() != "\n":
                return
            self.at += 1
            self.finish_heredocs()

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
        name = self._name()
        if name and self.peek() == "[":
            raise self.refuse("assignment to an element", start)
        append = bool(name) and self.follows("+=")
        if not name or not (self.take("+=") if append else self.take("=")):
            self.at = start
            return None
        if self.peek() == "(":
            items = tuple(self._array())
            return Assignment(name, None, Span(start, self.at), append, items)
        sign = self.peek()
        if not sign or (sign in " \t\n;&|()" or (sign in "<>" and not self._opens_process(sign))):
            return Assignment(name, Word("", Span(self.at, self.at)), Span(start, self.at), append)
        self.assigning = True
        value = self.word()
        self.assigning = False
        return Assignment(name, value, Span(start, self.at), append)

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
            if self.peek() == "[":
                raise self.refuse("array with subscripts", start)
            words.append(self.word())

    # --- redirects -------------------------------------------------------------------------------------------------

    def redirect(self) -> Redirect | None:
        """The redirect that stands here, with the number or `{name}` before it, else nothing is taken."""
        start = self.at
        if self.peek() not in MAY_REDIRECT:
            return None
        fd = self._descriptor()
        operator = next((sign for sign in OPERATORS if self.follows(sign)), "")
        if not operator or (operator in "<>" and self.follows(operator + "(")):
            self.at = start
            return None
        if operator.startswith("&") and fd is not None:
            self.at = start
            return None
        self.take(operator)
        if operator in ("<<", "<<-"):
            return self._heredoc(operator, fd, start)
        if fd == 1 and operator == "<>" and self.substitutions:
            raise self.refuse("1<> inside a substitution", start)
        self.skip_blanks_in_redirect()
        return Redirect(operator, self._target(operator), Span(start, self.at), fd)

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
        if operator[0] == "&" and (is_assignment(plain) or "[" in plain):
            raise self.refuse("redirect to what looks like an assignment", word.span.start)
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
            digits = ""
            while (sign := self.peek()) and sign in DIGITS:
                digits += sign
                self.at += 1
            if sign and sign in "<>" and len(digits) < 6:
                return int(digits)
            self.at = start
        elif sign == "{":
            self.at += 1
            name = self._name() if self.peek() and self.peek() in NAME_START else ""
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
        if word.value is None or "$" in word.text or "`" in word.text or not word.value.isprintable():
            raise self.refuse("delimiter of a heredoc", start)
        if self.substitutions and (self.depth > self.substituted or not NAME.issuperset(word.value) or not word.value):
            raise self.refuse("heredoc inside more than a substitution", start)
        quoted = any(part.quoted for part in word.parts)
        heredoc = Heredoc(word.value, quoted=quoted, strips_tabs=operator == "<<-")
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
        lines: list[str] = []
        while self.at < len(self.text):
            line = self._line(joined=not heredoc.quoted)
            if heredoc.strips_tabs:
                line = line.lstrip("\t")
            if line == heredoc.delimiter:
                heredoc.terminated = True
                break
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
