"""The policy as rules for Codex: the beginnings of commands, and hosts. Its files and tools have no rules there."""

from __future__ import annotations

from collections.abc import Iterator

from assent import wire
from assent.exporting.exported import (
    SECRET,
    Export,
    InForce,
    Left,
    Prefix,
    denied_prefixes,
    exported,
    holds_secret,
    left,
    prefix_of,
    reason_of,
    settings_left,
    verdict_of,
)
from assent.policy.rules import read_rule
from assent.types import Rule, Verdict

TITLE = "Codex CLI"
BELONGS = "~/.codex/rules/assent.rules"
DECISIONS = {Verdict.DENY: "forbidden", Verdict.ASK: "prompt"}
HEADER = """\
# Written by `assent export codex`: a second line for when no hook runs. It belongs in ~/.codex/rules/assent.rules
# Codex compares the first words of a command, in this order; Assent finds options wherever they stand.
"""
OPTIONS = "Codex finds its options only where the rule has them"
NEVER_EXACT = "an allow of Codex holds for whatever follows and runs outside of its sandbox"


def export(policy: InForce) -> Export:
    rules: list[str] = []
    lacking: list[Left] = list(settings_left(policy))
    for rule in policy.rules:
        text, why = _rule(rule)
        rules += [text] if text else []
        lacking += [left(rule, why)] if why else []
    denied, unsaid = denied_prefixes(policy)
    rules += [_prefix_rule(prefix, verdict, why) for prefix, verdict, why in denied]
    lacking += unsaid
    for tool in policy.denied_tools:
        lacking.append(Left(f"deny tool {tool}", "policy", "Codex has rules for commands only"))
    for path in (*policy.denied_paths, *(["that nothing opens"] if policy.floor else [])):
        lacking.append(Left(f"deny paths {path}", "policy", "Codex has rules for commands only"))
    return exported(HEADER, rules, lacking)


def _rule(rule: Rule) -> tuple[str, str]:
    """The rule in Codex's words, and what is lacking."""
    if holds_secret(rule):
        return "", SECRET
    if rule.verdict == Verdict.ALLOW:
        return "", NEVER_EXACT
    target = read_rule(rule.text)
    if target.tool == "WebFetch" and target.host is not None and rule.verdict == Verdict.DENY:
        return _network_rule(rule)
    if target.tool != "Bash":
        return "", "Codex has rules for commands only"
    prefix = prefix_of(rule)
    if prefix is None:
        return "", "Codex has no rule for every command"
    moves = any(word.startswith("-") for word in prefix.words[1:])
    text = _prefix_rule(prefix, verdict_of(rule, exact=prefix.exact), reason_of(rule))
    return text, OPTIONS if moves else "" if prefix.exact else "Codex can only say it wider, so it asks there"


def _prefix_rule(prefix: Prefix, verdict: Verdict, why: str) -> str:
    """With an example of its own, which Codex tries when it loads the file."""
    words = wire.dumps(list(prefix.words))
    fields = f"    pattern = {words},\n    decision = {wire.dumps(DECISIONS[verdict])},\n"
    return f"prefix_rule(\n{fields}    justification = {wire.dumps(why)},\n    match = [{words}],\n)\n"


def _network_rule(rule: Rule) -> tuple[str, str]:
    body = rule.text.partition("(")[2].removesuffix(")")
    host = body.removeprefix("domain:")
    if not body.startswith("domain:") or not all(sign.isalnum() or sign in ".-" for sign in host):
        return "", "Codex has rules for whole hosts only"
    return "".join(_network_lines(host, reason_of(rule))), "Codex minds it only inside of its sandbox"


def _network_lines(host: str, why: str) -> Iterator[str]:
    for protocol in ("http", "https"):
        fields = f'host = {wire.dumps(host)}, protocol = {wire.dumps(protocol)}, decision = "deny"'
        yield f"network_rule({fields}, justification = {wire.dumps(why)})\n"
