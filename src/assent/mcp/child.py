"""A server that is a program of this machine: started, spoken to over its input and output, and ended with us."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from assent.errors import UsageError
from assent.mcp import messages as m
from assent.mcp.lines import Lines
from assent.mcp.messages import Body

PIECE = 65_536
PATIENCE = 1.0
"""Seconds that a server gets to end by itself, and then once more after SIGTERM."""
DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""
Heard = Callable[[bytes], Awaitable[None]]
Ended = Callable[[str], Awaitable[None]]


class Upstream(Protocol):
    """The way to a server."""

    async def start(self, heard: Heard, ended: Ended) -> None: ...
    async def send(self, raw: bytes, body: Body) -> None: ...
    async def stop(self) -> int: ...


class Child:
    """The exact words, our environment, its complaints on our standard error."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        most: int = m.MAX_BYTES,
    ) -> None:
        self._words, self._env, self._cwd, self._most = tuple(words), env, cwd, most
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._stopping = False
        self._broken = False

    async def start(self, heard: Heard, ended: Ended) -> None:
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=None if self._env is None else dict(self._env),
                cwd=self._cwd,
                start_new_session=True,
                preexec_fn=_end_with_us() if sys.platform == "linux" else None,
            )
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot start `{self._words[0]}`: {error}") from error
        self._reading = asyncio.create_task(self._read(self._process, heard, ended))

    async def send(self, raw: bytes, body: Body) -> None:
        """A server that does not listen any more is noticed where it is read."""
        if self._process is None or self._process.stdin is None or self._stopping:
            return
        line = m.write(body) if b"\n" in raw else raw
        try:
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            if self._process.returncode is None:
                sys.stderr.write(f"assent: the server does not read: {error}\n")

    async def _read(self, process: asyncio.subprocess.Process, heard: Heard, ended: Ended) -> None:
        lines = Lines(self._most)
        if process.stdout is None:
            return
        while data := await process.stdout.read(PIECE):
            for line in lines.feed(data):
                await heard(line)
            if lines.too_long:
                self._broken = True
                await ended(f"the server sent a message of more than {self._most} bytes")
                return
        rest = lines.rest()
        if rest:
            await heard(rest)
        code = None if self._stopping else await self._exit_code(process)
        await ended(f"the server ended{'' if code is None else f' with exit code {code}'}")

    async def _exit_code(self, process: asyncio.subprocess.Process) -> int | None:
        """A server may close its output and go on; it is not waited for."""
        try:
            return await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            return None

    async def stop(self) -> int:
        """End it: no more input, then SIGTERM, then SIGKILL, for all of its process group. Gives its exit code."""
        self._stopping = True
        process = self._process
        if process is None:
            return 0
        if process.stdin is not None:
            process.stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                _signal_group(process.pid, number)
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
                break
            except TimeoutError:
                continue
        _signal_group(process.pid, signal.SIGKILL)  # what it started and left behind
        if self._reading is not None:
            await asyncio.wait({self._reading}, timeout=PATIENCE)
            self._reading.cancel()
        code = process.returncode if process.returncode is not None else -signal.SIGKILL
        return 128 - code if code < 0 else code or int(self._broken)


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _end_with_us() -> Callable[[], None]:
    """Linux ends the server even when we are killed and can do nothing more ourselves."""
    library = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def prepare() -> None:
        library.prctl(DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
