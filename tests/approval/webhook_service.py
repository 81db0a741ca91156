"""A service that receives webhooks on this machine, for tests, and answers them."""

import http.server
import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assent.approval.channel import Inbox
from assent.approval.channels.signatures import Replays, check, sign
from assent.approval.channels.webhook import read_answer

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SECONDS = 20.0


class Service:
    """What arrived, and how the next messages are taken: `statuses` first, then always `status`."""

    def __init__(self) -> None:
        self.status = 204
        self.statuses: list[int] = []
        self.tries: list[str] = []
        self.tokens: dict[str, tuple[str, str]] = {}
        self.replays = Replays()
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status = outer.take(dict(self.headers.items()), body)
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?x=1"

    def take(self, headers: dict[str, str], body: bytes) -> int:
        status = self.statuses.pop(0) if self.statuses else self.status
        self.tries.append(check(headers, body, SECRET, time.time()))
        if 200 <= status < 300:
            message = json.loads(body)
            data = message["data"]
            if "token" in data:
                self.tokens[data["request_id"]] = (data["fingerprint"], data["token"])
            self._messages.put(message)
        return status

    def next_message(self) -> dict[str, Any]:
        return self._messages.get(timeout=SECONDS)

    def answer(self, inbox: Inbox, request_id: str, **fields: object) -> None:
        """What the service would send, and what the web server does with it."""
        fingerprint, token = self.tokens[request_id]
        data = {"request_id": request_id, "fingerprint": fingerprint, "token": token, **fields}
        headers, body = signed({"type": "approval.answered", "data": data}, f"answer-{request_id}")
        inbox.answer(*read_answer(headers, body, SECRET, time.time(), replays=self.replays))


def signed(message: object, message_id: str = "m1", at: float | None = None) -> tuple[dict[str, str], bytes]:
    body = json.dumps(message).encode()
    now = int(time.time() if at is None else at)
    signature = sign(SECRET, message_id, now, body)
    return {"Webhook-Id": message_id, "Webhook-Timestamp": str(now), "Webhook-Signature": signature}, body


@contextmanager
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        thread.join()
        made.server.server_close()
