"""A settings file as a tree whose values know their keys and lines, whether it is JSON or TOML."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping

from assent.agents.hosts.json_text import Node, read_text
from assent.errors import InputError
from assent.record import record

Keys = tuple[str | int, ...]
"""Where a value stands: names of tables, and numbers in lists."""


@record
class File:
    """A file of an agent's settings as it was found, and how it is called in comments."""

    path: str
    shown: str
    text: str
    managed: bool = False


@record
class Part:
    """A value of a file. A leaf is a value without parts: a text, a number, an empty list or an empty table."""

    file: File
    keys: Keys
    line: int
    kind: str
    value: object = None
    children: tuple[Part, ...] = ()

    @property
    def leaves(self) -> tuple[Keys, ...]:
        if not self.children:
            return (self.keys,)
        return tuple(keys for child in self.children for keys in child.leaves)

    @property
    def name(self) -> str:
        """`permissions.deny[2]`"""
        shown = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.keys)
        return shown.removeprefix(".")

    @property
    def plain(self) -> object:
        if self.kind == "object":
            return {str(child.keys[-1]): child.plain for child in self.children}
        return [child.plain for child in self.children] if self.kind == "list" else self.value


# --- reading -------------------------------------------------------------------------------------------------------


def read_settings(file: File) -> Part:
    """A file of JSON or TOML; an empty one is an empty table."""
    return _read_toml(file) if file.path.endswith(".toml") else _read_json(file)


def _read_json(file: File) -> Part:
    try:
        node = read_text(file.text if file.text.strip() else "{}")
    except InputError as error:
        raise InputError(f"`{file.path}` cannot be read: {error.message}", help="repair it first") from None
    if node.kind != "object":
        raise InputError(f"`{file.path}` is no JSON object", help="repair it first")
    starts = [0, *(at + 1 for at, sign in enumerate(file.text) if sign == "\n")]
    return _from_node(file, node, (), lambda at: bisect_right(starts, at))


def _from_node(file: File, node: Node, keys: Keys, line: Callable[[int], int]) -> Part:
    children: list[Part] = []
    seen: set[str] = set()
    for number, (name, _, child) in enumerate(node.children):
        if node.kind == "object" and name in seen:
            raise InputError(f"the key `{name}` appears twice", help="agents disagree about which one counts")
        seen.add(name)
        children.append(_from_node(file, child, (*keys, name if node.kind == "object" else number), line))
    return Part(file, keys, line(node.start), node.kind, node.value, tuple(children))


def _read_toml(file: File) -> Part:
    import tomllib

    from assent.policy.positions import find_positions

    text = file.text.removeprefix("\ufeff").replace("\r\n", "\n")
    places = find_positions(text)
    try:
        if places.too_deep >= 0:
            raise ValueError("nested too deeply")
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"`{file.path}` is not TOML: {error}", help="repair it first") from None
    return _from_value(file, data, (), lambda keys: places.value(keys)[0])


def _from_value(file: File, value: object, keys: Keys, line: Callable[[Keys], int]) -> Part:
    inner: Mapping[str | int, object] = {}
    kind = "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "scalar"
    if isinstance(value, dict):
        inner = value
    elif isinstance(value, list):
        inner = dict(enumerate(value))
    children = tuple(_from_value(file, child, (*keys, key), line) for key, child in inner.items())
    return Part(file, keys, line(keys), kind, value if kind == "scalar" else None, children)


# --- looking -------------------------------------------------------------------------------------------------------


def at(part: Part | None, *path: str) -> Part | None:
    """The value under these names, if it is there."""
    for name in path:
        part = next((child for known, child in members(part) if known == name), None)
    return part


def items(part: Part | None) -> Iterator[Part]:
    """The items of a list; a single value counts as a list of one."""
    if part is not None and part.kind == "list":
        yield from part.children
    elif part is not None and part.kind == "scalar" and part.value is not None:
        yield part


def members(part: Part | None) -> Iterator[tuple[str, Part]]:
    """Names and values of a table, in their order."""
    if part is not None and part.kind == "object":
        yield from ((str(child.keys[-1]), child) for child in part.children)


def text_of(part: Part | None) -> str:
    """A text; empty for everything else."""
    return part.value if part is not None and isinstance(part.value, str) else ""


def texts_of(part: Part | None) -> tuple[str, ...]:
    return tuple(one.value for one in items(part) if isinstance(one.value, str))


def shown(part: Part) -> str:
    """A value as a report shows it; a text without its quotes."""
    return part.value if isinstance(part.value, str) else json.dumps(part.plain, ensure_ascii=False, default=str)
