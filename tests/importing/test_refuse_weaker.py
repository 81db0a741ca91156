"""A deny stays a deny, an ask at least an ask, an allow never grows: in the one function, and over generated files."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assent.importing
from assent.errors import AssentError
from assent.importing import claude_code, codex, gemini, opencode
from assent.importing.imported import Entry, Fate, Imported, Reader
from assent.record import replace
from assent.types import Rule, Verdict
from import_scene import Imports

FEW = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
GIVEN = Entry("a.json", 1, "x")
RESTRICTING = ("ask", "deny")
WORD = {"ask": Verdict.ASK, "deny": Verdict.DENY}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Imports:
    return Imports(tmp_path_factory.mktemp("weaker"))


# --- the one function ----------------------------------------------------------------------------------------------

Case = tuple[Verdict | None, Verdict | None, tuple[str, str] | None, Fate, bool]
CASES: list[Case] = [
    *[
        (meant, made, None, "left out", made >= meant)
        for meant in (Verdict.ASK, Verdict.DENY)
        for made in WORD.values()
    ],
    *[(meant, Verdict.ALLOW, None, "left out", meant == Verdict.ALLOW) for meant in (None, *Verdict)],
    *[(meant, None, None, "left out", meant in (None, Verdict.ALLOW)) for meant in (None, *Verdict)],
    *[(meant, None, None, "not known", meant in (None, Verdict.ALLOW)) for meant in (None, *Verdict)],
    *[(meant, None, None, "same", True) for meant in (None, *Verdict)],
    *[(meant, None, ("paths", "/x/*"), "left out", meant == Verdict.ALLOW) for meant in (None, *Verdict)],
    *[(meant, None, ("extends", "workspace"), "left out", meant == Verdict.ALLOW) for meant in (None, *Verdict)],
    (Verdict.DENY, None, ("commands", "rm *"), "left out", True),
]


@pytest.mark.parametrize(("meant", "made", "setting", "otherwise", "kept"), CASES)
def test_what_is_weaker_is_refused(
    meant: Verdict | None, made: Verdict | None, setting: tuple[str, str] | None, otherwise: Fate, kept: bool
) -> None:
    rule = None if made is None else Rule(made, "Bash(x)")

    def build() -> Imported:
        return Imported(rule, "a.json", 1, "x", "", setting, (), otherwise, meant)

    if kept:
        assert build().rule == rule
    else:
        with pytest.raises(AssentError, match="must not become"):
            build()


def test_a_change_of_what_was_made_is_refused_as_well() -> None:
    made = GIVEN.denies("Bash(x)", "Bash")
    with pytest.raises(AssentError, match="must not become"):
        replace(made, rule=Rule(Verdict.ASK, "Bash(x)"))
    with pytest.raises(AssentError, match="must not become"):
        GIVEN.means(Verdict.ASK).left_out("no")
    with pytest.raises(AssentError, match="must not become"):
        GIVEN.means(Verdict.DENY).allows("Bash(x)")


def test_no_reader_makes_a_rule_without_it() -> None:
    """Every call that builds a rule or an entry's fate stands in the file that owns the invariant."""
    folder = Path(assent.importing.__file__).parent
    makers = {
        file.name
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Rule", "Imported")
    }
    assert makers == {"imported.py"}


# --- generated files -----------------------------------------------------------------------------------------------


def keeps(here: Imports, reader: Reader, text: str, name: str) -> None:
    """Every entry that means a deny has one; the reader's exceptions aside, none of its products is weaker."""
    for line in here.lines(reader, text, name):
        strongest = max((one.meant for one in line.became if one.meant is not None), default=Verdict.ALLOW)
        made = [one.rule.verdict for one in line.became if one.rule]
        made += [Verdict.DENY for one in line.became if one.setting and one.setting[0] == "commands"]
        if strongest > Verdict.ALLOW:
            assert max(made, default=Verdict.ALLOW) >= strongest, line
        if Verdict.DENY in made and any(one.denies_wider for one in line.became):
            assert all(one.rule.id and one.rule.message for one in line.became if one.rule and one.denies_wider)
            assert "wider-" in line.note


TOOL_NAMES = ("run_shell_command", "write_file", "my_tool", "mcp_gh_list", "*")
CONDITIONS: dict[str, object] = {
    "argsPattern": "x|y",
    "commandRegex": "git (push|fetch) [a-z]",
    "commandPrefix": "git push",
    "subagent": "helper",
    "interactive": False,
    "modes": ["plan"],
    "toolAnnotations": {"readOnlyHint": True},
}
BY_COMMAND = ("commandRegex", "commandPrefix")


def as_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


@FEW
@given(
    st.sampled_from(TOOL_NAMES), st.sets(st.sampled_from(sorted(CONDITIONS)), max_size=3), st.sampled_from(RESTRICTING)
)
def test_a_rule_of_gemini_with_any_conditions(here: Imports, tool: str, conditions: set[str], verdict: str) -> None:
    fields = {name: CONDITIONS[name] for name in sorted(conditions)}
    fields |= {"toolName": tool, "priority": 1, "decision": {"ask": "ask_user"}.get(verdict, verdict)}
    text = "[[rule]]\n" + "".join(f"{name} = {as_toml(value)}\n" for name, value in fields.items())
    keeps(here, gemini, text, "rules.toml")
    policy = here.policy(gemini, text, "rules.toml")
    by_command = "argsPattern" not in conditions and not conditions.isdisjoint(BY_COMMAND)
    if tool == "run_shell_command" or by_command:
        said = here.answer(policy, "Bash", command="git push x")
    else:
        said = here.answer(policy, {"*": "my_tool", "mcp_gh_list": "mcp__gh__list"}.get(tool, tool), file_path="a")
    assert [said] == ([verdict] if verdict == "deny" else [max(said, "ask", key=("ask", "deny").index)])


