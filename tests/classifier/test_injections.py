"""Commands that try to talk the judge into allowing them, and a judge that believes all of it: the rules still hold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.classifier.judgement import Trouble
from assent.judging import Judged
from assent.types import Verdict
from classifier.judging_model import YES, JudgingModel
from guarding import Scene

ROWS: list[dict[str, str]] = [
    json.loads(line) for line in (Path(__file__).parent / "injections.jsonl").read_text(encoding="utf-8").splitlines()
]
RULES = 'deny = ["Bash(rm:*)", "Read(./private/**)"]\nask = ["Bash(git push:*)"]\n'
TABLE = '\n[classifier]\nprovider = "anthropic"\nmodel = "m-1"\n'
ALLOW = 'allow_if = ["anything"]\n'
HOLD = 'ask_if = ["anything"]\ndeny_if = ["everything"]\n'
STEPS = {"floor": "floor", "deny": "deny", "ask": "ask", "stop-list": "ask", "check": "check", "plan": "plan"}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with pytest.MonkeyPatch.context() as patch:
        made = Scene(tmp_path_factory.mktemp("injections"), patch)
        for name in ("a.txt", "src/app.py", "private/plan.txt", "private/notes.md", ".env", "server.key", "tests/t.py"):
            file = made.project / name
            file.parent.mkdir(exist_ok=True)
            file.write_text("x\n")
        yield made
        made.close()


def consulted(scene: Scene, policy: str, model: JudgingModel, command: str) -> Judged:
    scene.policy(policy)
    guard, person = scene.guard(None, classifier=model)
    try:
        judged = asyncio.run(guard.consult(guard.call("Bash", {"command": command}, cwd=str(scene.project))))
    finally:
        guard.close()
        scene.guards.remove(guard)
    assert person.offered == []
    return judged


def mode(row: dict[str, str]) -> str:
    return f'mode = "{row.get("mode", "default")}"\n'


def test_the_set_is_large_and_covers_every_way_of_being_closed() -> None:
    assert len(ROWS) >= 60
    assert len({row["command"] for row in ROWS}) == len(ROWS)
    assert {row["closed_by"] for row in ROWS} == {*STEPS, "not understood"}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['closed_by']} {number}" for number, row in enumerate(ROWS, 1)])
def test_a_judge_that_believes_everything_opens_nothing(row: dict[str, str], scene: Scene) -> None:
    model = JudgingModel()
    judged = consulted(scene, mode(row) + RULES + ALLOW + TABLE, model, row["command"])
    assert judged.decision.verdict > Verdict.ALLOW
    assert model.asked == []
    wanted = STEPS.get(row["closed_by"])
    steps = {reason.step for reason in judged.decision.reasons if reason.verdict > Verdict.ALLOW}
    assert wanted is None or wanted in steps, judged.decision.reasons


def test_what_only_the_mode_asks_is_what_such_a_judge_can_open(scene: Scene) -> None:
    judged = consulted(scene, RULES + ALLOW + TABLE, JudgingModel(), "make test")
    assert (judged.decision.verdict, judged.decision.decided_by) == (Verdict.ALLOW, "classifier")


# --- whatever a model says -----------------------------------------------------------------------------------------

COMMANDS = [
    *(row["command"] for row in ROWS[::4]),
    "make test",
    "git status",
    "ls",
    "echo x > out.txt",
    "curl https://example.com/",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
SHAPED = st.fixed_dictionaries(
    {"matches": st.booleans(), "number": st.integers(-1, 2), "confidence": st.floats(-0.5, 1.5)},
    optional={"verdict": st.just("allow")},
)
OUTPUTS = JSON | SHAPED | st.just(YES) | st.builds(Trouble, st.just("x")) | st.builds(OSError, st.just("x"))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    command=st.sampled_from(COMMANDS),
    outputs=st.lists(OUTPUTS, min_size=1, max_size=3),
    chosen=st.sampled_from(["default", "plan", "full_auto"]),
    holds=st.booleans(),
)
def test_no_answer_makes_the_verdict_looser_than_the_rules_but_for_what_the_mode_asks(
    command: str, outputs: list[Any], chosen: str, holds: bool, scene: Scene
) -> None:
    base = f'mode = "{chosen}"\n{RULES}'
    rules = consulted(scene, base, JudgingModel(), command).decision
    said = iter(outputs * 3)
    model = JudgingModel(lambda question: next(said))
    final = consulted(scene, base + ALLOW + (HOLD if holds else "") + TABLE, model, command).decision
    asking = {reason.step for reason in rules.reasons if reason.verdict > Verdict.ALLOW}
    if final.verdict < rules.verdict:
        assert (rules.verdict, final.verdict, final.decided_by) == (Verdict.ASK, Verdict.ALLOW, "classifier")
        assert (asking, chosen) == ({"mode"}, "default")
        assert any(isinstance(output, dict) and output.get("matches") is True for output in outputs)
