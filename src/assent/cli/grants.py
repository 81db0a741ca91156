"""assent grants: commands of a project that run without a question while the files that define them are unchanged."""

from __future__ import annotations

import os
import sys
import time

from assent import folders, wire
from assent.cli.check import choose_policy, read_call
from assent.cli.options import Options, read_options
from assent.errors import UsageError
from assent.folders import own_folders
from assent.grants import Grant, add_grant, read_grants, revoke_grant
from assent.pipeline import judge
from assent.types import Verdict
from assent.world import DiskWorld

KNOWN = {"--workspace": True, "--cwd": True, "--days": True, "--json": False}

HELP = """usage: assent grants [list] [--json]
       assent grants add COMMAND [--cwd DIR] [--workspace DIR] [--days N]
       assent grants revoke ID

With `extends = "workspace"` in a policy, a command that the project itself defines (`make test`, `npm test`, `pytest`)
asks until you grant it. A grant holds for that command in that folder while the files that define it have the same
content; when one of them changes, the command asks again. Grants never lift a deny or ask rule.

  --cwd DIR         the folder in which the command runs (default: here)
  --workspace DIR   the project (default: the nearest folder above with .assent or .git)
  --days N          let the grant end after so many days
  --json            list as JSON

Examples:
  assent grants
  assent grants list --json
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "grants")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    action, rest = (options.rest[0], options.rest[1:]) if options.rest else ("list", [])
    if action not in ("list", "add", "revoke"):
        raise UsageError(f"unknown action `{action}`", help="one of list, add, revoke")
    if len(rest) != (0 if action == "list" else 1):
        raise UsageError(f"`grants {action}` takes {'nothing' if action == 'list' else 'one argument'} more")
    world = DiskWorld()
    state = folders.state_folder(os.environ, world.home)
    if action == "add":
        options.rest = rest
        return _add(options, world, state)
    if action == "revoke":
        gone = revoke_grant(state, world, rest[0])
        sys.stdout.write(f"revoked {gone.id}: {gone.command} in {gone.workspace}\n")
        return 0
    return _list(options, world, state)


def _add(options: Options, world: DiskWorld, state: str) -> int:
    call = read_call(options, world)
    policy = choose_policy(options, call, world).policy
    if policy.preset != "workspace":
        raise UsageError(
            "grants need the preset `workspace`", help='put `extends = "workspace"` into your policy file first'
        )
    decision = judge(call, policy.in_mode("default"), world, own_folders(os.environ, world.home))
    given = [(effect.target, effect.arguments or {}) for effect in decision.effects]
    marks = [(target, arguments["fingerprint"]) for target, arguments in given if "fingerprint" in arguments]
    if decision.verdict == Verdict.DENY:
        raise UsageError(f"this command is denied: {decision.reason}")
    if not marks:
        raise UsageError(
            "this is no command that files of the project define", help="write an allow rule into the policy instead"
        )
    now = time.time()
    expires = now + _days(options) * 86_400 if options.has("--days") else 0.0
    for command, mark in marks:
        grant = Grant("", command, call.workspace or call.cwd, str(mark), now, expires=expires)
        made = add_grant(state, world, grant)
        sys.stdout.write(f"granted {made.id}: {command} in {call.cwd}, until the files that define it change\n")
    return 0


def _days(options: Options) -> int:
    text = options.value("--days") or ""
    if not text.isdecimal() or not 0 < int(text) <= 3650:
        raise UsageError(f"`--days {text}` is no number of days", help="between 1 and 3650")
    return int(text)


def _list(options: Options, world: DiskWorld, state: str) -> int:
    found = read_grants(state, world)
    if options.has("--json"):
        rows = [{name: getattr(grant, name) for name in Grant.__slots__} for grant in found]  # type: ignore[attr-defined]
        sys.stdout.write(wire.dumps(rows) + "\n")
        return 0
    for grant in found:
        ends = time.strftime("%Y-%m-%d", time.localtime(grant.expires)) if grant.expires else "when its files change"
        sys.stdout.write(f"{grant.id}  {grant.command}\n          in {grant.workspace}, ends {ends}\n")
    if not found:
        sys.stdout.write("no grants\n")
    return 0
