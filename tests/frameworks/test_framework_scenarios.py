"""Every framework with a scripted model: what is allowed runs, what is refused does not, whoever suspends runs once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from frameworks.framework_stage import (
    CHAINS,
    FRAMEWORKS,
    REPEATABLE,
    ROOT,
    answer,
    expected,
    interpreter,
    play,
    start,
)

pytestmark = pytest.mark.agent
SUSPENDING = [name for name in FRAMEWORKS if name != "crewai"]
PARALLEL = [name for name in SUSPENDING if name not in ("claude_agent_sdk", "fastmcp")]
DELETED = ["delete_user 7"]


Scenes = dict[str, dict[str, Any]]
Played = Callable[[str], tuple[Scenes, Path]]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The scenes of a framework by name, and where they were played; each framework plays once."""
    known: dict[str, tuple[Scenes, Path]] = {}

    def scenes(framework: str) -> tuple[Scenes, Path]:
        if framework not in known:
            folder = tmp_path_factory.mktemp(framework)
            known[framework] = ({line.pop("scene"): line for line in play(framework, folder, "play")}, folder)
        return known[framework]

    return scenes


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_framework_plays_every_scene_as_the_guard_says(framework: str, played: Played) -> None:
    shown, folder = played(framework)
    wanted = expected(framework, folder / "home")
    assert {name: shown[name] for name in wanted} == wanted
    if framework in CHAINS:
        assert shown["chain"] == {"ran": DELETED, "chain": [CHAINS[framework]]}


@pytest.mark.parametrize("framework", SUSPENDING)
def test_a_suspended_call_runs_exactly_once_in_another_process(framework: str, tmp_path: Path) -> None:
    (first,) = play(framework, tmp_path, "begin")
    assert (first["waits"], len(first["pending"]), first["ran"]) == (True, 1, [])
    assert play(framework, tmp_path, "resume") == [first], "nobody has answered: the same request still waits"
    assert answer(tmp_path, approved=True) == 1
    assert play(framework, tmp_path, "resume") == [{"waits": False, "pending": [], "ran": DELETED}]
    (again,) = play(framework, tmp_path, "replay")
    assert again["ran"] == DELETED
    assert (again["waits"], len(again["pending"])) == ((True, 1) if framework in REPEATABLE else (False, 0))


@pytest.mark.parametrize("framework", PARALLEL)
def test_several_calls_of_one_turn_run_once_each_as_they_are_answered(framework: str, tmp_path: Path) -> None:
    (first,) = play(framework, tmp_path, "begin_many")
    assert (first["waits"], len(first["pending"]), first["ran"]) == (True, 2, ["read_note a"])
    assert answer(tmp_path, approved=True) == 1
    (second,) = play(framework, tmp_path, "resume")
    assert (second["waits"], second["pending"], len(second["ran"])) == (True, first["pending"][1:], 2)
    assert answer(tmp_path, approved=True) == 1
    (third,) = play(framework, tmp_path, "resume")
    assert (third["waits"], third["pending"]) == (False, [])
    assert sorted(third["ran"]) == ["delete_user 7", "delete_user 8", "read_note a"]


@pytest.mark.parametrize("framework", SUSPENDING)
def test_a_suspended_call_that_a_person_rejects_never_runs(framework: str, tmp_path: Path) -> None:
    play(framework, tmp_path, "begin")
    assert answer(tmp_path, approved=False) == 1
    assert play(framework, tmp_path, "resume") == [{"waits": False, "pending": [], "ran": []}]


def test_langchain_protects_blocking_runs_too(played: Played) -> None:
    shown, _ = played("langchain")
    assert shown["sync"] == {"ran": DELETED, "told": ["done"], "asked": 1}


def test_a_langgraph_tool_node_is_protected_by_the_same_functions(played: Played) -> None:
    shown, _ = played("langchain")
    dropped = shown["deny"]["told"]
    assert shown["graph"] == {"ran": ["read_note a"], "told": ["done", *dropped], "asked": 0}


def test_openais_own_shell_tool_is_judged_as_a_shell(played: Played) -> None:
    shown, _ = played("openai_agents")
    assert shown["own shell"] == {"ran": ["run_shell ls"], "told": ["done"], "asked": 0}
    assert shown["own shell steal"] == shown["steal"]


def test_openais_mcp_servers_are_protected(played: Played) -> None:
    shown, _ = played("openai_agents")
    assert (shown["server"], shown["server deny"]) == (shown["approve"], shown["deny"])


def test_crewai_waits_without_stopping_the_event_loop(played: Played) -> None:
    shown, _ = played("crewai")
    assert shown["akickoff"] == {"ran": DELETED, "told": ["done"], "asked": 1}


def test_a_server_of_the_mcp_sdk_is_protected_like_one_of_fastmcp(played: Played) -> None:
    shown, _ = played("fastmcp")
    for name in ("allow", "deny", "approve", "reject", "fail"):
        assert shown[f"sdk {name}"] == shown[name]


def test_an_approval_that_only_an_openai_run_state_knows_runs_nothing(tmp_path: Path) -> None:
    play("openai_agents", tmp_path, "begin")
    (line,) = play("openai_agents", tmp_path, "elsewhere")
    assert (line["waits"], len(line["pending"]), line["ran"]) == (True, 1, [])


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_example_of_a_framework_runs(framework: str, tmp_path: Path) -> None:
    example = ROOT / f"examples/frameworks/{framework}_example.py"
    done = start([interpreter(framework), str(example)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "read_order: order 7 is on its way" in done.stdout
    assert "delete_user: This needs a person, and nobody is asked here, so it was not done: " in done.stdout
    assert "was deleted" not in done.stdout


RESUMABLE = [name for name in SUSPENDING if name != "fastmcp"]


@pytest.mark.parametrize("said", ["yes", "no"])
@pytest.mark.parametrize("framework", RESUMABLE)
def test_the_example_of_a_framework_goes_on_in_another_process(framework: str, said: str, tmp_path: Path) -> None:
    folder = ROOT / "examples/frameworks"

    def step(program: str, word: str) -> str:
        done = start([interpreter(framework), str(folder / program), word], tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    begun = step(f"{framework}_resume.py", "begin")
    assert "waits: delete_user" in begun
    assert "7" in begun
    assert "default mode asks first" in begun
    assert "waits: delete_user" in step(f"{framework}_resume.py", "resume"), "nobody has answered"
    assert "delete_user" in step("answer_waiting.py", said)
    ended = step(f"{framework}_resume.py", "resume")
    assert "read_order: order 7 is on its way" in ended
    assert ("delete_user: user 7 was deleted" in ended) == (said == "yes")
    assert ("said the example" in ended) == (said == "no" and framework != "google_adk")


def test_openai_agents_counts_and_journals_an_allowed_call_once(tmp_path: Path) -> None:
    from assent.audit.reading import records

    play("openai_agents", tmp_path, "begin_many")
    found = records(str(tmp_path / "stage/suspended/audit"))
    assert [one.text("tool") for one in found if one.kind == "decision"] == ["read_note"]
