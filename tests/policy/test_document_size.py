"""Large and hostile policy files are answered. What takes time beyond their size would take minutes here."""

from __future__ import annotations

import pytest

from assent.policy.document import check_document, read_document
from assent.types import Rule, Verdict


def test_five_thousand_rules_load() -> None:
    entry = (
        '[[rule]]\nid = "rule-{0}"\ndeny = ["Bash(tool-{0} run:*)"]\nmessage = "not {0}"\nmatch = ["tool-{0} run"]\n\n'
    )
    text = "".join(entry.format(number) for number in range(5000))
    document = read_document(text, file="p.toml", layer="project")
    assert document.rules[-1] == Rule(
        Verdict.DENY,
        "Bash(tool-4999 run:*)",
        id="rule-4999",
        message="not 4999",
        match=("tool-4999 run",),
        layer="project",
        file="p.toml",
        line=6 * 4999 + 3,
    )


@pytest.mark.parametrize(
    "unit", ["a = 1\n", "a.", "[", "[[a]]\n", "{", '"', "'''", "a={a={", '"\\', "#\x00", "a='", "]"]
)
def test_hostile_text_is_answered(unit: str) -> None:
    assert check_document(unit * (300_000 // len(unit)), "p.toml", "project")[1]


def test_very_many_unknown_keys_are_answered() -> None:
    text = "".join(f"key{number} = 1\n" for number in range(50_000))
    assert len(check_document(text, "p.toml", "project")[1]) == 50_000
