"""Places in TOML texts, compared with a writer that knows where it put everything."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.policy.positions import MAX_DEPTH, find_positions

Path = tuple[str | int, ...]
BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")

names = st.one_of(
    st.sampled_from(["rule", "deny", "args", "a", "b", "1", "-", "a.b", "", "é", "x y", '"', "'", "#", "\\", "=\n"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
)
texts = st.one_of(
    st.text(st.sampled_from("ab \"'\\#[]{}=,.\n\t"), max_size=12),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
scalars = st.one_of(
    texts,
    st.integers(-(10**6), 10**6),
    st.booleans(),
    st.sampled_from([1.5, 6e22, datetime.date(2027, 1, 1), datetime.time(7, 30), datetime.datetime(2027, 1, 1, 7, 30)]),
)
nested = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(names, inner, max_size=3),
        st.lists(st.dictionaries(names, inner, max_size=2), max_size=3),
    ),
    max_leaves=8,
)
documents = st.dictionaries(names, nested, max_size=4)


class Writer:
    """Renders a document in styles drawn by chance and notes the offset of every key and value."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.text = ""
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}

    def pick(self, *options: str) -> str:
        return str(self.draw(st.sampled_from(options)))

    def put(self, *options: str) -> None:
        self.text += self.pick(*options)

    def document(self, data: dict[str, Any]) -> None:
        self.put("", "\n", "# [x]\n", " \t\n")
        self.body(data, ())

    def body(self, table: dict[str, Any], chain: tuple[tuple[str, Path], ...]) -> None:
        """The pairs of a table, then the tables below it that get a header of their own."""
        styles = {name: self.style(value) for name, value in table.items()}
        path = self.inside(chain)
        for name, value in table.items():
            if styles[name] in ("pair", "dotted"):
                self.pair(name, value, path, dotted=styles[name] == "dotted", end=True)
        for name, value in table.items():
            link = (*chain, (name, (*path, name)))
            if styles[name] == "header":
                self.section(value, link)
            elif styles[name] == "tables":
                for index, item in enumerate(value):
                    self.header(link, "[[", "]]", (*path, name, index))
                    self.values.setdefault((*path, name), self.values[(*path, name, index)])
                    self.body(item, (*link[:-1], (name, (*path, name)), ("", (*path, name, index))))

    def inside(self, chain: tuple[tuple[str, Path], ...]) -> Path:
        return chain[-1][1] if chain else ()

    def style(self, value: Any) -> str:
        if isinstance(value, dict):
            return self.pick("pair", "header", *(["dotted"] if value else []))
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            return self.pick("pair", "tables")
        return "pair"

    def section(self, table: dict[str, Any], chain: tuple[tuple[str, Path], ...]) -> None:
        self.header(chain, "[", "]", chain[-1][1])
        self.body(table, chain)

    def header(self, chain: tuple[tuple[str, Path], ...], opening: str, closing: str, path: Path) -> None:
        self.put("", " ", "\t")
        self.values[path] = len(self.text)
        self.text += opening
        named = [(name, where) for name, where in chain if not isinstance(where[-1], int)]
        for place, (name, where) in enumerate(named):
            self.text += "." if place else ""
            self.key(name, where)
        self.text += closing
        self.end()

    def key(self, name: str, path: Path) -> None:
        self.put("", "", " ")
        self.keys.setdefault(path, len(self.text))
        self.text += self.key_text(name)
        self.put("", "", " ")

    def key_text(self, name: str) -> str:
        options = [basic(name)]
        if name and set(name) <= BARE:
            options.append(name)
        if literal_fits(name):
            options.append(f"'{name}'")
        return self.pick(*options)

    def pair(
        self, name: str, value: Any, path: Path, *, dotted: bool, end: bool, before: tuple[tuple[str, Path], ...] = ()
    ) -> None:
        """`a.b.c = value`; a table in dotted style is one pair for each of its values."""
        chain = (*before, (name, (*path, name)))
        if dotted and value:
            for count, (inner, item) in enumerate(value.items()):
                deeper = isinstance(item, dict) and bool(item) and self.pick("y", "n") == "y"
                self.text += ", " if count and not end else ""
                self.pair(inner, item, chain[-1][1], dotted=deeper, end=end, before=chain)
            return
        for place, (part, where) in enumerate(chain):
            self.text += "." if place else ""
            self.key(part, where)
        self.text += "="
        self.put("", " ", "\t ")
        self.value(value, chain[-1][1])
        if end:
            self.end()

    def value(self, value: Any, path: Path) -> None:
        self.values[path] = len(self.text)
        match value:
            case dict():
                self.text += "{"
                for count, (name, item) in enumerate(value.items()):
                    self.text += ", " if count else " "
                    dotted = isinstance(item, dict) and bool(item) and self.pick("y", "n") == "y"
                    self.pair(name, item, path, dotted=dotted, end=False)
                self.text += "}"
            case list():
                self.text += "["
                for index, item in enumerate(value):
                    self.put("", " ", "\n", "\n  # ], [\n ")
                    self.value(item, (*path, index))
                    self.put("", " ", "\n", " # ]\n")
                    self.text += "," if index < len(value) - 1 else self.pick("", ",", ", # x\n")
                self.put("", " ", "\n")
                self.text += "]"
            case str():
                self.text += self.string(value)
            case bool():
                self.text += str(value).lower()
            case datetime.date() | datetime.time():
                self.text += value.isoformat() if self.pick("T", " ") == "T" else str(value)
            case _:
                self.text += repr(value)

    def string(self, value: str) -> str:
        lines = multi_line(value)
        options = [basic(value), f'"""\n{lines}"""']
        if not value.startswith("\n"):
            options.append(f'"""{lines}"""')
        if literal_fits(value):
            options.append(f"'{value}'")
        if literal_fits(value.replace("\n", "").replace("'", "")) and "'''" not in value:
            options.append(f"'''\n{value}'''")
        return self.pick(*options)

    def end(self) -> None:
        self.put("\n", "\n", " \n\n", ' # a = 1 "\n', "\n# [[rule]]\n")


