"""Characters of a shell text as bash sees them: a backslash and a newline are not there at all."""

from __future__ import annotations

from assent.budget import READING, TOO_LARGE
from assent.shell.tree import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.budget import Budget
    from assent.shell.tree import Script

MAX_DEPTH = 80
WINDOW = 64
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
DIGIT_SIGNS = "0123456789"
NAME_SIGNS = LETTERS + DIGIT_SIGNS
DIGITS = frozenset(DIGIT_SIGNS)
NAME_START = frozenset(LETTERS)
NAME = frozenset(NAME_SIGNS)


class CharReader:
    """Reads characters of `text` at `at`, and knows how deep it is."""

    def __init__(self, text: str, budget: Budget, depth: int = 0) -> None:
        self.text = text
        self.budget = budget
        self.words = 0
        """How many were read; they are counted a few at a time."""
        self.at = 0
        self.depth = depth
        self.assigning = False
        """Whether the word being read is the value of an assignment."""
        self.tildes_from = -1
        self.tildes_count = False
        """Where a word with tildes began, and whether it is written like an assignment."""

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
        if "\\" not in text[at : at + len(word)]:
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
        text, at = self.text, self.at
        if text.startswith(word, at):
            self.at = at + len(word)
            return True
        if "\\" not in text[at : at + len(word)] or not self.follows(word):
            return False
        for _ in word:
            self.peek()
            self.at += 1
        return True

    def spend(self, steps: int = 1) -> None:
        """Count what was read; more than one decision may read is refused."""
        if not self.budget.take(steps, READING):
            raise self.refuse(TOO_LARGE)

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


def end_of_run(text: str, at: int, signs: str) -> int:
    """Where the characters of a set end; a window at a time, since stripping is fast and copying long texts is not."""
    while True:
        window = text[at : at + WINDOW]
        left = len(window.lstrip(signs))
        at += len(window) - left
        if left or not window:
            return at


def closes_apart(text: str, at: int) -> bool:
    """Whether the second parenthesis of `((`, just before `at`, is surely closed by one without another behind it.

    Then bash has given up on arithmetic and reads subshells. Only looks through what is plain.
    """
    level = 1
    while at < len(text):
        sign = text[at]
        if sign in "'\"":
            end = text.find(sign, at + 1)
            if end < 0 or any(mark in text[at:end] for mark in "$`\\"):
                return False
            at = end
        elif sign in "$`\\#\n" or text.startswith("<<", at):
            return False
        level += (sign == "(") - (sign == ")")
        at += 1
        if not level:
            return text[at : at + 1] not in (")", "\\", "\n", "")
    return False


def stays_arithmetic(text: str) -> bool:
    """bash counts the parentheses of `$((…))`, also those in substitutions, and runs it as commands if they are odd.

    It counts them after it has written substitutions anew, and then the patterns of `case` have only one.
    """
    if "esac" in text.replace("\\\n", ""):
        return False
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
