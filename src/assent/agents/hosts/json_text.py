"""Adding to and taking from a JSON text without touching the rest of it: comments, order and blanks stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from assent.errors import InputError
from assent.record import record

MAX_DEPTH = 100
BLANKS = " \t\r\n"
MARK = "\ufeff"
Wanted = Callable[[Mapping[str, object]], bool]


@record
class Node:
    """A value and where it stands. `children` are pairs of a key (empty in a list) and a node; a key's place counts."""

    kind: str
    start: int
    end: int
    value: object = None
    children: tuple[tuple[str, int, Node], ...] = ()

    def get(self, key: str) -> Node | None:
        found = [node for name, _, node in self.children if name == key]
        if len(found) > 1:
            raise InputError(f"the key `{key}` appears twice")
        return found[0] if found else None


def read_text(text: str) -> Node:
    """Parse JSON with comments and commas before brackets, as the hosts do."""
    reader = _Reader(text)
    reader.at = len(MARK) if text.startswith(MARK) else 0
    node = reader.value(0)
    reader.blanks()
    if reader.at != len(text):
        raise reader.error("more text than one value")
    return node


def plain(node: Node) -> object:
    """The value itself."""
    if node.kind == "object":
        return {key: plain(child) for key, _, child in node.children}
    if node.kind == "list":
        return [plain(child) for _, _, child in node.children]
    return node.value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, why: str) -> InputError:
        line = self.text.count("\n", 0, self.at) + 1
        return InputError(f"not JSON: {why} in line {line}")

    def blanks(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at] in BLANKS:
                self.at += 1
            elif self.text.startswith("//", self.at):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at)
                if end < 0:
                    raise self.error("a comment without an end")
                self.at = end + 2
            else:
                return

    def value(self, depth: int) -> Node:
        self.blanks()
        if depth > MAX_DEPTH:
            raise self.error("nested too deeply")
        sign = self.text[self.at : self.at + 1]
        if sign in ("{", "["):
            return self.container(sign, depth)
        return self.scalar()

    def scalar(self) -> Node:
        start = self.at
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, start)
        except ValueError:
            raise self.error("a value is missing or wrong") from None
        return Node("scalar", start, self.at, value)

    def container(self, sign: str, depth: int) -> Node:
        start, closing = self.at, "}" if sign == "{" else "]"
        self.at += 1
        children: list[tuple[str, int, Node]] = []
        while True:
            self.blanks()
            if self.text[self.at : self.at + 1] == closing:
                self.at += 1
                kind = "object" if sign == "{" else "list"
                return Node(kind, start, self.at, None, tuple(children))
            children.append(self.member(depth) if sign == "{" else ("", self.at, self.value(depth + 1)))
            self.blanks()
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
            elif self.text[self.at : self.at + 1] != closing:
                raise self.error(f"`,` or `{closing}` is missing")

    def member(self, depth: int) -> tuple[str, int, Node]:
        place = self.at
        key = self.scalar().value
        self.blanks()
        if not isinstance(key, str) or self.text[self.at : self.at + 1] != ":":
            raise self.error("a key is missing")
        self.at += 1
        return key, place, self.value(depth + 1)


# --- adding --------------------------------------------------------------------------------------------------------


def with_item(text: str, path: tuple[str, ...], item: Mapping[str, object]) -> str:
    """The text with `item` at the end of the list at `path`; what is missing of the path is made."""
    node = read_text(text)
    for depth, key in enumerate(path):
        if node.kind != "object":
            raise InputError(f"`{'.'.join(path[:depth]) or 'the file'}` is no object")
        inner = node.get(key)
        if inner is None:
            made: object = [item]
            for name in reversed(path[depth + 1 :]):
                made = {name: made}
            return _inserted(text, node, key, made)
        node = inner
    if node.kind != "list":
        raise InputError(f"`{'.'.join(path)}` is no list")
    return _inserted(text, node, None, item)


def with_member(text: str, key: str, value: object) -> str:
    """The text with a member at the end of the outermost object."""
    return _inserted(text, read_text(text), key, value)


