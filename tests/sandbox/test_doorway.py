"""Named hosts through the proxy: they are reached from inside, nothing else is, and no name leads back to us."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.sandbox.doorway import Doorway, dial_public, wanted
from assent.sandbox.profile import Settings
from sandbox.confined import Place

NAMED = Settings(network=("example.org",))


class Far:
    """A server on this machine that stands for the named host."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.heard: list[bytes] = []
        self.asked: list[tuple[str, int]] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def dial(self, host: str, port: int) -> socket.socket:
        self.asked.append((host, port))
        return socket.create_connection(self.listening.getsockname())

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self.listening.close()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self.listening.accept()
            except OSError:
                return
            with caller:
                self.heard.append(caller.recv(65_536))
                caller.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nhello\n")


@pytest.fixture
def far() -> Iterator[Far]:
    made = Far()
    yield made
    made.close()


def test_a_named_host_is_reached_and_no_other(tmp_path: Path, far: Far) -> None:
    place = Place(tmp_path)
    door = Doorway(NAMED.network, far.dial)
    command = "curl -sS http://example.org/a?b; curl -sS http://evil.example/; curl -sS https://evil.example/"
    done = place.run(command, place.profile(NAMED), door=door)
    assert done.out == (
        'hello\nassent: the sandbox does not reach `evil.example:80` (network = ["evil.example"] under [sandbox])\n'
    )
    assert "403" in done.err
    assert far.asked == [("example.org", 80)]
    assert far.heard[0].startswith(b"GET /a?b HTTP/1.1\r\nHost: example.org\r\n")
    assert door.refused == {"evil.example:80", "evil.example:443"}


def test_around_the_proxy_there_is_nothing(tmp_path: Path, far: Far) -> None:
    place = Place(tmp_path)
    port = far.listening.getsockname()[1]
    command = f"curl -sS --noproxy '*' http://127.0.0.1:{port}/; curl -sS --noproxy '*' http://192.0.2.1/"
    done = place.run(command, place.profile(NAMED), door=Doorway(NAMED.network, far.dial))
    assert (done.code, done.out, far.heard) == (7, "", [])


def test_a_tunnel_carries_bytes_both_ways(tmp_path: Path, far: Far) -> None:
    place = Place(tmp_path)
    command = (
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT example.org:443 HTTP/1.1\\r\\n\\r\\n' >&3;"
        "head -c 39 <&3; printf 'any bytes' >&3; cat <&3"
    )
    done = place.run(command, place.profile(NAMED), door=Doorway(NAMED.network, far.dial))
    assert done.out.startswith("HTTP/1.1 200 Connection established")
    assert done.out.endswith("hello\n")
    assert (far.asked, far.heard) == ([("example.org", 443)], [b"any bytes"])


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"CONNECT a.b:443 HTTP/1.1\r\n\r\n", ("a.b", 443, b"")),
        (b"CONNECT a.b HTTP/1.1\r\n\r\n", ("a.b", 443, b"")),
        (
            b"GET http://a.b HTTP/1.1\r\nHost: c.d\r\nProxy-Authorization: x\r\nAccept: y\r\n\r\n",
            ("a.b", 80, b"GET / HTTP/1.1\r\nHost: a.b\r\nAccept: y\r\nConnection: close\r\n\r\n"),
        ),
    ],
)
def test_what_a_request_wants(head: bytes, found: tuple[str, int, bytes]) -> None:
    assert wanted(head) == found


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET ftp://a.b/ HTTP/1.1\r\n\r\n",
        b"CONNECT good@evil:443 HTTP/1.1\r\n\r\n",
        b"CONNECT a.b:99x HTTP/1.1\r\n\r\n",
        b"CONNECT :443 HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
def test_what_is_no_request_to_a_proxy_is_refused(head: bytes) -> None:
    with pytest.raises(AssentError):
        wanted(head)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:192.168.0.1", "fe80::1%eth0"]
)
def test_a_name_that_leads_into_this_network_is_not_dialled(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    row = (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: [row])
    with pytest.raises(OSError, match="has no public address"):
        dial_public("rebound.example", 443)


def test_only_the_ports_of_the_web_are_reached(tmp_path: Path, far: Far) -> None:
    door = Doorway(("example.org",), far.dial)
    with pytest.raises(AssentError, match=r"does not reach `example\.org:22`"):
        door._permit("example.org", 22)
    door._permit("EXAMPLE.org.", 443)
