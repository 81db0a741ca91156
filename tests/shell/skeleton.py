"""What a word is made of, read from the text that bash keeps of it; shares no code with the parser it judges.

bash has already removed continuations, decoded `$'…'` and printed `$(…)` anew, so this only has to find the pieces.
A skeleton is a tuple of pieces: the text after quote removal, parameters with their operator, and substitutions.
Globs, braces and tildes are text here; what they become is the execution oracle's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

Piece: TypeAlias = tuple[object, ...]
Skeleton: TypeAlias = tuple[Piece, ...]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[.*?\])?(\+?)=(.*)", re.DOTALL)
PARAMETER = re.compile(r"(#(?=.))?([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[-@*#?$!])(\[[^]]*\])?")
OPERATOR = re.compile(r":[-=?+]|##|%%|//|\^\^|,,|[-=?+#%/^,]")
SPECIAL = "@*#?-$!0123456789"


class UnreadableError(Exception):
    """The text is not what bash would keep of a word."""


def joined(pieces: Iterable[Piece]) -> Skeleton:
    """Neighbouring texts as one, empty ones gone."""
    out: list[Piece] = []
    for piece in pieces:
        if piece[0] != "text":
            out.append(piece)
        elif out and out[-1][0] == "text":
            out[-1] = ("text", f"{out[-1][1]}{piece[1]}")
        elif piece[1]:
            out.append(piece)
    return tuple(out)


def word(text: str, inner: Iterable[str] = ()) -> Skeleton:
    """`inner` are the texts of the command substitutions that bash itself finds in it."""
    reader = Reader(text, inner)
    reader.unquoted()
    return joined(reader.pieces)


def heredoc(text: str, inner: Iterable[str] = ()) -> Skeleton:
    reader = Reader(text, inner)
    reader.escaped = "$`\\"
    while reader.at < len(text):
        reader.inside_quotes()
    return joined(reader.pieces)


def items(text: str, inner: Iterable[str] = ()) -> tuple[Skeleton, ...]:
    """The words between the parentheses of an array."""
    found = []
    reader = Reader(text, inner)
    while reader.at < len(text):
        if text[reader.at] in " \t\n":
            reader.at += 1
            continue
        reader.pieces = []
        reader.unquoted(stops=" \t\n")
        found.append(joined(reader.pieces))
    return tuple(found)


class Reader:
    """Walks over one word of bash's."""

    def __init__(self, text: str, inner: Iterable[str]) -> None:
        self.text = text
        self.inner = sorted(inner, key=len, reverse=True)
        self.at = 0
        self.pieces: list[Piece] = []
        self.escaped = '$`"\\'

    def unquoted(self, stops: str = "") -> None:
        while self.at < len(self.text) and self.text[self.at] not in stops:
            sign = self.text[self.at]
            if sign == "'":
                self._single()
            elif sign == '"':
                self._double()
            elif sign == "\\":
                self.pieces.append(("text", self.text[self.at + 1 : self.at + 2]))
                self.at += 2
            elif sign in "<>" and self.text.startswith("(", self.at + 1):
                self.at = self._closing(self.at + 1)
                self.pieces.append(("process",))
            else:
                self._dollar_or_text(quoted=False)

    def inside_quotes(self) -> None:
        sign, following = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if sign == "\\" and following and following in self.escaped:
            self.pieces.append(("text", following))
            self.at += 2
        else:
            self._dollar_or_text(quoted=True)

    def _single(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise UnreadableError(self.text)
        self.pieces.append(("text", self.text[self.at + 1 : end]))
        self.at = end + 1

    def _double(self) -> None:
        self.at += 1
        while self.text[self.at : self.at + 1] != '"':
            if self.at >= len(self.text):
                raise UnreadableError(self.text)
            self.inside_quotes()
        self.at += 1

    def _dollar_or_text(self, *, quoted: bool) -> None:
        sign = self.text[self.at]
        if sign == "`":
            self._backticks(quoted=quoted)
        elif sign == "$":
            self._dollar(quoted=quoted)
        else:
            self.pieces.append(("text", sign))
            self.at += 1

    def _backticks(self, *, quoted: bool) -> None:
        at = self.at + 1
        while self.text[at : at + 1] != "`":
            if at >= len(self.text):
                raise UnreadableError(self.text)
            at += 2 if self.text[at] == "\\" else 1
        self.at = at + 1
        self.pieces.append(("command", quoted))

    def _dollar(self, *, quoted: bool) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        name = NAME.match(self.text, self.at + 1)
        if name:
            self.pieces.append(("parameter", name[0], quoted))
            self.at = name.end()
        elif following == "(":
            self._parenthesis(quoted=quoted)
        elif following == "{":
            self._brace(quoted=quoted)
        elif following == "[":
            self.at = self._balanced(self.at + 1, "[", "]")
            self.pieces.append(("arithmetic", quoted))
        elif following and following in SPECIAL:
            self.pieces.append(("parameter", following, quoted))
            self.at += 2
        else:
            self.pieces.append(("text", "$"))
            self.at += 1

    def _parenthesis(self, *, quoted: bool) -> None:
        known = self._known(self.at + 1)
        if not known and self.text.startswith("((", self.at + 1):
            end = self._balanced(self.at + 1, "(", ")")
            if self.text[end - 2 : end] == "))":
                self.at = end
                self.pieces.append(("arithmetic", quoted))
                return
        self.at = self._closing(self.at + 1)
        self.pieces.append(("command", quoted))

    def _known(self, at: int) -> int:
        """Where the substitution that opens here ends, if bash told us its text."""
        for inner in self.inner:
            if self.text.startswith(f"({inner})", at):
                return at + len(inner) + 2
        return 0

    def _closing(self, at: int) -> int:
        known = self._known(at)
        if not known and "case" in self.text:
            raise UnreadableError(self.text)
        return known or self._balanced(at, "(", ")")

    def _brace(self, *, quoted: bool) -> None:
        start = self.at + 2
        end = self._balanced(self.at + 1, "{", "}", quoted=quoted)
        content = self.text[start : end - 1]
        head = PARAMETER.match(content)
        if not head:
            self.pieces.append(("parameter", content, quoted))
        else:
            rest = content[head.end() :]
            operator = OPERATOR.match(rest)
            self.pieces.append(("parameter", head[0] + (operator[0] if operator else rest), quoted))
        self.at = end

    def _balanced(self, at: int, opening: str, closing: str, *, quoted: bool = False) -> int:
        """After the bracket that closes the one at `at`; quotes and substitutions between them are stepped over."""
        level, start = 0, at
        while at < len(self.text):
            sign = self.text[at]
            if sign == "\\":
                at += 1
            elif sign == "'" and not quoted:
                at = self.text.find("'", at + 1)
                if at < 0:
                    break
            elif sign in '"`' and at > start:
                at = self._quoted_end(at, sign)
            elif sign == "$" and self.text.startswith("(", at + 1):
                at = self._closing(at + 1) - 1
            elif sign == "$" and self.text.startswith("{", at + 1):
                at = self._balanced(at + 1, "{", "}", quoted=quoted) - 1
            elif sign == opening and (opening != "{" or at == start):
                level += 1
            elif sign == closing:
                level -= 1
                if not level:
                    return at + 1
            at += 1
        raise UnreadableError(self.text)

    def _quoted_end(self, at: int, quote: str) -> int:
        """Where the double quote or backtick that opens here closes."""
        at += 1
        while at < len(self.text):
            sign = self.text[at]
            if sign == quote:
                return at
            if sign == "\\":
                at += 1
            elif quote == '"' and sign == "$" and self.text.startswith("(", at + 1):
                at = self._closing(at + 1) - 1
            elif quote == '"' and sign == "$" and self.text.startswith("{", at + 1):
                at = self._balanced(at + 1, "{", "}", quoted=True) - 1
            elif quote == '"' and sign == "`":
                at = self._quoted_end(at, "`")
            at += 1
        raise UnreadableError(self.text)
