"""Text that an agent chose, as lines of safe fragments: nothing hidden, blanks counted, secrets masked, cuts said."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from assent.approval.secrets import existing_masks, secret_spans
from assent.approval.unseen import NO_HOSTS, escaped, named_hosts, odd_places, runs_right_to_left
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    Kind = Literal["plain", "odd", "count", "masked"]

INDENT, GAP, TAB = 40, 12, 4
"""Blanks that are shown as such at the start of a line and inside it; more of them are counted instead."""
SAME = 3
HEAD_ROWS, TAIL_ROWS, HEAD_SIGNS, TAIL_SIGNS = 400, 100, 30_000, 10_000
HEAD_LINE, TAIL_LINE = 3_000, 1_000
RUN = re.compile(r"[ \t]+|[^ \t]+")
LONG_GAP = re.compile(f" {{{GAP + 1},}}")


@record
class Fragment:
    """A stretch of safe text: `plain` as it was, `odd` written out, `count` and `masked` said in our own words."""

    text: str
    kind: Kind = "plain"


@record
class Line:
    """One line of the original; `number` is 0 where it stands for several, `mark` is `+` or `-` in a change."""

    fragments: tuple[Fragment, ...]
    number: int = 0
    mark: str = ""

    @property
    def text(self) -> str:
        return "".join(fragment.text for fragment in self.fragments)


NOTHING = (Line((Fragment("‹empty›", "count"),)),)


class Source:
    """A text with what is odd and what is secret in it; rows point into it."""

    def __init__(self, text: str, name: str = "", reached: frozenset[str] = NO_HOSTS) -> None:
        self.text = text
        self.odd = odd_places(text)
        self.hosts = {end: f"‹{host}›" for _, end, host in named_hosts(text, reached)}
        self.secrets = secret_spans(text, name)
        self._inside = frozenset(at for start, end, _ in self.secrets for at in range(start, end))

    def rows(self, mark: str = "") -> list[Row]:
        """Its lines; a newline inside a secret ends none."""
        found: list[Row] = []
        start = 0
        for at in [at for at, sign in enumerate(self.text) if sign == "\n" and at not in self._inside]:
            found.append(Row(self, start, at, len(found) + 1, mark))
            start = at + 1
        if start < len(self.text) or not found:
            found.append(Row(self, start, len(self.text), len(found) + 1, mark))
        return found


@record
class Row:
    """A line of a source before it is drawn, or, with `said`, words of ours in the place of lines."""

    source: Source
    start: int
    end: int
    number: int
    mark: str = ""
    said: str = ""

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]


def lines_of(
    text: str, name: str = "", *, whole: bool = False, reached: frozenset[str] = NO_HOSTS
) -> tuple[tuple[Line, ...], bool]:
    """The text as safe lines, and whether nothing had to be cut. A telling `name` makes all of it a secret."""
    return _drawn(Source(text, name, reached).rows(), whole=whole) if text else (NOTHING, True)


def change_of(old: str, new: str, *, whole: bool = False) -> tuple[tuple[Line, ...], bool]:
    """The lines of a replacement: kept ones plain, removed ones marked `-`, added ones `+`."""
    if not old and not new:
        return NOTHING, True
    before, after = Source(old).rows("-") if old else [], Source(new).rows("+") if new else []
    rows: list[Row] = []
    matcher = SequenceMatcher(None, [row.text for row in before], [row.text for row in after])
    for what, low, high, start, end in matcher.get_opcodes():
        if what == "equal":
            rows += [Row(row.source, row.start, row.end, row.number) for row in after[start:end]]
        else:
            rows += [*before[low:high], *after[start:end]]
    return _drawn(rows, whole=whole)


def one_line(
    text: str, most: int = 0, *, prose: bool = True, masked: bool = False, reached: frozenset[str] = NO_HOSTS
) -> str:
    """Text as one safe line, newlines and tabs written out; `most` cuts it and says by how much.

    `masked` says that this text has been through our masking already: then its masks are ours, and stay what they are.
    """
    places = odd_places(text, prose=prose)
    hosts = {end: f"‹{name}›" for _, end, name in named_hosts(text, reached)}
    shown: list[str] = []
    at = 0
    for start, end, said in (*secret_spans(text, masked=masked), (len(text), len(text), "")):
        stop = min(start, most) if most else start
        signs = [
            (escaped(sign) if n in places or sign in "\n\t" else sign) + hosts.get(n + 1, "")
            for n, sign in enumerate(text[at:stop], at)
        ]
        shown.append(LONG_GAP.sub(lambda gap: f"‹{len(gap.group()):,} blanks›", "".join(signs)))
        if stop < start:
            return "".join([*shown, f" {_more(len(text) - stop)}"])
        shown.append(said)
        at = end
    return "".join(shown)


def spell_out(text: str) -> str:
    """A sentence of ours that quotes an agent, nothing of it cut or masked; newlines stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    ours = {at for start, end, _ in existing_masks(text) for at in range(start, end)}
    places = odd_places(text, prose=True) - ours
    hosts = {end: f"‹{name}›" for _, end, name in named_hosts(text)}
    return "".join((escaped(sign) if n in places else sign) + hosts.get(n + 1, "") for n, sign in enumerate(text))


