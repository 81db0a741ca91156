"""The text of one rule, such as `Write(./src/**)`, read into a target that effects can be compared with."""

from __future__ import annotations

from assent import globs
from assent.errors import PolicyError
from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Kind
    from assent.urls import HostPattern

TOOLS = {
    "Bash": "Bash",
    "Shell": "Bash",
    "Read": "Read",
    "NotebookRead": "Read",
    "Write": "Write",
    "Edit": "Write",
    "MultiEdit": "Write",
    "NotebookEdit": "Write",
    "Delete": "Delete",
    "Glob": "Glob",
    "LS": "Glob",
    "List": "Glob",
    "Grep": "Grep",
    "Search": "Grep",
    "WebFetch": "WebFetch",
    "WebSearch": "WebSearch",
    "Mcp": "Mcp",
    "MCP": "Mcp",
    "Agent": "Agent",
    "Task": "Agent",
    "Skill": "Skill",
    "Tool": "Tool",
}
"""Every tool name a rule may start with, and the one that stands for it."""

PATH_TOOLS = frozenset({"Read", "Write", "Delete", "Glob", "Grep"})
NAME_TOOLS = frozenset({"Mcp", "Agent", "Skill", "Tool"})

VOUCHES: dict[str, frozenset[Kind]] = {
    "Read": frozenset({"read", "list", "search"}),
    "Write": frozenset({"write"}),
    "Delete": frozenset({"delete"}),
    "Glob": frozenset({"list"}),
    "Grep": frozenset({"search", "list"}),
    "WebFetch": frozenset({"reach"}),
    "WebSearch": frozenset({"reach"}),
    "Mcp": frozenset({"call"}),
    "Agent": frozenset({"spawn"}),
    "Skill": frozenset({"call"}),
    "Tool": frozenset({"call", "change", "run", "spawn"}),
    "Bash": frozenset(),
}
"""The strict reading: what an ALLOW rule of a tool can prove harmless."""

CATCHES: dict[str, frozenset[Kind]] = VOUCHES | {
    "Read": frozenset({"read", "search"}),
    "Write": frozenset({"write", "delete"}),
    "Grep": frozenset({"search"}),
    "WebFetch": frozenset({"reach", "send"}),
    "Tool": frozenset({"call", "note", "change"}),
}
"""The permissive reading: what a DENY or ASK rule of a tool holds back."""

EXCEPTS: dict[str, frozenset[Kind]] = {tool: VOUCHES[tool] | CATCHES[tool] for tool in VOUCHES}
"""The permissive reading of an exception to an ALLOW rule: whatever it could be about."""


@record
class PathTarget:
    """`anchor` is `/`, `~`, `.` (the project) or `**` (anywhere for a deny, the project for an allow)."""

    anchor: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return "/".join(self.parts)


@record
class WordsTarget:
    """Words of a command; with `tail` more may follow (`git commit:*`)."""

    words: tuple[str, ...]
    tail: bool
    assignments: tuple[str, ...] = ()
    redirects: tuple[tuple[str, str, str], ...] = ()
    joined: str = ""
    """What joins it to the part before it, in a rule on a whole line."""


@record
class Target:
    """What a rule is about. A bare rule such as `WebFetch` has none of the fields and means every use of the tool."""

    tool: str
    paths: tuple[PathTarget, ...] = ()
    words: WordsTarget | None = None
    host: HostPattern | None = None
    names: tuple[str, ...] = ()
    line: tuple[WordsTarget, ...] = ()
    """The parts of a line with operators, redirects or assignments; `words` is then its text, word by word."""

    @property
    def bare(self) -> bool:
        return not (self.paths or self.words or self.host or self.names)


def read_rule(text: str) -> Target:
    """Read a rule's text; a `PolicyError` says what is wrong with it and what was probably meant."""
    if text != text.strip() or not text.isprintable():
        raise PolicyError(f"`{text!a}` has blanks at an end or control characters", help="write the rule on one line")
    name, bracket, rest = text.partition("(")
    if name.startswith("mcp__"):
        return _read_mcp_name(text)
    tool = TOOLS.get(name)
    if tool is None:
        raise PolicyError(f"unknown tool `{name}` in rule `{text}`", help=_nearest(name))
    if not bracket:
        return Target(tool)
    if not rest.endswith(")"):
        raise PolicyError(f"rule `{text}` does not end with `)`", help="write it like `Read(./docs/**)`")
    return _read_body(tool, rest[:-1], text)


def _read_body(tool: str, body: str, text: str) -> Target:
    if not body.strip():
        raise PolicyError(f"rule `{text}` has nothing between its brackets", help=f"write `{tool}` for every use")
    if body == "*" and tool not in PATH_TOOLS:
        return Target(tool)
    if tool == "Bash":
        return Target(tool, words=_read_words(body), line=_read_line(body))
    if tool == "WebFetch":
        return Target(tool, host=_read_host(body, text))
    if tool == "WebSearch":
        raise PolicyError(f"rule `{text}` cannot name a query", help="write `WebSearch` for every use")
    if not body.isascii():
        body = _composed(body)
    if tool in NAME_TOOLS:
        return Target(tool, names=_read_names(tool, body, text))
    return Target(tool, paths=tuple(read_path(option, text) for option in globs.alternatives(body)))


