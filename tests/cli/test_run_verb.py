"""`assent run`: what is allowed runs with its own exit code, what is not says why, and what was judged is what runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from assent.approval.store import Store
from assent.questions import Answer
from scene import LAUNCHER, Done, Scene

RUN = ("run", "--on-ask", "deny")


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = Scene(tmp_path, monkeypatch)
    (made.project / "a.txt").write_text("hello\n")
    return made


def run(scene: Scene, *words: str) -> Done:
    """In a process of its own and without a terminal."""
    done = subprocess.run(
        [*LAUNCHER, *words], env=scene.env, cwd=scene.project, capture_output=True, text=True, start_new_session=True
    )
    return Done(done.returncode, done.stdout, done.stderr)


def journal(scene: Scene) -> list[dict[str, object]]:
    return [json.loads(line) for line in (scene.state / "audit/permissions.jsonl").read_text().splitlines()]


def test_an_allowed_command_runs(scene: Scene) -> None:
    assert run(scene, *RUN, "cat a.txt | tr a-z A-Z") == Done(0, "HELLO\n", "")
    assert run(scene, *RUN, "--", "cat", "a.txt") == Done(0, "hello\n", "")
    assert [record["kind"] for record in journal(scene)] == ["decision", "result"] * 2


def test_words_after_the_dashes_are_not_read_by_a_shell(scene: Scene) -> None:
    assert run(scene, *RUN, "--", "echo", "$HOME;", "*") == Done(0, "$HOME; *\n", "")


@pytest.mark.parametrize("command", ["cat missing.txt", "grep -q nothing a.txt"])
def test_the_exit_code_is_the_commands_own(scene: Scene, command: str) -> None:
    done = run(scene, *RUN, command)
    assert done.code == 1
    assert journal(scene)[-1]["exit_code"] == 1


def test_a_denied_command_does_not_run(scene: Scene) -> None:
    done = run(scene, "run", "cat ~/.ssh/id_rsa; touch made")
    assert (done.code, done.out) == (4, "")
    assert "sensitive credential path" in done.err
    assert not (scene.project / "made").exists()


def test_without_anybody_to_ask_it_does_not_run(scene: Scene) -> None:
    done = run(scene, *RUN, "touch made")
    assert (done.code, done.out) == (4, "")
    assert "nobody is asked here" in done.err
    assert not (scene.project / "made").exists()


def test_a_parked_question_is_answered_and_the_same_command_then_runs_once(scene: Scene) -> None:
    parked = run(scene, "run", "--on-ask", "park", "--why", "tidy up", "touch made")
    assert parked.code == 3
    assert not (scene.project / "made").exists()
    store = Store(str(scene.state / "approvals.db"))
    [ticket] = store.pending(time.time())
    assert ticket.request.description == "tidy up"
    store.answer(ticket.id, Answer(True, "ann", "web", 1.0, fingerprint=ticket.request.fingerprint), time.time())
    store.close()
    assert run(scene, "run", "--on-ask", "park", "touch made").code == 0
    assert (scene.project / "made").exists()
    assert run(scene, "run", "--on-ask", "park", "touch made").code == 3


def test_signals_reach_the_command(scene: Scene) -> None:
    scene.user('allow = ["Bash(sleep:*)"]\n')
    with subprocess.Popen([*LAUNCHER, *RUN, "--", "sleep", "60"], env=scene.env, cwd=scene.project) as started:
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        while not children.read_text().split():
            time.sleep(0.01)
        os.kill(started.pid, signal.SIGTERM)
        assert started.wait(30) == 128 + signal.SIGTERM


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give a command to run"),
        (["--on-ask", "yes", "ls"], "unknown way `yes`"),
        (["--seconds", "soon", "ls"], "`--seconds soon` is no number of seconds"),
        (["--frob", "ls"], "unknown option `--frob`"),
    ],
)
def test_wrong_usage_runs_nothing(scene: Scene, words: list[str], says: str) -> None:
    done = run(scene, "run", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_a_program_that_is_not_there_is_an_error(scene: Scene) -> None:
    scene.user('allow = ["Bash(no-such-program:*)"]\n')
    done = run(scene, *RUN, "--", "no-such-program", "x")
    assert (done.code, done.out) == (2, "")
    assert "cannot run `no-such-program`" in done.err


@pytest.mark.parametrize("folder", ["/", "home"])
def test_a_folder_that_is_no_project_frees_nothing(scene: Scene, folder: str) -> None:
    place = str(scene.home) if folder == "home" else folder
    done = subprocess.run(
        [*LAUNCHER, *RUN, "cat /etc/hostname"], env=scene.env, cwd=place, capture_output=True, start_new_session=True
    )
    assert (done.returncode, done.stdout) == (4, b"")
