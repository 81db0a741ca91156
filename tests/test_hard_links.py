"""Files with several names below a folder that is looked through: resolved like one that is read directly."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assent import hardlinks
from assent.budget import Budget
from assent.pipeline import judge
from assent.testing import FrozenWorld
from assent.types import ToolCall, Verdict
from assent.world import DiskWorld
from decided import FILES, HOME, PROJECT, decided, policy_of

if TYPE_CHECKING:
    from pathlib import Path

    from assent.types import PermissionDecision

ENV = f"{PROJECT}/.env"
SHOWS = (
    *("grep -r x src", "rg x src", "rg x", "ag x src", "tar c src", "cat src/*", "cat src/**", "diff -r src docs"),
    *("find src -name '*.py' -exec cat {} +", "find src -type f | xargs cat", "grep -rn --include='*.py' x ."),
    *("find . -name '*.py' | xargs grep x", "for f in src/*; do cat $f; done", "git add src", "zip -r o.zip src"),
    *("scp -r src host:", "rsync -a src host:", "cat src/h.py", "cp -r src /tmp/x", "docker build src", "mv src old"),
)


def world(links: dict[str, str], **files: str) -> FrozenWorld:
    return FrozenWorld({**FILES, ENV: "T=x", **files}, hard_links=links)


@pytest.mark.parametrize("command", SHOWS)
def test_a_secret_by_another_name_is_one_in_a_tree(command: str) -> None:
    at = world({f"{PROJECT}/src/h.py": ENV})
    decision = decided(command, policy_of(mode="full_auto"), at)
    assert (decision.verdict, decision.reason) == (Verdict.ASK, f"{ENV} usually holds secrets")


@pytest.mark.parametrize("command", SHOWS)
def test_a_denied_file_by_another_name_is_denied_in_a_tree(command: str) -> None:
    at = world({f"{PROJECT}/src/h.py": f"{PROJECT}/customers/a.csv"}, **{f"{PROJECT}/customers/a.csv": ""})
    decision = decided(command, policy_of(deny=["Read(./customers/**)"], mode="full_auto"), at)
    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "deny")


@pytest.mark.parametrize("command", [one for one in SHOWS if one != "mv src old"])
def test_a_credential_by_another_name_is_closed_in_a_tree(command: str) -> None:
    key = f"{HOME}/.aws/credentials"
    at = world({f"{PROJECT}/src/h.py": key}, **{key: ""})
    decision = decided(command, policy_of(mode="full_auto"), at)
    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "floor")


def test_the_tools_of_agents_see_it_too() -> None:
    at = world({f"{PROJECT}/src/h.py": ENV})
    for given in ({"pattern": "x", "path": "src"}, {"pattern": "x", "path": "src", "glob": "*.py"}):
        call = ToolCall("Grep", given, cwd=PROJECT, workspace=PROJECT)
        assert judge(call, policy_of(), at).reason == f"{ENV} usually holds secrets"


def test_names_that_are_all_in_the_project_and_not_protected_are_no_question() -> None:
    at = world({f"{PROJECT}/src/h.py": f"{PROJECT}/a.txt"})
    assert [decided(command, None, at).verdict for command in SHOWS[:5]] == [Verdict.ALLOW] * 5


@pytest.mark.parametrize("command", ["grep -r x src", "rg x", "cat src/*", "cat src/h.py", "tar c src"])
def test_a_name_that_nobody_finds_is_a_question(command: str) -> None:
    at = world({f"{PROJECT}/src/h.py": f"{HOME}/elsewhere"}, **{f"{HOME}/elsewhere": ""})
    decision = decided(command, policy_of(mode="full_auto"), at)
    assert decision.verdict is Verdict.ASK
    assert f"{PROJECT}/src/h.py has another name that was not found" in [gap.why for gap in decision.gaps]


# --- package managers ------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A project whose packages are names of files in stores outside, as pnpm, uv and clones of repositories do it."""
    project = tmp_path / "home/proj"
    for place, store, count in (
        ("node_modules/.pnpm/a/node_modules/a", "pnpm", 30),
        (".venv/lib/python3/site-packages/b", "uv", 30),
        (".git/objects/ab", "other", 20),
        ("env/lib/python3/site-packages/c", "uv2", 5),
    ):
        (project / place).mkdir(parents=True)
        (tmp_path / "home" / store).mkdir()
        for number in range(count):
            kept = tmp_path / "home" / store / str(number)
            kept.write_text("x")
            (project / place / f"{number}.js").hardlink_to(kept)
    (project / "target/debug/deps").mkdir(parents=True)
    for number in range(10):  # as cargo does it: both names in the project
        (project / f"target/debug/deps/{number}").write_text("x")
        (project / f"target/debug/{number}").hardlink_to(project / f"target/debug/deps/{number}")
    (project / "src").mkdir()
    (project / "src/a.js").write_text("x")
    (project / "conf.d").mkdir()
    return project


