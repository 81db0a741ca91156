"""Every record that crosses a package border, in the order a tool call meets them."""

from __future__ import annotations

from assent.record import Members, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from enum import IntEnum
    from typing import Any, Literal, Protocol, TypeVar, overload

    from assent.getopt import Reading

    class SortsWords(Protocol):
        """Sorts words by the tables for a command; `lenient` is for the words of the command itself."""

        def __call__(self, command: tuple[str, ...], words: tuple[str, ...], *, lenient: bool) -> Reading: ...

    T = TypeVar("T")
    Kind = Literal[
        "read", "list", "search", "write", "delete", "run", "reach", "send", "call", "spawn", "change", "note"
    ]
    Mode = Literal["default", "plan", "full_auto"]
    Skip = Literal["", "folders", "all", "shown", "untracked", "packages"]
    Held = Literal["", "files", "names", "trees"]
    Follows = Literal["", "files", "all"]
    About = Literal["", "inline", "script", "project", "stated"]
    Operation = Literal["read", "list", "search", "write", "execute", "delete"]
    Layer = Literal["built-in", "user", "project", "local", "managed", "settings", "call", "grant"]
    Step = Literal[
        "policy", "floor", "deny", "tools", "plan", "ask", "check", "classifier", "grant", "allow", "limit", "sandbox",
        "mode", "error", "caller",
    ]  # fmt: skip
else:
    IntEnum, Protocol = Members, object


class Verdict(IntEnum):
    """Ordered so that combining answers is `max`: the strictest wins."""

    ALLOW = 0
    ASK = 1
    DENY = 2


# --- what an agent wants -------------------------------------------------------------------------------------------


@record
class ToolCall:
    """One tool call of one agent, as its host described it."""

    tool: str
    input: Mapping[str, object]
    cwd: str = "/"
    id: str = ""
    agent: str = ""
    session: str = ""
    at: float = 0.0
    workspace: str | None = None
    shell: str = "bash"
    chain: tuple[str, ...] = ()
    read_only: bool | None = None
    """The caller's claim about its tool: False is believed, True only for the mode, None means analyse."""
    servers: tuple[tuple[str, str], ...] = ()
    """MCP server and tool for each way to read the name, where the host's own configuration names its servers."""


# --- what it would do ----------------------------------------------------------------------------------------------


@record
class Span:
    """A half-open range of characters in the text of a command."""

    start: int
    end: int


@record
class Place:
    """A file system object and every absolute path it is known by: as written, through links, and resolved."""

    path: str
    names: tuple[str, ...]
    exists: bool = False
    folder: bool = False
    device: str = ""
    """`block` or `char` for device files, else empty."""
    folded: bool = False
    """True where the file system ignores case."""
    trouble: str = ""
    """Why the object cannot be known for certain (magic link, loop, not readable, many hard links), else empty."""
    below: tuple[str, ...] = ()
    """Paths under a folder that a policy protects, found by walking it."""
    links: int = 1
    """How many hard links a file has; those to protected files that were found are among `names`."""


@record
class Url:
    """A URL read strictly. `local` says which non-public network the host belongs to (`loopback`, `private`, …)."""

    text: str
    scheme: str
    host: str
    port: int
    path: str = "/"
    local: str = ""
    trouble: str = ""
    """Why a client might read this URL differently than we do, else empty."""


@record
class Effect:
    """One thing a call would do. `target` is what a person is shown; `at` is what rules are compared with."""

    kind: Kind
    target: str
    at: Place | Url | None = None
    deep: bool = False
    """Reaches everything below a folder."""
    only: str = ""
    """With `deep`: just the files whose name matches this glob; behind `//` stand folders that are left out."""
    possible: bool = False
    """May happen. INVARIANT: a possible change or reach needs the permission that a certain one needs."""
    code: str = ""
    call: int = 0
    span: Span | None = None
    arguments: Mapping[str, object] | None = None
    glob: bool = False
    """`target` is a pattern that a shell replaces by the names of files."""
    follows: Follows = ""
    """With `deep`: links below the folder are opened if they lead to `files`, or linked folders are entered, too."""
    mentioned: bool = False
    """With `possible`: a name in words that are not understood, another spelling of something certain, or what does not
    happen as the disk is now. Floor, deny and ask rules look at it; permission is asked for what it comes with.

    INVARIANT: never alone. The same call has a gap or a certain effect, or the disk was looked at.
    """


