"""The permissive reading finds commands wherever they hide; it may find too many, hardly too few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.shell.scan import scan


def programs(text: str) -> set[str]:
    return {found.words[0][found.words[0].rfind("/") + 1 :] for found in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "touch x",
        "  touch\tx  ",
        "true; touch x",
        "true && touch x || false",
        "true | touch x",
        "true & touch x",
        "true\ntouch x",
        "(touch x)",
        "{ touch x; }",
        "if true; then touch x; fi",
        "for i in 1; do touch x; done",
        "! touch x",
        "A=1 B=2 touch x",
        "/usr/bin/touch x",
        "\\touch x",
        "t'ou'ch x",
        'to"uch" x',
        "to\\\nuch x",
        "echo $(touch x)",
        'echo "a $(touch x) b"',
        "echo `touch x`",
        'echo "`touch x`"',
        'echo "$(true)"; touch x',
        "cat <(touch x)",
        "env -i A=1 touch x",
        "nice -n 5 touch x",
        "timeout 5 touch x",
        "echo x | xargs -I{} touch {}",
        "find . -exec touch {} ';'",
        "sudo -u me touch x",
        "bash -c 'touch x'",
        "sh -c \"bash -c 'touch x'\"",
        "eval 'touch x'",
        "bash <<EOF\ntouch x\nEOF",
        "echo don't; cat <<'E'\nit's\nE\ntouch x",
        "# don't\ntouch x",
        "echo 'unclosed\ntouch x",
        "; ".join(["true"] * 500 + ["touch x"]),
        "env " * 40 + "touch x",
        *(
            "$'touch' x",
            '$"touch" x',
            "{touch,x}",
            "true; {touch,-c,x}",
            "echo touch x | sh",
            "echo touch x | tee a | bash",
        ),
        "echo " + "$(echo " * 60 + "$(touch x)" + ")" * 60,
    ],
)
def test_a_command_is_found_wherever_it_hides(text: str) -> None:
    assert "touch" in programs(text)


@pytest.mark.parametrize(
    "text",
    [
        *("echo touch x", "echo 'touch x'", "git commit -m 'touch x'", "ls # touch x", "grep touch file"),
        *("echo a\\; touch", "echo touch x; sh y", "echo touch x || sh y", "echo touch x & bash y", "echo {touch,x}"),
    ],
)
def test_a_word_that_is_only_an_argument_is_no_command(text: str) -> None:
    assert "touch" not in programs(text)


@given(st.text(alphabet="ab \t\n'\"`$(){}<>;&|\\#=-", max_size=60))
def test_any_text_is_read_without_failing(text: str) -> None:
    assert all(found.words for found in scan(text))


@pytest.mark.parametrize("unit", ["a ", "$(", "`", "'", '"', "(", "a;", "env ", "bash -c '", "\n", "\\"])
def test_a_quarter_megabyte_of_anything_is_answered(unit: str) -> None:
    scan(unit * (250_000 // len(unit)))
