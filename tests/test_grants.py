"""Grants: the file they are kept in, what makes it unusable, and which of them are in force."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from assent.desk import Desk
from assent.errors import InputError
from assent.grants import Grant, count_use, grants_file, live_fingerprints, read_grants, uses_file
from assent.world import DiskWorld

MAKE = Grant("m1", "make test", "/p", "f1", 10.0)
NPM = Grant("n1", "npm test", "/q", "f2", 20.0, origin="dialog", expires=100.0)
ROW = {
    "id": "m1",
    "command": "make test",
    "workspace": "/p",
    "fingerprint": "f1",
    "made": 10.0,
    "origin": "command line",
    "expires": 0.0,
}
WORLD = DiskWorld()
ONE, BOTH = frozenset({"f1"}), frozenset({"f1", "f2"})


@pytest.fixture
def state(tmp_path: Path) -> str:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return str(folder)


def add_grant(state: str, grant: Grant) -> Grant:
    with closing(Desk(state)) as desk:
        return desk.grant(grant, by="ann", via="test")


def revoke_grant(state: str, identity: str) -> Grant:
    with closing(Desk(state)) as desk:
        return desk.revoke(identity, by="ann", via="test")


def put(state: str, text: str | bytes) -> Path:
    file = Path(grants_file(state))
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    file.chmod(0o600)
    return file


def test_without_a_file_there_are_no_grants(state: str) -> None:
    assert read_grants(state, WORLD) == ()
    assert live_fingerprints(state, WORLD, 0.0) == (frozenset(), "")


def test_what_is_added_is_read_back_whole(state: str) -> None:
    assert [add_grant(state, grant) for grant in (MAKE, NPM)] == [MAKE, NPM]
    assert read_grants(state, WORLD) == (MAKE, NPM)


def test_the_file_is_plain_json_for_the_owner_only(state: str) -> None:
    add_grant(state, MAKE)
    file = Path(grants_file(state))
    later = {"scope": "project", "rules": [], "session": "", "request": "", "uses": 0, "used_at": 0.0}
    assert json.loads(file.read_text()) == {"store": f"{state}/approvals.db", "grants": [ROW | later]}
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    state = str(tmp_path / "not" / "yet")
    add_grant(state, MAKE)
    assert read_grants(state, WORLD) == (MAKE,)


def test_a_grant_without_an_id_gets_one_that_lasts(state: str) -> None:
    made = add_grant(state, Grant("", "make test", "/p", "f1", 10.0))
    assert len(made.id) == 8
    assert read_grants(state, WORLD) == (made,)
    assert add_grant(state, Grant("", "make test", "/p", "f1", 10.0)) == made


def test_a_grant_for_the_same_fingerprint_is_replaced(state: str) -> None:
    add_grant(state, MAKE)
    add_grant(state, NPM)
    again = Grant("m2", "make test", "/p", "f1", 30.0, expires=50.0)
    add_grant(state, again)
    assert read_grants(state, WORLD) == (NPM, again)


def test_a_revoked_grant_is_gone_and_the_others_stay(state: str) -> None:
    add_grant(state, MAKE)
    add_grant(state, NPM)
    assert revoke_grant(state, "m1") == MAKE
    assert read_grants(state, WORLD) == (NPM,)


@pytest.mark.parametrize("identity", ["", "m", "M1", "x"])
def test_only_a_known_id_can_be_revoked(state: str, identity: str) -> None:
    add_grant(state, MAKE)
    with pytest.raises(InputError, match="there is no grant"):
        revoke_grant(state, identity)
    assert read_grants(state, WORLD) == (MAKE,)


@pytest.mark.parametrize(("now", "live"), [(0.0, BOTH), (99.9, BOTH), (100.0, ONE), (1e12, ONE)])
def test_a_grant_ends_when_its_time_is_over(state: str, now: float, live: frozenset[str]) -> None:
    add_grant(state, MAKE)
    add_grant(state, NPM)
    assert live_fingerprints(state, WORLD, now) == (live, "")


def without(name: str) -> str:
    return json.dumps({"grants": [{key: value for key, value in ROW.items() if key != name}]})


BROKEN = {
    "nothing": "",
    "no JSON": "{",
    "a list": "[]",
    "a number": "5",
    "no list of grants": '{"grants": {}}',
    "other keys": "{}",
    "not UTF-8": b"\xff\xfe",
    "a row that is no object": '{"grants": ["x"]}',
    "a number as a command": json.dumps({"grants": [{**ROW, "command": 5}]}),
    "a fingerprint that is null": json.dumps({"grants": [{**ROW, "fingerprint": None}]}),
    "a date as text": json.dumps({"grants": [{**ROW, "expires": "never"}]}),
    **{f"no {name}": without(name) for name in ROW},
    "one good and one bad row": json.dumps({"grants": [ROW, {}]}),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_an_error_and_grants_nothing(state: str, text: str | bytes) -> None:
    file = put(state, text)
    with pytest.raises(InputError):
        read_grants(state, WORLD)
    live, trouble = live_fingerprints(state, WORLD, 0.0)
    assert live == frozenset()
    assert trouble
    with pytest.raises(InputError):
        add_grant(state, NPM)
    with pytest.raises(InputError):
        revoke_grant(state, "m1")
    assert file.read_bytes() == (text.encode() if isinstance(text, str) else text), "a broken file is left as it is"


@pytest.mark.parametrize("mode", [0o602, 0o620, 0o666])
def test_a_file_that_others_may_write_grants_nothing(state: str, mode: int) -> None:
    put(state, json.dumps({"grants": [ROW]})).chmod(mode)
    live, trouble = live_fingerprints(state, WORLD, 0.0)
    assert (live, trouble) == (
        frozenset(),
        f"{grants_file(state)} can be written by others (remove it and grant again)",
    )


def a_link(file: Path) -> None:
    other = file.with_name("other.json")
    file.rename(other)
    file.symlink_to(other)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def too_large(file: Path) -> None:
    file.write_bytes(b" " * 1_000_001)


@pytest.mark.parametrize("make", [a_link, a_folder, too_large])
def test_what_is_no_plain_file_grants_nothing(state: str, make: Callable[[Path], None]) -> None:
    make(put(state, json.dumps({"grants": [ROW]})))
    live, trouble = live_fingerprints(state, WORLD, 0.0)
    assert live == frozenset()
    assert trouble


# --- the clock -----------------------------------------------------------------------------------------------------


def test_a_grant_that_ends_by_the_clock_does_not_outlive_it_when_it_is_set_back(state: str) -> None:
    add_grant(state, MAKE)
    add_grant(state, Grant("t1", "npm test", "/q", "f2", 1_000.0, expires=2_000.0))
    assert live_fingerprints(state, WORLD, 1_500.0) == (BOTH, "")
    assert live_fingerprints(state, WORLD, 1_000.0 - 301) == (ONE, ""), "made in the future"
    count_use(state, ["m1"], 900_000.0)
    assert live_fingerprints(state, WORLD, 1_500.0) == (ONE, ""), "it has been later than that"
    assert live_fingerprints(state, WORLD, 900_001.0) == (ONE, "")


def test_uses_are_counted_beside_the_grants(state: str) -> None:
    add_grant(state, MAKE)
    shown = Path(grants_file(state)).read_bytes()
    for now in (5.0, 7.0, 6.0):
        count_use(state, ["m1"], now)
    with closing(Desk(state)) as desk:
        [grant] = desk.grants()
        assert (grant.uses, grant.used_at) == (3, 7.0)
    assert Path(grants_file(state)).read_bytes() == shown
    Path(uses_file(state)).write_text("broken")
    with closing(Desk(state)) as desk:
        assert [(one.id, one.uses) for one in desk.grants()] == [("m1", 0)]
