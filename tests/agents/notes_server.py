"""A small MCP server over standard input and output, for real agents to call: its tools leave marks in its folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TOOLS = ("add", "drop_all")
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def answer(method: str, given: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for what is no request or not known."""
    if method == "initialize":
        about = {"name": "notes", "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [{"name": name, "description": f"{name} notes", "inputSchema": SCHEMA} for name in TOOLS]}
    if method == "tools/call":
        Path(f"mcp-{given['name']}").touch()
        return {"content": [{"type": "text", "text": "done"}]}
    return {} if method == "ping" else None


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request["method"], request.get("params") or {})
        error = {"error": {"code": -32601, "message": "no such method"}}
        reply = {"jsonrpc": "2.0", "id": request["id"], **(error if result is None else {"result": result})}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
