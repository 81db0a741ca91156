"""`assent import` and `assent export`: files in, files out, what is said beside them, and what is never written."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from assent.cli import export, importing
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
        "3 rules of Claude Code: 2 as they are, 0 stricter, 1 left out",
        "  left out  ~/.claude/settings.json:1  Bash: every command: name the commands that you mean",
    ]


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
    assert [(row["fate"], row["verdict"], row["rule"]) for row in answer["entries"]] == [
        ("same", "deny", "Read(**/.env)"),
        ("same", "allow", "Bash(npm test:*)"),
        ("left out", None, None),
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


def test_a_broken_policy_is_not_exported(scene: Scene, capsys: Capture) -> None:
    scene.user("deny = [")
    assert scene.run(capsys, "export", "codex").code == 2
