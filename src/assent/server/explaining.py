"""What would happen to a command, part by part and step by step: `assent explain` as a page."""

from __future__ import annotations

import os

from assent.approval.fragments import spell_out
from assent.approval.home import short
from assent.cli.explain import parts_of
from assent.cli.show import as_object
from assent.folders import own_folders
from assent.grants import live_grants, rules_of
from assent.layers import load_policy
from assent.limits import counts as uses
from assent.pipeline import examine, judge
from assent.policy.steps import bash_steps
from assent.policy.workflow import STRICTNESS
from assent.server.asked import Asked, Fault, Service
from assent.types import ToolCall
from assent.world import DiskWorld

MAX_COMMAND = 50_000


def explain(service: Service, asked: Asked) -> object:
    """Judge a command without running it."""
    asked.only("command", "cwd", "workspace", "mode")
    world = DiskWorld()
    call = _call(asked, world, service.now())
    loaded = load_policy(os.environ, call.workspace, world)
    wanted = asked.text("mode", "")
    mode = next((name for name in STRICTNESS if name == wanted), None)
    if wanted and mode is None:
        raise Fault(400, f"unknown mode `{wanted}`", help=f"one of {', '.join(STRICTNESS)}")
    own = own_folders(os.environ, world.home)
    found, problem = live_grants(service.desk.state, world, call.workspace or "", "", service.now())
    marks = frozenset(grant.fingerprint for grant in found if grant.fingerprint)
    granted = loaded.policy.with_grants(rules_of(found))
    policy = granted.in_mode(mode) if mode else granted
    limited = policy.limited()
    counts = uses(service.desk.state, limited, call.session, call.at) if limited else None
    case, decision = examine(call, policy, world, own, marks, counts=counts)
    answer = as_object(decision, policy.mode, loaded.notices)
    answer["parts"] = parts_of(case, decision) if case is not None else []
    answer["steps"] = list(bash_steps(policy, case, decision)) if case is not None and case.text else []
    answer["modes"] = {
        name: str(judge(call, granted.in_mode(name), world, own, marks, counts=counts).verdict) for name in STRICTNESS
    }
    answer["problems"] = [*(str(one) for one in policy.problems), *filter(None, [problem])]
    answer["cwd"], answer["workspace"] = short(call.cwd, world.home), short(call.workspace or "", world.home)
    return {name: _readable(value) for name, value in answer.items()}


def _readable(value: object) -> object:
    """The same with every text written so that nothing in it hides or passes for other letters."""
    if isinstance(value, str):
        return spell_out(value)
    if isinstance(value, dict):
        return {name: _readable(one) for name, one in value.items()}
    return [_readable(one) for one in value] if isinstance(value, list | tuple) else value


def _call(asked: Asked, world: DiskWorld, now: float) -> ToolCall:
    command = asked.text("command", limit=MAX_COMMAND)
    if not command.strip():
        raise Fault(400, "there is no command to explain")
    cwd = _folder(asked.text("cwd", ""), world) or world.home
    workspace = _folder(asked.text("workspace", ""), world) or world.workspace(cwd)
    return ToolCall("Bash", {"command": command}, cwd=cwd, at=now, workspace=workspace)


def _folder(text: str, world: DiskWorld) -> str:
    if not text:
        return ""
    path = world.home + text[1:] if text == "~" or text.startswith("~/") else text
    if not os.path.isabs(path):
        raise Fault(400, f"`{text}` is no absolute path")
    if not os.path.isdir(path):
        raise Fault(400, f"there is no folder `{text}`")
    return os.path.normpath(path)
