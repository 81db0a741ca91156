"""Any endpoint that speaks OpenAI's chat completions, over the official `openai` SDK: OpenAI itself, Ollama, vLLM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.classifier.connection import MAX_CHARACTERS, MAX_TOKENS, key_for, read_usage, sdk, translated
from assent.classifier.judgement import Question, Reply, Settings, Trouble
from assent.classifier.prompt import read_text

HOME = "https://api.openai.com/v1"
NO_KEY = "none"
"""What local servers are sent, which do not look at it."""


class OpenAIProvider:
    """A model behind chat completions with a JSON schema; a connection lives as long as one question."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self.name = f"openai {settings.model}"
        self._settings = settings
        self._url = settings.base_url or HOME
        self._key = key_for(self._url, env.get("OPENAI_API_KEY", ""))

    async def ask(self, question: Question) -> Reply:
        """INVARIANT: only a text that the model finished by itself is an answer."""
        openai = await sdk("openai")
        if not self._key and self._url == HOME:
            raise Trouble("OPENAI_API_KEY is not set")
        options: dict[str, Any] = {"base_url": self._url, "timeout": self._settings.timeout, "max_retries": 0}
        with translated():
            async with openai.AsyncOpenAI(api_key=self._key or NO_KEY, **options) as client:
                stream = await client.chat.completions.create(**self._request(question))
                async with stream:
                    return await _collected(stream)

    def _request(self, question: Question) -> dict[str, Any]:
        shape = {"name": "judgement", "strict": True, "schema": dict(question.schema)}
        return {
            "model": self._settings.model,
            "messages": [{"role": "system", "content": question.system}, {"role": "user", "content": question.text}],
            "response_format": {"type": "json_schema", "json_schema": shape},
            "max_completion_tokens": MAX_TOKENS,
            "stream": True,
            "stream_options": {"include_usage": True},
        }


async def _collected(stream: Any) -> Reply:
    text, finished, used = "", "", (0, 0)
    async for chunk in stream:
        if chunk.usage is not None:
            used = read_usage(chunk.usage, "prompt_tokens", "completion_tokens")
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finished = choice.finish_reason or finished
        if len(text) > MAX_CHARACTERS:
            raise Trouble("the model's answer is too long")
    if finished != "stop":
        raise Trouble("the model did not finish its answer")
    return Reply(read_text(text), *used)
