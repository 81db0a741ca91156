"""The agent's own words about a call: what in them is no description but tries something with whoever reads it."""

from __future__ import annotations

import re

from assent.approval.unseen import hidden_signs, mixed_words

LONG, JUDGED = 600, 20_000


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


TRICKS = {
    "holds markup like a tool call": _any(
        r"</?[a-z!?][^<>]{0,200}>",
        r"tool_(?:call|use|result)|function_calls?\b",
        r"^[ \t]*(?:system|assistant|human|user)\s*:",
    ),
    "holds a link": _any(r"\b\w+://", r"\bwww\.", r"\]\([^)]{0,500}\)"),
    "imitates a dialog": _any(
        r"\[\s*(?:y|n|yes|no|ok|x|allow|deny|approve|accept|cancel|confirm)\s*\]",
        r"\b(?:y/n|yes/no)\b",
        r"[\u2500-\u259f]{3}",
        r"\b(?:press|click|hit|type|choose|select)\s+(?:\w+\s+){0,2}(?:y|yes|ok|enter|allow|approve|accept|confirm)\b",
        r"\b(?:allow|approve) once\b",
        r"^[ \t]*(?:ASK|ALLOW|DENY)\s{2,}",
    ),
    "asks to ignore something": _any(
        r"\b(?:ignore|disregard|forget|bypass|override|skip)\b.{0,40}"
        r"\b(?:instruction|rule|warning|check|polic|prompt|previous|above)"
    ),
}
VERDICTS = _any(
    r"\b(?:pre-?|auto-?|already |been )?(?:approved|authori[sz]ed|permitted|vetted|verified|trusted)\b",
    r"\b(?:white|allow)-?listed\b",
    r"\b(?:safe|safely|harmless|benign|risk-?free|not dangerous|no risk)\b",
    r"\bno (?:need|reason) to (?:check|review|worry|ask)\b",
    r"\bwithout (?:asking|confirmation|review)\b",
)


def doubts(description: str) -> tuple[str, ...]:
    """What is wrong with the agent's words, as sentences."""
    if not description.strip():
        return ()
    words = description[:JUDGED]
    found = [f"the agent's description {what}" for what, pattern in TRICKS.items() if pattern.search(words)]
    verdict = VERDICTS.search(words)
    if verdict:
        found.append(f'the agent\'s description judges itself: "{_quoted(verdict.group())}"')
    return (*found, *_spelling(description))


def _spelling(description: str) -> list[str]:
    found = []
    if hidden_signs(description):
        found.append("the agent's description holds characters nobody can see")
    if mixed_words(description):
        found.append("the agent's description mixes alphabets within a word")
    if len(description) > LONG:
        found.append(f"the agent's description is {len(description):,} characters long")
    return found


def _quoted(text: str) -> str:
    return " ".join(text.split())[:60]
