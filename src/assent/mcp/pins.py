"""What every tool of every server looked like when it was accepted, kept in the state folder.

INVARIANT: a file that is broken, or that others could have written, accepts nothing and is not written over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from assent import wire
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.folders import locked, read_own, write_atomically
from assent.record import record, replace

FILE = "mcp-pins.json"
MAX_FILE = 32_000_000
MOST_TOOLS = 5_000
VOLATILE = frozenset({"_meta", "icons"})
"""Parts of a definition that no model decides by and that change from run to run."""

Definition = tuple[Mapping[str, object], ...]
"""What a server says about a tool; more than one entry when it lists the same name twice."""


@record
class Pin:
    """One tool: as it was accepted (empty when it never was), and as it is offered now if that is something else."""

    accepted: Definition = ()
    offered: Definition = ()
    at: float = 0.0


@record
class Server:
    """One server: how it was started, and its tools."""

    sources: tuple[str, ...] = ()
    tools: tuple[tuple[str, Pin], ...] = ()
    offered_source: str = ""
    """Another way in which it was started since, which nobody has accepted."""

    def pin(self, tool: str) -> Pin | None:
        return dict(self.tools).get(tool)


def defined(entries: list[Mapping[str, object]]) -> Definition:
    """A definition without what changes from run to run."""
    return tuple({name: one for name, one in entry.items() if name not in VOLATILE} for entry in entries)


def digest(definition: Definition) -> str:
    """Stands for a definition; the order of keys does not matter."""
    return sha256(wire.dumps(_sorted(definition)).encode())


def _sorted(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list | tuple) else value


class Pins:
    """The file of pins of one state folder; safe for several gateways at once."""

    def __init__(self, state: str) -> None:
        self.file = os.path.join(state, FILE)
        self._seen: tuple[object, dict[str, Server]] = (None, {})

    def servers(self) -> dict[str, Server]:
        """Every server by its name; raises AssentError when the file cannot be trusted."""
        try:
            version, found = self._seen
            now, data = read_own(self.file, MAX_FILE, version)
            if now != version:
                found = {} if data is None else _servers(wire.loads(data))
                self._seen = now, found
            return found
        except InputError as error:
            raise AssentError(
                f"no tool counts as accepted, because `{self.file}` cannot be used: {error.message}",
                help="remove the file and accept the tools again",
            ) from error

    def server(self, name: str) -> Server | None:
        return self.servers().get(name)

    def change(self, name: str, change: Callable[[Server | None], Server | None]) -> Server | None:
        """Change what is known about one server; None removes it."""
        with locked(self.file):
            before = self.servers()
            made = change(before.get(name))
            after = {key: one for key, one in before.items() if key != name} | ({name: made} if made else {})
            if after != before:
                write_atomically(self.file, wire.dumps({key: _table(after[key]) for key in sorted(after)}).encode())
        return made

    def accept(self, name: str, tools: tuple[str, ...] | None, at: float) -> Server:
        """Accept tools of a server as they are offered now, all of them without `tools`, and how it is started."""

        def accepted(server: Server | None) -> Server:
            if server is None:
                raise AssentError(f"nothing is known about a server `{name}`", help="see `assent mcp pins list`")
            missing = [tool for tool in tools or () if server.pin(tool) is None]
            if missing:
                raise AssentError(f"`{name}` has no tool `{missing[0]}`", help="see `assent mcp pins list`")
            made = tuple(
                (tool, _accepted(pin, at) if tools is None or tool in tools else pin) for tool, pin in server.tools
            )
            return with_source(replace(server, tools=made), server.offered_source)

        changed = self.change(name, accepted)
        return changed or Server()


def with_source(server: Server, source: str) -> Server:
    """A server that may also be started in this way."""
    known = server.sources if not source or source in server.sources else (*server.sources, source)
    return replace(server, sources=known, offered_source="")


def with_pin(server: Server, tool: str, pin: Pin) -> Server:
    """A server with one tool added or changed."""
    tools = {**dict(server.tools), tool: pin}
    if len(tools) > MOST_TOOLS:
        raise AssentError(f"the server lists more than {MOST_TOOLS} tools")
    return replace(server, tools=tuple(sorted(tools.items())))


def _accepted(pin: Pin, at: float) -> Pin:
    return Pin(pin.offered, (), at) if pin.offered else pin


# --- as JSON -------------------------------------------------------------------------------------------------------


def _table(server: Server) -> dict[str, object]:
    return {
        "sources": list(server.sources),
        "offered_source": server.offered_source,
        "tools": {
            name: {"accepted": list(pin.accepted), "offered": list(pin.offered), "at": pin.at}
            for name, pin in server.tools
        },
    }


def _servers(found: object) -> dict[str, Server]:
    if not isinstance(found, dict):
        raise InputError("it is not a table of servers")
    return {name: _server(name, entry) for name, entry in found.items()}


def _server(name: str, entry: object) -> Server:
    match entry:
        case {"sources": list(sources), "offered_source": str(other), "tools": dict(tools), **more} if not more:
            if all(isinstance(one, str) for one in sources):
                return Server(tuple(sources), tuple((tool, _pin(pin)) for tool, pin in tools.items()), other)
    raise InputError(f"the entry for `{name}` is not a server")


def _pin(entry: object) -> Pin:
    match entry:
        case {"accepted": list(accepted), "offered": list(offered), "at": int() | float() as at, **more} if not more:
            if all(isinstance(one, dict) for one in (*accepted, *offered)):
                return Pin(tuple(accepted), tuple(offered), float(at))
    raise InputError("a tool is not what was accepted, what is offered and a time")
