"""Compound commands and what all commands share: blanks, comments, reserved words, redirects and heredocs."""

from __future__ import annotations

from assent.shell.redirects import RedirectReader
from assent.shell.tree import Compound, Part, Pipeline, Sequence, Word
from assent.shell.words import ENDS_WORD, NAME, NAME_START
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Loop, Node, Redirect

RESERVED = frozenset(
    "if then elif else fi for while until do done case esac in select function { } ! [[ time coproc".split()
)
BEGINS_RESERVED = frozenset(word[0] for word in RESERVED)
QUOTES = frozenset("'\"\\$`")
OPENS = frozenset("if for while until case select function { [[ coproc".split())
UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
BINARY = frozenset("= == != =~ -eq -ne -lt -le -gt -ge -ef -nt -ot < >".split())
ARITHMETIC_TESTS = frozenset("-eq -ne -lt -le -gt -ge".split())


class CompoundReader(RedirectReader):
    """Reads compound commands; sequences and simple commands come from the grammar."""

    def sequence(self, ends: tuple[str, ...]) -> Sequence:
        raise NotImplementedError

    # --- reserved words --------------------------------------------------------------------------------------------

    def reserved(self) -> str:
        """The reserved word that stands here as a whole unquoted word, or empty; takes nothing."""
        sign, word = self.peek(), ""
        if sign not in BEGINS_RESERVED:
            return ""
        at = self.at
        while sign and sign not in ENDS_WORD and sign not in QUOTES and len(word) < 10:
            word += sign
            self.at += 1
            sign = self.peek()
        self.at = at
        return word if word in RESERVED and (not sign or sign in ENDS_WORD) else ""

    def at_end_of(self, ends: tuple[str, ...]) -> bool:
        self.skip_blanks()
        sign = self.peek()
        if not sign:
            if ends:
                raise self.refuse(f"{ends[-1]} is missing")
            return True
        if sign == ")" and ")" in ends:
            return True
        if self.follows(";;") or self.follows(";&"):
            return ";;" in ends
        return bool(ends) and self.reserved() in ends

    def expect(self, word: str) -> None:
        self.skip_lines()
        if self.reserved() != word:
            raise self.refuse(f"{word} is missing")
        self.take(word)

    # --- compounds -------------------------------------------------------------------------------------------------

    def compound(self, word: str) -> Node:
        """The compound command that a reserved word opens."""
        start = self.at
        if word not in OPENS or word == "coproc":
            raise self.refuse(f"{word} here")
        self.enter()
        self.take(word)
        made = self._opened(word, start)
        self.depth -= 1
        return made

    def _opened(self, word: str, start: int) -> Node:
        match word:
            case "{":
                body = self.sequence(("}",))
                self.expect("}")
                return self._finished(Compound("group", Span(start, self.at), (self._filled(body, start),)))
            case "if":
                return self._if(start)
            case "while" | "until":
                return self._loop("while" if word == "while" else "until", start)
            case "for" | "select":
                return self._for("for" if word == "for" else "select", start)
            case "case":
                return self._case(start)
            case "[[":
                return self._condition(start)
            case _:
                self.skip_blanks()
                name = self.word()
                if name.value is None or name.text != name.value:
                    raise self.refuse("name of a function", start)
                return self.function_body(name.text, start)

    def _finished(self, made: Compound) -> Compound:
        """Redirects may follow any compound command."""
        redirects: list[Redirect] = []
        while True:
            self.skip_blanks()
            redirect = self.redirect()
            if redirect is None:
                break
            redirects.append(redirect)
        span = Span(made.span.start, self.at)
        return Compound(made.kind, span, made.bodies, made.words, tuple(redirects), made.name, made.operators)

    def _filled(self, body: Sequence, start: int) -> Sequence:
        if not body.items:
            raise self.refuse("a body without commands", start)
        return body

    def parenthesis(self) -> Node:
        """`( … )` or `(( … ))`."""
        start = self.at
        self.enter()
        self.take("(")
        if self.peek() == "(" and self.text[self.at - 1] == "(":
            made = self._arithmetic_command(start)
        else:
            body = self.sequence((")",))
            if not self.take(")"):
                raise self.refuse(") is missing", start)
            made = Compound("subshell", Span(start, self.at), (self._filled(body, start),))
        self.depth -= 1
        return self._finished(made)

    def _arithmetic_command(self, start: int) -> Compound:
        self.take("(")
        word = self._arithmetic_word("))", start)
        return Compound("arithmetic", Span(start, self.at), words=(word,))

    def _arithmetic_word(self, end: str, start: int) -> Word:
        begins = self.at
        inner = self.arithmetic_until(end, start)
        text = self.text[begins : self.at]
        return Word(text, Span(begins, self.at), (Part("arithmetic", text, inner=inner),))

    def _if(self, start: int) -> Node:
        bodies = [self._filled(self.sequence(("then",)), start)]
        self.expect("then")
        bodies.append(self._filled(self.sequence(("elif", "else", "fi")), start))
        while self.reserved() == "elif":
            self.take("elif")
            bodies.append(self._filled(self.sequence(("then",)), start))
            self.expect("then")
            bodies.append(self._filled(self.sequence(("elif", "else", "fi")), start))
        if self.reserved() == "else":
            self.take("else")
            bodies.append(self._filled(self.sequence(("fi",)), start))
        self.expect("fi")
        return self._finished(Compound("if", Span(start, self.at), tuple(bodies)))

    def _loop(self, kind: Loop, start: int) -> Node:
        test = self._filled(self.sequence(("do",)), start)
        self.expect("do")
        body = self._filled(self.sequence(("done",)), start)
        self.expect("done")
        return self._finished(Compound(kind, Span(start, self.at), (test, body)))

    def _for(self, kind: Loop, start: int) -> Node:
        self.skip_blanks()
        if kind == "for" and self.follows("(("):
            return self._arithmetic_for(start)
        name = self.word()
        if name.value is None or name.text != name.value or not _is_name(name.text):
            raise self.refuse(f"variable of {kind}", start)
        self.skip_lines()
        words: list[Word] = []
        if self.reserved() == "in":
            self.take("in")
            words = self._list_words()
        else:
            self.skip_blanks()
            if self.follows(";") and not self.follows(";;"):
                self.take(";")
        body = self._do_body(start)
        return self._finished(Compound(kind, Span(start, self.at), (body,), tuple(words), name=name.text))

    def _list_words(self) -> list[Word]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            sign = self.peek()
            if sign == ";" and not self.follows(";;"):
                self.at += 1
                return words
            if sign == "\n":
                return words
            if not sign or (sign in ENDS_WORD and not self._opens_process(sign)):
                raise self.refuse("list of a loop")
            words.append(self.word())

    def _do_body(self, start: int) -> Sequence:
        self.skip_lines()
        opening, closing = ("{", "}") if self.reserved() == "{" else ("do", "done")
        self.expect(opening)
        body = self._filled(self.sequence((closing,)), start)
        self.expect(closing)
        return body

    def _arithmetic_for(self, start: int) -> Node:
        self.take("((")
        words = tuple(self._arithmetic_word(end, start) for end in (";", ";", "))"))
        self.skip_blanks()
        if self.follows(";") and not self.follows(";;"):
            self.take(";")
        body = self._do_body(start)
        return self._finished(Compound("arithmetic for", Span(start, self.at), (body,), words))

    def _case(self, start: int) -> Node:
        self.skip_blanks()
        words = [self.word()]
        self.expect("in")
        bodies: list[Sequence] = []
        while True:
            self.skip_lines()
            if self.reserved() == "esac":
                break
            self.take("(")
            words += self._patterns()
            bodies.append(self.sequence((";;", "esac")))
            if not any(self.take(end) for end in (";;&", ";;", ";&")):
                break
        self.expect("esac")
        return self._finished(Compound("case", Span(start, self.at), tuple(bodies), tuple(words)))

    def _patterns(self) -> list[Word]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            words.append(self.word())
            self.skip_blanks()
            if self.take(")"):
                return words
            if self.follows("||") or not self.take("|"):
                raise self.refuse("pattern of case")

    def function_body(self, name: str, start: int) -> Node:
        """The definition after its name; the body is a compound command."""
        self.skip_blanks()
        if self.take("("):
            self.skip_blanks()
            if not self.take(")"):
                raise self.refuse("parenthesis in a command", start)
        self.skip_lines()
        word = self.reserved()
        if self.peek() == "(":
            body = self.parenthesis()
        elif word in OPENS and word not in ("function", "coproc"):
            body = self.compound(word)
        else:
            raise self.refuse("body of a function", start)
        inside = Sequence(((Pipeline((body,), body.span), ""),), body.span)
        return Compound("function", Span(start, self.at), (inside,), name=name)

    # --- [[ … ]] ---------------------------------------------------------------------------------------------------

    def _condition(self, start: int) -> Node:
        words: list[Word] = []
        operators: list[str] = []
        level = 0
        while True:
            self.heredoc_guard(start)
            self.skip_lines()
            if self.take("&&") or self.take("||") or self.take("!"):
                continue
            if self.take("("):
                level += 1
            elif self.take(")"):
                level -= 1
            elif self._closes_condition():
                break
            else:
                self._test(words, operators, start)
        if level or not words:
            raise self.refuse("[[ that does not balance", start)
        self.take("]]")
        made = Compound("condition", Span(start, self.at), words=tuple(words), operators=tuple(operators))
        return self._finished(made)

    def _closes_condition(self) -> bool:
        at = self.at
        closes = self.take("]]") and (not self.peek() or self.peek() in ENDS_WORD)
        self.at = at
        return closes

    def _test(self, words: list[Word], operators: list[str], start: int) -> None:
        """`-f word`, `word`, or `word op word`."""
        first = self.word()
        if first.text in UNARY:
            self.skip_blanks()
            if first.text in ("-v", "-R"):
                raise self.refuse(f"{first.text} in [[", start)
            operators.append(first.text)
            words.append(self.word())
            return
        words.append(first)
        self.skip_blanks()
        operator = next((sign for sign in ("<", ">") if self.take(sign)), "")
        at = self.at
        if not operator and self.peek() and self.peek() not in ENDS_WORD and not self._closes_condition():
            operator = self.word().text
        if not operator:
            return
        if operator not in BINARY:
            raise self.refuse("operator in [[", at)
        operators.append(operator)
        self.skip_blanks()
        words.append(self._pattern_word() if operator in ("=~", "==", "!=", "=") else self.word())

    def _pattern_word(self) -> Word:
        """The right side of a match; parentheses there are part of a pattern, which we do not read."""
        word = self.word()
        if self.peek() == "(" or (self.follows("|") and not self.follows("||")):
            raise self.refuse("parentheses or bars in a pattern of [[")
        return word


def _is_name(text: str) -> bool:
    return bool(text) and text[0] in NAME_START and all(sign in NAME for sign in text)
