"""An MCP server by hand, for what no SDK would do: `raw_server.py [WORDS]`, each word a way to misbehave."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

WORDS = frozenset(sys.argv[1:])


def say(body: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **body}) + "\n")
    sys.stdout.flush()


def answer(body: dict[str, Any]) -> dict[str, Any]:
    params = body.get("params") or {}
    match body["method"]:
        case "initialize":
            info = {"name": "raw", "version": "1"}
            return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
        case "tools/list":
            return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "crash", "huge")]}
        case "tools/call" if params["name"] == "crash":
            os._exit(7)
        case "tools/call" if params["name"] == "huge":
            return {"content": [{"type": "text", "text": "x" * int(params["arguments"]["size"])}]}
        case "tools/call":
            return {"content": [{"type": "text", "text": json.dumps(params.get("arguments"))}]}
    return {}


def main() -> None:
    if "mark" in WORDS:
        with open(os.environ["MARK"], "w", encoding="utf-8") as out:
            out.write(f"{os.getpid()} {sys.argv[1:]}")
    if "stubborn" in WORDS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "noise" in WORDS:
        sys.stdout.write("Server ready!\n\n{not json\n")
        sys.stdout.flush()
    for line in sys.stdin.buffer:
        if "mirror" in WORDS:
            say({"method": "notifications/message", "params": {"level": "info", "data": line.hex()}})
        body = json.loads(line)
        if isinstance(body, dict) and "id" in body and "method" in body:
            say({"id": body["id"], "result": answer(body)})
    while WORDS & {"stubborn", "deaf"}:
        time.sleep(0.05)


if __name__ == "__main__":
    main()