def answered(command: str, project: Path, deny: tuple[str, ...] = ()) -> PermissionDecision:
    call = ToolCall("Bash", {"command": command}, cwd=str(project), workspace=str(project))
    return judge(call, policy_of(deny=deny), DiskWorld(str(project.parent)))


WALKS = (
    *("grep -rn x .", "rg x", "grep -rn --include='*.js' x .", "grep -r x node_modules", "grep -r x target"),
    *("find . -name '*.js' | xargs cat", "grep -r x .venv", "grep -r x env", "find target -type f -exec cat {} +"),
    *("cat node_modules/.pnpm/a/node_modules/a/1.js", "cat target/debug/1", "tar c src", "grep -r x src"),
)


@pytest.mark.parametrize("command", WALKS)
def test_packages_from_a_store_are_no_question(command: str, installed: Path) -> None:
    assert answered(command, installed).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("grep -r x node_modules", "node_modules/h.js"),
        ("grep -rn --include='*.js' x .", "node_modules/.pnpm/a/h.js"),
        ("grep -r x .venv", ".venv/lib/h.py"),
        ("find . -name '*.js' | xargs cat", "node_modules/h.js"),
        ("rg x src", "src/h.js"),
        ("grep -r x target", "target/debug/h"),
    ],
)
def test_a_protected_file_among_packages_is_found(command: str, name: str, installed: Path) -> None:
    (installed / "conf.d/prod.pem").write_text("k")
    (installed / name).hardlink_to(installed / "conf.d/prod.pem")
    assert answered(command, installed).reason == f"{installed}/conf.d/prod.pem usually holds secrets"
    assert answered(command, installed, deny=("Read(./conf.d/**)",)).verdict is Verdict.DENY


def test_a_link_that_leads_to_such_a_file_shows_it(installed: Path) -> None:
    (installed / ".env").write_text("T")
    (installed / "docs").mkdir()
    (installed / "docs/x").hardlink_to(installed / ".env")
    (installed / "src/l").symlink_to("../docs/x")
    assert answered("tar ch src", installed).verdict is Verdict.ASK
    assert answered("tar c src", installed).verdict is Verdict.ALLOW


# --- what it costs ---------------------------------------------------------------------------------------------------


def test_no_more_files_are_counted_than_a_decision_may_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardlinks, "MOST_COUNTED", 5)
    many = {f"{PROJECT}/src/{number}.py": "" for number in range(20)}
    outside = world({f"{PROJECT}/src/h.py": f"{HOME}/elsewhere"}, **{f"{HOME}/elsewhere": "", **many})
    secret = world({f"{PROJECT}/src/h.py": ENV}, **many)
    assert decided("grep -r x src", None, outside).verdict is Verdict.ALLOW  # nobody has counted
    assert decided("grep -r x src", None, secret).reason == f"{ENV} usually holds secrets"


def test_counting_takes_looks_from_the_budget(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / str(number)).write_text("")
    budget = Budget(looks=400)
    found = DiskWorld(str(tmp_path)).now(budget).other_names(str(tmp_path), str.isdigit, roots=(str(tmp_path),))
    assert (found, budget.spent) == (((), ""), False)
    assert 100 < budget.looks < 200


def test_what_was_counted_is_remembered_as_long_as_the_folder_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "proj/src").mkdir(parents=True)
    (tmp_path / "proj/src/a").write_text("")
    (tmp_path / "proj/.env").write_text("")
    old = os.stat(tmp_path).st_mtime - 100
    for folder in (tmp_path / "proj/src", tmp_path / "proj"):
        os.utime(folder, (old, old))
    disk, project = DiskWorld(str(tmp_path)), tmp_path / "proj"
    call = ToolCall("Bash", {"command": "grep -r x src"}, cwd=str(project), workspace=str(project))
    assert judge(call, policy_of(), disk).verdict is Verdict.ALLOW
    (project / "src/h").hardlink_to(project / ".env")
    assert judge(call, policy_of(), disk).verdict is Verdict.ASK
