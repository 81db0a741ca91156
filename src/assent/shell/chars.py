"""Characters of a shell text as bash sees them: a backslash and a newline are not there at all."""

from __future__ import annotations

from assent.shell.tree import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.shell.tree import Script

MAX_DEPTH = 80


class CharReader:
    """Reads characters of `text` at `at`, and knows how deep it is."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.assigning = False
        """Whether the word being read is the value of an assignment."""

    def peek(self) -> str:
        """The next character, after continuations; empty at the end."""
        text = self.text
        sign = text[self.at : self.at + 1]
        if sign != "\\":
            return sign
        while text.startswith("\\\n", self.at):
            self.at += 2
        return text[self.at : self.at + 1]

    def follows(self, word: str) -> bool:
        """Whether these characters come next, continuations between them removed; takes nothing."""
        at, text = self.at, self.text
        if text.startswith(word, at):
            return True
        if text[at : at + 1] not in (word[0], "\\"):
            return False
        for sign in word:
            while text.startswith("\\\n", at):
                at += 2
            if text[at : at + 1] != sign:
                return False
            at += 1
        return True

    def take(self, word: str) -> bool:
        """Consume these characters if they come next."""
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        if not self.follows(word):
            return False
        for _ in word:
            self.peek()
            self.at += 1
        return True

    def refuse(self, why: str, at: int | None = None) -> Refused:
        return Refused(why, self.at if at is None else at)

    def nested(self, read: Callable[[], Script]) -> Script:
        """Read something inside something else; too deep is refused before the interpreter's stack is."""
        self.enter()
        script = read()
        self.depth -= 1
        return script

    def enter(self) -> None:
        """One level deeper; a refusal ends the reading, so nobody has to come back up from it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refuse("nested too deeply")


def stays_arithmetic(text: str) -> bool:
    """bash counts the parentheses of `$((…))`, also those in substitutions, and runs it as commands if they are odd."""
    level = 0
    at = 0
    while at < len(text) and level >= 0:
        sign = text[at]
        if sign in "'\"":
            end = text.find(sign, at + 1)
            if end < 0 or any(mark in text[at:end] for mark in "$`\\"):
                return False
            at = end
        elif sign == "\\":
            at += 1
        level += (sign == "(") - (sign == ")")
        at += 1
    return level == 0
