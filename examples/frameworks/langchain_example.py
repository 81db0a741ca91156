"""LangChain with Assent in front of the tools. Needs `pip install 'assent[langchain]'`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.langchain import AssentMiddleware


class Model(GenericFakeChatModel):
    def bind_tools(self, *_tools: Any, **_options: Any) -> Any:
        return self


script = [AIMessage("", tool_calls=[{"name": name, "args": args, "id": name}]) for name, args in CALLS]

with shop_guard() as guard:
    agent = create_agent(
        Model(messages=iter([*script, AIMessage("bye")])),
        [tool(read_order), tool(delete_user)],
        middleware=[AssentMiddleware(guard)],
    )
    result = agent.invoke({"messages": [("user", "clean up")]})
    show([message.content for message in result["messages"] if message.type == "tool"])
