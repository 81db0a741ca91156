"""Real agents with an MCP server of their own: a rule on `Mcp(server.tool)` means the same in front of each of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agents import notes_server
from agents.driving import BYPASS, TRUSTED, Lab, Ran, claude, codex, codex_config
from agents.everyday import made
from agents.fake_model import FakeModel, Use
from agents.launching import (
    cline,
    cline_settings,
    copilot,
    gemini,
    gemini_settings,
    opencode,
    opencode_settings,
    qwen,
    qwen_settings,
)

pytestmark = pytest.mark.agent
SERVER = (sys.executable, notes_server.__file__)
POLICY = """\
[[rule]]
id = "may-add"
allow = "Mcp(notes.add)"

[[rule]]
id = "never-drop"
deny = "Mcp(notes.drop_all)"
"""
WHY_NOT_ASKED = "notes.add matches allow rule: Mcp(notes.add)"
WHY_DENIED = "notes.drop_all matches deny rule: Mcp(notes.drop_all)"


class Served(NamedTuple):
    """How an agent is led to the model and the server, how it is started, and what it calls the server's tools."""

    prepare: Callable[[Lab, str], object]
    launch: Callable[[Lab, str], Ran]
    prefix: str
    namespace: str = ""

    def use(self, name: str) -> Use:
        return Use(self.prefix + name, {"text": "x"}, self.namespace)


def named(lab: Lab, file: str, **more: object) -> None:
    """Put the server into a settings file of the usual form."""
    path = lab.home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    settings: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    settings["mcpServers"] = {"notes": {"command": SERVER[0], "args": list(SERVER[1:]), **more}}
    path.write_text(json.dumps(settings))


def for_codex(lab: Lab, url: str) -> None:
    file = codex_config(lab, url)
    server = f"[mcp_servers.notes]\ncommand = {json.dumps(SERVER[0])}\nargs = {json.dumps(SERVER[1:])}\n"
    file.write_text(f"{file.read_text()}\n{server}")


def for_gemini(lab: Lab, _url: str) -> None:
    gemini_settings(lab)
    named(lab, ".gemini/settings.json", trust=True)


def for_qwen(lab: Lab, _url: str) -> None:
    qwen_settings(lab)
    named(lab, ".qwen/settings.json", trust=True)


def for_cline(lab: Lab, url: str) -> None:
    cline_settings(lab, url)
    named(lab, ".cline/data/settings/cline_mcp_settings.json")


def for_opencode(lab: Lab, url: str) -> None:
    opencode_settings(lab, url)
    file = lab.home / "config/opencode/opencode.json"
    server = {"type": "local", "command": list(SERVER), "enabled": True}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"mcp": {"notes": server}}))


def with_claude(lab: Lab, url: str) -> Ran:
    lab.env["ENABLE_TOOL_SEARCH"] = "false"  # else the model has to look for tools of servers first
    return claude(lab, url, *BYPASS)


SERVED = {
    "claude-code": Served(lambda lab, _: named(lab, ".claude.json"), with_claude, "mcp__notes__"),
    "codex": Served(for_codex, lambda lab, _: codex(lab, TRUSTED), "", "mcp__notes"),
    "gemini": Served(for_gemini, lambda lab, url: gemini(lab, url, "--yolo"), "mcp_notes_"),
    "copilot": Served(
        lambda lab, _: named(lab, ".copilot/mcp-config.json", type="local", tools=["*"]),
        lambda lab, url: copilot(lab, url, "--allow-all-tools"),
        "notes-",
    ),
    "qwen": Served(for_qwen, lambda lab, url: qwen(lab, url, "--yolo"), "mcp__notes__"),
    "cline": Served(for_cline, lambda lab, _: cline(lab), "notes__"),
    "opencode": Served(for_opencode, lambda lab, _: opencode(lab), "notes_"),
}


@pytest.mark.parametrize("agent", SERVED)
def test_a_rule_on_a_tool_of_a_server_is_kept(agent: str, tmp_path: Path) -> None:
    lab, served = Lab(tmp_path, POLICY), SERVED[agent]
    with FakeModel(served.use("add"), served.use("drop_all")) as model:
        served.prepare(lab, model.url)
        done = lab.assent("install", agent, "--yes", "--on-ask", "deny")
        assert done.code == 0, done.err
        served.launch(lab, model.url)
    assert made(lab) == {"mcp-add"}
    assert {(row["decision"], row["reason"]) for row in lab.journal()} == {
        ("allow", WHY_NOT_ASKED),
        ("deny", WHY_DENIED),
    }
