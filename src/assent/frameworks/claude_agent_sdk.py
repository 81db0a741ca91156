"""Claude Agent SDK: a hook that decides about every tool call, subagents' calls too.

    options = ClaudeAgentOptions(hooks=assent_hooks(guard))

Suspends with Claude's `defer`: the run ends with `stop_reason` "tool_deferred", and resuming its session asks again.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from claude_agent_sdk import HookMatcher

from assent.authorization import Authorization
from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted
from assent.frameworks.gate import questions as gate_questions
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
    for name in gate.tools:
        _check_name(name)

    async def decide(asked: Any, tool_use_id: str | None, _context: Any) -> Any:
        try:
            return _output(gate, await gate.permit(_wanted(asked, tool_use_id)))
        except UsageError as error:
            warnings.warn(str(error), stacklevel=2)
            return _said("deny", f"This was not done: {error}")

    ours = HookMatcher(hooks=[decide], timeout=guard.timeout + MARGIN, on_failure="block")
    kept = {event: list(matchers) for event, matchers in (more or {}).items()}
    return {**kept, "PreToolUse": [*kept.get("PreToolUse", ()), ours]}


def questions(result: Any, guard: Guard) -> list[dict[str, object]]:
    """What a run that ended with `stop_reason` "tool_deferred" waits for: `request_id`, `reason`, `arguments`, …

    Claude's own message carries the call alone. Also in another process: it needs `result.session_id` only.
    """
    use = getattr(result, "deferred_tool_use", None)
    call_id = str(getattr(use, "id", "") or "")
    return [{**one, "tool_call_id": call_id} for one in gate_questions(guard, result.session_id)]


def _check_name(name: str) -> None:
    """Claude knows the tools of a server as `mcp__SERVER__TOOL`; a function's bare name is none of its tools."""
    if not Guard.knows_tool(name):
        advice = f"did you mean `mcp__SERVER__{name}`? Claude's own tools need no entry"
        raise UsageError(f"`tools` names `{name}`, and Claude has no tool of that name", help=advice)


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
    return _said(said, reason)


def _said(said: str, reason: str) -> dict[str, Any]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": said,
            "permissionDecisionReason": reason,
        }
    }
