"""Asking people from a hook: everything that a call which needs nobody should not have to load."""

from __future__ import annotations

import asyncio

from assent.desk import Desk
from assent.guard import Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.authorization import Authorization
    from assent.judging import Judge, Judged
    from assent.types import ToolCall


def ask_models(judge: Judge, call: ToolCall) -> Judged:
    """The judgement with what models say about its descriptions; no person is asked here."""
    desk = Desk(judge.state, world=judge.world)
    guard = Guard(
        workspace=call.workspace,
        agent=call.agent,
        session=call.session,
        channels=(),
        desk=desk,
        env=judge.env,
        sandbox=judge.sandbox,
    )
    try:
        return asyncio.run(guard.consult(call))
    finally:
        guard.close()
        desk.close()


def ask_people(judge: Judge, call: ToolCall, description: str, patience: float) -> Authorization:
    """Ask over the inbox and wait so long; the terminal belongs to the agent."""
    desk = Desk(judge.state, world=judge.world)
    guard = Guard(
        workspace=call.workspace, agent=call.agent, session=call.session, channels=(), desk=desk, env=judge.env
    )
    try:
        return guard.authorize_sync(call, description, leave_after=patience)
    finally:
        guard.close()
        desk.close()
