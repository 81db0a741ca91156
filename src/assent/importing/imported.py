"""What became of one entry of an agent's settings: a rule of ours, a setting, or nothing, and why.

INVARIANT: an import never loosens. `refuse_weaker` says what that means, and every `Imported` passes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from assent.agents.hosts.host import Place
from assent.errors import AssentError, PolicyError
from assent.globs import has_magic
from assent.importing.document import File, Keys, Part, shown
from assent.masking import mask_value, masked
from assent.policy.examples import validate
from assent.policy.rules import read_rule
from assent.record import record, replace
from assent.types import Rule, Verdict

NAME = re.compile(r"[A-Za-z0-9_-]+")
WIDER = {
    Verdict.ASK: "the rule here is wider, so more calls ask",
    Verdict.DENY: "the rule here is wider, so it also denies calls that yours did not name",
}
TEXT = "denied by its text"
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
    meant: Verdict | None = None
    """What the agent answers because of this entry; None where it is no rule."""
    wider: bool = False
    """The rule is about more calls than the entry."""
    beside: tuple[str, ...] = ()
    """The denies by text that say the entry exactly, where this is only a question beside them."""

    def __post_init__(self) -> None:
        refuse_weaker(self)

    @property
    def fate(self) -> Fate:
        if self.rule is None and self.setting is None:
            return self.otherwise
        return "stricter" if self.note else "same"

    @property
    def denies_wider(self) -> bool:
        """Whether somebody may miss calls because of it that their agent would not have refused."""
        return self.wider and self.rule is not None and self.rule.verdict == Verdict.DENY

    def noted(self, note: str) -> Imported:
        """The same with one more reason, unless it is among them."""
        told = self.note if note in self.note else "; ".join(part for part in (self.note, note) if part)
        return replace(self, note=told)

    def made_wider(self, note: str) -> Imported:
        """The same deny or ask, for an entry that holds only sometimes."""
        if self.rule is None or self.wider or self.meant is None or self.rule.verdict == Verdict.ALLOW:
            return self.noted(note)
        return replace(self, wider=True).noted(f"{note}; {WIDER[self.rule.verdict]}")


def refuse_weaker(made: Imported) -> None:
    """INVARIANT: the one place that every import passes, and that no reader can weaken a rule behind.

    A deny becomes a deny, by a rule or by its text, as wide or wider. An ask becomes an ask or a deny. Both never
    become nothing. An allow is made only of an allow. A question may stand beside a deny that is exact by its text.
    """
    verdict = made.rule.verdict if made.rule else None
    if verdict == Verdict.ALLOW or (made.setting and made.setting[0] in ("extends", "paths")):
        loosens = made.meant != Verdict.ALLOW
    elif made.meant in (None, Verdict.ALLOW):
        loosens = verdict is not None and not made.beside
    elif verdict is not None:
        loosens = verdict < (made.meant or Verdict.DENY) and not made.beside
    else:
        loosens = made.otherwise != "same" and not (made.setting and made.setting[0] == "commands")
    if loosens:
        became = f"{verdict} {made.rule.text}" if made.rule else made.setting or made.otherwise
        raise AssentError(
            f"`{made.text}` in {made.source}:{made.line} means {made.meant} and must not become `{became}`",
            help="an import never loosens; please report this",
        )


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
    """One entry of a file, from which `Imported` are made; `meant` is what the agent answers because of it."""

    source: str
    line: int
    text: str
    keys: tuple[Keys, ...] = ()
    meant: Verdict | None = None

    def means(self, verdict: Verdict) -> Entry:
        return replace(self, meant=verdict)

    def left_out(self, note: str) -> Imported:
        """An allow that has no counterpart, or what is no rule. INVARIANT: never a deny or an ask."""
        return self._becomes(note)

    def says_nothing(self, note: str) -> Imported:
        """What forbids no call, whichever list it stands in: the agent passes over it, too."""
        return replace(self, meant=None)._becomes(note)

    def holds(self, note: str) -> Imported:
        """Nothing to take: Assent does so anyway."""
        return self._becomes(note, otherwise="same")

    def not_known(self, note: str) -> Imported:
        return replace(self, meant=None)._becomes(note, otherwise="not known")

    def sets(self, name: str, value: str, note: str = "") -> Imported:
        return self._becomes(note, setting=(name, value))

    def allows(self, text: str, note: str = "") -> Imported:
        """An allow rule; one that makes no sense to us is left out."""
        given = self.means(Verdict.ALLOW) if self.meant is None else self
        rule = Rule(Verdict.ALLOW, text, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            return given.left_out(error.message)
        return given._becomes(note, rule=rule)

    def denies(self, text: str, whole: str, note: str = "", unless: tuple[str, ...] = ()) -> Imported:
        return self.means(Verdict.DENY).restricts(text, whole, note, unless)

    def asks(self, text: str, whole: str, note: str = "", unless: tuple[str, ...] = ()) -> Imported:
        return self.means(Verdict.ASK).restricts(text, whole, note, unless)

    def restricts(self, text: str, whole: str, note: str = "", unless: tuple[str, ...] = ()) -> Imported:
        """The deny or ask that is meant; where its text makes no sense to us, it is about every use of the tool."""
        rule = Rule(self._restriction, text, unless=unless, file=self.source, line=self.line)
        try:
            validate(rule)
        except PolicyError as error:
            return self.widened(whole, whole, error.message)
        return self._becomes(note, rule=rule)

    def widened(self, text: str, whole: str, note: str, unless: tuple[str, ...] = ()) -> Imported:
        """The same verdict for more calls than the agent's rule names."""
        made = self.restricts(text, whole, note, unless)
        return made if made.wider else replace(made, wider=True).noted(WIDER[self._restriction])

    def by_text(self, patterns: Sequence[str], question: str) -> tuple[Imported, ...]:
        """A deny of commands by their text, which is exact, and a question about others that look like them."""
        denies = tuple(self.sets("commands", one, TEXT) for one in patterns)
        asked = Rule(Verdict.ASK, question, file=self.source, line=self.line)
        note = f"{question} asks, because a deny by text sees only this text"
        return (self._becomes(note, rule=asked, beside=tuple(patterns)), *denies)

    @property
    def _restriction(self) -> Verdict:
        return Verdict.DENY if self.meant is None else self.meant

    def _becomes(
        self,
        note: str,
        *,
        rule: Rule | None = None,
        setting: tuple[str, str] | None = None,
        otherwise: Fate = "left out",
        beside: tuple[str, ...] = (),
    ) -> Imported:
        given = (self.source, self.line, self.text, note)
        return Imported(rule, *given, setting, self.keys, otherwise, self.meant, beside=beside)


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
    if one.tool == "Mcp" and one.bare and two.tool == "Tool":
        return True
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
        return given.means(Verdict.DENY).widened(whole, "Mcp", "only some of its tools are there")
    unless = tuple(dict.fromkeys(f"Mcp({server}.{name})" for name in names))
    return given.denies(whole, "Mcp", unless=unless)


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
