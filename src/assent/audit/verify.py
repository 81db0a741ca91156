"""Proving the journal: every record follows the one before it, none is missing, none was changed, and if so, where."""

from __future__ import annotations

from assent.audit.files import CURRENT, START, Head, rotated_name, rotated_number
from assent.audit.lines import Record, is_hash, is_sealed, read_line
from assent.audit.reading import Snapshot, forwards
from assent.digest import sha256
from assent.errors import InputError, UsageError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@record
class Problem:
    """What is wrong and where: file, line (0: the file as a whole) and the record's number (0: not known)."""

    file: str
    line: int
    seq: int
    what: str


@record
class Verification:
    """What was found: `head` is the last record, as an anchor to be noted elsewhere."""

    ok: bool
    records: int
    files: int
    problems: tuple[Problem, ...]
    head: str = ""


@record
class _Line:
    """One line and where it stands; `last` when no newline ends it."""

    file: str
    number: int
    data: bytes
    last: bool


def verify(folder: str, anchor: str | None = None) -> Verification:
    """Look at every line of every file; `anchor` is a head (`SEQ:HASH`) that was noted elsewhere."""
    noted = _anchor(anchor) if anchor else None
    with Snapshot(folder) as files:
        walk = _Walk(files.head, noted)
        walk.look(_lines(files))
        names = [name for name, _, _ in files.files]
        problems = [*_missing_files(names), *walk.problems, *walk.ending()]
    return Verification(not problems, walk.records, len(names), tuple(problems), str(walk.last))


def _anchor(text: str) -> Head:
    seq, _, digest = text.strip().partition(":")
    if not (seq.isascii() and seq.isdecimal() and len(seq) <= 20 and is_hash(digest)):
        raise UsageError(f"`{text}` is no anchor", help="it looks like 42:HASH, as `assent audit head` prints it")
    return Head(int(seq), digest)


def _lines(files: Snapshot) -> Iterator[_Line]:
    for name, file, size in files.files:
        number = 0
        before: bytes | None = None
        for data in forwards(file, size):
            if before is not None:
                yield _Line(name, number, before, last=False)
            number, before = number + 1, data
        if before:
            yield _Line(name, number, before, last=True)


def _missing_files(names: list[str]) -> Iterator[Problem]:
    numbers = {rotated_number(name) for name in names if name != CURRENT}
    for number in range(1, max(numbers, default=0)):
        if number not in numbers:
            yield Problem(rotated_name(number), 0, 0, "the file is missing")


class _Walk:
    """Goes from line to line and remembers the last record it could trust."""

    def __init__(self, head: Head | None, anchor: Head | None) -> None:
        self.head = head
        self.anchor = anchor
        self.last = START
        self.place = _Line(CURRENT, 0, b"", last=False)
        self.records = 0
        self.unread = 0
        """Lines since the last good record that are none, or not what their hash says."""
        self.met = anchor == START
        """Whether the record of the anchor was there; the beginning always is."""
        self.problems: list[Problem] = []

    def look(self, lines: Iterator[_Line]) -> None:
        held: _Line | None = None
        for line in lines:
            if held and not self._gives_up(line, held):
                self._line(held)
            held = line
        if held and not (held.last and held.file == CURRENT):  # a writer that died; the next one will say so
            self._line(held)

    def ending(self) -> Iterator[Problem]:
        """What the head and an anchor say about the last records."""
        if self.head is None and self.last.seq:
            yield Problem("head", 0, 0, "the file is missing: records may have been cut off at the end")
        if self.head and self.head.seq < 0:
            yield Problem("head", 0, 0, "the file is damaged: records may have been cut off at the end")
        for noted, where in ((self.head, "the head"), (self.anchor, "the anchor")):
            first = self.last.seq + 1 + self.unread  # a line that was reported already is not missing
            if noted and noted.seq >= first:
                what = f"{_numbers(first, noted.seq)} missing at the end, {where} knows of {noted.seq}"
                yield Problem(self.place.file, self.place.number, 0, what)

        if self.anchor and self.anchor.seq <= self.last.seq and not self.met:
            yield Problem(CURRENT, 0, self.anchor.seq, "the record that the anchor knows is not there")

    def _gives_up(self, line: _Line, before: _Line) -> bool:
        """Whether a line is the record that a torn line before it was found by the next writer."""
        found = _record(line)
        if found is None or found.kind != "recovered" or line.file != before.file:
            return False
        fields = found.fields
        same = fields.get("torn_bytes") == len(before.data) and fields.get("torn_sha256") == sha256(before.data)
        return same and self.unread == 0 and (found.seq, found.prev_hash) == (self.last.seq + 1, self.last.hash)

    def _line(self, line: _Line) -> None:
        self.place = line
        try:
            found = read_line(line.data)
        except InputError as error:
            self.unread += 1
            self._report(line, 0, f"no record: {error.message}")
            return
        if not is_sealed(line.data):
            self.unread += 1
            self._report(line, found.seq, "changed: its hash is not the hash of its content")
            return
        self._chain(line, found)

    def _chain(self, line: _Line, found: Record) -> None:
        if line.last:
            self._report(line, found.seq, "no newline ends it")
        self.records += 1
        if found.seq <= self.last.seq:
            self._report(line, found.seq, f"moved or put in: it stands behind record {self.last.seq}")
            return
        missing = found.seq - self.last.seq - 1 - self.unread
        if missing > 0:
            more = "1 more record is" if missing == 1 else f"{missing} more records are"
            gone = more if self.unread else _numbers(found.seq - missing, found.seq - 1)
            self._report(line, found.seq, f"{gone} missing before it")
        elif found.seq == self.last.seq + 1 and found.prev_hash != self.last.hash:
            self._report(line, found.seq, "replaced, or the one before it: it does not follow that one")
        elif missing < 0 and found.seq != self.last.seq + 1:
            self._report(line, found.seq, "lines were put in before it")
        self._compare(line, found)
        self.last, self.unread = Head(found.seq, found.hash), 0

    def _compare(self, line: _Line, found: Record) -> None:
        if found.kind == "recovered" and found.fields.get("head") in ("missing", "damaged"):
            what = f"the head was {found.fields['head']} here: records may have been cut off before it"
            self._report(line, found.seq, what)
        self.met = self.met or (self.anchor is not None and self.anchor.seq == found.seq)
        for noted, where in ((self.head, "the head"), (self.anchor, "the anchor")):
            if noted and noted.seq == found.seq and noted.hash != found.hash:
                self._report(line, found.seq, f"not the record that {where} knows")

    def _report(self, line: _Line, seq: int, what: str) -> None:
        self.problems.append(Problem(line.file, line.number, seq, what))


def _record(line: _Line) -> Record | None:
    try:
        return read_line(line.data) if is_sealed(line.data) else None
    except InputError:
        return None


def _numbers(first: int, last: int) -> str:
    return f"record {first} is" if first == last else f"records {first} to {last} are"
