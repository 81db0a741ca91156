"""The real agents whose commands Assent moves into the sandbox. Every permission of their own is given or not needed.

Nobody is asked (`--on-ask deny`), so what ran without a rule ran because it was inside.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agents.codex_app import trust, turn
from agents.driving import BYPASS, TRUSTED, Lab, Ran, claude, codex, codex_config
from agents.fake_model import FakeModel, Use
from agents.hooking import POLICY
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
from assent.policy.confining import AGENTS

pytestmark = pytest.mark.agent
OUTSIDE = "/opt/assent-was-here"
BLOCKED = f"probably blocked by the sandbox: {OUTSIDE}"


class Driven(NamedTuple):
    """How an agent is led to the model, how it is started, and how it runs a command."""

    prepare: Callable[[Lab, str], Any]
    launch: Callable[[Lab, str], Ran]
    tool: str
    field: str = "command"
    more: dict[str, object] = {"description": "do it"}

    def use(self, command: str, **more: object) -> Use:
        value = [command] if self.field == "commands" else command
        return Use(self.tool, {self.field: value} | self.more | more)


DRIVEN = {
    "claude-code": Driven(lambda _lab, _url: None, claude, "Bash"),
    "codex": Driven(codex_config, lambda lab, _url: codex(lab, TRUSTED), "exec_command", "cmd", {}),
    "gemini": Driven(
        lambda lab, _url: gemini_settings(lab), lambda lab, url: gemini(lab, url, "--yolo"), "run_shell_command"
    ),
    "copilot": Driven(lambda _lab, _url: None, copilot, "bash"),
    "opencode": Driven(opencode_settings, lambda lab, _url: opencode(lab), "bash"),
    "cline": Driven(cline_settings, lambda lab, _url: cline(lab), "run_commands", "commands", {}),
    "qwen": Driven(
        lambda lab, _url: qwen_settings(lab),
        lambda lab, url: qwen(lab, url, "--yolo"),
        "run_shell_command",
        more={"is_background": False},
    ),
}
FREE: dict[str, Callable[[Lab, str], Ran]] = {
    "claude-code": lambda lab, url: claude(lab, url, *BYPASS),
    "gemini": lambda lab, url: gemini(lab, url, "--yolo"),
    "copilot": lambda lab, url: copilot(lab, url, "--allow-all-tools", "--allow-all-paths"),
}
"""How those are started that do nothing by themselves when no hook says yes."""
FOLDER_FIELDS = {"codex": "workdir", "gemini": "dir_path", "qwen": "directory", "opencode": "workdir"}
EVERY = pytest.mark.parametrize("agent", AGENTS)


def policy(*agents: str) -> str:
    named = ", ".join(f'"{name}"' for name in agents)
    return f"auto_allow_bash_if_sandboxed = true\n{POLICY}\n[sandbox]\nagents = [{named}]\n"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path, policy(*AGENTS))


def run(lab: Lab, agent: str, *uses: Use) -> FakeModel:
    driven = DRIVEN[agent]
    with FakeModel(*uses) as model:
        driven.prepare(lab, model.url)
        done = lab.assent("install", agent, "--yes", "--on-ask", "deny")
        assert done.code == 0, done.err
        driven.launch(lab, model.url)
    return model


def commands(lab: Lab) -> list[tuple[object, ...]]:
    """What the journal says: the verdict about a command and who gave it, or how it ended and whether inside."""
    return [
        (row["command"], row["decision"], row["decided_by"]["kind"])
        if row["kind"] == "decision"
        else (row["command"], row["exit_code"], row["sandbox"])
        for row in lab.journal()
    ]


@EVERY
def test_what_would_be_asked_about_runs_inside_without_a_question(agent: str, lab: Lab) -> None:
    driven = DRIVEN[agent]
    model = run(
        lab, agent, driven.use("touch asked; echo done"), driven.use(f"touch {OUTSIDE}"), driven.use("touch allowed")
    )
    assert lab.made() == {"asked", "allowed"}
    assert "done" in model.told[0]
    assert BLOCKED in model.told[1] and not os.path.lexists(OUTSIDE)
    first, second = "touch asked; echo done", f"touch {OUTSIDE}"
    inside = [(first, "allow", "sandbox")] * 2 + [(first, 0, True)]
    inside += [(second, "allow", "sandbox")] * 2 + [(second, 1, True)]
    assert commands(lab) == [*inside, ("touch allowed", "allow", "rule")]
    assert len({row["session_id"] for row in lab.journal()}) == 1


@EVERY
def test_what_is_denied_does_not_run_inside_either(agent: str, lab: Lab) -> None:
    run(lab, agent, DRIVEN[agent].use("touch asked && touch denied"))
    assert lab.made() == set()
    assert commands(lab) == [("touch asked && touch denied", "deny", "rule")]


@EVERY
def test_without_a_sandbox_that_works_nothing_runs_unasked(agent: str, lab: Lab) -> None:
    closed = lab.state / "sandbox/closed"
    closed.parent.mkdir(parents=True, mode=0o700)
    lab.state.chmod(0o700)
    closed.write_text("not what it has to be")
    run(lab, agent, DRIVEN[agent].use("touch asked"))
    assert lab.made() == set()
    assert commands(lab) == [("touch asked", "ask", "default")]


def test_an_agent_that_is_not_named_is_asked_about(lab: Lab) -> None:
    lab.policy(policy("codex"))
    run(lab, "claude-code", DRIVEN["claude-code"].use("touch asked"))
    assert lab.made() == set()


def test_qwen_runs_its_own_command_whatever_it_is_handed(lab: Lab) -> None:
    """Why it is not among those whose commands are moved."""
    hook = lab.home / "hook.sh"
    given = '{"command": "touch replaced", "is_background": false}'
    said = f'"permissionDecision": "allow", "permissionDecisionReason": "x", "updatedInput": {given}'
    hook.write_text(f"""#!/bin/sh\necho '{{"hookSpecificOutput": {{"hookEventName": "PreToolUse", {said}}}}}'\n""")
    hook.chmod(0o755)
    with FakeModel(Use("run_shell_command", {"command": "touch asked", "is_background": False})) as model:
        qwen_settings(lab)
        assert lab.assent("install", "qwen", "--yes").code == 0
        lab.change_hooks(".qwen/settings.json", command=str(hook))
        qwen(lab, model.url, "--yolo")
    assert {path.name for path in lab.project.iterdir()} == {".git", "asked"}


