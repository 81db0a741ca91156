"""One tool call to one decision: understand, locate, check, decide. Pure, given a world to look at."""

from __future__ import annotations

from assent import protected
from assent.budget import Budget
from assent.checks import checks_for
from assent.locate import ON_DISK, located
from assent.policy.case import Case
from assent.policy.decide import decide
from assent.policy.workflow import MUTATIONS, OPERATIONS
from assent.record import maker, replace, setter
from assent.types import CODE_RUNS, Analysis, Effect, Finding, Gap, PermissionDecision, Reason, Verdict
from assent.understand import understand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assent.policy.compiled import Policy
    from assent.types import Choice, Seen, Stage, ToolCall, Words, World


new_case = maker(Case)
put_effects, put_gaps, put_findings = setter(Case, "effects"), setter(Case, "gaps"), setter(Case, "findings")
put_choices = setter(Case, "choices")
put_lines, put_public = setter(Case, "lines"), setter(Case, "public")
NO_GRANTS: frozenset[str] = frozenset()


def judge(
    call: ToolCall,
    policy: Policy,
    world: World,
    own: tuple[str, ...] = (),
    grants: frozenset[str] = frozenset(),
    *,
    sandbox: str = "",
    counts: Mapping[str, int] | None = None,
) -> PermissionDecision:
    """Decide about a tool call, without suggestions. INVARIANT: a failure of ours is a denial that says so."""
    try:
        case = _case(call, policy, world, own)
        if grants or sandbox or counts is not None:
            case = replace(case, grants=grants, sandbox=sandbox, counts=counts)
        return decide(policy, case)
    except Exception as error:
        return _failed(error, policy)


def examine(
    call: ToolCall,
    policy: Policy,
    world: World,
    own: tuple[str, ...] = (),
    grants: frozenset[str] = frozenset(),
    *,
    sandbox: str = "",
    counts: Mapping[str, int] | None = None,
    suggest: bool = True,
    prefix: Callable[[str], str | None] | None = None,
) -> tuple[Case | None, PermissionDecision]:
    """The decision and what it was made from (None when we failed before); with rules that would answer a question."""
    try:
        case = replace(_case(call, policy, world, own), grants=grants, sandbox=sandbox, counts=counts)
        decision = decide(policy, case)
    except Exception as error:
        return None, _failed(error, policy)
    if suggest and decision.requires_confirmation:
        decision = suggest_rules(case, decision, prefix)
    return case, decision


def _case(call: ToolCall, policy: Policy, world: World, own: tuple[str, ...]) -> Case:
    budget, now = Budget(), getattr(world, "now", None)
    return build_case(call, understand(call, world.home, budget), policy, now(budget) if now else world, own, budget)


def _failed(error: Exception, policy: Policy) -> PermissionDecision:
    text = f"the checker failed: {type(error).__name__}: {error}"
    return PermissionDecision(Verdict.DENY, (Reason(Verdict.DENY, "error", text),), policy_digest=policy.digest)


def build_case(
    call: ToolCall, analysis: Analysis, policy: Policy, world: World, own: tuple[str, ...], budget: Budget | None = None
) -> Case:
    """Everything the deciding function needs, effects located and doubts turned into gaps.

    INVARIANT: whatever is left out because the budget is spent, the first gap says so.
    """
    analysis = _with_code(analysis, call, world)
    effects, calls, text, budget = analysis.effects, analysis.calls, analysis.text, budget or Budget()
    if call.read_only is False:
        effects = _claimed(call, effects)
    doubts, said = list(analysis.gaps), budget.ended
    commands: tuple[Words, ...] = ()
    lines: tuple[tuple[Stage, ...], ...] = ()
    if policy.restrains_commands and text:
        commands, lines = _found_commands(analysis, policy, world, budget)
    names, homes = _names.get(call.tool) or tool_names(call.tool), world.roots(world.home)
    projects = world.roots(call.workspace) if call.workspace else ()
    own = tuple([root for folder in own for root in world.roots(folder)]) if own else ()
    moved: tuple[str, ...] = ()
    touches, spawns, leaves, identity = _survey(effects, call.cwd, projects)
    if leaves:
        projects = _with_worktrees(projects, world)
    if spawns:
        effects = _with_mode_requests(effects, call, policy, world)
    if touches and (pairs := world.moved()):
        moved = tuple([real for usual, real in pairs if protected.on_the_floor(usual)])
    case = new_case(call, names, (), (), (), commands, calls, text, homes, projects, own, moved, NO_GRANTS, identity)
    if lines:
        put_lines(case, lines)
    if projects:
        put_public(case, world.is_public)
    put_effects(case, tuple(located(effects, case, policy, world, doubts, budget)))
    if budget.ended >= 0 > said:
        doubts.insert(0, Gap(budget.why, blind=True))
    put_gaps(case, tuple(doubts))
    if policy.names_commands and calls:
        put_choices(
            case, _choices(case, [number for number, one in enumerate(calls, 1) if policy.may_name(one.program)])
        )
    if found := _findings(case if calls else analysis):
        put_findings(case, found)
    return case


