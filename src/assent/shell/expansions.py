"""`${…}` and arithmetic: what stands between the brackets of an expansion."""

from __future__ import annotations

from assent.shell.chars import (
    DIGIT_SIGNS,
    DIGITS,
    NAME,
    NAME_SIGNS,
    NAME_START,
    CharReader,
    end_of_run,
    stays_arithmetic,
)
from assent.shell.tree import Part, Script

SPECIAL_PARAMETERS = frozenset("@*#?-$!0123456789")
ARITHMETIC = NAME | frozenset(" \t\n+-*/%<>=!&|^~?:,()#")
SENSELESS = frozenset(".@{}]")
"""Characters that arithmetic stops at when it runs; until then they are nothing special."""
AT_ONCE = 32
OPERATORS = (":-", ":=", ":?", ":+", "##", "%%", "//", "^^", ",,", "-", "=", "?", "+", "#", "%", "/", "^", ",")


class ExpansionReader(CharReader):
    """Reads the insides of expansions; quotes and words are in the subclass."""

    def dollar(self, parts: list[Part], *, quoted: bool) -> None:
        raise NotImplementedError

    def single_quoted(self) -> str:
        raise NotImplementedError

    def double_quoted(self, parts: list[Part]) -> None:
        raise NotImplementedError

    def escaped(self, parts: list[Part]) -> None:
        raise NotImplementedError

    def backticks(self, *, quoted: bool, escapes: str = "$`\\") -> Part:
        raise NotImplementedError

    def name(self) -> str:
        return self._run(NAME_SIGNS)

    def digits(self) -> str:
        return self._run(DIGIT_SIGNS)

    def _run(self, signs: str) -> str:
        """The characters of a set that stand here, continuations between them removed."""
        found = ""
        while (sign := self.peek()) and sign in signs:
            end = end_of_run(self.text, self.at, signs)
            found += self.text[self.at : end]
            self.at = end
        return found

    def opens_process(self, sign: str) -> bool:
        return sign in "<>" and self.follows(sign + "(")

    # --- arithmetic ------------------------------------------------------------------------------------------------

    def arithmetic(self, start: int, *, quoted: bool) -> Part:
        """`$((…))`, from its second parenthesis."""
        self.enter()
        self.take("(")
        begins = self.at
        inner = self.arithmetic_until("))", start, bare=not quoted)
        self.depth -= 1
        if not stays_arithmetic(self.text[begins : self.at - 2]):
            raise self.refuse("parentheses that may be arithmetic or a subshell", start)
        return Part("arithmetic", self.text[start : self.at], quoted, inner)

    def arithmetic_until(self, end: str, start: int, *, bare: bool = True) -> tuple[Script, ...]:
        """Arithmetic up to its closing parentheses; `bare` if no quotes are around it."""
        parts: list[Part] = []
        level = count = 0
        while True:
            sign = self.peek()
            count += 1
            if not count % AT_ONCE:
                self.spend(AT_ONCE // 4)
            if not sign:
                raise self.refuse("arithmetic is never closed", start)
            if sign == ")" and level == 0:
                if not self.take(end):
                    raise self.refuse("parentheses that may be arithmetic or a subshell", start)
                break
            if sign == ";" and end == ";" and level == 0:
                self.at += 1
                break
            level += (sign == "(") - (sign == ")")
            if sign == "$":
                self.dollar(parts, quoted=True)
            elif sign == "`":
                parts.append(self.backticks(quoted=True))
            elif sign in ARITHMETIC and (sign != "#" or self.text[self.at - 1] in DIGITS):
                self.at += 1
            elif self.take("["):
                self._subscript(start)
            elif not bare or not self._senseless(sign):
                raise self.refuse(f"{sign!a} in arithmetic")
        return tuple(inner for part in parts for inner in part.inner)

    def _senseless(self, sign: str) -> bool:
        """Take what arithmetic has no use for, but which does not change where it ends either."""
        text, at = self.text, self.at
        if sign in SENSELESS or (sign > "\x7f" and sign.isprintable() and not sign.isspace()):
            self.at += 1
            return True
        if sign == "\\":
            self.at += 2
            return text[at + 1 : at + 2] not in ("", "'", '"', "(", ")")
        end = text.find(sign, at + 1)
        self.at = end + 1
        return sign in "'\"" and end > 0 and text[at - 1] not in "$\n" and not _matters(text[at + 1 : end])

    # --- ${…} ------------------------------------------------------------------------------------------------------

    def braced(self, start: int, *, quoted: bool) -> Part:
        self.take("{")
        sign = self.peek()
        if sign == "#" and not self.follows("#}") and not self.follows("#:"):
            self.at += 1
            name = self._parameter(start)
            if not self.take("}"):
                raise self.refuse("operator after ${#", start)
            return Part("parameter", f"#{name}", quoted)
        if sign == "!" and not self.follows("!}"):
            return Part("parameter", self._listed(start), quoted)
        if sign in ("|", " ", "\t", "\n", ""):
            raise self.refuse("indirect or command form of ${…}", start)
        name = self._parameter(start)
        if self.take("}"):
            return Part("parameter", name, quoted)
        operator = self._operator(start)
        self.enter()
        parts = self._operand(start, quoted=quoted)
        self.depth -= 1
        inner = tuple(script for part in parts for script in part.inner)
        return Part("parameter", f"{name}{operator}", quoted, inner, tuple(parts))

    def _listed(self, start: int) -> str:
        """`${!name*}`, `${!name@}` and `${!name[@]}`: names and keys. Every other `${!` looks behind a value."""
        self.take("!")
        name = self.name()
        found = next((end for end in ("*", "@", "[@]", "[*]") if name and self.take(end + "}")), "")
        if not found or name[0] in DIGITS:
            raise self.refuse("indirect or command form of ${…}", start)
        return f"!{name}{found}"

    def _parameter(self, start: int) -> str:
        sign = self.peek()
        if sign and sign in NAME_START:
            name = self.name()
        elif sign and sign in DIGITS:
            name = self.digits()
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
            sign = self.digits()
        if not sign or not self.take("]"):
            raise self.refuse("subscript that is not a number", start)
        return sign

    def _operator(self, start: int) -> str:
        for operator in OPERATORS:
            if self.take(operator):
                return operator
        if self.follows(":"):
            return self._substring(start)
        for operator in ("@Q", "@U", "@u", "@L", "@a"):
            if self.follows(operator + "}"):
                self.take(operator)
                return operator
        raise self.refuse("operator in ${…}", start)

    def _substring(self, start: int) -> str:
        """`:offset:length` with plain numbers; names there would be evaluated."""
        end = self.text.find("}", self.at)
        text = self.text[self.at : end]
        plain = end >= 0 and not text.strip(": -0123456789") and text.strip(": -") and text.count(":") <= 2
        numbers = [number.strip(" ") for number in text.split(":")[1:]]
        if not plain or any(not number.removeprefix("-").isdigit() for number in numbers if number):
            raise self.refuse("substring with an expression", start)
        if (numbers[1:] and numbers[1].startswith("-")) or any(
            number.lstrip("-")[:1] == "0" != number for number in numbers
        ):
            raise self.refuse("substring that may fail", start)
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
            parts.append(Part("text", self.single_quoted(), quoted=True))
        elif sign == '"':
            if quoted:
                raise self.refuse("double quote inside a quoted ${…}", start)
            self.at += 1
            self.double_quoted(parts)
        elif sign == "\\":
            self.escaped(parts)
        elif sign == "$":
            if self.follows("$${") or self.follows("$$("):
                raise self.refuse("bracket after $$", start)
            self.dollar(parts, quoted=quoted)
        elif sign == "`":
            parts.append(self.backticks(quoted=quoted))
        elif self.opens_process(sign):
            raise self.refuse("process substitution in ${…}", start)
        elif sign not in "\t\n" and (sign < " " or sign == "\x7f"):
            raise self.refuse(f"character {sign!a}")
        else:
            parts.append(Part("text", sign, quoted))
            self.at += 1


def _matters(quoted: str) -> bool:
    """Whether the inside of quotes could be more than text to one of the readings that bash makes of arithmetic."""
    return any(mark in quoted for mark in "$`\\()'\"\n;")
