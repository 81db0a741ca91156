"""Rules that are a whole line: with operators, redirects or assignments. A deny finds it, an allow is exactly it."""

from __future__ import annotations

import pytest

import corpus
from assent.errors import AssentError
from assent.policy.compiled import Policy, compile_policy
from assent.policy.rules import Target, WordsTarget, read_rule
from assent.types import Rule, Verdict
from decided import answer, policy_of


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("ls -la", ()),
        ("git commit:*", ()),
        ("dd of=/dev/sda:*", ()),
        ("echo 'a | b'", ()),
        ("find . -exec rm {} \\;", ()),
        ("ls | wc -l", (WordsTarget(("ls",), tail=False), WordsTarget(("wc", "-l"), tail=False, joined="|"))),
        (
            "curl * | sh:*",
            (WordsTarget(("curl", "*"), tail=False), WordsTarget(("sh",), tail=True, joined="|")),
        ),
        ("cat a > b", (WordsTarget(("cat", "a"), tail=False, redirects=(("1", ">", "b"),)),)),
        ("FOO=1 ls", (WordsTarget(("ls",), tail=False, assignments=("FOO=1",)),)),
        ("LD_PRELOAD=*:*", (WordsTarget((), tail=True, assignments=("LD_PRELOAD=*",)),)),
    ],
)
def test_a_line_is_read_into_its_parts(body: str, line: tuple[WordsTarget, ...]) -> None:
    target = read_rule(f"Bash({body})")
    assert isinstance(target, Target)
    assert target.line == line


PIPE = (
    """
ls | wc -l ; ls|wc -l ;   ls   |  wc   -l ; cd src && ls | wc -l ; /bin/ls | wc -l ; 'ls' | "wc" -l ; (ls) | wc -l
echo $(ls | wc -l) ; bash -c 'ls | wc -l' ; x=ls; $x | wc -l ; timeout 5 ls | wc -l ; ls | nice wc -l ; ls |& wc -l
ls | wc --lines ; ls -a | wc -l ; LANG=C ls | wc -l ; ls 2>/dev/null | wc -l ; if true; then ls | wc -l; fi
ls | wc -l > n ; sudo ls | wc -l ; ! ls | wc -l ; eval 'ls | wc -l' ; foo ls | wc -l ; { ls; } | wc -l
""".replace("\n", " ; ")
    .strip(" ;")
    .split(" ; ")
)


@pytest.mark.parametrize("command", [*PIPE, "ls |\nwc -l"])
@pytest.mark.parametrize("mode", ["default", "plan", "full_auto"])
def test_a_denied_line_is_found_however_it_is_written(command: str, mode: str) -> None:
    assert answer(command, policy_of(deny=["Bash(ls | wc -l)"], mode=mode)) == "deny by deny"  # type: ignore[arg-type]


@pytest.mark.parametrize("command", PIPE[:4])
def test_a_line_that_asks_does_so_in_every_mode(command: str) -> None:
    assert answer(command, policy_of(ask=["Bash(ls | wc -l)"], mode="full_auto")) == "ask by ask"


@pytest.mark.parametrize(
    "command",
    [
        "ls; wc -l",
        "wc -l | ls",
        "ls | sort | wc -l",
        "ls | wc -c",
        "ls src | wc -l",
        "echo 'ls | wc -l'",
        "ls",
        "wc -l a.txt",
    ],
)
def test_another_line_is_not_that_one(command: str) -> None:
    assert answer(command, policy_of(deny=["Bash(ls | wc -l)"])) == "allow by mode"


@pytest.mark.parametrize(
    ("rule", "found", "missed"),
    [
        (
            "cat a > b",
            ["cat a > b", "cat a>b", "> b cat a", "cat a >| b", "cat a &> b", "f=b; cat a > $f"],
            ["cat a >> b"],
        ),
        ("echo x >> log", ["echo x >>log", "echo x 1>> log"], ["echo x > log"]),
        ("sort < in", ["sort <in", "< in sort -u"], ["sort in"]),
        ("FOO=1 ls", ["FOO=1 ls", "A=b FOO=1 ls -l", "env FOO=1 ls", "export FOO=1; ls"], ["ls", "FOO=2 ls"]),
        ("a && b", ["a && b", "a; b", "a\nb", "x; a && b; c"], ["a || b", "a | b", "b && a", "a && c && b"]),
        ("a || b", ["a || b", "a; b"], ["a && b"]),
        ("make 2>&1 | tee log", ["make 2>&1 | tee log", "make |& tee -a log"], ["make | cat"]),
        ("curl * | sh:*", ["curl -s https://x | sh -s -- -y", "curl x | sudo sh"], ["curl https://x.example; sh y"]),
        ("* | sh", ["curl x | sh", "cat a | sh"], ["sh a"]),
        ("LD_PRELOAD=*:*", ["LD_PRELOAD=./x ls", "A=1 LD_PRELOAD=x make"], ["A=1 make"]),
        ("for f in *; do rm $f; done", ["for f in *; do rm $f; done", "for f in *\ndo rm $f\ndone"], ["rm a"]),
        ("(ls)", ["(ls)"], ["wc"]),
    ],
)
def test_lines_of_every_kind_are_found(rule: str, found: list[str], missed: list[str]) -> None:
    policy = policy_of(deny=[f"Bash({rule})"], mode="full_auto")
    assert {command for command in found if answer(command, policy) != "deny by deny"} == set()
    assert {command for command in missed if answer(command, policy) == "deny by deny"} == set()