# --- fewer lines ---------------------------------------------------------------------------------------------------


def _drawn(rows: list[Row], *, whole: bool) -> tuple[tuple[Line, ...], bool]:
    rows = list(_folded(rows))
    kept = rows if whole else _cut_rows(rows)
    complete = whole or (kept is rows and all(row.end - row.start <= HEAD_LINE + TAIL_LINE for row in rows))
    return tuple(_line(row, whole=whole) for row in kept), complete


def _folded(rows: list[Row]) -> Iterator[Row]:
    """The rows with repetitions counted: nothing is lost, and padding does not push anything off a screen."""
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and (rows[end].text, rows[end].mark) == (rows[at].text, rows[at].mark):
            end += 1
        first, same = rows[at], end - at
        blank = not first.text.strip(" \t")
        if same <= SAME or first.said:
            yield from rows[at:end]
        elif blank:
            yield Row(first.source, 0, 0, 0, first.mark, f"‹{same:,} empty lines›")
        else:
            yield first
            yield Row(first.source, 0, 0, 0, first.mark, f"‹the same line {same - 1:,} more times›")
        at = end


def _cut_rows(rows: list[Row]) -> list[Row]:
    head = _fitting(rows, HEAD_ROWS, HEAD_SIGNS)
    tail = _fitting(rows[:head:-1], TAIL_ROWS, TAIL_SIGNS) if head < len(rows) else 0
    hidden = rows[head : len(rows) - tail]
    if not hidden:
        return rows
    signs = sum(row.end - row.start + 1 for row in hidden)
    said = f"‹{len(hidden):,} more lines with {signs:,} more characters›"
    return [*rows[:head], Row(rows[0].source, 0, 0, 0, "", said), *rows[len(rows) - tail :]]


def _fitting(rows: list[Row], most: int, signs: int) -> int:
    for count, row in enumerate(rows[:most]):
        signs -= min(row.end - row.start, HEAD_LINE + TAIL_LINE)
        if signs < 0:
            return max(count, 1)
    return min(most, len(rows))


# --- one line ------------------------------------------------------------------------------------------------------


def _line(row: Row, *, whole: bool) -> Line:
    if row.said:
        return Line((Fragment(row.said, "count"),), 0, row.mark)
    size = row.end - row.start
    if whole or size <= HEAD_LINE + TAIL_LINE:
        found = list(_fragments(row.source, row.start, row.end))
    else:
        said = Fragment(f" {_more(size - HEAD_LINE - TAIL_LINE)} ", "count")
        found = [*_fragments(row.source, row.start, row.start + HEAD_LINE), said]
        found += _fragments(row.source, row.end - TAIL_LINE, row.end)
    return Line(tuple(_joined(found)), row.number, row.mark)


def _fragments(source: Source, start: int, end: int) -> Iterator[Fragment]:
    at = start
    for low, high, said in source.secrets:
        if low < end and high > at:
            yield from _plain(source, at, max(low, at), first=at == start)
            yield Fragment(said, "masked")
            at = min(high, end)
    yield from _plain(source, at, end, first=at == start)


def _plain(source: Source, start: int, end: int, *, first: bool) -> Iterator[Fragment]:
    for run in RUN.finditer(source.text, start, end):
        if run.group()[0] in " \t":
            yield _blanks(run.group(), leading=first and run.start() == start)
        else:
            yield from _signs(source, run.start(), run.end())


def _signs(source: Source, start: int, end: int) -> Iterator[Fragment]:
    if not source.odd and source.text.isascii():
        yield Fragment(source.text[start:end])
        return
    for at in range(start, end):
        sign = source.text[at]
        yield Fragment(escaped(sign), "odd") if at in source.odd else Fragment(sign)
        if at + 1 in source.hosts:
            yield Fragment(source.hosts[at + 1], "count")


def _blanks(run: str, *, leading: bool) -> Fragment:
    tabs = run.count("\t")
    if leading and len(run) + tabs * (TAB - 1) <= INDENT:
        return Fragment(run.replace("\t", " " * TAB))
    if not tabs:
        return Fragment(run) if len(run) <= GAP else Fragment(f"‹{len(run):,} blanks›", "count")
    if tabs == len(run):
        return Fragment("‹tab›" if tabs == 1 else f"‹{tabs:,} tabs›", "count")
    return Fragment(f"‹{len(run):,} blanks and tabs›", "count")


def _joined(fragments: list[Fragment]) -> Iterator[Fragment]:
    """Plain and odd characters in stretches; right-to-left writing stands alone, so that it moves nothing else."""
    held: Fragment | None = None
    for fragment in fragments:
        if held is not None and _belong(held, fragment):
            held = Fragment(held.text + fragment.text, held.kind)
            continue
        if held is not None:
            yield held
        held = fragment
    if held is not None:
        yield held


def _belong(one: Fragment, other: Fragment) -> bool:
    if one.kind != other.kind or one.kind in ("count", "masked"):
        return False
    return runs_right_to_left(one.text[-1]) == runs_right_to_left(other.text[0])


def _more(count: int) -> str:
    return f"‹{count:,} more characters›"