def _inserted(text: str, node: Node, key: str | None, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if node.children:
        first, last = node.children[0], node.children[-1][2]
        lead = text[node.start + 1 : first[1]]
        one_line = "\n" not in lead
        indent = "" if one_line else lead.rpartition("\n")[2]
        rendered = _rendered(key, value, None if one_line else unit, indent, newline)
        return text[: last.end] + ("," + (" " if one_line else newline + indent)) + rendered + text[last.end :]
    outer = _indent_at(text, node.start)
    rendered = _rendered(key, value, unit, outer + unit, newline)
    inner = newline + outer + unit + rendered + newline + outer
    return text[: node.start + 1] + inner + text[node.end - 1 :]


def _rendered(key: str | None, value: object, unit: str | None, indent: str, newline: str) -> str:
    shown = json.dumps(value, indent=unit, ensure_ascii=False)
    shown = shown.replace("\n", newline + indent)
    return shown if key is None else f"{json.dumps(key, ensure_ascii=False)}: {shown}"


def _unit(text: str) -> str:
    """What one step of indentation is in this text; two blanks when nothing shows it."""
    for line in text.splitlines():
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        if blanks and line.strip():
            return "\t" if blanks.startswith("\t") else blanks
    return "  "


def _indent_at(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place].removeprefix(MARK)
    return line[: len(line) - len(line.lstrip(" \t"))]


# --- taking away ---------------------------------------------------------------------------------------------------


def found_handlers(
    node: Node, wanted: Wanted, path: tuple[str, ...] = (), around: Mapping[str, object] | None = None
) -> Iterator[tuple[tuple[str, ...], Mapping[str, object], Mapping[str, object]]]:
    """Every object that is wanted, with the names on the way to it and the object it stands in."""
    value = plain(node)
    if isinstance(value, dict):
        if wanted(value):
            yield path, around or {}, value
            return
        around = value
    for key, _, child in node.children:
        yield from found_handlers(child, wanted, (*path, key) if key else path, around)


def without(text: str, wanted: Wanted, kept: Iterable[tuple[str, ...]] = ()) -> str:
    """The text without the objects that are wanted, and without what is empty afterwards, except the paths to keep."""
    keep = frozenset(kept)
    while True:
        cut = _cut(text, read_text(text), wanted, keep, ())
        if cut is None:
            return text
        text = text[: cut[0]] + text[cut[1] :]


def _cut(
    text: str, node: Node, wanted: Wanted, keep: frozenset[tuple[str, ...]], path: tuple[str, ...]
) -> tuple[int, int] | None:
    """The first stretch of text that has to go."""
    for place, (key, begin, child) in enumerate(node.children):
        inner = (*path, key) if key else path
        if not (key and inner in keep) and _goes(child, wanted, by_name=bool(key)):
            if place:
                return node.children[place - 1][2].end, child.end
            if len(node.children) > 1:
                return begin, node.children[1][1]
            return _whole(text, node, begin, child.end)
        deeper = _cut(text, child, wanted, keep, inner)
        if deeper:
            return deeper
    return None


def _whole(text: str, node: Node, begin: int, end: int) -> tuple[int, int]:
    """Everything between the brackets, unless there is a comment."""
    rest = text[end : node.end - 1]
    if not text[node.start + 1 : begin].strip(BLANKS) and not rest.strip(BLANKS + ","):
        return node.start + 1, node.end - 1
    return begin, end + (rest.index(",") + 1 if rest.lstrip(BLANKS).startswith(",") else 0)


def _goes(node: Node, wanted: Wanted, *, by_name: bool) -> bool:
    """Whether a value holds what has to go and nothing else; an item of a list takes its plain values with it."""
    value = plain(node)
    if isinstance(value, dict) and wanted(value):
        return True
    inner = [(key, child) for key, _, child in node.children if by_name or child.kind != "scalar"]
    return bool(inner) and all(_goes(child, wanted, by_name=bool(key)) for key, child in inner)
