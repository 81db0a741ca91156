"""Claude Agent SDK: a hook that decides about every tool call, subagents' calls too.

    options = ClaudeAgentOptions(hooks=assent_hooks(guard))

Suspends with Claude's `defer`: the run ends with `stop_reason` "tool_deferred", and resuming its session asks again.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claude_agent_sdk import HookMatcher

from assent.authorization import Authorization
from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard

MARGIN = 60.0
"""Seconds that Claude gives the hook beyond the guard's own timeout, which must come first."""


def assent_hooks(
    guard: Guard,
    *,
    more: Mapping[str, list[Any]] | None = None,
    tools: Mapping[str, str] | None = None,
    suspend_after: float | None = None,
) -> dict[Any, list[Any]]:
    """The value of `ClaudeAgentOptions.hooks`; `more` are hooks of your own, which are kept.

    INVARIANT: `on_failure="block"`: a hook that fails or takes too long blocks the call.
    """
    gate = Gate(guard, tools=tools, suspend_after=suspend_after)

    async def decide(asked: Any, tool_use_id: str | None, _context: Any) -> Any:
        return _output(gate, await gate.permit(_wanted(asked, tool_use_id)))

    ours = HookMatcher(hooks=[decide], timeout=guard.timeout + MARGIN, on_failure="block")
    kept = {event: list(matchers) for event, matchers in (more or {}).items()}
    return {**kept, "PreToolUse": [*kept.get("PreToolUse", ()), ours]}


def _wanted(asked: Any, tool_use_id: str | None) -> Wanted:
    name = asked["tool_name"]
    above = ("main",) if asked.get("agent_type") else ()
    return Wanted(
        *(name, asked["tool_input"], tool_use_id or asked.get("tool_use_id", "")),
        *(asked.get("agent_type") or "", asked["session_id"], above),
        cwd=asked.get("cwd") or "",
        kind=name,  # Claude's tools are what their names say, and those of MCP servers are named by Claude
    )


def _output(gate: Gate, answer: Authorization) -> dict[str, Any]:
    said = "defer" if gate.suspends(answer) else "allow" if answer.allowed else "deny"
    reason = answer.reason if answer.allowed else answer.message
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": said,
            "permissionDecisionReason": reason,
        }
    }
