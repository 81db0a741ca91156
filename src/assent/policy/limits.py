"""Whether a rule has been used up: a comparison of its `max` with how often it was used. Does not count."""

from __future__ import annotations

from assent.types import Reason, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.types import Rule

SECONDS = {"minute": 60.0, "hour": 3_600.0, "day": 86_400.0}


def limit_key(rule: Rule) -> str:
    """What uses are counted under: all texts of one `[[rule]]` share it."""
    return f"{rule.file or rule.layer}#{rule.id or rule.text}"


def limit_of(rule: Rule) -> tuple[int, str]:
    """How often, and in which period."""
    number, _, period = rule.max.partition("/")
    return int(number), period


def used_up(rule: Rule, case: Case) -> bool:
    """INVARIANT: where nobody counts, a rule with a limit vouches for nothing."""
    return case.counts is None or case.counts.get(limit_key(rule), 0) >= limit_of(rule)[0]


def too_many(rule: Rule, case: Case, subject: str = "", call: int = 0) -> Reason:
    number, period = limit_of(rule)
    name = rule.id or rule.text
    since = "in this session" if period == "session" else f"in the last {period}"
    text = f"more than {number} {since} (rule {name})"
    if case.counts is None:
        text = f"rule {name} is limited to {rule.max}, and nobody counts here"
    return Reason(Verdict.ASK, "limit", text, rule, subject, call)
