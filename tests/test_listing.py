"""A folder is read anew for every decision, and once for one of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assent.listing import scan_folder
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


def test_a_listing_that_is_too_long_for_the_question_is_cut(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).touch()
    assert [name for name, _, _ in scan_folder(str(tmp_path), 3)[0]] == ["a", "b", "c"]
    found, whole = scan_folder(str(tmp_path), 2)
    assert (len(found), whole) == (2, False)


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        scan_folder(str(tmp_path / "no"), 10)


def project(folder: Path) -> DiskWorld:
    """A world with a small tree in it: `src/deep` with two files, one of them a secret by its name."""
    (folder / "src/deep").mkdir(parents=True)
    (folder / "src/app.py").touch()
    (folder / "src/deep/.env").touch()
    return DiskWorld(home=str(folder / "home"))


def secrets(world: DiskWorld, folder: Path) -> list[str]:
    found, complete = world.now().below(str(folder), lambda path: path.endswith(".env"))
    assert complete
    return [path[len(str(folder)) + 1 :] for path in found]


def test_one_decision_walks_a_tree_once_and_the_next_one_again(tmp_path: Path, reads: list[str]) -> None:
    world = project(tmp_path)
    for _ in range(2):
        reads.clear()
        now = world.now()
        for _ in range(2):
            assert now.below(str(tmp_path), lambda path: path.endswith(".env"))[1]
        assert len(reads) == 3


@pytest.mark.parametrize("where", [".", "src", "src/deep", "src/new"])
def test_a_change_anywhere_in_a_tree_is_seen(tmp_path: Path, where: str) -> None:
    world = project(tmp_path)
    secrets(world, tmp_path)
    place = (tmp_path / where).resolve()
    place.mkdir(exist_ok=True)
    (place / "x.env").touch()
    assert len(secrets(world, tmp_path)) == 2
    (place / "x.env").unlink()
    assert secrets(world, tmp_path) == ["src/deep/.env"]
    (place / "X").symlink_to("/etc/passwd")
    assert world.now().leading(str(tmp_path), folders=False) == (((f"{place}/X", "/etc/passwd"),), True)
    assert world.now().name_below(str(tmp_path), str.isupper) == (True, True)


def test_a_folder_that_became_another_is_seen_in_its_tree(tmp_path: Path) -> None:
    world = project(tmp_path)
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "other/deep/y.env").touch()
    tree = tmp_path / "src"
    assert secrets(world, tree) == ["deep/.env"]
    tree.rename(tmp_path / "gone")
    assert secrets(world, tree) == []
    (tmp_path / "other").rename(tree)
    assert secrets(world, tree) == ["deep/y.env"]
