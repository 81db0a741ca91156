"""What became of one entry of an agent's settings: a rule of ours, a setting, or nothing, and why.

INVARIANT: an import never loosens. An allow that has no exact counterpart is narrowed or left out. A deny or ask that
has none becomes a wider ask, and whatever part of a deny has one stays a deny beside it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from assent.agents.hosts.host import Place
from assent.errors import PolicyError
from assent.globs import has_magic
from assent.importing.document import File, Keys, Part, shown
from assent.masking import mask_value, masked
from assent.policy.examples import validate
from assent.policy.rules import read_rule
from assent.record import record, replace
from assent.types import Rule, Verdict

NAME = re.compile(r"[A-Za-z0-9_-]+")
WIDER = "said wider, so it asks"
TEXT = "denied by its text as well"
Fate = Literal["same", "stricter", "left out", "not known"]
VERDICTS = {
    "allow": Verdict.ALLOW,
    "ask": Verdict.ASK,
    "ask_user": Verdict.ASK,
    "prompt": Verdict.ASK,
    "deny": Verdict.DENY,
    "forbidden": Verdict.DENY,
}
"""The words of all agents for the three verdicts."""


@record
class Imported:
    """One entry and what it became. Without a rule and a setting it was left out; a note says why, or what differs."""

    rule: Rule | None
    source: str
    line: int
    text: str
    """The entry as the agent's file has it."""
    note: str = ""
    setting: tuple[str, str] | None = None
    """`("mode", "plan")`, `("extends", "workspace")`, `("paths", PATTERN)` where reads are free, or
    `("commands", PATTERN)`, which denies a command by its text."""
    keys: tuple[Keys, ...] = ()
    """The values of the file that this entry was made from."""
    otherwise: Fate = "left out"
    """The fate of an entry that needs neither a rule nor a setting."""

    @property
    def fate(self) -> Fate:
        if self.rule is None and self.setting is None:
            return self.otherwise
        return "stricter" if self.note else "same"


class Reader(Protocol):
    """One module of this package."""

    @property
    def TITLE(self) -> str: ...  # noqa: N802 - constants of a module

    def files(self, place: Place) -> tuple[str, ...]:
        """Where this agent keeps rules, weakest first; not all of them need to exist."""

    def read(self, files: Sequence[File], place: Place) -> tuple[Imported, ...]:
        """What these files say."""


