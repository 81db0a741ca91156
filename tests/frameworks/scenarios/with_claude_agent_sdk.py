"""Claude Agent SDK: the real Claude Code that it brings along, against a scripted API; the tools are the SDK's own."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import stage
from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ResultMessage,
    create_sdk_mcp_server,
    tool,
)

from assent.frameworks.claude_agent_sdk import assent_hooks
from assent.guard import Guard

sys.path.append(str(Path(__file__).parents[3] / "examples/frameworks"))
from scripted_claude import scripted_claude

TOOLS = {"mcp__shop__run_shell": "Bash"}
SESSION = stage.FOLDER / "session.txt"


def offered(function: Callable[..., str]) -> Any:
    name, kind = next((name, kind) for name, kind in function.__annotations__.items() if name != "return")

    @tool(function.__name__, function.__doc__ or "", {name: int if kind == "int" else str})
    async def call(given: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": function(**given)}]}

    return call


def options(guard: Guard, url: str, suspend_after: float | None = None, **more: Any) -> ClaudeAgentOptions:
    server = create_sdk_mcp_server("shop", tools=[offered(one) for one in stage.FUNCTIONS])
    env = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CONFIG_DIR": str(stage.FOLDER / "claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "HOME": os.environ["HOME"],
    }
    hooks: Any = assent_hooks(guard, tools=TOOLS, suspend_after=suspend_after)
    return ClaudeAgentOptions(
        cwd=str(stage.FOLDER), env=env, setting_sources=[], mcp_servers={"shop": server}, hooks=hooks, **more
    )


async def talk(made: ClaudeAgentOptions, say: str) -> Any:
    async with ClaudeSDKClient(options=made) as client:
        await client.query(say)
        messages = [message async for message in client.receive_response()]
    return next(message for message in messages if isinstance(message, ResultMessage))


def script(uses: Sequence[stage.Use]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"mcp__shop__{use.tool}", use.given) for use in uses]


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    with scripted_claude(script(uses)) as (url, told):
        await talk(options(guard, url), "go")
        return list(told)


async def run_subagent(guard: Guard) -> None:
    given = {"subagent_type": "reviewer", "description": "look", "prompt": "inner", "run_in_background": False}
    reviewer = AgentDefinition(description="Reviews.", prompt="You review.")
    with scripted_claude([("Agent", given)], script([stage.DELETE])) as (url, _told):
        await talk(options(guard, url, agents={"reviewer": reviewer}), "go")


async def play() -> None:
    await stage.play(run)
    await stage.chain(run_subagent)


async def begin(guard: Guard) -> bool:
    with scripted_claude(script([stage.DELETE])) as (url, _told):
        result = await talk(options(guard, url, 0.0), "go")
    SESSION.write_text(result.session_id)
    return bool(result.stop_reason == "tool_deferred")


async def resume(guard: Guard) -> bool:
    with scripted_claude(script([stage.DELETE])) as (url, _told):
        result = await talk(options(guard, url, 0.0, resume=SESSION.read_text()), "go on")
    return bool(result.stop_reason == "tool_deferred")


if __name__ == "__main__":
    stage.main(play, {"begin": begin, "resume": resume, "replay": resume})
