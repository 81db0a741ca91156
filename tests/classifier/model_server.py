"""A local server that speaks the real protocols (Anthropic's messages, OpenAI's completions) and can misbehave."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
Says = Callable[[Body], object]


def answer(matches: bool = True, number: int | None = None, confidence: float = 1.0) -> Body:
    return {"matches": matches, "number": (1 if matches else 0) if number is None else number, "confidence": confidence}


class ModelServer:
    """Answers each request as `way` says, with what `says` gives for its body; keeps bodies and headers."""

    def __init__(self, says: Says | None = None, way: str = "answer") -> None:
        self.says: Says = says or (lambda body: answer())
        self.way = way
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.arrived = threading.Event()
        self.let_go = threading.Event()
        self.hung_up = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = False
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.let_go.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.bodies.append(body)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            server.arrived.set()
            self.close_connection = True
            try:
                _reply(self, server, body)
                self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                server.hung_up.set()

        def log_message(self, *_words: object) -> None:
            """Quiet."""

    return Handler


def _reply(handler: BaseHTTPRequestHandler, server: ModelServer, body: Body) -> None:
    way = server.way
    if way.startswith("status "):
        return _status(handler, *way.split()[1:])
    if way == "hang":
        server.let_go.wait(20)
        return None
    if way == "disconnect":
        return None
    if way == "garbage":
        return _whole(handler, 200, b"<html>welcome to the hotel</html>", "text/html")
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.end_headers()
    stream = _anthropic if handler.path.startswith("/v1/messages") else _openai
    for number, event in enumerate(stream(server, body)):
        handler.wfile.write(event)
        handler.wfile.flush()
        if way == "cut" and number == 2:
            return None
        if way == "slow" and number == 1:
            _wait_for_hang_up(handler, server)
    return None


def _wait_for_hang_up(handler: BaseHTTPRequestHandler, server: ModelServer) -> None:
    """Until the other side closes the connection, or the test lets the answer go on."""
    handler.connection.settimeout(0.02)
    while not server.let_go.is_set():
        try:
            if handler.connection.recv(1) == b"":
                server.hung_up.set()
                return
        except TimeoutError:
            continue
        except ConnectionResetError:
            server.hung_up.set()
            return
    handler.connection.settimeout(None)


def _status(handler: BaseHTTPRequestHandler, code: str, retry_after: str = "") -> None:
    said = {"type": "error", "error": {"type": "api_error", "message": f"your key {handler.headers['x-api-key']}"}}
    handler.send_response(int(code))
    if retry_after:
        handler.send_header("retry-after", retry_after)
    data = json.dumps(said).encode()
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def _whole(handler: BaseHTTPRequestHandler, code: int, data: bytes, kind: str) -> None:
    handler.send_response(code)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def _anthropic(server: ModelServer, body: Body) -> Iterator[bytes]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    ends = {"stop_reason": None, "stop_sequence": None}
    yield _event("message_start", message={**message, **ends, "usage": {"input_tokens": 700, "output_tokens": 1}})
    if server.way == "error event":
        yield _event("error", error={"type": "overloaded_error", "message": "Overloaded"})
        return
    text = server.way == "text"
    block: Body = {"type": "text", "text": ""} if text else {"type": "tool_use", "id": "toolu_1", "name": "judge"}
    yield _event("content_block_start", index=0, content_block=block if text else {**block, "input": {}})
    for piece in _pieces(server, body):
        delta = {"type": "text_delta", "text": piece} if text else {"type": "input_json_delta", "partial_json": piece}
        yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    stopped = {"text": "end_turn", "length": "max_tokens", "refusal": "refusal"}.get(server.way, "tool_use")
    yield _event("message_delta", delta={"stop_reason": stopped, "stop_sequence": None}, usage={"output_tokens": 40})
    yield _event("message_stop")


def _pieces(server: ModelServer, body: Body) -> Iterator[str]:
    said = server.says(body)
    text = said if isinstance(said, str) else json.dumps(said)
    yield text[: len(text) // 2]
    yield text[len(text) // 2 :]


def _openai(server: ModelServer, body: Body) -> Iterator[bytes]:
    shared = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}

    def chunk(delta: Body, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return f"data: {json.dumps({**shared, 'choices': [choice]})}\n\n".encode()

    yield chunk({"role": "assistant", "content": ""})
    if server.way == "error event":
        yield b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n'
        return
    if server.way == "text":
        yield chunk({"content": "Sure, that looks fine to me."})
    else:
        for piece in _pieces(server, body):
            yield chunk({"content": piece})
    stopped = {"length": "length", "refusal": "content_filter"}.get(server.way, "stop")
    yield chunk({}, stopped)
    used = {"prompt_tokens": 700, "completion_tokens": 40, "total_tokens": 740}
    yield f"data: {json.dumps({**shared, 'choices': [], 'usage': used})}\n\n".encode()
    yield b"data: [DONE]\n\n"
