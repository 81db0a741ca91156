"""The steps of the decision on a command line, by name and in order, each with its outcome: what `explain` shows.

Does not decide: it tells how the reasons of a finished decision came about.
"""

from __future__ import annotations

from assent.policy.case import INSIDE
from assent.policy.commands import rules_for_calls
from assent.policy.match import catches_words
from assent.policy.settling import is_open
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Call, PermissionDecision, Reason, Rule

    Step = tuple[str, str]

MAX_SUBCOMMANDS_FOR_SECURITY_CHECK = 50
PASSES = "passes"
LIMITS = ("many-parts", "several-folders")


def bash_steps(policy: Policy, case: Case, decision: PermissionDecision) -> tuple[Step, ...]:
    """Every step, also those that had nothing to say."""
    return (*_before_the_parts(policy, case, decision), *_parts(policy, case, decision), _answer(decision))


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
    broken = [gap.why for gap in case.gaps if gap.call == 0]
    if case.calls:
        parsed = f"simple: {len(case.calls)} {'part' if len(case.calls) == 1 else 'parts'}"
        yield "0 parse", parsed + (f"; not understood: {broken[0]}" if broken else "")
    else:
        yield "0 parse", f"too complex: {broken[0]}" if broken else "nothing that runs"
    yield "1 sandbox", _sandbox(policy, case, decision)
    yield "2 exact rule", _exact(policy, case)
    yield "3 classifier", _classifier(policy, case, decision)
    redirects = sum(len(call.redirects) for call in case.calls)
    joined = len(case.calls) > 1 or redirects
    counted = f"parts: {len(case.calls)}, redirects: {redirects}, each judged by itself"
    yield "4 operators", _combined(case) or (counted if joined else "none")
    yield "5 misparse gate", "skipped: there is no second parser to disagree with"
    yield "6 fan-out", _fan_out(case)


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


def _combined(case: Case) -> str:
    """What the parts are together, if a check found something."""
    found = [finding for finding in case.findings if finding.check not in LIMITS]
    return f"{found[0].verdict}: {found[0].text}" if found else ""


def _exact(policy: Policy, case: Case) -> str:
    wanted = f"Bash({case.text.strip()})"
    for verdict in (Verdict.DENY, Verdict.ASK, Verdict.ALLOW):
        for rule in policy.rules():
            if rule.verdict == verdict and rule.text == wanted:
                held = ", held until every part has passed" if verdict == Verdict.ALLOW else ""
                return f"{verdict}: {rule.text} ({rule.where}){held}"
    return PASSES


def _fan_out(case: Case) -> str:
    folders = sum(call.program == "cd" for call in case.calls)
    text = f"{len(case.calls)} of at most {MAX_SUBCOMMANDS_FOR_SECURITY_CHECK} parts, {folders} cd"
    limits = [finding for finding in case.findings if finding.check in LIMITS]
    return f"{limits[0].verdict}: {limits[0].text}" if limits else text


def _parts(policy: Policy, case: Case, decision: PermissionDecision) -> Iterator[Step]:
    allowing = rules_for_calls(policy, case)
    for number, call in enumerate(case.calls, 1):
        name = f"7 part {number}"
        yield name, shown(call)
        about = [reason for reason in decision.reasons if reason.call == number]
        yield f"{name}: exact, prefix and wildcard rules", _rules(policy, call, allowing.get(number))
        yield f"{name}: injection checks", _said(about, ("check",)) or PASSES
        yield f"{name}: path constraints", _said(about, ("floor", "deny", "ask")) or PASSES
        if (call.program or "").endswith("sed"):
            gaps = [gap.why for gap in case.gaps if gap.call == number]
            yield f"{name}: sed constraints", f"ask: {gaps[0]}" if gaps else PASSES
        yield f"{name}: mode", _said(about, ("plan", "mode", "grant"), at_least=Verdict.ASK) or PASSES
        yield f"{name}: read-only", _said(about, ("mode", "grant", "allow")) or "nothing is known about it"


def _rules(policy: Policy, call: Call, allowing: Rule | None) -> str:
    rule = restraining(policy, call) or allowing
    return f"{rule.verdict}: {rule.text} ({rule.where})" if rule else PASSES


def restraining(policy: Policy, call: Call) -> Rule | None:
    """The strictest deny or ask rule about the words of one part."""
    words = tuple(word.text if word.value is None else word.value for word in call.words)
    program = words[0][words[0].rfind("/") + 1 :] if words else ""
    for verdict in (Verdict.DENY, Verdict.ASK):
        for rule in policy.candidates(verdict, "words", program):
            if catches_words(policy.target(rule.text), words):
                return rule
    return None


def _said(reasons: list[Reason], steps: tuple[str, ...], at_least: Verdict = Verdict.ALLOW) -> str:
    found = [reason for reason in reasons if reason.step in steps and reason.verdict >= at_least]
    if not found:
        return ""
    strictest = max(found, key=lambda reason: reason.verdict)
    return f"{strictest.verdict}: {strictest.text}"


def _answer(decision: PermissionDecision) -> Step:
    return "answer", f"{decision.verdict}: {decision.reason}"