@record
class Gap:
    """Something the analysis does not fully understand."""

    why: str
    blind: bool = False
    """Not even what would run or be touched is known: no mode passes it."""
    call: int = 0
    span: Span | None = None
    vouchable: bool = False
    """With `blind`: a rule that names the whole call (`Mcp(server.tool)`, `Tool(name)`) still vouches for it."""
    reading: bool = False
    """Only about what is read: plan mode asks instead of blocking."""
    option: str = ""
    """The option that no table has, or not in this form, where that is all that is not understood."""
    about: About = ""
    """`inline` for code on the command line, for which no rule on its words vouches; `script` for a file that runs,
    until it is known where that lies; `project` for code of the project, which runs in full_auto as `make` does;
    `stated` where the effects say what may happen and only the manner is open."""
    unread: bool = False
    """About a word that no table knows: nobody knows then what the other words mean to the program."""


@record
class Choice:
    """A word of a command that decides what is run, with which settings, in which folder, or makes a reader write.

    INVARIANT: a rule vouches for it only if the rule spells that very word.
    """

    at: int
    """Its place among the words of the call."""
    outside: bool = False
    """It names a path outside the project."""


PLAIN = "a plain word"
"""Why a word is not known when it is at least certain that it is one piece of a name: `$$`, `$(date +%F)`."""


NUMBER = "a number"
"""Why a word is not known that holds a whole number, below zero or not: `i=$((i+1))` in a loop."""
DIGITS = "*[0-9]"
"""What stands for a plain word that is such a number without a sign, blanks before it or not: `$(ls | wc -l)`."""
RANGE = "a range of commits"
"""Why a word is not known that git reads as such: `$(git merge-base main HEAD)..HEAD`."""
JOB = "the last process of this shell"
"""Why a word is not known that holds `$!`."""
UNQUOTED = "names of files without quotes"
"""Why a word is not known that stands for names which the shell takes apart once more: `for f in *; do rm $f; done`."""
REGULAR = "names of regular files"
"""Why a word is not known that stands for files which a search found, with no link among them: `find -type f`."""
NOT_IGNORED = "names of regular files that are not ignored"
"""The same for a search that leaves out what ignore files name: `rg -l`."""
HELD = "names that a repository holds"
"""Why a word is not known that stands for files which git tracks, links among them: `git ls-files`."""
LINE = "a line read by call "
"""Begins why a word is not known that `read` took from its input; the number of that call follows, counted from 0."""
REWRITTEN = "rewritten"
"""Code of writes in a whole tree to files that are there, and to no others."""
USED = "credential.use"
"""Code of reads by a program that uses what it reads and shows none of it, as `ssh -i KEY host` does.

The floor is about what an agent would see."""
SPELLED = "spelled"
"""Code of writes of whatever a word spells whose role nobody knows; what may be written may be read as well."""
WORDS = "words"
"""An argument of such an effect: plain words, each of which may be the name of a file."""
ENTRY = "credential.entry"
"""Code of writes by a program that adds or removes an entry of its own there, as `kind create cluster` does."""
STOPS = (".force", ".hard", ".destroy", ".publish", ".drop", ".wipe")
"""Endings of codes that stand for what cannot be undone: asked about in every mode."""
CODE_RUNS = frozenset(("inline", "stdin", "script"))
"""Codes of effects that run code which may be read: on the line, from standard input, in a file."""
INLINE, FROM_FILE = "inline", "from a file"
"""Keys among the arguments of an effect that comes from code which was read as a whole, on the line or in a file."""
ARGUMENT = "argument"
"""Code of addresses that are handed to a tool as such, and are not just mentioned in a sentence."""
ACTIVE = "active "
"""Begins the entry of `Call.via` that names the folder in which an active environment has programs of its own."""


@record
class Word:
    """One word a program would receive. Exact when `value` is known; else `why` says what is not."""

    text: str
    value: str | None = None
    why: str = ""
    pattern: str = ""
    """The glob that stands for the word, when names of files are all that is unknown about it."""
    many: bool = False
    """May become several words, or none."""
    left_out: str = ""
    """With a `pattern`: folders in which none of the names lie, as in `Effect.only`."""


@record
class Redirection:
    """A file or descriptor that a call opens; `body` is the text of a heredoc or here-string, if that is known."""

    op: str
    fd: int | str | None
    target: Word | None
    body: str | None = None
    span: Span | None = None


