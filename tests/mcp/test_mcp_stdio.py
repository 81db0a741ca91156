"""`assent mcp -- SERVER` as an agent starts it: pipes, processes, signals and the real SDK on both ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import stdio_client

from assent.approval.store import Store
from mcp import StdioServerParameters
from mcp_scene import ERAS, run, text_of

HERE = Path(__file__).parent
RAW = str(HERE / "raw_server.py")
REAL = str(HERE / "real_server.py")
GATEWAY = (sys.executable, "-m", "assent", "mcp")
HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "script", "version": "1"},
}


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment of its own, in which the policy allows a few calls and asks about the rest."""
    config = tmp_path / "config/assent"
    config.mkdir(parents=True)
    (config / "policy.toml").write_text(
        'allow = ["Mcp(raw.echo)", "Mcp(raw.crash)", "Mcp(raw.huge)", "Mcp(real.echo)", "Mcp(real.ask)",'
        ' "Mcp(real.resource)", "Mcp(real.prompt)"]\n'
        'deny = ["Mcp(real.wipe)"]\n'
    )
    return {
        **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONPATH": str(HERE.parent),
    }


class Process:
    """A gateway or a server as a process, spoken to line by line."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._patience = threading.Timer(20, self.process.kill)
        self._patience.start()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_error: object) -> None:
        self._patience.cancel()
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    def send(self, raw: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def receive(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip(b"\n")

    def ask(self, id: int, method: str, params: object = None) -> Any:
        """Send a request and read up to its answer."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}).encode())
        return self.answer(id)

    def answer(self, id: int) -> Any:
        while line := self.receive():
            found = json.loads(line)
            if found.get("id") == id and "method" not in found:
                return found
        raise AssertionError("the output ended")

    def begin(self) -> Process:
        self.ask(0, "initialize", HANDSHAKE)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return self


def gateway(env: dict[str, str], *words: str, options: tuple[str, ...] = ()) -> Process:
    return Process([*GATEWAY, *options, "--name", "raw", "--", sys.executable, RAW, *words], env)


def alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as source:
            return source.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except FileNotFoundError:
        return False


def wait_until(there: Any) -> None:
    """Other processes tell us nothing when they end: look until it is so."""
    for _ in range(2_000):
        if there():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def started(env: dict[str, str]) -> int:
    """The process of a server that was told to leave a mark."""
    mark = Path(env["MARK"])
    wait_until(lambda: mark.exists() and mark.read_text())
    return int(mark.read_text().split()[0])


# --- everything else passes ----------------------------------------------------------------------------------------


TRANSCRIPT = [
    b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":' + json.dumps(HANDSHAKE).encode() + b"}",
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    b'  {"jsonrpc" : "2.0", "id":"p-1", "method":"ping"}  ',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
    b'{"jsonrpc":"2.0","id":2,"method":"resources/list"}',
    b'{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"note:\\/\\/one"}}',
    b'{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"\\u00e4\xc3\xa4"}}}',
    b'{"jsonrpc":"2.0","id":5,"method":"no/such","params":{"x":[1,2.50,1e3,-0.0,null]}}',
    b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\\u0041\xc3\xa4"}}}',
    b'{"jsonrpc":"2.0","id":7,"method":"prompts/list","unknown":{"kept":true}}',
]


META = (
    b'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
    b'"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}'
)
MODERN = [
    b'{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{' + META + b"}}",
    b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{' + META + b"}}",
    b'{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"note://one",' + META + b"}}",
    b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},' + META + b"}}",
    b'{"jsonrpc":"2.0","id":4,"method":"no/such","params":{' + META + b"}}",
]


def transcript(words: list[str], env: dict[str, str], lines: list[bytes]) -> list[bytes]:
    """What comes back for each line, one after the other."""
    found = []
    with Process(words, env) as process:
        for line in lines:
            process.send(line)
            if b'"id"' in line:
                found.append(process.receive())
    return found


@pytest.mark.parametrize("lines", [TRANSCRIPT, MODERN])
def test_a_client_gets_the_same_bytes_with_and_without_the_gateway(lines: list[bytes], env: dict[str, str]) -> None:
    direct = transcript([sys.executable, REAL], env, lines)
    assert transcript([*GATEWAY, "--name", "real", "--", sys.executable, REAL], env, lines) == direct
    assert all(b'"id":' in line for line in direct)


def test_a_server_gets_the_same_bytes_that_the_client_sent(env: dict[str, str]) -> None:
    sent = [line for line in TRANSCRIPT if b"no/such" in line or b"tools/call" in line or b"ping" in line]
    with gateway(env, "mirror").begin() as process:
        process.ask(100, "tools/list")
        for line in sent:
            process.send(line)
            while not (said := json.loads(process.receive())).get("params"):
                pass
            assert bytes.fromhex(said["params"]["data"]) == line + b"\n"


