"""Both worlds: what a path means, what lies below a folder, and that the fake and the disk agree."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent import world as world_module
from assent.errors import InputError
from assent.resolve import Entry, resolve
from assent.testing import FrozenWorld
from assent.trees import TreeWorld
from assent.types import Place
from assent.world import DiskWorld
from frozen_project import CWD, FILES, LINKS

if TYPE_CHECKING:
    from pathlib import Path

    from assent.types import World


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("src/app.py", "/home/dev/proj/src/app.py"),
        ("./src//app.py", "/home/dev/proj/src/app.py"),
        (".env/", "/home/dev/proj/.env"),
        (".", "/home/dev/proj"),
        ("/", "/"),
        ("/..", "/"),
        ("src/../../outside.txt", "/home/dev/outside.txt"),
        ("new/file.txt", "/home/dev/proj/new/file.txt"),
        ("d/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("d/sub/deeper/new.txt", "/home/dev/.ssh/sub/deeper/new.txt"),
        ("d/../outside.txt", "/home/dev/outside.txt"),
        ("g/hooks/pre-commit", "/home/dev/proj/.git/hooks/pre-commit"),
        ("one", "/home/dev/outside.txt"),
        ("dangling", "/home/dev/proj/nowhere/at/all"),
        ("up/proj/up/outside.txt", "/home/dev/outside.txt"),
        ("~", "/home/dev"),
        ("~/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("$HOME/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("${HOME}/.ssh", "/home/dev/.ssh"),
        ("$PWD/.env", "/home/dev/proj/.env"),
        ("file:///etc/passwd", "/etc/passwd"),
        ("file://localhost/etc/passwd", "/etc/passwd"),
        ("FILE:/etc/passwd", "/etc/passwd"),
        ("$5 bill.txt", "/home/dev/proj/$5 bill.txt"),
        ("/proc/self/environ", "/proc/self/environ"),
        ("/proc/kcore", "/proc/kcore"),
    ],
)
def test_a_path_resolves_as_the_kernel_would(frozen: FrozenWorld, text: str, path: str) -> None:
    place = frozen.locate(text, CWD)
    assert (place.path, place.names[0], place.trouble) == (path, path, "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("d/id_rsa", "/home/dev/proj/d/id_rsa"),
        ("one", "/home/dev/proj/one"),
        ("one", "/home/dev/proj/two"),
        ("g/hooks/x", "/home/dev/proj/g/hooks/x"),
        ("~/x", "/home/dev/proj/~/x"),
        ("~//etc/passwd", "/etc/passwd"),
        ("$HOME//etc/passwd", "/etc/passwd"),
        ("%2e%2e/outside.txt", "/home/dev/outside.txt"),
        ("%2e%2e%2Foutside.txt", "/home/dev/outside.txt"),
        ("%252e%252e/outside.txt", "/home/dev/outside.txt"),
        ("%25252e./outside.txt", "/home/dev/outside.txt"),
        ("%7e/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("file:///home/dev/%2essh/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("file:///home/dev/proj/.env?x#y", "/home/dev/proj/.env"),
        ("..\\outside.txt", "/home/dev/outside.txt"),
        (" .env\n", "/home/dev/proj/.env"),
        ('".env"', "/home/dev/proj/.env"),
        (".env\0.png", "/home/dev/proj/.env"),
        (".env%00.png", "/home/dev/proj/.env"),
        (".env/..namedfork/data", "/home/dev/proj/.env"),
        ("cafe\u0301/x.py", "/home/dev/proj/café/x.py"),
        ("cafe\u0301/../../outside.txt", "/home/dev/outside.txt"),
        (".e\u200bnv", "/home/dev/proj/.env"),
        (".s\ufe0fsh", "/home/dev/proj/.ssh"),
        (".\u200b./outside.txt", "/home/dev/outside.txt"),
        ("\uff0e\uff0e/outside.txt", "/home/dev/outside.txt"),
        ("\u2025\u2215outside.txt", "/home/dev/outside.txt"),
        ("d/../src/app.py", "/home/dev/proj/src/app.py"),
        ("d/../two", "/home/dev/outside.txt"),
        ("/proc/self/root/etc/passwd", "/etc/passwd"),
        ("/proc/thread-self/root/home/dev/outside.txt", "/home/dev/outside.txt"),
        ("/proc/1/root/etc/passwd", "/etc/passwd"),
        ("/proc/1/task/1/root/etc/passwd", "/etc/passwd"),
        ("/proc/thread-self/../../cwd/.env", "/home/dev/proj/.env"),
        ("/proc/self/cwd/../outside.txt", "/home/dev/outside.txt"),
        ("/proc/self/cwd/.env", "/home/dev/proj/.env"),
        ("root/etc/passwd", "/etc/passwd"),
        ("/proc/thread-self/environ", "/proc/self/environ"),
        ("/proc/7/task/8/environ", "/proc/7/environ"),
        ("/System/Volumes/Data/home/dev/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"),
        ("~dev/.bashrc", "/home/dev/.bashrc"),
    ],
)
def test_a_place_is_known_by_every_name_its_text_can_mean(frozen: FrozenWorld, text: str, name: str) -> None:
    assert name in frozen.locate(text, CWD).names


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "the path is empty"),
        ("a\0b", "the path holds a NUL character"),
        ("a%00b", "the path holds a NUL character"),
        ("\ud800", "the path is not valid Unicode"),
        ("%c0%ae%c0%ae/x", "the path is not valid Unicode"),
        ("a" * 4097, "the path is too long"),
        ("loop", "too many links"),
        ("loop/x/y", "too many links"),
        ("missing/../src", "`..` after something that is not a folder"),
        (".env/../src", "`..` after something that is not a folder"),
        ("~root/x", "the home of another user"),
        ("file://evil.example/etc/passwd", "a file on another host"),
        ("a\\b", "backslash in path"),
        ("\\\\host\\share", "backslash in path"),
        (".env/..namedfork/rsrc", "a named fork of a file"),
        ("%" + "25" * 20 + "41", "the path can be read in too many ways"),
        ("/proc/self/root/x", "magic link `/proc/…/root`"),
        ("/proc/self/cwd", "magic link `/proc/…/cwd`"),
        ("/proc/self/fd/3", "magic link `/proc/…/fd`"),
        ("/proc/12/exe", "magic link `/proc/…/exe`"),
        ("/proc/12/map_files/1-2", "magic link `/proc/…/map_files`"),
        ("/proc/12/task/13/cwd/x", "magic link `/proc/…/cwd`"),
        ("/proc/./thread-self//root/x", "magic link `/proc/…/root`"),
        ("root/etc", "magic link `/proc/…/root`"),
        ("/dev/fd/0", "magic link `/dev/fd`"),
        ("/dev/stdin", "magic link `/dev/stdin`"),
        ("/.vol/16777220/2", "magic link `/.vol`"),
    ],
)
def test_what_cannot_be_known_for_certain_is_trouble(frozen: FrozenWorld, text: str, trouble: str) -> None:
    assert trouble in frozen.locate(text, CWD).trouble.split("; ")


@pytest.mark.parametrize(
    ("text", "name", "trouble"),
    [
        (".env.", "/home/dev/proj/.env", "a name that ends in dots or blanks"),
        (".env. .", "/home/dev/proj/.env", "a name that ends in dots or blanks"),
        (".. /outside.txt", "/home/dev/outside.txt", "a name that ends in dots or blanks"),
        (".env::$DATA", "/home/dev/proj/.env", "an alternate data stream"),
        (".git:x/config", "/home/dev/proj/.git/config", "an alternate data stream"),
        ("GIT~1/config", "/home/dev/proj/GIT~1/config", "a short name"),
        ("con.txt", "/home/dev/proj/con.txt", "a reserved device name"),
        ("C:\\Users\\dev\\.ssh\\id_rsa", "/Users/dev/.ssh/id_rsa", "a drive, network or device path"),
        ("//evil.example/share/x", "/evil.example/share/x", "a drive, network or device path"),
        ("\\\\evil.example\\share", "/evil.example/share", "a drive, network or device path"),
        ("\\??\\UNC\\evil.example\\x", "/??/UNC/evil.example/x", "a drive, network or device path"),
        ("\\\\?\\C:\\x", "/?/C:/x", "a drive, network or device path"),
    ],
)
def test_windows_forms_are_trouble_and_known_by_their_clean_name(text: str, name: str, trouble: str) -> None:
    place = FrozenWorld(FILES, windows=True).locate(text, CWD)
    assert name in place.names
    assert trouble in place.trouble.split("; ")


@pytest.mark.parametrize("text", [".env.", ".env::$DATA", "con.txt", "//evil.example/x", "C:/x", "GIT~1"])
def test_windows_forms_are_ordinary_names_elsewhere(frozen: FrozenWorld, text: str) -> None:
    assert frozen.locate(text, CWD).trouble == ""


@pytest.mark.parametrize(
    "text", ["//evil.example/x", "\\\\evil.example\\x", "%5c%5cevil.example%5cx", "\\??\\UNC\\e\\x"]
)
def test_a_network_path_is_never_touched_while_deciding(text: str) -> None:
    asked: list[str] = []

    def lookup(path: str) -> None:
        asked.append(path)

    resolve(text, CWD, "/home/dev", lookup, windows=True)
    assert asked == []
    resolve("x", CWD, "/home/dev", lookup, windows=True)
    assert asked != []


def test_a_place_says_what_is_there(frozen: FrozenWorld) -> None:
    app, path = "/home/dev/proj/src/app.py", "/home/dev/proj/src"
    assert frozen.locate("src/app.py", CWD) == Place(app, (app,), exists=True)
    assert frozen.locate("src", CWD) == Place(path, (path,), exists=True, folder=True)
    assert frozen.locate("src/x", CWD) == Place(path + "/x", (path + "/x",))
    assert frozen.locate("/dev/sda", CWD) == Place("/dev/sda", ("/dev/sda",), exists=True, device="block")
    assert frozen.locate("/dev/null", CWD).device == "char"
    assert frozen.locate("up", CWD).folder
    assert frozen.locate("src/..", CWD).folder
    assert not frozen.locate("x/y/..", CWD).exists


def test_a_folder_that_may_not_be_looked_into_is_trouble() -> None:
    def lookup(path: str) -> Entry | None:
        if path.startswith("/locked/"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return Entry("folder")

    found = resolve("/locked/a/b", "/", "/home/dev", lookup)
    assert (found.path, found.trouble) == (
        "/locked/a/b",
        "a part of the path cannot be looked at: Permission denied",
    )


def test_padding_a_path_beyond_the_limit_does_not_hide_its_names(frozen: FrozenWorld) -> None:
    place = frozen.locate("d/" + "./" * 5000 + "id_rsa", CWD)
    assert ("/home/dev/.ssh/id_rsa" in place.names, place.trouble) == (True, "the path is too long")


def test_a_relative_working_directory_is_trouble(frozen: FrozenWorld) -> None:
    assert frozen.locate("x", "proj").trouble == "the working directory is not an absolute path"
    assert frozen.locate("/x", "proj").trouble == ""


def test_links_reveal_names_in_the_middle_of_a_path() -> None:
    world = FrozenWorld({"/git/proj/config": ""}, links={f"{CWD}/.git": "/git/proj", f"{CWD}/g": ".git"})
    expected = ("/git/proj/config", f"{CWD}/g/config", f"{CWD}/.git/config")
    assert world.locate("g/config", CWD) == Place(expected[0], expected, exists=True)


def test_a_link_chain_longer_than_the_kernels_limit_is_trouble() -> None:
    chain = {f"/c/{i}": str(i + 1) for i in range(41)}
    world = FrozenWorld({"/c/41": ""}, links=chain)
    assert (world.locate("/c/1", "/").path, world.locate("/c/1", "/").trouble) == ("/c/41", "")
    assert world.locate("/c/0", "/").trouble == "too many links"


def test_a_magic_working_directory_does_not_go_in_circles(frozen: FrozenWorld) -> None:
    assert "too many links" in frozen.locate("x", "/proc/self/cwd").trouble


def test_case_is_folded_where_the_file_system_folds_it() -> None:
    world = FrozenWorld(FILES, folded=True)
    place = world.locate(".GIT/CONFIG", CWD)
    assert (place.exists, place.folded) == (True, True)
    assert world.locate("New/File", CWD).folded
    listed, whole = world.entries("/HOME/DEV/PROJ/.git", 9)
    assert ([entry[:2] for entry in listed], whole) == ([("config", "file")], True)
    assert not FrozenWorld(FILES).locate(".git/config", CWD).folded
    assert not FrozenWorld({**FILES, "/home/dev/proj/SRC/x": ""}).locate("src", CWD).folded


@pytest.mark.parametrize(("platform", "folded"), [("darwin", True), ("win32", True), ("linux", False)])
def test_platforms_that_fold_case_are_believed_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, folded: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    world = DiskWorld(home="/home/dev")
    assert (world.locate(str(tmp_path / "x"), "/").folded, world.windows) == (folded, platform == "win32")


# --- read, owner, home ---------------------------------------------------------------------------------------------


def test_read_gives_the_content_of_regular_files_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 10)
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    world = DiskWorld()
    assert world.read(str(tmp_path / "file")) == b"x" * 10
    assert world.read(str(tmp_path / "file"), limit=10) == b"x" * 10
    assert world.read(str(tmp_path / "none")) is None
    for name in ("link", "pipe", ".", "/dev/zero", "a\0b"):
        with pytest.raises(InputError, match="cannot read"):
            world.read(str(tmp_path / name))
    with pytest.raises(InputError, match="larger than 9 bytes"):
        world.read(str(tmp_path / "file"), limit=9)


def test_a_file_swapped_for_a_link_after_the_look_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    monkeypatch.setattr(os, "lstat", os.stat)
    with pytest.raises(InputError):
        DiskWorld().read(str(tmp_path / "link"))


def test_the_frozen_world_reads_like_the_disk(frozen: FrozenWorld) -> None:
    assert frozen.read("/home/dev/proj/.env") == b"SECRET=1"
    assert frozen.read("/home/dev/proj/none") is None
    for path, limit in (("/home/dev/proj/d", 9), ("/home/dev/proj", 9), ("/home/dev/proj/.env", 7)):
        with pytest.raises(InputError):
            frozen.read(path, limit)


@pytest.mark.parametrize(("mode", "ok"), [(0o600, True), (0o644, True), (0o664, False), (0o646, False)])
def test_owner_ok_wants_files_nobody_else_can_write(tmp_path: Path, mode: int, ok: bool) -> None:
    path = tmp_path / "policy.toml"
    path.touch()
    path.chmod(mode)
    assert DiskWorld().owner_ok(str(path)) is ok
    assert not DiskWorld().owner_ok(str(tmp_path / "none"))


def test_owner_ok_refuses_other_peoples_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = os.lstat(tmp_path)
    foreign = os.stat_result((0o100600, facts.st_ino, facts.st_dev, 1, 4242, 4242, 0, 0, 0, 0))
    monkeypatch.setattr(os, "lstat", lambda path: foreign)
    assert not DiskWorld().owner_ok(str(tmp_path))


@pytest.mark.parametrize(
    ("given", "env", "variable", "home"),
    [
        ("/a/", {"HOME": "/b"}, "/c", "/a"),
        (None, {"HOME": "/b/./x/.."}, "/c", "/b"),
        (None, {"HOME": "relative"}, "/c", "/c"),
        (None, None, "/c", "/c"),
    ],
)
def test_home_is_what_is_given_or_the_environments(
    monkeypatch: pytest.MonkeyPatch, given: str | None, env: dict[str, str] | None, variable: str, home: str
) -> None:
    monkeypatch.setenv("HOME", variable)
    world: World = DiskWorld(given, env)
    assert world.home == home


def test_home_without_a_variable_is_the_users_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    monkeypatch.delenv("HOME")
    assert DiskWorld().home == pwd.getpwuid(os.getuid()).pw_dir


# --- agreement and robustness --------------------------------------------------------------------------------------

NAMES = ("a", "b", "c", "d")


def grow(root: Path, seed: int) -> tuple[dict[str, str], dict[str, str], random.Random]:
    """A random tree of folders, files and links on disk, and the same as mappings."""
    choose = random.Random(seed)
    files: dict[str, str] = {f"{root}/": ""}
    links: dict[str, str] = {}
    folders = [root]
    for _ in range(choose.randint(4, 14)):
        path = choose.choice(folders) / choose.choice(NAMES)
        if os.path.lexists(path):
            continue
        kind = choose.choice(("folder", "file", "link", "link"))
        if kind == "folder":
            path.mkdir()
            folders.append(path)
            files[f"{path}/"] = ""
        elif kind == "file":
            path.touch()
            files[str(path)] = ""
        else:
            text = walk_of(choose) if choose.random() < 0.7 else f"{root}/{walk_of(choose)}"
            path.symlink_to(text)
            links[str(path)] = text
    return files, links, choose


def walk_of(choose: random.Random) -> str:
    return "/".join(choose.choice((*NAMES, *NAMES, "..", ".")) for _ in range(choose.randint(1, 4)))


@pytest.mark.parametrize("seed", range(150))
def test_random_trees_mean_the_same_to_us_the_kernel_and_the_fake(tmp_path: Path, seed: int) -> None:
    files, links, choose = grow(tmp_path, seed)
    disk, fake = DiskWorld(home="/nowhere"), FrozenWorld(files, home="/nowhere", links=links)
    for _ in range(12):
        text = walk_of(choose)
        place = disk.locate(text, str(tmp_path))
        assert place == fake.locate(text, str(tmp_path)), text
        if "too many links" not in place.trouble:
            assert place.path == os.path.realpath(f"{tmp_path}/{text}"), text
        check_against_kernel(place, f"{tmp_path}/{text}")
    assert disk.below(str(tmp_path), is_a) == fake.below(str(tmp_path), is_a)


def check_against_kernel(place: Place, path: str) -> None:
    """Whatever the kernel opens is what we named."""
    if os.path.exists(path):
        facts = os.stat(path)
        assert os.path.samestat(facts, os.lstat(place.path))
        assert (place.exists, place.trouble) == (True, "")
    elif not place.trouble:
        assert not place.exists or path.endswith("/.")


def is_a(path: str) -> bool:
    return path.endswith("/a")


TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="./~%25ef\\:$ab \0\ud800\u200b\u0301", max_size=60),
    st.lists(
        st.sampled_from(("/proc/", "self/", "root/", "cwd/", "..", "/", "~", "loop/", "%2e", "fd/")), max_size=20
    ).map("".join),
)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, cwd=TEXTS, windows=st.booleans())
def test_locating_never_raises_and_names_are_absolute(text: str, cwd: str, windows: bool) -> None:
    for world in (DiskWorld(home="/home/dev"), FrozenWorld(FILES, links=LINKS, windows=windows)):
        place = world.locate(text, cwd)
        assert place.names[0] == place.path
        assert all(name[:1] == "/" and "/../" not in name + "/" for name in place.names)
        assert len(set(place.names)) == len(place.names)


@given(text=TEXTS, only=st.text(alphabet="*?{},ab[", max_size=12))
@settings(max_examples=50, deadline=None)
def test_searching_never_raises(text: str, only: str) -> None:
    found, complete = FrozenWorld(FILES, links=LINKS).below(text, lambda path: True, only)
    assert complete or text[:1] != "/" or found


@pytest.mark.parametrize("unit", ["a", "a/", "../", "%25", "\\", "~", "\0", "é", "\ud800", "/proc/self/root"])
def test_a_megabyte_of_anything_is_trouble_and_nothing_worse(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    begun = time.monotonic()
    for world in (DiskWorld(), FrozenWorld(FILES), FrozenWorld(FILES, windows=True)):
        assert "the path is too long" in world.locate(text, CWD).trouble
        assert "the path is too long" in world.locate("x", text).trouble
    assert time.monotonic() - begun < 10  # a quadratic step takes minutes


def test_the_world_imports_nothing_costly() -> None:
    code = "import sys, os; known = set(sys.modules); import assent.world; print(*sorted(set(sys.modules) - known))"
    out = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {src()!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert set(out.split()) - {"__future__"} == {
        f"assent{name}" for name in ("", ".budget", ".errors", ".record", ".resolve", ".trees", ".types", ".world")
    }


def src() -> str:
    return os.path.dirname(os.path.dirname(world_module.__file__))


def test_a_world_without_primitives_is_no_world() -> None:
    bare = TreeWorld()
    for call in (lambda: bare.look("/"), lambda: bare.entries("/", 1), lambda: bare.same("/", "/")):
        with pytest.raises(NotImplementedError):
            call()
