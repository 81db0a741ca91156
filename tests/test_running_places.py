"""The interpreter, the environment and the folders that Assent runs from are closed to agents, in every mode."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assent import folders

SRC = Path(__file__).parent.parent / "src"
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
PACKAGES = f".venv/lib/{VERSION}/site-packages"
LIBRARY = os.path.dirname(os.path.realpath(os.__file__))
CHANGES = [
    "echo home=/tmp/x > .venv/pyvenv.cfg",
    "sed -i s,home.*,home=/tmp/x, .venv/pyvenv.cfg",
    "tee .venv/bin/pyvenv.cfg < x",
    "cp /tmp/x .venv/bin/python3",
    "ln -sf /tmp/evil .venv/bin/python",
    "ln -sfn /tmp/evil .venv",
    "mv .venv /tmp/v",
    "rm -rf .venv",
    "rm -r .venv/lib",
    "find . -name pyvenv.cfg -delete",
    "find .venv -delete",
    "chmod 000 .venv/bin/python",
    "chmod -R a-w .venv",
    "truncate -s0 .venv/bin/assent",
    "dd if=/dev/zero of=.venv/bin/python",
    "rsync -a --delete evil/ .venv/",
    "tar xf x.tar -C .venv",
    "unzip -o x.zip -d .venv",
    "git clean -fdx",
    "python3 -m venv --clear .venv",
    "python3 -m venv .venv",
    "virtualenv --clear .venv",
    "uv venv --clear .venv",
    "uv pip sync requirements.txt",
    f"echo 'import os' > {PACKAGES}/evil.pth",
    f"touch {PACKAGES}/sitecustomize.py",
    f"echo x >> {PACKAGES}/assent/pipeline.py",
    f"echo x >> {LIBRARY}/json/__init__.py",
    f"rm {LIBRARY}/os.py",
    f"echo x > {LIBRARY}/sitecustomize.py",
    f"cp evil.zip {os.path.dirname(LIBRARY)}/{VERSION.replace('.', '')}.zip",
    f"cp evil {os.path.realpath(sys.executable)}",
    "python3 -c \"import shutil; shutil.rmtree('.venv')\"",
    "pip uninstall -y assent",
    "pip3 uninstall -y Assent_Guard",
    "python3 -m pip uninstall -y assent-guard",
    "uv pip uninstall assent-guard",
    "uv tool uninstall assent-guard",
    "pipx uninstall assent-guard",
    "pipx reinstall assent-guard",
    "pip install assent==0.0.1",
]
LOOKS = ["cat .venv/pyvenv.cfg", "ls .venv/bin", f"cat {LIBRARY}/os.py", f"head -3 {PACKAGES}/assent/pipeline.py"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose own environment has Assent in it."""
    made = tmp_path_factory.mktemp("home") / "project"
    packages = made / PACKAGES
    packages.mkdir(parents=True)
    (made / ".git").mkdir()
    (made / ".venv/bin").mkdir()
    (made / ".venv/bin/python3").symlink_to(os.path.realpath(sys.executable))
    (made / ".venv/bin/python").symlink_to("python3")
    (made / ".venv/pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
    (made / "requirements.txt").write_text("requests\n")
    shutil.copytree(SRC / "assent", packages / "assent", ignore=shutil.ignore_patterns("__pycache__", "*.bin"))
    return made


def verdicts(project: Path, commands: list[str], mode: str) -> dict[str, tuple[str, str]]:
    """The verdict on each command and what decided it, by the Assent that lives in the project."""
    about = {"tool": "Bash", "cwd": str(project), "workspace": str(project), "policy": {"mode": mode}}
    rows = [{**about, "id": text, "input": {"command": text}} for text in commands]
    words = [".venv/bin/python", "-I", f"{PACKAGES}/assent/start.py", "check", "--jsonl"]
    given = "".join(json.dumps(row) + "\n" for row in rows)
    env = {"HOME": str(project.parent), "PATH": os.defpath}
    shown = subprocess.run(words, input=given, cwd=project, env=env, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in shown.stdout.splitlines()]
    return {row["id"]: (row["verdict"], row["decided_by"]) for row in found}


@pytest.mark.parametrize("mode", ["full_auto", "default"])
def test_no_mode_lets_an_agent_change_what_runs_assent(project: Path, mode: str) -> None:
    assert verdicts(project, CHANGES, mode) == dict.fromkeys(CHANGES, ("deny", "floor"))


def test_reading_it_stays_open(project: Path) -> None:
    assert {text: verdict for text, (verdict, _) in verdicts(project, LOOKS, "full_auto").items()} == dict.fromkeys(
        LOOKS, "allow"
    )


def test_other_environments_and_packages_are_nobodys_business(project: Path) -> None:
    others = ["pip install requests", "python3 -m venv other", "rm -rf build", "touch src/pyvenv.txt"]
    found = verdicts(project, others, "full_auto")
    assert {text: verdict for text, (verdict, _) in found.items()} == dict.fromkeys(others, "allow")


def test_every_link_on_the_way_to_the_interpreter_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = tmp_path / "python/bin/python3.99"
    real.parent.mkdir(parents=True)
    real.touch()
    (tmp_path / "current").symlink_to("python")
    (tmp_path / "env/bin").mkdir(parents=True)
    (tmp_path / "env/bin/python").symlink_to("python3")
    (tmp_path / "env/bin/python3").symlink_to(tmp_path / "current/bin/python3.99")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "env/bin/python"))
    monkeypatch.setattr(folders, "_running", ())
    found = folders.running_places()
    wanted = ("env/bin/python", "env/bin/python3", "current", "python/bin/python3.99", "env/pyvenv.cfg")
    assert {str(tmp_path / name) for name in wanted} <= set(found)
    assert str(tmp_path) not in found


def test_a_folder_that_merely_was_searched_is_not_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), "", *sys.path])
    monkeypatch.setattr(folders, "_running", ())
    assert not any(place.startswith(str(tmp_path)) or place == "" for place in folders.running_places())


def test_the_folder_that_the_package_is_imported_from_is_closed_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "__file__", str(tmp_path / "lib/assent/folders.py"))
    monkeypatch.setattr(folders, "_running", ())
    assert str(tmp_path / "lib") in folders.running_places()


def test_a_home_or_the_top_of_the_machine_is_not_closed_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/home")
    for above in ("/somewhere/home", "/opt"):
        monkeypatch.setattr(folders, "__file__", f"{above}/assent/folders.py")
        monkeypatch.setattr(folders, "_running", ())
        found = folders.running_places()
        assert (f"{above}/assent" in found, above in found) == (True, False)
