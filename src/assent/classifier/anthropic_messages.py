"""Claude models over the official `anthropic` SDK: one message, one tool that must be used, streamed and cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.classifier.connection import MAX_TOKENS, key_for, read_usage, sdk, translated
from assent.classifier.judgement import Question, Reply, Settings, Trouble

TOOL = "judge"
HOME = "https://api.anthropic.com"


class AnthropicProvider:
    """A model behind the Messages API; a connection lives as long as one question."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self.name = f"anthropic {settings.model}"
        self._settings = settings
        self._url = settings.base_url or HOME
        self._key = key_for(self._url, env.get("ANTHROPIC_API_KEY", ""))

    async def ask(self, question: Question) -> Reply:
        """INVARIANT: only a finished use of the one tool is an answer."""
        anthropic = await sdk("anthropic")
        if not self._key:
            raise Trouble("ANTHROPIC_API_KEY is not set, or would travel in plain text")
        options: dict[str, Any] = {"base_url": self._url, "timeout": self._settings.timeout, "max_retries": 0}
        with translated():
            async with (
                anthropic.AsyncAnthropic(api_key=self._key, **options) as client,
                client.messages.stream(**self._request(question)) as stream,
            ):
                message = await stream.get_final_message()
        uses = [block for block in message.content if block.type == "tool_use"]
        if message.stop_reason != "tool_use" or len(uses) != 1 or uses[0].name != TOOL:
            raise Trouble("the model did not give an answer")
        return Reply(uses[0].input, *read_usage(message.usage, "input_tokens", "output_tokens"))

    def _request(self, question: Question) -> dict[str, Any]:
        tool = {"name": TOOL, "description": "Say what you judged.", "input_schema": dict(question.schema)}
        return {
            "model": self._settings.model,
            "max_tokens": MAX_TOKENS,
            "system": question.system,
            "messages": [{"role": "user", "content": question.text}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True},
        }
