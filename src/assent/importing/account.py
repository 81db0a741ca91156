"""The report of an import: every value of every file stands in exactly one of its lines.

INVARIANT: a reader cannot pass over anything in silence. What no entry was made from is reported as not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assent.agents.hosts.host import Place
from assent.importing.document import File, Keys, Part, read_settings
from assent.importing.imported import Fate, Imported, Reader, entry, is_ours, named_entry
from assent.importing.statements import read_statements
from assent.record import record, replace
from assent.types import Rule, Verdict

NOT_KNOWN = "nothing taken"
OURS = "Assent wrote this file from its own policy"
EVERY = {
    "Bash": "every command",
    "Bash(*:*)": "every command",
    "Read": "every read",
    "Write": "every write",
    "WebFetch": "every fetch",
    "Mcp": "every call of an MCP server",
    "Mcp(*.*)": "every call of an MCP server",
    "Tool": "every call of a tool",
    "Agent": "every agent",
    "Skill": "every skill",
    "Glob": "every listing",
    "Grep": "every search",
    "WebSearch": "every web search",
}


@record
class Line:
    """One entry of a file and everything that it became."""

    source: str
    line: int
    text: str
    became: tuple[Imported, ...]

    @property
    def keys(self) -> frozenset[Keys]:
        return frozenset(keys for one in self.became for keys in one.keys)

    @property
    def fate(self) -> Fate:
        fates = {one.fate for one in self.became}
        return fates.pop() if len(fates) == 1 else "stricter"

    @property
    def note(self) -> str:
        """Why it differs, and what a rule about a whole tool will do."""
        notes = [one.note for one in self.became if one.note]
        every = [_says(one.rule) for one in self.became if one.rule and one.note and one.rule.text in EVERY]
        ids = dict.fromkeys(one.rule.id for one in self.became if one.rule and one.rule.id)
        narrow = [f"to narrow or delete: rule {', '.join(ids)}"] if ids else []
        return "; ".join(dict.fromkeys([*notes, *every, *narrow]))

    @property
    def blocks(self) -> tuple[str, ...]:
        """Whole tools that are denied although the entry named only some of their calls."""
        denied = [one.rule for one in self.became if one.rule and one.denies_wider and one.rule.text in EVERY]
        return tuple(dict.fromkeys(map(_says, denied)))

    @property
    def rules(self) -> tuple[str, ...]:
        """What it became, as a policy says it."""
        return tuple(dict.fromkeys(text for one in self.became for text in _written(one)))


def _says(rule: Rule) -> str:
    excepted = ", with exceptions" if rule.unless else ""
    return f"{EVERY[rule.text]} {'asks' if rule.verdict == Verdict.ASK else 'is denied'}{excepted}"


def _written(one: Imported) -> Iterator[str]:
    if one.rule is not None:
        excepted = f" unless {', '.join(one.rule.unless)}" if one.rule.unless else ""
        yield f"{one.rule.verdict} {one.rule.text}{excepted}"
    elif one.setting is not None:
        name, value = one.setting
        yield {"commands": f"deny command `{value}`", "paths": f"read {value}"}.get(name, f"{name} {value}")


def import_files(reader: Reader, files: Sequence[File], place: Place) -> tuple[Line, ...]:
    """What these files say, and what nobody understood of them."""
    theirs = [file for file in files if not is_ours(file)]
    lines = _lines(reader.read(theirs, place))
    claimed = {(line.source, keys) for line in lines for keys in line.keys}
    for file in files:
        whole = read_document(file)
        if file not in theirs:
            lines.append(Line(file.shown, 1, "the whole file", (entry(whole, "the whole file").holds(OURS),)))
            continue
        for part in _unclaimed(whole, claimed):
            made = named_entry(part)
            lines.append(Line(made.source, made.line, made.text, (made.not_known(NOT_KNOWN),)))
    return _with_ids(lines, reader.TITLE)


def _with_ids(lines: Sequence[Line], title: str) -> tuple[Line, ...]:
    """Every deny that is wider than its entry is a rule of its own, with a name by which it is found and deleted."""
    ids: dict[tuple[str, tuple[str, ...]], str] = {}
    found: list[Line] = []
    for line in lines:
        became = [_with_id(one, ids, title) if one.denies_wider else one for one in line.became]
        found.append(Line(line.source, line.line, line.text, tuple(became)))
    return tuple(found)


def _with_id(one: Imported, ids: dict[tuple[str, tuple[str, ...]], str], title: str) -> Imported:
    assert one.rule is not None  # noqa: S101 - narrows for the type checker
    name = ids.setdefault((one.rule.text, one.rule.unless), f"wider-{len(ids) + 1}")
    message = f"wider than your rule for {title}: to narrow or delete it, look for {name} in the policy"
    return replace(one, rule=replace(one.rule, id=name, message=message))


def read_document(file: File) -> Part:
    return read_statements(file) if file.path.endswith(".rules") else read_settings(file)


def _lines(found: Iterable[Imported]) -> list[Line]:
    """Entries made from the same values share a line."""
    lines: list[Line] = []
    owner: dict[tuple[str, Keys], int] = {}
    for one in found:
        number = next((owner[one.source, keys] for keys in one.keys if (one.source, keys) in owner), len(lines))
        if number == len(lines):
            lines.append(Line(one.source, one.line, one.text, ()))
        known = lines[number]
        lines[number] = Line(known.source, known.line, known.text, (*known.became, one))
        for keys in one.keys:
            owner.setdefault((one.source, keys), number)
    return lines


def _unclaimed(part: Part, claimed: set[tuple[str, Keys]]) -> Iterator[Part]:
    """The leaves that no entry was made from; a list of plain values that nobody looked at is one of them."""
    free = [keys for keys in part.leaves if (part.file.shown, keys) not in claimed]
    plain = part.kind == "list" and all(child.kind == "scalar" for child in part.children)
    if not part.children or (plain and len(free) == len(part.children)):
        if free and (part.keys or part.children):
            yield part
        return
    for child in part.children:
        yield from _unclaimed(child, claimed)
