"""A project on a real disk and commands run in its sandbox."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK, Capability, bubblewrap, nothing_file, prepare
from assent.sandbox.doorway import Doorway
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Profile, Settings, profile_for
from assent.sandbox.running import Confined, start

ABLE = {
    BUBBLEWRAP: Capability(True, how=bubblewrap()),
    LANDLOCK: Capability(True, how="Landlock", kind=LANDLOCK),
}
"""Both sandboxes, without a proof."""


class Shown(NamedTuple):
    """How a confined command ended."""

    code: int
    out: str
    err: str


class Place:
    """A home with secrets, a project in it, and Assent's state beside it."""

    def __init__(self, folder: Path, project: str = "project", *, kind: str = BUBBLEWRAP) -> None:
        self.able = ABLE[kind]
        self.folder = folder.resolve()
        self.home, self.state = self.folder / "home", self.folder / "home/state/assent"
        self.project = self.home / project
        for made in (self.project, self.home / ".ssh", self.state):
            made.mkdir(parents=True, exist_ok=True)
        (self.home / ".ssh/id_test").write_text("key")
        (self.home / "notes.txt").write_text("mine")
        prepare(str(self.state))

    def profile(self, settings: Settings | None = None, *, workspace: str = "", cwd: str = "") -> Profile:
        root = workspace or str(self.project)
        env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        own = (str(self.state),)
        return profile_for(root, cwd or root, str(self.home), Machine(), settings=settings, own=own, env=env)

    def run(
        self, command: str, profile: Profile | None = None, *, door: Doorway | None = None, stdin: str = ""
    ) -> Shown:
        return self.words("/bin/bash", "-c", command, profile=profile, door=door, stdin=stdin)

    def words(self, *words: str, profile: Profile | None = None, door: Doorway | None = None, stdin: str = "") -> Shown:
        written, given = self.folder / "out", self.folder / "in"
        given.write_text(stdin)
        with written.open("wb") as out, given.open("rb") as source:
            started = self.start(*words, profile=profile, door=door, stdin=source.fileno(), stdout=out.fileno())
            ended = started.wait()
        return Shown(ended.code, written.read_text(), ended.errors)

    def python(self, script: str, *words: str) -> Shown:
        """Run a script inside."""
        program = os.path.realpath(sys.executable)
        tools = Settings(read=(sys.base_prefix, program))
        return self.words(program, "-I", "-S", "-c", script, *words, profile=self.profile(tools))

    def start(
        self,
        *words: str,
        profile: Profile | None = None,
        door: Doorway | None = None,
        stdin: int = -1,
        stdout: int = -1,
    ) -> Confined:
        made, state = profile or self.profile(), str(self.state)
        given, out = (one if one >= 0 else None for one in (stdin, stdout))
        if door is None:
            return self.able.start(made, words, state, stdin=given, stdout=out, show=False)
        cover = nothing_file(state)
        return start(made, words, program=bubblewrap(), nothing=cover, stdin=given, stdout=out, show=False, door=door)


def python_for_all() -> str:
    """An interpreter that somebody without rights can start, too, and start again."""
    again = "import os, sys; sys.exit(not os.access(sys.executable, os.X_OK))"
    for one in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        if not subprocess.call([*unprivileged(), one, "-I", "-c", again], stderr=subprocess.DEVNULL):
            return one
    raise AssertionError("no interpreter that everybody can start")


def unprivileged() -> tuple[str, ...]:
    """The words that make a command somebody's who has no rights, whoever runs the tests."""
    drop = ("/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
    return drop if os.geteuid() == 0 else ()
