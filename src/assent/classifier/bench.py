"""The bench of one program: makes the panel that a policy asks for, keeps its memory, and puts calls into words."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from assent import wire
from assent.classifier.classifier import Classifier, provider_of
from assent.classifier.function import Function, FunctionProvider
from assent.classifier.judgement import Provider, read_settings
from assent.classifier.memory import Memory
from assent.classifier.panel import Panel, Subject
from assent.types import ToolCall

Judging = Provider | Function
SAID_BY_THE_AGENT = frozenset({"command", "description", "timeout"})
"""Fields of a shell call besides which its command says everything."""


class Bench:
    """`instead` is a provider or a function that judges in the place of the model a policy names."""

    def __init__(
        self,
        env: Mapping[str, str],
        file: str = ":memory:",
        clock: Callable[[], float] = time.time,
        instead: Judging | None = None,
    ) -> None:
        self._env, self._instead = env, _as_provider(instead)
        self.memory = Memory(file, clock)
        self._made: tuple[Mapping[str, Any], Panel] | None = None

    def close(self) -> None:
        self.memory.close()

    def panel(self, table: Mapping[str, Any]) -> Panel:
        """The panel for the `[classifier]` table of a policy."""
        if self._made is None or self._made[0] != table:
            settings = read_settings(table)
            provider = self._instead or provider_of(settings, self._env)
            self._made = (table, Panel(Classifier(provider, settings, self.memory) if provider else None))
        return self._made[1]

    def subject(self, call: ToolCall, text: str) -> Subject:
        """What of a call is judged: a shell command as it is, any other call as its tool and its input.

        INVARIANT: the agent's own words about a call are not part of it.
        """
        plain = bool(text) and call.input.keys() <= SAID_BY_THE_AGENT and call.input.get("command") == text
        given = {name: value for name, value in call.input.items() if name != "description"}
        return Subject(text if plain else f"{call.tool} {wire.dumps(given)}", call.cwd, call.session)


def _as_provider(given: Judging | None) -> Provider | None:
    if given is None or hasattr(given, "ask"):
        return given  # type: ignore[return-value]
    return FunctionProvider(given)
