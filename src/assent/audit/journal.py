"""Writing the journal: one line per event, chained by hashes, safe among processes, on the disk before we go on."""

from __future__ import annotations

import os
import time

from assent.audit.ends import End, find_end
from assent.audit.fields import told_fields
from assent.audit.files import CURRENT, START, Folder, Head
from assent.audit.lines import ENTRY_KINDS, KINDS, JournalError, Record, members, write_line
from assent.errors import UsageError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Journal", "JournalError", "Record"]

MAX_BYTES = 64_000_000
APPENDING = os.O_RDWR | os.O_APPEND | os.O_CREAT
ADVICE = "nothing runs that cannot be written down: make room or repair the folder, then try again"


@record
class _Known:
    """What this journal wrote last; as long as the file is still that, its end need not be read."""

    file: tuple[int, int, int]
    head: Head


@record
class _Event:
    """What is to be written, also as JSON already."""

    kind: str
    told: dict[str, object]
    encoded: str


class Journal:
    """The journal in a folder. Many processes and threads may append to it at once.

    >>> Journal("/var/lib/agent/audit").append("decision", {"tool": "Bash", "decision": "allow"})  # doctest: +SKIP
    """

    def __init__(
        self,
        folder: str,
        *,
        max_bytes: int = MAX_BYTES,
        durable: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self._max_bytes = max_bytes
        self._durable = durable
        self._clock = clock
        self._known = _Known((0, 0, 0), START)
        self._who = _who()

    def append(self, kind: str, fields: Mapping[str, object]) -> Record:
        """Write one event. Raises `JournalError` when it cannot be written; whatever it is about must not run then."""
        if kind not in KINDS:
            raise UsageError(f"unknown kind `{kind}` of event", help=f"one of {', '.join(KINDS)}")
        told = told_fields(kind, fields)
        event = _Event(kind, told, members(told))
        try:
            with Folder(self.folder, writing=True) as folder:
                return self._append(folder, event)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise JournalError(f"the journal in `{self.folder}` cannot be written: {why}", help=ADVICE) from error

    def _append(self, folder: Folder, event: _Event) -> Record:
        file = -1
        try:
            with folder.locked():
                file, end = self._open(folder)
                notes = [_Event(kind, told, members(told)) for kind, told in end.notes]
                made = self._write(folder, file, end, [*notes, event])
            if self._durable:  # after the lock is free: those who wait for the disk wait together
                os.fdatasync(file)
        finally:
            if file >= 0:
                os.close(file)
        return made

    def _open(self, folder: Folder) -> tuple[int, End]:
        """The file to append to and where its chain ends; a file that is full is rotated away first."""
        file = folder.open(CURRENT, APPENDING)
        try:
            end = self._end(folder, file)
            if os.fstat(file).st_size < self._max_bytes or end.torn:
                return file, end
            if self._durable:
                os.fdatasync(file)
            rotated = folder.rotate()
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        file = folder.open(CURRENT, APPENDING | os.O_EXCL)
        return file, End(end.head, (("rotated", {"file": rotated}), *end.notes))

    def _end(self, folder: Folder, file: int) -> End:
        found = os.fstat(file)
        if found.st_size and (found.st_dev, found.st_ino, found.st_size) == self._known.file:
            return End(self._known.head)
        end = find_end(folder, file)
        if not found.st_size:
            self._begin(folder)
        return end

    def _begin(self, folder: Folder) -> None:
        """INVARIANT: a head is there before the first record, so that one that is missing later was removed."""
        if folder.read_head() is None:
            folder.write_head(START)
        if self._durable:
            folder.sync()

    def _write(self, folder: Folder, file: int, end: End, events: list[_Event]) -> Record:
        head, found = end.head, []
        lines = [b""] if end.torn else []
        for event in events:
            line, made = write_line(self._own(head, event.kind), event.told, event.encoded)
            lines.append(line)
            found.append(made)
            head = Head(made.seq, made.hash)
        _write_whole(file, b"\n".join([*lines, b""]))
        status = os.fstat(file)
        self._known = _Known((status.st_dev, status.st_ino, status.st_size), head)
        folder.write_head(head)
        return found[-1]

    def _own(self, before: Head, kind: str) -> dict[str, object]:
        at = round(float(self._clock()), 6)
        own: dict[str, object] = {
            "event_id": _event_id(),
            "time": at,
            "seq": before.seq + 1,
            "prev_hash": before.hash,
            "kind": kind,
            **self._who,
        }
        return {**own, "timestamp": at} if kind in ENTRY_KINDS else own


def _write_whole(file: int, data: bytes) -> None:
    """All of it or nothing. INVARIANT: called under the lock only, so that what is taken back is our own."""
    size = os.fstat(file).st_size
    try:
        written = os.write(file, data)
    except OSError:
        _take_back(file, size)
        raise
    if written != len(data):
        _take_back(file, size)
        raise JournalError(f"the disk took {written} of {len(data)} bytes of the journal", help=ADVICE)


def _take_back(file: int, size: int) -> None:
    try:
        os.ftruncate(file, size)
    except OSError:
        return  # the half line stays; the next writer ends it and says so


def _event_id() -> str:
    """A random UUID, without the time it takes to import `uuid`."""
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) | (4 << 76)
    text = f"{number & ~(3 << 62) | (2 << 62):032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _who() -> dict[str, object]:
    import pwd

    number = os.geteuid()
    try:
        user = pwd.getpwuid(number).pw_name
    except KeyError:
        user = str(number)
    return {"user": user, "host": os.uname().nodename}
