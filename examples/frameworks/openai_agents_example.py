"""OpenAI Agents with Assent in front of the tools. Needs `assent[openai-agents]`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,attr-defined"

from __future__ import annotations

import asyncio

from agents.testing import ScriptedModel, assistant_message, function_call
from shop import CALLS, delete_user, read_order, shop_guard, show

from agents import Agent, Runner, function_tool, set_tracing_disabled
from assent.frameworks.openai_agents import protect

set_tracing_disabled(True)
script = [[function_call(name, args, call_id=name)] for name, args in CALLS]

with shop_guard() as guard:
    agent = Agent(
        name="clerk",
        tools=[function_tool(read_order), function_tool(delete_user)],
        model=ScriptedModel([*script, [assistant_message("bye")]]),
    )
    result = asyncio.run(Runner.run(protect(agent, guard), "clean up"))
    show([str(item.output) for item in result.new_items if item.type == "tool_call_output_item"])
