"""OpenAI Agents SDK, with its own ScriptedModel; the run between two processes is a RunState in a file."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import stage
from agents.mcp import MCPServer
from agents.testing import ScriptedModel, assistant_message, function_call
from mcp_types import CallToolResult, TextContent, Tool
from openai.types.responses import ResponseFunctionShellToolCall

from agents import Agent, Runner, RunState, ShellTool, function_tool, handoff, set_tracing_disabled
from assent.frameworks.openai_agents import protect, wake
from assent.guard import Guard

STATE = stage.FOLDER / "state.json"
set_tracing_disabled(True)


def model(uses: Sequence[stage.Use]) -> ScriptedModel:
    """One call in every turn, or all of them in one."""
    calls = [function_call(use.tool, use.given, call_id=use.id) for use in uses]
    turns = [calls] if uses == stage.MANY else [[call] for call in calls]
    return ScriptedModel([*turns, [assistant_message("bye")]])


def agent(guard: Guard, uses: Sequence[stage.Use], suspend_after: float | None = None) -> Agent[Any]:
    made: Agent[Any] = Agent(name="clerk", tools=[function_tool(one) for one in stage.FUNCTIONS], model=model(uses))
    return protect(made, guard, tools=stage.TOOLS, suspend_after=suspend_after)


def outputs(result: Any) -> list[str]:
    return [str(item.output) for item in result.new_items if item.type == "tool_call_output_item"]


async def run(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    return outputs(await Runner.run(agent(guard, uses), "go"))


async def run_subagent(guard: Guard) -> None:
    delete = function_tool(stage.delete_user)
    reviewer: Agent[Any] = Agent(name="reviewer", tools=[delete], model=model([stage.DELETE]))
    review = reviewer.as_tool("read_note", "Let the reviewer look.")
    clerk: Agent[Any] = Agent(name="clerk", tools=[review], model=model([stage.Use("read_note", {"input": "a"}, "c2")]))
    to_clerk = stage.Use("transfer_to_clerk", {}, "c3")
    lead: Agent[Any] = Agent(name="lead", handoffs=[handoff(clerk)], model=model([to_clerk]))
    await Runner.run(protect(lead, guard), "go")


async def run_own_shell(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    """The SDK's own shell tool, with the commands of the uses."""
    commands = [use.given["command"] for use in uses]
    action: Any = {"commands": commands}
    item = ResponseFunctionShellToolCall(id="i", call_id="c1", action=action, status="completed", type="shell_call")
    shell = ShellTool(executor=lambda asked: stage.run_shell(" && ".join(asked.data.action.commands)))
    made: Agent[Any] = Agent(name="clerk", tools=[shell], model=ScriptedModel([[item], [assistant_message("bye")]]))
    return outputs(await Runner.run(protect(made, guard), "go"))


class Server(MCPServer):
    """An MCP server in this process, as far as an agent needs one."""

    cached_tools = None

    async def connect(self) -> None:
        """It is here."""

    async def cleanup(self) -> None:
        """Nothing to do."""

    @property
    def name(self) -> str:
        return "shop"

    async def list_tools(self, *_given: Any) -> list[Tool]:
        return [Tool(name=one.__name__, input_schema={"type": "object"}) for one in stage.FUNCTIONS]

    async def call_tool(self, tool_name: str, arguments: Any, *_given: Any, **_more: Any) -> CallToolResult:
        return CallToolResult(content=[TextContent(text=getattr(stage, tool_name)(**arguments))])

    async def list_prompts(self) -> Any:
        raise NotImplementedError

    async def get_prompt(self, *_given: Any) -> Any:
        raise NotImplementedError


async def run_server(guard: Guard, uses: Sequence[stage.Use]) -> list[str]:
    made: Agent[Any] = Agent(name="clerk", mcp_servers=[Server()], model=model(uses))
    result = await Runner.run(protect(made, guard, tools=stage.TOOLS), "go")
    said = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    return [one["text"] if isinstance(one, dict) else str(one) for one in said]


async def play() -> None:
    await stage.play(run)
    await stage.scene(run_own_shell, "own shell", [stage.LIST])
    await stage.scene(run_own_shell, "own shell steal", [stage.LIST, stage.STEAL])
    await stage.scene(run_server, "server", [stage.DELETE], [True])
    await stage.scene(run_server, "server deny", [stage.DROP])
    await stage.chain(run_subagent)


async def begin(guard: Guard, uses: Sequence[stage.Use] = (stage.DELETE,)) -> bool:
    result = await Runner.run(agent(guard, uses, suspend_after=0.0), "go")
    return keep(result)


def keep(result: Any) -> bool:
    if result.interruptions:
        STATE.write_text(result.to_state().to_string())
    return bool(result.interruptions)


async def begin_many(guard: Guard) -> bool:
    return await begin(guard, stage.MANY)


async def resume(guard: Guard) -> bool:
    made = agent(guard, [], suspend_after=0.0)
    state = await wake(await RunState.from_string(made, STATE.read_text()))
    return keep(await Runner.run(made, state))


async def approved_elsewhere(guard: Guard) -> bool:
    """An approval that only the state knows does not run the tool."""
    made = agent(guard, [], suspend_after=0.0)
    state = await RunState.from_string(made, STATE.read_text())
    for item in state.get_interruptions():
        state.approve(item)
    result = await Runner.run(made, state)
    return "has not answered yet" in outputs(result)[0]


if __name__ == "__main__":
    stage.main(
        play,
        {"begin": begin, "begin_many": begin_many, "resume": resume, "replay": resume, "elsewhere": approved_elsewhere},
    )
