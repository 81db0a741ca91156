"""LangChain and LangGraph: a run that waits for a person, ends, and goes on in another process. The model is a script.

python langchain_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python langchain_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from shop import CALLS, delete_user, patient_guard, read_order, show

from assent.frameworks.langchain import AssentMiddleware, wake

CONFIG: Any = {"configurable": {"thread_id": "order-7"}}


class Model(GenericFakeChatModel):
    def bind_tools(self, *_tools: Any, **_options: Any) -> Any:
        return self


script = [AIMessage("", tool_calls=[{"name": name, "args": args, "id": name}]) for name, args in CALLS]

with patient_guard() as guard, SqliteSaver.from_conn_string("checkpoints.db") as saver:
    begins = sys.argv[1] == "begin"
    agent = create_agent(
        Model(messages=iter([*(script if begins else ()), AIMessage("bye")])),
        [tool(read_order), tool(delete_user)],
        middleware=[AssentMiddleware(guard, suspend_after=0.0)],
        checkpointer=saver,
    )
    start: Any = {"messages": [("user", "clean up")]}
    result = agent.invoke(start if begins else wake({"__interrupt__": agent.get_state(CONFIG).interrupts}), CONFIG)
    for one in result.get("__interrupt__", ()):
        print(f"waits: {one.value['tool']} {one.value['arguments']}, because {one.value['reason']}")
    if "__interrupt__" not in result:
        show([message.content for message in result["messages"] if message.type == "tool"])
