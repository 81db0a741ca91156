"""One call judged as things stand now: the policy files, the mode of its session, and what people granted.

Asks nobody. A hook that can answer at once needs no more than this and the journal.
"""

from __future__ import annotations

import os

from assent.errors import AssentError
from assent.folders import own_folders, state_folder
from assent.layers import chosen_mode, load_policy, start_untrusted
from assent.pipeline import examine
from assent.record import record
from assent.types import Verdict
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Mode, PermissionDecision, Rule, ToolCall


@record
class Judged:
    """One judgement and what it was made from; `case` is None when we failed before there was one."""

    call: ToolCall
    policy: Policy
    case: Case | None
    decision: PermissionDecision
    problem: str = ""
    """What is wrong with the file of grants; such a file grants nothing."""


class Judge:
    """Everything a judgement depends on besides the call. `settings` stand in for the policy files, and `untrusted` for
    what those say about repositories that nobody has trusted yet."""

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        world: DiskWorld | None = None,
        state: str | None = None,
        settings: Policy | None = None,
        untrusted: Mode | None = None,
        sandbox: str = "",
    ) -> None:
        self.env = env
        self.world = world or DiskWorld(env=env)
        self.state = state or state_folder(env, self.world.home)
        self.settings, self.untrusted = settings, untrusted
        self.sandbox = sandbox
        """What is known about how shell commands will run, as in `Case.sandbox`."""
        self.own = own_folders(env, self.world.home)

    def judge(self, call: ToolCall, now: float) -> Judged:
        """Read everything anew and decide."""
        policy = self.settings or load_policy(self.env, call.workspace, self.world, session=call.session).policy
        if self.settings is not None:
            policy = start_untrusted(self.settings, self.untrusted, self.state, call.workspace, self.world)
            known = policy is self.settings
            chosen = chosen_mode(self.state, None, self.world, call.session, everywhere=known)
            policy = policy.in_mode(chosen or policy.mode)
        widened, marks, problem = self._granted(policy, call, now)
        limited = policy.limited()
        counts = self._counts(limited, call.session, now) if limited else None
        case, decision = examine(
            call, widened, self.world, self.own, marks, sandbox=self.sandbox, counts=counts, suggest=False
        )
        return Judged(call, policy, case, decision, problem)

    def claim(self, judged: Judged, now: float) -> bool:
        """Count the uses of rules with a limit in a decision to allow; false when one was used up since it was made."""
        rules = [reason.rule for reason in judged.decision.reasons if reason.verdict == Verdict.ALLOW and reason.rule]
        limited = [rule for rule in rules if rule.max]
        if not limited:
            return True
        from assent.limits import take

        return take(self.state, limited, judged.call.session, now)

    def _counts(self, limited: tuple[Rule, ...], session: str, now: float) -> Mapping[str, int] | None:
        """INVARIANT: what cannot be counted is not allowed by a rule that counts."""
        from assent.limits import counts

        try:
            return counts(self.state, limited, session, now)
        except AssentError:
            return None

    def _granted(self, policy: Policy, call: ToolCall, now: float) -> tuple[Policy, frozenset[str], str]:
        """The policy with the rules people granted, the project commands they granted, and what is wrong with them."""
        if not os.path.lexists(os.path.join(self.state, "grants.json")):
            return policy, frozenset(), ""
        from assent.grants import live_grants, rules_of

        found, problem = live_grants(self.state, self.world, call.workspace or "", call.session, now)
        marks = frozenset(grant.fingerprint for grant in found if grant.fingerprint)
        return policy.with_grants(rules_of(found)), marks, problem


def grants_used(decision: PermissionDecision) -> frozenset[str]:
    """The ids of the grants that let a call pass."""
    return frozenset(reason.rule.id for reason in decision.reasons if reason.rule and reason.rule.layer == "grant")


def fields_of(judged: Judged) -> dict[str, object]:
    """What the journal keeps about a judgement."""
    call, decision = judged.call, judged.decision
    rule = decision.decisive.rule
    return {
        "session_id": call.session,
        "tool_call_id": call.id,
        "agent": call.agent,
        "agent_chain": list(call.chain),
        "tool": call.tool,
        "tool_name": call.tool,
        "command": call.input.get("command", ""),
        "input": dict(call.input),
        "cwd": call.cwd,
        "workspace": call.workspace or "",
        "effects": [{"kind": e.kind, "target": e.target} for e in decision.effects if not e.possible],
        "gaps": [gap.why for gap in decision.gaps],
        "decision": str(decision.verdict),
        "mode": judged.policy.mode,
        "rule_id": rule_id(decision),
        "rule_source": rule.where if rule else "",
        "policy_digest": decision.policy_digest,
    }


def rule_id(decision: PermissionDecision) -> str:
    rule = decision.decisive.rule
    return (rule.id or rule.text) if rule else ""
