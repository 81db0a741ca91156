"""Compound commands and what all commands share: blanks, comments, reserved words, redirects and heredocs."""

from __future__ import annotations

from assent.shell.chars import NAME, NAME_START, closes_apart, stays_arithmetic
from assent.shell.redirects import RedirectReader
from assent.shell.tree import Compound, Part, Pipeline, Sequence, Word
from assent.shell.words import ENDS_WORD, SURE_ENDS
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Loop, Node, Redirect

RESERVED = frozenset(
    "if then elif else fi for while until do done case esac in select function { } ! [[ ]] time coproc".split()
)
LONGER_FIRST = sorted(RESERVED, key=len, reverse=True)
BY_SIGN = {sign: tuple(word for word in LONGER_FIRST if word[0] == sign) for sign in {word[0] for word in RESERVED}}
LONGEST = len(LONGER_FIRST[0])
QUOTES = frozenset("'\"\\$`")
OPENS = frozenset("if for while until case select function { [[ coproc".split())
CLOSES = RESERVED - OPENS - {"!", "time"}
UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
BINARY = frozenset("= == != =~ -eq -ne -lt -le -gt -ge -ef -nt -ot < >".split())
ARITHMETIC_TESTS = frozenset("-eq -ne -lt -le -gt -ge -t".split())
"""What `[[` compares numbers by; zsh evaluates the descriptor of `-t`, too."""


