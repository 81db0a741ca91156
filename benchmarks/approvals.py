"""Ten thousand requests of a thousand sessions, asked at once and answered concurrently, on one machine.

`python benchmarks/approvals.py [REQUESTS] [SESSIONS]`. Prints requests per second, and the time from an answer to the
caller going on, answered in the same process and in another one. To compare machines there is a ratio: one request is
three durable transactions (asked, shown, answered), so it is set against three `write` and `fsync` of its size.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from queue import Queue

from assent.approval.broker import Broker
from assent.approval.channel import Inbox
from assent.approval.store import Store
from assent.questions import Answer, ApprovalRequest, State, dump

REQUESTS, SESSIONS, PEOPLE = 10_000, 1_000, 4
SYNCS = 200


class People:
    """A channel whose people answer what they are shown, a few at a time; notes when each answer was given."""

    name = "people"

    def __init__(self) -> None:
        self.shown: Queue[tuple[ApprovalRequest, Inbox]] = Queue()
        self.answered: dict[str, float] = {}
        for _ in range(PEOPLE):
            threading.Thread(target=self._answer, daemon=True).start()

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        self.shown.put((request, inbox))

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        del request_id, state, said

    def _answer(self) -> None:
        while True:
            request, inbox = self.shown.get()
            answer = Answer(True, "ann", self.name, time.time(), fingerprint=request.fingerprint)
            inbox.answer(request.id, answer)
            self.answered[request.id] = time.perf_counter()


def request(number: int, sessions: int) -> ApprovalRequest:
    command = f"make deploy{number}"
    return ApprovalRequest(
        str(uuid.uuid4()),
        "Bash",
        f'{{"command": "{command}"}}',
        command,
        f"{number:064x}",
        "bot",
        f"session-{number % sessions}",
        asked_at=time.time(),
    )


async def load(store: Store, requests: int, sessions: int) -> tuple[float, list[float]]:
    """Seconds for everything, and for each request the seconds from its answer to its caller."""
    people = People()
    host = Broker([people], store=store)
    waits: list[float] = []

    async def caller(asked: ApprovalRequest) -> None:
        result = await host.ask(asked)
        went_on = time.perf_counter()
        if not result.approved:
            raise SystemExit(f"not approved: {result.reason}")
        waits.append(went_on - people.answered.get(asked.id, went_on))

    begun = time.perf_counter()
    await asyncio.gather(*(caller(request(number, sessions)) for number in range(requests)))
    took = time.perf_counter() - begun
    await asyncio.to_thread(host.close)
    return took, waits


def bare(folder: Path, size: int) -> float:
    """Seconds for one `write` and `fsync` of so many bytes."""
    times = []
    out = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for _ in range(SYNCS):
        begun = time.perf_counter()
        os.write(out, b"x" * size)
        os.fsync(out)
        times.append(time.perf_counter() - begun)
    os.close(out)
    return statistics.median(times)


def across(folder: Path, answers: int = 200) -> list[float]:
    """From an answer given through another connection, as the inbox does, to the caller going on."""
    here, there = Store(str(folder / "across.db")), Store(str(folder / "across.db"))
    host = Broker(store=here)
    waits = []

    async def one(asked: ApprovalRequest) -> float:
        task = asyncio.create_task(host.ask(asked))
        while (found := there.get(asked.id)) is None or not found.shown_at:
            await asyncio.sleep(0.002)
        there.answer(asked.id, Answer(True, "ann", "web", time.time(), fingerprint=asked.fingerprint), time.time())
        begun = time.perf_counter()
        await task
        return time.perf_counter() - begun

    for number in range(answers):
        waits.append(asyncio.run(one(request(number, 10))))
    host.close()
    here.close()
    there.close()
    return waits


def told(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"{name:<46} p50 {statistics.median(ordered) * 1e3:7.2f} ms   p99 {p99 * 1e3:7.2f} ms"


def main() -> None:
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    sessions = int(sys.argv[2]) if len(sys.argv) > 2 else SESSIONS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = len(dump(request(1, sessions)))
        sync = bare(folder, size)
        store = Store(str(folder / "approvals.db"))
        took, waits = asyncio.run(load(store, requests, sessions))
        store.close()
        sync = (sync + bare(folder, size)) / 2
        print(f"{requests:,} requests of {sessions:,} sessions in {took:.1f} s: {requests / took:,.0f} per second")
        print(
            f"one request is {took / requests / (3 * sync):.2f} times three bare write+fsync ({sync * 1e3:.2f} ms each)"
        )
        print(told("from answer to caller, same process", waits))
        print(told("from answer to caller, another process", across(folder)))


if __name__ == "__main__":
    main()
