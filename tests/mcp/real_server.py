"""The demo server as a program: over standard input and output, or over HTTP on the port that is given."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from mcp.server.mcpserver import Context
from pydantic import BaseModel

from mcp_scene import demo_server


class Colour(BaseModel):
    """What the server asks the client's user."""

    value: str


def main() -> None:
    server = demo_server()

    @server.tool()
    async def ask(ctx: Context[Any, Any]) -> Any:
        """Ask for a colour."""
        import mcp_types as types

        if ctx.protocol_version == "2026-07-28":
            if ctx.input_responses:
                said: Any = ctx.input_responses["colour"]
                return said.content["value"]
            schema = {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}
            asked = types.ElicitRequest(
                params=types.ElicitRequestFormParams(message="Colour?", requested_schema=schema)
            )
            return types.InputRequiredResult(input_requests={"colour": asked}, request_state="round one")
        found = await ctx.elicit("Colour?", Colour)
        return found.data.value if found.action == "accept" else "none"

    if len(sys.argv) > 1:
        asyncio.run(server.run_streamable_http_async(port=int(sys.argv[1])))
    else:
        server.run()


if __name__ == "__main__":
    main()
