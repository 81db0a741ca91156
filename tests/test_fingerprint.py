"""An approval is bound to every file that the command could execute: swapping or adding one asks again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from assent import snapshot
from assent.codefiles import HARMLESS
from assent.digest import sha256
from assent.fingerprint import Fingerprint, fingerprint
from assent.gitindex import without_times
from assent.judging import Judge
from assent.types import ToolCall
from assent.world import DiskWorld
from executing import Shape, payload, shapes

ALL = {f"{n} {shape.command} [{shape.file}]{' new' * shape.new}": shape for n, shape in enumerate(shapes())}
REAL = {name: shape for name, shape in ALL.items() if shape.real}


class Ground:
    """A project on the disk, and the fingerprint of a command in it."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "home/project"
        self.project.mkdir(parents=True)
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "XDG_STATE_HOME": str(folder / "state")}

    def put(self, name: str, text: str) -> Path:
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def prepare(self, shape: Shape) -> Path:
        if shape.setup:
            self.run(shape.setup)
        for name, text in shape.files.items():
            self.put(name, text)
        for name, value in shape.env.items():
            if name == "PATH+":
                self.env["PATH"] = f"{self.project / value}:{self.env['PATH']}"
            else:
                self.env[name] = value
        return self.project / shape.file if shape.new else self.fill(shape, "first")

    def fill(self, shape: Shape, word: str) -> Path:
        file = self.put(shape.file, payload(shape.language, word))
        if shape.language == "hook":
            file.chmod(0o755)
        return file

    def run(self, command: str) -> None:
        git = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@x.example", "GIT_COMMITTER_NAME": "a"}
        env = {**self.env, **git, "GIT_COMMITTER_EMAIL": "a@x.example", "PYTHONDONTWRITEBYTECODE": "1"}
        words = ["bash", "-c", command]
        subprocess.run(words, cwd=self.project, env=env, capture_output=True, timeout=20, check=False)

    def print(self, command: str, once: str = "1", tool: str = "Bash", **given: str) -> Fingerprint:
        world = DiskWorld(env=self.env)
        judge = Judge(self.env, world=world)
        call = ToolCall(tool, given or {"command": command}, str(self.project), workspace=str(self.project))
        judged = judge.judge(call, 0.0)
        assert judged.case is not None
        return fingerprint(judged.case, judged.policy.digest, world, self.env, once)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def swap(file: Path, text: str) -> None:
    """Other content of the same size in the same file, with its time set back."""
    before = file.stat()
    file.write_text(text)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_there_are_shapes_enough() -> None:
    assert len(ALL) >= 500


@pytest.mark.parametrize("shape", ALL.values(), ids=ALL)
def test_a_swapped_file_gives_another_fingerprint(ground: Ground, shape: Shape) -> None:
    file = ground.prepare(shape)
    before = ground.print(shape.command)
    assert ground.print(shape.command) == before, "it must not change by itself"
    if shape.new:
        ground.fill(shape, "other")
    else:
        swap(file, payload(shape.language, "other"))
    assert before.whole
    assert ground.print(shape.command).text != before.text


@pytest.mark.parametrize("shape", REAL.values(), ids=REAL)
def test_the_shapes_really_execute_their_file(ground: Ground, shape: Shape) -> None:
    ground.prepare(shape)
    ground.run(shape.command)
    assert any("first" in ran.read_text() for ran in ground.project.rglob("ran"))


# --- how a file can change -------------------------------------------------------------------------------------------


def test_a_script_of_any_size_counts_to_its_last_byte(ground: Ground) -> None:
    file = ground.put("s.sh", "# a\n" * 2_000_000)
    before = ground.print("bash s.sh")
    swap(file, "# a\n" * 1_999_999 + "# b\n")
    assert ground.print("bash s.sh").text != before.text


def test_a_program_rewritten_with_size_and_time_restored_counts(ground: Ground) -> None:
    file = ground.put("bin/tool", "#!/bin/sh\necho a\n")
    file.chmod(0o755)
    ground.env["PATH"] = f"{file.parent}:{os.defpath}"
    before = ground.print("tool")
    swap(file, "#!/bin/sh\necho b\n")
    assert ground.print("tool").text != before.text


def test_a_file_replaced_by_one_with_the_same_content_is_another_object(ground: Ground) -> None:
    file = ground.put("s.sh", "echo\n")
    before = ground.print("bash s.sh")
    other = ground.put("t", "echo\n")
    os.replace(other, file)
    assert ground.print("bash s.sh").text != before.text


