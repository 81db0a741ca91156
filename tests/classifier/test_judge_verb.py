"""`assent judge` and the hook, with a real SDK and a server that speaks the real protocol."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.classifier.panel import Subject
from assent.cli.judge import Case, Progress, Result, quantile, summary
from assent.types import Verdict
from classifier.model_server import Body, ModelServer, answer
from scene import Done, Scene

Capture = pytest.CaptureFixture[str]
CASES = [
    {"command": "make test", "cwd": "/p", "expect": "allow"},
    {"command": "curl -d x https://example.com/", "expect": "deny"},
    {"command": "make deploy", "expect": "ask"},
    {"command": "make testify", "expect": "ask"},
]


def believes(body: Body) -> object:
    """Tests are tests, curl sends data, and what begins like a test is one."""
    descriptions, action = body["messages"][-1]["content"].split("<action-")
    if "tests" in descriptions:
        return answer("make test" in action, confidence=0.95)
    return answer("curl" in action, confidence=0.99)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(believes) as made:
        yield made


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> Scene:
    made = Scene(tmp_path, monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    made.write(
        made.user_file,
        f"""
allow_if = ["running the project's tests"]
deny_if = ["sending data"]

[classifier]
provider = "openai"
model = "m-1"
base_url = "{server.url}/v1"

[classifier.budget]
day_calls = 0

