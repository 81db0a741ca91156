"""Where the chain of records ends, and what the next writer must say about damage it finds there.

INVARIANT: a chain that was cut goes on from the head, not from the cut, so that the gap stays visible for ever.
"""

from __future__ import annotations

import os

from assent.audit.files import START, Head
from assent.audit.lines import read_line
from assent.digest import sha256
from assent.errors import InputError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.audit.files import Folder

BLOCK = 65_536


@record
class End:
    """The record to continue from, records to write first (kind and fields), and whether a line must be ended."""

    head: Head
    notes: tuple[tuple[str, dict[str, object]], ...] = ()
    torn: bool = False


def find_end(folder: Folder, file: int) -> End:
    """Look at the end of the current file, or of the last rotated one, and compare it with the head."""
    size = os.fstat(file).st_size
    if size:
        last, torn = _tail(file, size)
        return _compare(folder, last, torn)
    rotated = folder.names()[:-1]
    if not rotated:
        return _compare(folder, START, b"")
    before = folder.open(rotated[-1])
    try:
        last, _ = _tail(before, os.fstat(before).st_size)
    finally:
        os.close(before)
    end = _compare(folder, last, b"")
    return End(end.head, (("rotated", {"file": rotated[-1]}), *end.notes))


def _compare(folder: Folder, last: Head, torn: bytes) -> End:
    head = folder.read_head()
    notes: list[tuple[str, dict[str, object]]] = []
    if torn:
        notes.append(("recovered", {"torn_bytes": len(torn), "torn_sha256": sha256(torn)}))
    if head is None and last.seq:
        notes.append(("recovered", {"head": "missing", "found_seq": last.seq}))
    elif head is not None and head.seq < 0:
        notes.append(("recovered", {"head": "damaged", "found_seq": last.seq}))
    elif head is not None and head.seq >= last.seq and head != last:
        notes.append(("recovered", {"head": "ahead", "head_seq": head.seq, "found_seq": last.seq}))
        last = head
    elif head is not None and head.seq < last.seq:
        folder.write_head(last)  # a writer died between its two writes; if this one does too, the head is still close
    return End(last, tuple(notes), torn=bool(torn))


def _tail(file: int, size: int) -> tuple[Head, bytes]:
    """The last record of a file, and the bytes of an unfinished line behind it."""
    lines = backwards(file, size)
    torn = next(lines, b"")
    for line in lines:
        try:
            found = read_line(line)
        except InputError:
            continue  # `verify` will name this line; the chain goes on from the last one that can be read
        return Head(found.seq, found.hash), torn
    return START, torn


def backwards(file: int, size: int) -> Iterator[bytes]:
    """The lines of a file from its end; first what stands behind the last newline, which should be nothing."""
    rest, begin = b"", size
    while begin:
        step = min(BLOCK, begin)
        begin -= step
        first, *others = (os.pread(file, step, begin) + rest).split(b"\n")
        yield from reversed(others)
        rest = first
    yield rest
