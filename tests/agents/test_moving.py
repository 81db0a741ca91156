"""Commands that a hook moves into the sandbox: what the host is handed, that it runs, and what is never moved."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.hooking import ADAPTERS, POLICY, recorded, started
from assent.agents import agent_named
from assent.agents.agent import Output
from assent.policy.confining import AGENTS
from scene import LAUNCHER, START, Done, Scene

EVERY = pytest.mark.parametrize("agent", AGENTS)
MOVING = f"""\
auto_allow_bash_if_sandboxed = true
{POLICY}
[sandbox]
agents = [{", ".join(f'"{name}"' for name in AGENTS)}]
"""
AS_TESTED = {"AI_AGENT": "claude-code_2-1-325_harness", "COPILOT_CLI_BINARY_VERSION": "1.0.102"}
"""How hosts say that they are new enough."""
PACKAGES = {
    "codex": ("@openai/codex", "0.166.0-linux-x64"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "cline": ("@cline/cli-linux-x64", "3.0.65"),
}
"""From which packages they are where they do not."""
COMMAND_AT = {
    "claude-code": ("tool_input", "command"),
    "codex": ("tool_input", "command"),
    "gemini": ("tool_input", "command"),
    "copilot": ("toolArgs", "command"),
    "opencode": ("args", "command"),
    "cline": ("tool_call", "input", "commands"),
}
INSIDE = {"kind": "sandbox", "id": ""}


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(tmp_path, monkeypatch)
    scene.user(MOVING)
    return scene


def payload_of(scene: Scene, agent: str, command: str, name: str = "asked", **more: object) -> dict[str, Any]:
    """A recorded payload with another command in it."""
    payload = recorded(agent, name, scene).payload | ({"takes": True} if agent == "opencode" else {}) | more
    *path, last = ("toolInput", "command") if "toolInput" in payload else COMMAND_AT[agent]
    table = payload
    for key in path:
        table = table[key]
    table[last] = [command] if last == "commands" else command
    return payload


def asked(scene: Scene, agent: str, payload: dict[str, Any], **env: str) -> Output:
    """What the hook answers where nobody is asked."""
    around = scene.env | recorded(agent, "asked", scene).env | AS_TESTED | env
    words = (*LAUNCHER, "hook", agent, "--on-ask", "deny")
    return from_above(scene, PACKAGES.get(agent, ("other", "1.0.0")), words, json.dumps(payload), around)


def from_above(
    scene: Scene, package: tuple[str, str], words: tuple[str, ...], stdin: str = "", env: dict[str, str] | None = None
) -> Output:
    """What a program says that an interpreter started for a script of this package."""
    folder = scene.home / "lib/node_modules/host"
    script = scene.write(folder / "bin/host.js", '"$@"\n')
    about = folder / "package.json"
    if not about.exists():
        scene.write(about, json.dumps(dict(zip(("name", "version"), package, strict=True))))
        shutil.copy("/bin/sh", scene.home / "node")
    done = subprocess.run(
        [str(scene.home / "node"), str(script), *words],
        cwd=scene.project,
        env=env or scene.env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return Output(done.stdout, done.stderr, done.returncode)


def hooked(scene: Scene, agent: str, command: str) -> Output:
    return asked(scene, agent, payload_of(scene, agent, command))


def moved(scene: Scene, agent: str, command: str) -> str:
    """The command that stands for another one, in the session of the recorded payload."""
    payload = recorded(agent, "asked", scene).payload
    context = payload.get("sessionContext", {})
    names = ("session_id", "sessionId", "sessionID")
    session = next((payload[name] for name in names if name in payload), context.get("rootSessionId", ""))
    whose = ("--agent", agent, "--session", session, "--workspace", str(scene.project))
    words = ("run", "--sandbox", "--on-ask", "deny", *whose, "--", command)
    return shlex.join((sys.executable, "-I", "-S", str(START), *words))


def answer(agent: str, given: dict[str, Any], command: str) -> dict[str, Any]:
    """The host's own words for: yes, but run this."""
    why, given = "runs in the sandbox", given | {"command": command}
    allow = {"permissionDecision": "allow", "permissionDecisionReason": why}
    answers: dict[str, dict[str, Any]] = {
        "claude-code": {"hookSpecificOutput": {"hookEventName": "PreToolUse", **allow, "updatedInput": given}},
        "codex": {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "allow",
                "updatedInput": {"command": command},
            }
        },
        "gemini": {
            "decision": "allow",
            "reason": why,
            "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": given},
        },
        "copilot": {**allow, "modifiedArgs": given},
        "opencode": {"permission": "allow", "reason": why, "args": given},
        "cline": {"cancel": False, "overrideInput": {"commands": [command]}},
    }
    return answers[agent]


