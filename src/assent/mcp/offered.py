"""The tools a server offers now, compared with what was accepted before.

INVARIANT: what a person has not accepted, or what was not there when the server was first seen, is doubtful.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from assent.digest import sha256
from assent.errors import AssentError
from assent.mcp.differences import differences
from assent.mcp.pins import Definition, Pin, Pins, Server, defined, digest, with_pin, with_source
from assent.mcp.suspicions import suspicions
from assent.record import record, replace

MOST_LISTINGS = 20
MOST_DIGESTS = 2_000
UNLISTED: Definition = ()


@record
class Standing:
    """How one tool stands: what stands for its definition, and why a person must see it before it is called."""

    digest: str
    doubts: tuple[str, ...] = ()
    destructive: bool = False
    """The server itself says that the tool may destroy something."""


class Offered:
    """What one server lists. Used by the event loop; `standing` also by threads that judge."""

    def __init__(self, name: str, source: str, pins: Pins, clock: Callable[[], float] = time.time) -> None:
        self.name, self.source, self.pins, self.clock = name, source, pins, clock
        self.tools: dict[str, Definition] = {}
        self.fresh = False
        """Whether the list was read to its end and the server has not said since that it changed."""
        self._listings: dict[str, dict[str, list[Mapping[str, object]]]] = {}
        self._first: bool | None = None
        self._trouble = ""
        self._digests: dict[int, tuple[Definition, str]] = {}
        """By identity of a definition, which never changes; it is kept here, so that no other gets its identity."""

    # --- hearing of tools ------------------------------------------------------------------------------------------

    def heard(self, found: Mapping[str, object], cursor: object) -> None:
        """Take in one page of a list of tools, and write down what is new. Raises nothing: doubt is kept instead."""
        tools, after = found.get("tools"), found.get("nextCursor")
        listing = self._listings.pop(cursor, None) if isinstance(cursor, str) else {}
        whole = listing is not None
        listing = listing or {}
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                listing.setdefault(tool["name"], []).append(tool)
        self.tools.update({name: defined(entries) for name, entries in listing.items()})
        if isinstance(after, str):
            self._listings[after] = listing
            while len(self._listings) > MOST_LISTINGS:
                del self._listings[next(iter(self._listings))]
        elif whole:
            self.tools = {name: defined(entries) for name, entries in listing.items()}
            self.fresh = True
        self._write(tuple(listing))
        if not isinstance(after, str):
            self._first = False

    def changed(self) -> None:
        """The server says that its list changed."""
        self.fresh = False

    def called(self) -> None:
        """From the first call on, nothing is accepted because it is seen for the first time."""
        if self._first:
            self._first = False

    def _write(self, names: tuple[str, ...]) -> None:
        try:
            self.pins.change(self.name, lambda server: self._seen(server, names))
            self._trouble = ""
        except AssentError as error:
            self._trouble = str(error)

    def _seen(self, server: Server | None, names: tuple[str, ...]) -> Server:
        if self._first is None:
            self._first = server is None
        made = server or Server((self.source,))
        if self.source not in made.sources:
            made = replace(made, offered_source=self.source)
        for name in names:
            made = with_pin(made, name, self._pin(made.pin(name), self.tools[name]))
        return made

    def _pin(self, known: Pin | None, definition: Definition) -> Pin:
        mark = digest(definition)
        if known is None:
            plain = self._first and len(definition) == 1 and not suspicions(definition)
            return Pin(definition, (), self.clock()) if plain else Pin((), definition, self.clock())
        if known.accepted and digest(known.accepted) == mark:
            return replace(known, offered=())
        return known if digest(known.offered) == mark else replace(known, offered=definition)

    # --- judging tools ---------------------------------------------------------------------------------------------

    def standing(self, tool: str) -> Standing:
        """How a tool stands at this moment; an answer of a person is good for exactly this."""
        definition = self.tools.get(tool, UNLISTED)
        return Standing(self.mark(tool), self._doubts(tool, definition), _destroys(definition))

    def mark(self, tool: str) -> str:
        """The digest of a tool's standing, without a look at what was accepted."""
        definition = self.tools.get(tool, UNLISTED)
        return sha256(f"{self.source}\0{self._digest(definition)}".encode("utf-8", "surrogatepass"))

    def _doubts(self, tool: str, definition: Definition) -> tuple[str, ...]:
        try:
            server = self.pins.server(self.name)
        except AssentError as error:
            return (str(error),)
        if self._trouble or server is None:
            return (self._trouble or "nothing was written down about this server",)
        found: list[str] = []
        if self.source not in server.sources:
            before = f"`{server.sources[-1]}`" if server.sources else "something else"
            found.append(f"the server `{self.name}` is now `{self.source}`; what was accepted before is {before}")
        if not definition:
            return (*found, "the server does not list this tool, so nobody knows what it is for")
        pin = server.pin(tool)
        if pin is None or self._digest(pin.accepted) != self._digest(definition):
            found += _news(pin.accepted if pin else (), definition)
        return tuple(found)

    def _digest(self, definition: Definition) -> str:
        """`digest`, made once for each definition: every call asks for it several times."""
        found = self._digests.get(id(definition))
        if found is None or found[0] is not definition:
            if len(self._digests) >= MOST_DIGESTS:
                self._digests.clear()
            found = self._digests[id(definition)] = (definition, digest(definition))
        return found[1]

    def accept(self, tool: str, mark: str) -> None:
        """A person approved a call of a tool that stood like this: from now on it is known like this."""
        definition = self.tools.get(tool, UNLISTED)
        if not definition or self.mark(tool) != mark:
            return

        def accepted(server: Server | None) -> Server:
            made = with_source(server or Server(), self.source)
            return with_pin(made, tool, Pin(definition, (), self.clock()))

        self.pins.change(self.name, accepted)


def _news(accepted: Definition, definition: Definition) -> list[str]:
    odd = suspicions(definition)
    if accepted:
        return ["this tool is not what was accepted before", *differences(accepted, definition), *odd]
    if len(definition) > 1:
        return [f"the server lists this name {len(definition)} times, with different definitions", *odd]
    said = definition[0].get("description")
    words = [f"it describes itself as: {said[:600]}"] if isinstance(said, str) and said else []
    lead = "this tool has never been accepted: " + ("its words are suspicious" if odd else "it is new on this server")
    return [lead, *odd, *words]


def _destroys(definition: Definition) -> bool:
    """A hint is believed only where it makes us more careful."""
    hints = [entry.get("annotations") for entry in definition]
    return any(isinstance(one, dict) and one.get("destructiveHint") is True for one in hints)
