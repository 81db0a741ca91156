"""Strands Agents: an intervention handler that decides about every tool call of an agent.

    agent = Agent(model=model, tools=tools, interventions=[AssentIntervention(guard)])

Suspends with Strands' interrupts; a session manager keeps the run until it is called with what `wake` makes.
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import count
from typing import Any

from strands.interventions import Deny, InterventionHandler, Proceed

from assent.errors import UsageError
from assent.frameworks.gate import Gate, Wanted
from assent.guard import Guard


class AssentIntervention(InterventionHandler):
    """Put it last: a handler after it could change an approved call.

    INVARIANT: an answer to the interrupt only wakes the agent up; whether the tool runs is what the inbox says.
    """

    name = "assent"
    on_error = "deny"

    def __init__(
        self,
        guard: Guard,
        *,
        tools: Mapping[str, str] | None = None,
        cwd: str | None = None,
        suspend_after: float | None = None,
    ) -> None:
        self.gate = Gate(guard, tools=tools, cwd=cwd, suspend_after=suspend_after)

    def _fail_early(self, agent: Any) -> None:
        """Strands turns an error into a refusal, so it also goes where programs hear of it."""
        try:
            self.gate.see(agent.tool_names)
        except UsageError as error:
            warnings.warn(str(error), stacklevel=2)
            raise

    async def before_tool_call(self, event: Any, **_more: Any) -> Proceed | Deny:
        use, agent = event.tool_use, event.agent
        manager = getattr(agent, "_session_manager", None)
        session = getattr(manager, "session_id", "") or ""
        wanted = Wanted(use["name"], use["input"], use["toolUseId"], getattr(agent, "name", "") or "", session)
        self._fail_early(agent)
        answer = await self.gate.permit(wanted)
        for turn in count():
            if not self.gate.suspends(answer):
                break
            event.interrupt(f"assent {turn}", reason=self.gate.question(wanted, answer))
            answer = await self.gate.permit(wanted)
        return Proceed() if answer.allowed else Deny(reason=answer.message)


def wake(suspended: Any) -> list[dict[str, Any]]:
    """What continues a suspended agent, made from its result, or from the agent that a session manager restored.

    Empty when nothing waits: `agent(wake(result))`.
    """
    state = getattr(suspended, "_interrupt_state", None)
    waiting = state.interrupts.values() if state is not None else suspended.interrupts or ()
    return [
        {"interruptResponse": {"interruptId": one.id, "response": "look"}} for one in waiting if one.response is None
    ]