def given_to(agent: str, payload: dict[str, Any]) -> dict[str, Any]:
    path = COMMAND_AT[agent][:-1]
    table: dict[str, Any] = payload
    for key in path:
        table = table[key]
    return table


def run(scene: Scene, command: str, stdin: str = "") -> Done:
    """As a host runs a command: in a shell of its own."""
    done = subprocess.run(
        ["/bin/bash", "-c", command], env=scene.env, cwd=scene.project, input=stdin, capture_output=True, text=True
    )
    return Done(done.returncode, done.stdout, done.stderr)


def is_refused(found: Output) -> bool:
    return "nobody is asked here" in found.stdout + found.stderr


def journal(scene: Scene) -> list[tuple[object, ...]]:
    lines = (scene.state / "audit/permissions.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    names = ("kind", "agent", "command", "decision", "decided_by", "sandbox", "exit_code")
    return [tuple(row.get(name) for name in names) for row in rows]


def break_sandbox(scene: Scene) -> None:
    """The file that covers secrets is not what it has to be, so no sandbox works."""
    file = scene.state / "sandbox/closed"
    file.unlink(missing_ok=True)
    scene.write(file, "something")


# --- moved ---------------------------------------------------------------------------------------------------------


def test_the_policy_knows_the_agents_that_take_another_command() -> None:
    assert {name for name in ADAPTERS if agent_named(name).SHELL} == set(AGENTS)


@EVERY
def test_a_command_that_would_be_asked_about_is_moved_and_runs(agent: str, scene: Scene) -> None:
    payload = payload_of(scene, agent, "touch asked")
    command = moved(scene, agent, "touch asked")
    found = asked(scene, agent, payload)
    assert (json.loads(found.stdout), found.stderr, found.code) == (
        answer(agent, given_to(agent, payload), command),
        "",
        0,
    )
    assert run(scene, command) == Done(0, "", "")
    assert (scene.project / "asked").exists()
    allowed = ("decision", agent, "touch asked", "allow", INSIDE, None, None)
    assert journal(scene) == [allowed, allowed, ("result", agent, "touch asked", None, None, True, 0)]


def test_of_several_commands_only_those_are_moved_that_need_it(scene: Scene) -> None:
    payload = payload_of(scene, "cline", "")
    payload["tool_call"]["input"]["commands"] = ["touch allowed", "touch asked"]
    found = json.loads(asked(scene, "cline", payload).stdout)
    commands = ["touch allowed", moved(scene, "cline", "touch asked")]
    assert found == {"cancel": False, "overrideInput": {"commands": commands}}
    payload["tool_call"]["input"]["commands"] = ["touch denied", "touch asked"]
    assert json.loads(asked(scene, "cline", payload).stdout)["cancel"] is True


@pytest.mark.parametrize(
    ("command", "done"),
    [
        ("touch x; echo out; echo err >&2; exit 7", Done(7, "out\n", "err\n")),
        ("touch x; cat", Done(0, "typed", "")),
        ("touch x\nprintf '%s|' \"it's\" '$HOME' `pwd` é '\\'", Done(0, "it's|$HOME|@PROJECT@|é|\\|", "")),
        ("touch -- -x; exit 130", Done(130, "", "")),
    ],
)
def test_what_runs_inside_is_what_was_written(command: str, done: Done, scene: Scene) -> None:
    found = json.loads(hooked(scene, "claude-code", command).stdout)["hookSpecificOutput"]["updatedInput"]["command"]
    assert found == moved(scene, "claude-code", command)
    assert run(scene, found, "typed") == done._replace(out=done.out.replace("@PROJECT@", str(scene.project)))


@pytest.mark.parametrize("folder", ["sub", "@PROJECT@/sub"])
def test_a_folder_of_the_project_that_the_call_chose_stays_chosen(folder: str, scene: Scene) -> None:
    (scene.project / "sub").mkdir()
    payload = payload_of(scene, "gemini", "touch asked")
    payload["tool_input"]["dir_path"] = folder.replace("@PROJECT@", str(scene.project))
    given = json.loads(asked(scene, "gemini", payload).stdout)["hookSpecificOutput"]["tool_input"]
    assert given == payload["tool_input"] | {"command": moved(scene, "gemini", "touch asked")}
    assert run(scene, f"cd sub; {given['command']}").code == 0
    assert (scene.project / "sub/asked").exists()


# --- what is moved already -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "name"), [("codex", "request-asked"), ("copilot", "request-asked"), ("claude-code", "request-asked")]
)
def test_the_hosts_own_dialog_about_a_moved_command_is_answered(agent: str, name: str, scene: Scene) -> None:
    payload = payload_of(scene, agent, moved(scene, agent, "touch asked"), name)
    for key in ("session_id", "sessionId"):
        if key in payload:
            payload[key] = recorded(agent, "asked", scene).payload[key]
    decision = {"behavior": "allow"}
    wrapped = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
    assert json.loads(asked(scene, agent, payload).stdout) == (decision if agent == "copilot" else wrapped)
    assert journal(scene) == [("decision", agent, "touch asked", "allow", INSIDE, None, None)]


