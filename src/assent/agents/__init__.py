"""The hosts Assent stands in front of: one file each, because their contracts look alike and are not."""

from __future__ import annotations

AGENTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "qwen": "qwen",
    "copilot": "copilot",
    "opencode": "opencode",
    "cline": "cline",
    "cursor": "cursor",
    "windsurf": "windsurf",
}
"""The name people type, and the module that knows the host."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.agents.agent import Agent


def agent_named(name: str) -> Agent:
    """The adapter of a host; an unknown name is an error that lists the known ones."""
    module = AGENTS.get(name)
    if module is None:
        from assent.errors import UsageError

        raise UsageError(f"unknown agent `{name}`", help=f"one of {', '.join(AGENTS)}")
    return __import__(f"assent.agents.{module}", fromlist=["NAME"])  # importlib takes longer than the decision
