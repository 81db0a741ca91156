"""MCP servers written in Python: a middleware in front of their own tools, for FastMCP and for the SDK `mcp`.

    server.add_middleware(AssentMiddleware(guard))               # fastmcp.FastMCP
    server.middleware.append(AssentServerMiddleware(guard, "shop"))   # mcp's MCPServer and lowlevel Server

A tool is `mcp__SERVER__TOOL`, as agents call it, so rules say `Mcp(shop.delete_user)`. MCP has nothing that suspends a
call for minutes: it stays open until the person answers, or ends with a ticket after `leave_after` seconds.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from assent.authorization import Authorization, failed
from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted, mcp_tool
from assent.guard import Guard

try:
    from fastmcp.exceptions import ToolError
    from fastmcp.server.middleware import Middleware
except ModuleNotFoundError:  # an environment with `mcp` alone
    ToolError, Middleware = RuntimeError, object

CallNext = Callable[[Any], Awaitable[Any]]


class AssentMiddleware(Middleware):
    """For FastMCP servers and proxies. Add it last: a middleware after it could change an approved call."""

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        leave_after: float | None = None,
        server: str = "",
    ) -> None:
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=leave_after)
        self.server = server

    async def on_call_tool(self, context: Any, call_next: CallNext) -> Any:
        about = context.fastmcp_context
        server = self.server or (about.fastmcp.name if about is not None else "")
        given = context.message.arguments or {}
        known = [tool.name for tool in await about.fastmcp.list_tools()] if self.gate.tools and about else []
        answer = await _permit(self.gate, server, context.message.name, given, known)
        if not answer.allowed:
            raise ToolError(answer.message)
        return await call_next(context)


class AssentServerMiddleware:
    """For servers of the SDK `mcp`; `server` is the name that rules use. Add it last, too."""

    def __init__(
        self,
        guard: Guard,
        server: str,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        leave_after: float | None = None,
    ) -> None:
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=leave_after)
        self.server = server

    async def __call__(self, ctx: Any, call_next: CallNext) -> Any:
        if ctx.method != "tools/call":
            return await call_next(ctx)
        asked = ctx.params if isinstance(ctx.params, Mapping) else {}
        answer = await _permit(self.gate, self.server, str(asked.get("name", "")), asked.get("arguments") or {}, [])
        return await call_next(ctx) if answer.allowed else _refusal(answer)


async def _permit(gate: Gate, server: str, tool: str, given: object, known: list[str]) -> Authorization:
    try:
        gate.see(known)
        gate.check_spelling(tool)
    except UsageError as error:
        warnings.warn(str(error), stacklevel=2)
        return failed(str(error))
    kind = gate.tools.get(tool) or mcp_tool(server, tool)
    return await gate.permit(Wanted(tool, given, kind=kind))


def _refusal(answer: Authorization) -> Any:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(text=answer.message)], is_error=True)
