"""Scripts of sed, read strictly by the rules of GNU sed: what they read and write, and whether they run anything.

Where GNU and BSD sed could read a script differently it is not understood.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANKS = " \t"
PLAIN_COMMANDS = frozenset("=dDFgGhHnNpPxz")
NUMBER_COMMANDS = frozenset("qQl")
TEXT_COMMANDS = frozenset("aic")
BRANCHES = frozenset("btT")
FILE_COMMANDS = {"r": "read", "R": "read", "w": "write", "W": "write"}
SUBSTITUTION_FLAGS = frozenset("gpiImM0123456789 \t")
LABEL_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
DELIMITERS = frozenset("/|#,:;!@%^&*+=~?_'\"<>.-`$()[]{}")


class NotUnderstoodError(Exception):
    """The script leaves the part of the language that is known."""


def does(script: str) -> Iterator[tuple[str, str]]:
    """What a script can do besides printing: `read` and `write` with a file, `run` with a text, `gap` with a reason."""
    reader = _Reader(script)
    try:
        yield from reader.commands()
    except NotUnderstoodError as trouble:
        yield "gap", str(trouble)


class _Reader:
    """Goes through a script once; `at` is the place of the next character."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.at = 0
        self.depth = 0
        self.made: list[str] = []
        """What substitutions put into the line so far, which a later `e` may run."""

    def commands(self) -> Iterator[tuple[str, str]]:
        while True:
            self.skip(" \t\n;")
            if self.at >= len(self.script):
                break
            if self.peek() == "#":
                self.rest_of_line()
                continue
            self.addresses()
            yield from self.command(self.next())
        if self.depth:
            raise NotUnderstoodError("a block is not closed")

    # --- addresses -------------------------------------------------------------------------------------------------

    def addresses(self) -> None:
        if self.address(second=False):
            self.skip(BLANKS)
            if self.peek() == ",":
                self.at += 1
                self.skip(BLANKS)
                if not self.address(second=True):
                    raise NotUnderstoodError("an address is missing behind `,`")
        self.skip(BLANKS)
        if self.peek() == "!":
            self.at += 1
            self.skip(BLANKS)

    def address(self, *, second: bool) -> bool:
        sign = self.peek()
        if sign == "$":
            self.at += 1
        elif sign.isdigit() or (second and sign in ("+", "~")):
            self.at += 1
            self.skip("0123456789")
            if self.peek() == "~" and not second:
                self.at += 1
                self.skip("0123456789")
        elif sign in ("/", "\\"):
            self.at += 1
            self.delimited(self.next() if sign == "\\" else sign, pattern=True)
            self.skip("IM \t")
        else:
            return False
        return True

    # --- commands --------------------------------------------------------------------------------------------------

    def command(self, name: str) -> Iterator[tuple[str, str]]:
        if name == "{":
            self.depth += 1
        elif name == "}":
            self.depth -= 1
            if self.depth < 0:
                raise NotUnderstoodError("`}` closes nothing")
            self.end()
        elif name in PLAIN_COMMANDS:
            self.end()
        elif name in NUMBER_COMMANDS:
            self.skip(BLANKS)
            self.skip("0123456789")
            self.end()
        elif name in FILE_COMMANDS:
            yield FILE_COMMANDS[name], self.file_name()
        elif name == "s":
            yield from self.substitution()
        elif name == "y":
            delimiter = self.next()
            self.delimited(delimiter, pattern=False)
            self.delimited(delimiter, pattern=False)
            self.end()
        elif name in TEXT_COMMANDS:
            self.text()
        elif name in BRANCHES:
            self.skip(BLANKS)
            self.label()
            self.end()
        elif name == ":":
            self.target()
        elif name == "e":
            text = self.rest_of_line().strip()
            yield "run", text or "the line it reads"
            yield from (("run", made) for made in self.made if not text)
        else:
            raise NotUnderstoodError(f"command `{name}`" if name else "an address without a command")

    def substitution(self) -> Iterator[tuple[str, str]]:
        delimiter = self.next()
        self.delimited(delimiter, pattern=True)
        start = self.at
        self.delimited(delimiter, pattern=False)
        made = _unescaped(self.script[start : self.at - 1])
        self.made += [made] if made else []
        while True:
            flag = self.peek()
            if flag == "w":
                self.at += 1
                yield "write", self.file_name()
                return
            if flag == "e":
                yield "run", made or "what a substitution makes"
            elif not flag or flag not in SUBSTITUTION_FLAGS:
                break
            self.at += 1
        self.end()

    def delimited(self, delimiter: str, *, pattern: bool) -> None:
        """Go behind the next delimiter; one inside of brackets ends the pattern in some versions, so it is refused."""
        if delimiter not in DELIMITERS:
            raise NotUnderstoodError(f"delimiter `{delimiter}`")
        brackets = -1
        while True:
            place, sign = self.at, self.next()
            if sign in ("", "\n"):
                raise NotUnderstoodError("a pattern or text without an end")
            if sign == delimiter:
                if brackets >= 0:
                    raise NotUnderstoodError("a delimiter inside of brackets")
                return
            if sign == "\\":
                self.at += 1
            elif pattern and sign == "[" and brackets < 0:
                brackets = place + (2 if self.peek() == "^" else 1)
            elif sign == "]" and brackets >= 0 and place > brackets and not self.in_class(brackets, place):
                brackets = -1

    def in_class(self, start: int, place: int) -> bool:
        """Whether a `]` ends a class such as `[:space:]` inside of brackets, not the brackets themselves."""
        inside = self.script[start:place]
        if "[." in inside or "[=" in inside:
            raise NotUnderstoodError("a collating element")
        return inside.count("[:") > inside.count(":]")

    def text(self) -> None:
        """`a text`, or a backslash and the text on the next line; it ends at a newline without a backslash before."""
        self.skip(BLANKS)
        if self.peek() in ("", "\n"):
            raise NotUnderstoodError("a text is missing")
        if self.peek() == "\\":
            self.at += 1
            start = self.at
            self.skip(BLANKS)
            if self.peek() == "\\" or (self.peek() == "\n" and self.at > start):
                raise NotUnderstoodError("a text that begins in a way versions of sed read differently")
            if self.peek() == "\n":
                self.at += 1
        while (sign := self.next()) not in ("", "\n"):
            if sign == "\\":
                self.at += 1

    def label(self) -> str:
        start = self.at
        while self.peek() in LABEL_SIGNS and self.peek():
            self.at += 1
        return self.script[start : self.at]

    def target(self) -> None:
        self.skip(BLANKS)
        if not self.label() or self.peek() not in ("", "\n", ";"):
            raise NotUnderstoodError("a label that versions of sed read differently")

    def file_name(self) -> str:
        name = self.rest_of_line().lstrip(BLANKS)
        if not name:
            raise NotUnderstoodError("a file name is missing")
        return name

    def end(self) -> None:
        """Behind a command: a newline, `;`, `}`, a comment or nothing."""
        self.skip(BLANKS)
        if self.peek() not in ("", "\n", ";", "}", "#"):
            raise NotUnderstoodError(f"`{self.peek()}` behind a command")

    # --- characters ------------------------------------------------------------------------------------------------

    def peek(self) -> str:
        return self.script[self.at : self.at + 1]

    def next(self) -> str:
        sign = self.peek()
        self.at += 1
        return sign

    def skip(self, signs: str) -> None:
        while self.at < len(self.script) and self.script[self.at] in signs:
            self.at += 1

    def rest_of_line(self) -> str:
        end = self.script.find("\n", self.at)
        end = len(self.script) if end < 0 else end
        line, self.at = self.script[self.at : end], end
        return line


def _unescaped(text: str) -> str:
    """A replacement without its backslashes, as a shell would get it; `&` stands for what nobody knows here."""
    found, at = "", 0
    while at < len(text):
        escaped = text[at] == "\\" and at + 1 < len(text)
        sign = text[at + 1] if escaped else text[at]
        found += "\n" if escaped and sign == "n" else " " if sign == "&" and not escaped else sign
        at += 2 if escaped else 1
    return found.strip()
