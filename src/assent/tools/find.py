"""Looking for files: glob, grep and folder listings, down to the folders their patterns can reach."""

from __future__ import annotations

from assent.errors import InputError
from assent.tools.fields import is_nested
from assent.tools.table import FILTER_KEYS, PATTERN_KEYS, fold
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields

WILD = frozenset("*?[]{}()!\\")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
MAX_BRACES = 64
MAX_PATTERN = 4096
MAX_NESTING = 3
TARGETS = ("files", "file", "content", "both")
"""What a search may be told to look at; any other `target` names a place."""
OFF_KEYS = (
    "noignore",
    "includeignored",
    "includeignoredfiles",
    "hidden",
    "includehidden",
    "includehiddenfiles",
    "showhidden",
)
ON_KEYS = ("respectgitignore", "usedefaultexcludes", "filefilteringoptions")
"""Switches that make a search look at what git ignores: unless they are off, or unless they are on."""
TREES = ("list", "tree", "directorytree", "developertree")
"""Listings that always show the whole tree."""


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call that looks for files."""
    named = fields.paths()
    bases = named or ["."]
    if family == "glob":
        yield from _glob(fields, bases, named=bool(named))
    elif family == "grep":
        yield from _grep(fields, bases)
    else:
        deep = fold(fields.name) in TREES or fields.flag(("recursive", "depth", "maxdepth"))
        for base in bases:
            yield Effect("list", base, deep=deep)


def _glob(fields: Fields, bases: list[str], *, named: bool) -> Iterator[Effect]:
    patterns = fields.texts(PATTERN_KEYS)
    if not patterns and named and not fields.gaps:
        yield from (Effect("list", base, deep=True) for base in bases)  # a caller that tells only the path
        return
    fields.need("pattern", patterns)
    for pattern in (inner for text in patterns for inner in _unwrapped(text)):
        for base in bases:
            for folder, only in folders(fields, base, pattern):
                yield Effect("list", folder, deep=True, only=only)


def _grep(fields: Fields, bases: list[str]) -> Iterator[Effect]:
    """Search tools skip what `.gitignore` names, unless a filter asks for files by name or a switch for all."""
    filters = fields.texts(FILTER_KEYS)
    only = filters[0] if len(filters) == 1 and is_plain(filters[0]) else ""
    code = "search.folders" if only else "" if filters else "search.tracked"
    code = "" if _looks_everywhere(fields) else code
    for key, value in fields.take(("target",)):
        if value not in TARGETS:
            fields.unknown(key, value)
    for base in bases:
        yield Effect("search", base, deep=True, only=only, code=code)
        for text in filters:
            for folder, _ in folders(fields, base, text) if _leaves(text) else ():
                yield Effect("search", folder, deep=True)


def _looks_everywhere(fields: Fields) -> bool:
    given = [(key, value) for key, value in fields.take((*OFF_KEYS, *ON_KEYS, "type", "types")) if value is not None]
    fields.nested += [(key, value) for key, value in given if is_nested(value)]
    return any(not _is_usual(fold(key), value) for key, value in given)


def _is_usual(key: str, value: object) -> bool:
    """Whether a switch says what search tools do by themselves."""
    if key in OFF_KEYS:
        return value in (False, 0, "", "false")
    if key in ON_KEYS:
        values = value.values() if hasattr(value, "values") else (value,)
        return all(one is True or one == "true" for one in values)
    kinds = value if isinstance(value, (list, tuple)) else [value]
    return all(isinstance(kind, str) and kind.isascii() and kind.isalnum() for kind in kinds)


def _leaves(pattern: str) -> bool:
    """Whether a filter could name something outside the folder it filters."""
    return ".." in pattern or pattern.startswith(("/", "~", "\\", "{"))


def _unwrapped(pattern: str) -> Iterator[str]:
    """The pattern, and the pattern inside it when a model wrapped its whole input into the field as JSON."""
    for _ in range(MAX_NESTING):
        yield pattern
        inner = _wrapped(pattern)
        if not inner:
            return
        pattern = inner


def _wrapped(pattern: str) -> str:
    if pattern.lstrip()[:1] != "{":
        return ""
    from assent.wire import loads

    try:
        value = loads(pattern)
    except InputError:
        return ""
    inner, base = (value.get("pattern"), value.get("path")) if isinstance(value, dict) else ("", "")
    if not isinstance(inner, str):
        return ""
    return join(base, inner) if isinstance(base, str) else inner


def folders(fields: Fields, base: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Every folder a pattern can reach from a base, with the name filter of its last part if that is a plain one."""
    found = expand(pattern)
    if found is None:
        fields.blind(f"has a pattern that is too long or has too many alternatives: `{pattern[:80]}`")
        found = [pattern]
    for one in found:
        if one.startswith(("/", "~")):
            yield base, ""  # some tools read `/x` below the base
        last = one.rpartition("/")[2]
        yield join(base, _lead(one)), last if is_plain(last) else ""


