"""The rules of the house, as functions that read a source tree and return what breaks them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "src/assent"

LEAVES = (
    "types",
    "errors",
    "record",
    "budget",
    "wire",
    "globs",
    "addresses",
    "urls",
    "digest",
    "resolve",
    "gitconfig",
    "gitindex",
    "protected",
    "harmless",
    "expansion",
    "ignoring",
    "questions",
    "masking",
    "listening",
    "trail",
    "patches",
    "diffs",
    "lexer",
    "getopt",
)
KNOWLEDGE = ("shell", "languages", "commands", "checks", "tools", "policy")
ANYTHING = ("anything",)
GROUPS = {"leaves": LEAVES, "knowledge": KNOWLEDGE}

# Who may import whom. Everything may import itself; ARCHITECTURE.md shows this very table.
MAY_IMPORT: dict[tuple[str, ...], tuple[str, ...]] = {
    LEAVES: ("leaves",),
    ("shell",): ("leaves",),
    ("languages",): ("leaves",),
    ("commands",): ("leaves",),
    ("checks",): ("leaves",),
    ("tools",): ("leaves",),
    ("policy",): ("leaves",),
    ("hardlinks",): ("leaves",),
    ("listing",): ("leaves",),
    ("walks",): ("leaves", "hardlinks", "listing"),
    ("trees",): ("leaves", "hardlinks", "listing", "walks"),
    ("world",): ("leaves", "listing", "trees"),
    ("folders",): ("leaves",),
    ("classifier",): ("leaves",),
    ("approval",): ("leaves",),
    ("audit",): ("leaves",),
    ("sandbox",): ("leaves",),
    ("repository",): ("leaves",),
    ("understand",): ("leaves", "knowledge"),
    ("scripts",): ("leaves", "knowledge"),
    ("candidates",): ("leaves", "knowledge", "understand"),
    ("defining",): ("leaves", "knowledge"),
    ("earlier",): ("leaves", "knowledge", "repository"),
    ("handed",): ("leaves", "knowledge", "repository", "earlier"),
    ("locate",): ("leaves", "knowledge", "repository", "defining", "earlier", "handed"),
    ("manifests",): ("leaves", "policy"),
    ("pipeline",): (
        *("leaves", "knowledge", "repository", "understand", "scripts", "candidates", "locate"),
        "manifests",
    ),
    ("grants",): ("leaves", "folders", "world"),
    ("limits",): ("leaves", "policy", "folders"),
    ("layers",): (
        "leaves",
        "policy",
        "world",
        "folders",
        "candidates",
        "__init__",
    ),  # candidates: to run the rules' examples
    ("checker",): ("leaves", "policy", "world", "folders", "layers", "pipeline"),
    ("bash",): ("leaves", "policy", "pipeline", "checker", "classifier"),
    ("recipe",): ("leaves", "policy", "tools"),
    ("claims",): ("leaves",),
    ("describe",): ("leaves", "policy", "claims"),
    ("authorization",): ("leaves",),
    ("judging",): ("leaves", "policy", "world", "folders", "layers", "pipeline", "grants", "limits"),
    ("snapshot",): ("leaves",),
    ("codefiles",): ("leaves", "policy", "world", "snapshot"),
    ("fingerprint",): ("leaves", "policy", "world", "folders", "codefiles", "snapshot"),
    ("outbox",): ("leaves", "folders", "grants", "approval", "audit"),
    ("desk",): ("leaves", "policy", "world", "folders", "layers", "grants", "approval", "audit", "outbox"),
    ("guard",): (
        *("leaves", "policy", "world", "pipeline", "grants", "judging", "approval", "audit"),
        *("describe", "fingerprint", "outbox", "desk", "authorization", "classifier"),
    ),
    ("host",): ("leaves", "policy", "folders", "pipeline", "approval", "describe", "outbox", "desk"),
    ("inbox",): ("leaves", "approval", "desk"),
    ("testing",): ("leaves", "trees", "world", "pipeline", "checker", "approval"),
    ("agents",): (
        *("leaves", "policy", "world", "folders", "layers", "grants", "judging", "authorization", "audit"),
        *("desk", "guard"),
    ),
    ("importing",): ("leaves", "policy", "agents"),
    ("exporting",): ("leaves", "policy"),
    ("mcp",): (
        *(
            "leaves",
            "policy",
            "world",
            "folders",
            "judging",
            "authorization",
            "approval",
            "desk",
            "fingerprint",
            "guard",
        ),
    ),
    ("frameworks",): ("leaves", "policy", "judging", "authorization", "desk", "guard"),
    ("cli", "server", "start", "launch", "bundle", "bundling", "__init__", "__main__"): ANYTHING,
}

# Neither the outside world nor a clock nor chance: the same call and the same policy always give the same answer.
PURE = (
    *LEAVES,
    *KNOWLEDGE,
    "repository",
    "scripts",
    "defining",
    "earlier",
    "handed",
    "understand",
    "candidates",
    "locate",
    "manifests",
    "pipeline",
)
IMPURE_MODULES = frozenset(
    {"os", "io", "time", "datetime", "random", "socket", "subprocess", "pathlib", "shutil", "tempfile", "threading"}
    | {"asyncio", "posix", "_io", "_thread", "_socket", "ctypes", "fcntl", "glob", "http", "multiprocessing"}
    | {"secrets", "signal", "ssl", "uuid"}
)
IMPURE_CALLS = frozenset({"open", "print", "input", "exec", "eval"})
PURITY_EXCEPTIONS = {
    ("record.py", "exec"): "writes `__init__` methods from the field names of our own classes",
    ("policy/document.py", "datetime"): "TOML has dates, and `expires` is one",
}

MAX_FUNCTION, MAX_DECIDE = 50, 30
VAGUE_NAMES = frozenset({"utils", "helpers", "base", "manager", "common"})
SKIPS = frozenset({"skip", "skipif", "xfail", "importorskip"})
# In two pieces, so that this file does not contain what it looks for.
FOREIGN_PATHS = ("../" + "shared", "/wo" + "rk/", "/ro" + "ot/.")


class Violation(NamedTuple):
    """One broken rule and where."""

    rule: str
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.text}"


class Source(NamedTuple):
    """One Python file: its path from the root, its place in the package (or nothing) and its tree."""

    file: str
    inside: str
    tree: ast.Module

    @property
    def top(self) -> str:
        """The module or package of `assent` this file belongs to, or nothing."""
        return self.inside.removesuffix(".py").split("/")[0]

    def broken(self, rule: str, node: ast.AST, text: str) -> Violation:
        return Violation(rule, self.file, getattr(node, "lineno", 1), text)


def violations(root: Path) -> list[Violation]:
    """Everything in the tree under `root` that breaks a rule."""
    found = [broken for file in files(root) for broken in foreign_paths(root, file)]
    for source in (parse(root, file) for file in filter(is_python, files(root))):
        for rule in (layers, purity, sizes, names, docstrings, handlers, shells, skips):
            found.extend(rule(source))
    return found


# --- reading the tree ----------------------------------------------------------------------------------------------


def files(root: Path) -> list[Path]:
    """All files that could be committed: what `.gitignore` names is left out."""
    ignore = root / ".gitignore"
    patterns = [".git", *(ignore.read_text(encoding="utf-8").split() if ignore.exists() else ())]
    return sorted(_walk(root, [pattern.strip("/") for pattern in patterns]))


def _walk(folder: Path, ignored: list[str]) -> Iterator[Path]:
    for path in folder.iterdir():
        if any(fnmatch(path.name, pattern) for pattern in ignored):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path, ignored)
        elif path.is_file():
            yield path


def is_python(path: Path) -> bool:
    """By name, or by the first line of a script without a suffix."""
    if path.suffix:
        return path.suffix == ".py"
    with path.open("rb") as stream:
        first = stream.readline(100)
    return first.startswith(b"#!") and b"python" in first


def parse(root: Path, path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    file = path.relative_to(root).as_posix()
    inside = file.removeprefix(PACKAGE + "/") if file.startswith(PACKAGE + "/") else ""
    return Source(file, inside, ast.parse(text, file))


# --- who imports whom ----------------------------------------------------------------------------------------------


def imports(source: Source) -> Iterator[tuple[ast.AST, str]]:
    """Every module a file names, wherever the import stands and however it is spelled, as a dotted name."""
    for node in ast.walk(source.tree):
        match node:
            case ast.Import(names=aliases):
                yield from ((node, alias.name) for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                yield from _imports_from(node, _absolute(source, module, level), aliases)
            case ast.Call(func=ast.Name("__import__" | "import_module"), args=[ast.Constant(str(name)), *_]):
                yield node, name
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(str(name)), *_]):
                yield node, name


def _imports_from(node: ast.AST, module: str, aliases: list[ast.alias]) -> Iterator[tuple[ast.AST, str]]:
    if module != "assent":
        yield node, module
        return
    for alias in aliases:  # `from assent import wire` names a module, `from assent import ToolCall` the package itself
        yield node, f"assent.{alias.name}" if alias.name in _allowed() else "assent"


def _absolute(source: Source, module: str | None, level: int) -> str:
    if not level:
        return module or ""
    package = ["assent", *source.inside.split("/")[:-1]]
    return ".".join([*package[: len(package) - level + 1], *([module] if module else [])])


@cache
def _allowed() -> dict[str, frozenset[str]]:
    everybody = {name for row in MAY_IMPORT for name in row}
    table = {}
    for row, targets in MAY_IMPORT.items():
        open_to = everybody if targets == ANYTHING else {n for t in targets for n in GROUPS.get(t, (t,))}
        for name in row:
            table[name] = frozenset(open_to | {name})
    return table


def layers(source: Source) -> Iterator[Violation]:
    """A module imports only what the table lets it, and stands in the table."""
    if not source.inside:
        return
    allowed = _allowed().get(source.top)
    if allowed is None:
        yield Violation("unlisted", source.file, 1, f"`{source.top}` is not in the table of tests/architecture.py")
        return
    for node, name in imports(source):
        first, _, rest = name.partition(".")
        target = rest.split(".")[0] or "__init__"
        if first == "assent" and target not in allowed:
            yield source.broken("layer", node, f"`{source.top}` may not import `{target}`")


def layer_table() -> str:
    """The table as ARCHITECTURE.md shows it."""

    def shown(names: tuple[str, ...]) -> str:
        return ", ".join(n if n in GROUPS or (n,) == ANYTHING else f"`{n}`" for n in names)

    groups = [f"*{name}* are {shown(members)}." for name, members in GROUPS.items()]
    rows = [
        f"| {'leaves' if row == LEAVES else shown(row)} | {shown(targets)} |" for row, targets in MAY_IMPORT.items()
    ]
    return "\n".join([*groups, "", "| who | may import, besides itself |", "|---|---|", *rows]) + "\n"


def purity(source: Source) -> Iterator[Violation]:
    """The modules that decide cannot touch the outside."""
    if not source.inside or source.top not in PURE:
        return
    for node, name in imports(source):
        module = name.split(".")[0]
        if module in IMPURE_MODULES and (source.inside, module) not in PURITY_EXCEPTIONS:
            yield source.broken("purity", node, f"`{source.top}` is pure and may not import `{name}`")
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(name)) if name in IMPURE_CALLS:
                if (source.inside, name) not in PURITY_EXCEPTIONS:
                    yield source.broken("purity", node, f"`{source.top}` is pure and may not call `{name}()`")


# --- sizes and names -----------------------------------------------------------------------------------------------


def sizes(source: Source) -> Iterator[Violation]:
    """Functions split before they grow; the function that decides fits on a screen."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        decides = source.inside == "policy/decide.py" and node.name == "decide"
        most = MAX_DECIDE if decides else MAX_FUNCTION
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > most:
            rule = "decide-size" if decides else "function-size"
            yield source.broken(rule, node, f"`{node.name}` has {lines} lines, at most {most}")


