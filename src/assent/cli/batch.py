"""The batch contract of `assent check --jsonl`: one JSON object per line in, one per line out, same order."""

from __future__ import annotations

import os
import sys
import time

from assent import wire
from assent.cli.check import SHELLS, counted
from assent.cli.show import as_row
from assent.errors import AssentError, InputError, UsageError
from assent.folders import own_folders
from assent.layers import load_policy
from assent.pipeline import examine
from assent.policy.compiled import Policy, compile_policy, known_preset
from assent.policy.workflow import STRICTNESS
from assent.types import Rule, ToolCall, Verdict
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

MAX_POLICIES = 64
MAX_WORLDS = 64
POLICY_KEYS = {"extends", "mode", "allow", "ask", "deny"}
RULE_KEYS = {"rule", "id", "unless", "message", "args", "expires"}


def run(files: list[str]) -> int:
    """Answer every line of a file or of standard input; a bad line is answered too, and the stream goes on."""
    if len(files) > 1:
        raise UsageError("--jsonl takes at most one file", help="or pipe the lines into standard input")
    if not files or files[0] == "-":
        return _stream(sys.stdin.buffer)
    try:
        lines = open(files[0], "rb")  # noqa: SIM115 - closed below; errors while answering are not errors of the file
    except OSError as error:
        raise UsageError(f"cannot read `{files[0]}`: {error.strerror}") from error
    with lines:
        return _stream(lines)


def _stream(lines: Iterable[bytes]) -> int:
    import gc

    gc.enable()
    judge_line = Batch()
    for line in lines:
        sys.stdout.write(wire.dumps(judge_line(line)) + "\n")
        sys.stdout.flush()
    return 0


class Batch:
    """Answers lines; keeps a bounded number of policies and worlds between them.

    `workspace` and `policy` stand in for what a line does not say itself.
    """

    def __init__(
        self, env: Mapping[str, str] | None = None, *, workspace: str = "", policy: Policy | None = None
    ) -> None:
        self.env = dict(os.environ if env is None else env)
        self.workspace = workspace
        self.policy = policy
        self._policies: dict[str, Policy] = {}
        self._worlds: dict[str, DiskWorld] = {}

    def __call__(self, line: bytes) -> dict[str, object]:
        """The answer to one line. INVARIANT: whatever goes wrong, the verdict is deny and says what."""
        identity: object = None
        try:
            row = _as_object(wire.loads(line), "the line")
            identity = _identity(row)
            return as_row(self._judge(row), identity)
        except AssentError as error:
            return {"id": identity, "verdict": "deny", "error": str(error)}
        except Exception as error:
            return {"id": identity, "verdict": "deny", "error": f"the checker failed: {type(error).__name__}: {error}"}

    def _judge(self, row: dict[str, object]) -> Any:
        env = self.env | _texts(row.get("env"), "env")
        world = self._world(env)
        cwd = _absolute(row, "cwd") or self.workspace or os.getcwd()
        workspace = _absolute(row, "workspace") or self.workspace or world.workspace(cwd)
        shell = row.get("shell", "bash")
        if shell not in SHELLS:
            raise InputError(f"`shell` must be one of {', '.join(SHELLS)}")
        call = ToolCall(
            _text(row, "tool", required=True),
            _as_object(row.get("input"), "`input`"),
            cwd=cwd,
            id=str(row.get("id") or ""),
            agent=_text(row, "agent"),
            session=_text(row, "session"),
            at=time.time(),
            workspace=workspace,
            shell=shell,
        )
        given = row.get("policy")
        policy = self._policy(given) if given is not None else self.policy or load_policy(env, workspace, world).policy
        return examine(call, policy, world, own_folders(env, world.home), counts=counted(policy, call, world))[1]

    def _world(self, env: Mapping[str, str]) -> DiskWorld:
        home = env.get("HOME", "")
        if home not in self._worlds:
            if len(self._worlds) >= MAX_WORLDS:
                self._worlds.clear()
            self._worlds[home] = DiskWorld(env=env)
        return self._worlds[home]

    def _policy(self, given: object) -> Policy:
        key = wire.dumps(given)
        if key not in self._policies:
            if len(self._policies) >= MAX_POLICIES:
                self._policies.clear()
            self._policies[key] = policy_of(_as_object(given, "`policy`"))
        return self._policies[key]


def policy_of(given: Mapping[str, object]) -> Policy:
    """A policy that comes with a call: mode and three lists of rules, nothing else but the built-ins."""
    unknown = set(given) - POLICY_KEYS
    if unknown:
        raise InputError(f"unknown key `{min(unknown)}` in `policy`", help="known: extends, mode, allow, ask, deny")
    mode = given.get("mode", "default")
    if not isinstance(mode, str) or mode not in STRICTNESS:
        raise InputError(f"unknown mode `{mode}`", help="one of default, plan, full_auto")
    rules = [
        _rule(entry, verdict)
        for name, verdict in (("allow", Verdict.ALLOW), ("ask", Verdict.ASK), ("deny", Verdict.DENY))
        for entry in _as_list(given.get(name), name)
    ]
    preset = given.get("extends", "careful")
    if not isinstance(preset, str):
        raise InputError("`extends` must be text", help="careful or workspace")
    return compile_policy(rules, mode=mode, preset=known_preset(preset))


def _rule(entry: object, verdict: Verdict) -> Rule:
    if isinstance(entry, str):
        return Rule(verdict, entry, layer="call")
    fields = _as_object(entry, "a rule")
    unknown = set(fields) - RULE_KEYS
    if unknown:
        raise InputError(f"unknown key `{min(unknown)}` in a rule", help=f"known: {', '.join(sorted(RULE_KEYS))}")
    args = _as_object(fields.get("args") or {}, "`args`")
    expires = fields.get("expires", 0)
    if not isinstance(expires, (int, float)) or isinstance(expires, bool):
        raise InputError("`expires` must be a number of seconds since 1970")
    return Rule(
        verdict,
        _text(fields, "rule", required=True),
        id=_text(fields, "id"),
        message=_text(fields, "message"),
        unless=tuple(_strings(fields.get("unless"), "unless")),
        args=tuple((name, tuple(_strings(value, name))) for name, value in args.items()),
        expires=float(expires),
        layer="call",
    )


def _identity(row: Mapping[str, object]) -> object:
    """The id, which must be one that can be written back: `1e999` and a thousand brackets cannot."""
    identity = row.get("id")
    wire.dumps(identity)
    return identity


def _as_object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"{what} must be a JSON object")
    return value


def _as_list(value: object, name: str) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise InputError(f"`{name}` must be a list of rules")
    return value or []


def _strings(value: object, name: str) -> list[str]:
    values = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(values, list) or not all(isinstance(text, str) for text in values):
        raise InputError(f"`{name}` must be a list of strings")
    return values


def _texts(value: object, name: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(text, str) and "\0" not in text for text in value.values()):
        raise InputError(f"`{name}` must be an object of strings")
    return value


def _text(row: Mapping[str, object], name: str, *, required: bool = False) -> str:
    value = row.get(name)
    if (required or value is not None) and (not isinstance(value, str) or (required and not value)):
        raise InputError(f"`{name}` must be {'a non-empty' if required else 'a'} string")
    return value or ""


def _absolute(row: Mapping[str, object], name: str) -> str:
    path = _text(row, name)
    if row.get(name) is not None and (not path.startswith("/") or "\0" in path):
        raise InputError(f"`{name}` must be an absolute path")
    return path
