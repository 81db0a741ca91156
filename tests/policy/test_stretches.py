"""Patterns with operators are found wherever a command may stand, and nowhere else."""

import time

import pytest

from assent.policy.stretches import has_operators, is_somewhere

BOMB = ":(){ :|:& };:"


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        f"true; {BOMB}",
        f"cd x && {BOMB} && ls",
        f"x=1\n{BOMB}\nls",
        f"if true; then {BOMB}; fi",
        f"( {BOMB} )",
        f"echo $({BOMB})",
        f"true & {BOMB} &",
        "for i in 1 2; do\n  : ( ) {\n : | : &\n } ; :\ndone",
    ],
)
def test_a_fork_bomb_is_found_in_a_longer_line(text: str) -> None:
    assert is_somewhere(BOMB, text, [])


@pytest.mark.parametrize(
    "text", [f"echo '{BOMB}'", f'grep "{BOMB}" notes', ":(){ :|:& };:x", "x:(){ :|:& };:", "ls", ""]
)
def test_text_that_is_no_command_is_not_found(text: str) -> None:
    assert not is_somewhere(BOMB, text, [])


def test_text_in_quotes_counts_where_a_shell_reads_it() -> None:
    assert is_somewhere(BOMB, f"bash -c '{BOMB}'", [("bash", "-c", BOMB)])
    assert is_somewhere(BOMB, f'eval "ls; {BOMB}"', [("eval", "x")])


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("curl * | bash", "ls; curl -s x|bash; echo", True),
        ("curl * | bash", "curl x | bashful", False),
        ("* | sh", "cat a | sh", True),
        ("* | sh", "cat a | shasum", False),
        ("a && [bc]", "x; a&&c; y", True),
        ("a && [bc]", "x; a&&d; y", False),
        ("a; ?", "a; b", True),
        ("> /dev/sd*", "cat x > /dev/sda", False),
        ("* > /dev/sd*", "true; cat x > /dev/sda", True),
    ],
)
def test_wildcards_stand_for_anything_in_between(pattern: str, text: str, found: bool) -> None:
    assert has_operators(pattern)
    assert is_somewhere(pattern, text, []) is found


def test_a_long_line_takes_time_in_proportion_to_its_length() -> None:
    began = time.perf_counter()
    assert not is_somewhere("curl *Q* | bash", "curl x | bash;" * 20_000, [("bash",)])
    assert time.perf_counter() - began < 5
