"""Host patterns of rules: what an allow covers and what a deny touches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import PolicyError
from assent.urls import HostPattern, covers, host_pattern, is_local_pattern, parse, touches

# --- host patterns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("docs.python.org", HostPattern("docs.python.org")),
        ("Docs.Python.Org.", HostPattern("docs.python.org")),
        ("*.example.com", HostPattern("example.com", wild=True)),
        ("*", HostPattern("", wild=True)),
        ("*:8443", HostPattern("", wild=True, port=8443)),
        ("example.com:8443", HostPattern("example.com", port=8443)),
        ("localhost", HostPattern("localhost")),
        ("127.0.0.1", HostPattern("127.0.0.1")),
        ("[::1]", HostPattern("::1")),
        ("[0::1]:80", HostPattern("::1", port=80)),
        ("bücher.example", HostPattern("xn--bcher-kva.example")),
        ("*.BÜCHER.example", HostPattern("xn--bcher-kva.example", wild=True)),
        ("https://example.com", HostPattern("example.com", scheme="https")),
        ("https://example.com:8443/a/**", HostPattern("example.com", scheme="https", port=8443, path="/a/**")),
        ("HTTP://*.example.com/**", HostPattern("example.com", wild=True, scheme="http", path="/**")),
        ("https://example.com/a?b=c", HostPattern("example.com", scheme="https", path="/a?b=c")),
    ],
)
def test_a_pattern_is_canonical(text: str, pattern: HostPattern) -> None:
    assert host_pattern(text) == pattern


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*.",
        "https://",
        "https:///x",
        "ftp://example.com",
        "://example.com",
        "exa*mple.com",
        "a.*.com",
        "*example.com",
        "example.*",
        "**",
        "user@example.com",
        "https://user@example.com/",
        " example.com",
        "exam ple.com",
        "example.com\n",
        "example.com\u200b",
        "a..b",
        "-a.example",
        "a" * 64 + ".example",
        "xn--a.example",
        "example.com:0",
        "example.com:",
        "example.com:x",
        "127.1",
        "1.2.3.4.5",
        "*.127.0.0.1",
        "*.[::1]",
        "::1",
        "[::1",
        "example.com/path",
        "example.com?x",
        "example.com\\",
        "exam%70le.com",
        "https://example.com/a/*",
        "https://example.com/*/b",
        "https://example.com/../a",
        "https://example.com/a//b",
        "https://example.com/%2e%2e/",
        "https://example.com/a#b",
        "https://example.com/a b",
    ],
)
def test_nonsense_is_refused_with_the_text_and_advice(text: str) -> None:
    with pytest.raises(PolicyError) as refused:
        host_pattern(text)
    assert refused.value.message.startswith(f"`{text}` is not a domain: ")
    assert refused.value.help


@given(st.text())
def test_a_pattern_is_read_or_refused(text: str) -> None:
    try:
        pattern = host_pattern(text)
    except PolicyError:
        return
    stand_in = f"x.{pattern.host}".removesuffix(".") if pattern.wild else pattern.host
    assert parse(f"https://[{stand_in}]/" if ":" in stand_in else f"https://{stand_in}/").host == stand_in


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("*.corp.internal", True),
        ("*.localhost", True),
        ("localhost", True),
        ("127.0.0.1", True),
        ("[::1]", True),
        ("intranet", True),
        ("*", False),
        ("*.com", False),
        ("example.com", False),
        ("8.8.8.8", False),
    ],
)
def test_a_pattern_is_local_by_its_text(text: str, local: bool) -> None:
    assert is_local_pattern(host_pattern(text)) is local


# --- allow is strict, deny is loose --------------------------------------------------------------------------------

MATCHES = [
    # pattern, URL, covers, touches
    ("docs.python.org", "https://DOCS.python.org./3/", True, True),
    ("docs.python.org", "https://docs.python.org:443/3/?highlight=..%2f..", True, True),
    ("docs.python.org", "http://docs.python.org/", False, True),
    ("docs.python.org", "ftp://docs.python.org/", False, True),
    ("docs.python.org", "https://docs.python.org:8443/", False, True),
    ("docs.python.org", "https://a.docs.python.org/", False, True),
    ("docs.python.org", "https://evil.example/docs.python.org/", False, False),
    ("docs.python.org", "https://docs.python.org.evil.example/", False, False),
    ("docs.python.org", "https://xdocs.python.org/", False, False),
    ("docs.python.org", "https://user@docs.python.org/", False, True),
    ("docs.python.org", "https://docs.python.org@evil.example/", False, True),
    ("evil.example", "https://docs.python.org@evil.example/", False, True),
    ("evil.example", "https://docs.python.org%40evil.example/", False, True),
    ("evil.example", "https://evil.example\\@docs.python.org/", False, True),
    ("evil.example", "https://docs.python.org\\@evil.example/", False, True),
    ("evil.example", "https://docs.python.org#@evil.example/", False, True),
    ("evil.example", "https://evil.example\0.docs.python.org/", False, True),
    ("evil.example", "https://evil.example／.docs.python.org/", False, True),
    ("evil.example", "https://ev\til.example/", False, True),
    ("evil.example", "https://%65vil.example/", False, True),
    ("evil.example", "https://%2565vil.example/", False, True),
    ("evil.example", "https://ｅvil。example/", False, True),
    ("evil.example", "https:///evil.example/", False, True),
    ("evil.example", "evil.example/x", False, True),
    ("evil.example", "git@evil.example:x/y", False, True),
    ("evil.example", "https://evil.example:/", False, True),
    ("evil.example", "https://" + "a@" * 5000 + "evil.example/", False, True),
    ("evil.example", "https://" + "a@" * 20 + "docs.python.org%40evil.example/", False, True),
    ("bücher.example", "https://xn--bcher-kva.example/", True, True),
    ("bücher.example", "https://bücher.example/", False, True),
    ("xn--bcher-kva.example", "https://BÜCHER.example/", False, True),
    ("strasse.example", "https://straße.example/", False, True),
    ("*.example.com", "https://a.b.example.com/", True, True),
    ("*.example.com", "https://example.com/", False, True),
    ("*.example.com", "https://evilexample.com/", False, False),
    ("*.example.com", "http://a.example.com/", False, True),
    ("*", "https://anything.example/", True, True),
    ("*", "https://8.8.8.8/", False, True),
    ("*", "https://[2606:4700::1]/", False, True),
    ("*", "https://localhost/", False, True),
    ("*", "https://intranet/", False, True),
    ("*", "file:///etc/passwd", False, True),
    ("example.com:8443", "https://example.com:8443/", True, True),
    ("example.com:8443", "https://example.com/", False, False),
    ("example.com:8443", "https://example.com:08443/", False, True),
    ("localhost", "http://localhost:3000/", True, True),
    ("localhost:3000", "http://localhost:3001/", False, False),
    ("localhost", "ftp://localhost/", False, True),
    ("127.0.0.1", "http://127.0.0.1:8080/", True, True),
    ("127.0.0.1", "http://127.1/", False, True),
    ("127.0.0.1", "http://[::ffff:127.0.0.1]/", False, True),
    ("8.8.8.8", "https://8.8.8.8/", True, True),
    ("8.8.8.8", "http://8.8.8.8/", False, True),
    ("[::1]", "http://[0:0::1]:1/", True, True),
    ("*.internal", "http://git.internal:8080/", True, True),
    ("*.internal", "http://metadata.google.internal/", False, True),
    ("http://example.com/**", "http://example.com/a", True, True),
    ("http://example.com/**", "https://example.com/a", False, False),
    ("http://localhost", "https://localhost/", False, False),
    ("https://example.com/a/**", "https://example.com/a/b?c=..", True, True),
    ("https://example.com/a/**", "https://example.com/a?c", True, True),
    ("https://example.com/a/**", "https://example.com/ab", False, False),
    ("https://example.com/a/**", "https://example.com/A/%62", False, True),
    ("https://example.com/a/**", "https://example.com/%61/b", False, True),
    ("https://example.com/a/**", "https://example.com/a/../b", False, True),
    ("https://example.com/a/**", "https://example.com/a/%2E%2e/b", False, True),
    ("https://example.com/a/**", "https://example.com/a%2fb", False, True),
    ("https://example.com/a/**", "https://example.com/a/%252e%252e/b", False, True),
    ("https://example.com/a/**", "https://example.com/a/%5C..%5cb", False, True),
    ("https://example.com/a/**", "https://example.com/a/.%5cb", False, True),
    ("https://example.com/a/**", "https://example.com//a/b", False, True),
    ("https://example.com/a/**", "https://example.com／a/b", False, True),
    ("https://example.com/a/**", "https://example.com/b", False, False),
    ("https://example.com/a", "https://example.com/a", True, True),
    ("https://example.com/a", "https://example.com/a?b", False, True),
]


@pytest.mark.parametrize(("text", "url", "strict", "loose"), MATCHES)
def test_allow_is_strict_and_deny_is_loose(text: str, url: str, strict: bool, loose: bool) -> None:
    pattern, read = host_pattern(text), parse(url)
    assert (covers(pattern, read), touches(pattern, read)) == (strict, loose)


PATTERNS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["https://", "http://"]),
    st.sampled_from(["*", "*.", ""]).flatmap(
        lambda star: st.just("*") if star == "*" else st.sampled_from(["b.c", "c", "localhost"]).map(star.__add__)
    ),
    st.sampled_from(["", ":80", ":443", ":1"]),
    st.sampled_from(["", "/**", "/a/**", "/a", "/a%41/**"]),
).flatmap(lambda text: st.sampled_from([text, text.partition("://")[2].partition("/")[0]]))
URLS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "ftp://", "https:/", "//"]),
    st.sampled_from(["", "", "", "u@"]),
    st.sampled_from(["b.c", "a.b.c", "c", "localhost", "a.localhost", "127.1", "B.C."]),
    st.sampled_from(["", ":80", ":443", ":1", ":01"]),
    st.sampled_from(["", "/", "/a", "/a/b", "/a/../b", "/a?x", "/a%41/b", "/A"]),
)


@given(PATTERNS, URLS)
def test_what_an_allow_rule_covers_a_deny_rule_touches(text: str, url: str) -> None:
    pattern, read = host_pattern(text), parse(url)
    if covers(pattern, read):
        assert not read.trouble
        assert touches(pattern, read)


@given(URLS)
def test_an_exact_pattern_never_covers_another_host(url: str) -> None:
    assert not covers(host_pattern("b.c"), parse(url)) or parse(url).host == "b.c"
