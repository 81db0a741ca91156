"""How each host is set up and examined: where its hook stands, and what would make it useless.

No hook loads this, except one that moves a command into the sandbox.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from assent.agents import AGENTS
from assent.agents.hosts.host import Host
from assent.errors import UsageError


def host_named(name: str) -> Host:
    """What is known about setting up a host; an unknown name is an error that lists the known ones."""
    module = AGENTS.get(name)
    if module is None:
        raise UsageError(f"unknown agent `{name}`", help=f"one of {', '.join(AGENTS)}")
    try:
        return cast(Host, import_module(f"assent.agents.hosts.{module}"))
    except ModuleNotFoundError as error:
        raise UsageError(f"`{name}` cannot be set up by this version of Assent") from error


def known_hosts() -> tuple[str, ...]:
    """The hosts that this version can set up."""
    from importlib.util import find_spec

    return tuple(name for name, module in AGENTS.items() if find_spec(f"assent.agents.hosts.{module}"))
