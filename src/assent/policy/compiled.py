"""A policy ready to be asked: rules indexed by the literal beginning or end of what they match, as plain JSON data."""

from __future__ import annotations

from assent import globs
from assent.digest import sha256
from assent.errors import PolicyError
from assent.policy.rules import PathTarget, Target, WordsTarget, fold_name, read_rule
from assent.types import Rule, Verdict
from assent.wire import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Any

    from assent.types import Layer, Mode

FORMAT = 7
WORDS = frozenset(("1words", "2words", "1line", "2line"))
LINES = frozenset(("1line", "2line"))
COMMANDS = ("Bash(", "Shell(")
KEYWORDS = frozenset("if then elif else for while until do case in select function ! { [[".split())
MOST_NAMES = 1_000
LIMIT = 10
"""Where a row of the table keeps the limit of a rule."""


class Policy:
    """The rules in force for a call, whatever files or settings they came from.

    INVARIANT: `table` holds only JSON values, so that a cache can store and load it without running anything.
    """

    __slots__ = (
        *("_concerns", "_excepting", "_exceptions", "_has", "_rules", "_targets"),
        *("digest", "holds_back", "in_workspace", "mode", "names_commands", "restrains_commands", "spaces", "table"),
        "vouches",
    )

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self._exceptions: tuple[str, ...] | None = None
        self.mode: Mode = table["mode"]
        self.digest: str = table["digest"]
        self.in_workspace = table["preset"] == "workspace" and self.mode == "default"
        self.spaces = frozenset(key[:-1] for key in table["sizes"])
        """Verdict and index space of every rule there is; most calls meet none and need not look further."""
        self.restrains_commands = (
            bool(table["denied_commands"])
            or not WORDS.isdisjoint(self.spaces)
            or any(text.startswith(COMMANDS) for text in self.exceptions_to_allow())
        )
        """Whether anything but an allow is about the words of commands."""
        self.names_commands = "0words" in self.spaces or "0any:Bash" in self.spaces
        """Whether an allow is about the words of commands."""
        self._has = tuple([any(key[0] == sign for key in self.spaces) for sign in "012"])
        self.vouches = self._has[Verdict.ALLOW]
        """Whether there is any rule that allows something."""
        self.holds_back = (
            any(table[name] for name in RESTRAINING)
            or table["mode"] == "plan"
            or self._has[Verdict.ASK]
            or self._has[Verdict.DENY]
        )
        """Whether anybody has said, by a mode or a rule, that something is not to pass."""
        self._excepting: dict[str, Any] | None = None
        self._concerns: dict[str, bool] | None = None
        self._rules: dict[int, Rule] = {}
        self._targets: dict[str, Target] = {}

    def in_mode(self, mode: Mode) -> Policy:
        """The same policy in another mode; its digest tells them apart."""
        if mode == self.mode:
            return self
        return Policy({**self.table, "mode": mode, "digest": sha256(f"{self.digest} {mode}".encode())})

    def with_grants(self, rules: Iterable[Rule]) -> Policy:
        """The same policy with what people granted beside it; the digest stays that of the policy itself."""
        rows = [_to_row(rule) for rule in rules]
        if not rows:
            return self
        table = {**self.table, "rules": [*self.table["rules"], *rows]}
        table["filed"] = {key: list(numbers) for key, numbers in self.table["filed"].items()}
        table["sizes"] = {key: list(sizes) for key, sizes in self.table["sizes"].items()}
        for number, row in enumerate(rows, len(self.table["rules"])):
            _index(table, number, Verdict(row[0]), _readable(row[1], unless=row[4], args=row[5]))
        return Policy(table)

    @property
    def problems(self) -> list[str]:
        """What is wrong with a file of this policy; while there is any, nothing is allowed without a question."""
        return self.table["problems"]  # type: ignore[no-any-return]

    @property
    def preset(self) -> str:
        """`careful`, or `workspace` where agents may change files inside the project."""
        return self.table["preset"]  # type: ignore[no-any-return]

    def described(self, *verdicts: Verdict) -> tuple[Rule, ...]:
        """The sentences of these verdicts that a model judges."""
        return tuple([_from_row(row) for row in self.table["descriptions"] if row[0] in verdicts])

    @property
    def judge(self) -> str:
        """Who judges descriptions, `anthropic claude-haiku-4-5`; empty when nobody does."""
        chosen = self.table["classifier"]
        return f"{chosen['provider']} {chosen['model']}" if "provider" in chosen else ""

    @property
    def auto_sandboxed(self) -> bool:
        """Whether shell commands that run in the sandbox need no question."""
        return self.table["sandbox"].get("auto") is True

    def limited(self) -> tuple[Rule, ...]:
        """The rules that vouch only so often."""
        return tuple([self.rule(number) for number in self.table["limited"]])

    def restrains_line(self, programs: Collection[str]) -> bool:
        """Whether a rule other than an allow may be about a line of several parts in which these programs stand."""
        return any(
            len(parts) > 1 and all("*" in name or name in programs for part in parts for name in _program_of(part))
            for parts in self._lines()
        )

    def _lines(self) -> Iterator[tuple[WordsTarget, ...]]:
        for verdict in (Verdict.DENY, Verdict.ASK) if not LINES.isdisjoint(self.spaces) else ():
            for rule in self.candidates(verdict, "line", ""):
                yield self.target(rule.text).line

    def concerns(self, program: str) -> bool:
        """Whether anything but an allow may be about a program of this name."""
        if self._concerns is None:
            every = [name for parts in self._lines() for part in parts for name in _program_of(part)]
            exceptions = [text for text in self.exceptions_to_allow() if text.startswith(COMMANDS)]
            everything = bool(self.table["denied_commands"] or exceptions) or any("*" in name for name in every)
            self._concerns = {**dict.fromkeys(every, True), "": everything}
        if self._concerns[""]:
            return True
        known = self._concerns.get(program)
        if known is None:
            if len(self._concerns) > MOST_NAMES:
                self._concerns = None
                return self.concerns(program)
            known = any(self.candidates(verdict, "words", program) for verdict in (Verdict.DENY, Verdict.ASK))
            self._concerns[program] = known
        return known

    def restrained_programs(self) -> list[str]:
        """The programs that rules other than an allow name."""
        begins = [f"{int(verdict)}words<" for verdict in (Verdict.DENY, Verdict.ASK)]
        return [name.partition("<")[2] for name in self.table["filed"] if name.startswith(tuple(begins))]

    def rule(self, number: int) -> Rule:
        if number not in self._rules:
            self._rules[number] = _from_row(self.table["rules"][number])
        return self._rules[number]

    def rules(self) -> Iterator[Rule]:
        return map(self.rule, range(len(self.table["rules"])))

    def target(self, text: str) -> Target:
        if text not in self._targets:
            self._targets[text] = read_rule(text)
        return self._targets[text]

    def has(self, verdict: Verdict) -> bool:
        """Whether there is any rule of this verdict."""
        return self._has[verdict]

    def has_path_rules(self) -> bool:
        """Whether a deny, an ask or an exception to an allow is about paths."""
        return bool(self.exceptions_to_allow()) or any(
            key[1:].startswith("path:") and key[0] != "0" for key in self.spaces
        )

    def speaks_of_paths(self) -> bool:
        """Whether any rule at all is about paths, or about reading or writing as such."""
        named = any(key[1:].startswith(PATH_SPACES) for key in self.spaces)
        return named or bool(self.table["path_rules"]) or bool(self.exceptions_to_allow())

    def exceptions_to_allow(self) -> tuple[str, ...]:
        """The texts of all exceptions to allow rules; files below a folder that fall under one must be noticed."""
        if self._exceptions is None:
            rows = self.table["rules"]
            self._exceptions = tuple(text for row in rows if row[0] == Verdict.ALLOW for text in row[4])
        return self._exceptions

    def may_name(self, program: str | None) -> bool:
        """Whether an allow could be about the words of a program."""
        if "0any:Bash" in self.spaces:
            return True
        return program is not None and bool(self.candidates(Verdict.ALLOW, "words", program[program.rfind("/") + 1 :]))

    def everything(self, verdict: Verdict, space: str) -> list[Rule]:
        """All rules of a verdict in an index space, for texts that cannot be looked up."""
        key = f"{int(verdict)}{space}"
        filed = self.table["filed"].items()
        numbers = {n for name, found in filed if name.startswith((key + "<", key + ">")) for n in found}
        return [self.rule(number) for number in sorted(numbers)]

    def candidates(self, verdict: Verdict, space: str, text: str) -> list[Rule]:
        """Rules of a verdict that could match a text in an index space; the caller compares them exactly."""
        key = f"{int(verdict)}{space}"
        if key not in self.spaces:
            return []
        found = _filed(self.table, key, text)
        return [self.rule(number) for number in sorted(set(found))] if found else []

    def candidates_above(self, verdict: Verdict, space: str, path: str) -> list[Rule]:
        """As `candidates`, for a path and every folder above it: a denied folder takes everything below along."""
        key = f"{int(verdict)}{space}"
        if key not in self.spaces:
            return []
        found = _filed(self.table, key, path, above=True)
        return [self.rule(number) for number in sorted(set(found))] if found else []

    def path_keys(self) -> list[tuple[str, str]]:
        """Side and literal of everything that a deny, an ask or an exception to an allow says about paths."""
        self.exceptions_above("", "")
        found: dict[tuple[str, str], None] = {}
        for table in (self.table, self._excepting or {}):
            for key in table["sizes"]:
                if key[0] != "0" and key[1:].startswith("path:"):
                    named = [name[len(key) :] for name in table["filed"] if name.startswith(key)]
                    found |= dict.fromkeys((key[-1], literal) for literal in named)
        return [*found]

    def exceptions_above(self, space: str, path: str) -> list[str]:
        """The texts of exceptions to allow rules that could be about a path, or a folder above it."""
        if self._excepting is None:
            self._excepting = {"filed": {}, "sizes": {}}
            for number, text in enumerate(self.exceptions_to_allow()):
                _index(self._excepting, number, Verdict.ASK, self.target(text))
        found = _filed(self._excepting, f"{int(Verdict.ASK)}{space}", path, above=True)
        return [self.exceptions_to_allow()[number] for number in sorted(set(found))] if found else []


