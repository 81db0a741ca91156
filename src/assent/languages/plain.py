"""Short programs of other languages that are proven to do nothing but calculate and print.

INVARIANT: only what is positively known here passes; one sign more, and the code is not proven.
"""

from __future__ import annotations

from assent.languages.reading import Reading

PRINTS = {
    "node": ("console.log", "console.error", "console.info"),
    "ruby": ("puts", "print", "p"),
    "php": ("echo", "print"),
    "perl": ("print", "say"),
    "lua": ("print",),
}
"""What prints, by the language."""
SAME = {"nodejs": "node", "luajit": "lua"}
INTERPOLATES = {"node": "", "ruby": "#", "php": "${", "perl": "$@{", "lua": ""}
"""Signs that mean more than themselves inside of double quotes."""
NUMBERS = frozenset("0123456789.")
RUNTIME = ("process.version", "process.platform", "process.arch", "process.versions.node", "process.pid")


def read_plain(text: str, language: str) -> Reading | None:
    """What a program reads that is proven to do no more; None for any other."""
    name = SAME.get(language, language)
    if name not in PRINTS or len(text) > 4_000:
        return None
    found = _Plain(text, name)
    if found.program() or (name == "perl" and is_filter(text)):
        return found.reading
    return None


# --- lines of text, in perl ---------------------------------------------------------------------------------------

DELIMITERS = frozenset("/|#!,")
FLAGS = frozenset("gimsx")
"""Without `e`, which runs the replacement as code."""


def is_filter(text: str) -> bool:
    """Whether all statements print, match or replace: `print if /x/`, `s/a/b/g`."""
    at = 0
    while True:
        while at < len(text) and text[at] in " \t\n;":
            at += 1
        if at >= len(text):
            return True
        end = _filtering(text, at)
        if end < 0:
            return False
        at = end
        while at < len(text) and text[at] in " \t":
            at += 1
        if at < len(text) and text[at] not in ";\n":
            return False


def _filtering(text: str, at: int) -> int:
    """The place behind a statement of such a program; -1 if it is none."""
    for word in ("print if ", "print unless ", "next if ", "next unless "):
        if text.startswith(word, at):
            return _pattern(text, at + len(word), parts=1)
    if text.startswith("print", at) and text[at + 5 : at + 6] in ("", ";", " ", "\n"):
        return at + 5
    return _pattern(text, at + 1, parts=2) if text[at] == "s" else -1


def _pattern(text: str, at: int, *, parts: int) -> int:
    """The place behind `/…/flags`, or `/…/…/flags` if there are two parts."""
    sign = text[at : at + 1]
    if sign not in DELIMITERS or (parts == 1 and sign != "/"):
        return -1
    for part in range(parts):
        start = at = at + 1
        while at < len(text) and text[at] != sign:
            at += 2 if text[at] == "\\" else 1
        inside = text[start:at]
        if at >= len(text) or not (_is_plain_pattern(inside) if part == 0 else _is_plain_text(inside)):
            return -1
    at += 1
    while at < len(text) and text[at] in FLAGS:
        at += 1
    return at if not text[at : at + 1].isalnum() else -1


def _is_plain_pattern(text: str) -> bool:
    """No code in it, and no variable: a dollar only where it is the end."""
    if "(?{" in text or "(??" in text or "@" in text or "\n" in text or "(*" in text:
        return False
    return all(text[at + 1 : at + 2] in ("", ")", "|") for at, sign in enumerate(text) if sign == "$")


def _is_plain_text(text: str) -> bool:
    """What takes the place of a match: itself, and parts of that."""
    if "@" in text or "\n" in text:
        return False
    return all(
        text[at + 1 : at + 2].isdigit() or text[at + 1 : at + 2] == "&" for at, sign in enumerate(text) if sign == "$"
    )


