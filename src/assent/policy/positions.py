"""Where each key and value of a TOML text stands: `tomllib` reads the values and forgets the places.

Does not judge the text: it gives up quietly where it stops understanding, and `tomllib` says what is wrong there.
"""

from __future__ import annotations

import re
from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str | int, ...]

MAX_DEPTH = 32

_SPACE = re.compile(r"[ \t]*+")
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_KEY = re.compile(r"""[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+'""")
_STRING = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'''
    r"""|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"""
    r"""|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+'""",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#\"'\[{]++")


class Positions:
    """Line and column, both from 1, of the keys and values of one TOML text; (0, 0) is "not known"."""

    def __init__(self, text: str) -> None:
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}
        self.too_deep = -1
        """Where nesting passed `MAX_DEPTH` and the scan ended, or -1."""
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]

    def key(self, path: Path) -> tuple[int, int]:
        """Where a key is first written; for an element of an array, where the element starts."""
        return self._nearest(self.keys, self.values, path)

    def value(self, path: Path) -> tuple[int, int]:
        """Where a value starts; for a table with a header, its opening bracket."""
        return self._nearest(self.values, self.keys, path)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def _nearest(self, first: dict[Path, int], second: dict[Path, int], path: Path) -> tuple[int, int]:
        while path:
            offset = first.get(path, second.get(path))
            if offset is not None:
                return self.place(offset)
            path = path[:-1]
        return 0, 0


def find_positions(text: str) -> Positions:
    """Scan a text; never raises, and takes time in proportion to its length."""
    found = Positions(text)
    scan = _Scan(text, found)
    try:
        scan.document()
    except _TooDeepError:
        found.too_deep = scan.at
    except _LostError:
        return found
    return found


class _LostError(Exception):
    """The text is not the TOML we expect from here on."""


class _TooDeepError(Exception):
    """More nesting than any policy needs."""


class _Scan:
    """A reader that remembers offsets and drops values. INVARIANT: every step moves `at` forward or raises."""

    def __init__(self, text: str, found: Positions) -> None:
        self.text = text
        self.at = 0
        self.found = found
        self.elements: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)

    def header(self) -> Path:
        """`[a.b]` or `[[a.b]]`: the path that the pairs below it belong to."""
        start = self.at
        brackets = 2 if self.text.startswith("[[", start) else 1
        self.at += brackets
        path: Path = ()
        for name, offset in self.dotted():
            path = (*self.newest(path), name)
            self.found.keys.setdefault(path, offset)
        self.expect("]" * brackets)
        if brackets == 2:
            self.elements[path] = self.elements.get(path, 0) + 1
            self.found.values.setdefault(path, start)
        path = self.newest(path)
        self.found.values[path] = start
        return path

    def newest(self, path: Path) -> Path:
        """A path as headers mean it: the name of an array of tables stands for its last element."""
        count = self.elements.get(path)
        return path if count is None else (*path, count - 1)

    def pair(self, table: Path) -> None:
        """`a.b = value`"""
        path = table
        for name, offset in self.dotted():
            path = (*path, name)
            if len(path) > MAX_DEPTH:
                raise _TooDeepError
            self.found.keys.setdefault(path, offset)
        self.expect("=")
        self.skip(_SPACE)
        self.value(path)

    def dotted(self) -> Iterator[tuple[str, int]]:
        for depth in range(MAX_DEPTH + 1):
            self.skip(_SPACE)
            start = self.at
            yield _unquote(self.take(_KEY)), start
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return
            if depth == MAX_DEPTH:
                raise _TooDeepError
            self.at += 1

    def value(self, path: Path) -> None:
        if len(path) > MAX_DEPTH:
            raise _TooDeepError
        self.found.values[path] = self.at
        match self.text[self.at : self.at + 1]:
            case "[":
                self.array(path)
            case "{":
                self.inline_table(path)
            case '"' | "'":
                self.take(_STRING)
            case _:
                self.take(_SCALAR)

    def array(self, path: Path) -> None:
        self.expect("[")
        index = 0
        while not self.closes("]"):
            self.value((*path, index))
            index += 1
            self.separator("]")

    def inline_table(self, path: Path) -> None:
        self.expect("{")
        while not self.closes("}"):
            self.pair(path)
            self.separator("}")

    def closes(self, bracket: str) -> bool:
        self.skip(_BLANK)
        if self.text.startswith(bracket, self.at):
            self.at += 1
            return True
        return False

    def separator(self, bracket: str) -> None:
        self.skip(_BLANK)
        if not self.text.startswith(bracket, self.at):
            self.expect(",")

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            raise _LostError
        self.at = found.end()
        return found.group()

    def expect(self, token: str) -> None:
        if not self.text.startswith(token, self.at):
            raise _LostError
        self.at += len(token)


def _unquote(token: str) -> str:
    if token[0] not in "\"'":
        return token
    if "\\" not in token:
        return token[1:-1]
    import tomllib

    try:
        return str(tomllib.loads(f"key = {token}")["key"])
    except ValueError:
        raise _LostError from None
