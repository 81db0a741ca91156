"""The screens of the terminal dialog as rows of inked text, for any width; knows no terminal."""

from __future__ import annotations

from typing import Literal

from assent.approval.columns import cut, padded, pieces, width, wrapped
from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.approval.display import Display, PartRow, Section
    from assent.approval.fragments import Line

Style = Literal["", "bold", "dim", "badge", "low", "medium", "high", "ok", "ask", "deny", "odd", "count", "warn"]

NARROW = 60
LEAST = 12
"""Columns that a text needs beside what stands before it."""
WIDEST = 140
"""Rows longer than this are hard to read, however wide the terminal is."""
PART_STYLES: dict[str, Style] = {"ok": "ok", "ASK": "ask", "DENY": "deny"}
INKS: dict[str, Style] = {"plain": "", "odd": "odd", "count": "count", "masked": "count"}
MARKS: dict[str, Style] = {"+": "ok", "-": "deny"}


@record
class Ink:
    """Text in one style."""

    text: str
    style: Style = ""


Row = tuple[Ink, ...]


@record
class Page:
    """What stays on top, what scrolls, and nothing else; the keys are the dialog's."""

    head: tuple[Row, ...]
    body: tuple[Row, ...]


def row(text: str, style: Style = "") -> Row:
    return (Ink(text, style),)


def columns_of(row: Row) -> int:
    return sum(width(ink.text) for ink in row)


def rule(columns: int, said: str = "") -> Row:
    """A line across, with words in it."""
    return row(
        f"──{f' {said} ' if said else ''}{'─' * columns}"[:columns] if width(said) + 4 < columns else said, "dim"
    )


def question_page(display: Display, columns: int) -> Page:
    """What is asked, in the order in which a person should take it in."""
    head = [
        *_ends(Ink(" ASK ", "badge"), display.title, Ink(display.waiting, "dim"), columns, ""),
        *_ends(Ink(""), display.sentence, Ink(display.danger_label, display.danger), columns, "bold"),
        rule(columns),
    ]
    body = [
        *(_text(display.tool, columns, "bold") if display.tool else ()),
        *(line for section in display.sections for line in _section(section, columns)),
        *(_parts(display.parts, columns) if _tell_more(display) else ()),
        *_targets(display, columns),
        *_text(_because(display), columns),
        *(line for text in display.warnings for line in _text(text, columns, "warn", "! ")),
        *(_agent(display.description, columns) if display.description else ()),
        *(_text(display.suggestion, columns, "dim") if display.suggestion else ()),
    ]
    return Page(tuple(head), tuple(body))


