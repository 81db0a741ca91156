"""Google's Agent Development Kit: a plugin that decides about every tool call of an app.

    app = App(name="shop", root_agent=agent, plugins=[AssentPlugin(guard)])

Suspends with ADK's tool confirmations; the session service keeps the run until it gets the message that `wake` makes.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard

CONFIRMATION = "adk_request_confirmation"


class AssentPlugin(BasePlugin):
    """Put it last. INVARIANT: a confirmation only wakes the run up; whether the tool runs is what the inbox says."""

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        suspend_after: float | None = None,
    ) -> None:
        super().__init__("assent")
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=suspend_after)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
        """Before the model is asked: a name in `tools` that was meant for one of its tools is an error."""
        del callback_context
        if llm_request.tools_dict:
            self.gate.see(llm_request.tools_dict)

    async def before_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
    ) -> dict[str, Any] | None:
        """None lets the tool run; anything else is its answer."""
        woken = tool_context.tool_confirmation is not None  # ADK takes a confirmation only once: from now on, wait
        wanted = _wanted(tool, tool_args, tool_context)
        answer = await self.gate.permit(wanted, hold=woken)
        if answer.allowed:
            return None
        if self.gate.suspends(answer):
            tool_context.request_confirmation(hint=answer.message, payload=self.gate.question(wanted, answer))
            tool_context.actions.skip_summarization = True
        return {"error": answer.message}


async def wake(events: Iterable[Any], guard: Guard) -> types.Content | None:
    """The message that continues a suspended run, None while nothing it waits for is answered.

    Give it the events of the session: `runner.run_async(..., new_message=await wake(session.events, guard))`.
    """
    calls = [call for call in waiting(events) if await _decided(call, guard)]
    if not calls:
        return None
    answers = [types.FunctionResponse(id=call.id, name=CONFIRMATION, response={"confirmed": True}) for call in calls]
    return types.Content(role="user", parts=[types.Part(function_response=answer) for answer in answers])


def waiting(events: Iterable[Any]) -> list[types.FunctionCall]:
    """The confirmations that a run waits for."""
    every = list(events)
    done = {answer.id for event in every for answer in event.get_function_responses()}
    calls = [call for event in every for call in event.get_function_calls() if call.name == CONFIRMATION]
    return [call for call in calls if call.id not in done]


async def _decided(call: types.FunctionCall, guard: Guard) -> bool:
    payload = ((call.args or {}).get("toolConfirmation") or {}).get("payload") or {}
    ticket = await asyncio.to_thread(guard.desk.ticket, str(payload.get("request_id", "")))
    return ticket is not None and ticket.state != "pending"


def _wanted(tool: Any, given: dict[str, Any], context: Any) -> Wanted:
    above = []
    agent = getattr(getattr(context, "_invocation_context", None), "agent", None)
    while agent is not None and getattr(agent, "parent_agent", None) is not None:
        agent = agent.parent_agent
        above.append(agent.name)
    return Wanted(
        *(tool.name, given, context.function_call_id or "", context.agent_name or ""),
        *(context.session.id, tuple(reversed(above))),
    )
