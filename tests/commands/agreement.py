"""Which events of a traced program neither its stated effects nor the table of explanations speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from assent.globs import name_choices
from assent.types import Effect
from commands.explained import TABLE, explains, matches
from commands.invocations import Invocation
from commands.scratch import FOLDERS, HOME, PROJECT
from commands.traces import Event, absolute

NO_FILES = ("/dev/null", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/pts/", "/dev/ptmx", "/proc/self/")
TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")
NAME_SERVICE = "unix:/var/run/nscd/socket"
"""The C library asks for a cache of user and host names, whatever the program."""
OF_GIT = (".gitignore", ".gitattributes", ".gitmodules", ".mailmap", ".gitconfig")
SPOKEN_OF_BY = {
    "read": ("read", "search", "write"),
    "write": ("write",),
    "folder": ("write",),
    "delete": ("delete", "write"),
}


def unexplained(one: Invocation, found: Iterable[Event]) -> list[Event]:
    """What a program did without having said so."""
    seen = list(dict.fromkeys(found))
    gone = {event.target for event in seen if event.kind == "delete"}
    return [
        event
        for event in seen
        if not _is_nothing(event, gone)
        and not _is_stated(event, one)
        and not any(explains(row, event, one.argv, one.effects, gone) for row in TABLE)
    ]


def _is_nothing(event: Event, gone: set[str]) -> bool:
    """Not a file of anybody's: devices, the program's own temporary files, and reading outside of project and home."""
    if event.kind == "read":
        return event.target in FOLDERS or not f"{event.target}/".startswith(f"{HOME}/")
    if event.kind in ("write", "folder", "delete"):
        return event.target.startswith(NO_FILES) or (event.target.startswith(TEMPORARY) and event.target in gone)
    return event.target == NAME_SERVICE


def _is_stated(event: Event, one: Invocation) -> bool:
    if event.kind == "run":
        return event.target.rpartition("/")[2] in {name.rpartition("/")[2] for name in one.started}
    if event.kind == "reach":
        return any(effect.kind in ("reach", "send") for effect in one.effects)
    return any(_speaks_of(effect, event) for effect in one.effects)


def _is_chosen(event: Event, target: str, only: str) -> bool:
    """Whether a file has one of the names, or lies in a folder of such a name; and not in a folder that is left out.

    A folder is entered on the way to files, whatever it is called.
    """
    glob, _, left_out = only.partition("//")
    *folders, name = event.target[len(target) :].strip("/").split("/")
    if any(
        f"{mark}{one}" in left_out.split(",") for place, one in enumerate(folders) for mark in ("/" * (not place), "")
    ):
        return False
    meant = [name, *folders] if glob.endswith("/") else [name]
    return any(fnmatchcase(one, choice) for one in meant for choice in name_choices(glob.rstrip("/")))


def _speaks_of(effect: Effect, event: Event) -> bool:
    in_repository = event.target.startswith(f"{PROJECT}/.git/")
    if effect.code.startswith("git.repository") and event.kind == "read":
        return in_repository or event.target.rpartition("/")[2] in OF_GIT
    if effect.kind == "change" and effect.code.startswith("git."):
        return in_repository
    if effect.kind not in SPOKEN_OF_BY[event.kind]:
        return False
    target = absolute(f"{PROJECT}/", f"{HOME}{effect.target[1:]}" if effect.target.startswith("~/") else effect.target)
    if event.kind == "folder" and target.startswith(f"{event.target}/"):
        return True
    if effect.glob:
        return matches(event.target, target)
    if effect.deep and effect.only and not _is_chosen(event, target, effect.only):
        return False
    return event.target == target or (effect.deep and event.target.startswith(target.rstrip("/") + "/"))