CLAUDE = (
    *("Skill(deploy)", "Skill(deploy prod)", "Skill", "SlashCommand(/deploy:*)", "Mystery(x)", "Bash(", "Bash (x"),
    *("Bash($X)", "Bash(a 'b' *)", "Bash(a --x='b c'*)", "Bash(a \\; b)", 'Bash(a "$B")', "Bash(a | b*)", "Bash(*)"),
    *("Read(!x)", "Read(../x)", "Read(a\\ b)", "Read( x)", "Read(..)", "Read(/)", "Read({a,b})", "Edit([)", "Grep(x)"),
    *("WebFetch(x)", "WebFetch(domain:)", "WebFetch(domain:a.*)", "mcp__gh__x(y)", "mcp__gh", "mcp__*", "Agent(a b)"),
)


@FEW
@given(st.sampled_from(CLAUDE), st.sampled_from(RESTRICTING), st.sampled_from(("permissions", "disallowedTools")))
def test_a_rule_of_claude_code_in_any_shape(here: Imports, rule: str, verdict: str, where: str) -> None:
    held = {"permissions": {verdict: [rule]}} if where == "permissions" else {"disallowedTools": [rule]}
    keeps(here, claude_code, json.dumps(held), "settings.json")
    (line,) = here.lines(claude_code, json.dumps(held), "settings.json")
    assert {one.meant for one in line.became} == {WORD[verdict] if where == "permissions" else Verdict.DENY}
    here.policy(claude_code, json.dumps(held), "settings.json")


NAMES = ("bash", "edit", "read", "list", "glob", "grep", "webfetch", "websearch", "task", "skill", "my_tool", "*")
PATTERNS = ("*", "a*b", "a/b*", "../x", "a\\b", "!x", "a*b*c*d*e*f", "$X", "rm -rf*", "https://x.com/a*", "a/b")


@FEW
@given(
    st.dictionaries(
        st.sampled_from(NAMES), st.dictionaries(st.sampled_from(PATTERNS), st.sampled_from(("allow", *RESTRICTING)))
    ),
    st.sampled_from(("", "agent", "mode")),
)
def test_permissions_of_opencode_of_all_and_of_one_agent(
    here: Imports, permission: dict[str, dict[str, str]], kind: str
) -> None:
    held: dict[str, object] = {kind: {"plan": {"permission": permission}}} if kind else {"permission": permission}
    keeps(here, opencode, json.dumps(held), "opencode.json")
    here.policy(opencode, json.dumps(held), "opencode.json")
    if kind:
        made = here.imported(opencode, json.dumps(held), "opencode.json")
        assert not any(one.rule and one.rule.verdict == Verdict.ALLOW for one in made)


STATEMENTS = (
    'prefix_rule(pattern=["a"] + x, decision="forbidden")',
    'prefix_rule(pattern=["a"], decision=x)',
    'prefix_rule(["a"], "forbidden", *y)',
    "for name in names: prefix_rule([name])",
    "load('x', 'y')",
    "def f(): return prefix_rule",
    'network_rule(host=x, decision="deny")',
    'network_rule(host="a.example", decision=5)',
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_only_a_run_could_tell_is_denied(here: Imports, statement: str) -> None:
    (line,) = here.lines(codex, statement, "default.rules")
    assert [one.rule.verdict for one in line.became if one.rule] == [Verdict.DENY]
    assert line.blocks


QUOTED = ("a --x='b c'*", 'a --x="b"*', "a $B*", "a ~/b*", "a 'b*", "a \\; b", "a | b*", "a -f*")
WRITTEN = ("a --x='b c'd", 'a --x="b"c', "a $B", "a ~/bc", "a 'b'", "a \\; b", "a | bc", "a -fx")
AROUND = ("{}", "ls && {}", "ls; {}", "{} | cat", "echo $({})")


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("text", "command"), list(zip(QUOTED, WRITTEN, strict=True)))
def test_a_denied_text_is_denied_in_every_part_of_a_line(here: Imports, text: str, command: str, around: str) -> None:
    policy = here.policy(claude_code, json.dumps({"permissions": {"deny": [f"Bash({text})"]}}), "settings.json")
    assert here.answer(policy, "Bash", command=around.format(command)) == "deny"


PIECES = (
    *("git", " ", "push", " push", "-f", ".", ".*", "\\s+", "\\b", "(push|pull)", "|", "x?", "x*", "x+", "[a-z]+", "$"),
    *("\\.", "\\w+", "(?:a|b)", "{1,2}", "--force", "^", "\\-", "'", " *", "s*"),
)
COMMANDS = (
    "git push",
    "git push -f x",
    "git  push --force",
    "git pull x.y",
    "push",
    "gi",
    "git pus",
    "a x 'y'",
    "xgit",
)


@settings(parent=FEW, max_examples=600)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join),
    st.sampled_from(COMMANDS),
    st.sampled_from(AROUND[:3]),
    st.sampled_from(RESTRICTING),
)
def test_what_an_expression_of_gemini_finds_is_found(
    here: Imports, expression: str, command: str, around: str, verdict: str
) -> None:
    try:
        found = re.match(expression, command)
    except re.error:
        found = None
    decision = {"ask": "ask_user"}.get(verdict, verdict)
    row = f'toolName = "run_shell_command"\npriority = 1\ndecision = "{decision}"'
    policy = here.policy(gemini, f"[[rule]]\n{row}\ncommandRegex = {json.dumps(expression)}\n", "rules.toml")
    if found:
        said = here.answer(policy, "Bash", command=around.format(command))
        assert RESTRICTING.index(said) >= RESTRICTING.index(verdict)
