"""A Python function as the judge: `(command, cwd, descriptions)` in, a table like a model's answer out."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from assent.classifier.judgement import Judgement, Question, Reply, Trouble

WORDS = {"high": 1.0, "medium": 0.6, "low": 0.2}
"""Confidence as a word; only `high` is enough for anything."""
Given = Judgement | Mapping[str, object]
Function = Callable[[str, str, tuple[str, ...]], Given | Awaitable[Given]]


class FunctionProvider:
    """Calls a function of the program. A coroutine is cancelled when nobody needs its answer any more; a plain function
    runs in a thread of its own and is then simply not heard.
    """

    def __init__(self, function: Function, name: str = "") -> None:
        self.function = function
        self.name = name or f"function {getattr(function, '__name__', type(function).__name__)}"

    async def ask(self, question: Question) -> Reply:
        try:
            given = await self._called(question)
        except Exception as error:
            raise Trouble(f"the function failed: {type(error).__name__}") from error
        return Reply(_as_answer(given, question.descriptions))

    async def _called(self, question: Question) -> object:
        given: object = (question.command, question.cwd, question.descriptions)
        if inspect.iscoroutinefunction(self.function):
            return await self.function(*given)  # type: ignore[misc]
        loop = asyncio.get_running_loop()
        done: asyncio.Future[object] = loop.create_future()

        def run() -> None:
            try:
                made, error = self.function(question.command, question.cwd, question.descriptions), None
            except Exception as raised:
                made, error = {}, raised
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, done, made, error)

        threading.Thread(target=run, name="assent-judge", daemon=True).start()
        found = await done
        return await found if inspect.isawaitable(found) else found


def _settle(done: asyncio.Future[object], made: object, error: Exception | None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(made)


def _as_answer(given: object, descriptions: tuple[str, ...]) -> object:
    """The answer in the shape of a model's; a description may stand in the place of its number."""
    if isinstance(given, Judgement):
        given = {"matches": given.matches, "confidence": given.confidence, "description": given.description}
    if not isinstance(given, Mapping):
        return given
    table: dict[str, Any] = dict(given)
    sure = table.get("confidence")
    if isinstance(sure, str):
        table["confidence"] = WORDS.get(sure.lower(), sure)
    if "number" not in table and "matches" in table:
        named = table.pop("description", "")
        first = 1 if len(descriptions) == 1 and not named else 0
        table["number"] = (descriptions.index(named) + 1 if named in descriptions else first) if table["matches"] else 0
    return table
