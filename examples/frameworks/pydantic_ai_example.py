"""Pydantic AI with Assent in front of the tools. Needs `pip install 'assent[pydantic-ai]'`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.pydantic_ai import AssentCapability


def returned(messages: Any) -> list[str]:
    parts = [part for message in messages for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]


def respond(messages: Any, _info: Any) -> ModelResponse:
    done = len(returned(messages))
    return ModelResponse(parts=[ToolCallPart(*CALLS[done]) if done < len(CALLS) else TextPart("bye")])


with shop_guard() as guard:
    agent = Agent(
        FunctionModel(respond),
        tools=[read_order, delete_user],
        capabilities=[AssentCapability(guard)],
    )
    show(returned(agent.run_sync("clean up").all_messages()))
