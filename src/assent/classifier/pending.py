"""A check that is still open while a person is asked: what a model would be asked, and how to ask it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from assent.classifier.bench import Bench, Judging
from assent.classifier.panel import Panel, Subject
from assent.classifier.speculation import Speculation
from assent.record import record
from assent.types import Reason, Rule


@record
class PendingClassifierCheck:
    """The allow descriptions that a model may compare with a command, in the background.

    INVARIANT: a match answers the question only with `may_answer`, which is false for whatever a rule, a check or the
    floor holds back, and for what is not understood.
    """

    command: str
    cwd: str
    rules: tuple[Rule, ...]
    classifier: Mapping[str, Any]
    """The `[classifier]` settings: who judges, and what counts as high confidence."""
    may_answer: bool = False

    @property
    def descriptions(self) -> tuple[str, ...]:
        return tuple(rule.text for rule in self.rules)

    def start(self, classify: Judging | None = None) -> Speculation | None:
        """Begin in the running event loop; `peek`, `consume` and `cancel` are the caller's. None without a model."""
        bench = Bench(os.environ, instead=classify)
        panel = bench.panel(self.classifier)
        if panel.classifier is None:
            bench.close()
            return None
        return Speculation.start(self._search(bench, panel))

    async def _search(self, bench: Bench, panel: Panel) -> Reason | None:
        search = panel.start(Subject(self.command, self.cwd), self.rules)
        try:
            return await search.consume() if search is not None else None
        finally:
            if search is not None:
                await search.cancel()
            bench.close()

    async def run(self, classify: Judging | None = None) -> bool:
        """Whether a model answers the question with a yes. `classify` stands in for the model of the settings."""
        search = self.start(classify)
        found = await search.consume() if search is not None else None
        return found is not None and self.may_answer
