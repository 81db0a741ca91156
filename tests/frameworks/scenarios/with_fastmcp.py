"""MCP servers, with FastMCP and with the SDK `mcp`; the client is in memory."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import stage
from fastmcp import Client, FastMCP
from mcp.client import Client as SdkClient
from mcp.server.mcpserver import MCPServer

from assent.frameworks.fastmcp import AssentMiddleware, AssentServerMiddleware
from assent.guard import Guard


async def call(client: Any, uses: Sequence[stage.Use], **options: Any) -> list[str]:
    async with client:
        results = [await client.call_tool(use.tool, use.given, **options) for use in uses]
    return [result.content[0].text for result in results]


async def run(guard: Guard, uses: Sequence[stage.Use], leave_after: float | None = None) -> list[str]:
    server = FastMCP("shop")
    for one in stage.FUNCTIONS:
        server.tool(one)
    server.add_middleware(AssentMiddleware(guard, tools=stage.TOOLS, leave_after=leave_after))
    return await call(Client(server), uses, raise_on_error=False)


async def run_sdk(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    server = MCPServer("shop")
    for one in stage.FUNCTIONS:
        server.tool()(one)
    server.middleware.append(AssentServerMiddleware(guard, "shop", tools=stage.TOOLS))
    return await call(SdkClient(server), uses)


async def play() -> None:
    await stage.play(run)
    for name, uses, answers in (
        ("sdk allow", [stage.READ], []),
        ("sdk deny", [stage.DROP], []),
        ("sdk approve", [stage.DELETE], [True]),
        ("sdk reject", [stage.DELETE], [False]),
    ):
        await stage.scene(run_sdk, name, uses, answers)
    await stage.scene(run_sdk, "sdk fail", [stage.READ], breaks=True)


async def ticket(guard: Guard) -> bool:
    """The call ends with a ticket; the same call again finds the answer."""
    return "has not answered yet" in (await run(guard, [stage.DELETE], leave_after=0.0))[0]


if __name__ == "__main__":
    stage.main(play, {"begin": ticket, "resume": ticket, "replay": ticket})
