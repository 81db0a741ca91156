"""The gateway over streamable HTTP, on either side, with the real SDK on the other end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import mcp_types as types
import pytest
import uvicorn
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assent.desk import Desk
from assent.mcp.child import Child
from assent.mcp.connection import Connections, Wanted
from assent.mcp.events import events
from assent.mcp.gateway import Gateway
from assent.mcp.headers import decoded, encoded, headers_of
from assent.mcp.listen import Listener
from assent.mcp.messages import Body
from assent.mcp.remote import Remote
from assent.mcp.serving import hosts
from assent.policy.settings import PermissionSettings
from assent.world import DiskWorld
from mcp_scene import ALLOW_ALL, ASK_ALL, ERAS, Notes, Person, _message, _pump, demo_server, run, text_of, tool

HERE = Path(__file__).parent
eras = pytest.mark.parametrize("era", ERAS)
TOKEN = "a token that nobody guesses"


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[int]:
    """An application on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1, lifespan="on")
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        running = asyncio.create_task(server.serve(sockets=[bound]))
        while not server.started:
            await asyncio.sleep(0.005)
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            await running


@asynccontextmanager
async def remote(
    state: Path, url: str, *, settings: PermissionSettings = ALLOW_ALL, person: Person | None = None, **headers: str
) -> AsyncIterator[tuple[Any, Gateway]]:
    """A transport for the real client that goes through the gateway to a URL."""
    env = {"HOME": str(state), "PATH": "/usr/bin:/bin"}
    desk = Desk(str(state), world=DiskWorld(env=env), journal=Notes())
    wanted = Wanted("demo", url=url, headers=tuple(headers.items()))
    connections = Connections(wanted, desk, env=env, settings=settings)
    upstream = connections.upstream()
    ours, client_read = anyio.create_memory_object_stream[Any](1000)
    client_write, theirs = anyio.create_memory_object_stream[Any](1000)

    async def to_client(raw: bytes) -> None:
        await ours.send(_message(raw))

    gateway = connections.connect(to_client, upstream.send)
    gateway.guard.host.channels = (person or Person(),)
    await upstream.start(gateway.from_server, gateway.server_ended)

    @asynccontextmanager
    async def transport() -> AsyncIterator[Any]:
        async with anyio.create_task_group() as group, ours, client_read, client_write, theirs:
            group.start_soon(_pump, theirs, gateway.from_client)
            yield client_read, client_write
            group.cancel_scope.cancel()

    try:
        yield transport(), gateway
    finally:
        await gateway.close()
        await upstream.stop()
        await asyncio.to_thread(gateway.guard.close)
        desk.close()


# --- a server over HTTP --------------------------------------------------------------------------------------------


@eras
@pytest.mark.parametrize("plain", [True, False])
def test_a_real_server_over_http_through_the_gateway(era: str, plain: bool, tmp_path: Path) -> None:
    async def main() -> None:
        seen: list[float] = []

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        settings = PermissionSettings(allow=["Mcp(demo)"], deny=["Mcp(demo.wipe)"])
        app = demo_server().streamable_http_app(json_response=plain)
        async with (
            served(app) as port,
            remote(tmp_path, f"http://127.0.0.1:{port}/mcp", settings=settings) as (way, _),
            Client(way, mode=era, cache=None) as client,
        ):
            assert [one.name for one in (await client.list_tools()).tools] == ["echo", "wipe", "look", "work"]
            assert text_of(await client.call_tool("echo", {"text": "ü"})) == "ü"
            assert (await client.call_tool("wipe", {"path": "x"})).is_error
            await client.call_tool("work", {"steps": 3}, progress_callback=progress)
            assert seen == ([] if plain else [1, 2, 3])
            found = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(30)))
            assert [text_of(one) for one in found] == [str(n) for n in range(30)]
            (content,) = (await client.read_resource("note://one")).contents
            assert isinstance(content, types.TextResourceContents)
            assert content.text == "a note"

    run(main)


