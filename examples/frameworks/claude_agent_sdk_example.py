"""Claude Agent SDK with Assent in front of the tools. Needs `pip install 'assent[claude-agent-sdk]'`.

The SDK brings the real Claude Code along; instead of Anthropic's API it talks to a script on this machine.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool
from scripted_claude import scripted_claude
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.claude_agent_sdk import assent_hooks


@tool("read_order", "Read an order.", {"order": int})
async def read(given: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": read_order(**given)}]}


@tool("delete_user", "Delete a user.", {"user_id": int})
async def delete(given: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": delete_user(**given)}]}


async def main() -> None:
    script = [(f"mcp__shop__{name}", args) for name, args in CALLS]
    with shop_guard() as guard, tempfile.TemporaryDirectory() as folder, scripted_claude(script) as (url, told):
        options = ClaudeAgentOptions(
            hooks=assent_hooks(guard),
            mcp_servers={"shop": create_sdk_mcp_server("shop", tools=[read, delete])},
            env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "CLAUDE_CONFIG_DIR": folder},
            setting_sources=[],
        )
        async for _message in query(prompt="clean up", options=options):
            pass
        show([text.partition(" hook error: ")[2] or text for text in told])


asyncio.run(main())
