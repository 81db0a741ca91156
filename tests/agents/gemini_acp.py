"""Gemini as an editor drives it: the Agent Client Protocol over its standard input, with an editor that says yes."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

from agents.driving import Lab, program
from agents.launching import GEMINI, PROMPT

SECONDS = 60


def prompted(lab: Lab, url: str) -> list[str]:
    """One prompt in a session. Every question gets a yes; returns what was asked."""
    process = subprocess.Popen(
        [program("gemini", GEMINI), "--acp", "-m", "fake-model", "--skip-trust"],
        cwd=lab.project,
        env=lab.env | {"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": url},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    try:
        return _session(process, lab)
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def _session(process: subprocess.Popen[str], lab: Lab) -> list[str]:
    asked: list[str] = []
    _call(process, asked, 1, "initialize", {"protocolVersion": 1, "clientCapabilities": {}})
    made = _call(process, asked, 2, "session/new", {"cwd": str(lab.project), "mcpServers": []})
    text = {"type": "text", "text": PROMPT}
    _call(process, asked, 3, "session/prompt", {"sessionId": made["sessionId"], "prompt": [text]})
    return asked


def _call(process: subprocess.Popen[str], asked: list[str], number: int, method: str, params: dict[str, Any]) -> Any:
    _send(process, {"id": number, "method": method, "params": params})
    assert process.stdout
    for line in process.stdout:
        message = json.loads(line)
        if message.get("method") == "session/request_permission":
            asked.append(message["params"]["toolCall"]["title"])
            options = {one["kind"]: one["optionId"] for one in message["params"]["options"]}
            chosen = {"outcome": "selected", "optionId": options["allow_once"]}
            _send(process, {"id": message["id"], "result": {"outcome": chosen}})
        elif message.get("id") == number:
            assert "result" in message, message
            return message["result"]
    raise AssertionError(f"no answer to {method}")


def _send(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
