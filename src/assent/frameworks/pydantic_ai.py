"""Pydantic AI: a capability that decides about every tool call of an agent.

    agent = Agent(model, tools=tools, capabilities=[AssentCapability(guard)])

Suspends with `DeferredToolRequests`; keep the messages, and continue with the results that `wake` makes.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_ai import DeferredToolRequests, DeferredToolResults
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.exceptions import ApprovalRequired, SkipToolExecution
from pydantic_ai.messages import RetryPromptPart, ToolCallPart, ToolReturnPart

from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard


class AssentCapability(AbstractCapability[Any]):
    """Stands innermost, so that nothing changes the arguments after they were approved.

    INVARIANT: an approval of Pydantic AI's only wakes the run up; whether the tool runs is what the inbox says.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        suspend_after: float | None = None,
    ) -> None:
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=suspend_after)

    def get_ordering(self) -> CapabilityOrdering:
        return CapabilityOrdering(position="innermost")

    async def prepare_tools(self, ctx: Any, tool_defs: list[Any]) -> list[Any]:
        """The tools that the model is offered: a name in `tools` that was meant for one of them is an error."""
        del ctx
        self.gate.see(tool.name for tool in tool_defs)
        return tool_defs

    async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        """Agents that this tool runs are subagents of this agent."""
        del call, tool_def
        with self.gate.inside(_agent(ctx)):
            return await handler(args)

    async def before_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        """The last look before a tool runs."""
        del tool_def
        wanted = Wanted(call.tool_name, args, call.tool_call_id, _agent(ctx), ctx.conversation_id or "")
        answer = await self.gate.permit(wanted)
        if self.gate.suspends(answer):
            raise ApprovalRequired(metadata=self.gate.question(wanted, answer))
        if not answer.allowed:
            raise SkipToolExecution(answer.message)
        return args


def wake(suspended: DeferredToolRequests | Iterable[Any]) -> DeferredToolResults:
    """What continues a suspended run, made from its output, or from its messages in another process.

    `agent.run(message_history=messages, deferred_tool_results=wake(messages))`
    """
    calls = suspended.approvals if isinstance(suspended, DeferredToolRequests) else waiting(suspended)
    return DeferredToolResults(approvals={call.tool_call_id: True for call in calls})


def waiting(messages: Iterable[Any]) -> list[ToolCallPart]:
    """The tool calls of a run that have no answer yet."""
    parts = [part for message in messages for part in message.parts]
    done = {part.tool_call_id for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)}
    return [part for part in parts if isinstance(part, ToolCallPart) and part.tool_call_id not in done]


def _agent(ctx: Any) -> str:
    return getattr(ctx.agent, "name", "") or ""
