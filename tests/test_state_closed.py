"""Assent's state folder is closed to agents for reading, too: it holds the commands and answers of every session."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.folders import own_folders
from assent.pipeline import judge
from assent.policy.compiled import Policy
from assent.types import ToolCall
from assent.world import DiskWorld
from decided import policy_of

FILES = ("approvals.db", "approvals.db-wal", "grants.json", "journal/2026.jsonl", "trust.json", "web-token", "anything")
READS = [
    "cat {state}/{file}",
    "sqlite3 {state}/{file} .dump",
    "strings {state}/{file}",
    "cp {state}/{file} /tmp/x",
    "base64 < {state}/{file}",
    "tar cf x.tar {state}",
    "grep -r token {state}",
    "cd {state} && cat {file}",
    "python3 -c \"print(open('{state}/{file}').read())\"",
    "find {state} -type f -exec cat {{}} +",
    "rsync -a {above}/ out/",
    "ln -s {state} s && cat s/{file}",
    "cat {above}/ass*/{file}",
]


@pytest.fixture
def full_auto() -> Policy:
    return policy_of(mode="full_auto")


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("text", READS)
def test_no_mode_reads_it(tmp_path: Path, full_auto: Policy, text: str, moved: bool) -> None:
    home, project = tmp_path / "home", tmp_path / "home/project"
    project.mkdir(parents=True)
    env = {"HOME": str(home)} | ({"XDG_STATE_HOME": str(tmp_path / "elsewhere")} if moved else {})
    above = tmp_path / "elsewhere" if moved else home / ".local/state"
    for file in FILES:
        made = above / "assent" / file
        made.parent.mkdir(parents=True, exist_ok=True)
        made.touch()
    world = DiskWorld(env=env)
    for file in FILES:
        command = text.format(state=above / "assent", above=above, file=file)
        call = ToolCall("Bash", {"command": command}, cwd=str(project), workspace=str(project))
        found = judge(call, full_auto, world, own_folders(env, str(home)))
        assert (str(found.verdict), found.reasons[0].step) == ("deny", "floor"), command


def test_asking_assent_itself_stays_open(tmp_path: Path, full_auto: Policy) -> None:
    env, project = {"HOME": str(tmp_path)}, tmp_path / "project"
    project.mkdir()
    for command in ("assent audit verify", "assent check 'ls'", "assent policy show"):
        call = ToolCall("Bash", {"command": command}, cwd=str(project), workspace=str(project))
        found = judge(call, full_auto, DiskWorld(env=env), own_folders(env, str(tmp_path)))
        assert str(found.verdict) == "allow", command