def test_the_client_that_probes_finds_the_era_of_a_server_over_http(tmp_path: Path) -> None:
    async def main() -> None:
        app = demo_server().streamable_http_app()
        async with (
            served(app) as port,
            remote(tmp_path, f"http://127.0.0.1:{port}/mcp") as (way, _),
            Client(way, cache=None) as client,
        ):
            assert client.protocol_version == "2026-07-28"
            assert text_of(await client.call_tool("echo", {"text": "x"})) == "x"

    run(main)


@asynccontextmanager
async def scripted(answer: Any) -> AsyncIterator[tuple[str, list[Request]]]:
    """A server that answers as a function says."""
    seen: list[Request] = []

    async def handle(request: Request) -> Response:
        seen.append(request)
        found: Response = await answer(request)
        return found

    app = Starlette(routes=[Route("/mcp", handle, methods=["GET", "POST", "DELETE"])])
    async with served(app) as port:
        yield f"http://127.0.0.1:{port}/mcp", seen


@pytest.mark.parametrize(
    ("status", "kind", "content", "said"),
    [
        (500, "text/plain", "oops", "the server answered 500"),
        (307, "text/plain", "", "the server answered 307"),
        (200, "text/html", "<p>", "the server answered with status 200 and `text/html`"),
        (200, "text/event-stream", "data: {\n\n", "the server's stream ended without an answer"),
        (202, "", "", "the server answered with status 202 and ``"),
        (400, "application/json", '{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"no"}}', "no"),
    ],
)
def test_whatever_a_server_answers_the_request_ends(
    status: int, kind: str, content: str, said: str, tmp_path: Path
) -> None:
    async def main() -> None:
        async def answer(request: Request) -> Response:
            return Response(content, status, {"location": "http://elsewhere.example/"}, kind)

        heard: list[Any] = []

        async def hear(raw: bytes) -> None:
            heard.append(json.loads(raw)) if raw != b"{" else None
            done.set()

        done = asyncio.Event()
        async with scripted(answer) as (url, seen):
            way = Remote(url, {"x-key": "k"}, dict)
            await way.start(hear, hear)  # type: ignore[arg-type]
            body: Body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            await way.send(json.dumps(body).encode(), body)
            while not heard:
                done.clear()
                await done.wait()
            await way.stop()
            assert [(one["id"], one["error"]["message"]) for one in heard] == [(1, said)]
            assert [request.headers["x-key"] for request in seen] == ["k"]

    run(main)


def test_a_stream_that_breaks_is_taken_up_where_it_broke(tmp_path: Path) -> None:
    async def main() -> None:
        async def answer(request: Request) -> Response:
            if request.method == "POST":
                said = 'id: 7\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'
                return Response(said, media_type="text/event-stream")
            assert request.headers["last-event-id"] == "7"
            return Response(
                'id: 8\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n', media_type="text/event-stream"
            )  # fmt: skip

        heard: list[Any] = []
        done = asyncio.Event()

        async def hear(raw: bytes) -> None:
            heard.append(json.loads(raw))
            if "id" in heard[-1]:
                done.set()

        async with scripted(answer) as (url, seen):
            way = Remote(url, {}, dict)
            await way.start(hear, hear)  # type: ignore[arg-type]
            body: Body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            await way.send(json.dumps(body).encode(), body)
            await done.wait()
            await way.stop()
            assert [one.get("result", one.get("method")) for one in heard] == ["notifications/x", {}]
            assert [request.method for request in seen] == ["POST", "GET"]

    run(main)


def test_a_server_that_cannot_be_reached_fails_the_request(tmp_path: Path) -> None:
    async def main() -> None:
        heard: list[Any] = []
        done = asyncio.Event()

        async def hear(raw: bytes) -> None:
            heard.append(json.loads(raw))
            done.set()

        with socket.create_server(("127.0.0.1", 0)) as bound:
            port = bound.getsockname()[1]
        way = Remote(f"http://127.0.0.1:{port}/mcp", {}, dict)
        await way.start(hear, hear)  # type: ignore[arg-type]
        body: Body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        await way.send(json.dumps(body).encode(), body)
        await done.wait()
        await way.stop()
        assert heard[0]["error"]["message"].startswith("the server could not be asked: ConnectError")

    run(main)


