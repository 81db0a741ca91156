"""Installing, using and uninstalling leaves every agent's settings as they were, to the byte."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agents.hooking import ADAPTERS, ELSEWHERE
from assent.agents import AGENTS
from assent.agents.hosts import host_named, known_hosts
from assent.agents.hosts.host import Additions, Hook, OwnFile, Place, hook_for
from scene import Done, Scene

Capture = pytest.CaptureFixture[str]
HOSTS = pytest.mark.parametrize("agent", known_hosts())
START = Path(__file__).parent.parent.parent / "src/assent/start.py"


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    return Scene(tmp_path, monkeypatch)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder with its bytes; our own state is left out."""
    found = (path for path in sorted(folder.rglob("*")) if not path.is_relative_to(folder / "home/state"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def files(agent: str, scene: Scene, scope: Any = "user") -> list[tuple[Path, bool]]:
    """The files an installation touches, and whether they are ours alone."""
    place = Place(scope, str(scene.home), str(scene.project), scene.env)
    changes = host_named(agent).changes(place, hook_for(agent))
    return [(Path(change.file), isinstance(change, OwnFile)) for change in changes]


def test_every_adapter_can_be_installed() -> None:
    assert known_hosts() == ADAPTERS
    assert set(known_hosts()) <= set(AGENTS)


@HOSTS
@pytest.mark.parametrize("scope", ["user", "project"])
def test_what_was_not_there_is_gone_again(agent: str, scope: str, scene: Scene, capsys: Capture) -> None:
    if scope not in host_named(agent).SCOPES:
        found = scene.run(capsys, "install", agent, f"--{scope}", "--yes")
        assert (found.code, found.out) == (2, "")
        return
    before = tree(scene.home.parent)
    assert scene.run(capsys, "install", agent, f"--{scope}", "--yes").code == 0
    assert tree(scene.home.parent) != before
    assert scene.run(capsys, "uninstall", agent, "--yes").code == 0
    assert tree(scene.home.parent) == before


TEXTS = [
    "{}",
    "",
    "{\n}\n",
    '{"a":1,"hooks":{"Stop":[]}}',
    '{\n    "model": "x",\n    "hooks": {\n        "PreToolUse": []\n    }\n}\n\n',
    '{\r\n\t"hooks": {},\r\n\t"z": [1,\r\n\t2]\r\n}',
]


@HOSTS
@pytest.mark.parametrize("text", TEXTS)
def test_what_was_there_is_as_it_was(agent: str, text: str, scene: Scene, capsys: Capture) -> None:
    for file, own in files(agent, scene):
        if not own:
            scene.write(file, text)
            file.chmod(0o640)
    before = tree(scene.home.parent)
    for words in ([], ["--on-ask", "deny"], []):
        assert scene.run(capsys, "install", agent, "--yes", *words).code == 0
    assert scene.run(capsys, "uninstall", agent, "--yes").code == 0
    assert tree(scene.home.parent) == before
    assert all(file.stat().st_mode & 0o777 == 0o640 for file, own in files(agent, scene) if not own)


@HOSTS
def test_what_the_user_changed_meanwhile_stays(agent: str, scene: Scene, capsys: Capture) -> None:
    for file, own in files(agent, scene):
        if not own:
            scene.write(file, '{\n  "first": 1\n}\n')
    scene.run(capsys, "install", agent, "--yes")
    for file, own in files(agent, scene):
        if not own:
            file.write_text(file.read_text().replace('"first": 1', '"first": 2,\n  "second": [1,2]'))
    assert scene.run(capsys, "install", agent, "--yes").out.endswith("has this hook already\n")
    assert scene.run(capsys, "uninstall", agent, "--yes").code == 0
    texts = [file.read_text() for file, own in files(agent, scene) if not own]
    assert all(text.startswith('{\n  "first": 2,\n  "second": [1,2]') for text in texts)
    assert all("assent" not in text for text in texts)


@HOSTS
def test_a_hook_of_the_users_own_survives(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", agent, "--yes")
    for file, own in files(agent, scene):
        if own:
            continue
        settings = json.loads(file.read_text())
        for groups in settings["hooks"].values():
            groups.append({"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}], "command": "mine"})
        file.write_text(json.dumps(settings, indent=2))
    assert scene.run(capsys, "uninstall", agent, "--yes").code == 0
    for file, own in files(agent, scene):
        if not own:
            assert "mine" in file.read_text() and "assent" not in file.read_text()


@HOSTS
def test_without_receipts_the_hook_is_still_found(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", agent, "--yes")
    for receipt in (scene.state / "installed").iterdir():
        receipt.unlink()
    assert scene.run(capsys, "uninstall", agent, "--yes").code == 0
    for file, own in files(agent, scene):
        assert own or "assent" not in file.read_text()


@HOSTS
def test_the_hook_is_isolated_and_absolute(agent: str) -> None:
    assert hook_for(agent, ("--on-ask", "deny")).words == (
        *(sys.executable, "-I", "-S", str(START), "hook", agent),
        *("--on-ask", "deny"),
    )
    assert shlex.split(hook_for(agent).line) == list(hook_for(agent).words)


@HOSTS
def test_a_dry_run_changes_nothing(agent: str, scene: Scene, capsys: Capture) -> None:
    before = tree(scene.home.parent)
    found = scene.run(capsys, "install", agent, "--dry-run")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("--- /dev/null\n+++ ") and found.out.endswith("nothing was changed\n")
    assert tree(scene.home.parent) == before


@HOSTS
def test_nothing_is_changed_without_a_yes(agent: str, scene: Scene, capsys: Capture) -> None:
    before = tree(scene.home.parent)
    scene.type("")
    assert scene.run(capsys, "install", agent).code == 2
    for answer in ("n\n", "\n", "", "yes please\n"):
        scene.sit_down(answer)
        assert scene.run(capsys, "install", agent).code == 1
    assert tree(scene.home.parent) == before
    scene.sit_down("y\n")
    assert scene.run(capsys, "install", agent).code == 0
    assert tree(scene.home.parent) != before


@HOSTS
def test_installing_twice_changes_nothing_the_second_time(agent: str, scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", agent, "--yes")
    before = tree(scene.home.parent)
    title = host_named(agent).TITLE
    assert scene.run(capsys, "install", agent, "--yes") == Done(0, f"{title} has this hook already\n", "")
    assert tree(scene.home.parent) == before


@HOSTS
def test_uninstalling_what_is_not_there_is_no_error(agent: str, scene: Scene, capsys: Capture) -> None:
    title = host_named(agent).TITLE
    assert scene.run(capsys, "uninstall", agent, "--yes") == Done(0, f"{title} has no hook of Assent\n", "")


@HOSTS
def test_a_broken_file_is_left_alone(agent: str, scene: Scene, capsys: Capture) -> None:
    for file, own in files(agent, scene):
        scene.write(file, "{broken")
        found = scene.run(capsys, "install", agent, "--yes")
        assert (found.code, found.out) == (2, "")
        assert file.read_text() == "{broken" and (own or "repair it first" in found.err)


@HOSTS
def test_a_link_is_followed_and_stays_a_link(agent: str, scene: Scene, capsys: Capture) -> None:
    linked = [file for file, own in files(agent, scene) if not own]
    for file in linked:
        target = scene.write(scene.home / "dotfiles" / file.name, "{}\n")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(target)
    scene.run(capsys, "install", agent, "--yes")
    assert all(file.is_symlink() and "assent" in file.read_text() for file in linked)
    scene.run(capsys, "uninstall", agent, "--yes")
    assert all(file.is_symlink() and file.read_text() == "{}\n" for file in linked)


@HOSTS
def test_settings_that_the_user_removed_are_no_error(agent: str, scene: Scene, capsys: Capture) -> None:
    before = tree(scene.home.parent)
    scene.run(capsys, "install", agent, "--yes")
    for file, _ in files(agent, scene):
        file.unlink()
    title = host_named(agent).TITLE
    assert scene.run(capsys, "uninstall", agent, "--yes") == Done(0, f"{title} has no hook of Assent\n", "")
    assert tree(scene.home.parent) == before
    assert os.listdir(scene.state / "installed") == ["all.lock"]


def test_what_install_cannot_do_is_said(scene: Scene, capsys: Capture) -> None:
    for words in ([], ["clippy"], ["codex", "claude-code"], ["codex", "--managed"], ["codex", "--user", "--project"]):
        assert scene.run(capsys, "install", *words).code == 2
    assert scene.run(capsys, "install", "codex", "--on-ask", "suspend", "--yes") == Done(
        2, "", "assent: Codex CLI cannot be asked the way `suspend` (one of hold, ticket, deny)\n"
    )


def test_claude_code_gets_one_hook_that_blocks_when_it_fails(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "install", "claude-code", "--yes", "--on-ask", "ticket")
    handler = {
        "type": "command",
        "command": sys.executable,
        "args": ["-I", "-S", str(START), "hook", "claude-code", "--on-ask", "ticket"],
        "timeout": 600,
        "onFailure": "block",
        "statusMessage": "Assent (questions wait at: assent serve)",
    }
    found = json.loads((scene.home / ".claude/settings.json").read_text())
    assert found == {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [handler]}]}}


def test_the_managed_settings_of_claude_code_belong_to_the_machine(scene: Scene) -> None:
    [(file, own)] = files("claude-code", scene, "managed")
    assert (str(file), own) == ("/etc/claude-code/managed-settings.json", False)


def test_claude_code_and_codex_may_keep_their_settings_elsewhere(scene: Scene, capsys: Capture) -> None:
    for variable, agent, name in (
        ("CLAUDE_CONFIG_DIR", "claude-code", "settings.json"),
        ("CODEX_HOME", "codex", "hooks.json"),
    ):
        scene.monkeypatch.setenv(variable, str(scene.home / agent))
        assert scene.run(capsys, "install", agent, "--yes").code == 0
        assert os.listdir(scene.home / agent) == [name]


def test_codex_gets_two_hooks_and_the_user_is_told_to_trust_them(scene: Scene, capsys: Capture) -> None:
    found = scene.run(capsys, "install", "codex", "--yes")
    line = Hook((sys.executable, "-I", "-S", str(START), "hook", "codex")).closed.line
    said = {"timeout": 600, "statusMessage": "Assent (questions wait at: assent serve)"}
    group = {"matcher": ".*", "hooks": [{"type": "command", "command": line, **said}]}
    assert json.loads((scene.home / ".codex/hooks.json").read_text()) == {
        "hooks": {"PreToolUse": [group], "PermissionRequest": [group]}
    }
    assert "type `/hooks` to review and trust" in found.out


def test_a_file_that_changes_between_showing_and_writing_is_left_alone(scene: Scene, capsys: Capture) -> None:
    from assent.agents.hosts.changing import carry_out, planned
    from assent.errors import AssentError

    file = scene.write(scene.home / "settings.json", "{}")
    hook = hook_for("claude-code")
    [change] = host_named("claude-code").changes(Place("user", str(scene.home), "", {}), hook)
    assert isinstance(change, Additions)
    step = planned(Additions(str(file), change.entries), "claude-code", str(scene.state))
    file.write_text('{"mine": 1}')
    with pytest.raises(AssentError, match="was changed meanwhile"):
        carry_out(step, str(scene.state))
    assert file.read_text() == '{"mine": 1}'


def test_nothing_that_is_installed_allows_anything(tmp_path: Path) -> None:
    """A project may switch hooks off: what stays behind must not be looser than an agent without us."""
    for name in known_hosts():
        place = Place("user", str(tmp_path), str(tmp_path), {})
        for change in host_named(name).changes(place, hook_for(name)):
            if isinstance(change, Additions):
                assert {entry.path[0] for entry in change.entries} == {"hooks"}, name
                assert {key for key, _ in change.fresh} <= {"version"}, name
            elif change.file.endswith(".toml"):
                rules = tomllib.loads(change.text)["rule"]
                assert [rule["decision"] for rule in rules] == ["deny"] * len(rules), name
            else:
                assert change.words, f"{name}: a file that is neither a hook nor rules"
