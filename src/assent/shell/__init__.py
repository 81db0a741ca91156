"""Shell text to commands; knows no program's meaning.

`parse` reads a bash text strictly: either every command in it is found, or `Script.refused` names the construct.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.grammar import parse as parse
    from assent.shell.tree import Script as Script
    from assent.shell.walk import simple_commands as simple_commands


def __getattr__(name: str) -> object:
    """Loads the module behind a name when it is first used, and keeps what was asked for."""
    found: object
    if name == "parse":
        from assent.shell.grammar import parse

        found = parse
    elif name == "Script":
        from assent.shell.tree import Script

        found = Script
    elif name == "simple_commands":
        from assent.shell.walk import simple_commands

        found = simple_commands
    else:
        raise AttributeError(f"module `assent.shell` has no attribute `{name}`")
    globals()[name] = found
    return found
