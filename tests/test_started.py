"""One table says what runs later by itself, and everybody who needs to know asks that one."""

from __future__ import annotations

import pytest

from assent import protected
from assent.commands.config_files import SHELL_STARTUP
from assent.commands.loaded import TOOLCHAINS
from assent.hardlinks import HardLinks
from assent.pipeline import judge
from assent.sandbox.profile import INSTALLED, started_in
from assent.testing import FrozenWorld
from assent.types import ToolCall, Verdict
from decided import HOME, PROJECT, policy_of
from sandbox.test_profile import Paper

NAMES = sorted(protected.STARTED_NAMES - {"sitecustomize.py"})
PLACES = sorted(needle.strip("/") for needle in protected.STARTED_FOLDERS)
FILES = [
    *NAMES,
    *(f"{prefix}x" for prefix in protected.STARTED_PREFIXES),
    *(f"x{suffix}" for suffix in protected.STARTED_SUFFIXES),
    *(f"{place}/x" for place in PLACES),
    *PLACES,
]
AUTO = policy_of(mode="full_auto")


def verdict(tool: str, **given: str) -> Verdict:
    return judge(ToolCall(tool, given, cwd=PROJECT, workspace=PROJECT), AUTO, FrozenWorld({f"{PROJECT}/a": ""})).verdict


@pytest.mark.parametrize("path", FILES)
def test_a_tool_that_writes_one_asks_in_every_mode(path: str) -> None:
    assert verdict("Write", file_path=path, content="") == Verdict.ASK


@pytest.mark.parametrize("path", FILES)
def test_a_command_that_writes_one_asks_in_every_mode(path: str) -> None:
    assert verdict("Bash", command=f"cp a '{path}'") == Verdict.ASK
    assert verdict("Bash", command=f"echo x > '{path}'") == Verdict.ASK


@pytest.mark.parametrize("path", FILES)
def test_a_tree_that_is_copied_with_one_asks(path: str) -> None:
    world = FrozenWorld({f"{PROJECT}/from/{path}": "", f"{PROJECT}/to/": ""})
    call = ToolCall("Bash", {"command": "cp -r from/. to"}, cwd=PROJECT, workspace=PROJECT)
    assert judge(call, AUTO, world).verdict == Verdict.ASK


@pytest.mark.parametrize("path", FILES)
def test_a_tree_that_is_deleted_with_one_asks(path: str) -> None:
    world = FrozenWorld({f"{PROJECT}/from/{path}": ""})
    call = ToolCall("Bash", {"command": "rm -r from"}, cwd=PROJECT, workspace=PROJECT)
    assert judge(call, AUTO, world).verdict == Verdict.ASK


KEPT = [place for place in (*NAMES, *PLACES) if place.split("/")[0] not in INSTALLED]
"""All but code that is built, and git's own folder, of which a sandbox must leave something open."""


@pytest.mark.parametrize("place", KEPT)
def test_the_sandbox_keeps_it_as_it_is(place: str) -> None:
    ground = Paper({f"~/proj/{place}": "file"})
    assert any(
        f"{PROJECT}/{place}" == kept or f"{PROJECT}/{place}".startswith(f"{kept}/")
        for kept in started_in(ground, PROJECT)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_hard_link_to_one_of_home_or_the_project_is_known_by_it(name: str) -> None:
    for path in (f"{HOME}/{name}", f"{PROJECT}/{name}"):
        world = FrozenWorld({path: ""}, hard_links={f"{PROJECT}/sub/innocent": path})
        assert path in world.locate("sub/innocent", PROJECT).names


@pytest.mark.parametrize("folder", protected.AGENT_FOLDERS)
def test_so_is_one_to_the_settings_of_an_agent(folder: str) -> None:
    world = FrozenWorld({f"{HOME}/{folder}/settings.json": ""})
    found = HardLinks(world.home, world.look, world._listing).home_secrets()
    assert f"{HOME}/{folder}/settings.json" in {usual for usual, _real in found}


@pytest.mark.parametrize(
    "path", [*TOOLCHAINS, ".poetry/plugins", ".pdm-plugins", *(path[2:] for path in SHELL_STARTUP)]
)
def test_what_commands_know_to_be_loaded_is_in_the_table(path: str) -> None:
    assert protected.is_started(f"{PROJECT}/{path}")


@pytest.mark.parametrize(
    "path",
    [
        *("package.json", "Makefile", "conftest.py", "tests/conftest.py", "pyproject.toml", "setup.cfg", "tox.ini"),
        *("src/hooks/useState.ts", "hooks/update.ts", "src/settings.py", "go.mod", "Cargo.toml", ".editorconfig"),
        *("docs/agents.rst", ".gitignore", "tools/build.py", "gradle.properties", "compose.yaml", "src/env.py"),
        *("README.md", "lib/environment.rb", "config/settings.json", "vscode/main.ts", "src/claude/client.py"),
    ],
)
def test_ordinary_files_of_a_project_are_not(path: str) -> None:
    assert not protected.is_started(f"{PROJECT}/{path}", HOME, (PROJECT,))
