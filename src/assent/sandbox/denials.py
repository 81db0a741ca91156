"""What the sandbox probably held back, read from a command's own words, and what would permit it. Pure.

No more than a guess: programs report errors as they like. What is said is "probably", and only after a failure.
"""

from __future__ import annotations

from assent import protected
from assent.record import record
from assent.sandbox.profile import notable, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.sandbox.profile import Ground, Profile

NO_NETWORK = (
    *(
        "network is unreachable",
        "could not resolve",
        "temporary failure in name resolution",
        "name or service not known",
    ),
    *("enetunreach", "eai_again", "getaddrinfo", "unknown host", "no address associated", "failed to lookup address"),
)
REFUSED = ("permission denied", "eacces", "read-only file system", "erofs", "device or resource busy", "ebusy")
MISSING = ("no such file or directory", "enoent", "not found")
CROWDED = ("resource temporarily unavailable", "cannot fork", "eagain")
AROUND = "'\"`‘’:,;()[]<>"
MOST = 3


@record
class Denial:
    """One thing that was probably held back, why, and what would permit it."""

    what: str
    why: str
    permit: str = ""

    def __str__(self) -> str:
        return f"probably blocked by the sandbox: {self.what} ({self.why})"


def denials(errors: str, profile: Profile, ground: Ground) -> tuple[Denial, ...]:
    """What a failed command complained about, as far as the profile explains it; the first few."""
    found: dict[Denial, None] = {}
    for line in errors.splitlines():
        for denial in _of_line(line, profile, ground):
            found[denial] = None
            if len(found) == MOST:
                return tuple(found)
    return tuple(found)


def _of_line(line: str, profile: Profile, ground: Ground) -> Iterator[Denial]:
    said = line.casefold()
    if any(text in said for text in NO_NETWORK):
        yield Denial("the network", "there is none inside", "run it without --sandbox, and a person is asked")
    if any(text in said for text in CROWDED) and "fork" in said:
        yield Denial("a new process", f"{profile.processes} are the limit")
    refused, missing = any(text in said for text in REFUSED), any(text in said for text in MISSING)
    if not refused and not missing:
        return
    for path in _paths(line, profile):
        denial = _of_path(path, profile, ground, refused=refused)
        if denial is not None:
            yield denial


def _paths(line: str, profile: Profile) -> Iterator[str]:
    """Everything in a line that may be a path, as an absolute one."""
    for word in line.split():
        text = word.strip(AROUND)
        if text and text not in (".", ".."):
            home = dict(profile.environment).get("HOME", "")
            text = home + text[1:] if text.startswith("~/") else text
            path = text if text.startswith("/") else f"{profile.cwd}/{text.removeprefix('./')}"
            yield path


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
