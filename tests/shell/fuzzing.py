"""One worker of the fuzzer: makes programs, judges them in batches, and shrinks what fails."""

from __future__ import annotations

import json
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from assent.shell.grammar import parse
from bash_oracle import BashOracle
from shell import vocabulary
from shell.agreement import Judge, Judged, Outcome
from shell.executed import unreported
from shell.generator import mutated, program, seeded
from shell.shrink import shrunk

CORPUS = Path(__file__).parent.parent.parent / "corpus/shell.jsonl"
BATCH = 500
SLOW_SECONDS = 10
ALPHABET = [
    *vocabulary.ODD,
    *"abefilnost ",
    "if ",
    "fi",
    "do ",
    "done",
    "case ",
    " in ",
    "esac",
    "<<E\n",
    "\nE\n",
    "$(",
    "${",
]


@dataclass
class Tally:
    """What a batch showed."""

    programs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    executed: int = 0
    failures: list[Judged] = field(default_factory=list)

    @property
    def valid(self) -> int:
        return sum(self.outcomes[each] for each in (Outcome.AGREE, Outcome.REFUSED, Outcome.MISS, Outcome.EXTRA))

    def add(self, other: Tally) -> None:
        self.programs += other.programs
        self.outcomes += other.outcomes
        self.refused += other.refused
        self.executed += other.executed
        known = {failure.text for failure in self.failures}
        self.failures += [failure for failure in other.failures if failure.text not in known]


class SlowError(Exception):
    """The parser took too long for one text."""


def grown(seed: int) -> Iterator[str]:
    """Programs of the grammar; the same for the same seed."""
    number = seed
    while True:
        yield program(seeded(number))
        number += 1


def raw(seed: int) -> Iterator[str]:
    """Characters, bytes, and corpus rows with a few changes: what no grammar would make."""
    numbers = random.Random(seed)
    rows = [json.loads(line)["text"] for line in CORPUS.read_text().splitlines()]

    def choose(n: int) -> int:
        return int(numbers.random() * n)

    while True:
        match choose(4):
            case 0:
                yield "".join(numbers.choice(ALPHABET) for _ in range(choose(30)))
            case 1:
                yield numbers.randbytes(choose(40)).decode("utf-8", "surrogateescape")
            case _:
                text = rows[choose(len(rows))]
                for _ in range(1 + choose(4)):
                    text = mutated(choose, text)
                yield text


class Worker:
    def __init__(self, bash: BashOracle, programs: Iterator[str], *, run_one_in: int = 0) -> None:
        self.bash = bash
        self.judge = Judge(bash)
        self.programs = programs
        self.run_one_in = run_one_in

    def batch(self, size: int = BATCH) -> Tally:
        texts = [next(self.programs) for _ in range(size)]
        tally = Tally(size)
        slow = [each for each in map(_timed, texts) if each is not None]
        skipped = {each.text for each in slow} | {text for text in texts if "\0" in text}
        judged = self.judge.judge([text for text in texts if text not in skipped])
        for each in (*judged, *slow):
            tally.outcomes[each.outcome] += 1
            if each.outcome == Outcome.REFUSED:
                tally.refused[each.why] += 1
            if each.failed:
                tally.failures.append(self.shrink(each))
        if self.run_one_in:
            self._run([each.text for each in judged if each.outcome == Outcome.AGREE][:: self.run_one_in], tally)
        return tally

    def shrink(self, failure: Judged) -> Judged:
        if failure.outcome == Outcome.BROKEN:
            return self._smaller(failure, lambda texts: [_timed(text) is not None for text in texts])

        def fails(texts: Sequence[str]) -> list[bool]:
            return [each.outcome == failure.outcome for each in self.judge.judge(texts)]

        return self._smaller(failure, fails)

    def _smaller(self, failure: Judged, fails: Callable[[Sequence[str]], Sequence[bool]]) -> Judged:
        text = shrunk(failure.text, fails)
        again = _timed(text) or self.judge.judge([text])[0]
        return again if again.failed else failure

    def _run(self, texts: Sequence[str], tally: Tally) -> None:
        for text in texts:
            tally.executed += 1
            if self._unreported(text):
                small = shrunk(text, lambda candidates: [bool(self._unreported(each)) for each in candidates])
                tally.failures.append(Judged(small, Outcome.MISS, f"runs {self._unreported(small)}"))

    def _unreported(self, text: str) -> list[tuple[str, ...]]:
        script = parse(text)
        return [] if script.refused else unreported(script, self.bash.executions(text))


def _timed(text: str) -> Judged | None:
    """What is wrong with how our parser ends on this text, if anything."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise SlowError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SLOW_SECONDS)
    try:
        parse(text)
    except SlowError:
        return Judged(text, Outcome.BROKEN, "too slow")
    except Exception as error:
        return Judged(text, Outcome.BROKEN, f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return None
