"""Folders, atomic writes, locks and trust, on a real file system and with real processes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent import folders
from assent.errors import AssentError, UsageError
from assent.folders import Trust, TrustEntry, locked, policy_files, write_atomically

ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture(params=[0o000, 0o077], ids=["umask-000", "umask-077"])
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def run_python(code: str, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


# --- where ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "config", "state"),
    [
        ({}, "/home/me/.config/assent", "/home/me/.local/state/assent"),
        ({"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}, "/c/assent", "/s/assent"),
        ({"XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""}, "/home/me/.config/assent", "/home/me/.local/state/assent"),
        ({"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./s"}, "/home/me/.config/assent", "/home/me/.local/state/assent"),
    ],
)
def test_folders_follow_xdg_and_ignore_relative_values(env: dict[str, str], config: str, state: str) -> None:
    assert folders.config_folder(env, "/home/me") == config
    assert folders.state_folder(env, "/home/me") == state


@pytest.mark.parametrize("home", ["", "me", "./me"])
def test_a_home_that_is_not_absolute_is_refused(home: str) -> None:
    with pytest.raises(AssentError, match="is not an absolute path"):
        folders.config_folder({}, home)
    assert folders.config_folder({"XDG_CONFIG_HOME": "/c"}, home) == "/c/assent"


def test_the_managed_folder_is_fixed() -> None:
    assert folders.managed_folder() == "/etc/assent/policy.d"


@pytest.fixture
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "managed"
    monkeypatch.setattr(folders, "managed_folder", lambda: str(folder))
    return folder


def touch(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return str(path)


def test_policy_files_that_exist_are_listed_by_layer(tmp_path: Path, managed: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    assert policy_files({}, str(home), str(work)) == ()
    user = touch(home / ".config/assent/policy.toml")
    project, local = touch(work / ".assent/policy.toml"), touch(work / ".assent/policy.local.toml")
    second, first = touch(managed / "20-team.toml"), touch(managed / "10-company.toml")
    touch(managed / "README.md")
    touch(managed / ".hidden.toml")
    everywhere = [("managed", first), ("managed", second)]
    assert policy_files({}, str(home), str(work)) == (
        ("user", user),
        ("project", project),
        ("local", local),
        *everywhere,
    )
    assert policy_files({}, str(home), None) == (("user", user), *everywhere)
    assert policy_files({"XDG_CONFIG_HOME": str(tmp_path)}, str(home), "") == tuple(everywhere)


def test_a_dangling_policy_link_is_listed_so_that_reading_it_fails_loudly(tmp_path: Path, managed: Path) -> None:
    link = tmp_path / "work/.assent/policy.toml"
    link.parent.mkdir(parents=True)
    link.symlink_to("/nowhere/at/all")
    assert policy_files({}, str(tmp_path), str(tmp_path / "work")) == (("project", str(link)),)


def test_a_managed_folder_that_cannot_be_listed_is_an_error(
    tmp_path: Path, managed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(AssentError, match=r"cannot list the managed policies .*Permission denied"):
        policy_files({}, str(tmp_path), None)


def test_a_policy_file_that_cannot_be_looked_at_counts_as_there(
    tmp_path: Path, managed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "lstat", refuse)
    assert policy_files({}, "/h", None) == (("user", "/h/.config/assent/policy.toml"),)


def test_listing_policy_files_imports_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from assent.folders import policy_files;"
        "policy_files({}, '/h', '/w'); print(*sorted(set(sys.modules) - before))"
    )
    out, _ = run_python(code).communicate()
    assert [name for name in out.split() if not name.startswith("assent")] == ["__future__"]


# --- writing -------------------------------------------------------------------------------------------------------


def test_permissions_are_exact_whatever_the_umask(tmp_path: Path, any_umask: None) -> None:
    path = tmp_path / "a/b/file"
    write_atomically(str(path), b"x")
    assert [permissions(p) for p in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]
    write_atomically(str(path), b"y", mode=0o644)
    assert (permissions(path), path.read_bytes()) == (0o644, b"y")


def test_an_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    write_atomically(str(tmp_path / "file"), b"x")
    assert permissions(tmp_path) == 0o755


def test_writing_through_a_symlink_is_refused(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("precious")
    link.symlink_to(target)
    with pytest.raises(AssentError, match="is a symbolic link"):
        write_atomically(str(link), b"x")
    assert (target.read_text(), link.is_symlink()) == ("precious", True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "target"]


@pytest.mark.parametrize("step", ["write", "fsync", "fchmod", "replace"])
def test_a_failing_step_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(AssentError, match=r"cannot write .*: No space left on device"):
        write_atomically(str(path), b"new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file", "old")]


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path: Path, step: str) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    code = f"""
import os, signal, sys
from assent.folders import write_atomically
os.{step} = lambda *args, **kwargs: os.kill(os.getpid(), signal.SIGKILL)
write_atomically(sys.argv[1], b"new")
"""
    child = run_python(code, str(path))
    child.communicate()
    assert (child.returncode, path.read_text()) == (-signal.SIGKILL, "old")
    write_atomically(str(path), b"newer")
    assert path.read_text() == "newer"


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:3]))
    write_atomically(str(tmp_path / "file"), b"0123456789")
    monkeypatch.undo()
    assert (tmp_path / "file").read_bytes() == b"0123456789"


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AssentError, match="cannot write"):
        write_atomically(str(tmp_path / "file/inner"), b"x")


# --- locking -------------------------------------------------------------------------------------------------------

HOLD = """
import sys, time
from assent.folders import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_that_is_held_times_out_and_names_the_holder(tmp_path: Path) -> None:
    path = str(tmp_path / "state/file")
    child = run_python(HOLD, path)
    assert child.stdout
    assert child.stdout.readline() == "held\n"
    start = time.monotonic()
    with pytest.raises(AssentError) as caught, locked(path, timeout=0.2):
        raise AssertionError("must not be reached")
    assert caught.value.message == f"`{path}` is locked by process {child.pid} (`-c`) for more than 0.2 seconds"
    assert caught.value.help == "wait for that process or end it, then try again"
    assert time.monotonic() - start < 5
    child.kill()
    child.communicate()
    with locked(path, timeout=5):
        assert permissions(tmp_path / "state/file.lock") == 0o600


