"""Names in the place of a pattern: whatever bash finds on a real tree is found, and little else.

Before 5.2 bash took `.*` for `.` and `..` as well; `globskipdots` switched off is how 5.2 does the same.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.expansion import MOST_LISTED, MOST_NAMES, names_matching
from assent.testing import FrozenWorld
from assent.world import DiskWorld

LISTING = """
IFS=; shopt -s nullglob; shopt -u globskipdots 2> /dev/null
for pattern in "$@"; do names=($pattern); printf '%s\\0' "${#names[@]}" "${names[@]}"; done
"""
WORLD = FrozenWorld(
    {
        "/p/a.txt": "",
        "/p/b.txt": "",
        "/p/-rf": "",
        "/p/.env": "",
        "/p/.git/config": "",
        "/p/src/app.py": "",
        "/p/src/test.py": "",
        "/p/src/deep/app.py": "",
        "/p/docs/": "",
    },
    links={"/p/link": "src"},
)


def found(pattern: str) -> list[str]:
    names, complete = WORLD.matching(pattern, "/p")
    assert complete
    return list(names)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.txt", ["a.txt", "b.txt"]),
        ("?.txt", ["a.txt", "b.txt"]),
        ("[ab].txt", ["a.txt", "b.txt"]),
        ("[!a].txt", ["b.txt"]),
        ("[^a].txt", ["b.txt"]),
        ("[a-b].txt", ["a.txt", "b.txt"]),
        ("./*.txt", ["./a.txt", "./b.txt"]),
        ("/p/*.txt", ["/p/a.txt", "/p/b.txt"]),
        ("../p/*.txt", ["../p/a.txt", "../p/b.txt"]),
        ("src/*.py", ["src/app.py", "src/test.py"]),
        ("link/*.py", ["link/app.py", "link/test.py"]),
        ("*/test.py", ["docs/test.py", "link/test.py", "src/test.py"]),
        ("*/deep/*", ["link/deep/app.py", "src/deep/app.py"]),
        ("*/", ["docs/", "link/", "src/"]),
        ("*", ["-rf", "a.txt", "b.txt", "docs", "link", "src"]),
        (".e*", [".env"]),
        ("*.md", []),
        ("nowhere/*", []),
        ("a.txt/*", []),
    ],
)
def test_a_pattern_has_the_names_a_shell_would_put_there(pattern: str, names: list[str]) -> None:
    assert sorted(found(pattern)) == names


@pytest.mark.parametrize("pattern", ["[[:alpha:]].txt", "[[=a=]].txt", "\\a.txt*", "**"])
def test_what_is_not_understood_about_a_pattern_counts_as_anything(pattern: str) -> None:
    assert {"a.txt", "b.txt"} <= set(found(pattern))


def test_a_folder_with_too_many_names_is_not_complete() -> None:
    many = [(f"f{number}", "file", number) for number in range(MOST_NAMES + 1)]
    names, complete = names_matching("*", "/p", lambda folder: (many, True))
    assert (len(names), complete) == (MOST_NAMES, False)


def test_a_listing_that_was_cut_short_is_not_complete() -> None:
    assert names_matching("*", "/p", lambda folder: ([("a", "file", 1)], False)) == (("a",), False)


def test_a_pattern_that_needs_too_many_folders_is_not_complete() -> None:
    def listing(folder: str) -> tuple[list[tuple[str, str, int]], bool]:
        return [(f"d{number}", "folder", number) for number in range(MOST_LISTED + 1)] if folder == "/p" else [], True

    assert names_matching("*/*", "/p", listing)[1] is False


# --- against bash --------------------------------------------------------------------------------------------------

SIGNS = st.sampled_from("ab.-*? [")
names = st.text(SIGNS, min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
pieces = st.sampled_from(
    ["*", "?", "a", "b", ".", "-", "[ab]", "[!a]", "[^.]", "[a-z]", "[.]", "[]a]", "[[:alnum:]]", "\\*", "[", "]", "**"]
)
usual = st.sampled_from(["*", ".*", ".?", "*.*", ".[!.]*", "a*", "*b", "??", "..", "[.]*", "*/*"])
parts = usual | st.lists(pieces, min_size=1, max_size=4).map("".join)
patterns = st.builds(
    lambda parts, end: "/".join(parts) + end, st.lists(parts, min_size=1, max_size=3), st.sampled_from(["", "/"])
)


@settings(max_examples=60, deadline=None)
@given(st.lists(paths, max_size=6), st.lists(patterns, min_size=5, max_size=25))
def test_every_name_that_bash_finds_is_found(files: list[str], patterns: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _plant(Path(folder), files)
        world = DiskWorld()  # names far above the folder come and go: /proc is there
        for pattern, wanted in zip(patterns, _by_bash(folder, patterns), strict=True):
            got, complete = world.matching(pattern, folder)
            missing = {name for name in _plain(wanted) - _plain(set(got)) if not name.startswith("../..")}
            assert not (complete and missing), f"{pattern!r} in {sorted(os.listdir(folder))}"


def _plant(folder: Path, files: list[str]) -> None:
    """As many of the files as fit together, and a link to each folder at the top."""
    for file in files:
        try:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).touch()
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    for place in sorted(folder.iterdir()):
        if place.is_dir() and not (folder / f"{place.name}b").exists():
            (folder / f"{place.name}b").symlink_to(place.name)


def _by_bash(folder: str, patterns: list[str]) -> list[set[str]]:
    """The names of each pattern; one that is no pattern at all stands for itself and does not count."""
    done = subprocess.run(
        ["bash", "--norc", "-c", LISTING, "bash", *patterns],
        cwd=folder,
        env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    words = iter(done.stdout.split("\0")[:-1])
    return [
        {next(words) for _ in range(int(count))} - {pattern} for pattern, count in zip(patterns, words, strict=False)
    ]


def _plain(names: set[str]) -> set[str]:
    """Names without doubled slashes and a slash at the end, which mean nothing."""
    return {"/".join(part for part in name.split("/") if part) for name in names}
