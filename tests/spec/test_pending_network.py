"""Section 4, what waits for other work: loopback asks, and addresses inside other addresses."""

from __future__ import annotations

import pytest

from assent import PermissionMode
from spec.spec_scene import MODES, checker, verdict


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "app.localhost"])
@pytest.mark.parametrize("mode", MODES)
def test_loopback_asks(mode: PermissionMode, host: str) -> None:
    """A developer's own server is the usual case: loopback asks, in every mode."""
    url = f"http://{host}:3000/"
    assert verdict(checker(mode=mode), "exec", command=f"curl -s {url}") == "ask"
    assert verdict(checker(mode=mode), "web_fetch", input={"url": url}) == "ask"


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
    ],
)
def test_an_address_inside_an_address_counts_for_the_shell_as_for_tools(url: str) -> None:
    """A metadata address that another address carries along never passes in FULL_AUTO."""
    subject = checker(mode=PermissionMode.FULL_AUTO)
    assert verdict(subject, "web_fetch", input={"url": url}) != "allow"
    assert verdict(subject, "exec", command=f"curl '{url}'") == verdict(subject, "web_fetch", input={"url": url})
