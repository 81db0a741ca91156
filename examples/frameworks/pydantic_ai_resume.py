"""Pydantic AI: a run that waits for a person, ends, and goes on in another process. The model is a script.

python pydantic_ai_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python pydantic_ai_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from shop import CALLS, delete_user, patient_guard, read_order, show

from assent.frameworks.pydantic_ai import AssentCapability, wake

MESSAGES = Path("messages.json")


def returned(messages: Any) -> list[str]:
    parts = [part for message in messages for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]


def respond(messages: Any, _info: Any) -> ModelResponse:
    done = len(returned(messages))
    return ModelResponse(parts=[ToolCallPart(*CALLS[done]) if done < len(CALLS) else TextPart("bye")])


with patient_guard() as guard:
    outputs: Any = [str, DeferredToolRequests]
    agent: Any = Agent(
        FunctionModel(respond),
        name="clerk",  # an answer is bound to it
        output_type=outputs,
        tools=[read_order, delete_user],
        capabilities=[AssentCapability(guard, suspend_after=0.0)],
    )
    if sys.argv[1] == "begin":
        result = agent.run_sync("clean up")
    else:
        messages = ModelMessagesTypeAdapter.validate_json(MESSAGES.read_bytes())
        result = agent.run_sync(message_history=messages, deferred_tool_results=wake(messages))
    if isinstance(result.output, DeferredToolRequests):
        MESSAGES.write_bytes(result.all_messages_json())
        for asked in result.output.metadata.values():
            print(f"waits: {asked['tool']} {asked['arguments']}, because {asked['reason']}")
    else:
        show(returned(result.all_messages()))
