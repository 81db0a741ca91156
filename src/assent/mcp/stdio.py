"""The client's end on our own standard input and output."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import queue
import select
import signal
import stat
import sys
import threading
from collections.abc import Callable

from assent.mcp import messages as m
from assent.mcp.child import PIECE, Upstream
from assent.mcp.gateway import Gateway, ToClient, ToServer
from assent.mcp.lines import Lines

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MOST_WAITING = 64
Connect = Callable[[ToClient, ToServer], Gateway]


class Writer:
    """Writes at once what a pipe has room for; the rest in a thread of its own, because a client that does not read
    must not stop everything else.
    """

    def __init__(self, file: int, gone: Callable[[], None]) -> None:
        self._file, self._gone = file, gone
        self._room = select.poll() if stat.S_ISFIFO(os.fstat(file).st_mode) else None
        if self._room is not None:
            self._room.register(file, select.POLLOUT)
        self._waiting = 0
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        self._running = False

    async def write(self, raw: bytes) -> None:
        if not self._waiting and self._written(raw + b"\n"):
            return
        self._waiting += 1
        try:
            await self._later(raw)
        finally:
            self._waiting -= 1

    def _written(self, line: bytes) -> bool:
        """Whether the line went out whole. A pipe that can be written to takes `PIPE_BUF` bytes without blocking."""
        if self._room is None or len(line) > select.PIPE_BUF:
            return False
        if self._room.poll(0) != [(self._file, select.POLLOUT)]:
            return False
        try:
            return os.write(self._file, line) == len(line)
        except OSError:
            self._gone()
            return True

    async def _later(self, raw: bytes) -> None:
        if not self._running:
            self._running = True
            threading.Thread(target=self._run, name="assent-mcp-out", daemon=True).start()
        done: asyncio.Future[None] = self._loop.create_future()
        self._lines.put((raw + b"\n", done))
        await done

    def _run(self) -> None:
        while True:
            line, done = self._lines.get()
            try:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(self._file, rest) :]
            except OSError:
                self._tell(self._gone)
            self._tell(lambda done=done: done.done() or done.set_result(None))  # type: ignore[misc]

    def _tell(self, what: Callable[[], object]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)


class Reader:
    """Reads pipes and sockets when something is there, and anything else in a thread of its own."""

    def __init__(self, file: int, most: int) -> None:
        self._file = file
        self.lines = Lines(most)
        self._loop = asyncio.get_running_loop()
        self._found: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        kind = os.fstat(file).st_mode
        self._told = stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
        if self._told:
            self._loop.add_reader(file, self._ready)
        else:
            threading.Thread(target=self._run, name="assent-mcp-in", daemon=True).start()

    async def piece(self) -> bytes:
        """What arrived; empty at the end."""
        full = self._found.full()
        found = await self._found.get()
        if self._told and full and found:
            self._loop.add_reader(self._file, self._ready)
        return found

    def _ready(self) -> None:
        """Something arrived, or the other end is closed: reading does not block now."""
        try:
            data = os.read(self._file, PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self._found.put_nowait(data)
        if not data or self._found.full():
            self._loop.remove_reader(self._file)

    def _run(self) -> None:
        data = b"-"
        while data and not self._loop.is_closed():
            try:
                data = os.read(self._file, PIECE)
            except OSError:
                data = b""
            if not self._put(data):
                return

    def _put(self, data: bytes) -> bool:
        """Hand over what arrived; false when everything is over already."""
        putting = self._found.put(data)
        try:
            asyncio.run_coroutine_threadsafe(putting, self._loop).result()
        except (RuntimeError, concurrent.futures.CancelledError):
            putting.close()
            return False
        return True


async def serve(upstream: Upstream, connect: Connect, *, most: int = m.MAX_BYTES) -> int:
    """Relay until the client goes away, the server ends or a signal arrives. Gives the exit code."""
    inward, outward = _own_pipes()
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    left: list[str] = []
    for number in SIGNALS:
        loop.add_signal_handler(number, over.set)
    writer = Writer(outward, over.set)
    gateway = connect(writer.write, upstream.send)
    gateway.at_once = True

    async def ended(why: str) -> None:
        await gateway.server_ended(why)
        if not over.is_set():
            left.append(why)
        over.set()

    await upstream.start(gateway.from_server, ended)
    reading = asyncio.create_task(_read(Reader(inward, most), gateway, over))
    try:
        await over.wait()
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await gateway.close()
        exited = await upstream.stop()
        gateway.guard.close()
    return exited if left else 0


async def _read(reader: Reader, gateway: Gateway, over: asyncio.Event) -> None:
    try:
        while data := await reader.piece():
            for line in reader.lines.feed(data):
                await gateway.from_client(line)
            if reader.lines.too_long:
                reader.lines.too_long = 0
                said = "the message is too long and was not read"
                await gateway.tell_client(m.error(None, m.INVALID_REQUEST, said))
        rest = reader.lines.rest()
        if rest:
            await gateway.from_client(rest)
    finally:
        over.set()


def _own_pipes() -> tuple[int, int]:
    """Our input and output for messages alone: whatever else is printed goes to standard error."""
    inward, outward = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    return inward, outward
