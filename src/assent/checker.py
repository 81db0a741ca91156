"""The pipeline for synchronous callers: `PermissionChecker` answers for one call at a time, from settings."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from assent.folders import own_folders, state_folder
from assent.layers import load_policy, start_untrusted
from assent.pipeline import examine
from assent.policy.settings import PermissionSettings
from assent.protected import SENSITIVE_PATH_PATTERNS
from assent.types import PermissionDecision, ToolCall, World
from assent.world import DiskWorld

__all__ = ["SENSITIVE_PATH_PATTERNS", "PermissionChecker", "PermissionDecision"]


class PermissionChecker:
    """Judges tool calls by settings: allowed, asked about, or blocked, always with a reason."""

    def __init__(self, settings: PermissionSettings, *, world: World | None = None) -> None:
        self.settings = settings
        self.policy = settings.compile()
        self.world = world or DiskWorld()
        if settings.untrusted:
            state = state_folder(os.environ, self.world.home)
            wanted, workspace = settings.untrusted_mode, settings.workspace
            self.policy = start_untrusted(self.policy, wanted, state, workspace, self.world)
        self.own = own_folders(os.environ, self.world.home)

    @classmethod
    def for_workspace(cls, workspace: str) -> PermissionChecker:
        """A checker that follows the policy files in force for a project; a broken file makes every answer stricter."""
        world = DiskWorld()
        made = cls(PermissionSettings(workspace=os.path.abspath(workspace)), world=world)
        made.policy = load_policy(os.environ, made.settings.workspace, world).policy
        return made

    def evaluate(
        self,
        tool_name: str,
        *,
        is_read_only: bool | None = None,
        file_path: str | None = None,
        command: str | None = None,
        input: Mapping[str, object] | None = None,
        cwd: str | None = None,
        session: str = "",
    ) -> PermissionDecision:
        """Judge a call from what its caller knows: the whole `input`, or just the path or command it is about.

        `is_read_only` is the caller's claim: False is believed, True never lifts the floor or a deny, None analyses.
        """
        fields = dict(input or {})
        if file_path is not None:
            fields["file_path"] = file_path
        if command is not None:
            fields["command"] = command
        return self.judge(
            ToolCall(
                tool_name,
                fields,
                cwd=cwd or os.getcwd(),
                session=session,
                at=time.time(),
                workspace=self.settings.workspace,
                read_only=is_read_only,
            )
        )

    def judge(self, call: ToolCall) -> PermissionDecision:
        """Judge a whole tool call, as an agent's host describes it."""
        return examine(call, self.policy, self.world, self.own)[1]
