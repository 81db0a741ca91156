"""A model on loopback for real agents: it makes the tool calls it is told to and notes what it was told back.

Speaks Anthropic messages, OpenAI responses, OpenAI chat completions and Gemini, streamed or whole. Knows no agent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

FINAL = "That is all."
Body = dict[str, Any]


class Use(NamedTuple):
    """One tool call; its input may depend on the results so far. `namespace` and `text` are for some tools of Codex."""

    tool: str
    input: Body | Callable[[list[str]], Body]
    namespace: str = ""
    text: str = ""


class Script(NamedTuple):
    """The calls of one conversation, one after the other; `when` is text that only this conversation holds.

    Calls in a tuple of their own are made at once.
    """

    uses: tuple[Use | tuple[Use, ...], ...]
    when: str = ""


class Dialect(NamedTuple):
    """How one API is read and answered."""

    results: Callable[[Body], list[str]]
    reply: Callable[[str, Body, tuple[Use, ...], str], tuple[str, str]]


class FakeModel:
    """`with FakeModel(Use("Bash", {"command": "ls"})) as model:` gives a server at `model.url`.

    The n-th request of a conversation is answered by its n-th call, and with `FINAL` when there are none left.
    """

    def __init__(self, *given: Use | Script) -> None:
        scripts = [one for one in given if isinstance(one, Script)]
        plain = tuple(one for one in given if isinstance(one, Use))
        self.scripts = [*scripts, Script(plain)]
        self.told: list[str] = []
        """What came back from the tools, each result once."""
        self.heard = threading.Event()
        """Set when the first result of a tool is back."""
        self.requests: list[tuple[str, Body]] = []
        self._lock = threading.Lock()
        self._made = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str, body: Body) -> tuple[str, str]:
        """Content type and text of the answer to one request."""
        dialect = next((one for ending, one in DIALECTS.items() if path.split("?")[0].endswith(ending)), None)
        if dialect is None:
            return "application/json", json.dumps({"input_tokens": 1, "totalTokens": 1})
        with self._lock:
            self.requests.append((path, body))
            results = dialect.results(body)
            self.told.extend(one for one in results if one not in self.told)
            if results:
                self.heard.set()
            self._made += 1
            return dialect.reply(path, body, self._next(body, results), str(self._made))

    def _next(self, body: Body, results: list[str]) -> tuple[Use, ...]:
        """A request without tools is no conversation: titles, summaries, warm-ups."""
        if not body.get("tools") and "additional_tools" not in str(body.get("input", ""))[:200]:
            return ()
        text, done = json.dumps(body), len(results)
        script = next((one for one in self.scripts if one.when in text), self.scripts[-1])
        for step in script.uses:
            uses = (step,) if isinstance(step, Use) else step
            if done < len(uses):
                return tuple(use._replace(input=use.input(results)) if callable(use.input) else use for use in uses)
            done -= len(uses)
        return ()


def _handler(model: FakeModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            """Quiet."""

        def do_HEAD(self) -> None:
            self.say("application/json", "")

        def do_GET(self) -> None:
            known = {"id": "fake-model", "object": "model", "type": "model", "name": "models/fake-model"}
            listed = {"object": "list", "data": [known], "models": [known]}
            self.say("application/json", json.dumps(listed if "/models" in self.path else {}))

        def do_POST(self) -> None:
            body = json.loads(self.body() or b"{}")
            self.say(*model.answer(self.path, body if isinstance(body, dict) else {}))

        def body(self) -> bytes:
            if self.headers.get("transfer-encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("content-length", 0)))
            parts = []
            while size := int(self.rfile.readline().strip() or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            return b"".join(parts)

        def say(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = True

    return Handler


def _events(events: list[Body], *, named: bool = True) -> tuple[str, str]:
    lines = [(f"event: {one['type']}\n" if named else "") + f"data: {json.dumps(one)}\n\n" for one in events]
    return "text/event-stream", "".join(lines)


def _text_of(value: object) -> str:
    """The words in a tool result, whichever way they are wrapped."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_text_of(one) for one in value)
    return str(value["text"]) if isinstance(value, dict) and "text" in value else json.dumps(value)


# --- Anthropic messages --------------------------------------------------------------------------------------------


def _anthropic_results(body: Body) -> list[str]:
    contents = [message["content"] for message in body.get("messages", []) if isinstance(message["content"], list)]
    blocks = [block for content in contents for block in content]
    return [_text_of(block.get("content", "")) for block in blocks if block.get("type") == "tool_result"]


