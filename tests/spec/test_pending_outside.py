"""Section 2, what waits for other work: names and public files outside the project."""

from __future__ import annotations

import pytest

from assent.testing import FrozenWorld
from spec.spec_scene import FILES, HOME, PROJECT, behavior, checker, verdict

WORLD = FrozenWorld(
    {**FILES, "/etc/os-release": "", "/usr/include/stdio.h": "", "/usr/lib/python3/dist-packages/yaml/__init__.py": ""},
    home=HOME,
)


@pytest.mark.parametrize("command", ["ls /opt", "ls -la ..", "find /srv -name '*.csv'", "ls ~"])
def test_names_outside_the_project_are_free(command: str) -> None:
    """Listing names needs no question outside the project; content does."""
    assert behavior(command, world=WORLD) == "allow"
    assert behavior("cat /srv/data.csv", world=WORLD) == "ask"


@pytest.mark.parametrize("command", ["ls ~/.ssh", "find ~/.ssh", "ls ~/.gnupg"])
def test_names_on_the_floor_are_not(command: str) -> None:
    """The floor is closed for listing it, too."""
    assert behavior(command, world=WORLD) == "deny"


@pytest.mark.parametrize(
    "path", ["/etc/os-release", "/usr/include/stdio.h", "/usr/lib/python3/dist-packages/yaml/__init__.py"]
)
def test_public_files_of_the_machine_are_free(path: str) -> None:
    """What everybody on the machine may know can be read without a question."""
    assert behavior(f"head -5 {path}", world=WORLD) == "allow"
    assert verdict(checker(world=WORLD, workspace=PROJECT), "read_file", file_path=path) == "allow"
