"""Hard links, and what lies below a folder."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from assent import world as world_module
from assent.testing import FrozenWorld
from assent.world import DiskWorld
from frozen_project import CWD

if TYPE_CHECKING:
    from pathlib import Path


# --- hard links ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("secret", "found"),
    [
        ("/home/dev/.ssh/id_rsa", True),
        ("/home/dev/.bashrc", True),
        ("/home/dev/proj/.env", True),
        ("/home/dev/proj/.env.local", True),
        ("/home/dev/proj/a/tls.pem", True),
        ("/home/dev/proj/.git/config", True),
        ("/home/dev/proj/.git/hooks/pre-commit", True),
        ("/home/dev/notes.txt", False),
        ("/home/dev/.ssh/deep/er", False),
    ],
)
def test_a_hard_link_to_a_protected_file_is_known_by_its_name(secret: str, found: bool) -> None:
    name = "/home/dev/proj/a/innocent.txt"
    world = FrozenWorld({secret: ""}, hard_links={name: secret})
    place = world.locate("a/innocent.txt", CWD)
    assert (place.names, place.links, place.trouble) == ((name, secret) if found else (name,), 2, "")


def test_a_hard_link_outside_the_project_is_compared_with_the_secrets_of_the_project() -> None:
    world = FrozenWorld({"/home/dev/proj/.env": ""}, hard_links={"/tmp/x": "/home/dev/proj/.env"})
    assert world.locate("/tmp/x", CWD).names == ("/tmp/x", "/home/dev/proj/.env")


def test_hard_links_on_disk_are_recognised(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SECRET")
    (tmp_path / "x.txt").hardlink_to(tmp_path / ".env")
    place = DiskWorld(home="/nowhere").locate("x.txt", str(tmp_path))
    assert place.names == (str(tmp_path / "x.txt"), str(tmp_path / ".env"))
    assert place.links == 2


# --- below ---------------------------------------------------------------------------------------------------------


def is_secret(path: str) -> bool:
    return path.endswith((".env", ".key")) or "/.ssh" in path


def test_below_finds_files_folders_and_links(frozen: FrozenWorld) -> None:
    expected = ("/home/dev/proj/.env", "/home/dev/proj/d", "/home/dev/proj/config/db.key")
    found, complete = frozen.below(CWD, is_secret)
    assert (found, complete) == (expected, False)  # a loop and a magic link are in the tree
    assert frozen.below("/home/dev/proj/config", is_secret) == (("/home/dev/proj/config/db.key",), True)
    assert frozen.below("/home/dev/proj/src", is_secret) == ((), True)


def test_names_found_on_the_disk_mean_what_they_say() -> None:
    world = FrozenWorld({"/w/x": ""}, links={"/w/100%25\\~.txt": "x", "/w/~a": "x"})
    assert world.below("/w", is_secret) == ((), True)


@pytest.mark.parametrize("folder", ["/nowhere", "/home/dev/proj/.env"])
def test_nothing_is_below_what_is_no_folder(frozen: FrozenWorld, folder: str) -> None:
    assert frozen.below(folder, is_secret) == ((), True)


@pytest.mark.parametrize("folder", ["proj", "", "/a\0b"])
def test_a_folder_that_makes_no_sense_was_not_looked_at(folder: str) -> None:
    assert DiskWorld().below(folder, is_secret) == ((), False)


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.py", ["a.py"]),
        ("*.PY", ["a.py"]),
        ("?.py", ["a.py"]),
        ("??.py", []),
        ("*.{ts,tsx}", ["b.ts", "c.tsx"]),
        ("{a,b}.{py,ts}", ["a.py", "b.ts"]),
        ("*", ["a.py", "b.ts", "c.tsx", "d"]),
        ("a*p*y", ["a.py"]),
        ("[ab].py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("!*.py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("src/*.py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.{py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.py}", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.{p{y,z},ts}", ["a.py", "b.ts", "c.tsx", "d"]),
        ("{a,b}" * 20, ["a.py", "b.ts", "c.tsx", "d"]),
    ],
)
def test_only_narrows_a_search_to_names_it_understands(only: str, names: list[str]) -> None:
    world = FrozenWorld({f"/w/{name}": "" for name in ("a.py", "b.ts", "c.tsx", "d")})
    found, _complete = world.below("/w", lambda path: True, only)
    assert [path[3:] for path in found] == names


def test_only_never_hides_folders_or_links_to_folders() -> None:
    world = FrozenWorld({"/w/sub/.ssh/": "", "/s/.ssh/k": ""}, links={"/w/d": "/s/.ssh", "/w/f": "/s/.ssh/k"})
    assert world.below("/w", is_secret, "*.py") == (("/w/d", "/w/sub/.ssh"), True)


@pytest.mark.parametrize(
    ("limit", "value", "complete"),
    [("MOST_ENTRIES", 10, False), ("MOST_ENTRIES", 40, True), ("MOST_FOLDERS", 5, False), ("MOST_FOLDERS", 40, True)],
)
def test_a_tree_beyond_the_limits_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limit: str, value: int, complete: bool
) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}").mkdir()
    monkeypatch.setattr(world_module, limit, value)
    assert DiskWorld().below(str(tmp_path), is_secret)[1] is complete


def test_an_unreadable_folder_is_skipped_and_the_answer_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    world = FrozenWorld({"/w/a/x.key": "", "/w/b/y.key": ""})
    listed = world.entries

    def entries(folder: str, most: int) -> tuple[list[tuple[str, str]], bool]:
        if folder == "/w/a":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(folder, most)

    monkeypatch.setattr(world, "entries", entries)
    assert world.below("/w", is_secret) == (("/w/b/y.key",), False)


def test_git_objects_are_not_searched(tmp_path: Path) -> None:
    for folder in (".git/objects/ab", ".git/hooks", "objects"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.key").touch()
    found, complete = DiskWorld().below(str(tmp_path), is_secret)
    assert (sorted(found), complete) == ([f"{tmp_path}/.git/hooks/x.key", f"{tmp_path}/objects/x.key"], True)


def test_a_tree_deeper_than_the_stack_is_walked(tmp_path: Path) -> None:
    world = FrozenWorld({"/w" + "/d" * 1500 + "/x.key": ""})
    assert world.below("/w", is_secret) == (("/w" + "/d" * 1500 + "/x.key",), True)


SEARCHED = {
    "/home/dev/proj/.git/HEAD": "",
    "/home/dev/proj/.gitignore": "# local\n.env\nnode_modules/\n/only-here\n*.log\n",
    "/home/dev/proj/.env": "",
    "/home/dev/proj/only-here/x.key": "",
    "/home/dev/proj/sub/only-here/x.key": "",
    "/home/dev/proj/sub/.env": "",
    "/home/dev/proj/node_modules/p/test.pem": "",
    "/home/dev/proj/config/db.key": "",
}


def is_wanted(path: str) -> bool:
    return path.endswith((".env", ".key", ".pem"))


def test_a_search_that_skips_ignored_files_does_not_see_what_is_plainly_ignored() -> None:
    world = FrozenWorld(SEARCHED)
    everything, _ = world.below("/home/dev/proj", is_wanted)
    kept, complete = world.below("/home/dev/proj", is_wanted, skip_ignored=True)
    assert len(everything) == 6
    assert set(kept) == {"/home/dev/proj/config/db.key", "/home/dev/proj/sub/only-here/x.key"}
    assert complete


@pytest.mark.parametrize("file", ["/home/dev/proj/.gitignore", "/home/dev/proj/sub/.gitignore"])
def test_an_ignore_file_that_takes_something_back_hides_nothing(file: str) -> None:
    world = FrozenWorld({**SEARCHED, file: ".env\nnode_modules\n!.env\n"})
    assert len(world.below("/home/dev/proj", is_wanted, skip_ignored=True)[0]) == 6


def test_outside_a_repository_nothing_is_ignored() -> None:
    world = FrozenWorld({name: "" for name in SEARCHED if "/.git/" not in name} | {"/home/dev/proj/.gitignore": ".env"})
    assert len(world.below("/home/dev/proj", is_wanted, skip_ignored=True)[0]) == 6
