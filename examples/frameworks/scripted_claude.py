"""A stand-in for Anthropic's API on this machine: it calls the tools of a script, then says goodbye."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def scripted_claude(
    script: Sequence[tuple[str, Any]], inner: Sequence[tuple[str, Any]] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Its address, and what it is told about its calls; `inner` is the script of a subagent prompted with "inner"."""
    told: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            data = "".join(map(line, events(self.next_block(asked)))).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def next_block(self, asked: Any) -> dict[str, Any]:
            heard = [text for message in asked["messages"] for text in results(message["content"])]
            is_inner = '"inner"' in json.dumps(asked["messages"][0])
            wanted = inner if is_inner else script
            if asked.get("tools") and not is_inner:
                told[:] = heard
            if not asked.get("tools") or len(heard) >= len(wanted):
                return {"type": "text", "text": "bye"}
            name, args = wanted[len(heard)]
            return {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": args}

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", told
    finally:
        server.shutdown()
        server.server_close()


def results(content: Any) -> list[str]:
    blocks = content if isinstance(content, list) else []
    found = [block["content"] for block in blocks if block.get("type") == "tool_result"]
    return [one if isinstance(one, str) else "".join(part.get("text", "") for part in one) for one in found]


def events(block: dict[str, Any]) -> list[dict[str, Any]]:
    """One message with one block, as the API streams it."""
    tool = block["type"] == "tool_use"
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "script", "content": [], "usage": {}}
    start = {**block, "input": {}} if tool else {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": block.get("text")}
    if tool:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use" if tool else "end_turn"}, "usage": {}},
        {"type": "message_stop"},
    ]


def line(event: dict[str, Any]) -> str:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
