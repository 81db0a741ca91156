"""Strands: a run that waits for a person, ends, and goes on in another process. The model is a script.

python strands_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python strands_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from shop import CALLS, delete_user, patient_guard, read_order, show
from strands import Agent, tool
from strands.models.model import Model
from strands.session.file_session_manager import FileSessionManager

from assent.frameworks.strands import AssentIntervention, wake


class Scripted(Model):
    def update_config(self, **_config: Any) -> None:
        """There is none."""

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_given: Any, **_options: Any) -> AsyncIterator[Any]:
        yield {}

    async def stream(self, messages: Any, *_given: Any, **_options: Any) -> AsyncIterator[Any]:
        done = len(results(messages))
        yield {"messageStart": {"role": "assistant"}}
        if done < len(CALLS):
            name, args = CALLS[done]
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": name}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(args)}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "bye"}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if done < len(CALLS) else "end_turn"}}


def results(messages: Any) -> list[str]:
    blocks = [block for message in messages for block in message["content"] if "toolResult" in block]
    return [block["toolResult"]["content"][0]["text"] for block in blocks]


with patient_guard() as guard:
    agent = Agent(
        model=Scripted(),
        tools=[tool(read_order), tool(delete_user)],
        callback_handler=None,
        agent_id="clerk",
        interventions=[AssentIntervention(guard, suspend_after=0.0)],
        session_manager=FileSessionManager(session_id="order-7", storage_dir="sessions"),
    )
    result = agent("clean up" if sys.argv[1] == "begin" else wake(agent))
    if result.stop_reason == "interrupt":
        for one in result.interrupts:
            print(f"waits: {one.reason['tool']} {one.reason['arguments']}, because {one.reason['reason']}")
    else:
        show(results(agent.messages))
