"""assent explain: one decision, part by part and step by step, and what would have to change for another."""

from __future__ import annotations

import os
import sys

from assent import wire
from assent.cli.check import KNOWN as CHECK_OPTIONS
from assent.cli.check import choose_policy, counted, granted, read_call
from assent.cli.options import read_options
from assent.cli.show import COLOURS, EXIT_CODES, LABELS, as_object, headline, paint, uses_colour, visible
from assent.describe import PartIndex
from assent.folders import own_folders
from assent.pipeline import examine, judge
from assent.policy.case import effects_of
from assent.policy.steps import bash_steps, shown
from assent.policy.vouch import said
from assent.policy.workflow import STRICTNESS
from assent.record import record
from assent.types import PermissionDecision, ToolCall, Url, Verdict
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case

KNOWN = {name: takes for name, takes in CHECK_OPTIONS.items() if name != "--jsonl"} | {"--steps": False}

HELP = """usage: assent explain [OPTIONS] COMMAND
       assent explain [OPTIONS] --tool TOOL --input JSON

Judge a tool call like `assent check` and show everything: the parts of a command line with their places in the text,
what each would do, which step said what, the rule with its file and line, and what would have to change for another
verdict.

  --steps           also show every step of the decision on each part of a command line
  --tool, --input, --cwd, --workspace, --mode, --extends, --allow, --ask, --deny, --shell, --json
                    as for `assent check`

Exit code: as for `assent check`.

Examples:
  assent explain 'cd build && rm -rf cache | tee log.txt'
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
    "classifier": "does a description hold it back?",
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
    policy, marks = granted(options, loaded, call, world)
    counts = counted(policy, call, world)
    case, decision = examine(call, policy, world, own, marks, counts=counts)
    others: dict[str, PermissionDecision] = {
        mode: judge(call, policy.in_mode(mode), world, own, marks, counts=counts) for mode in STRICTNESS
    }
    parts = parts_of(case, decision) if case is not None else []
    steps = bash_steps(policy, case, decision) if case is not None and case.text else ()
    if options.has("--json"):
        answer = as_object(decision, loaded.policy.mode, loaded.notices)
        answer["modes"] = {mode: str(other.verdict) for mode, other in others.items()}
        answer["parts"] = parts
        answer["steps"] = [{"step": step, "outcome": outcome} for step, outcome in steps]
        sys.stdout.write(wire.dumps(answer) + "\n")
    else:
        told = Told(call, decision, loaded.policy.mode, parts, steps if options.has("--steps") else ())
        sys.stdout.write(_text(told, others, colour=uses_colour()))
        sys.stdout.writelines(f"note: {visible(notice)}\n" for notice in loaded.notices)
    for problem in loaded.policy.problems:
        sys.stderr.write(f"assent: {problem}\n")
    return 2 if loaded.policy.problems else EXIT_CODES[decision.verdict]


@record
class Told:
    """Everything a person is shown about one decision."""

    call: ToolCall
    decision: PermissionDecision
    mode: str
    parts: list[dict[str, object]]
    steps: tuple[tuple[str, str], ...]


def _text(told: Told, others: dict[str, PermissionDecision], *, colour: bool) -> str:
    decision = told.decision
    out = [paint(visible(headline(told.call)), "1", colour=colour), ""]
    out += _parts(told.parts, colour=colour) if told.parts else _effects(decision)
    out += ["", "Step by step"]
    for step, outcome in decision.trace:
        mark = {"passes": "-"}.get(outcome, "*" if outcome.startswith("allow") else "!")
        out.append(f"  {mark} {STEP_NAMES[step]:<38} {visible(outcome)}")
    out += [f"  {step:<44} {visible(outcome)}" for step, outcome in told.steps]
    out += ["", "Reasons"]
    for reason in decision.reasons:
        where = f"  ({reason.rule.where})" if reason.rule else ""
        label = paint(f"{LABELS[reason.verdict]:<5}", COLOURS[reason.verdict], colour=colour)
        out.append(f"  {label} {visible(reason.text)}{where}")
    label = paint(LABELS[decision.verdict], COLOURS[decision.verdict], colour=colour)
    out += ["", f"Answer: {label} in {told.mode} mode, because {visible(decision.reason)}"]
    out += _changes(decision, told.mode, others)
    return "\n".join(out) + "\n"


def _effects(decision: PermissionDecision) -> list[str]:
    out = ["It would"]
    out += [f"  {e.kind:<7} {visible(e.target)}{'  (possibly)' if e.possible else ''}" for e in decision.effects]
    return out + [f"  {'?':<7} {visible(gap.why)}" for gap in decision.gaps]


def _parts(parts: list[dict[str, object]], *, colour: bool) -> list[str]:
    """The parts of a command line as a tree, each with what it would do."""
    out = ["Parts"]
    for part in parts:
        verdict = Verdict[str(part["verdict"]).upper()]
        label = paint(f"{LABELS[verdict]:<5}", COLOURS[verdict], colour=colour)
        inside, span = "  " * len(_list(part["inside"])), _list(part["span"])
        place = f"  {span[0]}–{span[1]}" if span else ""
        out.append(f"  {label} {inside}{visible(str(part['text']))}{paint(place, '2', colour=colour)}")
        out += [f"        {inside}  {visible(str(line))}" for line in (*_list(part["effects"]), *_list(part["gaps"]))]
    return out


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def parts_of(case: Case, decision: PermissionDecision) -> list[dict[str, object]]:
    """The parts of a command line for machines: text, place, verdict, effects and gaps."""
    index = PartIndex(case, decision)
    reasons = [index.strictest(number) for number in range(1, len(case.calls) + 1)]
    return [
        {
            "text": shown(call),
            "span": [call.span.start, call.span.end] if call.span else None,
            "inside": list(call.via),
            "verdict": str(reason.verdict if reason else Verdict.ALLOW),
            "effects": [f"{said(e)}{' (possibly)' if e.possible else ''}" for e in effects_of(case, number)],
            "gaps": [f"not understood: {gap.why}" for gap in index.gaps(number)],
        }
        for number, (call, reason) in enumerate(zip(case.calls, reasons, strict=True), 1)
    ]


def _named_hosts(decision: PermissionDecision) -> list[str]:
    """The hosts that a person's own rule would have to name, where nothing but them is denied."""
    from assent.policy.network import NOBODYS, is_inbox

    subjects = {reason.subject for reason in decision.reasons if reason.verdict == Verdict.DENY}
    denied = [effect for effect in decision.effects if effect.target in subjects and isinstance(effect.at, Url)]
    urls = [effect.at for effect in denied if isinstance(effect.at, Url)]
    if len({effect.target for effect in denied}) < len(subjects):
        return []
    if any(not url.local or url.local in NOBODYS or is_inbox(url) for url in urls):
        return []
    hosts = dict.fromkeys(url.host for url in urls)
    return [f"  a rule of yours that names the host: WebFetch(domain:{host})" for host in hosts]


def _changes(decision: PermissionDecision, mode: str, others: dict[str, PermissionDecision]) -> list[str]:
    """What would lead to another verdict."""
    found = [
        f"  in {other} mode: {LABELS[there.verdict]}"
        for other, there in others.items()
        if other != mode and there.verdict != decision.verdict
    ]
    found += [f"  with the rule {text}: ALLOW" for text in decision.suggestions]
    if decision.together:
        found.append(f"  with the rules {' and '.join(decision.together)} together: ALLOW")
    if decision.verdict == Verdict.DENY and not found:
        found += _named_hosts(decision)
    if decision.verdict == Verdict.DENY and decision.decided_by == "floor":
        found = ["  nothing: this is closed in every mode, for every rule and every approval"]
    return ["", "What would change it", *(found or ["  no mode and no single rule"])]