def escape(letter: str) -> str:
    return f"\\U{ord(letter):08X}" if ord(letter) < 32 or ord(letter) == 127 else letter


def basic(text: str) -> str:
    return '"' + "".join(escape(c) for c in text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def multi_line(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"""', '""\\"')
    return "".join(c if c in "\n\t" else escape(c) for c in quoted)


def literal_fits(text: str) -> bool:
    return "'" not in text and all(c == "\t" or (ord(c) >= 32 and ord(c) != 127) for c in text)


def paths_of(data: Any, path: Path = ()) -> Iterator[Path]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from paths_of(value, (*path, key))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data(), documents)
def test_every_key_and_value_is_found_where_it_was_written(data: st.DataObject, document: dict[str, Any]) -> None:
    writer = Writer(data.draw)
    writer.document(document)
    assert tomllib.loads(writer.text) == document
    found = find_positions(writer.text)
    assert (found.keys, found.values, found.too_deep) == (writer.keys, writer.values, -1)
    for path in paths_of(document):
        offset = writer.keys.get(path, writer.values.get(path))
        assert offset is not None
        assert found.key(path) == line_and_column(writer.text, offset)
    windows = find_positions(writer.text.replace("\n", "\r\n"))
    assert {path: windows.key(path) for path in writer.keys} == {path: found.key(path) for path in writer.keys}
    assert {path: windows.value(path) for path in writer.values} == {path: found.value(path) for path in writer.values}


FRAGMENTS = [
    *(
        "a",
        "b",
        '"c"',
        "'d'",
        ".",
        " = ",
        "=",
        "1",
        "2027-01-01 10:00:00",
        "true",
        '"x"',
        "'y'",
        '"""z\n"""',
        "'''w'''",
    ),
    *("[", "]", "[[", "]]", "{", "}", ",", "\n", "\n", "\r\n", " ", "\t", "# c\n", "[a]\n", "[[b]]\n", "[b.e]\n"),
    *("\na = 1\n", "x = [1, 2]\n", "y = {}\n", '"""', "'''", '""', "\\", '\\"', "\x00", "é"),
]


@settings(max_examples=1500, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)))
def test_no_text_raises_and_what_tomllib_reads_is_found(text: str) -> None:
    found = find_positions(text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for path in paths_of(data):
        assert path in found.keys or path in found.values


@pytest.mark.parametrize(
    ("text", "path", "key", "value"),
    [
        ("a = 1", ("a",), (1, 1), (1, 5)),
        ("\n  'a b'.c = 1", ("a b", "c"), (2, 9), (2, 13)),
        ('"\\u0061" = 1', ("a",), (1, 1), (1, 12)),
        ("[[r]]\nx = 1\n[[r]]\nx = [1,\n 2]", ("r", 1, "x", 1), (5, 2), (5, 2)),
        ("[[r]]\n[[r.s]]\n[[r]]\n[[r.s]]\n[r.s.t]\nu=1", ("r", 1, "s", 0, "t", "u"), (6, 1), (6, 3)),
        ("[a.b]\nx = 1\n[a]\ny = 2", ("a",), (1, 2), (3, 1)),
        ('a = """x\n"""""\nb = 1', ("b",), (3, 1), (3, 5)),
        ("a = ''''x''''\nb = 1", ("b",), (2, 1), (2, 5)),
        ('a = """\\""""\nb = 1', ("b",), (2, 1), (2, 5)),
        ("é = 1 # not TOML 1.0", ("é",), (0, 0), (0, 0)),
        ("a = 1", ("a", "unknown", 3), (1, 1), (1, 5)),
        ("a = 1", ("b",), (0, 0), (0, 0)),
    ],
)
def test_places(text: str, path: Path, key: tuple[int, int], value: tuple[int, int]) -> None:
    found = find_positions(text)
    assert (found.key(path), found.value(path)) == (key, value)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100,
        "a = " + "{a=" * 100,
        "a." * 100 + "a = 1",
        "[" + "a." * 100 + "a]",
        "[[" + "a." * 100 + "a]]",
    ],
)
def test_deep_nesting_ends_the_scan(text: str) -> None:
    found = find_positions(text)
    assert found.too_deep > 0
    assert max(map(len, found.keys)) <= MAX_DEPTH + 1


@pytest.mark.parametrize(
    "unit", ["a = 1\n", "[[a]]\n", "a = [1, 'x', {b = 2}]\n", "#\n", '"', "'''", '"""x" ', '"\\"', "[", "a"]
)
def test_a_megabyte_of_anything_is_scanned_in_time(unit: str) -> None:
    find_positions(unit * (1_000_000 // len(unit)))
