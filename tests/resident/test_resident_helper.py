"""The life of the helper: one at a time, gone without a trace, noticed when it is old."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from resident.resident_scene import PACKAGE, SELF, House, helper, house, workers


@pytest.fixture
def home() -> Iterator[House]:
    with house() as made:
        yield made


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_and_nothing_is_left(home: House, number: signal.Signals) -> None:
    with helper(home) as process:
        everyone = workers(process)
        assert home.answered(home.command("git status")).verdict == "allow"
        process.send_signal(number)
        assert process.communicate(timeout=30) == (b"", b"")
        assert (process.returncode, home.socket.exists()) == (0, False)
        assert [worker for worker in everyone if Path(f"/proc/{worker}").exists()] == []


def test_attached_it_ends_with_its_standard_input(home: House) -> None:
    with helper(home, "--attached") as process:
        assert process.communicate(timeout=30) == (b"", b"")
        assert (process.returncode, home.socket.exists()) == (0, False)


def test_there_is_one_helper_and_the_second_says_so(home: House) -> None:
    with helper(home):
        second = home.verb("resident")
        expected = "assent: a resident helper runs already (`assent doctor` says whether it is current)\n"
        assert second == (2, "", expected)
        assert home.answered(home.command("git status")).verdict == "allow"


def test_it_does_not_listen_in_a_folder_that_others_could_look_into(home: House) -> None:
    home.socket.parent.mkdir(parents=True)
    home.socket.parent.chmod(0o755)
    refused = home.verb("resident")
    assert (refused.code, refused.out) == (2, "")
    assert (
        refused.err == f"assent: `{home.socket.parent}` is not a folder of yours alone (remove it; it is made again)\n"
    )


def test_a_path_that_is_too_long_for_a_socket_is_an_error_that_says_so(home: House) -> None:
    home.env["XDG_STATE_HOME"] = str(home.home / ("long" * 30))
    refused = home.verb("resident")
    assert (refused.code, refused.out, "AF_UNIX path too long" in refused.err) == (2, "", True)


def test_what_nobody_else_may_see_nobody_else_can(home: House) -> None:
    with helper(home):
        modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (home.socket.parent, home.socket)}
    assert modes == {"resident": "0o700", "hooks.sock": "0o700"}


def findings(home: House) -> list[tuple[str, str]]:
    rows = json.loads(home.verb("doctor", "--json").out)["findings"]["assent"]
    return [(row["level"], row["text"]) for row in rows if "helper" in row["text"]]


def test_the_doctor_says_whether_it_runs(home: House) -> None:
    without = ("note", "no helper runs: hooks load everything themselves (`assent serve` runs one)")
    assert findings(home) == [without]
    with helper(home) as process:
        assert findings(home) == [("ok", "the resident helper answers hooks")]
        for number in (process.pid, *workers(process)):
            os.kill(number, signal.SIGKILL)
        process.wait()
        silent = "the resident helper does not answer, so hooks load everything themselves"
        assert findings(home) == [("warning", silent)]


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[House]:
    copy = tmp_path / "assent"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with house(copy) as made:
        yield made


OLD = ("warning", "the resident helper is of another version, so hooks load everything themselves")


def test_after_an_update_hooks_do_it_themselves_and_the_doctor_says_so(copied: House) -> None:
    with helper(copied):
        assert copied.answered(copied.command("git status")).verdict == "allow"
        changed = copied.package / "policy/decide.py"
        new = changed.with_name("new")
        new.write_bytes(changed.read_bytes())
        new.replace(changed)
        assert copied.resident(copied.command("git status")).code == SELF
        assert copied.hook(copied.command("git status")).verdict == "allow"
        assert findings(copied) == [OLD]


def test_a_file_of_somebody_else_in_our_folders_is_no_update(copied: House) -> None:
    with helper(copied):
        (copied.package / "policy/note.txt").write_text("x")
        assert copied.answered(copied.command("git status")).verdict == "allow"
        assert findings(copied) == [("ok", "the resident helper answers hooks")]


def test_a_source_that_was_edited_in_place_is_noticed(copied: House) -> None:
    with helper(copied):
        with (copied.package / "policy/decide.py").open("a") as file:
            file.write("\n")
        assert findings(copied) == [OLD]


def test_the_inbox_runs_it_and_takes_it_along(home: House) -> None:
    words = [sys.executable, "-m", "assent", "serve", "--port", "0", "--json"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, env=home.env, cwd=home.home, stdout=pipe, stderr=pipe)
    try:
        assert process.stdout is not None
        assert "link" in json.loads(process.stdout.readline())
        end = time.monotonic() + 30
        while home.resident(home.command("git status")).code == SELF and time.monotonic() < end:
            time.sleep(0.02)
        assert home.answered(home.command("git status")).verdict == "allow"
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=30) == (b"", b"")
        assert (process.returncode, home.socket.exists()) == (0, False)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
