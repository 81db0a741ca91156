"""A decision to ask, turned into the question a person sees: all of it from the analysis, nothing from the agent.

Gives no verdict and draws nothing; `approval/display.py` puts it on a screen.
"""

from __future__ import annotations

from assent import wire
from assent.claims import contradictions
from assent.masking import secrets_in, without_secrets
from assent.policy.case import is_within
from assent.policy.steps import bash_steps, is_on_words, shown
from assent.questions import ApprovalRequest, Choice, Danger, Part
from assent.record import replace
from assent.types import Place, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Effect, Gap, PermissionDecision, Reason, World

VERBS = {
    "delete": ("deletes", "Deletes"),
    "write": ("writes", "Writes"),
    "change": ("changes", "Changes"),
    "send": ("sends data to", "Sends to"),
    "reach": ("reaches", "Network"),
    "run": ("runs", "Runs"),
    "call": ("calls", "Calls"),
    "spawn": ("starts", "Starts"),
    "read": ("reads", "Reads"),
    "search": ("searches", "Reads"),
    "list": ("lists", "Lists"),
}
"""Kinds of effects, what cannot be undone first: how a sentence says it, and the heading of its targets."""
THINGS = {"delete": "path", "write": "file", "read": "file", "search": "place", "list": "folder", "run": "program"}
QUIET = frozenset({"read", "search", "list", "note", "spawn"})
FINAL = frozenset({"delete", "send", "change", "call"})
GRAVE = (".force", ".hard", ".destroy", ".publish", ".drop", ".wipe", "privilege", "secret.print", "inline", "remote")
MOST_TARGETS = 500
MOST_EXAMPLES = 2


def question(
    identity: str, policy: Policy, case: Case, decision: PermissionDecision, world: World, description: str = ""
) -> ApprovalRequest:
    """The request for one decision; who asks fills in fingerprint and timeout."""
    call = case.call
    certain = [effect for effect in case.effects if not effect.possible and effect.kind in VERBS]
    made = ApprovalRequest(
        identity,
        call.tool,
        wire.dumps(call.input),
        case.text,
        agent=call.agent,
        session=call.session,
        chain=call.chain,
        cwd=call.cwd,
        workspace=call.workspace or "",
        branch=_branch(call.workspace, world),
        mode=policy.mode,
        policy_digest=policy.digest,
        sentence=_sentence(certain, case, world),
        danger=_danger(certain, case, decision),
        undoable=_undoable(certain, case),
        parts=tuple(_parts(case, decision)),
        targets=tuple(_targets(case)),
        why=tuple(_why(decision)),
        description=description,
        warnings=contradictions(description, certain, case.gaps, case.calls),
        choices=tuple(_choices(case, decision)),
        trace=(*decision.trace, *(bash_steps(policy, case, decision) if case.text else ())),
        asked_at=call.at,
    )
    secrets = secrets_in(case.text)
    return _kept_quiet(made, secrets) if secrets else made


def _kept_quiet(request: ApprovalRequest, secrets: tuple[str, ...]) -> ApprovalRequest:
    """The same without the secrets of the command in sentences about it, where nothing tells what they are."""

    def quiet(text: str) -> str:
        return without_secrets(text, secrets)

    return replace(
        request,
        sentence=quiet(request.sentence),
        parts=tuple([replace(part, why=quiet(part.why)) for part in request.parts]),
        targets=tuple([(label, tuple(map(quiet, found))) for label, found in request.targets]),
        why=tuple(map(quiet, request.why)),
        trace=tuple([(step, quiet(said)) for step, said in request.trace]),
    )


# --- in one sentence -----------------------------------------------------------------------------------------------


def _sentence(effects: list[Effect], case: Case, world: World) -> str:
    said = [_clause(kind, found, case, world) for kind in VERBS if (found := _of_kind(effects, kind))]
    explained = {effect.call for effect in effects}
    if any(gap.blind and gap.call not in explained for gap in case.gaps) or (case.gaps and not said):
        said.append("does something that is not understood")
    text = ", ".join(said[:-1]) + " and " + said[-1] if len(said) > 1 else "".join(said)
    return (text[:1].upper() + text[1:]) or f"Calls {case.call.tool}"


def _of_kind(effects: list[Effect], kind: str) -> list[Effect]:
    return list({effect.target: effect for effect in effects if effect.kind == kind}.values())


