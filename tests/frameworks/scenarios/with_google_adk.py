"""Google ADK, with a scripted model; the run between two processes is a session in a database."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc,attr-defined,no-any-return,untyped-decorator"

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import stage
from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner, Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

from assent.frameworks.google_adk import AssentPlugin, waiting, wake
from assent.guard import Guard


class Scripted(BaseLlm):
    uses: list[Any] = []

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        answers = [part.function_response for content in llm_request.contents for part in content.parts]
        done = sum(answer is not None for answer in answers)
        turn = self.uses if tuple(self.uses) == stage.MANY else self.uses[done : done + 1]
        calls = [types.FunctionCall(name=use.tool, args=use.given, id=use.id) for use in turn]
        parts = (
            [types.Part(function_call=call) for call in calls] if done < len(self.uses) else [types.Part(text="bye")]
        )
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def clerk(uses: Sequence[stage.Use], name: str = "clerk", **options: Any) -> LlmAgent:
    return LlmAgent(
        name=name, model=Scripted(model="scripted", uses=list(uses)), tools=list(stage.FUNCTIONS), **options
    )


def app(guard: Guard, root: LlmAgent, **options: Any) -> App:
    return App(name="shop", root_agent=root, plugins=[AssentPlugin(guard, tools=stage.TOOLS, **options)])


def told(events: Any) -> list[str]:
    answers = [answer.response for event in events for answer in event.get_function_responses()]
    return [answer.get("error") or answer.get("result") or json.dumps(answer) for answer in answers]


async def send(runner: Any, session: str, message: Any) -> list[Any]:
    return [event async for event in runner.run_async(user_id="u", session_id=session, new_message=message)]


GO = types.Content(role="user", parts=[types.Part(text="go")])


async def run(guard: Guard, uses: Sequence[stage.Use], root: LlmAgent | None = None) -> list[str]:
    runner = InMemoryRunner(app=app(guard, root or clerk(uses)))
    session = await runner.session_service.create_session(app_name="shop", user_id="u")
    return told(await send(runner, session.id, GO))


async def run_subagent(guard: Guard) -> None:
    reviewer = clerk([stage.DELETE], "reviewer")
    lead = LlmAgent(
        name="lead",
        model=Scripted(model="scripted", uses=[stage.Use("transfer_to_agent", {"agent_name": "reviewer"})]),
        sub_agents=[reviewer],
    )
    await run(guard, [], lead)


async def play() -> None:
    await stage.play(run)
    await stage.chain(run_subagent)


async def step(guard: Guard, uses: Sequence[stage.Use] = (stage.DELETE,), *, first: bool) -> bool:
    sessions = SqliteSessionService(str(stage.FOLDER / "sessions.db"))
    runner = Runner(app=app(guard, clerk(uses), suspend_after=0.0), session_service=sessions)
    if first:
        await sessions.create_session(app_name="shop", user_id="u", session_id="s1")
    message = GO if first else await wake(await kept(sessions), guard)
    if message is not None:
        await send(runner, "s1", message)
    return bool(waiting(await kept(sessions)))


async def kept(sessions: SqliteSessionService) -> list[Any]:
    session = await sessions.get_session(app_name="shop", user_id="u", session_id="s1")
    return session.events if session else []


async def begin(guard: Guard) -> bool:
    return await step(guard, first=True)


async def begin_many(guard: Guard) -> bool:
    return await step(guard, stage.MANY, first=True)


async def resume(guard: Guard) -> bool:
    return await step(guard, first=False)


if __name__ == "__main__":
    stage.main(play, {"begin": begin, "begin_many": begin_many, "resume": resume, "replay": resume})
