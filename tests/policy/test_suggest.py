"""Suggested rules: each really answers the question, none is wider than it says, none stores a secret."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.masking import looks_secret
from assent.policy.prefixes import NEVER_A_PREFIX
from assent.policy.rules import read_rule
from assent.policy.suggest import MAX_SUGGESTED_RULES_FOR_COMPOUND
from assent.types import PermissionDecision
from decided import PROJECT, answer, decided, policy_of

BARE = """sh bash zsh fish csh tcsh ksh dash cmd powershell pwsh env xargs nice stdbuf nohup timeout time sudo doas
pkexec""".split()


def suggested(command: str) -> tuple[str, ...]:
    return decided(command).suggestions


@pytest.mark.parametrize(
    ("command", "suggestions"),
    [
        ("make", ("Bash(make)",)),
        ("make test", ("Bash(make test)", "Bash(make test:*)")),
        ("git push origin main", ("Bash(git push origin main)", "Bash(git push:*)")),
        ("foo -x bar", ("Bash(foo -x bar)",)),
        ("foo Bar", ("Bash(foo Bar)",)),
        ("foo 5", ("Bash(foo 5)",)),
        ("foo 'a b'", ("Bash(foo 'a b')",)),
        ('foo "it\'s"', ("Bash(foo 'it'\\''s')",)),
        ("foo ''", ("Bash(foo '')",)),
        ("foo bar *", ("Bash(foo bar:*)",)),
        ("/opt/foo bar", ("Bash(/opt/foo bar)", "Bash(/opt/foo bar:*)")),
        ("NODE_ENV=x foo bar", ("Bash(foo bar)", "Bash(foo bar:*)")),
        ("timeout 5 foo bar", ("Bash(foo bar)", "Bash(foo bar:*)")),
        ("foo <<E\nx\nE", ("Bash(foo)",)),
        ("cd src && foo", ("Bash(foo)",)),
        ("foo | wc -l", ("Bash(foo)",)),
        ("foo; foo", ("Bash(foo)",)),
        ("echo x > a.txt", ("Write(./a.txt)",)),
        ("echo x > src/a.txt", ("Write(./src/a.txt)", "Write(./src/**)")),
        ("rm a.txt", ("Bash(rm a.txt)",)),
        ("python3 a.py", ("Bash(python3 a.py)",)),
    ],
)
def test_the_ladder_begins_with_the_narrowest(command: str, suggestions: tuple[str, ...]) -> None:
    assert suggested(command) == suggestions
    assert decided(command).together == ()


@pytest.mark.parametrize(
    ("command", "together"),
    [
        ("foo a; bar b", ("Bash(foo a)", "Bash(bar b)")),
        ("foo a\nbar b", ("Bash(foo a)", "Bash(bar b)")),
        ("foo | bar | baz", ("Bash(foo)", "Bash(bar)", "Bash(baz)")),
        ("foo > out.txt", ("Bash(foo)", "Write(./out.txt)")),
        ("foo; bar; foo", ("Bash(foo)", "Bash(bar)")),
        ("a1; a2; a3; a4; a5", ("Bash(a1)", "Bash(a2)", "Bash(a3)", "Bash(a4)", "Bash(a5)")),
    ],
)
def test_several_parts_need_their_rules_together(command: str, together: tuple[str, ...]) -> None:
    found = decided(command)
    assert (found.suggestions, found.together) == ((), together)


@pytest.mark.parametrize(
    "command",
    [
        "a1; a2; a3; a4; a5; a6",
        'foo "$x"',
        "foo $(bar)",
        "foo 'unclosed",
        "PATH=/tmp foo",
        "FOO=1 foo",
        "python3 -c 'import x'",
        "bash -c 'foo bar'",
        "env foo",
        "command foo bar",
        "cd /tmp && foo bar",
        "cd .. && foo bar",
        "timeout 5 env NODE_ENV=x make test",
        "sudo foo",
        "git push --force",
        "cat .env",
        "echo x > .bashrc",
        "foo 'x\ny'",
        "foo '*'",
        f"foo {'x' * 400}",
        "foo; python3 -c 'import x'",
    ],
)
def test_where_no_rule_would_help_none_is_suggested(command: str) -> None:
    found = decided(command)
    assert (found.requires_confirmation, found.suggestions, found.together) == (True, (), ())


@pytest.mark.parametrize("command", ["ls", "cat ~/.ssh/id_rsa"])
def test_only_a_question_has_suggestions(command: str) -> None:
    found = decided(command)
    assert (found.suggestions, found.together) == ((), ())


@pytest.mark.parametrize("program", BARE)
@pytest.mark.parametrize("rest", ["", " x", " x.sh", " run x", " -c x"])
def test_a_bare_shell_or_wrapper_never_becomes_a_prefix(program: str, rest: str) -> None:
    found = decided(program + rest)
    assert program in NEVER_A_PREFIX
    assert [
        rule for rule in (*found.suggestions, *found.together) if rule.endswith(":*)") and f"({program}" in rule
    ] == []


SECRETS = [
    *("ghp_abcdefghijklmnop1234", "sk-proj-abcdef", "a1b2c3d4e5f6a7b8c9d0e1f2", "AKIAIOSFODNN7EXAMPLE", "hf_abcdefgh"),
    *("--password=hunter2", "password=x", "--token=abc", "https://u:p@example.com/", "Authorization: Bearer x"),
    *("API_KEY=abc", "xoxb-1-2", "eyJhbGciOiJIUzI1NiJ9", "A1b2C3d4E5f6G7h8I9j0K"),
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "command", ["foo '{}'", "foo bar '{}'", "foo '{}' bar", "foo bar --x '{}' | wc", "foo a; foo bar '{}'"]
)
def test_a_secret_is_never_stored(secret: str, command: str) -> None:
    found = decided(command.format(secret))
    assert looks_secret(secret)
    assert [rule for rule in (*found.suggestions, *found.together) if secret in rule] == []


@pytest.mark.parametrize(
    "word", ["install", "src/app.py", "v1.2.3", "main", "--verbose", "https://example.com/", "2024-01-01"]
)
def test_ordinary_words_are_no_secrets(word: str) -> None:
    assert not looks_secret(word)


# --- proven by judging again ---------------------------------------------------------------------------------------

PROGRAMS = st.sampled_from(
    ["foo", "make", "git", "npm", "rm", "cp", "python3", "./run.sh", "curl", "docker", "tee", "'a b'"]
)
WORDS = st.sampled_from(
    [
        *(
            "push",
            "test",
            "run",
            "a.txt",
            "src",
            "-f",
            "-x",
            "--all",
            "'a b'",
            "'*'",
            "*",
            "'it'\"'\"'s'",
            "''",
            "x:*",
            "5",
        ),
        *(
            '"$x"',
            "é",
            "a=b",
            "~/x",
            "../x",
            "'('",
            "')'",
            "\\\\",
            "'\"'",
            "https://example.com",
            "--",
            "-",
            "a,b",
            "{a,b}",
        ),
    ]
)
AROUND = st.sampled_from(
    ["{}", "cd src && {}", "cd /tmp && {}", "timeout 5 {}", "env {}", "NODE_ENV=x {}", "X=1 {}", "({})"]
)
TAILS = st.sampled_from(
    ["", " > out", " 2>&1", " | wc -l", " < a.txt", "; bar", " && ls", " >> /tmp/x/log", " &", " | tee b.txt"]
)
COMMANDS = st.builds(
    lambda around, program, words, tail: around.format(" ".join([program, *words])) + tail,
    AROUND,
    PROGRAMS,
    st.lists(WORDS, max_size=3),
    TAILS,
)


@settings(max_examples=250, deadline=None)
@given(COMMANDS)
@example("rm a.txt < a.txt")
def test_every_suggestion_turns_the_answer_into_allow(command: str) -> None:
    found = decided(command)
    assert len(found.suggestions) <= MAX_SUGGESTED_RULES_FOR_COMPOUND
    assert len(found.together) <= MAX_SUGGESTED_RULES_FOR_COMPOUND
    for rule in found.suggestions:
        assert decided(command, policy_of([rule])).allowed, rule
    if found.together:
        assert decided(command, policy_of(found.together)).allowed
        assert not any(decided(command, policy_of([rule])).allowed for rule in found.together)


@settings(max_examples=150, deadline=None)
@given(st.builds(lambda program, words: " ".join([program, *words]), PROGRAMS, st.lists(WORDS, min_size=1, max_size=3)))
def test_the_first_suggestion_means_exactly_this_command(command: str) -> None:
    for rule in exact(decided(command)):
        target = read_rule(rule).words
        assert target is not None
        assert "*" not in target.words
        assert not decided(f"{command} more", policy_of([rule])).allowed or decided(f"{command} more").allowed


def exact(decision: PermissionDecision) -> list[str]:
    return [rule for rule in decision.suggestions if rule.startswith("Bash(") and not rule.endswith(":*)")]


def test_a_suggestion_of_a_redirect_names_the_file_it_writes() -> None:
    assert suggested(f"echo x > {PROJECT}/src/new.py") == ("Write(./src/new.py)", "Write(./src/**)")
    assert suggested("echo x > /tmp/x/new") == ("Write(/tmp/x/new)", "Write(/tmp/x/**)")
    assert answer("echo x > ./src/new.py", policy_of(["Write(./src/**)"])) == "allow by allow"


@pytest.mark.parametrize("option", ["-p", "-pw", "--pass", "--pin"])
def test_a_word_that_may_be_a_password_of_an_unknown_program_is_no_part_of_a_suggestion(option: str) -> None:
    assert not any("swordfish" in text for text in suggested(f"frob {option} swordfish"))
    assert suggested(f"frob {option} 8080") == (f"Bash(frob {option} 8080)",)
