"""Programs that are said to leave standard input alone do so: run for real, with a file that shows what was read."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from assent.listening import ASKS, NEVER, OPENS, SILENT, may_listen, may_read_input
from assent.types import LINE, Call, Redirection, Word

SHELL_ONLY = frozenset(
    """: cd export set unset exit break continue shift return wait kill local declare typeset readonly umask ulimit
    shopt type""".split()
)
NOT_TO_BE_RUN = frozenset(("hostname", "date"))
"""With a word they change the machine."""
VALUES = {"t": "x", "A": "n", "g": "*.txt", "T": "py", "F": ":", "D": "skip"}
LOOKS = {
    "grep": "o",
    "egrep": "o",
    "fgrep": "o",
    "rg": "o",
    "sed": "p",
    "jq": ".",
    "awk": "1",
    "gawk": "1",
    "mawk": "1",
}


def installed(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if shutil.which(name) is not None)


def call_of(*values: str) -> Call:
    return Call(tuple([Word(value, value) for value in values]))


def is_read(folder: Path, *values: str) -> bool:
    """Whether a program moves on in a file that is its standard input."""
    with (folder / "input").open("rb", buffering=0) as file:
        subprocess.run(values, cwd=folder, stdin=file, capture_output=True, timeout=20, check=False)
        return os.lseek(file.fileno(), 0, os.SEEK_CUR) > 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "input").write_text("one\ntwo\n" * 2000)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text('{"one": 1}\n')
    return tmp_path


def invocations(name: str) -> list[tuple[str, ...]]:
    """With every option of the table, alone and behind another, its value in the same word and in the next."""
    needed, flags, valued = OPENS[name]
    script = (LOOKS[name],) if name in LOOKS else ()
    files = ("a.txt", "b.txt")[: needed - len(script)]
    found = [(name, *script, *files), (name, *script, "--", *files), (name, *script), (name,)]
    found += [(name, f"-{letter}", *script, *files) for letter in flags]
    found += [(name, f"-{flags[:1]}{letter}", *script, *files) for letter in flags if flags[:1] not in ("s", "R", "r")]
    for letter in valued:
        value = VALUES.get(letter, "1")
        found += [(name, f"-{letter}", value, *script, *files), (name, f"-{letter}{value}", *script, *files)]
        found += [
            (name, f"-{letter}", value, *script),
            (name, f"-{letter}", value),
            (name, f"-{letter}", value, *files),
        ]
        found += [(name, f"-{letter}", value, f"-{letter}", value)]
    return found


@pytest.mark.parametrize("name", installed(OPENS))
def test_a_program_that_is_given_files_reads_only_those(name: str, folder: Path) -> None:
    wrong = [
        " ".join(values)
        for values in invocations(name)
        if not may_listen(call_of(*values)) and is_read(folder, *values)
    ]
    assert not wrong
    assert not may_listen(call_of(*invocations(name)[0]))
    assert may_listen(call_of(name))


@pytest.mark.parametrize("name", installed(NEVER - SHELL_ONLY))
def test_some_never_read_it(name: str, folder: Path) -> None:
    for words in ((), ("a.txt",), ("new", "newer"), ("-l",), ("--help",), ("-",), ("0",)):
        if (name, words) != ("sleep", ("new", "newer")):
            assert not may_listen(call_of(name, *words))
            assert not is_read(folder, name, *words), words


@pytest.mark.parametrize("name", installed(SILENT - NOT_TO_BE_RUN))
def test_some_never_read_it_without_one_of_their_options(name: str, folder: Path) -> None:
    for words in ((), ("a.txt",), ("a.txt", "c.txt"), ("-s", "a.txt"), ("-f", "b.txt", "c.txt"), ("-name", "x")):
        if not may_listen(call_of(name, *words)):
            assert not is_read(folder, name, *words), words


@pytest.mark.parametrize(
    "words",
    [
        *((name, "-ri", "a.txt") for name in sorted(ASKS)),
        *(("find", ".", "-ok", "ls", "{}", ";"), ("find", "-files0-from", "-"), ("du", "--files0-from=-")),
        *(("git", "tag", "-a", "v1"), ("git", "tag", "-s", "v1")),
        *(("date", "-f", "-"), ("date", "--file=-"), ("cp", "/dev/stdin", "x"), ("cat", "/dev/fd/0"), ("cat", "-")),
        *(
            ("grep", "x"),
            ("grep", "-f-", "a.txt"),
            ("grep", "-e", "x", "-e", "y"),
            ("head", "-n", "5"),
            ("sort", "-k", "2"),
        ),
        *(
            ("cat", "--show-all"),
            ("wc", "--files0-from=a.txt"),
            ("sed", "-e", "p"),
            ("diff", "a.txt", "-"),
            ("tr", "a", "b"),
        ),
        *(
            ("git", "log", "--stdin"),
            ("git", "add", "-p"),
            ("git", "commit"),
            ("bash",),
            ("python3", "x.py"),
            ("read", "x"),
        ),
    ],
)
def test_these_may(words: tuple[str, ...]) -> None:
    assert may_listen(call_of(*words))


@pytest.mark.parametrize(
    ("text", "listens"),
    [
        *(
            ('grep -m 1 foo "$f"', False),
            ('tail -n +2 "$f"', False),
            ("cut -d , -f 1 $f", False),
            ("sort -k 2 $f", False),
        ),
        *(("grep -e foo $f", False), ("head -n $f", True), ("grep $f", True), ("cat $f", False), ("echo $g", False)),
        *(("cat $g", True), ("ls $g", False), ("rm $g", True), ("command -v x", False), ("python3 --version", False)),
        *(("git log --oneline -5", False), ("git --no-pager log", False), ("git branch --show-current", False)),
        *(("awk {print} x", False), ("awk {getline} x", True), ("awk 1 x=1", True), ("git --no-pager commit", True)),
    ],
)
def test_a_line_that_was_read_is_the_name_of_a_file(text: str, listens: bool) -> None:
    words = [
        Word(word, None, f"{LINE}0" if "f" in word else "variable g") if "$" in word else word for word in text.split()
    ]
    call = Call(tuple([word if isinstance(word, Word) else Word(word, word) for word in words]))
    assert may_listen(call, lines=True) == listens


def test_what_has_an_input_of_its_own_does_not_count() -> None:
    assert may_read_input(call_of("cat"))
    assert not may_read_input(Call((Word("cat", "cat"),), reads_from=0))
    assert not may_read_input(Call((Word("cat", "cat"),), (), (Redirection("<", None, Word("a", "a"), None, None),)))
    assert not may_read_input(Call(()))
