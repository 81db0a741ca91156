"""Words: quotes, expansions and everything bash does between the first and the last character of one.

Implements bash's own order: a backslash and a newline vanish first (not in single quotes), then quotes, then the rest.
Whatever is not positively understood raises `Refused`.
"""

from __future__ import annotations

from assent.shell.ansi import decode_ansi
from assent.shell.chars import CharReader, stays_arithmetic
from assent.shell.tree import Part, Script, Word
from assent.types import Span

BLANKS = " \t"
ENDS_WORD = frozenset(" \t\n;&|<>()")
SURE_ENDS = frozenset(" \t\n;&|)")
"""What ends a word for certain; `<`, `>` and `(` may still belong to it."""
DIGITS = frozenset("0123456789")
NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME = NAME_START | DIGITS
SPECIAL_PARAMETERS = frozenset("@*#?-$!0123456789")
PLAIN = NAME | frozenset("/.,:+-%@^_=]")
"""Characters that are just themselves inside an unquoted word; `=` and `:` matter to tildes and assignments only."""
ESCAPED_IN_DOUBLE_QUOTES = '$`"\\'
ARITHMETIC = NAME | frozenset(" \t\n+-*/%<>=!&|^~?:,()#")


class WordReader(CharReader):
    """Reads words. The grammar is a subclass, since substitutions hold whole scripts."""

    def script_until_parenthesis(self) -> Script:
        raise NotImplementedError

    def script_of(self, text: str) -> Script:
        raise NotImplementedError

    # --- words -----------------------------------------------------------------------------------------------------

    def word(self) -> Word:
        """The word that begins here; the caller has seen that one does."""
        start = self.at
        end = _end_of_run(self.text, start, PLAIN)
        if end > start and (end == len(self.text) or self.text[end] in SURE_ENDS):
            self.at = end
            text = self.text[start:end]
            return Word(text, Span(start, end), (Part("text", text),))
        parts: list[Part] = []
        begun = False
        while True:
            sign = self.peek()
            if not sign or (sign in ENDS_WORD and not self._opens_process(sign)):
                break
            begun = True
            self._piece(sign, parts, start)
        if not begun:
            raise self.refuse("a word is missing")
        merged = tuple(_merged(_without_lone_brackets(parts)))
        return Word(self.text[start : self.at], Span(start, self.at), _with_braces(merged))

    def _opens_process(self, sign: str) -> bool:
        return sign in "<>" and self.follows(sign + "(")

    def _piece(self, sign: str, parts: list[Part], start: int) -> None:
        """One quote, expansion or run of plain characters."""
        if sign in PLAIN or sign in "{}~" or sign > "\x7f":
            self._plain_run(sign, parts, start)
        elif sign == "'":
            parts.append(Part("text", self._single_quoted(), quoted=True))
        elif sign == '"':
            self.at += 1
            self._double_quoted(parts)
        elif sign == "\\":
            self._escaped(parts)
        elif sign == "$":
            self._dollar(parts, quoted=False)
        elif sign == "`":
            parts.append(self._backticks(quoted=False))
        elif sign in "*?[":
            parts.append(Part("glob", sign))
            self.at += 1
        elif sign in "<>":
            parts.append(self._process(sign))
        elif sign in "#!":
            parts.append(Part("text", sign))
            self.at += 1
        else:
            raise self.refuse(f"character {sign!a}")

    def _plain_run(self, sign: str, parts: list[Part], start: int) -> None:
        text, at = self.text, self.at
        if sign == "~" and self._tilde_counts(parts, start):
            end = at + 1
            while text[end : end + 1] and text[end] in NAME | {"+", "-", "."}:
                end += 1
            parts.append(Part("tilde", text[at:end]))
            self.at = end
            if self.at == start + 1 and self.peek() == ":" and not self.assigning:
                raise self.refuse("~: at the start of a word")
            return
        if sign > "\x7f":
            if sign.isspace() or not sign.isprintable():
                raise self.refuse(f"character U+{ord(sign):04X} outside quotes")
            parts.append(Part("text", sign))
            self.at = at + 1
            return
        end = _end_of_run(text, at + 1, PLAIN)
        parts.append(Part("text", text[at:end]))
        self.at = end

    def _tilde_counts(self, parts: list[Part], start: int) -> bool:
        """A tilde is expanded at the start of a word, and after `=` and `:` in what is written like an assignment."""
        if self.at == start:
            return True
        before, first = parts[-1], parts[0]
        if before.kind != "text" or before.quoted or before.text[-1] not in ":=":
            return False
        name, equals, value = first.text.partition("=") if first.kind == "text" and not first.quoted else ("", "", "")
        if not (self.assigning or (equals and name.isidentifier())):
            return False
        if before.text[-1] == "=" and (self.assigning or before is not first or value):
            raise self.refuse("tilde after a second =")
        return True

    def _escaped(self, parts: list[Part]) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if not following:
            raise self.refuse("backslash at the end")
        parts.append(Part("text", following, quoted=True))
        self.at += 2

    # --- quotes ----------------------------------------------------------------------------------------------------

    def _single_quoted(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise self.refuse("single quote is never closed")
        content = self.text[self.at + 1 : end]
        self.at = end + 1
        return content

    def _double_quoted(self, parts: list[Part]) -> None:
        """From after the opening quote to after the closing one."""
        start = self.at
        parts.append(Part("text", "", quoted=True))
        while True:
            sign = self.peek()
            if not sign:
                raise self.refuse("double quote is never closed", start - 1)
            if sign == '"':
                self.at += 1
                return
            if sign == "`":
                parts.append(self._backticks(quoted=True, escapes='$`\\"'))
            else:
                self.quoted_piece(sign, parts)

    def quoted_piece(self, sign: str, parts: list[Part]) -> None:
        if sign == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            taken = following if following and following in ESCAPED_IN_DOUBLE_QUOTES else "\\"
            parts.append(Part("text", taken, quoted=True))
            self.at += 2 if taken != "\\" or following == "\\" else 1
        elif sign == "$":
            self._dollar(parts, quoted=True)
        elif sign == "`":
            parts.append(self._backticks(quoted=True))
        else:
            end = self.at + 1
            text = self.text
            while end < len(text) and text[end] not in '"\\$`':
                end += 1
            parts.append(Part("text", text[self.at : end], quoted=True))
            self.at = end

    def _ansi_quoted(self) -> str:
        """`$'…'`, from after the opening quote."""
        start = end = self.at
        text = self.text
        while end < len(text) and text[end] != "'":
            end += 2 if text[end] == "\\" else 1
        if end >= len(text):
            raise self.refuse("quote is never closed", start - 2)
        self.at = end + 1
        decoded = decode_ansi(text[start:end])
        if decoded is None:
            raise self.refuse("escape in $'…'", start)
        return decoded

    # --- expansions ------------------------------------------------------------------------------------------------

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        start = self.at
        self.at += 1
        sign = self.peek()
        if sign == "(":
            parts.append(self._parenthesised(start, quoted=quoted))
        elif sign == "{":
            parts.append(self._braced(start, quoted=quoted))
        elif sign and sign in NAME_START:
            parts.append(Part("parameter", self._name(), quoted))
        elif sign and sign in SPECIAL_PARAMETERS:
            self.at += 1
            if quoted and sign == "$" and self.peek() in ("(", "{"):
                raise self.refuse("bracket after $$", start)
            parts.append(Part("parameter", sign, quoted))
        elif sign == "'" and not quoted:
            self.at += 1
            parts.append(Part("text", self._ansi_quoted(), quoted=True))
        elif sign == '"' and not quoted:
            self.at += 1
            self._double_quoted(parts)
        elif sign == "[":
            raise self.refuse("old arithmetic $[…]", start)
        else:
            parts.append(Part("text", "$", quoted))

    def _name(self) -> str:
        runs: list[str] = []
        while (sign := self.peek()) and sign in NAME:
            end = _end_of_run(self.text, self.at, NAME)
            runs.append(self.text[self.at : end])
            self.at = end
        return "".join(runs)

    def _parenthesised(self, start: int, *, quoted: bool) -> Part:
        self.take("(")
        if self.peek() == "(":
            return self._arithmetic(start, quoted=quoted)
        inner = self.nested(self.script_until_parenthesis)
        return Part("command", self.text[start : self.at], quoted, (inner,))

    def _arithmetic(self, start: int, *, quoted: bool) -> Part:
        self.take("(")
        begins = self.at
        inner = self.arithmetic_until("))", start)
        if not stays_arithmetic(self.text[begins : self.at - 2]):
            raise self.refuse("parentheses that may be arithmetic or a subshell", start)
        return Part("arithmetic", self.text[start : self.at], quoted, inner)

    def arithmetic_until(self, end: str, start: int) -> tuple[Script, ...]:
        """Arithmetic up to its closing parentheses; only numbers, operators, plain names and `$`-expansions."""
        parts: list[Part] = []
        level = 0
        while True:
            sign = self.peek()
            if not sign:
                raise self.refuse("arithmetic is never closed", start)
            if sign == ")" and level == 0:
                if not self.take(end):
                    raise self.refuse("parentheses that may be arithmetic or a subshell", start)
                return tuple(inner for part in parts for inner in part.inner)
            if sign == ";" and end == ";" and level == 0:
                self.at += 1
                return tuple(inner for part in parts for inner in part.inner)
            level += (sign == "(") - (sign == ")")
            if sign == "$":
                self._dollar(parts, quoted=True)
            elif sign == "`":
                parts.append(self._backticks(quoted=True))
            elif sign in ARITHMETIC and (sign != "#" or self.text[self.at - 1] in DIGITS):
                self.at += 1
            elif self.take("["):
                self._subscript(start)
            else:
                raise self.refuse(f"{sign!a} in arithmetic")

    def _process(self, sign: str) -> Part:
        start = self.at
        self.take(sign + "(")
        if self.peek() == "(":
            raise self.refuse("parenthesis right after <(", start)
        inner = self.nested(self.script_until_parenthesis)
        return Part("process", self.text[start : self.at], inner=(inner,))

    def _backticks(self, *, quoted: bool, escapes: str = "$`\\") -> Part:
        """The text between backticks with its backslashes resolved is a script of its own.

        In plain double quotes they also resolve `\\"`; elsewhere inside quotes that depends on what is around.
        """
        start = self.at
        self.at += 1
        out: list[str] = []
        text = self.text
        while True:
            sign = text[self.at : self.at + 1]
            if not sign:
                raise self.refuse("backtick is never closed", start)
            self.at += 1
            if sign == "`":
                break
            if sign == "\\":
                following = text[self.at : self.at + 1]
                if following and following in escapes:
                    sign = following
                    self.at += 1
                elif following == "\n":
                    self.at += 1
                    continue
                elif following == '"' and quoted:
                    raise self.refuse("escaped double quote in backticks", start)
            out.append(sign)
        inner = self.nested(lambda: self.script_of("".join(out)))
        return Part("command", text[start : self.at], quoted, (inner,))

    # --- ${…} ------------------------------------------------------------------------------------------------------

    def _braced(self, start: int, *, quoted: bool) -> Part:
        self.take("{")
        sign = self.peek()
        if sign == "#" and not self.follows("#}"):
            self.at += 1
            name = self._parameter(start)
            if not self.take("}"):
                raise self.refuse("operator after ${#", start)
            return Part("parameter", f"#{name}", quoted)
        if sign in ("!", "|", " ", "\t", "\n", ""):
            raise self.refuse("indirect or command form of ${…}", start)
        name = self._parameter(start)
        if self.take("}"):
            return Part("parameter", name, quoted)
        operator = self._operator(start)
        parts = self._operand(start, quoted=quoted)
        inner = tuple(script for part in parts for script in part.inner)
        return Part("parameter", f"{name}{operator}", quoted, inner)

    def _parameter(self, start: int) -> str:
        sign = self.peek()
        if sign and sign in NAME_START:
            name = self._name()
        elif sign and sign in DIGITS:
            name = ""
            while (sign := self.peek()) and sign in DIGITS:
                name += sign
                self.at += 1
        elif sign and sign in SPECIAL_PARAMETERS:
            self.at += 1
            return sign
        else:
            raise self.refuse("name in ${…}", start)
        if self.peek() == "[":
            self.at += 1
            name += f"[{self._subscript(start)}]"
        return name

    def _subscript(self, start: int) -> str:
        """`@`, `*`, or a plain number; anything else is evaluated as arithmetic by bash."""
        if self.peek() in ("@", "*"):
            sign = self.peek()
            self.at += 1
        else:
            sign = ""
            while (digit := self.peek()) and digit in DIGITS:
                sign += digit
                self.at += 1
        if not sign or not self.take("]"):
            raise self.refuse("subscript that is not a number", start)
        return sign

    def _operator(self, start: int) -> str:
        for operator in (
            ":-",
            ":=",
            ":?",
            ":+",
            "##",
            "%%",
            "//",
            "^^",
            ",,",
            "-",
            "=",
            "?",
            "+",
            "#",
            "%",
            "/",
            "^",
            ",",
        ):
            if self.take(operator):
                return operator
        if self.follows(":"):
            return self._substring(start)
        raise self.refuse("operator in ${…}", start)

    def _substring(self, start: int) -> str:
        """`:offset:length` with plain numbers; names there would be evaluated."""
        end = self.text.find("}", self.at)
        text = self.text[self.at : end]
        if end < 0 or text.strip(": -0123456789") or not text.strip(": -") or text.count(":") > 2:
            raise self.refuse("substring with an expression", start)
        self.at = end
        return text

    def _operand(self, start: int, *, quoted: bool) -> list[Part]:
        """The rest up to the closing brace; it is expanded like a word, with quotes of its own."""
        parts: list[Part] = []
        while True:
            sign = self.peek()
            if not sign:
                raise self.refuse("${ is never closed", start)
            if sign == "}":
                self.at += 1
                return parts
            self._operand_piece(sign, parts, start, quoted=quoted)

    def _operand_piece(self, sign: str, parts: list[Part], start: int, *, quoted: bool) -> None:
        if sign == "'":
            if quoted:
                raise self.refuse("single quote inside a quoted ${…}", start)
            parts.append(Part("text", self._single_quoted(), quoted=True))
        elif sign == '"':
            if quoted:
                raise self.refuse("double quote inside a quoted ${…}", start)
            self.at += 1
            self._double_quoted(parts)
        elif sign == "\\":
            self._escaped(parts)
        elif sign == "$":
            self._dollar(parts, quoted=quoted)
        elif sign == "`":
            parts.append(self._backticks(quoted=quoted))
        elif self._opens_process(sign):
            raise self.refuse("process substitution in ${…}", start)
        elif sign == "{":
            raise self.refuse("brace inside ${…}", start)
        elif sign not in "\t\n" and (sign < " " or sign == "\x7f"):
            raise self.refuse(f"character {sign!a}")
        else:
            parts.append(Part("text", sign, quoted))
            self.at += 1


def _end_of_run(text: str, at: int, signs: frozenset[str]) -> int:
    """Where the characters of a set end."""
    length = len(text)
    while at < length and text[at] in signs:
        at += 1
    return at


def _without_lone_brackets(parts: list[Part]) -> list[Part]:
    """A `[` that nothing closes is just itself, as in the command of that name."""
    if not any(part.kind == "glob" and part.text == "[" for part in parts):
        return parts
    out: list[Part] = []
    closed = False
    for part in reversed(parts):
        lone = part.kind == "glob" and part.text == "[" and not closed
        out.append(Part("text", "[") if lone else part)
        closed = closed or (part.kind != "text" and part.kind != "glob") or "]" in part.text
    return out[::-1]


def _merged(parts: list[Part]) -> list[Part]:
    """Neighbouring texts as one; a quoted text keeps apart so that braces and reserved words can be told."""
    out: list[Part] = []
    texts: list[str] = []
    for part in [*parts, Part("glob", "")]:
        if texts and (part.kind != "text" or part.quoted != out[-1].quoted):
            out[-1] = Part("text", "".join(texts), out[-1].quoted)
            texts = []
        if part.kind == "text" and texts:
            texts.append(part.text)
        else:
            texts = [part.text] if part.kind == "text" else []
            out.append(part)
    return out[:-1]


def _with_braces(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Mark a word that brace expansion would change; `{}` and `{x}` are themselves."""
    if not any(part.kind == "text" and not part.quoted and "{" in part.text for part in parts):
        return parts
    opened = closed = split = False
    for part in parts:
        bare = part.text if part.kind == "text" and not part.quoted else ""
        for sign in bare:
            opened = opened or sign == "{"
            split = split or (opened and sign == ",")
            closed = closed or (opened and sign == "}")
        split = split or (opened and ".." in bare)
    return (*parts, Part("brace", "")) if opened and closed and split else parts
