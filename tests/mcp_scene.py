"""A real MCP client, our gateway and a real MCP server in one process, and a person who answers from a script."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.client import Client
from mcp.client._memory import InMemoryTransport
from mcp.client._transport import TransportStreams
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.message import SessionMessage

from assent import wire
from assent.approval.channel import Inbox
from assent.desk import Desk
from assent.mcp.calls import OnAsk
from assent.mcp.connection import Connections, Wanted
from assent.mcp.gateway import Gateway
from assent.policy.settings import PermissionSettings
from assent.questions import Answer, ApprovalRequest, State
from assent.world import DiskWorld

ERAS = ("legacy", "2026-07-28")
ALLOW_ALL = PermissionSettings(allow=["Mcp(demo)"])
ASK_ALL = PermissionSettings()


class Person:
    """A channel: answers as the script says, and leaves open what it does not know."""

    name = "script"

    def __init__(self, *answers: bool | None) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []
        self.withdrawn: list[tuple[str, State]] = []
        self._seen = threading.Semaphore(0)
        self._gone = threading.Semaphore(0)

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.asked.append(request)
        answer = self.answers.pop(0) if self.answers else None
        self._seen.release()
        if answer is not None:
            inbox.answer(request.id, Answer(answer, "ada", "script", 1.0, fingerprint=request.fingerprint))

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        self.withdrawn.append((request_id, state))
        self._gone.release()

    async def is_asked(self) -> ApprovalRequest:
        """Wait until the next question is on the screen."""
        await asyncio.to_thread(self._seen.acquire, True, 20)
        return self.asked[-1]

    async def is_rid_of_it(self) -> State:
        """Wait until a question is taken off the screen."""
        await asyncio.to_thread(self._gone.acquire, True, 20)
        return self.withdrawn[-1][1]


class Notes:
    """A journal in memory."""

    def __init__(self) -> None:
        self.records: list[tuple[str, Mapping[str, object]]] = []

    def append(self, kind: str, fields: Mapping[str, object]) -> None:
        self.records.append((kind, fields))


class Scene:
    """What a test looks at."""

    client: Client

    def __init__(self, gateway: Gateway, desk: Desk, person: Person) -> None:
        self.gateway, self.desk, self.person = gateway, desk, person
        self.to_client: list[bytes] = []
        self.to_server: list[bytes] = []

    @property
    def journal(self) -> list[tuple[str, Mapping[str, object]]]:
        """What was written down: the kind and the fields of every record."""
        assert isinstance(self.desk.journal, Notes)
        return self.desk.journal.records

    def calls_that_ran(self) -> list[str]:
        """The names of the tools whose calls the server received."""
        found: list[Any] = [wire.loads(raw) for raw in self.to_server]
        return [str(one["params"]["name"]) for one in found if one.get("method") == "tools/call"]


def demo_server(ran: list[str] | None = None) -> MCPServer:
    """A server with a few harmless tools, a resource and a prompt."""
    server = MCPServer("demo")
    log = [] if ran is None else ran

    @server.tool()
    def echo(text: str) -> str:
        """Say it again."""
        log.append(f"echo {text}")
        return text

    @server.tool(annotations=types.ToolAnnotations(destructive_hint=True))
    def wipe(path: str) -> str:
        """Remove everything."""
        log.append(f"wipe {path}")
        return "gone"

    @server.tool(annotations=types.ToolAnnotations(read_only_hint=True))
    def look() -> str:
        """Only look."""
        log.append("look")
        return "seen"

    @server.tool()
    async def work(steps: int, ctx: Context[Any, Any]) -> str:
        """Report progress."""
        for step in range(steps):
            await ctx.report_progress(step + 1, steps, "working")
        log.append("work")
        return "done"

    @server.resource("note://one")
    def note() -> str:
        return "a note"

    @server.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}."

    return server


@asynccontextmanager
async def gated(
    state: Path,
    server: Any,
    *,
    person: Person | None = None,
    settings: PermissionSettings = ASK_ALL,
    on_ask: OnAsk = "hold",
    era: str = "legacy",
    heartbeat: float | None = None,
    wanted: Callable[[Wanted], Wanted] = lambda one: one,
    **options: Any,
) -> AsyncIterator[Scene]:
    """A client connected to a server through the gateway."""
    state.mkdir(parents=True, exist_ok=True)
    env = {"HOME": str(state), "PATH": "/usr/bin:/bin"}
    desk = Desk(str(state), world=DiskWorld(env=env), journal=Notes())
    what = wanted(Wanted("demo", ("demo-server",), on_ask=on_ask))
    connections = Connections(what, desk, env=env, settings=settings, heartbeat=heartbeat)
    human = person or Person()
    made: list[Scene] = []
    client = Client(_through(server, connections, human, made), mode=era, cache=None, **options)
    try:
        async with client:
            made[0].client = client
            yield made[0]
    finally:
        desk.close()


@asynccontextmanager
async def _through(
    server: Any, connections: Connections, person: Person, made: list[Scene]
) -> AsyncIterator[TransportStreams]:
    """The way of the client to the server, with the gateway in the middle."""
    ours, client_read = anyio.create_memory_object_stream[SessionMessage | Exception](1000)
    client_write, theirs = anyio.create_memory_object_stream[SessionMessage](1000)
    async with InMemoryTransport(server) as (server_read, server_write), ours, client_read, client_write, theirs:

        async def to_client(raw: bytes) -> None:
            scene.to_client.append(raw)
            await ours.send(_message(raw))

        async def to_server(raw: bytes, body: dict[str, object]) -> None:
            assert wire.loads(raw) == body
            scene.to_server.append(raw)
            await server_write.send(_message(raw))

        gateway = connections.connect(to_client, to_server)
        gateway.guard.host.channels = (person, *gateway.guard.host.channels)
        scene = Scene(gateway, connections.desk, person)
        made.append(scene)
        async with anyio.create_task_group() as group:
            group.start_soon(_pump, theirs, gateway.from_client)
            group.start_soon(_pump, server_read, gateway.from_server)
            yield client_read, client_write
            await gateway.close()
            await asyncio.to_thread(gateway.guard.close)
            group.cancel_scope.cancel()


class Raw:
    """A gateway without an SDK on either side: messages in, messages out."""

    def __init__(self, state: Path, *, person: Person | None = None, settings: PermissionSettings = ALLOW_ALL) -> None:
        state.mkdir(parents=True, exist_ok=True)
        self.env = {"HOME": str(state), "PATH": "/usr/bin:/bin"}
        self.desk = Desk(str(state), world=DiskWorld(env=self.env), journal=Notes())
        self.person = person or Person()
        self.to_client: list[Any] = []
        self.to_server: list[Any] = []
        self.heard = asyncio.Event()
        self._wanted = Wanted("demo", ("demo-server",))
        self._settings = settings

    async def __aenter__(self) -> Raw:
        self.gateway = self.connect()
        return self

    def connect(self, wanted: Wanted | None = None) -> Gateway:
        """A new connection with the same state folder."""
        connections = Connections(wanted or self._wanted, self.desk, env=self.env, settings=self._settings)
        gateway = connections.connect(self._to_client, self._to_server)
        gateway.guard.host.channels = (self.person, *gateway.guard.host.channels)
        self.gateway = gateway
        return gateway

    async def __aexit__(self, *_error: object) -> None:
        await self.gateway.close()
        await asyncio.to_thread(self.gateway.guard.close)
        self.desk.close()

    async def _to_client(self, raw: bytes) -> None:
        self.to_client.append(wire.loads(raw))
        self.heard.set()

    async def _to_server(self, raw: bytes, body: dict[str, object]) -> None:
        self.to_server.append(wire.loads(raw))
        self.heard.set()

    async def client(self, **body: object) -> None:
        await self.gateway.from_client(wire.dumps({"jsonrpc": "2.0", **body}).encode())

    async def server(self, **body: object) -> None:
        await self.gateway.from_server(wire.dumps({"jsonrpc": "2.0", **body}).encode())

    async def until(self, there: Callable[[], bool]) -> None:
        """Wait for messages until something is true."""
        while not there():
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), 20)

    async def listed(self, *tools: dict[str, object], id: int = 900) -> None:
        """The client lists the tools."""
        await self.client(id=id, method="tools/list")
        await self.server(id=id, result={"tools": list(tools)})

    async def called(self, name: str, arguments: dict[str, object] | None = None, id: object = 1) -> Any:
        """Call a tool; the server answers whatever reaches it. Gives the answer."""
        await self.client(id=id, method="tools/call", params={"name": name, "arguments": arguments or {}})
        await self.until(lambda: self._reached(id) or self._answered(id))
        if self._reached(id) and not self._answered(id):
            await self.server(id=id, result={"content": []})
        return next(one for one in self.to_client if one.get("id") == id)

    def _reached(self, id: object) -> bool:
        return any(one.get("id") == id and one.get("method") == "tools/call" for one in self.to_server)

    def _answered(self, id: object) -> bool:
        return any(one.get("id") == id and "method" not in one for one in self.to_client)


def tool(name: str, description: str = "Does it.", **more: object) -> dict[str, object]:
    """A definition as a server lists it."""
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **more}


async def _pump(source: Any, sink: Any) -> None:
    async for one in source:
        assert isinstance(one, SessionMessage)
        await sink(one.message.model_dump_json(by_alias=True, exclude_unset=True).encode())


def _message(raw: bytes) -> SessionMessage:
    return SessionMessage(types.jsonrpc_message_adapter.validate_json(raw, by_name=False))


def text_of(result: types.CallToolResult) -> str:
    """The words of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


def run(main: Callable[[], Any]) -> None:
    """One test in an event loop."""
    asyncio.run(asyncio.wait_for(main(), 60))
