"""Reads a text as the grammar does, and goes on where that refuses what bash evaluates: for finding danger only."""

from __future__ import annotations

from assent.budget import Budget
from assent.protected import closed_in
from assent.shell.chars import NAME_SIGNS, NAME_START, end_of_run
from assent.shell.grammar import ENDS_COMMAND, Parser, parse
from assent.shell.redirects import MAY_REDIRECT
from assent.shell.tree import Assignment, Part, Refused, Script, Simple
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Node, Redirect, Word

LONGEST_SUBSCRIPT = 200
ZSH_SIGNS = ("~", "=", "^", "+")
"""What may stand between the `$` and a name in zsh."""


def parse_leniently(text: str, shell: str = "bash", budget: Budget | None = None) -> Script:
    """The strict reading where there is one, or as much of it as the budget has steps for.

    Zsh has forms of its own, which the strict reading takes for text.
    """
    budget = budget or Budget()
    script = parse(text, budget)
    again = (script.refused or shell == "zsh") and not budget.spent
    return LenientParser(text, budget).whole() if again else script


class LenientParser(Parser):
    """Takes subscripts, indirect names and odd operators for what they look like."""

    def _subscript(self, start: int) -> str:
        end = self.text.find("]", self.at, self.at + LONGEST_SUBSCRIPT)
        if end < 0:
            raise self.refuse("subscript that is not a number", start)
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

    def dollar(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self.text, self.at
        if not quoted and text.startswith('$"', at):
            self.at += 2
            self.double_quoted(parts)
        elif text[at + 1 : at + 2] in ZSH_SIGNS and text[at + 2 : at + 3] in NAME_START:
            self.at += 2
            parts.append(Part("parameter", self.name(), quoted))
        else:
            super().dollar(parts, quoted=quoted)

    def braced(self, start: int, *, quoted: bool) -> Part:
        """Of a `${…}` in a form that nobody knows: the variable as it is, or whatever stands there as text."""
        at, depth = self.at, self.depth
        try:
            return super().braced(start, quoted=quoted)
        except Refused:
            end = self.text.find("}", at)
            if end < 0:
                raise
            self.at, self.depth = end + 1, depth
        inside = self.text[at + 1 : end]
        plain = inside[inside.find(")") + 1 :] if inside[:1] == "(" else inside
        plain = plain.lstrip("~=^+")
        name = plain[: end_of_run(plain, 0, NAME_SIGNS)]
        known = name != "" and not closed_in(inside)
        return Part("parameter", name, quoted) if known else Part("text", inside, quoted)

    def _function(
        self, words: list[Word], assignments: list[Assignment], redirects: list[Redirect], start: int
    ) -> Node:
        """Also `declare -A name=(…)`: the list is assigned, and then what is left of the command is read."""
        if len(words) < 2 or not words[-1].text.rstrip("+=").isidentifier() or words[-1].text[-1] != "=":
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
