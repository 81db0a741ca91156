"""What git's index says besides the times of files: those change whenever somebody looks at the repository."""

from __future__ import annotations

from assent.digest import sha256

STAT = 40
MODE = 24
"""Bytes of an entry about the file on the disk, and where among them the mode stands, which says more than a time."""
CHANGING = frozenset((b"UNTR", b"FSMN", b"EOIE", b"IEOT"))
"""Extensions that hold what git last saw on the disk, and where in the file the others begin."""


def without_times(data: bytes) -> str:
    """A digest of the entries and settings of an index; of all of it, if it is not one that we can read."""
    try:
        return sha256(b"\0".join(_said(data)))
    except (IndexError, ValueError):
        return sha256(data)


def _said(data: bytes) -> list[bytes]:
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index")
    for width in (20, 32):  # of the digests in it, which the index itself does not tell
        try:
            return _entries(data, version, count, width)
        except (IndexError, ValueError):
            continue
    raise ValueError("not an index")


def _entries(data: bytes, version: int, count: int, width: int) -> list[bytes]:
    found, at, end = [data[:12]], 12, len(data) - width
    for _ in range(count):
        flags = at + STAT + width
        name = flags + (4 if data[flags] & 0x40 and version > 2 else 2)
        if version == 4:
            while data[name] & 0x80:
                name += 1
            name += 1
        stop = data.index(b"\0", name, end)
        found.append(data[at + MODE : at + MODE + 4] + data[at + STAT : stop])
        at = stop + 1 if version == 4 else at + ((stop - at) // 8 + 1) * 8
    while at < end:
        kind, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        if not kind.isalpha() or at + 8 + size > end:
            raise ValueError("not an extension")
        if kind not in CHANGING:
            found.append(data[at : at + 8 + size])
        at += 8 + size
    if at != end:
        raise ValueError("not an index")
    return found
