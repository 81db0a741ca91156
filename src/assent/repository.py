"""Git repositories as git would find them: is there one here, and does its own configuration start programs?"""

from __future__ import annotations

from assent.errors import InputError
from assent.gitconfig import helpers, settings
from assent.resolve import ancestors, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import World

SAMPLE = ".sample"
EVEN_WHEN_READING = ("post-index-change", "reference-transaction", "fsmonitor-watchman")
"""Hooks that `git status` and other commands which change nothing start, too."""
HOOKS_PATH = "core.hookspath"
USUAL = frozenset(
    {
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("filter.lfs.smudge", "git-lfs smudge -- %f"),
        ("filter.lfs.process", "git-lfs filter-process"),
    }
)
"""Helpers that `git lfs install --local` sets, word by word."""
GITLINK = b"\x00\x00\xe0\x00"
"""The mode of a repository inside another one, as the index writes it."""
SPLIT = b"link\x00"
"""An index that keeps most of itself in another file."""
MOST_INDEX = 50_000_000


def dangers(folder: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Why a git command run in a folder might start a program that nobody named; nothing where it cannot."""
    written = normalise(folder if folder.startswith("/") else f"{cwd}/{folder}")
    seen: set[str] = set()
    for here in dict.fromkeys((written, world.locate(written, "/").path)):
        kept, top = _kept(here, world)
        if kept and kept not in seen:
            seen.add(kept)
            yield from _found(kept, top, cwd, world, hooks=hooks)


def _found(kept: str, top: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    if kept == "?":
        yield "this repository could not be looked at"
        return
    if kept.rpartition("/")[2] != ".git" and not _is_linked(kept):
        yield f"{kept} is a bare repository inside a folder"
    yield from _own(kept, top, cwd, world, hooks=hooks)
    index = _bytes(f"{kept}/index", world)
    if GITLINK in index or SPLIT in index:
        yield from _embedded(kept, top, cwd, world, hooks=hooks)


def _own(kept: str, top: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    """What a repository says itself, with what it shares with others and what it keeps for its submodules."""
    common = _common(kept, world)
    for place in dict.fromkeys((kept, common)):
        yield from _configured(place, top, cwd, world, hooks=hooks)
    yield from _started(f"{common}/hooks", cwd, world, hooks=hooks)
    for file in world.below(f"{common}/modules", lambda path: path.endswith("/config"))[0]:
        module = file.rpartition("/")[0]
        yield from (f"git would use {key} from {file}" for key in _helpers(file, world) if key != "core.worktree")
        yield from _started(f"{module}/hooks", cwd, world, hooks=hooks)


def _configured(kept: str, top: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Keys of a repository's own files that start programs; the usual folder for hooks is looked into."""
    for name in ("config", "config.worktree"):
        file = f"{kept}/{name}"
        found = _helpers(file, world)
        values = _values(_text(file, world)) if found else {}
        for key in found:
            value = values.get(key, "")
            if key == HOOKS_PATH and _is_plain(value) and kept == f"{top}/.git":
                yield from _started(value if value.startswith("/") else f"{top}/{value}", cwd, world, hooks=hooks)
            elif (key, value) not in USUAL:
                yield f"git would use {key} from {file}"


def _is_plain(path: str) -> bool:
    """A path that git takes as it is written: no home, no variable."""
    return bool(path) and path[0] not in "~%:$"


def _started(folder: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    names, complete = world.matching(f"{folder}/*", cwd)
    if not complete:
        yield f"not all hooks in {folder} could be looked at"
    found = [name.rpartition("/")[2] for name in names if not name.endswith(SAMPLE)]
    started = [name for name in found if hooks or name in EVEN_WHEN_READING]
    if started:
        yield f"git may run the hook {started[0]}"


def _embedded(kept: str, top: str, cwd: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Repositories inside the working tree, which git enters to see whether they changed."""
    inner, complete = world.below(top, lambda path: path.endswith("/.git") and path != kept)
    if not complete:
        yield f"{top} holds repositories that could not all be looked at"
    for path in inner:
        inside, around = _kept(path.rpartition("/")[0], world)
        if inside == "?":
            yield f"{path} could not be looked at"
        elif inside and inside != kept:
            yield from _own(inside, around, cwd, world, hooks=hooks)


def _kept(here: str, world: World) -> tuple[str, str]:
    """Where a repository keeps itself (`?` if that is not certain, empty if there is none), and its working tree."""
    for folder in ancestors(here):
        marked = f"{folder.rstrip('/')}/.git"
        place = world.locate(marked, "/")
        if place.folder and _is_repository(marked, world):
            return marked, folder
        if place.exists and not place.folder:
            target = _text(place.path, world)
            if not target.startswith("gitdir: "):
                return "?", folder
            path = target[len("gitdir: ") :].rstrip("\r\n")
            return normalise(path if path.startswith("/") else f"{folder}/{path}"), folder
        if _is_repository(folder.rstrip("/"), world):
            return folder, folder
    return "", ""


def _is_repository(folder: str, world: World) -> bool:
    """Git takes any folder for one that holds a HEAD, objects and refs, or says where the last two are."""
    head = world.locate(f"{folder}/HEAD", "/")
    if not head.exists and len(head.names) == 1:  # a link that leads nowhere yet is an old form of HEAD
        return False
    if world.locate(f"{folder}/commondir", "/").exists:
        return True
    return all(world.locate(f"{folder}/{name}", "/").exists for name in ("objects", "refs"))


def _common(kept: str, world: World) -> str:
    common = _text(f"{kept}/commondir", world).rstrip("\r\n")
    return normalise(common if common.startswith("/") else f"{kept}/{common}") if common else kept


def _is_linked(kept: str) -> bool:
    """Worktrees and submodules keep themselves below another repository's folder."""
    return "/.git/worktrees/" in kept or "/.git/modules/" in kept


def _values(text: str) -> dict[str, str]:
    try:
        return {key: value or "" for key, value in settings(text)}
    except ValueError:
        return {}


_read: dict[str, tuple[str, ...]] = {}
"""What texts of configurations start: the file is read anew each time, its text is mostly one that was seen before."""
MOST_TEXTS = 50
LONGEST_TEXT = 10_000


def _helpers(file: str, world: World) -> tuple[str, ...]:
    text = _text(file, world)
    found = _read.get(text)
    if found is None:
        found = helpers(text)
        if len(text) <= LONGEST_TEXT:
            if len(_read) >= MOST_TEXTS:
                _read.clear()
            _read[text] = found
    return found


def forget() -> None:
    """Empty what is remembered about texts, for measurements."""
    _read.clear()


def _bytes(file: str, world: World) -> bytes:
    try:
        return world.read(file, MOST_INDEX) or b""
    except (InputError, OSError):
        return GITLINK


def _text(file: str, world: World) -> str:
    try:
        return (world.read(file) or b"").decode("utf-8", "replace")
    except (InputError, OSError):
        return "[include]\npath = unreadable\n" if file.endswith(("config", "config.worktree")) else ""
