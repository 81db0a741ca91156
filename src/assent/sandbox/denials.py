"""What the sandbox probably held back, read from a command's own words, and what would permit it. Pure.

No more than a guess: programs report errors as they like. What is said is "probably", and only after a failure.
"""

from __future__ import annotations

from posixpath import normpath

from assent import protected
from assent.record import record
from assent.sandbox.profile import PRIVATE, notable, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.sandbox.profile import Ground, Profile
    from assent.sandbox.walls import Walls

NO_NETWORK = (
    *(
        "network is unreachable",
        "could not resolve",
        "temporary failure in name resolution",
        "name or service not known",
    ),
    *("enetunreach", "eai_again", "getaddrinfo", "unknown host", "no address associated", "failed to lookup address"),
    *("address family not supported", "eafnosupport"),
)
REFUSED = ("permission denied", "eacces", "read-only file system", "erofs", "device or resource busy", "ebusy")
MISSING = ("no such file or directory", "enoent", "not found")
CROWDED = ("resource temporarily unavailable", "cannot fork", "eagain")
AROUND = "'\"`‘’:,;()[]<>"
MOST = 3
NOTHING_NEW = "it would lie beside closed files, and there Landlock lets nothing new be made"


@record
class Denial:
    """One thing that was probably held back, why, and what would permit it."""

    what: str
    why: str
    permit: str = ""

    def __str__(self) -> str:
        return f"probably blocked by the sandbox: {self.what} ({self.why})"


def denials(errors: str, profile: Profile, ground: Ground, *, walls: Walls | None = None) -> tuple[Denial, ...]:
    """What a failed command complained about, as far as the profile explains it; the first few.

    `walls` are given where Landlock confines: there everything is "Permission denied", and some folders are half open.
    """
    found: dict[Denial, None] = {}
    for line in errors.splitlines():
        for denial in _of_line(line, profile, ground, walls):
            found[denial] = None
            if len(found) == MOST:
                return tuple(found)
    return tuple(found)


def _of_line(line: str, profile: Profile, ground: Ground, walls: Walls | None) -> Iterator[Denial]:
    said = line.casefold()
    if any(text in said for text in NO_NETWORK):
        yield Denial("the network", "there is none inside", "run it without --sandbox, and a person is asked")
    if any(text in said for text in CROWDED) and "fork" in said:
        yield Denial("a new process", f"{profile.processes} are the limit")
    refused, missing = any(text in said for text in REFUSED), any(text in said for text in MISSING)
    if not refused and not missing:
        return
    if refused and walls is not None:
        yield from _behind_walls(line, profile, ground, walls)
        return
    for path in _paths(line, profile):
        denial = _of_path(path, profile, ground, refused=refused)
        if denial is not None:
            yield denial


def _behind_walls(line: str, profile: Profile, ground: Ground, walls: Walls) -> Iterator[Denial]:
    """The one thing that a line is about: scripts name themselves before it, and they may be read."""
    subjects = tuple(_subjects(line))
    for path in sorted(_paths(line, profile), key=lambda path: path.rpartition("/")[2] not in subjects):
        denial = _behind(path, subjects, profile, ground, walls) or _of_path(path, profile, ground, refused=True)
        if denial is not None:
            yield denial
            return


def _paths(line: str, profile: Profile) -> Iterator[str]:
    """Everything in a line that may be a path, as an absolute one."""
    for word in line.split():
        text = word.strip(AROUND)
        if text and text not in (".", ".."):
            home = dict(profile.environment).get("HOME", "")
            text = home + text[1:] if text.startswith("~/") else text
            path = text if text.startswith("/") else f"{profile.cwd}/{text.removeprefix('./')}"
            yield normpath(path)


def _behind(path: str, subjects: tuple[str, ...], profile: Profile, ground: Ground, walls: Walls) -> Denial | None:
    """What only Landlock refuses: new files beside closed ones, `/tmp`, and reading where nothing is shown."""
    shown = next(iter(notable((path,), profile.workspace)))
    new = not ground.kind(path)
    if new and path[: path.rfind("/")] in walls.partly and path.rpartition("/")[2] in subjects:
        return Denial(shown, NOTHING_NEW, "install bubblewrap, which can close single files")
    if new and any(within(path, place) for place in PRIVATE) and not within(path, profile.workspace):
        return Denial(path, "with Landlock the folder for temporary files is the one that TMPDIR names")
    last = next((mount for mount in reversed(profile.mounts) if within(path, mount.path)), None)
    return _of_path(path, profile, ground, refused=False) if last is None or last.kind == "empty" else None


def _subjects(line: str) -> Iterator[str]:
    """Names that a line says to be refused: every other word of it could be a new file just as well."""
    place = line.casefold().find(REFUSED[0])
    if place >= 0:
        words = (*line[:place].split()[-1:], *line[place + len(REFUSED[0]) :].strip(AROUND + " ").split()[:1])
        yield from (word.strip(AROUND).rpartition("/")[2] for word in words)


def _of_path(path: str, profile: Profile, ground: Ground, *, refused: bool) -> Denial | None:
    shown = next(iter(notable((path,), profile.workspace)))
    if refused and any(within(path, place) for place in profile.closed):
        never = protected.on_the_floor(path) or not within(path, profile.workspace)
        return Denial(shown, "secrets are hidden", "" if never else f'read = ["{shown}"] under [sandbox]')
    if refused and any(within(path, place) for place in profile.fixed):
        return Denial(shown, "other programs run it by themselves", "run it without --sandbox, and a person is asked")
    if within(path, profile.workspace) or not path.startswith("/"):
        return None
    last = next((mount for mount in reversed(profile.mounts) if within(path, mount.path)), None)
    if refused and (last is None or last.kind == "read"):
        folder = path[: path.rfind("/")] or "/"
        return Denial(path, "only the workspace can be changed", f'write = ["{folder}"] under [sandbox]')
    if (last is None or last.kind == "empty") and ground.kind(path):
        if protected.on_the_floor(path) or protected.is_secret(path):
            return Denial(path, "secrets are hidden")
        return Denial(path, "outside the sandbox", f'read = ["{path}"] under [sandbox]')
    return None
