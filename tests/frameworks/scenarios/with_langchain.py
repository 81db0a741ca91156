"""LangChain and LangGraph, with LangChain's own fake chat model and a checkpointer in a file."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import stage
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from assent.frameworks.langchain import AssentMiddleware, wake
from assent.guard import Guard

CONFIG: Any = {"configurable": {"thread_id": "t1"}}


class Model(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_options: Any) -> Any:
        return self


def turn(uses: Sequence[stage.Use]) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": use.tool, "args": use.given, "id": use.id} for use in uses])


def model(uses: Sequence[stage.Use]) -> Model:
    """One call in every turn, or all of them in one."""
    turns = [turn(uses)] if uses == stage.MANY else [turn([use]) for use in uses]
    return Model(messages=iter([*turns, AIMessage("bye")]))


def agent(guard: Guard, uses: Sequence[stage.Use], **options: Any) -> Any:
    middleware = AssentMiddleware(guard, tools=stage.TOOLS, suspend_after=options.pop("suspend_after", None))
    return create_agent(model(uses), [tool(one) for one in stage.FUNCTIONS], middleware=[middleware], **options)


def told(result: Any) -> list[str]:
    return [message.content for message in result["messages"] if message.type == "tool"]


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    return told(await agent(guard, uses).ainvoke({"messages": [("user", "go")]}, CONFIG))


async def run_blocking(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    return told(agent(guard, uses).invoke({"messages": [("user", "go")]}, CONFIG))


async def run_graph(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    """A graph of one's own, with a tool node."""
    gate = AssentMiddleware(guard, tools=stage.TOOLS)
    node = ToolNode([tool(one) for one in stage.FUNCTIONS], awrap_tool_call=gate.awrap_tool_call)
    graph = StateGraph(MessagesState).add_node("tools", node).add_edge(START, "tools").add_edge("tools", END).compile()
    return told(await graph.ainvoke({"messages": [turn(uses)]}, CONFIG))


async def run_subagent(guard: Guard) -> None:
    reviewer = agent(guard, [stage.DELETE], name="reviewer")

    async def read_note(name: str) -> str:
        """Let the reviewer look."""
        await reviewer.ainvoke({"messages": [("user", name)]})
        return "reviewed"

    tools, gate = [tool(read_note)], AssentMiddleware(guard)
    await create_agent(model([stage.READ]), tools, middleware=[gate], name="lead").ainvoke(
        {"messages": [("user", "go")]}
    )


async def play() -> None:
    await stage.play(run)
    await stage.scene(run_blocking, "sync", [stage.DELETE], [True])
    await stage.scene(run_graph, "graph", [stage.READ, stage.DROP._replace(id="c2")])
    await stage.chain(run_subagent)


def step(guard: Guard, given: Any, uses: Sequence[stage.Use] = ()) -> bool:
    with SqliteSaver.from_conn_string(str(stage.FOLDER / "checkpoints.db")) as saver:
        made = agent(guard, uses, suspend_after=0.0, checkpointer=saver)
        return "__interrupt__" in made.invoke(given(made) if callable(given) else given, CONFIG)


async def begin(guard: Guard) -> bool:
    return step(guard, {"messages": [("user", "go")]}, [stage.DELETE])


async def begin_many(guard: Guard) -> bool:
    return step(guard, {"messages": [("user", "go")]}, stage.MANY)


async def resume(guard: Guard) -> bool:
    return step(guard, lambda made: wake({"__interrupt__": made.get_state(CONFIG).interrupts}))


async def replay(guard: Guard) -> bool:
    """Go back to the checkpoint before the tool ran, and run it again."""
    with SqliteSaver.from_conn_string(str(stage.FOLDER / "checkpoints.db")) as saver:
        made = agent(guard, [], suspend_after=0.0, checkpointer=saver)
        before = next(one for one in made.get_state_history(CONFIG) if one.next == ("tools",))
        return "__interrupt__" in made.invoke(None, before.config)


if __name__ == "__main__":
    stage.main(play, {"begin": begin, "begin_many": begin_many, "resume": resume, "replay": replay})