def _clause(kind: str, effects: list[Effect], case: Case, world: World) -> str:
    verb = VERBS[kind][0]
    outside = [e for e in effects if isinstance(e.at, Place) and not _inside(e.at, case)] if case.projects else []
    where = " outside the project" if outside and len(outside) == len(effects) else ""
    if outside and not where:
        where = f", {len(outside)} of them outside the project"
    if len(effects) > 1:
        thing = THINGS.get(kind, "target")
        return f"{verb} {len(effects)} {thing}s{where}"
    return f"{verb} {_target(effects[0])}{_size(effects[0], world)}{where}"


def _size(effect: Effect, world: World) -> str:
    """How many files and folders a deletion would take along."""
    if effect.kind != "delete" or not isinstance(effect.at, Place) or not (effect.deep and effect.at.folder):
        return ""
    found, complete = world.below(effect.at.path, lambda path: True)  # noqa: ARG005 - every file counts
    number = len(tuple(found))
    return f" and {'' if complete else 'more than '}{number} thing{'' if number == 1 else 's'} in it"


def _inside(place: Place, case: Case) -> bool:
    return all(any(is_within(name, root) for root in case.projects) for name in place.names)


def _target(effect: Effect) -> str:
    if isinstance(effect.at, Url):
        return effect.at.host or effect.target
    return effect.target


def _danger(effects: list[Effect], case: Case, decision: PermissionDecision) -> Danger:
    codes = [effect.code for effect in effects]
    outside = any(
        effect.kind in ("write", "delete") and isinstance(effect.at, Place) and not _inside(effect.at, case)
        for effect in effects
    )
    found = any(reason.step == "check" for reason in decision.reasons if reason.verdict > Verdict.ALLOW)
    if outside or found or any(code.endswith(GRAVE) for code in codes) or any(gap.blind for gap in case.gaps):
        return "high"
    if any((effect.kind == "delete" and effect.deep) or effect.kind == "send" for effect in effects):
        return "high"
    return "medium" if case.gaps or any(effect.kind not in QUIET for effect in effects) else "low"


def _undoable(effects: list[Effect], case: Case) -> bool:
    """Whether nothing would be lost or leave the machine; what is not understood may do both."""
    if case.gaps or any(effect.kind in FINAL or effect.kind == "run" for effect in effects):
        return False
    return not any(effect.kind == "write" and isinstance(effect.at, Place) and effect.at.exists for effect in effects)


# --- part by part --------------------------------------------------------------------------------------------------


def _parts(case: Case, decision: PermissionDecision) -> Iterator[Part]:
    if not case.calls:
        reason = decision.decisive
        yield Part(case.text or _headline(case), str(decision.verdict), reason.text, rule=_rule(reason))
        return
    index = PartIndex(case, decision)
    for number, call in enumerate(case.calls, 1):
        about = index.strictest(number)
        verdict = about.verdict if about else Verdict.ALLOW
        text = about.text if about else "changes nothing by itself"
        if about and about.rule and about.verdict > Verdict.ALLOW and is_on_words(about):
            text = about.rule.message or f"matches {about.verdict} rule"
        yield Part(shown(call), str(verdict), text, call.via, _rule(about) if about else "")


class PartIndex:
    """The reasons and gaps of each part of a command line, counted from 1; sorted once for all of them."""

    def __init__(self, case: Case, decision: PermissionDecision) -> None:
        self._calls = case.calls
        self._gaps: dict[int, list[Gap]] = {}
        self._placed: dict[tuple[int, int], list[Gap]] = {}
        self._reasons: dict[int, list[Reason]] = {}
        for gap in case.gaps:
            self._gaps.setdefault(gap.call, []).append(gap)
            if not gap.call and gap.span is not None:
                self._placed.setdefault((gap.span.start, gap.span.end), []).append(gap)
        for reason in decision.reasons:
            self._reasons.setdefault(reason.call, []).append(reason)
        self._about: dict[str, list[Reason]] = {}
        """The strictest reason for each gap, as far as there is one."""

    def gaps(self, number: int) -> list[Gap]:
        """What is not understood about a part."""
        return [*self._gaps.get(number, ()), *self._told_by_place(number)]

    def _told_by_place(self, number: int) -> list[Gap]:
        """The shell says some gaps by place and program, not by number: `text that bash reads`."""
        call = self._calls[number - 1]
        if call.span is None:
            return []
        found = self._placed.get((call.span.start, call.span.end), ())
        return [gap for gap in found if (call.program or "") in gap.why.split(" ")]

    def strictest(self, number: int) -> Reason | None:
        """The reason that decides about a part; None when nobody has a word for it.

        INVARIANT: a part that is not understood is never shown as allowed while that is what the question is about.
        """
        about = [*self._reasons.get(number, ())]
        for why in {gap.why for gap in self._told_by_place(number)}:
            if why not in self._about:
                found = [one for one in self._reasons.get(0, ()) if why in one.text]
                self._about[why] = [max(found, key=lambda reason: reason.verdict)] if found else []
            about += self._about[why]
        return max(about, key=lambda reason: reason.verdict, default=None)


