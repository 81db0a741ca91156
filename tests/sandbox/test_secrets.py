"""Secrets of a project are closed in each sandbox as files, whatever names they have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.sandbox import ground
from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK
from assent.sandbox.profile import Settings
from sandbox.confined import Place

KINDS = (BUBBLEWRAP, LANDLOCK)
WORD = "open-sesame"


@pytest.fixture(params=KINDS)
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    return Place(tmp_path, kind=request.param)


def put(place: Place, name: str, text: str = WORD) -> Path:
    path = place.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def seen(place: Place, *names: str) -> str:
    """What all ways to read these files show."""
    words = " ".join(names)
    command = (
        f"cat {words}; for f in {words}; do head -c 99 < $f; cp $f copy && cat copy; ln $f again && cat again; done"
    )
    return place.run(f"{command}; grep -rh {WORD} . ; tar cf - . | grep -a {WORD}").out


def test_a_link_closes_what_it_leads_to(place: Place) -> None:
    target = put(place, "conf/prod.txt")
    (place.project / ".env").symlink_to(target)
    (place.project / ".env.local").symlink_to("conf/prod.txt")
    assert WORD not in seen(place, ".env", ".env.local", "conf/prod.txt")


def test_a_chain_of_links_closes_its_end(place: Place) -> None:
    put(place, "a/b/real")
    (place.project / "two").symlink_to("a/b/real")
    (place.project / "src").mkdir()
    (place.project / "src/id_rsa").symlink_to("../two")
    assert WORD not in seen(place, "src/id_rsa", "two", "a/b/real")


def test_a_second_name_is_closed_and_the_first_one_too(place: Place) -> None:
    first = put(place, ".env")
    for name in ("h", "src/h.py", "node_modules/x/index.js", ".git/h"):
        second = place.project / name
        second.parent.mkdir(parents=True, exist_ok=True)
        os.link(first, second)
    assert WORD not in seen(place, ".env", "h", "src/h.py", "node_modules/x/index.js", ".git/h")


def test_a_second_name_of_what_a_link_leads_to_is_closed(place: Place) -> None:
    target = put(place, "conf/prod.txt")
    os.link(target, place.project / "other.txt")
    (place.project / ".env").symlink_to("conf/prod.txt")
    assert WORD not in seen(place, ".env", "conf/prod.txt", "other.txt")


@pytest.mark.parametrize(
    "name",
    [
        "node_modules/pkg/.env",
        "node_modules/.env.production",
        ".tox/py/.env",
        ".tox/py/lib/id_rsa",
        "venv/lib/python3/site-packages/x/credentials.json",
        "a/__pycache__/.netrc",
        ".mypy_cache/x/.npmrc",
        "vendor/.aws/credentials",
        "node_modules/x/.ssh/key.pem",
    ],
)
def test_secrets_in_folders_of_others_are_closed(place: Place, name: str) -> None:
    put(place, name)
    assert WORD not in seen(place, name)


@pytest.mark.parametrize(
    "name",
    [".git/.env", ".git/credentials.json", "sub/.git/.env", ".git/modules/x/.env", ".git/logs/.env", "d/.git/k.pem"],
)
def test_secrets_in_the_folder_of_git_are_closed(place: Place, name: str) -> None:
    for folder in (".git", "sub/.git"):
        put(place, f"{folder}/HEAD", "ref: refs/heads/main\n")
        put(place, f"{folder}/config", "")
        for inner in ("objects", "refs"):
            (place.project / folder / inner).mkdir()
    put(place, name)
    assert WORD not in seen(place, name)
    assert (place.project / name).read_text() == WORD


def test_certificates_of_packages_stay_open(place: Place) -> None:
    put(place, "venv/lib/python3/site-packages/certifi/cacert.pem")
    assert place.run("cat venv/lib/python3/site-packages/certifi/cacert.pem").out == WORD


def test_a_key_of_home_with_a_name_in_the_project_is_closed(place: Place) -> None:
    (place.home / ".ssh/id_test").write_text(WORD)
    os.link(place.home / ".ssh/id_test", place.project / "notes.txt")
    assert WORD not in seen(place, "notes.txt")


def test_a_link_that_is_opened_can_be_read(place: Place) -> None:
    put(place, "conf/test.txt")
    (place.project / ".env.test").symlink_to("conf/test.txt")
    assert place.run("cat .env.test", place.profile(Settings(read=(".env.test",)))).out == WORD


def test_ordinary_files_with_two_names_stay_open(place: Place) -> None:
    first = put(place, "a.txt", "fine")
    os.link(first, place.project / "b.txt")
    put(place, "src/.env")
    assert place.run("cat a.txt b.txt").out == "finefine"


def test_too_many_files_to_find_every_name_are_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(put(place, ".env"), place.project / "h")
    for number in range(8):
        put(place, f"many/{number}")
    monkeypatch.setattr(ground, "MOST_ENTRIES", 5)
    with pytest.raises(AssentError, match="a second name"):
        place.profile()
