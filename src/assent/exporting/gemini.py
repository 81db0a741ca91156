"""The policy as a policy file for Gemini CLI, where the highest priority wins.

INVARIANT: an ask of ours must not stand above a deny of the person's own, so denies have the highest priority and
asks the lowest, and no ask or allow of ours holds in Gemini's plan mode.
"""

from __future__ import annotations

import re

from assent import wire
from assent.exporting.exported import (
    SECRET,
    Export,
    InForce,
    Left,
    denied_prefixes,
    exported,
    holds_secret,
    in_project,
    left,
    prefix_of,
    reason_of,
    settings_left,
    verdict_of,
)
from assent.policy.rules import PathTarget, Target, read_rule
from assent.types import Rule, Verdict

TITLE = "Gemini CLI"
BELONGS = "~/.gemini/policies/assent-rules.toml"
HEADER = """\
# Written by `assent export gemini`: a second line for when no hook runs. It belongs in
# ~/.gemini/policies/assent-rules.toml
"""
DECISIONS = {Verdict.DENY: "deny", Verdict.ASK: "ask_user", Verdict.ALLOW: "allow"}
PRIORITIES = {Verdict.DENY: 999, Verdict.ASK: 0, Verdict.ALLOW: 0}
SHELL = "run_shell_command"
READS = ("read_file", "read_many_files", "grep_search", "search_file_content")
TOOLS = {
    "Read": READS,
    "Grep": ("grep_search", "search_file_content"),
    "Glob": ("list_directory", "glob"),
    "Write": ("write_file", "replace"),
    "WebFetch": ("web_fetch",),
    "WebSearch": ("google_web_search",),
    "Bash": (SHELL,),
}
MOST = 2000
"""Gemini drops a rule with a longer expression."""
TEXT_ONLY = "Gemini compares the text of its tools' arguments; shell commands that reach the path are not found"
ANYWHERE = "; from the root it asks in every project, because the file is for all of them"
WIDER = "Gemini can only say it wider, so it asks there"

Lines = list[str]


def export(policy: InForce) -> Export:
    rules: list[str] = []
    lacking: list[Left] = list(settings_left(policy))
    for rule in policy.rules:
        found, why = ([], SECRET) if holds_secret(rule) else _rule(rule, policy)
        rules += found
        lacking += [left(rule, why)] if why else []
    denied, unsaid = denied_prefixes(policy)
    rules += [_table((SHELL,), verdict, why, prefix=" ".join(prefix.words)) for prefix, verdict, why in denied]
    lacking += unsaid
    rules += [_table((tool,), Verdict.DENY, f"Assent: deny {tool}") for tool in policy.denied_tools]
    for path in (*policy.denied_paths, *policy.floor):
        expression = '"' + _text(path if path.startswith(("*", "/")) else f"*/{path}") + '(|/[^"]*)"'
        rules.append(_table((*READS, *TOOLS["Write"]), Verdict.DENY, f"Assent: deny {path}", expression=expression))
    return exported(HEADER, rules, lacking)


def _rule(rule: Rule, policy: InForce) -> tuple[Lines, str]:
    target = read_rule(rule.text)
    if target.tool == "Bash":
        return _command(rule)
    if target.tool == "Mcp":
        return _server(rule, target)
    if rule.verdict == Verdict.ALLOW:
        return [], "Gemini's rule would also hold where Assent asks"
    if target.tool == "Tool" and target.names and all("*" not in name for name in target.names):
        return [_table(target.names, verdict_of(rule, exact=not rule.unless), reason_of(rule))], ""
    if target.tool == "Skill":
        verdict = verdict_of(rule, exact=target.bare and not rule.unless)
        return [_table(("activate_skill",), verdict, reason_of(rule))], ""
    names = TOOLS.get(target.tool)
    if names is None:
        return [], "Gemini has no tool that this is about"
    if target.bare:
        return [_table(names, verdict_of(rule, exact=not rule.unless), reason_of(rule))], ""
    if target.host is not None:
        return _host(rule, names)
    expressions = [_path(path, policy) for path in target.paths]
    if any(len(one) > MOST for one in expressions):
        return [], "too long for an expression of Gemini"
    verdict = verdict_of(rule, exact=not rule.unless)
    made = [_table(names, verdict, reason_of(rule), expression=one) for one in expressions]
    if in_project(rule):
        wide = [_path(PathTarget("**", path.parts), policy) for path in target.paths]
        made += [_table(names, Verdict.ASK, reason_of(rule), expression=one) for one in wide]
    return made, f"{TEXT_ONLY}{ANYWHERE * in_project(rule)}"


