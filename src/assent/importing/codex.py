"""Codex: `prefix_rule(…)` in its rules; config.toml is next door. The strictest rule wins, as with us.

INVARIANT: rules files are programs; they are parsed and never run. Where nobody can tell without running it what a
statement forbids, every command is denied.
"""

from __future__ import annotations

import ast
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence

from assent.agents.codex import TITLE
from assent.agents.hosts.host import Place
from assent.importing.codex_config import read_config
from assent.importing.commands import allowed_words, restricted_words
from assent.importing.document import File, Part
from assent.importing.imported import VERDICTS, Entry, Imported, entry, existing
from assent.importing.statements import read_statements
from assent.types import Verdict

__all__ = ["TITLE", "files", "read"]

RULE_FIELDS = ("pattern", "decision", "justification", "match", "not_match")
NETWORK_FIELDS = ("host", "protocol", "decision", "justification")
NOT_LITERAL = "no plain call of `prefix_rule`: it is not run, so nobody knows what it forbids"
MOST_COMBINATIONS = 500
WHERE = "it says where a program lies; denies hold for every path here, allows for the bare name"


def files(place: Place) -> tuple[str, ...]:
    if place.scope == "project":
        folder = os.path.join(place.project, ".codex")
    else:
        folder = place.env.get("CODEX_HOME") or os.path.join(place.home, ".codex")
    return (*existing(os.path.join(folder, "rules"), ".rules"), os.path.join(folder, "config.toml"))


def read(files: Sequence[File], place: Place) -> tuple[Imported, ...]:  # noqa: ARG001 - the protocol
    return tuple(found for file in files for found in _read_file(file))


def _read_file(file: File) -> Iterator[Imported]:
    if file.path.endswith(".toml"):
        yield from read_config(file)
        return
    for part in read_statements(file).children:
        yield from _statement(part)


def _statement(part: Part) -> Iterator[Imported]:
    statement = part.value
    assert isinstance(statement, ast.stmt)  # noqa: S101 - narrows for the type checker
    given = entry(part, ast.unparse(statement))
    match statement:
        case ast.Expr(ast.Call(func=ast.Name("prefix_rule")) as call):
            fields, reads = _fields(call, RULE_FIELDS), _prefix_rule
        case ast.Expr(ast.Call(func=ast.Name("network_rule")) as call):
            fields, reads = _fields(call, NETWORK_FIELDS), _network_rule
        case ast.Expr(ast.Call(func=ast.Name("host_executable"))):
            yield given.left_out(WHERE)
            return
        case ast.Expr(ast.Constant(str())):
            yield given.holds("a comment")
            return
        case _:
            yield _unknown(given) if _may_forbid(statement) else given.says_nothing("it calls nothing")
            return
    if fields is None:
        allows = _decision(call) == Verdict.ALLOW
        yield given.left_out("an allow that is no plain call") if allows else _unknown(given)
    else:
        yield from reads(given, fields)


def _unknown(given: Entry) -> Imported:
    return given.means(Verdict.DENY).widened("Bash", "Bash", NOT_LITERAL)


def _may_forbid(statement: ast.stmt) -> bool:
    """Whether running it could call `prefix_rule`, in whatever way."""
    return any(
        isinstance(node, (ast.Call, ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.Name) and node.id in ("prefix_rule", "network_rule"))
        for node in ast.walk(statement)
    )


def _decision(call: ast.Call) -> Verdict | None:
    """The decision of a call whose other arguments nobody can read, if that much is certain."""
    hidden = any(isinstance(node, ast.Starred) for node in call.args) or any(one.arg is None for one in call.keywords)
    given = [one.value for one in call.keywords if one.arg == "decision"]
    if hidden or len(call.args) > 1 or len(given) > 1:
        return None
    if not given:
        return Verdict.ALLOW
    return _verdict({"decision": given[0].value}) if isinstance(given[0], ast.Constant) else None


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
        yield given.left_out("an allow of no words") if verdict == Verdict.ALLOW else _unknown(given)
        return
    given = given.means(verdict)
    for words in itertools.product(*choices):
        yield allowed_words(given, words) if verdict == Verdict.ALLOW else restricted_words(given, words)


def _verdict(fields: Mapping[str, object]) -> Verdict | None:
    given = fields.get("decision", "allow")
    return VERDICTS.get(given) if isinstance(given, str) else None


def _choices(pattern: object) -> list[tuple[str, ...]] | None:
    """The words that may stand in each place."""
    if not isinstance(pattern, (list, tuple)) or not pattern:
        return None
    found = [(word,) if isinstance(word, str) else _texts_in(word) for word in pattern]
    many = 1
    for given, words in zip(pattern, found, strict=True):
        many *= len(words)
        if not words or (isinstance(given, list) and len(words) != len(given)) or many > MOST_COMBINATIONS:
            return None
    return found


def _texts_in(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _network_rule(given: Entry, fields: Mapping[str, object]) -> Iterator[Imported]:
    host, verdict = fields.get("host"), _verdict(fields)
    given = given.means(Verdict.DENY if verdict is None else verdict)
    if given.meant != Verdict.ALLOW and (not isinstance(host, str) or verdict is None):
        yield given.widened("WebFetch", "WebFetch", "no host that Assent can read")
    elif given.meant != Verdict.ALLOW:
        yield given.restricts(f"WebFetch(domain:{host})", "WebFetch")
    elif fields.get("protocol") == "https" and isinstance(host, str):
        yield given.allows(f"WebFetch(domain:{host})", "fetching is free, sending data asks")
    else:
        yield given.left_out("an allow of Assent is for https")
