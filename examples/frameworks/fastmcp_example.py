"""An MCP server with Assent in front of its tools. Needs `pip install 'assent[fastmcp]'`; the client is in memory."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import asyncio

from fastmcp import Client, FastMCP
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.fastmcp import AssentMiddleware


async def main() -> None:
    with shop_guard() as guard:
        server = FastMCP("shop")
        server.tool(read_order)
        server.tool(delete_user)
        server.add_middleware(AssentMiddleware(guard))
        async with Client(server) as client:
            results = [await client.call_tool(name, args, raise_on_error=False) for name, args in CALLS]
        show([result.content[0].text for result in results])


asyncio.run(main())
