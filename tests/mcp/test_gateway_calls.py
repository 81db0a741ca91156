"""Calls of tools through the gateway, with the real client and the real server, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest

from assent import wire
from assent.policy.modes import PermissionMode
from assent.policy.settings import PermissionSettings
from assent.questions import Answer
from assent.types import Rule, Verdict
from mcp import MCPError
from mcp_scene import ALLOW_ALL, ERAS, Person, Scene, demo_server, gated, run, text_of

eras = pytest.mark.parametrize("era", ERAS)


@eras
def test_an_allowed_call_reaches_the_server_and_its_result_comes_back(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), settings=ALLOW_ALL, era=era) as scene:
            found = await scene.client.call_tool("echo", {"text": "hi"})
            assert (text_of(found), found.is_error) == ("hi", False)
            kind, fields = scene.journal[-1]
            assert (kind, fields["approved"], fields["tool"]) == ("decision", True, "mcp__demo__echo")
            assert (fields["agent"], fields["agent_chain"], fields["input"]) == ("mcp", ["mcp"], {"text": "hi"})

    run(main)


@eras
def test_a_denied_call_is_a_tool_error_that_says_why_and_never_reaches_the_server(era: str, tmp_path: Path) -> None:
    deny = Rule(Verdict.DENY, "Mcp(demo.wipe)", message="use the trash instead", layer="settings")

    async def main() -> None:
        settings = PermissionSettings(allow=["Mcp(demo)"], deny=[deny])
        async with gated(tmp_path, demo_server(), settings=settings, era=era) as scene:
            found = await scene.client.call_tool("wipe", {"path": "x"})
            assert found.is_error
            assert text_of(found).startswith("Refused by the permission policy (settings): ")
            assert "use the trash instead" in text_of(found)
            assert scene.calls_that_ran() == []

    run(main)


@eras
def test_rules_look_at_arguments(era: str, tmp_path: Path) -> None:
    allow = Rule(Verdict.ALLOW, "Mcp(demo.echo)", args=(("text", ("ok*",)),), layer="settings")

    async def main() -> None:
        async with gated(
            tmp_path, demo_server(), settings=PermissionSettings(allow=[allow]), era=era, on_ask="deny"
        ) as scene:
            assert text_of(await scene.client.call_tool("echo", {"text": "okay"})) == "okay"
            assert (await scene.client.call_tool("echo", {"text": "no"})).is_error
            assert scene.calls_that_ran() == ["echo"]

    run(main)


@eras
def test_a_path_in_the_arguments_meets_the_floor_whatever_a_rule_allows(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), settings=ALLOW_ALL, era=era, on_ask="deny") as scene:
            found = await scene.client.call_tool("wipe", {"path": str(tmp_path / ".ssh/id_ed25519")})
            assert found.is_error
            assert scene.calls_that_ran() == []

    run(main)


# --- resources and prompts -----------------------------------------------------------------------------------------


def methods_that_ran(scene: Scene) -> list[str]:
    """What of resources and prompts the server was asked for."""
    asked: list[Any] = [wire.loads(raw) for raw in scene.to_server]
    return [str(one["method"]) for one in asked if str(one.get("method")) in ("resources/read", "prompts/get")]


@eras
def test_what_a_rule_allows_of_resources_and_prompts_comes_back(era: str, tmp_path: Path) -> None:
    settings = PermissionSettings(allow=["Mcp(demo.resource)", "Mcp(demo.prompt)"])

    async def main() -> None:
        async with gated(tmp_path, demo_server(), settings=settings, era=era, on_ask="deny") as scene:
            (content,) = (await scene.client.read_resource("note://one")).contents
            assert isinstance(content, types.TextResourceContents) and content.text == "a note"
            assert (await scene.client.get_prompt("greet", {"name": "ada"})).messages
            told = [(fields["tool"], fields["approved"]) for _, fields in scene.journal]
            assert told == [("read_mcp_resource", True), ("get_mcp_prompt", True)]
            assert methods_that_ran(scene) == ["resources/read", "prompts/get"]

    run(main)


@eras
def test_resources_and_prompts_that_nobody_allowed_are_refused_with_the_reason(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), era=era, on_ask="deny") as scene:
            with pytest.raises(MCPError, match=r"calls demo\.resource: default mode asks first"):
                await scene.client.read_resource("note://one")
            with pytest.raises(MCPError, match=r"calls demo\.prompt: default mode asks first"):
                await scene.client.get_prompt("greet", {"name": "ada"})
            assert methods_that_ran(scene) == []

    run(main)


@eras
@pytest.mark.parametrize(
    "uri",
    [
        *("file://{}/.ssh/id_rsa", "file:{}/.ssh/id_rsa", "file://localhost{}/%2essh/id_rsa"),
        *("vscode-file://x{}/.ssh/id_rsa", "note://x{}/%2essh/id_rsa", "note://x{}/.ssh/id_rsa?v=1#top"),
        *("fs:/{}/.ssh/id_rsa", "fs://x/~/.ssh/id_rsa", "fs://~/.ssh/id_rsa", "fs://read?path={}/%2essh/id_rsa"),
        *("https://x{}/.ssh/id_rsa", "fs:%2F{}/%252essh/id_rsa", "fs://x{}/.ssh/id_rsa%00.txt"),
    ],
)
def test_a_resource_meets_the_floor_whatever_a_rule_allows(era: str, uri: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), settings=ALLOW_ALL, era=era) as scene:
            with pytest.raises(MCPError, match="is a sensitive credential path"):
                await scene.client.read_resource(uri.format(tmp_path))
            with pytest.raises(MCPError, match="is a sensitive credential path"):
                await scene.client.get_prompt("greet", {"name": f"{tmp_path}/.ssh/id_rsa"})
            assert methods_that_ran(scene) == []

    run(main)


@eras
def test_a_resource_is_read_once_a_person_approves(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), person=Person(True, False), era=era) as scene:
            assert (await scene.client.read_resource("note://one")).contents
            with pytest.raises(MCPError, match="A person refused this"):
                await scene.client.read_resource("note://one")
            assert methods_that_ran(scene) == ["resources/read"]

    run(main)


@eras
def test_a_call_is_held_until_a_person_approves_it_and_the_approval_is_spent(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), person=Person(True, False), era=era) as scene:
            assert text_of(await scene.client.call_tool("echo", {"text": "hi"})) == "hi"
            second = await scene.client.call_tool("echo", {"text": "hi"})
            assert second.is_error
            assert text_of(second).startswith("A person refused this.")
            assert scene.calls_that_ran() == ["echo"]
            asked = ["question", "shown", "answer"]
            assert [kind for kind, _ in scene.journal] == [*asked, "spent", *asked]

    run(main)


@eras
def test_a_client_that_counts_the_time_hears_progress_while_a_person_is_asked(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        heard: list[tuple[float, str | None]] = []
        enough = asyncio.Event()

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, message))
            if len(heard) == 3:
                enough.set()

        async with gated(tmp_path, demo_server(), era=era, heartbeat=0.01) as scene:
            async with anyio.create_task_group() as group:
                found: list[types.CallToolResult] = []

                async def call() -> None:
                    found.append(await scene.client.call_tool("work", {"steps": 2}, progress_callback=progress))

                group.start_soon(call)
                request = await scene.person.is_asked()
                await enough.wait()
                assert not scene.calls_that_ran()
                assert not scene.desk.answer(
                    request.id, Answer(True, "ada", "test", 1.0, fingerprint=request.fingerprint)
                )
            assert text_of(found[0]) == "done"
            assert heard[0][1] == "waiting for a person's permission"
            assert heard[-1:] == [(2, "working")]
            values = [value for value, _ in heard]
            assert values == sorted(values)

    run(main)


def test_a_cancelled_call_is_taken_back_and_never_made(tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server()) as scene:
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(scene.client.call_tool, "echo", {"text": "hi"})
                    request = await scene.person.is_asked()
                    scope.cancel()
            assert await scene.person.is_rid_of_it() == "cancelled"
            ticket = scene.desk.ticket(request.id)
            assert ticket is not None
            assert (ticket.state, ticket.note) == ("cancelled", "the caller stopped waiting")
            late = Answer(True, "ada", "test", 1.0, fingerprint=request.fingerprint)
            assert scene.desk.answer(request.id, late) != ""
            await scene.client.list_tools()
            assert scene.calls_that_ran() == []
            assert not any(b"notifications/cancelled" in raw for raw in scene.to_server)

    run(main)


def test_a_client_that_goes_away_leaves_nothing_pending(tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server()) as scene:
            calling = asyncio.create_task(scene.client.call_tool("echo", {"text": "hi"}))
            request = await scene.person.is_asked()
            await scene.gateway.close()
            assert await scene.person.is_rid_of_it() == "cancelled"
            ticket = scene.desk.ticket(request.id)
            assert ticket is not None
            assert ticket.state == "cancelled"
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)
            assert scene.calls_that_ran() == []

    run(main)


@eras
def test_a_ticket_is_refused_at_once_and_the_same_call_finds_the_answer_once(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), on_ask="ticket", era=era) as scene:
            first = await scene.client.call_tool("echo", {"text": "hi"})
            assert first.is_error
            (ticket,) = scene.desk.store.pending(scene.desk.clock())
            assert ticket.id in text_of(first)
            again = await scene.client.call_tool("echo", {"text": "hi"})
            assert ticket.id in text_of(again)
            answer = Answer(True, "ada", "test", 1.0, fingerprint=ticket.request.fingerprint)
            assert scene.desk.answer(ticket.id, answer) == ""
            other = await scene.client.call_tool("echo", {"text": "other"})
            assert other.is_error
            third = await scene.client.call_tool("echo", {"text": "hi"})
            assert (text_of(third), third.is_error) == ("hi", False)
            assert (await scene.client.call_tool("echo", {"text": "hi"})).is_error
            assert scene.calls_that_ran() == ["echo"]

    run(main)


@eras
@pytest.mark.parametrize(
    ("said", "runs"),
    [
        (types.ElicitResult(action="accept", content={"decision": "allow once"}), True),
        (types.ElicitResult(action="accept", content={"decision": "deny"}), False),
        (types.ElicitResult(action="decline"), False),
        (types.ElicitResult(action="cancel"), False),
    ],
)
def test_the_clients_own_dialog_can_answer(era: str, said: types.ElicitResult, runs: bool, tmp_path: Path) -> None:
    async def main() -> None:
        shown: list[str] = []

        async def dialog(context: Any, params: Any) -> types.ElicitResult:
            shown.append(params.message)
            return said

        async with gated(tmp_path, demo_server(), on_ask="elicit", era=era, elicitation_callback=dialog) as scene:
            found = await scene.client.call_tool("echo", {"text": "hi\u202e"})
            assert bool(found.is_error) is not runs
            assert scene.calls_that_ran() == ["echo"] * runs
            assert len(shown) == 1
            assert shown[0].startswith('Permission for MCP server "demo", tool "echo"')
            assert "\u202e" not in shown[0]
            answers = [fields["decided_by"] for kind, fields in scene.journal if kind == "answer"]
            assert answers == [{"kind": "human", "id": "the user of mcp", "via": "elicitation"}]
            assert b"assent" not in b"".join(raw for raw in scene.to_server if b"tools/call" in raw)

    run(main)


@eras
def test_a_client_without_a_dialog_is_held_instead(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), on_ask="elicit", era=era, person=Person(True)) as scene:
            assert text_of(await scene.client.call_tool("echo", {"text": "hi"})) == "hi"

    run(main)


@eras
def test_a_dialog_that_answers_nonsense_approves_nothing(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async def dialog(context: Any, params: Any) -> types.ElicitResult:
            return types.ElicitResult(action="accept", content={"decision": "yes", "approved": True})

        async with gated(
            tmp_path, demo_server(), on_ask="elicit", era=era, elicitation_callback=dialog, person=Person(False)
        ) as scene:
            assert (await scene.client.call_tool("echo", {"text": "hi"})).is_error
            assert scene.calls_that_ran() == []

    run(main)


def test_the_first_answer_wins_and_the_dialog_is_closed(tmp_path: Path) -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async def dialog(context: Any, params: Any) -> types.ElicitResult:
            try:
                await asyncio.Event().wait()
            finally:
                closed.set()
            raise AssertionError

        async with gated(
            tmp_path, demo_server(), on_ask="elicit", elicitation_callback=dialog, person=Person(True)
        ) as scene:
            assert text_of(await scene.client.call_tool("echo", {"text": "hi"})) == "hi"
            await closed.wait()

    run(main)


@eras
def test_deny_refuses_without_asking(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with gated(tmp_path, demo_server(), on_ask="deny", era=era) as scene:
            found = await scene.client.call_tool("echo", {"text": "hi"})
            assert "nobody is asked here" in text_of(found)
            assert scene.desk.store.pending(scene.desk.clock()) == ()

    run(main)


@eras
def test_hints_only_ever_narrow(era: str, tmp_path: Path) -> None:
    """In full_auto a destructive tool asks unless a rule allows it; a tool that says it only reads gains nothing."""
    auto = PermissionSettings(PermissionMode.FULL_AUTO)
    ruled = PermissionSettings(PermissionMode.FULL_AUTO, allow=["Mcp(demo.wipe)"])
    plan = PermissionSettings(PermissionMode.PLAN)

    async def main() -> None:
        for number, (settings, tool, arguments, runs) in enumerate(
            [
                (auto, "echo", {"text": "x"}, True),
                (auto, "wipe", {"path": "x"}, False),
                (ruled, "wipe", {"path": "x"}, True),
                (PermissionSettings(), "look", {}, False),
                (plan, "look", {}, False),
            ]
        ):
            state = tmp_path / str(number)
            async with gated(state, demo_server(), settings=settings, on_ask="deny", era=era) as scene:
                found = await scene.client.call_tool(tool, arguments)
                assert bool(found.is_error) is not runs, (tool, text_of(found))
                assert scene.calls_that_ran() == [tool] * runs

    run(main)


@eras
def test_a_hundred_calls_at_once_get_their_own_answers(era: str, tmp_path: Path) -> None:
    rules = PermissionSettings(allow=[Rule(Verdict.ALLOW, "Mcp(demo.echo)", args=(("text", ("yes*",)),))])

    async def main() -> None:
        async with gated(tmp_path, demo_server(), settings=rules, on_ask="deny", era=era) as scene:
            wanted = [f"{'yes' if number % 2 else 'no'} {number}" for number in range(100)]
            found = await asyncio.gather(*(scene.client.call_tool("echo", {"text": text}) for text in wanted))
            assert [bool(one.is_error) for one in found] == [text.startswith("no") for text in wanted]
            assert [text_of(one) for one in found if not one.is_error] == [t for t in wanted if t.startswith("yes")]
            assert len([kind for kind, _ in scene.journal if kind == "decision"]) == 100

    run(main)


@eras
def test_tools_that_are_denied_can_be_hidden(era: str, tmp_path: Path) -> None:
    from assent.record import replace

    async def main() -> None:
        settings = PermissionSettings(deny=["Mcp(demo.wipe)"])
        async with gated(
            tmp_path, demo_server(), settings=settings, era=era, wanted=lambda one: replace(one, hide=True)
        ) as scene:
            assert [tool.name for tool in (await scene.client.list_tools()).tools] == ["echo", "look", "work"]
            assert (await scene.client.call_tool("wipe", {"path": "x"})).is_error

    run(main)
