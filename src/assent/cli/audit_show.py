"""Records of the journal on a terminal: a line each, all of one, counts, and what verification found."""

from __future__ import annotations

import os
import time

from assent import wire
from assent.audit.reading import outcome, subject
from assent.cli.show import paint, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.audit.lines import Record
    from assent.audit.reading import Stats
    from assent.audit.verify import Verification

GREEN, YELLOW, RED, DIM, BOLD = "32", "33", "31", "2", "1"
COLOURS = {
    **dict.fromkeys(("allow", "approved", "grant"), GREEN),
    **dict.fromkeys(("ask", "question", "expired", "cancelled", "recovered"), YELLOW),
    **dict.fromkeys(("deny", "denied", "error"), RED),
}
WIDTH, MIN_WIDTH = 80, 60


def width() -> int:
    """The columns of the terminal; `COLUMNS` wins, 80 where there is none."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdecimal() and int(given) >= MIN_WIDTH:
        return int(given)
    try:
        return max(MIN_WIDTH, os.get_terminal_size(1).columns)
    except OSError:
        return WIDTH


def rows(found: Iterable[Record], *, colour: bool, day: str = "") -> Iterator[str]:
    """A line for each record, and one for each new day."""
    for one in found:
        today = time.strftime("%Y-%m-%d", time.localtime(one.time))
        if today != day:
            yield paint(today, DIM, colour=colour)
            day = today
        yield row(one, colour=colour)


def row(found: Record, *, colour: bool) -> str:
    """`time  outcome  tool  what it was about  id`, never wider than the terminal."""
    label = outcome(found) or found.kind
    at = time.strftime("%H:%M:%S", time.localtime(found.time))
    tool = _cut(visible(found.text("tool")), 10)
    about = _cut(visible(subject(found)), width() - 42)
    shown = paint(f"{_cut(visible(label), 9):<9}", COLOURS.get(label, DIM), colour=colour)
    line = f"{at}  {shown}  {tool:<10} {about}"
    gap = " " * (width() - 40 - len(about))
    return f"{line}{gap}{paint(found.event_id[:8], DIM, colour=colour)}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def details(found: Record, *, colour: bool) -> Iterator[str]:
    """Everything in one record, a field per line."""
    table = found.table()
    longest = max(len(name) for name in table)
    label = outcome(found) or found.kind
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(found.time))
    yield f"{paint(visible(label), COLOURS.get(label, BOLD), colour=colour)}  {at}  {found.event_id}"
    for name, value in table.items():
        text = value if isinstance(value, str) else wire.dumps(value)
        yield f"  {paint(f'{visible(name):<{longest}}', DIM, colour=colour)}  {visible(text)}"


def verification(found: Verification, *, colour: bool) -> Iterator[str]:
    """The result first, then each problem with its place."""
    amount = f"{found.records:,} {'record' if found.records == 1 else 'records'}"
    files = f"{found.files} {'file' if found.files == 1 else 'files'}"
    if found.ok:
        yield f"{paint('OK', GREEN, colour=colour)}      {amount} in {files}, nothing changed, nothing missing"
        yield f"        head {found.head}"
        return
    problems = f"{len(found.problems)} {'problem' if len(found.problems) == 1 else 'problems'}"
    yield f"{paint('BROKEN', RED, colour=colour)}  {problems} in {amount} in {files}"
    for one in found.problems:
        place = f"{one.file}:{one.line}" if one.line else one.file
        subject = f"record {one.seq}: " if one.seq else ""
        yield f"  {paint(visible(place), BOLD, colour=colour)}"
        yield f"      {subject}{visible(one.what)}"


def counts(found: Stats, *, colour: bool) -> Iterator[str]:
    """How many of what, the most frequent first."""
    yield f"{found.records:,} {'record' if found.records == 1 else 'records'}"
    if not found.records:
        return
    first, last = (time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) for at in (found.first, found.last))
    yield f"  {first} to {last}"
    groups = (("outcome", found.outcomes), ("kind", found.kinds), ("tool", found.tools), ("by", found.decided_by))
    for title, pairs in groups:
        for place, (name, number) in enumerate(pairs[:10]):
            shown = paint(f"{title if not place else '':<8}", DIM, colour=colour)
            yield f"  {shown} {number:>9,}  {visible(_cut(name, 50))}"
    if found.latency_ms is not None:
        yield f"  {paint('latency ', DIM, colour=colour)} {found.latency_ms:>9.1f}  ms in the middle"
