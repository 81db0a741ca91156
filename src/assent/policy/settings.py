"""Settings for Python callers: what a program hands to `PermissionChecker`, made into a policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assent.policy.compiled import Policy, compile_policy, known_preset
from assent.policy.describing import DESCRIBED
from assent.policy.modes import PermissionMode
from assent.policy.workflow import STRICTNESS
from assent.types import Rule, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Mode


@dataclass(frozen=True)
class PathRuleConfig:
    """A glob over whole paths. `allow=False` blocks in every mode; `allow=True` widens the workspace."""

    pattern: str
    allow: bool


@dataclass(frozen=True)
class PermissionSettings:
    """What is allowed, asked and denied. A deny of any kind beats every allow.

    `allow`, `ask` and `deny` take rule texts such as `Write(./src/**)` or whole `Rule` records.
    """

    mode: PermissionMode = PermissionMode.DEFAULT
    allowed_tools: Sequence[str] = ()
    denied_tools: Sequence[str] = ()
    path_rules: Sequence[PathRuleConfig] = ()
    denied_commands: Sequence[str] = ()
    allow: Sequence[str | Rule] = field(default=(), kw_only=True)
    ask: Sequence[str | Rule] = field(default=(), kw_only=True)
    deny: Sequence[str | Rule] = field(default=(), kw_only=True)
    workspace: str | None = field(default=None, kw_only=True)
    preset: str = field(default="careful", kw_only=True)
    """`careful`, or `workspace`: files inside the workspace may be changed without a question."""

    allow_if: Sequence[str] = field(default=(), kw_only=True)
    ask_if: Sequence[str] = field(default=(), kw_only=True)
    deny_if: Sequence[str] = field(default=(), kw_only=True)
    classifier: Mapping[str, str | int | float] = field(default_factory=dict, kw_only=True)
    """Who judges the descriptions in `allow_if`, `ask_if` and `deny_if`, as in the `[classifier]` table of a file."""

    untrusted: PermissionMode | None = field(default=None, kw_only=True)
    """The mode in which a workspace starts that nobody has trusted yet (`assent policy trust`), if it is stricter."""

    auto_allow_bash_if_sandboxed: bool = field(default=False, kw_only=True)
    """Shell commands need no question where the guard says that they run in the sandbox."""

    def compile(self) -> Policy:
        """The policy these settings stand for; a rule that makes no sense raises `PolicyError`."""
        lists = ((Verdict.ALLOW, self.allow), (Verdict.ASK, self.ask), (Verdict.DENY, self.deny))
        return compile_policy(
            [_as_rule(rule, verdict) for verdict, rules in lists for rule in rules],
            mode=PermissionMode(self.mode).value,
            allowed_tools=self.allowed_tools,
            denied_tools=self.denied_tools,
            path_rules=[(rule.pattern, rule.allow) for rule in self.path_rules],
            denied_commands=self.denied_commands,
            preset=known_preset(self.preset),
            descriptions=list(self._descriptions()),
            classifier=self.classifier,
            sandbox={"auto": True} if self.auto_allow_bash_if_sandboxed else None,
        )

    @property
    def untrusted_mode(self) -> Mode | None:
        """`untrusted` as policies know it."""
        wanted = PermissionMode(self.untrusted).value if self.untrusted else ""
        return next((mode for mode in STRICTNESS if mode == wanted), None)

    def _descriptions(self) -> Iterator[Rule]:
        given = {"allow_if": self.allow_if, "ask_if": self.ask_if, "deny_if": self.deny_if}
        for name, texts in given.items():
            for number, text in enumerate(texts, 1):
                yield Rule(DESCRIBED[name], text, f"{name}-{number}", layer="settings")


def _as_rule(rule: str | Rule, verdict: Verdict) -> Rule:
    return Rule(verdict, rule, layer="settings") if isinstance(rule, str) else rule