@record
class Call:
    """One program that a shell text could start, with everything the shell hands to it."""

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirection, ...] = ()
    cwds: tuple[str, ...] = ()
    """The folders it may run in; empty when that is not known."""
    reads_from: int = -1
    """The call whose output it reads through a pipe, by its place; -1 for none."""
    via: tuple[str, ...] = ()
    """What it is inside of, outermost first: `$( )` (also `<( )`), `>( )`, `bash -c`, `function f`."""
    span: Span | None = None
    feeders: int = 1
    """How many calls, the last of which is `reads_from`, write into that pipe."""
    inner: tuple[int, int] = (0, 0)
    """The calls inside its own words and texts, by their places: the first, and the one behind the last. Without words
    of its own it opens files for all of them: `(a; b) > c`."""

    @property
    def program(self) -> str | None:
        """The first word, if it is known."""
        return self.words[0].value if self.words else None


@record
class Words:
    """A command that a text may hold, by the permissive reading: good for finding danger only."""

    words: tuple[str, ...]
    span: Span | None = None
    call: int = 0
    """The part of the text that it is, or that holds it, counted from 1; 0 where no part is known to."""
    written: tuple[str, ...] = ()
    """How it stands in the text, where these are other words for it: `pip install` for `python -m pip install`."""
    assignments: tuple[str, ...] = ()
    """What is set for it, as `NAME=value`."""
    redirects: tuple[tuple[str, str, str], ...] = ()
    """Descriptor, operator and target of each."""
    sort: SortsWords | None = None
    """Sorts words, its own or those of a rule, into options and operands as its program does."""
    least: int = 0
    """How many words a rule has to spell to be about it: who denies `uv` does not deny what `uv pip` stands for."""


@record
class Stage:
    """One part of a line: what it may be, and what joins it to the part before it."""

    commands: tuple[Words, ...]
    joined: str = ""


@record
class Example:
    """A command line as rules are compared with it, where nothing but the text is known."""

    words: tuple[str, ...]
    """Its words, if it is one command without redirects and assignments, and all of them are known."""
    commands: tuple[Words, ...] = ()
    lines: tuple[tuple[Stage, ...], ...] = ()


