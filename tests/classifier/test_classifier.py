"""Judging as such: what is kept, what may be spent, when a model is left alone, and what is begun early."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from assent.classifier.bench import Bench
from assent.classifier.classifier import Classifier
from assent.classifier.function import FunctionProvider
from assent.classifier.judgement import Judgement, Question, Settings, Trouble
from assent.classifier.memory import FAILURES, KEPT_SECONDS, PAUSE_SECONDS, Memory
from assent.classifier.panel import Panel, Subject
from assent.classifier.prompt import MAX_COMMAND, MAX_DESCRIPTION, MOST_DESCRIPTIONS, question, quoted
from assent.classifier.speculation import Speculation
from assent.record import replace
from assent.types import Reason, Rule, Verdict
from classifier.judging_model import NO, YES, JudgingModel, broken

TESTS = ("running tests",)


class Now:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


def made(model: Any, memory: Memory | None = None, **more: object) -> Classifier:
    return Classifier(model, replace(Settings("anthropic", "m-1"), **more), memory, timer=lambda: 0.0)


def judged(classifier: Classifier, command: str = "make test", cwd: str = "/p", **more: Any) -> Judgement:
    return asyncio.run(classifier.classify(command, cwd, more.pop("descriptions", TESTS), **more))


MATCH = Judgement(True, 1.0, "running tests", "model m-1")


# --- what is kept --------------------------------------------------------------------------------------------------


def test_the_same_question_is_put_once_a_day(now: Now) -> None:
    model = JudgingModel()
    classifier = made(model, Memory(clock=now))
    again = replace(MATCH, cached=True)
    assert [judged(classifier), judged(classifier, " make test\n")] == [MATCH, again]
    now.seconds += KEPT_SECONDS
    assert (judged(classifier), len(model.asked)) == (MATCH, 2)


def test_another_command_folder_description_model_or_way_is_another_question(now: Now) -> None:
    model, other = JudgingModel(), JudgingModel()
    other.name = "model m-2"
    memory = Memory(clock=now)
    classifier = made(model, memory)
    judged(classifier)
    judged(classifier, "make  test")
    judged(classifier, cwd="/q")
    judged(classifier, descriptions=("running the tests",))
    judged(classifier, whole=True)
    judged(made(other, memory))
    judged(made(model, memory, base_url="https://example.com/"))
    assert (len(model.asked), len(other.asked)) == (6, 1)


def test_a_failure_is_not_kept(now: Now) -> None:
    model = JudgingModel(broken)
    classifier = made(model, Memory(clock=now))
    assert judged(classifier).trouble
    model.says = lambda question: YES
    assert judged(classifier) == MATCH


def test_memory_is_bounded(now: Now, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.classifier.memory.MOST_KEPT", 20)
    memory = Memory(str(tmp_path / "c.db"), now)
    settings = Settings(cache="disk")
    for number in range(25):
        now.seconds += 1
        memory.keep(f"k{number}", MATCH, settings)
    found = [memory.recall(f"k{number}", settings) is not None for number in (0, 4, 5, 24)]
    memory.close()
    with sqlite3.connect(tmp_path / "c.db") as db:
        [(rows,)] = db.execute("SELECT COUNT(*) FROM judged").fetchall()
    db.close()
    assert (found, rows) == ([False, False, True, True], 20)


def test_on_disk_a_judgement_outlives_the_process_in_a_file_for_its_owner_alone(now: Now, tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    for expected in (MATCH, replace(MATCH, cached=True)):
        memory = Memory(str(file), now)
        assert judged(made(JudgingModel(), memory, cache="disk")) == expected
        memory.close()
    assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}


def test_in_memory_alone_nothing_is_written_about_commands(now: Now, tmp_path: Path) -> None:
    memory = Memory(str(tmp_path / "c.db"), now)
    judged(made(JudgingModel(), memory))
    memory.close()
    with sqlite3.connect(tmp_path / "c.db") as db:
        assert db.execute("SELECT * FROM judged").fetchall() == []
    db.close()


def _open_to_others(file: Path) -> None:
    file.write_bytes(b"")
    file.chmod(0o644)


def _a_link(file: Path) -> None:
    (file.parent / "elsewhere").write_bytes(b"")
    file.symlink_to(file.parent / "elsewhere")


def _no_database(file: Path) -> None:
    file.write_bytes(b"this is no database, only text" * 50)
    file.chmod(0o600)


def _another_version(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    file.chmod(0o600)


@pytest.mark.parametrize("spoil", [_open_to_others, _a_link, _no_database, _another_version])
def test_a_memory_that_cannot_be_trusted_is_trouble_and_no_question_is_put(spoil: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    spoil(file)
    model = JudgingModel()
    memory = Memory(str(file))
    found = judged(made(model, memory))
    memory.close()
    assert (found.matches, str(file) in found.trouble, model.asked) == (False, True, [])


# --- what may be spent ---------------------------------------------------------------------------------------------


def many(classifier: Classifier, number: int, session: str = "s1") -> list[str]:
    return [judged(classifier, f"make {session} {one}", session=session).trouble for one in range(number)]


def test_calls_of_a_session_and_of_a_day_are_counted(now: Now) -> None:
    classifier = made(JudgingModel(), Memory(clock=now), session_calls=2, day_calls=3)
    assert many(classifier, 3) == ["", "", "the budget of 2 calls in this session is used up"]
    assert many(classifier, 2, "s2") == ["", "the budget of 3 calls today is used up"]
    now.seconds += 86_400
    assert many(classifier, 1, "s3") == [""]


def test_money_is_counted_by_the_tokens_the_server_reports(now: Now) -> None:
    from assent.classifier.judgement import Reply

    class Costly:
        name = "model m-1"

        async def ask(self, question: Question) -> Reply:
            return Reply(YES, 1_000, 100)

    memory = Memory(clock=now)
    classifier = made(Costly(), memory, input=1.0, output=5.0, session_cost=0.0029)
    assert many(classifier, 3) == ["", "", "the budget of 0.0029 in this session is used up"]
    assert memory.spent("s1") == {"day": (2, 0.003), "session": (2, 0.003)}


def test_a_budget_of_nothing_asks_nothing(now: Now) -> None:
    model = JudgingModel()
    assert many(made(model, Memory(clock=now), day_calls=0), 1) == ["the budget of 0 calls today is used up"]
    assert model.asked == []


def test_processes_share_a_budget(now: Now, tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        memory = Memory(str(tmp_path / "c.db"), now)
        told += many(made(JudgingModel(), memory, session_calls=1), 1)
        memory.close()
    assert told == ["", "the budget of 1 calls in this session is used up"]


# --- when a model is left alone ------------------------------------------------------------------------------------


def test_a_model_that_keeps_failing_is_left_alone_for_a_while(now: Now) -> None:
    model = JudgingModel(broken)
    classifier = made(model, Memory(clock=now))
    told = many(classifier, FAILURES + 1)
    assert told[-1] == "model m-1 keeps failing and is left alone for 60 more seconds"
    assert len(model.asked) == FAILURES
    now.seconds += PAUSE_SECONDS
    model.says = lambda question: YES
    assert many(classifier, 2, "s2") == ["", ""]
    model.says = broken
    assert len(many(classifier, 1, "s3")[0]) and len(model.asked) == FAILURES + 3


def test_a_server_that_asks_for_a_pause_gets_it(now: Now) -> None:
    model = JudgingModel(lambda question: Trouble("busy", retry_after=7.0))
    classifier = made(model, Memory(clock=now))
    assert many(classifier, 2) == ["busy", "model m-1 keeps failing and is left alone for 7 more seconds"]
    now.seconds += 7
    assert many(classifier, 1, "s2") == ["busy"]


# --- what is not asked ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "descriptions"),
    [
        ("x" * (MAX_COMMAND + 1), TESTS),
        ("ls", ("x" * (MAX_DESCRIPTION + 1),)),
        ("ls", tuple(str(number) for number in range(MOST_DESCRIPTIONS + 1))),
    ],
)
def test_what_is_too_long_is_not_asked(command: str, descriptions: tuple[str, ...]) -> None:
    model = JudgingModel()
    found = judged(made(model), command, descriptions=descriptions)
    assert (found.matches, "more than" in found.trouble, model.asked) == (False, True, [])


def test_every_part_counts_for_an_allow_and_any_part_for_the_others() -> None:
    systems = [question("a; b", "/p", TESTS, every=every).system for every in (True, False)]
    assert ["only if all of it does" in text for text in systems] == [True, False]
    assert ["as soon as one of its parts does" in text for text in systems] == [False, True]


def test_nothing_in_a_quoted_text_ends_it_or_hides() -> None:
    assert quoted('a"\\\n\u200b\U000e0041é\ud800') == '"a\\"\\\\\\n\\u{200b}\\u{e0041}é\\u{d800}"'


# --- begun early ---------------------------------------------------------------------------------------------------

ALLOWING = Rule(Verdict.ALLOW, "running tests", id="allow_if-1")
FOUND = Reason(
    Verdict.ALLOW,
    "classifier",
    "matches allow_if: running tests (model m-1, confidence 1)",
    ALLOWING,
    "model m-1",
)


def test_a_speculation_is_started_looked_at_and_consumed() -> None:
    model = JudgingModel(held=True)

    async def run() -> tuple[Reason | None, Reason | None, Reason | None]:
        guess = Panel(made(model)).start(Subject("make test", "/p"), [ALLOWING])
        assert guess is not None
        await asyncio.to_thread(model.begun.wait, 5)
        before = guess.peek()
        model.go()
        taken = await guess.consume()
        return before, taken, guess.peek()

    assert asyncio.run(run()) == (None, FOUND, FOUND)


def test_a_speculation_that_is_called_off_leaves_nothing_running() -> None:
    model = JudgingModel(held=True)

    async def run() -> Reason | None:
        guess = Panel(made(model)).start(Subject("make test", "/p"), [ALLOWING])
        assert guess is not None
        await asyncio.to_thread(model.begun.wait, 5)
        await guess.cancel()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await guess.cancel()
        return guess.peek()

    assert (asyncio.run(run()), model.ended) == (None, ["called off"])


def test_who_stops_waiting_does_not_stop_a_speculation() -> None:
    async def run() -> Reason | None:
        go = asyncio.Event()

        async def search() -> Reason | None:
            await go.wait()
            return FOUND

        guess = Speculation.start(search())
        waiting = asyncio.create_task(guess.consume())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        go.set()
        return await guess.consume()

    assert asyncio.run(run()) == FOUND


def test_without_a_classifier_nothing_is_started() -> None:
    assert Bench({}).panel({}).start(Subject("make test", "/p"), [ALLOWING]) is None


# --- functions as judges -------------------------------------------------------------------------------------------

GIVEN: list[tuple[Any, Judgement]] = [
    ({"matches": True, "confidence": 1.0}, MATCH),
    ({"matches": True, "confidence": 1.0, "description": "running tests"}, MATCH),
    ({"matches": True, "confidence": 1.0, "number": 1}, MATCH),
    (Judgement(True, 1.0, "running tests"), MATCH),
    (Judgement(False, 0.3), Judgement(False, 0.3, "", "model m-1")),
    (True, Judgement(False, model="model m-1", trouble="the model's answer has the wrong shape")),
    (None, Judgement(False, model="model m-1", trouble="the model's answer has the wrong shape")),
]


@pytest.mark.parametrize(("given", "expected"), GIVEN)
def test_a_function_may_judge(given: Any, expected: Judgement) -> None:
    async def later(command: str, cwd: str, descriptions: tuple[str, ...]) -> Any:
        return given

    for function in (lambda command, cwd, descriptions: given, later):
        assert judged(made(FunctionProvider(function, "model m-1"))) == expected


def test_a_function_that_names_an_unknown_description_has_not_judged() -> None:
    function = FunctionProvider(
        lambda *given: {"matches": True, "confidence": 1.0, "description": "other"}, "model m-1"
    )
    assert judged(made(function)).trouble == "the model's answer has the wrong shape"


def test_a_function_that_fails_has_not_judged() -> None:
    def fails(command: str, cwd: str, descriptions: tuple[str, ...]) -> Any:
        raise ValueError(command)

    assert judged(made(FunctionProvider(fails))).trouble == "the function failed: ValueError"


def test_a_function_that_hangs_is_not_waited_for() -> None:
    go = threading.Event()

    def hangs(command: str, cwd: str, descriptions: tuple[str, ...]) -> Any:
        go.wait(20)
        return YES

    found = judged(made(FunctionProvider(hangs), timeout=0.1))
    go.set()
    for thread in threading.enumerate():
        if thread.name == "assent-judge":
            thread.join(5)
    assert found.trouble == "no answer within 0.1 s"


def test_no_description_at_all_raises_nothing() -> None:
    assert asyncio.run(Panel(made(JudgingModel(lambda question: NO))).held_back(Subject("ls", "/p"), [])) == (
        (),
        "passes: nothing fits, says nobody (0 ms)",
    )


def test_the_memory_of_a_bench_is_not_opened_before_it_is_needed(tmp_path: Path) -> None:
    Bench({}, str(tmp_path / "c.db")).close()
    assert os.listdir(tmp_path) == []
