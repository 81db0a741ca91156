"""One tool call to one decision: analyse, locate, check, decide. Pure, given a world to look at."""

from __future__ import annotations

from assent.policy import protected
from assent.policy.case import Case, anchored
from assent.policy.decide import decide
from assent.policy.restrain import path_rule_matches
from assent.policy.workflow import MUTATIONS, OPERATIONS
from assent.record import replace
from assent.tools.analyse import analyse, family_of
from assent.tools.table import CANONICAL
from assent.types import Analysis, Effect, Gap, PermissionDecision, Reason, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.compiled import Policy
    from assent.types import Finding, ToolCall, Words, World

ON_DISK = frozenset({"read", "list", "search", "write", "delete"})
WALKED = frozenset({"read", "search", "write", "delete"})


def judge(call: ToolCall, policy: Policy, world: World, own: tuple[str, ...] = ()) -> PermissionDecision:
    """Decide about a tool call. INVARIANT: a failure of ours is a denial that says so."""
    try:
        case = build_case(call, understand(call), policy, world, own)
        decision = decide(policy, case)
        return _with_suggestions(case, decision) if decision.requires_confirmation else decision
    except Exception as error:
        text = f"the checker failed: {type(error).__name__}: {error}"
        return PermissionDecision(Verdict.DENY, (Reason(Verdict.DENY, "error", text),), policy_digest=policy.digest)


def understand(call: ToolCall) -> Analysis:
    """What a call would do; a caller may also describe its tool by nothing but the claim that it changes things."""
    if call.read_only is None or call.input:
        return analyse(call)
    return Analysis((Effect("note" if call.read_only else "call", call.tool, code="tool"),))


def build_case(call: ToolCall, analysis: Analysis, policy: Policy, world: World, own: tuple[str, ...]) -> Case:
    """Everything the deciding function needs, effects located and doubts turned into gaps."""
    bare = Case(
        call,
        tool_names(call.tool),
        commands=_commands(analysis.text),
        text=analysis.text,
        homes=world.roots(world.home),
        projects=world.roots(call.workspace) if call.workspace else (),
        own=own,
        identity=next((e for e in analysis.effects if e.kind == "call" and not e.possible), None),
    )
    gaps = list(analysis.gaps)
    effects = []
    for effect in _claimed(call, analysis.effects):
        placed = _locate(effect, bare, policy, world, gaps) if effect.kind in ON_DISK else effect
        effects.append(placed)
        if placed.at is not None and placed.at.trouble:
            gaps.append(Gap(f"{effect.target}: {placed.at.trouble}", blind=not effect.possible))
    return replace(bare, effects=tuple(effects), gaps=tuple(gaps), findings=tuple(_findings(analysis)))


def _with_suggestions(case: Case, decision: PermissionDecision) -> PermissionDecision:
    from assent.policy.suggest import suggest

    return replace(decision, suggestions=suggest(case, decision))


def tool_names(tool: str) -> tuple[str, ...]:
    """The host's own name of a tool and the one rules use."""
    canonical = CANONICAL.get(family_of(tool), "")
    return (tool, canonical) if canonical and canonical != tool else (tool,)


def _claimed(call: ToolCall, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """A caller who says its tool changes something is believed."""
    if call.read_only is not False or any(OPERATIONS.get(e.kind) in MUTATIONS and not e.possible for e in effects):
        return effects
    return (*effects, Effect("call", call.tool, code="tool", arguments=call.input))


def _locate(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap]) -> Effect:
    place = world.locate(effect.target, case.call.cwd)
    if effect.deep and place.folder and effect.kind in WALKED:
        skip = effect.code == "search.tracked"
        found, complete = world.below(place.path, _protects(policy, case, effect), effect.only, skip_ignored=skip)
        place = replace(place, below=tuple(found))
        if not complete:
            gaps.append(Gap(f"{effect.target} holds too many files to look through", blind=True))
    if effect.kind == "write" and place.links > 1:
        gaps.append(Gap(f"{effect.target} has {place.links} names; another one may lie outside the project"))
    return replace(effect, at=place)


def _protects(policy: Policy, case: Case, effect: Effect) -> Callable[[str], bool]:
    """Whether a file below a folder is one that floor, deny or ask could be about."""
    changes = effect.kind in ("write", "delete")
    denied = [pattern for pattern, allow in policy.table["path_rules"] if not allow]

    def wanted(path: str) -> bool:
        return (
            protected.on_the_floor(path)
            or protected.is_secret(path)
            or (changes and (protected.is_own(path) or protected.is_started(path, case.home)))
            or any(path_rule_matches(pattern, path, case) for pattern in denied)
            or any(
                policy.candidates(verdict, f"path:{anchor}", text)
                for verdict in (Verdict.DENY, Verdict.ASK)
                for anchor, text in anchored(path, case, loose=True)
            )
        )

    return wanted


def _commands(text: str) -> tuple[Words, ...]:
    if not text:
        return ()
    from assent.shell.scan import scan

    return scan(text)


def _findings(analysis: Analysis) -> Iterator[Finding]:
    from assent.checks import CHECKS

    for check in CHECKS:
        yield from check.find(analysis)
