"""Programs of awk as tokens; where implementations of awk could cut one differently it is not understood."""

from __future__ import annotations

from assent.record import record

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
NAME_SIGNS = LETTERS | DIGITS
KEYWORDS = frozenset(
    "BEGIN END BEGINFILE ENDFILE if else while for do break continue next nextfile exit return delete in function func"
    " print printf getline switch case default".split()
)
BEFORE_PATTERN = frozenset("print printf return in else do exit case".split())
"""Keywords behind which a `/` begins a pattern."""
UNCERTAIN_BEFORE_SLASH = frozenset(("++", "--", "$", "getline", "length"))
CONDITIONS = frozenset(("if", "while", "for", "switch"))
LONG_OPERATORS = frozenset(
    ("**=", "&&", "||", "|&", ">>", "==", "!=", "<=", ">=", "!~", "++", "--", "+=", "-=", "*=", "%=", "^=")
)
OPERATORS = frozenset("{}()[];,+-*%^!<>|?:~$=/")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
CONTINUING = frozenset((",", "{", "&&", "||"))
"""Behind these a newline says nothing."""

ENDING = frozenset((")", "]", "}", ";", "++", "--"))
"""Operators a statement may end with."""


class NotUnderstoodError(Exception):
    """The program leaves the part of the language that is known."""


@record
class Token:
    """`kind` is name, call (a name and `(`), keyword, number, string, pattern, operator or line.

    `value` is the text of a string, if that is certain.
    """

    kind: str
    text: str
    value: str | None = None

    @property
    def ends_value(self) -> bool:
        """Whether a `/` behind it divides."""
        return self.kind in ("name", "number", "string") or self.text in (")", "]")


LINE = Token("line", "\n")


class Lexer:
    """Cuts a text once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[Token] = []
        self.open: list[str] = []
        """For each open bracket what stood before it."""
        self.after_condition = False

    def cut(self) -> list[Token]:
        while self.at < len(self.text):
            self.one(self.text[self.at])
        if self.open:
            raise NotUnderstoodError("a bracket is not closed")
        self.tokens.append(LINE)
        return self.tokens

    def one(self, sign: str) -> None:
        if sign in " \t":
            self.at += 1
        elif sign == "\\":
            if self.text[self.at + 1 : self.at + 2] != "\n":
                raise NotUnderstoodError("a backslash")
            self.at += 2
        elif sign == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif sign == "\n":
            self.line()
        elif sign == '"':
            self.string()
        elif sign in LETTERS:
            self.name()
        elif sign in DIGITS or (sign == "." and self.text[self.at + 1 : self.at + 2] in DIGITS):
            self.number()
        elif sign == "/" and not self.divides():
            self.pattern()
        else:
            self.operator()

    def add(self, kind: str, text: str, value: str | None = None) -> None:
        self.after_condition = False
        self.tokens.append(Token(kind, text, value))

    def last(self) -> Token:
        return self.tokens[-1] if self.tokens else LINE

    def line(self) -> None:
        self.at += 1
        last = self.last()
        if last.text in CONTINUING and last.kind == "operator":
            return
        if last.kind == "operator" and last.text not in ENDING:
            raise NotUnderstoodError("a newline behind an operator")
        if self.open and self.open[-1] != "{":
            raise NotUnderstoodError("a newline inside of brackets")
        self.tokens.append(LINE)

    def divides(self) -> bool:
        last = self.last()
        if self.after_condition or last.kind == "pattern" or last.text in UNCERTAIN_BEFORE_SLASH:
            raise NotUnderstoodError("a `/` that may divide or begin a pattern")
        if last.kind == "keyword" and last.text not in BEFORE_PATTERN:
            raise NotUnderstoodError(f"a `/` behind `{last.text}`")
        return last.ends_value

    def string(self) -> None:
        start, known = self.at, True
        value: list[str] = []
        self.at += 1
        while (sign := self.text[self.at : self.at + 1]) != '"':
            if sign in ("", "\n"):
                raise NotUnderstoodError("a string without an end")
            self.at += 1
            if sign == "\\":
                escaped = self.text[self.at : self.at + 1]
                known = known and escaped in ESCAPES
                sign = ESCAPES.get(escaped, "")
                self.at += 1
            value.append(sign)
        self.at += 1
        self.add("string", self.text[start : self.at], "".join(value) if known else None)

    def pattern(self) -> None:
        """A regular expression; versions differ on a `/` inside of brackets."""
        start, brackets = self.at, -1
        self.at += 1
        while (sign := self.text[self.at : self.at + 1]) != "/":
            if sign in ("", "\n"):
                raise NotUnderstoodError("a pattern without an end")
            place = self.at
            self.at += 2 if sign == "\\" else 1
            if sign == "[" and brackets < 0:
                brackets = place + (2 if self.text[place + 1 : place + 2] == "^" else 1)
            elif sign == "]" and brackets >= 0 and place > brackets and not self.in_class(brackets, place):
                brackets = -1
        if brackets >= 0:
            raise NotUnderstoodError("a `/` inside of brackets")
        if self.text[self.at - 1] == "\n":
            raise NotUnderstoodError("a pattern over two lines")
        self.at += 1
        self.add("pattern", self.text[start : self.at])

    def in_class(self, start: int, place: int) -> bool:
        inside = self.text[start:place]
        if "[." in inside or "[=" in inside:
            raise NotUnderstoodError("a collating element")
        return inside.count("[:") > inside.count(":]")

    def name(self) -> None:
        start = self.at
        while self.text[self.at : self.at + 1] in NAME_SIGNS and self.at < len(self.text):
            self.at += 1
        text = self.text[start : self.at]
        called = self.text[self.at : self.at + 1] == "("
        self.add("keyword" if text in KEYWORDS else "call" if called else "name", text)

    def number(self) -> None:
        start = self.at
        while self.at < len(self.text) and (self.text[self.at] in NAME_SIGNS or self.text[self.at] == "."):
            self.at += 1
        if self.text[self.at - 1] in "eE" and self.text[self.at : self.at + 1] in ("+", "-"):
            raise NotUnderstoodError("a number with a signed exponent")
        text = self.text[start : self.at]
        if not all(sign in DIGITS or sign == "." for sign in text) and not _is_number(text):
            raise NotUnderstoodError(f"`{text}`")
        self.add("number", text)

    def operator(self) -> None:
        text = self.text[self.at : self.at + 3]
        while len(text) > 1 and text not in LONG_OPERATORS:
            text = text[:-1]
        if text[0] not in OPERATORS and text not in LONG_OPERATORS:
            raise NotUnderstoodError(f"`{text}`")
        condition = False
        if text in ("(", "[", "{"):
            before = self.last().text
            self.open.append(before if text == "(" and before in CONDITIONS else text)
        elif text in (")", "]", "}"):
            condition = self.close(text)
        self.at += len(text)
        self.add("operator", text)
        self.after_condition = condition

    def close(self, text: str) -> bool:
        """Whether the bracket that ends here held a condition: behind it a statement begins."""
        opened = self.open.pop() if self.open else ""
        if {")": "(", "]": "[", "}": "{"}[text] != ("(" if opened in CONDITIONS else opened):
            raise NotUnderstoodError(f"`{text}` closes nothing")
        return opened in CONDITIONS


def _is_number(text: str) -> bool:
    """`0x1F` and `1e5`; anything else might be a number and a name."""
    body = text[2:] if text[:2] in ("0x", "0X") else text.replace("e", "", 1)
    signs = "0123456789abcdefABCDEF" if text[:2] in ("0x", "0X") else "0123456789."
    return bool(body) and all(sign in signs for sign in body)
