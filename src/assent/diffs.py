"""Unified and git diffs, line by line: names with and without their first folder, hunks counted exactly."""

from __future__ import annotations

from assent.patches import StuckError, changed
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.types import Kind

PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/")
IGNORED = ("index ", "similarity index ", "dissimilarity index ")
MODES = ("old mode ", "new mode ", "deleted file mode ", "new file mode ")
FROM_TO = ("rename from ", "rename to ", "copy from ", "copy to ")
PLAIN_MODES = ("100644", "100755", "100600", "100664")
ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
NOTHING = "/dev/null"


class Section:
    """What the header lines of one file said so far."""

    def __init__(self, git: str = "") -> None:
        self.git = git
        self.old = self.new = ""
        self.facts: dict[str, str] = {}
        self.hunks = 0


def read(lines: list[str], found: list[Effect], gap: Callable[[str], None]) -> None:
    """Collect the effects of a diff into `found`; raises `StuckError` at the first line that is not understood."""
    section: Section | None = None
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.startswith("diff --git ") or (line.startswith("--- ") and _starts_file(section)):
            found += _effects(section)
            section = Section(line[11:] if line.startswith("diff") else "")
        if section is None:
            raise StuckError(line)
        try:
            place = _take(lines, place, section, gap)
        except StuckError:
            found += _effects(section)
            raise
    found += _effects(section)


def _starts_file(section: Section | None) -> bool:
    return section is None or bool(section.old)


def _take(lines: list[str], place: int, section: Section, gap: Callable[[str], None]) -> int:
    """Understand the line at `place` (and the block it opens); gives the place of the next one."""
    line = lines[place]
    if line.startswith("@@ "):
        section.hunks += 1
        return _hunk(lines, place, section)
    if line.startswith("--- ") and not section.old:
        section.old = _file_name(line[4:])
    elif line.startswith("+++ ") and section.old and not section.new:
        section.new = _file_name(line[4:])
    elif line == "GIT binary patch" and section.git:
        return _binary(lines, place + 1)
    elif not (line.startswith("diff --git ") or (_fact(line, section, gap) if section.git else not line)):
        raise StuckError(line)
    return place + 1


def _fact(line: str, section: Section, gap: Callable[[str], None]) -> bool:
    if section.old or not line:
        return not line
    for fact in (*MODES, *FROM_TO):
        if line.startswith(fact):
            value = line[len(fact) :]
            section.facts[fact] = value if fact in MODES else _file_name(value)
            if fact in MODES and value not in PLAIN_MODES:
                gap(f"makes a link, a submodule or a special file (mode {value[:20]})")
            return True
    return line.startswith(IGNORED)


def _hunk(lines: list[str], place: int, section: Section) -> int:
    """A hunk has exactly as many old and new lines as its header says."""
    if not section.new:
        raise StuckError(lines[place])
    old, new = _counts(lines[place])
    place += 1
    while old > 0 or new > 0:
        if place == len(lines):
            if old == new == 1:  # a last empty context line, lost when the text was trimmed
                return place
            raise StuckError("the diff ends inside a hunk")
        sign = lines[place][:1] or " "
        if sign not in " +-\\":
            raise StuckError(lines[place])
        old -= sign in " -"
        new -= sign in " +"
        place += 1
    if old < 0 or new < 0:
        raise StuckError(lines[place - 1])
    return place + 1 if place < len(lines) and lines[place].startswith("\\ ") else place


def _counts(line: str) -> tuple[int, int]:
    """`@@ -1,2 +3 @@` says 2 old lines and 1 new line."""
    words = line.split(" ")
    if len(words) < 4 or words[3] != "@@" or words[1][:1] != "-" or words[2][:1] != "+":
        raise StuckError(line)
    return _count(words[1][1:], line), _count(words[2][1:], line)


def _count(text: str, line: str) -> int:
    start, comma, count = text.partition(",")
    number = count if comma else "1"
    if not (start.isascii() and start.isdigit() and number.isascii() and number.isdigit() and len(number) < 10):
        raise StuckError(line)
    return int(number)


def _binary(lines: list[str], place: int) -> int:
    """One or two blocks: `literal 12` or `delta 12`, lines of base85, an empty line."""
    blocks = 0
    while place < len(lines) and lines[place].startswith(("literal ", "delta ")):
        place += 1
        while place < len(lines) and lines[place]:
            if " " in lines[place]:
                raise StuckError(lines[place])
            place += 1
        place += 1
        blocks += 1
    if not 1 <= blocks <= 2:
        raise StuckError("GIT binary patch")
    return min(place, len(lines))


