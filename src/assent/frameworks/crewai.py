"""CrewAI: hooks that decide about every tool call of every crew in this program.

    protect(guard)
    crew.kickoff()

CrewAI has no suspended runs, and its hooks cannot be awaited: the thread of the tool call waits for the person.
INVARIANT: CrewAI lets a call pass whose hook fails, so nothing leaves the hook but a decision.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from typing import Any

from crewai.hooks import tool_hooks

from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard

MOST_REFUSALS = 1_000


class Protection:
    """The hooks of one guard. The message of a refusal travels from the first hook to the second."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self._lock = threading.Lock()
        self._refused: dict[int, tuple[object, str]] = {}

    def before(self, context: Any) -> bool:
        """False blocks the call."""
        message = "The permission check failed, so this was not done."
        try:
            agent = str(getattr(context.agent, "role", "") or "")
            self.gate.see(_names(context))
            answer = self.gate.permit_sync(Wanted(context.tool_name, context.tool_input, agent=agent.strip()))
            if answer.allowed:
                return True
            message = answer.message
        except UsageError as error:
            message = f"This was not done: {error}"
            warnings.warn(str(error), stacklevel=2)
        except Exception as error:
            message = f"{message[:-1]}: {type(error).__name__}: {error}"
        with self._lock:
            if len(self._refused) >= MOST_REFUSALS:
                self._refused.clear()
            self._refused[id(context.tool_input)] = (context.tool_input, message)
        return False

    def after(self, context: Any) -> str | None:
        """What the model is told instead of CrewAI's own words."""
        with self._lock:
            found = self._refused.pop(id(context.tool_input), None)
        return found[1] if found else None

    def remove(self) -> None:
        """Take the hooks away again."""
        tool_hooks.unregister_before_tool_call_hook(self.before)
        tool_hooks.unregister_after_tool_call_hook(self.after)


def _names(context: Any) -> list[str]:
    """The tools of the agent as CrewAI calls them: `Run Shell` is `run_shell`."""
    tools = getattr(context.agent, "tools", None) or ()
    return [context.tool_name, *(str(getattr(tool, "name", "")).replace(" ", "_").lower() for tool in tools)]


def protect(
    guard: Guard,
    *,
    tools: Mapping[str, str] | None = None,
    cwd: str | None = None,
    leave_after: float | None = None,
) -> Protection:
    """Ask the guard before every tool call from now on. Call it after every other hook of your program.

    With `leave_after` the wait ends after so many seconds; the model is told, and the same call finds the answer.
    """
    made = Protection(Gate(guard, tools=tools, cwd=cwd, suspend_after=leave_after))
    tool_hooks.register_before_tool_call_hook(made.before)
    tool_hooks.register_after_tool_call_hook(made.after)
    return made