def _command(rule: Rule) -> tuple[Lines, str]:
    if rule.verdict == Verdict.ALLOW:
        words = read_rule(rule.text).words
        line = " ".join(words.words) if words else ""
        if not re.fullmatch(r"[A-Za-z0-9_ ./:@%=-]+", line):
            return [], "more than plain words"
        return [_table((SHELL,), Verdict.ALLOW, "", expression=f'"command":"{re.escape(line)}"')], ""
    if read_rule(rule.text).bare:
        return [_table((SHELL,), verdict_of(rule, exact=not rule.unless), reason_of(rule))], ""
    prefix = prefix_of(rule)
    if prefix is None:
        return [_table((SHELL,), Verdict.ASK, reason_of(rule))], WIDER
    text = " ".join(prefix.words)
    made = _table((SHELL,), verdict_of(rule, exact=prefix.exact), reason_of(rule), prefix=text)
    moves = any(word.startswith("-") for word in prefix.words[1:])
    return [made], WIDER if not prefix.exact else "Gemini finds its options only where the rule has them" * moves


def _server(rule: Rule, target: Target) -> tuple[Lines, str]:
    if rule.verdict == Verdict.ALLOW:
        return [], "Gemini's rule would also hold where Assent asks"
    made: Lines = []
    for name in target.names or ("*.*",):
        server, _, tool = name.partition(".")
        if any(sign in name for name in (server, tool) if name != "*" for sign in "*?["):
            return [], "a wildcard inside a name"
        made.append(_table((tool,), verdict_of(rule, exact=not rule.unless), reason_of(rule), server=server))
    return made, WIDER if rule.args or rule.unless else ""


def _host(rule: Rule, names: tuple[str, ...]) -> tuple[Lines, str]:
    body = rule.text.partition("(")[2].removesuffix(")")
    host = body.removeprefix("domain:").removeprefix("*.").partition("/")[0].partition(":")[0]
    if not body.startswith("domain:") or not re.fullmatch(r"[A-Za-z0-9.-]+", host):
        return [_table(names, Verdict.ASK, reason_of(rule))], WIDER
    verdict = verdict_of(rule, exact=not rule.unless)
    return [_table(names, verdict, reason_of(rule), expression=re.escape(host))], ""


# --- text ----------------------------------------------------------------------------------------------------------


def _table(
    names: tuple[str, ...], verdict: Verdict, why: str, *, prefix: str = "", expression: str = "", server: str = ""
) -> str:
    name = wire.dumps(names[0]) if len(names) == 1 else "[" + ", ".join(map(wire.dumps, names)) + "]"
    lines = ["[[rule]]", f"toolName = {name}"]
    lines += [f"mcpName = {wire.dumps(server)}"] if server else []
    lines += [f"commandPrefix = {wire.dumps(prefix)}"] if prefix else []
    lines += [f"argsPattern = {wire.dumps(expression)}"] if expression else []
    lines += [f'decision = "{DECISIONS[verdict]}"', f"priority = {PRIORITIES[verdict]}"]
    if verdict < Verdict.DENY:
        lines.append(
            'modes = ["default", "autoEdit", "yolo"]' if verdict == Verdict.ASK else 'modes = ["default", "autoEdit"]'
        )
    lines += [f"denyMessage = {wire.dumps(why)}"] if verdict == Verdict.DENY else []
    return "\n".join(lines) + "\n"


def _path(path: PathTarget, policy: InForce) -> str:
    """Any text among the arguments that ends like the path, or lies below it.

    INVARIANT: no path of this project, because the file is for all of them.
    Gemini drops expressions with a quantifier behind a bracket, so what may be missing is an empty alternative.
    """
    home = re.escape(policy.home)
    starts = {"/": r'(|[^"]*\.\.)/', "~": f'(~|{home}|[^"]*\\.\\.)/', ".": r"(|\./)", "**": '(|[^"]*/)'}
    parts = list(path.parts)
    while parts and parts[-1] == "**":
        parts.pop()
    return '"' + starts[path.anchor] + "/".join(map(_part, parts)) + '(|/[^"]*)"'


def _part(part: str) -> str:
    return '[^"]*' if part == "**" else _text(part, inside='[^/"]')


def _text(pattern: str, inside: str = '[^"]') -> str:
    """A wildcard pattern as an expression; a set of characters counts as any character."""
    plain = re.sub(r"\[[^]]+\]", "?", pattern)
    return re.escape(plain).replace(r"\*", f"{inside}*").replace(r"\?", inside)
