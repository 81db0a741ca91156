"""The records of a judgement: what a model is asked, what it may answer, and the protocol of whoever answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from assent.errors import AssentError
from assent.record import record


@record
class Judgement:
    """Whether one of the descriptions fits a call. INVARIANT: with `trouble` there is no match."""

    matches: bool
    confidence: float = 0.0
    description: str = ""
    """The description that fits."""
    model: str = ""
    latency_ms: float = 0.0
    cost: float = 0.0
    trouble: str = ""
    """Why it could not be judged, else empty."""
    cached: bool = False


@record
class Settings:
    """The `[classifier]` table. A negative limit is none."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    timeout: float = 10.0
    confidence: float = 0.9
    cache: str = "memory"
    session_calls: int = -1
    day_calls: int = -1
    session_cost: float = -1.0
    day_cost: float = -1.0
    input: float = 0.0
    """The price of a million tokens."""
    output: float = 0.0


def read_settings(table: Mapping[str, Any]) -> Settings:
    """Settings from the table of a policy, where the keys of inner tables have a dot in their names."""
    return Settings(**{name.rpartition(".")[2]: value for name, value in table.items()})


@record
class Question:
    """What a provider is handed: the prompt for a model, and what it was made from."""

    system: str
    text: str
    schema: Mapping[str, object]
    command: str
    cwd: str
    descriptions: tuple[str, ...]


@record
class Reply:
    """What came back, not checked yet: a JSON value, and the tokens that were used."""

    answer: object
    input_tokens: int = 0
    output_tokens: int = 0


class Trouble(AssentError):  # noqa: N818 - what it is
    """A judgement that did not come about. INVARIANT: the text is ours; no key and no words of a server are in it."""

    def __init__(self, message: str, *, retry_after: float = 0.0, help: str = "") -> None:
        super().__init__(message, help=help)
        self.retry_after = retry_after


class Provider(Protocol):
    """One way to a model."""

    @property
    def name(self) -> str:
        """`anthropic claude-haiku-4-5`, as people read it."""

    async def ask(self, question: Question) -> Reply:
        """Put one question, with nothing before it. Cancelling closes everything it opened; failures are `Trouble`."""
