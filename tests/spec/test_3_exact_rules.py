"""Section 3: exact rules whose text holds operators, redirects or assignments."""

from __future__ import annotations

from typing import Any

import pytest

from assent import PermissionMode
from spec.spec_scene import bash, behavior

LINES = [
    "ls | wc -l",
    "cat readme.md > copy.md",
    "FOO=1 ls",
    "cd src && ls",
    "ls; pwd",
    "make test 2>&1",
    "cat < readme.md",
    "git log | head -3 || true",
]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("mode", list(PermissionMode))
def test_an_exact_deny_on_a_line_with_operators_denies_it(mode: PermissionMode, line: str) -> None:
    """A deny that is this very line denies it, whatever operators are in it."""
    assert behavior(line, deny=[f"Bash({line})"], mode=mode) == "deny"
    assert behavior(f"  {line} ", deny=[f"Bash({line})"], mode=mode) == "deny"


@pytest.mark.parametrize("line", LINES)
def test_an_exact_ask_on_a_line_with_operators_asks(line: str) -> None:
    """An ask that is this very line asks, in FULL_AUTO too."""
    assert behavior(line, ask=[f"Bash({line})"], mode=PermissionMode.FULL_AUTO) == "ask"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("kind", ["deny", "ask", "allow"])
def test_the_trace_never_contradicts_the_answer(kind: str, line: str) -> None:
    """What the step about exact rules says is what the answer says."""
    rules: dict[str, Any] = {kind: [f"Bash({line})"]}
    result = bash(line, **rules)
    said = dict(result.trace)["2 exact rule"].partition(":")[0]
    if kind != "allow":
        assert (said, result.behavior) == (kind, kind)
    elif said == "allow":
        assert result.behavior == "allow" or "held" in dict(result.trace)["2 exact rule"]
