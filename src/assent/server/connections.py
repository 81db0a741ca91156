"""Connections of the inbox: counted and timed, so that strangers who only hold them open lock nobody out."""

from __future__ import annotations

import asyncio
import resource

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_SECONDS = 10.0
"""How long a client may take to send one whole request."""
MOST_CONNECTIONS = 512
BACKLOG = 64
"""How many connections are accepted before anything else is done: well below what is left of the limit of files."""


def most_connections() -> int:
    """Half of the files this process may have open: the other half is for the store, the journal and the rest."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else max(16, min(MOST_CONNECTIONS, limit // 2))


class TimedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, for clients that send what they have to say in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        super().connection_made(transport)
        self._deadline = self.loop.call_later(REQUEST_SECONDS, transport.abort)
        if len(self.connections) > most_connections():
            self._oldest_idle().transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_served():
            self._forget_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    def _oldest_idle(self) -> TimedProtocol:
        """Whoever has waited longest without a whole request; this one if all others are being served."""
        waiting = [one for one in self.connections if isinstance(one, TimedProtocol) and one._is_idle()]
        return min(waiting, key=TimedProtocol._since, default=self)

    def _since(self) -> float:
        return self._deadline.when() if self._deadline else 0.0

    def _is_idle(self) -> bool:
        return not (self.transport.is_closing() or self._is_served())

    def _is_served(self) -> bool:
        """Whether the client has sent a whole request, which is answered now."""
        served: RequestResponseCycle | None = self.cycle
        return served is not None and not served.response_complete and self.conn.their_state is h11.DONE

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
