"""assent policy: show, lint, test and trust policy files, and print their schema."""

from __future__ import annotations

import os
import sys
import time

from assent import folders, wire
from assent.cli.options import Options, read_options
from assent.cli.show import COLOURS, LABELS, paint, uses_colour, visible
from assent.digest import sha256
from assent.errors import InputError, PolicyError, UsageError
from assent.layers import Layered, Loaded, check_layers, load_policy, read_layers
from assent.types import Rule, Verdict
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from assent.cli.batch import Batch
    from assent.policy.document import Document
    from assent.policy.lint import Reach
    from assent.policy.load import Source

KNOWN = {
    "--workspace": True,
    "--file": True,
    "--yes": False,
    "--revoke": False,
    "--json": False,
}

TAKES: dict[str, tuple[int, tuple[str, ...]]] = {
    "show": (0, ("--workspace", "--json")),
    "lint": (0, ("--workspace", "--file", "--json")),
    "test": (1, ("--workspace", "--file", "--json")),
    "trust": (1, ("--workspace", "--yes", "--revoke")),
    "schema": (0, ()),
}
"""How many words may follow an action, and its options."""

HELP = """usage: assent policy show  [--workspace DIR] [--json]
       assent policy lint  [--workspace DIR | --file FILE] [--json]
       assent policy test  [CASES.jsonl] [--workspace DIR | --file FILE] [--json]
       assent policy trust [FILE] [--yes | --revoke] [--workspace DIR]
       assent policy schema

show    every layer that applies here, its rules in order, and what is ignored
lint    errors (file:line:column), doubts (dead, double, expired, too wide, too narrow rules), and what
        each rule on commands matches and does not match
test    run the `match` and `not_match` examples of every rule, and the cases of a file: lines of
        `assent check --jsonl` with an `expect` of allow, ask or deny
trust   let a project's policy file loosen things, for exactly its present content
schema  the JSON Schema of a policy file, for your editor

  --workspace DIR   project root (default: the one the current folder belongs to)
  --file FILE       look at this file alone
  --yes             trust without the question (there is none without a terminal)
  --revoke          trust the file no longer
  --json            answer as one JSON object

Files, loosest first: ~/.config/assent/policy.toml, .assent/policy.toml and .assent/policy.local.toml
in the project, /etc/assent/policy.d/*.toml. Denials and questions merge from all of them.

Exit code: 0 fine, 1 doubts or failed cases, 2 errors.

Examples:
  assent policy lint
  assent policy test cases.jsonl
  assent policy trust .assent/policy.toml
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "policy")
    action = options.rest[0] if options.rest else ""
    if options.has("--help") or not action:
        sys.stdout.write(HELP)
        return 0 if options.has("--help") else 2
    actions = {"show": show, "lint": lint, "test": test, "trust": trust, "schema": schema}
    if action not in actions:
        from difflib import get_close_matches

        close = get_close_matches(action, list(actions), n=1)
        advice = f"did you mean `{close[0]}`?" if close else f"one of {', '.join(actions)}"
        raise UsageError(f"unknown action `{action}`", help=advice)
    _refuse_surplus(options, action)
    return actions[action](options, DiskWorld())


def _refuse_surplus(options: Options, action: str) -> None:
    """What an action would ignore is an error: a person may believe that it looked at the file they named."""
    words, known = TAKES[action]
    for name in options.given:
        if name not in known:
            raise UsageError(f"`{name}` does not go with `policy {action}`", help="see `assent policy --help`")
    if len(options.rest) - 1 > words:
        advice = "name the file with --file" if action == "lint" else "see `assent policy --help`"
        raise UsageError(f"`{options.rest[-1]}` is one argument too many", help=advice)


def _workspace(options: Options, world: DiskWorld) -> str:
    given = options.value("--workspace")
    return os.path.abspath(given) if given else world.workspace(os.getcwd())


def _layers(options: Options, world: DiskWorld) -> list[Layered]:
    """The files to look at: one named file, or every layer of the workspace."""
    file = options.value("--file")
    if file is None:
        state = folders.state_folder(os.environ, world.home)
        return list(read_layers(os.environ, _workspace(options, world), world, state))
    data = world.read(os.path.abspath(file))
    if data is None:
        raise UsageError(f"there is no file `{file}`")
    return [Layered("user", file, data)]


# --- show ----------------------------------------------------------------------------------------------------------

SETTINGS: dict[str, Callable[[Any], str]] = {
    "allowed_tools": lambda tool: f"allow the tool {tool}",
    "denied_tools": lambda tool: f"deny the tool {tool}",
    "path_rules": lambda rule: f"{'read freely in' if rule[1] else 'deny'} {rule[0]}",
    "denied_commands": lambda pattern: f"deny the command {pattern}",
}
"""The settings of a policy that are not rules, and how a person reads them."""
VERDICTS = (Verdict.ALLOW, Verdict.ASK, Verdict.DENY)


def show(options: Options, world: DiskWorld) -> int:
    workspace = _workspace(options, world)
    loaded = load_policy(os.environ, workspace, world)
    rules = list(loaded.policy.rules())
    if options.has("--json"):
        answer = {
            "mode": loaded.policy.mode,
            "workspace": workspace,
            "files": [{"layer": layer, "file": file} for layer, file in loaded.files],
            "rules": [_as_object(rule) for rule in rules],
            "descriptions": [_as_object(rule) for rule in loaded.policy.described(*VERDICTS)],
            "classifier": loaded.policy.table["classifier"],
            **{name: loaded.policy.table[name] for name in SETTINGS},
            "notices": list(loaded.notices),
            "problems": loaded.policy.problems,
            "digest": loaded.policy.digest,
        }
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        _show_text(loaded, workspace, rules)
    for problem in loaded.policy.problems:
        sys.stderr.write(f"assent: {problem}\n")
    return 2 if loaded.policy.problems else 0


def _show_text(loaded: Loaded, workspace: str, rules: list[Rule]) -> None:
    colour = uses_colour()
    out = [f"mode {loaded.policy.mode} in {workspace or 'no project'}", ""]
    if not loaded.files:
        out += ["No policy files; the built-in rules apply. To add your own, write", ""]
        out += ["  ~/.config/assent/policy.toml     for you", "  .assent/policy.toml              for this project"]
    for layer, file in loaded.files:
        out.append(paint(f"{layer}  {file}", "1", colour=colour))
        mine = [rule for rule in rules if rule.file == file]
        for rule in mine:
            label = paint(f"{LABELS[rule.verdict].lower():<5}", COLOURS[rule.verdict], colour=colour)
            out.append(f"  {rule.line:>4}  {label} {visible(rule.text)}{_extras(rule)}")
        described = [rule for rule in loaded.policy.described(*VERDICTS) if rule.file == file]
        out += [f"  {rule.line:>4}  {rule.id.partition('-')[0]}: {visible(rule.text)}" for rule in described]
        out += [] if mine or described else ["        no rules"]
    settings = list(_settings(loaded.policy.table))
    settings += [f"        descriptions are judged by {visible(loaded.policy.judge)}"] if loaded.policy.judge else []
    out += ["", paint("settings of all files", "1", colour=colour), *settings] if settings else []
    out += ["", *(f"note: {visible(notice)}" for notice in loaded.notices)] if loaded.notices else []
    sys.stdout.write("\n".join(out) + "\n")


def _settings(table: dict[str, list[Any]]) -> Iterator[str]:
    for name, says in SETTINGS.items():
        for entry in table[name]:
            yield f"        {visible(says(entry))}"


def _extras(rule: Rule) -> str:
    shown = [f"unless {text}" for text in rule.unless]
    shown += [f"{name} in {', '.join(values)}" for name, values in rule.args]
    if rule.expires:
        shown.append(f"until {time.strftime('%Y-%m-%d %H:%M', time.gmtime(rule.expires))} UTC")
    shown += [f'"{rule.message}"'] if rule.message else []
    return f"  ({'; '.join(visible(text) for text in shown)})" if shown else ""


def _as_object(rule: Rule) -> dict[str, object]:
    return {
        "verdict": str(rule.verdict),
        "rule": rule.text,
        "id": rule.id,
        "message": rule.message,
        "unless": list(rule.unless),
        "args": {name: list(values) for name, values in rule.args},
        "expires": rule.expires or None,
        "layer": rule.layer,
        "source": rule.where,
    }


# --- lint and test -------------------------------------------------------------------------------------------------


def lint(options: Options, world: DiskWorld) -> int:
    from assent.candidates import found_in_example
    from assent.commands import variations
    from assent.policy.lint import doubts_about, reach_of, unjudged
    from assent.policy.lint import lint as doubts
    from assent.policy.load import combine

    layered = _layers(options, world)
    sources, errors = check_layers(layered)
    errors += [PolicyError(layer.trouble, file=layer.file) for layer in layered if layer.trouble]
    rules = [rule for source in sources for rule in source.document.rules]
    reaches = [reach for rule in rules if (reach := reach_of(rule, found_in_example, variations)) is not None]
    warnings = doubts(rules, time.time())
    warnings += [doubt for reach in reaches for doubt in doubts_about(reach, variations)]
    if not options.has("--file"):
        policy = combine(sources)[0]
        warnings += unjudged(policy.described(*VERDICTS), policy.judge)
    if options.has("--json"):
        answer = {
            "errors": [{"where": e.where, "message": e.message, "help": e.help} for e in errors],
            "warnings": [{"where": w.rule.where, "message": w.text, "help": w.help} for w in warnings],
            "commands": [_reach_object(reach) for reach in reaches],
        }
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        for error in errors:
            sys.stdout.write(f"{error.where}: error: {error.message}{_help(error.help)}\n")
        for warning in warnings:
            sys.stdout.write(f"{warning.rule.where}: doubt: {warning.text}{_help(warning.help)}\n")
        for reach in reaches:
            sys.stdout.write(_reach_text(reach))
        counts = ((layered, "file"), (rules, "rule"), (errors, "error"), (warnings, "doubt"))
        sys.stdout.write(", ".join(f"{len(found)} {name}{'s' * (len(found) != 1)}" for found, name in counts) + "\n")
    return 2 if errors else 1 if warnings else 0


def _reach_object(reach: Reach) -> dict[str, object]:
    return {
        "where": reach.rule.where,
        "verdict": str(reach.rule.verdict),
        "rule": reach.rule.text,
        "reading": reach.reading,
        "matches": list(reach.matches),
        "does_not_match": list(reach.misses),
    }


def _reach_text(reach: Reach) -> str:
    """What a rule on commands matches, one line for each kind of example."""
    out = [f"{reach.rule.where}: {reach.rule.verdict} {visible(reach.rule.text)}"]
    out += [f"    is read as {visible(reach.reading)}"] if reach.reading else []
    out += [f"    matches {', '.join(f'`{visible(line)}`' for line in reach.matches) or 'nothing'}"]
    out += [f"    does not match {', '.join(f'`{visible(line)}`' for line in reach.misses)}"] if reach.misses else []
    return "\n".join(out) + "\n"


def _help(text: str) -> str:
    return f"\n    help: {text}" if text else ""


def test(options: Options, world: DiskWorld) -> int:
    layered = _layers(options, world)
    sources, errors = check_layers(layered)
    errors += [PolicyError(layer.trouble, file=layer.file) for layer in layered if layer.trouble]
    rules = [rule for source in sources for rule in source.document.rules]
    examples = sum(len(rule.match) + len(rule.not_match) for rule in rules)
    failures = [str(error) for error in errors]
    cases = 0
    for file in options.rest[1:]:
        for failure in _run_cases(file, _judge_of_cases(options, world, sources, failures)):
            cases += 1
            failures += [failure] if failure else []
    if options.has("--json"):
        sys.stdout.write(wire.dumps({"examples": examples, "cases": cases, "failures": failures}) + "\n")
    else:
        for failure in failures:
            sys.stdout.write(f"failed: {visible(failure)}\n")
        sys.stdout.write(f"{examples} examples and {cases} cases, {len(failures)} failed\n")
    return 2 if errors else 1 if failures else 0


def _judge_of_cases(options: Options, world: DiskWorld, sources: list[Source], problems: list[str]) -> Batch:
    """Judges cases that name no policy of their own by what `--workspace` and `--file` say."""
    from assent.cli.batch import Batch
    from assent.policy.load import combine

    workspace = _workspace(options, world) if options.has("--workspace") else ""
    policy = combine(sources, problems=problems)[0] if options.has("--file") else None
    return Batch(workspace=workspace, policy=policy)


def _run_cases(file: str, judge_line: Batch) -> list[str]:
    """One text for each case; empty when it answered as expected."""
    try:
        with open(file, "rb") as lines:
            return [_run_case(judge_line, line, f"{file}:{number}") for number, line in enumerate(lines, 1)]
    except OSError as error:
        raise UsageError(f"cannot read `{file}`: {error.strerror}") from error


def _run_case(judge_line: Batch, line: bytes, where: str) -> str:
    try:
        row = wire.loads(line)
    except InputError as error:
        return f"{where}: {error}"
    expected = row.get("expect") if isinstance(row, dict) else None
    if expected not in ("allow", "ask", "deny"):
        return f"{where}: `expect` must be allow, ask or deny"
    answer = judge_line(line)
    if answer["verdict"] == expected:
        return ""
    return f"{where}: expected {expected}, got {answer['verdict']}: {answer.get('reason') or answer.get('error')}"


# --- trust and schema ----------------------------------------------------------------------------------------------


def trust(options: Options, world: DiskWorld) -> int:
    workspace = _workspace(options, world)
    if not workspace and len(options.rest) < 2:
        raise UsageError("this folder belongs to no project", help="name the file, or the project with --workspace")
    default = os.path.join(workspace, ".assent", "policy.toml")
    file = os.path.abspath(options.rest[1]) if len(options.rest) > 1 else default
    store = folders.Trust(folders.state_folder(os.environ, world.home))
    if options.has("--revoke"):
        known = store.untrust(file)
        sys.stdout.write(f"{file} is not trusted{' any more' if known else ''}\n")
        return 0
    data = world.read(file)
    if data is None and len(options.rest) > 1:
        raise UsageError(f"there is no file `{file}`")
    if data is None:
        sys.stdout.write(f"{workspace} has no policy file. Trusting it ends what `untrusted` in yours says about it.\n")
    else:
        sources, errors = check_layers([Layered("project", file, data)])
        if errors:
            raise errors[0]
        _show_loosening(file, sources[0].document)
    if not options.has("--yes") and not _confirmed():
        sys.stdout.write("Nothing was changed.\n")
        return 1
    store.trust(file, sha256(data or b""), time.time())
    sys.stdout.write(f"Trusted until {'it changes' if data is not None else 'it has one'}: {file}\n")
    return 0


def _show_loosening(file: str, document: Document) -> None:
    out = [f"{file} would be able to"]
    out += [f"  set the mode to {document.mode}"] if document.mode else []
    out += ["  let files of the project be changed without a question"] if document.extends == "workspace" else []
    out += [f"  allow the tool {visible(tool)}" for tool in document.allowed_tools]
    out += [f"  let reads run freely in {visible(pattern)}" for pattern, allow in document.path_rules if allow]
    out += [f"  allow {visible(r.text)}{_extras(r)}" for r in document.rules if r.verdict == Verdict.ALLOW]
    sentences = [rule.text for rule in document.descriptions if rule.verdict == Verdict.ALLOW]
    out += [f"  let a model allow what it takes for: {visible(text)}" for text in sentences]
    out += ["  loosen nothing: it only denies and asks"] if len(out) == 1 else []
    sys.stdout.write("\n".join(out) + "\n")


def _confirmed() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask you", help="read the file, then run it again with --yes")
    sys.stdout.write("Type yes to trust exactly this content: ")
    sys.stdout.flush()
    return sys.stdin.readline().strip() == "yes"


def schema(options: Options, world: DiskWorld) -> int:  # noqa: ARG001 - every action has the same shape
    file = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "policy", "policy.schema.json")
    with open(file, encoding="utf-8") as text:
        sys.stdout.write(text.read())
    return 0
