"""Decisions on a terminal and as JSON: verdict first, then why, then what would happen."""

from __future__ import annotations

import os
import sys

from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import PermissionDecision, ToolCall

EXIT_CODES = {Verdict.ALLOW: 0, Verdict.ASK: 3, Verdict.DENY: 4}
COLOURS = {Verdict.ALLOW: "1;32", Verdict.ASK: "1;33", Verdict.DENY: "1;31"}
LABELS = {Verdict.ALLOW: "ALLOW", Verdict.ASK: "ASK", Verdict.DENY: "DENY"}
WIDTH = 100


def uses_colour(stream: object = None) -> bool:
    """Colour only for a terminal, never against `NO_COLOR`, always with `FORCE_COLOR`."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(getattr(stream or sys.stdout, "isatty", bool)()) and os.environ.get("TERM") != "dumb"


def paint(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def visible(text: str) -> str:
    """Text that cannot move the cursor, hide or pass for other text: such characters are written out."""
    if not text.isascii():
        from assent.approval.fragments import spell_out

        text = spell_out(text)
    return "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in text)


def as_row(decision: PermissionDecision, identity: object = None) -> dict[str, object]:
    """The batch contract's answer."""
    rule = decision.decisive.rule
    return {
        "id": identity,
        "verdict": str(decision.verdict),
        "reason": decision.reason,
        "decided_by": decision.decided_by,
        "rule": rule.text if rule else None,
        "effects": [
            {"kind": effect.kind, "target": effect.target} for effect in decision.effects if not effect.possible
        ],
        "gaps": [gap.why for gap in decision.gaps],
        "suggestions": list(decision.suggestions),
    }


def as_object(decision: PermissionDecision, mode: str, notices: tuple[str, ...]) -> dict[str, object]:
    """The batch row with everything `--json` adds for a single call."""
    row = as_row(decision)
    del row["id"]
    rule = decision.decisive.rule
    row |= {
        "rule_id": rule.id if rule else None,
        "rule_source": rule.where if rule else None,
        "mode": mode,
        "together": list(decision.together),
        "possible_effects": [{"kind": e.kind, "target": e.target} for e in decision.effects if e.possible],
        "reasons": [_reason(reason) for reason in decision.reasons],
        "trace": [{"step": step, "outcome": outcome} for step, outcome in decision.trace],
        "policy_digest": decision.policy_digest,
        "notices": list(notices),
    }
    return row


def _reason(reason: object) -> dict[str, object]:
    from assent.types import Reason

    assert isinstance(reason, Reason)  # noqa: S101 - narrows for the type checker
    return {
        "verdict": str(reason.verdict),
        "step": reason.step,
        "text": reason.text,
        "rule": reason.rule.text if reason.rule else None,
        "source": reason.rule.where if reason.rule else None,
    }


def as_text(call: ToolCall, decision: PermissionDecision, notices: tuple[str, ...] = (), *, colour: bool) -> str:
    """What a person sees after `assent check`."""
    return "\n".join(_lines(call, decision, notices, colour=colour))


def _lines(call: ToolCall, decision: PermissionDecision, notices: tuple[str, ...], *, colour: bool) -> Iterator[str]:
    label = paint(f" {LABELS[decision.verdict]:<6}", COLOURS[decision.verdict], colour=colour)
    yield f"{label} {paint(visible(headline(call)), '1', colour=colour)}"
    yield f"        {visible(decision.reason)}"
    rule = decision.decisive.rule
    if rule:
        yield _field("rule", f"{rule.text}  ({rule.where})", colour=colour)
    for effect in decision.effects:
        maybe = " (possibly)" if effect.possible else ""
        if effect.kind != "note":
            yield _field("effect", f"{effect.kind:<6} {effect.target}{maybe}", colour=colour)
    for gap in decision.gaps:
        yield _field("unclear", gap.why, colour=colour)
    for other in decision.reasons:
        if other is not decision.decisive and other.verdict > Verdict.ALLOW and other.text != decision.reason:
            yield _field("also", f"{other.verdict}: {other.text}", colour=colour)
    for text in decision.suggestions:
        yield _field("to allow", text, colour=colour)
    if decision.together:
        yield _field("to allow", " and ".join(decision.together), colour=colour)
    for notice in notices:
        yield _field("note", notice, colour=colour)


def _field(name: str, text: str, *, colour: bool) -> str:
    return f"        {paint(f'{name:<9}', '2', colour=colour)} {visible(text)}"


def headline(call: ToolCall) -> str:
    """The tool and the one thing about its input that a person needs to see."""
    for key in ("command", "file_path", "path", "url", "pattern", "notebook_path", "input", "patch"):
        value = call.input.get(key)
        if isinstance(value, str):
            return f"{call.tool}  {shorten(value)}"
    if isinstance(call.input.get("server"), str):
        return f"{call.tool}  {call.input['server']}.{call.input.get('name', '')}"
    return call.tool


def shorten(text: str) -> str:
    """One line of at most a screen's width; says how much is not shown."""
    first, newline, rest = text.partition("\n")
    hidden = len(rest) if newline else 0
    if len(first) > WIDTH:
        hidden += len(first) - WIDTH
        first = first[:WIDTH]
    return f"{first} … ({hidden} more characters)" if hidden else first
