"""Folders that a search is said to leave out are left out by the real programs."""

from __future__ import annotations

import random
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from assent.commands.find import read_search
from assent.commands.found import ACTS
from assent.commands.leaving import by_expression, by_filter, is_name, without
from assent.ignoring import LeftOut
from assent.types import Word

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("a/x", "a/b/y.py", "b/a/z", "b/c/b/w", "c/.h/v", ".h/a/u", "t.py", "c/a.b/s", "d/aa/r", "d/.env", "B/q")
NAMES = ("a", "b", "c", ".h", "aa", "a.b", "*", ".*")
PATTERNS = (
    "*/{}/*",
    "./{}/*",
    "*/{}*",
    "*{}*",
    "./{}*",
    "./{}",
    "*/{}",
    "{}",
    "**/{}/**",
    "./*/{}/*",
    "*/{}/",
    "*{}/*",
)
TESTS = (",", "-name '*.py'", "-type f", "-type d", "-print", "-prune", "-true", "-false", "-maxdepth 3", "-mindepth 2")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n")
    return folder


def left_out(paths: list[str], names: tuple[str, ...]) -> list[str]:
    """Those of the paths, seen from the root, that lie in what is left out there."""
    leaving = LeftOut("", ",".join(names))
    found = []
    for path in paths:
        parts = path.split("/")
        folders = ["/".join(("", *parts[:place])) for place in range(len(parts))]
        inside = any(
            not leaving.kept(here, (f"{here}/{part}",)) for here, part in zip(folders, parts[:-1], strict=False)
        )
        if inside or leaving.leaves_out(parts[-1], f"/{path}", "file"):
            found.append(path)
    return found


def expression(chance: random.Random, depth: int = 1) -> str:
    parts: list[str] = []
    for place in range(chance.randrange(1, 5)):
        parts += [chance.choice(("-o", "-a", "", ""))] if place else []
        kind = chance.random()
        if depth and kind < 0.25:
            inner = expression(chance, depth - 1)
            parts.append(f"{chance.choice(('', '! ', '! '))}\\( {inner} {chance.choice(('', '-prune'))} \\)")
        elif kind < 0.45:
            parts.append(f"{chance.choice(('', '-type d '))}-name '{chance.choice(NAMES)}' -prune")
        elif kind < 0.85:
            text = chance.choice(PATTERNS).format(chance.choice(NAMES))
            prune = chance.choice(("", "", " -prune"))
            parts.append(f"{chance.choice(('', '! ', '-not '))}{chance.choice(('-path', '-ipath'))} '{text}'{prune}")
        else:
            parts.append(chance.choice(TESTS))
    return " ".join(parts)


