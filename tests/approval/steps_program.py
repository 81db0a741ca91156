"""One process that is killed before its Nth step outside of Python: `STATE ACT`, for each N until the act is done.

A step is a call that changes a file: a statement of the database, a write, a sync, a rename. Prints one JSON line for
each N, after somebody else has opened the same state.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from assent.approval.store import Store
from assent.audit.reading import records
from assent.audit.verify import verify
from assent.desk import Desk
from assent.questions import Answer, ApprovalRequest, Choice
from assent.record import replace

STEPS = frozenset(
    "execute executemany write pwrite ftruncate truncate fsync fdatasync rename replace unlink mkdir".split()
)
RULES = ("Bash(make test)",)
REQUEST = ApprovalRequest(
    *("r1", "Bash", '{"command": "make test"}', "make test"),
    fingerprint="f",
    session="s",
    workspace="/p",
    choices=(Choice(RULES),),
    asked_at=time.time(),
)


def answer(desk: Desk) -> None:
    said = Answer(True, "ann", "web", time.time(), scope="project", rules=RULES, fingerprint="f")
    assert desk.answer("r1", said) == ""


def ask(desk: Desk) -> None:
    desk.store.add(replace(REQUEST, id="r2", fingerprint="g"), "")


def revoke(desk: Desk) -> None:
    for grant in desk.grants():
        desk.revoke(grant.id, by="ann", via="test")


def spend(desk: Desk) -> None:
    assert desk.store.spend("r1", "f", time.time(), {"request_id": "r1", "tool": "Bash"})


def end(desk: Desk) -> None:
    desk.store.end("r1", "cancelled", "gone", time.time())


ACTS: dict[str, tuple[list[Callable[[Desk], None]], Callable[[Desk], None]]] = {
    "ask": ([], ask),
    "answer": ([], answer),
    "end": ([], end),
    "revoke": ([answer], revoke),
    "spend": ([answer], spend),
}


class Killer:
    """Counts steps and ends the process before one of them."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, _frame: FrameType, event: str, function: Any) -> None:
        if event == "c_call" and function.__name__ in STEPS:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def run(state: str, act: Callable[[Desk], None], at: int) -> bool:
    """Do it in a process of its own that is killed before a step; says whether it came to its end."""
    process = os.fork()
    if process == 0:
        desk = Desk(state)
        sys.setprofile(Killer(at))
        act(desk)
        sys.setprofile(None)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def left(state: str) -> dict[str, object]:
    """What a hook would see right away, and what everybody sees after the next one has come."""
    file = Path(state, "grants.json")
    shown = [row["id"] for row in json.loads(file.read_text())["grants"]] if file.exists() else []
    Desk(state).close()
    store = Store(f"{state}/approvals.db")
    found = [ticket for ticket in (store.get("r1"), store.get("r2")) if ticket]
    grants = [json.loads(body)["id"] for body in store.grants()]
    waits = len(store.undelivered())
    store.close()
    told = [record.kind for record in records(f"{state}/audit") if record.kind != "recovered"]
    return {
        "states": [ticket.state for ticket in found],
        "spent": bool(found[0].spent_at),
        "shown": shown,
        "grants": grants,
        "undelivered": waits,
        "told": told,
        "problems": [problem.what for problem in verify(f"{state}/audit").problems],
    }


def main() -> None:
    state, (before, act) = sys.argv[1], ACTS[sys.argv[2]]
    desk = Desk(f"{state}/begun")
    desk.store.add(REQUEST, "")
    for one in before:
        one(desk)
    desk.close()
    done, at = False, 0
    while not done:
        at += 1
        here = f"{state}/{at}"
        shutil.copytree(f"{state}/begun", here)
        shown = Path(here, "grants.json")
        if shown.exists():
            shown.write_text(shown.read_text().replace(f"{state}/begun", here))
        done = run(here, act, at)
        sys.stdout.write(json.dumps({"done": done, **left(here)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