def _filed(table: dict[str, Any], key: str, text: str, *, above: bool = False) -> list[int]:
    """The numbers of what is filed for a text; with `above` also for every folder above a path."""
    filed, sizes = table["filed"], table["sizes"]
    found: list[int] = []
    for size in sizes.get(key + "<", ()):
        found += filed.get(f"{key}<{text[:size]}", ()) if size <= len(text) else ()
    if key + ">" in sizes:
        ends = [len(text), *[at for at, sign in enumerate(text) if sign == "/"]] if above else [len(text)]
        for size in sizes[key + ">"]:
            for end in ends:
                found += filed.get(f"{key}>{text[end - size : end]}", ()) if size <= end else ()
    if key + "=" in sizes:
        for part in text.split("/"):
            found += filed.get(f"{key}={part}", ())
    for size in sizes.get(key + "^", ()):
        for part in text.split("/"):
            found += filed.get(f"{key}^{part[:size]}", ()) if size <= len(part) else ()
    return found


RESTRAINING = ("problems", "descriptions", "denied_tools", "path_rules", "denied_commands")
PATH_SPACES = ("path:", "any:Read", "any:Write", "any:Delete", "any:Glob", "any:Grep", "any:Tool")
PRESETS = ("careful", "workspace")


def _program_of(part: WordsTarget) -> list[str]:
    """The name of the program of a part of a line; none where it may be any, or the part begins a loop or a choice."""
    name = part.words[0][part.words[0].rfind("/") + 1 :] if part.words else "*"
    return [] if name == "*" or name in KEYWORDS else [name]


