"""A person's home and project on a real disk, and the command `assent` run there, in this process or in its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assent import folders, layers
from assent.cli.fast import main
from assent.layers import Loaded, load_policy
from assent.pipeline import judge
from assent.types import ToolCall
from assent.world import DiskWorld

START = Path(__file__).parent.parent / "src/assent/start.py"
LAUNCHER = (sys.executable, "-I", "-S", str(START))
CONSOLE = (
    *(sys.executable, "-I", "-c"),
    f"import sys; sys.path.insert(0, {str(START.parent.parent)!r}); from assent.cli.main import main; sys.exit(main())",
)
WAYS = pytest.mark.parametrize("way", [LAUNCHER, CONSOLE], ids=["launcher", "console-script"])


class Done(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal(io.StringIO):
    """A person at a keyboard who types what it is made from."""

    def isatty(self) -> bool:
        return True


class Scene:
    """An empty home and an empty project; nothing of the machine that runs the tests shows through."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.project, self.managed = folder / "home", folder / "project", folder / "etc/policy.d"
        for made in (self.home, self.project / ".git", self.managed):
            made.mkdir(parents=True)
        self.monkeypatch = monkeypatch
        self.user_file = self.home / "config/assent/policy.toml"
        self.project_file = self.project / ".assent/policy.toml"
        self.local_file = self.project / ".assent/policy.local.toml"
        self.state = self.home / "state/assent"
        self.env = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "PATH": os.defpath,
        }
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in self.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(folders, "managed_folder", lambda: str(self.managed))
        monkeypatch.chdir(self.project)
        self.forget()

    def forget(self) -> None:
        """Nothing that an earlier load kept in memory is used again, as in a new process."""
        self.monkeypatch.setattr(layers, "_recent", {})

    def write(self, file: Path, text: str | bytes) -> Path:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        file.chmod(0o600)
        return file

    def user(self, text: str | bytes) -> Path:
        return self.write(self.user_file, text)

    def shared(self, text: str | bytes) -> Path:
        return self.write(self.project_file, text)

    def local(self, text: str | bytes) -> Path:
        return self.write(self.local_file, text)

    def manage(self, text: str | bytes, name: str = "10-company.toml") -> Path:
        return self.write(self.managed / name, text)

    def trust(self, file: Path) -> None:
        from assent.digest import sha256

        folders.Trust(str(self.state)).trust(str(file), sha256(file.read_bytes()), 1.0)

    def load(self, world: DiskWorld | None = None) -> Loaded:
        return load_policy(self.env, str(self.project), world or DiskWorld(env=self.env))

    def verdict(self, tool: str, **input: object) -> str:
        """What the files of this scene say about a call."""
        call = ToolCall(tool, input, cwd=str(self.project), workspace=str(self.project))
        world = DiskWorld(env=self.env)
        return str(judge(call, self.load(world).policy, world).verdict)

    def type(self, text: str) -> None:
        """Put text on the standard input of the commands that follow."""
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape"))))

    def sit_down(self, text: str) -> None:
        """Let a person at a terminal answer the commands that follow."""
        self.monkeypatch.setattr(sys, "stdin", Terminal(text))

    def run(self, capsys: pytest.CaptureFixture[str], *words: str) -> Done:
        """`assent …` in this process."""
        capsys.readouterr()
        self.forget()
        code = main(list(words))
        out, err = capsys.readouterr()
        return Done(code, out, err)

    def start(self, *words: str, stdin: str = "", **env: str) -> Done:
        """`assent …` as the hook of an agent starts it."""
        done = subprocess.run(
            [*LAUNCHER, *words],
            cwd=self.project,
            env={**self.env, **env},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return Done(done.returncode, done.stdout, done.stderr)
