"""What a command leaves of a repository is hostile: links, pipes, lists of other paths, options, nothing at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from assent.sandbox import ground, running
from assent.sandbox.deadline import Deadline
from assent.sandbox.drafts import carry_back
from assent.sandbox.running import Ended
from sandbox.confined import Place, python_for_all, unprivileged
from sandbox.test_git import SETUP, git, tree

SOURCE = Path(ground.__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    git(made.project, "init", "-q", "-b", "main")
    for name in ("a", "b"):
        (made.project / f"{name}.txt").write_text(name + "\n")
        git(made.project, "add", ".")
        git(made.project, "commit", "-qm", name)
    git(made.project, "branch", "keep")
    return made


def run(place: Place, command: str) -> Ended:
    return place.start("/bin/bash", "-c", SETUP + command).wait()


def kept(place: Place) -> list[Path]:
    return list((place.state / "sandbox").glob("git-*"))


PATCH = """python3 - <<'X'
import hashlib, subprocess
blob = subprocess.run(['git', 'hash-object', '-w', 'a.txt'], capture_output=True, text=True).stdout.strip()
name, wanted = '{name}', '{wanted}'
subprocess.run(['git', 'update-index', '--add', '--cacheinfo', '100755,%s,%s' % (blob, name)])
data = open('.git/index', 'rb').read()[:-20].replace(name.encode(), wanted.encode())
open('.git/index', 'wb').write(data + hashlib.sha1(data).digest())
X
git ls-files | grep -F '{wanted}'"""


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("Xgit/hooks/post-checkout", ".git/hooks/post-checkout"), ("XX/PWNED", "../PWNED"), ("X/x", "/tx")],
)
@pytest.mark.parametrize("version", ["2", "4"])
def test_an_index_with_paths_elsewhere_stays_inside(place: Place, name: str, wanted: str, version: str) -> None:
    git(place.project, "update-index", "--index-version", version)
    if version == "4":  # the first of all, so that nothing is taken from the path before
        git(place.project, "rm", "-q", "--cached", "a.txt", "b.txt")
    before = (place.project / ".git/index").read_bytes()
    ended = run(place, PATCH.format(name=name, wanted=wanted))
    assert ended.code == 0, ended
    assert (place.project / ".git/index").read_bytes() == before
    assert any("index` was not changed" in note for note in ended.notes) and kept(place)
    git(place.project, "checkout", "-q", "--", ".") if version == "2" else None
    assert not (place.project / ".git/hooks/post-checkout").exists() and not (place.home / "PWNED").exists()


def test_objects_of_others_do_not_come_by_a_link(place: Place) -> None:
    other = place.home / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "secret").write_text("open-sesame")
    git(other, "add", ".")
    git(other, "commit", "-qm", "x")
    before = tree(place.project / ".git")
    for command in (
        "rm -rf .git/objects; ln -s $HOME/other/.git/objects .git/objects",
        "for f in {0..9}{0..9} {a..f}{0..9} {0..9}{a..f} {a..f}{a..f} pack; do rm -rf .git/objects/$f;"
        " ln -s $HOME/other/.git/objects/$f .git/objects/$f; done",
        "rm -rf .git/refs; ln -s $HOME/other/.git/refs .git/refs",
        "rm -rf .git/logs; ln -s $HOME/other/.git/logs .git/logs",
    ):
        run(place, command)
        assert tree(place.project / ".git") == before, command
    assert git(place.project, "log", "--format=%s", "--all") == "b\na"


def test_a_pipe_holds_nothing_up(place: Place) -> None:
    begun = time.monotonic()
    name = "b" * 38
    ended = run(
        place,
        f"mkdir -p .git/objects/aa .git/rebase-merge; mkfifo .git/objects/aa/{name}"
        f" .git/objects/pack/pack-{name}bb.pack .git/objects/pack/pack-{name}bb.idx .git/FETCH_HEAD"
        " .git/refs/heads/f .git/rebase-merge/done;"
        "rm .git/index .git/HEAD; mkfifo .git/index .git/HEAD .git/packed-refs",
    )
    assert time.monotonic() - begun < 20
    assert ended.code == 0 and git(place.project, "status", "--porcelain") == ""


def test_folders_without_end_hold_nothing_up(place: Place) -> None:
    script = "import os; os.chdir('.git/refs/heads')\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"
    begun = time.monotonic()
    try:
        assert run(place, f'python3 -c "{script}"').code == 0
        assert time.monotonic() - begun < 40
    finally:
        subprocess.run(["/bin/rm", "-rf", *map(str, kept(place))], check=True)  # too deep for what cleans up after us
    assert git(place.project, "log", "-1", "--format=%s") == "b"


def test_carrying_back_ends_when_its_time_is_over(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CLOSING_SECONDS", -1.0)
    ended = run(place, "echo c > c; git add c; git commit -qm c")
    assert git(place.project, "log", "-1", "--format=%s") == "b"
    assert any("took too long" in note for note in ended.notes) and kept(place)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_what_comes_after_the_command(place: Place, number: int) -> None:
    confined = place.start("/bin/true")

    def slow(deadline: Deadline) -> tuple[str, ...]:
        threading.Timer(0.2, confined.send, (number,)).start()
        for _ in range(200):
            time.sleep(0.05)
            try:
                deadline.check()
            except Exception as error:
                return (str(error),)
        return ("never",)

    confined.closing.insert(0, slow)
    notes = confined.wait().notes
    assert notes[0] == "it was told to stop"
    assert any("searched" in note for note in notes)


UNFINISHED = "git switch -qc t HEAD~1; echo 1 > b.txt; git add .; git commit -qm t; git rebase main >/dev/null 2>&1; "
OPTIONS = {
    "sequencer/opts": "mkdir -p .git/sequencer; printf '[options]\\n\\tstrategy = x/../evil\\n' > .git/sequencer/opts",
    "rebase-merge/strategy": UNFINISHED + "echo x/../evil > .git/rebase-merge/strategy",
    "rebase-merge/strategy_opts": UNFINISHED + "echo \"'--x'\" > .git/rebase-merge/strategy_opts",
    "rebase-merge/gpg_sign_opt": UNFINISHED + "echo -S../evil > .git/rebase-merge/gpg_sign_opt",
    "rebase-apply/apply-opt": "mkdir -p .git/rebase-apply; echo \"'--unsafe-paths'\" > .git/rebase-apply/apply-opt",
    "rebase-merge/author-script": UNFINISHED + "echo 'GIT_AUTHOR_NAME=$(touch x)' > .git/rebase-merge/author-script",
    "rebase-merge/head-name": UNFINISHED + "echo ../../x > .git/rebase-merge/head-name",
    "rebase-merge/unheard": UNFINISHED + "echo x > .git/rebase-merge/unheard",
    "rebase-merge/done": UNFINISHED + "echo 'exec x' > .git/rebase-merge/done",
    "rebase-merge/git-rebase-todo": UNFINISHED + "printf 'pick 1\\n\\t exec x\\n' > .git/rebase-merge/git-rebase-todo",
    "MERGE_RR": "printf '%040d\\t../x\\0' 0 > .git/MERGE_RR",
    "MERGE_MODE": "echo --strategy=x > .git/MERGE_MODE",
    "BISECT_START": "echo --x > .git/BISECT_START",
    "BISECT_NAMES": "echo '$(touch x)' > .git/BISECT_NAMES",
    "BISECT_LOG": "echo 'git bisect start; touch x' > .git/BISECT_LOG",
    "refs/heads/..x": "cp .git/refs/heads/main .git/refs/heads/..x",
    "logs/x": "echo x > .git/logs/x",
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_names_options_or_programs_stays_inside(place: Place, name: str) -> None:
    ended = run(place, OPTIONS[name])
    target = place.project / ".git" / name
    assert not target.exists()
    assert any(f"{name}` was not" in note for note in ended.notes), ended


REMOVALS = {
    "all": "rm -rf .git/refs .git/logs .git/packed-refs",
    "the branch it is on": "rm .git/refs/heads/main",
    "the branch it was on": "rm .git/refs/heads/main; ln -sf /etc/passwd .git/HEAD",
    "the branch it seems to be on": "rm .git/refs/heads/main .git/HEAD",
    "a folder of logs": "rm -rf .git/logs",
    "a log": "rm .git/logs/HEAD",
    "the content of a log": ": > .git/logs/refs/heads/main",
    "reflog": "git reflog expire --expire=now --all",
    "a link": "rm -rf .git/refs; ln -s /etc .git/refs",
    "many": "git branch -D $(git branch --list 'n*' --format='%(refname:short)')",
    "packed": "git pack-refs --all; : > .git/packed-refs",
}


@pytest.mark.parametrize("name", REMOVALS)
def test_references_and_logs_do_not_go_all_at_once(place: Place, name: str) -> None:
    for number in range(12):
        git(place.project, "branch", f"n{number}")
    folder = place.project / ".git"

    def state() -> object:
        logs = {str(path): path.read_text() for path in (folder / "logs").rglob("*") if path.is_file()}
        return git(place.project, "for-each-ref"), logs

    before = state()
    ended = run(place, REMOVALS[name])
    assert state() == before
    assert ended.notes and kept(place), ended


def test_a_branch_can_still_be_removed(place: Place) -> None:
    assert run(place, "git branch -q -D keep").notes == ()
    assert git(place.project, "branch", "--list", "keep") == ""
    assert not (place.project / ".git/logs/refs/heads/keep").exists()


@pytest.mark.parametrize("after", ["", "; git pack-refs --all"])
def test_no_object_takes_the_place_of_another(place: Place, after: str) -> None:
    ended = run(place, f"git replace --force HEAD $(git commit-tree HEAD^{{tree}} -m other){after}")
    assert git(place.project, "log", "-1", "--format=%s") == "b"
    assert git(place.project, "for-each-ref", "refs/replace") == ""
    assert ended.notes and kept(place)


# --- hidden repositories, and those without a working tree -----------------------------------------------------------


def hook(mark: Path, path: str) -> str:
    return f"mkdir -p $(dirname {path}); printf '#!/bin/sh\\ntouch {mark}\\n' > {path}; chmod +x {path}; "


@pytest.mark.parametrize("folder", ["d/.git/evil", "d/.git/objects/aa/evil", ".git2/.git/.git/evil"])
def test_a_repository_below_a_folder_called_git_is_found(place: Place, folder: str) -> None:
    mark = place.folder / "mark"
    ended = run(place, f"mkdir -p {folder}; git init -q --bare {folder}; " + hook(mark, f"{folder}/hooks/pre-receive"))
    assert any("pre-receive" in note and "put away" in note for note in ended.notes), ended
    git(place.project, "push", "-q", f"./{folder}", "main")
    assert not mark.exists()


@pytest.mark.parametrize("name", ["remote", "pushRemote"])
def test_a_branch_gets_no_remote_that_was_not_known(place: Place, name: str) -> None:
    git(place.project, "remote", "add", "origin", "/nowhere")
    assert run(place, f"git config branch.main.{name} ./d/evil").notes
    assert run(place, f"git config branch.main.{name} unknown").notes
    assert run(place, f"git config branch.main.{name} origin").notes == ()
    assert git(place.project, "config", f"branch.main.{name}") == "origin"


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_a_repository_without_a_working_tree_can_only_be_read(tmp_path: Path, kind: str) -> None:
    place = Place(tmp_path, kind=kind)
    git(place.project, "init", "-q", "-b", "main", "--bare", "b.git")
    git(place.project, "init", "-q", "-b", "main", "--bare", "deep/er/c.git")
    before = {**tree(place.project / "b.git"), **tree(place.project / "deep")}
    place.run(
        "rm -rf b.git/objects b.git/refs b.git deep; echo x > b.git/HEAD; echo x > b.git/config.worktree; mv deep x;"
        "mv b.git y; rm -rf deep/er/c.git/objects; echo x > deep/er/c.git/packed-refs"
    )
    assert {**tree(place.project / "b.git"), **tree(place.project / "deep")} == before
    env = {"PATH": "/usr/bin:/bin", "HOME": str(place.folder)}
    assert subprocess.run(["git", "status"], cwd=place.project / "b.git", env=env, check=False).returncode == 128
    assert os.path.isdir(place.project / "b.git/refs/heads")


def test_carrying_nothing_back_says_nothing() -> None:
    assert carry_back(()) == ()


def test_a_folder_that_cannot_be_listed_hides_no_repository() -> None:
    """In a folder that somebody without rights can reach."""
    folder = Path(tempfile.mkdtemp(prefix="assent-")).resolve()
    (folder / "mine/x").mkdir(parents=True)
    (folder / "sub/deep/.git").mkdir(parents=True)
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); from assent.sandbox.ground import Machine\n"
        "folder = sys.argv[2]\n"
        "os.chmod(folder + '/mine', 0o100); os.chmod(folder + '/sub', 0o111); machine = Machine()\n"
        "found, whole = machine.repositories(folder, leave=frozenset((folder + '/mine',)))\n"
        "assert found == (folder + '/sub/deep/.git',) and not whole, found\n"
        "assert machine.unread == {folder + '/mine'} and os.stat(folder + '/mine').st_mode & 0o777 == 0o100\n"
    )
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534 if unprivileged() else -1, -1)
    words = [*unprivileged(), python_for_all(), "-I", "-B", "-c", script, str(SOURCE), str(folder)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, cwd="/", check=False)
        (folder / "mine").chmod(0o700)
    finally:
        shutil.rmtree(folder)
    assert done.returncode == 0, done.stderr
