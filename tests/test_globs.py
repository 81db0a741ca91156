"""Patterns: the same answers as fnmatch where the dialects agree, and never more than linear work per star."""

import fnmatch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent import globs
from assent.errors import PolicyError

PATTERNS = st.text("ab*?[]!-/.", max_size=12)
TEXTS = st.text("ab-/.]!", max_size=12)


@settings(max_examples=2000)
@given(PATTERNS, TEXTS)
def test_plain_patterns_mean_what_they_mean_to_fnmatch(pattern: str, text: str) -> None:
    if "--" in pattern or "[^" in pattern or any(a > b for a, b in ranges(pattern)):
        return  # ranges that make no sense are dropped by fnmatch and match nothing here
    assert globs.match_text(pattern, text) == fnmatch.fnmatchcase(text, pattern)


def ranges(pattern: str) -> list[tuple[str, str]]:
    return [(pattern[at - 1], pattern[at + 1]) for at in range(1, len(pattern) - 1) if pattern[at] == "-"]


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("src/**", "src", True),
        ("src/**", "src/a/b", True),
        ("src/**", "srcs/a", False),
        ("src/*", "src/a", True),
        ("src/*", "src/a/b", False),
        ("**/x", "x", True),
        ("**/x", "a/b/x", True),
        ("**/x/**/y", "a/x/y", True),
        ("**/x/**/y", "a/x/b/c/y", True),
        ("**/x/**/y", "a/y/b/x", False),
        ("a/**/b/**/c", "a/b/b/c/c", True),
        ("*.py", "a.py", True),
        ("*.py", "a/b.py", False),
        ("a[0-9].txt", "a5.txt", True),
        ("a[!0-9].txt", "a5.txt", False),
    ],
)
def test_paths_are_matched_component_by_component(pattern: str, path: str, matches: bool) -> None:
    assert globs.match_path(tuple(pattern.split("/")), tuple(path.split("/"))) is matches


@given(st.lists(st.sampled_from(["a", "b", "**", "*", "a*"]), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_deep_patterns_agree_with_a_slow_and_simple_matcher(pattern: list[str], path: list[str]) -> None:
    def slow(want: list[str], have: list[str]) -> bool:
        if not want:
            return not have
        if want[0] == "**":
            return any(slow(want[1:], have[skip:]) for skip in range(len(have) + 1))
        return bool(have) and fnmatch.fnmatchcase(have[0], want[0]) and slow(want[1:], have[1:])

    assert globs.match_path(tuple(pattern), tuple(path)) == slow(pattern, path)


@given(PATTERNS, TEXTS)
def test_what_matches_begins_and_ends_with_the_literal_parts(pattern: str, text: str) -> None:
    if globs.match_text(pattern, text):
        assert text.startswith(globs.literal_head(pattern))
        if "[" not in pattern:
            assert text.endswith(globs.literal_tail(pattern))


def test_braces_are_expanded_and_bounded() -> None:
    assert globs.alternatives("a{b,c}d{e,f}") == ("abde", "abdf", "acde", "acdf")
    assert set(globs.alternatives("{a,{b,c}}")) == {"a", "b", "c"}
    assert globs.alternatives("a{b}c{") == ("a{b}c{",)
    with pytest.raises(PolicyError, match="too many alternatives"):
        globs.alternatives("{a,b}" * 10)


def test_filling_gives_a_plain_example() -> None:
    assert globs.fill(".env*") == ".envx"
    assert globs.fill("a[0-9]?[") == "axx["


def test_hostile_patterns_take_no_exponential_time() -> None:
    assert not globs.match_text("*a" * 50, "a" * 49 + "b" * 2000)
    assert not globs.match_path(("**", "a") * 50, ("a",) * 49 + ("b",) * 1000)


@pytest.mark.parametrize(
    ("only", "narrow"),
    [
        *(("*.pyc", True), ("__pycache__/", True), ("*.o", True), ("{*.a,*.b}", True), ("*.py//venv", True)),
        *(("", False), ("*", False), ("*e*", False), ("*.*", False), (".*", False), ("?", False), ("*//venv", False)),
        *(("*[a-z]*", False), ("{*.a,*}", False), ("??//ab", False)),
    ],
)
def test_a_narrow_glob_says_more_than_one_sign(only: str, narrow: bool) -> None:
    assert globs.is_narrow(only) is narrow


@pytest.mark.parametrize(("glob", "name"), [("İd_rsa", "id_rsa"), ("id*", "İd"), ("*.py", "ä.py"), ("ä*", "Äx")])
def test_letters_beyond_ascii_may_be_any(glob: str, name: str) -> None:
    fits = globs.name_test(glob.casefold())
    assert fits is not None
    assert fits(name)
