"""Landlock's rules for a profile, made on a machine of paper: what is granted, and that never too much is."""

from __future__ import annotations

import random

import pytest

from assent.errors import AssentError
from assent.sandbox import walls
from assent.sandbox.profile import Mount, Profile, Settings, within
from assent.sandbox.rights import ALL, DEVICE, OF_FILES, READ, READ_DIR, WRITE
from assent.sandbox.walls import Rule, Walls, walls_for
from sandbox.test_profile import HOME, PROJECT, Paper, made

READ_IN_IT = WRITE & ~READ
"""What is left to grant where reading is granted from above."""


def granted(found: Walls) -> dict[str, int]:
    return {rule.path: rule.rights for rule in found.rules}


def test_without_anything_closed_a_folder_is_one_rule() -> None:
    found = walls_for(made(Paper({"/dev/null": "file", "/proc/sys": "folder", "/proc/stat": "file"})), Paper())
    assert found == Walls((Rule("/etc", READ), Rule(PROJECT, WRITE), Rule("/usr", READ)))
    assert found.writable == (PROJECT,)


def test_a_few_devices_and_facts_about_the_machine_are_granted() -> None:
    ground = Paper({"/dev/null": "file", "/dev/sda": "file", "/proc/sys": "folder", "/proc/stat": "file"})
    found = granted(walls_for(made(ground), ground))
    assert {path: rights for path, rights in found.items() if path.startswith(("/dev", "/proc"))} == {
        "/dev/null": DEVICE,
        "/proc/sys": READ,
        "/proc/stat": READ & OF_FILES,
    }


def test_what_only_must_not_change_can_be_read_with_the_rest() -> None:
    ground = Paper(
        {
            "~/proj/.git": "folder",
            "~/proj/.git/config": "file",
            "~/proj/.git/HEAD": "file",
            "~/proj/.git/objects": "folder",
            "~/proj/src": "folder",
            "~/proj/a.txt": "file",
        }
    )
    found = walls_for(made(ground), ground)
    assert {path: rights for path, rights in granted(found).items() if within(path, PROJECT)} == {
        PROJECT: READ,
        f"{PROJECT}/src": READ_IN_IT,
        f"{PROJECT}/a.txt": READ_IN_IT & OF_FILES,
    }
    assert found.partly == (PROJECT,)


def test_beside_a_secret_everything_is_granted_one_by_one() -> None:
    ground = Paper({"~/proj/.env": "file", "~/proj/a.txt": "file", "~/proj/src": "folder", "~/proj/l": "link:/etc"})
    found = walls_for(made(ground), ground)
    assert {path: rights for path, rights in granted(found).items() if within(path, PROJECT)} == {
        PROJECT: READ_DIR,
        f"{PROJECT}/a.txt": WRITE & OF_FILES,
        f"{PROJECT}/src": WRITE & ~READ_DIR,
    }


def test_a_folder_of_the_system_with_a_closed_folder_cannot_even_be_listed() -> None:
    ground = Paper({"/etc/ssh": "folder", "/etc/hosts": "file", "/etc/apt": "folder"})
    found = granted(walls_for(made(ground), ground))
    assert {path: rights for path, rights in found.items() if within(path, "/etc")} == {
        "/etc/hosts": READ & OF_FILES,
        "/etc/apt": READ,
    }


def test_tools_behind_a_link_are_granted_where_they_are_and_their_secrets_are_not() -> None:
    ground = Paper({"~/.gem": "link:/data/gem", "/data/gem": "folder"})
    ground.table |= {f"/data/gem/{name}": "file" for name in ("credentials", "rake")}
    ground.table |= {f"{HOME}/.gem/{name}": "file" for name in ("credentials", "rake")}
    profile = made(ground)
    assert profile.closed == (f"{HOME}/.gem/credentials",)
    found = granted(walls_for(profile, ground))
    assert {path: rights for path, rights in found.items() if within(path, "/data")} == {
        "/data/gem": READ_DIR,
        "/data/gem/rake": READ & OF_FILES,
    }


def test_a_closed_folder_of_the_workspace_is_refused() -> None:
    ground = Paper({"/w": "folder", "/w/home": "folder", "/w/home/.ssh": "folder"})
    with pytest.raises(AssentError, match=r"the workspace holds `/w/home/\.ssh`, and Landlock cannot hide a folder"):
        walls_for(made(ground, workspace="/w", cwd="/w", home="/w/home"), ground)


def test_named_hosts_are_refused() -> None:
    with pytest.raises(AssentError, match="with Landlock there is no way to reach only these"):
        walls_for(made(Paper(), Settings(network=("pypi.org",))), Paper())


def test_of_a_repository_nothing_can_be_changed() -> None:
    ground = Paper({"~/proj/.git": "folder", "~/proj/.git/objects": "folder", "~/proj/.git/HEAD": "file"})
    found = walls_for(made(ground), ground)
    assert found.partly == (PROJECT,)
    assert not [path for path in found.writable if within(path, f"{PROJECT}/.git")]


def test_too_many_neighbours_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "MOST_RULES", 20)
    ground = Paper({"~/proj/.env": "file", **{f"~/proj/{number}.txt": "file" for number in range(20)}})
    with pytest.raises(AssentError, match="too many files lie beside closed ones"):
        walls_for(made(ground), ground)


@pytest.mark.parametrize("seed", range(300))
def test_nothing_gets_a_right_that_the_profile_does_not_leave_it(seed: int) -> None:
    """Trees and profiles by chance. Also: what can be granted is granted, so that a plan is not merely empty."""
    chance = random.Random(seed)
    folders = ["/w"]
    for number in range(chance.randint(1, 12)):
        folders.append(f"{chance.choice(folders)}/{number}")
    table = dict.fromkeys(folders, "folder")
    table |= {f"{chance.choice(folders)}/f{number}": "file" for number in range(chance.randint(0, 12))}
    mounts = [Mount("write", "/w")]
    for path in chance.sample(sorted(table), min(len(table), chance.randint(0, 5))):
        kind = chance.choice(("read", "write", "closed"))
        if path != "/w" and not (kind == "closed" and table[path] == "folder"):
            mounts.append(Mount(kind, path, folder=table[path] == "folder"))  # type: ignore[arg-type]
    ground = Paper(table)
    found = walls_for(Profile("/w", "/w", tuple(mounts)), ground)
    left = {"read": READ, "write": WRITE, "closed": 0}
    for path, kind in table.items():
        last = next(mount for mount in reversed(mounts) if within(path, mount.path))
        may = left[last.kind] & (ALL if kind == "folder" else OF_FILES)
        has = 0
        for rule in found.rules:
            has |= rule.rights if within(path, rule.path) else 0
        has &= ALL if kind == "folder" else OF_FILES
        assert has & ~may == 0, path
        if kind == "file" or not any(within(mount.path, path) and mount.path != path for mount in mounts):
            assert has == may, path
