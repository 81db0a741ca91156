"""What a shell text is made of: words and their parts, redirects, commands, or why it is not understood."""

from __future__ import annotations

from assent.record import record
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    PartKind = Literal["text", "glob", "brace", "tilde", "parameter", "command", "process", "arithmetic"]
    Loop = Literal["while", "until", "for", "select", "arithmetic for"]
    Choice = Literal["if", "case", "arithmetic", "condition"]
    CompoundKind = Literal["subshell", "group", "function"] | Loop | Choice
    Node: TypeAlias = "Simple | Compound"


class Refused(Exception):  # noqa: N818 - not an error, an answer
    """The strict reading stops here; `why` names the construct, `at` is where it begins."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


@record
class Part:
    """A piece of a word. `text` is the decoded text, the parameter's name and operator, or the source of the rest."""

    kind: PartKind
    text: str
    quoted: bool = False
    inner: tuple[Script, ...] = ()
    """Commands that run when this part is expanded."""
    nested: tuple[Part, ...] = ()
    """The operand of a `${…}`, a text for each of its characters."""


@record
class Word:
    """One word of the source. Exact when every part is text; a quoted unknown stays one word, others may split."""

    text: str
    span: Span
    parts: tuple[Part, ...] = ()

    @property
    def value(self) -> str | None:
        """What the program will receive, or None when that is only known at run time."""
        return "".join([part.text for part in self.parts]) if self.is_exact else None

    @property
    def is_exact(self) -> bool:
        return all(part.kind == "text" for part in self.parts)

    @property
    def is_one_word(self) -> bool:
        """Expands to exactly one word, whatever its value."""
        return all(
            part.kind in ("text", "tilde", "process") or (part.quoted and not is_list(part)) for part in self.parts
        )

    @property
    def why_unknown(self) -> str:
        """What makes the value unknown, or empty."""
        return next((f"{part.kind} {part.text}".strip() for part in self.parts if part.kind != "text"), "")


@record
class Assignment:
    """`name=value`, `name+=value` or `name=(items)` before a command or alone; an element is named `name[0]`."""

    name: str
    value: Word | None
    span: Span
    append: bool = False
    items: tuple[Word, ...] | None = None


class Heredoc:
    """The lines after a command that it reads; known only once its line has ended, and filled in then."""

    __slots__ = ("body", "delimiter", "parts", "quoted", "strips_tabs", "terminated")

    def __init__(self, delimiter: str, *, quoted: bool, strips_tabs: bool) -> None:
        self.delimiter = delimiter
        self.quoted = quoted
        self.strips_tabs = strips_tabs
        self.body = ""
        self.parts: tuple[Part, ...] = ()
        self.terminated = False


@record
class Redirect:
    """`fd` is the number or `{name}` before the operator, None for the operator's own default."""

    op: str
    target: Word | None
    span: Span
    fd: int | str | None = None
    heredoc: Heredoc | None = None


@record
class Simple:
    """Assignments, words and redirects: what starts one program, or changes variables when there are no words."""

    words: tuple[Word, ...]
    span: Span
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@record
class Pipeline:
    """Commands that feed each other; `merged` says which of them send standard error along (`|&`)."""

    commands: tuple[Node, ...]
    span: Span
    negated: bool = False
    timed: bool = False
    merged: tuple[bool, ...] = ()


@record
class Sequence:
    """Pipelines and what stands after each: `;`, `&`, `&&`, `||`, a newline, or nothing."""

    items: tuple[tuple[Pipeline, str], ...]
    span: Span


@record
class Compound:
    """Everything with bodies. `words` are what is expanded in its head: list, subject, patterns, operands."""

    kind: CompoundKind
    span: Span
    bodies: tuple[Sequence, ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    name: str = ""
    operators: tuple[str, ...] = ()


@record
class Script:
    """A whole text: its commands, or why it is refused."""

    text: str
    body: Sequence | None = None
    refused: str = ""
    at: int = 0
    begun: Sequence | None = None
    """What was read of a text that is too large to be read as a whole."""


def is_list(part: Part) -> bool:
    """`"$@"`, `"${a[@]}"` and `"${!a@}"` are as many words as the list has."""
    text = part.text
    return part.kind == "parameter" and (text[0] == "@" or "[@]" in text or (text[0] == "!" and text[-1] == "@"))
