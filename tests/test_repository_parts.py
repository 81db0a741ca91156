"""Parts of a repository that name others: what its index holds, and where its files say that the rest of it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assent.repository import dangers, tracked
from assent.testing import FrozenWorld
from assent.world import DiskWorld
from test_repository import HEAD, PLAIN, REPO, found

# --- what the index names -------------------------------------------------------------------------------------------


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in ("a.txt", "src/b.py", "src/-n", "a b", "docs/link", f"{'d' * 200}/{'e' * 250}"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    git(tmp_path, "add", "-A")
    return tmp_path


@pytest.mark.parametrize("folder", ["", "src", "docs"])
@pytest.mark.parametrize("change", [(), ("rm", "-q", "--cached", "a.txt"), ("update-index", "--index-version", "3")])
def test_the_index_is_read_as_git_reads_it(repository: Path, folder: str, change: tuple[str, ...]) -> None:
    if change:
        git(repository, *change)
    here = repository / folder
    told = subprocess.run(["git", "ls-files", "-z"], cwd=here, check=True, capture_output=True).stdout.split(b"\0")[:-1]
    assert tracked(".", str(here), DiskWorld()) == told != []


@pytest.mark.parametrize(
    "change", [("update-index", "--split-index"), ("update-index", "--index-version", "4"), ("init", "-q", "other")]
)
def test_an_index_that_keeps_names_in_another_way_is_not_read(repository: Path, change: tuple[str, ...]) -> None:
    git(repository, *change)
    where = repository / "other" if change[0] == "init" else repository
    assert tracked(".", str(where), DiskWorld()) is None


def test_an_index_of_long_digests_or_with_a_bit_changed_is_not_read(repository: Path, tmp_path: Path) -> None:
    index = (repository / ".git/index").read_bytes()
    for broken in (index[:40], index[:73] + bytes([index[73] ^ 1]) + index[74:], b"", index[:8] + b"\xff" * 4):
        (repository / ".git/index").write_bytes(broken)
        assert tracked(".", str(repository), DiskWorld()) is None
    git(tmp_path, "init", "-q", "--object-format=sha256", "long")
    (tmp_path / "long/a").write_text("x")
    git(tmp_path / "long", "add", "a")
    assert tracked(".", str(tmp_path / "long"), DiskWorld()) is None


LOOKED = ["this repository could not be looked at"]


@pytest.mark.parametrize(
    ("files", "links"),
    [
        ({f"{REPO}/.git/HEAD": ""}, {}),
        ({f"{REPO}/.git/HEAD": "nothing\n"}, {}),
        ({f"{REPO}/.git/HEAD": "ref: elsewhere\n"}, {}),
        ({f"{REPO}/.git/commondir": "../evil/.git\0z/../../.git\n"}, {}),
        (
            {f"{REPO}/.git/commondir": "lnk/..\n", "/evil/.git/objects/a": ""},
            {f"{REPO}/.git/lnk": "/evil/.git/objects"},
        ),
        ({f"{REPO}/said": "/evil\n"}, {f"{REPO}/.git/commondir": "../said"}),
    ],
)
def test_a_repository_that_git_may_find_elsewhere_is_not_trusted(files: dict[str, str], links: dict[str, str]) -> None:
    assert found({**PLAIN, **files}, links=links) == LOOKED


@pytest.mark.parametrize("said", ["lnk/../r/.git", "../evil/.git\0z/../../sub/r/.git"])
def test_a_file_that_leads_to_a_repository_by_a_detour_is_not_trusted(said: str) -> None:
    files = {**PLAIN, "/sub/.git": f"gitdir: {said}\n", "/x/y/a": ""}
    assert list(dangers("/sub", "/", FrozenWorld(files, links={"/sub/lnk": "/x/y"}), hooks=False)) == LOOKED


def test_objects_that_are_no_folder_make_no_repository() -> None:
    files = {f"{REPO}/.git/HEAD": HEAD, f"{REPO}/.git/objects": "", f"{REPO}/.git/refs/": ""}
    assert found(files) == LOOKED
