"""assent grants: what was allowed for longer than once, with its scope, its end and a way back."""

from __future__ import annotations

import os
import sys
import time

from assent import folders, wire
from assent.cli.check import choose_policy, read_call
from assent.cli.options import Options, read_options
from assent.cli.show import visible
from assent.errors import UsageError
from assent.folders import own_folders
from assent.grants import Grant, as_table
from assent.pipeline import judge
from assent.types import Verdict
from assent.world import DiskWorld

KNOWN = {"--workspace": True, "--cwd": True, "--days": True, "--json": False, "--all": False}

HELP = """usage: assent grants [list] [--all] [--json]
       assent grants add COMMAND [--cwd DIR] [--workspace DIR] [--days N]
       assent grants revoke ID...
       assent grants export [--workspace DIR]

A grant is what you allowed for longer than once: for 15 minutes, a session, a project, or for yourself everywhere. It
never lifts a deny or ask rule, plan mode or the floor, and its end is checked at every use.

With `extends = "workspace"` in a policy, a command that the project itself defines (`make test`, `npm test`, `pytest`)
asks until you grant it. Such a grant holds for that command in that folder while the files that define it have the same
content; when one of them changes, the command asks again.

  add               grant a command of the project from here, without waiting for the question
  export            print the rules of lasting grants as a policy file

  --all             list those that have ended, too
  --cwd DIR         the folder in which the command runs (default: here)
  --workspace DIR   the project (default: the nearest folder above with .assent or .git)
  --days N          let the grant end after so many days
  --json            list as JSON

Examples:
  assent grants
  assent grants list --json
  assent grants list --all
"""
ACTIONS = {"list": "nothing", "add": "one argument", "revoke": "at least one argument", "export": "nothing"}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "grants")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    action, rest = (options.rest[0], options.rest[1:]) if options.rest else ("list", [])
    if action not in ACTIONS:
        raise UsageError(f"unknown action `{action}`", help=f"one of {', '.join(ACTIONS)}")
    if bool(rest) != (action in ("add", "revoke")) or (action == "add" and len(rest) > 1):
        raise UsageError(f"`grants {action}` takes {ACTIONS[action]} more")
    world = DiskWorld()
    state = folders.state_folder(os.environ, world.home)
    if action == "add":
        options.rest = rest
        return _add(options, world, state)
    if action == "revoke":
        return _revoke(rest, state)
    return _export(options, world, state) if action == "export" else _list(options, state)


def _revoke(names: list[str], state: str) -> int:
    from assent.desk import Desk, person

    desk = Desk(state)
    try:
        for name in names:
            gone = desk.revoke(name, by=person(), via="command line")
            sys.stdout.write(f"revoked {gone.id}: {visible(_said(gone))} {visible(_where(gone))}\n")
    finally:
        desk.close()
    return 0


def _export(options: Options, world: DiskWorld, state: str) -> int:
    """Lasting rules as a policy file; grants bound to files or to a session cannot be written as rules."""
    given = options.value("--workspace")
    workspace = os.path.abspath(given) if given else world.workspace(os.getcwd())
    now = time.time()
    kept = _kept(state, ended=False)
    lasting = [g for g in kept if g.rules and not g.expires and g.holds(workspace, "", now)]
    for grant in lasting:
        day = time.strftime("%Y-%m-%d", time.localtime(grant.made))
        sys.stdout.write(f"# {grant.id}, granted on {day} ({visible(grant.origin)})\n")
        for rule in grant.rules:
            sys.stdout.write(f"[[rule]]\nallow = {wire.dumps(rule)}\n\n")
    if not lasting:
        sys.stderr.write("assent: there are no lasting grants here\n")
    return 0


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
    from assent.desk import Desk, person

    desk = Desk(state)
    try:
        for command, mark in marks:
            grant = Grant("", command, call.workspace or call.cwd, str(mark), now, expires=expires)
            made = desk.grant(grant, by=person(), via="command line")
            sys.stdout.write(f"granted {made.id}: {command} in {call.cwd}, until the files that define it change\n")
    finally:
        desk.close()
    return 0


def _kept(state: str, *, ended: bool) -> tuple[Grant, ...]:
    from assent.desk import Desk

    desk = Desk(state)
    try:
        return desk.grants(ended=ended)
    finally:
        desk.close()


def _days(options: Options) -> int:
    text = options.value("--days") or ""
    if not text.isdecimal() or not 0 < int(text) <= 3650:
        raise UsageError(f"`--days {text}` is no number of days", help="between 1 and 3650")
    return int(text)


def _list(options: Options, state: str) -> int:
    now = time.time()
    found = _kept(state, ended=options.has("--all"))
    if options.has("--json"):
        sys.stdout.write(wire.dumps([as_table(grant) for grant in found]) + "\n")
        return 0
    for grant in found:
        uses = f", used {grant.uses} time{'' if grant.uses == 1 else 's'}" if grant.rules else ""
        sys.stdout.write(f"{grant.id}  {visible(_said(grant))}\n")
        sys.stdout.write(
            f"          {visible(_where(grant))}, ends {_end(grant, now)}{uses} ({visible(grant.origin)})\n"
        )
    if not found:
        sys.stdout.write("no grants\n")
    return 0


def _said(grant: Grant) -> str:
    return " and ".join(grant.rules) if grant.rules else grant.command


def _where(grant: Grant) -> str:
    if grant.session:
        return f"in session {grant.session}"
    return f"in {grant.workspace}" if grant.workspace else "everywhere"


def _end(grant: Grant, now: float) -> str:
    if not grant.expires:
        return "when its files change" if grant.fingerprint else "when you revoke it"
    if grant.expires - now < 86_400:
        left = max(0, round((grant.expires - now) / 60))
        return f"in {left} min" if now < grant.expires else "already"
    return time.strftime("%Y-%m-%d", time.localtime(grant.expires))
