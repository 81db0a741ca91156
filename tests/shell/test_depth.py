"""However deep a text nests, and however deep the caller already is, the answer is a refusal and never an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from assent.shell import parse
from assent.shell.calls import calls_of
from assent.shell.chars import MAX_DEPTH

T = TypeVar("T")
OPENINGS = (
    *("$(", '"$(', "<(", "${x:-", '"${x:-', "${x/", "$((", "((", "$((${x:-", "( ", "{ ", "((a);", "a=($(", "[[ ( "),
    *("if ", "while ", "until ", "case a in b) ", "for x in a; do ", "for ((;;)) do ", "select x in a; do "),
    *("f() { ", "f()", "function f ", "`\\`", "${x:-`", "<<E\n$(", "[[ a =~ (", "! ", "time ", "a | ", "a && "),
)
NESTED = {"$(": ")", "${x:-": "}", "( ": ")", "{ ": ";}", "$((": "))"}


def from_below(frames: int, call: Callable[[], T]) -> T:
    return call() if frames == 0 else from_below(frames - 1, call)


@pytest.mark.parametrize("frames", [0, 500, 800, 850])
@pytest.mark.parametrize("opening", OPENINGS)
def test_ten_thousand_levels_are_refused_wherever_the_caller_stands(opening: str, frames: int) -> None:
    assert from_below(frames, lambda: parse(opening * 10_000)).refused


@pytest.mark.parametrize("opening", NESTED)
def test_every_kind_of_nesting_counts(opening: str) -> None:
    def refused(levels: int) -> str:
        return parse(opening * levels + "a" + NESTED[opening] * levels).refused

    assert refused(MAX_DEPTH // 2) == ""
    assert refused(MAX_DEPTH + 1) == "nested too deeply"


def test_texts_inside_texts_are_a_gap_when_the_stack_ends() -> None:
    text = "a $(b)"
    for _ in range(8):
        text = f"eval {text!r}".replace("\\'", "'\\''")
    for frames in (0, 700, 800, 850):
        found = from_below(frames, lambda: calls_of(text))
        assert found.calls or found.gaps


@pytest.mark.parametrize("first", ["", "x0=a; ", "x0='a b'; "])
def test_variables_that_double_do_not_grow_for_ever(first: str) -> None:
    text = first + "; ".join([f'x{at + 1}="$x{at}$x{at}"' for at in range(60)]) + '; echo "$x60"'
    found = calls_of(text, "/p")
    word = found.calls[-1].words[-1]
    assert word.value is None
    assert len(word.why) < 1_000
