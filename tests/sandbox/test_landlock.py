"""Real commands behind Landlock: what they cannot do, that all else is as usual, and that nothing of them is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.sandbox import kernel, landlock
from assent.sandbox.capability import LANDLOCK, Capability, available
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Settings
from assent.sandbox.walls import walls_for
from sandbox.confined import Place, Shown

SOURCE = Path(landlock.__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path, kind=LANDLOCK)
    (made.project / "src").mkdir()
    return made


# --- what it cannot do ---------------------------------------------------------------------------------------------


def test_it_changes_the_workspace_and_nothing_else(place: Place) -> None:
    outside = f"{place.home}/notes.txt"
    done = place.run(
        f"echo a > made; mkdir d; mv made d/moved; echo b >> {outside}; rm {outside}; mv {outside} d;"
        f"truncate -s 0 {outside}; echo c > /usr/x; echo d > /etc/x; echo e > {place.folder}/x"
    )
    assert (place.project / "d/moved").read_text() == "a\n"
    assert (place.home / "notes.txt").read_text() == "mine"
    assert (done.code, done.err.count("Permission denied")) == (1, 7)
    assert not [path for path in ("/usr/x", "/etc/x", f"{place.folder}/x") if os.path.exists(path)]


def test_it_cannot_read_secrets(place: Place) -> None:
    (place.project / ".env").write_text("TOKEN=1")
    (place.state / "trust.json").write_text("{}")
    done = place.run("cat .env ~/.ssh/id_test ~/notes.txt /etc/shadow ~/state/assent/trust.json; ls ~ ~/.ssh; ls")
    assert (done.out, done.err.count("Permission denied")) == ("src\n", 7)


def test_beside_a_secret_what_is_there_can_be_changed_and_nothing_new_be_made(place: Place) -> None:
    (place.project / ".env").write_text("TOKEN=1")
    (place.project / "a.txt").write_text("old\n")
    done = place.run(
        "echo new > a.txt; echo x > src/made; touch other; mv .env src/e; ln .env src/e; mv src s; cat src/e"
    )
    assert (done.code, done.out) == (1, "")
    found = {str(path.relative_to(place.project)) for path in place.project.rglob("*")}
    assert found == {".env", "a.txt", "src", "src/made"}
    assert (place.project / "a.txt").read_text() == "new\n"


def test_a_secret_that_is_opened_can_be_read_and_not_changed(place: Place) -> None:
    (place.project / ".env").write_text("TOKEN=1\n")
    done = place.run("cat .env; echo x > .env", place.profile(Settings(read=(".env",), write=("src",))))
    assert done.out == "TOKEN=1\n"


def test_git_can_look_and_its_settings_stay(place: Place) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(place.folder)}
    subprocess.run(["git", "init", "-q", str(place.project)], check=True, env=env)
    (place.project / "a").write_text("x")
    assert place.run("git status --short") == Shown(0, "?? a\n", "")
    for attempt in ("git config core.pager x", "echo x > .git/hooks/pre-commit", "mv .git g", "rm -r .git/hooks"):
        assert place.run(attempt).code, attempt


def test_links_do_not_lead_out(place: Place) -> None:
    (place.project / "link").symlink_to(place.home / "notes.txt")
    assert place.run("cat link").code == 1
    assert place.run(f"ln {place.home}/notes.txt hard").code == 1


def test_a_link_that_appears_after_the_plan_is_noticed(place: Place) -> None:
    (place.project / ".vscode").mkdir()
    (place.project / ".vscode/x").write_text("x")
    planned = place.profile()
    found = walls_for(planned, Machine())
    (place.project / ".vscode").rename(place.project / "away")
    (place.project / "src").rmdir()
    (place.project / "src").symlink_to(place.home / ".ssh")
    with pytest.raises(AssentError, match=r"`.*/src` is not what it was when the sandbox was planned"):
        landlock.start(planned, found, ("/bin/true",), show=False)


def test_other_processes_can_neither_be_seen_nor_signalled(place: Place) -> None:
    mine = os.getpid()
    done = place.run(
        f"ls /proc; cat /proc/{mine}/cmdline /proc/{mine}/environ /proc/1/cmdline; kill -0 {mine}; kill $PPID"
    )
    assert (done.code, done.out) == (1, "")
    assert (done.err.count("Permission denied"), done.err.count("Operation not permitted")) == (4, 2)


def test_no_socket_can_be_made_that_leads_anywhere(place: Place) -> None:
    script = """
import socket
for family in range(0, 46):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind).close()
            print("socket", family, kind)
        except OSError:
            pass
        try:
            one, two = socket.socketpair(family, kind)
            print("pair", family, kind)
            try:
                one.connect("/dev/log")
                print("connected")
            except OSError:
                pass
            one.send(b"x")
            two.recv(1)
            one.close()
            two.close()
        except (OSError, ValueError):
            pass
