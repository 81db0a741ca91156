"""An index leaves the sandbox only if git writes nothing by it but files of the project."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from assent.sandbox.gitindex import UnsoundError, is_inside, read_index


def entry(path: bytes, mode: int = 0o100644, stage: int = 0) -> bytes:
    flags = (stage << 12) | min(len(path), 0xFFF)
    made = bytes(24) + mode.to_bytes(4) + bytes(12) + bytes(20) + flags.to_bytes(2) + path
    return made + bytes(8 - len(made) % 8)


def index(*entries: bytes, extensions: bytes = b"", version: int = 2) -> bytes:
    made = b"DIRC" + version.to_bytes(4) + len(entries).to_bytes(4) + b"".join(entries) + extensions
    return made + hashlib.sha1(made).digest()


def extension(name: bytes, data: bytes = b"x") -> bytes:
    return name + len(data).to_bytes(4) + data


@pytest.mark.parametrize("version", [2, 3, 4])
def test_what_git_writes_is_read(tmp_path: Path, version: int) -> None:
    names = ["a", "dir/b.txt", "dir/" + "long" * 40, "dir/sub/ä", ".gitignore", "x" * 250]

    def git(*words: str) -> None:
        subprocess.run(["/usr/bin/git", *words], cwd=tmp_path, check=True, env={"HOME": "/nowhere"})

    git("init", "-q")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    git("add", ".")
    if version == 3:
        git("update-index", "--skip-worktree", "a")
    git("update-index", "--index-version", str(version))
    data = (tmp_path / ".git/index").read_bytes()
    assert data[7] == version
    found = read_index(data)
    assert [one.path.decode() for one in found.entries] == sorted(names)
    (tmp_path / ".git/index").write_bytes(found.data)
    git("fsck", "--strict")


PATHS = (
    *(b"", b"/etc/x", b"a//b", b"a/", b"./a", b"a/./b", b"..", b"../x", b"a/../b", b".git", b".git/hooks/x"),
    *(b".GIT/config", b"sub/.git/config", b".git /x", b".git./x", b".git:x", b".git::$INDEX_ALLOCATION/x", b"git~1/x"),
    *(b"GIT~1", b"a\\..\\x", b".git\\hooks\\x", ".g\u200cit/x".encode(), "\ufeff.git/x".encode(), b"git~2/config"),
)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_is_no_file_of_a_project_is_refused(path: bytes) -> None:
    assert not is_inside(path)
    with pytest.raises(UnsoundError):
        read_index(index(entry(b"a"), entry(path)))


@pytest.mark.parametrize("path", [b"a", b".github/x", b".gitignore", b"...", b"a..b", b"git/x", b"a.git/x", b"\xff"])
def test_ordinary_paths_are_not(path: bytes) -> None:
    assert read_index(index(entry(path))).entries[0].path == path


@pytest.mark.parametrize("mode", [0, 0o40000, 0o100600, 0o104755, 0o060000, 0o020666])
def test_other_modes_are_refused(mode: int) -> None:
    with pytest.raises(UnsoundError, match="mode"):
        read_index(index(entry(b"a", mode)))


def test_a_file_behind_a_link_is_refused() -> None:
    with pytest.raises(UnsoundError, match="behind a link"):
        read_index(index(entry(b"a", 0o120000), entry(b"a/b")))


def test_extensions_that_lead_to_other_entries_do_not_come_along() -> None:
    found = read_index(index(entry(b"a"), extensions=extension(b"IEOT") + extension(b"TREE") + extension(b"FSMN")))
    assert found.data == index(entry(b"a"), extensions=extension(b"TREE"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"DIRC" + bytes(8),
        index(entry(b"a"), version=5),
        index(entry(b"a"))[:-30] + bytes(20),
        index(entry(b"a").replace(b"\0\1a", b"\0\2a")),
        index(entry(b"ab\0cd")),
        index(entry(b"a"), extensions=extension(b"sdir")),
        index(entry(b"a"), extensions=b"TREE\xff\xff\xff\xff"),
    ],
)
def test_what_is_not_understood_is_refused(data: bytes) -> None:
    with pytest.raises(UnsoundError):
        read_index(data)
