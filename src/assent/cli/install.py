"""assent install: put the hook into an agent's settings, after showing what will change."""

from __future__ import annotations

import difflib
import os
import sys

from assent import folders
from assent.agents import agent_named
from assent.agents.hosts import host_named, known_hosts
from assent.agents.hosts.changing import Step, carry_out, planned
from assent.agents.hosts.host import SCOPES, Host, Place, Scope, hook_for
from assent.cli.options import Options, read_options
from assent.cli.outside import installed_by_copy, refuse_inside
from assent.cli.show import paint, uses_colour, visible
from assent.errors import AssentError, UsageError
from assent.world import DiskWorld

KNOWN = {
    "--user": False,
    "--project": False,
    "--managed": False,
    "--on-ask": True,
    "--outside": False,
    "--inside": False,
    "--dry-run": False,
    "--yes": False,
}

HELP = """usage: assent install AGENT [--user | --project | --managed] [--on-ask WAY] [--outside | --inside]
                            [--dry-run] [--yes]

Put the hook of Assent into an agent's settings. You see the change first and are asked; `assent uninstall AGENT` takes
it back to the byte. The hook names this interpreter and this installation by absolute paths.

  AGENT         claude-code, codex and others; docs/agents.md says what each of them can do
  --user        for you, in every project (the default)
  --project     for you, in this project
  --managed     for everybody on this machine (Claude Code; needs the right to write to /etc)
  --on-ask WAY  what happens to a question: hold, host, suspend, ticket or deny (see `assent hook --help`)
  --outside     install a copy of Assent that is made in your data folder (~/.local/share/assent), where no agent works
  --inside      install this one although it lives in the project you are in
  --dry-run     show the change and stop
  --yes         do not ask

Examples:
  assent install claude-code --dry-run
  assent install codex --yes
"""
COLOURS = {"+": "32", "-": "31", "@": "36"}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "install")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    host = chosen_host(options, "install")
    world = DiskWorld()
    if options.has("--outside"):
        return installed_by_copy(argv, os.environ, world, os.getcwd())
    if not options.has("--inside") and not options.has("--dry-run"):
        refuse_inside(world, os.getcwd())
    place = place_of(scope_of(options, host) or "user", world)
    state = folders.state_folder(os.environ, world.home)
    hook = hook_for(host.NAME, _hook_options(options, host))
    steps = [planned(change, host.NAME, state) for change in host.changes(place, hook)]
    if not any(step.changes for step in steps):
        sys.stdout.write(f"{host.TITLE} has this hook already\n")
        return 0
    if not agreed(steps, options):
        return 0 if options.has("--dry-run") else 1
    for step in steps:
        carry_out(step, state)
    _make_fast()
    sys.stdout.write(f"installed the hook for {host.TITLE}; `assent uninstall {host.NAME}` takes it back\n")
    for line in host.advice(place):
        sys.stdout.write(f"next: {line}\n")
    sys.stdout.write(f"next: `assent doctor {host.NAME}` proves that it works\n")
    return 0


def _make_fast() -> None:
    """Put the bytecode of the hook together, where Assent's own folder may be written; without it a hook is slower."""
    from assent.bundle import PACKAGE, bundle_file, write_bundle

    try:
        sources = [entry.stat().st_mtime for entry in os.scandir(PACKAGE) if entry.name.endswith(".py")]
        if not os.path.exists(bundle_file()) or os.path.getmtime(bundle_file()) < max(sources):
            write_bundle()
    except (AssentError, OSError) as error:
        sys.stdout.write(f"note: the hook starts slower than it could: {error}\n")


def chosen_host(options: Options, verb: str) -> Host:
    """The one agent that was named."""
    if len(options.rest) != 1:
        raise UsageError("name one agent", help=f"`assent {verb} AGENT`, one of {', '.join(known_hosts())}")
    return host_named(options.rest[0])


def scope_of(options: Options, host: Host) -> Scope | None:
    """Whose settings were named, if any."""
    named = [scope for scope in SCOPES if options.has(f"--{scope}")]
    if len(named) > 1:
        raise UsageError("give one of --user, --project and --managed")
    if named and named[0] not in host.SCOPES:
        raise UsageError(f"{host.TITLE} has no settings for --{named[0]} that Assent can write")
    return named[0] if named else None


def place_of(scope: Scope, world: DiskWorld) -> Place:
    here = os.getcwd()
    return Place(scope, world.home, world.workspace(here) or here, dict(os.environ))


def _hook_options(options: Options, host: Host) -> tuple[str, ...]:
    way = options.value("--on-ask")
    if way is None:
        return ()
    ways = agent_named(host.NAME).ASKS
    if way not in ways:
        raise UsageError(f"{host.TITLE} cannot be asked the way `{way}`", help=f"one of {', '.join(ways)}")
    return ("--on-ask", way)


def agreed(steps: list[Step], options: Options) -> bool:
    """Show every change; true when it may be made."""
    colour = uses_colour(sys.stdout)
    for step in steps:
        if step.changes:
            sys.stdout.write(shown(step, colour=colour))
    if options.has("--dry-run"):
        sys.stdout.write("nothing was changed\n")
        return False
    if options.has("--yes"):
        return True
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", help="say --yes, or --dry-run to see the change")
    sys.stdout.write("Make this change? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    sys.stdout.write("nothing was changed\n")
    return False


def shown(step: Step, *, colour: bool) -> str:
    """The change as a unified diff."""
    now, then = ([] if data is None else data.decode(errors="replace").splitlines() for data in (step.now, step.then))
    before = "/dev/null" if step.now is None else step.file
    after = "/dev/null" if step.then is None else step.file
    lines = list(difflib.unified_diff(now, then, before, after, lineterm="")) or [f"--- {before}", f"+++ {after}"]
    return "".join(paint(visible(line), COLOURS.get(line[:1], "0"), colour=colour) + "\n" for line in lines)