class _Plain:
    """Reads statements from left to right; every method says whether it has read one."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language, self.at = text, language, 0
        self.reading = Reading()

    def program(self) -> bool:
        """Statements with semicolons or newlines between; an expression alone, too, since `node -p` prints it."""
        while True:
            self.blanks(";\n")
            if self.at >= len(self.text):
                return True
            if not (self.printing() or (self.language == "node" and self.expression())):
                return False
            self.blanks()
            if self.at < len(self.text) and self.text[self.at] not in ";\n":
                return False

    def blanks(self, more: str = "") -> None:
        while self.at < len(self.text) and self.text[self.at] in f" \t{more}":
            self.at += 1

    def takes(self, word: str) -> bool:
        if not self.text.startswith(word, self.at):
            return False
        end = self.at + len(word)
        if word[-1].isalnum() and (self.text[end : end + 1].isalnum() or self.text[end : end + 1] in ("_", ".", "$")):
            return False
        self.at = end
        return True

    def printing(self) -> bool:
        for word in PRINTS[self.language]:
            if self.takes(word):
                self.blanks()
                if self.takes("("):
                    return self.expressions() and self.takes(")")
                return self.language not in ("node", "lua") and self.expressions()
        return False

    def expressions(self) -> bool:
        self.blanks()
        if self.text[self.at : self.at + 1] in ("", ")", ";"):
            return True
        while self.expression():
            self.blanks()
            if not self.takes(","):
                return True
        return False

    def expression(self) -> bool:
        """Terms with operators between."""
        while self.term():
            self.blanks()
            operator = self.text[self.at : self.at + 1]
            if operator not in ("+", "-", "*", "%", "<", ">") and not (operator == "." and self.language == "php"):
                return True
            self.at += 1
            while self.text[self.at : self.at + 1] in ("=", operator) and operator in "<>*":
                self.at += 1
        return False

    def term(self) -> bool:
        self.blanks()
        sign = self.text[self.at : self.at + 1]
        if sign == "(":
            self.at += 1
            return self.expression() and self.takes(")")
        if sign and sign in NUMBERS:
            while self.at < len(self.text) and self.text[self.at] in NUMBERS:
                self.at += 1
            return not self.text[self.at : self.at + 1].isalpha()
        if sign in ("'", '"'):
            return self.literal(sign)
        return self.language == "node" and self.value()

    def literal(self, quote: str) -> bool:
        end = self.text.find(quote, self.at + 1)
        inside = self.text[self.at + 1 : end]
        if end < 0 or "\\" in inside.replace("\\n", ""):
            return False
        if quote == '"' and any(sign in inside for sign in INTERPOLATES[self.language]):
            return False
        self.at = end + 1
        return True

    def value(self) -> bool:
        """Of node: what the runtime is called, and what a JSON file of the project holds."""
        if any(self.takes(name) for name in RUNTIME):
            return True
        for wrapper in ("JSON.stringify(", "Object.keys(", "Object.entries(", "Object.values("):
            if self.takes(wrapper):
                return self.term() and self.details() and self.takes(")") and self.members()
        for opening in ("require('./", 'require("./'):
            if self.takes(opening):
                end = self.text.find(opening[8], self.at)
                path = self.text[self.at : end]
                if end < 0 or not path.endswith(".json") or ".." in path.split("/") or set(path) & set("\\${}`"):
                    return False
                self.at = end + 1
                self.reading.effect("read", path)
                return self.takes(")") and self.members()
        return False

    def details(self) -> bool:
        """How JSON is laid out: `, null, 2`."""
        self.blanks()
        if self.takes(","):
            self.blanks()
            if not self.takes("null"):
                return False
            self.blanks()
            if self.takes(","):
                return self.term()
        return True

    def members(self) -> bool:
        """`.scripts.test`, `["a-b"]`, `.length`, `.join(", ")`."""
        while self.text[self.at : self.at + 1] in (".", "["):
            if self.text[self.at] == "[":
                self.at += 1
                if self.text[self.at : self.at + 1] not in ("'", '"') or not self.literal(self.text[self.at]):
                    return False
                if not self.takes("]"):
                    return False
                continue
            start = self.at = self.at + 1
            while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_$"):
                self.at += 1
            name = self.text[start : self.at]
            if not name:
                return False
            if self.text[self.at : self.at + 1] == "(" and not (name == "join" and self.joins()):
                return False
        return True

    def joins(self) -> bool:
        self.at += 1
        return self.term() and self.takes(")")