[classifier.price]
input = 1
output = 5
""",
    )
    made.write(made.project / "cases.jsonl", "\n".join(map(json.dumps, CASES)) + "\n\n")
    return made


def test_one_command_is_judged_without_any_budget(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "judge", "make test", "--json")
    assert (done.code, done.json["verdict"], done.json["model"]) == (0, "allow", "openai m-1")
    told = [{**one, "latency_ms": 0} for one in done.json["judgements"]]
    shared = {"model": "openai m-1", "latency_ms": 0, "cost": 0.0009, "trouble": ""}
    tests = {"matches": True, "confidence": 0.95, "description": "running the project's tests"}
    assert told == [
        {"kind": "allow_if", **tests, **shared},
        {"kind": "deny_if", "matches": False, "confidence": 0.99, "description": "", **shared},
    ]


def test_one_command_for_people(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "judge", "curl -d x https://example.com/")
    assert (done.code, done.out.splitlines()[0]) == (4, " DENY  curl -d x https://example.com/")
    assert "  deny_if  sending data, confidence 0.99 (openai m-1, " in done.out


def test_what_cannot_be_judged_asks(scene: Scene, capsys: Capture, server: ModelServer) -> None:
    server.way = "status 500"
    done = scene.run(capsys, "judge", "make test")
    assert done.code == 3
    assert "could not be judged: the model could not be asked: InternalServerError 500" in done.out


def test_a_file_of_cases_tells_a_good_judge_from_a_bad_one(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "judge", "eval", "cases.jsonl", "--json")
    found = done.json
    times = found.pop("latency_ms")
    assert 0 < times["p50"] <= times["p99"]
    assert (done.code, found) == (
        1,
        {
            "model": "openai m-1",
            "cases": 4,
            "agreed": 3,
            "agreement": 0.75,
            "false_allows": 1,
            "false_denies": 0,
            "not_judged": 0,
            "cost": 0.0072,
            "wrong": [{"line": 4, "command": "make testify", "expect": "ask", "got": "allow", "trouble": ""}],
        },
    )
    text = scene.run(capsys, "judge", "eval", "cases.jsonl", "--jobs", "1").out
    assert text.splitlines()[:4] == [
        "line 4: expected ask, got allow: make testify",
        "openai m-1",
        "  agreement    3 of 4",
        "  false allows 1",
    ]


WRONG = [
    (("judge",), "give one command, or `eval` with one file"),
    (("judge", "eval"), "give one command, or `eval` with one file"),
    (("judge", "eval", "missing.jsonl"), "cannot read `missing.jsonl`"),
    (("judge", "eval", "cases.jsonl", "--jobs", "0"), "`--jobs 0` is no number of jobs"),
    (("judge", "eval", "bad.jsonl"), "bad.jsonl:1: a case needs `command` and `expect`"),
]


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_what_makes_no_sense_is_said(words: tuple[str, ...], told: str, scene: Scene, capsys: Capture) -> None:
    scene.write(scene.project / "bad.jsonl", '{"command": "ls", "expect": "maybe"}\n')
    done = scene.run(capsys, *words)
    assert (done.code, told in done.err) == (2, True)


def test_without_descriptions_or_a_model_there_is_nothing_to_ask(scene: Scene, capsys: Capture) -> None:
    scene.write(scene.user_file, 'allow_if = ["x"]')
    scene.forget()
    assert scene.run(capsys, "judge", "ls") == Done(
        2, "", "assent: nothing to ask (write `allow_if`, `ask_if` or `deny_if` and a `[classifier]` first)\n"
    )


def test_p50_and_p99_are_times_that_were_measured() -> None:
    times = [float(number) for number in range(1, 101)]
    assert [quantile(times, share) for share in (0.5, 0.99, 1.0)] == [50.0, 99.0, 100.0]
    assert (quantile([], 0.5), quantile([7.0], 0.99)) == (0.0, 7.0)


def test_false_denies_and_what_was_not_judged_are_counted() -> None:
    case = Case(Subject("ls", "/p"), Verdict.ALLOW, 1)
    found = summary([Result(case, Verdict.DENY, "", 1.0, 0.0), Result(case, Verdict.ASK, "late", 1.0, 0.0)], "m")
    assert [found[name] for name in ("agreed", "false_allows", "false_denies", "not_judged")] == [0, 0, 1, 1]


def test_a_bar_is_drawn_for_people_who_have_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    drawn = Terminal()
    monkeypatch.setattr(sys, "stderr", drawn)
    seconds = iter([0.0, 0.5, 2.0])
    monkeypatch.setattr("assent.cli.judge.time.monotonic", lambda: next(seconds))
    progress = Progress(4)
    progress.step()
    assert drawn.getvalue() == ""
    progress.step()
    progress.end()
    assert drawn.getvalue() == "\r  [###############---------------] 2 of 4\r\x1b[K"


# --- the policy verbs ----------------------------------------------------------------------------------------------

DESCRIBED = 'allow_if = ["running tests"]\ndeny_if = ["sending mail"]\n'


def test_descriptions_and_their_judge_are_shown(scene: Scene, capsys: Capture) -> None:
    scene.forget()
    scene.write(scene.user_file, DESCRIBED + '[classifier]\nprovider = "anthropic"\nmodel = "m-1"\n')
    shown = scene.run(capsys, "policy", "show").out
    assert "     1  allow_if: running tests\n     2  deny_if: sending mail\n" in shown
    assert "descriptions are judged by anthropic m-1" in shown
    assert scene.run(capsys, "policy", "lint").code == 0


def test_descriptions_that_nobody_judges_are_doubtful(scene: Scene, capsys: Capture) -> None:
    scene.forget()
    scene.write(scene.user_file, DESCRIBED)
    done = scene.run(capsys, "policy", "lint")
    assert (done.code, done.out.splitlines()[-1]) == (1, "1 file, 0 rules, 0 errors, 2 doubts")
    assert f"{scene.user_file}:1: doubt: no model judges `running tests`" in done.out


def test_trusting_a_file_says_what_a_model_could_allow(scene: Scene, capsys: Capture) -> None:
    scene.forget()
    scene.shared(DESCRIBED)
    done = scene.run(capsys, "policy", "trust", "--yes")
    assert "  let a model allow what it takes for: running tests\n" in done.out
    assert "sending mail" not in done.out


# --- the hook ------------------------------------------------------------------------------------------------------


def hooked(scene: Scene, command: str, *words: str) -> dict[str, Any]:
    """What Claude Code hears before it runs a command, from a process of its own."""
    payload = {
        "session_id": "s",
        "cwd": str(scene.project),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t1",
    }
    done = scene.start("hook", "claude-code", *words, stdin=json.dumps(payload), OPENAI_API_KEY="sk-of-the-test")
    assert done.code == 0, done.err
    return dict(done.json["hookSpecificOutput"])


HOOKED = [
    ("make test", "allow", "classifier"),
    ("make deploy", "ask", "default"),
    ("git status", "allow", "default"),
    ("curl -d x https://example.com/", "deny", "classifier"),
]


@pytest.mark.parametrize(("command", "expected", "by"), HOOKED)
def test_a_hook_puts_what_must_be_judged_to_the_model(command: str, expected: str, by: str, scene: Scene) -> None:
    text = scene.user_file.read_text()
    scene.write(scene.user_file, text.replace("day_calls = 0", "day_calls = 10"))
    assert hooked(scene, command, "--on-ask", "host")["permissionDecision"] == expected
    [record] = [json.loads(line) for line in (scene.state / "audit/permissions.jsonl").read_text().splitlines()]
    assert record["decided_by"]["kind"] == by


@pytest.mark.parametrize("way", ["status 429", "cut", "disconnect", "garbage"])
def test_a_hook_whose_model_fails_asks_about_what_must_be_judged(way: str, scene: Scene, server: ModelServer) -> None:
    server.way = way
    text = scene.user_file.read_text()
    scene.write(scene.user_file, text.replace("day_calls = 0", "day_calls = 10"))
    assert hooked(scene, "git status", "--on-ask", "host")["permissionDecision"] == "ask"


def test_a_hook_whose_budget_is_used_up_asks(scene: Scene, server: ModelServer) -> None:
    found = hooked(scene, "git status", "--on-ask", "host")
    assert (found["permissionDecision"], server.bodies) == ("ask", [])
    assert "the budget of 0 calls today is used up" in found["permissionDecisionReason"]
