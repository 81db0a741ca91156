"""The scenes that every framework plays, told as lines of JSON; a scenario brings the framework's agent to them.

Runs in the framework's own environment: it needs that framework and Assent, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assent.desk import Desk
from assent.guard import Guard
from assent.policy.settings import PermissionSettings
from assent.questions import Answer, ApprovalRequest, State

FOLDER = Path(os.environ["ASSENT_STAGE"])
SETTINGS = PermissionSettings(
    allow=["Tool(read_note)", "Tool(transfer_to_agent)", "Agent(reviewer)", "Mcp(shop.read_note)"],
    deny=["Tool(drop_table)", "Mcp(shop.drop_table)"],
)
TOOLS = {"run_shell": "Bash"}


class Use(NamedTuple):
    """One tool call of the scripted model."""

    tool: str
    given: dict[str, Any]
    id: str = "c1"


READ, DELETE = Use("read_note", {"name": "a"}), Use("delete_user", {"user_id": 7})
DROP = Use("drop_table", {"name": "users"})
LIST, STEAL = Use("run_shell", {"command": "ls"}), Use("run_shell", {"command": "cat ~/.ssh/id_rsa"})
MANY = (READ, DELETE._replace(id="c2"), Use("delete_user", {"user_id": 8}, "c3"))
"""Calls of one turn: one is allowed, two are asked about."""
Run = Callable[..., Awaitable[Sequence[str]]]
Step = Callable[[Guard], Awaitable[bool]]


# --- the tools -----------------------------------------------------------------------------------------------------


def ran() -> list[str]:
    """What really ran, in every process of this scenario."""
    file = FOLDER / "ran.txt"
    return file.read_text().splitlines() if file.exists() else []


def _note(what: str) -> str:
    with (FOLDER / "ran.txt").open("a") as file:
        file.write(what + "\n")
    return "done"


def read_note(name: str) -> str:
    """Read a note."""
    return _note(f"read_note {name}")


def delete_user(user_id: int) -> str:
    """Delete a user."""
    return _note(f"delete_user {user_id}")


def drop_table(name: str) -> str:
    """Drop a table."""
    return _note(f"drop_table {name}")


def run_shell(command: str) -> str:
    """Run a command."""
    return _note(f"run_shell {command}")


FUNCTIONS = (read_note, delete_user, drop_table, run_shell)


# --- the person ----------------------------------------------------------------------------------------------------


class Person:
    """Answers what is asked, in order. With a loop, only while that loop runs: a blocked one is never answered."""

    name = "person"

    def __init__(self, answers: Sequence[bool], loop: asyncio.AbstractEventLoop | None) -> None:
        self.answers, self.loop = list(answers), loop
        self.asked: list[ApprovalRequest] = []

    def offer(self, request: ApprovalRequest, inbox: Any) -> None:
        self.asked.append(request)
        if self.loop is not None:
            asyncio.run_coroutine_threadsafe(self._moment(), self.loop).result()
        said = Answer(self.answers.pop(0), "ada", "test", request.asked_at, fingerprint=request.fingerprint)
        inbox.answer(request.id, said)

    async def _moment(self) -> None:
        await asyncio.sleep(0)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        """There is no screen."""


@contextmanager
def guarded(name: str, answers: Sequence[bool] = (), *, loop: asyncio.AbstractEventLoop | None = None) -> Any:
    """A guard with a state folder of its own, and its person."""
    desk = Desk(str(FOLDER / name))
    person = Person(answers, loop)
    guard = Guard(
        workspace=str(FOLDER), settings=SETTINGS, agent="shop", session=name, channels=[person], desk=desk, timeout=60
    )
    try:
        yield guard, person
    finally:
        guard.close()
        desk.close()


# --- the scenes ----------------------------------------------------------------------------------------------------


async def play(run: Run, *, blocking: bool = False) -> None:
    """Every scene that needs only one process."""
    loop = None if blocking else asyncio.get_running_loop()
    await scene(run, "allow", [READ], loop=loop)
    await scene(run, "deny", [DROP], loop=loop)
    await scene(run, "approve", [DELETE], [True], loop=loop)
    await scene(run, "reject", [DELETE], [False], loop=loop)
    await scene(run, "fail", [READ], breaks=True, loop=loop)
    await scene(run, "shell", [LIST], loop=loop)
    await scene(run, "steal", [STEAL], loop=loop)
    await scene(run, "replay", [DELETE], [True, False], times=2, loop=loop)


async def scene(
    run: Run,
    name: str,
    uses: Sequence[Use],
    answers: Sequence[bool] = (),
    *,
    times: int = 1,
    breaks: bool = False,
    loop: asyncio.AbstractEventLoop | None = None,
) -> None:
    before = len(ran())
    with guarded(name, answers, loop=loop) as (guard, person):
        if breaks:
            guard.judge.judge = _broken
        told = [text for _ in range(times) for text in await run(guard, uses)]
        show(scene=name, ran=ran()[before:], told=told, asked=len(person.asked))


def _broken(*_given: object) -> None:
    raise RuntimeError("out of order")


async def chain(run: Run) -> None:
    """Who asked, as the person saw it."""
    before = len(ran())
    with guarded("chain", [True], loop=asyncio.get_running_loop()) as (guard, person):
        await run(guard)
        show(scene="chain", ran=ran()[before:], chain=[list(one.chain) for one in person.asked])


async def suspended(step: Step) -> None:
    """One process in the life of a suspended run: begin it or go on with it, and tell where it stands."""
    desk = Desk(str(FOLDER / "suspended"))
    guard = Guard(workspace=str(FOLDER), settings=SETTINGS, agent="shop", session="suspended", channels=(), desk=desk)
    try:
        waits = await step(guard)
        pending = [ticket.id for ticket in desk.store.pending(desk.clock())]
        show(waits=waits, pending=pending, ran=ran())
    finally:
        guard.close()
        desk.close()


def show(**line: object) -> None:
    print(json.dumps(line), flush=True)


def main(play_all: Callable[[], Awaitable[None]], steps: Mapping[str, Step]) -> None:
    """`SCENARIO play`, or one step of a suspended run by its name."""
    wanted = sys.argv[1]
    asyncio.run(play_all() if wanted == "play" else suspended(steps[wanted]))  # type: ignore[arg-type]
