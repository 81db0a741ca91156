"""OpenAI Agents SDK: protects the tools of an agent, of the agents it hands over to and of those it uses as tools.

    agent = protect(agent, guard)

Suspends with the SDK's interruptions: keep `result.to_state().to_string()`, and run the state that `wake` looked at.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="attr-defined"

from __future__ import annotations

import copy
import inspect
import json
import time
from collections.abc import Mapping
from typing import Any, TypeVar

from agents import (
    Agent,
    CodeInterpreterTool,
    FileSearchTool,
    FunctionTool,
    HostedMCPTool,
    ImageGenerationTool,
    ShellTool,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    WebSearchTool,
)
from assent.authorization import Authorization
from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard

HOSTED = (WebSearchTool, FileSearchTool, CodeInterpreterTool, ImageGenerationTool, HostedMCPTool)
"""Run by the provider of the model, where nothing here can stand before them."""
FRESH, FRESH_ALLOWED = 60.0, 5.0
"""Seconds that a person's answer, and an allow, are kept for the call they belong to."""
AnyAgent = TypeVar("AnyAgent", bound=Any)


def protect(
    agent: AnyAgent,
    guard: Guard,
    *,
    tools: Mapping[str, str] | None = None,
    cwd: str | None = None,
    suspend_after: float | None = None,
) -> AnyAgent:
    """Put the guard before every tool of an agent, and of every agent that can be reached from it.

    The agents get protected copies of their tools. Do it last: a tool that is added later is not protected, and a tool
    that cannot be protected (a computer, an editor for patches) is an error.
    """
    gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=suspend_after)
    served, names = _names(agent, set())
    if served:
        gate.see(names, whole=False)
    else:
        gate.check_names(names)
    _protect(agent, gate, (), set())
    return agent


async def wake(state: Any) -> Any:
    """Look for answers to what a suspended run waits for, and put them into its state; run the state afterwards.

    INVARIANT: an approval given to the state alone only wakes the run up; the tool still asks the inbox.
    """
    for item in state.get_interruptions():
        door = _door(item)
        if door is None:
            continue
        answer = await door.answer(json.loads(item.arguments or "{}"), item.call_id or "")
        if answer.state == "pending":
            continue
        if answer.allowed:
            state.approve(item)
        else:
            state.reject(item, rejection_message=answer.message)
    return state


async def questions(suspended: Any) -> list[dict[str, object]]:
    """What a suspended run waits for, made from its result or its state: `request_id`, `reason`, `arguments`, …

    The SDK's own interruptions carry the call alone. One that was answered meanwhile is left out.
    """
    items = suspended.get_interruptions() if hasattr(suspended, "get_interruptions") else suspended.interruptions
    found = [await door.question(item) for item in items if (door := _door(item)) is not None]
    return [one for one in found if one]


class Door:
    """Stands before one tool of one agent.

    A person's answer can be fetched only once, so one that came early is kept until the tool is called, but not long.
    So is an allow: the SDK asks twice about one call, and it is counted and written down once.
    """

    def __init__(self, gate: Gate, tool: str, chain: tuple[str, ...], *, holds: bool = False) -> None:
        self.gate, self.tool, self.chain, self.holds = gate, tool, chain, holds
        self._early: dict[tuple[str, str], tuple[Authorization, float]] = {}

    async def question(self, item: Any) -> dict[str, object]:
        """What an interruption asks, empty when somebody has answered it."""
        given, call_id = json.loads(item.arguments or "{}"), item.call_id or ""
        answer = await self.answer(given, call_id, look=True)
        wanted = Wanted(self.tool, given, call_id)
        return self.gate.question(wanted, answer) if answer.state == "pending" else {}

    async def answer(self, given: Any, call_id: str, *, look: bool = False) -> Authorization:
        """Ask before the tool is called."""
        key = (call_id, json.dumps(given, sort_keys=True))
        found = self._fetched(key) or await self._ask(given, call_id, look=look)
        if found.allowed or found.state == "refused":
            self._early[key] = (found, time.monotonic() + (FRESH_ALLOWED if found.state == "allowed" else FRESH))
        return found

    def _fetched(self, key: tuple[str, str]) -> Authorization | None:
        found, until = self._early.pop(key, (None, 0.0))
        return found if time.monotonic() < until else None

    async def needs_approval(self, _context: Any, given: Any, call_id: str) -> bool:
        """For the SDK: whether to suspend the run."""
        return self.gate.suspends(await self.answer(given, call_id))

    async def guardrail(self, data: Any) -> ToolGuardrailFunctionOutput:
        """For the SDK: the last look before the tool is called."""
        about = data.context
        if self.holds and self.gate.tools:
            self.gate.see(tool.name for tool in await data.agent.get_all_tools(about))
        try:
            given = json.loads(about.tool_arguments or "{}")
        except ValueError:
            return ToolGuardrailFunctionOutput.reject_content("The arguments are no JSON, so this was not done.")
        key = (about.tool_call_id, json.dumps(given, sort_keys=True))
        found = self._fetched(key) or await self._ask(given, about.tool_call_id, about.tool_name)
        if found.allowed:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(found.message)

    async def _ask(self, given: Any, call_id: str, tool: str = "", *, look: bool = False) -> Authorization:
        wanted = Wanted(self.tool or tool, given, call_id, self.chain[-1], above=self.chain[:-1])
        return await self.gate.permit(wanted, hold=self.holds, look=look)


