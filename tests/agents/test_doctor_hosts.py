"""What weakens the hook of each further agent is found by `assent doctor`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agents.hooking import ADAPTERS, ELSEWHERE
from assent.agents import agent_named
from assent.agents.hosts import host_named
from scene import Scene

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    return Scene(tmp_path, monkeypatch)


class Weak(NamedTuple):
    """A change to a JSON file of an agent, and what the doctor must say about it."""

    agent: str
    file: str
    change: Callable[[Any], object]
    told: str


def handlers(settings: Any, event: str) -> Any:
    """The handlers of an event, in groups or bare."""
    return [one for group in settings["hooks"][event] for one in group.get("hooks", [group])]


def update(event: str, **fields: Any) -> Callable[[Any], object]:
    return lambda settings: [one.update(fields) for one in handlers(settings, event)]


def bare(event: str) -> Callable[[Any], object]:
    """Without the shell that stays behind."""
    return lambda settings: [
        one.update(command=one["command"].partition(" assent ")[2]) for one in handlers(settings, event)
    ]


GEMINI, QWEN = ".gemini/settings.json", ".qwen/settings.json"
COPILOT, CURSOR, WINDSURF = ".copilot/hooks/assent.json", ".cursor/hooks.json", ".codeium/windsurf/hooks.json"
WEAK = {
    "gemini-time": Weak(
        "gemini", GEMINI, update("BeforeTool", timeout=60000), "the hook for BeforeTool has another `timeout`"
    ),
    "gemini-bare": Weak(
        "gemini", GEMINI, bare("BeforeTool"), "the hook for BeforeTool lets tools run when it is killed"
    ),
    "gemini-off": Weak(
        "gemini",
        GEMINI,
        lambda found: found.update(hooksConfig={"enabled": False}),
        "`hooksConfig.enabled` in {file} switches all hooks off",
    ),
    "gemini-disabled": Weak(
        "gemini",
        GEMINI,
        lambda found: found.update(hooksConfig={"disabled": ["assent"]}),
        "`hooksConfig.disabled` in {file} switches the hook off",
    ),
    "gemini-matcher": Weak(
        "gemini",
        GEMINI,
        lambda found: found["hooks"]["BeforeTool"][0].update(matcher="read_.*"),
        "the hook for BeforeTool in {file} does not see every call",
    ),
    "qwen-time": Weak("qwen", QWEN, update("PreToolUse", timeout=60), "the hook for PreToolUse has another `timeout`"),
    "qwen-bare": Weak("qwen", QWEN, bare("PreToolUse"), "the hook for PreToolUse lets tools run when it is killed"),
    "qwen-beside": Weak(
        "qwen", QWEN, update("PreToolUse", **{"async": True}), "the hook for PreToolUse runs beside the tool"
    ),
    "qwen-off": Weak(
        "qwen",
        QWEN,
        lambda found: found.update(disableAllHooks=True),
        "`disableAllHooks` in {file} switches the hook off",
    ),
    "copilot-time": Weak(
        "copilot", COPILOT, update("preToolUse", timeoutSec=30), "the hook for preToolUse has another `timeoutSec`"
    ),
    "copilot-half": Weak(
        "copilot", COPILOT, lambda found: found["hooks"].pop("permissionRequest"), "no hook for permissionRequest"
    ),
    "copilot-off": Weak(
        "copilot",
        COPILOT,
        lambda found: found.update(disableAllHooks=True),
        "`disableAllHooks` in {file} switches the hooks off",
    ),
    "cursor-open": Weak(
        "cursor", CURSOR, update("preToolUse", failClosed=False), "the hook for preToolUse lets tools run when it fails"
    ),
    "cursor-time": Weak(
        "cursor", CURSOR, update("preToolUse", timeout=5), "the hook for preToolUse has another `timeout`"
    ),
    "cursor-half": Weak(
        "cursor", CURSOR, lambda found: found["hooks"].pop("beforeMCPExecution"), "no hook for beforeMCPExecution"
    ),
    "windsurf-bare": Weak(
        "windsurf", WINDSURF, bare("pre_run_command"), "the hook for pre_run_command lets tools run when it is killed"
    ),
    "windsurf-half": Weak(
        "windsurf", WINDSURF, lambda found: found["hooks"].pop("pre_read_code"), "no hook for pre_read_code"
    ),
}


def problems(scene: Scene, capsys: Capture, agent: str) -> list[str]:
    done = scene.run(capsys, "doctor", agent, "--json")
    found = [row["text"] for row in done.json["findings"][agent] if row["level"] == "problem"]
    assert done.code == (1 if found else 0)
    return found


@pytest.mark.parametrize("how", WEAK)
def test_what_weakens_a_hook_is_found(how: str, scene: Scene, capsys: Capture) -> None:
    weak = WEAK[how]
    assert scene.run(capsys, "install", weak.agent, "--yes").code == 0
    assert problems(scene, capsys, weak.agent) == []
    file = scene.home / weak.file
    settings = json.loads(file.read_text())
    weak.change(settings)
    file.write_text(json.dumps(settings))
    [told] = problems(scene, capsys, weak.agent)
    assert told.startswith(weak.told.format(file=file))


def test_the_policy_file_of_gemini_is_missed(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "gemini", "--yes")
    file = scene.home / ".gemini/policies/assent.toml"
    file.unlink()
    assert problems(scene, capsys, "gemini") == [f"{file} is missing or changed: `--acp` mode is open"]


def test_a_script_of_cline_that_may_not_run_is_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "cline", "--yes")
    file = scene.home / ".cline/hooks/PreToolUse"
    file.chmod(0o644)
    assert f"{file} may not be executed, so Cline skips it" in problems(scene, capsys, "cline")


def test_an_opencode_without_plugins_is_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "opencode", "--yes")
    scene.monkeypatch.setenv("OPENCODE_PURE", "1")
    assert problems(scene, capsys, "opencode") == ["`OPENCODE_PURE` is set: OpenCode loads no plugins"]


def test_agents_that_no_test_drives_say_so(scene: Scene, capsys: Capture) -> None:
    for agent in (name for name in ADAPTERS if not agent_named(name).PROVEN):
        title = host_named(agent).TITLE
        told = f"the tests of Assent do not run {title} itself: this follows its documentation"
        assert told in scene.run(capsys, "install", agent, "--yes").out
        assert told in scene.run(capsys, "doctor", agent).out
