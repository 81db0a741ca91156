"""Walks that leave folders out, count what folders hold, and go through trees too large to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assent import listing
from assent.budget import Budget
from assent.testing import FrozenWorld
from assent.world import DiskWorld

if TYPE_CHECKING:
    from pathlib import Path

    from assent.types import Held


def is_secret(path: str) -> bool:
    return path.endswith((".env", ".key")) or "/.ssh" in path


LEAVING = FrozenWorld(
    {
        f"/w/{name}": ""
        for name in (".env", "a/.env", "b/a/.env", "b/.h/x.env", "c/x.env", "b/n.py", ".ssh/k", ".ssh/k.py")
    },
    links={"/w/l": "/w/a", "/w/b/s": "/home/dev/.ssh/id_rsa"},
)


@pytest.mark.parametrize(
    ("only", "left_out"),
    [
        ("*//x", set()),
        ("*//a", {"a/.env", "b/a/.env"}),
        ("*///a", {"a/.env"}),
        ("*//a,b", {"a/.env", "b/a/.env", "b/.h/x.env"}),
        ("*///b,c", {"b/a/.env", "b/.h/x.env", "c/x.env"}),
        ("*//.", {".env", "a/.env", "b/a/.env", "b/.h/x.env"}),
        ("*//.env", set()),
    ],
)
def test_a_walk_does_not_enter_what_is_left_out(only: str, left_out: set[str]) -> None:
    every = {".env", "a/.env", "b/a/.env", "b/.h/x.env", "c/x.env"}
    each: tuple[Held, ...] = ("", "files", "names")
    for held in each:
        found, complete = LEAVING.below("/w", lambda path: path.endswith(".env"), only, held=held)
        assert ({path[3:] for path in found}, complete) == (every - left_out, True)


def test_names_and_links_in_what_is_left_out_do_not_count() -> None:
    assert LEAVING.name_below("/w", lambda name: name == "n.py", "*//b") == (False, True)
    assert LEAVING.name_below("/w", lambda name: name == "n.py", "*//c") == (True, True)
    assert LEAVING.leading("/w", "*//b", folders=False) == ((), True)
    assert LEAVING.leading("/w", "*//c", folders=False) == ((("/w/b/s", "/home/dev/.ssh/id_rsa"),), True)


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ("*.py", {".ssh/k.py"}),
        ("k*", {".ssh/k", ".ssh/k.py"}),
        ("*.js", set()),
        (".ssh/", {".ssh", ".ssh/k", ".ssh/k.py"}),
        ("c/", {"c/x.env"}),
    ],
)
def test_a_folder_counts_for_what_it_holds_where_nothing_is_made(only: str, found: set[str]) -> None:
    for near in (None, frozenset({"/nowhere"})):
        paths, complete = LEAVING.below("/w", is_secret, only, held="names", near=near)
        assert ({path[3:] for path in paths}, complete) == (found, True)
        files = {path[3:] for path in LEAVING.below("/w", is_secret, only.rstrip("/"), held="files", near=near)[0]}
        assert files == {path for path in found if only[-1] != "/" and path != ".ssh"}
    assert ".ssh" in {path[3:] for path in LEAVING.below("/w", is_secret, only)[0]}


def test_a_glob_that_says_more_than_we_know_means_every_file() -> None:
    assert LEAVING.below("/w", is_secret, "[k].py", held="names") == LEAVING.below("/w", is_secret)


def test_everything_in_a_folder_of_that_name_counts() -> None:
    found, _ = LEAVING.below("/w", lambda path: path.endswith(".env"), "b/", held="names")
    assert {path[3:] for path in found} == {"b/a/.env", "b/.h/x.env"}
    assert len(LEAVING.below("/w", lambda path: path.endswith(".env"), "b/")[0]) == 5


@pytest.mark.parametrize("only", ["", "*", "*.py", "*//zz", "*.p*//zz"])
@pytest.mark.parametrize(("looks", "complete"), [(100, False), (1_000, True)])
def test_every_walk_ends_with_the_budget(tmp_path: Path, only: str, looks: int, complete: bool) -> None:
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}/x").touch()

    def world() -> DiskWorld:
        return DiskWorld().now(Budget(looks=looks))

    assert world().below(str(tmp_path), is_secret, only, held="names") == ((), complete)
    assert world().name_below(str(tmp_path), str.isupper, only) == (False, complete)
    assert world().leading(str(tmp_path), only, folders=False) == ((), complete)
    assert world().below(str(tmp_path), is_secret, only) == ((), complete)


def test_a_tree_too_large_to_be_held_is_walked_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}/.env").touch()
    whole = DiskWorld().now().below(str(tmp_path), is_secret)
    monkeypatch.setattr(listing, "MOST_FOLDERS", 10)
    world = DiskWorld().now()
    assert world.tree(str(tmp_path)) is None
    assert world.below(str(tmp_path), is_secret) == world.below(str(tmp_path), is_secret) == whole
    assert whole[1]
    assert len(whole[0]) == 30
    assert world.leading(str(tmp_path), folders=True) == ((), True)
    monkeypatch.setattr(listing, "MOST_FOLDERS", 100)
    monkeypatch.setattr(listing, "MOST_IN_ALL", 10)
    assert DiskWorld().tree(str(tmp_path)) is None
