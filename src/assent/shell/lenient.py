"""Reads a text as the grammar does, and goes on where that refuses what bash evaluates: for finding danger only."""

from __future__ import annotations

from assent.budget import Budget
from assent.shell.grammar import ENDS_COMMAND, Parser, parse
from assent.shell.redirects import MAY_REDIRECT
from assent.shell.tree import Assignment, Part, Refused, Script, Simple
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Node, Redirect, Word

LONGEST_SUBSCRIPT = 200


def parse_leniently(text: str) -> Script:
    """The strict reading where there is one."""
    script = parse(text)
    return LenientParser(text, Budget()).whole() if script.refused else script


class LenientParser(Parser):
    """Takes subscripts, indirect names and odd operators for what they look like."""

    def _subscript(self, start: int) -> str:
        end = self.text.find("]", self.at, self.at + LONGEST_SUBSCRIPT)
        if end < 0:
            raise self.refuse("subscript", start)
        subscript = self.text[self.at : end]
        self.at = end + 1
        return subscript

    def _element(self, start: int) -> str:
        self.at += 1
        return f"[{self._subscript(start)}]"

    def _bracket_is_plain(self) -> bool:
        return True

    def _listed(self, start: int) -> str:
        """Also `${!name}`, which is what the variable holds that this one names."""
        at = self.at
        self.take("!")
        name = "#" if self.take("#") else self.digits() or self.name()
        if self.take("}"):
            return f"!{name}"
        self.at = at
        return super()._listed(start)

    def _operator(self, start: int) -> str:
        """An operator that nobody knows leaves the value as it is."""
        at = self.at
        try:
            return super()._operator(start)
        except Refused:
            end = self.text.find("}", at)
            if end < 0:
                raise
            self.at = end
            return ":0"

    def dollar(self, parts: list[Part], *, quoted: bool) -> None:
        if not quoted and self.text.startswith('$"', self.at):
            self.at += 2
            self.double_quoted(parts)
        else:
            super().dollar(parts, quoted=quoted)

    def _function(
        self, words: list[Word], assignments: list[Assignment], redirects: list[Redirect], start: int
    ) -> Node:
        """Also `declare -A name=(…)`: the list is assigned, and then what is left of the command is read."""
        if len(words) < 2 or not words[-1].text.endswith("="):
            return super()._function(words, assignments, redirects, start)
        name = words.pop().text.removesuffix("=")
        items = tuple(self._array())
        assignments.append(Assignment(name.removesuffix("+"), None, Span(start, self.at), name.endswith("+"), items))
        while (sign := self.skip_blanks()) not in ENDS_COMMAND:
            if sign in MAY_REDIRECT and (redirect := self.redirect(redirects)) is not None:
                redirects.append(redirect)
            elif sign == "(":
                return self._function(words, assignments, redirects, start)
            else:
                words.append(self.word())
        return Simple(tuple(words), Span(start, self.at), tuple(assignments), tuple(redirects))