def _anthropic(path: str, body: Body, uses: tuple[Use, ...], number: str) -> tuple[str, str]:
    known = [tool.get("name") for tool in body.get("tools", [])]
    wanted = [use for use in uses if use.tool in known]
    blocks: list[Body] = [
        {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": use.tool, "input": use.input}
        for place, use in enumerate(wanted)
    ]
    stop = "tool_use" if blocks else "end_turn"
    blocks = blocks or [{"type": "text", "text": FINAL}]
    usage = {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model")}
    message |= {"content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
    if not body.get("stream"):
        return "application/json", json.dumps(message)
    events: list[Body] = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for place, block in enumerate(blocks):
        events += _anthropic_block(place, block)
    end = {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    return _events([*events, end, {"type": "message_stop"}])


def _anthropic_block(place: int, block: Body) -> list[Body]:
    empty: Body = {"type": "text", "text": ""}
    delta: Body = {"type": "text_delta", "text": FINAL}
    if block["type"] == "tool_use":
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "content_block_start", "index": place, "content_block": empty},
        {"type": "content_block_delta", "index": place, "delta": delta},
        {"type": "content_block_stop", "index": place},
    ]


# --- OpenAI responses ----------------------------------------------------------------------------------------------


def _responses_results(body: Body) -> list[str]:
    given = body.get("input", [])
    rows = given if isinstance(given, list) else []
    return [_text_of(row.get("output", "")) for row in rows if str(row.get("type", "")).endswith("_output")]


def _responses(path: str, body: Body, uses: tuple[Use, ...], number: str) -> tuple[str, str]:
    said = {"type": "output_text", "text": FINAL, "annotations": []}
    final: Body = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
    items = [_responses_item(use, f"{number}_{place}") for place, use in enumerate(uses)] or [
        final | {"content": [said]}
    ]
    usage: Body = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    whole = {"id": f"resp_{number}", "object": "response", "created_at": 0, "status": "completed"}
    whole |= {"model": body.get("model"), "output": items, "usage": usage}
    if not body.get("stream"):
        return "application/json", json.dumps(whole)
    events: list[Body] = [{"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}]
    for place, item in enumerate(items):
        events += [
            {"type": f"response.output_item.{step}", "output_index": place, "item": item} for step in ("added", "done")
        ]
    return _events([*events, {"type": "response.completed", "response": whole}])


def _responses_item(use: Use, number: str) -> Body:
    space = {"namespace": use.namespace} if use.namespace else {}
    if use.text:
        made = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}"}
        return {**made, "name": use.tool, "input": use.text, **space}
    made = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": use.tool}
    return {**made, "arguments": json.dumps(use.input), **space}


# --- OpenAI chat completions ---------------------------------------------------------------------------------------


def _chat_results(body: Body) -> list[str]:
    return [_text_of(one.get("content", "")) for one in body.get("messages", []) if one.get("role") == "tool"]


def _chat(path: str, body: Body, uses: tuple[Use, ...], number: str) -> tuple[str, str]:
    calls = [
        {
            "index": place,
            "id": f"call_{number}_{place}",
            "type": "function",
            "function": {"name": use.tool, "arguments": json.dumps(use.input)},
        }
        for place, use in enumerate(uses)
    ]
    message: Body = {"role": "assistant", "content": FINAL}
    if calls:
        message = {"role": "assistant", "content": None, "tool_calls": calls}
    end = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole: Body = {"id": f"chat_{number}", "created": 0, "model": body.get("model")}
    if not body.get("stream"):
        choice: Body = {"index": 0, "message": message, "finish_reason": end}
        return "application/json", json.dumps(
            whole | {"object": "chat.completion", "choices": [choice], "usage": usage}
        )
    chunk = whole | {"object": "chat.completion.chunk"}
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": end}
    kind, text = _events([chunk | {"choices": [first]}, chunk | {"choices": [last], "usage": usage}], named=False)
    return kind, text + "data: [DONE]\n\n"


# --- Gemini --------------------------------------------------------------------------------------------------------


def _gemini_parts(body: Body) -> Iterator[Body]:
    for content in body.get("contents", []):
        yield from content.get("parts", [])


def _gemini_results(body: Body) -> list[str]:
    found = [part["functionResponse"] for part in _gemini_parts(body) if "functionResponse" in part]
    return [_text_of(one.get("response", {}).get("output", one.get("response"))) for one in found]


def _gemini(path: str, body: Body, uses: tuple[Use, ...], number: str) -> tuple[str, str]:
    parts: list[Body] = [{"functionCall": {"name": use.tool, "args": use.input}} for use in uses]
    wanted = body.get("generationConfig", {})
    if not uses and (wanted.get("responseSchema") or wanted.get("responseJsonSchema")):  # it asks itself something
        told = {"reasoning": "", "next_speaker": "user", "model_choice": "flash"}
        parts = [{"text": json.dumps(told | {"complexity_score": 1, "complexity_reasoning": ""})}]
    parts = parts or [{"text": FINAL}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake-model"}
    if "stream" in path:
        return "text/event-stream", f"data: {json.dumps(whole)}\r\n\r\n"
    return "application/json", json.dumps(whole)


DIALECTS = {
    "enerateContent": Dialect(_gemini_results, _gemini),
    "/chat/completions": Dialect(_chat_results, _chat),
    "/responses": Dialect(_responses_results, _responses),
    "/messages": Dialect(_anthropic_results, _anthropic),
}
