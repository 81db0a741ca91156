"""What holds for every command line: more parts never loosen it, no disguise loosens a deny, nothing makes us fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.commands.program import options_of
from assent.commands.table import FAMILIES, program_named
from assent.pipeline import judge
from assent.policy.compiled import Policy
from assent.shell.calls import calls_of
from assent.types import ToolCall, Verdict
from assent.world import DiskWorld
from decided import PROJECT, WORLD, policy_of

if TYPE_CHECKING:
    from assent.commands.program import Program

NAMES = sorted(name for family in FAMILIES.values() for name in family.split())
POLICIES = [
    policy_of(),
    policy_of(preset="workspace"),
    policy_of(mode="plan"),
    policy_of(mode="full_auto"),
    policy_of(
        ["Bash(git:*)", "Bash(make test)", "Write(./src/**)"], ["Bash(rm:*)"], ["Bash(curl:*)", "Read(**/b.txt)"]
    ),
]
WORDS = [
    *("a.txt", "src", "src/app.py", ".", "..", "-", "--", "*", "*.txt", "?", "[a", "/etc/passwd", "~", "~/.ssh/id_rsa"),
    *('"$x"', "$x", "$(date)", "''", "'a b'", "a=b", "5", "-5", "x:y", "https://example.com", "{}", "+", "';'", "main"),
    *("s/a/b/", "'{ print }'", "1,5p", "if=a.txt", "of=b.txt", "@a.txt", "%", "!", "'select 1'", "push", "test", "run"),
]
REDIRECTS = ["> out", ">> a.txt", "2>&1", "< a.txt", "> /dev/null", "<<< x", '> "$x"', "2> ~/.ssh/x", "> .git/config"]


def answered(command: str, policy: Policy) -> Verdict:
    """The verdict; whatever the command, it is never our own failure."""
    decision = judge(ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT), policy, WORLD)
    assert decision.decided_by != "error", decision.reason
    return decision.verdict


def options(name: str) -> list[str]:
    """Every option and subcommand that a program is described with."""
    program = program_named(name)
    return sorted(_spelled(program)) if program is not None else []


def _spelled(program: Program) -> set[str]:
    found = {f"{name}=x" if option.takes else name for name, option in options_of(program.options).items()}
    for name, inner in list(program.commands.items())[:20]:
        found |= {name, *list(options_of(inner.options))[:5]}
    return found - {"-#"}


@st.composite
def simple(draw: st.DrawFn) -> str:
    """One program with some of its options, operands and redirects."""
    name = draw(st.sampled_from(NAMES))
    words = draw(st.lists(st.sampled_from(options(name) or WORDS), max_size=3))
    more = draw(st.lists(st.sampled_from(WORDS), max_size=3))
    return " ".join([name, *words, *more, *draw(st.lists(st.sampled_from(REDIRECTS), max_size=1))])


COMMON = st.sampled_from(
    [
        *(
            "ls",
            "cat a.txt",
            "rm a.txt",
            "git status",
            "make test",
            "foo",
            "cat ~/.ssh/id_rsa",
            "echo x > out",
            "curl x.com",
        ),
        *(
            "sed -i s/a/b/ a.txt",
            "git push --force",
            "touch src/new",
            "cat b.txt",
            'rm "$x"',
            "python3 -c x",
            "cd src",
            "sh",
        ),
        *(
            "X=1",
            "true",
            "grep -r x .",
            "ln -s /etc e",
            "find . -name x",
            "wc -l",
            "xargs rm",
            "sudo ls",
            "cat .env",
            "env",
        ),
    ]
)
PARTS = st.one_of(COMMON, simple())


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=3), st.sampled_from(POLICIES))
def test_random_words_never_make_the_checker_fail(parts: list[str], policy: Policy) -> None:
    answered("; ".join(parts), policy)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab -;|&<>$(){}[]'\"`\\\n*?!#=~/.0"), max_size=25), st.sampled_from(POLICIES))
def test_random_signs_never_make_the_checker_fail(text: str, policy: Policy) -> None:
    answered(text, policy)


@settings(max_examples=300, deadline=None)
@given(PARTS, PARTS, st.sampled_from(["; ", " | ", "\n", " & "]), st.sampled_from(POLICIES))
def test_adding_a_part_behind_never_lowers_the_verdict(first: str, more: str, join: str, policy: Policy) -> None:
    whole = f"{first}{join}{more}"
    # Of a text that cannot be read as a whole, such as one that ends in `time`, only what is closed is denied.
    least = answered(first, policy) if calls_of(whole).calls else min(answered(first, policy), Verdict.ASK)
    assert answered(whole, policy) >= least


@pytest.mark.parametrize(
    "first",
    [
        "cat ~/.ssh/id_rsa",
        "cliclick",
        "assent mode full_auto",
        "cp ~/.aws/credentials x",
        "frob --key=~/.ssh/id_rsa",
        "x/y ~/.AWS/config",
    ],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_closed_stays_so_in_a_text_that_cannot_be_read(first: str, policy: Policy) -> None:
    assert answered(f"{first}; time", policy) == answered(first, policy) == Verdict.DENY


@settings(max_examples=200, deadline=None)
@given(COMMON.filter(lambda part: not part.startswith("cd")), COMMON, st.sampled_from(POLICIES))
def test_adding_a_part_in_front_never_lowers_the_verdict(more: str, last: str, policy: Policy) -> None:
    assert answered(f"{more}; {last}", policy) >= answered(last, policy)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(WORDS), max_size=2),
    st.lists(
        st.sampled_from(["FOO=bar ", "PATH=/x ", "timeout 5 ", "nice ", "nohup ", "env ", "true; ", "sudo "]),
        max_size=2,
    ),
    st.sampled_from(["", "/usr/bin/", "/bin/", "./", "\\"]),
)
def test_no_disguise_loosens_a_deny_rule_on_a_program(
    name: str, words: list[str], before: list[str], path: str
) -> None:
    command = f"{''.join(before)}{path}{' '.join([name, *words])}"
    assert answered(command, policy_of(["Bash"], deny=[f"Bash({name}:*)"], mode="full_auto")) == Verdict.DENY


@settings(max_examples=200, deadline=None)
@given(PARTS)
def test_a_stricter_mode_is_never_looser(command: str) -> None:
    careful, workspace, plan, auto = (answered(command, policy) for policy in POLICIES[:4])
    assert plan >= careful >= workspace
    assert careful >= auto or workspace == Verdict.ALLOW


@settings(max_examples=100, deadline=None)
@given(PARTS, st.sampled_from(POLICIES))
def test_the_same_command_gets_the_same_answer_from_a_world_that_remembers(command: str, policy: Policy) -> None:
    call = ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT)
    world = DiskWorld(env={"HOME": "/home/dev", "PATH": "/bin"})
    assert judge(call, policy, world) == judge(call, policy, world)
