"""A small project in memory, and the decision on a command line in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assent.pipeline import examine
from assent.policy.case import Case
from assent.policy.compiled import Policy, compile_policy
from assent.testing import FrozenWorld
from assent.types import PermissionDecision, Rule, ToolCall, Verdict

if TYPE_CHECKING:
    from assent.types import Mode

HOME, PROJECT = "/home/dev", "/home/dev/proj"
FILES = {
    f"{PROJECT}/a.txt": "a",
    f"{PROJECT}/b.txt": "b",
    f"{PROJECT}/src/app.py": "",
    f"{PROJECT}/Makefile": "test:\n\ttrue\n",
    f"{PROJECT}/.git/HEAD": "ref: refs/heads/main\n",
    f"{PROJECT}/.git/objects/": "",
    f"{PROJECT}/.git/refs/": "",
    f"{PROJECT}/.git/config": "[core]\n\tbare = false\n",
    f"{HOME}/outside.txt": "",
    "/etc/passwd": "root",
    "/tmp/x/": "",
}
WORLD = FrozenWorld(FILES)


def policy_of(
    allow: Iterable[str] = (),
    ask: Iterable[str] = (),
    deny: Iterable[str] = (),
    mode: Mode = "default",
    preset: str = "careful",
) -> Policy:
    lists = ((Verdict.ALLOW, allow), (Verdict.ASK, ask), (Verdict.DENY, deny))
    return compile_policy([Rule(verdict, text) for verdict, texts in lists for text in texts], mode=mode, preset=preset)


def case_of(
    command: str,
    policy: Policy | None = None,
    world: FrozenWorld = WORLD,
    cwd: str = PROJECT,
    grants: frozenset[str] = frozenset(),
) -> tuple[Case, PermissionDecision]:
    """What a shell call comes to, together with what it was decided from."""
    call = ToolCall("Bash", {"command": command}, cwd=cwd, workspace=PROJECT)
    case, decision = examine(call, policy or policy_of(), world, (), grants)
    assert case is not None, decision.reason
    return case, decision


def decided(
    command: str,
    policy: Policy | None = None,
    world: FrozenWorld = WORLD,
    cwd: str = PROJECT,
    grants: frozenset[str] = frozenset(),
) -> PermissionDecision:
    return case_of(command, policy, world, cwd, grants)[1]


def answer(
    command: str,
    policy: Policy | None = None,
    world: FrozenWorld = WORLD,
    cwd: str = PROJECT,
    grants: frozenset[str] = frozenset(),
) -> str:
    """The verdict and who decided, as `ask by mode`."""
    decision = decided(command, policy, world, cwd, grants)
    return f"{decision.verdict} by {decision.decided_by}"
