"""Hard links, and what lies below a folder."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from assent import hardlinks
from assent.budget import Budget
from assent.testing import FrozenWorld
from assent.world import DiskWorld
from frozen_project import CWD

if TYPE_CHECKING:
    from pathlib import Path

    from assent.types import Skip


# --- hard links ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("secret", "found"),
    [
        ("/home/dev/.ssh/id_rsa", True),
        ("/home/dev/.bashrc", True),
        ("/home/dev/proj/.env", True),
        ("/home/dev/proj/.env.local", True),
        ("/home/dev/proj/a/tls.pem", True),
        ("/home/dev/proj/.git/config", True),
        ("/home/dev/proj/.git/hooks/pre-commit", True),
        ("/home/dev/notes.txt", False),
        ("/home/dev/.ssh/job/id_ed25519", True),
        ("/home/dev/.aws/sso/cache/token.json", True),
        ("/home/dev/.gnupg/private-keys-v1.d/a.key", True),
        ("/home/dev/.config/gcloud/legacy_credentials/me/adc.json", True),
        ("/home/dev/.ssh/one/two/three/four", False),
        ("/home/dev/.kube/config", True),
        ("/home/dev/.kube/cache/http/x", False),
        ("/home/dev/.config/assent/policy.toml", True),
        ("/home/dev/.local/state/assent/trust.json", True),
        ("/home/dev/.claude/settings.json", True),
        ("/home/dev/.claude/projects/log", False),
        ("/home/dev/.codex/config.toml", True),
        ("/home/dev/.gemini/settings.json", True),
        ("/home/dev/.cursor/mcp.json", True),
    ],
)
def test_a_hard_link_to_a_protected_file_is_known_by_its_name(secret: str, found: bool) -> None:
    name = "/home/dev/proj/a/innocent.txt"
    world = FrozenWorld({secret: ""}, hard_links={name: secret})
    place = world.locate("a/innocent.txt", CWD)
    assert (place.names, place.links, place.trouble) == ((name, secret) if found else (name,), 2, "")


def test_a_hard_link_outside_the_project_is_compared_with_the_secrets_of_the_project() -> None:
    world = FrozenWorld({"/home/dev/proj/.env": ""}, hard_links={"/tmp/x": "/home/dev/proj/.env"})
    assert world.locate("/tmp/x", CWD).names == ("/tmp/x", "/home/dev/proj/.env")


@pytest.mark.parametrize("mark", [".git/HEAD", ".assent/policy.toml"])
@pytest.mark.parametrize("cwd", [f"{CWD}/a/b/c/d/e/f/g", "/alias/proj/a"])
@pytest.mark.parametrize("at", [f"{CWD}/a/b/c/d/e/f/g/x", "/tmp/x"])
def test_a_hard_link_is_known_by_every_name_in_the_project(mark: str, cwd: str, at: str) -> None:
    other, third = f"{CWD}/deploy/prod/settings.json", f"{CWD}/.git/logs/HEAD"
    world = FrozenWorld(
        {other: "", f"{CWD}/{mark}": "", f"{CWD}/a/b/c/d/e/f/g/": ""},
        hard_links={at: other, third: other},
        links={"/alias": "/home/dev"},
    )
    assert set(world.locate(at, cwd).names) == {at, other, third}


def test_installed_packages_and_git_objects_are_not_compared() -> None:
    hidden = (f"{CWD}/node_modules/p/x", f"{CWD}/.git/objects/ab/cd")
    world = FrozenWorld({f"{CWD}/src/x": ""}, hard_links=dict.fromkeys(hidden, f"{CWD}/src/x"))
    assert world.locate("src/x", CWD).names == (f"{CWD}/src/x",)
    assert set(world.locate(hidden[0], CWD).names) == {hidden[0], f"{CWD}/src/x"}


@pytest.mark.parametrize(("cwd", "marked"), [(CWD, False), ("/home/dev", True), ("proj", True)])
def test_without_a_project_only_its_usual_secrets_are_compared(cwd: str, marked: bool) -> None:
    files = {"/home/dev/proj/conf/a.json": ""} | ({"/home/dev/.git/HEAD": ""} if marked else {})
    world = FrozenWorld(files, hard_links={"/tmp/x": "/home/dev/proj/conf/a.json"})
    assert world.locate("/tmp/x", cwd).names == ("/tmp/x",)


def test_a_search_for_hard_links_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{CWD}/.git/HEAD": "", f"{CWD}/z/other": ""} | {f"{CWD}/b/{number}": "" for number in range(20)}
    world = FrozenWorld(files, hard_links={"/tmp/x": f"{CWD}/z/other"})
    assert world.locate("/tmp/x", CWD).names == ("/tmp/x", f"{CWD}/z/other")
    monkeypatch.setattr(hardlinks, "MOST_COMPARED", 20)
    assert world.locate("/tmp/x", CWD).names == ("/tmp/x",)
    world = FrozenWorld({f"/home/dev/.ssh/{number:03}": "" for number in range(400)}, hard_links={})
    secrets = hardlinks.HardLinks(world.home, world.look, world._listing).home_secrets()
    assert len(list(secrets)) == hardlinks.MOST_SECRETS


@pytest.mark.parametrize(
    ("links", "secret"),
    [
        ({"/home/dev/.claude": "dotfiles"}, "/home/dev/.claude/key"),
        ({"/home/dev/.ssh": "dotfiles"}, "/home/dev/.ssh/key"),
        ({"/home/dev/.ssh/id_rsa": "../dotfiles/key"}, "/home/dev/.ssh/id_rsa"),
        ({"/home/dev/.netrc": "dotfiles/key"}, "/home/dev/.netrc"),
        ({f"{CWD}/.env": "../dotfiles/key"}, f"{CWD}/.env"),
    ],
)
def test_a_hard_link_to_what_a_protected_name_leads_to_is_known_by_it(links: dict[str, str], secret: str) -> None:
    world = FrozenWorld({"/home/dev/dotfiles/key": ""}, links=links, hard_links={"/tmp/x": "/home/dev/dotfiles/key"})
    assert world.locate("/tmp/x", CWD).names == ("/tmp/x", secret)


def test_a_file_with_one_name_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    world = FrozenWorld({f"{CWD}/.git/HEAD": "", f"{CWD}/a": ""})
    monkeypatch.setattr(world, "entries", None)
    assert world.locate("a", CWD).names == (f"{CWD}/a",)


def test_hard_links_on_disk_are_recognised(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SECRET")
    (tmp_path / "x.txt").hardlink_to(tmp_path / ".env")
    place = DiskWorld(home="/nowhere").locate("x.txt", str(tmp_path))
    assert place.names == (str(tmp_path / "x.txt"), str(tmp_path / ".env"))
    assert place.links == 2


def test_hard_links_in_a_project_on_disk_are_recognised(tmp_path: Path) -> None:
    for folder in (".git", "conf/prod", "src"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "conf/prod/settings.json").touch()
    (tmp_path / "src/x.txt").hardlink_to(tmp_path / "conf/prod/settings.json")
    place = DiskWorld(home="/nowhere").locate("x.txt", str(tmp_path / "src"))
    assert place.names == (f"{tmp_path}/src/x.txt", f"{tmp_path}/conf/prod/settings.json")


@pytest.mark.parametrize(
    ("secret", "seen"),
    [(".ssh/id_rsa", True), (".aws/sso/cache/token.json", True), (".kube/config", True), ("x", False)],
)
def test_a_file_below_a_folder_is_known_by_its_name_at_home(tmp_path: Path, secret: str, seen: bool) -> None:
    real, twin = tmp_path / secret, tmp_path / "proj/deep/notes"
    for made in (real, twin):
        made.parent.mkdir(parents=True, exist_ok=True)
    world = DiskWorld(home=str(tmp_path))
    assert world.below(f"{tmp_path}/proj", lambda path: path == str(real), twins=True) == ((), True)
    real.touch()
    twin.hardlink_to(real)
    time.sleep(world.moment)
    for only, found in (("", seen), ("n*", seen), ("*.py", False)):
        expected = (str(real),) if found else ()
        assert world.below(f"{tmp_path}/proj", lambda path: path == str(real), only, twins=True) == (expected, True)
    assert world.below(f"{tmp_path}/proj", lambda path: path == str(real)) == ((), True)


# --- below ---------------------------------------------------------------------------------------------------------


def is_secret(path: str) -> bool:
    return path.endswith((".env", ".key")) or "/.ssh" in path


def test_below_finds_files_folders_and_links(frozen: FrozenWorld) -> None:
    expected = ("/home/dev/proj/.env", "/home/dev/.ssh", "/home/dev/proj/config/db.key")
    found, complete = frozen.below(CWD, is_secret)
    assert (found, complete) == (expected, False)  # a loop and a magic link are in the tree
    assert frozen.below("/home/dev/proj/config", is_secret) == (("/home/dev/proj/config/db.key",), True)
    assert frozen.below("/home/dev/proj/src", is_secret) == ((), True)


LINKED = {
    f"{CWD}/links/x": "/home/dev/.ssh/work",
    f"{CWD}/links/y": "z",
    f"{CWD}/links/z": "../../dotfiles/y",
    f"{CWD}/links/home": "../..",
    "/home/dev/.ssh": "dotfiles/ssh",
}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("/home/dev/dotfiles/ssh/work", ("/home/dev/dotfiles/ssh/work",)),
        ("/home/dev/.ssh/work", ("/home/dev/.ssh/work",)),
        ("/home/dev/proj/links/x", ("/home/dev/proj/links/x",)),
        ("/home/dev/proj/links/z", ("/home/dev/proj/links/z",)),
        ("/home/dev/dotfiles/y", ("/home/dev/dotfiles/y",)),
        ("/home/dev", ("/home/dev",)),
        ("/home/dev/dotfiles/ssh", ()),
    ],
)
def test_a_link_below_is_reported_by_each_wanted_name_it_leads_to(wanted: str, expected: tuple[str, ...]) -> None:
    world = FrozenWorld({"/home/dev/dotfiles/ssh/work": "", "/home/dev/dotfiles/y": ""}, links=LINKED)
    assert world.below(CWD, lambda path: path == wanted) == (expected, True)


def test_every_wanted_name_of_a_link_is_reported_once() -> None:
    world = FrozenWorld(
        {"/w/a.key": "", "/s/c.key": ""}, links={"/w/b.key": "a.key", "/w/d.key": "/s/e.key", "/s/e.key": "c.key"}
    )
    found, complete = world.below("/w", is_secret)
    assert (sorted(found), complete) == (["/s/c.key", "/s/e.key", "/w/a.key", "/w/b.key", "/w/d.key"], True)
    assert len(set(found)) == len(found)


def test_a_link_into_a_moved_folder_is_reported_by_its_usual_name() -> None:
    links = {"/home/dev/.ssh": "dotfiles/keys", f"{CWD}/x": "../dotfiles/keys/work"}
    world = FrozenWorld({"/home/dev/dotfiles/keys/work": ""}, links=links)
    assert world.below(CWD, is_secret) == (("/home/dev/.ssh/work",), True)


def test_names_found_on_the_disk_mean_what_they_say() -> None:
    world = FrozenWorld({"/w/x": ""}, links={"/w/100%25\\~.txt": "x", "/w/~a": "x"})
    assert world.below("/w", is_secret) == ((), True)


@pytest.mark.parametrize("folder", ["/nowhere", "/home/dev/proj/.env"])
def test_nothing_is_below_what_is_no_folder(frozen: FrozenWorld, folder: str) -> None:
    assert frozen.below(folder, is_secret) == ((), True)


@pytest.mark.parametrize("folder", ["proj", "", "/a\0b"])
def test_a_folder_that_makes_no_sense_was_not_looked_at(folder: str) -> None:
    assert DiskWorld().below(folder, is_secret) == ((), False)


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.py", ["a.py"]),
        ("*.PY", ["a.py"]),
        ("?.py", ["a.py"]),
        ("??.py", ["a.py"]),
        ("*.{ts,tsx}", ["b.ts", "c.tsx"]),
        ("{a,b}.{py,ts}", ["a.py", "b.ts"]),
        ("*", ["a.py", "b.ts", "c.tsx", "d"]),
        ("a*p*y", ["a.py"]),
        ("[ab].py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("!*.py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("src/*.py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.{py", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.py}", ["a.py", "b.ts", "c.tsx", "d"]),
        ("*.{p{y,z},ts}", ["a.py", "b.ts", "c.tsx", "d"]),
        ("{a,b}" * 20, ["a.py", "b.ts", "c.tsx", "d"]),
    ],
)
def test_only_narrows_a_search_to_names_it_understands(only: str, names: list[str]) -> None:
    world = FrozenWorld({f"/w/{name}": "" for name in ("a.py", "b.ts", "c.tsx", "d")})
    found, _complete = world.below("/w", lambda path: True, only)
    assert [path[3:] for path in found] == names


def test_only_never_hides_folders_or_links_to_folders() -> None:
    world = FrozenWorld({"/w/sub/.ssh/": "", "/s/.ssh/k": ""}, links={"/w/d": "/s/.ssh", "/w/f": "/s/.ssh/k"})
    assert world.below("/w", is_secret, "*.py") == (("/s/.ssh", "/w/sub/.ssh"), True)


@pytest.mark.parametrize(("looks", "complete"), [(0, False), (10, False), (150, False), (166, True), (1_000, True)])
def test_a_tree_beyond_the_budget_is_incomplete(tmp_path: Path, looks: int, complete: bool) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}").mkdir()
    budget = Budget(looks=looks)
    assert DiskWorld().now(budget).below(str(tmp_path), is_secret)[1] is complete
    assert budget.spent is not complete


def test_what_was_listed_once_costs_nothing_more(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}/x").mkdir(parents=True)
    budget = Budget()
    world = DiskWorld().now(budget)
    found = world.below(str(tmp_path), is_secret, near=frozenset())
    left = budget.looks
    assert world.below(str(tmp_path), is_secret, near=frozenset()) == found == ((), True)
    assert world.leading(str(tmp_path), folders=True) == ((), True)
    assert (left, budget.spent) == (budget.looks, False)
    assert world.below(str(tmp_path), is_secret) == found
    assert budget.looks == left - 600  # each name is compared


def test_an_unreadable_folder_is_skipped_and_the_answer_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    world = FrozenWorld({"/w/a/x.key": "", "/w/b/y.key": ""})
    listed = world.entries

    def entries(folder: str, most: int) -> tuple[list[tuple[str, str, int]], bool]:
        if folder == "/w/a":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(folder, most)

    monkeypatch.setattr(world, "entries", entries)
    assert world.below("/w", is_secret) == (("/w/b/y.key",), False)


def test_nothing_is_left_out_because_git_would_keep_objects_there(tmp_path: Path) -> None:
    folders = (".git/hooks", ".git/objects/ab", "objects")
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.key").touch()
    found, complete = DiskWorld().below(str(tmp_path), is_secret)
    assert (sorted(found), complete) == ([f"{tmp_path}/{folder}/x.key" for folder in folders], True)


def test_a_tree_deeper_than_the_stack_is_walked(tmp_path: Path) -> None:
    world = FrozenWorld({"/w" + "/d" * 1500 + "/x.key": ""})
    assert world.below("/w", is_secret) == (("/w" + "/d" * 1500 + "/x.key",), True)


SEARCHED = {
    "/home/dev/proj/.git/HEAD": "",
    "/home/dev/proj/.gitignore": "# local\n.env\nnode_modules/\n/only-here\n*.log\n",
    "/home/dev/proj/.env": "",
    "/home/dev/proj/only-here/x.key": "",
    "/home/dev/proj/sub/only-here/x.key": "",
    "/home/dev/proj/sub/.env": "",
    "/home/dev/proj/node_modules/p/test.pem": "",
    "/home/dev/proj/config/db.key": "",
}


def is_wanted(path: str) -> bool:
    return path.endswith((".env", ".key", ".pem"))


def test_a_search_that_skips_ignored_files_does_not_see_what_is_plainly_ignored() -> None:
    world = FrozenWorld(SEARCHED)
    everything, _ = world.below("/home/dev/proj", is_wanted)
    kept, complete = world.below("/home/dev/proj", is_wanted, skip_ignored="all")
    assert len(everything) == 6
    assert set(kept) == {"/home/dev/proj/config/db.key", "/home/dev/proj/sub/only-here/x.key"}
    assert complete


def test_a_search_that_skips_ignored_folders_still_sees_ignored_files() -> None:
    files = {**SEARCHED, "/home/dev/proj/.git/x.key": "", "/home/dev/proj/sub/.git": ""}
    world = FrozenWorld(files, links={"/home/dev/proj/sub/node_modules": "../../keys/a.key"})
    kept, complete = world.below("/home/dev/proj", is_wanted, skip_ignored="folders")
    assert (set(kept), complete) == (
        {
            "/home/dev/proj/.env",
            "/home/dev/proj/config/db.key",
            "/home/dev/proj/sub/.env",
            "/home/dev/proj/sub/only-here/x.key",
            "/home/dev/keys/a.key",
        },
        True,
    )


@pytest.mark.parametrize("skip", ["folders", "all", "shown"])
@pytest.mark.parametrize("line", ["!.env", "!/.env", "!x/.env/", "!*.env", "!.en?", "!.env ", "!.[e]nv", "!.[en"])
def test_what_an_ignore_file_takes_back_is_not_left_out(line: str, skip: Skip) -> None:
    for file, hidden in (("/home/dev/proj/.gitignore", False), ("/home/dev/proj/sub/.gitignore", True)):
        world = FrozenWorld({**SEARCHED, file: f".env\nnode_modules\n{line}\n"})
        found = world.below("/home/dev/proj", is_wanted, skip_ignored=skip)[0]
        assert "/home/dev/proj/sub/.env" in found
        assert ("/home/dev/proj/.env" not in found) == (hidden and skip != "folders")
        assert not any("/node_modules/" in path for path in found)


@pytest.mark.parametrize("line", ["!*", "!**", "!a{b", "!\\x", "!x/*/*"])
def test_where_nobody_knows_what_is_taken_back_nothing_is_left_out(line: str) -> None:
    world = FrozenWorld({**SEARCHED, "/home/dev/proj/.gitignore": f"node_modules\n.env\n{line}\n"})
    assert len(world.below("/home/dev/proj", is_wanted, skip_ignored="all")[0]) == 6


@pytest.mark.parametrize(
    "lines",
    [
        ("*.key", "!b.key"),
        (".env*", "!.env.example"),
        ("*", "!x.log"),
        ("a*b", "buildx*/"),
        ("*.k*y", "sub/", "!sub/"),
        (".env.*", "*.pem", "!a*"),
    ],
)
def test_nothing_is_left_out_that_git_does_not_ignore(tmp_path: Path, lines: tuple[str, ...]) -> None:
    names = (".env", ".env.local", ".env.example", "a.key", "b.key", "ab", "aXb", "a.pem", "x.log", "A.KEY")
    files = [f"{folder}{name}" for folder in ("", "sub/", "sub/deep/", "buildx/") for name in names]
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("x")
    (tmp_path / ".gitignore").write_text("\n".join(lines))
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, env=env, check=True)
    asked = subprocess.run(
        ["git", "check-ignore", "--stdin"],
        input="\n".join(files),
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
    )
    seen, _ = DiskWorld(str(tmp_path)).below(str(tmp_path), lambda _: True, skip_ignored="untracked")
    left_out = {file for file in files if f"{tmp_path}/{file}" not in seen}
    assert left_out <= set(asked.stdout.splitlines())
    assert left_out


def test_outside_a_repository_nothing_is_ignored() -> None:
    world = FrozenWorld({name: "" for name in SEARCHED if "/.git/" not in name} | {"/home/dev/proj/.gitignore": ".env"})
    assert len(world.below("/home/dev/proj", is_wanted, skip_ignored="all")[0]) == 6


@pytest.mark.parametrize("mark", [".git", ".git/HEAD"])
def test_what_is_ignored_above_another_repository_says_nothing_about_it(mark: str) -> None:
    files = {**SEARCHED, f"/home/dev/proj/sub/{mark}": "", "/home/dev/proj/sub/deep/node_modules/a.key": ""}
    kept, _ = FrozenWorld(files).below("/home/dev/proj", is_wanted, skip_ignored="all")
    assert {path for path in kept if path.startswith("/home/dev/proj/sub/")} == {
        "/home/dev/proj/sub/.env",
        "/home/dev/proj/sub/deep/node_modules/a.key",
        "/home/dev/proj/sub/only-here/x.key",
    }
    assert "/home/dev/proj/.env" not in kept


# --- what git holds ------------------------------------------------------------------------------------------------


def index(*names: str, version: str = "\2", more: str = "") -> str:
    entries = "".join(f"{chr(0) * 61}{chr(len(name))}{name}{chr(0)}" for name in names)
    return f"DIRC\0\0\0{version}\0\0\0{chr(len(names))}{entries}{more}"


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (index(), set()),
        (index("src/app.py", "mylink"), set()),
        (index(".env"), {".env"}),
        (index("sub/.env"), {".env", "sub/.env"}),
        (index("node_modules/p/test.pem"), {"node_modules/p/test.pem"}),
        (index("a", version="\4"), {".env", "sub/.env", "node_modules/p/test.pem"}),
        (index("a", more="link\0\0\0\1x"), {".env", "sub/.env", "node_modules/p/test.pem"}),
        (index("a", more="sdir\0\0\0\0"), {".env", "sub/.env", "node_modules/p/test.pem"}),
    ],
)
@pytest.mark.parametrize("linked", [False, True])
def test_git_shows_what_it_holds_although_it_is_ignored(content: str, seen: set[str], linked: bool) -> None:
    files = {**SEARCHED, "/home/dev/proj/.ignore": "config\n"}
    if linked:
        del files["/home/dev/proj/.git/HEAD"]
        files |= {"/home/dev/proj/.git": "gitdir: ../main/.git/worktrees/a\n"}
        files |= {"/home/dev/main/.git/worktrees/a/index": content}
    else:
        files |= {"/home/dev/proj/.git/index": content}
    kept, complete = FrozenWorld(files).below("/home/dev/proj", is_wanted, skip_ignored="untracked")
    others = {"config/db.key", "sub/only-here/x.key"}
    assert {path.removeprefix("/home/dev/proj/") for path in kept} == seen | others | (
        {"only-here/x.key"} if len(seen) == 3 else set()
    )
    assert complete


# --- leading -------------------------------------------------------------------------------------------------------

LEADING = FrozenWorld(
    {"/p/src/sub/a.py": "", "/p/src/b.py": "", "/p/docs/x.md": "", "/etc/passwd": "", "/out/tree/deep/f": ""},
    links={
        "/p/src/k": "/etc/passwd",
        "/p/src/m.py": "../docs/x.md",
        "/p/src/own": "sub",
        "/p/src/sub/tree": "/out/tree",
        "/out/tree/back": "/p/src",
        "/out/tree/deep/far": "/etc/passwd",
        "/p/src/gone": "/nowhere/at/all",
    },
)


@pytest.mark.parametrize(
    ("only", "folders", "links"),
    [
        ("", False, {"k", "m.py", "gone"}),
        ("*.py", False, {"m.py"}),
        ("k", False, {"k"}),
        ("", True, {"k", "m.py", "gone", "sub/tree", "/out/tree/deep/far"}),
        ("*.py", True, {"m.py", "sub/tree"}),
    ],
)
def test_links_that_lead_out_of_a_folder_are_found(only: str, folders: bool, links: set[str]) -> None:
    found, complete = LEADING.leading("/p/src", only, folders=folders)
    assert ({link.removeprefix("/p/src/") for link, _end in found}, complete) == (links, True)
    assert all(end == LEADING.locate(link, "/").path for link, end in found)


def test_a_link_that_cannot_be_followed_makes_the_answer_incomplete(frozen: FrozenWorld) -> None:
    assert frozen.leading(CWD, folders=False)[1] is False
    assert frozen.leading(f"{CWD}/src", folders=True) == ((), True)
    assert frozen.leading("proj", folders=True) == ((), False)


def test_ignored_links_are_left_out() -> None:
    world = FrozenWorld({**SEARCHED, "/etc/passwd": ""}, links={"/home/dev/proj/node_modules/x": "/etc/passwd"})
    assert len(world.leading("/home/dev/proj", folders=False)[0]) == 1
    assert world.leading("/home/dev/proj", folders=False, skip_ignored="all") == ((), True)


def test_following_links_ends() -> None:
    assert LEADING.now(Budget(looks=20)).leading("/p/src", folders=True)[1] is False
