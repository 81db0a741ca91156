"""Shell text to commands; knows no program's meaning.

`parse` reads a bash text strictly: either every command in it is found, or `Script.refused` names the construct.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.grammar import parse as parse
    from assent.shell.tree import Script as Script
    from assent.shell.walk import simple_commands as simple_commands

_HOMES = {"parse": "grammar", "Script": "tree", "simple_commands": "walk"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `assent.shell` has no attribute `{name}`")
    from importlib import import_module

    return getattr(import_module(f"assent.shell.{_HOMES[name]}"), name)
