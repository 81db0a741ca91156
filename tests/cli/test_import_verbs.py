"""`assent import` and `assent export`: files in, files out, what is said beside them, and what is never written."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from assent.cli import export, importing
from assent.importing.claude_code import LEFT
from assent.importing.imported import WIDER
from assent.types import Verdict
from scene import Scene

Capture = pytest.CaptureFixture[str]
SETTINGS = '{"permissions": {"allow": ["Bash(npm test:*)", "Bash"], "deny": ["Read(.env)"]}}'
POLICY = """allow = ["Bash(npm test)", "Bash(make:*)"]
ask = ["Bash(git push:*)"]
deny = ["Bash(npm run * --watch)", "Read(**/notes/**)", "Mcp(github.delete_repo)"]
"""
WRITTEN = """\
# Written by `assent import claude-code` from your rules for Claude Code. Nothing in it is looser than they are.
# It belongs in ~/config/assent/policy.toml

deny = [
  "Read(**/.env)",  # ~/.claude/settings.json:1
]

allow = [
  "Bash(npm test:*)",  # ~/.claude/settings.json:1
]
"""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = Scene(tmp_path, monkeypatch)
    monkeypatch.setattr("assent.importing.claude_code.MANAGED", str(tmp_path / "managed/settings.json"))
    monkeypatch.setattr("assent.importing.gemini.ADMIN", str(tmp_path / "managed/gemini"))
    made.write(made.home / ".claude/settings.json", SETTINGS)
    return made


def test_the_policy_is_printed_and_the_report_stands_beside_it(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "import", "claude-code")
    assert (done.code, done.out) == (0, WRITTEN)
    assert done.err.splitlines() == [
        "3 entries of Claude Code: 2 as they are, 0 stricter, 1 left out, 0 not known",
        "  left out   ~/.claude/settings.json:1  Bash: every command: name the commands that you mean",
    ]


def test_the_report_says_what_an_odd_rule_does_and_names_what_it_does_not_know(scene: Scene, capsys: Capture) -> None:
    settings = {"permissions": {"deny": ["Bash(", 5], "newKey": True}, "disableAllHooks": True}
    scene.write(scene.home / ".claude/settings.json", json.dumps(settings))
    at = "~/.claude/settings.json:1"
    hooks = LEFT["disableAllHooks"]
    assert scene.run(capsys, "import", "claude-code").err.splitlines() == [
        "4 entries of Claude Code: 0 as they are, 1 stricter, 2 left out, 1 not known",
        f"  stricter   {at}  Bash( → deny Bash: a bracket is missing; {WIDER[Verdict.DENY]}; every command is denied; "
        "to narrow or delete: rule wider-1",
        f"  left out   {at}  5: not a text, so no rule for Claude Code either",
        f"  left out   {at}  disableAllHooks true: {hooks}",
        f"  not known  {at}  permissions.newKey = true: nothing taken",
        f"  CAREFUL    {at}  every command is denied because of `Bash(`: narrow or delete rule wider-1",
    ]


def test_a_wider_deny_is_a_rule_of_its_own_that_says_where_it_is(scene: Scene, capsys: Capture) -> None:
    scene.write(scene.home / ".claude/settings.json", json.dumps({"permissions": {"deny": ["Bash(", "Read(.env)"]}}))
    made = tomllib.loads(scene.run(capsys, "import", "claude-code").out)
    message = "wider than your rule for Claude Code: to narrow or delete it, look for wider-1 in the policy"
    assert made == {"deny": ["Read(**/.env)"], "rule": [{"deny": "Bash", "id": "wider-1", "message": message}]}


def test_it_is_written_once_and_says_so_the_second_time(scene: Scene, capsys: Capture) -> None:
    words = ("import", "claude-code", "--write", str(scene.user_file), "--yes")
    assert scene.run(capsys, *words).code == 0
    assert scene.user_file.read_text() == WRITTEN
    assert scene.verdict("Read", file_path=".env") == "deny"
    assert "says this already" in scene.run(capsys, *words).err


def test_nothing_is_overwritten_without_an_answer(scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Bash(x)"]\n')
    words = ("import", "claude-code", "--write", str(scene.user_file))
    scene.sit_down("no\n")
    done = scene.run(capsys, *words)
    assert (done.code, '-deny = ["Bash(x)"]' in done.out, scene.user_file.read_text()) == (
        1,
        True,
        'deny = ["Bash(x)"]\n',
    )
    assert scene.run(capsys, *words, "--dry-run").code == 0
    scene.type("")
    assert scene.run(capsys, *words).code == 2
    assert scene.user_file.read_text() == 'deny = ["Bash(x)"]\n'


def test_rules_of_a_project_do_not_go_into_the_file_for_all(scene: Scene, capsys: Capture) -> None:
    scene.write(scene.project / ".claude/settings.json", SETTINGS)
    done = scene.run(capsys, "import", "claude-code", "--project", "--write", str(scene.user_file), "--yes")
    assert (done.code, scene.user_file.exists()) == (2, False)
    done = scene.run(capsys, "import", "claude-code", "--project", "--write", ".assent/policy.toml", "--yes")
    assert (done.code, "# .claude/settings.json:1" in scene.project_file.read_text()) == (0, True)


def test_json_has_every_entry(scene: Scene, capsys: Capture) -> None:
    answer = scene.run(capsys, "import", "claude-code", "--json").json
    assert [(row["fate"], row["keys"], row["rules"]) for row in answer["entries"]] == [
        ("same", [["permissions", "deny", 0]], [{"verdict": "deny", "rule": "Read(**/.env)", "unless": [], "id": ""}]),
        (
            "same",
            [["permissions", "allow", 0]],
            [{"verdict": "allow", "rule": "Bash(npm test:*)", "unless": [], "id": ""}],
        ),
        ("left out", [["permissions", "allow", 1]], []),
    ]
    assert answer["policy"] == WRITTEN


@pytest.mark.parametrize(
    "words", [(), ("cursor",), ("codex",), ("claude-code", "--file", "nowhere"), ("gemini", "--yes")]
)
def test_what_cannot_be_imported_is_an_error(words: tuple[str, ...], scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "import", *words).code == 2


def test_the_examples_of_both_helps_run(scene: Scene, capsys: Capture) -> None:
    scene.user(POLICY)
    scene.write(scene.home / ".codex/rules/default.rules", 'prefix_rule(pattern=["git", "status"])\n')
    scene.write(scene.project / "opencode.json", '{"permission": {"edit": "ask"}}')
    for text in (importing.HELP, export.HELP):
        for line in text.partition("Examples:\n")[2].splitlines():
            done = scene.run(capsys, *shlex.split(line)[1:])
            assert (done.code, bool(done.out)) == (0, True), (line, done)


# --- export --------------------------------------------------------------------------------------------------------


def test_codex_gets_the_beginnings_of_commands(scene: Scene, capsys: Capture) -> None:
    scene.user(POLICY)
    done = scene.run(capsys, "export", "codex", "--allow")
    assert [line.strip() for line in done.out.splitlines() if "pattern =" in line or "decision =" in line] == [
        'pattern = ["git", "push"],',
        'decision = "prompt",',
        'pattern = ["npm", "run"],',
        'decision = "prompt",',
    ]
    assert "lacks  deny Read(**/notes/**)" in done.err


def test_gemini_gets_denies_at_the_top_and_questions_at_the_bottom(scene: Scene, capsys: Capture) -> None:
    scene.user(POLICY)
    made = tomllib.loads(scene.run(capsys, "export", "gemini").out)["rule"]
    rows = [(row["decision"], row["priority"], row.get("commandPrefix") or row.get("mcpName")) for row in made[:4]]
    assert rows == [
        ("ask_user", 0, "git push"),
        ("ask_user", 0, "npm run"),
        ("deny", 999, None),
        ("deny", 999, "github"),
    ]
    assert all(row["decision"] != "allow" for row in made)


def test_claude_code_gets_an_allow_only_where_it_is_exact(scene: Scene, capsys: Capture) -> None:
    scene.user(POLICY)
    without = json.loads(scene.run(capsys, "export", "claude-code").out)["permissions"]
    held = json.loads(scene.run(capsys, "export", "claude-code", "--allow").out)["permissions"]
    assert "allow" not in without
    assert held["allow"] == ["Bash(npm test)"]
    assert held["ask"] == ["Bash(git push:*)"]
    assert held["deny"][:4] == [
        "Bash(npm run * --watch)",
        "Bash(npm run * --watch *)",
        "Read(//**/notes/**)",
        "mcp__github__delete_repo",
    ]


@pytest.mark.parametrize("agent", export.AGENTS)
def test_no_export_holds_a_secret(agent: str, scene: Scene, capsys: Capture) -> None:
    token = "ghp_" + "a1B2" * 9
    scene.user(f'deny = ["Bash(curl -H {token}:*)"]\n[[rule]]\ndeny = "Bash(x)"\nmessage = "not with {token}"\n')
    done = scene.run(capsys, "export", agent)
    assert (done.code, token in done.out + done.err) == (0, False)


ABOUT_SECRETS = (
    "Read(**/*secret*)",
    "Write(**/token.json)",
    "Read(**/passwords.txt)",
    "Bash(gh auth token:*)",
    "Bash(kubectl get secret:*)",
    "Bash(aws secretsmanager get-secret-value:*)",
    "Read(**/credentials*)",
)


@pytest.mark.parametrize("verdict", ["deny", "ask"])
def test_rules_that_only_name_secrets_are_exported(verdict: str, scene: Scene, capsys: Capture) -> None:
    scene.user(f"{verdict} = {json.dumps(ABOUT_SECRETS)}\n")
    for agent in export.AGENTS:
        assert "a secret" not in scene.run(capsys, "export", agent).err
    held = json.loads(scene.run(capsys, "export", "claude-code").out)["permissions"][verdict]
    assert held[: len(ABOUT_SECRETS)] == [
        "Read(//**/*secret*)",
        "Edit(//**/token.json)",
        "Read(//**/passwords.txt)",
        *ABOUT_SECRETS[3:6],
        "Read(//**/credentials*)",
    ]


@pytest.mark.parametrize("agent", export.AGENTS)
def test_a_denied_command_with_a_secret_is_not_exported(agent: str, scene: Scene, capsys: Capture) -> None:
    token = "ghp_" + "a1B2" * 9
    scene.user(f'[commands]\ndeny = ["curl -H {token} *"]\n')
    done = scene.run(capsys, "export", agent)
    assert (done.code, token in done.out + done.err, "holds a secret" in done.err) == (0, False, True)


@pytest.mark.parametrize("agent", export.AGENTS)
def test_no_export_holds_the_path_of_this_project(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Write(./src/**)"]\nask = ["Read(./docs/**)"]\n[[paths]]\npattern = "./x/*"\nallow = false\n')
    done = scene.run(capsys, "export", agent)
    assert (done.code, str(scene.project) in done.out) == (0, False)
    assert "lacks  deny Write(./src/**)" in done.err


def test_a_rule_of_the_project_counts_from_the_folder_of_claude_code(scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Write(./src/**)"]\n')
    assert json.loads(scene.run(capsys, "export", "claude-code").out)["permissions"]["deny"][0] == "Edit(./src/**)"


def test_a_rule_of_the_project_asks_for_absolute_paths_in_gemini(scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Write(./src/**)"]\n')
    made = tomllib.loads(scene.run(capsys, "export", "gemini").out)["rule"][:2]
    assert [(row["decision"], re.search(row["argsPattern"], '"/any/src/a"') is not None) for row in made] == [
        ("deny", False),
        ("ask_user", True),
    ]
    assert re.search(made[0]["argsPattern"], '"src/a"')


def test_a_broken_policy_is_not_exported(scene: Scene, capsys: Capture) -> None:
    scene.user("deny = [")
    assert scene.run(capsys, "export", "codex").code == 2
