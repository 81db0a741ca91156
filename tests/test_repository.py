"""Repositories that would start a program: described in memory, and made by git itself and then watched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.repository import dangers
from assent.testing import FrozenWorld
from assent.types import World
from assent.world import DiskWorld

REPO = "/r"
EMPTY = {f"{REPO}/.git/HEAD": "ref: refs/heads/main\n", f"{REPO}/.git/objects/": "", f"{REPO}/.git/refs/": ""}
PLAIN = {**EMPTY, f"{REPO}/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"}
FSMONITOR = '[core]\n\tfsmonitor = "touch ran"\n'


def found(
    files: dict[str, str],
    folder: str = REPO,
    cwd: str = REPO,
    *,
    hooks: bool = False,
    links: dict[str, str] | None = None,
) -> list[str]:
    return list(dangers(folder, cwd, FrozenWorld(files, links=links or {}), hooks=hooks))


def test_hooks_that_cannot_all_be_seen_are_said_to_be_so() -> None:
    many = {f"{REPO}/.git/hooks/{number:04}.sample": "" for number in range(1_100)}
    assert found({**PLAIN, **many}) == [f"not all hooks in {REPO}/.git/hooks could be looked at"]


# --- in memory -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hooks", [True, False])
def test_an_ordinary_repository_starts_nothing(hooks: bool) -> None:
    sample = {f"{REPO}/.git/hooks/pre-commit.sample": "", f"{REPO}/src/app.py": ""}
    assert found({**PLAIN, **sample}, hooks=hooks) == []
    assert found({**PLAIN, **sample}, f"{REPO}/src", hooks=hooks) == []


@pytest.mark.parametrize("hooks", [True, False])
def test_where_there_is_no_repository_nothing_is_said(hooks: bool) -> None:
    assert found({"/r/a.txt": ""}, hooks=hooks) == []


@pytest.mark.parametrize(
    ("config", "key"),
    [
        (FSMONITOR, "core.fsmonitor"),
        ("[diff]\n\texternal = x\n", "diff.external"),
        ('[filter "x"]\n\tclean = x\n', "filter.x.clean"),
        ("[include]\n\tpath = ../other\n", "include.path"),
    ],
)
@pytest.mark.parametrize("folder", [REPO, ".", "src/..", f"{REPO}/src", "src"])
def test_a_setting_that_starts_a_program_is_found_from_anywhere_inside(config: str, key: str, folder: str) -> None:
    files = {**EMPTY, f"{REPO}/.git/config": config, f"{REPO}/src/a": ""}
    assert found(files, folder) == [f"git would use {key} from {REPO}/.git/config"]


def test_the_configuration_of_a_worktree_counts() -> None:
    files = {**PLAIN, f"{REPO}/.git/config.worktree": FSMONITOR}
    assert found(files) == [f"git would use core.fsmonitor from {REPO}/.git/config.worktree"]


def test_a_configuration_that_cannot_be_read_counts_as_one_that_includes_another() -> None:
    files = {**EMPTY, "/elsewhere": FSMONITOR}
    said = found(files, links={f"{REPO}/.git/config": "/elsewhere"})
    assert said == [f"git would use include.path from {REPO}/.git/config"]


@pytest.mark.parametrize(
    ("hook", "reading", "changing"),
    [
        ("post-index-change", True, True),
        ("reference-transaction", True, True),
        ("fsmonitor-watchman", True, True),
        ("pre-commit", False, True),
        ("post-checkout", False, True),
        ("pre-commit.sample", False, False),
    ],
)
def test_hooks_count_where_git_would_run_them(hook: str, reading: bool, changing: bool) -> None:
    files = {**PLAIN, f"{REPO}/.git/hooks/{hook}": "#!/bin/sh\n"}
    said = [f"git may run the hook {hook}"]
    assert found(files, hooks=False) == (said if reading else [])
    assert found(files, hooks=True) == (said if changing else [])


@pytest.mark.parametrize("path", ["/hooks", "hooks", "~/hooks"])
def test_another_folder_for_hooks_is_looked_into_or_a_danger_itself(path: str) -> None:
    config = {f"{REPO}/.git/config": f"[core]\n\thooksPath = {path}\n"}
    hooks = {f"{folder}/post-index-change": "" for folder in ("/hooks", f"{REPO}/hooks", "/home/dev/hooks")}
    assert found({**EMPTY, **config, **hooks}) in (
        ["git may run the hook post-index-change"],
        [f"git would use core.hookspath from {REPO}/.git/config"],
    )


@pytest.mark.parametrize("folder", [f"{REPO}/bare", f"{REPO}/bare/refs"])
def test_a_bare_repository_inside_a_folder_is_named(folder: str) -> None:
    files = {f"{REPO}/bare/HEAD": "", f"{REPO}/bare/objects/": "", f"{REPO}/bare/refs/": "", **PLAIN}
    assert found(files, folder) == [f"{REPO}/bare is a bare repository inside a folder"]


def test_a_bare_repository_that_starts_a_program_says_both() -> None:
    files = {"/b/HEAD": "", "/b/objects/": "", "/b/refs/": "", "/b/config": FSMONITOR}
    assert found(files, "/b") == [
        "/b is a bare repository inside a folder",
        "git would use core.fsmonitor from /b/config",
    ]


def test_a_linked_worktree_uses_its_own_folder_and_the_one_it_shares() -> None:
    kept = f"{REPO}/.git/worktrees/w"
    files = {
        **PLAIN,
        "/w/.git": f"gitdir: {kept}\n",
        f"{kept}/HEAD": "ref: refs/heads/w\n",
        f"{kept}/commondir": "../..\n",
        f"{kept}/config.worktree": "[diff]\n\texternal = x\n",
        f"{REPO}/.git/config": FSMONITOR,
        f"{REPO}/.git/hooks/post-index-change": "",
    }
    assert found(files, "/w") == [
        f"git would use diff.external from {kept}/config.worktree",
        f"git would use core.fsmonitor from {REPO}/.git/config",
        "git may run the hook post-index-change",
    ]


def test_a_linked_worktree_of_an_ordinary_repository_starts_nothing() -> None:
    kept = f"{REPO}/.git/worktrees/w"
    files = {**PLAIN, "/w/.git": f"gitdir: {kept}\n", f"{kept}/HEAD": "", f"{kept}/commondir": "../..\n"}
    assert found(files, "/w", hooks=True) == []


def test_a_file_that_leads_to_a_repository_elsewhere_is_a_bare_one() -> None:
    files = {"/p/.git": "gitdir: ../kept\n", "/kept/HEAD": "", "/kept/objects/": "", "/kept/refs/": ""}
    assert found(files, "/p") == ["/kept is a bare repository inside a folder"]


@pytest.mark.parametrize("text", ["", "hello", "gitdir /kept", "GITDIR: /kept"])
def test_a_git_file_that_says_something_else_is_not_certain(text: str) -> None:
    assert found({"/p/.git": text}, "/p") == ["this repository could not be looked at"]


@pytest.mark.parametrize("name", ["lib", "deps/lib", "deps/third/lib", ".hidden", "lib/modules/inner"])
def test_the_configuration_of_every_submodule_counts(name: str) -> None:
    file = f"{REPO}/.git/modules/{name}/config"
    assert found({**PLAIN, file: FSMONITOR}) == [f"git would use core.fsmonitor from {file}"]


def test_a_submodule_may_say_where_its_files_are() -> None:
    assert found({**PLAIN, f"{REPO}/.git/modules/lib/config": "[core]\n\tworktree = ../../../lib\n"}) == []


# --- made by git itself --------------------------------------------------------------------------------------------

RUNS = "git config core.fsmonitor 'touch $RAN; false'"
COMMIT = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"
HOOK = "printf '#!/bin/sh\\ntouch $RAN\\n' > post-index-change && chmod +x post-index-change"
INNER = f"git init -q in && (cd in && {COMMIT} && touch z && git add z) && git add in 2>/dev/null"
MADE = {
    "a setting": f"git init -q r && cd r && {RUNS}",
    "a HEAD that leads nowhere": f"git init -q r && cd r && {RUNS} && rm .git/HEAD && ln -s refs/heads/no .git/HEAD",
    "a link to the folder of a repository": f"git init -q r && cd r && {RUNS} && mv .git ../k && ln -s ../k .git",
    "a configuration that is a link": f"git init -q r && cd r && {RUNS}"
    " && mv .git/config ../c && ln -s ../../c .git/config",
    "a configuration of the worktree": "git init -q r && cd r && git config extensions.worktreeConfig true"
    " && git config --worktree core.fsmonitor 'touch $RAN; false'",
    "a repository kept elsewhere": f"git init -q --separate-git-dir k r && cd r && {RUNS}",
    "a linked worktree": f"git init -q m && cd m && {COMMIT} && git worktree add -q ../r 2>&1 && {RUNS}",
    "a bare repository with a worktree": f"git init -q --bare r && cd r && {RUNS} && git config core.bare false"
    ' && git config core.worktree "$PWD"',
    "a bare repository beside an empty .git": f"git init -q --bare r && cd r && {RUNS} && git config core.bare false"
    ' && git config core.worktree "$PWD" && mkdir .git',
    "an empty .git below a repository": f"git init -q o && cd o && {RUNS} && mkdir -p sub/.git && ln -s o/sub ../r",
    "a folder reached by a link": f"git init -q o && cd o && {RUNS} && mkdir deep && ln -s o/deep ../r",
    "a hook": f"git init -q r && cd r && touch a && git add a && cd .git/hooks && {HOOK} && touch ../../a",
    "a hook in a folder that is a link": "git init -q r && cd r && touch a && git add a && rm -rf .git/hooks"
    f" && mkdir ../h && ln -s ../../h .git/hooks && touch a && cd ../h && {HOOK}",
    "a hook in another folder of the project": "git init -q r && cd r && touch a && git add a && mkdir h"
    f" && git config core.hooksPath h && touch a && cd h && {HOOK}",
    "a hook in a folder at home": "git init -q r && cd r && touch a && git add a && mkdir ~/h"
    f" && git config core.hooksPath '~/h' && touch a && cd ~/h && {HOOK}",
    "a hook in another folder of a linked worktree": f"git init -q m && cd m && touch a && git add a && {COMMIT}"
    f" && git config core.hooksPath h && git worktree add -q ../r && cd ../r && touch a && mkdir h && cd h && {HOOK}",
    "a submodule": f"git init -q r && cd r && git init -q lib && (cd lib && {COMMIT}) && mkdir .git/modules"
    " && mv lib/.git .git/modules/lib && echo 'gitdir: ../.git/modules/lib' > lib/.git && git add lib"
    f" && cd lib && {RUNS} && touch q",
    "a submodule with a hidden name": f"git init -q r && cd r && git init -q .lib && (cd .lib && {COMMIT})"
    " && mkdir .git/modules && mv .lib/.git .git/modules/.lib && echo 'gitdir: ../.git/modules/.lib' > .lib/.git"
    f" && git add .lib && cd .lib && {RUNS} && touch q",
    "a submodule with a hook": f"git init -q r && cd r && {INNER} && mkdir .git/modules && mv in/.git .git/modules/in"
    f" && echo 'gitdir: ../.git/modules/in' > in/.git && touch in/z && cd .git/modules/in/hooks && {HOOK}",
    "a repository inside that is no submodule": f"git init -q r && cd r && {INNER} && cd in && {RUNS} && touch q",
    "a repository inside with a hook": f"git init -q r && cd r && {INNER} && touch in/z && cd in/.git/hooks && {HOOK}",
    "a repository inside, in an index of two files": f"git init -q r && cd r && {INNER}"
    f" && git update-index --split-index && cd in && {RUNS} && touch q",
    "a repository inside a linked worktree": f"git init -q m && cd m && {COMMIT} && git worktree add -q ../r && cd ../r"
    f" && {INNER} && cd in && {RUNS} && touch q",
    "a folder whose name ends in a blank": f"git init -q k && git init -q z && (cd z && {RUNS})"
    " && mkdir -p m/.git/modules r && mv k/.git m/.git/modules/k && mv z/.git 'm/.git/modules/k '"
    " && echo 'gitdir: ../m/.git/modules/k ' > r/.git",
    "a common folder whose name ends in a blank": f"git init -q m && cd m && {COMMIT} && git worktree add -q ../r"
    f" && cp -r .git ../g && {RUNS} && cp -r .git '../g ' && git config --unset core.fsmonitor"
    ' && echo "${PWD%m}g " > .git/worktrees/r/commondir',
    "a linked worktree inside": f"git init -q o && (cd o && {COMMIT} && {RUNS}) && git init -q r && cd r"
    " && git -C ../o worktree add -q ../r/in && git add in 2>/dev/null && touch in/q",
}


@pytest.mark.parametrize("way", MADE)
def test_whenever_status_starts_a_program_there_is_a_danger(way: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    shell = _shell(tmp_path, RAN=str(ran))
    shell(MADE[way], check=True)
    ran.unlink(missing_ok=True)
    shell("cd r && git status")
    assert ran.exists(), "the example does not do what it is for"
    assert said(tmp_path / "r") != []


def test_git_takes_a_head_and_a_common_folder_for_a_repository(tmp_path: Path) -> None:
    shell = _shell(tmp_path)
    shell(
        f"git init -q --bare k && cd k && {RUNS} && mkdir ../r && cp HEAD ../r && echo ../k > ../r/commondir",
        check=True,
    )
    assert shell("cd r && git config core.fsmonitor").stdout != "", "git uses the settings of the common folder"
    assert said(tmp_path / "r") != []


@pytest.mark.parametrize("hooks", [True, False])
def test_what_git_makes_by_itself_is_no_danger(hooks: bool, tmp_path: Path) -> None:
    shell = _shell(tmp_path)
    shell(f"git init -q r && cd r && {COMMIT} && git worktree add -q ../w && mkdir -p src", check=True)
    world = DiskWorld()
    assert [said(tmp_path / name, world, hooks=hooks) for name in ("r", "r/src", "w")] == [[], [], []]


def said(folder: Path, world: World | None = None, *, hooks: bool = False) -> list[str]:
    return list(dangers(str(folder), str(folder.parent), world or DiskWorld(), hooks=hooks))


def _shell(folder: Path, **env: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Commands in a folder in which git knows nobody's settings."""
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **env}

    def run(text: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", text], cwd=folder, env=clean, capture_output=True, text=True, check=check)

    return run