def test_a_dialog_cannot_move_a_command(scene: Scene) -> None:
    assert asked(scene, "codex", payload_of(scene, "codex", "touch asked", "request-asked")) == Output()


def test_an_agent_that_writes_the_moved_command_itself_gets_what_the_original_gets(scene: Scene) -> None:
    plain = {"permissionDecision": "allow", "permissionDecisionReason": "runs in the sandbox"}
    inside = hooked(scene, "claude-code", moved(scene, "claude-code", "touch asked"))
    assert json.loads(inside.stdout)["hookSpecificOutput"] == {"hookEventName": "PreToolUse", **plain}
    denied = hooked(scene, "claude-code", moved(scene, "claude-code", "touch denied"))
    assert "matches deny rule: Bash(touch denied)" in denied.stdout
    assert run(scene, moved(scene, "claude-code", "touch denied")).code == 4
    assert not (scene.project / "denied").exists()


@pytest.mark.parametrize(
    "change",
    [("--session ", "--session x"), ("--on-ask deny", "--on-ask wait"), (" -- ", "  -- "), ("--sandbox ", "")],
)
def test_a_text_that_is_not_ours_to_the_letter_is_a_command_like_any_other(
    change: tuple[str, str], scene: Scene
) -> None:
    """Moved itself, if at all: then Assent's own files are not there, and it can allow nothing."""
    command = moved(scene, "claude-code", "touch asked").replace(*change, 1)
    said = json.loads(hooked(scene, "claude-code", command).stdout)["hookSpecificOutput"]
    assert said["updatedInput"]["command"] == moved(scene, "claude-code", command)
    assert run(scene, said["updatedInput"]["command"]).code != 0
    assert not (scene.project / "asked").exists()


@pytest.mark.parametrize(
    "how", ["run 'touch denied'", "run --sandbox -- touch denied", "run --session x 'touch denied'"]
)
def test_what_is_denied_is_denied_behind_assent_run_too(how: str, scene: Scene) -> None:
    assert "matches deny rule: Bash(touch denied)" in hooked(scene, "claude-code", f"assent {how}").stdout


# --- never moved ---------------------------------------------------------------------------------------------------


@EVERY
@pytest.mark.parametrize("name", ["allowed", "denied"])
def test_what_needs_no_question_is_answered_as_ever(agent: str, name: str, scene: Scene) -> None:
    given = recorded(agent, name, scene)
    scene.user(POLICY)
    as_ever = started(agent, given.text, scene, *given.words, env=scene.env | given.env | AS_TESTED)
    scene.user(MOVING)
    found = started(agent, given.text, scene, *given.words, env=scene.env | given.env | AS_TESTED)
    assert found.stdout.replace("policy.toml:8", "policy.toml:7") == as_ever.stdout
    assert (found.stderr, found.code) == (as_ever.stderr, as_ever.code)


@EVERY
def test_where_no_sandbox_works_nothing_is_allowed_because_of_it(agent: str, scene: Scene) -> None:
    break_sandbox(scene)
    found = hooked(scene, agent, "touch asked")
    assert is_refused(found), found


POLICIES = {
    "without agents": MOVING.replace("agents", "read"),
    "for another agent": MOVING.replace('"claude-code", ', ""),
    "without auto": MOVING.replace("= true", "= false"),
    "in plan mode": f'mode = "plan"\n{MOVING}',
    "with an ask rule": f'ask = ["Bash(touch:*)"]\n{MOVING}',
    "with a description that nobody judged": f'deny_if = ["it creates a file"]\n{MOVING}',
    "with a mistake": f"frob = 1\n{MOVING}",
}


