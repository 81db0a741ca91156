"""The name of a server, the lines of a stream, and dialogs that can only open a link."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from assent.errors import UsageError
from assent.mcp import elicitation
from assent.mcp.connection import server_name
from assent.mcp.lines import Lines
from assent.questions import Answer, ApprovalRequest
from assent.record import replace
from mcp_scene import ERAS, Person, demo_server, gated, run, text_of


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("npx -y @modelcontextprotocol/server-filesystem /home/you", "filesystem"),
        ("npx @playwright/mcp@latest", "playwright"),
        ("uvx mcp-server-git --repository .", "git"),
        ("uvx mcp-server-fetch", "fetch"),
        ("python -m weather_server", "weather"),
        ("/usr/bin/python3.12 /srv/notes.py", "notes"),
        ("node build/index.js", "index"),
        ("docker run -i --rm ghcr.io/github/github-mcp-server:1.2", "github"),
        ("/opt/my__odd name", "my_odd-name"),
    ],
)
def test_a_command_suggests_a_name(words: str, name: str) -> None:
    split = words.split(" ") if "odd" not in words else [words]
    assert server_name("", split, "") == name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mcp.linear.app/sse", "linear"),
        ("https://api.example.com/mcp/", "example"),
        ("http://127.0.0.1:8000/mcp", "127-0-0-1"),
        ("http://localhost:8000/mcp", "localhost"),
    ],
)
def test_a_url_suggests_a_name(url: str, name: str) -> None:
    assert server_name("", (), url) == name


@pytest.mark.parametrize("name", ["a.b", "a__b", "a_", "_a", "", "-a", "a b", "ü", "a" * 65, "*"])
def test_a_name_that_rules_could_not_tell_apart_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        server_name(name, ("npx",), "")


def test_lines_are_cut_and_long_ones_thrown_away() -> None:
    lines = Lines(5)
    assert list(lines.feed(b"ab")) == []
    assert list(lines.feed(b"c\n\n  \nde\r\n123456\nx\n12345")) == [b"abc", b"de\r", b"x"]
    assert lines.too_long == 1
    assert lines.rest() == b"12345"
    assert (list(lines.feed(b"1234")), list(lines.feed(b"567\n")), lines.too_long) == ([], [], 2)


REQUEST = ApprovalRequest("r1", "mcp__demo__a", "{}", fingerprint="f")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"action": "yes"},
        {"action": "accept"},
        {"action": "accept", "content": None},
        {"action": "accept", "content": {"decision": "allow"}},
        {"action": "accept", "content": {"decision": True}},
        {"action": ["accept"], "content": {"decision": "allow once"}},
    ],
)
def test_what_is_no_answer_is_none(said: dict[str, object]) -> None:
    assert elicitation.answer(said, REQUEST, "ada", 1.0) is None


def test_a_decline_never_approves_whatever_comes_with_it() -> None:
    said = {"action": "decline", "content": {"decision": "allow once"}}
    assert elicitation.answer(said, REQUEST, "ada", 1.0) == Answer(
        False, "ada", "elicitation", 1.0, "declined", fingerprint="f"
    )


@pytest.mark.parametrize(
    ("capabilities", "ways"),
    [
        ({}, frozenset()),
        ({"elicitation": None}, frozenset()),
        ({"elicitation": {}}, frozenset({"form"})),
        ({"elicitation": {"form": {}}}, frozenset({"form"})),
        ({"elicitation": {"url": {}}}, frozenset({"url"})),
        ({"elicitation": {"url": {}, "form": {}}}, frozenset({"url", "form"})),
    ],
)
def test_a_client_says_how_it_can_ask(capabilities: dict[str, object], ways: frozenset[str]) -> None:
    assert elicitation.ways(capabilities) == ways


@pytest.mark.parametrize("era", ERAS)
def test_opening_a_link_approves_nothing_by_itself(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        opened: list[str] = []

        async def dialog(context: Any, params: Any) -> types.ElicitResult:
            opened.append(params.url)
            return types.ElicitResult(action="accept")

        def wanted(one: Any) -> Any:
            return replace(one, inbox="http://127.0.0.1:8642/")

        person = Person()
        async with gated(
            tmp_path,
            demo_server(),
            on_ask="elicit",
            era=era,
            person=person,
            wanted=wanted,
            elicitation_callback=dialog,
        ) as scene:
            can = scene.gateway.client_can
            scene.gateway.client_can = lambda body: can(body) & {"url"}  # type: ignore[method-assign]
            calling = asyncio.create_task(scene.client.call_tool("echo", {"text": "hi"}))
            request = await person.is_asked()
            assert scene.calls_that_ran() == []
            scene.desk.answer(request.id, Answer(True, "ada", "web", 1.0, fingerprint=request.fingerprint))
            assert text_of(await calling) == "hi"
            assert opened == ["http://127.0.0.1:8642/"]

    run(main)