def test_a_lock_is_free_again_after_an_error_inside(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    with pytest.raises(RuntimeError), locked(path, timeout=0):
        raise RuntimeError
    with locked(path, timeout=0):
        pass
    assert (tmp_path / "file.lock").read_text() == ""


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AssentError, match="cannot lock"), locked(str(tmp_path / "file")):
        raise AssertionError("must not be reached")
    assert not (tmp_path / "elsewhere").exists()


# --- trust ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_trust_is_for_one_content_of_one_file(tmp_path: Path, state: Path) -> None:
    trust, file = Trust(str(state)), str(tmp_path / "policy.toml")
    assert not trust.trusted(file, ONE)
    trust.trust(file, ONE, at=5)
    assert trust.trusted(file, ONE)
    assert not trust.trusted(file, TWO)
    assert not trust.trusted(file, "")
    assert not trust.trusted(file + "x", ONE)
    trust.trust(file, TWO, at=6.5)
    assert trust.entries() == (TrustEntry(file, TWO, 6.5),)
    assert (trust.untrust(file), trust.untrust(file), trust.entries(), trust.problem()) == (True, False, (), "")


def test_trust_is_by_real_path(tmp_path: Path, state: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    Trust(str(state)).trust(str(link / "policy.toml"), ONE, at=1)
    assert Trust(str(state)).trusted(str(real / "policy.toml"), ONE)
    assert Trust(str(state)).entries()[0].file == str(real / "policy.toml")


def test_trust_keeps_file_names_that_are_not_utf_8(tmp_path: Path, state: Path) -> None:
    file = str(tmp_path / os.fsdecode(b"\xff.toml"))
    Trust(str(state)).trust(file, ONE, at=1)
    assert Trust(str(state)).trusted(file, ONE)


def test_the_trust_file_is_for_the_owner_alone(tmp_path: Path, state: Path, any_umask: None) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    assert permissions(state) == 0o700
    assert {p.name: permissions(p) for p in state.iterdir()} == {"trust.json": 0o600, "trust.json.lock": 0o600}


@pytest.mark.parametrize("digest", ["", "abc", "G" * 64, "A" * 64, "1" * 63, "1" * 65])
def test_only_digests_can_be_trusted(state: Path, digest: str) -> None:
    with pytest.raises(UsageError, match="is not a SHA-256 digest"):
        Trust(str(state)).trust("/p", digest, at=1)


def assert_nothing_trusted(state: Path, why: str) -> None:
    trust = Trust(str(state))
    assert (trust.trusted("/p", ONE), trust.entries()) == (False, ())
    assert trust.problem().startswith(f"nothing is trusted, because `{state}/trust.json` cannot be used: ")
    assert why in trust.problem()
    for change in (lambda: trust.trust("/q", ONE, at=1), lambda: trust.untrust("/p")):
        with pytest.raises(AssentError, match="nothing is trusted"):
            change()


GOOD = f'{{"digest": "{ONE}", "at": 1.0}}'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b'{"/p": ', "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[]", "not a table"),
        (f'{{"/p": {GOOD}, "/p": {GOOD}}}'.encode(), "appears twice"),
        (b'{"/p": true}', "entry for `/p`"),
        (b'{"/p": {}}', "entry for `/p`"),
        (f'{{"/p": {{"digest": "{ONE}", "at": 1.0, "more": 1}}}}'.encode(), "entry for `/p`"),
        (f'{{"/p": {{"digest": "{ONE}", "at": "now"}}}}'.encode(), "entry for `/p`"),
        (b'{"/p": {"digest": "", "at": 1.0}}', "entry for `/p`"),
        (f'{{"/p": {GOOD}, "/q": {{}}}}'.encode(), "entry for `/q`"),
    ],
)
def test_a_broken_trust_file_trusts_nothing_and_says_so(state: Path, content: bytes, why: str) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    (state / "trust.json").write_bytes(content)
    assert_nothing_trusted(state, why)
    assert (state / "trust.json").read_bytes() == content


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_trust_file_others_may_write_trusts_nothing(state: Path, mode: int) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    (state / "trust.json").chmod(mode)
    assert_nothing_trusted(state, "others may write to the file")


