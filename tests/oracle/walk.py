"""Walks over bash's tree: every simple command and where it stands, and every word that bash would expand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from oracle.tree import (
    Arith,
    ArithFor,
    Case,
    Command,
    Cond,
    Condition,
    Connection,
    Coproc,
    For,
    Function,
    Group,
    If,
    Redirect,
    Select,
    Simple,
    Subshell,
    Tree,
    Until,
    While,
    Word,
)

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A simple command and the constructs around it, outermost first.

    Steps look like `if:test`, `case:1` (the second clause), `|:0` (the first of a pipeline), `&` (in the background),
    `function f`. A plain sequence adds no step; a list of the same operator is one step, however long.
    """

    command: Simple
    path: Path

    def __str__(self) -> str:
        return shown(self.command)


def shown(command: Simple) -> str:
    """One line for tables: `x=1 ls -l [1 output 'f']`."""
    return " ".join(
        [
            *(f"!{flag}" for flag in sorted(command.flags)),
            *map(str, command.assignments),
            *map(str, command.words),
            *(f"[{redirect}]" for redirect in command.redirects),
        ]
    )


def simple_commands(tree: Tree) -> Iterator[Placed]:
    """Every simple command in source order."""
    for node, path in nodes(tree):
        if isinstance(node, Simple):
            yield Placed(node, path)


def nodes(tree: Tree) -> Iterator[tuple[Command, Path]]:
    """Every command, parents first, in source order; without recursion, for trees are as deep as lists are long."""
    waiting: list[tuple[Command, Path]] = [(command, ()) for command in reversed(tree.commands)]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        children = [(child, (*path, step) if step else path) for step, child in _children(node) if child is not None]
        waiting.extend(reversed(children))


def _operands(node: Connection) -> list[Command | None]:
    """Those of a whole list or pipeline; bash nests lists to the left and pipelines to the right."""
    operands: list[Command | None] = []
    waiting: list[Command | None] = [node.right, node.left]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, Connection) and inner.op == node.op and not inner.flags:
            waiting += [inner.right, inner.left]
        else:
            operands.append(inner)
    return operands


def _steps(node: Connection) -> list[tuple[str, Command | None]]:
    operands = _operands(node)
    match node.op:
        case ";" | "\n":
            return [("", each) for each in operands]
        case "&":
            return [*(("&", each) for each in operands[:-1]), ("", operands[-1])]
        case op:
            return [(f"{op}:{i}", each) for i, each in enumerate(operands)]


def _children(node: Command) -> list[tuple[str, Command | None]]:
    match node:
        case Simple() | Arith() | Cond():
            return []
        case Connection():
            return _steps(node)
        case Case(clauses=clauses):
            return [(f"case:{i}", clause.body) for i, clause in enumerate(clauses)]
        case While() | Until():
            name = type(node).__name__.lower()
            return [(f"{name}:test", node.test), (f"{name}:body", node.body)]
        case If():
            return [("if:test", node.test), ("if:then", node.then), ("if:else", node.orelse)]
        case Function() | Coproc():
            return [(f"{type(node).__name__.lower()} {node.name}", node.body)]
        case For() | Select() | ArithFor() | Group() | Subshell():
            return [(type(node).__name__.lower(), node.body)]
        case _:
            assert_never(node)


# --- words

WORD, HEREDOC, ARITHMETIC = "word", "heredoc", "arithmetic"


def expanded(node: Command) -> Iterator[tuple[str, str]]:
    """The texts of a command itself that bash expands, and as what."""
    for redirect in node.redirects:
        yield from _of_redirect(redirect)
    match node:
        case Simple():
            yield from _as(WORD, (*node.assignments, *node.words))
        case For() | Select():
            yield from _as(WORD, node.words)
        case Case():
            yield from _as(WORD, (node.word, *(pattern for clause in node.clauses for pattern in clause.patterns)))
        case Arith():
            yield from _as(ARITHMETIC, node.expression)
        case ArithFor():
            yield from _as(ARITHMETIC, (*node.init, *node.test, *node.step))
        case Cond():
            yield from _of_condition(node.expression)
        case _:
            return


def _as(kind: str, words: tuple[Word, ...]) -> Iterator[tuple[str, str]]:
    return ((kind, word.text) for word in words)


def _of_redirect(redirect: Redirect) -> Iterator[tuple[str, str]]:
    if redirect.target is None or (redirect.delimiter is not None and redirect.quoted):
        return
    yield (WORD if redirect.delimiter is None else HEREDOC), redirect.target.text


def _of_condition(condition: Condition | None) -> Iterator[tuple[str, str]]:
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if part is None:
            continue
        if part.kind == "term" and part.word is not None:
            yield WORD, part.word.text
        waiting += [part.right, part.left]
