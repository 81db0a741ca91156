"""What home has to do with a path: secrets that are kept elsewhere, and that home itself is no project."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assent.testing import FrozenWorld
from assent.world import DiskWorld
from frozen_project import CWD

if TYPE_CHECKING:
    from pathlib import Path

    from assent.resolve import Entry


# --- moved ---------------------------------------------------------------------------------------------------------


def test_a_secret_folder_kept_elsewhere_is_known_by_its_usual_name() -> None:
    world = FrozenWorld({"/home/dev/dotfiles/ssh/id_rsa": ""}, links={"/home/dev/.ssh": "dotfiles/ssh"})
    assert "/home/dev/.ssh/id_rsa" in world.locate("~/dotfiles/ssh/id_rsa", CWD).names
    assert "/home/dev/.ssh" in world.locate("/home/dev/dotfiles/ssh", CWD).names
    assert world.locate("/home/dev/dotfiles/ssh2", CWD).names == ("/home/dev/dotfiles/ssh2",)
    assert world.moved() == (("/home/dev/.ssh", "/home/dev/dotfiles/ssh"),)


@pytest.mark.parametrize(
    ("link", "target", "written", "usual"),
    [
        (".config", "dotfiles/config", "dotfiles/config/gcloud/adc.json", ".config/gcloud/adc.json"),
        (".config", "dotfiles/config", "dotfiles/config/assent/policy.toml", ".config/assent/policy.toml"),
        (".config/gcloud", "../d/g", "d/g/adc.json", ".config/gcloud/adc.json"),
        (".local", "d", "d/state/assent/trust.json", ".local/state/assent/trust.json"),
        (".local/state", "../d", "d/assent/trust.json", ".local/state/assent/trust.json"),
        (".local/state/assent", "../../d", "d/trust.json", ".local/state/assent/trust.json"),
        (".aws/credentials", "../d/aws", "d/aws", ".aws/credentials"),
        (".aws/config", "../d/aws", "d/aws", ".aws/config"),
        (".docker/config.json", "../d/docker", "d/docker", ".docker/config.json"),
        (".kube/config", "../d/kube", "d/kube", ".kube/config"),
        (".aws", "d", "d/credentials", ".aws/credentials"),
        (".kube", "/mnt/kube", "/mnt/kube/config", ".kube/config"),
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_whatever_part_of_a_secret_place_is_a_link(
    link: str, target: str, written: str, usual: str, there: bool
) -> None:
    real = written if written[:1] == "/" else f"/home/dev/{written}"
    world = FrozenWorld({real: ""} if there else {}, links={f"/home/dev/{link}": target})
    assert world.locate(real, CWD).names == (real, f"/home/dev/{usual}")


def test_moved_says_where_each_place_really_is() -> None:
    links = {"/home/dev/.config": "/mnt/config", "/home/dev/.aws/credentials": "../keys"}
    assert FrozenWorld({"/mnt/config/gcloud/x": "", "/home/dev/keys": ""}, links=links).moved() == (
        ("/home/dev/.config/gcloud", "/mnt/config/gcloud"),
        ("/home/dev/.config/assent", "/mnt/config/assent"),
        ("/home/dev/.aws/credentials", "/home/dev/keys"),
    )
    assert FrozenWorld({"/home/dev/.ssh/id_rsa": "", "/home/dev/.config/x": ""}).moved() == ()


def test_each_file_may_be_kept_elsewhere() -> None:
    links = {"/home/dev/.ssh/config": "../dotfiles/ssh/config", "/home/dev/.config/assent": "../dotfiles/assent"}
    links["/home/dev/dotfiles/assent/policy.toml"] = "/mnt/policy"
    files = {"/home/dev/dotfiles/ssh/config": "", "/mnt/policy": "", "/home/dev/.ssh/id_rsa": ""}
    world = FrozenWorld(files, links=links)
    assert world.moved() == (
        ("/home/dev/.config/assent", "/home/dev/dotfiles/assent"),
        ("/home/dev/.ssh/config", "/home/dev/dotfiles/ssh/config"),
        ("/home/dev/.config/assent/policy.toml", "/mnt/policy"),
    )
    assert "/home/dev/.ssh/config" in world.locate("/home/dev/dotfiles/ssh/config", "/").names


def test_a_changed_link_in_a_folder_of_home_is_noticed(tmp_path: Path) -> None:
    for name in (".ssh", "dotfiles", "elsewhere"):
        (tmp_path / name).mkdir()
    link = tmp_path / ".ssh/config"
    link.symlink_to("../dotfiles/config")
    world = DiskWorld(home=str(tmp_path))
    assert world.moved() == ((str(link), f"{tmp_path}/dotfiles/config"),)
    link.unlink()
    link.symlink_to("../elsewhere/config")
    time.sleep(world.moment)
    assert world.moved() == ((str(link), f"{tmp_path}/elsewhere/config"),)


def test_a_home_that_is_a_link_has_not_moved_what_is_in_it() -> None:
    files = {"/var/home/dev/.ssh/id_rsa": "", "/var/home/dev/d/aws": ""}
    world = FrozenWorld(files, home="/people/dev", links={"/people": "/var/home", "/var/home/dev/.aws": "d/aws"})
    assert world.moved()[0] == ("/people/dev/.aws", "/var/home/dev/d/aws")
    assert {usual for usual, _real in world.moved()} == {
        f"/people/dev/.aws{s}" for s in ("", "/credentials", "/config")
    }


def test_a_moved_place_is_known_in_any_case_where_case_is_folded() -> None:
    world = FrozenWorld({"/home/dev/dotfiles/ssh/k": ""}, links={"/home/dev/.ssh": "dotfiles/ssh"}, folded=True)
    assert "/home/dev/.ssh/K" in world.locate("~/Dotfiles/SSH/K", CWD).names
    strict = FrozenWorld({"/home/dev/dotfiles/ssh/k": ""}, links={"/home/dev/.ssh": "dotfiles/ssh"})
    assert strict.locate("/home/dev/Dotfiles/SSH/K", CWD).names == ("/home/dev/Dotfiles/SSH/K",)


def home_that_was_left_alone(folder: Path) -> DiskWorld:
    """A home whose folders were changed long ago, already asked about."""
    for name in (".config", ".local/state", ".aws", "elsewhere"):
        (folder / name).mkdir(parents=True)
    for name in (".", ".config", ".local", ".local/state", ".aws"):
        os.utime(folder / name, ns=(0, 0))
    world = DiskWorld(home=str(folder))
    assert world.moved() == ()
    assert world.locate("elsewhere/x", str(folder)).names == (f"{folder}/elsewhere/x",)
    return world


@pytest.mark.parametrize(
    "link", [".ssh", ".config/gcloud", ".config/assent", ".local/state/assent", ".aws/credentials", ".kube"]
)
def test_a_place_that_moves_later_is_noticed(tmp_path: Path, link: str) -> None:
    world = home_that_was_left_alone(tmp_path)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    time.sleep(world.moment)
    assert world.moved()[0] == (f"{tmp_path}/{link}", f"{tmp_path}/elsewhere")
    assert f"{tmp_path}/{link}/x" in world.locate("elsewhere/x", str(tmp_path)).names
    (tmp_path / link).unlink()
    os.utime((tmp_path / link).parent, ns=(1, 1))
    time.sleep(world.moment)
    assert world.moved() == ()


@pytest.mark.parametrize("link", [".ssh", ".config", ".gnupg"])
def test_locating_alone_notices_what_moves_in_home(tmp_path: Path, link: str) -> None:
    world = home_that_was_left_alone(tmp_path)
    (tmp_path / ".config").rename(tmp_path / "config")
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    time.sleep(world.moment)
    inner = "gcloud/x" if link == ".config" else "x"
    assert f"{tmp_path}/{link}/{inner}" in world.locate(f"elsewhere/{inner}", str(tmp_path)).names


def test_a_link_that_leads_to_another_link_later_is_noticed(tmp_path: Path) -> None:
    world = home_that_was_left_alone(tmp_path)
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles/ssh").mkdir()
    (tmp_path / ".ssh").symlink_to("dotfiles/ssh")
    time.sleep(world.moment)
    assert world.moved() == ((f"{tmp_path}/.ssh", f"{tmp_path}/dotfiles/ssh"),)
    (tmp_path / "dotfiles/ssh").rmdir()
    (tmp_path / "dotfiles/ssh").symlink_to("../elsewhere")
    time.sleep(world.moment)
    assert world.moved() == ((f"{tmp_path}/.ssh", f"{tmp_path}/elsewhere"),)


def test_within_a_moment_home_is_not_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = home_that_was_left_alone(tmp_path)
    monkeypatch.setattr(DiskWorld, "moment", 3600)
    monkeypatch.setattr(DiskWorld, "stamp", None)
    assert world.now().moved() == ()


def test_what_did_not_change_is_not_looked_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = home_that_was_left_alone(tmp_path)
    monkeypatch.setattr(DiskWorld, "look", None)
    assert world.moved() == ()


# --- workspace -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cwd", "workspace"),
    [
        ("/home/dev/proj/src", "/home/dev/proj"),
        ("/home/dev/proj/", "/home/dev/proj"),
        ("/home/dev/proj/vendor/lib", "/home/dev/proj/vendor"),
        ("/home/dev/other/x", "/home/dev/other/x"),
        ("/srv/x", "/srv/x"),
        ("/alias/other", "/alias/other"),
        ("relative", "relative"),
        ("/home/dev", ""),
        ("/home/dev/", ""),
        ("/home/dev/proj/..", ""),
        ("/home", ""),
        ("/", ""),
        ("/alias", ""),
        ("/alias/..", ""),
        ("/top/dev", ""),
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_the_workspace_is_the_nearest_project_but_never_home_or_above(cwd: str, workspace: str, marked: bool) -> None:
    files = {f"{at}/.git/HEAD": "" for at in ("/home/dev", "/home", "") if marked}
    files |= {"/home/dev/proj/.git/HEAD": "", "/home/dev/proj/vendor/.assent/": ""}
    world = FrozenWorld(files, links={"/alias": "/home/dev", "/top": "/home"})
    assert world.workspace(cwd) == workspace


def test_home_is_no_workspace_in_any_case_where_case_is_folded() -> None:
    world = FrozenWorld({"/home/dev/proj/": ""}, folded=True)
    assert (world.workspace("/Home/DEV"), world.workspace("/HOME/Dev/Proj")) == ("", "/HOME/Dev/Proj")
    assert FrozenWorld({"/home/DEV/": ""}).workspace("/home/DEV") == "/home/DEV"


def test_a_project_is_found_through_links() -> None:
    links = {"/r": "/", "/srv/here": "there", "/git": "/srv/there/x", "/srv/there/.git": "/git", "/srv/.git": "lost"}
    world = FrozenWorld({"/srv/there/x/y": "", "/srv/p/.git": ""}, links=links)
    assert world.workspace("/r/srv/p/x") == "/r/srv/p"
    assert world.workspace("/r/srv/here/x/y") == "/r/srv/here"
    assert world.workspace("/srv/q") == "/srv/q"  # `.git` leads nowhere


def test_looking_for_a_project_takes_a_few_looks_for_each_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    cwd = "/srv" + "/d" * 300
    world = FrozenWorld({f"{cwd}/": ""})
    asked: list[str] = []
    look = world.look

    def counted(path: str) -> Entry | None:
        asked.append(path)
        return look(path)

    monkeypatch.setattr(world, "look", counted)
    assert world.workspace(cwd) == cwd
    assert len(asked) < 5 * 301
    assert world.workspace("/d" * 100_000) == "/d" * 100_000