@record
class Entry:
    """One entry of a file, from which `Imported` are made."""

    source: str
    line: int
    text: str
    keys: tuple[Keys, ...] = ()

    def left_out(self, note: str) -> Imported:
        return Imported(None, self.source, self.line, self.text, note, keys=self.keys)

    def holds(self, note: str) -> Imported:
        """Nothing to take: Assent does so anyway."""
        return Imported(None, self.source, self.line, self.text, note, keys=self.keys, otherwise="same")

    def not_known(self, note: str) -> Imported:
        return Imported(None, self.source, self.line, self.text, note, keys=self.keys, otherwise="not known")

    def sets(self, name: str, value: str, note: str = "") -> Imported:
        return Imported(None, self.source, self.line, self.text, note, (name, value), keys=self.keys)

    def allows(self, text: str, note: str = "") -> Imported:
        """An allow rule; one that makes no sense to us is left out."""
        rule = Rule(Verdict.ALLOW, text, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            return self.left_out(error.message)
        return Imported(rule, self.source, self.line, self.text, note, keys=self.keys)

    def restricts(
        self, verdict: Verdict, text: str, whole: str, note: str = "", unless: tuple[str, ...] = ()
    ) -> Imported:
        """A deny or ask; where its text makes no sense to us, every use of the tool asks."""
        rule = Rule(verdict, text, unless=unless, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            rule = replace(rule, verdict=Verdict.ASK, text=whole, unless=())
            note = f"{error.message}; {WIDER}"
        return Imported(rule, self.source, self.line, self.text, note, keys=self.keys)

    def widened(self, text: str, whole: str, note: str) -> Imported:
        """INVARIANT: what is said wider than the agent had it asks; it neither vanishes nor forbids more."""
        return self.restricts(Verdict.ASK, text, whole, f"{note}; {WIDER}")


def entry(part: Part, text: str | None = None, parts: Iterable[Part] | None = None) -> Entry:
    """An entry as it may be shown: on one line, without secrets. `parts` are what it is made from, if not all of it."""
    keys = tuple(keys for one in ((part,) if parts is None else parts) for keys in one.leaves)
    said = shown(part) if text is None else text
    return Entry(part.file.shown, part.line, masked(" ".join(said.split())), keys)


def named_entry(part: Part) -> Entry:
    """An entry that is shown by its name and its value, unless that may be a secret."""
    named = [key for key in part.keys if isinstance(key, str)]
    value = shown(part)
    hidden = not named or any(key in HIDDEN for key in named) or mask_value(named[-1], value) != value
    return entry(part, part.name if hidden or len(value) > LONGEST else f"{part.name} = {value}")


HIDDEN = ("env", "headers", "http_headers", "args", "environment")
"""Tables whose values are not shown, whatever they are."""
LONGEST = 60


@record
class Ranked:
    """An entry of an agent where the stronger rule wins, and how strong it is among those of its group."""

    strength: float
    one: Imported
    group: str = ""


def with_exceptions(rows: Sequence[Ranked]) -> tuple[Imported, ...]:
    """A stronger allow is an exception to a weaker deny or ask of its group about the same tool.

    With us the strictest wins; exceptions are read strictly, so this takes no more from a deny than the agent did.
    """
    allows = [row for row in rows if row.one.rule and row.one.rule.verdict == Verdict.ALLOW]
    return tuple(_excepted(row, allows) for row in rows)


def _excepted(row: Ranked, allows: Sequence[Ranked]) -> Imported:
    rule = row.one.rule
    stronger = [other for other in allows if other.strength > row.strength and other.group == row.group]
    texts = [other.one.rule.text for other in stronger if other.one.rule]
    if row.one.setting and row.one.setting[0] == "commands":
        kept = [text for text in texts if _is_denied(text, row.one.setting[1])]
        return replace(row.one, note=f"{row.one.note}, {' and '.join(kept)} included") if kept else row.one
    if rule is None or rule.verdict == Verdict.ALLOW:
        return row.one
    unless = tuple(dict.fromkeys(text for text in texts if text != rule.text and _may_meet(rule.text, text)))
    if not unless:
        return row.one
    # A rule on the whole of Bash does not look at its exceptions; one on any words does.
    text = "Bash(*:*)" if rule.text == "Bash" else rule.text
    return replace(row.one, rule=replace(rule, text=text, unless=(*rule.unless, *unless)))


def _is_denied(text: str, pattern: str) -> bool:
    """Whether a command that a rule allows is denied by its text: such a deny has no exceptions."""
    words = read_rule(text).words
    line = " ".join(words.words) if words else ""
    return bool(line) and (fnmatchcase(line, pattern) or fnmatchcase(f"{line} x", pattern))


def _may_meet(text: str, other: str) -> bool:
    """Whether two rules can be about the same thing, as far as a short look tells."""
    one, two = read_rule(text), read_rule(other)
    if one.tool == two.tool and one.names and two.names:
        return any(fnmatchcase(name, known) for known in one.names for name in two.names)
    if one.tool != two.tool or one.words is None or two.words is None:
        return one.tool == two.tool
    first, second = one.words.words[0], two.words.words[0]
    return has_magic(first) or first.rpartition("/")[2] == second.rpartition("/")[2]


def only_tools(given: Entry, server: str, names: tuple[str, ...]) -> Imported:
    """The only tools of a server: all others are denied."""
    whole = f"Mcp({server}.*)"
    if not NAME.fullmatch(server) or not all(map(NAME.fullmatch, names)):
        return given.widened(whole, "Mcp", "only some of its tools are there")
    unless = tuple(dict.fromkeys(f"Mcp({server}.{name})" for name in names))
    return given.restricts(Verdict.DENY, whole, "Mcp", unless=unless)


def shown_path(path: str, place: Place) -> str:
    """A file as comments call it: from the project or from home, so that the text is the same for everybody."""
    for folder, short in ((place.project, ""), (place.home, "~/")):
        if folder and path.startswith(folder.rstrip("/") + "/") and (short or place.scope == "project"):
            return short + path[len(folder.rstrip("/")) + 1 :]
    return path


def is_ours(file: File) -> bool:
    """Files that Assent wrote say what its own policy says anyway."""
    return file.text.lstrip("#/* \t\n").startswith("Written by `assent ")


def existing(folder: str, ending: str) -> tuple[str, ...]:
    """The files of a folder with an ending, in the order of their names."""
    try:
        return tuple(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(ending))
    except (FileNotFoundError, NotADirectoryError):
        return ()
