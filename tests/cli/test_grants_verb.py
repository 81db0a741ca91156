"""`assent grants`: a person lets a command of the project run while the files that define it stay the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assent.audit.reading import records
from assent.grants import grants_file, read_grants
from assent.world import DiskWorld
from scene import Done, Scene

Capture = pytest.CaptureFixture[str]
WORKSPACE = 'extends = "workspace"\n'


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(tmp_path, monkeypatch)
    scene.user(WORKSPACE)
    (scene.project / "Makefile").write_text("test:\n\ttrue\n")
    return scene


def check(scene: Scene, capsys: Capture, command: str = "make test", *options: str) -> tuple[str, str]:
    """The verdict of `assent check` and who decided."""
    found = scene.run(capsys, "check", "--json", *options, command).json
    return found["verdict"], found["decided_by"]


def test_without_grants_there_is_nothing_to_list(scene: Scene, capsys: Capture) -> None:
    for words in (["grants"], ["grants", "list"]):
        assert scene.run(capsys, *words) == Done(0, "no grants\n", "")
    assert scene.run(capsys, "grants", "list", "--json") == Done(0, "[]\n", "")


def test_a_granted_command_runs_until_its_makefile_changes(scene: Scene, capsys: Capture) -> None:
    assert check(scene, capsys) == ("ask", "mode")
    added = scene.run(capsys, "grants", "add", "make test")
    [grant] = read_grants(str(scene.state), DiskWorld(env=scene.env))
    assert added == Done(
        0, f"granted {grant.id}: make test in {scene.project}, until the files that define it change\n", ""
    )
    assert check(scene, capsys) == ("allow", "grant")
    assert check(scene, capsys, "make build") == ("ask", "mode")
    (scene.project / "Makefile").write_text("test:\n\trm -rf ~\n")
    assert check(scene, capsys) == ("ask", "mode")
    (scene.project / "Makefile").write_text("test:\n\ttrue\n")
    assert check(scene, capsys) == ("allow", "grant")


def test_a_file_that_make_would_prefer_ends_the_grant(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    (scene.project / "GNUmakefile").write_text("test:\n\trm -rf ~\n")
    assert check(scene, capsys) == ("ask", "mode")


def test_a_revoked_grant_asks_again(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    [grant] = read_grants(str(scene.state), DiskWorld(env=scene.env))
    gone = scene.run(capsys, "grants", "revoke", grant.id)
    assert gone == Done(0, f"revoked {grant.id}: make test in {scene.project}\n", "")
    assert check(scene, capsys) == ("ask", "mode")
    assert scene.run(capsys, "grants").out == "no grants\n"


def test_grants_are_listed_for_people_and_for_programs(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    [grant] = read_grants(str(scene.state), DiskWorld(env=scene.env))
    assert scene.run(capsys, "grants").out == (
        f"{grant.id}  make test\n          in {scene.project}, ends when its files change (command line)\n"
    )
    assert scene.run(capsys, "grants", "list", "--json").json == [
        {
            "id": grant.id,
            "command": "make test",
            "workspace": str(scene.project),
            "fingerprint": grant.fingerprint,
            "made": grant.made,
            "origin": "command line",
            "expires": 0.0,
            "scope": "project",
            "rules": [],
            "session": "",
            "request": "",
            "uses": 0,
            "used_at": 0.0,
        }
    ]


def test_a_grant_may_end_after_days(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test", "--days", "2")
    [grant] = read_grants(str(scene.state), DiskWorld(env=scene.env))
    assert grant.expires - grant.made == 2 * 86_400
    assert "ends when its files change" not in scene.run(capsys, "grants").out
    assert check(scene, capsys) == ("allow", "grant")
    file = Path(grants_file(str(scene.state)))
    held = json.loads(file.read_text())
    held["grants"][0]["expires"] = 1.0
    file.write_text(json.dumps(held))
    assert check(scene, capsys) == ("ask", "mode")


@pytest.mark.parametrize("days", ["0", "-1", "x", "", "1.5", "3651", "²"])
def test_a_number_of_days_is_a_number_of_days(scene: Scene, capsys: Capture, days: str) -> None:
    done = scene.run(capsys, "grants", "add", "make test", f"--days={days}")
    assert (done.code, done.out) == (2, "")
    assert read_grants(str(scene.state), DiskWorld(env=scene.env)) == ()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["frob"], "unknown action `frob`"),
        (["list", "x"], "`grants list` takes nothing more"),
        (["add"], "`grants add` takes one argument more"),
        (["add", "make", "test"], "`grants add` takes one argument more"),
        (["revoke"], "`grants revoke` takes at least one argument more"),
        (["add", "ls"], "this is no command that files of the project define"),
        (["add", "foo"], "this is no command that files of the project define"),
        (["add", "make test; cat ~/.ssh/id_rsa"], "this command is denied"),
    ],
)
def test_what_makes_no_sense_is_refused(scene: Scene, capsys: Capture, words: list[str], says: str) -> None:
    done = scene.run(capsys, "grants", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert read_grants(str(scene.state), DiskWorld(env=scene.env)) == ()


def test_an_unknown_id_is_refused(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "grants", "revoke", "nope")
    assert done.code != 0
    assert "there is no grant `nope`" in done.err


def test_grants_need_the_preset(scene: Scene, capsys: Capture) -> None:
    scene.user("")
    done = scene.run(capsys, "grants", "add", "make test")
    assert (done.code, done.out) == (2, "")
    assert "grants need the preset `workspace`" in done.err


def test_a_grant_never_lifts_a_rule(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    scene.user(WORKSPACE + 'ask = ["Bash(make:*)"]\n')
    assert check(scene, capsys) == ("ask", "ask")
    scene.user(WORKSPACE + 'deny = ["Bash(make:*)"]\n')
    assert check(scene, capsys) == ("deny", "deny")


def test_a_broken_file_grants_nothing_until_it_is_written_anew(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    file = Path(grants_file(str(scene.state)))
    good = file.read_text()
    for broken, mode in (("{", 0o600), (good, 0o666), (good.replace("fingerprint", "mark"), 0o600)):
        file.write_text(broken)
        file.chmod(mode)
        assert check(scene, capsys)[0] == "ask"
        assert scene.run(capsys, "grants").code == 0
        assert (file.read_text(), file.stat().st_mode & 0o777) == (good, 0o600)
        assert check(scene, capsys) == ("allow", "grant")


def test_the_grants_of_an_earlier_version_are_taken_over_once(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    file = Path(grants_file(str(scene.state)))
    old = json.dumps({"grants": json.loads(file.read_text())["grants"]})
    for name in scene.state.glob("approvals.db*"):
        name.unlink()
    assert check(scene, capsys)[0] == "ask", "the database is gone, so nobody answered for it"
    file.write_text(old)
    assert check(scene, capsys) == ("allow", "grant")
    [listed] = scene.run(capsys, "grants", "list", "--json").json
    assert "store" in json.loads(file.read_text())
    assert check(scene, capsys) == ("allow", "grant")
    scene.run(capsys, "grants", "revoke", listed["id"])
    file.write_text(old)
    assert scene.run(capsys, "grants").out == "no grants\n", "what was revoked does not come back with an old file"
    assert check(scene, capsys)[0] == "ask"


def test_a_broken_file_of_an_earlier_version_is_left_alone_and_named(scene: Scene, capsys: Capture) -> None:
    file = Path(grants_file(str(scene.state)))
    scene.write(file, b'{"grants": [5]}')
    done = scene.run(capsys, "grants")
    assert (done.code != 0, "holds an entry that is no grant" in done.err) == (True, True)
    assert file.read_bytes() == b'{"grants": [5]}'


def test_a_grant_from_the_command_line_is_in_the_journal(scene: Scene, capsys: Capture) -> None:
    scene.run(capsys, "grants", "add", "make test")
    [record] = list(records(str(scene.state / "audit")))
    assert (record.kind, record.text("command")) == ("grant", "make test")


def test_a_grant_holds_in_the_folder_it_was_given_for(scene: Scene, capsys: Capture) -> None:
    inner = scene.project / "inner"
    inner.mkdir()
    (inner / "Makefile").write_text("test:\n\ttrue\n")
    scene.run(capsys, "grants", "add", "make test", "--cwd", str(inner))
    assert check(scene, capsys) == ("ask", "mode")
    assert check(scene, capsys, "make test", "--cwd", str(inner)) == ("allow", "grant")


def test_an_agent_may_not_grant_itself_anything(scene: Scene, capsys: Capture) -> None:
    for command in ("assent grants add 'make test'", f"echo x > {grants_file(str(scene.state))}"):
        assert check(scene, capsys, command)[0] == "deny", command


def test_help_says_how(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "grants", "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: assent grants [list] [--all] [--json]\n")
    assert os.environ["HOME"] not in done.out
