"""One model asked one question at a time, within its budget and its time; any other end is "could not judge"."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping

from assent import wire
from assent.classifier.judgement import Judgement, Provider, Reply, Settings, Trouble
from assent.classifier.memory import Memory
from assent.classifier.prompt import VERSION, question, read_answer, too_long
from assent.digest import sha256
from assent.errors import AssentError
from assent.masking import masked

MILLION = 1_000_000


class Classifier:
    """Judges calls against descriptions. Keeps no conversation: every question stands alone."""

    def __init__(
        self,
        provider: Provider,
        settings: Settings,
        memory: Memory | None = None,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.provider, self.settings = provider, settings
        self.memory = memory or Memory()
        self._timer = timer

    async def classify(
        self, command: str, cwd: str, descriptions: tuple[str, ...], *, session: str = "", whole: bool = False
    ) -> Judgement:
        """Whether one of the descriptions fits. `whole` refuses what the model would not see all of, as an allow must.

        Never raises but for the end of its task: with `trouble` nothing was judged.
        """
        begun = self._timer()
        try:
            found = await self._judged(command.strip(), cwd, descriptions, session, whole=whole)
        except Trouble as trouble:
            found = Judgement(False, trouble=str(trouble))
        except TimeoutError:
            found = Judgement(False, trouble=f"no answer within {self.settings.timeout:g} s")
        except AssentError as error:
            found = Judgement(False, trouble=error.message)
        except Exception as error:
            found = Judgement(False, trouble=f"the classifier failed: {type(error).__name__}")
        took = round((self._timer() - begun) * 1000, 3)
        return Judgement(
            *(found.matches, found.confidence, found.description, self.provider.name, took),
            *(found.cost, found.trouble, found.cached),
        )

    def counts(self, judgement: Judgement) -> bool:
        """Only a match with high confidence counts."""
        return judgement.matches and not judgement.trouble and judgement.confidence >= self.settings.confidence

    async def _judged(
        self, command: str, cwd: str, descriptions: tuple[str, ...], session: str, *, whole: bool
    ) -> Judgement:
        shown, place = masked(command), masked(cwd)
        why = too_long(command, descriptions)
        if not why and whole and (shown, place) != (command, cwd):
            why = "it may hold a secret, which no model is shown"
        if why:
            raise Trouble(why)
        key = self._key(command, cwd, descriptions, whole=whole)
        kept = await asyncio.to_thread(self.memory.recall, key, self.settings)
        if kept is not None:
            return kept
        await asyncio.to_thread(self.memory.begin, self.provider.name, session, self.settings)
        reply, (which, sure) = await self._asked(shown, place, descriptions, whole=whole)
        cost = (reply.input_tokens * self.settings.input + reply.output_tokens * self.settings.output) / MILLION
        await asyncio.to_thread(self.memory.succeeded, self.provider.name, session, cost)
        made = Judgement(which > 0, sure, descriptions[which - 1] if which else "", self.provider.name, cost=cost)
        await asyncio.to_thread(self.memory.keep, key, made, self.settings)
        return made

    async def _asked(
        self, command: str, cwd: str, descriptions: tuple[str, ...], *, whole: bool
    ) -> tuple[Reply, tuple[int, float]]:
        """INVARIANT: a question that nobody waits for any more is no failure of the model; any other end is one."""
        try:
            async with asyncio.timeout(self.settings.timeout):
                reply = await self.provider.ask(question(command, cwd, descriptions, every=whole))
            return reply, read_answer(reply.answer, len(descriptions))
        except Exception as error:
            pause = error.retry_after if isinstance(error, Trouble) else 0.0
            await asyncio.to_thread(self.memory.failed, self.provider.name, pause)
            raise

    def _key(self, command: str, cwd: str, descriptions: tuple[str, ...], *, whole: bool) -> str:
        parts = [VERSION, whole, command, cwd, list(descriptions), self.provider.name, self.settings.base_url]
        return sha256(wire.dumps(parts).encode("utf-8", "surrogatepass"))


def provider_of(settings: Settings, env: Mapping[str, str]) -> Provider | None:
    """The provider that settings name, None for none."""
    if settings.provider == "anthropic":
        from assent.classifier.anthropic_messages import AnthropicProvider

        return AnthropicProvider(settings, env)
    if settings.provider == "openai":
        from assent.classifier.openai_chat import OpenAIProvider

        return OpenAIProvider(settings, env)
    return None