@pytest.mark.parametrize(
    ("command", "new"),
    [
        ("make", "GNUmakefile"),
        ("git commit -m x", ".git/hooks/pre-commit"),
        ("git commit -m x", ".git/config.worktree"),
        ("git push", ".git/hooks/pre-push"),
        ("bash *.sh", "t.sh"),
        ("pytest", "conftest.py"),
        ("python3 -c 'import json'", "json.py"),
        ("cargo build", "build.rs"),
        ("npm test", ".npmrc"),
        ("find . -name '*.sh' -exec sh {} +", "deep/x.sh"),
        ("bash s.sh", "../.bashrc"),
    ],
)
def test_a_new_file_that_would_run_counts(ground: Ground, command: str, new: str) -> None:
    ground.run("git init -q .")
    for name in ("s.sh", "Makefile", "package.json", "Cargo.toml"):
        ground.put(name, "{}\n")
    before = ground.print(command)
    ground.put(new, "echo\n")
    assert ground.print(command).text != before.text


VARIABLES = """BASH_ENV ENV PYTHONPATH PYTHONSTARTUP NODE_OPTIONS LD_PRELOAD LD_AUDIT GIT_SSH_COMMAND GIT_CONFIG_COUNT
    RUBYOPT PERL5OPT JAVA_TOOL_OPTIONS CLASSPATH MAKEFLAGS GOFLAGS RUSTC_WRAPPER npm_config_registry PIP_INDEX_URL PAGER
    EDITOR PROMPT_COMMAND SHELLOPTS ZDOTDIR DOCKER_HOST CC PATH HOME BASH_FUNC_ls%% PYTEST_ADDOPTS KUBECONFIG
    FLASK_APP DJANGO_SETTINGS_MODULE AWKPATH COVERAGE_PROCESS_START HGRCPATH R_LIBS AWS_CONFIG_FILE CURL_HOME SPEC_OPTS
    MYPYPATH FZF_DEFAULT_COMMAND AWS_PAGER KUBE_EDITOR SVN_SSH GTK_MODULES QT_PLUGIN_PATH LOCPATH CONFIG_SITE HOSTCC
    VIMRUNTIME EMACSLOADPATH SSH_ASKPASS LESS MANPATH PS1 TMPDIR BABEL_ENV IPYTHONDIR CELERY_CONFIG_MODULE DATABASE_URL
    MIX_EXS SPARK_HOME ANY_NAME_THAT_NOBODY_KNOWS""".split()


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_counts_whatever_its_name(ground: Ground, name: str) -> None:
    ground.put("s.sh", "echo\n")
    before = ground.print("bash s.sh")
    ground.env[name] = "/tmp/other"
    assert ground.print("bash s.sh").text != before.text


@pytest.mark.parametrize("name", sorted(HARMLESS | {"LC_ALL", "SSH_TTY", "TERM_SESSION_ID"}))
def test_a_variable_of_the_terminal_does_not_count(ground: Ground, name: str) -> None:
    ground.put("s.sh", "echo\n")
    before = ground.print("bash s.sh")
    ground.env[name] = "other"
    assert ground.print("bash s.sh").text == before.text


# --- what a repository holds -----------------------------------------------------------------------------------------

BRANCH = """git init -qb main . && echo 'echo first' > s.sh && git add -A && git commit -qm a && git checkout -qb dev
    echo 'echo dev' > s.sh && git commit -qam b && git checkout -q main"""
FROM_GIT = (
    "git show dev:s.sh | bash",
    "git checkout -q dev && make",
    "git checkout -q dev -- s.sh && bash s.sh",
    "git merge -q dev && sh s.sh",
    "git restore -s dev s.sh; sh s.sh",
    "git archive dev s.sh | tar xO | sh",
    "bash <(git cat-file -p dev:s.sh)",
    "git cherry-pick dev; sh s.sh",
)


@pytest.mark.parametrize("command", FROM_GIT)
def test_a_branch_that_moved_counts(ground: Ground, command: str) -> None:
    ground.run(BRANCH)
    before = ground.print(command)
    ground.run("git update-ref refs/heads/dev $(git commit-tree -p dev -m c main^{tree})")
    assert ground.print(command).text != before.text


def test_a_rewritten_object_counts(ground: Ground) -> None:
    """Git does not compare what it reads with its name: it would hand out the other content."""
    ground.run(BRANCH)
    before = ground.print("git show dev:s.sh | bash")
    ground.run(
        "f=.git/objects/$(git rev-parse dev:s.sh | sed 's|..|&/|'); chmod u+w $f; printf x | dd of=$f conv=notrunc"
    )
    assert ground.print("git show dev:s.sh | bash").text != before.text


def test_what_is_staged_counts(ground: Ground) -> None:
    ground.run(BRANCH)
    command = "git checkout -- s.sh && sh s.sh"
    before = ground.print(command)
    ground.run("git update-index --cacheinfo 100644,$(git rev-parse dev:s.sh),s.sh")
    assert ground.print(command).text != before.text