def test_a_state_folder_others_may_write_trusts_nothing(state: Path) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    state.chmod(0o777)
    assert_nothing_trusted(state, "others may write to the folder")


def test_a_foreign_trust_file_trusts_nothing(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert_nothing_trusted(state, f"belongs to user {mine}, not to you")


def test_a_trust_file_that_is_a_link_or_a_pipe_trusts_nothing(state: Path) -> None:
    Trust(str(state)).trust("/p", ONE, at=1)
    file, moved = state / "trust.json", state / "moved.json"
    file.rename(moved)
    file.symlink_to(moved)
    assert_nothing_trusted(state, "symbolic links")
    file.unlink()
    os.mkfifo(file, 0o600)
    assert_nothing_trusted(state, "not a regular file")


def test_twenty_processes_that_trust_at_once_lose_nothing(state: Path) -> None:
    code = "import sys; from assent.folders import Trust; Trust(sys.argv[1]).trust(sys.argv[2], '1' * 64, 1)"
    children = [run_python(code, str(state), f"/project-{number:02}") for number in range(20)]
    assert [(child.communicate()[1], child.returncode) for child in children] == [("", 0)] * 20
    assert Trust(str(state)).entries() == tuple(TrustEntry(f"/project-{number:02}", ONE, 1.0) for number in range(20))
    assert sorted(p.name for p in state.iterdir()) == ["trust.json", "trust.json.lock"]