# --- what it rests on ----------------------------------------------------------------------------------------------


@EVERY
def test_every_command_has_a_shell_of_its_own(agent: str, lab: Lab) -> None:
    """A function or a variable of an earlier command could stand in for what a command is moved by."""
    driven = DRIVEN[agent]
    first = "export FOO=taken-over; function /bin/echo { printf taken-over; }; true"
    with FakeModel(driven.use(first), driven.use('/bin/echo "it is $FOO"')) as model:
        driven.prepare(lab, model.url)
        FREE.get(agent, driven.launch)(lab, model.url)
    assert "it is" in model.told[1] and "taken-over" not in model.told[1]


@pytest.mark.parametrize("agent", DRIVEN)
def test_the_project_is_where_an_agent_was_started_wherever_its_commands_go(agent: str, lab: Lab) -> None:
    folder = lab.project / "sub"
    (folder / ".git").mkdir(parents=True)
    driven, field = DRIVEN[agent], FOLDER_FIELDS.get(agent)
    chosen: dict[str, object] = {field: str(folder)} if field else {}
    run(lab, agent, driven.use("cd sub"), driven.use("ls", **chosen), driven.use("ls"))
    rows = lab.journal()
    assert [row["command"] for row in rows] == ["cd sub", "ls", "ls"]
    assert {row["workspace"] for row in rows} == {str(lab.project)}


# --- dialogs, folders and processes ---------------------------------------------------------------------------------


def test_codex_opens_no_dialog_about_the_command_that_it_was_handed(lab: Lab) -> None:
    with FakeModel(DRIVEN["codex"].use("touch asked")) as model:
        codex_config(lab, model.url)
        assert lab.assent("install", "codex", "--yes").code == 0
        trust(lab)
        assert turn(lab, policy="untrusted", reply="cancel").asked == []
    assert lab.made() == {"asked"}
    assert commands(lab) == [("touch asked", "allow", "sandbox")] * 3 + [("touch asked", 0, True)]


def test_codex_moves_nothing_into_a_folder_that_the_agent_chose_outside(lab: Lab) -> None:
    run(lab, "codex", DRIVEN["codex"].use("touch asked", workdir=str(lab.home)))
    assert not (lab.home / "asked").exists()
    assert commands(lab) == [("touch asked", "ask", "default")]


def test_claude_code_stays_where_it_was_and_keeps_the_project(lab: Lab) -> None:
    """Its shell remembers a `cd`, but not one that happened inside; the project is the one of the session."""
    (lab.project / "sub").mkdir()
    uses = ("cd sub", "touch asked; cd ..", "cd sub && touch asked; cd ..", "touch here")
    run(lab, "claude-code", *(DRIVEN["claude-code"].use(command) for command in uses))
    assert sorted(path.name for path in (lab.project / "sub").iterdir()) == ["asked", "here"]


@pytest.mark.parametrize("command", ["sleep 7654321", "sleep 7654321 & echo begun"])
def test_what_the_agent_ends_is_over_inside_and_nothing_stays_behind(command: str, lab: Lab) -> None:
    """OpenCode ends a command that takes too long; what a command leaves in the background ends with it."""
    run(lab, "opencode", DRIVEN["opencode"].use(f"touch asked; {command}", timeout=3_000))
    assert lab.made() == {"asked"}
    give_up = time.monotonic() + 30
    while is_running("7654321"):
        assert time.monotonic() < give_up
        time.sleep(0.05)


def is_running(word: str) -> bool:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:  # it ended meanwhile
                continue
            if words[:2] == [b"sleep", word.encode()]:
                return True
    return False
