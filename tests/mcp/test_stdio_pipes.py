"""The client's pipes: nothing blocks, nothing is lost, and everything stays in order, however full they are."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from assent.mcp.stdio import MOST_WAITING, Reader, Writer


def test_what_a_full_pipe_cannot_take_waits_and_stays_in_order() -> None:
    lines = [b"%d " % number + b"x" * (number * 997 % 9_000) for number in range(60)]

    async def scene() -> bytes:
        here, there = os.pipe()
        writer = Writer(there, lambda: None)
        writing = [asyncio.create_task(writer.write(line)) for line in lines]
        await asyncio.sleep(0.05)
        assert not all(one.done() for one in writing), "the pipe is full, and the loop still runs"
        data = b""
        while data.count(b"\n") < len(lines):
            data += await asyncio.to_thread(os.read, here, 65_536)
        await asyncio.gather(*writing)
        await writer.write(b"short again")
        data += os.read(here, 100)
        os.close(here)
        os.close(there)
        return data

    assert asyncio.run(scene()) == b"\n".join([*lines, b"short again", b""])


def test_a_client_that_is_gone_is_noticed() -> None:
    async def scene() -> list[str]:
        here, there = os.pipe()
        os.close(here)
        noticed: list[str] = []
        await Writer(there, lambda: noticed.append("gone")).write(b"anybody?")
        await asyncio.sleep(0.01)
        os.close(there)
        return noticed

    assert asyncio.run(scene()) == ["gone"]


def test_a_pipe_is_read_to_its_end_also_while_nobody_takes_what_it_brought() -> None:
    sent = b"".join(b"%d\n" % number for number in range(MOST_WAITING * 3))

    async def scene() -> bytes:
        here, there = os.pipe()
        reader = Reader(here, 1_000)
        for line in sent.splitlines(keepends=True):
            os.write(there, line)
            await asyncio.sleep(0)
        os.close(there)
        found = b""
        while data := await asyncio.wait_for(reader.piece(), 10):
            found += data
        os.close(here)
        return found

    assert asyncio.run(scene()) == sent


def test_a_file_is_read_like_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(b"one\ntwo\n")

    async def scene() -> bytes:
        file = os.open(tmp_path / "said", os.O_RDONLY)
        reader = Reader(file, 1_000)
        found = b""
        while data := await asyncio.wait_for(reader.piece(), 10):
            found += data
        os.close(file)
        return found

    assert asyncio.run(scene()) == b"one\ntwo\n"
