"""Whatever goes wrong, every host hears its own deny, to the byte. One suite for all adapters."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from agents.hooking import ADAPTERS, EVERY, FAILED, PAYLOADS, POLICY, all_recorded, hooked, recorded, refusal, started
from assent.agents import AGENTS, agent_named
from assent.agents.agent import WAYS, Output
from assent.agents.hosts import host_named
from assent.approval.store import Store
from assent.audit.journal import Journal
from assent.judging import Judge
from assent.record import replace
from scene import LAUNCHER, Scene

Patch = pytest.MonkeyPatch


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: Patch) -> Scene:
    scene = Scene(tmp_path, monkeypatch)
    scene.user(POLICY)
    return scene


def test_every_adapter_has_recorded_payloads() -> None:
    needed = {"allowed", "denied", "asked", "refusal"}
    lacking = {name: needed - {file.stem for file in (PAYLOADS / name).glob("*.json")} for name in ADAPTERS}
    assert {name: missing for name, missing in lacking.items() if missing} == {}


@EVERY
def test_an_adapter_says_what_the_protocol_wants(agent: str) -> None:
    module = agent_named(agent)
    assert (agent, agent in AGENTS) == (module.NAME, True)
    assert set(module.ASKS) <= set(WAYS) and module.UNATTENDED in module.ASKS
    assert module.UNATTENDED in ("hold", "suspend", "ticket", "deny")
    assert module.HOST_SECONDS >= 30


@pytest.mark.parametrize(("agent", "name"), all_recorded())
def test_recorded_payloads_get_exactly_their_answers(agent: str, name: str, scene: Scene) -> None:
    given = recorded(agent, name, scene)
    assert started(agent, given.text, scene, *given.words, env=scene.env | given.env) == given.output


@EVERY
@pytest.mark.parametrize(
    ("stdin", "why"),
    [
        (b"", "not JSON: unexpected end or character at offset 0"),
        (b"no json", "not JSON: unexpected end or character at offset 0"),
        (b"\xff\xfe", "not JSON: not UTF-8 at byte 0"),
        (b"[]", "what the host sent is no JSON object"),
        (b'"x"', "what the host sent is no JSON object"),
        (b'{"a": 1, "a": 2}', "not JSON we accept: key `a` appears twice"),
        (b"[" * 100_000, "not JSON we accept: nested too deeply"),
        (b'{"a": "' + b"x" * 33_000_000, "what the host sent is too large"),
    ],
    ids=["empty", "garbage", "not-utf-8", "a-list", "a-text", "a-key-twice", "deep", "huge"],
)
def test_what_is_not_a_payload_is_refused(agent: str, stdin: bytes, why: str, scene: Scene) -> None:
    assert started(agent, stdin, scene) == refusal(agent, FAILED + why, known=False)


@EVERY
def test_no_missing_or_mistyped_field_lets_a_denied_call_pass(agent: str, scene: Scene, monkeypatch: Patch) -> None:
    given = recorded(agent, "denied", scene)
    host = host_named(agent)
    for name in given.payload:
        values: tuple[object, ...] = (None, "", [], {}, 7, "absent")
        for value in values:
            changed = {key: one for key, one in given.payload.items() if key != name}
            if value != "absent":
                changed[name] = value
            scene.forget()
            found = hooked(agent, json.dumps(changed), monkeypatch, "--on-ask", "deny", **given.env)
            assert host.refused(found), f"{name} = {value!r}: {found}"


EVENT_FIELDS = ("hook_event_name", "hookName", "agent_action_name")


@EVERY
@pytest.mark.parametrize("event", ["BeforeAnything", "pretooluse", "PreToolUse2", "tool.execute.during"])
def test_an_unknown_event_with_a_tool_call_is_refused(agent: str, event: str, scene: Scene, monkeypatch: Patch) -> None:
    """A newer host may ask with it, and silence would let the tool run."""
    given = recorded(agent, "denied", scene)
    field = next((name for name in EVENT_FIELDS if name in given.payload), "hookName")
    found = hooked(agent, json.dumps({**given.payload, field: event}), monkeypatch, **given.env)
    assert host_named(agent).refused(found), found


@EVERY
def test_without_a_state_folder_nothing_is_allowed(agent: str, scene: Scene) -> None:
    scene.state.parent.mkdir(exist_ok=True)
    scene.state.write_text("a file where the folder should be")
    given = recorded(agent, "allowed", scene)
    found = started(agent, given.text, scene, env=scene.env | given.env)
    assert found == refusal(agent, FAILED + journal_trouble(scene, "File exists"), known=True)


@EVERY
def test_on_a_full_disk_nothing_is_allowed(agent: str, scene: Scene) -> None:
    given = recorded(agent, "allowed", scene)

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    found = started(agent, given.text, scene, env=scene.env | given.env, preexec_fn=no_room)
    assert found == refusal(agent, FAILED + journal_trouble(scene, "File too large"), known=True)


def journal_trouble(scene: Scene, why: str) -> str:
    advice = "nothing runs that cannot be written down: make room or repair the folder, then try again"
    return f"the journal in `{scene.state}/audit` cannot be written: {why} ({advice})"


@EVERY
def test_a_broken_store_refuses_what_needs_a_person(agent: str, scene: Scene) -> None:
    scene.write(scene.state / "approvals.db", b"this is no database" * 100)
    scene.state.chmod(0o700)
    given = recorded(agent, "asked", scene)
    found = started(agent, given.text, scene, "--on-ask", "ticket", env=scene.env | given.env)
    assert host_named(agent).refused(found)
    assert "file is not a database" in found.stdout + found.stderr


@EVERY
def test_a_broken_policy_allows_nothing(agent: str, scene: Scene) -> None:
    scene.user("this is [not toml")
    given = recorded(agent, "allowed", scene)
    assert host_named(agent).refused(started(agent, given.text, scene, "--on-ask", "deny", env=scene.env | given.env))


@EVERY
def test_without_a_home_the_answer_is_the_same(agent: str, scene: Scene) -> None:
    given = recorded(agent, "denied", scene)
    env = {name: value for name, value in (scene.env | given.env).items() if name != "HOME"}
    assert started(agent, given.text, scene, env=env) == given.output


@EVERY
@pytest.mark.parametrize("number", [0, 1, 2], ids=["stdin", "stdout", "stderr"])
def test_a_closed_stream_allows_nothing(agent: str, number: int, scene: Scene) -> None:
    given = recorded(agent, "denied", scene)
    found = started(agent, given.text, scene, env=scene.env | given.env, preexec_fn=lambda: os.close(number))
    assert found.code == 2 or host_named(agent).refused(found)


@EVERY
@pytest.mark.parametrize("error", [RuntimeError, MemoryError, RecursionError])
@pytest.mark.parametrize("place", ["read", "judge", "journal", "write"])
def test_an_error_of_ours_is_a_refusal(
    agent: str, error: type[Exception], place: str, scene: Scene, monkeypatch: Patch
) -> None:
    given = recorded(agent, "allowed", scene)

    def fail(*_args: object, **_more: object) -> object:
        raise error("broken on purpose")

    targets: dict[str, tuple[object, str]] = {"judge": (Judge, "judge"), "journal": (Journal, "append")}
    owner, name = targets.get(place, (agent_named(agent), place))
    monkeypatch.setattr(owner, name, fail)
    found = hooked(agent, given.text, monkeypatch, **given.env)
    assert found == refusal(agent, f"{FAILED}{error.__name__}: broken on purpose", known=True)


@EVERY
def test_an_error_while_refusing_still_stops_the_tool(agent: str, scene: Scene, monkeypatch: Patch) -> None:
    given = recorded(agent, "allowed", scene)

    def fail(*_args: object, **_more: object) -> object:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(agent_named(agent), "read", fail)
    monkeypatch.setattr(agent_named(agent), "refuse", fail)
    assert host_named(agent).refused(hooked(agent, given.text, monkeypatch, **given.env))


@EVERY
def test_wrong_options_are_a_refusal(agent: str, scene: Scene) -> None:
    given = recorded(agent, "allowed", scene)
    for words in (["--on-ask", "nonsense"], ["--seconds", "soon"], ["--seconds", "0"], ["--loose"]):
        assert host_named(agent).refused(started(agent, given.text, scene, *words, env=scene.env | given.env)), words


@EVERY
def test_a_host_that_sends_nothing_is_refused_in_time(agent: str, scene: Scene) -> None:
    silent, said = os.pipe()
    try:
        done = subprocess.run(
            [*LAUNCHER, "hook", agent, "--seconds", "1"], env=scene.env, stdin=silent, capture_output=True, timeout=60
        )
    finally:
        os.close(silent)
        os.close(said)
    found = Output(done.stdout.decode(), done.stderr.decode(), done.returncode)
    assert found == refusal(agent, "The permission check took too long, so this was not done.", known=False)


@EVERY
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_a_hook_that_is_ended_from_outside_refuses(agent: str, number: signal.Signals, scene: Scene) -> None:
    given = recorded(agent, "asked", scene)
    hook = subprocess.Popen(
        [*LAUNCHER, "hook", agent, "--on-ask", "hold"],
        cwd=scene.project,
        env=scene.env | given.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert hook.stdin
    hook.stdin.write(given.text.encode())
    hook.stdin.close()
    hook.stdin = None
    wait_for_request(scene, hook)
    hook.send_signal(number)
    out, err = hook.communicate(timeout=30)
    found = Output(out.decode(), err.decode(), hook.returncode)
    assert found == refusal(agent, "The permission check was ended from outside, so this was not done.", known=False)


def wait_for_request(scene: Scene, hook: subprocess.Popen[bytes]) -> None:
    store = Store(str(scene.state / "approvals.db"))
    try:
        while not store.pending(time.time()):
            assert hook.poll() is None, hook.communicate()
            time.sleep(0.02)
    finally:
        store.close()


@EVERY
def test_when_nobody_answers_in_time_the_call_is_refused_for_now(agent: str, scene: Scene, monkeypatch: Patch) -> None:
    given = recorded(agent, "asked", scene)
    monkeypatch.setattr(
        "assent.cli.hook.MARGIN", 0.99
    )  # wait for a hundredth of the time, and answer long before its end
    found = hooked(agent, given.text, monkeypatch, "--on-ask", "hold", "--seconds", "40", **given.env)
    assert host_named(agent).refused(found)
    assert "A person has been asked and has not answered yet" in found.stdout + found.stderr


@pytest.mark.parametrize("order", [("denied", "asked"), ("asked", "denied"), ("allowed", "asked", "denied")])
def test_a_no_to_one_of_several_calls_is_not_hidden_behind_a_question(
    order: tuple[str, ...], scene: Scene, monkeypatch: Patch
) -> None:
    agent = agent_named("claude-code")
    given = recorded("claude-code", "denied", scene)
    event = agent.read(given.payload, given.env, 1.0)
    calls = tuple(replace(event.calls[0], input={"command": f"touch {name}"}) for name in order)
    monkeypatch.setattr(agent, "read", lambda *_args: replace(event, calls=calls, attended=True))
    assert hooked("claude-code", given.text, monkeypatch, "--on-ask", "host") == given.output


def test_an_unknown_agent_is_exit_code_2(scene: Scene) -> None:
    found = started("clippy", "{}", scene)
    assert (found.stdout, found.code) == ("", 2)
    assert found.stderr.startswith("assent: unknown agent `clippy` (one of claude-code, codex")


@pytest.mark.parametrize("folder", ["/", "@HOME@", "@HOME@/docs"])
def test_the_folder_of_a_call_does_not_choose_the_project(scene: Scene, folder: str) -> None:
    """Codex hands on the folder that the agent chose; reading there is still reading outside the project."""
    (scene.home / "docs").mkdir()
    (scene.home / "docs/diary.txt").write_text("private")
    given = recorded("codex", "allowed", scene)
    cwd = folder.replace("@HOME@", str(scene.home))
    payload = given.payload | {"cwd": cwd, "tool_input": {"command": f"cat {scene.home}/docs/diary.txt"}}
    told = started("codex", json.dumps(payload), scene, "--on-ask", "deny", env=scene.env)
    assert "outside the project" in told.stdout, told
