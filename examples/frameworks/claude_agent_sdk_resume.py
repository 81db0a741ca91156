"""Claude Agent SDK: a run that waits for a person, ends, and goes on in another process. The model is a script.

python claude_agent_sdk_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python claude_agent_sdk_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, query, tool
from scripted_claude import scripted_claude
from shop import CALLS, delete_user, patient_guard, read_order, show

from assent.frameworks.claude_agent_sdk import assent_hooks, questions

SESSION = Path("session.txt")


@tool("read_order", "Read an order.", {"order": int})
async def read(given: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": read_order(**given)}]}


@tool("delete_user", "Delete a user.", {"user_id": int})
async def delete(given: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": delete_user(**given)}]}


async def talk(options: ClaudeAgentOptions, say: str) -> Any:
    messages = [message async for message in query(prompt=say, options=options)]
    return next(message for message in messages if isinstance(message, ResultMessage))


async def main(guard: Any, step: str) -> None:
    script = [(f"mcp__shop__{name}", args) for name, args in CALLS]
    with scripted_claude(script) as (url, told):
        options = ClaudeAgentOptions(
            hooks=assent_hooks(guard, suspend_after=0.0),
            mcp_servers={"shop": create_sdk_mcp_server("shop", tools=[read, delete])},
            env={
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CONFIG_DIR": str(Path.cwd() / "claude"),
            },
            setting_sources=[],
            resume=SESSION.read_text() if step == "resume" else None,
        )
        result = await talk(options, "clean up" if step == "begin" else "go on")
        if result.stop_reason == "tool_deferred":
            SESSION.write_text(result.session_id)
            for asked in questions(result, guard):
                name = str(asked["tool"]).removeprefix("mcp__shop__")
                print(f"waits: {name} {asked['arguments']}: {asked['reason']}")
        else:
            show([text.partition(" hook error: ")[2] or text for text in told])


with patient_guard() as guard:
    asyncio.run(main(guard, sys.argv[1]))
