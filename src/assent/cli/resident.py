"""assent resident: keeps ready what hooks need, so that they answer sooner."""

from __future__ import annotations

import os
import sys

from assent import folders
from assent.cli.options import read_options
from assent.errors import UsageError

KNOWN = {"--attached": False}

HELP = """usage: assent resident [--attached]

Answer hooks from a process that has everything loaded already, so that agents wait for them a third less long. Decides
exactly as the hook itself would. Without it, or when it does not answer, hooks do everything themselves. `assent serve`
runs it as well; this is for those who do not want the inbox. Ctrl-C ends it.

  --attached   end when standard input does; this is how `assent serve` starts it

Examples:
  assent resident
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "resident")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if options.rest:
        raise UsageError(f"`{options.rest[0]}` is one argument too many", help="see `assent resident --help`")
    if not sys.flags.isolated:
        return _isolated()
    from assent.resident.helper import run

    attached = options.has("--attached")
    run(folders.state_folder(os.environ, os.path.expanduser("~")), _greet, attached=attached)
    return 0


def _isolated() -> int:
    """It answers for every project, so it loads nothing of the one that it is started in: as a hook does."""
    from assent.resident.beside import running

    with running(quiet=False) as helper:
        return helper.wait()


def _greet() -> None:
    sys.stdout.write("hooks are answered from here; Ctrl-C ends it\n")
    sys.stdout.flush()
