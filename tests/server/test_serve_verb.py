"""`assent serve`: starts, prints a link that works once, says what is wrong, and ends cleanly."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from assent.cli.fast import main
from assent.cli.hook import _inbox_is_open
from assent.server.keys import codes_folder, token_file

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@contextmanager
def started(home: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`assent serve` on any free port, as a process of its own."""
    words = [sys.executable, "-m", "assent", "serve", "--port", "0", *options]
    env = {"HOME": str(home), "PATH": os.defpath}
    process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_a_link_serves_and_ends_cleanly_while_a_tab_listens(home: Path, number: signal.Signals) -> None:
    with started(home, "--json") as process:
        told = json.loads(first_line(process))
        address, _, code = told["link"].partition("/login#")
        assert (address, told["pid"]) == (f"http://127.0.0.1:{told['port']}", process.pid)
        with httpx.Client(base_url=address, headers={"Origin": address}, trust_env=False) as client:
            key = client.post("/api/login", json={"code": code}).json()["token"]
            headers = {"Authorization": f"Bearer {key}"}
            with client.stream("GET", "/api/events", headers=headers) as news:
                lines = news.iter_lines()
                assert next(lines) == "event: hello"
                process.send_signal(number)
                assert [line for line in lines if line.startswith("event:")] == []
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")


def test_nothing_secret_is_printed_or_kept_but_the_link(home: Path) -> None:
    with started(home) as process:
        link, more = first_line(process).split()[-1], first_line(process)
        code = link.partition("#")[2]
        address = link.partition("/login")[0]
        answer = httpx.post(f"{address}/api/login", json={"code": code}, headers={"Origin": address}, trust_env=False)
        httpx.get(f"{address}/api/requests?token=guess", headers={"X-Assent-Token": "wrong"}, trust_env=False)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    token = Path(token_file(str(home / ".local/state/assent"))).read_text().strip()
    assert (answer.status_code, more) == (200, "  works once, within five minutes; Ctrl-C ends the inbox\n")
    assert (out, err) == ("", "")
    kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file() and file.name != "web-token")
    assert token.encode() not in kept and code.encode() not in kept
    assert answer.json()["token"].encode() not in kept


def test_it_listens_on_this_machine_alone(home: Path) -> None:
    with started(home, "--json") as process:
        port = json.loads(first_line(process))["port"]
        table = Path("/proc/net/tcp").read_text()
        assert [line.split()[1] for line in table.splitlines() if f":{port:04X} 00000000:0000 0A" in line] == [
            f"0100007F:{port:04X}"
        ]


def test_another_link_comes_without_another_server(home: Path, capsys: Capture) -> None:
    assert main(["serve", "--link", "--port", "4711"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Your inbox: http://127.0.0.1:4711/login#")
    assert len(os.listdir(codes_folder(str(home / ".local/state/assent")))) == 1


def test_a_port_that_is_taken_is_said_with_what_to_do(home: Path, capsys: Capture) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert capsys.readouterr().err == (
        f"assent: port {port} is taken (choose another with --port; "
        "for a link to an inbox that runs there: assent serve --link)\n"
    )


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_a_missing_package_is_said_with_what_to_do(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else real(name))
    assert main(["serve", "--port", "0"]) == 2
    assert capsys.readouterr().err == (
        f"assent: the inbox needs {missing}, which is not installed (pip install 'assent[server]')\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "`--host 0.0.0.0` lets other machines in (if you mean that, add --allow-remote)"),
        (["--host", "10.0.0.5"], "`--host 10.0.0.5` lets other machines in (if you mean that, add --allow-remote)"),
        (["--name", "box.example"], "`--name` is for inboxes that others reach (add --allow-remote)"),
        (["--port", "99999"], "`--port 99999` is no port (a number up to 65535)"),
        (["--port", "x"], "`--port x` is no port (a number up to 65535)"),
        (["now"], "`now` is one argument too many (see `assent serve --help`)"),
    ],
)
def test_what_makes_no_sense_or_opens_the_door_is_refused(
    home: Path, capsys: Capture, words: list[str], said: str
) -> None:
    assert main(["serve", *words]) == 2
    assert capsys.readouterr().err == f"assent: {said}\n"


def test_a_server_that_others_can_reach_warns(home: Path) -> None:
    with started(home, "--json", "--host", "0.0.0.0", "--allow-remote", "--name", "box.example") as process:
        told = json.loads(first_line(process))
        assert told["link"].startswith(f"http://box.example:{told['port']}/login#")
        for host, status in (("box.example", 401), ("evil.example", 421)):
            address = f"http://127.0.0.1:{told['port']}/api/requests"
            found = httpx.get(address, headers={"Host": f"{host}:{told['port']}"}, trust_env=False)
            assert found.status_code == status
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=20)
    assert err.startswith("assent: warning: other machines can reach this inbox, and the traffic is not encrypted")


def test_several_inboxes_are_told_apart_and_a_killed_one_is_forgotten(home: Path) -> None:
    state = home / ".local/state/assent"

    def is_open() -> bool:
        return _inbox_is_open(str(state))

    assert not is_open()
    with started(home, "--json") as first:
        first_line(first)
        with started(home, "--json") as second:
            first_line(second)
            assert len(list((state / "inboxes").iterdir())) == 2
            second.send_signal(signal.SIGTERM)
            second.wait(20)
        assert is_open()
        first.kill()
        first.wait(20)
        assert not is_open()
        with started(home, "--json") as third:
            first_line(third)
            assert [name.name.split(".")[0] for name in (state / "inboxes").iterdir()] == [str(third.pid)]