def test_what_find_is_said_to_leave_out_it_does(tree: Path) -> None:
    chance = random.Random(5)
    said = 0
    for number in range(3_000):
        root = (".", "./", "b", "c/", ".//", "b//", "c/..")[number % 7 if number % 3 == 0 else 0]
        words = [root, *shlex.split(expression(chance))]
        read = read_search([Word(word, word) for word in words])
        names = by_expression(read[1], ACTS, root) if read else ()
        if not names:
            continue
        shown = subprocess.run(["find", *words], cwd=tree, capture_output=True, text=True, check=False)
        begun = len(root if root.endswith("/") else f"{root}/")
        paths = [path[begun:] for path in shown.stdout.split("\n")[:-1] if path[begun:]]
        said += shown.returncode == 0 and bool(paths)
        files = [path for path in paths if (tree / root / path).is_file()]
        assert left_out(files, names) == [], (words, names)
    assert said > 200


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (". -not -path './a/*'", ("/a",)),
        (". ! -path '*/a/*' ! -path '*/b/*' -type f", ("a", "b")),
        (". -type f -not -path '*/.*'", (".",)),
        (". -type f -not -path '*/\\.*'", (".",)),
        (". -not -path '*/\\.git/*' -type f", (".git",)),
        (". -not \\( -path ./a -prune \\) -name '*.py'", ()),
        (". -name a -prune -o -name b -prune -o -type f -print", ("a", "b")),
        (". -type d \\( -name a -o -path ./b \\) -prune -o -print", ("a", "/b")),
        (". -maxdepth 3 -name a -type d -prune -o -print", ("a",)),
        ("src -path src/gen -prune -o -name '*.py' -print", ("/gen",)),
        ("src -path ./gen -prune -o -print", ()),
        (". ! \\( -path '*/a/*' -o -path './b/*' \\)", ("a", "/b")),
        (". -type f -o -not -path './a/*'", ()),
        (". -print -not -path './a/*'", ()),
        (". -not -path './a'", ()),
        (". -not -name a", ()),
        (". -not \\( -path '*/a/*' -name x \\)", ()),
        (". -depth -name a -prune -o -print", ()),
        (". -mindepth 2 -name a -prune -o -print", ()),
        (". -type f -name a -prune -o -print", ()),
        (". -empty -name a -prune -o -print", ()),
        (". -name '*' -prune -o -print", ()),
        (". -path ./a -o -prune", ()),
        (".// -not -path './a/*'", ()),
        (".// -not -path './/a/*'", ("/a",)),
        (". -type d -path './a/*' -prune -o -type f -print", ()),
        (". -path './a/*' -type d -prune -o -type f -print", ()),
        (". -path './a/*' -prune -o -type f -print", ("/a",)),
        (". -path './a/*' -prune -o -name x , -name y -print", ()),
        ("'q[b]' ! -path 'q[b]/a/*' -print", ()),
    ],
)
def test_an_expression_leaves_out(words: str, names: tuple[str, ...]) -> None:
    given = shlex.split(words)
    read = read_search([Word(word, word) for word in given])
    assert read is not None
    assert by_expression(read[1], ACTS, given[0]) == names


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("-v a", ("a",)),
        ("-v /a/", ("a",)),
        ("-vE 'a|\\.h'", ("a", ".h")),
        ("-v 'a\\|b'", ("a", "b")),
        ("-v 'a|b'", ()),
        ("-vF 'a|b'", ()),
        ("-v -i a", ("a",)),
        ("-v 'a*'", ()),
        ("-v '^a'", ()),
        ("-vx a", ()),
        ("-vw a", ()),
        ("a", ()),
        ("-v a b", ()),
        ("-v .", ()),
        ("-v a.b", ("a.b",)),
        ("-vE '(a|b|c)d'", ()),
        ("-v '\\(a\\|b\\|c\\)d'", ()),
        ("-vP '(?!a|b|c)zz'", ()),
        ("-vE 'a\\|b'", ()),
        ("egrep -v 'a\\|b'", ()),
        ("egrep -v 'a|b'", ("a", "b")),
        ("fgrep -v 'a\\|b'", ()),
        ("fgrep -v b", ("b",)),
        ("-v //b", ()),
        ("-v b//", ()),
        ("-vF '\\.h'", ()),
        ("-vEF b", ()),
    ],
)
def test_a_filter_leaves_out(tree: Path, words: str, names: tuple[str, ...]) -> None:
    values = shlex.split(words)
    program = values.pop(0) if values[0].endswith("grep") else "grep"
    assert by_filter(program, values, bare=False) == names
    assert by_filter(program, values, bare=True) == (() if "/a/" in values else names)
    if len([value for value in values if value[0] != "-"]) == 1:
        every = subprocess.run(["find", ".", "-type", "f"], cwd=tree, capture_output=True, text=True, check=True).stdout
        kept = subprocess.run([program, *values], input=every, capture_output=True, text=True, check=False).stdout
        assert left_out([line[2:] for line in kept.splitlines()], names) == []


@pytest.mark.parametrize("root", [".", "./", "b", "c", "."])
def test_what_grep_is_said_to_leave_out_it_does(tree: Path, root: str) -> None:
    for name in ("a", "b", ".h", "a/", "./a", "*a", "a.b", ".", "b/a"):
        done = subprocess.run(
            ["grep", "-rl", f"--exclude-dir={name}", "x", root], cwd=tree, capture_output=True, text=True, check=False
        )
        names = tuple(filter(is_name, [name.rstrip("/")]))
        begun = len(root.rstrip("/")) + 1
        assert left_out([line[begun:] for line in done.stdout.splitlines()], names) == [], (name, root)


def test_a_glob_with_what_is_left_out() -> None:
    assert without("*.py", "") == "*.py"
    assert without("", "a,/b") == "*//a,/b"
