"""Codex as an editor drives it: its app server, spoken to in JSON lines, with somebody who answers its own dialogs."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any, NamedTuple

from agents.driving import CODEX, Lab, program

SECONDS = 60


class Turn(NamedTuple):
    """What Codex asked its client about during one turn."""

    asked: list[str]


def hooks_listed(lab: Lab) -> list[dict[str, Any]]:
    """The hooks as Codex sees them, with their hashes and whether it trusts them."""
    with _Server(lab) as server:
        found = server.call("hooks/list", {"cwds": [str(lab.project)]})
    return [hook for row in found["data"] for hook in row["hooks"]]


def trust(lab: Lab) -> None:
    """What `/hooks` in Codex writes when the user trusts the hooks."""
    file = lab.home / ".codex/config.toml"
    lines = [
        f'[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hook["currentHash"]}"\n'
        for hook in hooks_listed(lab)
    ]
    file.write_text(file.read_text() + "\n" + "\n".join(lines))


def turn(lab: Lab, *, policy: str, reply: str) -> Turn:
    """One turn in which Codex asks before it acts, and every dialog of its own gets the same reply."""
    with _Server(lab) as server:
        made = server.call(
            "thread/start", {"cwd": str(lab.project), "approvalPolicy": policy, "sandbox": "danger-full-access"}
        )
        text = {"type": "text", "text": "please create the file"}
        server.send({"id": 99, "method": "turn/start", "params": {"threadId": made["thread"]["id"], "input": [text]}})
        asked: list[str] = []
        for message in server:
            if "id" in message and "method" in message:
                asked.append(message["method"])
                server.send({"id": message["id"], "result": {"decision": reply}})
            if message.get("method") == "turn/completed":
                return Turn(asked)
    raise AssertionError("Codex ended before the turn did")


class _Server:
    def __init__(self, lab: Lab) -> None:
        self.process = subprocess.Popen(
            [program("codex", CODEX), "app-server"],
            cwd=lab.project,
            env=lab.env | {"FAKE_KEY": "fake"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.number = 0
        self.timer = threading.Timer(SECONDS, self.process.kill)

    def __enter__(self) -> _Server:
        self.timer.start()
        self.call("initialize", {"clientInfo": {"name": "test", "title": "test", "version": "0"}})
        self.send({"method": "initialized"})
        return self

    def __exit__(self, *_error: object) -> None:
        self.timer.cancel()
        self.process.kill()
        self.process.communicate()

    def __iter__(self) -> Any:
        assert self.process.stdout
        return (json.loads(line) for line in self.process.stdout)

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for message in self:
            if message.get("id") == self.number and "method" not in message:
                assert "result" in message, message
                return message["result"]
        raise AssertionError(f"no answer to {method}")
