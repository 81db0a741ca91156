"""What one entry of each agent's settings becomes: the rule, or nothing, and whether that is stricter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.errors import InputError
from assent.importing import claude_code, codex, gemini, opencode
from assent.importing.imported import Reader
from import_scene import Imports

CLAUDE = [
    ("allow", "Bash(npm run test:*)", "allow Bash(npm run test:*) same"),
    ("allow", "Bash(npm run test *)", "allow Bash(npm run test:*) same"),
    ("allow", "Bash(npm run test*)", "allow Bash(npm run test:*) stricter"),
    ("allow", "Bash(npm run test-*)", "left out"),
    ("allow", "Bash(npm * test *)", "allow Bash(npm * test *:*) stricter"),
    ("allow", "Bash(npm * test:*)", "allow Bash(npm * test *:*) stricter"),
    ("deny", "Bash(npm * test:*)", "deny Bash(npm * test:*) same"),
    ("allow", "Bash(python3:*)", "left out"),
    ("allow", "Bash(*)", "left out"),
    ("allow", "Bash(cd x && make)", "left out"),
    ("allow", "Bash(git commit -m 'a b')", "allow Bash(git commit -m 'a b') same"),
    ("allow", "Write(/srv/x)", "left out"),
    ("allow", "Edit", "allow Write(./**) stricter"),
    ("allow", "Read(//srv/data/**)", "allow Read(/srv/data/**) same"),
    ("allow", "mcp__github__get_issue", "allow Mcp(github.get_issue) same"),
    ("deny", "Bash(npm run test*)", "deny Bash(npm run test*:*) same"),
    ("deny", "Bash(rm -rf*)", "ask Bash(rm:*), deny command `rm -rf*`, deny Bash(rm -rf:*) stricter"),
    ("deny", "Bash(cat ~/x)", "ask Bash(cat:*), deny command `cat ~/x` stricter"),
    ("deny", "Bash($X)", "ask Bash, deny command `$X` stricter"),
    ("deny", "Bash(* | sh)", "ask Bash, deny command `* | sh` stricter"),
    ("deny", "Bash(", "deny Bash stricter"),
    ("ask", "Bash(", "ask Bash stricter"),
    ("deny", "Bash (rm", "deny Bash stricter"),
    ("deny", "Bash(gh auth token:*)", "deny Bash(gh auth token:*) same"),
    (
        "deny",
        "Bash(git push --force*)",
        "ask Bash(git push:*), deny command `git push --force*`, deny Bash(git push --force:*) stricter",
    ),
    (
        "deny",
        "Write(/etc/**)",
        "deny Write(./etc/**), deny Write(~/.claude/etc/**), deny Write(/etc/**) stricter",
    ),
    ("deny", "WebFetch(domain:*.x.example)", "deny WebFetch(domain:x.example) stricter"),
    ("deny", "Read(.env)", "deny Read(**/.env) same"),
    ("deny", "Read(!x)", "deny Read(**/?x) stricter"),
    ("deny", "Read(../keys/**)", "deny Read(**/keys/**) stricter"),
    ("ask", "Read(../keys/**)", "ask Read(**/keys/**) stricter"),
    ("deny", "mcp__shell", "deny Mcp(shell.*) same"),
    ("deny", "Skill(deploy)", "deny Skill(deploy) stricter"),
    ("deny", "Skill(deploy *)", "deny Skill(deploy) same"),
    ("ask", "Skill(deploy:*)", "ask Skill(deploy) same"),
    ("deny", "Skill(deploy prod)", "deny Skill(deploy) stricter"),
    ("allow", "Skill(deploy)", "left out"),
    ("allow", "Skill(deploy *)", "allow Skill(deploy) same"),
    ("deny", "SlashCommand(/deploy:*)", "deny Skill(deploy) same"),
    ("deny", "Mystery(x)", "deny Tool(Mystery) stricter"),
    ("deny", "mcp__gh__drop(x)", "deny Mcp(gh.drop) stricter"),
    ("deny", "WebFetch(evil)", "deny WebFetch stricter"),
]
OPENCODE = [
    ({"bash": {"git *": "allow"}}, "allow Bash(git:*) same"),
    ({"bash": {"npm run test:*": "allow"}}, "left out"),
    ({"bash": {"npm run test:*": "deny"}}, "deny Bash(npm run test:*:*) same"),
    ({"edit": {"src/*": "allow"}}, "allow Write(./src/**) same"),
    ({"edit": {"a/*/b": "allow"}}, "allow Write(./a/*/**/b) same"),
    ({"read": {"*.env": "deny"}}, "deny Read(**/*.env) same"),
    ({"webfetch": "allow"}, "left out"),
    ({"my_*": "deny"}, "deny Tool(my_*) same"),
]
CODEX = [
    ('prefix_rule(pattern=["git", "status"])', "allow Bash(git status:*) same"),
    ('prefix_rule(["git", "push"], "forbidden")', "deny Bash(git push:*) same"),
    ('prefix_rule(pattern=["a", "*"], decision="allow")', "left out"),
    ('prefix_rule(pattern=["a", "*"], decision="forbidden")', "deny Bash(a ?:*) same"),
    ('prefix_rule(pattern=["a"] + ["b"])', "left out"),
    ('prefix_rule(pattern=["a"] + ["b"], decision="forbidden")', "deny Bash stricter"),
    ('prefix_rule(pattern=["a"], decision=x)', "deny Bash stricter"),
    ('prefix_rule(*["a"])', "deny Bash stricter"),
    ('__import__("os").system("touch ran")', "deny Bash stricter"),
    ("x = 1", "left out"),
    ("rule = prefix_rule", "deny Bash stricter"),
    ('network_rule(host="x.example", protocol="https", decision="deny")', "deny WebFetch(domain:x.example) same"),
]
SHELL = 'toolName = "run_shell_command"\npriority = 1\n'
GEMINI = [
    (f'{SHELL}commandPrefix = "git status"\ndecision = "allow"', "allow Bash(git status:*) same"),
    (
        f'{SHELL}commandRegex = "git (push|reset)"\ndecision = "deny"',
        "deny Bash(git push*:*), deny Bash(git reset*:*) same",
    ),
    (f'{SHELL}commandRegex = "a|b"\ndecision = "deny"', "deny Bash(a*:*), deny Bash(b*:*) same"),
    (f'{SHELL}commandRegex = ".*--force"\ndecision = "deny"', "deny command `*--force*` stricter"),
    (f'{SHELL}commandRegex = "git [a-z]+ x"\ndecision = "deny"', "deny Bash(git:*) stricter"),
    (f'{SHELL}commandRegex = "[a-z]+"\ndecision = "deny"', "deny Bash stricter"),
    (f'{SHELL}commandRegex = "[a-z]+"\ndecision = "ask_user"', "ask Bash stricter"),
    (f'{SHELL}commandRegex = "npm test"\ndecision = "allow"', "left out"),
    (f'{SHELL}argsPattern = "x"\ndecision = "deny"', "deny Bash stricter"),
    (f'{SHELL}argsPattern = "x"\ndecision = "ask_user"', "ask Bash stricter"),
    (f"{SHELL}argsPattern = '\"command\":\"git push'\ndecision = 'deny'", "deny Bash(git push*:*) same"),
    (f'{SHELL}commandPrefix = "npm test"\ndecision = "deny"\nsubagent = "x"', "deny Bash(npm test:*) stricter"),
    (f'{SHELL}commandPrefix = "npm test"\ndecision = "ask_user"\ninteractive = true', "ask Bash(npm test:*) stricter"),
    (f'{SHELL}commandPrefix = "rm -rf"\ndecision = "deny"\nmodes = ["plan"]', "deny Bash(rm -rf:*) stricter"),
    (f'{SHELL}commandPrefix = "npm test"\ndecision = "allow"\nmodes = ["yolo"]', "left out"),
    ('toolName = "*"\nmcpName = "github"\ndecision = "deny"\npriority = 1', "deny Mcp(github.*) same"),
]


@pytest.fixture
def here(tmp_path: Path) -> Imports:
    return Imports(tmp_path)


def became(here: Imports, reader: Reader, text: str, name: str) -> str:
    (line,) = here.lines(reader, text, name)
    here.policy(reader, text, name)
    return " ".join([", ".join(line.rules), line.fate]).strip()


@pytest.mark.parametrize(("verdict", "rule", "expected"), CLAUDE)
def test_a_rule_of_claude_code(here: Imports, verdict: str, rule: str, expected: str) -> None:
    assert became(here, claude_code, json.dumps({"permissions": {verdict: [rule]}}), "settings.json") == expected


@pytest.mark.parametrize(("permission", "expected"), OPENCODE)
def test_a_permission_of_opencode(here: Imports, permission: object, expected: str) -> None:
    assert became(here, opencode, json.dumps({"permission": permission}), "opencode.json") == expected


@pytest.mark.parametrize(("statement", "expected"), CODEX)
def test_a_statement_of_codex(here: Imports, statement: str, expected: str) -> None:
    assert became(here, codex, statement, "default.rules") == expected
    assert not Path("ran").exists()


@pytest.mark.parametrize(("table", "expected"), GEMINI)
def test_a_rule_of_gemini(here: Imports, table: str, expected: str) -> None:
    assert became(here, gemini, f"[[rule]]\n{table}\n", "rules.toml") == expected


def test_a_stronger_allow_is_an_exception_to_a_weaker_deny(here: Imports) -> None:
    permission = {"bash": {"*": "deny", "git *": "allow", "git push *": "ask"}}
    policy = here.policy(opencode, json.dumps({"permission": permission}), "opencode.json")
    answers = [here.answer(policy, "Bash", command=line) for line in ("ls", "git status", "git push")]
    assert answers == ["deny", "allow", "ask"]


def test_a_deny_by_text_says_which_allow_it_takes_with_it(here: Imports) -> None:
    permission = {"bash": {"git push --force*": "deny", "git push --force-with-lease *": "allow"}}
    first = here.lines(opencode, json.dumps({"permission": permission}), "opencode.json")[0]
    assert "denied by its text, Bash(git push --force-with-lease:*) included" in first.note


def test_a_folder_outside_is_no_exception_to_a_rule_on_reading(here: Imports) -> None:
    permission = {"read": {"*.key": "deny"}, "external_directory": {"~/notes/*": "allow"}}
    rules = [one.rule for one in here.imported(opencode, json.dumps({"permission": permission}), "opencode.json")]
    assert [(rule.text, rule.unless) for rule in rules if rule] == [("Read(**/*.key)", ()), ("Read(~/notes/**)", ())]


def test_a_secret_is_neither_imported_nor_shown(here: Imports) -> None:
    token = "ghp_" + "a1B2" * 9
    text = json.dumps({"permissions": {"allow": [f"Bash(curl -H {token}:*)"], "deny": [f"Bash(curl {token}:*)"]}})
    imported = here.imported(claude_code, text, "settings.json")
    assert token not in here.text(claude_code, text, "settings.json") + repr(imported)
    assert [one.rule.text if one.rule else one.fate for one in imported] == ["Bash(curl:*)", "left out"]


@pytest.mark.parametrize(
    ("reader", "name", "text"),
    [(claude_code, "settings.json", "{"), (codex, "a.rules", "prefix_rule("), (gemini, "a.toml", "=")],
)
def test_a_broken_file_is_an_error(here: Imports, reader: Reader, name: str, text: str) -> None:
    with pytest.raises(InputError):
        here.imported(reader, text, name)


def test_modes_and_folders_of_claude_code(here: Imports) -> None:
    held = {"defaultMode": "plan", "additionalDirectories": ["/srv/data/", "../docs", "/"]}
    made = here.text(claude_code, json.dumps({"permissions": held}), "settings.json")
    assert made.partition("policy.toml\n")[2] == (
        '\nmode = "plan"  # settings.json:1\n\n[[paths]]  # settings.json:1\npattern = "/srv/data/*"\nallow = true\n'
    )
