"""bash's own syntax tree as records, how it is read from the oracle's JSON, and walks over it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

Flags: TypeAlias = frozenset[str]
NONE: Flags = frozenset()


@dataclass(frozen=True, slots=True)
class Word:
    """A word as bash keeps it: quotes and substitutions are still in the text."""

    text: str
    flags: Flags = NONE

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Redirect:
    """`fd` or `{variable}`, and what it is bound to: a word, the descriptor `source`, or nothing (close).

    The target of a here-document is its body; it is flagged `quoted` when the delimiter was, so nothing expands.
    """

    op: str
    fd: int | None = None
    variable: str | None = None
    target: Word | None = None
    source: int | None = None
    delimiter: str | None = None

    def __str__(self) -> str:
        left = f"{{{self.variable}}}" if self.variable is not None else f"{self.fd}"
        right = self.source if self.source is not None else self.target
        middle = "" if self.delimiter is None else f"{' quoted' * self.quoted} {self.delimiter!r}"
        return f"{left} {self.op}{middle}" + ("" if right is None else f" {str(right)!r}")

    @property
    def quoted(self) -> bool:
        return self.target is not None and "quoted" in self.target.flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all commands have. Flags: `negated`, `time`, `time-posix`, `background` (a coprocess)."""

    flags: Flags = NONE
    redirects: tuple[Redirect, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Simple(Node):
    """Assignments, then words; either may be empty."""

    words: tuple[Word, ...]
    assignments: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection(Node):
    """Two commands and `;`, newline, `&`, `&&`, `||` or `|` between them; `a &` has no right side."""

    op: str
    left: Command
    right: Command | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for NAME in WORDS`; bash writes a missing `in` as `"$@"`."""

    name: Word
    words: tuple[Word, ...]
    body: Command


@dataclass(frozen=True, slots=True)
class Select(Node):
    name: Word
    words: tuple[Word, ...]
    body: Command


@dataclass(frozen=True, slots=True)
class ArithFor(Node):
    """`for ((init; test; step))`; bash writes a missing part as `1`."""

    init: tuple[Word, ...]
    test: tuple[Word, ...]
    step: tuple[Word, ...]
    body: Command


@dataclass(frozen=True, slots=True)
class Clause:
    """`patterns) body end`, with `;;`, `;&` or `;;&` as the end."""

    patterns: tuple[Word, ...]
    body: Command | None
    end: str = ";;"


@dataclass(frozen=True, slots=True)
class Case(Node):
    word: Word
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class While(Node):
    test: Command
    body: Command


@dataclass(frozen=True, slots=True)
class Until(Node):
    test: Command
    body: Command


@dataclass(frozen=True, slots=True)
class If(Node):
    """`elif` is an `If` as `orelse`."""

    test: Command
    then: Command
    orelse: Command | None = None


@dataclass(frozen=True, slots=True)
class Group(Node):
    body: Command


@dataclass(frozen=True, slots=True)
class Subshell(Node):
    body: Command


@dataclass(frozen=True, slots=True)
class Arith(Node):
    expression: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of `[[ ]]`: `and`, `or`, `unary`, `binary`, `term` (a word) or `group` (parentheses)."""

    kind: str
    word: Word | None
    left: Condition | None
    right: Condition | None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Cond(Node):
    expression: Condition


@dataclass(frozen=True, slots=True)
class Coproc(Node):
    name: str
    body: Command


@dataclass(frozen=True, slots=True)
class Function(Node):
    name: str
    body: Command


Command: TypeAlias = (
    Simple
    | Connection
    | For
    | Select
    | ArithFor
    | Case
    | While
    | Until
    | If
    | Group
    | Subshell
    | Arith
    | Cond
    | Coproc
    | Function
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why bash read no further: `syntax`, `abandoned` (an error inside a substitution), `died`, or `time`.

    bash says nothing about some errors inside `[[ ]]`, and 5.3 may name the wrong open command in a message.
    """

    kind: str
    message: str = field(default="", compare=False)
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """What bash read, in the order it would run it: it parses a line, runs it, and only then reads the next.

    `ends[i]` is how many bytes of the text bash had taken when `commands[i]` was complete. `unterminated` names the
    delimiters of here-documents that the end of the text ended.
    """

    commands: tuple[Command, ...]
    ends: tuple[int, ...] = ()
    error: Fault | None = None
    unterminated: tuple[str, ...] = ()


# --- reading the oracle's JSON


@cache
def _flags(names: tuple[str, ...]) -> Flags:
    return frozenset(names)


def _word(value: Any) -> Word:
    return Word(value[0], _flags(tuple(value[1])))


def _words(values: Any) -> tuple[Word, ...]:
    return tuple(map(_word, values))


def _redirect(value: Any) -> Redirect:
    target = value.get("target")
    return Redirect(
        value["op"],
        value.get("fd"),
        value.get("variable"),
        None if target is None else _word(target),
        value.get("source"),
        value.get("delimiter"),
    )


Made: TypeAlias = Callable[[Any], Any]


def _simple(node: Any, at: Made, rest: dict[str, Any]) -> Simple:
    words = _words(node["words"])
    count = next((i for i, word in enumerate(words) if "assignment" not in word.flags), len(words))
    return Simple(words[count:], words[:count], **rest)


def _clause(value: Any, at: Made) -> Clause:
    return Clause(_words(value["patterns"]), at(value["body"]), value["end"])


BUILD: dict[str, Callable[[Any, Made, dict[str, Any]], Any]] = {
    "simple": _simple,
    "connection": lambda n, at, rest: Connection(n["op"], at(n["left"]), at(n["right"]), **rest),
    "for": lambda n, at, rest: For(_word(n["name"]), _words(n["words"]), at(n["body"]), **rest),
    "select": lambda n, at, rest: Select(_word(n["name"]), _words(n["words"]), at(n["body"]), **rest),
    "arith-for": lambda n, at, rest: ArithFor(
        _words(n["init"]), _words(n["test"]), _words(n["step"]), at(n["body"]), **rest
    ),
    "case": lambda n, at, rest: Case(_word(n["word"]), tuple(_clause(c, at) for c in n["clauses"]), **rest),
    "while": lambda n, at, rest: While(at(n["test"]), at(n["body"]), **rest),
    "until": lambda n, at, rest: Until(at(n["test"]), at(n["body"]), **rest),
    "if": lambda n, at, rest: If(at(n["test"]), at(n["then"]), at(n["orelse"]), **rest),
    "group": lambda n, at, rest: Group(at(n["body"]), **rest),
    "subshell": lambda n, at, rest: Subshell(at(n["body"]), **rest),
    "arith": lambda n, at, rest: Arith(_words(n["expression"]), **rest),
    "cond": lambda n, at, rest: Cond(at(n["expression"]), **rest),
    "coproc": lambda n, at, rest: Coproc(n["name"], at(n["body"]), **rest),
    "function": lambda n, at, rest: Function(n["name"], at(n["body"]), **rest),
}


def _condition(node: Any, at: Made) -> Condition:
    word = None if node["word"] is None else _word(node["word"])
    kind = node["kind"].removeprefix("cond-")
    return Condition(kind, word, at(node["left"]), at(node["right"]), "negated" in node["flags"])


def _nodes(values: Any) -> Made:
    made: list[Any] = []

    def at(number: int | None) -> Any:
        return None if number is None else made[number]

    for node in values:
        kind = node["kind"]
        if kind.startswith("cond-"):
            made.append(_condition(node, at))
            continue
        redirects, flags = node["redirects"], node["flags"]
        rest: dict[str, Any] = {"line": node["line"]}
        if redirects:
            rest["redirects"] = tuple(map(_redirect, redirects))
        if flags:
            rest["flags"] = _flags(tuple(flags))
        made.append(BUILD[kind](node, at, rest))
    return at


WANTED = re.compile(r"warning: here-document .*?delimited by end-of-file \(wanted `(.*)'\)$", re.MULTILINE)
COMPLAINT = re.compile(r"line (\d+): (?!warning: )(.*)")


def _fault(kind: str, said: str) -> Fault:
    found = COMPLAINT.search(said)
    return Fault(kind, found[2], int(found[1])) if found else Fault(kind, said.strip())


def read_tree(answer: Any) -> Tree:
    """From what the oracle says of a text: the tree, or how the process that parsed it ended."""
    said = answer["said"]
    if answer.get("event") == "end":
        how = "time" if answer["how"] in ("time", "flood") else "died"
        return Tree((), error=_fault(how, said or f"{answer['how']} {answer['status']}"))
    at = _nodes(answer["nodes"])
    stopped = answer["stopped"]
    return Tree(
        commands=tuple(at(root) for root, _ in answer["roots"]),
        ends=tuple(end for _, end in answer["roots"]),
        error=None if stopped is None else _fault(stopped, said),
        unterminated=tuple(WANTED.findall(said)) if said else (),
    )
