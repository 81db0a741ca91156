"""Google ADK: a run that waits for a person, ends, and goes on in another process. The model is a script.

python google_adk_resume.py begin       # asks, says who waits for what, and ends
python answer_waiting.py yes       # or answer in the browser: assent serve
python google_adk_resume.py resume      # goes on where it stopped
"""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types
from shop import CALLS, delete_user, patient_guard, read_order, show

from assent.frameworks.google_adk import AssentPlugin, waiting, wake

WHO = {"app_name": "shop", "user_id": "ada", "session_id": "order-7"}


class Scripted(BaseLlm):
    async def generate_content_async(self, llm_request: Any, *_given: Any, **_more: Any) -> AsyncIterator[LlmResponse]:
        parts = [part for content in llm_request.contents for part in content.parts]
        done = sum(part.function_response is not None for part in parts)
        name, args = CALLS[done] if done < len(CALLS) else ("", {})
        call = types.Part(function_call=types.FunctionCall(name=name, args=args, id=name))
        yield LlmResponse(content=types.Content(role="model", parts=[call if name else types.Part(text="bye")]))


async def main(guard: Any, step: str) -> None:
    agent = LlmAgent(name="clerk", model=Scripted(model="scripted"), tools=[read_order, delete_user])
    app = App(name="shop", root_agent=agent, plugins=[AssentPlugin(guard, suspend_after=0.0)])
    sessions = SqliteSessionService("sessions.db")
    if step == "begin":
        await sessions.create_session(**WHO)
        message: Any = types.Content(role="user", parts=[types.Part(text="clean up")])
    else:
        message = await wake((await sessions.get_session(**WHO)).events, guard)
    runner = Runner(app=app, session_service=sessions)
    if message is not None:
        async for _ in runner.run_async(user_id="ada", session_id="order-7", new_message=message):
            pass
    events = (await sessions.get_session(**WHO)).events
    for call in waiting(events):
        asked = call.args["toolConfirmation"]["payload"]
        print(f"waits: {asked['tool']} {asked['arguments']}, because {asked['reason']}")
    if not waiting(events):
        answers = [answer for event in events for answer in event.get_function_responses()]
        told = {answer.name: answer.response.get("result", "") for answer in answers}
        show([told[name] for name, _ in CALLS])


with patient_guard() as guard:
    asyncio.run(main(guard, sys.argv[1]))
