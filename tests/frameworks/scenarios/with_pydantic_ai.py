"""Pydantic AI, with its own FunctionModel; the messages between two processes are a JSON file."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import stage
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from assent.frameworks.pydantic_ai import AssentCapability, wake
from assent.guard import Guard

MESSAGES, WAITING = stage.FOLDER / "messages.json", stage.FOLDER / "waiting.json"


def returned(messages: Any) -> list[str]:
    parts = [part for message in messages for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]


def model(uses: Sequence[stage.Use]) -> FunctionModel:
    def respond(messages: Any, _info: Any) -> ModelResponse:
        done = len(returned(messages))
        if done == len(uses):
            return ModelResponse(parts=[TextPart("bye")])
        turn = uses if uses == stage.MANY else [uses[done]]
        return ModelResponse(parts=[ToolCallPart(use.tool, use.given, tool_call_id=use.id) for use in turn])

    return FunctionModel(respond)


def agent(guard: Guard, uses: Sequence[stage.Use], tools: Any = stage.FUNCTIONS, **options: Any) -> Any:
    name = options.pop("name", "clerk")  # without one, Pydantic AI takes the name of a variable
    gate = AssentCapability(guard, tools=stage.TOOLS, suspend_after=options.pop("suspend_after", None))
    outputs: Any = [str, DeferredToolRequests]
    return Agent(model(uses), name=name, output_type=outputs, tools=tools, capabilities=[gate])


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    return returned((await agent(guard, uses).run("go")).all_messages())


async def run_subagent(guard: Guard) -> None:
    reviewer = agent(guard, [stage.DELETE], name="reviewer")

    async def read_note(name: str) -> str:
        await reviewer.run(name)
        return "reviewed"

    await agent(guard, [stage.READ], [read_note], name="lead").run("go")


async def play() -> None:
    await stage.play(run)
    await stage.chain(run_subagent)


async def begin(guard: Guard, uses: Sequence[stage.Use] = (stage.DELETE,)) -> bool:
    return keep(await agent(guard, uses, suspend_after=0.0).run("go"))


async def begin_many(guard: Guard) -> bool:
    return await begin(guard, stage.MANY)


def keep(result: Any) -> bool:
    waits = isinstance(result.output, DeferredToolRequests)
    if waits:
        MESSAGES.write_bytes(result.all_messages_json())
        WAITING.write_text(json.dumps([call.tool_call_id for call in result.output.approvals]))
    return waits


async def resume(guard: Guard) -> bool:
    history = ModelMessagesTypeAdapter.validate_json(MESSAGES.read_bytes())
    calls = [part for message in history for part in message.parts if isinstance(part, ToolCallPart)]
    ids = json.loads(WAITING.read_text())
    waiting = DeferredToolRequests(approvals=[call for call in calls if call.tool_call_id in ids])
    made = agent(guard, [stage.DELETE] if len(calls) == 1 else stage.MANY, suspend_after=0.0)
    return keep(await made.run(message_history=history, deferred_tool_results=wake(waiting)))


if __name__ == "__main__":
    stage.main(play, {"begin": begin, "begin_many": begin_many, "resume": resume, "replay": resume})
