"""A state folder, a desk with requests in it and the inbox over it, in this process or behind a real socket."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from assent.desk import Desk
from assent.questions import ApprovalRequest, Choice, Part
from assent.record import replace
from assent.server.app import Inbox
from assent.server.keys import Keys, new_code, read_token
from assent.server.running import Server, listening
from assent.server.security import allowed_hosts
from assent.world import DiskWorld

HOST = "127.0.0.1:7391"

UPLOAD = ApprovalRequest(
    id="upload-1",
    tool="Bash",
    input=json.dumps({"command": "cd build && rm -rf /srv/cache && curl -T out.tgz https://x.example/up"}),
    command="cd build && rm -rf /srv/cache && curl -T out.tgz https://x.example/up",
    fingerprint="f-upload",
    agent="deploy-bot",
    session="7f3a",
    cwd="/home/ada/shop",
    workspace="/home/ada/shop",
    branch="main",
    sentence="Deletes 412 files outside the project, then sends 1 file to x.example",
    danger="high",
    undoable=False,
    parts=(
        Part("cd build", "allow", "read-only"),
        Part("rm -rf /srv/cache", "ask", "outside the project: 412 files, 1.2 GB"),
        Part("curl -T out.tgz https://x.example/up", "ask", "uploads need a person", rule="policy.toml:40"),
    ),
    targets=(
        ("Reads", ("build/out.tgz",)),
        ("Deletes", ("/srv/cache/**",)),
        ("Network", ("x.example",)),
        ("Secrets", ("none",)),
    ),
    why=("`rm -rf /srv/cache` has no rule", "`curl -T` matches the ask rule at policy.toml:40: uploads need a person"),
    description="Clean the cache and publish the build",
    trace=(("floor", "passes"), ("deny", "passes"), ("ask", "ask: uploads need a person")),
)
TESTS = ApprovalRequest(
    id="tests-1",
    tool="Bash",
    input=json.dumps({"command": "npm test -- --coverage"}),
    command="npm test -- --coverage",
    fingerprint="f-tests",
    agent="claude",
    session="b81c",
    cwd="/home/ada/shop/web",
    workspace="/home/ada/shop",
    branch="checkout-redesign",
    sentence="Runs a script of the project",
    danger="low",
    parts=(Part("npm test -- --coverage", "ask", "the project defines what it does"),),
    targets=(("Runs", ("npm test",)), ("Reads", ("web/package.json",))),
    why=("no rule allows `npm test`",),
    description="Run the test suite to see whether the redesign still passes.",
    choices=(
        Choice(("Bash(npm test -- --coverage)",), ("npm test -- --coverage",), ("npm test", "npm run deploy")),
        Choice(("Bash(npm test:*)",), ("npm test", "npm test -- --watch"), ("npm run deploy", "npx vitest")),
    ),
)
WRITE = ApprovalRequest(
    id="write-1",
    tool="Edit",
    input=json.dumps(
        {"file_path": ".github/workflows/ci.yml", "old_string": "on: [push]\n", "new_string": "on: [push, schedule]\n"}
    ),
    fingerprint="f-write",
    agent="claude",
    session="b81c",
    cwd="/home/ada/shop",
    workspace="/home/ada/shop",
    branch="checkout-redesign",
    sentence="Changes 1 file that runs on your build server",
    danger="medium",
    parts=(Part("Edit .github/workflows/ci.yml", "ask", "workflows run with your secrets"),),
    targets=(("Writes", (".github/workflows/ci.yml",)),),
    why=("built-in care: files that run elsewhere are asked about",),
    description="Also run the checks every night.",
)


def request(base: ApprovalRequest = TESTS, **changes: object) -> ApprovalRequest:
    """One of the examples, asked just now, with changes."""
    return replace(base, **{"asked_at": time.time(), **changes})


class Answered(NamedTuple):
    """What the API said: status and JSON."""

    status: int
    body: Any


class Web:
    """The inbox over a temporary state folder."""

    def __init__(self, folder: Path, port: int = 7391) -> None:
        self.home = folder / "home"
        self.home.mkdir(exist_ok=True)
        state = self.home / ".local/state/assent"
        self.desk = Desk(str(state), world=DiskWorld(env={**os.environ, "HOME": str(self.home)}))
        self.keys = Keys(self.desk.state)
        self.host = f"127.0.0.1:{port}"
        self.inbox = Inbox(self.desk, self.keys, allowed_hosts("127.0.0.1", port), by="ada")
        self.token = read_token(self.desk.state)

    def ask(self, base: ApprovalRequest = TESTS, *, queued: bool = False, **changes: object) -> ApprovalRequest:
        """Put a request into the store, on a screen unless it waits for its turn."""
        made = request(base, **changes)
        here = {name: getattr(made, name).replace("/home/ada", str(self.home)) for name in ("cwd", "workspace")}
        made = replace(made, **here)
        self.desk.store.add(made, "tests")
        if not queued:
            self.desk.store.look(made.id, time.time())
        self.desk.seen(made.session, made.agent)
        return made

    def link(self, path: str = "") -> str:
        return f"http://{self.host}/login#{new_code(self.desk.state)}{path}"

    def close(self) -> None:
        self.desk.close()

    # --- without a socket ------------------------------------------------------------------------------------------

    def raw(self, method: str, path: str, headers: Mapping[str, str] = {}, content: bytes = b"") -> httpx.Response:
        """One HTTP request exactly as given, apart from the Host header."""

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self.inbox.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{self.host}") as client:
                return await client.request(method, path, headers=dict(headers), content=content)

        return asyncio.run(send())

    def get(self, path: str) -> Answered:
        found = self.raw("GET", path, {"Authorization": f"Bearer {self.token}"})
        return Answered(found.status_code, found.json())

    def post(self, path: str, body: object = None, **headers: str) -> Answered:
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        found = self.raw("POST", path, {**given, **headers}, json.dumps(body if body is not None else {}).encode())
        return Answered(found.status_code, found.json())


@contextmanager
def served(folder: Path) -> Iterator[Web]:
    """The inbox on a real socket of this machine, in a thread."""
    listens = listening("127.0.0.1", 0)
    web = Web(folder, listens.getsockname()[1])
    server = Server(web.inbox)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listens])))
    thread.start()
    try:
        yield web
    finally:
        server.stop()
        thread.join()
        listens.close()
        web.close()
