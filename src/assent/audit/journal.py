"""Writing the journal: one line per event, chained by hashes, safe among processes, on the disk before we go on."""

from __future__ import annotations

import os
import time

from assent.audit.ends import End, backwards, find_end
from assent.audit.fields import IDENTIFIER_LETTERS, told_fields
from assent.audit.files import CURRENT, START, Folder, Head
from assent.audit.lines import (
    ENTRY_KINDS,
    KINDS,
    OWN,
    JournalError,
    Record,
    is_sealed,
    members,
    read_line,
    write_line,
)
from assent.errors import InputError, UsageError
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
    """What is to be written, also as JSON already; a caller that may have to try again names it itself."""

    kind: str
    told: dict[str, object]
    encoded: str
    id: str = ""


def event_of(kind: str, fields: Mapping[str, object], id: str = "") -> _Event:
    """An event as the journal takes it, its secrets masked."""
    return prepared_event(kind, told_fields(kind, fields), id)


def prepared_event(kind: str, told: dict[str, object], id: str = "") -> _Event:
    """An event whose fields were masked before."""
    if kind not in KINDS:
        raise UsageError(f"unknown kind `{kind}` of event", help=f"one of {', '.join(KINDS)}")
    own = (*OWN, "timestamp") if kind in ENTRY_KINDS else OWN
    if not told.keys().isdisjoint(own) or not IDENTIFIER_LETTERS.issuperset(id):
        raise UsageError("an event names what is written by the journal itself", help="leave it out")
    return _Event(kind, told, members(told), id)


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
        event = event_of(kind, fields)
        with self.holding() as held:
            return held.write(event)

    def holding(self, room: int = 0, patience: float | None = None) -> Held:
        """`with journal.holding(room) as held:` keeps every other writer out until the end of the block.

        Raises `JournalError` when the journal is locked for longer than `patience`, or takes no `room` bytes more: so
        much stays reserved until something is written, and nobody else can take it in between.
        """
        return Held(self, room, patience)

    def position(self) -> int:
        """The number of the last record that was noted, as far as it can be told without waiting; 0 if not at all."""
        try:
            with Folder(self.folder, writing=False) as folder:
                head = folder.read_head()
        except (OSError, JournalError):
            return 0
        return max(0, head.seq) if head else 0

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
            line, made = write_line(self._own(head, event), event.told, event.encoded)
            lines.append(line)
            found.append(made)
            head = Head(made.seq, made.hash)
        _write_whole(file, b"\n".join([*lines, b""]))
        status = os.fstat(file)
        self._known = _Known((status.st_dev, status.st_ino, status.st_size), head)
        folder.write_head(head)
        return found[-1]

    def _own(self, before: Head, event: _Event) -> dict[str, object]:
        at = round(float(self._clock()), 6)
        own: dict[str, object] = {
            "event_id": event.id or _event_id(),
            "time": at,
            "seq": before.seq + 1,
            "prev_hash": before.hash,
            "kind": event.kind,
            **self._who,
        }
        return {**own, "timestamp": at} if event.kind in ENTRY_KINDS else own


class Held:
    """The journal while one writer holds it. What it writes is on the disk when the block has ended."""

    def __init__(self, journal: Journal, room: int, patience: float | None) -> None:
        self._journal, self._room = journal, room
        self._folder = Folder(journal.folder, writing=True)
        self._opened, self._lock = False, self._folder.locked(patience=patience)
        self._file, self._end = -1, End(START)
        self._written = False
        self._before = -1
        """The size of the file without the blanks that keep the room."""

    def __enter__(self) -> Held:
        try:
            self._folder.__enter__()
            self._opened = True
            self._lock.__enter__()
            self._file, self._end = self._journal._open(self._folder)
            if self._room:
                self._before = os.fstat(self._file).st_size
                _write_whole(self._file, b" " * self._room)
        except OSError as error:
            self._let_go()
            raise self._unwritable(error) from error
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        try:
            self._give_room()
            self._lock.__exit__()
            if self._written and self._journal._durable:  # after the lock is free: those who wait, wait together
                os.fdatasync(self._file)
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            self._let_go()

    @property
    def position(self) -> int:
        """The number of the last record."""
        return self._end.head.seq

    def write(self, event: _Event) -> Record:
        """Write an event behind everything there is."""
        notes = [event_of(kind, told) for kind, told in self._end.notes]
        try:
            self._give_room()
            made = self._journal._write(self._folder, self._file, self._end, [*notes, event])
        except OSError as error:
            raise self._unwritable(error) from error
        self._end, self._written = End(Head(made.seq, made.hash)), True
        return made

    def has(self, event_id: str, after: int) -> bool:
        """Whether an event was written behind record `after`: one that had to be tried again may have been."""
        mark = f'{{"event_id": "{event_id}"'.encode()
        for name in reversed(self._folder.names()):
            file = self._folder.open(name)
            try:
                for line in backwards(file, os.fstat(file).st_size):
                    if line.startswith(mark) and is_sealed(line):
                        return True
                    if (seq := _seq(line)) and seq <= after:
                        return False
            finally:
                os.close(file)
        return False

    def _give_room(self) -> None:
        """A kill before this leaves an unfinished line of blanks, which the next writer ends and tells."""
        if self._before >= 0:
            os.ftruncate(self._file, self._before)
            self._before = -1

    def _let_go(self) -> None:
        self._lock.__exit__()
        self._before = -1
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._opened:
            self._folder.__exit__()
            self._opened = False

    def _unwritable(self, error: OSError) -> JournalError:
        why = error.strerror or type(error).__name__
        return JournalError(f"the journal in `{self._journal.folder}` cannot be written: {why}", help=ADVICE)


def _seq(line: bytes) -> int:
    try:
        return read_line(line).seq if line else 0
    except InputError:
        return 0


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
