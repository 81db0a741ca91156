"""assent sandbox: prove that commands can be confined here, and show what a confined command would see."""

from __future__ import annotations

import os
import sys

from assent import wire
from assent.cli.confining import settings_of
from assent.cli.options import Options, read_options
from assent.cli.show import paint, uses_colour, visible
from assent.errors import AssentError, UsageError
from assent.folders import kept_folders, running_places, state_folder
from assent.layers import load_policy
from assent.record import replace
from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK, Capability, available
from assent.sandbox.doctor import Attempt, attempts
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Profile, profile_for
from assent.world import DiskWorld

KNOWN = {"--json": False, "--workspace": True, "--with": True}

HELP = """usage: assent sandbox doctor [--with SANDBOX] [--json]
       assent sandbox show [--workspace DIR] [--with SANDBOX] [--json]

`doctor` proves that the sandbox holds: it runs a confined program that tries to get out in every way we know, and looks
from outside at what came of it. Exit code 1 when anything gets out, or when no sandbox works here.
`show` lists what a command in a project would see: what it may read, what it may change and what is closed.

  --workspace DIR   the project (default: the nearest folder above with .assent or .git)
  --with SANDBOX    bubblewrap or landlock (default: bubblewrap where it works, else landlock)
  --json            one object for machines

Examples:
  assent sandbox doctor
  assent sandbox doctor --with landlock
  assent sandbox show --json
"""
WORDS = {"read": "read", "write": "change", "empty": "private", "link": "link", "closed": "closed", "git": "git"}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "sandbox")
    if options.has("--help") or not options.rest:
        sys.stdout.write(HELP)
        return 0 if options.has("--help") else 2
    verbs = {"doctor": _doctor, "show": _show}
    if options.rest[0] not in verbs or len(options.rest) > 1:
        raise UsageError(f"unknown word `{options.rest[0]}`", help="doctor or show")
    return verbs[options.rest[0]](options)


def _doctor(options: Options) -> int:
    state = state_folder(os.environ, DiskWorld().home)
    able = available(state, again=True, only=_wanted(options))
    found: tuple[Attempt, ...] = ()
    if able.works:
        try:
            found = attempts(able, state)
        except AssentError as error:
            able = replace(able, works=False, why_not=str(error))
    sound = able.works and all(one.held for one in found)
    if options.has("--json"):
        rows = [{"attempt": one.name, "held": one.held, "what_happened": one.text} for one in found]
        told = {"sound": sound, "works": able.works, "why_not": able.why_not, "how": able.how, "sandbox": able.kind}
        sys.stdout.write(wire.dumps({**told, "instead_of_bubblewrap": able.instead, "attempts": rows}) + "\n")
    else:
        sys.stdout.write(_table(able, found))
    return 0 if sound else 1


def _wanted(options: Options) -> str:
    wanted = options.value("--with") or ""
    if wanted not in ("", BUBBLEWRAP, LANDLOCK):
        raise UsageError(f"unknown sandbox `{wanted}`", help=f"{BUBBLEWRAP} or {LANDLOCK}")
    return wanted


def _table(able: Capability, found: tuple[Attempt, ...]) -> str:
    colour = uses_colour(sys.stdout)
    if not able.works:
        return f"{paint('no sandbox works here', '1;31', colour=colour)}: {visible(able.why_not)}\n"
    lines = [f"bubblewrap does not work here: {visible(able.instead)}"] if able.instead else []
    lines += [f"{able.how} confines a command. It tries to"]
    for one in found:
        word = paint("held", "32", colour=colour) if one.held else paint("GETS OUT", "1;31", colour=colour)
        lines.append(f"  {word:<5} {one.name:<38} {visible(one.text)}")
    out = sum(not one.held for one in found)
    lines.append(f"{len(found) - out} of {len(found)} attempts were held back")
    return "\n".join(lines) + "\n"


def _show(options: Options) -> int:
    world, cwd = DiskWorld(), os.getcwd()
    given = options.value("--workspace")
    workspace = os.path.abspath(given) if given else world.workspace(cwd) or cwd
    settings = settings_of(load_policy(os.environ, workspace, world).policy)
    own, running = kept_folders(os.environ, world.home), running_places()
    profile = profile_for(
        workspace, workspace, world.home, Machine(), settings=settings, own=own, running=running, env=os.environ
    )
    able = available(state_folder(os.environ, world.home), only=_wanted(options))
    walls = able.walls(profile)
    partly = walls.partly if walls else ()
    sys.stdout.write(_json(profile, able, partly) if options.has("--json") else _listed(profile, able, partly))
    return 0


def _json(profile: Profile, able: Capability, partly: tuple[str, ...]) -> str:
    places = [{"what": WORDS[one.kind], "path": one.path} for one in profile.mounts]
    told = {
        "workspace": profile.workspace,
        "sandbox": able.kind if able.works else "",
        "nothing_new_in": list(partly),
        "places": places,
        "network": list(profile.network),
        "processes": profile.processes,
    }
    variables = [name for name, _ in profile.environment]
    return wire.dumps({**told, "variables": variables, "notes": list(profile.notes)}) + "\n"


def _listed(profile: Profile, able: Capability, partly: tuple[str, ...]) -> str:
    lines = [f"{'by':<8} {able.how if able.works else visible('nothing: ' + able.why_not)}"]
    lines += [f"{WORDS[one.kind]:<8} {visible(one.path)}" for one in profile.mounts if one.kind != "link"]
    names = " ".join(name for name, _ in profile.environment)
    lines += [
        f"{'network':<8} {' '.join(profile.network) or 'none'}",
        f"{'limit':<8} {profile.processes} processes",
        f"{'keeps':<8} {names}",
    ]
    notes = [*profile.notes, *(f"nothing new can be made directly in `{folder}`" for folder in partly)]
    return "\n".join([*lines, *(f"note: {visible(note)}" for note in notes)]) + "\n"
