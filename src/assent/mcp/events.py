"""Server-sent events, as streamable HTTP carries messages in them."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator

from assent.errors import AssentError
from assent.mcp.messages import MAX_BYTES
from assent.record import record


@record
class Event:
    """One event; `retry` is in seconds and negative when the server did not say."""

    data: bytes
    id: str = ""
    retry: float = -1.0


async def events(source: AsyncIterable[bytes], most: int = MAX_BYTES) -> AsyncIterator[Event]:
    """The events of a stream of bytes. Raises AssentError when one is too long."""
    buffer = b""
    data: list[bytes] = []
    identity, retry, size = "", -1.0, 0
    async for piece in source:
        buffer += piece
        *lines, buffer = buffer.replace(b"\r\n", b"\n").split(b"\n")
        size += sum(map(len, lines))
        if size + len(buffer) > most:
            raise AssentError(f"the server sent an event of more than {most} bytes")
        for line in lines:
            name, _, value = line.partition(b":")
            value = value.removeprefix(b" ").removesuffix(b"\r")
            if not line.strip():
                if data or identity:
                    yield Event(b"\n".join(data), identity, retry)
                data, size = [], 0
            elif name == b"data":
                data.append(value)
            elif name == b"id":
                identity = value.decode("latin-1")
            elif name == b"retry" and value.isdigit():
                retry = min(int(value) / 1000, 60.0)


def event(data: bytes) -> bytes:
    """One message as an event."""
    return b"event: message\n" + b"".join(b"data: " + line + b"\n" for line in data.split(b"\n")) + b"\n"
