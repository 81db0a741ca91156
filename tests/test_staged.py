"""What only waits for the next commit: its content counts like that of any file, wherever its name is a secret's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assent.pipeline import judge
from assent.policy.compiled import compile_policy
from assent.types import ToolCall, Verdict
from assent.world import DiskWorld

SHOWING = ("git diff --cached", "git diff --staged HEAD", "git status -v", "git commit --dry-run -v", "git show :.env")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / ".env").write_text("KEY=1\n")
    subprocess.run(["git", "add", "a.txt"], cwd=tmp_path, check=True)
    return tmp_path


def verdict(command: str, project: Path) -> Verdict:
    call = ToolCall("Bash", {"command": command}, cwd=str(project), workspace=str(project))
    return judge(call, compile_policy(), DiskWorld()).verdict


@pytest.mark.parametrize("command", SHOWING)
def test_a_staged_secret_is_asked_about_even_when_the_file_is_gone(command: str, project: Path) -> None:
    subprocess.run(["git", "add", "-f", ".env"], cwd=project, check=True)
    (project / ".env").unlink()
    assert verdict(command, project) is Verdict.ASK


@pytest.mark.parametrize("command", SHOWING[:4])
def test_a_secret_that_is_not_staged_is_not_shown(command: str, project: Path) -> None:
    expected = Verdict.ASK if "HEAD" in command else Verdict.ALLOW
    assert verdict(command, project) is expected
