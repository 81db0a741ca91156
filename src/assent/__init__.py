"""Assent: one permission layer for every AI agent. These are the public names; each is imported on first use."""

__version__ = "0.1.0.dev0"

_HOMES = {
    "AssentError": "assent.errors",
    "InputError": "assent.errors",
    "ModeError": "assent.errors",
    "PolicyError": "assent.errors",
    "UsageError": "assent.errors",
    "ToolCall": "assent.types",
    "Effect": "assent.types",
    "Gap": "assent.types",
    "Reason": "assent.types",
    "Rule": "assent.types",
    "Verdict": "assent.types",
    "PermissionDecision": "assent.types",
    "PermissionMode": "assent.policy.modes",
    "OperationType": "assent.policy.modes",
    "READ_ONLY_OPS": "assent.policy.modes",
    "MUTATION_OPS": "assent.policy.modes",
    "requires_approval": "assent.policy.modes",
    "PermissionContext": "assent.policy.modes",
    "ModeRequest": "assent.policy.modes",
    "PermissionSettings": "assent.policy.settings",
    "PathRuleConfig": "assent.policy.settings",
    "HarnessConfig": "assent.recipe",
    "Mode": "assent.recipe",
    "needs_approval": "assent.recipe",
    "DenialTracker": "assent.recipe",
    "SENSITIVE_PATH_PATTERNS": "assent.protected",
    "PermissionChecker": "assent.checker",
    "PermissionResult": "assent.bash",
    "bash_tool_has_permission": "assent.bash",
    "MAX_SUBCOMMANDS_FOR_SECURITY_CHECK": "assent.policy.steps",
    "MAX_SUGGESTED_RULES_FOR_COMPOUND": "assent.policy.suggest",
    "Guard": "assent.guard",
    "Authorization": "assent.authorization",
    "Refused": "assent.authorization",
    "PermissionHost": "assent.host",
    "Inbox": "assent.inbox",
    "Ticket": "assent.questions",
    "ApprovalGate": "assent.approval.gate",
    "ApprovalRequest": "assent.questions",
    "ApprovalResult": "assent.questions",
    "Answer": "assent.questions",
    "safe_display_description": "assent.approval.display",
    "PermissionAuditEntry": "assent.audit.entries",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the names are the keys above

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.approval.display import safe_display_description as safe_display_description
    from assent.approval.gate import ApprovalGate as ApprovalGate
    from assent.audit.entries import PermissionAuditEntry as PermissionAuditEntry
    from assent.authorization import Authorization as Authorization
    from assent.authorization import Refused as Refused
    from assent.bash import PermissionResult as PermissionResult
    from assent.bash import bash_tool_has_permission as bash_tool_has_permission
    from assent.checker import PermissionChecker as PermissionChecker
    from assent.errors import AssentError as AssentError
    from assent.errors import InputError as InputError
    from assent.errors import ModeError as ModeError
    from assent.errors import PolicyError as PolicyError
    from assent.errors import UsageError as UsageError
    from assent.guard import Guard as Guard
    from assent.host import PermissionHost as PermissionHost
    from assent.inbox import Inbox as Inbox
    from assent.policy.modes import MUTATION_OPS as MUTATION_OPS
    from assent.policy.modes import READ_ONLY_OPS as READ_ONLY_OPS
    from assent.policy.modes import ModeRequest as ModeRequest
    from assent.policy.modes import OperationType as OperationType
    from assent.policy.modes import PermissionContext as PermissionContext
    from assent.policy.modes import PermissionMode as PermissionMode
    from assent.policy.modes import requires_approval as requires_approval
    from assent.policy.settings import PathRuleConfig as PathRuleConfig
    from assent.policy.settings import PermissionSettings as PermissionSettings
    from assent.policy.steps import MAX_SUBCOMMANDS_FOR_SECURITY_CHECK as MAX_SUBCOMMANDS_FOR_SECURITY_CHECK
    from assent.policy.suggest import MAX_SUGGESTED_RULES_FOR_COMPOUND as MAX_SUGGESTED_RULES_FOR_COMPOUND
    from assent.protected import SENSITIVE_PATH_PATTERNS as SENSITIVE_PATH_PATTERNS
    from assent.questions import Answer as Answer
    from assent.questions import ApprovalRequest as ApprovalRequest
    from assent.questions import ApprovalResult as ApprovalResult
    from assent.questions import Ticket as Ticket
    from assent.recipe import DenialTracker as DenialTracker
    from assent.recipe import HarnessConfig as HarnessConfig
    from assent.recipe import Mode as Mode
    from assent.recipe import needs_approval as needs_approval
    from assent.types import Effect as Effect
    from assent.types import Gap as Gap
    from assent.types import PermissionDecision as PermissionDecision
    from assent.types import Reason as Reason
    from assent.types import Rule as Rule
    from assent.types import ToolCall as ToolCall
    from assent.types import Verdict as Verdict


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `assent` has no attribute `{name}`")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
