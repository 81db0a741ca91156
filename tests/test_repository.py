"""Repositories that would start a program: described in memory, and made by git itself and then watched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.repository import dangers, top_of
from assent.testing import FrozenWorld
from assent.types import World
from assent.world import DiskWorld

REPO, HEAD = "/r", "ref: refs/heads/main\n"
EMPTY = {f"{REPO}/.git/HEAD": "ref: refs/heads/main\n", f"{REPO}/.git/objects/": "", f"{REPO}/.git/refs/": ""}
PLAIN = {**EMPTY, f"{REPO}/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"}
FSMONITOR = '[core]\n\tfsmonitor = "touch ran"\n'
KEPT = f"{REPO}/.git/worktrees/w"
WORKTREE = {
    **PLAIN,
    "/w/.git": f"gitdir: {KEPT}\n",
    f"{KEPT}/HEAD": "",
    f"{KEPT}/gitdir": "/w/.git\n",
    f"{KEPT}/commondir": "../..\n",
}


def found(
    files: dict[str, str],
    folder: str = REPO,
    cwd: str = REPO,
    *,
    hooks: bool = False,
    links: dict[str, str] | None = None,
) -> list[str]:
    return list(dangers(folder, cwd, FrozenWorld(files, links=links or {}), hooks=hooks))


def test_hooks_that_cannot_all_be_seen_are_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"{REPO}/.git/hooks/{number:02}.sample": "" for number in range(30)}
    monkeypatch.setattr("assent.trees.MOST_ENTRIES", 20)
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
        f"{kept}/gitdir": "/w/.git\n",
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
    assert found(WORKTREE, "/w", hooks=True) == []
    assert found({**WORKTREE, f"{KEPT}/gitdir": "../../../../w/.git\n"}, "/w") == []


@pytest.mark.parametrize(
    ("folder", "files", "other"),
    [
        ("/p", {"/p/.git": f"gitdir: {REPO}/.git\n"}, f"{REPO}/.git"),
        ("/p", {"/p/.git": f"gitdir: {KEPT}\n"}, KEPT),
        ("/p", {"/p/.git": f"gitdir: {REPO}/.git/modules/lib\n"}, f"{REPO}/.git/modules/lib"),
        ("/p", {"/p/.git/HEAD": HEAD, "/p/.git/commondir": f"{REPO}/.git\n"}, f"{REPO}/.git"),
        ("/p/.git", {"/p/.git/HEAD": "", "/p/.git/commondir": f"{REPO}/.git\n"}, f"{REPO}/.git"),
        ("/w", {f"{KEPT}/commondir": "/other/.git\n"}, "/other/.git"),
    ],
)
def test_the_repository_of_another_folder_is_a_danger(folder: str, files: dict[str, str], other: str) -> None:
    assert found({**WORKTREE, **files}, folder) == [f"{folder} uses {other}, the repository of another folder"]


def test_a_link_to_the_repository_of_another_folder_is_a_danger() -> None:
    said = found({**PLAIN, "/p/a": ""}, "/p", links={"/p/.git": f"{REPO}/.git"})
    assert said == [f"/p uses {REPO}/.git, the repository of another folder"]


def test_a_folder_reached_by_a_link_has_its_own_repository() -> None:
    assert found(PLAIN, "/l", links={"/l": REPO}) == []
    assert found(WORKTREE, "/l", links={"/l": "/w"}) == []


# --- settings that name files ----------------------------------------------------------------------------------------


def test_files_that_are_usually_named_are_no_danger() -> None:
    config = (
        "[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n[commit]\n\ttemplate = .gitmessage\n"
        "[mailmap]\n\tfile = .mailmap\n"
    )
    files = {**EMPTY, f"{REPO}/.git/config": config, f"{REPO}/.git-blame-ignore-revs": ""}
    assert found(files, hooks=True) == []


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("ignoreRevsFile = /home/u/.netrc", {}),
        ("ignoreRevsFile = .env", {}),
        ("ignoreRevsFile = .env\n\tignoreRevsFile = .git-blame-ignore-revs", {}),
        ("ignoreRevsFile = .git-blame-ignore-revs", {f"{REPO}/.git-blame-ignore-revs": "/home/u/.netrc"}),
    ],
)
def test_any_other_file_that_a_setting_names_is_a_danger(text: str, links: dict[str, str]) -> None:
    files = {**EMPTY, f"{REPO}/.git/config": f"[blame]\n\t{text}\n", "/home/u/.netrc": ""}
    assert found(files, links=links) == [f"git would use blame.ignorerevsfile from {REPO}/.git/config"]


def test_a_template_for_messages_counts_where_there_may_be_a_commit() -> None:
    files = {**EMPTY, f"{REPO}/.git/config": "[commit]\n\ttemplate = /home/u/.netrc\n"}
    assert found(files, hooks=False) == []
    assert found(files, hooks=True) == [f"git would use commit.template from {REPO}/.git/config"]


# --- repositories inside ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("[diff]\n\tsubmodule = diff\n", [f"git would use core.fsmonitor from {REPO}/in/.git/config"]),
        ("[diff]\n\tsubmodule = log\n", []),
        ("[core]\n", []),
    ],
)
def test_differences_go_into_repositories_that_the_index_does_not_name(config: str, expected: list[str]) -> None:
    inner = {path.replace(REPO, f"{REPO}/in", 1): text for path, text in EMPTY.items()}
    files = {**EMPTY, **inner, f"{REPO}/.git/config": config, f"{REPO}/in/.git/config": FSMONITOR}
    assert found(files) == expected


def test_differences_that_go_into_harmless_repositories_are_no_danger() -> None:
    inner = {path.replace(REPO, f"{REPO}/in", 1): text for path, text in PLAIN.items()}
    assert found({**EMPTY, **inner, f"{REPO}/.git/config": "[diff]\n\tsubmodule = diff\n"}) == []


# --- the top of the working tree -------------------------------------------------------------------------------------

SUBMODULE = {
    **PLAIN,
    f"{REPO}/lib/.git": "gitdir: ../.git/modules/lib\n",
    f"{REPO}/.git/modules/lib/HEAD": "",
    f"{REPO}/.git/modules/lib/objects/": "",
    f"{REPO}/.git/modules/lib/refs/": "",
    f"{REPO}/.git/modules/lib/config": "[core]\n\tworktree = ../../../lib\n",
}


@pytest.mark.parametrize(
    ("folder", "cwd", "files", "expected"),
    [
        (".", REPO, PLAIN, REPO),
        (".", f"{REPO}/src", {**PLAIN, f"{REPO}/src/a": ""}, REPO),
        ("src/deep", REPO, {**PLAIN, f"{REPO}/src/deep/a": ""}, REPO),
        ("not/yet", REPO, PLAIN, REPO),
        (f"{REPO}/src/", "/", {**PLAIN, f"{REPO}/src/a": ""}, REPO),
        (f"{REPO}/.git", "/", PLAIN, REPO),
        (f"{REPO}/.git/refs", "/", PLAIN, REPO),
        ("/p/src", "/", {"/p/src/a": ""}, "/p/src"),
        ("src/..", "/p", {"/p/src/a": ""}, "/p"),
        ("/p", "/", {"/.git/HEAD": HEAD, "/.git/objects/": "", "/.git/refs/": "", "/p/a": ""}, "/"),
        ("/p/src", "/", {"/p/.git": "no repository", "/p/src/a": ""}, "/p/src"),
        ("/w/src", "/", {**WORKTREE, "/w/src/a": ""}, "/w"),
        (KEPT, "/", WORKTREE, "/w"),
        ("lib/src", REPO, {**SUBMODULE, f"{REPO}/lib/src/a": ""}, f"{REPO}/lib"),
        (f"{REPO}/.git/modules/lib", "/", SUBMODULE, f"{REPO}/lib"),
        ("/b/refs", "/", {"/b/HEAD": "", "/b/objects/": "", "/b/refs/": ""}, "/b/refs"),
    ],
)
def test_the_top_is_where_git_finds_the_repository(folder: str, cwd: str, files: dict[str, str], expected: str) -> None:
    assert top_of(folder, cwd, FrozenWorld(files)) == expected


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/l", "/l"),
        ("/l/src", "/l"),
        ("/s", REPO),
        ("/s/..", REPO),
        (f"{REPO}/out", "/p"),
        (f"{REPO}/out/..", "/"),
    ],
)
def test_links_lead_where_the_kernel_goes_and_keep_their_names_where_they_can(folder: str, expected: str) -> None:
    files = {**PLAIN, f"{REPO}/src/a": "", "/p/a": ""}
    world = FrozenWorld(files, links={"/l": REPO, "/s": f"{REPO}/src", f"{REPO}/out": "/p"})
    assert top_of(folder, "/", world) == expected


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
    assert found(SUBMODULE, f"{REPO}/lib") == []


def test_a_submodule_whose_files_are_elsewhere_is_a_danger() -> None:
    file = f"{REPO}/.git/modules/lib/config"
    assert found({**SUBMODULE, file: "[core]\n\tworktree = ../../../src\n"}, f"{REPO}/lib") == [
        f"{REPO}/lib uses {REPO}/.git/modules/lib, the repository of another folder",
        f"git would use core.worktree from {file}",
    ]


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


def test_whenever_a_difference_starts_a_program_there_is_a_danger(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    shell = _shell(tmp_path, RAN=str(ran))
    old = f"{INNER} && {COMMIT} && (cd in && {COMMIT}) && git add in && {COMMIT} && git rm -q --cached in && {COMMIT}"
    shell(f"git init -q r && cd r && {old} && git config diff.submodule diff", check=True)
    assert said(tmp_path / "r") == []
    shell("cd r/in && git config diff.external 'touch $RAN; :'", check=True)
    shell("cd r && git log -p")
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
    shell(f"git init -q r && cd r && {COMMIT} && git worktree add -q ../w && mkdir -p src && cp -r . ../o", check=True)
    shell("cd r && git -c protocol.file.allow=always submodule --quiet add ../o lib && ln -s r/src ../l", check=True)
    world = DiskWorld()
    for name in ("r", "r/src", "w", "r/lib", "l"):
        assert said(tmp_path / name, world, hooks=hooks) == [], name


@pytest.mark.parametrize("folder", ["r", "r/src", "r/.git", "w", "w/src", "r/lib", "r/.git/modules/lib", "l", "l/.."])
def test_git_says_that_the_top_is_there(folder: str, tmp_path: Path) -> None:
    shell = _shell(tmp_path)
    shell(f"git init -q r && cd r && mkdir src && touch src/a && git add . && {COMMIT} && cp -r . ../o", check=True)
    shell("cd r && git -c protocol.file.allow=always submodule --quiet add ../o lib && ln -s r/src ../l", check=True)
    shell("cd r && git worktree add -q ../w", check=True)
    top = top_of(folder, str(tmp_path), DiskWorld())
    shown = shell(f"git -C {folder} rev-parse --show-toplevel").stdout.strip()
    assert shown in ("", top)
    assert shell(f"git -C {folder} show HEAD:src/a").returncode == 0
    assert (Path(top) / "src/a").exists()


def said(folder: Path, world: World | None = None, *, hooks: bool = False) -> list[str]:
    return list(dangers(str(folder), str(folder.parent), world or DiskWorld(), hooks=hooks))


def _shell(folder: Path, **env: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Commands in a folder in which git knows nobody's settings."""
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **env}

    def run(text: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", text], cwd=folder, env=clean, capture_output=True, text=True, check=check)

    return run


def test_hooks_are_found_in_a_folder_whose_name_looks_like_a_pattern() -> None:
    files = {path.replace(REPO, "/w[r]", 1): text for path, text in PLAIN.items()}
    world = FrozenWorld({**files, "/w[r]/.git/hooks/post-index-change": "", "/wr/.git/hooks/x": ""})
    assert list(dangers("/w[r]", "/", world, hooks=False)) == ["git may run the hook post-index-change"]


def test_where_case_does_not_count_a_repository_is_one_by_any_spelling() -> None:
    files = {path.replace("HEAD", "head").replace("config", "CONFIG"): text for path, text in PLAIN.items()}
    evil = {f"{REPO}/.git/CONFIG": "[core]\n\tsshCommand = evil\n"}
    world = FrozenWorld({**files, **evil}, folded=True)
    assert list(dangers(REPO, "/", world, hooks=False)) == [f"git would use core.sshcommand from {REPO}/.git/config"]
