"""Whether Assent lives in a project, where agents work; and a copy of it in a place where none does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from assent import folders
from assent.errors import AssentError
from assent.protected import HOME_PROGRAMS
from assent.world import DiskWorld

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADVICE = (
    "`assent install AGENT --outside` makes a copy in your data folder and installs that. Whoever works on Assent"
    " itself does the same: the copy judges, and the sources can be changed"
)


def project_of_assent(world: DiskWorld, here: str) -> str:
    """The project in which this Assent is installed, empty if in none: the one we are in, or any other.

    Sources that are worked on elsewhere are no installation.
    """
    current = world.workspace(here)
    if current and any(_is_in(path, os.path.realpath(current)) for path in (PACKAGE, sys.executable)):
        return current
    tools = any(_is_in(PACKAGE, os.path.join(world.home, name)) for name in HOME_PROGRAMS)
    installed = os.path.basename(os.path.dirname(PACKAGE)) in folders.PACKAGES
    project = world.workspace(PACKAGE) if installed and not tools else ""
    return project if project and any(os.path.lexists(f"{project}/{mark}") for mark in (".git", ".assent")) else ""


def refuse_inside(world: DiskWorld, here: str) -> None:
    """INVARIANT: a hook is not taken from the very project that an agent is about to change unless a person says so."""
    project = project_of_assent(world, here)
    if project and project == world.workspace(here):
        raise AssentError(
            f"Assent lives in this project (`{project}`), where agents work",
            help="say --outside for a copy in your data folder, or --inside if you mean it",
        )


def make_copy(env: Mapping[str, str], world: DiskWorld, here: str) -> tuple[str, ...]:
    """Put this Assent into the user's data folder; the words that start it there, with the interpreter's real name.

    Nothing is downloaded: the package needs nothing but the standard library.
    """
    program, project = os.path.realpath(sys.executable), project_of_assent(world, here)
    if project and _is_in(program, os.path.realpath(project)):
        raise AssentError(
            f"the interpreter itself lives in a project: `{program}`", help="start Assent with an interpreter elsewhere"
        )
    target = os.path.join(folders.data_folder(env, world.home), "program")
    try:
        _replace_folder(PACKAGE, target)
    except OSError as error:
        raise AssentError(f"cannot write `{target}`: {error.strerror or error}") from error
    return program, "-I", "-S", os.path.join(target, "assent", "start.py")


def _replace_folder(package: str, target: str) -> None:
    folders.make_folder(os.path.dirname(target))
    draft = tempfile.mkdtemp(prefix="program-", dir=os.path.dirname(target))
    old = f"{draft}-old"
    try:
        shutil.copytree(package, os.path.join(draft, "assent"), ignore=shutil.ignore_patterns("__pycache__"))
        if os.path.lexists(target):
            os.rename(target, old)
        os.rename(draft, target)
    finally:
        for one in (draft, old):
            shutil.rmtree(one, ignore_errors=True)


def installed_by_copy(words: list[str], env: Mapping[str, str], world: DiskWorld, here: str) -> int:
    """Let the copy do what was asked for."""
    command = [*make_copy(env, world, here), "install", *(word for word in words if word != "--outside")]
    return subprocess.call(command)  # noqa: S603 - our own copy


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
