"""The steps of the decision on a command line, by name and in order, each with its outcome: what `explain` shows.

Does not decide and compares no rule: it sorts the reasons of a finished decision, so that no step can contradict it.
"""

from __future__ import annotations

from assent.policy.case import INSIDE
from assent.policy.match import is_this_line
from assent.policy.settling import is_open
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Call, PermissionDecision, Reason

    Step = tuple[str, str]

MAX_SUBCOMMANDS_FOR_SECURITY_CHECK = 50
PASSES = "passes"
LIMITS = ("many-parts", "several-folders")


def bash_steps(policy: Policy, case: Case, decision: PermissionDecision) -> tuple[Step, ...]:
    """Every step, also those that had nothing to say."""
    return (*_before_the_parts(policy, case, decision), *_parts(case, decision), _answer(decision))


def part_verdicts(case: Case, decision: PermissionDecision) -> tuple[Verdict, ...]:
    """What each part of a command line gets by itself."""
    found = [Verdict.ALLOW] * len(case.calls)
    for reason in decision.reasons:
        if 0 < reason.call <= len(found):
            found[reason.call - 1] = max(found[reason.call - 1], reason.verdict)
    return tuple(found)


def shown(call: Call) -> str:
    """A part as it is written, without its redirects."""
    return " ".join(word.text for word in call.words) or "redirect"


def _before_the_parts(policy: Policy, case: Case, decision: PermissionDecision) -> Iterator[Step]:
    whole = [reason for reason in decision.reasons if not 0 < reason.call <= len(case.calls)]
    yield "0 parse", _parsed(case, [reason for reason in whole if _step_of(reason, case) == "0 parse"])
    yield "1 sandbox", _sandbox(policy, case, decision)
    yield "2 exact rule", _exact(case, decision)
    yield "3 classifier", _classifier(policy, case, decision)
    redirects = sum(len(call.redirects) for call in case.calls)
    joined = len(case.calls) > 1 or redirects
    counted = f"parts: {len(case.calls)}, redirects: {redirects}, each judged by itself" if joined else "none"
    yield "4 operators", _strictest([one for one in whole if _step_of(one, case) == "4 operators"]) or counted
    yield "5 misparse gate", "skipped: there is no second parser to disagree with"
    limits = [reason for reason in whole if _step_of(reason, case) == "6 fan-out"]
    folders = sum(call.program == "cd" for call in case.calls)
    within = f"{len(case.calls)} of at most {MAX_SUBCOMMANDS_FOR_SECURITY_CHECK} parts, {folders} cd"
    yield "6 fan-out", _strictest(limits) or within


def _step_of(reason: Reason, case: Case) -> str:
    """The step that tells a reason about the line as a whole. INVARIANT: every one that holds back is told by one."""
    if reason.step in ("sandbox", "classifier"):
        return ""
    if reason.step == "check":
        return "6 fan-out" if reason.subject in LIMITS else "4 operators"
    if _is_exact(reason, case):
        return "2 exact rule"
    told_first = not case.calls or reason.step == "policy" or (reason.rule is None and reason.step == "mode")
    return "0 parse" if told_first else "4 operators"


def _parsed(case: Case, reasons: list[Reason]) -> str:
    """How the text was read; of one that nobody could read, what is said about it as a whole."""
    broken = [gap.why for gap in case.gaps if gap.call == 0]
    if case.calls:
        parsed = f"simple: {len(case.calls)} {'part' if len(case.calls) == 1 else 'parts'}"
        parsed += f"; not understood: {broken[0]}" if broken else ""
    else:
        parsed = f"too complex: {broken[0]}" if broken else "nothing that runs"
    held = [reason for reason in reasons if reason.verdict > Verdict.ALLOW and reason.step != "mode"]
    return f"{parsed}; {_strictest(held)}" if held else parsed


