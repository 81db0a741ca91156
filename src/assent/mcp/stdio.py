"""The client's end on our own standard input and output."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import queue
import signal
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
    """Writes in a thread of its own, because a client that does not read must not stop everything else."""

    def __init__(self, file: int, gone: Callable[[], None]) -> None:
        self._file, self._gone = file, gone
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        self._running = False

    async def write(self, raw: bytes) -> None:
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
    """Reads in a thread of its own, so that pipes, files and terminals are all the same."""

    def __init__(self, file: int, most: int) -> None:
        self._file = file
        self.lines = Lines(most)
        self._loop = asyncio.get_running_loop()
        self._found: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        threading.Thread(target=self._run, name="assent-mcp-in", daemon=True).start()

    async def piece(self) -> bytes:
        """What arrived; empty at the end."""
        return await self._found.get()

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
