"""What SQL may do where it is not read with certainty: a permissive reading, good for finding danger only; no programs.

Comments count as blanks, but for `/*! … */`, which MySQL executes.
"""

from __future__ import annotations

from assent.commands.sql import DIGITS, LETTERS, Statement, meaning
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LINE_COMMENTS = ((), ("--",), ("#",), ("--", "#"))
"""Databases disagree about `#`, and about `--` with nothing behind it."""
EXECUTED = ("/*!", "/*M!")
QUOTES = "'\"`"
DROPPED = frozenset(
    "table tables schema database view index role user sequence function procedure type trigger materialized extension"
    " keyspace column tablespace owned".split()
)
READING = frozenset(
    "readfile read_text read_blob read_csv read_csv_auto read_json read_json_auto read_json_objects"
    " read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects read_parquet parquet_scan"
    " parquet_metadata parquet_schema read_xlsx st_read sniff_csv sqlite_scan fsdir zipfile load_extension".split()
)
"""Functions of database shells that open the files they are given."""
WRITING = frozenset(("writefile",))
AS_PATTERN = "names of files"


def may_drop(text: str) -> bool:
    """Whether a statement that cannot be undone may stand in a text, whichever database reads it."""
    for lines in LINE_COMMENTS:
        for quotes in (True, False):
            words: list[str] = []
            for token in (*tokens(text, lines, quotes=quotes), ";"):
                if token == ";":
                    if _drops(words):
                        return True
                    words = []
                elif token[0] in LETTERS or token[0] in DIGITS:
                    words.append(token)
    return False


def _drops(words: list[str]) -> bool:
    if meaning(Statement(tuple(words))) == "drop":
        return True
    behind = dict.fromkeys(words[at + 1] for at, word in enumerate(words[:-1]) if word in ("drop", "truncate"))
    return not DROPPED.isdisjoint(behind)


def tokens(text: str, lines: tuple[str, ...] = ("--",), *, quotes: bool = True) -> list[str]:
    """Words in lower case, single signs, and what is quoted with a quote before it; `lines` begin comments."""
    found: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in LETTERS or sign in DIGITS:
            end = at
            while end < len(text) and (text[end] in LETTERS or text[end] in DIGITS):
                end += 1
            found.append(text[at:end].lower())
        elif text.startswith(EXECUTED, at):
            end = text.index("!", at) + 1
            while end < len(text) and text[end] in DIGITS:
                end += 1
        elif text.startswith("/*", at):
            end = _behind(text, "*/", at + 2)
        elif lines and text.startswith(lines, at):
            end = _behind(text, "\n", at)
        elif quotes and sign in QUOTES:
            end = _behind(text, sign, at + 1)
            found.append(f"'{text[at + 1 : end].removesuffix(sign)}")
        else:
            end = at + 1
            found += [] if sign.isspace() else [sign]
        at = end
    return found


def _behind(text: str, sign: str, start: int) -> int:
    at = text.find(sign, start)
    return at + len(sign) if at >= 0 else len(text)


def files_named(args: Args, text: str) -> Iterator[Fact]:
    """Files that statements of a database shell name literally: arguments of functions, `ATTACH`, `COPY`, `VACUUM`."""
    found = tokens(text)
    tables = args.name == "duckdb"
    for at, token in enumerate(found):
        before = found[at - 1] if at else ""
        if token in READING | WRITING and found[at + 1 : at + 2] == ["("]:
            for path in _given(found, at + 2)[: 1 if token in WRITING else None]:
                yield from args.act("write" if token in WRITING else "read", _path(path))
        elif token[0] == "'" and (before == "attach" or (before == "database" and "attach" in found[:at])):
            yield from args.act("read", _path(token[1:]))
            yield from args.act("write", _path(token[1:]))
        elif token[0] == "'" and ((before == "into" and "vacuum" in found) or (before == "to" and "copy" in found)):
            yield from args.act("write", _path(token[1:]))
        elif token[0] == "'" and tables and before in ("from", "join"):
            yield from args.act("read", _path(token[1:]))


def _given(found: list[str], at: int) -> list[str]:
    """Texts up to the parenthesis that closes; what stands behind `=` is a setting."""
    depth, given = 1, []
    while at < len(found) and depth:
        depth += (found[at] == "(") - (found[at] == ")")
        if found[at][0] == "'" and found[at - 1] in ("(", "[", ","):
            given.append(found[at][1:])
        at += 1
    return given


def _path(text: str) -> Word:
    """A literal as a path; with signs of a pattern it may stand for several."""
    return Word(text, None, AS_PATTERN, text, True) if any(sign in text for sign in "*?[") else Word(text, text)


def programs_named(args: Args, text: str) -> Iterator[Fact]:
    """`COPY t TO PROGRAM 'command'`, which starts a shell where the server runs."""
    found = tokens(text)
    for at, token in enumerate(found):
        if token[0] == "'" and at and found[at - 1] == "program":
            yield args.effect("run", token[1:], "inline")