def explain_page(display: Display, columns: int) -> Page:
    """Every step of the decision, and every part with its rule."""
    body: list[Row] = [row(" Parts", "bold")] if display.parts else []
    for part in display.parts:
        body += _stacked(part, columns)
    body += [row(" Steps of the decision", "bold")] if display.trace else []
    widest = max((width(step) for step, _ in display.trace), default=0)
    for step, outcome in display.trace:
        body += _hanging((Ink("   "), Ink(padded(step, min(widest, columns // 3)), "dim"), Ink("  ")), outcome, columns)
    head = [*_ends(Ink(" WHY ", "badge"), display.sentence, Ink(""), columns, "bold"), rule(columns)]
    return Page(tuple(head), tuple(body or [row(" Nothing more is known than the first screen says.")]))


def mode_page(display: Display, columns: int) -> Page:
    """What the suggested mode means, before anybody takes it or turns it down."""
    said = (
        "In full auto nobody is asked about changes, commands and the network. Deny rules, secret files, what cannot be"
        " undone and what is closed in every mode stay as they are.",
        "It would hold for this session alone, from its next action on. `assent mode default` takes it back.",
        "Not now: the suggestion comes later, and after the third time not again in this session.",
        "Either way, the question on the first screen still waits for your answer.",
    )
    badge = _ends(Ink(" MODE ", "badge"), "Full auto for this session?", Ink(""), columns, "bold")
    body = [line for text in (display.suggestion, *said) for line in (*_text(text, columns), row(""))]
    return Page((*badge, rule(columns)), tuple(body))


# --- pieces of the first screen ------------------------------------------------------------------------------------


def _ends(badge: Ink, text: str, right: Ink, columns: int, style: Style) -> Iterator[Row]:
    """Something left and something right; below each other where that does not fit."""
    start = (badge, Ink(" ")) if badge.text else (Ink(" "),)
    gap = columns - columns_of(start) - width(text) - width(right.text)
    if gap >= 2:
        yield (*start, Ink(text, style), Ink(" " * gap), right) if right.text else (*start, Ink(text, style))
        return
    yield from _hanging(start, text, columns, style)
    if right.text:
        yield (Ink(" " * columns_of(start)), right)


def _text(text: str, columns: int, style: Style = "", mark: str = "") -> list[Row]:
    return list(_hanging((Ink(" "), Ink(mark, style)) if mark else (Ink(" "),), text, columns, style))


def _hanging(start: Row, text: str, columns: int, style: Style = "") -> Iterator[Row]:
    """Words behind a beginning, the other lines under the first."""
    indent = columns_of(start)
    if columns - indent < LEAST:
        yield from (
            row(f" {line}", start[-1].style) for line in wrapped("".join(i.text for i in start).strip(), columns - 1)
        )
        start, indent = (Ink("   "),), 3
    for number, line in enumerate(wrapped(text, max(columns - indent, 1))):
        yield (*start, Ink(line, style)) if number == 0 else (Ink(" " * indent), Ink(line, style))


def _section(section: Section, columns: int) -> Iterator[Row]:
    """A text in full: numbered when it has several lines, its name before it when both are short."""
    lines = section.lines
    single = len(lines) == 1 and not lines[0].mark
    if single and width(section.name) < columns // 3:
        name = (Ink(f"{section.name}  ", "dim"),) if section.name else ()
        yield from _line(lines[0], (Ink("   "), *name), columns)
        return
    yield from (row(f"   {line}", "dim") for line in wrapped(section.name, columns - 3) if line)
    digits = len(str(max(line.number for line in lines)))
    for line in lines:
        number = f"{line.number:>{digits}}" if line.number and not single else " " * digits
        mark = Ink(f"{line.mark or ' '} ", MARKS.get(line.mark, "")) if any(one.mark for one in lines) else Ink("")
        yield from _line(line, (Ink(f"   {number}  ", "dim"), mark), columns)


def _line(line: Line, start: Row, columns: int) -> Iterator[Row]:
    """One line of the original in pieces; the blanks before the other rows say that they belong to it."""
    indent = columns_of(start)
    made, room = list(start), columns - indent
    for fragment in line.fragments:
        for number, piece in enumerate(pieces(fragment.text, columns - indent, room)):
            if number:
                yield tuple(made)
                made, room = [Ink(" " * indent)], columns - indent
            made.append(Ink(piece, INKS[fragment.kind]))
            room -= width(piece)
    yield tuple(made)


def _tell_more(display: Display) -> bool:
    """Whether the parts say more than the command itself and the reasons below it."""
    return len(display.parts) > 1 or any(part.inside for part in display.parts)


def _because(display: Display) -> str:
    """Why it is asked, without what the parts say already."""
    asking = [part for part in display.parts if part.label != "ok"]
    if not _tell_more(display) or not asking:
        return display.because
    other = [text for text in display.why if not any(part.why and text.startswith(part.why) for part in asking)]
    many = "1 part needs" if len(asking) == 1 else f"{len(asking)} parts need"
    return (
        replace(display, why=(f"{many} your answer", *other)).because
        if len(other) < len(display.why)
        else display.because
    )


def _parts(parts: tuple[PartRow, ...], columns: int) -> Iterator[Row]:
    if columns < NARROW:
        for part in parts:
            yield from _stacked(part, columns)
        return
    most = max(min(max(width(_inside(part)) for part in parts), columns * 3 // 10), 8)
    for part in parts:
        text = padded(_inside(part), most)
        start = (
            Ink("     "),
            Ink(f"{part.label:<4} ", PART_STYLES[part.label]),
            Ink(f"{text}  "),
            Ink(f"{part.verdict:<7}  "),
        )
        yield from _hanging(start, _reasons(part), columns, "dim")


def _stacked(part: PartRow, columns: int) -> Iterator[Row]:
    yield from _hanging((Ink("   "), Ink(f"{part.label:<4} ", PART_STYLES[part.label])), _inside(part), columns)
    reasons = " · ".join(text for text in (part.verdict, _reasons(part)) if text)
    yield from _hanging((Ink("        "),), reasons, columns, "dim")


def _inside(part: PartRow) -> str:
    return f"{part.inside} › {part.text}" if part.inside else part.text


def _reasons(part: PartRow) -> str:
    return " · ".join(text for text in (part.why, part.rule) if text)


def _targets(display: Display, columns: int) -> Iterator[Row]:
    said = [f"{label} {', '.join(found)}" for label, found in display.targets if found]
    if said:
        yield from _text(" · ".join(said), columns)


def _agent(description: str, columns: int) -> Iterator[Row]:
    yield from _hanging((Ink(" Agent says (unverified): ", "dim"),), f'"{description}"', columns)


def flowing(items: Iterable[Row], columns: int, gap: int = 3) -> list[Row]:
    """Items beside each other, and on the next row where they do not fit."""
    rows: list[Row] = []
    made: Row = ()
    for item in items:
        if made and columns_of(made) + gap + columns_of(item) > columns:
            rows.append(made)
            made = ()
        made = (*made, Ink(" " * gap), *item) if made else (Ink(" "), *item)
    return [*rows, made] if made else rows


def clipped(made: Row, columns: int) -> Row:
    """INVARIANT for drawing: no row is wider than the screen. Only rows of a very narrow screen are."""
    rest, room = [], columns
    for ink in made:
        text = cut(ink.text, room)
        rest.append(Ink(text, ink.style))
        room -= width(text)
    return tuple(rest)
