"""Requests to this machine ask, to other machines nearby they are denied, in every notation and by every tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assent.addresses import has_public_ending
from assent.pipeline import judge
from assent.types import PermissionDecision, ToolCall
from decided import PROJECT, WORLD, answer, decided, policy_of

if TYPE_CHECKING:
    from assent.types import Mode

ASKED, DENIED = "ask by ask", "deny by deny"
HERE = [
    *(
        "http://localhost:8000",
        "http://localhost.:8000/",
        "http://LOCALHOST/",
        "http://app.localhost/x",
        "localhost:3000",
    ),
    *("http://127.0.0.1:3000/x", "http://127.9.9.9/", "http://127.1/", "http://2130706433/", "http://0x7f000001/"),
    *("http://0177.0.0.1/", "http://[::1]:3000/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0:8000/", "http://0/"),
    *("http://[::]/", "http://ip6-localhost/"),
]
NEARBY = [
    *("http://169.254.169.254/latest/", "http://0xA9FEA9FE/", "http://2852039166/", "http://[::ffff:a9fe:a9fe]/"),
    *(
        "http://metadata.google.internal/",
        "http://metadata/",
        "http://instance-data/latest/",
        "http://[fd00:ec2::254]/",
    ),
    *(
        "http://100.100.100.200/",
        "http://10.0.0.5/",
        "http://192.168.1.1:8080/",
        "http://172.16.0.9/",
        "http://[fe80::1]/",
    ),
    *("http://kubernetes.default.svc/", "http://kubernetes/", "http://x.internal/", "http://printer.local/"),
    *("http://nas.lan/", "http://wiki.corp/", "http://127.0.0.1.nip.io/", "http://x.svc.cluster.local/"),
]
UNKNOWN = [
    "http://kubernetes.default/",
    "http://vault.production/",
    "http://db.service.consul/",
    "http://x.kube-system/",
]
PUBLIC = [
    "https://example.com/",
    "https://docs.python.org/3/",
    "https://a.io/",
    "https://xn--80ak6aa92e.com/",
    "https://1.1.1.1/",
]


def fetched(url: str, mode: Mode = "default", *allow: str) -> PermissionDecision:
    call = ToolCall("WebFetch", {"url": url}, cwd=PROJECT, workspace=PROJECT)
    return judge(call, policy_of(allow, mode=mode), WORLD)


@pytest.mark.parametrize("mode", ["default", "full_auto"])
@pytest.mark.parametrize("url", HERE)
def test_a_command_that_reaches_this_machine_asks(url: str, mode: Mode) -> None:
    assert answer(f"curl '{url}'", policy_of(["Bash"], mode=mode)) == ASKED


@pytest.mark.parametrize("mode", ["default", "full_auto"])
@pytest.mark.parametrize("url", NEARBY)
def test_a_command_that_reaches_a_machine_nearby_is_denied(url: str, mode: Mode) -> None:
    assert answer(f"curl '{url}'", policy_of(["Bash"], mode=mode)) == DENIED


@pytest.mark.parametrize("url", UNKNOWN)
def test_a_name_that_ends_like_no_public_one_asks_in_every_mode(url: str) -> None:
    assert answer(f"curl {url}", policy_of(["Bash"], mode="full_auto")) == ASKED
    assert fetched(url, "full_auto").decided_by == "ask"


@pytest.mark.parametrize("url", PUBLIC)
def test_the_public_internet_is_left_to_rules_and_modes(url: str) -> None:
    assert decided(f"curl {url}", policy_of(mode="full_auto")).allowed
    assert fetched(url, "full_auto").allowed


@pytest.mark.parametrize("url", NEARBY)
def test_a_fetch_to_a_machine_nearby_is_denied(url: str) -> None:
    assert fetched(url, "full_auto").decided_by == "deny"


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://localhost:3000/", "ask"),
        ("http://127.0.0.1:3000/", "ask"),
        ("http://app.localhost/", "ask"),
        ("http://127.1/", "deny"),
        ("http://2130706433/", "deny"),
        ("http://[::1]:8080/", "deny"),
        ("http://0.0.0.0:7777/", "deny"),
        ("http://example.com@127.0.0.1/", "deny"),
    ],
)
def test_a_tool_that_fetches_asks_only_about_the_usual_names_of_this_machine(url: str, verdict: str) -> None:
    assert str(fetched(url, "full_auto").verdict) == verdict


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("https://example.com/?u=http://169.254.169.254/", "deny"),
        ("https://example.com/?u=http%3A%2F%2F169.254.169.254%2F", "deny"),
        ("https://example.com/?u=http%253A%252F%252F10.0.0.1", "deny"),
        ("https://example.com/?u=//169.254.169.254/", "deny"),
        ("https://example.com/?u=%2F%2F10.0.0.1", "deny"),
        ("https://example.com/?host=169.254.169.254&x=1", "deny"),
        ("https://example.com/?host=metadata.google.internal", "deny"),
        ("https://example.com/http://192.168.0.1/", "deny"),
        ("https://example.com/?u=//127.0.0.1/", "ask"),
        ("https://example.com/?next=http://localhost:3000/cb", "ask"),
        ("https://example.com/?ip=10.0.0.1", "allow"),
        ("https://example.com/?next=/home", "allow"),
        ("https://example.com/?u=https://docs.python.org/", "allow"),
    ],
)
@pytest.mark.parametrize("program", ["curl", "wget -O x", "http", ""])
def test_an_address_inside_a_query_counts_for_every_tool(url: str, verdict: str, program: str) -> None:
    decision = decided(f"{program} '{url}'", policy_of(mode="full_auto")) if program else fetched(url, "full_auto")
    assert str(decision.verdict) == verdict


@pytest.mark.parametrize(
    "command",
    [
        *(
            "curl --connect-to a.example:80:169.254.169.254:80 http://a.example",
            "curl -x http://10.0.0.1:1 http://a.example",
        ),
        *(
            "curl --resolve a.example:80:169.254.169.254 http://a.example",
            "curl --proxy 10.0.0.1:3128 http://a.example",
        ),
        *(
            "curl --socks5 10.0.0.1 http://a.example",
            "ssh -J 169.254.169.254 h",
            "ssh root@169.254.169.254",
            "nc 169.254.169.254 80",
        ),
        *(
            "wget http://10.0.0.1/x",
            "http http://169.254.169.254/",
            "xh http://10.0.0.1",
            "aria2c http://169.254.169.254/x",
        ),
        *("git clone http://169.254.169.254/x", "git ls-remote https://10.0.0.5/x", "scp a.txt root@169.254.169.254:x"),
        *("pip install --index-url http://169.254.169.254/ x", "npm install --registry=http://169.254.169.254/"),
        *(
            "mytool http://169.254.169.254/",
            "mytool --url=http://169.254.169.254/",
            "mytool 169.254.169.254",
            "mytool metadata.google.internal",
        ),
        *(
            "socat - TCP:169.254.169.254:80",
            "telnet 169.254.169.254 80",
            "psql -h 169.254.169.254",
            "rsync rsync://169.254.169.254/x .",
        ),
        *(
            "curl http://127.0.0.1:7391/api/requests",
            "curl -X POST http://localhost:9999/api/requests/1/answer",
            "nc localhost 7391",
        ),
    ],
)
def test_no_program_gets_there_in_another_way(command: str) -> None:
    assert answer(command, policy_of(["Bash"], mode="full_auto")) == DENIED


@pytest.mark.parametrize(
    "command", ["mytool http://10.0.0.1/", "nc -zv localhost 8080", "curl -x localhost:8080 http://a.example"]
)
def test_what_may_be_meant_well_asks(command: str) -> None:
    assert decided(command, policy_of(mode="full_auto")).decided_by == "ask"


@pytest.mark.parametrize("command", ["psql -h localhost", "ssh 10.0.0.5 ls", "redis-cli -h 127.0.0.1 get x"])
def test_programs_that_fetch_no_pages_may_talk_to_machines_nearby(command: str) -> None:
    reasons = decided(command, policy_of(mode="full_auto")).reasons
    assert not [reason for reason in reasons if "internet" in reason.text or "this machine" in reason.text]


def asked_tool(value: str, mode: Mode = "full_auto") -> PermissionDecision:
    call = ToolCall("mcp__web__get", {"target": value}, cwd=PROJECT, workspace=PROJECT)
    return judge(call, policy_of(["Mcp(web.get)"], mode=mode), WORLD)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("http://169.254.169.254/latest/", "deny"),
        ("http://0xa9fea9fe/", "deny"),
        ("https://example.com/?u=http://169.254.169.254/", "deny"),
        ("see http://169.254.169.254/ for more", "ask"),
        ("http://10.0.0.1/", "ask"),
        ("http://localhost:3000/", "ask"),
        ("see http://localhost:3000/ for more", "allow"),
        ("https://example.com/", "allow"),
    ],
)
def test_addresses_in_arguments_of_other_tools(value: str, verdict: str) -> None:
    assert str(asked_tool(value).verdict) == verdict


# --- rules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "url"),
    [
        ("WebFetch(domain:localhost)", "http://localhost:3000/"),
        ("WebFetch(domain:localhost:3000)", "http://localhost:3000/"),
        ("WebFetch(domain:127.0.0.1)", "http://127.0.0.1:8080/"),
        ("WebFetch(domain:[::1])", "http://[::1]:8080/"),
        ("WebFetch(domain:10.0.0.5)", "http://10.0.0.5/"),
        ("WebFetch(http://kubernetes.default/**)", "http://kubernetes.default/"),
    ],
)
@pytest.mark.parametrize("mode", ["default", "full_auto"])
def test_a_rule_that_names_the_host_lifts_it(rule: str, url: str, mode: Mode) -> None:
    assert decided(f"curl '{url}'", policy_of([rule], mode=mode)).allowed
    assert fetched(url, mode, rule).allowed


@pytest.mark.parametrize("rule", ["WebFetch", "WebFetch(domain:*)", "Bash(curl:*)", "WebFetch(domain:localhost:3001)"])
def test_a_wide_rule_does_not(rule: str) -> None:
    assert not decided("curl http://localhost:3000/", policy_of([rule], mode="full_auto")).allowed


def test_no_rule_lets_an_agent_answer_itself() -> None:
    policy = policy_of(["WebFetch(domain:localhost)", "Bash"])
    assert answer("curl http://localhost:7391/", policy) == DENIED


@pytest.mark.parametrize(
    ("command", "suggestions"),
    [
        ("curl http://localhost:8000", ("WebFetch(domain:localhost:8000)",)),
        ("curl http://127.0.0.1:3000/x", ("WebFetch(domain:127.0.0.1:3000)",)),
        ("curl 'http://[::1]:3000/x'", ("WebFetch(domain:[::1]:3000)",)),
        ("curl -d x http://localhost:8000", ()),
        ("curl http://10.0.0.1/", ()),
    ],
)
def test_the_rule_that_answers_for_this_machine_names_host_and_port(command: str, suggestions: tuple[str, ...]) -> None:
    assert decided(command).suggestions == suggestions
    assert all(decided(command, policy_of([text])).allowed for text in suggestions)


def test_several_questions_are_answered_together() -> None:
    decision = decided("curl -o x http://localhost:8000")
    assert decision.together == ("WebFetch(domain:localhost:8000)", "Bash(curl -o x http://localhost:8000)")
    assert decided("curl -o x http://localhost:8000", policy_of(decision.together)).allowed


@pytest.mark.parametrize("host", ["a.com", "a.co.uk", "a.museum", "a.xn--p1ai", "1.2.3.4", "::1", "a.example"])
def test_public_names_and_addresses_end_as_they_do(host: str) -> None:
    assert has_public_ending(host)


@pytest.mark.parametrize("host", ["kubernetes.default", "a.b", "x.coms", "x.om-", "a.consul", "a.test", "a. com"])
def test_other_names_do_not(host: str) -> None:
    assert not has_public_ending(host)