def known_preset(name: str) -> str:
    if name not in PRESETS:
        raise PolicyError(f"unknown preset `{name}`", help=f"one of {', '.join(PRESETS)}")
    return name


def compile_policy(
    rules: Iterable[Rule] = (),
    *,
    mode: Mode = "default",
    allowed_tools: Iterable[str] = (),
    denied_tools: Iterable[str] = (),
    path_rules: Iterable[tuple[str, bool]] = (),
    denied_commands: Iterable[str] = (),
    problems: Iterable[str] = (),
    preset: str = "careful",
    descriptions: Iterable[Rule] = (),
    classifier: Mapping[str, object] | None = None,
    sandbox: Mapping[str, object] | None = None,
) -> Policy:
    """Index rules and settings; a rule that makes no sense raises `PolicyError`."""
    table: dict[str, Any] = {
        "format": FORMAT,
        "mode": mode,
        "preset": preset,
        "allowed_tools": list(allowed_tools),
        "denied_tools": list(denied_tools),
        "path_rules": [list(pair) for pair in path_rules],
        "denied_commands": list(denied_commands),
        "problems": list(problems),
        "rules": [_to_row(rule) for rule in rules],
        "descriptions": [_to_row(rule) for rule in descriptions],
        "classifier": dict(classifier or {}),
        "sandbox": dict(sandbox or {}),
    }
    table["digest"] = sha256(dumps(table).encode())
    table |= {"filed": {}, "sizes": {}, "limited": [n for n, row in enumerate(table["rules"]) if row[LIMIT]]}
    for number, row in enumerate(table["rules"]):
        target = _readable(row[1], unless=row[4], args=row[5])
        _index(table, number, Verdict(row[0]), target)
    return Policy(table)


