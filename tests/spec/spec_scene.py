"""What the conformance tests share: a frozen project, and the commissioned functions with as few words as possible."""

from __future__ import annotations

from typing import Any

from assent import (
    PermissionChecker,
    PermissionDecision,
    PermissionMode,
    PermissionResult,
    PermissionSettings,
    bash_tool_has_permission,
)
from assent.testing import FrozenWorld

HOME, PROJECT = "/home/dev", "/home/dev/shop"
MODES = tuple(PermissionMode)
CLOSED = (
    ".ssh/id_rsa",
    ".ssh/authorized_keys",
    ".aws/credentials",
    ".aws/config",
    ".config/gcloud/credentials.db",
    ".azure/accessTokens.json",
    ".gnupg/private-keys-v1.d/x.key",
    ".docker/config.json",
    ".kube/config",
)
"""Files of the home folder that nothing opens."""
FILES = {
    **{f"{HOME}/{name}": "secret" for name in CLOSED},
    f"{HOME}/notes.txt": "",
    f"{PROJECT}/.git/HEAD": "ref: refs/heads/main\n",
    f"{PROJECT}/.git/config": "[core]\n\tbare = false\n",
    f"{PROJECT}/Makefile": "test:\n\tpytest\n",
    f"{PROJECT}/package.json": '{"scripts": {"test": "jest"}}',
    f"{PROJECT}/readme.md": "",
    f"{PROJECT}/src/cart.py": "",
    f"{PROJECT}/build/out.js": "",
    f"{PROJECT}/.env": "KEY=1",
    f"{PROJECT}/.env.example": "KEY=",
    "/srv/data.csv": "",
}
WORLD = FrozenWorld(FILES, home=HOME)


def checker(*, world: FrozenWorld = WORLD, **settings: Any) -> PermissionChecker:
    return PermissionChecker(PermissionSettings(**settings), world=world)


def evaluate(subject: PermissionChecker, tool: str, **facts: Any) -> PermissionDecision:
    return subject.evaluate(tool, **{"cwd": PROJECT, **facts})


def verdict(subject: PermissionChecker, tool: str, **facts: Any) -> str:
    """`allow`, `ask` or `deny`, from the two booleans that callers look at."""
    decision = evaluate(subject, tool, **facts)
    return "allow" if decision.allowed else "ask" if decision.requires_confirmation else "deny"


def bash(command: str, *, world: FrozenWorld = WORLD, cwd: str = PROJECT, **settings: Any) -> PermissionResult:
    """The entry point for command lines, in the project."""
    return bash_tool_has_permission(command, checker(world=world, **{"workspace": PROJECT, **settings}), cwd=cwd)


def behavior(command: str, **settings: Any) -> str:
    return bash(command, **settings).behavior
