"""What a person is shown of a request: safe pieces of text that the terminal and the web page arrange.

INVARIANT: no piece holds a control character, markup that somebody would interpret, or a character that hides.
"""

from __future__ import annotations

import html
import re

from assent import wire
from assent.approval.fragments import Fragment, Line, change_of, lines_of, one_line
from assent.approval.home import sayer, short
from assent.approval.injection import doubts
from assent.approval.oddities import oddities
from assent.errors import InputError
from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.questions import ApprovalRequest, Choice, Danger, Part

TITLE, NAME, WORDS = 60, 80, 600
"""How many characters a name in the title, the name of a tool or field, and the agent's description may take."""
MOST_PARTS, MOST_TARGETS, MOST_REASONS = 60, 60, 20
SHELL = ("Bash", "bash")
REACHING = ("Network", "Sends to")
"""The headings under which the analysis names hosts."""
TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,2000}>")
LINK = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://([^\s/()\[\]<>\"']*)[^\s()\[\]<>\"']*")
LABELS = {"allow": "ok", "ask": "ASK", "deny": "DENY"}
VERDICTS = {"allow": "allowed", "ask": "asks", "deny": "denied"}
OLD, NEW = (
    ("old_string", "old_str", "old_text", "oldText", "search"),
    ("new_string", "new_str", "new_text", "newText", "replace"),
)
PATHS = ("file_path", "path", "notebook_path", "filePath", "target_file", "filename", "file")


@record
class Section:
    """One thing of the input in full: the command, a file's content, an argument."""

    name: str
    lines: tuple[Line, ...]


@record
class PartRow:
    """One part of a command line and what was decided about it; `label` is `ok`, `ASK` or `DENY`."""

    label: str
    text: str
    verdict: str
    why: str = ""
    rule: str = ""
    inside: str = ""


@record
class Display:
    """A request, ready to be shown. `complete` is false where something was cut; then nothing lasting is offered."""

    id: str
    title: str
    waiting: str
    sentence: str
    danger: Danger
    danger_label: str
    tool: str
    """What is used, for everything but a shell command: `Write`, `MCP server "files", tool "write_file"`."""
    sections: tuple[Section, ...]
    parts: tuple[PartRow, ...]
    targets: tuple[tuple[str, tuple[str, ...]], ...]
    why: tuple[str, ...]
    mode: str
    warnings: tuple[str, ...]
    description: str
    choices: tuple[Choice, ...]
    """As in the request, but the texts are safe; the same order. Empty when nothing lasting may be offered."""
    suggestion: str
    trace: tuple[tuple[str, str], ...]
    complete: bool

    @property
    def because(self) -> str:
        """`Asked because: … Mode: default.`"""
        reasons = "; ".join(text.rstrip(". ") for text in self.why) or "no rule allows it"
        return f"Asked because: {reasons}. Mode: {self.mode}."


def shown(
    request: ApprovalRequest, *, position: int = 1, waiting: int = 1, home: str = "", whole: bool = False
) -> Display:
    """The pieces of a request. `whole` shows what would be cut for its size."""
    say = sayer(request, home)
    sections, all_sections = _sections(request, whole=whole)
    said = tuple(replace(part, why=say(part.why)) for part in request.parts)
    parts, all_parts = _parts(said, reached_by(request), whole=whole)
    description, all_words = _words(request.description, whole=whole)
    targets = tuple(_target(label, found, say, whole=whole) for label, found in request.targets)
    uncut = all(len(mine) == len(found) for (_, mine), (_, found) in zip(targets, request.targets, strict=True))
    complete = all_sections and all_parts and all_words and uncut
    return Display(
        id=one_line(request.id, NAME),
        title=_title(request, home),
        waiting=f"{position} of {waiting} waiting" if waiting > 1 else "",
        sentence=one_line(say(request.sentence), masked=True) or "Does something that could not be described",
        danger=request.danger,
        danger_label=f"{request.danger.upper()} · {'undoable' if request.undoable else 'not undoable'}",
        tool="" if request.tool in SHELL and request.command else _tool(request.tool),
        sections=sections,
        parts=parts,
        targets=targets,
        why=_some(tuple(one_line(say(text), masked=True) for text in request.why), MOST_REASONS),
        mode=one_line(request.mode, NAME),
        warnings=_warnings(request, complete=complete),
        description=description,
        choices=tuple(_choice(choice) for choice in request.choices) if complete else (),
        suggestion=_suggestion(request.suggest_mode),
        trace=tuple((one_line(step), one_line(outcome, masked=True)) for step, outcome in request.trace),
        complete=complete,
    )  # fmt: skip


