"""One tool call to one decision: understand, locate, check, decide. Pure, given a world to look at."""

from __future__ import annotations

from assent import protected
from assent.locate import located
from assent.policy.case import Case
from assent.policy.decide import decide
from assent.policy.workflow import MUTATIONS, OPERATIONS
from assent.record import replace
from assent.tools.analyse import family_of, plain_name
from assent.tools.table import CANONICAL
from assent.types import Analysis, Effect, PermissionDecision, Reason, Verdict
from assent.understand import commands_in, understand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.compiled import Policy
    from assent.types import Finding, ToolCall, World


def judge(
    call: ToolCall, policy: Policy, world: World, own: tuple[str, ...] = (), grants: frozenset[str] = frozenset()
) -> PermissionDecision:
    """Decide about a tool call, without suggestions. INVARIANT: a failure of ours is a denial that says so."""
    return _decided(call, policy, world, own, grants)[1]


def examine(
    call: ToolCall, policy: Policy, world: World, own: tuple[str, ...] = (), grants: frozenset[str] = frozenset()
) -> tuple[Case | None, PermissionDecision]:
    """The decision with rules that would answer a question, and what it was made from (None when we failed before)."""
    case, decision = _decided(call, policy, world, own, grants)
    if case is not None and decision.requires_confirmation:
        from assent.policy.suggest import with_suggestions

        decision = with_suggestions(case, decision)
    return case, decision


def _decided(
    call: ToolCall, policy: Policy, world: World, own: tuple[str, ...], grants: frozenset[str]
) -> tuple[Case | None, PermissionDecision]:
    try:
        case = build_case(call, understand(call, world.home), policy, world, own)
        case = replace(case, grants=grants) if grants else case
        return case, decide(policy, case)
    except Exception as error:
        text = f"the checker failed: {type(error).__name__}: {error}"
        return None, PermissionDecision(
            Verdict.DENY, (Reason(Verdict.DENY, "error", text),), policy_digest=policy.digest
        )


def build_case(call: ToolCall, analysis: Analysis, policy: Policy, world: World, own: tuple[str, ...]) -> Case:
    """Everything the deciding function needs, effects located and doubts turned into gaps."""
    bare = Case(
        call,
        tool_names(call.tool),
        commands=commands_in(analysis) if policy.restrains_commands() else (),
        calls=analysis.calls,
        text=analysis.text,
        homes=world.roots(world.home),
        projects=world.roots(call.workspace) if call.workspace else (),
        own=tuple([root for folder in own for root in world.roots(folder)]),
        moved=tuple([real for usual, real in world.moved() if protected.on_the_floor(usual)]),
        identity=next((e for e in analysis.effects if e.kind == "call" and not e.possible), None),
    )
    gaps = list(analysis.gaps)
    effects = tuple(located(_claimed(call, analysis.effects), bare, policy, world, gaps))
    seen = Analysis(effects, analysis.gaps, (), analysis.text, analysis.calls) if analysis.calls else analysis
    return replace(bare, effects=effects, gaps=tuple(gaps), findings=tuple(_findings(seen)))


def tool_names(tool: str) -> tuple[str, ...]:
    """The host's own name of a tool, without a namespace before it, and the one rules use."""
    names = _names.get(tool)
    if names is None:
        names = tuple(dict.fromkeys(filter(None, (tool, plain_name(tool), CANONICAL.get(family_of(tool), "")))))
        if len(_names) < MOST_NAMES:
            _names[tool] = names
    return names


_names: dict[str, tuple[str, ...]] = {}
MOST_NAMES = 1_000


def _claimed(call: ToolCall, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """A caller who says its tool changes something is believed."""
    if call.read_only is not False or any(OPERATIONS.get(e.kind) in MUTATIONS and not e.possible for e in effects):
        return effects
    return (*effects, Effect("call", call.tool, code="tool", arguments=call.input))


def _findings(analysis: Analysis) -> Iterator[Finding]:
    from assent.checks import checks_for

    for check in checks_for(analysis):
        yield from check.find(analysis)
