"""assent explain: one decision, step by step, and what would have to change for another."""

from __future__ import annotations

import os
import sys

from assent import wire
from assent.cli.check import KNOWN as CHECK_OPTIONS
from assent.cli.check import choose_policy, read_call
from assent.cli.options import read_options
from assent.cli.show import COLOURS, EXIT_CODES, LABELS, as_object, headline, paint, uses_colour, visible
from assent.folders import own_folders
from assent.pipeline import judge
from assent.policy.workflow import STRICTNESS
from assent.types import PermissionDecision, ToolCall, Verdict
from assent.world import DiskWorld

KNOWN = {name: takes for name, takes in CHECK_OPTIONS.items() if name != "--jsonl"}

HELP = """usage: assent explain [OPTIONS] COMMAND
       assent explain [OPTIONS] --tool TOOL --input JSON

Judge a tool call like `assent check` and show every step: what the call would do, which step said what,
the rule with its file and line, and what would have to change for another verdict.

  --tool, --input, --cwd, --workspace, --mode, --allow, --ask, --deny, --shell, --json
                    as for `assent check`

Exit code: as for `assent check`.

Examples:
  assent explain --tool Write --input '{"file_path": ".github/workflows/ci.yml"}'
  assent explain --tool Read --input '{"file_path": "~/.ssh/id_rsa"}' --mode full_auto
"""

STEP_NAMES = {
    "policy": "are the policy files readable?",
    "floor": "is it closed in every mode?",
    "deny": "does anything deny it?",
    "plan": "does plan mode block it?",
    "ask": "does a rule or a built-in care ask?",
    "check": "is the combination dangerous?",
    "allow": "does something vouch for every part?",
}


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "explain")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    world = DiskWorld()
    call = read_call(options, world)
    loaded = choose_policy(options, call, world)
    own = own_folders(os.environ, world.home)
    decision = judge(call, loaded.policy, world, own)
    others: dict[str, PermissionDecision] = {
        mode: judge(call, loaded.policy.in_mode(mode), world, own) for mode in STRICTNESS
    }
    if options.has("--json"):
        answer = as_object(decision, loaded.policy.mode, loaded.notices)
        answer["modes"] = {mode: str(other.verdict) for mode, other in others.items()}
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        sys.stdout.write(_text(call, decision, loaded.policy.mode, others, colour=uses_colour()))
        sys.stdout.writelines(f"note: {visible(notice)}\n" for notice in loaded.notices)
    for problem in loaded.policy.problems:
        sys.stderr.write(f"assent: {problem}\n")
    return 2 if loaded.policy.problems else EXIT_CODES[decision.verdict]


def _text(
    call: ToolCall, decision: PermissionDecision, mode: str, others: dict[str, PermissionDecision], *, colour: bool
) -> str:
    out = [paint(visible(headline(call)), "1", colour=colour), ""]
    out += ["It would"]
    out += [f"  {e.kind:<7} {visible(e.target)}{'  (possibly)' if e.possible else ''}" for e in decision.effects]
    out += [f"  {'?':<7} {visible(gap.why)}" for gap in decision.gaps]
    out += ["", "Step by step"]
    for step, outcome in decision.trace:
        mark = {"passes": "-"}.get(outcome, "*" if outcome.startswith("allow") else "!")
        out.append(f"  {mark} {STEP_NAMES[step]:<38} {visible(outcome)}")
    out += ["", "Reasons"]
    for reason in decision.reasons:
        where = f"  ({reason.rule.where})" if reason.rule else ""
        label = paint(f"{LABELS[reason.verdict]:<5}", COLOURS[reason.verdict], colour=colour)
        out.append(f"  {label} {visible(reason.text)}{where}")
    label = paint(LABELS[decision.verdict], COLOURS[decision.verdict], colour=colour)
    out += ["", f"Answer: {label} in {mode} mode, because {visible(decision.reason)}"]
    out += _changes(decision, mode, others)
    return "\n".join(out) + "\n"


def _changes(decision: PermissionDecision, mode: str, others: dict[str, PermissionDecision]) -> list[str]:
    """What would lead to another verdict."""
    found = [
        f"  in {other} mode: {LABELS[there.verdict]}"
        for other, there in others.items()
        if other != mode and there.verdict != decision.verdict
    ]
    found += [f"  with the rule {text}: ALLOW" for text in decision.suggestions]
    if decision.verdict == Verdict.DENY and decision.decided_by == "floor":
        found = ["  nothing: this is closed in every mode, for every rule and every approval"]
    return ["", "What would change it", *(found or ["  no mode and no single rule"])]
