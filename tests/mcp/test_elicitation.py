"""The dialog of an MCP client, from the side that opens it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping

import pytest

from approval.asking import request
from assent.mcp.elicitation import MOST_WITHDRAWN, Elicitation
from assent.questions import Answer, Ticket


class SilentClient:
    """Has a dialog, and a person who never looks at it."""

    async def ask_client(self, method: str, given: Mapping[str, object]) -> dict[str, object]:
        del method, given
        await asyncio.Event().wait()
        return {}

    def client_can(self, body: object) -> frozenset[str]:
        del body
        return frozenset({"form"})

    def client_name(self, body: object) -> str:
        del body
        return "test"


class Nobody:
    """Takes no answer."""

    def answer(self, request_id: str, answer: Answer) -> str:
        raise AssertionError((request_id, answer))

    def ticket(self, request_id: str) -> Ticket | None:
        raise AssertionError(request_id)

    def waiting(self, session: str) -> int:
        raise AssertionError(session)

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        raise AssertionError(session)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join()
    for task in asyncio.all_tasks(made):
        made.run_until_complete(asyncio.gather(task, return_exceptions=True))
    made.close()


def test_a_question_that_is_over_before_its_dialog_opens_does_not_wait(loop: asyncio.AbstractEventLoop) -> None:
    dialog = Elicitation(lambda: 0.0, "")
    dialog.attach(SilentClient(), loop)
    asked = request()
    dialog.withdraw(asked.id, "cancelled", "")
    dialog.offer(asked, Nobody())  # would wait for ever


def test_what_is_remembered_of_questions_that_never_had_a_dialog_is_bounded() -> None:
    dialog = Elicitation(lambda: 0.0, "")
    for number in range(MOST_WITHDRAWN + 1):
        dialog.withdraw(str(number), "cancelled", "")
    assert len(dialog._withdrawn) == 1