def _classifier(policy: Policy, case: Case, decision: PermissionDecision) -> str:
    """What a model said about the descriptions, or what it would be asked."""
    told = "; ".join(outcome for step, outcome in decision.trace if step == "classifier")
    allowing = len(policy.described(Verdict.ALLOW))
    if allowing and decision.verdict == Verdict.ASK:
        what = "1 allow_if" if allowing == 1 else f"{allowing} allow_if"
        judged = f"would be judged by {policy.judge} while a person is asked" if policy.judge else "can be judged"
        pending = judged if is_open(policy, case, decision) else "cannot answer this"
        told += f"{'; ' if told else ''}{what} {pending}"
    if told:
        return told
    return PASSES if policy.table["descriptions"] else "skipped: no descriptions are configured"


def _sandbox(policy: Policy, case: Case, decision: PermissionDecision) -> str:
    """Whether the command runs confined, and whether that answers the question."""
    inside = case.sandbox == INSIDE
    if not policy.auto_sandboxed:
        return f"{'inside, but ' if inside else 'skipped: '}auto_allow_bash_if_sandboxed is not set"
    if not case.sandbox:
        return "skipped: this command does not run in the sandbox"
    if not inside:
        return f"skipped: the sandbox answers nothing here: {case.sandbox}"
    if decision.verdict > Verdict.ALLOW:
        return f"inside, but {decision.verdict}: {decision.reason}"
    return "allow: runs in the sandbox"


def _exact(case: Case, decision: PermissionDecision) -> str:
    """The strictest rule that is this very line, of those that were found to be about it."""
    found = [reason for reason in decision.reasons if _is_exact(reason, case)]
    if not found:
        return PASSES
    reason = max(found, key=lambda one: one.verdict)
    return _named(reason) + (", held until every part has passed" if reason.verdict == Verdict.ALLOW else "")


def _is_exact(reason: Reason, case: Case) -> bool:
    return is_on_words(reason) and reason.rule is not None and is_this_line(reason.rule.text, case.text)


def is_on_words(reason: Reason) -> bool:
    """Whether a rule on commands said it, not one on paths or hosts that they touch."""
    return reason.rule is not None and reason.rule.text.startswith(("Bash", "Shell"))


def _parts(case: Case, decision: PermissionDecision) -> Iterator[Step]:
    for number, call in enumerate(case.calls, 1):
        name = f"7 part {number}"
        yield name, shown(call)
        about = [reason for reason in decision.reasons if reason.call == number]
        others = [reason for reason in about if not is_on_words(reason)]
        yield f"{name}: exact, prefix and wildcard rules", _rules(about)
        yield f"{name}: injection checks", _said(others, ("check",)) or PASSES
        yield f"{name}: path constraints", _said(others, ("floor", "deny", "ask")) or PASSES
        if (call.program or "").endswith("sed"):
            doubts = [reason for reason in about if not reason.subject and reason.verdict > Verdict.ALLOW]
            yield f"{name}: sed constraints", _strictest(doubts) or PASSES
        yield f"{name}: mode", _said(about, ("plan", "mode", "grant", "limit"), at_least=Verdict.ASK) or PASSES
        yield f"{name}: read-only", _said(about, ("mode", "grant", "allow")) or "nothing is known about it"


def _rules(about: list[Reason]) -> str:
    named = [reason for reason in about if is_on_words(reason)]
    return _named(max(named, key=lambda reason: reason.verdict)) if named else PASSES


def _named(reason: Reason) -> str:
    return f"{reason.verdict}: {reason.rule.text} ({reason.rule.where})" if reason.rule else reason.text


def _said(reasons: list[Reason], steps: tuple[str, ...], at_least: Verdict = Verdict.ALLOW) -> str:
    return _strictest([reason for reason in reasons if reason.step in steps and reason.verdict >= at_least])


def _strictest(reasons: list[Reason]) -> str:
    if not reasons:
        return ""
    strictest = max(reasons, key=lambda reason: reason.verdict)
    return f"{strictest.verdict}: {strictest.text}"


def _answer(decision: PermissionDecision) -> Step:
    return "answer", f"{decision.verdict}: {decision.reason}"
