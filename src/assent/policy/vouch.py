"""The steps that let a call pass: for every effect and gap, who vouches for it, or the mode's answer if nobody does."""

from __future__ import annotations

from assent.policy.case import is_within
from assent.policy.commands import covers, names_what_runs, rules_for_calls
from assent.policy.lookup import rules_about
from assent.policy.match import applies
from assent.policy.restrain import path_rule_matches, rule_text
from assent.policy.workflow import OPERATIONS, needs_approval
from assent.types import Place, Reason, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Effect, Gap, Rule

SAYS = {
    "read": "reads",
    "list": "lists",
    "search": "searches",
    "write": "writes",
    "delete": "deletes",
    "run": "runs",
    "reach": "reaches",
    "send": "sends data to",
    "call": "calls",
    "spawn": "starts",
    "change": "changes",
    "note": "notes",
}


def vouched(policy: Policy, case: Case) -> Iterator[Reason]:
    """One reason for each effect and each gap. INVARIANT: a gap that nobody vouches for asks."""
    if case.call.tool in policy.table["allowed_tools"]:
        yield Reason(Verdict.ALLOW, "tools", f"{case.call.tool} is explicitly allowed")
        yield from (_unknown(gap) for gap in case.gaps if gap.blind and not gap.vouchable)
        return
    called = _call_rule(policy, case)
    named = rules_for_calls(policy, case)
    doubts = [_gap_answer(policy, gap, called, named.get(gap.call)) for gap in case.gaps]
    yield from doubts
    certain = [effect for effect in case.effects if not effect.possible]
    if not certain and called is None and all(reason.verdict == Verdict.ALLOW for reason in doubts):
        yield Reason(Verdict.ASK, "mode", "nothing is known about this call")
    for effect in certain:
        yield _answer(policy, effect, case, named.get(effect.call))


def _answer(policy: Policy, effect: Effect, case: Case, named: Rule | None) -> Reason:
    if named is not None and covers(effect) and names_what_runs(policy, named, effect, case.calls[effect.call - 1]):
        return Reason(
            Verdict.ALLOW, "allow", rule_text(named, _words(case, effect.call)), named, effect.target, effect.call
        )
    for rule in rules_about(policy, effect, case, Verdict.ALLOW):
        if applies(policy, rule, effect, case):
            return Reason(Verdict.ALLOW, "allow", rule_text(rule, effect.target), rule, effect.target, effect.call)
    says = said(effect)
    if policy.mode == "full_auto":
        return Reason(
            Verdict.ALLOW, "mode", f"{says}: full_auto mode does not ask", subject=effect.target, call=effect.call
        )
    if effect.kind in ("spawn", "note"):
        return Reason(
            Verdict.ALLOW, "mode", f"{says}: changes nothing by itself", subject=effect.target, call=effect.call
        )
    return _by_mode(policy, effect, case, says)


def said(effect: Effect) -> str:
    """An effect as a person would say it: `writes out.txt`."""
    if effect.code.startswith("git.repository"):
        return f"looks at the git repository in {effect.target}"
    return effect.target if effect.kind == "note" else f"{SAYS[effect.kind]} {effect.target}"


def _by_mode(policy: Policy, effect: Effect, case: Case, says: str) -> Reason:
    if policy.preset == "workspace" and policy.mode == "default":
        from assent.policy.workspace import is_free, is_granted

        if is_free(effect, case):
            return Reason(Verdict.ALLOW, "mode", f"{says}: inside the project", subject=effect.target, call=effect.call)
        if is_granted(effect, case):
            text = f"{says}: allowed before, and what defines it has not changed"
            return Reason(Verdict.ALLOW, "grant", text, subject=effect.target, call=effect.call)
    operation = OPERATIONS.get(effect.kind)
    if case.call.read_only is True and operation is not None and not case.calls:
        operation, says = "read", f"{case.call.tool} is read-only, says its caller"
    if operation is None or needs_approval(operation, policy.mode):
        return Reason(
            Verdict.ASK, "mode", f"{says}: {policy.mode} mode asks first", subject=effect.target, call=effect.call
        )
    if _is_free_to_read(policy, effect, case):
        return Reason(Verdict.ALLOW, "mode", f"{says}: read-only", subject=effect.target, call=effect.call)
    return Reason(Verdict.ASK, "mode", f"{says}: outside the project", subject=effect.target, call=effect.call)


def _is_free_to_read(policy: Policy, effect: Effect, case: Case) -> bool:
    """Without a workspace reads are free; with one they stay inside it or where an allowing path rule widens it."""
    if case.call.workspace is None or not isinstance(effect.at, Place):
        return not isinstance(effect.at, Url)
    wider = [pattern for pattern, allow in policy.table["path_rules"] if allow]
    return all(
        any(is_within(name, root) for root in case.projects)
        or any(path_rule_matches(pattern, name, case) for pattern in wider)
        for name in effect.at.names
    )


def _call_rule(policy: Policy, case: Case) -> Rule | None:
    """The allow rule that names the whole call; only such a rule vouches for what is not understood about it."""
    if case.identity is not None:
        for rule in rules_about(policy, case.identity, case, Verdict.ALLOW):
            if applies(policy, rule, case.identity, case):
                return rule
    return None


def _words(case: Case, number: int) -> str:
    return " ".join(word.text for word in case.calls[number - 1].words)


def _gap_answer(policy: Policy, gap: Gap, rule: Rule | None, named: Rule | None) -> Reason:
    if named is not None and not gap.blind:
        return Reason(Verdict.ALLOW, "allow", f"{rule_text(named, gap.why)} although {gap.why}", named, call=gap.call)
    if rule is not None and (gap.vouchable or not gap.blind):
        return Reason(Verdict.ALLOW, "allow", f"{rule_text(rule, gap.why)} although {gap.why}", rule, call=gap.call)
    if gap.blind:
        return _unknown(gap)
    if policy.mode == "full_auto":
        return Reason(Verdict.ALLOW, "mode", f"{gap.why}: full_auto mode does not ask", call=gap.call)
    return _unknown(gap)


def _unknown(gap: Gap) -> Reason:
    return Reason(Verdict.ASK, "mode", f"not fully understood: {gap.why}", call=gap.call)
