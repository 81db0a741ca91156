"""What lint says of rules on commands: each example it lists was compared with the rule, and doubts name the cause."""

from __future__ import annotations

import pytest

from assent.candidates import found_in_example
from assent.commands import variations
from assent.policy.lint import Reach, doubts_about, reach_of
from assent.types import Rule, Verdict
from decided import decided, policy_of


def reach(verdict: Verdict, text: str) -> Reach:
    found = reach_of(Rule(verdict, text), found_in_example, variations)
    assert found is not None
    return found


def doubts(verdict: Verdict, text: str) -> list[tuple[str, str]]:
    return [(doubt.text, doubt.help) for doubt in doubts_about(reach(verdict, text), variations)]


def test_a_deny_lists_the_spellings_it_finds_and_what_it_leaves() -> None:
    found = reach(Verdict.DENY, "Bash(rm -rf:*)")
    assert found.matches[:4] == ("rm -rf x", "rm -fr x", "rm -r -f x", "rm --recursive --force x")
    assert found.misses[:3] == ("rm -f x", "rm -r x", "rm x")


def test_an_allow_lists_what_it_names() -> None:
    found = reach(Verdict.ALLOW, "Bash(git commit:*)")
    assert found.matches == ("git commit", "git commit more", "git commit --more")
    assert found.misses == ("/usr/bin/git commit", "sudo git commit", "git commit > out", "git other")


def test_a_line_says_how_it_is_read() -> None:
    assert reach(Verdict.DENY, "Bash(curl * | sh:*)").reading == "a line of 2 parts: `curl *` piped into `sh:*`"
    assert reach(Verdict.ALLOW, "Bash(cat a > b)").reading == "exactly this line"
    assert reach(Verdict.ALLOW, "Bash(cat a)").reading == ""


def test_rules_on_anything_else_have_no_such_reach() -> None:
    for text in ("Read(./a)", "Bash", "WebFetch"):
        assert reach_of(Rule(Verdict.DENY, text), found_in_example, variations) is None


BODIES = [
    *(
        "rm -rf:*",
        "git push --force:*",
        "docker run -v /:/host:*",
        "curl -X DELETE:*",
        "find * -delete",
        "npm install -g:*",
    ),
    *(
        "ls | wc -l",
        "cat a > b",
        "FOO=1 ls",
        "* | sh",
        "kubectl delete:*",
        "frob -xy",
        "chmod 777:*",
        "git push --force*",
    ),
    *(
        "head -n 5:*",
        "tar -x:*",
        "terraform apply -auto-approve:*",
        "pip install:*",
        "npm install -g:*",
        "git push -f*",
    ),
]


@pytest.mark.parametrize("body", BODIES)
def test_every_listed_spelling_gets_the_verdict_of_the_rule(body: str) -> None:
    policy = policy_of(deny=[f"Bash({body})"], mode="full_auto")
    found = reach(Verdict.DENY, f"Bash({body})")
    assert found.matches and not found.dead
    by_rule = {
        line: any(reason.rule is not None for reason in decided(line, policy).reasons)
        for line in (*found.matches, *found.misses)
    }
    assert by_rule == dict.fromkeys(found.matches, True) | dict.fromkeys(found.misses, False)


EXACT = "an allow on a line with operators, redirects or assignments is that very line, without `*` and `:*`"


@pytest.mark.parametrize(
    ("verdict", "text", "says"),
    [
        (Verdict.ALLOW, "Bash(ls | wc:*)", [("`Bash(ls | wc:*)` can never match", EXACT)]),
        (Verdict.ALLOW, "Bash(cat * > b)", [("`Bash(cat * > b)` can never match", EXACT)]),
        (Verdict.DENY, "Bash(> b)", []),
        (
            Verdict.DENY,
            "Bash(git push:* --force)",
            [("`:*` counts only at the end of `Bash(git push:* --force)`", "write `*` for anything in between")],
        ),
        (
            Verdict.DENY,
            "Bash(git push --forse:*)",
            [
                (
                    "`Bash(git push --forse:*)` names `--forse`, which is no option of `git` that Assent knows",
                    "did you mean `--force`?",
                )
            ],
        ),
        (
            Verdict.ASK,
            "Bash(git psuh:*)",
            [
                (
                    "`Bash(git psuh:*)` names `psuh`, which is no subcommand of `git` that Assent knows",
                    "did you mean `push`?",
                )
            ],
        ),
        (
            Verdict.DENY,
            "Bash(ls | rm --frobnicate)",
            [
                (
                    "`Bash(ls | rm --frobnicate)` names `--frobnicate`, which is no option of `rm` that Assent knows",
                    "no other spelling of it is found",
                )
            ],
        ),
        (Verdict.ALLOW, "Bash(npm run * --watch)", []),
        (Verdict.ALLOW, "Bash(git lg:*)", []),
        (Verdict.DENY, "Bash(git frobnicate:*)", []),
        (Verdict.DENY, "Bash(ls | wc -l)", []),
        (Verdict.DENY, "Bash(* | sh)", []),
        (Verdict.DENY, "Bash(frobnicate --wipe:*)", []),
        (Verdict.ALLOW, "Bash(cat a > b)", []),
    ],
)
def test_a_rule_that_cannot_do_what_it_says_is_doubted(
    verdict: Verdict, text: str, says: list[tuple[str, str]]
) -> None:
    assert doubts(verdict, text) == says
