"""Git inside: ordinary work comes back whole, and nothing that git would run or obey ever does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from assent.sandbox import ground
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Settings, profile_for
from sandbox.confined import Place

PERSON = "-c user.name=a -c user.email=a@example.com"
SETUP = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@e GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@e; "


def git(folder: Path, *words: str) -> str:
    """Git outside, as a person would run it next."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["/usr/bin/git", *PERSON.split(), *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    project = made.project
    git(project, "init", "-q", "-b", "main")
    for name in ("a", "b"):
        (project / f"{name}.txt").write_text(name + "\n")
        git(project, "add", ".")
        git(project, "commit", "-qm", name)
    return made


ORDINARY = {
    "add and commit": ("echo new > c.txt && git add c.txt && git commit -qm c", "log -1 --format=%s", "c"),
    "commit -a": ("echo more >> a.txt && git commit -qam more", "log -1 --format=%s", "more"),
    "amend": ("git commit -q --amend -m other", "log -1 --format=%s", "other"),
    "branch": (
        "git branch topic && git branch -m topic x/y",
        "branch --list x/y --format=%(refname)",
        "refs/heads/x/y",
    ),
    "a branch gives way": ("git branch a && git branch -D a && git branch a/b", "rev-parse a/b", None),
    "delete a branch": ("git branch t && git branch -D t", "branch --list t", ""),
    "switch": ("git switch -qc topic", "branch --show-current", "topic"),
    "checkout a file": ("echo x > a.txt && git checkout -q -- a.txt", "status --porcelain", ""),
    "detach": ("git checkout -q HEAD~1", "log -1 --format=%s", "a"),
    "tag": ("git tag -a v1 -m one", "tag -l", "v1"),
    "stash": ("echo x > a.txt && git stash -q", "stash list --format=%gd", "stash@{0}"),
    "stash and pop": ("echo x > a.txt && git stash -q && git stash pop -q", "status --porcelain", "M a.txt"),
    "merge": (
        "git switch -qc t HEAD~1 && echo c > c.txt && git add . && git commit -qm c && git switch -q main &&"
        " git merge -q t -m merged",
        "log -1 --format=%s",
        "merged",
    ),
    "rebase": (
        "git switch -qc t HEAD~1 && echo c > c.txt && git add . && git commit -qm c && git rebase -q main",
        "log --format=%s",
        "c\nb\na",
    ),
    "cherry-pick": (
        "git switch -qc t HEAD~1 && git cherry-pick main >/dev/null",
        "log --format=%s",
        "b\na",
    ),
    "reset": ("git reset -q --hard HEAD~1", "log --format=%s", "a"),
    "gc": ("git gc -q && echo c > c && git add c && git commit -qm c && git gc -q", "fsck --strict", ""),
    "pack": ("git pack-refs --all && git branch z", "rev-parse z", None),
    "a conflict that stays": (
        "git switch -qc t HEAD~1; echo 1 > b.txt; git add .; git commit -qm t; git merge main >/dev/null; true",
        "diff --name-only --diff-filter=U",
        "b.txt",
    ),
    "a rebase that stops": (
        "git switch -qc t HEAD~1; echo 1 > b.txt; git add .; git commit -qm t; git rebase main >/dev/null 2>&1; true",
        "rev-parse --verify -q REBASE_HEAD",
        None,
    ),
    "bisect": ("git bisect start -q HEAD HEAD~1 >/dev/null; true", "bisect log", None),
    "nothing": ("git status --short; git log -1 >/dev/null; git diff", "status --porcelain", ""),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_git_comes_back(place: Place, name: str) -> None:
    command, asked, wanted = ORDINARY[name]
    shown = place.run(SETUP + command)
    assert shown.code == 0, shown
    answer = git(place.project, *asked.split())
    assert answer if wanted is None else answer == wanted
    assert git(place.project, "fsck", "--strict", "--no-dangling") == ""
    assert not list((place.state / "sandbox").glob("git-*"))


def test_a_stopped_rebase_goes_on_in_the_next_command(place: Place) -> None:
    place.run(SETUP + "git switch -qc t HEAD~1; echo 1 > b.txt; git add .; git commit -qm t; git rebase main")
    shown = place.run(SETUP + "echo 2 > b.txt; git add b.txt; GIT_EDITOR=true git rebase --continue")
    assert (shown.code, git(place.project, "log", "--format=%s")) == (0, "t\nb\na")


EVIL = "[core]\\n\\tfsmonitor = touch {mark}; false\\n\\tpager = touch {mark}\\n[alias]\\n\\tst = !touch {mark}\\n"
PLANTS = {
    "commondir": "mkdir -p x/refs x/objects && printf '{evil}' > x/config && echo ../x > .git/commondir",
    "config.worktree": "printf '{evil}' > .git/config.worktree",
    "config": "printf '{evil}' >> .git/config",
    "config by its lock": "printf '{evil}' > .git/config.lock && mv .git/config.lock .git/config",
    "git config": "git config core.fsmonitor 'touch {mark}'",
    "a hook": "printf '#!/bin/sh\\ntouch {mark}\\n' > .git/hooks/post-index-change && chmod +x .git/hooks/*",
    "hooks anew": "mv .git/hooks .git/h && mkdir .git/hooks && echo 'touch {mark}' > .git/hooks/pre-commit",
    "info": "mkdir -p .git/info && echo '* filter=x' > .git/info/attributes",
    "modules": "mkdir -p .git/modules/x && printf '{evil}' > .git/modules/x/config",
    "worktrees": "mkdir -p .git/worktrees/x && echo /tmp > .git/worktrees/x/gitdir",
    "another .git": "mv .git away && git init -q && printf '{evil}' >> .git/config",
    ".git is a file": "rm -rf .git && echo 'gitdir: x' > .git",
    "alternates": "mkdir -p .git/objects/info && echo /tmp/x > .git/objects/info/alternates",
    "objects away": "rm -rf .git/objects",
    "objects emptied": "find .git/objects -type f -exec sh -c 'chmod u+w $1; : > $1' _ {{}} \\;",
    "an object replaced": "for f in .git/objects/??/*; do chmod u+w $f; echo x > $f; done; rm -f .git/objects/*/*",
    "a rebase that runs": "mkdir -p .git/rebase-merge && echo 'exec touch {mark}' > .git/rebase-merge/git-rebase-todo",
    "a rebase that runs, short": "cd .git && mkdir -p rebase-merge && echo 'x touch {mark}' >"
    " rebase-merge/git-rebase-todo",
    "links as state": "rm -f .git/HEAD .git/ORIG_HEAD; ln -s /etc/passwd .git/HEAD; ln -s ../x .git/ORIG_HEAD",
    "a folder as HEAD": "rm .git/HEAD && mkdir .git/HEAD",
    "HEAD is nonsense": "echo '; touch {mark}' > .git/HEAD",
    "a reference that leads out": "echo 'ref: refs/../../x' > .git/HEAD",
    "a pipe as state": "mkfifo .git/MERGE_MSG",
    "shallow and grafts": "git rev-parse HEAD > .git/shallow; mkdir -p .git/info; echo x > .git/info/grafts",
    "description and others": "mkdir .git/svn .git/lfs .git/branches; echo x > .git/gitdir; echo x > .git/description",
}


def tree(folder: Path) -> dict[str, bytes]:
    """Everything in a folder that is not state of git."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"folder"
        for path in folder.rglob("*")
        if path.relative_to(folder).parts[0] not in ("logs", "refs", "index", "COMMIT_EDITMSG")
    }


@pytest.mark.parametrize("name", PLANTS)
def test_nothing_that_git_obeys_leaves_the_sandbox(place: Place, name: str) -> None:
    kept, mark = place.project / ".git", place.folder / "mark"
    before = tree(kept)
    place.run(PLANTS[name].format(mark=mark, evil=EVIL.format(mark=mark)))
    assert tree(kept) == before
    for words in (["status"], ["log", "-1"], ["diff"], ["fsck", "--strict"], ["branch"]):
        git(place.project, *words)
    assert not mark.exists()


def test_what_did_not_come_back_is_said(place: Place) -> None:
    ended = place.start("/bin/bash", "-c", "echo ../x > .git/commondir; echo nonsense > .git/HEAD").wait()
    said = " ".join(ended.notes)
    assert "commondir` was not made" in said and "HEAD` was not changed: it is no reference" in said


def test_who_commits_outside_meanwhile_wins(place: Place) -> None:
    reading, writing = os.pipe()
    command = SETUP + "read line; echo c > c; git add c; git commit -qm inside"
    started = place.start("/bin/bash", "-c", command, stdin=reading)
    os.close(reading)
    git(place.project, "commit", "-q", "--allow-empty", "-m", "outside")
    os.write(writing, b"go\n")
    os.close(writing)
    notes = started.wait().notes
    assert git(place.project, "log", "-1", "--format=%s") == "outside"
    assert any("the command left it at " in note for note in notes)
    (kept,) = (place.state / "sandbox").glob("git-*")
    assert kept.name in notes[-1]


def test_a_repository_inside_the_project_is_kept_as_well(place: Place) -> None:
    inner = place.project / "vendor/lib"
    inner.mkdir(parents=True)
    git(inner, "init", "-q")
    before = (inner / ".git/config").read_text()
    place.run(
        "cd vendor/lib; git config core.fsmonitor 'touch /tmp/x'; echo x >> .git/config; mv .git away; cd ../..;"
        " mv vendor away; mkdir -p vendor/lib/.git; echo x > vendor/lib/.git/config"
    )
    assert (inner / ".git/config").read_text() == before
    assert place.run(SETUP + "cd vendor/lib && echo x > x && git add x && git commit -qm x").code == 0
    assert git(inner, "log", "--format=%s") == "x"


def test_what_settings_name_is_kept(place: Place) -> None:
    project = place.project
    for file in ("tools/hooks/pre-commit", "extra.gitconfig", "scripts/clean.sh", "bin/page"):
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        (project / file).write_text("")
    git(project, "config", "core.hooksPath", "tools/hooks")
    git(project, "config", "include.path", "../extra.gitconfig")
    git(project, "config", "filter.x.clean", "sh ./scripts/clean.sh %f")
    git(project, "config", "core.pager", "bin/page -x")
    shown = place.run(
        "for f in tools/hooks/{pre-commit,new} extra.gitconfig scripts/clean.sh bin/page; do echo x >> $f; done;"
        "mv tools t2; mv scripts s2; mv bin b2; rm extra.gitconfig; echo x > free"
    )
    assert (project / "free").exists(), shown
    for file in ("tools/hooks/pre-commit", "extra.gitconfig", "scripts/clean.sh", "bin/page"):
        assert (project / file).read_text() == ""
    assert not (project / "tools/hooks/new").exists()


LATER = {
    "a repository in a folder": "git init -q src && printf '{evil}' >> src/.git/config",
    "its hooks": "git init -q src && printf '#!/bin/sh\\ntouch {mark}\\n' > src/.git/hooks/post-index-change &&"
    " chmod +x src/.git/hooks/post-index-change",
    "one without a tree": "git init -q --bare src && printf '{evil}' >> src/config",
    "one of parts": "git init -q --bare real && printf '{evil}' >> real/config && mkdir src &&"
    " cp real/HEAD src/ && echo ../real > src/commondir",
    "a file that leads there": "git init -q --bare real && printf '{evil}' >> real/config && mkdir src &&"
    " echo 'gitdir: ../real' > src/.git",
    "included": "git init -q src && git -C src config include.path ../../more && printf '{evil}' > more",
    "in node_modules": "mkdir node_modules && git init -q node_modules/x && ln -s node_modules/x src &&"
    " printf '{evil}' >> src/.git/config",
    "hooks elsewhere": "git init -q src && git -C src config core.hooksPath h && mkdir src/h &&"
    " printf '#!/bin/sh\\ntouch {mark}\\n' > src/h/post-index-change && chmod +x src/h/*",
}


@pytest.mark.parametrize("name", LATER)
def test_new_repositories_run_nothing(place: Place, name: str) -> None:
    mark = place.folder / "mark"
    command = LATER[name].format(mark=mark, evil=EVIL.format(mark=mark))
    ended = place.start("/bin/bash", "-c", command).wait()
    assert ended.code == 0, ended
    env = {"PATH": "/usr/bin:/bin", "HOME": str(place.home)}
    for words in ("status", "log", "diff", "st"):
        subprocess.run(["/usr/bin/git", words], cwd=place.project / "src", env=env, capture_output=True, check=False)
    assert not mark.exists()
    assert any("put away" in note for note in ended.notes)


def test_a_plain_new_repository_is_left_alone(place: Place) -> None:
    ended = place.start("/bin/bash", "-c", "git init -q src && cd src && git status --short").wait()
    assert (ended.code, ended.notes) == (0, ())
    assert (place.project / "src/.git/config").exists()


def test_a_hook_in_a_folder_that_settings_named_before_is_put_away(place: Place) -> None:
    git(place.project, "config", "core.hooksPath", "tools/hooks")
    mark = place.folder / "mark"
    place.run(
        f"mkdir -p tools/hooks; printf '#!/bin/sh\\ntouch {mark}' > tools/hooks/pre-commit; chmod +x tools/hooks/*"
    )
    git(place.project, "commit", "-q", "--allow-empty", "-m", "x")
    assert not mark.exists()


def test_who_changes_settings_outside_meanwhile_is_left_alone(place: Place) -> None:
    reading, writing = os.pipe()
    started = place.start("/bin/bash", "-c", "read line", stdin=reading)
    os.close(reading)
    git(place.project, "config", "core.pager", "less -x")
    os.close(writing)
    assert started.wait().notes == ()
    assert git(place.project, "config", "core.pager") == "less -x"


def test_settings_of_branches_come_back_and_no_others(place: Place) -> None:
    for command in ("git branch x && git config branch.x.remote . && git config branch.x.merge refs/heads/main",):
        assert place.start("/bin/bash", "-c", command).wait().notes == ()
    assert git(place.project, "config", "branch.x.merge") == "refs/heads/main"
    for command in (
        "git config user.name x",
        "git config branch.x.rebase 'a; b'",
        """printf '[branch "x"]\\n\\tremote = a\\\\\\n[core]\\n\\tpager = x' >> .git/config""",
        """printf '[branch "x"]\\n\\tremote = a [core]\\n\\tpager = x' >> .git/config""",
        "rm .git/config",
        "ln -sf /etc/passwd .git/config",
    ):
        before = (place.project / ".git/config").read_bytes()
        assert place.start("/bin/bash", "-c", command).wait().notes, command
        assert (place.project / ".git/config").read_bytes() == before


def test_a_repository_that_is_opened_for_writing_is_kept_like_one_of_the_project(place: Place) -> None:
    other = place.home / "lib"
    other.mkdir()
    git(other, "init", "-q")
    before = tree(other / ".git")
    profile = place.profile(Settings(write=("~/lib",)))
    shown = place.run("cd ~/lib && echo x > x; git config core.pager x; echo x > .git/hooks/pre-commit", profile)
    assert (other / "x").exists(), shown
    assert tree(other / ".git") == before


def test_of_a_submodule_and_a_worktree_nothing_can_be_changed(place: Place) -> None:
    project, other = place.project, place.folder / "other"
    git(place.folder, "init", "-q", "-b", "main", "other")
    git(other, "commit", "-q", "--allow-empty", "-m", "o")
    git(project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    git(project, "worktree", "add", "-q", "tree")
    before = {**tree(project / ".git"), "sub": (project / "sub/.git").read_bytes()}
    place.run(
        "for f in sub/.git tree/.git .git/modules/sub/config .git/worktrees/tree/gitdir; do echo x >> $f; rm $f; done;"
        "echo x > .git/modules/sub/commondir; cd sub && git config core.pager x; cd ..; mv sub s; mv tree t"
    )
    assert {**tree(project / ".git"), "sub": (project / "sub/.git").read_bytes()} == before
    assert place.run("cd sub && git log -1 --format=%s").out == "o\n"


@pytest.mark.parametrize(
    "before",
    [
        "for i in $(seq 300); do git init -q a/$i; done",
        "mkdir src && (printf '[user]\\n'; yes '\tname = x' | head -c 1100000) > more && printf '{evil}' >> more",
        "mkdir -p src many && cd many && seq 9 | xargs touch && cd ..",
    ],
)
def test_a_crowd_hides_nothing(place: Place, before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = place.folder / "mark"
    evil = EVIL.format(mark=mark)
    plant = (
        "git init -q src && if [ -e more ]; then mv more src/.git/config; else printf '{evil}' >> src/.git/config; fi"
    )
    monkeypatch.setattr(ground, "MOST_ENTRIES", len(list(place.project.iterdir())) + 60)
    ended = place.start("/bin/bash", "-c", f"{before}; {plant}".format(evil=evil)).wait()
    git(place.project / "src", "status")
    assert not mark.exists()
    assert any("put away" in note for note in ended.notes), ended


def test_a_link_to_what_runs_assent_is_led_back(place: Place) -> None:
    elsewhere = place.folder / "environment"
    elsewhere.mkdir()
    link = place.project / ".venv"
    link.symlink_to(elsewhere)
    profile = profile_for(
        str(place.project),
        str(place.project),
        str(place.home),
        Machine(),
        running=(str(link),),
        env={"PATH": "/usr/bin"},
    )
    for command in ("rm .venv; mkdir .venv", "ln -sfn /tmp .venv", "rm .venv", "mv .venv v; cp -r .git .venv"):
        assert place.start("/bin/bash", "-c", command, profile=profile).wait().notes
        assert os.readlink(link) == str(elsewhere)


def test_a_link_to_the_repository_is_led_back(place: Place) -> None:
    kept = place.folder / "repository.git"
    (place.project / ".git").rename(kept)
    (place.project / ".git").symlink_to(kept)
    mark = place.folder / "mark"
    command = f"rm .git; git init -q; printf '{EVIL.format(mark=mark)}' >> .git/config"
    assert place.start("/bin/bash", "-c", command).wait().notes
    assert os.readlink(place.project / ".git") == str(kept)
    git(place.project, "status")
    assert not mark.exists()


def test_what_settings_name_behind_a_link_is_kept(place: Place) -> None:
    project = place.project
    (project / "tools/hooks").mkdir(parents=True)
    (project / "tools/hooks/pre-commit").write_text("#!/bin/sh\n")
    (project / "tools/hooks/pre-commit").chmod(0o755)
    (project / "link").symlink_to("tools/hooks")
    git(project, "config", "core.hooksPath", "link")
    mark = place.folder / "mark"
    evil = f"printf '#!/bin/sh\\ntouch {mark}' > link/pre-commit; chmod +x link/pre-commit"
    place.run(f"{evil}; rm link; mkdir link; {evil}")
    assert (project / "tools/hooks/pre-commit").read_text() == "#!/bin/sh\n"
    git(project, "commit", "-q", "--allow-empty", "-m", "x")
    assert not mark.exists()
