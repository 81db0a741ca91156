"""Our parser and bash itself agree: on every corpus row, on generated programs, and on what a program starts.

The unbounded form is `make fuzz`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.shell import parse
from assent.shell.tree import Script
from bash_oracle import BashOracle
from oracle.sandbox import at_hand
from shell import agreement
from shell.agreement import Judge, Judged, Outcome
from shell.executed import fits, unreported
from shell.fuzzing import CORPUS, Worker, grown, raw
from shell.generator import program
from shell.shrink import shrunk

ROWS: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text().splitlines()]
EVALUATED = "evaluates-"
"""Rows whose words are plain but are evaluated by a builtin; the parser reads them, others must know the builtin."""
PROGRAMS, RAW_TEXTS, RUNS = 3_000, 3_000, 150
SEED = 20_000


@pytest.fixture(scope="module", params=at_hand())
def bash(request: pytest.FixtureRequest) -> Iterator[BashOracle]:
    with BashOracle(request.param, seconds=0.5) as oracle:
        yield oracle


@pytest.fixture(scope="module")
def judge(bash: BashOracle) -> Judge:
    return Judge(bash)


def failed(judged: list[Judged]) -> list[str]:
    return [str(each) for each in judged if each.failed]


# --- the corpus


def test_no_row_of_the_corpus_is_misread(judge: Judge) -> None:
    assert failed(judge.judge([row["text"] for row in ROWS])) == []


def test_what_was_read_once_is_read_still() -> None:
    refused = {row["id"]: parse(row["text"]).refused for row in ROWS if row["reads"]}
    assert {name: why for name, why in refused.items() if why} == {}


def test_rows_are_complete_and_named_once() -> None:
    assert len(ROWS) >= 670
    assert len({row["id"] for row in ROWS}) == len({row["text"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert set(row) == {"id", "text", "reads", "why"}, row["id"]
        assert row["why"].endswith("."), row["id"]


# --- generated programs


def test_generated_programs_are_read_as_bash_reads_them(judge: Judge) -> None:
    judged = judge.judge(list(islice(grown(SEED), PROGRAMS)))
    assert failed(judged) == []
    outcomes = [each.outcome for each in judged]
    assert outcomes.count(Outcome.UNJUDGED) < PROGRAMS / 500
    valid = [each for each in judged if each.valid]
    assert len(valid) > PROGRAMS * 0.7
    assert outcomes.count(Outcome.AGREE) > len(valid) * 0.8


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_drawn_program_is_misread(judge: Judge, data: st.DataObject) -> None:
    text = program(lambda n: data.draw(st.integers(0, n - 1)))
    assert failed(judge.judge([text])) == []


def test_no_raw_text_is_misread_or_breaks_the_parser(bash: BashOracle) -> None:
    tally = Worker(bash, raw(SEED)).batch(RAW_TEXTS)
    assert [str(failure) for failure in tally.failures] == []
    assert tally.outcomes[Outcome.AGREE] > RAW_TEXTS / 10


# --- what runs


def started_unreported(bash: BashOracle, texts: list[str]) -> dict[str, list[tuple[str, ...]]]:
    found = {}
    for text in texts:
        script = parse(text)
        if not script.refused and (missing := unreported(script, bash.executions(text))):
            found[text] = missing
    return found


def test_whatever_a_row_of_the_corpus_starts_was_reported(bash: BashOracle) -> None:
    texts = [row["text"] for row in ROWS if not row["id"].startswith(EVALUATED)]
    assert started_unreported(bash, texts) == {}


def test_whatever_a_generated_program_starts_was_reported(bash: BashOracle) -> None:
    read = (text for text in grown(SEED) if not parse(text).refused)
    assert started_unreported(bash, list(islice(read, RUNS))) == {}


# --- the judge itself


def test_the_judge_notices_what_we_miss_and_what_we_invent(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(text: str) -> Script:
        return parse(text.replace(" evil", "").replace(">f", ""))

    texts = [
        "a evil",
        "a $(b evil)",
        "x=1 a; b `c evil`",
        "a >f",
        "{ a; } >f",
        "cat <<E\n$(b evil)\nE\n",
        "a ${x:-`b evil`}",
    ]
    monkeypatch.setattr(agreement, "parse", without)
    assert [each.outcome for each in judge.judge(texts)] == [Outcome.MISS] * len(texts)
    monkeypatch.setattr(agreement, "parse", lambda text: parse("a"))
    assert [each.outcome for each in judge.judge(["a $(b)", "a |", "b"])] == ["MISS", "accepted invalid", "MISS"]
    monkeypatch.setattr(agreement, "parse", lambda text: parse("a $(b; c)" if "$" in text else text))
    assert [each.outcome for each in judge.judge(["a $(b)", "a"])] == ["MISS", "agree"]


def test_a_difference_in_any_detail_is_one(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = {
        "x=1": "x+=1",
        "x=(1)": "x=1",
        "a 2>f": "a >f",
        "a >f": "a >>f",
        "a <<E\nb\nE\n": "a <<'E'\nb\nE\n",
        "a $x": 'a "$x"',
        "a ${x:-b}": "a ${x-b}",
        "a | b": "a; b",
        "a & b": "a; b",
        "! a": "a",
        "if a; then b; fi": "while a; do b; done",
        "a |& b": "a | b",
        "a {x}>f": "a {y}>f",
        "[[ a == b ]]": "[[ a != b ]]",
        "case a in b) c;; esac": "case a in d) c;; esac",
        "f() { a; }": "g() { a; }",
        "((x))": "((y))",
    }
    monkeypatch.setattr(agreement, "parse", lambda text: parse(pairs[text]))
    assert {each.text: each.outcome for each in judge.judge(list(pairs))} == dict.fromkeys(pairs, Outcome.MISS)


def test_an_execution_fits_exact_words_and_any_unknown_ones() -> None:
    def one(text: str, *argv: str) -> bool:
        body = parse(text).body
        assert body is not None
        (command,) = body.items[0][0].commands
        return fits(command, argv)  # type: ignore[arg-type]

    assert one("a 'b c' d", "a", "b c", "d")
    assert not one("a b", "a", "c")
    assert not one("a b", "a")
    assert one('a "$x" b', "a", "anything", "b")
    assert not one('a "$x" b', "a", "b")
    assert one("a $x b", "a", "b")
    assert one("a *.c b", "a", "1", "2", "b")
    assert not one("a $x b", "a", "1", "c")


def test_shrinking_finds_the_smallest_text_that_fails() -> None:
    assert shrunk("one (two) [three] (four)", lambda texts: ["(" in text and "]" in text for text in texts]) == "]("
