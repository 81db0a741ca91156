"""assent export: the policy in force as an agent's own rules."""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module

from assent import wire
from assent.cli.options import Options, read_options
from assent.cli.show import paint, uses_colour, visible
from assent.errors import UsageError
from assent.exporting.exported import SOMETIMES, Export, InForce, Left, Writer, left
from assent.folders import own_folders
from assent.layers import load_policy
from assent.pipeline import judge
from assent.policy.compiled import Policy
from assent.policy.rules import read_rule
from assent.protected import SENSITIVE_PATH_PATTERNS
from assent.types import Rule, ToolCall, Verdict
from assent.world import DiskWorld

AGENTS = ("claude-code", "codex", "gemini")
KNOWN = {"--workspace": True, "--allow": False, "--json": False}
NOT_EXACT = "an allow is written only if it names one command, and Assent allows just that"

HELP = """usage: assent export AGENT [--workspace DIR] [--allow] [--json]

Print the policy in force as an agent's own rules: a second line for when no hook runs. Denies and questions only,
unless you say --allow. What the agent can only say wider asks there; what it cannot say is named on standard error.

  AGENT            claude-code, codex or gemini
  --workspace DIR  project root (default: the one the current folder belongs to)
  --allow          also write the allows that mean exactly the same to the agent
  --json           one JSON object: the file, where it belongs, and what it does not hold

Examples:
  assent export codex
  assent export gemini --allow
  assent export claude-code --json
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "export")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if len(options.rest) != 1 or options.rest[0] not in AGENTS:
        raise UsageError("name one agent", help=f"`assent export AGENT`, one of {', '.join(AGENTS)}")
    writer: Writer = import_module(f"assent.exporting.{options.rest[0].replace('-', '_')}")
    policy, skipped = _in_force(options, DiskWorld())
    made = writer.export(policy)
    lacking = (*skipped, *made.left)
    if options.has("--json"):
        rows = [{"what": one.what, "where": one.where, "why": one.why} for one in lacking]
        answer = {"agent": options.rest[0], "file": writer.BELONGS, "text": made.text, "left_out": rows}
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        sys.stdout.write(made.text)
        _report(made, writer, lacking)
    return 0


def _report(made: Export, writer: Writer, lacking: tuple[Left, ...]) -> None:
    colour = uses_colour(sys.stderr)
    sys.stderr.write(f"{made.written} rules for {writer.TITLE}; they belong in {writer.BELONGS}\n")
    for one in lacking:
        sys.stderr.write(f"  {paint('lacks', '33', colour=colour)}  {visible(one.what)} ({one.where}): {one.why}\n")


def _in_force(options: Options, world: DiskWorld) -> tuple[InForce, tuple[Left, ...]]:
    given = options.value("--workspace")
    workspace = os.path.abspath(given) if given else world.workspace(os.getcwd())
    policy = load_policy(os.environ, workspace, world).policy
    if policy.problems:
        raise UsageError(f"the policy is broken: {policy.problems[0]}", help="`assent policy lint` says more")
    rules, skipped = [], []
    for rule in policy.rules():
        why = _why_not(rule, policy, workspace, world, options)
        if why is None:
            rules.append(rule)
        elif why:
            skipped.append(left(rule, why))
    table = policy.table
    denied = tuple(pattern for pattern, allow in table["path_rules"] if not allow)
    floor = tuple(SENSITIVE_PATH_PATTERNS)
    tools, commands = tuple(table["denied_tools"]), tuple(table["denied_commands"])
    found = InForce(tuple(rules), tools, denied, commands, floor, policy.mode, world.home)
    return found, tuple(skipped)


def _why_not(rule: Rule, policy: Policy, workspace: str, world: DiskWorld, options: Options) -> str | None:
    """None for a rule that is to be written; empty for one that nobody asked for."""
    if rule.expires and rule.expires <= time.time():
        return ""
    if rule.verdict > Verdict.ALLOW:
        return None
    if not options.has("--allow"):
        return ""
    if rule.expires or rule.max:
        return SOMETIMES
    target = read_rule(rule.text)
    if target.tool == "WebSearch":
        return None
    words = target.words
    if words is None or words.tail or "*" in words.words or rule.unless or rule.args:
        return NOT_EXACT
    call = ToolCall("Bash", {"command": " ".join(words.words)}, cwd=workspace, workspace=workspace)
    answer = judge(call, policy, world, own_folders(os.environ, world.home))
    return None if answer.verdict == Verdict.ALLOW else NOT_EXACT
