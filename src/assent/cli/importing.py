"""assent import: rules that people wrote for their agents, as a policy file."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from assent import folders, wire
from assent.agents.hosts.changing import Step, read_bytes
from assent.agents.hosts.host import Place, Scope
from assent.cli.install import agreed, place_of
from assent.cli.options import Options, read_options
from assent.cli.show import paint, uses_colour, visible
from assent.errors import AssentError, InputError, UsageError
from assent.importing.account import Line, import_files
from assent.importing.document import File
from assent.importing.imported import Fate, Reader, shown_path
from assent.importing.writing import place_of as where
from assent.importing.writing import policy_text
from assent.layers import Layered, check_layers
from assent.world import DiskWorld

AGENTS = ("claude-code", "codex", "gemini", "opencode")
KNOWN = {
    "--user": False,
    "--project": False,
    "--file": True,
    "--write": True,
    "--dry-run": False,
    "--yes": False,
    "--json": False,
}

FATES: dict[Fate, str] = {
    "same": "as they are",
    "stricter": "stricter",
    "left out": "left out",
    "not known": "not known",
}

HELP = """usage: assent import AGENT [--user | --project | --file FILE] [--write FILE [--dry-run | --yes]] [--json]

Read the rules that you wrote for an agent and print them as a policy file of Assent, each with the place it came from.
Standard error reports every value of the files that became stricter, was left out, or is not known to Assent. An import
never loosens anything: an allow without an exact counterpart is narrowed or left out; a deny without one becomes a
wider deny, a rule of its own whose name the report gives you, and an ask a wider ask.

  AGENT         claude-code, codex, gemini or opencode
  --user        your own settings and those of the machine (the default)
  --project     the settings of this project
  --file FILE   this file instead; may be given several times
  --write FILE  write the policy to FILE, after showing the change and asking
  --dry-run     with --write: show the change and stop
  --yes         with --write: do not ask
  --json        one JSON object: the policy, and every entry with its keys and what it became

Examples:
  assent import claude-code
  assent import codex --json
  assent import opencode --project --write .assent/policy.toml --dry-run
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "import")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    agent, reader, place = _chosen(options)
    files = _files(options, reader, place)
    lines = import_files(reader, files, place)
    text = policy_text((one for line in lines for one in line.became), agent, reader.TITLE, _home_of_rules(place))
    _refuse_broken(text)
    if options.has("--json"):
        sys.stdout.write(wire.dumps(_as_object(agent, files, lines, text)) + "\n")
    else:
        _report(lines, reader.TITLE)
    target = options.value("--write")
    if target is not None:
        return _write(os.path.abspath(target), text, place, options)
    if not options.has("--json"):
        sys.stdout.write(text)
    return 0


def _chosen(options: Options) -> tuple[str, Reader, Place]:
    if len(options.rest) != 1 or options.rest[0] not in AGENTS:
        raise UsageError("name one agent", help=f"`assent import AGENT`, one of {', '.join(AGENTS)}")
    if options.has("--user") and options.has("--project"):
        raise UsageError("give one of --user and --project")
    for name in ("--dry-run", "--yes"):
        if options.has(name) and not options.has("--write"):
            raise UsageError(f"`{name}` goes with --write")
    scope: Scope = "project" if options.has("--project") else "user"
    reader: Reader = import_module(f"assent.importing.{options.rest[0].replace('-', '_')}")
    return options.rest[0], reader, place_of(scope, DiskWorld())


def _files(options: Options, reader: Reader, place: Place) -> tuple[File, ...]:
    named = tuple(os.path.abspath(file) for file in options.values("--file"))
    found = [_file(path, place) for path in named or reader.files(place)]
    missing = [path for path, file in zip(named, found, strict=False) if file is None]
    if missing:
        raise UsageError(f"there is no file `{missing[0]}`")
    files = tuple(file for file in found if file is not None)
    if not files:
        places = ", ".join(shown_path(path, place) for path in reader.files(place))
        raise UsageError(f"{reader.TITLE} has no rules here", help=f"looked for {places}; name others with --file")
    return files


