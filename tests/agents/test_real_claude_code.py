"""The real Claude Code with Assent in front of it: what its tools do, and what they do when the hook is broken.

Its own permissions are all given (`bypassPermissions`), so that a tool that does not run was stopped by the hook.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agents.claude_screen import claude_screen, press
from agents.driving import BYPASS, CLAUDE, Lab, Ran, claude, program
from agents.fake_model import FakeModel, Script, Use

pytestmark = pytest.mark.agent
SETTINGS = ".claude/settings.json"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def touch(name: str) -> Use:
    return Use("Bash", {"command": f"touch {name}", "description": "make a file"})


def subagent() -> Use:
    task = {"description": "do it", "prompt": "SUBAGENT", "subagent_type": "general-purpose"}
    return Use("Agent", task | {"run_in_background": False})


def install(lab: Lab, *words: str) -> None:
    done = lab.assent("install", "claude-code", "--yes", *words)
    assert done.code == 0, done.err


def test_what_is_allowed_runs(lab: Lab) -> None:
    install(lab)
    with FakeModel(touch("allowed")) as model:
        done = claude(lab, model.url)
    assert (done.code, lab.made(), model.told) == (0, {"allowed"}, ["(Bash completed with no output)"])
    [entry] = lab.journal()
    assert (entry["agent"], entry["decision"], entry["command"]) == ("claude-code", "allow", "touch allowed")
    assert entry["session_id"] == done.json["session_id"]


def test_what_is_denied_does_not_run_and_the_model_hears_why(lab: Lab) -> None:
    install(lab)
    with FakeModel(touch("denied")) as model:
        assert claude(lab, model.url, *BYPASS).code == 0
    assert lab.made() == set()
    [told] = model.told
    assert "touch denied matches deny rule: Bash(touch denied). Do not try to reach the same effect another way" in told


def test_a_secret_is_not_read(lab: Lab) -> None:
    install(lab)
    key = lab.home / ".ssh/id_rsa"
    key.parent.mkdir()
    key.write_text("the key itself")
    with FakeModel(Use("Read", {"file_path": str(key)})) as model:
        claude(lab, model.url, *BYPASS)
    [told] = model.told
    assert "is a sensitive credential path" in told and "the key itself" not in told


@pytest.mark.parametrize("approves", [True, False])
def test_the_hook_holds_until_a_person_answers(lab: Lab, approves: bool) -> None:
    install(lab, "--on-ask", "hold")
    with FakeModel(touch("asked")) as model, lab.person(approves=approves) as asked:
        claude(lab, model.url, *BYPASS)
    assert [request.command for request in asked] == ["touch asked"]
    assert lab.made() == ({"asked"} if approves else set())
    [told] = model.told
    assert ("A person refused this: as agreed." in told) is not approves


@pytest.mark.parametrize("approves", [True, False])
def test_a_run_without_a_person_is_suspended_and_resumed_after_the_answer(lab: Lab, approves: bool) -> None:
    install(lab)
    with FakeModel(touch("asked")) as model:
        first = claude(lab, model.url, *BYPASS)
        assert (first.json["stop_reason"], lab.made(), model.told) == ("tool_deferred", set(), [])
        again = resumed(lab, model.url, first)
        assert (again.json["stop_reason"], lab.made(), model.told) == ("tool_deferred", set(), [])
        lab.answer(approves=approves)
        last = resumed(lab, model.url, first)
    assert (last.json["stop_reason"], lab.made()) == ("end_turn", {"asked"} if approves else set())
    [told] = model.told
    assert ("A person refused this: as agreed." in told) is not approves


def test_calls_made_at_once_are_all_suspended(lab: Lab) -> None:
    install(lab)
    with FakeModel(Script(((touch("asked"), touch("denied"), touch("allowed")),))) as model:
        first = claude(lab, model.url, *BYPASS)
        assert (first.json["stop_reason"], lab.made()) == ("tool_deferred", {"allowed"})
        lab.answer(approves=True)
        resumed(lab, model.url, first)
    assert lab.made() == {"allowed", "asked"}


def test_a_subagent_gets_a_ticket_because_it_cannot_be_resumed(lab: Lab) -> None:
    install(lab)
    with FakeModel(Script((touch("asked"),), "SUBAGENT"), subagent()) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    assert any("A person has been asked and has not answered yet" in told for told in model.told)


def resumed(lab: Lab, url: str, first: Ran, prompt: str = "") -> Ran:
    return claude(lab, url, *BYPASS, "--resume", first.json["session_id"], prompt=prompt)


def test_a_ticket_is_redeemed_once_by_the_same_call(lab: Lab) -> None:
    install(lab, "--on-ask", "ticket")
    with FakeModel(*[touch("asked")] * 3) as model:
        first = claude(lab, model.url, *BYPASS)
        assert lab.made() == set()
        assert "has not answered yet" in model.told[0]
        lab.answer(approves=True)
    with FakeModel(*[touch("asked")] * 5) as model:
        resumed(lab, model.url, first, prompt="try again")
    assert lab.made() == {"asked"}
    spent = [entry for entry in lab.journal() if entry["kind"] == "spent"]
    assert len(spent) == 1


def test_its_own_dialog_is_not_used_where_nobody_sees_it(lab: Lab) -> None:
    install(lab, "--on-ask", "host")
    with FakeModel(touch("asked")) as model:
        assert claude(lab, model.url, *BYPASS).json["stop_reason"] == "tool_deferred"
    assert lab.made() == set()


def test_when_nobody_shall_be_asked_the_model_hears_that(lab: Lab) -> None:
    install(lab, "--on-ask", "deny")
    with FakeModel(touch("asked")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    assert "This needs a person, and nobody is asked here" in model.told[0]


def test_a_subagent_is_asked_about_by_name(lab: Lab) -> None:
    install(lab)
    with FakeModel(Script((touch("denied"),), "SUBAGENT"), subagent()) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    chains = [(entry["tool"], entry["agent_chain"], entry["decision"]) for entry in lab.journal()]
    assert chains == [("Agent", [], "allow"), ("Bash", ["main", "general-purpose"], "deny")]


# --- with a person in front of it ----------------------------------------------------------------------------------


def test_its_own_dialog_shows_our_reason_and_a_yes_runs_the_tool(lab: Lab) -> None:
    install(lab, "--on-ask", "host")
    with FakeModel(touch("asked")) as model, claude_screen(lab, model.url) as screen:
        screen.expect("requires confirmation for this command")
        screen.expect("writes asked: default mode asks first")
        assert lab.made() == set()
        press(screen, "\r", "shell command")
        assert model.heard.wait(30)
    assert lab.made() == {"asked"}


def test_a_no_in_its_own_dialog_is_a_no(lab: Lab) -> None:
    install(lab, "--on-ask", "host")
    with FakeModel(touch("asked")) as model, claude_screen(lab, model.url) as screen:
        screen.expect("requires confirmation for this command")
        press(screen, "2", "shift\\+tab")
    assert lab.made() == set()


def test_while_the_hook_holds_the_screen_says_where_to_answer(lab: Lab) -> None:
    install(lab, "--on-ask", "hold")
    with FakeModel(touch("asked")) as model, claude_screen(lab, model.url) as screen:
        screen.expect("questions wait at: assent serve")
        with lab.person(approves=True):
            assert model.heard.wait(30)
    assert lab.made() == {"asked"}


# --- when the hook is broken ---------------------------------------------------------------------------------------


def test_a_hook_that_is_killed_blocks(lab: Lab) -> None:
    install(lab, "--on-ask", "hold")
    with FakeModel(touch("asked")) as model, lab.assassin() as killed:
        claude(lab, model.url, *BYPASS)
    assert (len(killed), lab.made()) == (1, set())


def test_a_hook_that_outlives_its_time_blocks(lab: Lab) -> None:
    install(lab, "--on-ask", "hold")
    lab.change_hooks(SETTINGS, timeout=2)
    with FakeModel(touch("asked")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()


BREAKAGES = {
    "crashes": (sys.executable, ["-c", "raise SystemExit(1)"], set()),
    "is-not-there": ("/nowhere/python", ["-I"], set()),
    "says-broken-json": (sys.executable, ["-c", "print('{\"hookSpecificOutput\": 1}')"], set()),
    "says-plain-text": (sys.executable, ["-c", "print('hello')"], {"denied"}),
    "says-nothing": (sys.executable, ["-c", "pass"], {"denied"}),
}
"""What stands in for the hook, and what the tool does then. The last two are why nobody else may answer for Assent."""


@pytest.mark.parametrize("how", BREAKAGES)
def test_what_a_broken_hook_lets_through(how: str, lab: Lab) -> None:
    command, args, made = BREAKAGES[how]
    install(lab)
    lab.change_hooks(SETTINGS, command=command, args=args)
    with FakeModel(touch("denied")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == made


@pytest.mark.parametrize("switch", ["--bare", "--safe-mode"])
def test_its_own_switches_run_no_hooks(switch: str, lab: Lab) -> None:
    install(lab)
    with FakeModel(touch("denied")) as model:
        claude(lab, model.url, *BYPASS, switch)
    assert lab.made() == {"denied"}


# --- where the hook stands -----------------------------------------------------------------------------------------


def test_the_hook_of_a_project_holds_there(lab: Lab) -> None:
    install(lab, "--project")
    assert not (lab.home / SETTINGS).exists()
    with FakeModel(touch("denied")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    assert lab.assent("uninstall", "claude-code", "--yes").code == 0
    assert not (lab.project / ".claude").exists()


# --- installing ----------------------------------------------------------------------------------------------------


def test_install_use_uninstall_leaves_the_settings_as_they_were(lab: Lab) -> None:
    file = lab.home / SETTINGS
    file.parent.mkdir()
    file.write_text('{\n    "cleanupPeriodDays": 20\n}')
    install(lab)
    with FakeModel(touch("denied")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    assert lab.assent("uninstall", "claude-code", "--yes").code == 0
    assert file.read_text() == '{\n    "cleanupPeriodDays": 20\n}'


def test_the_doctor_knows_this_version_blocks(lab: Lab) -> None:
    install(lab)
    lab.env["PATH"] = f"{Path(program('claude-code', CLAUDE)).parent}:{lab.env['PATH']}"
    found = lab.assent("doctor", "claude-code", "--json")
    told = [row["text"] for row in found.json["findings"]["claude-code"]]
    assert (found.code, found.json["sound"]) == (0, True)
    assert "Claude Code 2.1.325 blocks when a hook fails" in told


def test_the_plugin_is_valid_and_blocks(lab: Lab, tmp_path: Path) -> None:
    folder = Path(__file__).parent.parent.parent / "integrations/claude-code"
    own = program("claude-code", CLAUDE)
    for part in (folder, folder / "plugins/assent"):
        checked = lab.run([own, "plugin", "validate", str(part)])
        assert checked.code == 0, checked.out + checked.err
    for words in (["marketplace", "add", str(folder)], ["install", "assent@assent"]):
        done = lab.run([own, "plugin", *words])
        assert done.code == 0, done.out + done.err
    command = tmp_path / "bin/assent"
    command.parent.mkdir()
    start = Path(__file__).parent.parent.parent / "src/assent/start.py"
    command.write_text(f'#!/bin/sh\nexec {json.dumps(sys.executable)} -I -S {json.dumps(str(start))} "$@"\n')
    command.chmod(0o755)
    lab.env["PATH"] = f"{command.parent}:{lab.env['PATH']}"
    with FakeModel(touch("denied")) as model:
        claude(lab, model.url, *BYPASS)
    assert lab.made() == set()
    assert "touch denied matches deny rule" in model.told[0]
