"""Section 4: requests to the machine itself, to private networks, and to addresses inside other addresses."""

from __future__ import annotations

import pytest

from assent import PermissionMode
from spec.spec_scene import MODES, checker, verdict


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "app.localhost", "LOCALHOST", "localhost.", "127.8.8.8"])
@pytest.mark.parametrize("mode", MODES)
def test_loopback_asks(mode: PermissionMode, host: str) -> None:
    """A developer's own server is the usual case: loopback asks, in every mode."""
    url = f"http://{host}:3000/"
    assert verdict(checker(mode=mode), "exec", command=f"curl -s {url}") == "ask"
    assert verdict(checker(mode=mode), "web_fetch", input={"url": url}) == "ask"


NOTATIONS = [
    *("127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"),
    *("0.0.0.0", "0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
]
STARTING = ["curl -s {}", "wget -qO- {}", "http GET {}", "python3 -c \"import urllib.request as r; r.urlopen('{}')\""]


@pytest.mark.parametrize("host", NOTATIONS)
@pytest.mark.parametrize("mode", MODES)
def test_loopback_asks_in_every_notation(mode: PermissionMode, host: str) -> None:
    """Whichever way this machine's own address is written: commands and MCP tools ask; no notation passes unasked,
    and an agent's own fetching tool refuses those that only trick a filter."""
    url, subject = f"http://{host}:3000/", checker(mode=mode)
    for command in STARTING:
        if mode is not PermissionMode.PLAN or command.startswith("curl"):
            assert verdict(subject, "exec", command=command.replace("{}", url)) == "ask"
    if mode is not PermissionMode.PLAN:
        assert verdict(subject, "mcp__web__fetch", input={"url": url}) == "ask"
    assert verdict(subject, "web_fetch", input={"url": url}) == "deny"


ELSEWHERE = [
    *("10.0.0.1", "192.168.1.1", "172.16.0.9", "0xa.1", "012.0.0.1", "10.1", "[fc00::1]", "[fe80::1]", "169.254.7.7"),
    *("169.254.169.254", "0xa9fea9fe", "2852039166", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "100.100.100.200"),
    *("metadata.google.internal", "kubernetes.default.svc", "127.0.0.1.nip.io", "[64:ff9b::a9fe:a9fe]"),
]


@pytest.mark.parametrize("host", ELSEWHERE)
@pytest.mark.parametrize("mode", MODES)
def test_private_networks_are_denied_in_every_notation(mode: PermissionMode, host: str) -> None:
    """Private, link-local and metadata addresses are denied, however written, by whatever asks for them."""
    url, subject = f"http://{host}/", checker(mode=mode)
    assert verdict(subject, "web_fetch", input={"url": url}) == "deny"
    for command in STARTING:
        assert verdict(subject, "exec", command=command.replace("{}", url)) == "deny"


@pytest.mark.parametrize("mode", MODES)
def test_metadata_addresses_in_mcp_arguments_are_denied(mode: PermissionMode) -> None:
    """What hands out the machine's own keys is denied to MCP tools, too, in whichever argument it stands."""
    for given in (
        {"url": "http://169.254.169.254/latest/"},
        {"target": "http://[fd00:ec2::254]/"},
        {"options": {"next": "https://example.com/?u=http%3A%2F%2F169.254.169.254%2F"}},
        {"q": "https://example.com/?u=//metadata.google.internal/"},
    ):
        assert verdict(checker(mode=mode), "mcp__x__go", input=given) == "deny"


def test_a_name_that_is_not_public_never_passes() -> None:
    """`http://kubernetes.default/` is no name of the internet: it asks for commands, fetching tools and MCP alike."""
    subject = checker(mode=PermissionMode.FULL_AUTO)
    for url in ("http://kubernetes.default/", "https://example.com/?u=http://kubernetes.default/"):
        for command in STARTING:
            assert (
                verdict(subject, "exec", command=command.replace("{}", f"'{url}'" if "'" not in command else url))
                == "ask"
            )
        assert verdict(subject, "web_fetch", input={"url": url}) == "ask"
        assert verdict(subject, "mcp__x__go", input={"target": url}) == "ask"


def test_loopback_is_allowed_by_a_rule_that_names_it() -> None:
    """A rule of the user that names loopback answers the question."""
    subject = checker(allow=["WebFetch(domain:localhost)"])
    assert verdict(subject, "exec", command="curl -s http://localhost:3000/") == "allow"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/?u=http://169.254.169.254/",
        "https://example.com/?u=//169.254.169.254/",
        "https://example.com/http://169.254.169.254/",
        "https://example.com/?u=http%3A%2F%2F169.254.169.254%2F",
        "https://example.com/?u=http%253A%252F%252F169.254.169.254",
        "https://example.com/?u=http:/169.254.169.254/",
        "https://example.com/?u=gopher://169.254.169.254/_x",
        "https://example.com/?u=//127.0.0.1/",
        "https://example.com/?u=http://localhost:8080/",
        "https://example.com/?host=169.254.169.254",
    ],
)
def test_an_address_inside_an_address_counts_for_the_shell_as_for_tools(url: str) -> None:
    """A metadata address that another address carries along never passes in FULL_AUTO."""
    subject = checker(mode=PermissionMode.FULL_AUTO)
    wanted = verdict(subject, "web_fetch", input={"url": url})
    assert wanted != "allow"
    for command in STARTING:
        written = command.replace("{}", url if "'" in command else f"'{url}'")
        assert verdict(subject, "exec", command=written) == wanted, written
    assert verdict(subject, "mcp__x__go", input={"target": url}) == wanted
