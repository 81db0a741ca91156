"""A folder's names are remembered only while nothing can have changed without a mark."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assent import listing
from assent.listing import MOST_FOLDERS, MOST_NAMES, MOST_TREES, Disk
from assent.world import DiskWorld

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every folder that was really read."""
    seen: list[str] = []
    real = os.scandir

    def scandir(folder: str) -> object:
        seen.append(folder)
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    return seen


def names(folders: Disk, folder: Path, most: int = 1000) -> list[str]:
    return [name for name, _kind, _number in folders.contents(str(folder), most)[0].entries]


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every folder here were on a disk and had been left alone for long enough."""
    monkeypatch.setattr(listing, "SETTLED_NS", -(10**18))
    monkeypatch.setattr(os, "major", lambda _device: 8)


def test_a_folder_left_alone_is_read_once(tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    (tmp_path / "a").touch()
    folders = Disk()
    assert (names(folders, tmp_path), names(folders, tmp_path), len(reads)) == (["a"], ["a"], 1)


def test_a_young_folder_is_read_each_time(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "a").touch()
    folders = Disk()
    assert (names(folders, tmp_path), names(folders, tmp_path), len(reads)) == (["a"], ["a"], 2)


def test_a_file_system_that_is_on_no_disk_is_read_each_time(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "SETTLED_NS", -(10**18))
    folders = Disk()
    first, again = (folders.contents("/proc/sys", 100) for _ in range(2))
    assert (first[0].entries, first[1]) == (again[0].entries, again[1])
    assert reads == ["/proc/sys", "/proc/sys"]


def test_a_new_name_is_seen_even_when_the_clock_of_the_folder_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    os.utime(tmp_path, ns=(0, 0))
    folders = Disk()
    assert names(folders, tmp_path) == []
    for number in range(50):
        (tmp_path / f"{number:02}").touch()
        os.utime(tmp_path, ns=(0, 0))
    assert len(names(folders, tmp_path)) == 50


def test_another_folder_under_the_same_name_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"in-{name}").touch()
    folders = Disk()
    assert names(folders, tmp_path / "old") == ["in-old"]
    (tmp_path / "old").rename(tmp_path / "gone")
    (tmp_path / "new").rename(tmp_path / "old")
    assert names(folders, tmp_path / "old") == ["in-new"]


def test_a_listing_that_is_too_long_for_the_question_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    for name in "abc":
        (tmp_path / name).touch()
    folders = Disk()
    assert folders.contents(str(tmp_path), 3)[1] is True
    found, whole = folders.contents(str(tmp_path), 2)
    assert (len(found.entries), whole) == (2, False)


def test_what_is_remembered_is_bounded(tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    folders = Disk()
    for number in range(MOST_FOLDERS + 1):
        (tmp_path / f"d{number}").mkdir()
        names(folders, tmp_path / f"d{number}")
    assert len(folders._known) == 1
    large = tmp_path / "large"
    large.mkdir()
    for number in range(MOST_NAMES + 1):
        (large / str(number)).touch()
    reads.clear()
    assert len(names(folders, large)) == len(names(folders, large)) == MOST_NAMES + 1
    assert reads == [str(large), str(large)]


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Disk().contents(str(tmp_path / "no"), 10)


def project(folder: Path) -> DiskWorld:
    """A world with a small tree in it: `src/deep` with two files, one of them a secret by its name."""
    (folder / "src/deep").mkdir(parents=True)
    (folder / "src/app.py").touch()
    (folder / "src/deep/.env").touch()
    return DiskWorld(home=str(folder / "home"))


def wait_for_the_clock() -> None:
    """What changes in one tick of the kernel's clock leaves one mark; real worlds keep nothing that is so young."""
    time.sleep(0.02)


def secrets(world: DiskWorld, folder: Path) -> list[str]:
    found, complete = world.now().below(str(folder), lambda path: path.endswith(".env"))
    assert complete
    return [path[len(str(folder)) + 1 :] for path in found]


def test_a_tree_left_alone_is_walked_once(tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    world = project(tmp_path)
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    reads.clear()
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    assert world.now().name_below(str(tmp_path), str.isupper) == (False, True)
    assert world.now().leading(str(tmp_path), folders=True) == ((), True)
    assert reads == []


@pytest.mark.parametrize("where", [".", "src", "src/deep", "src/new"])
def test_a_change_anywhere_in_a_tree_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    settle(monkeypatch)
    world = project(tmp_path)
    secrets(world, tmp_path)
    place = (tmp_path / where).resolve()
    wait_for_the_clock()
    place.mkdir(exist_ok=True)
    (place / "x.env").touch()
    assert len(secrets(world, tmp_path)) == 2
    wait_for_the_clock()
    (place / "x.env").unlink()
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    wait_for_the_clock()
    (place / "X").symlink_to("/etc/passwd")
    assert world.now().leading(str(tmp_path), folders=False) == (((f"{place}/X", "/etc/passwd"),), True)
    assert world.now().name_below(str(tmp_path), str.isupper) == (True, True)


def test_a_folder_that_became_another_is_seen_in_its_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    world = project(tmp_path)
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "other/deep/y.env").touch()
    tree = tmp_path / "src"
    assert secrets(world, tree) == ["deep/.env"]
    wait_for_the_clock()
    tree.rename(tmp_path / "gone")
    assert secrets(world, tree) == []
    (tmp_path / "other").rename(tree)
    assert secrets(world, tree) == ["deep/y.env"]


def test_a_tree_with_a_young_folder_is_not_remembered(tmp_path: Path, reads: list[str]) -> None:
    world = project(tmp_path)
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    reads.clear()
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    assert len(reads) == 3


def test_only_so_many_trees_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    world = DiskWorld(home=str(tmp_path))
    for number in range(MOST_TREES + 1):
        (tmp_path / f"d{number}").mkdir()
        secrets(world, tmp_path / f"d{number}")
    folders = world._disk[0]
    assert len(folders._trees) == 1
    monkeypatch.setattr(listing, "MOST_IN_ALL", 0)
    (tmp_path / "d0/x").touch()
    for _ in range(2):
        secrets(world, tmp_path / "d0")
        wait_for_the_clock()
        (tmp_path / "d0/y").touch()
    assert (len(folders._known), len(folders._trees), folders._names) == (1, 1, 2)
