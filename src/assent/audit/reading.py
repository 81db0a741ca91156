"""Reading the journal: records in both directions, searching, finding one by its id, counting."""

from __future__ import annotations

import os

from assent.audit.ends import backwards
from assent.audit.files import Folder
from assent.audit.lines import ENTRY_KINDS, JournalError, Record, read_line
from assent.digest import sha256
from assent.errors import InputError, UsageError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from assent.audit.files import Head

MIN_PREFIX = 4
BLOCK = 1_000_000
SAME = {"approved": "allow", "denied": "deny"}


class Snapshot:
    """The files of a journal at one moment, held open: what is appended or rotated later is not seen."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.head: Head | None = None
        self.files: list[tuple[str, int, int]] = []
        """Name, open file and size, oldest first."""

    def __enter__(self) -> Self:
        try:
            with Folder(self._folder, writing=False) as folder, folder.locked(shared=True):
                self.head = folder.read_head()
                for name in folder.names():
                    file = folder.open(name)
                    self.files.append((name, file, os.fstat(file).st_size))
        except FileNotFoundError:
            return self  # nobody has written yet
        except BaseException as error:
            self.__exit__()
            if isinstance(error, OSError):
                raise JournalError(f"the journal in `{self._folder}` cannot be read: {error.strerror}") from error
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        for _, file, _ in self.files:
            os.close(file)
        self.files = []


def forwards(file: int, size: int) -> Iterator[bytes]:
    """The lines of a file; last what stands behind the last newline, which should be nothing."""
    rest, at = b"", 0
    while at < size:
        block = os.pread(file, min(BLOCK, size - at), at)
        if not block:
            break
        at += len(block)
        *lines, rest = (rest + block).split(b"\n")
        yield from lines
    yield rest


def records(folder: str, *, after: int = 0, newest_first: bool = False) -> Iterator[Record]:
    """The records of a journal. Lines that are none are passed over: `verify` is there to name them."""
    if newest_first:
        yield from _newest_first(folder, after)
    elif after:
        yield from reversed(list(_newest_first(folder, after)))
    else:
        yield from _oldest_first(folder)


def _oldest_first(folder: str) -> Iterator[Record]:
    with Snapshot(folder) as files:
        for _, file, size in files.files:
            held: tuple[bytes, Record | None] | None = None
            for line in forwards(file, size):
                found = _read(line)
                if held and held[1] and not _gives_up(found, held[1], held[0]):
                    yield held[1]
                held = line, found  # the last piece is never finished, so it is never given out


def _newest_first(folder: str, after: int) -> Iterator[Record]:
    with Snapshot(folder) as files:
        for _, file, size in reversed(files.files):
            lines = backwards(file, size)
            next(lines, None)
            later: Record | None = None
            for line in lines:
                found = _read(line)
                if found and found.seq <= after and found.kind != "recovered":
                    return
                if found and found.seq > after and not _gives_up(later, found, line):
                    yield found
                later = found


def _gives_up(later: Record | None, found: Record, line: bytes) -> bool:
    """Whether the record behind a line says that this line was never finished, and took its number."""
    if later is None or later.kind != "recovered" or later.seq > found.seq:
        return False
    return later.fields.get("torn_sha256") == sha256(line)


def _read(line: bytes) -> Record | None:
    try:
        return read_line(line)
    except InputError:
        return None


# --- what a record is about ----------------------------------------------------------------------------------------

CERTAIN_FIRST = ("delete", "write", "send", "reach", "call", "change", "run", "read", "search", "list")
"""Whose targets say most about a call, the gravest first."""
OTHERWISE = ("file", "error", "note", "reason", "mode", "rule_id", "request_id")


def subject(found: Record) -> str:
    """What was touched: the command, else the paths, hosts or tools; else what the record itself is about."""
    if found.kind == "result" and "exit_code" in found.fields:
        return f"exit code {found.fields['exit_code']}"
    if found.kind == "mode":
        return found.text("mode")
    touched = found.text("command") or _targets(found.fields.get("effects")) or _parts(found)
    return touched or _rules(found) or next((found.text(name) for name in OTHERWISE if found.text(name)), "")


def _targets(effects: object) -> str:
    """The targets of the gravest kind; the others are counted."""
    rows = [one for one in effects if isinstance(one, dict)] if isinstance(effects, list) else []
    pairs = [(str(one.get("kind")), str(one.get("target"))) for one in rows if one.get("target")]
    pairs.sort(key=lambda pair: CERTAIN_FIRST.index(pair[0]) if pair[0] in CERTAIN_FIRST else len(CERTAIN_FIRST))
    targets = list(dict.fromkeys(target for _, target in pairs))
    more = f" and {len(targets) - 2} more" if len(targets) > 2 else ""
    return ", ".join(targets[:2]) + more


def _parts(found: Record) -> str:
    parts = found.fields.get("parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    text = first.get("text") if isinstance(first, dict) else None
    return text.removeprefix(f"{found.text('tool')} ") if isinstance(text, str) else ""


def _rules(found: Record) -> str:
    rules = found.fields.get("rules")
    return " and ".join(map(str, rules)) if isinstance(rules, list) else ""


# --- searching -----------------------------------------------------------------------------------------------------


def outcome(found: Record) -> str:
    """What came out: allow, ask, deny; approved, denied; expired, cancelled; or nothing."""
    if found.kind == "decision":
        return found.text("decision")
    if found.kind in ENTRY_KINDS:
        ended = {"timeout": "expired", "cancelled": "cancelled"}.get(found.kind)
        return ended or ("approved" if found.fields.get("approved") is True else "denied")
    return ""


def search(
    folder: str,
    words: Iterable[str] = (),
    *,
    kind: str = "",
    session: str = "",
    verdict: str = "",
    tool: str = "",
    since: float = 0.0,
    until: float = 0.0,
    limit: int = 0,
) -> tuple[Record, ...]:
    """The newest records that hold all words and fit all conditions, oldest first; `limit` 0 means all of them."""
    wanted = [word.casefold() for word in words]
    made: list[Record] = []
    for found in records(folder, newest_first=True):
        if until and found.time >= until:
            continue
        fits = found.time >= since and kind in ("", found.kind) and _about(found, session, verdict, tool)
        if fits and (not wanted or _holds(found, wanted)):
            made.append(found)
        if limit and len(made) >= limit:
            break
    return tuple(reversed(made))


def _about(found: Record, session: str, verdict: str, tool: str) -> bool:
    if session and not found.text("session_id").startswith(session):
        return False
    if tool and found.text("tool").casefold() != tool.casefold():
        return False
    came_out = outcome(found)
    return not verdict or SAME.get(verdict, verdict) == SAME.get(came_out, came_out)


def _holds(found: Record, wanted: list[str]) -> bool:
    text = "\n".join([found.kind, found.event_id, *_texts(found.fields)]).casefold()
    return all(word in text for word in wanted)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif value is not None:
        yield str(value)


def find(folder: str, identity: str) -> tuple[Record, ...]:
    """The record of an event, or all records of a request; the beginning of an id is enough if only one has it."""
    if len(identity) < MIN_PREFIX:
        raise UsageError(f"`{identity}` is too short for an id", help=f"give at least {MIN_PREFIX} letters")
    by_id: dict[str, list[Record]] = {}
    for found in records(folder):
        for name in {found.event_id, found.text("request_id")}:
            if name.startswith(identity):
                by_id.setdefault(name, []).append(found)
    if identity in by_id:
        return tuple(by_id[identity])
    if not by_id:
        raise InputError(f"the journal holds nothing with the id `{identity}`", help="see `assent audit tail`")
    if len(by_id) > 1:
        raise UsageError(f"`{identity}` begins {len(by_id)} ids", help=f"say more: {', '.join(sorted(by_id)[:5])}")
    return tuple(next(iter(by_id.values())))


# --- counting ------------------------------------------------------------------------------------------------------


@record
class Stats:
    """How much of what; names with their counts, the most frequent first."""

    records: int
    first: float
    last: float
    kinds: tuple[tuple[str, int], ...]
    outcomes: tuple[tuple[str, int], ...]
    tools: tuple[tuple[str, int], ...]
    decided_by: tuple[tuple[str, int], ...]
    latency_ms: float | None
    """The median of all decisions that say how long they took."""


def stats(folder: str, since: float = 0.0) -> Stats:
    """Count the records of a journal, or those since a moment."""
    kinds: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    tools: dict[str, int] = {}
    deciders: dict[str, int] = {}
    times: list[float] = []
    spent: list[float] = []
    for found in records(folder):
        if found.time < since:
            continue
        times.append(found.time)
        by = found.fields.get("decided_by")
        _count(kinds, found.kind)
        _count(outcomes, outcome(found))
        _count(tools, found.text("tool") if found.kind == "decision" else "")
        _count(deciders, str(by.get("kind", "")) if isinstance(by, dict) else "")
        latency = found.fields.get("latency_ms")
        if isinstance(latency, int | float) and not isinstance(latency, bool):
            spent.append(latency)
    return Stats(
        records=len(times),
        first=min(times, default=0.0),
        last=max(times, default=0.0),
        kinds=_ranked(kinds),
        outcomes=_ranked(outcomes),
        tools=_ranked(tools),
        decided_by=_ranked(deciders),
        latency_ms=sorted(spent)[len(spent) // 2] if spent else None,
    )


def _count(table: dict[str, int], name: str) -> None:
    if name:
        table[name] = table.get(name, 0) + 1


def _ranked(table: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(table.items(), key=lambda pair: (-pair[1], pair[0])))
