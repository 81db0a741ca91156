"""Assent that lives in a project: `install` refuses it and offers a copy elsewhere, `doctor` warns."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scene import Done, Scene

SRC = Path(__file__).parent.parent.parent / "src"


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path, monkeypatch)


def run(scene: Scene, start: Path, *words: str, cwd: Path | None = None) -> Done:
    command = [os.path.realpath(sys.executable), "-I", "-S", str(start), *words]
    done = subprocess.run(command, env=scene.env, cwd=cwd or scene.project, capture_output=True, text=True)
    return Done(done.returncode, done.stdout, done.stderr)


def put(scene: Scene) -> Path:
    """This Assent in the environment of a project."""
    (scene.project / ".git").mkdir(exist_ok=True)
    package = scene.project / ".venv/lib/site-packages/assent"
    shutil.copytree(SRC / "assent", package, ignore=shutil.ignore_patterns("__pycache__"))
    return package / "start.py"


def test_a_copy_outside_is_offered_made_and_installed(scene: Scene) -> None:
    start = put(scene)
    refused = run(scene, start, "install", "claude-code", "--yes")
    assert (refused.code, "Assent lives in this project" in refused.err, "--outside" in refused.err) == (2, True, True)
    done = run(scene, start, "install", "claude-code", "--yes", "--outside")
    assert done.code == 0, done
    copy = scene.home / ".local/share/assent/program/assent/start.py"
    settings = (scene.home / ".claude/settings.json").read_text()
    assert str(copy) in settings and str(start) not in settings
    assert run(scene, copy, "doctor", "claude-code").out.count("lives in a project") == 0
    again = run(scene, start, "install", "claude-code", "--yes", "--outside")
    assert (again.code, "already" in again.out) == (0, True)
    assert sorted(path.name for path in (scene.home / ".local/share/assent").iterdir()) == ["program"]


def test_who_means_it_may_install_it_inside(scene: Scene) -> None:
    start = put(scene)
    assert run(scene, start, "install", "claude-code", "--yes", "--inside").code == 0
    assert str(start) in (scene.home / ".claude/settings.json").read_text()


def test_the_doctor_warns_and_says_what_to_do(scene: Scene) -> None:
    start = put(scene)
    found = json.loads(run(scene, start, "doctor", "--json", cwd=scene.home).out)["findings"]["assent"]
    (warning,) = (one for one in found if "lives in a project" in one["text"])
    assert (warning["level"], str(scene.project) in warning["text"]) == ("warning", True)
    assert "--outside" in warning["advice"] and "works on Assent itself" in warning["advice"]


def test_an_agent_changes_no_copy(scene: Scene) -> None:
    start = put(scene)
    given = json.dumps(
        {
            "id": 1,
            "tool": "Bash",
            "input": {"command": "echo x >> ~/.local/share/assent/program/assent/start.py"},
            "cwd": str(scene.project),
            "policy": {"mode": "full_auto"},
        }
    )
    command = [os.path.realpath(sys.executable), "-I", "-S", str(start), "check", "--jsonl"]
    done = subprocess.run(command, env=scene.env, input=given, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["verdict"], found["decided_by"]) == ("deny", "floor")
