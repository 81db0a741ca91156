"""The judges of one policy: its descriptions put to the model, deny and ask at once, allow in the background.

INVARIANT: descriptions of a project's files are never in the same question as those of its owner, so that no repository
can talk the model out of what a person wrote.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from assent.classifier.classifier import Classifier
from assent.classifier.judgement import Judgement
from assent.classifier.speculation import Speculation
from assent.record import record
from assent.types import Reason, Rule, Verdict

NAMES = {Verdict.ALLOW: "allow_if", Verdict.ASK: "ask_if", Verdict.DENY: "deny_if"}
NOBODY = "no [classifier] is configured"
Group = tuple[Rule, ...]


@record
class Subject:
    """What is judged: the text of a call, its folder, and the session whose budget pays."""

    text: str
    cwd: str
    session: str = ""


class Panel:
    """Without a classifier nothing is allowed, and everything that must be judged asks."""

    def __init__(self, classifier: Classifier | None = None) -> None:
        self.classifier = classifier

    @property
    def timeout(self) -> float:
        return self.classifier.settings.timeout if self.classifier else 0.0

    # --- holding back ----------------------------------------------------------------------------------------------

    async def held_back(self, subject: Subject, rules: Iterable[Rule]) -> tuple[tuple[Reason, ...], str]:
        """What ask and deny descriptions raise, and one line about it. What cannot be judged is asked about."""
        groups = _groups(rule for rule in rules if rule.verdict > Verdict.ALLOW)
        if self.classifier is None:
            found = [_unsure(group, NOBODY) for group in groups]
            return tuple(found), f"ask: {NOBODY}"
        pending = {asyncio.create_task(self._put(subject, group)): group for group in groups}
        try:
            waiting = set(pending)
            while waiting and not any(self._denies(pending[task], task) for task in pending):
                _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            told = [(group, task.result()) for task, group in pending.items() if task.done()]
        finally:
            await _ended(pending)
        reasons = tuple(reason for group, judgement in told for reason in self._raised(group, judgement))
        return reasons, _outcome(reasons, [judgement for _, judgement in told])

    def _denies(self, group: Group, task: asyncio.Task[Judgement]) -> bool:
        """Whether nothing that is still judged could change the answer."""
        return task.done() and any(reason.verdict == Verdict.DENY for reason in self._raised(group, task.result()))

    async def _put(self, subject: Subject, group: Group) -> Judgement:
        if self.classifier is None:
            return Judgement(False, trouble=NOBODY)
        texts = tuple(rule.text for rule in group)
        whole = group[0].verdict == Verdict.ALLOW
        return await self.classifier.classify(subject.text, subject.cwd, texts, session=subject.session, whole=whole)

    def _raised(self, group: Group, judgement: Judgement) -> Iterator[Reason]:
        if judgement.trouble:
            yield _unsure(group, judgement.trouble)
        elif self.classifier is not None and self.classifier.counts(judgement):
            yield _matched(group, judgement)

    async def each(self, subject: Subject, rules: Iterable[Rule]) -> tuple[tuple[Verdict, Judgement], ...]:
        """Every judgement by itself, for people who want to know how good a model is."""
        groups = _groups(rules)
        found = await asyncio.gather(*(self._put(subject, group) for group in groups))
        return tuple((group[0].verdict, judgement) for group, judgement in zip(groups, found, strict=True))

    def verdict(self, found: Iterable[tuple[Verdict, Judgement]]) -> Verdict:
        """What judgements come to where only the mode would ask: the strictest that counts, else a question."""
        told = tuple(found)
        counting = {verdict for verdict, one in told if self.classifier is not None and self.classifier.counts(one)}
        if any(one.trouble for verdict, one in told if verdict > Verdict.ALLOW):
            counting.add(Verdict.ASK)
        return max(counting, default=Verdict.ASK)

    # --- allowing --------------------------------------------------------------------------------------------------

    def start(self, subject: Subject, rules: Iterable[Rule]) -> Speculation | None:
        """Look for an allow description that fits, in the background; None when there is nobody to look."""
        groups = _groups(rule for rule in rules if rule.verdict == Verdict.ALLOW)
        return Speculation.start(self._search(subject, groups)) if groups and self.classifier is not None else None

    async def _search(self, subject: Subject, groups: tuple[Group, ...]) -> Reason | None:
        for group in groups:
            judgement = await self._put(subject, group)
            if self.classifier is not None and self.classifier.counts(judgement):
                return _matched(group, judgement)
        return None


def _groups(rules: Iterable[Rule]) -> tuple[Group, ...]:
    """By verdict and by who wrote them."""
    found: dict[tuple[Verdict, bool], list[Rule]] = {}
    for rule in rules:
        found.setdefault((rule.verdict, rule.layer in ("project", "local")), []).append(rule)
    return tuple(tuple(group) for group in found.values())


def _matched(group: Group, judgement: Judgement) -> Reason:
    rule = next(rule for rule in group if rule.text == judgement.description)
    again = ", judged before" if judgement.cached else ""
    text = f"matches {NAMES[rule.verdict]}: {rule.text} ({judgement.model}, confidence {judgement.confidence:g}{again})"
    return Reason(rule.verdict, "classifier", text, rule, judgement.model)


def _unsure(group: Group, why: str) -> Reason:
    number = "1 description" if len(group) == 1 else f"{len(group)} descriptions"
    text = f"{number} of {NAMES[group[0].verdict]} could not be judged: {why}"
    return Reason(Verdict.ASK, "classifier", text, subject="not judged")


def _outcome(reasons: tuple[Reason, ...], told: list[Judgement]) -> str:
    if reasons:
        strictest = max(reasons, key=lambda reason: reason.verdict)
        return f"{strictest.verdict!s}: {strictest.text}"
    took = max((judgement.latency_ms for judgement in told), default=0.0)
    sure = [f"{one.confidence:g} for `{one.description}`" for one in told if one.matches]
    low = f", too low a confidence: {', '.join(sure)}" if sure else ""
    return f"passes: nothing fits, says {told[0].model if told else 'nobody'} ({took:.0f} ms{low})"


async def _ended(tasks: Iterable[asyncio.Task[Judgement]]) -> None:
    """INVARIANT: nothing is left running."""
    every = list(tasks)
    for task in every:
        task.cancel()
    if every:
        await asyncio.wait(every)