def _lead(pattern: str) -> str:
    """The literal folder before the first wildcard, and up again for every `..` behind it."""
    parts = pattern.split("/")
    wild = next((place for place, part in enumerate(parts) if not WILD.isdisjoint(part)), len(parts))
    ups = sum(".." in part.replace("\\", "") for part in parts[wild:])
    lead = "/".join(parts[:wild]) or ("/" if pattern.startswith("/") else ".")
    return lead + "/.." * ups


def join(base: str, path: str) -> str:
    """A path below a base; absolute and home paths stand for themselves."""
    if path.startswith(("/", "~")) or base in ("", "."):
        return path
    return base if path in ("", ".") else f"{base.rstrip('/')}/{path}"


def is_pattern(text: str) -> bool:
    """Whether a path is meant as a pattern; parentheses alone are common in folder names."""
    return not frozenset("*?[{").isdisjoint(text) or any(sign in text for sign in ("!(", "@(", "+("))


def is_plain(text: str) -> bool:
    """`*.py` or `*.{ts,tsx}`: a filter that surely leaves out every other name."""
    if not text.startswith("*."):
        return False
    names = text[2:]
    if names[:1] == "{" and names[-1:] == "}":
        return all(name and NAME.issuperset(name) for name in names[1:-1].split(","))
    return bool(names) and NAME.issuperset(names)


def expand(pattern: str) -> list[str] | None:
    """The alternatives of `{a,../b}`, nested ones too; None when there is too much to look at."""
    if len(pattern) > MAX_PATTERN:
        return None
    done: list[str] = []
    todo = [pattern]
    while todo:
        if len(todo) + len(done) > MAX_BRACES:
            return None
        text = todo.pop()
        found = _first_brace(text)
        if is_plain(text.rpartition("/")[2]) and (not found or found[0] > text.rfind("/")):
            done.append(text)  # the filter of the last part says the same in fewer words
        elif found:
            start, end, parts = found
            todo += [text[:start] + part + text[end + 1 :] for part in reversed(parts)]
        else:
            done.append(text)
    return done


def _first_brace(text: str) -> tuple[int, int, list[str]] | None:
    """Where the first `{a,b}` starts and ends, and its parts; linear, since an unclosed brace ends the search."""
    start, depth, cuts = -1, 0, [0]
    for place, char in enumerate(text):
        if char == "{":
            start, cuts = (place, [place]) if depth == 0 else (start, cuts)
            depth += 1
        elif char == "," and depth == 1:
            cuts.append(place)
        elif char == "}" and depth:
            depth -= 1
            if depth == 0 and len(cuts) > 1:
                cuts.append(place)
                return start, place, [text[cuts[i] + 1 : cuts[i + 1]] for i in range(len(cuts) - 1)]
    return None


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Glob", {"pattern": "**/*.py"}, "list . deep only *.py"),
    ("Glob", {"pattern": "src/**/test_*"}, "list src deep"),
    ("Glob", {"pattern": "../**/id_rsa"}, "list .. deep"),
    ("Glob", {"pattern": "*/../../etc/*", "path": "src"}, "list src/./../.. deep"),
    ("Glob", {"pattern": "/etc/*.conf", "path": "~/.ssh"}, "list ~/.ssh deep | list /etc deep only *.conf"),
    ("Glob", {"pattern": "~/.ssh/*"}, "list . deep | list ~/.ssh deep"),
    ("Glob", {"pattern": "{src,../other}/*.py"}, "list src deep only *.py | list ../other deep only *.py"),
    ("Glob", {"pattern": '{"pattern":"../**/id_rsa"}'}, "list ./.. deep | list .. deep"),
    ("Glob", {"path": "src"}, "list src deep"),
    ("find_by_name", {"SearchDirectory": "src", "Pattern": "*.rs", "MaxDepth": 3}, "list src deep only *.rs"),
    ("Grep", {"pattern": "TODO", "-n": True}, "search . deep"),
    ("Grep", {"pattern": "TODO", "path": "src", "glob": "*.{ts,tsx}"}, "search src deep only *.{ts,tsx}"),
    ("Grep", {"pattern": "TODO", "glob": "*.py *.env"}, "search . deep"),
    ("grep_search", {"pattern": "x", "include": "../**/*.py"}, "search . deep | search .. deep"),
    ("search", {"query": "K", "target": "content"}, "search . deep"),
    (
        "search",
        {"query": "K", "path": "src", "target": "~/.ssh"},
        "search src deep | possible read ~/.ssh | blind: search has an unknown field `target`",
    ),
    ("codebase_search", {"query": "auth", "target_directories": ["a", "b"]}, "search a deep | search b deep"),
    ("LS", {"path": "src"}, "list src"),
    ("list_directory", {}, "list ."),
    ("list_files", {"path": "src", "recursive": True}, "list src deep"),
    ("list", {"path": "src"}, "list src deep"),
)
