"""`assent doctor` proves that the configured hook refuses, and finds what would make it useless."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.hooking import ELSEWHERE
from assent.agents.hosts import claude_code, host_named, known_hosts
from scene import Scene

Capture = pytest.CaptureFixture[str]
HOSTS = pytest.mark.parametrize("agent", known_hosts())


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(claude_code, "MANAGED", str(tmp_path / "etc/managed-settings.json"))
    return Scene(tmp_path, monkeypatch)


def examined(scene: Scene, capsys: Capture, *agent: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """Exit code and what was found, by agent."""
    done = scene.run(capsys, "doctor", *agent, "--json")
    found = done.json
    assert found["sound"] is (done.code == 0)
    rows = found["findings"].items()
    return done.code, {name: [(row["level"], row["text"]) for row in findings] for name, findings in rows}


def problems(scene: Scene, capsys: Capture, *agent: str) -> list[str]:
    code, found = examined(scene, capsys, *agent)
    bad = [text for findings in found.values() for level, text in findings if level == "problem"]
    assert code == (1 if bad else 0)
    return bad


def put_program(scene: Scene, name: str, text: str) -> None:
    """A program of the agent, as far as the doctor talks to it."""
    file = scene.write(scene.home / "bin" / name, f"#!{sys.executable}\n{text}")
    file.chmod(0o755)
    scene.monkeypatch.setenv("PATH", f"{file.parent}:{os.defpath}")


def change(file: Path, changed: Callable[[Any], object]) -> None:
    settings = json.loads(file.read_text())
    changed(settings)
    file.write_text(json.dumps(settings))


@HOSTS
def test_an_installed_agent_is_proven(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", agent, "--yes")
    if agent == "codex":
        put_program(scene, "codex", CODEX.format(file=f"{scene.home}/.codex/hooks.json", trust="trusted", enabled=True))
    code, found = examined(scene, capsys, agent)
    told = [text for _, text in found[agent]]
    assert code == 0, found
    assert any(text.startswith("reading ~/.ssh/id_rsa is refused by ") for text in told)
    assert any(text.startswith("a payload that is garbage is refused by ") for text in told)
    assert any(text.startswith("a harmless command is let through by ") for text in told)
    assert set(host_named(agent).HOLES) <= {text for level, text in found[agent] if level == "note"}


@HOSTS
def test_without_a_name_all_installed_agents_are_examined(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", agent, "--yes")
    assert set(examined(scene, capsys)[1]) == {"assent", agent}


@HOSTS
def test_an_agent_without_the_hook_is_a_problem_when_it_is_named(agent: str, scene: Scene, capsys: Capture) -> None:
    assert problems(scene, capsys, agent) == [f"{host_named(agent).TITLE} has no hook"]


def test_no_agent_at_all_is_a_problem(scene: Scene, capsys: Capture) -> None:
    assert problems(scene, capsys) == ["no agent has the hook"]


def test_the_text_names_what_to_do(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "doctor")
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        "assent\n"
        f"  ok    {scene.state} can be written\n"
        "  ok    the policy loads, mode default\n"
        "  WRONG no agent has the hook\n"
        "        do: `assent install claude-code`\n"
    )


def test_a_broken_policy_and_state_are_found(scene: Scene, capsys: Capture) -> None:
    scene.user("this is [not toml")
    scene.state.parent.mkdir()
    scene.state.write_text("")
    found = problems(scene, capsys)
    assert any(text.startswith("nothing can be written down, so nothing is allowed: ") for text in found)
    assert any(text.startswith("the policy is broken, so everything is refused: ") for text in found)


def test_a_hook_that_says_nothing_is_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes")
    file = scene.home / ".claude/settings.json"
    quiet = scene.write(scene.home / "assent.py", "import sys\nsys.stdin.read()\n")

    def break_it(settings: Any) -> None:
        handler = settings["hooks"]["PreToolUse"][0]["hooks"][0]
        handler["args"] = [str(quiet), "hook", "claude-code"]

    change(file, break_it)
    assert problems(scene, capsys, "claude-code") == [
        f"reading ~/.ssh/id_rsa is not refused by PreToolUse in {file}: exit code 0, ``",
        f"a payload that is garbage is not refused by PreToolUse in {file}: exit code 0, ``",
    ]


def test_an_interpreter_that_is_gone_is_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes")
    file = scene.home / ".claude/settings.json"
    change(file, lambda found: found["hooks"]["PreToolUse"][0]["hooks"][0].update(command="/gone/python"))
    assert problems(scene, capsys, "claude-code") == [f"`/gone/python`, which the hook in {file} starts, is not there"]


def test_a_hook_of_another_installation_is_noted(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes")
    file = scene.home / ".claude/settings.json"
    other = scene.home / "other/assent/start.py"
    other.parent.mkdir(parents=True)
    other.symlink_to(Path(__file__).parent.parent.parent / "src/assent/start.py")
    file.write_text(re.sub(r'"[^"]*/start.py"', json.dumps(str(other)), file.read_text()))
    found = examined(scene, capsys, "claude-code")[1]["claude-code"]
    assert ("note", f"the hook in {file} is of another installation: {other}") in found


CLAUDE_CHANGES: dict[str, tuple[Callable[[Any], object], str]] = {
    "fails-open": (
        lambda found: found["hooks"]["PreToolUse"][0]["hooks"][0].pop("onFailure"),
        "the hook for PreToolUse in {file} lets tools run when it fails",
    ),
    "short-of-time": (
        lambda found: found["hooks"]["PreToolUse"][0]["hooks"][0].update(timeout=5),
        "the hook for PreToolUse in {file} has another `timeout` than Assent relies on",
    ),
    "not-for-all": (
        lambda found: found["hooks"]["PreToolUse"][0]["hooks"][0].update({"if": "Bash(git *)"}),
        "the hook for PreToolUse in {file} does not see every call",
    ),
    "other-matcher": (
        lambda found: found["hooks"]["PreToolUse"][0].update(matcher="Bash"),
        "the hook for PreToolUse in {file} does not see every call",
    ),
    "switched-off": (
        lambda found: found.update(disableAllHooks=True),
        "`disableAllHooks` in {file} switches the hook off",
    ),
}


@pytest.mark.parametrize("what", CLAUDE_CHANGES)
def test_what_weakens_the_hook_of_claude_code_is_found(what: str, scene: Scene, capsys: Capture) -> None:
    changed, text = CLAUDE_CHANGES[what]
    scene.run(capsys, "install", "claude-code", "--yes")
    file = scene.home / ".claude/settings.json"
    change(file, changed)
    assert problems(scene, capsys, "claude-code") == [text.format(file=file)]


def test_managed_settings_that_shut_the_hook_out_are_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes")
    managed = scene.write(Path(claude_code.MANAGED), '{"allowManagedHooksOnly": true}')
    assert problems(scene, capsys, "claude-code") == [f"`allowManagedHooksOnly` in {managed} switches the hook off"]
    assert scene.run(capsys, "install", "claude-code", "--managed", "--yes").code == 0
    assert scene.run(capsys, "uninstall", "claude-code", "--user", "--yes").code == 0
    assert problems(scene, capsys, "claude-code") == []


@pytest.mark.parametrize(
    ("version", "level", "text"),
    [
        ("2.1.294", "problem", "Claude Code 2.1.294 lets tools run when a hook fails; 2.1.295 and later block"),
        ("2.1.325", "ok", "Claude Code 2.1.325 blocks when a hook fails"),
        ("3.0.0", "ok", "Claude Code 3.0.0 blocks when a hook fails"),
        ("new", "note", "`claude` is not on the PATH, so its version is not known"),
    ],
)
def test_the_version_of_claude_code_matters(version: str, level: str, text: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes")
    put_program(scene, "claude", f"print('{version} (Claude Code)')")
    assert (level, text) in examined(scene, capsys, "claude-code")[1]["claude-code"]


def test_the_plugin_of_claude_code_is_examined_too(scene: Scene, capsys: Capture) -> None:
    folder = Path(__file__).parent.parent.parent / "integrations/claude-code/plugins/assent"
    copies = {"assent@assent": [{"scope": "user", "installPath": str(folder)}]}
    scene.write(scene.home / ".claude/plugins/installed_plugins.json", json.dumps({"version": 2, "plugins": copies}))
    scene.write(scene.home / ".claude/settings.json", json.dumps({"enabledPlugins": {"assent@assent": True}}))
    lacking = f"`assent`, which the hook in {folder}/hooks/hooks.json starts, is not there"
    assert problems(scene, capsys, "claude-code") == [lacking]
    start = Path(__file__).parent.parent.parent / "src/assent/start.py"
    put_program(
        scene,
        "assent",
        f"import os, sys\nwords = [{sys.executable!r}, '-I', '-S', {str(start)!r}, *sys.argv[1:]]\n"
        "os.execv(words[0], words)\n",
    )
    assert problems(scene, capsys, "claude-code") == []


CODEX = """
import json, sys
if sys.argv[1:] == ["--version"]:
    print("codex-cli 0.166.0")
else:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked.get("method") == "hooks/list":
            hooks = [dict(eventName=event, sourcePath={file!r}, enabled={enabled}, trustStatus={trust!r})
                     for event in ("preToolUse", "permissionRequest")]
            print(json.dumps(dict(method="noise")), flush=True)
            result = dict(data=[dict(hooks=hooks)])
            print(json.dumps(dict(id=asked["id"], result=result), separators=(",", ":")), flush=True)
"""


@pytest.mark.parametrize(
    ("trust", "enabled", "state"),
    [
        ("trusted", True, ""),
        ("managed", True, ""),
        ("untrusted", True, "untrusted"),
        ("modified", True, "modified"),
        ("trusted", False, "disabled"),
    ],
)
def test_the_trust_of_codex_is_asked_for(trust: str, enabled: bool, state: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "codex", "--yes")
    put_program(scene, "codex", CODEX.format(file=str(scene.home / ".codex/hooks.json"), trust=trust, enabled=enabled))
    expected = [
        f"Codex does not run the hook for {event}: it is {state}" for event in ("PreToolUse", "PermissionRequest")
    ]
    assert problems(scene, capsys, "codex") == (expected if state else [])


def test_a_codex_that_does_not_say_what_it_trusts_is_a_warning(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "codex", "--yes")
    put_program(scene, "codex", "print('codex-cli 9')")
    found = examined(scene, capsys, "codex")[1]["codex"]
    assert ("warning", "Codex did not say which hooks it trusts") in found


def test_a_codex_that_is_not_there_is_a_problem_only_when_it_is_named(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "codex", "--yes")
    absent = "`codex` is not on the PATH, so neither its version nor its trust is known"
    assert problems(scene, capsys, "codex") == [absent]
    code, found = examined(scene, capsys)
    assert (code, ("warning", absent) in found["codex"]) == (0, True)


def test_what_weakens_the_hooks_of_codex_is_found(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "codex", "--yes")
    put_program(scene, "codex", CODEX.format(file=f"{scene.home}/.codex/hooks.json", trust="trusted", enabled=True))
    scene.write(scene.home / ".codex/config.toml", "[features]\nhooks = false\n")
    change(scene.home / ".codex/hooks.json", lambda found: found["hooks"].pop("PermissionRequest"))
    change(scene.home / ".codex/hooks.json", lambda found: found["hooks"]["PreToolUse"][0].update(matcher="Bash"))
    assert problems(scene, capsys, "codex") == [
        f"the hook for PreToolUse in {scene.home}/.codex/hooks.json does not see every call",
        "no hook for PermissionRequest",
        f"`features.hooks = false` in {scene.home}/.codex/config.toml switches all hooks off",
    ]
