"""A model inside the test: it answers when it is told to, and keeps what it was asked and how each question ended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from assent.classifier.judgement import Question, Reply, Trouble

YES: dict[str, object] = {"matches": True, "number": 1, "confidence": 1.0}
NO: dict[str, object] = {"matches": False, "number": 0, "confidence": 1.0}
Says = Callable[[Question], object]


class JudgingModel:
    """Answers with what `says` gives, at once or, while it is `held`, after `go`. An exception is raised."""

    name = "model m-1"

    def __init__(self, says: Says = lambda question: YES, *, held: bool = False) -> None:
        self.says = says
        self.asked: list[Question] = []
        self.ended: list[str] = []
        self.begun = threading.Event()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._held = held

    async def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        try:
            if self._held:
                event = asyncio.Event()
                self._waiting.append((asyncio.get_running_loop(), event))
                self.begun.set()
                await event.wait()
            said = self.says(question)
        except asyncio.CancelledError:
            self.ended.append("called off")
            raise
        self.ended.append("answered")
        if isinstance(said, Exception):
            raise said
        return Reply(said)

    def go(self) -> None:
        """Answer what was asked, and from now on at once; from any thread."""
        self._held = False
        for loop, event in self._waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


def by_description(**answers: object) -> Says:
    """A model that says something about the questions whose descriptions hold a word, and no to all others."""

    def says(question: Question) -> object:
        texts = " ".join(question.descriptions)
        return next((said for word, said in answers.items() if word in texts), NO)

    return says


def broken(question: Question) -> object:
    return Trouble("the model could not be asked: RateLimitError 429")
