"""What the shell opens before a program runs."""

from __future__ import annotations

import pytest

from commands.rendered import rendered
from decided import answer, policy_of


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("true < in", "read in #redirect | note true"),
        ("install a /dev/null", "read a | change /dev/null #device.replace | maybe write /dev/null/a"),
        ("cp --remove-destination a /dev/null", "read a | change /dev/null #device.replace | maybe write /dev/null/a"),
        ("chmod 000 /dev/null", "write /dev/null #mode"),
        (
            "ln -f a /dev/null",
            "read a | write /dev/null #link | maybe write /dev/null/a #link",
        ),
        ("true > out", "write out #redirect | note true"),
        ("true >> out", "write out #redirect | note true"),
        ("true >| out", "write out #redirect | note true"),
        ("true &> out", "write out #redirect | note true"),
        ("true &>> out", "write out #redirect | note true"),
        ("true >& out", "write out #redirect | note true"),
        ("true <> both", "read both #redirect | write both #redirect | note true"),
        ("true 2> err", "write err #redirect | note true"),
        ("true < in > out 2> err", "read in #redirect | write out #redirect | write err #redirect | note true"),
        ("true 2>&1", "note true"),
        ("true >&2", "note true"),
        ("true 2>&-", "note true"),
        ("true 0<&3-", "note true | blind standard input is opened by another name"),
        ("true > /dev/null 2>&1 < /dev/null", "note true"),
        ("true 2> /dev/stderr", "note true"),
        ("true < /dev/zero", "note true"),
        ("true <<< text", "note true"),
        ("> out", "write out #redirect"),
        ("> /dev/null", "note redirect"),
        ("< in", "read in #redirect"),
        ("true > 'a b'", "write a b #redirect | note true"),
        ("true > ~/x", "write /home/u/x #redirect | note true"),
        ("cd sub && true > out", "write /p/sub/out #redirect | note true"),
        ("true > /dev/tcp/example.com/80", "reach /dev/tcp/example.com/80 #redirect | note true"),
        ("true < /dev/udp/example.com/53", "reach /dev/udp/example.com/53 #redirect | note true"),
    ],
)
def test_every_redirect_is_an_effect_of_its_own(command: str, expected: str) -> None:
    kept = [part for part in rendered(command).split(" | ") if not part.startswith("list sub") and part != "note cd"]
    assert kept == expected.split(" | ")


@pytest.mark.parametrize(
    ("command", "gap"),
    [
        ('true > "$x"', "blind redirect: writes a path that is not known (variable x)"),
        ('true < "$x"', "blind redirect: reads a path that is not known (variable x)"),
        ('true >& "$x"', "blind redirect: writes a path that is not known (variable x)"),
        ('true > "$(date)"', "blind redirect: writes a path that is not known (output of a command)"),
    ],
)
def test_a_target_that_is_not_known_is_a_blind_gap(command: str, gap: str) -> None:
    assert gap in rendered(command).split(" | ")


@pytest.mark.parametrize(
    "command", ["{ true; } > out", "(true) > out", "if true; then true; fi > out", "f() { true; } > out"]
)
def test_a_redirect_of_a_group_counts(command: str) -> None:
    assert "write out #redirect" in rendered(command).split(" | ") or "blind" in rendered(command)


@pytest.mark.parametrize("rule", ["Bash", "Bash(foo:*)", "Bash(foo)"])
@pytest.mark.parametrize("redirect", ["> out", ">> out", "2> out", "&> out", "< /etc/passwd", "<> out"])
def test_no_rule_on_a_program_covers_a_redirect(rule: str, redirect: str) -> None:
    policy = policy_of([rule])
    assert [answer("foo", policy), answer(f"foo {redirect}", policy)] == ["allow by allow", "ask by mode"]
