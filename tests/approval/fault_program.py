"""Agents that ask and people who answer, grant and revoke, as processes that are killed at random moments.

Takes `STATE PROJECT KILLS SEED` and prints what is left as JSON. Every process is a fork of this one, so that it is at
work a moment after it was started.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from contextlib import suppress

from assent.desk import Desk
from assent.errors import InputError
from assent.guard import Guard
from assent.questions import Answer
from assent.record import replace

ACTIONS = 12
LIFETIME = 0.4


def ask(state: str, project: str, seed: int) -> None:
    """Try actions again and again; what was approved leaves a line with the request that allowed it."""
    chance = random.Random(seed)
    desk = Desk(state)
    guard = Guard(workspace=project, session=f"s{seed % 3}", agent="bot", channels=(), desk=desk)
    effects = os.open(f"{state}/effects", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    while True:
        call = guard.call("Bash", {"command": f"make job{chance.randrange(ACTIONS)}"}, cwd=project)
        answer = guard.authorize_sync(call, leave_after=chance.choice((0.0, 0.01, 0.03)))
        if answer.allowed and answer.request_id:
            os.write(effects, f"{answer.request_id}\n".encode())


def answer(state: str, seed: int) -> None:
    """Answer whatever waits, at the same time as others do; what counted leaves a line."""
    chance = random.Random(seed)
    desk = Desk(state)
    counted = os.open(f"{state}/counted", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    while True:
        for ticket in desk.store.pending(time.time()):
            said = Answer(
                chance.random() < 0.8, f"p{seed}", "test", time.time(), fingerprint=ticket.request.fingerprint
            )
            if said.approved and ticket.request.choices and chance.random() < 0.5:
                said = replace(said, scope="project", rules=ticket.request.choices[0].rules)
            if desk.answer(ticket.id, said) == "":
                os.write(counted, f"{ticket.id}\n".encode())
        for grant in desk.grants():
            if chance.random() < 0.3:
                with suppress(InputError):  # another was faster
                    desk.revoke(grant.id, by=f"p{seed}", via="test")
        time.sleep(0.002)


def spawn(state: str, project: str, seed: int) -> int:
    process = os.fork()
    if process == 0:
        try:
            answer(state, seed) if seed % 5 < 2 else ask(state, project, seed)
        finally:
            os._exit(3)
    return process


def main() -> None:
    state, project, kills, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    alive = {spawn(state, project, number): number for number in range(5)}
    died = 0
    for number in range(5, 5 + kills):
        time.sleep(chance.random() * LIFETIME / 2)
        victim = chance.choice(list(alive))
        kind = alive.pop(victim) % 5
        os.kill(victim, signal.SIGKILL)
        died += os.waitstatus_to_exitcode(os.waitpid(victim, 0)[1]) != -signal.SIGKILL
        alive[spawn(state, project, number - number % 5 + kind)] = kind
    time.sleep(LIFETIME)
    for victim in alive:
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
    sys.stdout.write(json.dumps({"died by themselves": died}) + "\n")


if __name__ == "__main__":
    main()
