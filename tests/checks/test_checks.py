"""Every check is proven by its own examples and documented by its own docstring."""

import pytest

from assent.checks import CHECKS, hidden_text
from assent.types import Analysis, Effect, Verdict


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.ID)
def test_a_check_explains_itself(check: object) -> None:
    text = check.__doc__ or ""
    assert text.startswith(f"{check.ID}: ")  # type: ignore[attr-defined]
    assert all(part in text for part in ("**What it finds.**", "**Why.**", "**Instead.**"))


@pytest.mark.parametrize(("text", "found"), hidden_text.EXAMPLES.items())
def test_hidden_text_finds_its_examples(text: str, found: bool) -> None:
    in_name = list(hidden_text.find(Analysis((Effect("read", text),))))
    in_command = list(hidden_text.find(Analysis((Effect("note", "x"),), text=text)))
    assert [bool(in_name), bool(in_command)] == [found, found]
    assert all(finding.verdict == Verdict.ASK for finding in in_name + in_command)
