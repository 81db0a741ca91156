"""The one way to the network: a proxy outside that listens inside, and connects to named hosts only.

Its listening socket is made in the network of the confined command while that waits to be started, and served from out
here: nothing runs inside for it, and there is no other way out of that network.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import fcntl
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator

from assent import addresses
from assent.errors import AssentError

PORT = 3128
PORTS = (80, 443)
CLONE_NEWUSER, CLONE_NEWNET, NS_GET_USERNS = 0x10000000, 0x40000000, 0xB701
SECONDS = 30.0
IDLE_SECONDS = 600.0
MAX_HEAD = 65_536
MOST_CONNECTIONS = 64
OPENED = b"HTTP/1.1 200 Connection established\r\n\r\n"

Dial = Callable[[str, int], socket.socket]


class Doorway:
    """Serves one confined command. `open_in` before it runs, `close` when it has ended."""

    def __init__(self, hosts: tuple[str, ...], dial: Dial | None = None) -> None:
        self.hosts = frozenset(host.casefold().rstrip(".") for host in hosts)
        self._dial = dial or dial_public
        self._listening: socket.socket | None = None
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self.refused: set[str] = set()
        """What was wanted and not named."""

    def open_in(self, process: int) -> None:
        """Listen in the network of a process that has not begun yet."""
        self._listening = listen_in(process)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def close(self) -> None:
        if self._listening is not None:
            with contextlib.suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for a caller
            self._listening.close()
            self._listening = None

    def _accept(self, listening: socket.socket) -> None:
        while True:
            self._room.acquire()
            try:
                caller, _ = listening.accept()
            except OSError:
                return  # closed: the command has ended
            threading.Thread(target=self._served, args=(caller,), daemon=True).start()

    def _served(self, caller: socket.socket) -> None:
        try:
            with caller:
                caller.settimeout(SECONDS)
                self._serve(caller)
        except OSError:
            return  # one of the two has gone; the other notices
        finally:
            self._room.release()

    def _serve(self, caller: socket.socket) -> None:
        head, rest = _head(caller)
        try:
            host, port, first = wanted(head)
            self._permit(host, port)
            with self._dial(host, port) as far:
                if first:
                    far.sendall(first + rest)
                else:
                    caller.sendall(OPENED)
                    far.sendall(rest)
                _join(caller, far)
        except AssentError as error:
            text = f"assent: {error}\n".encode()
            caller.sendall(
                b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(text) + text
            )
        except OSError as error:
            text = f"assent: {error}\n".encode()
            caller.sendall(
                b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(text) + text
            )

    def _permit(self, host: str, port: int) -> None:
        """INVARIANT: exactly the hosts a person named, at the ports of the web."""
        if host.casefold().rstrip(".") not in self.hosts or port not in PORTS:
            self.refused.add(f"{host}:{port}")
            raise AssentError(
                f"the sandbox does not reach `{host}:{port}`", help=f'network = ["{host}"] under [sandbox]'
            )


def wanted(head: bytes) -> tuple[str, int, bytes]:
    """Host and port of a request to a proxy, and what is sent on; nothing for a tunnel."""
    line, _, fields = head.partition(b"\r\n")
    words = line.decode("ascii", "replace").split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise AssentError("this is no request to a proxy")
    method, target, _ = words
    if method == "CONNECT":
        return *_split(target, 443), b""
    if not target.startswith("http://"):
        raise AssentError("only http:// and CONNECT pass")
    authority, slash, path = target[len("http://") :].partition("/")
    host, port = _split(authority, 80)
    kept = [
        field
        for field in fields.removesuffix(b"\r\n\r\n").split(b"\r\n")
        if field.split(b":")[0].strip().lower()
        not in (b"host", b"proxy-connection", b"proxy-authorization", b"connection")
    ]
    lines = [f"{method} {slash + path or '/'} HTTP/1.1".encode(), b"Host: " + authority.encode(), *kept]
    return host, port, b"\r\n".join([*lines, b"Connection: close", b"", b""])


def _split(authority: str, usual: int) -> tuple[str, int]:
    host, colon, port = authority.rpartition(":")
    host, port = (host, port) if colon else (authority, str(usual))
    if not host or "@" in host or not port.isascii() or not port.isdigit() or len(port) > 5:
        raise AssentError(f"`{authority}` is no host")
    return host, int(port)


def _head(caller: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        part = caller.recv(MAX_HEAD)
        if not part or len(data) > MAX_HEAD:
            raise OSError("the request never ended")
        data += part
    head, mark, rest = data.partition(b"\r\n\r\n")
    return head + mark, rest


def _join(one: socket.socket, other: socket.socket) -> None:
    """Pass bytes both ways until both have said all, or nothing moves for long."""
    partner = {one: other, other: one}
    while partner:
        ready, _, _ = select.select(list(partner), [], [], IDLE_SECONDS)
        if not ready:
            return
        for source in ready:
            part = source.recv(65_536)
            if part:
                partner[source].sendall(part)
            else:
                with contextlib.suppress(OSError):
                    partner[source].shutdown(socket.SHUT_WR)
                del partner[source]


def dial_public(host: str, port: int) -> socket.socket:
    """Connect by an address on the public internet. INVARIANT: no name leads back into this network."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, address in found:
        if not _is_public(str(address[0])):
            continue
        made = socket.socket(family, kind, protocol)
        try:
            made.settimeout(SECONDS)
            made.connect(address)
        except OSError:
            made.close()
            continue
        return made
    raise OSError(f"{host} has no public address that answers")


def _is_public(address: str) -> bool:
    return not addresses.network_of(address.partition("%")[0])


# --- a socket in another network -----------------------------------------------------------------------------------


def listen_in(process: int) -> socket.socket:
    """A listening socket in the network of another process of ours."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with ours, theirs, _spaces(process) as (user, network):
        child = os.fork()
        if not child:
            os._exit(_listened(theirs, user, network))
        theirs.close()
        message, ancillary, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(4))
        _, status = os.waitpid(child, 0)
        if not message or status or not ancillary:
            raise AssentError(
                f"named hosts cannot be let through here: {os.strerror(os.waitstatus_to_exitcode(status))}"
            )
        found = array.array("i", ancillary[0][2])
        return socket.socket(fileno=found[0])


def _listened(back: socket.socket, user: int, network: int) -> int:
    """Runs in a process of its own, which alone may change its namespaces; the number of an error, or 0."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        for descriptor, kind in ((user, CLONE_NEWUSER), (network, CLONE_NEWNET)):
            if libc.setns(descriptor, kind):
                return ctypes.get_errno() or 1
        listening = socket.create_server(("", PORT))
        back.sendmsg([b"1"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listening.fileno()]))])
    except OSError as error:
        return error.errno or 1
    return 0


@contextlib.contextmanager
def _spaces(process: int) -> Iterator[tuple[int, int]]:
    """The network of a process and the user namespace that owns it, which need not be the one the process is in."""
    network = os.open(f"/proc/{process}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        user = fcntl.ioctl(network, NS_GET_USERNS)
        try:
            yield user, network
        finally:
            os.close(user)
    finally:
        os.close(network)
