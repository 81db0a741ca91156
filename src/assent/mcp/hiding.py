"""Leaving out tools that the policy denies whatever their arguments, so that a model does not try them in vain."""

from __future__ import annotations

import asyncio

from assent.mcp import messages as m
from assent.mcp.asking import ToolGuard, tool_name
from assent.mcp.messages import Body
from assent.mcp.offered import Offered
from assent.types import Verdict


class Hiding:
    """Shortens lists of tools. Hiding is a convenience: a call of a hidden tool is denied all the same."""

    def __init__(self, guard: ToolGuard, offered: Offered) -> None:
        self.guard, self.offered = guard, offered

    async def shown(self, body: Body) -> Body | None:
        """The list without what is denied; None when everything stays."""
        found = m.table(body.get("result"))
        tools = found.get("tools")
        if not isinstance(tools, list):
            return None
        kept = await asyncio.to_thread(lambda: [tool for tool in tools if not self._denied(tool)])
        return None if len(kept) == len(tools) else {**body, "result": {**found, "tools": kept}}

    def _denied(self, tool: object) -> bool:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            return False
        judged = self.guard.judge.judge(
            self.guard.call(tool_name(self.offered.name, name), {}), self.guard.desk.clock()
        )
        rule = judged.decision.decisive.rule
        return judged.decision.verdict == Verdict.DENY and rule is not None and not rule.args
