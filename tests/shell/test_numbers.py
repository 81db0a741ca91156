"""Arithmetic that is worked out comes to what bash makes of it; everything else is left alone."""

from __future__ import annotations

import random
import subprocess

import pytest

from assent.shell.calls import calls_of
from assent.shell.numbers import SOME_NUMBER, assigned, result, settles
from assent.types import DIGITS, PLAIN, Word

KNOWN = {"x": Word("$x", "7"), "octal": Word("$octal", "010"), "code": Word("$code", "a[$(rm b)]"), "no": None}
ANY = {**KNOWN, "n": SOME_NUMBER, "m": Word("$(wc)", None, PLAIN, DIGITS)}
NUMBERS = ("1", "2", "3", "10", "0", "7", "0x1f", "16#ff", "2#101", "x", "$x", "${x}")
SIGNS = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "<<",
    ">>",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "!",
    "~",
)
REST = ("?", ":", "(", ")", " ", " ", " ")
VALUES = ("0", "7", "-3", "9223372036854775807", "-9223372036854775808")


def texts(names: tuple[str, ...], seed: int, count: int) -> list[str]:
    chance = random.Random(seed)
    likely = (NUMBERS + names, SIGNS, (" ",), REST)
    return ["".join(chance.choice(likely[chance.choice((0, 0, 0, 1, 1, 2, 3))]) for _ in range(chance.randrange(1, 12)))
            for _ in range(count)]  # fmt: skip


def bash(script: str) -> tuple[list[str], str]:
    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    return shown.stdout.split("\n")[:-1], shown.stderr


def test_bash_comes_to_the_same() -> None:
    found = {text: value for text in texts((), 3, 20_000) if (value := result(text, KNOWN)) is not None}
    shown, errors = bash("x=7\n" + "\n".join(f"echo $(({text}))" for text in found))
    assert errors == ""
    assert [int(line) for line in shown] == list(found.values())
    assert len(found) > 500


@pytest.mark.parametrize("value", VALUES)
def test_what_settles_does_not_fail_whatever_the_numbers_are(value: str) -> None:
    found = [text for text in texts(("n", "$n", "m"), 5, 20_000) if settles(text, ANY)]
    amount = value.removeprefix("-")
    shown, errors = bash(f"x=7; n={value}; m='  {amount}'\n" + "\n".join(f"echo $(({text}))" for text in found))
    assert errors == ""
    assert len(shown) == len(found) > 1_000


@pytest.mark.parametrize("value", ["0", "-3", "7"])
def test_what_is_assigned_is_a_number_and_nothing_else_is(value: str) -> None:
    pieces = (
        "i=0",
        "i=n+1",
        "n++",
        "--n",
        "n+=2",
        "n<<=1",
        "n==2",
        "n<=2",
        "n!=0",
        "i=n",
        "n/=2",
        "n%=0",
        "i++",
        "j=",
        "n=1",
    )
    chance = random.Random(7)
    lists = {",".join(chance.sample(pieces, chance.randrange(1, 4))) for _ in range(400)}
    found = {text: names for text in lists if (names := assigned(text, ANY)) is not None}
    lines = [f'(unset i j; n={value}; (({text})); echo "${{i-}} ${{j-}} $n")' for text in found]
    shown, errors = bash("\n".join(lines))
    assert errors == ""
    for (text, names), line in zip(found.items(), shown, strict=True):
        i, j, n = line.split(" ")
        assert (i != "") == ("i" in names), text
        assert (j != "") == ("j" in names), text
        assert n == value or "n" in names, text
    assert len(found) > 30


@pytest.mark.parametrize(
    "text",
    [
        *(
            "octal",
            "code",
            "no",
            "unset",
            "08",
            "x=1",
            "x++",
            "--x",
            "1,2",
            "a[0]",
            "1/0",
            "",
            "(1",
            "1)",
            "é",
            "1\n+1",
        ),
        *("$code", "1$x", "$x2", "-$x", "${x}0", "${x", "2**-1", "1<<64", "1<<-1", "5%(1-1)", "16#fg", "1#0", "99#1"),
        *("1 2", "1 < = 2", "2 * * 3", "x?1", "9223372036854775808", "(" * 11 + "1" + ")" * 11, "1" + "+1" * 100),
    ],
)
def test_anything_else_is_left_alone(text: str) -> None:
    assert result(text, KNOWN) is None
    assert not settles(text, KNOWN)


@pytest.mark.parametrize("text", ["n/n", "1/n", "5%m", "2**n", "1<<n", "-$n", "n++", "n=1", "$(n)"])
def test_some_numbers_would_fail(text: str) -> None:
    assert not settles(text, ANY)


def test_no_number_is_too_large() -> None:
    assert result("2147483647", KNOWN) == 2**31 - 1
    assert result("2147483648", KNOWN) is None
    assert result("2147483647*2147483647", KNOWN) is None


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        *(("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done", True), ("for ((i=0;i<3;i++)); do echo $i; done", True)),
        *(("for ((i=0, j=9; i < j; i++, j--)); do :; done", True), ("x=3; ((x > 2)) && echo", True)),
        *(("n=$(ls | wc -l); echo $((n + 1))", True), ("[[ 5 -gt 3 && -f a ]]", True), ("x=5; [[ $x -lt 9 ]]", True)),
        *(
            ("[[ $# -gt 0 ]]", True),
            ("x=1; if a; then x=2; fi; echo $((x))", True),
            ('n=$(nproc); [[ "$n" -gt 1 ]]', True),
        ),
        *(("i=0; ((i++)); echo $((i))", True), ("echo $((i+1))", False), ("read i; echo $((i+1))", False)),
        *(("i=0; while a; do i=$((i+1)); read i; done", False), ("for ((i=0;i<3;i++)); do i=$X; done", False)),
        *(("for ((i=0;i<3;i++)); do read i; done", False), ("[[ $X -gt 3 ]]", False), ("[[ a -gt 3 ]]", False)),
        *(("[[ a && 1 -gt X ]]", False), ("[[ -n 1 && $X -gt 3 ]]", False), ("x=1; x=$Y; ((x))", False)),
        *(
            ("x=1; if a; then x=$Y; fi; echo $((x))", False),
            ("((IFS=1))", False),
            ("for ((PATH=0;;)); do :; done", False),
        ),
        *(("x=1; unset x; ((x))", False), ("x='a[$(b)]'; ((x))", False), ("x=(1 2); ((x))", False), ("((x=y))", False)),
        *(("for ((i=0;i<3;i++)); do i=a; done; ((i))", False), ("n=$(date +%d); ((n))", False), ("((a[0]=1))", False)),
    ],
)
def test_variables_that_hold_numbers_are_known_to(text: str, certain: bool) -> None:
    assert (not calls_of(text, "/p").gaps) == certain
