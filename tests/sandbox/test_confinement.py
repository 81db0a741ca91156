"""Real commands in the real sandbox: what they cannot do, and that everything else is as usual."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.sandbox.bubblewrap import Wiring, argv
from assent.sandbox.capability import Capability, available, bubblewrap, nothing_file, prepare
from assent.sandbox.crowd import Crowd
from assent.sandbox.ground import Machine
from assent.sandbox.mounted import Seen, compare
from assent.sandbox.profile import Mount, Profile, Settings, profile_for
from sandbox.confined import Place, Shown, unprivileged


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# --- what it cannot do ---------------------------------------------------------------------------------------------


def test_it_changes_the_workspace_and_nothing_else(place: Place) -> None:
    done = place.run(f"echo a > made; echo b >> {place.home}/notes.txt; echo c > /usr/x; echo d > /etc/x; echo e > /x")
    assert (place.project / "made").read_text() == "a\n"
    assert (place.home / "notes.txt").read_text() == "mine"
    assert done.code == 1
    assert done.err.count("Read-only file system") == 3
    assert not [path for path in ("/usr/x", "/etc/x", "/x") if os.path.exists(path)]


def test_it_cannot_read_secrets(place: Place) -> None:
    (place.project / ".env").write_text("TOKEN=1")
    (place.state / "trust.json").write_text("{}")
    done = place.run("cat .env ~/.ssh/id_test ~/notes.txt /etc/shadow ~/state/assent/trust.json; ls -A ~")
    assert done.out.split() == ["project"]
    assert done.err.count("Permission denied") == 2
    assert done.err.count("No such file or directory") == 3


def test_a_secret_that_is_opened_can_be_read_and_not_changed(place: Place) -> None:
    (place.project / ".env").write_text("TOKEN=1\n")
    done = place.run("cat .env; echo x > .env", place.profile(Settings(read=(".env",))))
    assert (done.out, "Read-only file system" in done.err) == ("TOKEN=1\n", True)


def test_git_goes_on_working_and_its_settings_stay(place: Place) -> None:
    shutil.copytree(_repository(place), place.project, dirs_exist_ok=True)
    done = place.run(
        "echo x > a && git add a && git -c user.name=n -c user.email=e commit -qm m && git log --format=%s"
    )
    assert done == Shown(0, "m\n", "")
    before = (place.project / ".git/config").read_bytes()
    for attempt in ("echo x > .git/hooks/pre-commit", "mv .git g", "rm -rf .git/hooks"):
        assert place.run(attempt).code, attempt
    place.run("git config core.pager x")
    assert (place.project / ".git/config").read_bytes() == before


def _repository(place: Place) -> Path:
    made = place.folder / "repository"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(place.folder)}
    subprocess.run(["git", "init", "-q", str(made)], check=True, env=env)
    return made


def test_links_do_not_lead_out(place: Place) -> None:
    (place.project / "link").symlink_to(place.home / "notes.txt")
    assert place.run("cat link").code == 1
    assert place.run(f"ln {place.home}/notes.txt hard").code == 1


def test_processes_of_others_are_not_there(place: Place) -> None:
    done = place.run(f"ls /proc/{os.getpid()}; kill -0 {os.getpid()}; ls /proc | grep -c '^[0-9]'")
    assert int(done.out) < 10
    assert done.err.count("No such") == 2


def test_what_is_left_running_ends_with_the_command(place: Place) -> None:
    place.run("sleep 1000 & disown; echo $! > number")
    assert not _running("sleep 1000")


def _running(words: str) -> bool:
    wanted = words.replace(" ", "\0").encode() + b"\0"
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and Path(f"/proc/{name}/cmdline").read_bytes() == wanted:
                return True
        except OSError:
            continue
    return False


def test_an_unprivileged_user_is_confined_by_the_same_words() -> None:
    folder = tempfile.mkdtemp(prefix="assent-")
    try:
        os.chmod(folder, 0o777)
        inside, state = f"{folder}/w", f"{folder}/s"
        os.mkdir(inside)
        os.chmod(inside, 0o777)
        prepare(state)
        for made in (state, f"{state}/sandbox"):
            os.chmod(made, 0o755)
        (Path(inside) / ".env").write_text("x")
        profile = profile_for(inside, inside, f"{folder}/home", Machine(), env={"PATH": "/usr/bin:/bin"})
        words = argv(profile, ("/bin/sh", "-c", "id -u; cat .env; echo a > made; echo b > /usr/b"), _plain(state))
        done = subprocess.run([*unprivileged(), *words], capture_output=True, text=True, env={})
        assert os.path.exists(f"{inside}/made"), done.stderr
    finally:
        shutil.rmtree(folder)
    assert done.stdout.strip() != "0"
    assert (done.stderr.count("Permission denied"), done.stderr.count("Read-only file system")) == (1, 1)


def _plain(state: str) -> Wiring:
    return Wiring(bubblewrap(), nothing_file(state))


# --- what is as usual ----------------------------------------------------------------------------------------------


def test_the_folder_is_the_same(place: Place) -> None:
    (place.project / "a/b").mkdir(parents=True)
    assert place.run("pwd", place.profile(cwd=f"{place.project}/a/b")).out == f"{place.project}/a/b\n"


def test_home_inside_the_workspace(place: Place) -> None:
    done = place.run("cat ~/notes.txt ~/.ssh/id_test; ls ~/state/assent", place.profile(workspace=str(place.folder)))
    assert done.out == "mine"
    assert done.err.count("Permission denied") == 2


def test_python_runs_inside(place: Place) -> None:
    tools = Settings(read=(sys.base_prefix,))
    words = (os.path.realpath(sys.executable), "-I", "-c", "import sqlite3, ssl, subprocess; print(6 * 7)")
    assert place.words(*words, profile=place.profile(tools)) == Shown(0, "42\n", "")


# --- whether it works at all ---------------------------------------------------------------------------------------


def test_the_proof_is_made_once_and_again_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    from assent.sandbox import capability

    real = capability._tried

    def counted(able: Capability, state: str) -> str:
        tried.append(able.kind)
        return real(able, state)

    monkeypatch.setattr(capability, "_tried", counted)
    state = str(tmp_path / "state")
    found = [available(state), available(state), available(state, again=True)]
    assert found == [Capability(True, how=bubblewrap())] * 3
    assert tried == ["bubblewrap"] * 2


def test_a_program_that_does_not_confine_is_found_out(tmp_path: Path) -> None:
    fake = tmp_path / "bin/bwrap"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/sh\nwhile [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done\nshift\nexec "$@"\n'
    )
    fake.chmod(0o755)
    found = available(str(tmp_path / "state"), places=str(fake.parent), only="bubblewrap")
    assert (found.works, found.how) == (False, str(fake))
    assert found.why_not == "a confined test ended with 12: it reached what it should not"


def test_without_bubblewrap_that_is_said(tmp_path: Path) -> None:
    found = available(str(tmp_path / "state"), places=str(tmp_path), only="bubblewrap")
    assert found == Capability(False, "bubblewrap is not installed (package `bubblewrap`, program `bwrap`)")


@pytest.mark.parametrize("spoil", ["write", "chmod"])
def test_a_cover_that_somebody_changed_is_not_used(tmp_path: Path, spoil: str) -> None:
    state = str(tmp_path / "state")
    assert available(state).works
    cover = Path(nothing_file(state))
    cover.chmod(0o600)
    if spoil == "write":
        cover.write_text("x")
        cover.chmod(0)
    found = available(state, only="bubblewrap")
    assert (found.works, "is not the empty file it has to be" in found.why_not) == (False, True)


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    yield tmp_path


def test_root_without_control_groups_is_told_that_nothing_counts(groups: Path) -> None:
    crowd = Crowd(str(groups))
    crowd.limit(1, 5)
    assert "the number of processes is not limited" in crowd.notes[0]


def test_groups_of_commands_that_have_ended_are_removed(groups: Path) -> None:
    (groups / "cgroup.subtree_control").write_text("pids\n")
    names = ("assent-999999999", f"assent-{os.getpid()}", "other", "assent-x")
    for name in names:
        (groups / name).mkdir()
    Crowd(str(groups)).limit(7, 5)
    assert sorted(one.name for one in groups.iterdir() if one.is_dir()) == sorted([*names[1:], "assent-7"])


def test_a_control_group_of_the_second_version_is_used(groups: Path) -> None:
    (groups / "cgroup.subtree_control").write_text("cpu pids\n")
    crowd = Crowd(str(groups))
    crowd.limit(123, 5)
    made = groups / "assent-123"
    assert ((made / "pids.max").read_text(), (made / "cgroup.procs").read_text()) == ("5", "123")
    assert crowd.notes == ()


# --- a workspace that wants out ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".git", ".github", ".vscode", ".assent", ".envrc"])
def test_a_link_in_the_workspace_is_never_mounted(place: Place, name: str) -> None:
    """`ln -s ~/.aws .git` would show `~/.aws` at `.git`, because `.git/config` seems to be there."""
    outside = place.home / "outside"
    outside.mkdir()
    for file in ("config", "workflows", "hooks"):
        (outside / file).write_text("mine")
    (place.project / name).symlink_to(outside)
    done = place.run(f"cat {name}/config; echo x > {name}/config; cat {name}")
    assert (done.out, (outside / "config").read_text()) == ("", "mine")


@pytest.mark.parametrize("leads", ["~/outside", "/usr/share"])
def test_a_folder_that_becomes_a_link_after_the_plan_is_noticed(place: Place, leads: str) -> None:
    (place.project / ".vscode").mkdir()
    (place.home / "outside").mkdir()
    planned = place.profile()
    (place.project / ".vscode").rmdir()
    (place.project / ".vscode").symlink_to(leads.replace("~", str(place.home)))
    with pytest.raises(AssentError, match="the sandbox"):
        place.run("ls .vscode", planned)


def test_the_mounts_are_compared_with_the_plan() -> None:
    planned = Profile("/w", "/w", (Mount("write", "/w"), Mount("read", "/w/.vscode"), Mount("closed", "/w/.env")))
    good = (
        Seen("/w", "8:1", "/data/w"),
        Seen("/w/.vscode", "8:1", "/data/w/.vscode"),
        Seen("/w/.env", "8:2", "/closed"),
    )
    compare(good, planned)
    elsewhere = Seen("/w/.vscode", "8:1", "/home/dev/.ssh")
    for found in ((good[0], elsewhere, good[2]), good[:2], good[1:]):
        with pytest.raises(AssentError):
            compare(found, planned)


def test_a_secret_that_moves_after_the_plan_is_noticed(place: Place) -> None:
    (place.project / "a").mkdir()
    (place.project / "a/.env").write_text("x")
    planned = place.profile()
    (place.project / "a").rename(place.project / "b")
    (place.project / "a").symlink_to("/tmp")
    with pytest.raises(AssentError):
        place.run("cat b/.env", planned)


def test_hooks_that_are_not_there_cannot_be_made(place: Place) -> None:
    (place.project / ".git").mkdir()
    place.run("mkdir .git/hooks; echo x > .git/hooks/pre-commit")
    assert list((place.project / ".git").iterdir()) == []


def test_the_file_of_a_worktree_stays(place: Place) -> None:
    (place.project / ".git").write_text("gitdir: /elsewhere\n")
    assert place.run("echo gitdir: /mine > .git; rm .git; mv .git g").code
    assert (place.project / ".git").read_text() == "gitdir: /elsewhere\n"
