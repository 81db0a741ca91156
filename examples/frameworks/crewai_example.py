"""CrewAI with Assent in front of the tools. Needs `pip install 'assent[crewai]'`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from typing import Any

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.crewai import protect


class Scripted(BaseLLM):
    told: list[str] = []

    def call(self, messages: Any, *_given: Any, **_options: Any) -> Any:
        self.told[:] = [message["content"] for message in messages if message.get("role") == "tool"]
        if len(self.told) == len(CALLS):
            return "bye"
        name, args = CALLS[len(self.told)]
        return [{"id": name, "function": {"name": name, "arguments": args}}]

    def supports_function_calling(self) -> bool:
        return True


with shop_guard() as guard:
    protect(guard)
    model = Scripted(model="scripted")
    tools = [tool("read_order")(read_order), tool("delete_user")(delete_user)]
    agent = Agent(role="clerk", goal="order", backstory="new here", llm=model, tools=tools)
    Crew(agents=[agent], tasks=[Task(description="clean up", expected_output="bye", agent=agent)]).kickoff()
    show(model.told)
