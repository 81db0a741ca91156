"""`assent run --sandbox`: the command runs inside, what was held back is said, and only then may it run unasked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pexpect
import pytest

from assent.sandbox import capability, kernel, running
from assent.sandbox.denials import NOTHING_NEW
from scene import LAUNCHER, Done, Scene

RUN = ("run", "--sandbox", "--on-ask", "deny")
AUTO = "auto_allow_bash_if_sandboxed = true\n"


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = Scene(tmp_path, monkeypatch)
    (made.project / "a.txt").write_text("hello\n")
    (made.home / "notes.txt").write_text("mine\n")
    return made


def run(scene: Scene, *words: str, stdin: str = "") -> Done:
    done = subprocess.run(
        [*LAUNCHER, *words],
        env=scene.env,
        cwd=scene.project,
        capture_output=True,
        text=True,
        start_new_session=True,
        input=stdin,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def last(scene: Scene) -> dict[str, object]:
    found: dict[str, object] = json.loads((scene.state / "audit/permissions.jsonl").read_text().splitlines()[-1])
    return found


def test_an_allowed_command_runs_inside(scene: Scene) -> None:
    assert run(scene, *RUN, "cat a.txt") == Done(0, "hello\n", "")
    assert (last(scene)["kind"], last(scene)["sandbox"], last(scene)["exit_code"]) == ("result", True, 0)


def test_without_the_setting_the_sandbox_answers_no_question(scene: Scene) -> None:
    done = run(scene, *RUN, "touch made")
    assert (done.code, (scene.project / "made").exists()) == (4, False)


def test_with_the_setting_it_does(scene: Scene) -> None:
    scene.user(AUTO)
    assert run(scene, *RUN, "touch made; cat", stdin="typed") == Done(0, "typed", "")
    assert (scene.project / "made").exists()
    records = [json.loads(line) for line in (scene.state / "audit/permissions.jsonl").read_text().splitlines()]
    assert records[0]["reason"] == "runs in the sandbox"
    assert records[0]["decided_by"]["kind"] == "sandbox"


@pytest.mark.parametrize("option", ["--workspace", "--cwd"])
def test_whoever_writes_the_command_does_not_choose_what_may_be_changed(scene: Scene, option: str) -> None:
    scene.user(AUTO)
    other = scene.home / "other"
    (other / ".git").mkdir(parents=True)
    done = run(scene, *RUN, option, str(other), "--", "touch", f"{other}/made")
    assert (done.code, (other / "made").exists()) in ((4, False), (2, False))
    assert run(scene, *RUN, "--workspace", str(scene.project), "touch made").code == 0


def test_in_a_home_folder_there_is_no_project_to_change(scene: Scene) -> None:
    scene.user(AUTO)
    done = subprocess.run([*LAUNCHER, *RUN, "touch made"], env=scene.env, cwd=scene.home, capture_output=True)
    assert (done.returncode, (scene.home / "made").exists()) == (2, False)


def test_the_setting_does_nothing_without_the_sandbox(scene: Scene) -> None:
    scene.user(AUTO)
    assert run(scene, "run", "--on-ask", "deny", "touch made").code == 4


def test_a_project_file_cannot_turn_it_on(scene: Scene) -> None:
    scene.trust(scene.shared(AUTO + '[sandbox]\nread = ["~/notes.txt"]\n'))
    assert run(scene, *RUN, "touch made").code == 4
    assert "notes.txt" not in run(scene, "sandbox", "show").out
    assert "only your own file and managed ones open the sandbox" in run(scene, "check", "ls").out


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("cat ~/.ssh/id_rsa", "sensitive credential path"),
        ("git push --force", "cannot be undone"),
        ("cat .env", "usually holds secrets"),
        ("$X y", "not fully understood"),
    ],
)
def test_what_is_held_back_otherwise_is_held_back_inside(scene: Scene, command: str, says: str) -> None:
    scene.user(AUTO)
    done = run(scene, *RUN, command)
    assert (done.code, says in done.err) == (4, True), done.err


def test_deny_and_ask_rules_hold_for_every_part(scene: Scene) -> None:
    scene.user(AUTO + 'deny = ["Bash(touch:*)"]\nask = ["Bash(mkdir:*)"]\n')
    for command in ("true && touch x", "echo $(touch x)", "mkdir y | cat"):
        assert run(scene, *RUN, command).code == 4, command
    assert sorted(path.name for path in scene.project.iterdir()) == [".git", "a.txt"]


def test_blocked_is_told_apart_from_failed(scene: Scene) -> None:
    scene.user(AUTO)
    blocked = run(scene, *RUN, "cat ~/notes.txt")
    path = scene.home / "notes.txt"
    assert blocked.code == 1
    assert blocked.err.splitlines()[1:] == [
        f"assent: probably blocked by the sandbox: {path} (outside the sandbox)",
        f'assent: to permit it: read = ["{path}"] under [sandbox]',
    ]
    assert last(scene)["blocked"] == [str(path)]
    failed = run(scene, *RUN, "cat missing.txt")
    assert (failed.code, "sandbox" in failed.err, "blocked" in last(scene)) == (1, False, False)


def test_what_it_says_would_permit_it_does(scene: Scene) -> None:
    scene.user(f'{AUTO}[sandbox]\nread = ["{scene.home}/notes.txt"]\n')
    assert run(scene, *RUN, "cat ~/notes.txt") == Done(0, "mine\n", "")


def test_new_files_that_run_by_themselves_are_named(scene: Scene) -> None:
    scene.user(AUTO)
    (scene.project / "make.sh").write_text('echo x > "$(echo .envrc)"\n')
    done = run(scene, *RUN, "sh make.sh")
    assert done == Done(
        0, "", "assent: the command made `.envrc`, which other programs run by themselves: look at it\n"
    )
    assert last(scene)["made"] == [str(scene.project / ".envrc")]


@pytest.mark.parametrize(("command", "code"), [("exit 7", 7), ("bash -c 'exit 255'", 255)])
def test_exit_codes_pass_through(scene: Scene, command: str, code: int) -> None:
    scene.user(AUTO)
    assert run(scene, *RUN, command) == Done(code, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_reaches_the_command_which_may_tidy_up(scene: Scene, number: int) -> None:
    scene.user(AUTO)
    name = signal.Signals(number).name[3:]
    script = f"trap 'echo tidy > tidied; exit 3' {name}; echo go > started; while :; do sleep 0.05; done\n"
    (scene.project / "wait.sh").write_text(script)
    words = [*LAUNCHER, *RUN, "--", "bash", "wait.sh"]
    with subprocess.Popen(words, env=scene.env, cwd=scene.project, stdin=subprocess.DEVNULL) as started:
        while not (scene.project / "started").exists():
            assert started.poll() is None
            time.sleep(0.01)
        os.kill(started.pid, number)
        try:
            assert started.wait(30) == 3
        finally:
            started.kill()  # where it did not hear the signal, nobody waits for it any longer
    assert (scene.project / "tidied").exists()


def without_bubblewrap(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"places": str(scene.home), "again": False, "only": ""}
    monkeypatch.setattr(capability.available, "__kwdefaults__", facts)


def test_no_sandbox_is_a_clear_error_and_nothing_runs(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_bubblewrap(scene, monkeypatch)
    monkeypatch.setattr(kernel, "landlock_version", lambda: 3)
    done = scene.run(capsys, *RUN, "touch made")
    assert (done.code, (scene.project / "made").exists()) == (2, False)
    assert done.err == (
        "assent: no sandbox works here: bubblewrap is not installed (package `bubblewrap`, program `bwrap`); "
        "this kernel's Landlock is too old: version 3, and 6 is needed (Linux 6.12) (see `assent sandbox doctor`)\n"
    )
    doctor = scene.run(capsys, "sandbox", "doctor", "--json")
    assert (doctor.code, doctor.json["works"], doctor.json["attempts"]) == (1, False, [])
    assert scene.run(capsys, "sandbox", "doctor").out.startswith("no sandbox works here: bubblewrap is not installed")


def test_without_bubblewrap_the_command_runs_behind_landlock(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_bubblewrap(scene, monkeypatch)
    scene.user(AUTO)
    (scene.project / "src").mkdir()
    assert scene.run(capsys, *RUN, "touch src/made").code == 0
    assert (scene.project / "src/made").exists()
    assert scene.run(capsys, *RUN, "cat ~/notes.txt").err.splitlines() == [
        f"assent: probably blocked by the sandbox: {scene.home}/notes.txt (outside the sandbox)",
        f'assent: to permit it: read = ["{scene.home}/notes.txt"] under [sandbox]',
    ]
    assert scene.run(capsys, *RUN, "touch new").err.splitlines() == [
        f"assent: probably blocked by the sandbox: new ({NOTHING_NEW})",
        "assent: to permit it: install bubblewrap, which can close single files",
    ]
    assert last(scene)["blocked"] == ["new"]


def test_landlock_refuses_what_it_cannot_do_before_anybody_is_asked(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_bubblewrap(scene, monkeypatch)
    scene.user(AUTO + '[sandbox]\nnetwork = ["pypi.org"]\n')
    done = scene.run(capsys, *RUN, "touch a.txt")
    assert done.code == 2
    assert "with Landlock there is no way to reach only these" in done.err
    assert not (scene.state / "audit/permissions.jsonl").exists()


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_the_doctor_tells_every_attempt(scene: Scene, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    done = scene.run(capsys, "sandbox", "doctor", "--with", kind, "--json")
    assert (done.code, done.json["sound"], done.json["sandbox"]) == (0, True, kind)
    assert all(row["held"] for row in done.json["attempts"])
    text = scene.run(capsys, "sandbox", "doctor", "--with", kind).out
    assert text.endswith(f"{len(done.json['attempts'])} of {len(done.json['attempts'])} attempts were held back\n")


def test_the_profile_is_shown(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    scene.user('[sandbox]\nnetwork = ["pypi.org"]\n')
    found = scene.run(capsys, "sandbox", "show", "--json").json
    assert {"what": "change", "path": str(scene.project)} in found["places"]
    assert (found["network"], "HTTPS_PROXY" in found["variables"]) == (["pypi.org"], True)
    assert "network  pypi.org" in scene.run(capsys, "sandbox", "show").out.splitlines()


def test_the_doctor_says_why_it_is_not_bubblewrap(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_bubblewrap(scene, monkeypatch)
    lines = scene.run(capsys, "sandbox", "doctor").out.splitlines()
    assert lines[0].startswith("bubblewrap does not work here: bubblewrap is not installed")
    assert lines[1] == "Landlock confines a command. It tries to"


def test_the_profile_says_where_landlock_lets_nothing_new_be_made(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    (scene.project / ".git/config").write_text("")
    found = scene.run(capsys, "sandbox", "show", "--with", "landlock", "--json").json
    assert (found["sandbox"], found["nothing_new_in"]) == ("landlock", [str(scene.project)])
    text = scene.run(capsys, "sandbox", "show", "--with", "landlock").out
    assert f"note: nothing new can be made directly in `{scene.project}`" in text.splitlines()
    assert "by       Landlock" in text.splitlines()


def test_a_signal_that_comes_before_the_command_is_there_waits_for_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.user(AUTO)
    (scene.project / "wait.sh").write_text("i=0; while [ $((i++)) -lt 200 ]; do read -t 0.05 < <(:); done\n")
    start = running.start

    def interrupted(*words: object, **facts: object) -> running.Confined:
        os.kill(os.getpid(), signal.SIGINT)
        found = start(*words, **facts)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGINT)
        return found

    capability.available(str(scene.state))  # so that the command is the first that is started
    monkeypatch.setattr(running, "start", interrupted)
    assert scene.run(capsys, *RUN, "--", "bash", "wait.sh").code == 128 + signal.SIGINT


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("sandbox",), 2),
        (("sandbox", "frob"), 2),
        (("sandbox", "--help"), 0),
        (("sandbox", "doctor", "--with", "x"), 2),
    ],
)
def test_usage(scene: Scene, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int) -> None:
    assert scene.run(capsys, *words).code == code


def test_at_a_terminal_a_person_types_to_the_command_and_ends_it(scene: Scene) -> None:
    scene.user(AUTO)
    (scene.project / "ask.sh").write_text(
        "trap 'echo tidy; exit 5' INT\nread word; echo got $word\nwhile :; do :; done\n"
    )
    words = [*LAUNCHER, *RUN, "--", "bash", "ask.sh"]
    env = {**scene.env, "TERM": "dumb"}
    person = pexpect.spawn(words[0], words[1:], cwd=str(scene.project), env=env, timeout=30, encoding="utf-8")
    person.sendline("hello")
    person.expect("got hello")
    person.sendintr()
    person.expect("tidy")
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 5


def test_what_git_would_have_run_is_put_away_said_and_written_down(scene: Scene) -> None:
    scene.user(AUTO)
    subprocess.run(["git", "init", "-q"], cwd=scene.project, env=scene.env, check=True)
    script = "cp -r .git src; printf '[core]\\n\\tfsmonitor = touch x\\n' >> src/config; echo ../src > .git/commondir"
    (scene.project / "Makefile").write_text(f"plant:\n\t@{script}\n")
    done = run(scene, *RUN, "make plant")
    said = [line.removeprefix("assent: sandbox: ") for line in done.err.splitlines()]
    assert [line.partition("` ")[2][:12] for line in said] == ["was not made", "says (core.f"]
    assert last(scene)["sandbox_notes"] == said
    assert not (scene.project / ".git/commondir").exists()
    assert not (scene.project / "src/config").exists()
