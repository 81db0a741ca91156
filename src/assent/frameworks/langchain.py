"""LangChain and LangGraph: a middleware for `create_agent`, and the same two functions for a `ToolNode`.

    agent = create_agent(model, tools, middleware=[AssentMiddleware(guard)])

Suspends with LangGraph's interrupts; the checkpointer keeps the run until `wake` resumes it.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.types import Command, interrupt

from assent.authorization import Authorization
from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard


class AssentMiddleware(AgentMiddleware):
    """Decides about every tool call of an agent. Put it last: what stands after it could change an approved call.

    INVARIANT: a resume only wakes the run up; whether the tool runs is what the inbox says.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        suspend_after: float | None = None,
    ) -> None:
        super().__init__()
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=suspend_after)

    def _wanted(self, request: Any) -> Wanted:
        tools = getattr(request.runtime, "tools", None)
        if tools:
            self.gate.see(getattr(tool, "name", tool) for tool in tools)
        return _wanted(request)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """For `invoke`; also for `ToolNode(tools, wrap_tool_call=...)`."""
        wanted = self._wanted(request)
        answer = self.gate.permit_sync(wanted)
        while self.gate.suspends(answer):
            interrupt(self.gate.question(wanted, answer))
            answer = self.gate.permit_sync(wanted)
        if not answer.allowed:
            return _refusal(wanted, answer)
        with self.gate.inside(wanted.agent):
            return handler(request)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """For `ainvoke`; also for `ToolNode(tools, awrap_tool_call=...)`."""
        wanted = self._wanted(request)
        answer = await self.gate.permit(wanted)
        while self.gate.suspends(answer):
            interrupt(self.gate.question(wanted, answer))
            answer = await self.gate.permit(wanted)
        if not answer.allowed:
            return _refusal(wanted, answer)
        with self.gate.inside(wanted.agent):
            return await handler(request)


def wake(result: Mapping[str, Any]) -> Command[Any]:
    """What resumes a run that `suspend_after` suspended: `agent.invoke(wake(result), config)`."""
    return Command(resume={one.id: True for one in result.get("__interrupt__", ())})


def _wanted(request: Any) -> Wanted:
    call = request.tool_call
    config = getattr(request.runtime, "config", None) or {}
    thread = (config.get("configurable") or {}).get("thread_id", "")
    agent = (config.get("metadata") or {}).get("lc_agent_name", "")
    return Wanted(call["name"], call["args"], call["id"] or "", agent or "", str(thread))


def _refusal(wanted: Wanted, answer: Authorization) -> ToolMessage:
    return ToolMessage(answer.message, tool_call_id=wanted.id, name=wanted.tool, status="error")
