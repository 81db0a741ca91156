"""The steps that let a call pass: for every effect and gap, who vouches for it, or the mode's answer if nobody does."""

from __future__ import annotations

from assent.policy.case import INSIDE, is_within
from assent.policy.commands import (
    covers,
    covers_redirect,
    names_what_runs,
    near_rule,
    rules_for_calls,
    stays_at_home,
)
from assent.policy.lookup import rules_about
from assent.policy.match import applies
from assent.policy.restrain import path_rule_matches, rule_text
from assent.policy.workflow import HELD_BACK, needs_permission
from assent.record import maker, replace
from assent.types import Place, Reason, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Effect, Gap, Rule, Step

new_reason = maker(Reason)
ALLOW, ASK = Verdict.ALLOW, Verdict.ASK
REPOSITORY = "git.repository"
MOST_SHOWN, LONGEST_SHOWN = 100, 1_000
"""So many words, and letters of them, stand in a reason."""
PASSES = ("project", "stated")
"""What gaps of a program are about that full_auto does not ask about."""
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


def vouched(policy: Policy, case: Case) -> list[Reason]:
    """One reason for each effect and each gap. INVARIANT: a gap that nobody vouches for asks."""
    if case.call.tool in policy.table["allowed_tools"]:
        allowed = Reason(Verdict.ALLOW, "tools", f"{case.call.tool} is explicitly allowed")
        return [allowed, *(_unknown(gap) for gap in case.gaps if gap.blind and not gap.vouchable)]
    if case.sandbox == INSIDE and policy.auto_sandboxed and "Bash" in case.tools:
        inside = Reason(Verdict.ALLOW, "sandbox", "runs in the sandbox")
        return [inside, *(_unknown(gap) for gap in case.gaps if gap.blind)]
    called: Rule | None = None
    named: dict[int, Rule] = {}
    if policy.vouches:
        called, named = _call_rule(policy, case), rules_for_calls(policy, case)
        answers = [_answer(policy, each, case, named.get(each.call)) for each in case.effects if needs_permission(each)]
    else:
        answers = []
        for effect in case.effects:  # a comprehension would take longer for one or two
            if not effect.possible or needs_permission(effect):
                answers.append(_unruled(policy, effect, case))
    reasons = [_gap_answer(policy, case, gap, called, named.get(gap.call)) for gap in case.gaps] if case.gaps else []
    if not answers and called is None and all(reason.verdict == Verdict.ALLOW for reason in reasons):
        reasons.append(Reason(Verdict.ASK, "mode", "nothing is known about this call"))
    return reasons + answers


def _answer(policy: Policy, effect: Effect, case: Case, named: Rule | None) -> Reason:
    ruled = _by_rule(policy, effect, case, named)
    if ruled is not None:
        return ruled
    reason = _unruled(policy, effect, case)
    if reason.verdict == ASK and effect.call and (near := near_rule(policy, case, effect)):
        return replace(reason, text=f"{said(effect)}: {near}")
    return reason


def _by_rule(policy: Policy, effect: Effect, case: Case, named: Rule | None) -> Reason | None:
    """What the allow rules say about an effect; None when none is about it."""
    spent: Rule | None = None
    if named is not None and (
        (
            covers(effect)
            and names_what_runs(policy, named, effect, case.calls[effect.call - 1])
            and stays_at_home(policy.target(named.text), effect, case)
        )
        or covers_redirect(policy, named, effect, case)
    ):
        if not _is_spent(named, case):
            text = rule_text(named, _words(case, effect.call))
            return Reason(Verdict.ALLOW, "allow", text, named, effect.target, effect.call)
        spent = named
    for rule in rules_about(policy, effect, case, Verdict.ALLOW):
        if applies(policy, rule, effect, case):
            if not _is_spent(rule, case):
                text = rule_text(rule, effect.target)
                return Reason(Verdict.ALLOW, "allow", text, rule, effect.target, effect.call)
            spent = spent or rule
    return _over(spent, case, effect.target, effect.call) if spent is not None else None


def _unruled(policy: Policy, effect: Effect, case: Case) -> Reason:
    """The mode's answer about an effect."""
    mode, kind, target = policy.mode, effect.kind, effect.target
    says = target if kind == "note" else f"{SAYS[kind]} {target}"
    if effect.only or (effect.code and effect.code.startswith(REPOSITORY)):
        says = said(effect)
    step: Step = "mode"
    verdict = ALLOW
    if mode == "full_auto":
        if effect.arguments is not None and _strays(effect, case):
            verdict, text = ASK, f"{says}: code that leaves the project asks first"
        else:
            text = f"{says}: full_auto mode does not ask"
    elif kind == "note" or kind == "spawn":
        text = f"{says}: changes nothing by itself"
    elif policy.in_workspace and (free := _in_workspace(effect, case, says)):
        step, text = free
    elif case.call.read_only is True:
        says = f"{case.call.tool} is read-only, says its caller"
        reads = isinstance(effect.at, Url) or _is_free_to_read(policy, effect, case)
        verdict, text = (ALLOW, f"{says}: read-only") if reads else (ASK, f"{says}: outside the project")
    elif kind in HELD_BACK[mode]:
        verdict, text = ASK, f"{says}: {mode} mode asks first"
    elif _is_free_to_read(policy, effect, case):
        text = f"{says}: read-only"
    else:
        verdict, text = ASK, f"{says}: outside the project"
    return new_reason(verdict, step, text, None, target, effect.call)


