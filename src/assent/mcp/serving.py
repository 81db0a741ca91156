"""Running the HTTP end: a socket of this machine, a token, and an orderly end."""

from __future__ import annotations

import asyncio
import socket

from assent.errors import AssentError
from assent.mcp.connection import Connections, complain


def listen(connections: Connections, host: str, port: int, token: str) -> int:
    """Serve until a signal arrives."""
    try:
        import uvicorn

        from assent.mcp.listen import Listener
    except ImportError as error:
        raise AssentError("`--listen` needs starlette and uvicorn", help="pip install 'assent[mcp]'") from error
    bound = _bound(host, port)
    try:
        name, number = bound.getsockname()[:2]
        shown = f"[{name}]:{number}" if ":" in name else f"{name}:{number}"
        listener = Listener(connections.upstream, connections.connect, hosts(number), token)
        complain(f"listening at http://{shown}/mcp")
        complain(f"clients send the header `Authorization: Bearer {token}`")
        config = uvicorn.Config(listener.app(), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        asyncio.run(uvicorn.Server(config).serve(sockets=[bound]))
    finally:
        bound.close()
    return 0


def hosts(port: int) -> frozenset[str]:
    """The exact `Host` headers of a gateway on this machine."""
    return frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))


def _bound(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise AssentError(f"cannot listen at `{host}:{port}`: {error.strerror}") from error
