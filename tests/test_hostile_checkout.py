"""Started inside a hostile checkout, Assent imports none of its modules and still answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

START = Path(__file__).parent.parent / "src/assent/start.py"

MODULES = (
    *("_collections_abc", "_json", "_sha2", "_sha256", "abc", "argparse", "assent", "codecs", "dataclasses", "enum"),
    *("functools", "genericpath", "hashlib", "io", "json", "linecache", "ntpath", "os", "pathlib", "posixpath", "re"),
    *("shlex", "site", "sitecustomize", "stat", "tomllib", "traceback", "types", "typing", "usercustomize", "wire"),
)
PACKAGES = ("assent", "assent/cli", "encodings", "importlib", "json", "policy", "collections")


class Way(NamedTuple):
    """One way in which we ship Assent, as the words that start it."""

    name: str
    words: tuple[str, ...]
    isolated: bool


CONSOLE = Way("console-script", (str(Path(sys.executable).parent / "assent"),), isolated=False)
LAUNCHER = Way("isolated-launcher", (sys.executable, "-I", "-S", str(START)), isolated=True)
WAYS = [CONSOLE, LAUNCHER]

# tool, input and exit code: 0 allow, 3 ask, 4 deny
CALLS = [
    ("Read", '{"file_path": "README.md"}', 0),
    ("Write", '{"file_path": "notes.txt", "content": "x"}', 3),
    ("Read", '{"file_path": "~/.ssh/id_rsa"}', 4),
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project in which every import is a trap."""
    project = tmp_path / "project"
    trap = f"open({str(tmp_path / 'pwned')!r}, 'a').write(__name__ + '\\n')\n"
    for name in MODULES:
        write(project / f"{name}.py", trap)
    for name in PACKAGES:
        write(project / "packages" / name / "__init__.py", trap)
        write(project / "packages" / name / "main.py", trap)
    write(project / "README.md", "# Nothing to see here\n")
    write(project / "packages" / "README.md", "# Nor here\n")
    return project


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(words: tuple[str, ...], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    home = str(cwd.parent / "home")
    env = {"PATH": os.defpath, "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state"}
    return subprocess.run(words, cwd=cwd, env={**env, **more}, capture_output=True, text=True, timeout=60)


def trapped(checkout: Path) -> str:
    """The hostile modules that were imported, one per line."""
    caught = checkout.parent / "pwned"
    return caught.read_text() if caught.exists() else ""


def test_the_trap_works(checkout: Path) -> None:
    run((sys.executable, "-c", "import tomllib"), checkout)
    assert trapped(checkout), "a plain `python -c` in this folder must fall into the trap"


@pytest.mark.parametrize("folder", [".", "packages"])
@pytest.mark.parametrize(("tool", "input", "code"), CALLS, ids=[f"{tool}-{code}" for tool, _, code in CALLS])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_hostile_checkout_is_not_imported(
    way: Way, tool: str, input: str, code: int, folder: str, checkout: Path
) -> None:
    done = run((*way.words, "check", "--tool", tool, "--input", input), checkout / folder)
    assert (trapped(checkout), done.returncode) == ("", code), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("tool", "input", "code"), CALLS, ids=[f"{tool}-{code}" for tool, _, code in CALLS])
def test_the_launcher_ignores_a_hostile_environment(tool: str, input: str, code: int, checkout: Path) -> None:
    hostile = {
        "PYTHONPATH": str(checkout),
        "PYTHONSTARTUP": str(checkout / "os.py"),
        "PYTHONINSPECT": "",
        "PYTHONUSERBASE": str(checkout),
        "PYTHONPLATLIBDIR": str(checkout),
    }
    done = run((*LAUNCHER.words, "check", "--tool", tool, "--input", input), checkout, **hostile)
    assert (trapped(checkout), done.returncode) == ("", code), done.stderr


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_mistake_does_not_open_the_door(way: Way, checkout: Path) -> None:
    """Usage errors take another path through the code; that path is as closed as the fast one."""
    done = run((*way.words, "check", "--tool", "Read", "--input", "{not json"), checkout)
    assert (trapped(checkout), done.returncode) == ("", 2), done.stderr
    assert "Traceback" not in done.stderr