def _names(agent: Any, seen: set[int]) -> tuple[bool, set[str]]:
    """The names of all tools that can be reached from an agent, and whether servers may offer more."""
    if id(agent) in seen:
        return False, set()
    seen.add(id(agent))
    inner = [one for tool in agent.tools if (one := getattr(tool, "_agent_instance", None)) is not None]
    found = [_names(one, seen) for one in (*inner, *map(_target, getattr(agent, "handoffs", ())))]
    own = {str(getattr(tool, "name", "")) for tool in agent.tools}
    served = bool(getattr(agent, "mcp_servers", ())) or any(more for more, _ in found)
    return served, own.union(*(names for _, names in found))


def _protect(agent: Any, gate: Gate, above: tuple[str, ...], seen: set[int]) -> None:
    if id(agent) in seen:
        return
    seen.add(id(agent))
    if hasattr(agent, "_sandbox_capability_tools"):
        raise UsageError(
            f"the sandbox agent `{agent.name}` gets tools that cannot be protected", help="use an Agent with tools"
        )
    chain = (*above, agent.name)
    agent.tools = [_protected(tool, gate, chain, seen) for tool in agent.tools]
    for server in getattr(agent, "mcp_servers", ()):
        door = Door(gate, "", chain, holds=True)
        rails = [rail for rail in server.tool_input_guardrails or () if _owner(rail) is None]
        server.tool_input_guardrails = [*rails, ToolInputGuardrail(door.guardrail, name="assent")]
    for handoff in getattr(agent, "handoffs", ()):
        _protect(_target(handoff), gate, above, seen)


def _protected(tool: Any, gate: Gate, chain: tuple[str, ...], seen: set[int]) -> Any:
    if isinstance(tool, HOSTED):
        return tool
    if isinstance(tool, ShellTool):
        return _protected_shell(tool, gate, chain)
    if not isinstance(tool, FunctionTool):
        kind = type(tool).__name__
        raise UsageError(f"`{kind}` cannot be protected", help="offer what it does as a function tool instead")
    inner = getattr(tool, "_agent_instance", None)
    if inner is not None:
        _protect(inner, gate, chain, seen)
    made, door = copy.copy(tool), Door(gate, tool.name, chain)
    rails = [rail for rail in tool.tool_input_guardrails or () if _owner(rail) is None]
    made.tool_input_guardrails = [*rails, ToolInputGuardrail(door.guardrail, name="assent")]
    if gate.suspend_after is not None:
        made.needs_approval = _either(tool.needs_approval, door)
    return made


def _either(own: Any, door: Door) -> Any:
    """The tool's own wish for an approval, or ours."""
    if isinstance(getattr(own, "__self__", None), Door):
        own = False

    async def needs_approval(context: Any, given: Any, call_id: str) -> bool:
        wish = own(context, given, call_id) if callable(own) else own
        wish = await wish if inspect.isawaitable(wish) else wish
        return bool(wish) | await door.needs_approval(context, given, call_id)

    return needs_approval if own is not False else door.needs_approval


def _protected_shell(tool: ShellTool, gate: Gate, chain: tuple[str, ...]) -> ShellTool:
    """The SDK has no guardrail for its shell tool: its executor asks. A shell in a hosted container has none."""
    run = tool.executor
    if run is None:
        return tool

    async def execute(request: Any) -> Any:
        commands = list(request.data.action.commands)
        given = {"command": commands[0]} if len(commands) == 1 else {"commands": commands}
        wanted = Wanted(tool.name, given, request.data.call_id, chain[-1], above=chain[:-1], kind="Bash")
        answer = await gate.permit(wanted, hold=True)
        if not answer.allowed:
            return answer.message
        done = run(request)
        return await done if inspect.isawaitable(done) else done

    made = copy.copy(tool)
    made.executor = execute
    return made


def _target(handoff: Any) -> Any:
    if isinstance(handoff, Agent):
        return handoff
    reference = getattr(handoff, "_agent_ref", None)
    found = reference() if reference is not None else None
    if found is None:
        name = getattr(handoff, "agent_name", handoff)
        raise UsageError(f"the agent behind the handoff to `{name}` cannot be found", help="hand over the agent itself")
    return found


def _door(item: Any) -> Door | None:
    """The door of the tool that an interruption is about."""
    for tool in getattr(item.agent, "tools", ()):
        if getattr(tool, "name", None) == item.tool_name:
            rails = getattr(tool, "tool_input_guardrails", None) or ()
            return next((owner for owner in map(_owner, rails) if owner is not None), None)
    return None


def _owner(rail: Any) -> Door | None:
    found = getattr(rail.guardrail_function, "__self__", None)
    return found if isinstance(found, Door) else None