class CompoundReader(RedirectReader):
    """Reads compound commands; sequences and simple commands come from the grammar."""

    def sequence(self, ends: tuple[str, ...]) -> Sequence:
        raise NotImplementedError

    # --- reserved words --------------------------------------------------------------------------------------------

    def reserved(self) -> str:
        """The reserved word that stands here as a whole unquoted word, or empty; takes nothing."""
        sign = self.peek()
        if sign not in BY_SIGN:
            return ""
        at, word = self.at, ""
        piece = self.text[at : at + LONGEST + 1]
        if "\\" not in piece and "<" not in piece and ">" not in piece:
            found = ""
            for each in BY_SIGN[sign]:
                if piece.startswith(each):
                    found = each
                    break
            following = piece[len(found) : len(found) + 1]
            if not found or not following or following in SURE_ENDS or following == "(":
                return found
        while sign and sign not in ENDS_WORD and sign not in QUOTES and len(word) < 10:
            word += sign
            self.at += 1
            sign = self.peek()
        ended = self.ends_word()
        self.at = at
        return word if ended and word in RESERVED else ""

    def ends_word(self) -> bool:
        sign = self.peek()
        return not sign or (sign in ENDS_WORD and not self.opens_process(sign))

    def at_end_of(self, ends: tuple[str, ...], sign: str) -> bool:
        """Whether one of the ends stands here; `sign` is the character that does."""
        if not sign:
            if ends:
                raise self.refuse(f"{ends[-1]} is missing")
            return True
        if sign == ")":
            return ")" in ends
        if sign == ";":
            return ";;" in ends and (self.follows(";;") or self.follows(";&"))
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
                return self.function_body(name.text, start, keyword=True)

    def _finished(self, made: Compound) -> Compound:
        """Redirects may follow any compound command."""
        redirects: list[Redirect] = []
        while True:
            self.skip_blanks()
            redirect = self.redirect(redirects)
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
        if self.peek() == "(" and not closes_apart(self.text, self.at + 1):
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
        self._closing_guard(word, start)
        return Compound("arithmetic", Span(start, self.at), words=(word,))

    def _closing_guard(self, word: Word, start: int) -> None:
        """Only `))` in one piece, after balanced parentheses, makes it arithmetic rather than subshells."""
        if not word.text.endswith("))") or not stays_arithmetic(word.text[:-2]):
            raise self.refuse("parentheses that may be arithmetic or a subshell", start)

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
        self.skip_blanks()
        separated = self.peek() == "\n"
        self.skip_lines()
        words: list[Word] = []
        if self.reserved() == "in":
            if separated and self.cases:
                raise self.refuse("in on a line of its own inside case", start)
            self.take("in")
            words = self._list_words()
        else:
            if self.follows(";") and not self.follows(";;"):
                if separated:
                    raise self.refuse("; on a line of its own", start)
                self.take(";")
            self.skip_lines()
            if self.reserved() == "{":
                raise self.refuse("{ as the body of a loop without in", start)
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
            if not sign or (sign in ENDS_WORD and not self.opens_process(sign)):
                raise self.refuse("list of a loop")
            if self.cases and self.reserved() == "esac":
                raise self.refuse("esac in the list of a loop")
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
        self._closing_guard(words[-1], start)
        if any(";" in word.text[:-1] or not stays_arithmetic(word.text[:-1]) for word in words[:-1]):
            raise self.refuse("parts of an arithmetic loop", start)
        self.skip_blanks()
        if self.follows(";") and not self.follows(";;"):
            self.take(";")
        body = self._do_body(start)
        return self._finished(Compound("arithmetic for", Span(start, self.at), (body,), words))

    def _case(self, start: int) -> Node:
        self.skip_blanks()
        self.cases += 1
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
        self.cases -= 1
        self.expect("esac")
        return self._finished(Compound("case", Span(start, self.at), tuple(bodies), tuple(words)))

    def _patterns(self) -> list[Word]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            word = self.reserved()
            if word in ("}", "esac"):
                raise self.refuse(f"{word} as a pattern of case")
            words.append(self.word())
            self.skip_blanks()
            if self.take(")"):
                return words
            if self.follows("||") or not self.take("|"):
                raise self.refuse("pattern of case")

    def function_body(self, name: str, start: int, *, keyword: bool) -> Node:
        """The definition after its name; the body is a compound command. After `function` it needs no `()`."""
        self.skip_blanks()
        at = self.at
        if self.take("("):
            self.skip_blanks()
            if not self.take(")"):
                if not keyword:
                    raise self.refuse("parenthesis in a command", start)
                self.at = at
        self.skip_lines()
        word = self.reserved()
        if self.peek() == "(":
            body = self.parenthesis()
            if (
                isinstance(body, Compound) and body.kind == "arithmetic"
            ):  # bash then takes a `{` in the next list for a reserved word
                raise self.refuse("(( )) as the body of a function", start)
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
        wanted = True
        while True:
            self.skip_lines_inside(start)
            if wanted:
                if self._negates():
                    self.take("!")
                elif self.take("("):
                    level += 1
                else:
                    self._test(words, operators, start)
                    wanted = False
            elif self.take("&&") or self.take("||"):
                wanted = True
            elif self.follows(")") and level:
                self.take(")")
                level -= 1
            else:
                break
        if level or not self._closes_condition():
            raise self.refuse("[[ that does not balance", start)
        self.take("]]")
        self.heredoc_guard(start)
        made = Compound("condition", Span(start, self.at), words=tuple(words), operators=tuple(operators))
        return self._finished(made)

    def _negates(self) -> bool:
        """A `!` that is a word of its own."""
        at = self.at
        alone = self.take("!") and self.ends_word()
        self.at = at
        return alone

    def _closes_condition(self) -> bool:
        at = self.at
        closes = self.take("]]") and self.ends_word()
        self.at = at
        return closes

    def _test(self, words: list[Word], operators: list[str], start: int) -> None:
        """`-f word`, `word`, or `word op word`."""
        first = self._condition_operand(start)
        unary = first.text.replace("\\\n", "")
        if unary in UNARY:
            self.skip_blanks()
            operators.append(unary)
            words.append(self._condition_operand(start))
            if unary in ("-v", "-R") and "[" in (words[-1].value or "["):
                raise self.refuse(f"{unary} in [[", start)
            return
        words.append(first)
        self.skip_blanks()
        operator = next((sign for sign in ("<", ">") if self.take(sign)), "")
        at = self.at
        if not operator and self.peek() and self.peek() not in ENDS_WORD and not self._closes_condition():
            operator = self.word().text.replace("\\\n", "")
        if not operator:
            if self.peek() == "\n":
                raise self.refuse("newline after a lone word in [[", at)
            return
        if operator not in BINARY or (operator in ("<", ">") and self.peek() in ("<", ">", "&", "|")):
            raise self.refuse("operator in [[", at)
        operators.append(operator)
        self.skip_blanks()
        words.append(
            self._pattern_word(start, operator)
            if operator in ("=~", "==", "!=", "=")
            else self._condition_operand(start)
        )

    def _condition_operand(self, start: int, matching: str = "") -> Word:
        if self._closes_condition():
            raise self.refuse("]] where a word must stand", start)
        word = self.word(matching)
        self.number_guard(word)
        return word

    def _pattern_word(self, start: int, operator: str) -> Word:
        """The right side of a match, where parentheses and bars may be part of a pattern."""
        word = self._condition_operand(start, operator)
        if any(part.inner for part in word.parts) and _has_group(word.text.replace("\\\n", "")):
            raise self.refuse("parentheses or bars in a pattern of [[", start)
        glued = self.peek() == "(" or (self.follows("|") and not self.follows("||"))
        if glued or (operator == "=~" and self.peek() not in ("", " ", "\t", "\n")):
            raise self.refuse("parentheses or bars in a pattern of [[")
        return word


def _has_group(text: str) -> bool:
    """In a pattern bash reads `!(a)` as a wildcard, also in the commands of a substitution there."""
    return any(opening in text for opening in ("!(", "?(", "*(", "+(", "@("))


def _is_name(text: str) -> bool:
    return bool(text) and text[0] in NAME_START and all(sign in NAME for sign in text)
