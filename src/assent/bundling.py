"""Writes the bundle: which modules are in it, and which are read together. They are compiled as they stand."""

from __future__ import annotations

import ast
import marshal
import os

from assent.bundle import KEY, PACKAGE
from assent.folders import write_atomically

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

    from assent.bundle import Entry

LEFT_OUT = (
    *("testing", "checker", "recipe", "bundle", "bundling", "__main__", "start", "launch"),
    *("cli/main", "cli/policy", "cli/mode", "cli/explain", "cli/parse", "cli/audit", "cli/audit_show", "cli/serve"),
    *("cli/mcp", "cli/install", "cli/uninstall", "cli/doctor", "cli/grants", "cli/run", "cli/sandbox", "cli/judge"),
    *("cli/export", "cli/importing"),
    *("policy/document", "policy/positions", "policy/fields", "policy/lint", "policy/examples", "policy/load"),
    *("policy/modes", "policy/settings", "audit/reading", "audit/verify", "audit/exports", "audit/entries"),
)
LEFT_OUT_FOLDERS = (
    "server/",
    "mcp/",
    "frameworks/",
    "approval/channels/",
    "agents/hosts/",
    "importing/",
    "exporting/",
)
"""What no hook loads."""
TOGETHER = (
    ("assent.cli", "assent.cli.fast", "assent.cli.options", "assent.pipeline", "assent.layers"),
    ("assent.shell.calls", "assent.commands.facts", "assent.checks.hidden_text"),
    ("assent.cli.hook", "assent.agents.claude_code", "assent.audit.journal"),
    ("assent.commands.git", "assent.commands.git_repository", "assent.repository", "assent.listing"),
)
"""What is read at once, with all that it imports first: for every answer, every command line, every hook, for git."""


def write(file: str) -> None:
    """Compile every module that a hook may load into a bundle."""
    trees: dict[str, tuple[str, ast.Module]] = {}
    for path, source in _sources():
        with open(path, "rb") as text:
            trees[_module(source)] = source, ast.parse(text.read())
    needs = {name: _needs(tree, trees.keys()) for name, (_, tree) in trees.items()}
    index: dict[str, Entry] = {}
    blobs: list[bytes] = []
    begins = 0
    for group in _groups(needs):
        blobs.append(marshal.dumps({name: _compiled(*trees[name]) for name in group}))
        for name in group:
            source = trees[name][0]
            facts = os.stat(f"{PACKAGE}/{source}")
            dated = source.endswith("__init__.py"), source, facts.st_mtime_ns, facts.st_size
            index[name] = *dated, needs[name], begins, len(blobs[-1])
        begins += len(blobs[-1])
    head = marshal.dumps((KEY, begins, index))
    write_atomically(file, len(head).to_bytes(8, "little") + head + b"".join(blobs), mode=0o644)


def _sources() -> Iterator[tuple[str, str]]:
    for folder, _, names in os.walk(PACKAGE):
        for name in sorted(names):
            file = os.path.join(folder, name)
            source = os.path.relpath(file, PACKAGE).replace(os.sep, "/")
            if name.endswith(".py") and not source.startswith(LEFT_OUT_FOLDERS) and source[:-3] not in LEFT_OUT:
                yield file, source


def _module(source: str) -> str:
    dotted = source.removesuffix(".py").replace("/", ".").removesuffix("__init__").rstrip(".")
    return f"assent.{dotted}" if dotted else "assent"


def _needs(tree: ast.Module, known: object) -> tuple[str, ...]:
    """The modules that the imports at the top of a module load, in their order, folders before what is in them."""
    found: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            parts = node.module.split(".")
            found |= dict.fromkeys(".".join(parts[: at + 1]) for at in range(len(parts)))
            found |= dict.fromkeys(f"{node.module}.{name.name}" for name in node.names)
    return tuple(name for name in found if name in known)  # type: ignore[operator]


def _groups(needs: dict[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """Every module once: those that are read together, then each of the others alone."""
    left = dict.fromkeys(needs)
    for names in TOGETHER:
        wanted = list(names)
        for name in wanted:
            wanted += [need for need in needs[name] if need not in wanted]
        yield [name for name in wanted if name in left]
        for name in wanted:
            left.pop(name, None)
    for name in left:
        yield [name]


def _compiled(source: str, tree: ast.Module) -> CodeType:
    code: CodeType = compile(tree, f"{PACKAGE}/{source}", "exec", dont_inherit=True, optimize=0)
    return code
