"""Arithmetic that is worked out comes to what bash makes of it; everything else is left alone."""

from __future__ import annotations

import random
import subprocess

import pytest

from assent.shell.numbers import result
from assent.types import Word

KNOWN = {"x": Word("$x", "7"), "octal": Word("$octal", "010"), "code": Word("$code", "a[$(rm b)]"), "no": None}
PIECES = ("1", "2", "3", "10", "0", "7", "x", "+", "-", "*", "/", "%", "(", ")", " ")


def test_bash_comes_to_the_same() -> None:
    chance = random.Random(3)
    texts = ["".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 10))) for _ in range(4_000)]
    found = {text: value for text in texts if (value := result(text, KNOWN)) is not None}
    script = "x=7\n" + "\n".join(f"echo $(({text}))" for text in found)
    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    assert [int(line) for line in shown.stdout.split()] == list(found.values())
    assert len(found) > 200


@pytest.mark.parametrize(
    "text",
    [
        "octal",
        "code",
        "no",
        "unset",
        "08",
        "x=1",
        "x++",
        "--x",
        "1<<2",
        "1,2",
        "a[0]",
        "$x",
        "1/0",
        "",
        "(1",
        "1)",
        "é",
    ],
)
def test_anything_else_is_left_alone(text: str) -> None:
    assert result(text, KNOWN) is None


def test_no_number_is_too_large() -> None:
    assert result("2147483647", KNOWN) == 2**31 - 1
    assert result("2147483648", KNOWN) is None
    assert result("2147483647*2147483647", KNOWN) is None
    assert result("1" + "+1" * 100, KNOWN) is None