# --- the real SDK --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
def test_the_real_client_and_server_over_pipes(era: str, env: dict[str, str]) -> None:
    words = [*GATEWAY[1:], "--on-ask", "deny", "--name", "real", "--", sys.executable, REAL]
    parameters = StdioServerParameters(command=GATEWAY[0], args=words, env=env)

    async def dialog(context: Any, params: Any) -> Any:
        import mcp_types as types

        return types.ElicitResult(action="accept", content={"value": "blue"})

    async def main() -> None:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            transport = stdio_client(parameters, errlog=nowhere)
            async with Client(transport, mode=era, elicitation_callback=dialog) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                assert tools == ["echo", "wipe", "look", "work", "ask"]
                assert text_of(await client.call_tool("echo", {"text": "ü"})) == "ü"
                refused = await client.call_tool("wipe", {"path": "x"})
                assert refused.is_error
                assert "Refused by the permission policy" in text_of(refused)
                assert "nobody is asked here" in text_of(await client.call_tool("look", {}))
                found = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(20)))
                assert [text_of(one) for one in found] == [str(n) for n in range(20)]
                assert text_of(await client.call_tool("ask", {})) == "blue"

    run(main)


# --- processes -----------------------------------------------------------------------------------------------------


def test_the_server_gets_its_exact_words_and_ends_with_the_client(env: dict[str, str], tmp_path: Path) -> None:
    env["MARK"] = str(tmp_path / "mark")
    with gateway(env, "mark", "--flag=a b", "$HOME", "*", "--").begin() as process:
        server = started(env)
        assert Path(env["MARK"]).read_text().partition(" ")[2] == str(["mark", "--flag=a b", "$HOME", "*", "--"])
        assert process.process.stdin is not None
        process.process.stdin.close()
        assert process.process.wait(20) == 0
        assert not alive(server)


@pytest.mark.parametrize(
    ("number", "server"),
    [
        (signal.SIGINT, "obliging"),
        (signal.SIGTERM, "obliging"),
        (signal.SIGHUP, "obliging"),
        (signal.SIGTERM, "stubborn"),
    ],
)
def test_a_signal_ends_both_and_kills_a_server_that_will_not_end(
    number: signal.Signals, server: str, env: dict[str, str], tmp_path: Path
) -> None:
    env["MARK"] = str(tmp_path / "mark")
    with gateway(env, "mark", server).begin() as process:
        running = started(env)
        process.process.send_signal(number)
        assert process.process.wait(20) == 0
        assert not alive(running)


def test_a_gateway_that_is_killed_takes_the_server_along(env: dict[str, str], tmp_path: Path) -> None:
    env["MARK"] = str(tmp_path / "mark")
    with gateway(env, "mark", "deaf").begin() as process:
        server = started(env)
        process.process.kill()
        process.process.wait()
        wait_until(lambda: not alive(server))


def test_a_server_that_crashes_fails_the_call_and_gives_its_exit_code(env: dict[str, str]) -> None:
    with gateway(env).begin() as process:
        process.ask(1, "tools/list")
        found = process.ask(2, "tools/call", {"name": "crash"})
        assert found["error"] == {"code": -32000, "message": "the server ended with exit code 7"}
        assert process.process.wait(20) == 7


def test_a_server_that_cannot_be_started_is_an_error(env: dict[str, str]) -> None:
    words = [*GATEWAY, "--", "/no/such/mcp-server-x"]
    found = subprocess.run(words, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (found.returncode, found.stdout) == (2, "")
    assert "cannot start `/no/such/mcp-server-x`" in found.stderr


def test_noise_of_a_server_never_reaches_the_client(env: dict[str, str]) -> None:
    with gateway(env, "noise") as process:
        assert process.ask(0, "initialize", HANDSHAKE)["id"] == 0
        assert "result" in process.ask(1, "tools/list")


def test_large_messages_pass_and_an_endless_one_ends_the_connection(env: dict[str, str]) -> None:
    with gateway(env).begin() as process:
        process.send(b"x" * 70_000_000)
        said = json.loads(process.receive())
        assert said["error"] == {"code": -32600, "message": "the message is too long and was not read"}
        process.ask(1, "tools/list")
        found = process.ask(2, "tools/call", {"name": "huge", "arguments": {"size": 3_000_000}})
        assert len(found["result"]["content"][0]["text"]) == 3_000_000
        found = process.ask(3, "tools/call", {"name": "huge", "arguments": {"size": 70_000_000}})
        assert found["error"]["message"] == "the server sent a message of more than 67108864 bytes"
        assert process.process.wait(20) != 0


def test_a_client_that_goes_away_while_a_person_is_asked_leaves_nothing_pending(
    env: dict[str, str], tmp_path: Path
) -> None:
    with gateway(env).begin() as process:
        process.ask(1, "tools/list")
        process.send(b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"other"}}')
        wait_until((tmp_path / "state/assent/approvals.db").exists)
        store = Store(str(tmp_path / "state/assent/approvals.db"))
        wait_until(lambda: store.pending(time.time()))
        assert process.process.stdin is not None
        process.process.stdin.close()
        assert process.process.wait(20) == 0
        assert [ticket.state for ticket in store.history()] == ["cancelled"]
        store.close()