"""
    assert place.python(script) == Shown(0, "pair 1 1\npair 1 5\n", "")


# --- what is as usual ----------------------------------------------------------------------------------------------


def test_a_pipe_that_nobody_reads_ends_the_command_as_usual(place: Place) -> None:
    assert place.run("yes | head -1; echo ${PIPESTATUS[0]}") == Shown(0, "y\n141\n", "")


def test_streams_can_be_opened_by_name(place: Place) -> None:
    assert place.run("cat /dev/stdin > /dev/stdout; echo e > /dev/stderr", stdin="x\n") == Shown(0, "x\n", "e\n")


def test_temporary_files_are_private_and_gone_afterwards(place: Place) -> None:
    done = place.run('f=$(mktemp) && echo x > $f && mkdir -p $TMPDIR/a/b && chmod 500 $TMPDIR/a && echo "$TMPDIR"')
    assert done.code == 0, done.err
    assert not os.path.exists(done.out.strip())


def test_home_inside_the_workspace_is_refused(place: Place) -> None:
    with pytest.raises(AssentError, match="Landlock cannot hide a folder of it"):
        place.run("true", place.profile(workspace=str(place.folder)))


# --- nothing is left -----------------------------------------------------------------------------------------------

LEAVE = 'setsid sleep 1000 & (setsid sleep 1000 &) ; trap "" TERM HUP INT; '


def test_what_is_left_running_ends_with_the_command(place: Place) -> None:
    """All that was started holds the pipe: it ends only with the last of them."""
    reading, writing = os.pipe()
    running = place.start("/bin/bash", "-c", f"{LEAVE} exit 3", stdout=writing)
    os.close(writing)
    with open(reading, "rb") as answers:
        assert answers.read() == b""
    assert running.wait().code == 3


STARTS = """
import sys
sys.path.insert(0, sys.argv[1])
from assent.sandbox.capability import Capability
from assent.sandbox.ground import Machine
from assent.sandbox.profile import profile_for
profile = profile_for(sys.argv[2], sys.argv[2], sys.argv[2] + "/home", Machine(), env={"PATH": "/usr/bin:/bin"})
able = Capability(True, how="Landlock", kind="landlock")
able.start(profile, ["/bin/bash", "-c", sys.argv[3]], "", show=False).wait()
"""


def test_what_runs_ends_when_whoever_waits_is_killed(place: Place) -> None:
    words = [sys.executable, "-I", "-c", STARTS, str(SOURCE), str(place.project)]
    command = f"{LEAVE} echo $TMPDIR; echo x > $TMPDIR/x; while :; do read -t 0.05 < <(:); done"
    with subprocess.Popen([*words, command], stdout=subprocess.PIPE, text=True) as waiting:
        assert waiting.stdout is not None
        private = Path(waiting.stdout.readline().strip())
        waiting.kill()
        assert waiting.stdout.read() == ""
    deadline = time.monotonic() + 30
    while list(private.iterdir()):  # the launcher closes the pipe before it tidies up
        assert time.monotonic() < deadline
        time.sleep(0.01)
    private.rmdir()


def test_processes_that_multiply_are_ended_all_at_once(place: Place) -> None:
    reading, writing = os.pipe()
    multiply = (
        "f() { while :; do (setsid sleep 1000 &); done; }; for i in 1 2 3 4; do f & done; read -t 0.5 < <(sleep 1)"
    )
    running = place.start("/bin/bash", "-c", multiply, stdin=subprocess.DEVNULL, stdout=writing)
    os.close(writing)
    with open(reading, "rb") as answers:
        assert answers.read() == b""
    running.wait()


def test_the_end_of_one_command_does_not_reach_another(place: Place) -> None:
    given, gives = os.pipe()
    reading, writing = os.pipe()
    running = place.start("/bin/bash", "-c", "echo ready; read word; echo $word", stdin=given, stdout=writing)
    os.close(given)
    os.close(writing)
    with open(reading, encoding="ascii") as answers:
        assert answers.readline() == "ready\n"
        assert place.run(f"{LEAVE} kill -9 {running.first} -{running.first}").err.count("not permitted") == 2
        os.write(gives, b"alive\n")
        assert answers.read() == "alive\n"
    os.close(gives)
    assert running.wait().code == 0


def test_a_launcher_that_is_told_to_end_takes_everything_along(place: Place) -> None:
    reading, writing = os.pipe()
    running = place.start("/bin/bash", "-c", f"{LEAVE} echo ready; sleep 1000", stdout=writing)
    os.close(writing)
    with open(reading, "rb") as answers:
        assert answers.readline() == b"ready\n"
        running.process.terminate()
        assert answers.read() == b""
    assert running.wait().code == 128 + signal.SIGKILL


def test_orphans_are_let_go_of_while_the_command_runs(place: Place) -> None:
    """Else `kill -0` would say for ever that they are there."""
    done = place.run(
        "(true & echo $! > n); while kill -0 $(cat n) 2> /dev/null; do read -t 0.01 < <(:); done; echo gone"
    )
    assert done == Shown(0, "gone\n", "")


# --- whether it works at all ---------------------------------------------------------------------------------------


def forbidding(folder: Path) -> str:
    """A bubblewrap as it is where user namespaces are forbidden."""
    made = folder / "bin/bwrap"
    made.parent.mkdir()
    made.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    made.chmod(0o755)
    return str(made.parent)


def test_where_bubblewrap_does_not_work_landlock_is_used_and_the_reason_told(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    none = available(state, places=str(tmp_path))
    assert none == Capability(
        True, "", "Landlock", LANDLOCK, "bubblewrap is not installed (package `bubblewrap`, program `bwrap`)"
    )
    forbidden = available(state, places=forbidding(tmp_path))
    assert (forbidden.works, forbidden.kind) == (True, LANDLOCK)
    assert forbidden.instead == "the sandbox could not be made: No permissions to create new namespace"


def test_bubblewrap_comes_first(tmp_path: Path) -> None:
    assert available(str(tmp_path)).kind == "bubblewrap"


def test_the_proof_is_made_once_and_again_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.sandbox import capability

    tried: list[str] = []
    real = capability._tried

    def counted(able: Capability, state: str) -> str:
        tried.append(able.kind)
        return real(able, state)

    monkeypatch.setattr(capability, "_tried", counted)
    found = [available(str(tmp_path), again=again, only=LANDLOCK) for again in (False, False, True)]
    assert found == [Capability(True, how="Landlock", kind=LANDLOCK)] * 3
    assert tried == [LANDLOCK] * 2


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (0, "this kernel offers no Landlock"),
        (5, "this kernel's Landlock is too old: version 5, and 6 is needed (Linux 6.12)"),
        (6, ""),
        (9, ""),
    ],
)
def test_an_old_kernel_is_not_enough(monkeypatch: pytest.MonkeyPatch, version: int, says: str) -> None:
    monkeypatch.setattr(kernel, "landlock_version", lambda: version)
    assert landlock.missing() == says


def test_where_neither_works_both_reasons_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    found = available(str(tmp_path / "state"), places=str(tmp_path))
    reason = "bubblewrap is not installed (package `bubblewrap`, program `bwrap`); this kernel offers no Landlock"
    assert found == Capability(False, reason)


def test_a_machine_whose_calls_are_not_known_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert landlock.missing() == "Landlock alone is not enough, and calls cannot be filtered on riscv64"


@pytest.mark.parametrize("spoilt", ["rules", "filter"])
def test_walls_with_a_hole_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str) -> None:
    """The proof runs for real: once everything is granted, once the calls that change rights are not stopped."""
    from assent.sandbox import calls
    from assent.sandbox.rights import WRITE
    from assent.sandbox.walls import Rule

    order = landlock._order
    if spoilt == "rules":
        monkeypatch.setattr(
            landlock, "_order", lambda profile, found, *more: order(profile, type(found)((Rule("/", WRITE),)), *more)
        )
    else:
        monkeypatch.setattr(calls, "ASKED", {"fchmodat2": (452, 452)})
    found = available(str(tmp_path), only=LANDLOCK)
    assert (found.works, found.why_not.partition(":")[0]) == (
        False,
        f"a confined test ended with {12 if spoilt == 'rules' else 15}",
    )


def test_signals_that_are_not_held_back_stop_everything(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher ends everybody whom its signals reach. It looks first whether they reach whoever started it."""
    words = [
        *(sys.executable, "-I", "-c"),
        "import sys, os; sys.path.insert(0, sys.argv[1])\n"
        "from assent.sandbox import kernel, launcher\n"
        "kernel.restrict = os.close\n"
        "launcher._kill_everybody = lambda: print('KILLED EVERYBODY')\n"
        "try:\n    launcher._hold_back(os.getppid())\nexcept OSError as error:\n    print(error.strerror)\n",
        str(SOURCE),
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("signals are not held back\n", "")


def test_the_number_of_processes_counts_what_runs_already(place: Place) -> None:
    script = "import resource, json; print(json.dumps(resource.getrlimit(resource.RLIMIT_NPROC)))"
    soft, hard = json.loads(place.python(script).out)
    assert (soft == hard, soft >= 4_096) == (True, True)


def test_nothing_beside_the_package_stands_in_for_the_standard_library(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, mark = place.folder / "packages", place.folder / "mark"
    packages.mkdir()
    (packages / "assent").symlink_to(SOURCE / "assent")
    for name in ("select", "resource", "signal", "stat", "struct", "fcntl", "ctypes", "encodings", "enum", "types"):
        (packages / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit\n")
    monkeypatch.setattr(landlock, "PACKAGES", str(packages))
    assert place.run("echo in").out == "in\n"
    assert not mark.exists()
