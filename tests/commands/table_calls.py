"""Calls made from our own tables: every program and subcommand, with its options, their values and operands."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from assent.commands.program import REDUCTIONS, Option, Program, options_of
from assent.commands.table import FAMILIES, program_named

Argv = tuple[str, ...]

OPERANDS = (
    *("a.txt", "b.txt", "src", "src/app.py", ".", "-", "new.txt", "empty", "data.json", "data.csv", "config.yaml"),
    *("a.tar", "a.tar.gz", "a.txt.gz", "a.zip", "data.db", "main.c", "x.sh", "README.md", "HEAD", "main", "1", "x"),
)
"""Words that stand where operands do: files of the scratch project, some of which are not there, and plain words."""
VALUES = {
    "read": ("a.txt", "data.json", "src/app.py", "config.yaml"),
    "tree": ("src", ".", "a.txt"),
    "list": ("src", "a.txt"),
    "search": ("src", "."),
    "write": ("out.txt", "b.txt", "new/out"),
    "into": ("out", "empty", "new"),
    "delete": ("b.txt",),
    "wipe": ("empty",),
    "move": ("b.txt",),
    "script": ("x.sh",),
    "run": ("true",),
    "shell": ("true",),
    "code": ("1",),
    "url": ("https://example.com/",),
    "host": ("example.com",),
}
TEXTS = ("1", "2", "x", "a.txt", "json", "utf-8", "all", "%s", "1,2", "never", "main", "a=b", "out.txt")


TEXT_FILES = ("a.txt", "@a.txt", "x=@a.txt", "file:a.txt")
MOST_OTHERS = 3


class Node(NamedTuple):
    """A program or subcommand: the words that choose it, its description and the options it may be given."""

    path: Argv
    program: Program
    options: tuple[Option, ...]

    @property
    def name(self) -> str:
        return " ".join(self.path)


def nodes(programs: Sequence[str] | None = None) -> Iterator[Node]:
    """Every node of the tables once; programs that share a description are told apart by their own names."""
    names = programs if programs is not None else [name for names in FAMILIES.values() for name in names.split()]
    for name in names:
        program = program_named(name)
        if program is not None:
            yield from _below((name,), program, set())


def _below(path: Argv, program: Program, seen: set[int]) -> Iterator[Node]:
    yield Node(path, program, _options(path[0], program))
    for name, inner in program.commands.items():
        if id(inner) not in seen:
            seen.add(id(inner))
            yield from _below((*path, name), inner, seen)


def _options(program: str, described: Program) -> tuple[Option, ...]:
    """Of a table; or, for a program that sorts its words itself, whatever its family writes with a dash."""
    found = {option.name: option for option in options_of(described.options).values() if option.name != "-#"}
    if "plain" in described.style:
        found = {word: Option(word, "=" if "=" in word else "", "text") for word in _dashed(program)}
    return tuple(found.values())


@cache
def _dashed(program: str) -> tuple[str, ...]:
    family = next(family for family, names in FAMILIES.items() if program in names.split())
    tree = ast.parse(inspect.getsource(import_module(f"assent.commands.{family}")))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words = [word for text in texts for part in text.split() for word in part.split(",")]
    usual = (word.partition("=")[0].removesuffix("[") for word in words if word[:1] == "-")
    return tuple(dict.fromkeys(word for word in usual if len(word) > 1 and word[1:].replace("-", "").isalnum()))


def option_words(option: Option, chance: random.Random, value: str | None = None) -> Argv:
    """An option as somebody may write it: with its value apart, behind `=`, or behind its letter."""
    if option.takes == "":
        return (option.name,)
    given = value if value is not None else chance.choice(VALUES.get(option.role, TEXTS))
    long = option.name.startswith("--")
    if option.takes == "[=]":
        return (
            (option.name,) if chance.random() < 0.5 else (f"{option.name}={given}",) if long else (option.name + given,)
        )
    if long and chance.random() < 0.5:
        return (f"{option.name}={given}",)
    return option.name, given


def random_call(node: Node, chance: random.Random, most_options: int = 3) -> Argv:
    """Some options and operands, in any order that a person may write them in."""
    count = min(chance.choice((0, 1, 1, 1, 2, 2, most_options)), len(node.options))
    options = [option_words(option, chance) for option in chance.sample(node.options, count)]
    operands = [(chance.choice(OPERANDS),) for _ in range(chance.choice((0, 1, 1, 2, 2, 3)))]
    groups = [*options, *operands]
    if chance.random() < 0.3:
        chance.shuffle(groups)
    if options and chance.random() < 0.1:
        groups.insert(chance.randrange(len(groups) + 1), ("--",))
    return (*node.path, *(word for group in groups for word in group))


def declared_calls(node: Node, chance: random.Random) -> Iterator[Argv]:
    """Each option that is declared to turn something off, with operands, alone and before or behind a few others."""
    names = declared(node)
    for option in node.options:
        if option.name in names:
            operands = [chance.choice(OPERANDS) for _ in range(chance.choice((1, 1, 2)))]
            yield (*node.path, *option_words(option, chance), *operands)
            for other in chance.sample(node.options, min(MOST_OTHERS, len(node.options))):
                both = [option_words(option, chance), option_words(other, chance)]
                chance.shuffle(both)
                yield (*node.path, *both[0], *both[1], *operands)


def text_calls(node: Node) -> Iterator[Argv]:
    """Each option whose value is said to be only text, with a name of a file for it, in every way to mean that file."""
    for option in node.options:
        if option.takes == "=" and option.role == "text":
            for value in TEXT_FILES:
                yield (*node.path, option.name, value)
                yield (*node.path, option.name, value, "b.txt")
    for value in TEXT_FILES:
        yield (*node.path, value)


def declared(node: Node) -> frozenset[str]:
    """The options that are declared to turn something off."""
    return REDUCTIONS.get(node.program.more, (frozenset(),))[0]