def read_path(pattern: str, text: str) -> PathTarget:
    """A path pattern as people write it: `/x` absolute, `~/x` home, `./x` or `x` project, `**/x` anywhere."""
    _refuse_odd_path(pattern, text)
    anchor, rest = ".", pattern
    if pattern in ("~", "**", ".") or pattern.startswith(("~/", "**/", "./")):
        anchor, _, rest = pattern.partition("/")
    elif pattern.startswith("/"):
        anchor, rest = "/", pattern
    elif pattern.startswith("~"):
        raise PolicyError(f"rule `{text}` names another user's home", help="write the absolute path")
    parts = [part for part in rest.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise PolicyError(f"`..` in rule `{text}` can never match", help="paths are compared after they are resolved")
    if pattern.endswith("/") or (anchor == "**" and not parts):
        parts.append("**")
    parts = [part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"]]
    while anchor == "**" and len(parts) > 1 and parts[0] == "**":
        parts = parts[1:]
    return PathTarget(anchor, tuple(parts))


def _refuse_odd_path(pattern: str, text: str) -> None:
    """Spellings that people try and that no resolved path ever has."""
    if "\\" in pattern:
        raise PolicyError(f"backslash in rule `{text}`", help="write paths with `/`")
    if pattern != pattern.strip() or pattern.strip("'\"") != pattern:
        raise PolicyError(f"blanks or quotes around the path in rule `{text}`", help="write the bare path")
    if pattern.startswith(("$", "file:")):
        raise PolicyError(f"rule `{text}` does not begin with a path", help="write `~/…` for home, or the path itself")


def _composed(text: str) -> str:
    """Places are also known by the composed form of their names, so rules are written in it."""
    from unicodedata import normalize

    return normalize("NFC", text)


def _read_words(body: str) -> WordsTarget:
    tail = body.endswith(":*")
    words = split_words(body[:-2] if tail else body)
    if not words:
        raise PolicyError(f"rule `Bash({body})` names no program", help="write `Bash` for every command")
    return WordsTarget(words, tail)


OPERATORS = frozenset("|&;<>()`=")


def _read_line(body: str) -> tuple[WordsTarget, ...]:
    """The parts of a rule that is a line; `:*` belongs to the last of them. None for one that is only words."""
    if OPERATORS.isdisjoint(body):
        return ()
    from assent.lexer import is_assignment, parts_of

    tail = body.endswith(":*")
    parts: list[WordsTarget] = []
    for piece in parts_of(body[:-2] if tail else body):
        own = 0
        while own < len(piece.words) and is_assignment(piece.words[own]):
            own += 1
        parts.append(WordsTarget(piece.words[own:], False, piece.words[:own], piece.redirects, piece.joined))
    if not parts or parts == [WordsTarget(split_words(body[:-2] if tail else body), False)]:
        return ()
    return (*parts[:-1], replace(parts[-1], tail=tail))


def split_words(text: str) -> tuple[str, ...]:
    """Words separated by blanks; quotes group, a backslash takes the next character as it is."""
    words: list[str] = []
    word: list[str] | None = None
    quote = ""
    signs = iter(text)
    for sign in signs:
        if quote:
            if sign == quote:
                quote = ""
            else:
                word = [*(word or ()), next(signs, "") if sign == "\\" and quote == '"' else sign]
        elif sign in " \t":
            if word is not None:
                words.append("".join(word))
            word = None
        else:
            quote = sign if sign in "'\"" else ""
            word = word if word is not None else []
            if not quote:
                word.append(next(signs, "") if sign == "\\" else sign)
    if word is not None:
        words.append("".join(word))
    return tuple(words)


def _read_host(body: str, text: str) -> HostPattern:
    from assent import urls

    if body.startswith("domain:"):
        return urls.host_pattern(body[len("domain:") :])
    if "://" in body:
        return urls.host_pattern(body)
    raise PolicyError(f"rule `{text}` names no host", help=f"write `WebFetch(domain:{body})`")


def _read_names(tool: str, body: str, text: str) -> tuple[str, ...]:
    if any(blank in body for blank in " \t/\\"):
        raise PolicyError(f"rule `{text}` has blanks or slashes in a name", help=f"write `{tool}(name)`")
    if tool == "Mcp" and "." not in body:
        body += ".*"
    return globs.alternatives(body)


def _read_mcp_name(text: str) -> Target:
    server, _, name = text[len("mcp__") :].partition("__")
    if not server or "(" in text:
        raise PolicyError(f"rule `{text}` is not a tool of an MCP server", help="write `Mcp(server.tool)`")
    return Target("Mcp", names=(f"{server}.{name or '*'}",))


def fold_name(name: str) -> str:
    """Tool names without regard to case and separators, as careless hosts treat them."""
    return name.casefold().translate(SEPARATORS)


SEPARATORS = dict.fromkeys(map(ord, "_-. "))


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    folded = {known.casefold(): known for known in TOOLS}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    advice = f"did you mean `{folded[close[0]]}`? " if close else ""
    return f"{advice}a tool of your own is written `Tool({name or 'name'})`"
