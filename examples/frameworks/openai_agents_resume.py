"""OpenAI Agents: a run that waits for a person, ends, and goes on in another process. The model is a script.

python openai_agents_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python openai_agents_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,attr-defined"

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from agents.testing import ScriptedModel, assistant_message, function_call
from shop import CALLS, delete_user, patient_guard, read_order, show

from agents import Agent, Runner, RunState, function_tool, set_tracing_disabled
from assent.frameworks.openai_agents import protect, questions, wake

STATE = Path("state.json")
set_tracing_disabled(True)


async def main(guard: Any, step: str) -> None:
    script = [[function_call(name, args, call_id=name)] for name, args in CALLS] if step == "begin" else []
    agent: Any = Agent(
        name="clerk",
        tools=[function_tool(read_order), function_tool(delete_user)],
        model=ScriptedModel([*script, [assistant_message("bye")]]),
    )
    protect(agent, guard, suspend_after=0.0)
    given = "clean up" if step == "begin" else await wake(await RunState.from_string(agent, STATE.read_text()))
    result = await Runner.run(agent, given)
    if result.interruptions:
        STATE.write_text(result.to_state().to_string())
        for asked in await questions(result):
            print(f"waits: {asked['tool']} {asked['arguments']}: {asked['reason']}")
    else:
        show([str(item.output) for item in result.new_items if item.type == "tool_call_output_item"])


with patient_guard() as guard:
    asyncio.run(main(guard, sys.argv[1]))
