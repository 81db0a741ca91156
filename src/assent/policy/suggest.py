"""Rules a person could add so that a question is not asked again: narrow first, only what covers the whole call."""

from __future__ import annotations

from assent import globs
from assent.errors import PolicyError
from assent.policy.case import relative
from assent.policy.match import vouches
from assent.policy.rules import read_rule
from assent.types import Place, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.types import Effect, PermissionDecision

MAX_SUGGESTED_RULES_FOR_COMPOUND = 5
RULE_TOOLS = {"read": "Read", "search": "Grep", "list": "Glob", "write": "Write", "delete": "Delete"}


def suggest(case: Case, decision: PermissionDecision) -> tuple[str, ...]:
    """At most five rules; none when a rule alone could not turn this question into an allow."""
    asking = [reason for reason in decision.reasons if reason.verdict > Verdict.ALLOW]
    if decision.verdict != Verdict.ASK or any(reason.step != "mode" for reason in asking) or case.text:
        return ()
    subjects = {reason.subject for reason in asking if reason.subject}
    wanted = [effect for effect in case.effects if effect.target in subjects and not effect.possible]
    found = [text for effect in wanted[:1] for text in _ladder(effect, case)]
    fitting = [text for text in found if _covers(text, wanted, case)]
    if case.gaps and (any(gap.blind for gap in case.gaps) or case.identity not in wanted):
        return ()
    return tuple(fitting[:MAX_SUGGESTED_RULES_FOR_COMPOUND])


def _covers(text: str, wanted: list[Effect], case: Case) -> bool:
    """Not every host and name can be written in a rule; those suggest nothing."""
    try:
        target = read_rule(text)
    except PolicyError:
        return False
    return all(vouches(target, effect, case) for effect in wanted)


def _ladder(effect: Effect, case: Case) -> Iterator[str]:
    if isinstance(effect.at, Place):
        yield from _path_ladder(effect, effect.at, case)
    elif isinstance(effect.at, Url):
        yield f"WebFetch(domain:{effect.at.host})"
    elif effect.code == "web.search":
        yield "WebSearch"
    elif effect.code == "mcp" and _is_plain(effect.target):
        yield f"Mcp({effect.target})"
    elif effect.code == "tool" and _is_plain(effect.target):
        yield f"Tool({effect.target})"


def _path_ladder(effect: Effect, place: Place, case: Case) -> Iterator[str]:
    tool = RULE_TOOLS[effect.kind]
    below = relative(place.path, case.projects)
    at_home = relative(place.path, case.homes)
    shown = f"./{below}" if below else f"~/{at_home}" if at_home and below is None else place.path
    if not _is_plain(shown):
        return
    yield f"{tool}({shown}/**)" if effect.deep and place.folder else f"{tool}({shown})"
    folder = shown[: shown.rfind("/")]
    if effect.kind != "delete" and folder not in (".", "~", ""):
        yield f"{tool}({folder}/**)"


def _is_plain(text: str) -> bool:
    """INVARIANT: a suggestion means what it names; `Tool(*)` for a tool called `*` would mean every tool."""
    return text.isprintable() and not globs.has_magic(text) and "{" not in text and "(" not in text