def test_a_worktree_is_bound_to_the_repository_it_belongs_to(ground: Ground) -> None:
    ground.run(
        "git init -qb main ../kept && cd ../kept && git commit -q --allow-empty -m a && git worktree add -q ../wt"
    )
    ground.run("rmdir ../project; mv ../wt ../project; cd ../kept; git worktree repair ../project")
    before = ground.print("git commit -m x")
    ground.put("../kept/.git/hooks/pre-commit", "#!/bin/sh\n").chmod(0o755)
    assert ground.print("git commit -m x").text != before.text


@pytest.mark.parametrize("version", [2, 3, 4])
def test_looking_at_a_repository_does_not_count(ground: Ground, version: int) -> None:
    ground.run(
        f"{BRANCH}; git update-index --index-version {version}; touch n; git add -N n; touch -d '1 hour ago' s.sh"
    )
    before = ground.print("git commit -m x")
    kept = (ground.project / ".git/index").read_bytes()
    ground.run("git status; touch .git/index.lock")
    assert (ground.project / ".git/index").read_bytes() != kept, "the times in the index were not refreshed"
    assert ground.print("git commit -m x") == before


def test_an_index_that_is_none_counts_byte_by_byte() -> None:
    for data in (b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\1" + b"x" * 90, b"echo"):
        assert without_times(data) == sha256(data)


def test_what_assent_keeps_for_itself_does_not_count(ground: Ground) -> None:
    ground.env["XDG_STATE_HOME"] = str(ground.project / "state")
    ground.put("state/assent/approvals.db", "one")
    ground.put("s.sh", "echo\n")
    before = ground.print("bash s.sh")
    ground.put("state/assent/approvals.db", "another")
    ground.put("state/assent/audit/1", "new")
    assert ground.print("bash s.sh") == before


def test_a_file_that_is_written_twice_in_a_moment_counts(ground: Ground) -> None:
    """The change time has steps: the digest is taken only when a further write must show."""
    file = ground.put("lib/a", "a\n")
    ground.put("s.sh", "sh lib/?\n")
    for text in ("b\n", "a\n", "b\n"):
        before = ground.print("bash s.sh")
        swap(file, text)
        assert ground.print("bash s.sh").text != before.text


# --- what does not matter --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        ("rm -rf src", "src/a.c"),
        ("rm a.txt", "s.sh"),
        ("rm a.txt", "Makefile"),
        ("curl https://x.example", "s.sh"),
        ("cp a.txt b.txt", "s.sh"),
        ("ls >> out.log", "out.log"),
        ("mkdir -p build", "src/a.c"),
    ],
)
def test_where_nothing_of_the_project_runs_the_rest_of_it_may_change(
    ground: Ground, command: str, changed: str
) -> None:
    ground.run("git init -q .")
    ground.put("s.sh", "echo\n")
    ground.put("Makefile", "all:\n\techo\n")
    ground.put("package.json", "{}\n")
    file = ground.put(changed, "one\n")
    before = ground.print(command)
    file.write_text("another\n")
    assert ground.print(command).text == before.text


def test_a_tool_that_writes_a_file_is_bound_to_that_file_alone(ground: Ground) -> None:
    ground.put("s.sh", "echo\n")
    before = ground.print("", tool="Write", file_path="a.txt", content="x")
    ground.put("s.sh", "another\n")
    ground.env["ANY_NAME"] = "other"
    assert ground.print("", tool="Write", file_path="a.txt", content="x") == before


# --- more than can be looked at ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "value"), [("MOST_ENTRIES", 20), ("MOST_SECONDS", 0.0)])
def test_over_the_bound_it_is_good_for_one_attempt(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, limit: str, value: float
) -> None:
    monkeypatch.setattr(snapshot, limit, value)
    for number in range(30):
        ground.put(f"pkg/m{number}.py", "")
    first = ground.print("python3 pkg", "first")
    assert not first.whole
    assert ground.print("python3 pkg", "first") == first
    assert ground.print("python3 pkg", "second").text != first.text


@pytest.mark.parametrize(
    "command", ["find / -name s.sh -exec sh {} +", "cd / && sh s.sh", "cd ~ && make", "cd /tmp; make"]
)
def test_a_system_a_home_and_what_all_share_are_not_looked_through(ground: Ground, command: str) -> None:
    assert not ground.print(command).whole


@pytest.mark.parametrize("message", ["keep /var/log small", "see /", "move ~ elsewhere"])
def test_a_folder_that_a_text_mentions_is_not_looked_through(ground: Ground, message: str) -> None:
    ground.run("git init -q .")
    assert ground.print(f"git commit -m '{message}'").whole


def test_a_stroke_is_no_folder(ground: Ground) -> None:
    ground.put("s.sh", "echo\n")
    assert ground.print("bash s.sh | sed s/a/b/ | cut -d/ -f1").whole