# --- names ---------------------------------------------------------------------------------------------------------


def _file_name(text: str) -> str:
    """The name in a header line: quoted with C escapes, or up to a tab."""
    name, rest = _unquote(text) if text[:1] == '"' else (text.partition("\t")[0], "")
    if not name or "\0" in name or rest.strip():
        raise StuckError(text)
    return name


def _unquote(text: str) -> tuple[str, str]:
    """The name in `"a/\\303\\244" rest`, and the rest."""
    out = bytearray()
    place = 1
    while place < len(text):
        char = text[place]
        if char == '"':
            return out.decode("utf-8", "surrogateescape"), text[place + 1 :]
        if char != "\\":
            out += char.encode("utf-8", "surrogatepass")
            place += 1
            continue
        digits = text[place + 1 : place + 4]
        if len(digits) == 3 and all(digit in "01234567" for digit in digits) and digits[0] < "4":
            out.append(int(digits, 8))
            place += 4
        elif text[place + 1 : place + 2] in ESCAPES:
            out.append(ESCAPES[text[place + 1]])
            place += 2
        else:
            break
    raise StuckError(text)


def _git_names(text: str) -> tuple[str, str]:
    """The two names of `diff --git a/x b/x`, which can only be told apart when quoted or equal."""
    if text[:1] == '"':
        first, rest = _unquote(text)
        return first, _file_name(rest[1:])
    half = len(text) // 2
    first, second = text[:half], text[half + 1 :]
    if len(text) % 2 == 0 or text[half] != " " or first.partition("/")[2] != second.partition("/")[2]:
        raise StuckError(f"diff --git {text}")
    return first, second


def strip(name: str) -> str:
    return name[2:] if name.startswith(PREFIXES) else name


def _is_usual(old: str, new: str) -> bool:
    """`a/x` and `b/x`, as git writes them: nobody takes the prefixes for folders."""
    if NOTHING in (old, new):
        return old.startswith("a/") or new.startswith("b/")
    return old[:2] == "a/" and new[:2] == "b/" and old[2:] == new[2:]


def _others(name: str) -> tuple[str, str]:
    """The paths that other readers of the same line would take: unstripped, stripped."""
    return ("", "") if name == NOTHING else (name, name.partition("/")[2])


def _effects(section: Section | None) -> Iterator[Effect]:
    """What a section says about its file or files."""
    if section is None:
        return
    moved = [section.facts.get(fact, "") for fact in FROM_TO]
    if any(moved):
        yield from _moved(section, *moved)
    elif section.old or section.new:
        if not section.new or not section.hunks:
            raise StuckError("a file header without changes")
        yield from _changed(section.old, section.new)
    elif section.facts or section.git:
        old, new = _git_names(section.git)
        gone = "deleted file mode " in section.facts
        yield from _changed(old, NOTHING if gone else new)


def _moved(section: Section, renamed: str, renamed_to: str, copied: str, copied_to: str) -> Iterator[Effect]:
    if bool(renamed) != bool(renamed_to) or bool(copied) != bool(copied_to):
        raise StuckError("a rename or copy without its other half")
    if renamed:
        yield Effect("delete", renamed)
        yield Effect("read", renamed, possible=True)
        yield Effect("write", renamed_to)
    if copied:
        yield Effect("read", copied)
        yield Effect("write", copied_to)
    for name in (section.old, section.new):
        if name and strip(name) not in (renamed, renamed_to, copied, copied_to):
            yield from _changed(name, name)


def _changed(old: str, new: str) -> Iterator[Effect]:
    names = dict.fromkeys(strip(name) for name in (new, old) if name != NOTHING)
    if not names:
        raise StuckError("a change from nothing to nothing")
    for name in names:
        yield from [Effect("delete", name)] if new == NOTHING else changed(name)
    kind: Kind = "delete" if new == NOTHING else "write"
    others = dict.fromkeys([*_others(old), *_others(new)])
    for other in others:
        if other and other not in names:
            usual = _is_usual(old, new)
            yield Effect(kind, other, possible=usual, mentioned=usual)
    for name in names:
        cut = name.partition(" ")[0]
        if cut and cut not in names and cut not in others:
            yield Effect(kind, cut, possible=True, mentioned=True)
