"""What became of one entry of an agent's settings: a rule of ours, a setting, or nothing, and why.

INVARIANT: an import never loosens. An allow that cannot be said exactly is narrowed or left out; a deny or ask that
cannot be said exactly is said wider, as an ask.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from assent.agents.hosts.host import Place
from assent.errors import InputError, PolicyError
from assent.globs import has_magic
from assent.masking import masked
from assent.policy.examples import validate
from assent.policy.rules import read_rule
from assent.record import record, replace
from assent.types import Rule, Verdict

WIDER = "said wider, so it asks"
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
    """`("mode", "plan")`, `("extends", "workspace")`, or `("paths", PATTERN)` where reads are free."""

    @property
    def fate(self) -> str:
        if self.rule is None and self.setting is None:
            return "left out"
        return "stricter" if self.note else "same"


@record
class File:
    """A file of an agent's settings as it was found, and how it is called in comments."""

    path: str
    shown: str
    text: str
    managed: bool = False


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

    def left_out(self, note: str) -> Imported:
        return Imported(None, self.source, self.line, self.text, note)

    def sets(self, name: str, value: str, note: str = "") -> Imported:
        return Imported(None, self.source, self.line, self.text, note, (name, value))

    def allows(self, text: str, note: str = "") -> Imported:
        """An allow rule; one that makes no sense to us is left out."""
        rule = Rule(Verdict.ALLOW, text, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            return self.left_out(error.message)
        return Imported(rule, self.source, self.line, self.text, note)

    def restricts(self, verdict: Verdict, text: str, whole: str, note: str = "") -> Imported:
        """A deny or ask; where its text makes no sense to us, every use of the tool asks."""
        rule = Rule(verdict, text, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            rule = replace(rule, verdict=Verdict.ASK, text=whole)
            note = f"{error.message}; every use of {whole.partition('(')[0]} asks instead"
        return Imported(rule, self.source, self.line, self.text, note)

    def widened(self, text: str, whole: str, note: str) -> Imported:
        """INVARIANT: what is said wider than the agent had it asks; it neither vanishes nor forbids more."""
        return self.restricts(Verdict.ASK, text, whole, f"{note}; {WIDER}")


def entry(file: File, line: int, text: str) -> Entry:
    """An entry as it may be shown: on one line, without secrets."""
    return Entry(file.shown, line, masked(" ".join(text.split())))


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
    if rule is None or rule.verdict == Verdict.ALLOW:
        return row.one
    stronger = [other for other in allows if other.strength > row.strength and other.group == row.group]
    texts = [other.one.rule.text for other in stronger if other.one.rule]
    unless = tuple(dict.fromkeys(text for text in texts if text != rule.text and _may_meet(rule.text, text)))
    if not unless:
        return row.one
    # A rule on the whole of Bash does not look at its exceptions; one on any words does.
    text = "Bash(*:*)" if rule.text == "Bash" else rule.text
    return replace(row.one, rule=replace(rule, text=text, unless=unless))


def _may_meet(text: str, other: str) -> bool:
    """Whether two rules can be about the same thing, as far as a short look tells."""
    one, two = read_rule(text), read_rule(other)
    if one.tool != two.tool or one.words is None or two.words is None:
        return one.tool == two.tool
    first, second = one.words.words[0], two.words.words[0]
    return has_magic(first) or first.rpartition("/")[2] == second.rpartition("/")[2]


def shown_path(path: str, place: Place) -> str:
    """A file as comments call it: from the project or from home, so that the text is the same for everybody."""
    for folder, short in ((place.project, ""), (place.home, "~/")):
        if folder and path.startswith(folder.rstrip("/") + "/") and (short or place.scope == "project"):
            return short + path[len(folder.rstrip("/")) + 1 :]
    return path


def table_in(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def texts_in(value: object) -> tuple[str, ...]:
    """The texts of a list, or one text."""
    if isinstance(value, str):
        return (value,)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def read_toml(file: File) -> tuple[Mapping[str, object], Callable[[tuple[str | int, ...]], int]]:
    """A TOML file as tables, and the line of the value at a path."""
    import tomllib

    from assent.policy.positions import find_positions

    text = file.text.removeprefix("\ufeff").replace("\r\n", "\n")
    places = find_positions(text)
    try:
        if places.too_deep >= 0:
            raise ValueError("nested too deeply")
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"`{file.path}` is not TOML: {error}", help="repair it first") from None
    return data, lambda path: places.value(path)[0]


def is_ours(file: File) -> bool:
    """Files that Assent wrote say what its own policy says anyway."""
    return file.text.lstrip("#/* \t\n").startswith("Written by `assent ")


def existing(folder: str, ending: str) -> tuple[str, ...]:
    """The files of a folder with an ending, in the order of their names."""
    try:
        return tuple(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(ending))
    except (FileNotFoundError, NotADirectoryError):
        return ()