def test_headers_repeat_what_the_body_says() -> None:
    schema = {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"properties": {"on": {"type": "boolean", "x-mcp-header": "On"}}},
            "other": {"type": "string"},
        },
    }
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    arguments = {"region": "münchen", "deep": {"on": True}, "other": "x"}
    body: Body = {"method": "tools/call", "params": {"name": "a", "arguments": arguments, "_meta": meta}}
    assert headers_of(body, {"a": (tool("a", inputSchema=schema),)}) == {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "a",
        "mcp-param-Region": "=?base64?bcO8bmNoZW4=?=",
        "mcp-param-On": "true",
    }
    assert headers_of({"method": "tools/list", "params": {}}, {}) == {}
    assert [decoded(encoded(text)) for text in ("a", " a", "ü", "=?base64?x?=")] == ["a", " a", "ü", "=?base64?x?="]


def test_events_are_read_whatever_way_they_are_cut() -> None:
    stream = (
        b": hi\r\n\r\nid: 1\r\ndata: a\r\ndata: b\r\n\r\nevent: message\ndata:c\n\nretry: 20\ndata: d\n\ndata: lost"
    )

    async def pieces(size: int) -> AsyncIterator[bytes]:
        for at in range(0, len(stream), size):
            yield stream[at : at + size]

    async def main() -> None:
        for size in (1, 2, 3, 7, 1000):
            found = [(one.data, one.id) async for one in events(pieces(size))]
            assert found == [(b"a\nb", "1"), (b"c", "1"), (b"d", "1")], size

    run(main)


# --- a client over HTTP --------------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(
    state: Path, *, settings: PermissionSettings = ALLOW_ALL, person: Person | None = None, words: tuple[str, ...] = ()
) -> AsyncIterator[tuple[int, list[Gateway], Desk]]:
    """The gateway over HTTP in front of a server that is a program."""
    import os
    import sys

    env = {"HOME": str(state), "PATH": os.environ["PATH"], "PYTHONPATH": str(HERE.parent)}
    desk = Desk(str(state), world=DiskWorld(env=env), journal=Notes())
    command = words or (sys.executable, str(HERE / "real_server.py"))
    connections = Connections(Wanted("demo", command), desk, env=env, settings=settings)
    made: list[Gateway] = []

    def connect(to_client: Any, to_server: Any) -> Gateway:
        gateway = connections.connect(to_client, to_server)
        gateway.guard.host.channels = (person or Person(),)
        made.append(gateway)
        return gateway

    bound: list[int] = []
    listener = Listener(lambda: Child(command, env=env), connect, frozenset(), TOKEN)
    async with served(listener.app()) as port:
        bound.append(port)
        listener._hosts = hosts(port)
        yield port, made, desk
    desk.close()


@asynccontextmanager
async def connected(port: int, era: str, **options: Any) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30)) as http:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        async with Client(transport, mode=era, cache=None, **options) as client:
            yield client


