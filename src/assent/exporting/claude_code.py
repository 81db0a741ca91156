"""The policy as `permissions` for Claude Code's settings."""

from __future__ import annotations

import json

from assent.exporting.exported import (
    SECRET,
    Export,
    InForce,
    Left,
    holds_secret,
    in_project,
    left,
    settings_left,
    verdict_of,
)
from assent.masking import masked
from assent.policy.rules import PathTarget, Target, read_rule
from assent.types import Rule, Verdict

TITLE = "Claude Code"
BELONGS = "~/.claude/settings.json, beside what it already holds"
PATHS = {"Read": "Read", "Write": "Edit"}
ODD = "no wildcard of Claude Code"
STARTED = "Claude Code reads it from the folder that it was started in"
WIDER = "Claude Code can only say it wider, so it asks there"
Found = tuple[tuple[str, ...], Verdict, str]


def export(policy: InForce) -> Export:
    lists: dict[str, list[str]] = {"deny": [], "ask": [], "allow": []}
    lacking: list[Left] = list(settings_left(policy))
    for rule in policy.rules:
        texts, verdict, why = ((), rule.verdict, SECRET) if holds_secret(rule) else _rule(rule)
        lists[str(verdict)] += texts
        lacking += [left(rule, why)] if why else []
    for pattern in policy.denied_commands:
        why = SECRET if masked(pattern) != pattern else ODD if any(sign in pattern for sign in "?[()") else ""
        lists["deny"] += [] if why else [f"Bash({pattern})"]
        lacking += [Left(f"deny command {masked(pattern)}", "policy", why)] if why else []
    lists["deny"] += policy.denied_tools
    for path in (*policy.denied_paths, *policy.floor):
        lists["deny"] += [f"{tool}({_anywhere(path)})" for tool in ("Read", "Edit")]
        if "*" in path.strip("*").removesuffix("/"):
            lacking.append(Left(f"deny path {path}", "policy", "a star of Claude Code does not stand for `/`"))
    held = {name: list(dict.fromkeys(texts)) for name, texts in lists.items() if texts}
    text = json.dumps({"permissions": held}, indent=2, ensure_ascii=False) + "\n"
    return Export(text, tuple(lacking), sum(map(len, held.values())))


def _anywhere(pattern: str) -> str:
    """A wildcard over whole paths in the words of .gitignore."""
    inner = pattern.lstrip("*").lstrip("/") if pattern.startswith("*") else pattern
    inner = f"{inner[:-2]}/**" if inner.endswith("/*") else inner
    if inner.startswith(("~/", "./")):
        return inner
    return f"/{inner}" if inner.startswith("/") else f"//**/{inner}"


def _rule(rule: Rule) -> Found:
    target = read_rule(rule.text)
    if rule.verdict == Verdict.ALLOW:
        return _allow(rule, target)
    if target.tool == "Bash":
        return _command(rule, target)
    if target.tool in PATHS:
        texts = tuple(f"{PATHS[target.tool]}({_path(path)})" for path in target.paths)
        exact = verdict_of(rule, exact=not rule.unless)
        return texts or (PATHS[target.tool],), exact, WIDER if rule.unless else STARTED if in_project(rule) else ""
    if target.tool == "WebFetch":
        return _host(rule, target)
    if target.tool == "WebSearch" or (target.tool in ("Agent", "Skill") and target.bare):
        return (target.tool,), verdict_of(rule, exact=not rule.unless), ""
    if any("*" in name.removesuffix(".*") or "?" in name or "[" in name for name in target.names) or not target.names:
        return (), rule.verdict, "a wildcard that Claude Code has no word for"
    verdict = verdict_of(rule, exact=not rule.unless)
    forms = {"Mcp": _mcp, "Agent": lambda name: f"Agent({name})", "Tool": lambda name: name}
    if target.tool == "Skill":
        texts = tuple(f"Skill({name}{rest})" for name in target.names for rest in ("", " *"))
        return texts, verdict, WIDER if rule.unless else ""
    if target.tool not in forms:
        return (), rule.verdict, f"Claude Code has no path rules for {target.tool}"
    return tuple(map(forms[target.tool], target.names)), verdict, WIDER if rule.args or rule.unless else ""


def _allow(rule: Rule, target: Target) -> Found:
    """Only one command, word for word, is the same thing to both."""
    if target.tool == "WebSearch":
        return ("WebSearch",), rule.verdict, ""
    if target.tool != "Bash" or target.words is None:
        return (), rule.verdict, "Claude Code's rule would also hold where Assent asks"
    line = " ".join(target.words.words)
    plain = all(sign.isalnum() or sign in " _./:@%=-" for sign in line)
    return ((f"Bash({line})",), rule.verdict, "") if plain else ((), rule.verdict, "more than plain words")


def _command(rule: Rule, target: Target) -> Found:
    if target.words is None:
        return ("Bash",), verdict_of(rule, exact=not rule.unless), WIDER if rule.unless else ""
    words = target.words.words
    if any(sign in word for word in words for sign in "?[()\"'\\$\n"):
        return (), rule.verdict, "more than plain words"
    line = " ".join(words)
    texts = [f"Bash({line}:*)" if "*" not in line else f"Bash({line})"]
    texts += [f"Bash({line} *)"] if "*" in line else []
    if words[-1].startswith("-") and "*" not in line and len(words) > 1:  # an option may also stand further behind
        head = " ".join(words[:-1])
        texts += [f"Bash({head} * {words[-1]})", f"Bash({head} * {words[-1]} *)"]
    return tuple(texts), verdict_of(rule, exact=not rule.unless), WIDER if rule.unless else ""


def _path(path: PathTarget) -> str:
    """INVARIANT: no path of this project, because the file is for all of them."""
    roots = {"/": "/", "~": "~", ".": ".", "**": "//**"}
    return "/".join([roots[path.anchor], *path.parts])


def _host(rule: Rule, target: Target) -> Found:
    body = rule.text.partition("(")[2].removesuffix(")")
    if target.bare:
        return ("WebFetch",), verdict_of(rule, exact=not rule.unless), ""
    host = body.removeprefix("domain:").removeprefix("*.").partition(":")[0]
    if not body.startswith("domain:") or "*" in host:
        return ("WebFetch",), Verdict.ASK, WIDER
    verdict = verdict_of(rule, exact=not rule.unless)
    return (f"WebFetch(domain:{host})", f"WebFetch(domain:*.{host})"), verdict, WIDER if rule.unless else ""


def _mcp(name: str) -> str:
    server, _, tool = name.partition(".")
    return f"mcp__{server}" if tool == "*" else f"mcp__{server}__{tool}"
