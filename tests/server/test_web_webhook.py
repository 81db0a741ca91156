"""The inbox passes requests on to a service and takes its signed answers; nothing else can answer over that door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from approval.asking import request
from approval.webhook_service import SECRET, Service, service, signed
from assent.approval.asker import owner_name
from assent.approval.store import Store
from assent.record import replace

ANSWERED = "approval.answered"


class Scene:
    """A store, `assent serve --webhook` in its own process, and the service it talks to."""

    def __init__(self, folder: Path, told: Service) -> None:
        self.told = told
        state = folder / "state/assent"
        env = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        env |= {"XDG_CONFIG_HOME": str(folder / "config"), "ASSENT_WEBHOOK_SECRET": SECRET}
        words = [sys.executable, "-m", "assent", "serve", "--port", "0", "--no-open", "--json", "--webhook", told.url]
        self.process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        self.url = f"http://127.0.0.1:{json.loads(line)['port']}/webhooks/answer"
        self.store = Store(str(state / "approvals.db"))

    def ask(self) -> tuple[str, dict[str, object]]:
        """A request on a screen somewhere, and the message the service gets about it."""
        asked = replace(request(), asked_at=time.time())
        self.store.add(asked, owner_name())
        self.store.show(asked.id, time.time())
        message = self.told.next_message()
        assert (message["type"], message["data"]["request_id"]) == ("approval.requested", asked.id)
        return asked.id, message["data"]

    def send(self, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, object]]:
        done = httpx.post(self.url, content=body, headers={**headers, "Content-Type": "application/json"})
        return done.status_code, done.json()

    def state(self, request_id: str) -> str:
        found = self.store.get(request_id)
        return found.state if found else "unknown"

    def close(self) -> None:
        self.store.close()
        self.process.terminate()
        self.process.wait(20)
        if self.process.stdout:
            self.process.stdout.close()


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with service() as told:
        made = Scene(tmp_path, told)
        yield made
        made.close()


def answer(data: dict[str, object], **more: object) -> dict[str, object]:
    wanted = {name: data[name] for name in ("request_id", "fingerprint", "token")}
    return {"type": ANSWERED, "data": {**wanted, "approved": True, "by": "ann", **more}}


def test_a_signed_answer_counts_once_and_the_service_hears_the_end(scene: Scene) -> None:
    request_id, data = scene.ask()
    assert scene.send(*signed(answer(data))) == (200, {"counts": True})
    assert scene.state(request_id) == "approved"
    ended = scene.told.next_message()
    assert (ended["type"], ended["data"]["state"]) == ("approval.resolved", "approved")
    assert scene.send(*signed(answer(data)))[0] == 400, "the same message again"
    assert scene.send(*signed(answer(data, approved=False), "m2"))[0] == 409, "another message about it"
    assert scene.state(request_id) == "approved"


def test_nothing_else_answers(scene: Scene) -> None:
    request_id, data = scene.ask()
    headers, body = signed(answer(data))
    for wrong, sent in (
        ({}, body),
        ({**headers, "Webhook-Signature": "v1,AAAA"}, body),
        (headers, body.replace(b"ann", b"bob")),
        signed(answer(data), "m3", at=time.time() - 3600),
        signed(answer(data, token="guessed"), "m4"),
        signed(answer(data, scope="user"), "m5"),
        signed(answer(data, request_id="another"), "m6"),
    ):
        status, told = scene.send(wrong, sent)
        assert (status in (400, 401), "error" in told) == (True, True)
    assert scene.state(request_id) == "pending"
    assert scene.send(headers, body)[0] == 200