@pytest.mark.parametrize("how", POLICIES)
def test_the_policy_says_whether(how: str, scene: Scene) -> None:
    scene.user(POLICIES[how])
    found = hooked(scene, "claude-code", "touch asked")
    assert json.loads(found.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_file_of_the_project_moves_nothing(scene: Scene) -> None:
    scene.user(POLICY)
    scene.trust(scene.shared(MOVING))
    assert is_refused(hooked(scene, "claude-code", "touch asked"))


@pytest.mark.parametrize("command", ["cat .env", "git push --force", "$X y", "touch asked; eval $Y", "x" * 200_000])
def test_what_is_asked_about_inside_as_well_is_asked_about(command: str, scene: Scene) -> None:
    assert is_refused(hooked(scene, "claude-code", command))


@pytest.mark.parametrize("where", ["@HOME@", "@PROJECT@/nested", "/"])
def test_outside_the_project_of_the_session_nothing_is_moved(where: str, scene: Scene) -> None:
    (scene.project / "nested/.git").mkdir(parents=True)
    folder = where.replace("@HOME@", str(scene.home)).replace("@PROJECT@", str(scene.project))
    payload = payload_of(scene, "claude-code", "touch asked", cwd=folder)
    assert is_refused(asked(scene, "claude-code", payload))


@pytest.mark.parametrize("version", ["", "claude-code_2-1-324_harness", "claude-code_x_harness", "other_9-9-9_agent"])
def test_a_host_that_may_not_take_another_command_gets_none(version: str, scene: Scene) -> None:
    payload = payload_of(scene, "claude-code", "touch asked")
    assert is_refused(asked(scene, "claude-code", payload, AI_AGENT=version))


PROGRAM = """
import sys
sys.path.insert(0, {src!r})
from assent.agents.hosts.above import started_by
print(started_by("@openai/codex", (0, 166)))
"""


def is_new_enough(scene: Scene, package: tuple[str, str]) -> bool:
    words = (sys.executable, "-I", "-S", "-c", PROGRAM.format(src=str(START.parent.parent)))
    return from_above(scene, package, ("/bin/sh", "-c", '"$@"; true', "sh", *words)) == Output("True\n", "", 0)


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [
        ("@openai/codex", "0.166.0", True),
        ("@openai/codex-linux-x64", "1.0.0-linux-x64", True),
        ("@openai/codex", "0.165.9", False),
        ("@openai/codex", "new", False),
        ("@openai/codexes", "0.166.0", False),
        ("codex", "0.166.0", False),
    ],
)
def test_the_package_of_the_program_above_says_its_version(
    name: str, version: str, expected: bool, scene: Scene
) -> None:
    assert is_new_enough(scene, (name, version)) is expected


def test_a_package_that_was_updated_while_it_runs_says_nothing(scene: Scene) -> None:
    assert is_new_enough(scene, ("@openai/codex", "0.166.0"))
    earlier = "import sys, time; time.time = lambda was=time.time: was() - 10"
    program = PROGRAM.replace("import sys", earlier, 1)
    words = (sys.executable, "-I", "-S", "-c", program.format(src=str(START.parent.parent)))
    assert from_above(scene, ("", ""), words) == Output("False\n", "", 0)


def test_a_file_that_the_host_was_told_about_is_not_the_host(scene: Scene) -> None:
    claims = {"name": "@openai/codex", "version": "9.9.9"}
    scene.write(scene.project / "package.json", json.dumps(claims))
    words = (sys.executable, "-I", "-S", "-c", PROGRAM.format(src=str(START.parent.parent)))
    hosts = ("/bin/sh", "-c", '"$@"; true', str(scene.project / "x"), *words)
    assert from_above(scene, ("other", "1.0.0"), hosts) == Output("False\n", "", 0)


def test_a_plugin_of_an_earlier_installation_gets_none(scene: Scene) -> None:
    assert is_refused(asked(scene, "opencode", payload_of(scene, "opencode", "touch asked", takes=None)))


def test_another_shell_than_bash_is_not_stood_in_for(scene: Scene) -> None:
    payload = payload_of(scene, "gemini", "touch asked")
    payload["tool_input"]["shell"] = "/bin/zsh"
    assert is_refused(asked(scene, "gemini", payload))


# --- between the hook and the run ----------------------------------------------------------------------------------


def test_a_sandbox_that_stopped_working_runs_nothing(scene: Scene) -> None:
    assert "updatedInput" in hooked(scene, "claude-code", "touch asked").stdout
    break_sandbox(scene)
    done = run(scene, moved(scene, "claude-code", "touch asked"))
    assert (done.code, (scene.project / "asked").exists()) == (2, False)
    assert done.err.startswith("assent: no sandbox works here: ")


def test_a_policy_that_changed_has_the_last_word(scene: Scene) -> None:
    assert "updatedInput" in hooked(scene, "claude-code", "touch asked").stdout
    scene.user(MOVING.replace("touch denied", "touch asked"))
    done = run(scene, moved(scene, "claude-code", "touch asked"))
    assert (done.code, (scene.project / "asked").exists()) == (4, False)
    assert "matches deny rule: Bash(touch asked)" in done.err
    scene.user(MOVING.replace("= true", "= false"))
    done = run(scene, moved(scene, "claude-code", "touch asked"))
    assert (done.code, (scene.project / "asked").exists()) == (4, False)
