"""Real commands in each real sandbox: what is not confined is as it is outside."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.sandbox import running
from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK
from assent.sandbox.profile import Settings
from sandbox.confined import Place, Shown

KINDS = (BUBBLEWRAP, LANDLOCK)


@pytest.fixture(params=KINDS)
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    return Place(tmp_path, kind=request.param)


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_the_exit_code_is_the_commands_own(place: Place, code: int) -> None:
    assert place.run(f"exit {code}") == Shown(code, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
def test_a_signal_that_ends_the_command_is_told(place: Place, number: int) -> None:
    assert place.run(f"kill -{int(number)} $$").code == 128 + number


def test_signals_reach_the_command(place: Place) -> None:
    reading, writing = os.pipe()
    command = 'trap "echo caught; exit 9" INT; echo ready; while :; do read -t 0.05 < <(:); done'
    running = place.start("/bin/bash", "-c", command, stdin=subprocess.DEVNULL, stdout=writing)
    os.close(writing)
    with open(reading, encoding="utf-8") as answers:
        assert answers.readline() == "ready\n"
        running.send(signal.SIGINT)
        assert answers.read() == "caught\n"
    assert running.wait().code == 9


def test_input_passes_through(place: Place) -> None:
    assert place.run("tr a-z A-Z", stdin="hello\n" * 10_000).out == "HELLO\n" * 10_000


def test_large_outputs_pass_through(place: Place) -> None:
    done = place.run("head -c 3000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero | tr '\\0' y >&2")
    assert (done.code, len(done.out), set(done.err)) == (0, 3_000_000, {"y"})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["with blank", "-dash", "quote'\"", "ünï😀", "new\nline", "$HOME", "a,b=c:d"])
def test_odd_names_of_a_workspace(tmp_path: Path, name: str, kind: str) -> None:
    place = Place(tmp_path, name, kind=kind)
    assert place.run("echo x > made && chmod 600 made && cat made") == Shown(0, "x\n", "")
    assert (place.project / "made").exists()


def test_a_workspace_behind_a_link(place: Place) -> None:
    link = place.home / "link"
    link.symlink_to(place.project)
    done = place.run("pwd; pwd -P; echo x > made", place.profile(workspace=str(link)))
    assert done == Shown(0, f"{link}\n{place.project}\n", "")
    assert (place.project / "made").exists()


def test_a_program_that_is_not_there_is_an_error_of_ours(place: Place) -> None:
    with pytest.raises(AssentError, match="cannot run `no-such-program` in the sandbox: No such file"):
        place.words("no-such-program")


def test_folders_can_be_opened(place: Place) -> None:
    for name in ("cache", "data"):
        (place.home / name).mkdir()
    (place.home / "data/a").write_text("shown")
    opened = place.profile(Settings(read=("~/data",), write=("~/cache",)))
    done = place.run("cat ~/data/a; echo x > ~/cache/b; echo x > ~/data/b; mv ~/data/a ~/cache", opened)
    assert (done.code, done.out) == (1, "shown")
    assert ((place.home / "cache/b").exists(), (place.home / "data/b").exists()) == (True, False)


@pytest.mark.parametrize(
    "command", ["trap '' TERM; echo ready; while :; do sleep 0.1; done", "echo ready; kill -STOP $$"]
)
def test_what_does_not_end_when_told_to_is_ended(place: Place, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "GRACE_SECONDS", 0.3)
    reading, writing = os.pipe()
    started = place.start("/bin/bash", "-c", command, stdin=subprocess.DEVNULL, stdout=writing)
    os.close(writing)
    with open(reading, encoding="utf-8") as answers:
        assert answers.readline() == "ready\n"
        started.send(signal.SIGTERM)
        assert started.wait().code in (128 + signal.SIGKILL, 128 + signal.SIGTERM)


def test_who_ends_in_time_says_how(place: Place) -> None:
    reading, writing = os.pipe()
    command = "trap 'sleep 0.2; exit 5' TERM; echo ready; while :; do sleep 0.05; done"
    started = place.start("/bin/bash", "-c", command, stdin=subprocess.DEVNULL, stdout=writing)
    os.close(writing)
    with open(reading, encoding="utf-8") as answers:
        assert answers.readline() == "ready\n"
        started.send(signal.SIGTERM)
        assert started.wait().code == 5


def test_tracing_the_first_process_does_not_hang_the_sandbox(place: Place) -> None:
    shown = place.python(
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "for request in (16, 0x4206):\n"
        "    for process in (1, os.getppid()):\n"
        "        print(libc.ptrace(request, process, 0, 0))\n"
    )
    assert (shown.code, set(shown.out.split())) == (0, {"-1"})


def test_a_program_can_be_traced_by_whoever_started_it(place: Place) -> None:
    shown = place.python(
        "import ctypes, os\n"
        "child = os.fork()\n"
        "if not child: os._exit(0 if ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 else 1)\n"
        "print(os.waitpid(child, 0)[1])\n"
    )
    assert shown.out == "0\n"


@pytest.mark.parametrize(
    "command",
    [
        "touch f; chmod u+s f",
        "touch f; chmod 4755 f",
        "touch f; chmod g+s f",
        "install -m 4755 /bin/true f",
        "cp --preserve=mode /usr/bin/passwd f",
    ],
)
def test_no_file_runs_as_its_owner(place: Place, command: str) -> None:
    place.run(command)
    found = place.project / "f"
    assert not found.exists() or not found.stat().st_mode & 0o6000


def test_no_call_of_the_kernel_makes_such_a_file(place: Place) -> None:
    shown = place.python(
        "import os, stat\n"
        "def tried(what):\n"
        "    try: what()\n"
        "    except OSError as error: print(error.errno)\n"
        "tried(lambda: os.open('a', os.O_CREAT | os.O_WRONLY, 0o4755))\n"
        "tried(lambda: os.mknod('b', stat.S_IFREG | 0o4755))\n"
        "os.close(os.open('c', os.O_CREAT | os.O_WRONLY, 0o755))\n"
        "tried(lambda: os.chmod('c', 0o4755))\n"
        "tried(lambda: os.fchmod(os.open('c', os.O_RDONLY), 0o6755))\n"
        "tried(lambda: os.chmod('c', 0o2755, dir_fd=os.open('.', os.O_RDONLY)))\n"
    )
    assert shown.out.split() == ["1"] * 5
    assert not [path for path in place.project.iterdir() if path.stat().st_mode & 0o6000]