@eras
def test_a_real_client_over_http_in_front_of_a_real_server(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        seen: list[float] = []

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        async def dialog(context: Any, params: Any) -> types.ElicitResult:
            return types.ElicitResult(action="accept", content={"value": "blue"})

        settings = PermissionSettings(allow=["Mcp(demo)"], deny=["Mcp(demo.wipe)"])
        async with (
            listening(tmp_path, settings=settings) as (port, _, _desk),
            connected(port, era, elicitation_callback=dialog) as client,
            connected(port, era) as other,
        ):
            assert text_of(await client.call_tool("echo", {"text": "ü"})) == "ü"
            assert text_of(await other.call_tool("echo", {"text": "two"})) == "two"
            assert (await client.call_tool("wipe", {"path": "x"})).is_error
            await client.call_tool("work", {"steps": 3}, progress_callback=progress)
            assert seen == [1, 2, 3]
            found = await asyncio.gather(
                *(one.call_tool("echo", {"text": str(n)}) for n in range(10) for one in (client, other))
            )
            assert [text_of(one) for one in found] == [str(n) for n in range(10) for _ in range(2)]
            assert text_of(await client.call_tool("ask", {})) == "blue"
            with pytest.raises(Exception, match=r"not found|Unknown|resource"):
                await client.read_resource("note://none")

    run(main)


@eras
def test_a_client_over_http_that_goes_away_leaves_nothing_pending(era: str, tmp_path: Path) -> None:
    async def main() -> None:
        person = Person()
        async with listening(tmp_path, settings=ASK_ALL, person=person) as (port, made, desk):
            with anyio.CancelScope() as scope:
                async with connected(port, era) as client, anyio.create_task_group() as group:
                    group.start_soon(client.call_tool, "echo", {"text": "hi"})
                    request = await person.is_asked()
                    scope.cancel()
            assert await person.is_rid_of_it() == "cancelled"
            ticket = desk.ticket(request.id)
            assert ticket is not None
            assert ticket.state == "cancelled"
            assert made

    run(main)


def test_only_the_right_host_origin_and_token_are_heard(tmp_path: Path) -> None:
    async def main() -> None:
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
        async with listening(tmp_path) as (port, made, _), httpx.AsyncClient() as http:
            url, key = f"http://127.0.0.1:{port}/mcp", {"authorization": f"Bearer {TOKEN}"}
            for headers, status in (
                ({}, 401),
                ({"authorization": "Bearer wrong"}, 401),
                ({"authorization": f"Basic {TOKEN}"}, 401),
                (key | {"host": "evil.example"}, 421),
                (key | {"host": f"evil.example:{port}"}, 421),
                (key | {"host": "127.0.0.1"}, 421),
                (key | {"origin": "https://evil.example"}, 403),
                (key | {"origin": "null"}, 403),
                (key | {"origin": f"http://127.0.0.1:{port + 1}"}, 403),
                (key | {"content-type": "text/plain"}, 415),
                (key | {"mcp-session-id": "unknown"}, 404),
            ):
                found = await http.post(url, json=body, headers=headers)
                assert found.status_code == status, headers
            assert (await http.post(url, json={**body, "method": "ping"}, headers=key)).status_code == 400
            assert (await http.get(url, headers=key)).status_code == 400
            json_key = key | {"content-type": "application/json"}
            assert (await http.post(url, content=b"{", headers=json_key)).status_code == 400
            assert made == []

    run(main)


def test_headers_that_contradict_the_body_are_refused(tmp_path: Path) -> None:
    async def main() -> None:
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "_meta": meta}}
        right = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo"}
        async with listening(tmp_path) as (port, made, _), httpx.AsyncClient() as http:
            for wrong in ({"mcp-method": "tools/list"}, {"mcp-name": "other"}, {"mcp-protocol-version": "2025-06-18"}):
                headers = right | wrong | {"authorization": f"Bearer {TOKEN}"}
                found = await http.post(f"http://127.0.0.1:{port}/mcp", json=body, headers=headers)
                assert (found.status_code, found.json()["error"]["code"]) == (400, -32020)
            assert made == []

    run(main)


def test_a_session_over_http_can_be_ended_and_ends_its_server(tmp_path: Path) -> None:
    import sys

    async def main() -> None:
        words = (sys.executable, str(HERE / "raw_server.py"))
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}},
        }
        async with listening(tmp_path, words=words) as (port, made, _), httpx.AsyncClient() as http:
            url, key = f"http://127.0.0.1:{port}/mcp", {"authorization": f"Bearer {TOKEN}"}
            found = await http.post(url, json=body, headers=key)
            assert found.json()["result"]["serverInfo"] == {"name": "raw", "version": "1"}
            key["mcp-session-id"] = found.headers["mcp-session-id"]
            note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            assert (await http.post(url, json=note, headers=key)).status_code == 202
            assert (await http.post(url, json={**body, "id": 2, "method": "ping"}, headers=key)).json() == {
                "jsonrpc": "2.0",
                "id": 2,
                "result": {},
            }
            assert (await http.delete(url, headers=key)).status_code == 200
            assert made[0].ended
            assert (await http.post(url, json=note, headers=key)).status_code == 404

    run(main)
