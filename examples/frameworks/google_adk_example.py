"""Google ADK with Assent in front of the tools. Needs `pip install 'assent[google-adk]'`; the model is a script."""

# Its framework lives in an environment of its own, where mypy does not look.
# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from shop import CALLS, delete_user, read_order, shop_guard, show

from assent.frameworks.google_adk import AssentPlugin


class Scripted(BaseLlm):
    async def generate_content_async(self, llm_request: Any, **_stream: bool) -> AsyncIterator[LlmResponse]:
        answers = [part.function_response for content in llm_request.contents for part in content.parts]
        done = sum(answer is not None for answer in answers)
        part = types.Part(text="bye")
        if done < len(CALLS):
            part = types.Part(function_call=types.FunctionCall(name=CALLS[done][0], args=CALLS[done][1]))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def main() -> None:
    with shop_guard() as guard:
        agent = LlmAgent(name="clerk", model=Scripted(model="scripted"), tools=[read_order, delete_user])
        app = App(name="shop", root_agent=agent, plugins=[AssentPlugin(guard)])
        runner = InMemoryRunner(app=app)
        session = await runner.session_service.create_session(app_name="shop", user_id="you")
        message = types.Content(role="user", parts=[types.Part(text="clean up")])
        events = runner.run_async(user_id="you", session_id=session.id, new_message=message)
        answers = [answer.response async for event in events for answer in event.get_function_responses()]
        show([answer.get("error") or answer["result"] for answer in answers])


asyncio.run(main())
