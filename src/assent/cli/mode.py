"""assent mode: show or set the mode for a project, or for all of them."""

from __future__ import annotations

import os
import sys

from assent import folders, wire
from assent.audit.journal import Journal
from assent.cli.options import read_options
from assent.desk import person
from assent.errors import UsageError
from assent.layers import load_policy, mode_key, set_mode
from assent.outbox import human
from assent.policy.workflow import STRICTNESS
from assent.world import DiskWorld

KNOWN = {"--workspace": True, "--all": False, "--reset": False, "--json": False}

HELP = """usage: assent mode [default|plan|full_auto] [--workspace DIR | --all] [--reset] [--json]

Show the mode in force here, or set it. A mode says when Assent asks:

  default     reads inside the project run, everything else asks
  plan        nothing that changes anything runs, and no approval lifts that
  full_auto   only ask rules, built-in questions and what is not understood ask;
              floor and deny rules hold

  --workspace DIR   the project (default: the one the current folder belongs to)
  --all             for every project that has no mode of its own
  --reset           forget the mode set here, so that the policy files decide again
  --json            answer as one JSON object

A managed policy's mode is an upper bound that this cannot loosen.

Examples:
  assent mode
  assent mode plan
  assent mode --reset
"""

MEANS = {
    "default": "reads inside the project run, everything else asks",
    "plan": "nothing that changes anything runs",
    "full_auto": "only ask rules, built-in questions and what is not understood ask",
}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "mode")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    world = DiskWorld()
    given = options.value("--workspace")
    workspace = os.path.abspath(given) if given else world.workspace(os.getcwd())
    key = "*" if options.has("--all") else mode_key(workspace)
    if len(options.rest) > 1 or (options.rest and options.has("--reset")):
        raise UsageError("give one mode, or --reset", help="see `assent mode --help`")
    if options.rest or options.has("--reset"):
        _set(world, key, options.rest[0] if options.rest else "")
    return _show(world, workspace, as_json=options.has("--json"))


def _set(world: DiskWorld, key: str, mode: str) -> None:
    if mode and mode not in STRICTNESS:
        raise UsageError(f"unknown mode `{mode}`", help="one of default, plan, full_auto")
    state = folders.state_folder(os.environ, world.home)
    where = {"note": "everywhere"} if key == "*" else {"cwd": key}
    told = {"mode": mode or "reset", **where, "decided_by": human(person(), "terminal")}
    Journal(os.path.join(state, "audit")).append("mode", told)  # first, so that no mode is in force unrecorded
    set_mode(state, world, key, mode)


def _show(world: DiskWorld, workspace: str, *, as_json: bool) -> int:
    policy = load_policy(os.environ, workspace, world).policy
    if as_json:
        answer = {"mode": policy.mode, "workspace": workspace, "problems": policy.problems}
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        where = f"in {workspace}" if workspace else "outside any project"
        sys.stdout.write(f"{policy.mode}: {MEANS[policy.mode]}\n  {where}\n")
    for problem in policy.problems:
        sys.stderr.write(f"assent: {problem}\n")
    return 2 if policy.problems else 0
