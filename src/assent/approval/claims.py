"""Judging the agent's own words about a call: what in them is no description, and what does not fit the effects."""

from __future__ import annotations

import re

from assent.approval.unseen import hidden_signs, mixed_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
CHANGES = {"write": "writes files", "delete": "deletes files", "change": "changes settings"}
NETWORK = {"reach": "reaches the network", "send": "sends data to the network"}
CLAIMS: tuple[tuple[re.Pattern[str], Mapping[str, str]], ...] = (
    (
        _any(
            r"\bread[- ]?only\b",
            r"\bno (?:changes|writes|modifications)\b",
            r"\bnothing (?:is )?(?:changed|written|deleted)\b",
            r"\bdoes(?:n't| not) (?:change|modify|write|delete)\b",
        ),
        CHANGES | NETWORK,
    ),
    (
        _any(
            r"\b(?:list|show|display|print|view|read|inspect|count)(?:s|ing)?\b",
            r"\b(?:look(?:s|ing)? at|check(?:s|ing)?(?! ?-?out)|search(?:es|ing)?|find(?:s|ing)?)\b",
        ),
        CHANGES | NETWORK,
    ),
    (
        _any(r"\b(?:runs?|running|execut(?:e|es|ing))\s+(?:\w+\s+){0,3}(?:tests?|test suite|linters?|checks)\b"),
        {"delete": CHANGES["delete"]} | NETWORK,
    ),
    (_any(r"\b(?:offline|locally|local only|no network|without network)\b"), NETWORK),
    (_any(r"\b(?:format|build|compil)(?:e|s|es|ing)?\b"), {"send": NETWORK["send"]}),
)
ADMITS = {
    "write": "writ|creat|sav|updat|edit|modif|chang|add|generat|instal|format|fix|replac|append|mov|copy|copi|build"
    "|compil|renam|commit|redirect|stor|output|download|apply|patch|set",
    "delete": "delet|remov|clean|wip|purg|clear|eras|drop|prun|reset|uninstall",
    "change": "chang|set|updat|config|modif|instal|switch|enabl|disabl|start|stop",
    "reach": "fetch|download|network|http|curl|upload|push|pull|clone|deploy|publish|instal|api|server|remote|url"
    "|web|online|request|post",
    "send": "upload|send|sent|push|post|publish|deploy|share|submit|report",
}
"""Beginnings of words with which a description says itself that it has an effect of this kind."""
FLAT = _any(r"read[- ]?only", r"\bno \w+", "nothing", "n't", "not ", "without")
"""A claim that no other word takes back."""
LABELS = dict(
    word.split("=")
    for word in (
        "reads=read lists=list searches=search writes=write deletes=delete runs=run network=reach reaches=reach"
        " sends=send uploads=send calls=call changes=change starts=spawn"
    ).split()
)


def doubts(description: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """What is wrong with the agent's words, as sentences. `kinds` are effect kinds, or labels like `Deletes`."""
    if not description.strip():
        return ()
    effects = dict.fromkeys(LABELS.get(kind.lower(), kind.lower()) for kind in kinds)
    words = description[:JUDGED]
    found = [f"the agent's description {what}" for what, pattern in TRICKS.items() if pattern.search(words)]
    verdict = VERDICTS.search(words)
    if verdict:
        found.append(f'the agent\'s description judges itself: "{_quoted(verdict.group())}"')
    found += _contradictions(words, effects)
    found += _spelling(description)
    return tuple(found)


def _contradictions(description: str, effects: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for pattern, excluded in CLAIMS:
        claim = pattern.search(description)
        for kind in effects if claim else ():
            if claim and kind in excluded and not _admits(description, kind, claim.group()):
                found.setdefault(kind, f'the agent says "{_quoted(claim.group())}", but this {excluded[kind]}')
    return list(found.values())


def _admits(description: str, kind: str, claim: str) -> bool:
    """Whether the words outside the claim name the effect: "run the tests and upload the report"."""
    if FLAT.search(claim):
        return False
    rest = description.replace(claim, " ")
    return re.search(rf"\b(?:un|re|over)?(?:{ADMITS[kind]})", rest, re.IGNORECASE) is not None


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
