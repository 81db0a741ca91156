"""Running the inbox: a socket of our own, a quiet uvicorn, and an end that does not wait for open tabs."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from assent.approval.asker import is_alive, owner_name
from assent.approval.channels.webhook import WebhookChannel
from assent.desk import Desk
from assent.errors import AssentError
from assent.folders import OPEN_INBOXES, write_atomically
from assent.server.app import Inbox
from assent.server.connections import BACKLOG, TimedProtocol
from assent.server.forwarding import Forwarder, webhook_secret
from assent.server.keys import Keys
from assent.server.security import allowed_hosts

SIGNALS = (signal.SIGINT, signal.SIGTERM)
END_SECONDS = 3


def listening(host: str, port: int) -> socket.socket:
    """A socket on this address, or an error that says what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(BACKLOG)
        made.setblocking(False)
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            advice = "choose another with --port; for a link to an inbox that runs there: assent serve --link"
            raise AssentError(f"port {port} is taken", help=advice) from error
        raise AssentError(f"cannot listen on `{host}` port {port}: {error.strerror or error}") from error
    return made


class Server(uvicorn.Server):
    """Uvicorn with our ending: a signal closes the open tabs' streams, and the exit code is 0."""

    def __init__(self, inbox: Inbox, ready: Callable[[], None] | None = None) -> None:
        config = uvicorn.Config(
            inbox.app,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            ws="none",
            http=TimedProtocol,
            backlog=BACKLOG,
            lifespan="on",
            timeout_graceful_shutdown=END_SECONDS,
        )
        super().__init__(config)
        self.inbox = inbox
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready:
            self.ready()

    def stop(self) -> None:
        """End soon; asked twice, end now."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.inbox.feed.closing.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.stop)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)


def serve(
    desk: Desk,
    made: socket.socket,
    names: tuple[str, ...],
    ready: Callable[[], None],
    *,
    webhook: str = "",
    answer_url: str = "",
) -> None:
    """Serve until a signal comes; with `webhook` also pass every request on to that service."""
    host, port = made.getsockname()[:2]
    secret = webhook_secret(desk.state) if webhook else ""
    inbox = Inbox(desk, Keys(desk.state), allowed_hosts(host, port, names), webhook_secret=secret)
    with _announced(desk.state), _forwarding(desk, webhook, secret, answer_url):
        asyncio.run(Server(inbox, ready).serve(sockets=[made]))


@contextmanager
def _forwarding(desk: Desk, webhook: str, secret: str, answer_url: str) -> Iterator[None]:
    if not webhook:
        yield
        return
    channel = WebhookChannel(webhook, secret, answer_url=answer_url, home=desk.world.home)
    forwarder = Forwarder(desk, channel)
    forwarder.start()
    try:
        yield
    finally:
        forwarder.stop()


@contextmanager
def _announced(state: str) -> Iterator[None]:
    """Hooks look for these files: while one names a living process, somebody may be there to answer."""
    folder = os.path.join(state, OPEN_INBOXES)
    file = os.path.join(folder, owner_name())
    write_atomically(file, b"")
    for name in os.listdir(folder):
        if not is_alive(name):  # killed, so that it could not take its file away
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)