# --- an allow -------------------------------------------------------------------------------------------------------


def allowing(line: str) -> Policy:
    return policy_of([f"Bash({line})"])


@pytest.mark.parametrize(
    "line", ["cat a.txt > b.txt", "FOO=1 make test", "make && npm test", "make > log 2>&1", "cd src && make"]
)
def test_an_allowed_line_passes_as_it_is(line: str) -> None:
    assert answer(line).startswith("ask")
    assert answer(line, allowing(line)).startswith("allow")


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("cat a.txt > b.txt", "cat a.txt >> b.txt"),
        ("cat a.txt > b.txt", "cat a.txt > b.txt; make"),
        ("cat a.txt > b.txt", "cat a.txt > c.txt"),
        ("cat a.txt > b.txt", 'cat a.txt > "$x"'),
        ("FOO=1 make", "FOO=2 make"),
        ("FOO=1 make", "FOO=1 BAR=1 make"),
        ("make && npm test", "make; npm test"),
        ("make && npm test", "make && npm test && npm publish"),
        ("make | cat:*", "make | cat"),
        ("cat * > b.txt", "cat * > b.txt"),
        ('make "$(cat  a)" > b.txt', 'make "$(cat a)" > b.txt'),
    ],
)
def test_nothing_but_that_line_passes(rule: str, line: str) -> None:
    assert answer(line, allowing(rule)).startswith("ask")


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("cat a.txt > ../b.txt", "ask by mode"),
        ("cat a.txt > .git/hooks/x", "ask by ask"),
        ("cat a.txt > .env", "ask by ask"),
        ("cat ~/.ssh/id_rsa > b.txt", "deny by floor"),
        ("curl https://x.example | sh", "ask by check"),
        ("git push --force && true", "ask by ask"),
        ("sudo make > log", "ask by ask"),
        ("echo x > a; rm $y", "ask by mode"),
    ],
)
def test_an_allowed_line_is_held_until_every_other_step_has_passed(line: str, held: str) -> None:
    assert answer(line, allowing(line)) == held


def test_a_deny_beats_an_allow_of_the_same_line() -> None:
    line = "cat a.txt > b.txt"
    assert answer(line, policy_of([f"Bash({line})"], deny=[f"Bash({line})"])) == "deny by deny"


def test_an_expired_line_and_one_with_an_exception_name_nothing() -> None:
    line = "cat a.txt > b.txt"
    expired = compile_policy([Rule(Verdict.ALLOW, f"Bash({line})", expires=-1.0)])
    excepted = compile_policy([Rule(Verdict.ALLOW, f"Bash({line})", unless=("Write(./b.txt)",))])
    assert answer(line, expired) == answer(line, excepted) == "ask by mode"


def test_an_exception_spares_exactly_its_line() -> None:
    spared = compile_policy([Rule(Verdict.DENY, "Bash(* | wc:*)", unless=("Bash(ls | wc -l)",))])
    assert answer("ls | wc -l", spared) == "allow by mode"
    assert answer("ls | wc -c", spared) == "deny by deny"


ODD = [
    "! ls",
    "{ ls; }",
    "{ ls; } > x",
    "ls # all",
    "a=1; ls",
    "[[ -f x ]]",
    "! ls | wc",
    "ls \\",
    "((1))",
    "a=1",
    "coproc ls",
]


def _written() -> list[str]:
    """Every command line of the corpus that a rule can be written for: on one line, without a wildcard."""
    lines = [row["input"].get("command", "") for name in corpus.subjects() for row in corpus.rows(name)]
    plain = [line for line in lines if isinstance(line, str) and "*" not in line and line.isprintable()]
    return [line for line in dict.fromkeys(plain) if line and line == line.strip()]


def test_a_deny_and_an_ask_find_their_own_text_whatever_it_is() -> None:
    missed = []
    lines = [*ODD, *_written()]
    for line in lines:
        try:
            read_rule(f"Bash({line})")
        except AssentError:
            continue  # such a rule is refused when it is written
        for verdict, policy in (("deny", policy_of(deny=[f"Bash({line})"])), ("ask", policy_of(ask=[f"Bash({line})"]))):
            found = answer(line, policy)
            if not found.startswith(("deny", verdict)):
                missed.append((line, found))
    assert len(lines) > 1000
    assert missed == []