@record
class Analysis:
    """Everything known about a call. INVARIANT: never empty; silence is a gap."""

    effects: tuple[Effect, ...] = ()
    gaps: tuple[Gap, ...] = ()
    commands: tuple[Words, ...] = ()
    """What a shell text may start by ways that are not certain: for rules that deny or ask."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    """The programs that a shell text would start; effects and gaps name them by number, counted from 1."""
    inside: tuple[Call, ...] = ()
    """What code that the text runs would start; no number names them."""

    def __post_init__(self) -> None:
        if not self.effects and not self.gaps:
            raise ValueError("an analysis without effects and gaps has not understood anything")


class Seen(Protocol):
    """What checks look at: an analysis, or the case that was made of it, whose effects have places."""

    @property
    def effects(self) -> tuple[Effect, ...]: ...
    @property
    def calls(self) -> tuple[Call, ...]: ...
    @property
    def text(self) -> str: ...


@record
class Finding:
    """What a check found in an analysis; it can only raise the verdict."""

    check: str
    verdict: Verdict
    text: str


# --- what people said about it -------------------------------------------------------------------------------------


@record
class Rule:
    """One rule as a person wrote it, and where."""

    verdict: Verdict
    text: str
    id: str = ""
    message: str = ""
    unless: tuple[str, ...] = ()
    args: tuple[tuple[str, tuple[str, ...]], ...] = ()
    expires: float = 0.0
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()
    layer: Layer = "user"
    file: str = ""
    line: int = 0
    max: str = ""
    """How often an allow vouches: `20/hour`, also minute, day and session; empty for always."""

    @property
    def where(self) -> str:
        """`file:line`, or the layer when the rule did not come from a file."""
        return f"{self.file}:{self.line}" if self.file else self.layer


# --- what is answered ----------------------------------------------------------------------------------------------


@record
class Reason:
    """One contribution to a decision: a step, what it says and about what."""

    verdict: Verdict
    step: Step
    text: str
    rule: Rule | None = None
    subject: str = ""
    call: int = 0
    """The part of a command line it is about, counted from 1; 0 for the call as a whole."""


AS_BOOLEANS = {"allowed": "bool", "requires_confirmation": "bool", "reason": "str"}
"""What a decision is to programs that know no verdicts."""


@record
class PermissionDecision:
    """The answer, every reason that led to it, and the policy that was in force.

    A program may also make one as `PermissionDecision(allowed=False, requires_confirmation=True, reason="…")`.
    """

    if TYPE_CHECKING:

        @overload
        def __init__(
            self,
            verdict: Verdict,
            reasons: tuple[Reason, ...],
            steps: tuple[tuple[str, str], ...] | None = None,
            effects: tuple[Effect, ...] = (),
            gaps: tuple[Gap, ...] = (),
            suggestions: tuple[str, ...] = (),
            policy_digest: str = "",
            together: tuple[str, ...] = (),
        ) -> None: ...
        @overload
        def __init__(self, allowed: bool, requires_confirmation: bool = False, reason: str = "") -> None: ...
        def __init__(self, *args: object, **kwargs: object) -> None: ...

    verdict: Verdict
    reasons: tuple[Reason, ...]
    steps: tuple[tuple[str, str], ...] | None = None
    """What each step said, where that is more than its reasons tell: after a model has judged."""
    effects: tuple[Effect, ...] = ()
    gaps: tuple[Gap, ...] = ()
    suggestions: tuple[str, ...] = ()
    """Rules of which each alone would turn this question into an allow, the narrowest first."""
    policy_digest: str = ""
    together: tuple[str, ...] = ()
    """Rules that only all together would do so, where several parts of a command line ask."""

    _also = AS_BOOLEANS

    @staticmethod
    def _translate(args: tuple[object, ...], kwargs: dict[str, object]) -> tuple[tuple[object, ...], dict[str, object]]:
        if (args and type(args[0]) is bool) or not kwargs.keys().isdisjoint(AS_BOOLEANS):
            return (), _in_our_words(args, kwargs)
        return args, kwargs

    @property
    def allowed(self) -> bool:
        return self.verdict == Verdict.ALLOW

    @property
    def requires_confirmation(self) -> bool:
        return self.verdict == Verdict.ASK

    @property
    def decisive(self) -> Reason:
        """The first of the strictest reasons; of those for which a mode allows something, one about a change."""
        first = next(r for r in self.reasons if r.verdict == self.verdict)
        if self.verdict > Verdict.ALLOW or first.step != "mode" or not first.text.endswith(UNCHANGED):
            return first
        others = (r for r in self.reasons if r.step == "mode" and not r.text.endswith(UNCHANGED))
        return next(others, first)

    @property
    def trace(self) -> tuple[tuple[str, str], ...]:
        """Every step in order, with its outcome; empty when we failed before the first."""
        return _traced(self.reasons) if self.steps is None else self.steps

    @property
    def reason(self) -> str:
        return self.decisive.text

    @property
    def decided_by(self) -> str:
        return self.decisive.step


def _in_our_words(args: tuple[object, ...], given: dict[str, Any]) -> dict[str, object]:
    """A decision told as booleans and a reason, maybe beside the fields of one that it changes, as its fields.

    INVARIANT: both booleans at once, and booleans that contradict a verdict, raise.
    """
    fields = {**dict(zip(AS_BOOLEANS, args, strict=False)), **given}
    if len(args) > len(AS_BOOLEANS) or len(fields) < len(args) + len(given):
        raise TypeError("a decision takes `allowed`, `requires_confirmation` and `reason`, each once")
    reasons: tuple[Reason, ...] = fields.pop("reasons", ())
    before = PermissionDecision(max([one.verdict for one in reasons]), reasons) if reasons else None
    verdict = _told_verdict(fields, before.verdict if before else None)
    text = fields.pop("reason", before.reason if before else "")
    kept = tuple([one for one in reasons if one.verdict <= verdict])
    if before is None or before.verdict != verdict or before.reason != text:
        kept = (Reason(verdict, "caller", text), *kept)
    return {"verdict": verdict, "reasons": kept, **fields}


def _told_verdict(fields: dict[str, Any], before: Verdict | None) -> Verdict:
    """The verdict that is told, taken out of the fields; of two that differ, the one that was not there before."""
    given = fields.pop("verdict", None)
    confirm = fields.pop("requires_confirmation", given == Verdict.ASK)
    if "allowed" not in fields and given is None:
        raise TypeError("a decision needs `allowed`, or a `verdict`")
    allowed = fields.pop("allowed", given == Verdict.ALLOW)
    if allowed and confirm:
        raise ValueError("a decision is allowed or asked about, never both")
    told = Verdict.ALLOW if allowed else Verdict.ASK if confirm else Verdict.DENY
    if given is None or given == told:
        return told
    if before not in (given, told):
        raise ValueError(f"the verdict is {given}, but `allowed` and `requires_confirmation` mean {told}")
    return Verdict(given) if before == told else told


UNCHANGED = (": read-only", ": changes nothing by itself")
"""How reasons end that are about looking."""
HOLDING = ("policy", "floor", "deny", "plan", "ask", "check")
"""The steps that can hold a call back. Models can, too, and are told of only where there are descriptions."""


def _traced(reasons: tuple[Reason, ...]) -> tuple[tuple[str, str], ...]:
    told: dict[str, list[Reason]] = {}
    for reason in reasons:
        if reason.step == "error":
            return ()
        held = reason.step in HOLDING or reason.step == "classifier"
        told.setdefault(reason.step if held else "allow", []).append(reason)
    steps = (*HOLDING, *(("classifier",) if "classifier" in told else ()), "allow")
    return tuple([(step, _outcome(told[step]) if step in told else "passes") for step in steps])


def _outcome(reasons: list[Reason]) -> str:
    strictest = max(reasons, key=lambda reason: reason.verdict)
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"{strictest.verdict}: {strictest.text}{more}"


# --- what the pure parts may ask of the outside --------------------------------------------------------------------


class World(Protocol):
    """The file system as the pipeline sees it; `world.DiskWorld` is the real one, `testing.FrozenWorld` a fake."""

    @property
    def home(self) -> str: ...

    def roots(self, folder: str) -> tuple[str, ...]:
        """A folder as written and resolved."""

    def moved(self) -> tuple[tuple[str, str], ...]:
        """Credential folders that are links, as dotfile managers make them: the usual place and the real one."""

    def look(self, path: str) -> object | None:
        """Whatever has exactly this absolute path, a link included; None if there is nothing."""

    def locate(self, path: str, cwd: str) -> Place:
        """Resolve a path as the kernel would, for files that exist and for files that do not yet."""

    def matching(self, pattern: str, cwd: str) -> tuple[tuple[str, ...], bool]:
        """The names that a shell would put in the place of a pattern, and whether these are all of them."""

    def read(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """The content of a regular file, None if there is none."""

    def below(
        self,
        folder: str,
        wanted: Callable[[str], bool],
        only: str = "",
        *,
        skip_ignored: Skip = "",
        twins: bool = False,
        near: frozenset[str] | None = None,
        held: Held = "",
    ) -> tuple[Iterable[str], bool]:
        """The paths under a folder for which `wanted` holds, and whether the whole tree could be looked at.

        `skip_ignored` leaves out what ignore files name: nothing, `folders` only, `all`, or what is also `untracked`;
        with `shown` also what is hidden by a dot.
        With `twins` a file that is also one of home's credentials counts by that name. Where `near` is given, `wanted`
        holds only for what is marked as protected, and for what lies in one of these folders; of a tree that has the
        same marks everywhere only the top is named. With `held` nothing is made that is not there yet: where
        `only` says which names count, those are of `files`, also of folders (`names`), or mean whole `trees`.
        """

    def reached(self, root: str, inner: str, only: str) -> tuple[tuple[str, ...], bool]:
        """The files in a folder or file `inner` that a search from `root` may open, and whether these are all."""

    def leading(
        self, folder: str, only: str = "", *, folders: bool, skip_ignored: Skip = ""
    ) -> tuple[tuple[tuple[str, str], ...], bool]:
        """The links below a folder that lead out of it, each with its end, and whether all could be followed.

        With `folders` linked folders count, and are looked through as well; else only what leads to files does.
        """

    def name_below(
        self, folder: str, test: Callable[[str], bool], only: str = "", *, skip_ignored: Skip = ""
    ) -> tuple[bool, bool]:
        """Whether a name anywhere below a folder passes a test, and whether all of them could be looked at.

        `only` and `skip_ignored` as for `below`.
        """

    def other_names(
        self,
        path: str,
        wanted: Callable[[str], bool],
        only: str = "",
        *,
        skip_ignored: Skip = "",
        roots: tuple[str, ...] = (),
    ) -> tuple[tuple[str, ...], str]:
        """What a file, or files below a folder, are besides, as far as that is wanted; and one with a name elsewhere.

        Names are looked for below `roots`, and among what is protected at home. `only` and `skip_ignored` as for
        `below`.
        """

    def shared_below(self, folder: str, only: str) -> bool:
        """Whether a file below a folder, with one of the names, may have another name somewhere."""

    def kinds_in(self, folder: str) -> tuple[Mapping[str, str], bool]:
        """Everything in a folder by its name, a `file`, a `folder` or a `link`, and whether this is all of it."""

    def is_public(self, path: str) -> bool:
        """Whether everybody may read what is at a path without links, or what only root could put there."""

    def once(self, about: object, work: Callable[[], T]) -> T:
        """What was worked out about something; in a world for one decision that is done once."""