def reached_by(request: ApprovalRequest) -> frozenset[str]:
    """The hosts that the analysis found in a request, as they are looked up."""
    found = (target for label, targets in request.targets if label in REACHING for target in targets)
    return frozenset(target.rpartition("://")[2].partition("/")[0].partition(":")[0] for target in found)


def safe_display_description(desc: str) -> str:
    """The agent's words cleaned and escaped for HTML: no tags, no links, nothing hidden."""
    return html.escape(_words(desc, whole=False)[0])


# --- the first lines -----------------------------------------------------------------------------------------------


def _title(request: ApprovalRequest, home: str) -> str:
    who = " › ".join(one_line(name, TITLE) for name in (*request.chain, request.agent) if name) or "an agent"
    where = short(request.workspace or request.cwd, home)
    branch = f" (git: {one_line(request.branch, TITLE, prose=False)})" if request.branch else ""
    session = f"session {one_line(request.session[:8], prose=False)}" if request.session else ""
    return " · ".join(text for text in (who, session, one_line(where, prose=False) + branch) if text)


def _tool(name: str) -> str:
    """The tool in our words and its own name in quotes, on one line, so that a name can imitate nothing."""
    if name.startswith("mcp__"):
        server, _, tool = name[5:].partition("__")
        return f'MCP server "{_name(server)}", tool "{_name(tool)}"'
    return f'Tool "{_name(name)}"'


def _name(text: str) -> str:
    return one_line(text, NAME, prose=False).replace('"', "'")


def _parts(parts: tuple[Part, ...], reached: frozenset[str], *, whole: bool) -> tuple[tuple[PartRow, ...], bool]:
    """Of very many parts those that ask; the others are counted."""
    if whole or len(parts) <= MOST_PARTS:
        return tuple(_part(part, reached) for part in parts), True
    asking = [part for part in parts if part.verdict != "allow"]
    made = [_part(part, reached) for part in asking[:MOST_PARTS]]
    if len(asking) > MOST_PARTS:
        made.append(PartRow("ASK", f"‹{len(asking) - MOST_PARTS:,} more parts›", "asks"))
    if len(asking) < len(parts):
        made.append(PartRow("ok", f"‹{len(parts) - len(asking):,} other parts›", "allowed"))
    return tuple(made), False


def _some(texts: tuple[str, ...], most: int) -> tuple[str, ...]:
    return texts if len(texts) <= most else (*texts[:most], f"‹{len(texts) - most:,} more›")


def _part(part: Part, reached: frozenset[str]) -> PartRow:
    return PartRow(
        label=LABELS.get(part.verdict, "ASK"),
        text=one_line(part.text, prose=False, reached=reached),
        verdict=VERDICTS.get(part.verdict, one_line(part.verdict, NAME)),
        why=one_line(part.why, masked=True),
        rule=one_line(part.rule),
        inside=" › ".join(one_line(name) for name in part.inside),
    )


def _target(
    label: str, found: tuple[str, ...], say: Callable[[str], str], *, whole: bool
) -> tuple[str, tuple[str, ...]]:
    some = found if whole or len(found) <= MOST_TARGETS + 1 else found[:MOST_TARGETS]
    more = (f"‹{len(found) - len(some):,} more›",) if len(some) < len(found) else ()
    return one_line(label), (*(one_line(say(text), prose=False, masked=True) for text in some), *more)


def _choice(choice: Choice) -> Choice:
    def safe(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one_line(text, prose=False) for text in texts)

    matches, not_matches = safe(choice.matches), safe(choice.not_matches)
    return replace(choice, rules=safe(choice.rules), matches=matches, not_matches=not_matches, unchanged=())


