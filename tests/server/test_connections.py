"""Strangers who only hold connections open lock nobody out of the inbox, and nothing is written about them."""

from __future__ import annotations

import http.client
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from assent.server import connections
from server.web_scene import Web, served

FEW, MANY = 40, 200
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture
def crowded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """An inbox that takes few connections."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", FEW)
    with served(tmp_path) as web:
        yield web


@contextmanager
def half_open(host: str, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(opened(host, sent)) for _ in range(count)]


def opened(host: str, sent: bytes) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), timeout=10)
    made.sendall(sent)
    return made


def answers(host: str) -> int:
    client = http.client.HTTPConnection(host, timeout=10)
    try:
        client.request("GET", "/")
        return client.getresponse().status
    finally:
        client.close()


@pytest.mark.parametrize("sent", [b"", HALF, b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"])
def test_half_open_connections_lock_nobody_out(crowded: Web, sent: bytes) -> None:
    with half_open(crowded.host, MANY, sent):
        assert [answers(crowded.host) for _ in range(3)] == [200] * 3


def test_a_client_that_sends_nothing_is_hung_up_on(crowded: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    with half_open(crowded.host, 1, HALF) as [one]:
        assert one.recv(1) == b""


def test_the_cap_leaves_files_for_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, most in ((256, 128), (1_024, 512), (100_000, 512), (resource.RLIM_INFINITY, 512), (8, 16)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        assert connections.most_connections() == most
