"""An approval is bound to every file that the command could execute: swapping one asks again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from assent import codefiles
from assent.fingerprint import Fingerprint, fingerprint
from assent.judging import Judge
from assent.types import ToolCall
from assent.world import DiskWorld
from executing import Shape, payload, shapes

ALL = {f"{shape.command} [{shape.file}]": shape for shape in shapes()}
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
        file = self.put(shape.file, payload(shape.language, "first"))
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
    assert len(ALL) >= 221


@pytest.mark.parametrize("shape", ALL.values(), ids=ALL)
def test_a_swapped_file_gives_another_fingerprint(ground: Ground, shape: Shape) -> None:
    file = ground.prepare(shape)
    before = ground.print(shape.command)
    assert ground.print(shape.command) == before, "it must not change by itself"
    swap(file, payload(shape.language, "other"))
    assert ground.print(shape.command).text != before.text


@pytest.mark.parametrize("shape", REAL.values(), ids=REAL)
def test_the_shapes_really_execute_their_file(ground: Ground, shape: Shape) -> None:
    ground.prepare(shape)
    ground.run(shape.command)
    assert "first" in (ground.project / "ran").read_text()


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


LOADING = """BASH_ENV ENV PYTHONPATH PYTHONSTARTUP PYTHONHOME NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT
    GIT_DIR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_GLOBAL GIT_CONFIG_COUNT GIT_EXEC_PATH RUBYOPT RUBYLIB PERL5LIB
    PERL5OPT JAVA_TOOL_OPTIONS CLASSPATH MAKEFLAGS MAKEFILES GOFLAGS RUSTC_WRAPPER CARGO_HOME npm_config_registry
    PIP_INDEX_URL UV_INDEX DYLD_INSERT_LIBRARIES PAGER EDITOR PROMPT_COMMAND SHELLOPTS ZDOTDIR DOCKER_HOST CC PATH
    BASH_FUNC_ls%% PYTEST_ADDOPTS PYTEST_PLUGINS LESSOPEN KUBECONFIG XDG_CONFIG_HOME TF_CLI_ARGS LUA_INIT""".split()


@pytest.mark.parametrize("name", LOADING)
def test_a_variable_that_loads_code_counts(ground: Ground, name: str) -> None:
    ground.put("s.sh", "echo\n")
    before = ground.print("bash s.sh")
    ground.env[name] = "/tmp/other"
    assert ground.print("bash s.sh").text != before.text


# --- what does not matter --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        ("bash s.sh", "README.md"),
        ("bash s.sh", "notes/a.txt"),
        ("bash s.sh", "other.py"),
        ("bash s.sh >> out.log", "out.log"),
        ("bash . s.sh", "server.log"),
        ("make", "src/a.c"),
        ("make", "tests/test_a.py"),
        ("npm install left-pad", "a.test.js"),
        ("npm install left-pad", "src/a.c"),
        ("git commit -m x", "src/a.c"),
        ("git add . && git commit -m x", "src/a.c"),
        ("git push", "src/a.c"),
        ("rm -rf src", "src/a.c"),
        ("curl https://x.example", "s.sh"),
    ],
)
def test_what_is_not_executed_may_change(ground: Ground, command: str, changed: str) -> None:
    ground.run("git init -q .")
    ground.put("s.sh", "echo\n")
    ground.put("Makefile", "all:\n\techo\n")
    ground.put("package.json", "{}\n")
    file = ground.put(changed, "one\n")
    before = ground.print(command)
    file.write_text("another\n")
    assert ground.print(command).text == before.text


# --- more than can be looked at ---------------------------------------------------------------------------------------


def test_over_the_bound_it_is_good_for_one_attempt(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codefiles, "MOST_FILES", 20)
    for number in range(30):
        ground.put(f"pkg/m{number}.py", "")
    first = ground.print("python3 pkg", "first")
    assert not first.whole
    assert ground.print("python3 pkg", "first") == first
    assert ground.print("python3 pkg", "second").text != first.text


@pytest.mark.parametrize("command", ["find / -name s.sh -exec sh {} +", "frobnicate /usr"])
def test_a_system_as_a_whole_is_not_looked_through(ground: Ground, command: str) -> None:
    assert not ground.print(command).whole


def test_a_stroke_is_no_folder(ground: Ground) -> None:
    ground.put("s.sh", "echo\n")
    assert ground.print("bash s.sh | sed s/a/b/ | cut -d/ -f1").whole