def _suggestion(mode: str) -> str:
    if not mode:
        return ""
    return (
        f"You have said no often in this session. If you trust it: `assent mode {one_line(mode, NAME)}`. Only you can."
    )


# --- the input in full ---------------------------------------------------------------------------------------------


def _sections(request: ApprovalRequest, *, whole: bool) -> tuple[tuple[Section, ...], bool]:
    found = list(_texts(request))
    drawn = [
        (
            name,
            change_of(old, text, whole=whole)
            if old is not None
            else lines_of(text, name, whole=whole, reached=reached_by(request)),
        )
        for name, text, old in found
    ]
    return tuple(Section(name, lines) for name, (lines, _) in drawn), all(complete for _, (_, complete) in drawn)


def _texts(request: ApprovalRequest) -> Iterator[tuple[str, str, str | None]]:
    """Everything of the input: its name, the text, and for a change what it replaces."""
    if request.command:
        yield "", request.command, None
    try:
        fields = wire.loads(request.input) if request.input else {}
    except InputError:
        fields = None
    if not isinstance(fields, dict):
        yield "input", request.input, None
        return
    rest = {name: value for name, value in fields.items() if not _said_elsewhere(name, value, request)}
    for name in [name for name in PATHS if name in rest]:
        yield name, _text(rest.pop(name)), None
    yield from _changes(rest)
    for name, value in rest.items():
        yield _name(name), _text(value), None


def _said_elsewhere(name: str, value: object, request: ApprovalRequest) -> bool:
    """The command and the agent's description have places of their own."""
    return (name == "description" and value == request.description) or (
        bool(request.command) and value == request.command
    )


def _changes(fields: dict[str, object], number: str = "") -> Iterator[tuple[str, str, str | None]]:
    """Replacements, taken out of the fields: `old_string` with `new_string`, also inside a list of `edits`."""
    old = next((name for name in OLD if isinstance(fields.get(name), str)), "")
    new = next((name for name in NEW if isinstance(fields.get(name), str)), "")
    if old and new:
        yield f"change{number}", str(fields.pop(new)), str(fields.pop(old))
    edits = fields.get("edits")
    if not number and isinstance(edits, list) and all(isinstance(edit, dict) for edit in edits):
        del fields["edits"]
        for place, edit in enumerate(edits, 1):
            rest = dict(edit)
            yield from _changes(rest, f" {place} of {len(edits)}")
            for name, value in rest.items():
                yield f"{_name(name)} of change {place}", _text(value), None


def _text(value: object) -> str:
    return value if isinstance(value, str) else wire.dumps(value)


# --- doubts --------------------------------------------------------------------------------------------------------


def _warnings(request: ApprovalRequest, *, complete: bool) -> tuple[str, ...]:
    ours = [
        text
        for name, value, _ in _texts(request)
        for text in oddities(value, f"`{name}`" if name else "the command", reached_by(request))
    ]
    ours += doubts(request.description)
    cut = () if complete else ("not everything is shown; what is left out is counted in its place",)
    return (*cut, *dict.fromkeys(one_line(text) for text in (*request.warnings, *ours)))


def _words(description: str, *, whole: bool) -> tuple[str, bool]:
    """The agent's description as one line of words: no tags, no links; and whether all of it is there."""
    text = description if whole else description[: 4 * WORDS]
    for _ in range(20):  # a tag may be hidden inside another
        text, found = TAG.subn(" ", text)
        if not found:
            break
    text = LINK.sub(lambda link: f"(link to {link.group(1) or 'somewhere'})", text).replace("://", ": //")
    text = " ".join(re.split(r"[ \t\n]+", text)).strip()
    uncut = len(text) <= WORDS and len(description) <= 4 * WORDS
    if whole or uncut:
        return one_line(text), True
    hidden = len(text) - WORDS + max(len(description) - 4 * WORDS, 0)
    return f"{one_line(text[:WORDS])} ‹{max(hidden, 1):,} more characters›", False


__all__ = ["Display", "Fragment", "Line", "PartRow", "Section", "safe_display_description", "shown"]
