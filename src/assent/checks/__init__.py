"""What is dangerous about a call that no single effect shows; each check has a file, an id and its own page."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from assent.types import Seen

ALWAYS = ("hidden_text",)
ON_COMMANDS = ("unresolved_delete", "secret_to_network")
ON_SEVERAL = (
    "many_parts",
    "several_folders",
    "network_to_interpreter",
    "decode_to_interpreter",
    "write_then_run",
)
"""Checks that look at how the parts of a command line work together."""


def checks_for(analysis: Seen) -> list[ModuleType]:
    """The checks that could find something; each is imported when it is first needed."""
    size = min(len(analysis.calls), 2)
    if size not in _chosen:
        names = ALWAYS + (ON_COMMANDS if size else ()) + (ON_SEVERAL if size > 1 else ())
        _chosen[size] = [check_named(name) for name in names]
    return _chosen[size]


_loaded: dict[str, ModuleType] = {}
_chosen: dict[int, list[ModuleType]] = {}


def check_named(name: str) -> ModuleType:
    if name not in _loaded:
        _loaded[name] = __import__(f"assent.checks.{name}", fromlist=("find",))
    return _loaded[name]


def all_checks() -> list[ModuleType]:
    return [check_named(name) for name in (*ALWAYS, *ON_COMMANDS, *ON_SEVERAL)]