def _headline(case: Case) -> str:
    certain = [effect for effect in case.effects if not effect.possible]
    return f"{case.call.tool} {certain[0].target}" if certain else case.call.tool


def _rule(reason: Reason) -> str:
    return f"{reason.rule.text} ({reason.rule.where})" if reason.rule else ""


def _targets(case: Case) -> Iterator[tuple[str, tuple[str, ...]]]:
    headings = dict.fromkeys(heading for _, heading in VERBS.values())
    for heading in headings:
        kinds = [kind for kind, (_, title) in VERBS.items() if title == heading]
        found = dict.fromkeys(
            f"{_target(e)}{'/**' if e.deep else ''}{' (possibly)' if e.possible else ''}"
            for e in case.effects
            if e.kind in kinds
        )
        if found:
            more = len(found) - MOST_TARGETS
            yield heading, (*tuple(found)[:MOST_TARGETS], *((f"and {more} more",) if more > 0 else ()))


def _why(decision: PermissionDecision) -> Iterator[str]:
    strict = max(decision.verdict, Verdict.ASK)
    asking = (reason for reason in decision.reasons if reason.verdict == strict)
    yield from dict.fromkeys(reason.text + (f" — {_rule(reason)}" if reason.rule else "") for reason in asking)


def _branch(workspace: str | None, world: World) -> str:
    head = world.read(f"{workspace}/.git/HEAD", 1_000) if workspace else None
    name = head.decode(errors="replace").strip() if head else ""
    return name.removeprefix("ref: refs/heads/") if name.startswith("ref: ") else name[:12]


# --- what a lasting answer could say -------------------------------------------------------------------------------


def _choices(case: Case, decision: PermissionDecision) -> Iterator[Choice]:
    yield from _unchanged(case, decision)
    for rule in decision.suggestions:
        yield Choice((rule,), *_examples(rule))
    if decision.together:
        stops = [text for rule in decision.together for text in _examples(rule)[1][:1]]
        yield Choice(decision.together, (case.text,) if case.text else (), tuple(stops[:MOST_EXAMPLES]))


def _unchanged(case: Case, decision: PermissionDecision) -> Iterator[Choice]:
    """Where only commands of the project ask, they can be allowed for as long as what defines them stays the same."""
    asking = [reason for reason in decision.reasons if reason.verdict == Verdict.ASK]
    marked = {
        (effect.call, effect.target): (effect.target, str(effect.arguments["fingerprint"]))
        for effect in case.effects
        if effect.code == "project" and effect.arguments and "fingerprint" in effect.arguments
    }
    wanted = [(reason.call, reason.subject) for reason in asking]
    if asking and all(place in marked for place in wanted):
        marks = tuple(dict.fromkeys(marked[place] for place in wanted))
        text = " and ".join(f"{command} while the files that define it are unchanged" for command, _ in marks)
        yield Choice((text,), (case.text,), ("the same command after its files have changed",), marks)


def _examples(rule: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a rule would let through, and close things it would not; each compared with the rule."""
    inner = rule[rule.find("(") + 1 : -1]
    if rule.startswith("Bash("):
        return _command_examples(rule, inner)
    if inner.endswith("/**"):
        folder = inner.removesuffix("/**")
        return (inner.replace("**", "a.txt"), inner.replace("**", "deeper/b.txt")), (f"{folder}.txt", "../elsewhere")
    return (inner,), (f"{inner}.bak",)


def _command_examples(rule: str, inner: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    from assent.policy.match import vouches_words
    from assent.policy.rules import read_rule

    prefix = inner.removesuffix(":*")
    program = prefix.split(" ")[0]
    target = read_rule(rule)
    tries = (prefix, f"{prefix} --other-option", f"{prefix} other", f"{program} something-else", f"{program} --other")
    passes = [text for text in tries if vouches_words(target, tuple(text.split(" ")))]
    stops = [text for text in tries if text not in passes] + [f"{prefix} && anything else", f"X=1 {prefix}"]
    return tuple(passes[:MOST_EXAMPLES]), tuple(stops[:MOST_EXAMPLES])