def test_a_call_is_written_down_in_the_journal(env: dict[str, str]) -> None:
    with gateway(env).begin() as process:
        process.ask(1, "tools/list")
        assert "result" in process.ask(2, "tools/call", {"name": "echo", "arguments": {"x": 1}})
        process.ask(3, "tools/call", {"name": "echo", "arguments": {"path": f"{env['HOME']}/.ssh/id_rsa"}})
    assert assent(env, "audit", "verify").returncode == 0
    found = [json.loads(line) for line in assent(env, "audit", "tail", "--json").stdout.splitlines()]
    assert [(one["kind"], one["tool"], one["approved"], one["agent_chain"]) for one in found] == [
        ("decision", "mcp__raw__echo", True, ["script"]),
        ("decision", "mcp__raw__echo", False, ["script"]),
    ]


# --- pins on the command line --------------------------------------------------------------------------------------


def assent(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "assent", *words], env=env, capture_output=True, text=True)


def test_pins_can_be_listed_accepted_and_forgotten(env: dict[str, str]) -> None:
    assert assent(env, "mcp", "pins").stdout == "no servers\n"
    with gateway(env).begin() as process:
        process.ask(1, "tools/list")
    rows = json.loads(assent(env, "mcp", "pins", "list", "--json").stdout)
    assert [(row["server"], row["tool"], row["state"]) for row in rows] == [
        ("raw", "crash", "accepted"),
        ("raw", "echo", "accepted"),
        ("raw", "huge", "accepted"),
    ]
    state = Path(env["XDG_STATE_HOME"], "assent/mcp-pins.json")
    table = json.loads(state.read_text())
    table["raw"]["tools"]["echo"]["offered"] = [{"name": "echo", "description": "Hid\u200bden <SYSTEM>x</SYSTEM>"}]
    state.write_text(json.dumps(table))
    shown = assent(env, "mcp", "pins", "list", "raw").stdout
    assert "  changed   echo" in shown
    assert "careful: its `description` holds a character nobody can see (U+200B)" in shown
    assert "careful: its `description` speaks to the model in a tag" in shown
    assert "\u200b" not in shown
    assert assent(env, "mcp", "pins", "accept", "raw", "echo").stdout == "accepted echo of raw as offered now\n"
    assert "changed" not in assent(env, "mcp", "pins").stdout
    assert assent(env, "mcp", "pins", "forget", "raw").returncode == 0
    assert assent(env, "mcp", "pins").stdout == "no servers\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a server is needed"),
        (["--url", "ftp://x"], "is no address"),
        (["--url", "https://x.example/mcp", "--", "server"], "a server is needed"),
        (["--on-ask", "guess", "--", "server"], "unknown way to ask"),
        (["--name", "a__b", "--", "server"], "cannot be the name"),
        (["--name", "a.b", "--", "server"], "cannot be the name"),
        (["--listen", "0.0.0.0:80", "--", "server"], "not an address of this machine"),
        (["server"], "the server's command comes after `--`"),
        (["--timeout", "0", "--", "server"], "no number of seconds"),
        (["--url", "https://x.example/mcp", "--header", "no colon"], "is no header"),
        (["pins", "accept"], "cannot be done like this"),
        (["pins", "accept", "nobody"], "nothing is known about a server `nobody`"),
    ],
)
def test_wrong_usage_is_an_error_that_helps(words: list[str], said: str, env: dict[str, str]) -> None:
    found = assent(env, "mcp", *words)
    assert (found.returncode, found.stdout) == (2, "")
    assert said in found.stderr


# --- listening -----------------------------------------------------------------------------------------------------


def test_listening_prints_its_address_and_token_and_ends_with_its_servers(env: dict[str, str], tmp_path: Path) -> None:
    env["MARK"] = str(tmp_path / "mark")
    words = [*GATEWAY, "--listen", "127.0.0.1:0", "--name", "raw", "--", sys.executable, RAW, "mark"]
    with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split(" at ")[1].strip()
        token = process.stderr.readline().split("`")[1].partition(": ")[2]
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}
        with httpx.Client() as http:
            reply = http.post(url, json=body, headers={"authorization": token}).json()
        assert reply["result"]["serverInfo"]["name"] == "raw"
        server = started(env)
        process.terminate()
        assert process.wait(20) in (0, -signal.SIGTERM)
        wait_until(lambda: not alive(server))
