"""Codex: `prefix_rule(…)` in its rules, and what config.toml says about asking. The strictest rule wins, as with us.

INVARIANT: rules files are programs; they are parsed and never run. What is no plain call makes every command ask.
"""

from __future__ import annotations

import ast
import itertools
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

from assent.agents.codex import TITLE
from assent.agents.hosts.host import Place
from assent.errors import InputError
from assent.importing.commands import allowed_words, restricted_words
from assent.importing.imported import (
    VERDICTS,
    Entry,
    File,
    Imported,
    entry,
    existing,
    is_ours,
    read_toml,
    table_in,
    texts_in,
)
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

RULE_FIELDS = ("pattern", "decision", "justification", "match", "not_match")
NETWORK_FIELDS = ("host", "protocol", "decision", "justification")
NOT_LITERAL = "no plain call of `prefix_rule`: it is not run, so nobody knows what it forbids"
MOST_CHARACTERS = 1_000_000
MOST_COMBINATIONS = 500
FREE = ("on-request", "on-failure", "never")
LAYERED = ("profile", "permissions", "default_permissions")


def files(place: Place) -> tuple[str, ...]:
    if place.scope == "project":
        folder = os.path.join(place.project, ".codex")
    else:
        folder = place.env.get("CODEX_HOME") or os.path.join(place.home, ".codex")
    return (*existing(os.path.join(folder, "rules"), ".rules"), os.path.join(folder, "config.toml"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:  # noqa: ARG001 - the protocol
    return tuple(found for file in files for found in _read_file(file))


def _read_file(file: File) -> Iterator[Imported]:
    if is_ours(file):
        return
    if file.path.endswith(".toml"):
        yield from _config(file)
        return
    for statement in _statements(file):
        yield from _statement(file, statement)


def _statements(file: File) -> list[ast.stmt]:
    if len(file.text) > MOST_CHARACTERS:
        raise InputError(f"`{file.path}` has more than {MOST_CHARACTERS} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(file.text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = getattr(error, "msg", "") or type(error).__name__
        line = getattr(error, "lineno", 0) or 0
        raise InputError(f"`{file.path}` cannot be read: {why} in line {line}", help="repair it first") from None


def _statement(file: File, statement: ast.stmt) -> Iterator[Imported]:
    given = entry(file, statement.lineno, ast.unparse(statement))
    match statement:
        case ast.Expr(ast.Call(func=ast.Name("prefix_rule")) as call):
            fields, reads = _fields(call, RULE_FIELDS), _prefix_rule
        case ast.Expr(ast.Call(func=ast.Name("network_rule")) as call):
            fields, reads = _fields(call, NETWORK_FIELDS), _network_rule
        case ast.Expr(ast.Call(func=ast.Name("host_executable"))):
            return  # says where programs lie; our deny rules hold for every path, our allow rules for the bare name
        case ast.Expr(ast.Constant(str())):
            return
        case _:
            fields, reads = None, _prefix_rule
    if fields is None:
        yield given.widened("Bash", "Bash", NOT_LITERAL)
    else:
        yield from reads(given, fields)


def _fields(call: ast.Call, names: tuple[str, ...]) -> Mapping[str, object] | None:
    """The arguments of a call if all of them are literals."""
    found: dict[str, object] = {}
    try:
        for name, node in (*zip(names, call.args, strict=False), *((one.arg, one.value) for one in call.keywords)):
            if name not in names or name in found or len(call.args) > len(names):
                return None
            found[name] = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return found


def _prefix_rule(given: Entry, fields: Mapping[str, object]) -> Iterator[Imported]:
    verdict = _verdict(fields)
    choices = _choices(fields.get("pattern"))
    if verdict is None or choices is None:
        yield given.widened("Bash", "Bash", NOT_LITERAL)
        return
    for words in itertools.product(*choices):
        yield allowed_words(given, words) if verdict == Verdict.ALLOW else restricted_words(given, verdict, words)


def _verdict(fields: Mapping[str, object]) -> Verdict | None:
    given = fields.get("decision", "allow")
    return VERDICTS.get(given) if isinstance(given, str) else None


def _choices(pattern: object) -> list[tuple[str, ...]] | None:
    """The words that may stand in each place."""
    if not isinstance(pattern, (list, tuple)) or not pattern:
        return None
    found = [(word,) if isinstance(word, str) else texts_in(word) for word in pattern]
    many = 1
    for given, words in zip(pattern, found, strict=True):
        many *= len(words)
        if not words or (isinstance(given, list) and len(words) != len(given)) or many > MOST_COMBINATIONS:
            return None
    return found


def _network_rule(given: Entry, fields: Mapping[str, object]) -> Iterator[Imported]:
    host, verdict = fields.get("host"), _verdict(fields)
    if not isinstance(host, str) or verdict is None:
        yield given.widened("WebFetch", "WebFetch", "no host that Assent can read")
    elif verdict > Verdict.ALLOW:
        yield given.restricts(verdict, f"WebFetch(domain:{host})", "WebFetch")
    elif fields.get("protocol") == "https":
        yield given.allows(f"WebFetch(domain:{host})", "fetching is free, sending data asks")
    else:
        yield given.left_out("an allow of Assent is for https")


# --- config.toml ---------------------------------------------------------------------------------------------------


def _config(file: File) -> Iterator[Imported]:
    data, line = read_toml(file)
    layered = [name for name in LAYERED if name in data]
    policy, sandbox = data.get("approval_policy", "on-request"), data.get("sandbox_mode")
    for name in ("approval_policy", "sandbox_mode"):
        if name in data:
            given = entry(file, line((name,)), f"{name} = {data[name]}")
            if layered:
                yield given.left_out(f"`{layered[0]}` may change it")
            elif name == "sandbox_mode":
                yield _sandbox(given, policy, sandbox)
            elif policy == "never" and sandbox != "read-only":
                yield given.left_out("what nobody is asked about in Codex asks with Assent")
    if sandbox == "workspace-write" and policy in FREE and not layered:
        yield from _roots(file, table_in(data, "sandbox_workspace_write"), line)


def _sandbox(given: Entry, policy: object, sandbox: object) -> Imported:
    if sandbox == "read-only" and policy == "never":
        return given.sets("mode", "plan")
    if sandbox == "workspace-write" and policy in FREE:
        return given.sets("extends", "workspace", "commands that only the sandbox holds ask, and so does .git")
    if sandbox == "read-only":
        return given.left_out("writing asks anyway")
    return given.left_out("no preset of Assent is as wide")


def _roots(file: File, table: Mapping[str, object], line: Callable[[tuple[str | int, ...]], int]) -> Iterator[Imported]:
    name = "sandbox_workspace_write"
    for number, root in enumerate(texts_in(table.get("writable_roots"))):
        given = entry(file, line((name, "writable_roots", number)), f"writable_roots {root}")
        if not root.startswith("/") or not root.strip("/") or any(sign in root for sign in "*?[]{}\\"):
            yield given.left_out("no folder that a rule could name")
        else:
            yield given.allows(f"Write({root.rstrip('/')}/**)", "writing is free there, deleting asks")
    if table.get("network_access") is True:
        given = entry(file, line((name, "network_access")), "network_access = true")
        yield given.left_out("every host: name the hosts that you mean")