def _findings(seen: Seen) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for check in checks_for(seen):
        found += check.find(seen)
    return tuple(found)


def _choices(case: Case, numbers: Iterable[int]) -> dict[int, tuple[Choice, ...]]:
    """The words of these calls that a rule must spell itself."""
    from assent.commands.choices import choices_of

    base, roots = case.call.cwd, case.projects or (case.call.cwd,)
    return {number: choices_of(case.calls[number - 1], number, base, roots) for number in numbers}


def suggest_rules(
    case: Case, decision: PermissionDecision, prefix: Callable[[str], str | None] | None = None
) -> PermissionDecision:
    """The decision with rules that would answer its question, about whichever calls it is."""
    from assent.policy.suggest import open_questions, with_suggestions

    asking = {reason.call for reason in open_questions(case, decision)}
    if not asking:
        return decision
    whole = replace(case, choices=_choices(case, asking - {0})) if case.calls else case
    return with_suggestions(whole, decision, prefix)


def _survey(effects: tuple[Effect, ...], cwd: str, projects: tuple[str, ...]) -> tuple[bool, bool, bool, Effect | None]:
    """Whether anything is on the disk, is an agent, may lie outside of the project; and the first call of a tool."""
    touches, spawns, identity = False, False, None
    leaves = bool(projects) and _may_leave(cwd, projects[-1])
    for effect in effects:
        kind = effect.kind
        if kind in ON_DISK:
            touches = True
        elif kind == "spawn":
            spawns = True
        elif kind == "call" and identity is None and not effect.possible:
            identity = effect
        if projects and not leaves:
            leaves = _may_leave(effect.target, projects[-1])
    return touches, spawns, leaves, identity


def _may_leave(path: str, root: str) -> bool:
    """Whether a path is written as one that may lie outside of the folder; a link inside may lead there as well."""
    return ".." in path or (path[:1] in ("/", "~") and path != root and not path.startswith(f"{root}/"))


def _with_worktrees(roots: tuple[str, ...], world: World) -> tuple[str, ...]:
    """The folder of a project by all its names, and its linked working trees, which count as it; most have none."""
    kept = world.locate(f"{roots[-1]}/.git", "/")
    if not kept.exists or (kept.folder and not world.locate(f"{kept.path}/worktrees", "/").folder):
        return roots
    from assent.repository import linked_worktrees

    return roots + tuple([root for tree in linked_worktrees(roots[-1], world) for root in world.roots(tree)])


def _with_code(analysis: Analysis, call: ToolCall, world: World) -> Analysis:
    """The code that a command line runs is read where there is any."""
    for effect in analysis.effects:
        if effect.kind == "run" and effect.code in CODE_RUNS and not effect.possible:
            from assent.scripts import read_code

            return read_code(analysis, call, world)
    return analysis


def _with_mode_requests(
    effects: tuple[Effect, ...], call: ToolCall, policy: Policy, world: World
) -> tuple[Effect, ...]:
    """A subagent is started: what its manifest asks for is part of what the call does."""
    from assent.manifests import mode_requests

    return (*effects, *mode_requests(effects, call, policy.mode, world))


def _found_commands(
    analysis: Analysis, policy: Policy, world: World, budget: Budget
) -> tuple[tuple[Words, ...], tuple[tuple[Stage, ...], ...]]:
    """What rules on commands are compared with; the lines only where a rule is about one."""
    from assent.candidates import commands_in, lines_in

    commands = commands_in(analysis, policy.concerns, world.home, budget, policy.restrained_programs)
    programs = {command.words[0][command.words[0].rfind("/") + 1 :] for command in commands}
    return commands, lines_in(analysis, commands, policy.concerns) if policy.restrains_line(programs) else ()


def tool_names(tool: str) -> tuple[str, ...]:
    """The host's own name of a tool, without a namespace before it, and the one rules use."""
    names = _names.get(tool)
    if names is None:
        from assent.tools.analyse import family_of, plain_name
        from assent.tools.table import CANONICAL

        names = tuple(dict.fromkeys(filter(None, (tool, plain_name(tool), CANONICAL.get(family_of(tool), "")))))
        if len(_names) < MOST_NAMES:
            _names[tool] = names
    return names


_names: dict[str, tuple[str, ...]] = {"Bash": ("Bash",)}
"""Known before the table of all tools is loaded, which a hook for a command line can do without."""
MOST_NAMES = 1_000


def _claimed(call: ToolCall, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """A caller who says its tool changes something is believed."""
    if any(OPERATIONS.get(e.kind) in MUTATIONS and not e.possible for e in effects):
        return effects
    return (*effects, Effect("call", call.tool, code="tool", arguments=call.input))


def forget() -> None:
    """Drop what is remembered from earlier command lines: no answer changes, only the next ones take longer."""
    from assent import locate
    from assent.commands import args
    from assent.shell import state

    _names.clear()
    for remembering in (protected, state, args, locate):
        remembering.forget()


def is_known_tool(name: str) -> bool:
    """Whether a name tells what the tool does: it is one of a known agent, or says to which MCP server it belongs."""
    from assent.tools.analyse import family_of

    return family_of(name) not in ("other", "unreadable")
