"""Rules as people write them in agents' settings: what each lets pass, and what it was not written for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, HOME, PROJECT, decided, policy_of

TABLE = Path(__file__).parent / "allow_rules.txt"
WORLD = FrozenWorld(
    FILES
    | {
        f"{PROJECT}/package.json": '{"scripts": {"test": "true", "build": "true", "lint": "true"}}',
        f"{PROJECT}/tests/test_x.py": "",
        f"{PROJECT}/README.md": "",
        f"{PROJECT}/scripts/a.py": "",
        f"{PROJECT}/scripts/build.js": "",
        f"{PROJECT}/docs/design.md": "",
        f"{PROJECT}/k8s/a.yml": "",
        f"{PROJECT}/chart/values.yaml": "",
        f"{PROJECT}/go.mod": "module x\n",
        f"{PROJECT}/Cargo.toml": "",
        f"{PROJECT}/rc": "",
        f"{PROJECT}/evil": "",
        f"{HOME}/x/Makefile": "",
        f"{HOME}/x/outside.txt": "",
    },
    links={f"{PROJECT}/link": f"{HOME}/x"},
)


def rows(sign: str) -> Iterator[tuple[str, str]]:
    rule = ""
    for line in TABLE.read_text().splitlines():
        if line.startswith("Bash"):
            rule = line
        elif line.startswith(f"  {sign} "):
            yield rule, line[4:]


@pytest.mark.parametrize(("rule", "command"), list(rows("+")))
def test_a_rule_lets_pass_what_it_was_written_for(rule: str, command: str) -> None:
    decision = decided(command, policy_of([rule]), WORLD)
    assert decision.verdict == Verdict.ALLOW, decision.reason


@pytest.mark.parametrize(("rule", "command"), list(rows("-")))
def test_a_rule_does_not_cover_what_it_does_not_spell(rule: str, command: str) -> None:
    assert decided(command, policy_of([rule]), WORLD).verdict > Verdict.ALLOW


@pytest.mark.parametrize(("rule", "command"), list(rows("-")))
def test_no_suggestion_is_one_that_would_not_help(rule: str, command: str) -> None:
    for text in decided(command, policy_of([rule]), WORLD).suggestions:
        assert decided(command, policy_of([rule, text]), WORLD).verdict == Verdict.ALLOW, text


@pytest.mark.parametrize(
    ("rule", "command", "reason"),
    [
        ("Bash(make test:*)", "make test -C ../x", "runs make -C ../x test: Bash(make test:*) does not cover `-C`"),
        ("Bash(git diff:*)", "git diff --output=x", "writes x: Bash(git diff:*) does not cover `--output=x`"),
        (
            "Bash(cat:*)",
            "cat ../x/outside.txt",
            "reads ../x/outside.txt: Bash(cat:*) covers nothing outside the project",
        ),
    ],
)
def test_the_reason_says_what_the_rule_does_not_cover(rule: str, command: str, reason: str) -> None:
    assert decided(command, policy_of([rule]), WORLD).reason == reason
