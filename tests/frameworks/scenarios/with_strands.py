"""Strands Agents, with a scripted model; the run between two processes is a session in a folder."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import stage
from strands import Agent, tool
from strands.models.model import Model
from strands.session.file_session_manager import FileSessionManager

from assent.frameworks.strands import AssentIntervention, wake
from assent.guard import Guard


class Scripted(Model):
    def __init__(self, uses: Sequence[stage.Use]) -> None:
        self.uses = uses

    def update_config(self, **_config: Any) -> None:
        """There is none."""

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_given: Any, **_options: Any) -> AsyncIterator[Any]:
        yield {}

    async def stream(self, messages: Any, *_given: Any, **_options: Any) -> AsyncIterator[Any]:
        done = sum("toolResult" in block for message in messages for block in message["content"])
        yield {"messageStart": {"role": "assistant"}}
        if done < len(self.uses):
            for use in self.uses if self.uses == stage.MANY else [self.uses[done]]:
                yield {"contentBlockStart": {"start": {"toolUse": {"name": use.tool, "toolUseId": use.id}}}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(use.given)}}}}
                yield {"contentBlockStop": {}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "bye"}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if done < len(self.uses) else "end_turn"}}


def agent(guard: Guard, uses: Sequence[stage.Use], tools: Any = stage.FUNCTIONS, **options: Any) -> Any:
    gate = AssentIntervention(guard, tools=stage.TOOLS, suspend_after=options.pop("suspend_after", None))
    made = [tool(one) for one in tools]
    return Agent(model=Scripted(uses), tools=made, callback_handler=None, interventions=[gate], **options)


def told(made: Any) -> list[str]:
    blocks = [block for message in made.messages for block in message["content"]]
    return [block["toolResult"]["content"][0]["text"] for block in blocks if "toolResult" in block]


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    made = agent(guard, uses)
    await made.invoke_async("go")
    return told(made)


async def run_subagent(guard: Guard) -> None:
    await agent(guard, [stage.DELETE], name="reviewer").invoke_async("go")


async def play() -> None:
    await stage.play(run)
    await stage.chain(run_subagent)


def kept(guard: Guard, uses: Sequence[stage.Use] = (stage.DELETE,)) -> Any:
    sessions = FileSessionManager(session_id="s1", storage_dir=str(stage.FOLDER / "sessions"))
    return agent(guard, uses, agent_id="clerk", session_manager=sessions, suspend_after=0.0)


async def begin(guard: Guard) -> bool:
    return (await kept(guard).invoke_async("go")).stop_reason == "interrupt"


async def begin_many(guard: Guard) -> bool:
    return (await kept(guard, stage.MANY).invoke_async("go")).stop_reason == "interrupt"


async def resume(guard: Guard) -> bool:
    made = kept(guard)
    answers = wake(made)
    return bool(answers) and (await made.invoke_async(answers)).stop_reason == "interrupt"


if __name__ == "__main__":
    stage.main(play, {"begin": begin, "begin_many": begin_many, "resume": resume, "replay": resume})
