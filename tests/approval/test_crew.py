"""The threads of channels: as many as are at work at once, none left when it is over."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from assent.approval import crew as crews
from assent.approval.crew import Crew
from assent.errors import AssentError

SECONDS = 20.0


@pytest.fixture
def crew() -> Iterator[Crew]:
    made = Crew()
    yield made
    made.close()
    assert [thread.name for thread in threading.enumerate() if thread.name == "assent-crew"] == []


def run(crew: Crew) -> threading.Thread:
    """The thread that did a piece of work, once it is free again."""
    found: list[threading.Thread] = []
    idle = crew._idle
    crew.do(lambda: found.append(threading.current_thread()))
    while crew._idle < max(idle, 1):
        threading.Event().wait(0.001)
    return found[0]


def test_work_that_comes_one_after_another_is_done_by_one_thread(crew: Crew) -> None:
    assert len({run(crew) for _ in range(50)}) == 1


def test_whatever_hangs_holds_up_nothing_else(crew: Crew) -> None:
    """Thirty people think at once, and the thirty-first is shown their request all the same."""
    release, begun = threading.Event(), threading.Barrier(31)

    def think() -> None:
        begun.wait(SECONDS)
        release.wait(SECONDS)

    for _ in range(30):
        crew.do(think)
    begun.wait(SECONDS)
    assert len(crew._threads) == 30
    threads = set(crew._threads)
    assert run(crew) not in threads
    release.set()


def test_after_closing_nothing_begins(crew: Crew) -> None:
    crew.close()
    with pytest.raises(AssentError, match="this host is closed"):
        crew.do(lambda: None)
    assert crew._threads == set()


def test_closing_does_not_wait_for_ever_for_what_hangs(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    crew.do(lambda: release.wait(SECONDS))
    (hanging,) = crew._threads
    with monkeypatch.context() as patch:
        patch.setattr(crews, "CLOSE_SECONDS", 0.0)
        crew.close()
    assert hanging.is_alive()
    release.set()
    hanging.join(SECONDS)
    assert crew._threads == set()
