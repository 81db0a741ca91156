"""CrewAI, with a scripted LLM that calls functions natively."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import stage
from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool

from assent.frameworks.crewai import protect
from assent.guard import Guard


class Scripted(BaseLLM):
    uses: list[Any] = []
    told: list[str] = []

    def call(self, messages: Any, tools: Any = None, **options: Any) -> Any:
        answers = [message["content"] for message in messages if message.get("role") == "tool"]
        self.told[:] = answers
        if len(answers) < len(self.uses):
            use = self.uses[len(answers)]
            return [{"id": use.id, "function": {"name": use.tool, "arguments": use.given}}]
        return "bye"

    async def acall(self, messages: Any, tools: Any = None, **options: Any) -> Any:
        return self.call(messages, tools, **options)

    def supports_function_calling(self) -> bool:
        return True


def crew(uses: Sequence[stage.Use], role: str = "clerk") -> tuple[Crew, Scripted]:
    model = Scripted(model="scripted", uses=list(uses))
    tools = [tool(one.__name__)(one) for one in stage.FUNCTIONS]
    agent = Agent(role=role, goal="g", backstory="b", llm=model, tools=tools, cache=False)
    task = Task(description="go", expected_output="bye", agent=agent)
    return Crew(agents=[agent], tasks=[task], cache=False), model


@contextmanager
def protected(guard: Guard, **options: Any) -> Iterator[None]:
    """CrewAI's hooks are for the whole process: they go with the run."""
    hooks = protect(guard, **options)
    try:
        yield
    finally:
        hooks.remove()


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    """In a thread, as `kickoff_async` does: the event loop goes on."""
    made, model = crew(uses)
    with protected(guard, tools=stage.TOOLS):
        await made.kickoff_async()
    return list(model.told)


async def run_native(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    made, model = crew(uses)
    with protected(guard, tools=stage.TOOLS):
        await made.akickoff()
    return list(model.told)


async def run_subagent(guard: Guard) -> None:
    made, _model = crew([stage.DELETE], "reviewer")
    with protected(guard):
        await asyncio.to_thread(made.kickoff)


async def play() -> None:
    await stage.play(run)
    await stage.scene(run_native, "akickoff", [stage.DELETE], [True], loop=asyncio.get_running_loop())
    await stage.chain(run_subagent)


if __name__ == "__main__":
    stage.main(play, {})
