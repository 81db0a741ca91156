"""assent uninstall: take the hook out of an agent's settings; files that nobody changed since get their old bytes."""

from __future__ import annotations

import os
import sys

from assent import folders
from assent.agents.hosts.changing import Step, own_text, receipts, take_back, taken_back
from assent.agents.hosts.host import Host, Scope, hook_for
from assent.cli.install import agreed, chosen_host, place_of, scope_of
from assent.cli.options import read_options
from assent.world import DiskWorld

KNOWN = {"--user": False, "--project": False, "--managed": False, "--dry-run": False, "--yes": False}

HELP = """usage: assent uninstall AGENT [--user | --project | --managed] [--dry-run] [--yes]

Take the hook of Assent out of an agent's settings: by default wherever `assent install` put it, and in this project.
A file that is still as Assent left it gets its old bytes back; from one that has changed since, only the hook goes.

  --user, --project, --managed   only there
  --dry-run                      show the change and stop
  --yes                          do not ask

Examples:
  assent uninstall claude-code --dry-run
  assent uninstall codex --yes
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "uninstall")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    host = chosen_host(options, "uninstall")
    world = DiskWorld()
    state = folders.state_folder(os.environ, world.home)
    files = _files(host, scope_of(options, host), world, state)
    found = [taken_back(host.NAME, file, state, own) for file, own in files.items()]
    steps = [step for step in found if step.changes]
    if steps and not agreed(steps, options):
        return 0 if options.has("--dry-run") else 1
    if not options.has("--dry-run"):
        take_back(found, state)
    sys.stdout.write("".join(_told(step) + "\n" for step in steps) or f"{host.TITLE} has no hook of Assent\n")
    return 0


def _files(host: Host, scope: Scope | None, world: DiskWorld, state: str) -> dict[str, bytes | None]:
    """Where the hook may stand, and what stands there when the file is ours alone."""
    scopes = host.SCOPES if scope is None else (scope,)
    found: dict[str, bytes | None] = {} if scope else {one.file: None for one in receipts(host.NAME, state)}
    for one in scopes:
        for change in host.changes(place_of(one, world), hook_for(host.NAME)):
            found[os.path.realpath(change.file)] = own_text(change)
    return found


def _told(step: Step) -> str:
    return f"removed {step.file}" if step.then is None else f"took the hook out of {step.file}"
