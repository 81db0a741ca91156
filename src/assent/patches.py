"""Patches as texts: which files the `*** Begin Patch` form and unified or git diffs write and delete.

Every line must be understood; the first that is not ends the reading with a gap.
"""

from __future__ import annotations

from assent.record import replace
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEADERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class StuckError(Exception):
    """A line that is not understood."""


def read_patch(text: str, blind: Callable[[str], None], doubt: Callable[[str], None]) -> list[Effect]:
    """The effects of a patch; `blind` hears what could not be read, `doubt` what is odd about what was."""
    lines = [line.removesuffix("\r") for line in text.strip("\r\n").split("\n")]
    found = _read_lines(lines, blind, doubt)
    odd = next((line for line in lines if line and line.splitlines() != [line]), "")
    if odd:
        blind(f"has a line that is several lines to some readers: `{odd[:80]}`")
        others = _read_lines(text.strip().splitlines() or [""], blind, doubt)
        found += [replace(effect, possible=True, mentioned=True) for effect in others]
    return found


def changed(path: str) -> Iterator[Effect]:
    yield Effect("write", path)
    yield Effect("read", path, possible=True)


def _read_lines(lines: list[str], blind: Callable[[str], None], doubt: Callable[[str], None]) -> list[Effect]:
    found: list[Effect] = []
    try:
        if lines[0].strip() == "*** Begin Patch":
            _begin_patch(lines, found)
        else:
            from assent import diffs

            diffs.read(lines, found, doubt)
    except StuckError as stuck:
        blind(f"has a line that is not understood: `{str(stuck)[:80]}`")
    return found


def _begin_patch(lines: list[str], found: list[Effect]) -> None:
    """`*** Begin Patch`, file sections, `*** End Patch`."""
    if lines[-1].strip() != "*** End Patch" or len(lines) < 2:
        raise StuckError(lines[-1])
    body: Callable[[str], bool] = _nothing
    source = ""
    for line in lines[1:-1]:
        header = next((header for header in HEADERS if line.startswith(header)), "")
        if header:
            path = _name(line[len(header) :])
            if header == HEADERS[3] and not source:
                raise StuckError(line)
            found += _section(header, path, source)
            source = path if header == HEADERS[1] else ""
            body = _added if header == HEADERS[0] else _edited if header in (HEADERS[1], HEADERS[3]) else _nothing
        elif body(line):
            source = ""
        else:
            raise StuckError(line)


def _section(header: str, path: str, source: str) -> Iterator[Effect]:
    if header == HEADERS[0]:
        yield Effect("write", path)
    elif header == HEADERS[1]:
        yield from changed(path)
    elif header == HEADERS[2]:
        yield Effect("delete", path)
    else:
        yield Effect("delete", source)
        yield Effect("write", path)


def _name(text: str) -> str:
    name = text.strip()
    if not name or not name.isprintable():
        raise StuckError(text)
    return name


def _nothing(line: str) -> bool:
    return not line.strip()


def _added(line: str) -> bool:
    return line[:1] == "+"


def _edited(line: str) -> bool:
    """Lines of a change. A header behind blanks is context to some readers and a header to others."""
    if line.startswith("***"):
        return line.rstrip() == "*** End of File"
    return (not line or line[0] in " +-" or line.startswith("@@")) and not (
        line[:1] == " " and line.lstrip().startswith("*** ")
    )