def names(source: Source) -> Iterator[Violation]:
    """A file is called what a user would call the thing."""
    for part in source.file.removesuffix(".py").split("/"):
        if part in VAGUE_NAMES:
            yield Violation("name", source.file, 1, f"`{part}` says nothing; name what it holds")


def docstrings(source: Source) -> Iterator[Violation]:
    """The first line of a file says what it owns."""
    if not ast.get_docstring(source.tree):
        yield Violation("docstring", source.file, 1, "the first statement must be a docstring")


# --- habits --------------------------------------------------------------------------------------------------------


def handlers(source: Source) -> Iterator[Violation]:
    """No exception is caught without being named, and none disappears."""
    for node in ast.walk(source.tree):
        match node:
            case ast.ExceptHandler(type=None):
                yield source.broken("bare-except", node, "name the exceptions you expect")
            case ast.ExceptHandler(body=[ast.Pass() | ast.Expr(ast.Constant())]):
                yield source.broken("silent-except", node, "an exception may not vanish; say what it means here")


def shells(source: Source) -> Iterator[Violation]:
    """We judge shell commands; we never hand text to a shell ourselves."""
    for node in ast.walk(source.tree):
        match node:
            case ast.keyword(arg="shell", value=ast.Constant(value)) if value is True:
                yield source.broken("shell", node, "start programs with a list of words")


def skips(source: Source) -> Iterator[Violation]:
    """A test runs or is not there."""
    for node in ast.walk(source.tree):
        match node:
            case ast.ImportFrom(module="pytest" | "unittest", names=aliases):
                found = {alias.name for alias in aliases} & SKIPS
            case ast.Attribute(value=ast.Name("pytest" | "mark" | "unittest"), attr=name) if name in SKIPS:
                found = {name}
            case ast.Attribute(value=ast.Attribute(attr="mark"), attr=name) if name in SKIPS:
                found = {name}
            case _:
                found = set()
        for name in sorted(found):
            yield source.broken("skip", node, f"`{name}` hides a test; repair or remove it")


def foreign_paths(root: Path, path: Path) -> Iterator[Violation]:
    """The repository stands alone: it names no folder of the machine it was written on."""
    data = path.read_bytes()
    if b"\0" in data:
        return
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        for foreign in FOREIGN_PATHS:
            if foreign in line:
                file = path.relative_to(root).as_posix()
                yield Violation("foreign-path", file, number, f"`{foreign}` is a path of somebody's machine")
