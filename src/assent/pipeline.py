"""One tool call to one decision: analyse, locate, check, decide. Pure, given a world to look at."""

from __future__ import annotations

from assent.policy import protected
from assent.policy.case import Case, is_within
from assent.policy.decide import decide
from assent.policy.lookup import path_is_caught
from assent.policy.restrain import path_rule_matches
from assent.policy.workflow import MUTATIONS, OPERATIONS
from assent.record import replace
from assent.tools.analyse import analyse, family_of, plain_name
from assent.tools.table import CANONICAL
from assent.types import Analysis, Effect, Gap, PermissionDecision, Reason, Verdict, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.compiled import Policy
    from assent.types import Finding, Place, Skip, ToolCall, World

ON_DISK = frozenset({"read", "list", "search", "write", "delete"})
WALKED = frozenset({"read", "search", "write", "delete"})
READS = frozenset({"read", "list", "search"})
SKIPS: dict[str, Skip] = {"search.tracked": "all", "search.folders": "folders"}
"""How search tools treat ignore files, by the code of the effect."""


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
    analysis = analyse(call)
    if call.read_only is None or call.input:
        return analysis
    claim = Effect("note" if call.read_only else "call", call.tool, code="tool")
    return Analysis((*analysis.effects, claim))


def build_case(call: ToolCall, analysis: Analysis, policy: Policy, world: World, own: tuple[str, ...]) -> Case:
    """Everything the deciding function needs, effects located and doubts turned into gaps."""
    bare = Case(
        call,
        tool_names(call.tool),
        commands=_commands(analysis.text),
        text=analysis.text,
        homes=world.roots(world.home),
        projects=world.roots(call.workspace) if call.workspace else (),
        own=tuple(root for folder in own for root in world.roots(folder)),
        moved=tuple(real for usual, real in world.moved() if protected.on_the_floor(usual)),
        identity=next((e for e in analysis.effects if e.kind == "call" and not e.possible), None),
    )
    gaps = list(analysis.gaps)
    effects = []
    for effect in _claimed(call, analysis.effects):
        placed = _locate(effect, bare, policy, world, gaps) if effect.kind in ON_DISK else effect
        effects.append(placed)
        if placed.at is not None and placed.at.trouble:
            reading = effect.kind in READS
            gaps.append(Gap(f"{effect.target}: {placed.at.trouble}", blind=not effect.possible, reading=reading))
    return replace(bare, effects=tuple(effects), gaps=tuple(gaps), findings=tuple(_findings(analysis)))


def _with_suggestions(case: Case, decision: PermissionDecision) -> PermissionDecision:
    from assent.policy.suggest import suggest

    return replace(decision, suggestions=suggest(case, decision))


def tool_names(tool: str) -> tuple[str, ...]:
    """The host's own name of a tool, without a namespace before it, and the one rules use."""
    return tuple(dict.fromkeys(filter(None, (tool, plain_name(tool), CANONICAL.get(family_of(tool), "")))))


def _claimed(call: ToolCall, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """A caller who says its tool changes something is believed."""
    if call.read_only is not False or any(OPERATIONS.get(e.kind) in MUTATIONS and not e.possible for e in effects):
        return effects
    return (*effects, Effect("call", call.tool, code="tool", arguments=call.input))


def _locate(effect: Effect, case: Case, policy: Policy, world: World, gaps: list[Gap]) -> Effect:
    place = world.locate(effect.target, case.call.cwd)
    if effect.deep and place.exists and not place.folder:
        effect = replace(effect, deep=False)
    wanted = _protects(policy, case, effect, place) if place.folder and effect.kind in WALKED else None
    if wanted is not None:
        found, complete = world.below(place.path, wanted, effect.only, skip_ignored=SKIPS.get(effect.code, ""))
        place = replace(place, below=tuple(found))
        effect = replace(effect, deep=effect.deep or bool(place.below))
        if not (complete or effect.possible):
            why = f"{effect.target} could not be looked through completely"
            gaps.append(Gap(why, blind=True, reading=effect.kind in READS))
    if effect.kind == "write" and place.links > 1 and not effect.possible:
        why = f"{effect.target} has {place.links} names; another one may lie outside the project"
        gaps.append(Gap(why, blind=True))
    return replace(effect, at=place)


def _protects(policy: Policy, case: Case, effect: Effect, place: Place) -> Callable[[str], bool] | None:
    """Which files below a folder matter to floor, deny or ask; None when there is no need to look."""
    changes = effect.kind in ("write", "delete")
    denied = [pattern for pattern, allow in policy.table["path_rules"] if not allow]
    closed = (*(inner for home in case.homes for inner in protected.home_places(home)), *case.moved)
    longest = max(map(len, closed), default=0)

    def ruled(path: str) -> bool:
        return any(path_rule_matches(pattern, path, case) for pattern in denied) or path_is_caught(
            policy, path, case, folded=place.folded
        )

    def wanted(path: str) -> bool:
        return (
            protected.on_the_floor(path)
            or protected.is_secret(path)
            or (changes and (protected.is_own(path) or protected.is_started(path, case.home, case.projects)))
            or (len(path) < longest and any(is_within(inner, path) for inner in closed))
            or ruled(path)
        )

    if effect.possible and effect.code != "copied":
        return ruled if denied or policy.has_path_rules() else None
    return wanted if effect.deep else None


def _commands(text: str) -> tuple[Words, ...]:
    """Every command that either reading finds in a text; good for finding what is denied, not for allowing."""
    if not text:
        return ()
    from assent.shell.calls import calls_of
    from assent.shell.scan import scan

    strict = [tuple(word.text if word.value is None else word.value for word in c.words) for c in calls_of(text).calls]
    found = {found.words: found for found in scan(text)} | {
        words: Words(words) for words in strict if words and words[0]
    }
    return tuple(found.values())


def _findings(analysis: Analysis) -> Iterator[Finding]:
    from assent.checks import CHECKS

    for check in CHECKS:
        yield from check.find(analysis)
