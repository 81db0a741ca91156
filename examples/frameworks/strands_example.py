"""Strands Agents with Assent in front of the tools. Needs `pip install 'assent[strands]'`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from shop import CALLS, delete_user, read_order, shop_guard, show
from strands import Agent, tool
from strands.models.model import Model

from assent.frameworks.strands import AssentIntervention


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
    blocks = [block["toolResult"] for message in messages for block in message["content"] if "toolResult" in block]
    return [block["content"][0]["text"].removeprefix("DENIED: ") for block in blocks]


with shop_guard() as guard:
    agent = Agent(
        model=Scripted(),
        tools=[tool(read_order), tool(delete_user)],
        callback_handler=None,
        interventions=[AssentIntervention(guard)],
    )
    agent("clean up")
    show(results(agent.messages))