def _strays(effect: Effect, case: Case) -> bool:
    from assent.policy.workspace import strays

    return strays(effect, case)


def said(effect: Effect) -> str:
    """An effect as a person would say it: `writes out.txt`."""
    if effect.code and effect.code.startswith(REPOSITORY):
        return f"looks at the git repository in {effect.target}"
    if effect.only and (glob := effect.only.partition("//")[0]) != "*":
        return f"{SAYS[effect.kind]} {glob} below {effect.target}"
    return effect.target if effect.kind == "note" else f"{SAYS[effect.kind]} {effect.target}"


def _in_workspace(effect: Effect, case: Case, says: str) -> tuple[Step, str] | None:
    from assent.policy.workspace import is_free, is_granted

    if is_free(effect, case):
        return "mode", f"{says}: inside the project"
    if is_granted(effect, case):
        return "grant", f"{says}: allowed before, and what defines it has not changed"
    return None


def _is_free_to_read(policy: Policy, effect: Effect, case: Case) -> bool:
    """Without a workspace reads are free; with one they stay inside it, or where an allowing path rule widens it, or
    tell what everybody on the machine may know."""
    if case.call.workspace is None or not isinstance(effect.at, Place):
        return not isinstance(effect.at, Url)
    for name in effect.at.names:
        if not _is_open(policy, name, case):
            from assent.policy.public import is_known_to_all

            return is_known_to_all(effect, case)
    return True


def _is_open(policy: Policy, name: str, case: Case) -> bool:
    for root in case.projects:
        if is_within(name, root):
            return True
    rules = policy.table["path_rules"]
    return bool(rules) and any(allow and path_rule_matches(pattern, name, case) for pattern, allow in rules)


def _call_rule(policy: Policy, case: Case) -> Rule | None:
    """The allow rule that names the whole call; only such a rule vouches for what is not understood about it."""
    if case.identity is not None:
        for rule in rules_about(policy, case.identity, case, Verdict.ALLOW):
            if applies(policy, rule, case.identity, case) and not _is_spent(rule, case):
                return rule
    return None


def _is_spent(rule: Rule, case: Case) -> bool:
    """Whether a rule has vouched as often as it may; almost none has a limit."""
    if not rule.max:
        return False
    from assent.policy.limits import used_up

    return used_up(rule, case)


def _over(rule: Rule, case: Case, subject: str, call: int) -> Reason:
    """INVARIANT: no mode answers for a rule that is used up."""
    from assent.policy.limits import too_many

    return too_many(rule, case, subject, call)


def _words(case: Case, number: int) -> str:
    words = case.calls[number - 1].words
    text = " ".join([word.text for word in words[:MOST_SHOWN]])
    whole = len(words) <= MOST_SHOWN and len(text) <= LONGEST_SHOWN
    return text if whole else f"{text[:LONGEST_SHOWN]} …"


def _gap_answer(policy: Policy, case: Case, gap: Gap, rule: Rule | None, named: Rule | None) -> Reason:
    if named is not None and not gap.blind and gap.about != "inline":
        if _is_spent(named, case):
            return _over(named, case, "", gap.call)
        return Reason(Verdict.ALLOW, "allow", f"{rule_text(named, gap.why)} although {gap.why}", named, call=gap.call)
    if rule is not None and (gap.vouchable or not gap.blind):
        return Reason(Verdict.ALLOW, "allow", f"{rule_text(rule, gap.why)} although {gap.why}", rule, call=gap.call)
    if gap.blind:
        return _unknown(gap)
    if case.call.read_only is True:
        text = f"{case.call.tool} is read-only, says its caller, although {gap.why}"
        return Reason(Verdict.ALLOW, "mode", text, call=gap.call)
    if policy.mode == "full_auto" and (gap.about in PASSES or not gap.call):
        return Reason(Verdict.ALLOW, "mode", f"{gap.why}: full_auto mode does not ask", call=gap.call)
    return _unknown(gap)


def _unknown(gap: Gap) -> Reason:
    return new_reason(Verdict.ASK, "mode", f"not fully understood: {gap.why}", None, "", gap.call)
