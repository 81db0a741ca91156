"""Rules on skills: by name, for every agent's tool that uses one, and about no other call."""

from __future__ import annotations

import pytest

from assent.pipeline import judge
from assent.policy.compiled import compile_policy
from assent.testing import FrozenWorld
from assent.types import Rule, ToolCall, Verdict

CALLS: list[tuple[str, str, str, dict[str, object], str]] = [
    ("deny", "Skill(deploy)", "Skill", {"skill": "deploy"}, "deny"),
    ("deny", "Skill(deploy)", "Skill", {"skill": "DEPLOY"}, "deny"),
    ("deny", "Skill(deploy)", "SlashCommand", {"command": "/deploy prod"}, "deny"),
    ("deny", "Skill(deploy)", "activate_skill", {"name": "deploy"}, "deny"),
    ("deny", "Skill(dep*)", "Skill", {"skill": "deploy"}, "deny"),
    ("deny", "Skill", "Skill", {"skill": "review"}, "deny"),
    ("deny", "Skill(deploy)", "Skill", {"skill": "review"}, "ask"),
    ("deny", "Skill(deploy)", "deploy", {}, "ask"),
    ("deny", "Skill", "mcp__gh__list", {}, "ask"),
    ("allow", "Skill(deploy)", "Skill", {"skill": "deploy"}, "allow"),
    ("allow", "Skill(deploy)", "Skill", {"skill": "deploy-all"}, "ask"),
    ("allow", "Skill(deploy)", "SlashCommand", {"command": "/deploy prod"}, "ask"),
    ("allow", "Skill", "deploy", {}, "ask"),
    ("deny", "Mcp", "deploy", {}, "deny"),
    ("allow", "Mcp", "deploy", {}, "ask"),
]
VERDICTS = {"allow": Verdict.ALLOW, "deny": Verdict.DENY}


@pytest.mark.parametrize(("verdict", "text", "tool", "given", "expected"), CALLS)
def test_a_rule_on_a_skill(verdict: str, text: str, tool: str, given: dict[str, object], expected: str) -> None:
    policy = compile_policy([Rule(VERDICTS[verdict], text)])
    call = ToolCall(tool, given, cwd="/p", workspace="/p")
    assert str(judge(call, policy, FrozenWorld({})).verdict) == expected
