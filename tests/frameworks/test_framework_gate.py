"""What all adapters share: calls become ours, names promise nothing, and whatever fails is a refusal."""

from __future__ import annotations

import ast
import asyncio
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.authorization import Authorization
from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted, mcp_tool, questions
from assent.guard import Guard
from assent.policy.settings import PermissionSettings
from assent.questions import DEEPEST
from assent.types import ToolCall
from frameworks.framework_stage import FRAMEWORKS, ROOT, SCENARIOS
from guarding import Scene

SETTINGS = PermissionSettings(allow=["Tool(read_note)", "Tool(finish)"], deny=["Tool(drop_table)"])


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


def gate(scene: Scene, says: Any = None, **more: Any) -> Gate:
    """A gate whose guard leaves questions behind, unless somebody answers them."""
    options = {name: more.pop(name) for name in ("tools", "cwd", "suspend_after") if name in more}
    more.setdefault("settings", SETTINGS)
    more.setdefault("on_ask", "wait" if says else "park")
    return Gate(scene.guard(says, **more)[0], **options)


class Noted(Guard):
    """Keeps the calls it is asked about."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.calls: list[ToolCall] = []

    async def authorize(self, call: ToolCall, *given: Any, **more: Any) -> Authorization:
        self.calls.append(call)
        return await super().authorize(call, *given, **more)


@pytest.fixture
def noted(scene: Scene) -> Noted:
    made = Noted(
        workspace=str(scene.project),
        settings=SETTINGS,
        agent="bot",
        session="s1",
        channels=(),
        desk=scene.desk,
        env=scene.env,
        on_ask="park",
    )
    scene.guards.append(made)
    return made


def states(asked: Gate, *wanted: Wanted) -> list[str]:
    return [asked.permit_sync(one).state for one in wanted]


@pytest.mark.parametrize(
    ("kind", "advice"), [("Bsh", "did you mean `Bash`?"), ("WebFecth", "did you mean `WebFetch`?"), ("Wrte", "`Write`")]
)
def test_a_kind_of_tool_that_is_misspelt_is_refused(scene: Scene, kind: str, advice: str) -> None:
    with pytest.raises(UsageError, match=f"`{kind}` is no kind of tool") as caught:
        gate(scene, tools={"run_shell": kind})
    assert advice in caught.value.help


@pytest.mark.parametrize("kind", ["Bash", "bash", "Read", "WebFetch", "web_fetch", "mcp__shop__drop", "apply_patch"])
def test_other_kinds_are_taken(scene: Scene, kind: str) -> None:
    assert gate(scene, tools={"run_shell": kind}).tools == {"run_shell": kind}


def test_a_name_that_no_tool_has_is_refused(scene: Scene) -> None:
    made = gate(scene, tools={"run_shel": "Bash"})
    with pytest.raises(UsageError, match="`tools` names `run_shel`, and no tool has that name") as caught:
        made.check_names({"run_shell", "read_note"})
    assert caught.value.help == "did you mean `run_shell`?"
    made.check_names({"run_shel"})


@pytest.mark.parametrize("name", ["runShell", "run-shell", "RUN_SHELL"])
def test_a_name_in_another_spelling_is_an_error_of_the_program(scene: Scene, name: str) -> None:
    made, wanted = gate(scene, tools={name: "Bash"}), Wanted("run_shell", {"command": "ls"})
    said = f"`tools` names `{name}`, and the tool is called `run_shell`"
    with pytest.raises(UsageError, match=said) as caught:
        made.permit_sync(wanted)
    assert caught.value.help == "did you mean `run_shell`?"

    async def inside_a_loop() -> None:
        made.permit_sync(wanted)

    with pytest.raises(UsageError, match=said):
        asyncio.run(inside_a_loop())


@pytest.mark.parametrize("kind", ["Nonsense", "x", "", None, 7])
def test_a_kind_that_means_nothing_is_refused_with_those_that_do(scene: Scene, kind: Any) -> None:
    with pytest.raises(UsageError) as caught:
        gate(scene, tools={"x": kind})
    assert "a kind is one of Bash, Read" in caught.value.help


@pytest.mark.parametrize("name", ["", None, 7])
def test_a_name_that_is_no_text_is_refused(scene: Scene, name: Any) -> None:
    with pytest.raises(UsageError, match="as a name"):
        gate(scene, tools={name: "Bash"})


@pytest.mark.parametrize("name", ["run_shel", "runShell", "run-shell", "run_shells"])
def test_a_name_that_was_meant_for_another_tool_is_refused_at_first_sight_of_the_tools(scene: Scene, name: str) -> None:
    made = gate(scene, tools={name: "Bash"})
    with pytest.raises(UsageError, match=f"`tools` names `{name}`, and no tool has that name") as caught:
        made.see(["read_note", "run_shell"])
    assert caught.value.help == "did you mean `run_shell`?"


def test_a_name_that_is_like_no_tool_is_a_warning_because_another_agent_may_have_it(scene: Scene) -> None:
    made = gate(scene, tools={"run_shell": "Bash", "fetch": "WebFetch"})
    with pytest.warns(UserWarning, match="`tools` names `fetch`, and this agent has no such tool"):
        made.see(["run_shell", "run_shells"])
    made.see(["fetch", "read_note"])
    made.see([])


def test_every_adapter_looks_at_the_names_of_the_tools() -> None:
    for name in FRAMEWORKS:
        source = (ROOT / f"src/assent/frameworks/{name}.py").read_text()
        assert "gate.see(" in source or "_check_name(" in source, name


def test_what_waits_in_a_session_is_told_like_a_suspended_run_tells_it(scene: Scene) -> None:
    made = gate(scene, suspend_after=0.0)
    wanted = Wanted("delete_user", {"id": 7, "token": "ghp_" + "a1B2c3D4e5F6" * 3}, session="t1")
    told = made.question(wanted, made.permit_sync(wanted))
    (found,) = questions(made.guard, "t1")
    assert {**found, "reason": ""} == {**told, "reason": ""}
    assert str(told["reason"]) in str(found["reason"])
    assert questions(made.guard, "t2") == []


def test_a_suspended_run_tells_what_it_asks_with_secrets_masked(scene: Scene) -> None:
    made = gate(scene, suspend_after=0.0, tools={"sql": "Bash"})
    wanted = Wanted("sql", {"command": "mysql -phunter2 shop", "token": "ghp_" + "a1B2c3D4e5F6" * 3}, "c1")
    answer = made.permit_sync(wanted)
    asked = made.question(wanted, answer)
    expires = asked.pop("expires_at")
    assert isinstance(expires, float)
    assert 86_000 < expires - scene.desk.clock() < 87_000
    assert asked.pop("reason")
    assert asked == {
        "type": "assent",
        "request_id": answer.request_id,
        "tool": "sql",
        "tool_call_id": "c1",
        "arguments": {"command": "mysql -p‹password, 7 characters› shop", "token": "‹secret, 40 characters›"},
    }


def test_rules_decide_about_functions_by_their_names(scene: Scene) -> None:
    wanted = [Wanted("read_note", {"name": "a"}), Wanted("delete_user", {"id": 7}), Wanted("drop_table", {})]
    assert states(gate(scene), *wanted) == ["allowed", "pending", "denied"]


def test_a_function_is_read_as_the_tool_it_is_mapped_to(scene: Scene) -> None:
    mapped = gate(scene, tools={"run_shell": "Bash"})
    listing, theft = Wanted("run_shell", {"command": "ls"}), Wanted("run_shell", {"command": "cat ~/.ssh/id_rsa"})
    assert states(mapped, listing, theft) == ["allowed", "denied"]
    assert states(gate(scene), listing) == ["pending"]


@pytest.mark.parametrize("name", ["think", "search", "ls", "memory", "wait"])
def test_a_function_that_is_named_like_an_agents_harmless_tool_still_asks(scene: Scene, name: str) -> None:
    settings = PermissionSettings(workspace=str(scene.project))
    assert states(gate(scene, settings=settings), Wanted(name, {})) == ["pending"]


def test_a_call_says_which_conversation_it_belongs_to_and_which_agents_made_it(noted: Noted, scene: Scene) -> None:
    asked = Gate(noted, cwd=str(scene.home))
    asked.permit_sync(Wanted("read_note", {"name": "a"}, "c1"))
    with asked.inside("lead"):
        asked.permit_sync(Wanted("read_note", {}, "c2", "lead", "t1"))
        asked.permit_sync(Wanted("read_note", {}, "c3", "reviewer", "t1", cwd=str(scene.project)))
    asked.permit_sync(Wanted("read_note", {}, "c4", "reviewer", above=("root",)))
    assert [(call.id, call.session, call.chain, call.cwd) for call in noted.calls] == [
        ("c1", "s1", (), str(scene.home)),
        ("c2", "bot:t1", ("lead",), str(scene.home)),
        ("c3", "bot:t1", ("lead", "reviewer"), str(scene.project)),
        ("c4", "s1", ("root", "reviewer"), str(scene.home)),
    ]


def test_subagents_are_told_apart_in_tasks_that_run_at_once(noted: Noted) -> None:
    asked = Gate(noted)

    async def lead(name: str) -> None:
        with asked.inside(name):
            await asyncio.gather(*(asked.permit(Wanted("read_note", {}, name, sub)) for sub in ("x", "y")))

    async def both() -> None:
        await asyncio.gather(lead("a"), lead("b"))

    asyncio.run(both())
    assert sorted(call.chain for call in noted.calls) == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]


def test_a_guard_that_fails_refuses(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = gate(scene)

    def broken(*_given: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(asked.guard.judge, "judge", broken)
    answer = asked.permit_sync(Wanted("read_note", {}))
    assert (answer.allowed, answer.state, answer.reason) == (False, "failed", "RuntimeError: out of order")


def test_a_guard_that_fails_loudly_still_only_refuses_the_call(scene: Scene) -> None:
    answer = gate(scene, on_ask="fail").permit_sync(Wanted("delete_user", {}))
    assert not answer.allowed
    assert "This needs a person" in answer.message


def test_arguments_that_cannot_be_read_are_refused(scene: Scene) -> None:
    deep: list[object] = []
    for _ in range(DEEPEST + 1):
        deep = [deep]
    answer = gate(scene).permit_sync(Wanted("read_note", {"name": deep}))
    assert (answer.allowed, answer.state) == (False, "failed")


def test_waiting_in_a_thread_that_has_an_event_loop_works_too(noted: Noted) -> None:
    asked = Gate(noted)

    async def main() -> str:
        with asked.inside("lead"):
            return asked.permit_sync(Wanted("read_note", {}, agent="reviewer")).state

    assert asyncio.run(main()) == "allowed"
    assert [call.chain for call in noted.calls] == [("lead", "reviewer")]


def test_only_an_open_question_suspends_and_only_if_the_gate_does(scene: Scene) -> None:
    suspending, holding = gate(scene, suspend_after=0.0), gate(scene)
    pending = suspending.permit_sync(Wanted("delete_user", {"id": 7}))
    denied = suspending.permit_sync(Wanted("drop_table", {}))
    assert [suspending.suspends(pending), suspending.suspends(denied), holding.suspends(pending)] == [
        True,
        False,
        False,
    ]


def test_a_gate_that_suspends_can_hold_one_call(scene: Scene) -> None:
    from approval.asking import yes

    asked = gate(scene, yes, suspend_after=0.0)
    assert asyncio.run(asked.permit(Wanted("delete_user", {"id": 7}), hold=True)).state == "approved"


def test_something_else_than_a_guard_is_an_error() -> None:
    with pytest.raises(UsageError, match="`str` is no guard"):
        Gate("guard")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("server", "name"),
    [("shop", "mcp__shop__t"), ("My Shop!", "mcp__My_Shop__t"), ("a__b", "mcp__a_b__t"), ("", "mcp__server__t")],
)
def test_the_tool_of_a_server_has_the_name_that_agents_give_it(server: str, name: str) -> None:
    assert mcp_tool(server, "t") == name


def test_every_adapter_has_an_extra_an_environment_a_scenario_and_an_example() -> None:
    source = ROOT / "src/assent/frameworks"
    assert sorted(file.stem for file in source.glob("[a-z]*.py") if file.stem != "gate") == sorted(FRAMEWORKS)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name.replace("_", "-") for name in FRAMEWORKS} <= set(extras)
    listed = subprocess.run([str(ROOT / "scripts/frameworks"), "--list"], capture_output=True, text=True)
    assert sorted(listed.stdout.split()) == sorted(FRAMEWORKS)
    page = (ROOT / "docs/frameworks.md").read_text()
    for text in re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        compile(text, "docs/frameworks.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for name in FRAMEWORKS:
        assert (SCENARIOS / f"with_{name}.py").exists()
        assert (ROOT / f"examples/frameworks/{name}_example.py").exists()
        assert f"assent.frameworks.{name}" in page
