"""Asking people from a hook: everything that a call which needs nobody should not have to load."""

from __future__ import annotations

import asyncio

from assent.authorization import failed
from assent.desk import Desk
from assent.guard import Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Coroutine

    from assent.approval.asker import Host
    from assent.authorization import Authorization
    from assent.judging import Judge, Judged
    from assent.types import ToolCall

LOOK_SECONDS = 0.5
"""How often a waiting hook looks whether the agent is still there."""


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


def ask_people(judge: Judge, call: ToolCall, description: str, patience: float, host: Host) -> Authorization:
    """Ask over the inbox and wait so long; the terminal belongs to the agent.

    INVARIANT: the question ends with the agent that has it; nobody is asked for an answer that nobody hears.
    """
    desk = Desk(judge.state, world=judge.world)
    guard = Guard(
        workspace=call.workspace, agent=call.agent, session=call.session, channels=(), desk=desk, env=judge.env
    )
    try:
        return asyncio.run(_while_heard(guard.authorize(call, description, leave_after=patience), host))
    finally:
        guard.close()
        desk.close()


async def _while_heard(asking: Coroutine[None, None, Authorization], host: Host) -> Authorization:
    """The answer; a refusal as soon as the host is gone, which takes the question back."""
    task = asyncio.create_task(asking)
    while not task.done():
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
        if not task.done() and host.is_gone:
            task.cancel()
            await asyncio.wait({task})
            return failed("the agent stopped waiting for the answer")
    return task.result()
