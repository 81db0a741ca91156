"""Section 3: sentences that a model judges, sed, and suggestions for several lines."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent import PermissionMode
from assent.authorization import Authorization
from classifier.judging_model import NO, YES, JudgingModel, by_description
from guarding import Scene
from spec.spec_scene import bash, behavior

TABLE = '\n[classifier]\nprovider = "anthropic"\nmodel = "m-1"\n'
HOLD = 'ask_if = ["touching payments"]\ndeny_if = ["sending mail"]' + TABLE
UNSURE = YES | {"confidence": 0.5}


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


def authorized(scene: Scene, model: JudgingModel, command: str) -> tuple[Authorization, int]:
    """The guard's answer, and how often a person was asked; that person says yes."""
    guard, person = scene.guard(classifier=model)
    call = guard.call("Bash", {"command": command}, cwd=str(scene.project))
    return asyncio.run(guard.authorize(call)), len(person.offered)


def test_a_sentence_that_denies_or_asks_holds_a_call_back(scene: Scene) -> None:
    """A deny sentence that fits beats an allow rule; an ask sentence brings a question where there would be none."""
    scene.policy('allow = ["Bash(make mail)"]\n' + HOLD)
    denied, asked = authorized(scene, JudgingModel(by_description(mail=YES)), "make mail")
    assert (denied.allowed, denied.decided_by, asked) == (False, "classifier", 0)
    approved, asked = authorized(scene, JudgingModel(by_description(payments=YES)), "git status")
    assert (approved.decided_by, asked) == ("human", 1)


def test_deny_and_ask_sentences_are_judged_together(scene: Scene) -> None:
    """Both are put to the model for one call, and where neither fits the rules decide."""
    scene.policy(HOLD)
    model = JudgingModel(lambda question: NO)
    answer, asked = authorized(scene, model, "git status")
    assert (answer.allowed, asked, len(model.asked)) == (True, 0, 2)


def test_a_sentence_counts_with_high_confidence_only(scene: Scene) -> None:
    """A deny sentence that may fit does not deny."""
    scene.policy(HOLD)
    answer, _ = authorized(scene, JudgingModel(by_description(mail=UNSURE)), "git status")
    assert answer.decided_by != "classifier"


@pytest.mark.parametrize(
    "script", ["s/a/b/e", "1e id", "w out.txt", "/x/w /srv/f", "s/a/b/w out.txt", "1,3W out.txt", "R /srv/data.csv"]
)
def test_what_a_sed_script_does_is_part_of_the_command(script: str) -> None:
    """A script that runs, writes or reads elsewhere is no reading of its operand; in PLAN nothing of it passes."""
    assert behavior(f"sed '{script}' readme.md") == "ask"
    assert behavior(f"sed -n '{script}' readme.md", mode=PermissionMode.PLAN) != "allow"
    assert behavior("sed -n '1,40p' readme.md") == "allow"


def test_sed_in_place_is_a_write_and_reading_the_floor_is_denied() -> None:
    """`-i` in every spelling changes the file; a script that names a credential is denied."""
    for option in ("-i", "-i.bak", "--in-place", "-ni", "-E -i"):
        assert behavior(f"sed {option} s/a/b/ readme.md") == "ask"
        assert behavior(f"sed {option} s/a/b/ readme.md", mode=PermissionMode.PLAN) == "deny"
    assert behavior("sed 'r /home/dev/.ssh/id_rsa' readme.md", mode=PermissionMode.FULL_AUTO) == "deny"


@pytest.mark.parametrize("command", ["make a\nmake b", "git commit -m x\ngit push", "make a\n\n\nmake -k b"])
def test_rules_for_several_lines_are_one_line_each(command: str) -> None:
    """No suggested rule spans lines, and those that are suggested cover all of them."""
    result = bash(command)
    assert result.together
    assert all("\n" not in rule for rule in (*result.suggestions, *result.together))
    assert behavior(command, allow=list(result.together)) == "allow"
