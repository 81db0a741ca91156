"""Lines out of a stream of bytes, each at most so long."""

from __future__ import annotations

from collections.abc import Iterator

from assent.mcp.messages import MAX_BYTES


class Lines:
    """Cuts what arrives into lines. A line that is too long is thrown away and counted."""

    def __init__(self, most: int = MAX_BYTES) -> None:
        self._most = most
        self._pieces: list[bytes] = []
        self._size = 0
        self.too_long = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that `data` completes, without their ends; empty ones are left out."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._keep(piece)
            line = self._taken()
            if line.strip():
                yield line
        self._keep(rest)

    def rest(self) -> bytes:
        """What came after the last end of a line."""
        return self._taken().strip()

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._most:
            self._pieces.append(piece)
        else:
            self._pieces.clear()

    def _taken(self) -> bytes:
        line = b"".join(self._pieces)
        if self._size > self._most:
            self.too_long += 1
            line = b""
        self._pieces, self._size = [], 0
        return line
