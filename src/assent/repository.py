"""Git repositories as git would find them: is there one here, and does its own configuration start programs?"""

from __future__ import annotations

from assent.errors import InputError
from assent.gitconfig import helpers
from assent.resolve import ancestors, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import World

SAMPLE = ".sample"
EVEN_WHEN_READING = ("post-index-change", "reference-transaction", "fsmonitor-watchman")
"""Hooks that `git status` and other commands which change nothing start, too."""
SUBMODULES = ("modules/*/config", "modules/*/*/config")


def dangers(folder: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Why a git command run in a folder might start a program that nobody named; nothing where it cannot."""
    here = normalise(folder if folder.startswith("/") else f"{cwd}/{folder}")
    kept = _kept(here, world)
    if kept is None:
        return
    if kept == "?":
        yield "this repository could not be looked at"
        return
    if kept.rpartition("/")[2] != ".git" and not _is_linked(kept):
        yield f"{kept} is a bare repository inside a folder"
    for name in ("config", "config.worktree"):
        yield from (f"git would use {key} from {kept}/{name}" for key in _helpers(f"{kept}/{name}", world))
    common = _text(f"{kept}/commondir", world).strip()
    if common:
        shared = normalise(common if common.startswith("/") else f"{kept}/{common}")
        yield from (f"git would use {key} from {shared}/config" for key in _helpers(f"{shared}/config", world))
        kept = shared
    names, _ = world.matching(f"{kept}/hooks/*", cwd)
    found = [name.rpartition("/")[2] for name in names if not name.endswith(SAMPLE)]
    started = [name for name in found if hooks or name in EVEN_WHEN_READING]
    if started:
        yield f"git may run the hook {started[0]}"
    for pattern in SUBMODULES:
        for file in world.matching(f"{kept}/{pattern}", cwd)[0]:
            yield from (f"git would use {key} from {file}" for key in _helpers(file, world) if key != "core.worktree")


def _kept(here: str, world: World) -> str | None:
    """The folder in which a repository keeps itself, `?` when that is not certain, None when there is none."""
    for folder in ancestors(here):
        marked = f"{folder.rstrip('/')}/.git"
        place = world.locate(marked, "/")
        if place.folder:
            return marked
        if place.exists:
            target = _text(marked, world)
            if not target.startswith("gitdir: "):
                return "?"
            path = target[len("gitdir: ") :].strip()
            return normalise(path if path.startswith("/") else f"{folder}/{path}")
        if _looks_bare(folder, world):
            return folder
    return None


def _looks_bare(folder: str, world: World) -> bool:
    """Git takes any folder with these three for a repository."""
    return all(world.locate(f"{folder.rstrip('/')}/{name}", "/").exists for name in ("HEAD", "objects", "refs"))


def _is_linked(kept: str) -> bool:
    """Worktrees and submodules keep themselves below another repository's folder."""
    return "/.git/worktrees/" in kept or "/.git/modules/" in kept


def _helpers(file: str, world: World) -> tuple[str, ...]:
    return helpers(_text(file, world))


def _text(file: str, world: World) -> str:
    try:
        return (world.read(file) or b"").decode("utf-8", "replace")
    except (InputError, OSError):
        return "[include]\npath = unreadable\n" if file.endswith(("config", "config.worktree")) else ""
