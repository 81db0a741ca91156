"""JSON settings of agents with the line of every entry: comments and commas before brackets are fine, as there."""

from __future__ import annotations

from collections.abc import Iterator

from assent.agents.hosts.json_text import Node, read_text
from assent.errors import InputError
from assent.importing.imported import File

__all__ = ["Node", "at", "items", "line_of", "members", "read_settings", "text_of"]


def read_settings(file: File) -> Node:
    """The outermost object of a file; an empty file is an empty object."""
    try:
        node = read_text(file.text if file.text.strip() else "{}")
    except InputError as error:
        raise InputError(f"`{file.path}` cannot be read: {error.message}", help="repair it first") from None
    if node.kind != "object":
        raise InputError(f"`{file.path}` is no JSON object", help="repair it first")
    return node


def line_of(file: File, node: Node) -> int:
    return file.text.count("\n", 0, node.start) + 1


def at(node: Node | None, *path: str) -> Node | None:
    """The value under these names, if it is there."""
    for name in path:
        node = node.get(name) if node is not None and node.kind == "object" else None
    return node


def items(node: Node | None) -> Iterator[Node]:
    """The items of a list; a single value counts as a list of one."""
    if node is not None and node.kind == "list":
        yield from (child for _, _, child in node.children)
    elif node is not None and node.kind == "scalar" and node.value is not None:
        yield node


def members(node: Node | None) -> Iterator[tuple[str, Node]]:
    """Names and values of an object, in their order; a name that appears twice is an error."""
    if node is None or node.kind != "object":
        return
    seen: set[str] = set()
    for name, _, child in node.children:
        if name in seen:
            raise InputError(f"the key `{name}` appears twice", help="agents disagree about which one counts")
        seen.add(name)
        yield name, child


def text_of(node: Node | None) -> str:
    return node.value if node is not None and isinstance(node.value, str) else ""
