"""assent doctor: prove that agents obey, and say what is wrong where they do not."""

from __future__ import annotations

import os
import sys

from assent import folders, wire
from assent.agents.hosts import host_named, known_hosts
from assent.agents.hosts.ends import holes
from assent.agents.hosts.host import Finding, Handler, Host, Place
from assent.agents.hosts.probing import examined, handlers_at, installation
from assent.cli.install import place_of
from assent.cli.options import read_options
from assent.cli.outside import ADVICE, project_of_assent
from assent.cli.show import paint, uses_colour, visible
from assent.errors import AssentError, UsageError
from assent.record import replace
from assent.world import DiskWorld

KNOWN = {"--json": False}

HELP = """usage: assent doctor [AGENT] [--json]

Prove that an agent obeys: start the hook exactly as the agent's settings say, with calls that have to be refused, one
that has to pass, and garbage. Also looks at the agent's version, its switches and its trust in the hook, at the policy
and at the state folder. Without AGENT: every agent that has the hook. Exit code 1 when something is wrong, or when the
AGENT that you name is not there.

  --json   one object with all findings

Examples:
  assent doctor
  assent doctor claude-code --json
"""
SIGNS = {"ok": ("ok", "32"), "note": ("note", "2"), "warning": ("WARN", "33"), "problem": ("WRONG", "1;31")}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "doctor")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if len(options.rest) > 1:
        raise UsageError("name one agent, or none for all", help=f"one of {', '.join(known_hosts())}")
    world = DiskWorld()
    found = {"assent": list(installation(os.environ, world.home, world.workspace(os.getcwd()) or os.getcwd()))}
    if project := project_of_assent(world, os.getcwd()):
        found["assent"].append(Finding("warning", f"Assent lives in a project, where agents work: {project}", ADVICE))
    for name in options.rest or known_hosts():
        findings = _of_host(host_named(name), world, named=bool(options.rest))
        if findings:
            found[name] = findings
    if len(found) == 1:
        found["assent"].append(Finding("problem", "no agent has the hook", "`assent install claude-code`"))
    sound = all(one.level != "problem" for findings in found.values() for one in findings)
    sys.stdout.write(_json(found, sound=sound) if options.has("--json") else _text(found))
    return 0 if sound else 1


def _of_host(host: Host, world: DiskWorld, *, named: bool) -> list[Finding]:
    """Nothing at all for a host that has no hook, unless it was named."""
    places = _installed(host, world)
    if not places:
        return [Finding("problem", f"{host.TITLE} has no hook", f"`assent install {host.NAME}`")] if named else []
    found: list[Finding] = []
    for place, handlers in places:
        try:
            found += examined(host, place, handlers)
        except AssentError as error:
            found.append(Finding("problem", f"the examination failed: {error}"))
    if named:
        found = [replace(one, level="problem") if one.absent else one for one in found]
    found += [Finding("note", hole) for hole in (*holes(host.NAME), *host.HOLES)]
    return list(dict.fromkeys(found))


def _installed(host: Host, world: DiskWorld) -> list[tuple[Place, tuple[Handler, ...]]]:
    state = folders.state_folder(os.environ, world.home)
    places = [place_of(scope, world) for scope in host.SCOPES]
    found = [(place, handlers_at(host, place, state)) for place in places]
    return [(place, handlers) for place, handlers in found if handlers]


def _text(found: dict[str, list[Finding]]) -> str:
    colour = uses_colour(sys.stdout)
    lines: list[str] = []
    for name, findings in found.items():
        lines.append(paint(name, "1", colour=colour))
        for one in findings:
            word, code = SIGNS[one.level]
            lines.append(f"  {paint(f'{word:<5}', code, colour=colour)} {visible(one.text)}")
            if one.advice:
                lines.append(f"        {paint('do', '2', colour=colour)}: {visible(one.advice)}")
    return "\n".join(lines) + "\n"


def _json(found: dict[str, list[Finding]], *, sound: bool) -> str:
    rows = {
        name: [{"level": one.level, "text": one.text, "advice": one.advice} for one in findings]
        for name, findings in found.items()
    }
    return wire.dumps({"sound": sound, "findings": rows}) + "\n"