def _readable(text: str, *, unless: list[str], args: list[Any]) -> Target:
    """What a rule is about. INVARIANT: no part of a rule that makes no sense waits for a call to be noticed."""
    target = read_rule(text)
    for exception in unless:
        read_rule(exception)
    if args and target.tool not in ("Mcp", "Tool"):
        raise PolicyError(f"`{text}` takes no `args`", help="only `Mcp` and `Tool` rules look at arguments")
    return target


def _index(table: dict[str, Any], number: int, verdict: Verdict, target: Target) -> None:
    for space, side, literal in _keys(target, verdict):
        for text in {literal, literal.casefold()} if verdict > Verdict.ALLOW else {literal}:
            table["filed"].setdefault(f"{int(verdict)}{space}{side}{text}", []).append(number)
            sizes = table["sizes"].setdefault(f"{int(verdict)}{space}{side}", [])
            if side != "=" and len(text) not in sizes:
                sizes.append(len(text))


def _keys(target: Target, verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """Where a rule is filed: index space, side and literal.

    Sides: `<` begins with it, `>` ends with it, `=` has it as a component, `^` has a component that begins with it.
    """
    if target.bare:
        yield f"any:{target.tool}", "<", ""
    for path in target.paths:
        yield f"path:{path.anchor}", *_path_key(path)
    if target.host:
        yield "host", "<", host_key(target.host.host)
    for name in target.names:
        yield f"name:{target.tool}", *_name_key(target.tool, name, verdict)
    if target.words:
        program = target.words.words[0]
        yield "words", "<", "" if "*" in program else program[program.rfind("/") + 1 :]
    if target.line:
        yield "line", "<", ""


def _path_key(path: PathTarget) -> tuple[str, str]:
    """What is rarest about a path pattern: its longest plain component, its beginning or its end."""
    plain = max((part for part in path.parts if not globs.has_magic(part)), key=len, default="")
    head = "" if path.anchor == "**" else globs.literal_head(path.text).rstrip("/")
    if len(head) >= len(plain) and head:
        return "<", head
    if plain:
        return "=", plain
    begins = max((globs.literal_head(part) for part in path.parts), key=len, default="")
    tail = globs.literal_tail(path.text).lstrip("/") if path.anchor == "**" else ""
    return ("^", begins) if len(begins) > len(tail) else (">", tail)


def _name_key(tool: str, name: str, verdict: Verdict) -> tuple[str, str]:
    head, tail = globs.literal_head(name), globs.literal_tail(name)
    if tool == "Tool" and verdict > Verdict.ALLOW:
        return "<", fold_name(head)
    return ("<", head) if len(head) >= len(tail) else (">", tail)


def host_key(host: str) -> str:
    """Labels from the right, so that a domain is a prefix of its subdomains; empty for any host and for addresses."""
    if not host or host.replace(".", "").isdigit() or ":" in host:
        return host
    return ".".join(reversed(host.split("."))) + "."


def _to_row(rule: Rule) -> list[Any]:
    args = [[name, list(globs_)] for name, globs_ in rule.args]
    return [
        int(rule.verdict),
        rule.text,
        rule.id,
        rule.message,
        list(rule.unless),
        args,
        rule.expires,
        rule.layer,
        rule.file,
        rule.line,
        rule.max,
    ]


def _from_row(row: list[Any]) -> Rule:
    verdict, text, identity, message, unless, args, expires, layer, file, line, limit = row
    pairs = tuple((name, tuple(patterns)) for name, patterns in args)
    where: Layer = layer
    shared = (identity, message, tuple(unless), pairs, expires, (), (), where, file, line, limit)
    return Rule(Verdict(verdict), text, *shared)