def _file(path: str, place: Place) -> File | None:
    data = read_bytes(path)
    try:
        return None if data is None else File(path, shown_path(path, place), data.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"`{path}` is not UTF-8 at byte {error.start}") from error


def _home_of_rules(place: Place) -> str:
    if place.scope == "project":
        return ".assent/policy.toml of the project; `assent policy trust` lets it allow things"
    return shown_path(os.path.join(folders.config_folder(place.env, place.home), "policy.toml"), place)


def _refuse_broken(text: str) -> None:
    """INVARIANT: what is written loads without a problem."""
    _, errors = check_layers([Layered("user", "import", text.encode())])
    if errors:
        raise AssentError(f"the import made a policy that does not load: {errors[0]}", help="please report this")


# --- what a person and a program see -------------------------------------------------------------------------------


def _report(lines: tuple[Line, ...], title: str) -> None:
    colour = uses_colour(sys.stderr)
    fates = [line.fate for line in lines]
    counts = ", ".join(f"{fates.count(fate)} {label}" for fate, label in FATES.items())
    sys.stderr.write(f"{len(lines)} entries of {title}: {counts}\n")
    for line in lines:
        if line.fate != "same":
            label = paint(f"{line.fate:<9}", "33", colour=colour)
            became = f" → {', '.join(line.rules)}" if line.rules else ""
            said = visible(f"{line.text}{became}: {line.note}")
            sys.stderr.write(f"  {label}  {where(line.became[0])}  {said}\n")
    for line in lines:
        for blocked in line.blocks:
            label = paint("CAREFUL", "1;31", colour=colour)
            ids = ", ".join(dict.fromkeys(one.rule.id for one in line.became if one.rule and one.rule.id))
            said = visible(f"{blocked} because of `{line.text}`: narrow or delete rule {ids}")
            sys.stderr.write(f"  {label}    {where(line.became[0])}  {said}\n")


def _as_object(agent: str, files: tuple[File, ...], lines: tuple[Line, ...], text: str) -> dict[str, object]:
    return {
        "agent": agent,
        "files": [file.path for file in files],
        "policy": text,
        "entries": [_as_row(line) for line in lines],
    }


def _as_row(line: Line) -> dict[str, object]:
    rules = [
        {"verdict": str(one.rule.verdict), "rule": one.rule.text, "unless": list(one.rule.unless), "id": one.rule.id}
        for one in line.became
        if one.rule
    ]
    return {
        "source": where(line.became[0]),
        "keys": [list(keys) for keys in sorted(line.keys, key=str)],
        "text": line.text,
        "fate": line.fate,
        "note": line.note,
        "blocks": list(line.blocks),
        "rules": rules,
        "settings": [list(one.setting) for one in line.became if one.setting],
    }


def _write(file: str, text: str, place: Place, options: Options) -> int:
    own = os.path.join(folders.config_folder(place.env, place.home), "policy.toml")
    if place.scope == "project" and os.path.realpath(file) == os.path.realpath(own):
        raise UsageError(
            "these rules are for one project, and that file is for all of them", help="write to .assent/policy.toml"
        )
    step = Step("", file, read_bytes(file), text.encode())
    quiet = options.has("--json")
    if not step.changes:
        sys.stderr.write(f"{file} says this already\n")
        return 0
    if quiet and not (options.has("--yes") or options.has("--dry-run")):
        raise UsageError("nobody can be asked with --json", help="say --yes, or --dry-run to see the policy")
    if quiet and options.has("--dry-run"):
        return 0
    if not quiet and not agreed([step], options):
        return 0 if options.has("--dry-run") else 1
    folders.write_atomically(file, text.encode())
    sys.stderr.write(f"wrote {file}\n")
    return 0
