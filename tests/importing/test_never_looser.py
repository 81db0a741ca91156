"""An import never loosens: small models of what each agent documents, and random rules and commands against them."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.importing import claude_code, codex, gemini, opencode
from assent.policy.compiled import Policy
from import_scene import EMPTY, Imports, as_text

FEW = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
PROGRAMS = ("npm", "mytool", "rm", "echo")
WORDS = ("run", "test", "test-unit", "test:unit", "--force", "-f", "x")
VERDICTS = ("allow", "ask", "deny")

lines = st.builds(
    lambda program, words: " ".join([program, *words]),
    st.sampled_from(PROGRAMS),
    st.lists(st.sampled_from(WORDS), max_size=3),
)
commands = st.lists(lines, min_size=1, max_size=2)
texts = st.builds(
    lambda line, star, end: (line.replace(" ", " * ", 1) if star else line) + end,
    lines,
    st.booleans(),
    st.sampled_from(("", ":*", " *", "*")),
)


BROAD = [f"{program} *" for program in PROGRAMS]
"""Allowed in half of the runs, so that what a deny misses shows."""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Imports:
    return Imports(tmp_path_factory.mktemp("imports"))


def compare(here: Imports, policy: Policy, parts: list[str], said: list[str]) -> None:
    """`said` is what the agent answers to each part: a deny stays one, an ask is no allow, and no allow is new."""
    ours = here.answer(policy, "Bash", command=" && ".join(parts))
    silent = [part for part, answer in zip(parts, said, strict=True) if answer == "none"]
    least = [answer for answer in said if answer != "none"]
    least += [here.answer(EMPTY, "Bash", command=part) for part in silent]
    assert VERDICTS.index(ours) >= VERDICTS.index(strictest(least)), (ours, said)


def strictest(found: list[str]) -> str:
    return max(found, key=VERDICTS.index) if found else "none"


# --- Claude Code ---------------------------------------------------------------------------------------------------


@FEW
@given(st.lists(st.tuples(st.sampled_from(VERDICTS), texts), max_size=4), commands, st.booleans())
def test_claude_code_commands(here: Imports, rules: list[tuple[str, str]], parts: list[str], broad: bool) -> None:
    rules = [*rules, *(("allow", text) for text in BROAD if broad)]
    held = {name: [f"Bash({text})" for verdict, text in rules if verdict == name] for name in VERDICTS}
    policy = here.policy(claude_code, json.dumps({"permissions": held}), "settings.json")
    said = [
        strictest([verdict for verdict, text in rules if as_text(text, colon=True).fullmatch(part)]) for part in parts
    ]
    compare(here, policy, parts, said)


PATHS = ("a.py", "src/a.py", "src/b/a.py", "docs/x.md", ".env", "src/.env", "x", "b/x/y")
PATTERNS = (
    "a.py",
    "*.py",
    "src/**",
    "src/*",
    "./src/a.py",
    "docs/",
    "x",
    "**/x",
    "src/**/a.py",
    "/src/**",
    ".env",
    "~/p/**",
)


def ignored(pattern: str, path: str) -> bool:
    """A pattern of .gitignore, as its manual says, for paths below the project."""
    if pattern.startswith("~/"):
        return False
    pattern = pattern.removeprefix("./") if "/" in pattern[2:] else pattern
    anchored = "/" in pattern.rstrip("/")
    body = re.escape(pattern.strip("/")).replace(r"\*\*/", "(.*/)?").replace(r"/\*\*", "/.*").replace(r"\*", "[^/]*")
    return re.fullmatch(("" if anchored else "(.*/)?") + body + "(/.*)?", path) is not None


@FEW
@given(st.lists(st.tuples(st.sampled_from(VERDICTS), st.sampled_from(PATTERNS)), max_size=4), st.sampled_from(PATHS))
def test_claude_code_edits(tmp_path_factory: pytest.TempPathFactory, rules: list[tuple[str, str]], path: str) -> None:
    here = Imports(tmp_path_factory.getbasetemp() / "edits", "project")
    rules = [*rules, ("allow", "**")]
    held = {name: [f"Edit({text})" for verdict, text in rules if verdict == name] for name in VERDICTS}
    policy = here.policy(claude_code, json.dumps({"permissions": held}), "settings.json")
    said = strictest([verdict for verdict, text in rules if ignored(text, path)])
    ours = here.answer(policy, "Write", file_path=str(here.project / path), content="x")
    assert VERDICTS.index(ours) >= VERDICTS.index(said)


@FEW
@given(st.sampled_from(PATTERNS), st.sampled_from(PATHS))
def test_claude_code_allows_no_other_edits(tmp_path_factory: pytest.TempPathFactory, pattern: str, path: str) -> None:
    here = Imports(tmp_path_factory.getbasetemp() / "edits", "project")
    policy = here.policy(claude_code, json.dumps({"permissions": {"allow": [f"Edit({pattern})"]}}), "settings.json")
    if here.answer(policy, "Write", file_path=str(here.project / path), content="x") == "allow":
        assert ignored(pattern, path)


# --- Codex ---------------------------------------------------------------------------------------------------------

tokens = st.lists(
    st.one_of(st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS), min_size=1, max_size=2)), max_size=2
)
DECISIONS = {"allow": "allow", "prompt": "ask", "forbidden": "deny"}


@FEW
@given(
    st.lists(st.tuples(st.sampled_from(sorted(DECISIONS)), st.sampled_from(PROGRAMS), tokens), max_size=4),
    commands,
    st.booleans(),
)
def test_codex_commands(
    here: Imports, rules: list[tuple[str, str, list[object]]], parts: list[str], broad: bool
) -> None:
    rules = [*rules, *(("allow", program, []) for program in PROGRAMS if broad)]
    text = "".join(f"prefix_rule(pattern={[program, *rest]!r}, decision={name!r})\n" for name, program, rest in rules)
    policy = here.policy(codex, text, "default.rules")

    def begins(words: list[str], pattern: list[object]) -> bool:
        fits = [
            one == word or (isinstance(one, list) and word in one) for one, word in zip(pattern, words, strict=False)
        ]
        return len(words) >= len(pattern) and all(fits)

    said = [
        strictest([DECISIONS[name] for name, program, rest in rules if begins(part.split(), [program, *rest])])
        for part in parts
    ]
    compare(here, policy, parts, said)


# --- Gemini --------------------------------------------------------------------------------------------------------

gemini_rules = st.lists(
    st.tuples(
        st.sampled_from(("allow", "ask_user", "deny")),
        st.sampled_from(("commandPrefix", "commandRegex", "")),
        lines,
        st.integers(0, 5),
    ),
    max_size=5,
    unique_by=lambda rule: rule[3],
)


@FEW
@given(gemini_rules, commands, st.integers(-1, 6))
def test_gemini_commands(here: Imports, rules: list[tuple[str, str, str, int]], parts: list[str], broad: int) -> None:
    rules = [*rules, *(("allow", "commandPrefix", program, 10 * broad + 5) for program in PROGRAMS if broad >= 0)]
    rules = [
        (decision, field, line, priority if priority > 5 else 10 * priority)
        for decision, field, line, priority in rules
    ]
    blocks = []
    for decision, field, line, priority in rules:
        condition = f"{field} = {json.dumps(line)}\n" if field else ""
        blocks.append(
            f'[[rule]]\ntoolName = "run_shell_command"\n{condition}decision = "{decision}"\npriority = {priority}\n'
        )
    policy = here.policy(gemini, "\n".join(blocks), "rules.toml")

    def fits(part: str, field: str, line: str) -> bool:
        if field == "commandPrefix":
            return part == line or part.startswith(line + " ")
        return field == "" or part.startswith(line)

    said = []
    for part in parts:
        found = sorted((rule for rule in rules if fits(part, rule[1], rule[2])), key=lambda rule: -rule[3])
        said.append({"ask_user": "ask"}.get(found[0][0], found[0][0]) if found else "none")
    compare(here, policy, parts, said)


# --- OpenCode ------------------------------------------------------------------------------------------------------


@FEW
@given(st.dictionaries(st.one_of(texts, st.just("*")), st.sampled_from(VERDICTS), max_size=4), commands, st.booleans())
def test_opencode_commands(here: Imports, rules: dict[str, str], parts: list[str], broad: bool) -> None:
    rules = {**(dict.fromkeys(BROAD, "allow") if broad else {}), **rules}
    policy = here.policy(opencode, json.dumps({"permission": {"bash": rules}}), "opencode.json")
    said = []
    for part in parts:
        found = [verdict for text, verdict in rules.items() if as_text(text, colon=False).fullmatch(part)]
        said.append(found[-1] if found else "none")
    compare(here, policy, parts, said)


GLOBS = (
    "*",
    "src/*",
    "*.py",
    "src/*.py",
    "src/**/a.py",
    "*.env",
    "*.env.*",
    "s*a.py",
    "docs/?.md",
    "x",
    "b/*/y",
    "*/a.py",
)


@FEW
@given(st.dictionaries(st.sampled_from(GLOBS), st.sampled_from(VERDICTS), max_size=5), st.sampled_from(PATHS))
def test_opencode_edits(here: Imports, rules: dict[str, str], path: str) -> None:
    rules = {"s*": "allow", **rules}
    policy = here.policy(opencode, json.dumps({"permission": {"edit": rules}}), "opencode.json")

    def fits(text: str) -> bool:
        return re.fullmatch(re.escape(text).replace(r"\*", ".*").replace(r"\?", "."), path) is not None

    said = [verdict for text, verdict in rules.items() if fits(text)]
    ours = here.answer(policy, "Write", file_path=str(here.project / path), content="x")
    assert VERDICTS.index(ours) >= VERDICTS.index((said or ["ask"])[-1])
